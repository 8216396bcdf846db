import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chown, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { dataFolder } from '../data-folder.ts'
import { startEmbedded } from '../database/embedded.ts'
import {
  type Account,
  installedPostgres,
  ownerOf,
  placeOf,
  privateFolder,
  unprivilegedAccount,
} from '../database/embedded-place.ts'
import { lockFolder } from '../database/folder-lock.ts'
import { refuseOtherKeys } from '../database/key-check.ts'
import { readMigrations } from '../database/migrate.ts'
import type { Environment } from '../environment.ts'
import { type TarEntry, TarFault, unpackTar } from '../kernel/tar.ts'
import { bytesOf } from '../modules/resource/index.ts'
import { readSecrets, secretsFile } from '../secrets.ts'
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

export interface RestoreSummary {
  /** When the backup was made. */
  readonly at: string
  readonly tenants: number
  readonly files: number
  /** Files that a row leads to and that the backup did not have. */
  readonly lost: readonly string[]
}

const noBackup = (): StartError => new StartError('这不是备份文件。', 'This is no backup.')
const broken = (): StartError =>
  new StartError(
    '备份文件不完整或已损坏，没有恢复任何内容。',
    'The backup is cut off or damaged. Nothing was restored.',
  )

async function textOf({ body }: TarEntry): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

function json<T>(text: string): T {
  try {
    return JSON.parse(text) as T
  } catch {
    throw broken()
  }
}

/** Refuses, before anything is written, what this version could not start. */
async function mustFit({ format, postgres, platform, migration }: Manifest): Promise<void> {
  if (format !== 1) throw noBackup()
  const newest = (await readMigrations()).at(-1)!.number
  if (migration > newest)
    throw new StartError(
      `该备份由更新的版本制作（结构 ${migration}，本版本为 ${newest}）。请用那个版本恢复。`,
      `The backup was made by a newer version (schema ${migration}, this one knows ${newest}). Restore it with that version.`,
    )
  const { major } = installedPostgres()
  if (postgres !== major)
    throw new StartError(
      `该备份属于 PostgreSQL ${postgres}，而本版本自带 PostgreSQL ${major}。请用制作它的版本恢复，再“全部导出”和“全部导入”。`,
      `The backup is of PostgreSQL ${postgres}, and this release brings PostgreSQL ${major}. Restore it with the release that made it, export everything, and import it with this one.`,
    )
  if (platform !== platformHere)
    throw new StartError(
      `该备份来自 ${platform}，不能在 ${platformHere} 上恢复。`,
      `The backup was made on ${platform} and cannot be restored on ${platformHere}.`,
    )
}

