// Prints what the console costs over the wire, brotli-compressed, from the build's manifest.
// `--json` prints the same as JSON, for the benchmark.
import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'

const dist = new URL('../dist/', import.meta.url)
const read = (name) => JSON.parse(readFileSync(new URL(`.vite/${name}.json`, dist), 'utf8'))
const manifest = read('manifest')
const modules = read('modules')

const compressed = new Map()
function size(file) {
  if (!compressed.has(file)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
    compressed.set(file, brotliCompressSync(readFileSync(new URL(file, dist)), { params }).length)
  }
  return compressed.get(file)
}

/** Files of a chunk and of all that it needs at once. */
function filesOf(key, found = new Set()) {
  const chunk = manifest[key]
  if (!chunk) throw new Error(`The manifest has no ${key}`)
  if (found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const css of chunk.css ?? []) found.add(css)
  for (const next of chunk.imports ?? []) filesOf(next, found)
  return found
}

const all = (files) => [...files].reduce((sum, file) => sum + size(file), 0)
const without = (files, others) => new Set([...files].filter((file) => !others.has(file)))

/** The chunk that a module of the source went into. */
function chunkOf(module) {
  const file = modules[module]
  const key = Object.keys(manifest).find((each) => file && manifest[each].file === file)
  if (!key) throw new Error(`No file of the build holds ${module}`)
  return key
}

const login = new Set([...filesOf('login.html'), 'login.html'])
const shell = without(new Set([...filesOf('index.html'), 'index.html', 'logo.svg', 'avatar.svg']), login)
const known = new Set([...login, ...shell])
const pages = ['src/ui/antd.tsx', 'src/entity/page.tsx', 'src/ui/icon-more.ts', 'src/pages/import/button.tsx'].map(
  chunkOf,
)
const list = without(new Set(pages.flatMap((key) => [...filesOf(key)])), known)

const rows = [
  { what: 'login', bytes: all(login), limit: 12_000 },
  { what: 'shell and home, more', bytes: all(shell), limit: 110_000 },
  { what: 'first list page, more', bytes: all(list), limit: 150_000 },
]
if (process.argv.includes('--json')) {
  console.log(JSON.stringify(rows))
} else {
  for (const { what, bytes, limit } of rows) {
    console.log(`${what.padEnd(24)}${(bytes / 1000).toFixed(1).padStart(7)} kB of ${limit / 1000}`)
  }
  if (process.argv.includes('--files')) {
    for (const [what, files] of Object.entries({ login, shell, list })) {
      for (const file of [...files].sort((a, b) => size(b) - size(a))) console.log(`  ${what} ${file} ${size(file)}`)
    }
  }
}
if (rows.some((row) => row.bytes > row.limit)) process.exitCode = 1
