import { createWriteStream, type Dirent } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { installedPostgres } from '../database/embedded-place.ts'
import { backupLock } from '../database/locks.ts'
import { accessDatabase, placeIn } from '../database/reach.ts'
import type { Environment } from '../environment.ts'
import { packTar, type TarEntry } from '../kernel/tar.ts'
import { secretsFile } from '../secrets.ts'
import { StartError } from '../start-error.ts'
import {
  databaseFolder,
  type End,
  endName,
  filesFolder,
  keysName,
  type Manifest,
  manifestName,
  ownDatabase,
  passwordName,
  platformHere,
} from './parts.ts'

/** Folders that PostgreSQL fills anew: they travel empty. The log of changes is added at the end, as far as it is needed. */
const empty = new Set([
  ...['pg_wal', 'pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
])
const left = /^(postmaster\.(pid|opts)|pg_internal\.init.*|backup_label.*|tablespace_map.*|current_logfiles.*)$/
const temporary = /^pgsql_tmp/
const controlFile = 'global/pg_control'
const chunk = 1_048_576
const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const entryOf = (name: string, bytes: Buffer | string): TarEntry => {
  const body = Buffer.from(bytes)
  return { name, size: body.length, body: once(body) }
}

/**
 * A file as long as it is now; undefined where it has gone. One that shrinks meanwhile is filled up with zeros: what
 * PostgreSQL changes while it is copied it does again from the log.
 */
async function fileEntry(name: string, file: string): Promise<TarEntry | undefined> {
  const handle = await open(file).catch((error: unknown) => {
    if (isGone(error)) return undefined
    throw error
  })
  if (!handle) return undefined
  const { size } = await handle.stat()
  const body = async function* (): AsyncGenerator<Buffer> {
    try {
      for (let at = 0; at < size; ) {
        const bytes = Buffer.alloc(Math.min(chunk, size - at))
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, at)
        at += bytesRead || bytes.length
        yield bytesRead ? bytes.subarray(0, bytesRead) : bytes
      }
    } finally {
      await handle.close()
    }
  }
  return { name, size, body: body() }
}

const listed = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isGone(error)) return []
    throw error
  })

/** Folders and files below a folder; a folder comes before what is in it. */
async function* tree(
  folder: string,
  name: string,
  takes: (inside: string, base: string) => 'whole' | 'empty' | 'no',
  inside = '',
): AsyncGenerator<TarEntry> {
  for (const entry of await listed(path.join(folder, inside))) {
    const at = inside ? `${inside}/${entry.name}` : entry.name
    const how = takes(at, entry.name)
    if (how === 'no') continue
    if (entry.isDirectory()) {
      yield { name: `${name}${at}/`, size: 0, body: once(Buffer.alloc(0)) }
      if (how === 'whole') yield* tree(folder, name, takes, at)
    } else if (entry.isFile()) {
      const file = await fileEntry(`${name}${at}`, path.join(folder, at))
      if (file) yield file
    } else if (entry.isSymbolicLink())
      throw new StartError(
        `${path.join(folder, at)} 是链接，无法备份。`,
        `${path.join(folder, at)} is a link: it cannot be backed up.`,
      )
  }
}

/** The files of PostgreSQL, from which one that works at the same time can be started again as of the end of the copy. */
async function* databaseEntries(client: pg.Client, data: string): AsyncGenerator<TarEntry> {
  // Held until this connection ends: without it the log that is needed might be recycled.
  await client.query(`select pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`)
  await client.query(`select pg_backup_start('data-brain', true)`)
  yield { name: databaseFolder, size: 0, body: once(Buffer.alloc(0)) }
  yield* tree(data, databaseFolder, (at, base) => {
    if (empty.has(at)) return 'empty'
    return left.test(base) || temporary.test(base) || at === controlFile ? 'no' : 'whole'
  })
  const control = await fileEntry(databaseFolder + controlFile, path.join(data, controlFile))
  if (control) yield control
  const { rows } = await client.query<{ label: string; map: string; last: string }>(
    `select s.labelfile as label, s.spcmapfile as map, pg_walfile_name(s.lsn) as last from pg_backup_stop(false) s`,
  )
  const { label, map, last } = rows[0]!
  if (map.trim())
    throw new StartError('数据库使用了表空间，无法备份。', 'The database has tablespaces: it cannot be backed up.')
  yield entryOf(`${databaseFolder}backup_label`, label)
  const first = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1]
  if (!first) throw new Error('PostgreSQL did not say where its log begins')
  yield { name: `${databaseFolder}pg_wal/archive_status/`, size: 0, body: once(Buffer.alloc(0)) }
  const segments = (await readdir(path.join(data, 'pg_wal')))
    .filter((each) => /^[0-9A-F]{24}$/.test(each) && each >= first && each <= last)
    .sort()
  if (segments[0] !== first || segments.at(-1) !== last) throw new Error('parts of the log of PostgreSQL are missing')
  for (const segment of segments) {
    const file = await fileEntry(`${databaseFolder}pg_wal/${segment}`, path.join(data, 'pg_wal', segment))
    if (!file) throw new Error(`${segment} is gone from the log of PostgreSQL`)
    yield file
  }
}

