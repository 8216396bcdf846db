import type { Writable } from 'node:stream'
import type pg from 'pg'
import { compile, type Query, type Statement } from './statement.ts'

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
}

const statementOf = (query: Query | Statement): Statement =>
  'text' in query && 'values' in query ? (query as Statement) : compile(query as Query)

let prepareStatements = true
/** Turns prepared statements off for the whole process: an old pooler cannot carry them. */
export function setPrepare(on: boolean): void {
  prepareStatements = on
}

class ClientTx implements Tx {
  readonly #client: pg.PoolClient
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
    this.ended ??= this.#client.query('commit')
    stream.uncork()
    // Told by whoever closes the transaction.
    this.ended.catch(() => {})
    return asked
  }
  #query(query: Query | Statement): Promise<pg.QueryResult> {
    if (this.ended) return Promise.reject(new Error('a transaction was asked for more after its last statement'))
    const statement = statementOf(query)
    return this.#client.query(
      statement.name && prepareStatements
        ? { text: statement.text, values: statement.values, name: statement.name }
        : { text: statement.text, values: statement.values },
    )
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
export async function open(pool: pg.Pool, tenantId: string, reading = ''): Promise<OpenTx> {
  if (!isTenantCode(tenantId)) throw new Error('a transaction needs a tenant code of six digits')
  const client = await pool.connect()
  let broken: Error | undefined
  const tx = new ClientTx(client)
  const close = async (how: 'commit' | 'rollback'): Promise<void> => {
    try {
      await (tx.ended ?? client.query(how))
    } catch (error) {
      broken = error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }
  try {
    const results = (await client.query(
      `begin; set local app.tenant_id = '${tenantId}'; ${reading}`,
    )) as unknown as pg.QueryResult[]
    return {
      tx,
      opening: reading ? (results.at(-1)?.rows ?? []) : [],
      commit: () => close('commit'),
      rollback: () => close('rollback').catch(() => {}),
    }
  } catch (error) {
    await client.query('rollback').catch((lost: Error) => {
      broken = lost
    })
    client.release(broken)
    throw error
  }
}

/** Runs `work` in one transaction of a tenant: all of it is kept, or nothing. */
export async function inTenant<T>(pool: pg.Pool, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const opened = await open(pool, tenantId)
  try {
    const answer = await work(opened.tx)
    await opened.commit()
    return answer
  } catch (error) {
    await opened.rollback()
    throw error
  }
}

/** Runs `work` in one transaction of the owner or platform role, without a tenant. */
export async function inPlatform<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const tx = new ClientTx(client)
    const answer = await work(tx)
    await (tx.ended ?? client.query('commit'))
    return answer
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}
