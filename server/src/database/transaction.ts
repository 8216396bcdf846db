import type { Writable } from 'node:stream'
import type pg from 'pg'
import { compile, type Query, type Statement, sql } from './statement.ts'

const tenantCode = /^[0-9]{6}$/

/** Whether a text may name a tenant: six digits. Anything else never reaches the database. */
export const isTenantCode = (value: unknown): value is string => typeof value === 'string' && tenantCode.test(value)

/** One open transaction: the only thing that runs statements. */
export interface Tx {
  /**
   * Runs a statement; answers its rows. With `last`, the commit may travel with it: for a transaction that only reads
   * and asks nothing more.
   */
  run<T = Record<string, unknown>>(query: Query | Statement, last?: boolean): Promise<T[]>
  /** The first row, or undefined. */
  one<T = Record<string, unknown>>(query: Query | Statement): Promise<T | undefined>
  /** Rows touched by a statement that answers none. */
  count(query: Query | Statement): Promise<number>
  /** Lets what follows in this transaction take longer than a request may. */
  allow(limits: Limits): Promise<void>
}

/** How long statements, locks and pauses of a transaction may take, in seconds; 0 is without end. */
export interface Limits {
  readonly statement: number
  readonly lock?: number
  readonly idle?: number
}

/**
 * How long one answer of the database is waited for, a free connection among it, in milliseconds: whoever meets an outage
 * is told so within five seconds. A statement that the database still works on then is ended by its own limit.
 */
export const silenceMs = 4_500
/** How much longer than a limit of the database's own its answer is waited for, in milliseconds. */
export const graceMs = 1_000
/** What is left for the first statement, however long a connection was waited for. */
const openingLeastMs = 500
/** The longest that a timer takes, in milliseconds. */
export const endlessMs = 2 ** 31 - 1

/** The connection was lost while a transaction was being committed: nobody knows whether it is kept. */
export class UnknownOutcome extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during a commit', { cause })
  }
}

/** Whether an error is the database's refusal of a statement: every other is one of the connection. */
const isRefusal = (error: unknown): boolean => (error as { severity?: unknown } | null)?.severity === 'ERROR'

const statementOf = (query: Query | Statement): Statement =>
  'text' in query && 'values' in query ? (query as Statement) : compile(query as Query)

let prepareStatements = true
/** Turns prepared statements off for the whole process: an old pooler cannot carry them. */
export function setPrepare(on: boolean): void {
  prepareStatements = on
}

class ClientTx implements Tx {
  readonly #client: pg.PoolClient
  /** In place of the pool's own limit. */
  answerMs: number | undefined
  /** The commit that travelled with the last statement. */
  ended: Promise<unknown> | undefined

  constructor(client: pg.PoolClient) {
    this.#client = client
  }
  async run<T>(query: Query | Statement, last = false): Promise<T[]> {
    return (await (last ? this.#last(query) : this.#query(query))).rows as T[]
  }
  async one<T>(query: Query | Statement): Promise<T | undefined> {
    return (await this.#query(query)).rows[0] as T | undefined
  }
  async count(query: Query | Statement): Promise<number> {
    return (await this.#query(query)).rowCount ?? 0
  }
  #last(query: Query | Statement): Promise<pg.QueryResult> {
    const { stream } = (this.#client as unknown as { connection: { stream: Writable } }).connection
    // One packet for both. A statement that fails makes the commit a rollback.
    stream.cork()
    const asked = this.#query(query)
    this.ended ??= this.#client.query({ text: 'commit', ...this.#limit })
    stream.uncork()
    // Told by whoever closes the transaction.
    this.ended.catch(() => {})
    return asked
  }
  #query(query: Query | Statement): Promise<pg.QueryResult> {
    if (this.ended) return Promise.reject(new Error('a transaction was asked for more after its last statement'))
    const { text, values, name } = statementOf(query)
    return this.#client.query({
      text,
      values,
      ...(name && prepareStatements ? { name } : {}),
      ...this.#limit,
    })
  }
  get #limit(): { query_timeout?: number } {
    return this.answerMs === undefined ? {} : { query_timeout: this.answerMs }
  }
  end(how: 'commit' | 'rollback'): Promise<unknown> {
    return this.ended ?? this.#client.query({ text: how, ...this.#limit })
  }
  async allow({ statement, lock, idle }: Limits): Promise<void> {
    const settings = { statement_timeout: statement, lock_timeout: lock, idle_in_transaction_session_timeout: idle }
    for (const [name, seconds] of Object.entries(settings))
      if (seconds !== undefined) await this.#query(sql`select set_config(${name}, ${`${seconds}s`}, true)`)
    this.answerMs = statement === 0 ? endlessMs : statement * 1_000 + graceMs
  }
}

/** A transaction that has been opened and must be closed by exactly one of `commit` and `rollback`. */
export interface OpenTx {
  readonly tx: Tx
  /** Rows of the statement that travelled with the opening. */
  readonly opening: Record<string, unknown>[]
  commit(): Promise<void>
  rollback(): Promise<void>
}

/**
 * Opens a transaction that names its tenant in the same round trip, and reads `reading` with it. `reading` is sent by
 * the simple protocol, which takes no bound values: it is made only by functions of this folder and of
 * kernel/authenticate.ts from parts that were checked against a pattern.
 * `set local` only: behind a pooler a session-level setting answers other tenants' rows.
 */
export async function openTransaction(pool: pg.Pool, tenantId: string, reading = ''): Promise<OpenTx> {
  if (!isTenantCode(tenantId)) throw new Error('a transaction needs a tenant code of six digits')
  return begin(pool, `begin; set local app.tenant_id = '${tenantId}'; ${reading}`)
}

async function begin(pool: pg.Pool, text: string): Promise<OpenTx> {
  const asked = performance.now()
  const client = await pool.connect()
  const waited = performance.now() - asked
  const tx = new ClientTx(client)
  let broken: Error | undefined
  const close = async (how: 'commit' | 'rollback'): Promise<void> => {
    try {
      await tx.end(how)
    } catch (error) {
      // Whatever holds a connection that does not answer is thrown away with it.
      broken = error as Error
      throw how === 'rollback' || tx.ended || isRefusal(error) ? error : new UnknownOutcome(error)
    } finally {
      client.release(broken)
    }
  }
  const rollback = (): Promise<void> => close('rollback').catch(() => {})
  try {
    const limit = { query_timeout: Math.max(openingLeastMs, silenceMs - waited) }
    const results = (await client.query({ text, ...limit })) as unknown as pg.QueryResult[] | pg.QueryResult
    return {
      tx,
      opening: Array.isArray(results) ? (results.at(-1)?.rows ?? []) : [],
      commit: () => close('commit'),
      rollback,
    }
  } catch (error) {
    await rollback()
    throw error
  }
}

/** Runs `work` in one transaction of a tenant: all of it is kept, or nothing. */
export const inTenant = async <T>(pool: pg.Pool, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  within(await openTransaction(pool, tenantId), work)

/** Runs `work` in one transaction of the owner or platform role, without a tenant. */
export const inPlatform = async <T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> =>
  within(await begin(pool, 'begin'), work)

async function within<T>(opened: OpenTx, work: (tx: Tx) => Promise<T>): Promise<T> {
  let answer: T
  try {
    answer = await work(opened.tx)
  } catch (error) {
    await opened.rollback()
    throw error
  }
  await opened.commit()
  return answer
}
