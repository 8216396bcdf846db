import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { dataFolder } from './data-folder.ts'
import { StartError } from './start-error.ts'

export type Secrets = {
  /** Wraps the keys of encrypted columns; rows carry the id, so that keys can be exchanged. */
  kek: { id: string; key: Buffer }
  /** Mixed into passwords before they are hashed. */
  pepper: Buffer
  /** Key of the look-up digests by which encrypted values are found again. */
  index: Buffer
  /** Signs what a client hands back, such as the place in a list. */
  cursor: Buffer
  /** Password of the database role that requests log in as. */
  appPassword: string
  /** Password of the database role that platform routes log in as. */
  platformPassword: string
  clientId: string
  clientSecret: string
}

const keys = ['pepper', 'index', 'cursor'] as const
const words = ['appPassword', 'platformPassword', 'clientId', 'clientSecret'] as const
const base64 = /^[A-Za-z0-9+/]{43}=$/
const shortest = 16

/** Where the secrets of a data folder are: `SECRETS_FILE`, or `secrets.json` in the folder. */
export function secretsFile(dataDir: string, env: NodeJS.ProcessEnv = process.env): string {
  return path.resolve(env.SECRETS_FILE || path.join(dataDir, 'secrets.json'))
}

/**
 * Reads the secrets of a data folder, made on first use. Refuses a file that others may read, and one in which anything
 * is missing, short or repeated: a weak or lost key must be noticed at start, not in the data.
 */
export async function loadSecrets(dataDir: string, env: NodeJS.ProcessEnv = process.env): Promise<Secrets> {
  await dataFolder(dataDir)
  const file = secretsFile(dataDir, env)
  return (await readSecrets(dataDir, env)) ?? parse(await make(file), file)
}

/** The same without making any: undefined where there is no file. */
export async function readSecrets(dataDir: string, env: NodeJS.ProcessEnv = process.env): Promise<Secrets | undefined> {
  const file = secretsFile(dataDir, env)
  const text = await read(file)
  return text === undefined ? undefined : parse(text, file)
}

async function read(file: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(file)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new StartError(
        `密钥文件 ${file} 可被其他用户访问。请执行 chmod 600。`,
        `The secrets file ${file} is open to other users. Run chmod 600 on it.`,
      )
    }
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function make(file: string): Promise<string> {
  const secret = (bytes = 32) => randomBytes(bytes).toString('base64')
  const password = () => randomBytes(24).toString('base64url')
  const secrets = {
    kek: { id: `k${randomBytes(4).toString('hex')}`, key: secret() },
    ...{ pepper: secret(), index: secret(), cursor: secret() },
    ...{ appPassword: password(), platformPassword: password() },
    ...{ clientId: `console-${randomBytes(8).toString('hex')}`, clientSecret: password() },
  }
  const candidate = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    const handle = await open(candidate, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(secrets, null, 2)}\n`)
      // Data encrypted with a key that a power cut takes away is lost.
      await handle.sync()
    } finally {
      await handle.close()
    }
    // Of two servers that start for the first time together, one makes the file and the other reads it.
    await link(candidate, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await syncFolder(path.dirname(file))
  } finally {
    await rm(candidate, { force: true })
  }
  return (await read(file)) ?? ''
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

function parse(text: string, file: string): Secrets {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    throw malformed(file, 'JSON')
  }
  const source = record(found)
  const kek = record(source.kek)
  if (typeof kek.id !== 'string' || !/^[A-Za-z0-9_-]{1,32}$/.test(kek.id)) throw malformed(file, 'kek.id')
  const seen = new Set<string>()
  const fresh = (value: unknown, name: string, fits: (text: string) => boolean): string => {
    if (typeof value !== 'string' || !fits(value) || seen.has(value)) throw malformed(file, name)
    seen.add(value)
    return value
  }
  const key = (value: unknown, name: string) => {
    const buffer = Buffer.from(
      fresh(value, name, (text) => base64.test(text)),
      'base64',
    )
    // A key of one repeated byte is a placeholder that somebody forgot to replace.
    if (new Set(buffer).size < 8) throw malformed(file, name)
    return buffer
  }
  const [pepper, index, cursor] = keys.map((name) => key(source[name], name)) as [Buffer, Buffer, Buffer]
  const [appPassword, platformPassword, clientId, clientSecret] = words.map((name) =>
    fresh(source[name], name, (text) => text.length >= shortest && /^[\x21-\x7e]+$/.test(text)),
  ) as [string, string, string, string]
  return {
    kek: { id: kek.id, key: key(kek.key, 'kek.key') },
    ...{ pepper, index, cursor, appPassword, platformPassword, clientId, clientSecret },
  }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function malformed(file: string, what: string): StartError {
  return new StartError(
    `密钥文件 ${file} 无效（${what}）：缺失、过短、重复或格式有误。请从备份恢复。`,
    `The secrets file ${file} is not valid (${what}): missing, too short, repeated or malformed. Bring it back from a backup.`,
  )
}
