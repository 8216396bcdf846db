import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, normalizePath, type Plugin, type Rolldown } from 'vite'
import type { CallDefinition } from '../contract/src/call.ts'
import { entities } from '../contract/src/entities/index.ts'
import { extensions } from '../contract/src/extensions.generated.ts'
import { importNames } from '../contract/src/import/names.ts'
import type { MenuSeed } from '../contract/src/menus.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** While developing: where the server answers (scripts/dev.mjs). */
const server = process.env.API ?? 'http://127.0.0.1:8000'

/** The codes of the pages that an extension's menus lead to, but for the lists of entities. */
const codesUnder = (menus: readonly MenuSeed[]): string[] =>
  menus.flatMap(({ code, path, children = [] }) => [
    ...(path && entities.every((entity) => entity.name !== code) ? [code] : []),
    ...codesUnder(children),
  ])

/** Names and paths of the entities, and what is imported of them, so that the shell knows them without carrying their definitions. */
export function entityNames(): Plugin {
  const id = 'virtual:entities'
  return {
    name: 'entity-names',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => {
      if (source !== `\0${id}`) return undefined
      const paths = Object.fromEntries(entities.map((entity) => [entity.name, entity.path]))
      const menus = extensions.flatMap((extension) => extension.menus ?? [])
      const codes = codesUnder(menus.flatMap(({ groups }) => groups))
      return Object.entries({ entityPaths: paths, extensionPages: codes, importNames: importNames() })
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
        .join('\n')
    },
  }
}

/**
 * Of a declared call the console needs where it is and how its input travels. What it is sent and answers is for the
 * compiler: neither that nor the definitions of entities that it names come along. Each file that asks has its calls to
 * itself: shared, they would be a file that home waits for, or travel with the shell to pages that never ask.
 */
export function callsByPath(): Plugin {
  const folder = normalizePath(here('../contract/src/calls/'))
  const ofExtensions = /[\\/]extensions[\\/][^\\/]+[\\/]contract[\\/]calls([\\/][^\\/]+)?\.ts$/
  const isCalls = (file: string): boolean => normalizePath(file).startsWith(folder) || ofExtensions.test(file)
  return {
    name: 'calls-by-path',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (this.environment.mode !== 'build' || !importer || !/calls[/.]/.test(source)) return undefined
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      return found && isCalls(found.id)
        ? { id: `${found.id}?asked-by=${importer}`, moduleSideEffects: false }
        : undefined
    },
    load: async (id) => {
      const file = id.split('?')[0]!
      if (!isCalls(file)) return undefined
      const declared = Object.entries(await import(pathToFileURL(file).href)) as [string, Partial<CallDefinition>][]
      return declared
        .filter(([, { method, path }]) => method !== undefined && path !== undefined)
        .map(([name, { method, path, as, query, bare }]) => {
          const names = query && Object.fromEntries(Object.keys(query).map((each) => [each, 1]))
          return `export const ${name} = ${JSON.stringify({ method, path, as, query: names, bare })}`
        })
        .join('\n')
    },
  }
}

