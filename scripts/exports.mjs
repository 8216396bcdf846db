// No export that nothing uses: what a file gives away is imported by another file, or used in its own. What tests drive the
// product by counts as used.
//   node scripts/exports.mjs [folder]
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(process.argv[2] ?? path.join(fileURLToPath(import.meta.url), '..', '..'))
const product = ['contract/src', 'server/src', 'console/src', 'console/login']
/** These use what the product gives away, and are no part of it. */
const users = [
  'bench',
  'e2e',
  'examples',
  'scripts',
  'console/vite.config.ts',
  'contract/test',
  'server/test',
  'console/test',
]
/** Files that are begun by something else than an import. */
const begun =
  /^(server\/src\/(main|admin|openapi-file)\.ts|console\/(src\/main\.tsx|login\/login\.ts|src\/ui\/draw-icon\.ts))$|\.d\.ts$|worker[^/]*\.ts$/

/** What extensions may touch: it is given away whether or not one of ours uses it. */
const faces = new Set(['contract', 'server', 'console'].map((side) => path.join(root, side, 'src/extension.ts')))

function filesOf(at) {
  if (!existsSync(at)) return []
  if (statSync(at).isFile()) return [at]
  return readdirSync(at, { withFileTypes: true }).flatMap(({ name }) =>
    name === 'node_modules' || name === 'dist' ? [] : filesOf(path.join(at, name)),
  )
}
const sources = (folders) =>
  folders.flatMap((folder) => filesOf(path.join(root, folder))).filter((file) => /\.(ts|tsx|mts|mjs)$/.test(file))

/** Text without comments: an import in an example counts for nothing. */
const code = (file) =>
  readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')

function resolved(from, name) {
  if (name === '@data-brain/contract') return path.join(root, 'contract/src/index.ts')
  if (name.startsWith('@data-brain/contract/')) return path.join(root, 'contract/src', `${name.slice(21)}.ts`)
  const face = /^@data-brain\/(server|console)\/extension$/.exec(name)
  if (face) return path.join(root, face[1], 'src/extension.ts')
  return name.startsWith('.') ? path.resolve(path.dirname(from), name) : undefined
}

const list = (text) =>
  text
    .split(',')
    .map((part) => part.trim().replace(/^type\s+/, ''))
    .filter(Boolean)
    .map((part) => part.split(/\s+as\s+/))

/** Names that are imported, by the file that gives them away; `*` for all of them. */
const used = new Map()
const use = (file, name) => {
  const names = used.get(file) ?? new Set()
  names.add(name)
  used.set(file, names)
}
const files = sources(product)
const texts = new Map([...files, ...sources(users)].map((file) => [file, code(file)]))
/** What a file hands on of another: it counts where it is used itself. */
const handed = []
for (const [file, text] of texts) {
  for (const [, what, from] of text.matchAll(/\bimport\s+(?:type\s+)?([^'"();]*?)\s+from\s+['"]([^'"]+)['"]/g)) {
    const to = resolved(file, from)
    if (!to) continue
    if (/\*\s+as\s/.test(what)) use(to, '*')
    for (const [name] of list(/\{([^}]*)\}/.exec(what)?.[1] ?? '')) use(to, name)
    if (/^\w+/.test(what.replace(/\{[^}]*\}|\*\s+as\s+\w+/g, '').trim())) use(to, 'default')
  }
  for (const [, from] of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)) {
    const to = resolved(file, from)
    if (to) use(to, '*')
  }
  for (const [, names, from] of text.matchAll(/\bexport\s+(?:type\s+)?\{([^}]*)\}\s+from\s+['"]([^'"]+)['"]/g))
    for (const [name, as = name] of list(names)) handed.push({ file, as, to: resolved(file, from), name })
  for (const [, from] of text.matchAll(/\bexport\s+\*\s+from\s+['"]([^'"]+)['"]/g))
    handed.push({ file, as: '*', to: resolved(file, from), name: '*' })
}
const isUsed = (file, name) => faces.has(file) || used.get(file)?.has('*') || used.get(file)?.has(name)
for (let more = true; more; ) {
  more = false
  for (const { file, as, to, name } of handed) {
    const wanted = as === '*' ? [...(used.get(file) ?? [])] : isUsed(file, as) ? [name] : []
    for (const each of wanted)
      if (!used.get(to)?.has(each)) {
        use(to, each)
        more = true
      }
  }
}

const dead = []
for (const file of files) {
  const at = path.relative(root, file).replaceAll('\\', '/')
  if (begun.test(at)) continue
  const text = texts.get(file)
  const given = [
    ...[
      ...text.matchAll(
        /^export\s+(?:async\s+)?(?:abstract\s+)?(?:const|let|function\*?|class|interface|type|enum)\s+([\w$]+)/gm,
      ),
    ].map(([, name]) => [name, name]),
    ...handed.filter((each) => each.file === file && each.as !== '*').map(({ as }) => [as, undefined]),
    ...[...text.matchAll(/\bexport\s+(?:type\s+)?\{([^}]*)\}(?!\s*from)/g)].flatMap(([, names]) =>
      list(names).map(([name, as = name]) => [as, name]),
    ),
    ...(/^export\s+default\b/m.test(text) ? [['default', undefined]] : []),
  ]
  for (const [name, own] of given) {
    if (isUsed(file, name)) continue
    const inside = own
      ? [...text.matchAll(new RegExp(`(?<![\\w$.])${own.replaceAll('$', '\\$')}(?![\\w$])`, 'g'))].length
      : 0
    dead.push({ at, name, needless: inside > 1 })
  }
}
if (files.length < 500) {
  console.error(`exports: only ${files.length} files were read`)
  process.exit(1)
}
const wrong = process.argv.includes('--all') ? dead : dead.filter(({ needless }) => !needless)
for (const { at, name, needless } of wrong)
  console.error(`${at}: ${name} ${needless ? 'is used in its own file only' : 'is used by nothing'}`)
if (wrong.length > 0) process.exit(1)
console.log(`exports: every one of ${files.length} files is used`)
