import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { type Embedded, startEmbedded } from '../src/database/embedded.ts'
import { completeLinks, installedPostgres, mayEnter } from '../src/database/embedded-place.ts'
import { isAlive } from '../src/database/folder-lock.ts'

const root = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534, name: 'nobody' }
const folders: string[] = []
const running = new Set<Embedded>()
const children = new Set<ChildProcess>()

// Of the run (scripts/memory-folder.mts) or /tmp itself: an unprivileged account may pass through the folders above it.
const above = process.env.TMPDIR?.startsWith('/dev/shm/') ? process.env.TMPDIR : '/tmp'
function folder(): string {
  const made = mkdtempSync(path.join(above, 'data-brain-test-'))
  chmodSync(made, 0o711)
  folders.push(made)
  return made
}

async function start(dataDir: string, log: (line: string) => void = () => {}): Promise<Embedded> {
  const server = await startEmbedded({ dataDir, log })
  running.add(server)
  return server
}

async function query<Row>(server: Embedded, sql: string): Promise<Row[]> {
  const client = new Client(server.url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

type Holder = { child: ChildProcess; out: () => string; err: () => string; code: Promise<number | null> }

function hold(dataDir: string, statements: string[] = [], how: { uid?: number; gid?: number } = {}): Holder {
  const script = path.join(import.meta.dirname, 'embedded-holder.ts')
  const child = spawn(process.execPath, [script, dataDir, ...statements], { ...how, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk) => {
    out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, code, out: () => out, err: () => err }
}

async function ready(holder: Holder): Promise<Holder> {
  let ended = false
  holder.code.then(() => {
    ended = true
  })
  while (!holder.out().includes('ready\n')) {
    if (ended) throw new Error(`the holder ended: ${holder.err()}`)
    await sleep(10)
  }
  return holder
}

const postmasterOf = (dataDir: string) =>
  Number(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  for (const server of running) await server.stop()
  running.clear()
})

afterAll(async () => {
  for (const made of [...folders]) {
    const pointer = path.join(made, 'postgres.location')
    if (existsSync(pointer)) folders.push(readFileSync(pointer, 'utf8').trim())
  }
  for (const made of folders) {
    const file = path.join(made, 'postgres', 'postmaster.pid')
    if (existsSync(file) && isAlive(postmasterOf(made))) process.kill(postmasterOf(made), 'SIGQUIT')
  }
  await sleep(100)
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

describe('the embedded PostgreSQL', () => {
  const dataDir = folder()

  it('makes a database with built-in C.UTF-8 and durable commits, and offers no network port', async () => {
    const server = await start(dataDir)
    const [settings] = await query<Record<string, string>>(
      server,
      `select current_setting('fsync') fsync, current_setting('synchronous_commit') commit,
        current_setting('listen_addresses') listen, current_setting('data_checksums') checksums,
        current_database() name, (select datlocprovider::text || datlocale from pg_database where datname = current_database()) locale`,
    )
    expect(settings).toEqual({
      ...{ fsync: 'on', commit: 'on', listen: '', checksums: 'on' },
      ...{ name: 'data_brain', locale: 'bC.UTF-8' },
    })
    expect(statSync(server.connection.host).mode & 0o777).toBe(0o700)
    expect(statSync(path.join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600)
    await query(server, 'create table kept (word text); insert into kept values ($$数据$$)')
  })

  it('keeps every row over a stop and a start, each of them quick', async () => {
    const began = performance.now()
    const server = await start(dataDir)
    const started = performance.now()
    expect(await query(server, 'select word from kept')).toEqual([{ word: '数据' }])
    const asked = performance.now()
    await server.stop()
    expect(performance.now() - asked).toBeLessThan(2000)
    expect(started - began).toBeLessThan(3000)
    expect(existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
    expect(existsSync(path.join(dataDir, 'data-brain.lock'))).toBe(false)
  })

  it('lets in nobody without the password', async () => {
    const server = await start(dataDir)
    const client = new Client({ ...server.connection, password: 'guessed' })
    await expect(client.connect()).rejects.toMatchObject({ code: '28P01' })
    await client.end()
  })

  it('loads the extensions that the schema stands on', async () => {
    const server = await start(dataDir)
    await query(server, 'create extension pg_trgm; create extension btree_gist; create extension pgcrypto')
    const found = await query<{ word: string }>(
      server,
      `select word from (values ('王'), ('李'), ('安')) v(word) order by word collate "zh-x-icu"`,
    )
    expect(found.map(({ word }) => word)).toEqual(['安', '李', '王'])
  })

  it('keeps statements and values out of its log', async () => {
    const server = await start(dataDir)
    await query(server, 'create table secretive (word text unique); insert into secretive values ($$11010319900101$$)')
    await expect(query(server, 'insert into secretive values ($$11010319900101$$)')).rejects.toMatchObject({
      code: '23505',
    })
    expect(readFileSync(path.join(dataDir, 'postgres.log'), 'utf8')).not.toContain('11010319900101')
  })

  it('says so when it ends without having been told to', async () => {
    const server = await start(dataDir)
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    expect(await server.lost).toContain('SIGKILL')
    await server.stop()
    const again = await start(dataDir)
    expect(await query(again, 'select word from kept')).toEqual([{ word: '数据' }])
  })
})

describe('a data folder', () => {
  it('is refused within a second to a second process, which names the holder', async () => {
    const dataDir = folder()
    const first = await ready(hold(dataDir))
    const began = performance.now()
    await expect(start(dataDir)).rejects.toThrow(`in use by process ${first.child.pid}`)
    expect(performance.now() - began).toBeLessThan(1000)
    first.child.kill('SIGTERM')
    expect(await first.code).toBe(0)
    expect(first.out()).toContain('stopped')
  })

  it('is refused to a second start inside one process', async () => {
    const dataDir = folder()
    await start(dataDir)
    await expect(start(dataDir)).rejects.toThrow(`in use by process ${process.pid}`)
  })

  it('goes to exactly one of several processes that start at once on a dead lock', async () => {
    const dataDir = folder()
    await (await start(dataDir)).stop()
    await writeFile(path.join(dataDir, 'data-brain.lock'), '999999999\nlong gone\n')
    const holders = [hold(dataDir), hold(dataDir), hold(dataDir)]
    const end = Promise.all(holders.map(({ code }) => code))
    while (holders.filter((holder) => holder.err() !== '').length < 2) await sleep(10)
    const winners = holders.filter((holder) => holder.err() === '')
    expect(winners).toHaveLength(1)
    await ready(winners[0]!)
    for (const holder of holders) if (holder.err()) expect(holder.err()).toContain('in use by process')
    winners[0]!.child.kill('SIGTERM')
    expect((await end).sort()).toEqual([0, 3, 3])
  })

  it('is recovered, every committed row in it, after its holder was killed with -9', async () => {
    const dataDir = folder()
    const sql = ['create table kept (n int)', 'insert into kept select generate_series(1, 1000)']
    const first = await ready(hold(dataDir, sql))
    const left = postmasterOf(dataDir)
    first.child.kill('SIGKILL')
    await first.code
    expect(isAlive(left)).toBe(true)
    const lines: string[] = []
    const server = await start(dataDir, (line) => lines.push(line))
    expect(lines.join()).toContain(`process ${left}`)
    expect(await query(server, 'select count(*)::int n from kept')).toEqual([{ n: 1000 }])
  })

  it('is recovered after holder and PostgreSQL were both killed with -9', async () => {
    const dataDir = folder()
    const first = await ready(hold(dataDir, ['create table kept (n int)', 'insert into kept values (7)']))
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    first.child.kill('SIGKILL')
    await first.code
    const server = await start(dataDir)
    expect(await query(server, 'select n from kept')).toEqual([{ n: 7 }])
    // Thousands of files are not made durable one by one before the recovery begins.
    if (process.platform === 'linux')
      expect(await query(server, 'show recovery_init_sync_method')).toEqual([{ recovery_init_sync_method: 'syncfs' }])
  })

  it('waits for no disk where its data are thrown away, as those of tests are', async () => {
    const server = await startEmbedded({ dataDir: folder(), log: () => {}, isThrownAway: true })
    running.add(server)
    const names = ['fsync', 'synchronous_commit', 'full_page_writes']
    const [settings] = await query(server, `select ${names.map((name) => `current_setting('${name}') ${name}`)}`)
    expect(settings).toEqual(Object.fromEntries(names.map((name) => [name, 'off'])))
  })

  it('is independent of another one', async () => {
    const [a, b] = await Promise.all([start(folder()), start(folder())])
    await query(a, 'create table only_here (n int)')
    expect(await query(b, `select to_regclass('only_here') found`)).toEqual([{ found: null }])
  })

  it('may have a path longer than a socket path may be', async () => {
    const dataDir = path.join(folder(), 'a-long-name-'.repeat(8), '数据')
    const server = await start(dataDir)
    expect(await query(server, 'select 1 n')).toEqual([{ n: 1 }])
    expect(Buffer.byteLength(server.connection.host)).toBeLessThan(90)
    await server.stop()
    expect(existsSync(server.connection.host)).toBe(false)
  })

  it('of another major version is refused, saying how to move, and left as it is', async () => {
    const dataDir = folder()
    await (await start(dataDir)).stop()
    const file = path.join(dataDir, 'postgres', 'PG_VERSION')
    await writeFile(file, '17\n')
    await expect(start(dataDir)).rejects.toThrow(/made by PostgreSQL 17.*export everything.*import everything/)
    expect(readFileSync(file, 'utf8')).toBe('17\n')
    expect(existsSync(path.join(dataDir, 'data-brain.lock'))).toBe(false)
  })
})

// Only root can become somebody else; an ordinary user runs all of the above as itself.
describe.runIf(root)('started by root', () => {
  it('runs PostgreSQL under an unprivileged account', async () => {
    const dataDir = folder()
    await start(dataDir)
    const uid = statSync(`/proc/${postmasterOf(dataDir)}`).uid
    expect(uid).not.toBe(0)
    expect(statSync(path.join(dataDir, 'postgres')).uid).toBe(uid)
  })

  it('keeps the database elsewhere when that account may not enter the folder, and says where', async () => {
    const closed = folder()
    chmodSync(closed, 0o700)
    const dataDir = path.join(closed, 'data')
    const lines: string[] = []
    const server = await start(dataDir, (line) => lines.push(line))
    const place = readFileSync(path.join(dataDir, 'postgres.location'), 'utf8').trim()
    folders.push(place)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(place)
    await query(server, 'create table kept (n int)')
    await server.stop()
    const again = await start(dataDir, (line) => lines.push(line))
    expect(lines).toHaveLength(1)
    expect(await query(again, 'select count(*)::int n from kept')).toEqual([{ n: 0 }])
  })

  it('runs the folder of an ordinary user as that user', async () => {
    const dataDir = folder()
    chownSync(dataDir, nobody.uid, nobody.gid)
    await start(dataDir)
    expect(statSync(`/proc/${postmasterOf(dataDir)}`).uid).toBe(nobody.uid)
    expect(statSync(path.join(dataDir, 'postgres')).uid).toBe(nobody.uid)
  })

  // In root's own home nobody else can run anything at all.
  it.runIf(root && mayEnter(path.dirname(process.execPath), nobody) && mayEnter(import.meta.dirname, nobody))(
    'leaves an ordinary user to do all of it alone',
    async () => {
      const dataDir = folder()
      chownSync(dataDir, nobody.uid, nobody.gid)
      const first = await ready(hold(dataDir, ['create table kept (n int)'], { uid: nobody.uid, gid: nobody.gid }))
      first.child.kill('SIGTERM')
      expect(await first.code).toBe(0)
      expect(statSync(path.join(dataDir, 'postgres')).uid).toBe(nobody.uid)
    },
  )
})

describe('the programs', () => {
  it('have their libraries linked where install scripts did not run', async () => {
    const installed = installedPostgres()
    const copy = path.join(folder(), 'package')
    cpSync(installed.root, copy, { recursive: true, verbatimSymlinks: true })
    const links = JSON.parse(readFileSync(path.join(copy, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
    expect(links.length).toBeGreaterThan(0)
    for (const { target } of links) rmSync(path.join(copy, target), { force: true })
    for (const { target } of links) expect(existsSync(path.join(copy, target))).toBe(false)
    expect(await completeLinks(copy)).toBe(true)
    for (const { target } of links) expect(existsSync(path.join(copy, target))).toBe(true)
  })
})
