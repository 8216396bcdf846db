import { createHmac, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import type { Secrets } from '../secrets.ts'
import { StartError } from '../start-error.ts'

/** The keys without which what is stored cannot be read, found or logged in to. The others may be exchanged at will. */
function checksOf({ kek, pepper, index }: Secrets): Map<string, Buffer> {
  const of = (name: string, key: Buffer): [string, Buffer] => [
    name,
    createHmac('sha256', key).update(`data-brain key check: ${name}`).digest(),
  ]
  return new Map([of(`kek:${kek.id}`, kek.key), of('pepper', pepper), of('index', index)])
}

const known = async (client: pg.ClientBase, table: string): Promise<boolean> =>
  (await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])).rows[0]!.there

/**
 * Refuses secrets that are missing, or others than those of the database. Answers whether the database holds data;
 * writes nothing.
 */
export async function refuseOtherKeys(
  client: pg.ClientBase,
  secrets: Secrets | undefined,
  file: string,
): Promise<boolean> {
  const kept = (await known(client, 'key_check'))
    ? (await client.query<{ name: string; value: Buffer }>('select name, value from key_check')).rows
    : []
  // Versions before the checks have at least named their console's client.
  const clients = (await known(client, 'client'))
    ? (await client.query<{ id: string }>('select client_id as id from client')).rows.map(({ id }) => id)
    : []
  if (kept.length === 0 && clients.length === 0) return false
  if (!secrets)
    throw new StartError(
      `数据库中已有数据，但缺少密钥文件 ${file}。没有原来的密钥，任何人都无法登录，已加密的号码也无法读取，因此未启动，也未作任何改动。请从备份恢复该文件（权限 600），或用 SECRETS_FILE 指定它的位置。`,
      `The database holds data, but the secrets file ${file} is missing. Without the keys it was written with nobody can log in and encrypted numbers cannot be read, so nothing was started and nothing was changed. Bring the file back from a backup (mode 600), or name its place in SECRETS_FILE.`,
    )
  const checks = checksOf(secrets)
  const other = kept.length
    ? [...checks].filter(([name, value]) => {
        const found = kept.find((each) => each.name === name)
        return !found || !timingSafeEqual(found.value, value)
      })
    : clients.includes(secrets.clientId)
      ? []
      : [['clientId']]
  if (other.length > 0)
    throw new StartError(
      `密钥文件 ${file} 与数据库不符（${other.map(([name]) => name).join('、')}）：数据库中的数据是用其他密钥写入的，因此未启动，也未作任何改动。请恢复属于该数据库的密钥文件，或检查 DATA_DIR、SECRETS_FILE 和 DATABASE_URL 是否指向同一套安装。`,
      `The secrets file ${file} does not belong to the database (${other.map(([name]) => name).join(', ')}): its data was written with other keys, so nothing was started and nothing was changed. Bring back the file that belongs to it, or see whether DATA_DIR, SECRETS_FILE and DATABASE_URL are those of one installation.`,
    )
  return true
}

/** Writes the check values of the keys that a database begins with. */
export async function keepKeys(client: pg.ClientBase, secrets: Secrets): Promise<void> {
  for (const [name, value] of checksOf(secrets))
    await client.query('insert into key_check (name, value) values ($1, $2) on conflict (name) do nothing', [
      name,
      value,
    ])
}

/** Takes other keys for those of the database from now on: what the former ones encrypted stays unreadable. */
export async function acceptKeys(client: pg.ClientBase, secrets: Secrets): Promise<void> {
  if (!(await known(client, 'key_check')))
    throw new StartError(
      '该数据库尚未由本版本启动过，没有可替换的密钥校验值。',
      'This version has not been started on this database yet: there is no check value to replace.',
    )
  await client.query('begin')
  await client.query('delete from key_check')
  await keepKeys(client, secrets)
  await client.query('commit')
}
