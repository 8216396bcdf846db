import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backUp, restore } from '../src/backup/index.ts'
import { readEnvironment } from '../src/environment.ts'
import { packTar, type TarEntry, unpackTar } from '../src/kernel/tar.ts'
import { dataOf, download, ownerOf, ownFolder, personOf, sha256, startOwn, upload } from './own-server.ts'
import { type Server, stopServer } from './two-servers.ts'
import type { Person } from './world.ts'

/** The built-in database, the files and the keys: backed up beside a server at work, and brought back elsewhere. */

const folder = ownFolder()
const data = dataOf(folder.path)
const archive = join(folder.path, 'backup.tar.gz')
const other = join(folder.path, 'other')
let server: Server
let admin: Person

beforeAll(async () => {
  server = await startOwn(folder.path)
  admin = await personOf(() => server, data)
}, 120_000)
afterAll(async () => {
  if (server.process.exitCode === null) await stopServer(server)
  folder.remove()
}, 120_000)

const run = promisify(execFile)

/** The command as an operator gives it; its words, and whether it went well. */
async function command(dataDir: string, ...args: string[]): Promise<{ ok: boolean; said: string }> {
  const program = join(import.meta.dirname, '..', 'src', 'admin.ts')
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, INIT_CWD: folder.path }
  try {
    const { stdout, stderr } = await run(process.execPath, [program, ...args], { env })
    return { ok: true, said: stdout + stderr }
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return { ok: false, said: stdout + stderr }
  }
}

/** Why a restore fails, or what it brings. */
const restored = (dataDir: string, file: string): Promise<string> =>
  restore(readEnvironment({ DATA_DIR: dataDir }), join(folder.path, file), () => {}).then(
    ({ tenants }) => `${tenants} tenants`,
    (error: Error) => error.message,
  )

const pdf = (size: number): Buffer =>
  Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(size), Buffer.from('\n%%EOF')])

/** Rows of every table, parts of tables counted with their whole. */
async function counts(owner: pg.Client): Promise<Record<string, number>> {
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  const found: Record<string, number> = {}
  for (const { name } of rows)
    found[name] = (await owner.query<{ n: number }>(`select count(*)::int as n from ${name}`)).rows[0]!.n
  return found
}

const filesIn = (root: string): string[] =>
  existsSync(root)
    ? readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((each) => (each.isFile() ? [each.name] : []))
    : []