/** The path of an entry in a folder; names are those that a backup gives, and none leads out of it. */
function pathOf(folder: string, name: string): string {
  const known =
    name === keysName || name === passwordName || name.startsWith(databaseFolder) || name.startsWith(filesFolder)
  const parts = name.replace(/\/$/, '').split('/')
  if (!known || name.includes('\\') || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw broken()
  return path.join(folder, ...parts)
}

/** Unpacks a backup into a folder of its own. */
async function unpack(file: string, folder: string, keysHere: boolean): Promise<Manifest> {
  let manifest: Manifest | undefined
  let end: End | undefined
  let entries = 0
  let files = 0
  const source = createReadStream(file)
  const unzipped = source.pipe(createGunzip())
  source.once('error', (error) => unzipped.destroy(error))
  try {
    for await (const entry of unpackTar(unzipped)) {
      if (end) throw broken()
      if (!manifest) {
        if (entry.name !== manifestName) throw noBackup()
        manifest = json<Manifest>(await textOf(entry))
        await mustFit(manifest)
        if (!manifest.keys && !keysHere)
          throw new StartError(
            '该备份不含密钥。请先把 secrets.json(权限 0600)放入数据文件夹，或用 SECRETS_FILE 指定。',
            'The keys are not in this backup. Put secrets.json (mode 0600) into the data folder first, or name it in SECRETS_FILE.',
          )
        if (manifest.keys && keysHere)
          throw new StartError(
            '该备份含有密钥，而此处已有 secrets.json。请先移走它。',
            'The keys are in this backup, and there is a secrets.json here. Move it away first.',
          )
        await mkdir(folder, { mode: 0o700 })
        entries += 1
        continue
      }
      if (entry.name === endName) {
        end = json<End>(await textOf(entry))
        continue
      }
      entries += 1
      const at = pathOf(folder, entry.name)
      if (entry.name.endsWith('/')) {
        await mkdir(at, { recursive: true, mode: 0o700 })
        continue
      }
      if (entry.name.startsWith(filesFolder)) files += 1
      await mkdir(path.dirname(at), { recursive: true, mode: 0o700 })
      await pipeline(entry.body, createWriteStream(at, { mode: 0o600, flags: 'wx' }))
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && !existsSync(file)) throw new StartError(`没有文件 ${file}。`, `There is no file ${file}.`)
    if (!manifest && (code.startsWith('Z_') || error instanceof TarFault)) throw noBackup()
    throw error instanceof TarFault || code.startsWith('Z_') ? broken() : error
  } finally {
    source.destroy()
    unzipped.destroy()
  }
  if (!manifest) throw noBackup()
  if (end?.entries !== entries || end.files !== files) throw broken()
  return manifest
}

const unpacked = 'restoring'

/** Refuses a folder in which anything is: what an earlier attempt has left is cleared away. */
async function mustBeEmpty(dataDir: string, secrets: string): Promise<void> {
  const found = (await readdir(dataDir)).filter((name) => !name.startsWith('data-brain.lock'))
  const allowed = new Set([
    unpacked,
    'lost+found',
    ...(path.dirname(secrets) === dataDir ? [path.basename(secrets)] : []),
  ])
  const other = found.filter((name) => !allowed.has(name))
  if (other.length > 0)
    throw new StartError(
      `数据文件夹 ${dataDir} 不是空的（${other.slice(0, 3).join('、')}）。恢复不会覆盖任何数据：请用 DATA_DIR 指定空文件夹。`,
      `The data folder ${dataDir} is not empty (${other.slice(0, 3).join(', ')}). Nothing is overwritten: name an empty folder in DATA_DIR.`,
    )
  await rm(path.join(dataDir, unpacked), { recursive: true, force: true })
}

/** Gives a folder and all in it to the account that PostgreSQL runs under. */
async function giveTo(folder: string, account: Account): Promise<void> {
  if (!account) return
  await privateFolder(folder, account)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    await chown(path.join(entry.parentPath, entry.name), account.uid, account.gid)
}

/** Moves a folder to where it belongs, over the border of a file system too. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    const { cp } = await import('node:fs/promises')
    await cp(from, to, { recursive: true, errorOnExist: true, force: false })
    await rm(from, { recursive: true })
  }
}

async function lay(dataDir: string, from: string, secrets: string, log: (line: string) => void): Promise<string> {
  const account = process.getuid?.() === 0 ? ownerOf(dataDir, unprivilegedAccount()) : undefined
  const place = await placeOf(dataDir, account, log)
  if (existsSync(path.join(from, keysName))) await move(path.join(from, keysName), secrets)
  if (existsSync(path.join(from, 'files'))) await move(path.join(from, 'files'), path.join(dataDir, 'files'))
  await move(path.join(from, passwordName), path.join(place, passwordName))
  await giveTo(path.join(from, 'postgres'), ownerOf(place, account))
  await move(path.join(from, 'postgres'), path.join(place, 'postgres'))
  await rmdir(from)
  return place
}

async function* filesIn(folder: string, inside = ''): AsyncGenerator<string> {
  for (const entry of await readdir(path.join(folder, inside), { withFileTypes: true })) {
    const at = inside ? `${inside}/${entry.name}` : entry.name
    if (entry.isDirectory()) yield* filesIn(folder, at)
    else yield at
  }
}

/**
 * Starts the restored database once, by which it becomes whole, and puts the files in line with it: what was uploaded
 * while the database had been copied already belongs to no row.
 */
async function tryOut(dataDir: string): Promise<Omit<RestoreSummary, 'at'>> {
  const embedded = await startEmbedded({ dataDir, log: () => {} })
  const client = new pg.Client(embedded.connection)
  try {
    await client.connect()
    await refuseOtherKeys(client, await readSecrets(dataDir), secretsFile(dataDir))
    const tenants = (await client.query<{ n: number }>('select count(*)::int as n from tenant')).rows[0]!.n
    const { rows } = await client.query<{ name: string; extension: string | null; kept: boolean }>(
      `select name, extension, true as kept from attach where oss_id is null and name is not null
       union all select name, null, false from attach_loose where oss_id is null`,
    )
    const folder = path.join(dataDir, 'files')
    const needed = new Set(rows.flatMap(({ name, kept }) => (kept ? [name] : [])))
    const named = new Set(rows.flatMap(({ name, extension }) => bytesOf(name, extension)))
    let files = 0
    if (existsSync(folder))
      for await (const name of filesIn(folder)) {
        needed.delete(name)
        if (named.has(name)) files += 1
        else await rm(path.join(folder, name))
      }
    return { tenants, files, lost: [...needed].sort() }
  } finally {
    await client.end().catch(() => {})
    await embedded.stop()
  }
}

/**
 * Brings a backup back into an empty data folder, and starts its database once to see that it works. Refuses a folder
 * with anything in it, and a backup that this version cannot read. What fails leaves the folder empty again.
 */
export async function restore(
  environment: Environment,
  file: string,
  log: (line: string) => void,
): Promise<RestoreSummary> {
  if (environment.databaseUrl) throw ownDatabase()
  const dataDir = await dataFolder(environment.dataDir)
  const secrets = secretsFile(dataDir)
  const keysHere = existsSync(secrets)
  const from = path.join(dataDir, unpacked)
  let release = await lockFolder(dataDir)
  let place: string | undefined
  try {
    await mustBeEmpty(dataDir, secrets)
    const { at } = await unpack(file, from, keysHere)
    place = await lay(dataDir, from, secrets, log)
    // The database takes the folder for itself.
    await release()
    release = async () => {}
    return { at, ...(await tryOut(dataDir)) }
  } catch (error) {
    await rm(from, { recursive: true, force: true })
    if (place !== undefined) {
      for (const name of ['files', 'postgres.location', 'run'])
        await rm(path.join(dataDir, name), { recursive: true, force: true })
      for (const name of ['postgres', passwordName]) await rm(path.join(place, name), { recursive: true, force: true })
      if (!keysHere) await rm(secrets, { force: true })
    }
    throw error
  } finally {
    await release()
  }
}
