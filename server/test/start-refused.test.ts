import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { changeAddress, databaseOf } from '../src/database/address.ts'
import { rolesOf } from '../src/database/roles.ts'
import { loadSecrets } from '../src/secrets.ts'
import { dataOf, ownFolder, startOwn } from './own-server.ts'
import { freshDatabase, startServer, stopServer } from './two-servers.ts'

/* What a start does not begin: it ends with one sentence in both languages and touches nothing. */

const folders: { path: string; remove(): void }[] = []
const ownPath = (): string => {
  const made = ownFolder()
  folders.push(made)
  return made.path
}
afterAll(() => {
  for (const each of folders) each.remove()
})

/** The words that a start ends with. */
async function refusal(starting: Promise<{ process: { kill(): boolean } }>): Promise<string> {
  const message = await starting.then(
    (server) => {
      server.process.kill()
      return 'it started'
    },
    (error: Error) => error.message,
  )
  expect(message).toMatch(/^a server ended with 1: /)
  expect(message, 'a stack').not.toMatch(/^\s+at /m)
  expect(message, 'Chinese').toMatch(/[一-鿿].*。\n?$/s)
  return message
}

/** Every file of a folder with what is in it; what a start of PostgreSQL itself writes is left out. */
function filesOf(folder: string): Map<string, string> {
  const volatile = /(^|\/)(postgres\.log|data-brain\.lock.*|run\/.*|runtime\/.*)$/
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => !volatile.test(path.relative(folder, file)))
      .sort()
      .map((file) => [path.relative(folder, file), createHash('sha256').update(readFileSync(file)).digest('hex')]),
  )
}

describe('the built-in database', () => {
  const folder = ownPath()
  const data = dataOf(folder)
  const at = (...parts: string[]): string => path.join(data, ...parts)
  const serves = async (): Promise<void> => {
    const server = await startOwn(folder)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    await stopServer(server)
  }
  let keys: string

  beforeAll(async () => {
    await serves()
    keys = readFileSync(at('secrets.json'), 'utf8')
  })

  it('R-PROD-1 is neither deleted nor made anew where PG_VERSION is missing', async () => {
    renameSync(at('postgres', 'PG_VERSION'), at('..', 'PG_VERSION'))
    const before = filesOf(data)
    expect(before.size).toBeGreaterThan(900)
    expect(await refusal(startOwn(folder))).toContain('is not empty, and without PG_VERSION')
    expect(filesOf(data)).toEqual(before)
    renameSync(at('..', 'PG_VERSION'), at('postgres', 'PG_VERSION'))
    await serves()
  })

  it('R-PROD-1 is not begun anew where its folder is gone', async () => {
    renameSync(at('postgres'), at('..', 'moved'))
    expect(await refusal(startOwn(folder))).toContain('is gone, while its password')
    expect(existsSync(at('postgres'))).toBe(false)
    renameSync(at('..', 'moved'), at('postgres'))
    await serves()
  })

  it('R-PROD-1 refuses to start without its secrets, and makes none', async () => {
    rmSync(at('secrets.json'))
    expect(await refusal(startOwn(folder))).toContain('is missing. Without the keys')
    expect(existsSync(at('secrets.json'))).toBe(false)
    writeFileSync(at('secrets.json'), keys, { mode: 0o600 })
    await serves()
  })

  it.each(['kek', 'pepper', 'index'])('R-PROD-1 refuses another %s', async (name) => {
    const key = randomBytes(32).toString('base64')
    const secrets = JSON.parse(keys) as { kek: { id: string } }
    const other = { ...secrets, [name]: name === 'kek' ? { ...secrets.kek, key } : key }
    writeFileSync(at('secrets.json'), JSON.stringify(other), { mode: 0o600 })
    expect(await refusal(startOwn(folder))).toMatch(new RegExp(`does not belong to the database \\(${name}`))
    writeFileSync(at('secrets.json'), keys, { mode: 0o600 })
    await serves()
  })

  it('R-PROD-1 begins again after a first start that was killed while the database was made', async () => {
    const other = ownPath()
    const half = path.join(dataOf(other), 'postgres.new')
    const child = spawn(process.execPath, [path.join(import.meta.dirname, '..', 'src', 'main.ts')], {
      env: { PATH: process.env.PATH, DATA_DIR: dataOf(other), PORT: '0', DEMO: 'off', TMPDIR: path.join(other, 'tmp') },
      stdio: 'ignore',
    })
    const ended = new Promise((done) => child.once('exit', done))
    while (!existsSync(path.join(half, 'PG_VERSION'))) await sleep(2)
    child.kill('SIGKILL')
    await ended
    expect(existsSync(path.join(dataOf(other), 'postgres'))).toBe(false)
    await stopServer(await startOwn(other))
    expect(existsSync(half)).toBe(false)
  })

  it('R-PROD-1 a folder that nobody may write to is called that', async () => {
    const closed = ownPath()
    mkdirSync(dataOf(closed))
    chownSync(dataOf(closed), process.getuid!(), process.getgid!())
    chmodSync(dataOf(closed), 0o555)
    const main = path.join(import.meta.dirname, '..', 'src', 'main.ts')
    const child = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, DATA_DIR: dataOf(closed), PORT: '0' },
      ...(process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}),
    })
    let said = ''
    child.stderr.on('data', (bytes) => {
      said += String(bytes)
    })
    expect(await new Promise((done) => child.once('close', done))).toBe(1)
    expect(said).toMatch(/no permission/)
    expect(said).toMatch(/没有权限.*。/)
    expect(said).not.toMatch(/^\s+at /m)
    expect(readdirSync(dataOf(closed))).toEqual([])
  })
})

