// Extensions: finds them, and writes what builds them in. Plain JavaScript without dependencies, since a first start
// needs it before anything is installed.
//   extensions/<name>/            a folder
//   EXTENSIONS=<path>:<path>      folders elsewhere
//   extensions/package.json       its dependencies, installed by npm in extensions/
// Each has contract/index.ts, and server/index.ts, server/migrations/*.sql, console/index.ts where it needs them.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesOf, importsOf } from './layers.mjs'
import { give, root } from './root.mjs'

const home = path.join(root, 'extensions')
/** What stands outside of the sources is copied here, so that it finds the packages of the product. */
const copies = path.join(root, '.runtime', 'extensions')
const list = path.join(root, '.runtime', 'extensions.json')

const sides = ['contract', 'server', 'console']
/** What each part may import beside its own files and those of its contract part. */
const may = {
  contract: /^@data-brain\/contract\/extension$/,
  server: /^(@data-brain\/contract(\/.+)?|@data-brain\/server\/extension|node:.+)$/,
  console: /^(@data-brain\/contract(\/.+)?|@data-brain\/console\/extension|react(\/.+)?|antd|@tanstack\/react-query)$/,
}

const within = (folder, at) => at.startsWith(folder + path.sep)
const slashes = (at) => at.split(path.sep).join('/')

/** Where each extension lies, by its name. */
function found() {
  const packages = path.join(home, 'package.json')
  const dependencies = existsSync(packages) ? (JSON.parse(readFileSync(packages, 'utf8')).dependencies ?? {}) : {}
  const folders = existsSync(home)
    ? readdirSync(home).filter(
        (name) => !/^(\.|node_modules$)/.test(name) && existsSync(path.join(home, name, 'contract')),
      )
    : []
  const places = [
    ...folders.map((name) => path.join(home, name)),
    ...Object.keys(dependencies).map((name) => path.join(home, 'node_modules', name)),
    ...(process.env.EXTENSIONS ?? '')
      .split(path.delimiter)
      .filter(Boolean)
      .map((at) => path.resolve(root, at)),
  ]
  const extensions = places.map((place) => ({ name: path.basename(place).replace(/^data-brain-/, ''), place }))
  for (const [at, { name, place }] of extensions.entries()) {
    if (!/^[a-z][a-z0-9]{1,19}$/.test(name))
      give(
        `${place}: an extension is named by 2 to 20 small letters and digits.`,
        `${place}：扩展名须为2到20个小写字母或数字。`,
      )
    if (!existsSync(path.join(place, 'contract/index.ts')))
      give(
        `The extension ${name} has no ${path.join(place, 'contract/index.ts')}${dependencies[path.basename(place)] ? ': run npm install in extensions/' : ''}.`,
        `扩展“${name}”缺少该文件。`,
      )
    if (extensions.findIndex((each) => each.name === name) !== at)
      give(`Two extensions are named ${name}.`, `有两个扩展同名：“${name}”。`)
  }
  return extensions.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The folder from which an extension is built: where it lies, or a copy within the sources. */
function placed({ name, place }) {
  const real = realpathSync(place)
  if (within(realpathSync(root), real) && !real.includes(`${path.sep}node_modules${path.sep}`)) {
    for (const at of [path.dirname(place), place]) mustHoldModules(path.join(at, 'package.json'))
    return place
  }
  const copy = path.join(copies, name)
  mkdirSync(copies, { recursive: true })
  const aside = new Set(['node_modules', '.git', 'package.json'])
  cpSync(real, copy, { recursive: true, filter: (from) => from === real || !aside.has(path.basename(from)) })
  write(path.join(copies, 'package.json'), modulesBelow)
  return copy
}

/** Sources are modules, whatever stands in the packages above them. */
const modulesBelow = `${JSON.stringify({ type: 'module' })}\n`

/** Refuses a package.json in whose folder Node and the compiler would take an extension for something else than modules. */
function mustHoldModules(file) {
  if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).type !== 'module')
    give(`${file} must say "type": "module".`, `${file} 须写明 "type": "module"。`)
}

