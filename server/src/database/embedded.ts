import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync } from 'node:fs'
import { chown, open, readdir, readFile, readlink, rename, rm, rmdir, stat, statfs, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { dataFolder } from '../data-folder.ts'
import { StartError } from '../start-error.ts'
import {
  type Account,
  installedPostgres,
  ownerOf,
  placeOf,
  privateFolder,
  programFolder,
  refuseDamaged,
  unprivilegedAccount,
} from './embedded-place.ts'
import { isAlive, lockFolder } from './folder-lock.ts'

export { StartError } from '../start-error.ts'

export type Connection = { host: string; port: number; user: string; password: string; database: string }

export type Embedded = {
  /** The owner's address, as `DATABASE_URL` would be written. */
  url: string
  /** The same in parts, as `pg` takes them. */
  connection: Connection
  /** Settles, with words, when PostgreSQL ends without having been told to. */
  lost: Promise<string>
  /** Ends PostgreSQL (fast shutdown) and releases the folder. May be called again. */
  stop(): Promise<void>
}

const run = promisify(execFile)
const owner = 'data_brain'
const database = 'data_brain'
const windows = process.platform === 'win32'
const executable = (bin: string, name: string) => path.join(bin, 'bin', windows ? `${name}.exe` : name)
// Messages in one language that the code below can read; nothing of the caller's environment leaks into the server.
const environment = { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C', TZ: 'UTC' }

type Options = {
  dataDir: string
  log: (line: string) => void
  /** What it writes need not outlive the machine: for tests, which wait for the disk at every commit otherwise. */
  isThrownAway?: boolean
}

/**
 * Starts the PostgreSQL that comes with the product on a folder, making the database on first use, and answers when it
 * takes connections. One process at a time holds a folder; what a killed one left running is stopped first.
 */
export async function startEmbedded(options: Options): Promise<Embedded> {
  const { log } = options
  const dataDir = await dataFolder(options.dataDir)
  const account = process.getuid?.() === 0 ? ownerOf(dataDir, unprivilegedAccount()) : undefined
  const releases = [await lockFolder(dataDir)]
  const release = async () => {
    for (const unlock of releases.splice(0).reverse()) await unlock()
  }
  try {
    await refuseDamaged(path.join(dataDir, 'postgres'))
    const place = await placeOf(dataDir, account, log)
    if (place !== dataDir) releases.push(await lockFolder(place))
    const data = path.join(place, 'postgres')
    const runAs = ownerOf(data, account)
    await refuseDamaged(data)
    await refuseOtherMajor(data)
    const bin = await programFolder(dataDir, runAs)
    await stopSurvivor(bin, data, log)
    const password = await initialise({ bin, place, data, runAs })
    await warnOfFullDisk(place, log)
    const server = await startServer({ bin, place, data, runAs, safety: options.isThrownAway ? unsafe : safe })
    const connection = { host: server.host, port: server.port, user: owner, password, database }
    try {
      await makeDatabase(connection)
    } catch (error) {
      await server.stop()
      throw error
    }
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= server.stop().finally(release)
      return stopped
    }
    return { url: urlOf(connection), connection, lost: server.lost, stop }
  } catch (error) {
    await release()
    throw error
  }
}

function urlOf({ host, port, user, password, database: name }: Connection): string {
  return host.startsWith('/')
    ? `postgres://${user}:${password}@/${name}?host=${encodeURIComponent(host)}&port=${port}`
    : `postgres://${user}:${password}@${host}:${port}/${name}`
}

async function refuseOtherMajor(data: string): Promise<void> {
  const found = (await readFile(path.join(data, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  const { major } = installedPostgres()
  if (found === '' || found === major) return
  throw new StartError(
    `${data} 属于 PostgreSQL ${found}，而本版本自带 PostgreSQL ${major}。请用原来的版本启动并“全部导出”，再用本版本在新的 DATA_DIR 中“全部导入”。`,
    `${data} was made by PostgreSQL ${found}, and this release brings PostgreSQL ${major}. Start it with the release that made it and export everything, then import everything with this release into a new DATA_DIR.`,
  )
}

// PostgreSQL outlives a server that was killed; two of them on one folder must never be.
async function stopSurvivor(bin: string, data: string, log: (line: string) => void): Promise<void> {
  const [first = '', , , , socketFolder = ''] = await postmasterLines(data)
  const pid = Number(first)
  if (!pid) return
  if (isAlive(pid) && (await isPostmasterOf(pid, data))) {
    log(`stopping the PostgreSQL (process ${pid}) that an earlier run left behind`)
    await endPostmaster(bin, pid, data)
    if (path.basename(socketFolder).startsWith('data-brain-')) await rm(socketFolder, { recursive: true, force: true })
  } else if (process.platform === 'linux') {
    // PostgreSQL would take whatever bears that number now, be it a dead process that nobody reaped, for its elder.
    // The file goes once nobody works in the folder.
    for (let patience = 500; await worksIn(data); patience--) {
      if (patience === 0) throw notStarted(`another PostgreSQL works in ${data}`)
      await sleep(20)
    }
    await rm(path.join(data, 'postmaster.pid'), { force: true })
  }
}

async function worksIn(data: string): Promise<boolean> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return folders.includes(data)
}

async function postmasterLines(data: string): Promise<string[]> {
  return (await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
}

// The number in the file may belong to something else after a restart of the machine.
async function isPostmasterOf(pid: number, data: string): Promise<boolean> {
  if (windows) return true
  const command =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : await run('ps', ['-o', 'command=', '-p', String(pid)]).then(
          ({ stdout }) => stdout,
          () => '',
        )
  return command.includes('postgres') && command.includes(data)
}

async function endPostmaster(bin: string, pid: number, data: string): Promise<void> {
  const ended = async (milliseconds: number) => {
    for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(10)) {
      if (!isAlive(pid)) return true
    }
    return !isAlive(pid)
  }
  for (const [signal, patience] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 2_000],
  ] as const) {
    if (windows) await run(executable(bin, 'pg_ctl'), ['stop', '-m', 'fast', '-w', '-D', data])
    else send(pid, signal)
    if (await ended(patience)) return
  }
  throw new StartError(`PostgreSQL 进程 ${pid} 无法停止。`, `PostgreSQL (process ${pid}) cannot be stopped.`)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

type Setup = { bin: string; place: string; data: string; runAs: Account }

async function initialise({ bin, place, data, runAs }: Setup): Promise<string> {
  const secret = path.join(place, 'postgres.password')
  const made = existsSync(path.join(data, 'PG_VERSION'))
  const known = (await readFile(secret, 'utf8').catch(() => '')).trim()
  if (made && known) return known
  const fresh = path.join(place, 'postgres.new')
  if (made) {
    throw new StartError(
      `缺少 ${secret}，无法登录 ${data} 中的数据库。请从备份恢复该文件。`,
      `${secret} is missing: without it nobody can log in to the database in ${data}. Bring it back from a backup.`,
    )
  }
  // The password is written before a new database is moved into place: alone it belongs to one that was there.
  if (known && !existsSync(fresh)) throw databaseGone(data, secret)
  const password = randomBytes(24).toString('base64url')
  // A first start that was cut off has left it half made; nobody has ever worked in it.
  // Of a start that was killed the programs it began may still write there for a moment.
  await rm(fresh, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  await privateFolder(fresh, runAs)
  const passwordFile = path.join(place, 'postgres.first')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (runAs) await chown(passwordFile, runAs.uid, runAs.gid)
  try {
    await run(
      executable(bin, 'initdb'),
      [
        ...['--pgdata', fresh, '--username', owner, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
        ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
        '--no-instructions',
      ],
      { cwd: place, env: environment, ...identity(runAs), maxBuffer: 1 << 24 },
    )
  } catch (cause) {
    const { stderr, message } = cause as Error & { stderr?: string }
    throw notStarted((stderr || message).trim(), cause)
  } finally {
    await rm(passwordFile, { force: true })
  }
  await writeFile(secret, `${password}\n`, { mode: 0o600 })
  // Empty, or this fails.
  if (existsSync(data)) await rmdir(data)
  await rename(fresh, data)
  return password
}

function databaseGone(data: string, secret: string): StartError {
  return new StartError(
    `${data} 中的数据库不见了，而它的密码文件 ${secret} 还在。未启动，也未作任何改动。请把数据库恢复到原处（例如挂载该磁盘，或从备份恢复）；若确要从空库开始，请先移走 ${secret}。`,
    `The database in ${data} is gone, while its password ${secret} is there. Nothing was started and nothing was changed. Bring the database back (mount its disk, or restore a backup); to begin with an empty one, first move ${secret} away.`,
  )
}

const identity = (account: Account) => (account ? { uid: account.uid, gid: account.gid } : {})

function notStarted(detail: string, cause?: unknown): StartError {
  const en = `The built-in PostgreSQL did not start: ${detail}`
  return new StartError(`内置 PostgreSQL 未能启动：${detail}`, en, { cause })
}

async function warnOfFullDisk(place: string, log: (line: string) => void): Promise<void> {
  const { bavail, bsize } = await statfs(place)
  const free = Math.floor((bavail * bsize) / 2 ** 20)
  if (free < 200) log(`only ${free} MB are free where ${place} is: make room soon`)
}

/**
 * After a crash PostgreSQL first makes all that it finds durable: file by file, of thousands, that takes longer than the
 * recovery itself. Linux does it for a whole file system at once, and tells of failures since 5.8.
 */
function syncsAtOnce(): boolean {
  const [major = 0, minor = 0] = os.release().split('.').map(Number)
  return process.platform === 'linux' && (major > 5 || (major === 5 && minor >= 8))
}

type Server = { host: string; port: number; lost: Promise<string>; stop(): Promise<void> }

/** Given on the command line, which no setting of the folder's own files overrules. */
const safe = { fsync: 'on', synchronous_commit: 'on' }
const unsafe = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  // Copies of whole databases are the most that tests write: as files, and without a checkpoint every few of them.
  ...{ wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '4GB' },
}

async function startServer(setup: Setup & { safety: object }): Promise<Server> {
  const { place, data, runAs } = setup
  const { host, port, temporary } = windows
    ? { host: '127.0.0.1', port: await freePort(), temporary: false }
    : { ...(await socketFolder(place, runAs)), port: 5432 }
  const settings = {
    listen_addresses: windows ? host : '',
    port,
    ...(windows ? {} : { unix_socket_directories: host, unix_socket_permissions: '0700' }),
    ...setup.safety,
    ...(syncsAtOnce() ? { recovery_init_sync_method: 'syncfs' } : {}),
    max_connections: 60,
    shared_buffers: '128MB',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Statements and the details of errors hold people's data, and a log is read by others than a table.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length_on_error: 0,
  }
  const log = await logFile(place)
  const logged = async () => (await readFile(log.path)).subarray(log.size).toString('utf8').trim()
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  for (const giveUp = Date.now() + 10_000; ; ) {
    // A session of its own: Ctrl-C in the terminal reaches the server, which then stops PostgreSQL in good order.
    const child = windows
      ? spawn(executable(setup.bin, 'pg_ctl'), ['start', '-w', '-D', data, '-l', log.path, '-o', options.join(' ')], {
          cwd: place,
          env: environment,
          stdio: 'ignore',
          windowsHide: true,
        })
      : spawn(executable(setup.bin, 'postgres'), ['-D', data, ...options], {
          ...{ cwd: place, env: environment, ...identity(runAs) },
          ...{ detached: true, stdio: ['ignore', log.handle.fd, log.handle.fd] },
        })
    const ended = endOf(child)
    const failure = await ready(child, ended, data)
    if (failure === undefined) {
      await log.handle.close()
      return { host, port, ...keeper(setup, child, ended, temporary ? host : undefined) }
    }
    const words = (await logged()) || failure
    // Workers of a PostgreSQL that was itself killed leave within moments of noticing it.
    if (!words.includes('shared memory block') || Date.now() > giveUp) {
      await log.handle.close()
      throw notStarted(`${words.split('\n').slice(-5).join(' ')} (${log.path})`)
    }
    await sleep(200)
  }
}

/** Where the socket is: beside the data, or in a short temporary folder, since its path ends at 107 bytes. */
async function socketFolder(place: string, runAs: Account): Promise<{ host: string; temporary: boolean }> {
  const beside = path.join(place, 'run')
  if (Buffer.byteLength(`${beside}/.s.PGSQL.5432.lock`) < 100) {
    await rm(beside, { recursive: true, force: true })
    await privateFolder(beside, runAs)
    return { host: beside, temporary: false }
  }
  const short = [os.tmpdir(), '/tmp'].find((folder) => Buffer.byteLength(folder) < 60) ?? '/tmp'
  const host = mkdtempSync(path.join(short, 'data-brain-'))
  await privateFolder(host, runAs)
  return { host, temporary: true }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (!address || typeof address === 'string') throw notStarted('no free port')
  return address.port
}

async function logFile(place: string) {
  const file = path.join(place, 'postgres.log')
  const before = await stat(file).catch(() => undefined)
  if (before && before.size > 10 << 20) await rename(file, `${file}.1`)
  const handle = await open(file, 'a', 0o600)
  return { path: file, handle, size: (await handle.stat()).size }
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with code ${code}`))
  })
}

// Undefined when connections are taken, else why not.
async function ready(child: ChildProcess, ended: Promise<string>, data: string): Promise<string | undefined> {
  if (windows) {
    const end = await ended
    return end === 'ended with code 0' ? undefined : end
  }
  let end: string | undefined
  ended.then((words) => {
    end = words
  })
  while (end === undefined) {
    const lines = await postmasterLines(data)
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return undefined
    await sleep(5)
  }
  return end
}

function keeper({ bin, data }: Setup, child: ChildProcess, ended: Promise<string>, temporary: string | undefined) {
  let asked = false
  // When the process leaves without having stopped it (an error nobody caught), PostgreSQL still ends in good order.
  const leave = () => child.kill('SIGINT')
  if (!windows) process.once('exit', leave)
  const lost = new Promise<string>((resolve) => {
    if (windows) return
    ended.then((words) => {
      process.off('exit', leave)
      if (!asked) resolve(words)
    })
  })
  const stop = async () => {
    asked = true
    const [pid = ''] = await postmasterLines(data)
    if (windows || (Number(pid) === child.pid && isAlive(Number(pid)))) await endPostmaster(bin, Number(pid), data)
    if (!windows) await ended
    if (temporary) await rm(temporary, { recursive: true, force: true })
  }
  return { lost, stop }
}

async function makeDatabase(connection: Connection): Promise<void> {
  const client = new Client(connection)
  try {
    await client.connect()
  } catch (error) {
    if ((error as { code?: string }).code !== '3D000') throw error
    const first = new Client({ ...connection, database: 'postgres' })
    await first.connect()
    await first.query(`create database ${database}`).finally(() => first.end())
    return
  }
  await client.end()
}
