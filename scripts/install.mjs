// Installs what package-lock.json names. Plain JavaScript without dependencies: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { give, root } from './root.mjs'

/**
 * Installs what package-lock.json names, unless that is what is there: for `work` (tests, checks, seed data) all of it,
 * for `run` only what the product is built from and runs on. What is there beyond that stays. An install that fails
 * leaves the former one as it was.
 */
export function modules(program, purpose = 'work') {
  const text = readFileSync(path.join(root, 'package-lock.json'))
  const stamp = path.join(root, 'node_modules', '.data-brain-stamp')
  const version = createHash('sha256').update(text).digest('hex')
  const found = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  if (found === `${version} work` || found === `${version} ${purpose}`) return
  const lock = JSON.parse(text.toString('utf8'))
  if (!isInstalled(lock.packages, (entry) => purpose === 'work' || !entry.dev)) {
    console.log('installing dependencies (once per version) …')
    if (!installAside(program, lock, purpose)) {
      give(
        'Dependencies are missing and could not be installed (see above): connect to the internet, or use a release archive, which brings them.',
        '依赖缺失且安装失败（见上）：请连接网络，或使用自带依赖的发布包。',
      )
    }
  }
  writeFileSync(stamp, `${version} ${purpose}`)
}

// npm leaves a list of what it installed: equal to the lock file, there is nothing to do.
function isInstalled(packages, isWanted) {
  const list = path.join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(list)) return false
  const found = JSON.parse(readFileSync(list, 'utf8')).packages
  // Npm writes down no hash where it was told none.
  const same = (a, b) =>
    a !== undefined && a.version === b.version && (a.integrity ?? b.integrity) === (b.integrity ?? a.integrity)
  const names = Object.keys(packages).filter((name) => name.includes('node_modules/') && isWanted(packages[name]))
  return (
    names.every((name) => packages[name].optional || packages[name].link || same(found[name], packages[name])) &&
    Object.keys(found).every(
      (name) => !name.includes('node_modules/') || found[name].link || same(packages[name], found[name]),
    )
  )
}

/** Installs into a folder of its own and moves what came into place. */
function installAside(program, lock, purpose) {
  const folder = path.join(root, '.runtime', 'install')
  rmSync(folder, { recursive: true, force: true })
  const { workspaces } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const places = ['.', ...workspaces]
  for (const place of places) {
    mkdirSync(path.join(folder, place), { recursive: true })
    copyFileSync(path.join(root, place, 'package.json'), path.join(folder, place, 'package.json'))
  }
  const dev = purpose === 'work' ? '--include=dev' : '--omit=dev'
  if (!installLocked(program, folder, lock, [dev, '--include=optional'])) return false
  for (const place of places) {
    const [from, to] = [folder, root].map((base) => path.join(base, place, 'node_modules'))
    rmSync(to, { recursive: true, force: true })
    if (existsSync(from)) renameSync(from, to)
  }
  // Links between workspaces are relative, but on Windows, where they name the folder that is gone.
  if (process.platform === 'win32') {
    for (const [at, { link, resolved }] of Object.entries(lock.packages)) {
      if (!link) continue
      rmSync(path.join(root, at), { recursive: true, force: true })
      symlinkSync(path.join(root, resolved), path.join(root, at), 'junction')
    }
  }
  rmSync(folder, { recursive: true, force: true })
  return true
}

/**
 * Runs `npm ci` in a folder that has its package.json; true when all of `lock` is there. The lock file names no
 * registry, and npm would fetch what each package has ever published, as much again as the packages, to find out where
 * they are: so each is given its usual address in the registry that npm is set up for. One that keeps them elsewhere is
 * asked by npm itself.
 */
export function installLocked(program, folder, lock, options = []) {
  const registry = npm(program, ['config', 'get', 'registry'], 'pipe').stdout?.trim().replace(/\/*$/, '/')
  const file = path.join(folder, 'package-lock.json')
  const install = (content) => {
    writeFileSync(file, `${JSON.stringify(content)}\n`)
    return npm(program, ['ci', '--prefix', folder, ...options, ...quiet], 'inherit', folder).status === 0
  }
  return (/^https?:/.test(registry ?? '') && install(addressed(lock, registry))) || install(lock)
}

function addressed(lock, registry) {
  const at = ([location, entry]) => {
    if (!location.includes('node_modules/') || entry.link || entry.resolved) return [location, entry]
    const name = entry.name ?? location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const resolved = `${registry}${name}/-/${name.replace(/^@[^/]+\//, '')}-${entry.version}.tgz`
    return [location, { ...entry, resolved }]
  }
  return { ...lock, packages: Object.fromEntries(Object.entries(lock.packages).map(at)) }
}

const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']

// npm beneath npm takes the outer one's folder and workspace for its own.
function cleanEnvironment() {
  const outer = /^npm_(config_(local_prefix|workspaces?|omit|include|production)|lifecycle_|package_|command$)/i
  const kept = Object.entries(process.env).filter(([name]) => !outer.test(name) && name !== 'NODE_ENV')
  return Object.fromEntries(kept)
}

function npm(program, args, output, cwd = root) {
  const beside = path.join(path.dirname(process.execPath), '..', 'lib/node_modules/npm/bin/npm-cli.js')
  const cli = [process.env.npm_execpath, beside, ...onPath()].find((file) => file?.endsWith('.js') && existsSync(file))
  if (!cli) give('npm is missing: install it.', '缺少 npm：请先安装。')
  const PATH = [path.dirname(program), process.env.PATH].join(path.delimiter)
  const env = { ...cleanEnvironment(), PATH }
  return spawnSync(program, [cli, ...args], { cwd, stdio: ['inherit', output, 'inherit'], encoding: 'utf8', env })
}

function onPath() {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean)
  return folders.flatMap((folder) => [
    path.join(folder, 'node_modules/npm/bin/npm-cli.js'),
    path.join(folder, '../lib/node_modules/npm/bin/npm-cli.js'),
    path.join(folder, '../share/nodejs/npm/bin/npm-cli.js'),
  ])
}
