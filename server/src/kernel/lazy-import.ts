import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/**
 * A package that is loaded when it is first used: no start waits for it, and a process that never needs it does not hold
 * it. For code that cannot wait; what can says `await import(…)`.
 */
export function lazyImport<T>(name: string): () => T {
  let found: T | undefined
  return () => {
    found ??= load(name) as T
    return found
  }
}

// An `import` of node:http hands over all that it exports, the whole of `fetch` among it: 13 MB that nothing here uses.
export const nodeHttp = lazyImport<typeof import('node:http')>('node:http')
export const nodeHttps = lazyImport<typeof import('node:https')>('node:https')