/** What an extension imports that it may not. */
export function strayImports(folder) {
  return sides.flatMap((side) => {
    const part = path.join(folder, side)
    return filesOf(part).flatMap((file) =>
      importsOf(file)
        .map(({ name }) => name)
        .filter((name) => {
          if (!name.startsWith('.')) return !may[side].test(name)
          const at = path.resolve(path.dirname(file), name)
          return !within(part, at) && !within(path.join(folder, 'contract'), at)
        })
        .map((name) => `${path.relative(folder, file)}: ${name}`),
    )
  })
}

/** The migrations of an extension, which begin at 0001 and leave no number out. */
function migrationsOf(name, folder) {
  const place = path.join(folder, 'server/migrations')
  const files = existsSync(place)
    ? readdirSync(place)
        .filter((file) => file.endsWith('.sql'))
        .sort()
    : []
  for (const [index, file] of files.entries())
    if (!new RegExp(`^${String(index + 1).padStart(4, '0')}_\\w+\\.sql$`).test(file))
      give(
        `The extension ${name}: migrations are numbered 0001, 0002, … without a gap; ${file} is not.`,
        `扩展“${name}”的升级脚本须从0001起连续编号：${file}。`,
      )
  return files.map((file, index) => ({
    number: index + 1,
    name: file,
    text: readFileSync(path.join(place, file), 'utf8'),
  }))
}

function write(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const heading = '// Written by scripts/extensions.mjs: the extensions that are built in. Not kept in version control.\n'

/** The extensions that were taken in last. */
export const builtIn = () => (existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [])

/**
 * Writes the files by which contract, server and console take the extensions in. Without any they say that there are
 * none.
 */
export function takeIn() {
  const extensions = found().map((each) => ({ ...each, folder: placed(each) }))
  if (existsSync(copies))
    for (const name of readdirSync(copies).filter((each) => each !== 'package.json'))
      if (extensions.every(({ folder }) => folder !== path.join(copies, name)))
        rmSync(path.join(copies, name), { recursive: true })
  for (const { name, folder } of extensions) {
    const stray = strayImports(folder)
    if (stray.length > 0)
      give(
        `The extension ${name} imports what no extension may (docs/developers/extensions.md):\n  ${stray.join('\n  ')}`,
        `扩展“${name}”引用了不允许的内容。`,
      )
  }
  const partOf = (side, { folder }) =>
    ['index.ts', 'index.tsx'].map((file) => path.join(folder, side, file)).find((file) => existsSync(file))
  const imports = (side, what) =>
    extensions.flatMap((each) => {
      const file = partOf(side, each)
      const from = file && slashes(path.relative(path.join(root, side, 'src'), file))
      return from ? [`import { ${what} as ${each.name} } from '${from}'\n`] : []
    })
  const entries = (side, entry) =>
    extensions.flatMap((each) => (partOf(side, each) ? [`  ${entry(each)},\n`] : [])).join('')
  const array = (lines) => (lines ? `[\n${lines}]` : '[]')

  write(
    path.join(root, 'contract/src/extensions.generated.ts'),
    `${heading}import type { Extension } from './extension.ts'\n${imports('contract', 'extension').join('')}
export const extensions: readonly Extension[] = ${array(entries('contract', ({ name }) => name))}\n`,
  )
  const servers = extensions.map((each) => {
    const server = partOf('server', each) ? `, server: ${each.name}` : ''
    return `  { name: '${each.name}', migrations: ${JSON.stringify(migrationsOf(each.name, each.folder))}${server} },\n`
  })
  write(
    path.join(root, 'server/src/extensions.generated.ts'),
    `${heading}import type { ExtensionTables } from './database/extensions.ts'
import type { ExtensionServer } from './extension.ts'\n${imports('server', 'server').join('')}
export const extensionServers: readonly (ExtensionTables & { readonly server?: ExtensionServer })[] = ${array(servers.join(''))}\n`,
  )
  write(
    path.join(root, 'console/src/extensions.generated.ts'),
    `${heading}import type { ExtensionPages } from './extension.ts'\n${imports('console', 'pages').join('')}
export const extensions: readonly ExtensionPages[] = ${array(entries('console', ({ name }) => name))}\n`,
  )
  write(list, `${JSON.stringify(extensions.map(({ name, place, folder }) => ({ name, place, folder })))}\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) takeIn()