/** What the server answers; one that is starting, again after a change, is waited for. */
async function answerOf(address: string): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      return await fetch(address).then((answer) => answer.text())
    } catch (error) {
      if (tries >= 300) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

/** While developing: the boot data of the running server, and its addresses of the pages. */
function devPages(): Plugin {
  return {
    name: 'dev-pages',
    apply: 'serve',
    configureServer: (dev) => {
      dev.middlewares.use((request, _, next) => {
        if (request.url === '/login' || request.url?.startsWith('/login?')) request.url = '/login.html'
        next()
      })
    },
    transformIndexHtml: async (html) => {
      const page = await answerOf(`${server}/login`)
      return html.replace(
        '<!--boot-->',
        /<script type="application\/json" id="boot"[^>]*>.*?<\/script>/s.exec(page)?.[0] ?? '',
      )
    },
  }
}

/** Compresses once what would otherwise be compressed for every visitor: `x.js` gets `x.js.br` and `x.js.gz` beside it. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle: ({ dir }) => {
      if (!dir) return
      for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
        if (!entry.isFile() || !/\.(js|css|svg)$/.test(entry.name)) continue
        const file = path.join(entry.parentPath, entry.name)
        const bytes = readFileSync(file)
        writeFileSync(`${file}.br`, brotliCompressSync(bytes))
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

/** What the log-in page is made of beside its own file. The shell finds it in the cache. */
const atLogin =
  /[\\/]src[\\/](session[\\/](tokens|landing|guard)|ui[\\/]stored|http[\\/]boot|locales[\\/]login)\.ts$|vite[\\/]preload-helper/

/**
 * The parts of the source that a list page loads at once: one file, instead of one per part that another page shares,
 * with the small things that would otherwise be a file each: the head of an answer alone is longer than some of them.
 */
function ofLists(id: string, graph: { getModuleInfo: (id: string) => Rolldown.ModuleInfo | null }): string | null {
  if (!listParts) {
    const source = normalizePath(here('src/'))
    listParts = new Set([`${source}entity/list/page.tsx`])
    for (const part of listParts)
      for (const next of graph.getModuleInfo(part)?.importedIds ?? []) if (next.startsWith(source)) listParts.add(next)
    if (listParts.size < 10) throw new Error('The parts of the list page were not found')
  }
  return listParts.has(id) || small.test(id) ? 'list' : null
}
let listParts: Set<string> | undefined
const small =
  /contract[\\/]src[\\/](view|rules[\\/]mask)\.ts$|queryOptions\.js$|[\\/]locales[\\/](import-button|view)\.ts$|[\\/]import[\\/](user-)?button\.tsx$/

/**
 * An index of the engine or of a page names more than one importer uses: what is not used is left out, with what it
 * imports. A file that is imported for what it does stays: one that exports nothing, or whose name alone is imported.
 */
function sideEffects(): { test: RegExp; sideEffects: boolean }[] {
  const root = here('src/')
  const texts = globSync('**/*.{ts,tsx}', { cwd: root }).map(
    (file) => [path.join(root, file), readFileSync(path.join(root, file), 'utf8')] as const,
  )
  const doing = new Set(
    texts.flatMap(([file, text]) => [
      ...(/^export /m.test(text) ? [] : [file]),
      ...[...text.matchAll(/^import '(\.[^']+\.tsx?)'$/gm)].map(([, name]) => path.resolve(path.dirname(file), name!)),
    ]),
  )
  if (texts.length < 100 || doing.size === 0)
    throw new Error('The files that are imported for what they do were not found')
  const exactly = [...doing].map((file) => RegExp.escape(normalizePath(file))).join('|')
  return [
    { test: new RegExp(`^(?:${exactly})$`), sideEffects: true },
    { test: /[\\/]src[\\/](entity|pages)[\\/].*\.tsx?$/, sideEffects: false },
  ]
}

export default defineConfig({
  root: here('.'),
  plugins: [react(), entityNames(), callsByPath(), devPages(), compressed()],
  server: { proxy: { '/api': server } },
  // The first: the package’s own way there leads to copies in another module format, beside those that its components bring.
  resolve: {
    alias: [
      { find: /^antd\/locale\//, replacement: 'antd/es/locale/' },
      { find: /^.*[\\/]createLucideIcon\.mjs$/, replacement: here('src/ui/draw-icon.ts') },
    ],
  },
  build: {
    target: ['chrome109', 'firefox115', 'safari16.4'],
    outDir: 'dist',
    manifest: true,
    reportCompressedSize: false,
    // Nothing is inlined: the content-security policy allows scripts and styles of this origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: here('index.html'), login: here('login.html') },
      treeshake: { moduleSideEffects: sideEffects() },
      // What is there at the start comes in three files: what the log-in page has already fetched, the libraries, which
      // seldom change, and the shell. Left to itself, the bundler makes a file of every part that some page shares.
      output: {
        codeSplitting: {
          groups: [
            { name: 'session', test: atLogin, tags: ['$initial'] },
            { name: 'libraries', test: /node_modules|[\\/]ui[\\/]draw-icon/, tags: ['$initial'] },
            { name: 'shell', test: /[\\/]console[\\/]src[\\/]/, tags: ['$initial'] },
            // Without what it imports: a library's index names more than the list uses.
            {
              name: ofLists,
              debugName: 'list',
              test: /[\\/](console|contract)[\\/]src[\\/]|queryOptions\.js$/,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
})
