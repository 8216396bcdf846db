import { registerHooks } from 'node:module'

/** The sources, which a second server holds in a memory of its own; packages are shared, as they keep nothing of a tenant. */
const sources = new URL('../..', import.meta.url).href
const isSource = (url: string): boolean =>
  url.startsWith(sources) && !url.includes('/node_modules/') && /\.ts(\?|$)/.test(url)

let times = 0

/** Loads a file of `server/src`, and all sources that it imports, once more: a memory like that of another process. */
export async function importAnew<T>(file: string): Promise<T> {
  times += 1
  const mark = `?anew=${times}`
  // Kept as long as the copy lives: what it loads late belongs to its memory too.
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      return context.parentURL?.endsWith(mark) && isSource(found.url) ? { ...found, url: `${found.url}${mark}` } : found
    },
  })
  return (await import(/* @vite-ignore */ `${new URL(`../src/${file}`, import.meta.url).href}${mark}`)) as T
}