interface Source {
  readonly environment: Environment
  readonly client: pg.Client
  readonly keys: boolean
}

async function* entriesOf({ environment, client, keys }: Source, told: (end: End) => void): AsyncGenerator<TarEntry> {
  let entries = 0
  let files = 0
  const counted = function* (entry: TarEntry): Generator<TarEntry> {
    entries += 1
    yield entry
  }
  const place = await placeIn(environment.dataDir)
  const { rows } = await client.query<{ newest: number }>('select max(number) as newest from migration')
  const manifest: Manifest = {
    format: 1,
    at: new Date().toISOString(),
    postgres: installedPostgres().major,
    platform: platformHere,
    migration: rows[0]!.newest,
    keys,
  }
  yield* counted(entryOf(manifestName, `${JSON.stringify(manifest, null, 2)}\n`))
  if (keys) yield* counted(entryOf(keysName, await readFile(secretsFile(environment.dataDir))))
  yield* counted(entryOf(passwordName, await readFile(path.join(place, 'postgres.password'))))
  for await (const entry of databaseEntries(client, path.join(place, 'postgres'))) yield* counted(entry)
  // After the database: whatever a row leads to was there before the row.
  for await (const entry of tree(path.join(environment.dataDir, 'files'), filesFolder, (_at, base) =>
    base.endsWith('.part') ? 'no' : 'whole',
  )) {
    if (!entry.name.endsWith('/')) files += 1
    yield* counted(entry)
  }
  const end: End = { entries, files }
  told(end)
  yield entryOf(endName, JSON.stringify(end))
}

/**
 * Writes the built-in database, the uploaded files and, unless told otherwise, the keys into one archive, while the
 * server goes on working or without one. The archive appears whole or not at all, readable by its owner alone; a file
 * that is there already is left alone.
 */
export async function backUp(
  environment: Environment,
  file: string,
  { keys }: { keys: boolean },
): Promise<{ files: number; bytes: number }> {
  if (environment.databaseUrl) throw ownDatabase()
  const { dataDir } = environment
  const place = await placeIn(dataDir)
  if (!(await stat(path.join(place, 'postgres', 'PG_VERSION')).catch(() => undefined)))
    throw new StartError(`${dataDir} 中还没有数据。`, `There is no data in ${dataDir} yet.`)
  if (await stat(file).catch(() => undefined))
    throw new StartError(`文件 ${file} 已存在。`, `The file ${file} exists already.`)
  const { url, release } = await accessDatabase(environment)
  const client = new pg.Client({ connectionString: url, application_name: 'data-brain backup' })
  const partial = `${file}.part`
  let end: End | undefined
  let written = false
  try {
    await client.connect()
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [backupLock])
    if (!rows[0]?.free && !(await lockedLater(client)))
      throw new StartError(
        '另一个备份（或租户清除）正在进行。',
        'Another backup, or the purge of a tenant, is under way.',
      )
    const target = createWriteStream(partial, { mode: 0o600, flags: 'wx' })
    target.once('open', () => {
      written = true
    })
    await pipeline(
      packTar(
        entriesOf({ environment, client, keys }, (whole) => {
          end = whole
        }),
      ),
      createGzip({ level: 4 }),
      target,
    )
    const handle = await open(partial, 'r')
    await handle.sync().finally(() => handle.close())
    await rename(partial, file)
    return { files: end!.files, bytes: (await stat(file)).size }
  } catch (error) {
    if (written) await rm(partial, { force: true })
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && !written)
      throw new StartError(`没有文件夹 ${path.dirname(file)}。`, `There is no folder ${path.dirname(file)}.`)
    if (code === 'EEXIST') throw new StartError(`文件 ${partial} 已存在。`, `The file ${partial} exists already.`)
    throw error
  } finally {
    await client.end().catch(() => {})
    await release()
  }
}

/** Milliseconds that a backup waits for whoever removes files: a sweep takes moments, the purge of a tenant minutes. */
const patience = { sweep: 5_000, purge: 1_800_000 } as const

/** Waits for the lock, but not for another backup. */
async function lockedLater(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and objsubid = 1
       and classid = 0 and objid = $1 and database = (select oid from pg_database where datname = current_database())`,
    [backupLock],
  )
  await client.query(`set lock_timeout = ${rowCount ? patience.sweep : patience.purge}`)
  try {
    await client.query('select pg_advisory_lock($1)', [backupLock])
    return true
  } catch (error) {
    if ((error as pg.DatabaseError).code === '55P03') return false
    throw error
  }
}
