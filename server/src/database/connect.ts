import pg from 'pg'
import { graceMs, silenceMs } from './transaction.ts'

/** How the parsers turn PostgreSQL's texts into wire values: nothing is made into a Date and back. */
const int8 = 20
const numeric = 1700
const date = 1082
const time = 1083
const timestamptz = 1184
const jsonb = 3802

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?[0-9]+$/.test(context?.source ?? '')
    ? context!.source
    : value
}

const parsers: Record<number, (text: string) => unknown> = {
  [int8]: (text) => text,
  [numeric]: Number,
  [date]: (text) => text,
  [time]: (text) => text.slice(0, 5),
  [timestamptz]: (text) => text.slice(0, 19),
  // Ids do not fit into a JavaScript number: whole numbers that would lose digits stay texts.
  [jsonb]: (text) => JSON.parse(text, keepDigits),
}
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) ||
    pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/** Instants travel as `yyyy-MM-dd HH:mm:ss` in this zone. */
export const zone = 'Asia/Shanghai'

/** What holds on the connections of the app role: the zone, and how long a statement, a lock and a pause may take. */
export const appSettings = {
  TimeZone: zone,
  statement_timeout: '5s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '60s',
} as const

export interface PoolOptions {
  readonly size: number
  readonly statementTimeout?: number
  readonly lockTimeout?: number
}

/**
 * A pool whose connections speak the wire's dates. Statements are cut after `statementTimeout` ms (5,000) and wait
 * for locks at most `lockTimeout` ms (2,000).
 */
export function makePool(connection: string | pg.ClientConfig, options: PoolOptions): pg.Pool {
  const given = typeof connection === 'string' ? { connectionString: connection } : connection
  const pool = new pg.Pool({
    ...given,
    max: options.size,
    types,
    // A commit may be sent behind a statement that has not answered yet (Tx.run).
    pipeline: true,
    connectionTimeoutMillis: 4_000,
    // What is sent into a network that swallows it is given up on, and the connection with it.
    query_timeout: options.statementTimeout === undefined ? silenceMs : options.statementTimeout + graceMs,
    idleTimeoutMillis: 60_000,
    // A database that vanished without a word is found out.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'data-brain',
    options: `-c TimeZone=${zone} -c statement_timeout=${options.statementTimeout ?? 5_000} -c lock_timeout=${options.lockTimeout ?? 2_000} -c idle_in_transaction_session_timeout=60000`,
  })
  return outliving(pool)
}

/**
 * Listens to every connection of a pool for as long as it lives. The pool listens to idle ones alone: one that is lost
 * while somebody holds it would end the process. Whoever holds it is told by the statement that fails.
 */
function outliving(pool: pg.Pool): pg.Pool {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Another pool of the same role with the same settings, for work that must not take the connections of requests. */
export function siblingPool(pool: pg.Pool, size: number): pg.Pool {
  // The password of a pool's options is not listed with them.
  return outliving(new pg.Pool({ ...pool.options, password: pool.options.password, max: size }))
}
