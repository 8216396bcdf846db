import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { entities } from '../contract/src/entities/index.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const server = 'http://127.0.0.1:8000'

/** Names and paths of the entities, so that the shell knows them without carrying their definitions. */
export function entityNames(): Plugin {
  const id = 'virtual:entities'
  return {
    name: 'entity-names',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => {
      if (source !== `\0${id}`) return undefined
      const paths = Object.fromEntries(entities.map((entity) => [entity.name, entity.path]))
      return `export const entityPaths = ${JSON.stringify(paths)}`
    },
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
      const page = await fetch(`${server}/login`).then((answer) => answer.text())
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

export default defineConfig({
  root: here('.'),
  plugins: [react(), entityNames(), devPages(), compressed()],
  server: { proxy: { '/api': server } },
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
      output: {
        codeSplitting: { groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }] },
      },
    },
  },
})