describe('npm run backup and npm run restore', () => {
  const kept = new Map<string, string>()
  let before: Record<string, number>

  it('backs up while others go on writing', async () => {
    for (let count = 0; count < 5; count += 1) {
      const bytes = pdf(200_000)
      const put = await upload(server, admin.token, 'blade-resource/oss/endpoint/put-file-attach', {
        name: `kept-${count}.pdf`,
        bytes,
      })
      expect(put.status, put.msg).toBe(200)
      kept.set(put.data.attachId, sha256(bytes))
    }
    const owner = await ownerOf(data)
    before = await counts(owner)
    let going = true
    let acknowledged = 0
    const writing = (async () => {
      for (let count = 0; going; count += 1) {
        const name = `during-${count}`
        const made = await admin.post('blade-system/post/submit', {
          postCode: name,
          postName: name,
          category: '1',
          sort: 1,
        })
        const put = await upload(server, admin.token, 'blade-resource/oss/endpoint/put-file-attach', {
          name: `${name}.pdf`,
          bytes: pdf(20_000),
        })
        if (count > 0) await admin.remove('blade-resource/attach', put.data.attachId)
        if (made.status === 200 && put.status === 200) acknowledged += 1
      }
    })()
    await sleep(200)
    const done = await command(data, 'backup', 'backup.tar.gz')
    going = false
    await writing
    await owner.end()
    expect(done.said).toContain('whoever has it can read everything')
    expect(done.ok).toBe(true)
    expect(acknowledged).toBeGreaterThan(3)
    expect(statSync(archive).mode & 0o777).toBe(0o600)
    expect(existsSync(`${archive}.part`)).toBe(false)
    // What was backed up once is not written over.
    await expect(backUp(readEnvironment({ DATA_DIR: data }), archive, { keys: true })).rejects.toThrow('exists already')
  }, 120_000)

  it('brings it back elsewhere: every row of that moment, every file and nothing else, and people log in', async () => {
    const done = await command(other, 'restore', 'backup.tar.gz')
    expect(done.said).toMatch(/restored as of .*: 1 tenants, \d+ uploaded files/)
    expect(done.said).not.toContain('missing file')
    const again = await startOwn(folder.path, {}, other)
    try {
      const owner = await ownerOf(other)
      const after = await counts(owner)
      // Posts, files, logs and what belongs to them went on; everything else stands as it stood.
      const grew = new Set(Object.keys(after).filter((name) => after[name] !== before[name]))
      for (const name of [
        'attach',
        'attach_loose',
        'entity_stamp',
        'history',
        'history_seal',
        'log_api',
        'log_usual',
        'post',
        'session',
        'search_key',
      ])
        grew.delete(name)
      expect([...grew]).toEqual([])
      expect(after.post!).toBeGreaterThan(before.post!)
      const { rows } = await owner.query<{ name: string }>(
        // What was removed during the backup waits to be swept.
        'select name from attach where name is not null union select name from attach_loose order by 1',
      )
      expect(filesIn(join(other, 'files', '000000')).sort()).toEqual(
        rows.map((row) => row.name.split('/').at(-1)!).sort(),
      )
      await owner.end()
      const there = await personOf(() => again, other)
      for (const [id, hash] of kept) expect(sha256(await download(again, there.token, id))).toBe(hash)
      expect((await there.get('blade-log/history/verify')).data).toMatchObject({ broken: 0 })
      const made = await there.post('blade-system/post/submit', {
        postCode: 'after',
        postName: 'after',
        category: '1',
        sort: 1,
      })
      expect(made.msg).toBe('操作成功')
      for (const name of ['secrets.json', 'postgres.password'])
        expect(statSync(join(other, name)).mode & 0o777).toBe(0o600)
    } finally {
      await stopServer(again)
    }
  }, 120_000)

  it('refuses a folder with anything in it, and leaves it as it is', async () => {
    const had = readdirSync(other)
    expect(await restored(other, 'backup.tar.gz')).toContain('is not empty')
    expect(readdirSync(other)).toEqual(had)
    expect(await restored(data, 'backup.tar.gz')).toContain('in use by process')
  }, 120_000)

  it('refuses what is no backup, is cut off or damaged, or was made by a newer version, and leaves nothing', async () => {
    const target = join(folder.path, 'third')
    mkdirSync(target, { mode: 0o711 })
    const bytes = await readFile(archive)
    writeFileSync(join(folder.path, 'text.gz'), 'no backup')
    await writeFile(join(folder.path, 'cut.gz'), bytes.subarray(0, Math.floor(bytes.length / 2)))
    const spoiled = Buffer.from(bytes)
    spoiled.writeUInt32BE(0xdeadbeef, Math.floor(bytes.length / 2))
    await writeFile(join(folder.path, 'spoiled.gz'), spoiled)
    await altered('newer.gz', (manifest) => ({ ...manifest, migration: 9_999 }))
    await altered('major.gz', (manifest) => ({ ...manifest, postgres: '99' }))
    await altered('system.gz', (manifest) => ({ ...manifest, platform: 'sunos-sparc' }))
    for (const [file, words] of [
      ['none.gz', 'There is no file'],
      ['text.gz', 'This is no backup'],
      ['cut.gz', 'cut off or damaged'],
      ['spoiled.gz', 'cut off or damaged'],
      ['newer.gz', 'made by a newer version (schema 9999'],
      ['major.gz', 'is of PostgreSQL 99'],
      ['system.gz', 'made on sunos-sparc'],
    ] as const) {
      expect([file, await restored(target, file)]).toEqual([file, expect.stringContaining(words)])
      expect([file, readdirSync(target)]).toEqual([file, []])
    }
  }, 120_000)

  it('can leave the keys out; without them nothing is brought back', async () => {
    await backUp(readEnvironment({ DATA_DIR: data }), join(folder.path, 'plain.tar.gz'), { keys: false })
    const names: string[] = []
    for await (const { name } of unpackTar(createReadStream(join(folder.path, 'plain.tar.gz')).pipe(createGunzip())))
      names.push(name)
    expect(names).not.toContain('secrets.json')
    const target = join(folder.path, 'fourth')
    expect(await restored(target, 'plain.tar.gz')).toContain('Put secrets.json')
    await writeFile(join(target, 'secrets.json'), await readFile(join(data, 'secrets.json')), { mode: 0o600 })
    expect(await restored(target, 'plain.tar.gz')).toBe('1 tenants')
  }, 120_000)

  it('is for the built-in database alone, and for one that is there', async () => {
    const elsewhere = readEnvironment({ DATABASE_URL: 'postgres://x@127.0.0.1:9/x', DATA_DIR: data })
    await expect(backUp(elsewhere, archive, { keys: true })).rejects.toThrow('This is for the built-in database')
    await expect(restore(elsewhere, archive, () => {})).rejects.toThrow('This is for the built-in database')
    const nowhere = readEnvironment({ DATA_DIR: join(folder.path, 'nowhere') })
    await expect(backUp(nowhere, join(folder.path, 'x.gz'), { keys: true })).rejects.toThrow('There is no data')
  }, 120_000)
})

/** The same archive with another manifest. */
async function altered(name: string, change: (manifest: object) => object): Promise<void> {
  const entries = async function* (): AsyncGenerator<TarEntry> {
    for await (const entry of unpackTar(createReadStream(archive).pipe(createGunzip()))) {
      if (entry.name !== 'backup.json') {
        yield entry
        continue
      }
      const parts: Buffer[] = []
      for await (const part of entry.body) parts.push(part)
      const text = Buffer.from(JSON.stringify(change(JSON.parse(Buffer.concat(parts).toString()) as object)))
      const body = async function* (): AsyncGenerator<Buffer> {
        yield text
      }
      yield { name: entry.name, size: text.length, body: body() }
    }
  }
  await pipeline(packTar(entries()), createGzip({ level: 1 }), createWriteStream(join(folder.path, name)))
}