describe('a database of one’s own', () => {
  const { owner, keys } = inject('database')
  const admin = new pg.Client({ connectionString: owner })
  const made: string[] = []

  beforeAll(() => admin.connect())
  afterAll(async () => {
    for (const name of made) {
      await admin.query(`drop database if exists ${name} with (force)`)
      for (const role of [...Object.values(rolesOf(name)), `${name}_owner`])
        await admin.query(`drop role if exists ${role}`)
    }
    await admin.end()
  })

  /** An empty database, of an ordinary owner. */
  async function emptyDatabase(attributes = 'createrole'): Promise<{ name: string; url: string }> {
    const name = `start_${randomBytes(4).toString('hex')}`
    made.push(name)
    await admin.query(`create role ${name}_owner login ${attributes} password 'only-for-a-test'`)
    await admin.query(`create database ${name} owner ${name}_owner`)
    return { name, url: changeAddress(owner, { database: name, user: `${name}_owner`, password: 'only-for-a-test' }) }
  }

  async function tablesOf(name: string): Promise<number> {
    const client = new pg.Client({ connectionString: changeAddress(owner, { database: name }) })
    await client.connect()
    const { rows } = await client.query(`select count(*)::int as n from pg_tables where schemaname = 'public'`)
    await client.end()
    return rows[0].n as number
  }

  it('R-PROD-1 with other secrets, or none, changes no password of a role and makes no keys', async () => {
    const fresh = await freshDatabase()
    await stopServer(await startServer(fresh.url, keys))
    const passwords = async (): Promise<unknown> =>
      (
        await fresh.owner.query('select rolname, rolpassword from pg_authid where rolname = any($1) order by 1', [
          Object.values(rolesOf(databaseOf(fresh.url))),
        ])
      ).rows
    const before = await passwords()
    const other = ownPath()
    expect(await refusal(startServer(fresh.url, other))).toContain('is missing. Without the keys')
    expect(existsSync(path.join(other, 'secrets.json'))).toBe(false)
    await loadSecrets(other)
    expect(await refusal(startServer(fresh.url, other))).toContain('(kek:')
    // A version before the check values has written none.
    await fresh.owner.query('drop table key_check; delete from migration where number = 22')
    expect(await refusal(startServer(fresh.url, other))).toContain('(clientId)')
    expect((await fresh.owner.query(`select to_regclass('key_check') as there`)).rows[0].there).toBeNull()
    expect(await passwords()).toEqual(before)
    await stopServer(await startServer(fresh.url, keys))
    expect((await fresh.owner.query('select 1 from key_check')).rowCount).toBe(3)
    await fresh.drop()
  })

  it('R-PROD-1 keys that are lost for good are given up by a command alone', async () => {
    const fresh = await freshDatabase()
    await stopServer(await startServer(fresh.url, keys))
    const other = ownPath()
    const admin = (...args: string[]) =>
      spawnSync(process.execPath, [path.join(import.meta.dirname, '..', 'src', 'admin.ts'), ...args], {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: fresh.url, DATA_DIR: other },
        encoding: 'utf8',
      })
    const taken = admin('accept-keys')
    expect([taken.status, taken.stderr, taken.stdout]).toEqual([0, '', expect.stringContaining('stays unreadable')])
    await stopServer(await startServer(fresh.url, other))
    const reset = admin('reset-password', '000000', 'admin')
    expect([reset.status, reset.stderr]).toEqual([0, ''])
    expect(await refusal(startServer(fresh.url, keys))).toContain('does not belong to the database')
    await fresh.drop()
  })

  it('R-PROD-1 takes first starts at once: of one folder all serve, of another folder none', async () => {
    const { url } = await emptyDatabase()
    const [shared, other] = [ownPath(), ownPath()]
    const starts = await Promise.allSettled([shared, shared, shared, shared].map((folder) => startServer(url, folder)))
    expect(starts.map((each) => (each.status === 'rejected' ? String(each.reason) : 'serves'))).toEqual(
      Array(4).fill('serves'),
    )
    expect(await refusal(startServer(url, other))).toContain('is missing. Without the keys')
    for (const each of starts) if (each.status === 'fulfilled') await stopServer(each.value)
    const second = await emptyDatabase()
    const race = [ownPath(), ownPath()]
    const raced = await Promise.allSettled(race.map((folder) => startServer(second.url, folder)))
    expect(raced.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(race.filter((folder) => existsSync(path.join(folder, 'secrets.json')))).toHaveLength(1)
    for (const each of raced) if (each.status === 'fulfilled') await stopServer(each.value)
  })

  it.runIf(process.platform === 'linux')('R-PROD-1 says so where its folder cannot be made', async () => {
    expect(await refusal(startServer(null, '/proc/data-brain/data'))).toContain('/proc/data-brain cannot be made there')
  })

  it('R-PROD-1 says so where the owner may make no roles, or no tables', async () => {
    const roles = await emptyDatabase('nocreaterole')
    expect(await refusal(startServer(roles.url, ownPath()))).toContain('may not create roles')
    expect(await tablesOf(roles.name)).toBe(0)
    const guest = await emptyDatabase()
    await admin.query(`alter database ${guest.name} owner to current_user`)
    expect(await refusal(startServer(guest.url, ownPath()))).toContain('may not create tables and schemas')
    expect(await tablesOf(guest.name)).toBe(0)
  })

  it('R-PROD-1 says so where the database is read-only, or was migrated by a newer version', async () => {
    const { name, url } = await emptyDatabase()
    await admin.query(`alter database ${name} set default_transaction_read_only = on`)
    expect(await refusal(startServer(url, ownPath()))).toContain('is read-only')
    expect(await tablesOf(name)).toBe(0)
    const newer = await freshDatabase()
    await newer.owner.query(`insert into migration (number, name) values (9999, '9999_later.sql')`)
    expect(await refusal(startServer(newer.url, keys))).toContain('migrated by a newer version (migration 9999, which')
    // A step that this version has not is refused in between as well.
    await newer.owner.query(`update migration set number = 13 where number = 9999`)
    expect(await refusal(startServer(newer.url, keys))).toContain('(migration 13, which')
    await newer.drop()
  })

  it('R-PROD-1 says so where the port is in use, ADMIN_PASSWORD is weak, or a setting is wrong', async () => {
    const { name, url } = await emptyDatabase()
    const holder = createServer().listen(0, '127.0.0.1')
    await new Promise((done) => holder.once('listening', done))
    const { port } = holder.address() as { port: number }
    const folder = ownPath()
    expect(await refusal(startServer(url, folder, { PORT: String(port) }))).toContain(`${port}): the port is in use`)
    holder.close()
    for (const weak of ['short-1', 'Admin2026!', 'qwertyuiop'])
      expect(await refusal(startServer(url, folder, { ADMIN_PASSWORD: weak })), weak).toContain('is too weak')
    expect(await refusal(startServer(url, folder, { DATABASE_POOL: 'many' }))).toContain('must be a whole number')
    expect(existsSync(path.join(folder, 'secrets.json'))).toBe(false)
    expect(await tablesOf(name)).toBe(0)
  })
})
