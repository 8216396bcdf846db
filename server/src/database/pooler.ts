import pg from 'pg'
import { StartError } from '../start-error.ts'
import { appSettings } from './connect.ts'

const backendOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid

/**
 * Refuses an owner's connection that leads through a pooler which hands out PostgreSQL's processes by the transaction:
 * migrations hold a lock of their session, and notifications are heard by one. `client` is connected by `config`.
 */
export async function refusePooled(config: pg.ClientConfig, client: pg.Client): Promise<void> {
  // PostgreSQL tells its own process at the log-in; a pooler tells a number that it made up.
  if ((await backendOf(client)) === (client as unknown as { processID: number | null }).processID) return
  const other = new pg.Client(config)
  await other.connect()
  try {
    // Two connections that stand at the same time and are served by one process.
    for (let tries = 0; tries < 5; tries += 1)
      if ((await backendOf(client)) === (await backendOf(other)))
        throw new StartError(
          'DATABASE_URL 经过按事务分配连接的连接池（如 PgBouncer 的 transaction 模式），无法用于迁移和通知。请让 DATABASE_URL 直连 PostgreSQL，把连接池的地址（应用角色）写入 DATABASE_APP_URL。',
          'DATABASE_URL leads through a pooler that pools by transaction (such as PgBouncer in transaction mode): migrations and notifications cannot work through it. Let DATABASE_URL lead to PostgreSQL itself, and put the address of the pooler, with the app role, into DATABASE_APP_URL.',
        )
  } finally {
    await other.end()
  }
}

/**
 * Gives a role, for good, the settings that its connections otherwise bring along: a pooler does not pass them on. Answers
 * whether the owner may.
 */
export async function settleRole(owner: pg.Client, role: string): Promise<boolean> {
  try {
    for (const [name, value] of Object.entries(appSettings))
      await owner.query(`alter role ${pg.escapeIdentifier(role)} set ${name} = ${pg.escapeLiteral(value)}`)
    return true
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '42501') throw error
    return false
  }
}

/** Refuses connections that do not have the settings of the role: dates would be those of another zone. */
export async function refuseUnsettled(pool: pg.Pool): Promise<void> {
  const wrong: string[] = []
  for (const [name, value] of Object.entries(appSettings)) {
    const { rows } = await pool.query<{ same: boolean; stands: string }>(
      name === 'TimeZone'
        ? `select current_setting($1) = $2 as same, current_setting($1) as stands`
        : `select (select setting::bigint from pg_settings where name = $1) = extract(epoch from $2::interval) * 1000 as same, current_setting($1) as stands`,
      [name, value],
    )
    if (!rows[0]!.same) wrong.push(`${name} = ${rows[0]!.stands}`)
  }
  if (wrong.length === 0) return
  const wanted = Object.entries(appSettings)
    .map(([name, value]) => `${name} = '${value}'`)
    .join(', ')
  throw new StartError(
    `经 DATABASE_APP_URL 的连接设置不正确（${wrong.join(', ')}）。请用 alter role … set 为应用角色设置 ${wanted}，并让连接池重新连接(PgBouncer: RECONNECT)。`,
    `Connections by DATABASE_APP_URL have other settings (${wrong.join(', ')}). Give the app role ${wanted} by “alter role … set”, and let the pooler connect anew (PgBouncer: RECONNECT).`,
  )
}

/** Refuses a pooler that hands out processes by the transaction and does not carry prepared statements from one to the other. */
export async function refuseUnprepared(pool: pg.Pool): Promise<void> {
  const clients = [await pool.connect(), await pool.connect()]
  try {
    for (let tries = 0; tries < 4; tries += 1)
      for (const client of clients)
        await client.query({ name: 'data-brain-try', text: 'select $1::int', values: [tries] })
  } catch (error) {
    // It is there already, or not there any more.
    if (!['42P05', '26000', '08P01'].includes((error as pg.DatabaseError).code ?? '')) throw error
    throw new StartError(
      'DATABASE_APP_URL 的连接池不支持预备语句：请在 PgBouncer(1.21 及以上)设置 max_prepared_statements，或设置 DATABASE_PREPARE=off。',
      'The pooler of DATABASE_APP_URL carries no prepared statements: set max_prepared_statements in PgBouncer (1.21 or newer), or DATABASE_PREPARE=off.',
    )
  } finally {
    for (const client of clients) client.release(true)
  }
}
