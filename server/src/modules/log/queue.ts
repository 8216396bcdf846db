import type { LogKind } from '@data-brain/contract/entities/log/logs'
import type pg from 'pg'
import { codeLock } from '../../database/locks.ts'
import { sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { platformTenant } from '../../entity/model.ts'
import type { Log } from '../../kernel/log.ts'
import { type LogRow, usualRow } from './row.ts'
import { writeRows } from './write.ts'

export interface QueueOptions {
  /** A connection of the app role that no request waits for. */
  readonly pool: pg.Pool
  readonly log: Log
  /** Rows that may wait; 10,000 where not given. */
  readonly capacity?: number
  /** Bytes that may wait, roughly; 16 MB. */
  readonly bytes?: number
  /** Rows written at once; 500. */
  readonly batch?: number
  /** Longest that a row waits while the database is there, in ms; 500. */
  readonly every?: number
}

const kinds: readonly LogKind[] = ['usual', 'api', 'error']
const slowest = 30_000
/** Tenants whose losses are told apart; those of more are counted under the platform's. */
const tenantsTold = 1_000

/**
 * Rows on their way into the logs: one such queue in a process. Putting one in neither waits nor throws; when the queue
 * is full, or one tenant fills half of it, a row is dropped and counted, and the log of that tenant tells how many were
 * as soon as it can be written again. While the database is away the rows wait, and it is asked ever more seldom.
 */
export class LogQueue {
  readonly #pool: pg.Pool
  readonly #log: Log
  readonly #capacity: number
  readonly #bytes: number
  readonly #batch: number
  readonly #every: number
  #rows: LogRow[] = []
  #weight = 0
  readonly #held = new Map<string, number>()
  readonly #untold = new Map<string, number>()
  readonly #lost = new Map<string, number>()
  #written = 0
  #dropped = 0
  #pause: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #stopped = false

  constructor(options: QueueOptions) {
    this.#pool = options.pool
    this.#log = options.log
    this.#capacity = options.capacity ?? 10_000
    this.#bytes = options.bytes ?? 16_777_216
    this.#batch = options.batch ?? 500
    this.#every = options.every ?? 500
    this.#pause = this.#every
  }

  /** Puts a row in; false where it was dropped. */
  push(row: LogRow): boolean {
    const held = this.#held.get(row.tenantId) ?? 0
    if (
      this.#stopped ||
      this.#rows.length >= this.#capacity ||
      this.#weight + row.weight > this.#bytes ||
      held >= this.#capacity / 2
    ) {
      this.drop(row.tenantId)
      return false
    }
    this.#rows.push(row)
    this.#weight += row.weight
    this.#held.set(row.tenantId, held + 1)
    this.#wake(this.#rows.length >= this.#batch && this.#pause === this.#every ? 0 : this.#pause)
    return true
  }

  /** Counts a row that was not even made: somebody floods the log. */
  drop(tenantId: string, rows = 1): void {
    this.#dropped += rows
    for (const counts of [this.#lost, this.#untold]) {
      const name = counts.has(tenantId) || counts.size < tenantsTold ? tenantId : platformTenant
      counts.set(name, (counts.get(name) ?? 0) + rows)
    }
  }

  /** What stands: rows that wait, that were written and that were lost since the process began. */
  state(): { queued: number; written: number; dropped: number } {
    return { queued: this.#rows.length, written: this.#written, dropped: this.#dropped }
  }

  /** Rows of one tenant that this process has lost. */
  lostOf(tenantId: string): number {
    return this.#lost.get(tenantId) ?? 0
  }

  /** Writes what waits; ends when all of it is written, or the database is away. */
  async flush(): Promise<void> {
    while (this.#rows.length > 0 || this.#running) {
      const before = this.#rows.length
      await (this.#running ?? this.#start())
      if (this.#pause > this.#every && this.#rows.length >= before) return
    }
  }

  /** Writes what waits, for at most so long; takes nothing more. */
  async stop(most = 3_000): Promise<void> {
    clearTimeout(this.#timer)
    this.#stopped = true
    let limit: NodeJS.Timeout | undefined
    await Promise.race([
      this.flush(),
      new Promise<void>((done) => {
        limit = setTimeout(done, most)
      }),
    ])
    clearTimeout(limit)
    if (this.#rows.length > 0) this.#log.warn('log rows were not written at stop', { rows: this.#rows.length })
    clearTimeout(this.#timer)
  }

  #wake(after: number): void {
    if (this.#running || (this.#timer && after > 0)) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#start(), after).unref()
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#running = this.#next().finally(() => {
      this.#running = undefined
      if (this.#rows.length > 0 && !this.#stopped)
        this.#wake(this.#rows.length >= this.#batch && this.#pause === this.#every ? 0 : this.#pause)
    })
    return this.#running
  }

  async #next(): Promise<void> {
    const batch = this.#rows.slice(0, this.#batch)
    const done = new Set<LogRow>()
    try {
      const byTenant = Map.groupBy(batch, (row) => row.tenantId)
      for (const [tenantId, rows] of byTenant) {
        await this.#writeTenant(tenantId, rows)
        for (const row of rows) done.add(row)
      }
      this.#pause = this.#every
    } catch (error) {
      this.#pause = Math.min(slowest, Math.max(1_000, this.#pause * 2))
      this.#log.warn('logs cannot be written just now', { error: (error as Error).message, waiting: this.#rows.length })
    }
    // Those in front are the batch: others have only been put behind them meanwhile.
    this.#rows = [...batch.filter((row) => !done.has(row)), ...this.#rows.slice(batch.length)]
    for (const row of done) {
      this.#weight -= row.weight
      const held = (this.#held.get(row.tenantId) ?? 1) - 1
      if (held > 0) this.#held.set(row.tenantId, held)
      else this.#held.delete(row.tenantId)
    }
  }

  async #writeTenant(tenantId: string, rows: readonly LogRow[]): Promise<void> {
    const untold = this.#untold.get(tenantId) ?? 0
    const all = untold > 0 ? [...rows, lossOf(tenantId, untold)] : rows
    try {
      await this.#write(tenantId, all)
    } catch (error) {
      if (!isUnfit(error)) throw error
      // One of them cannot be kept: the others are written one by one.
      this.#log.error('a log row cannot be written', { tenantId, error: (error as Error).message })
      for (const row of all)
        await this.#write(tenantId, [row]).catch((each: unknown) => {
          if (!isUnfit(each)) throw each
          this.drop(tenantId)
        })
    }
    if (untold > 0) {
      const left = (this.#untold.get(tenantId) ?? untold) - untold
      if (left > 0) this.#untold.set(tenantId, left)
      else this.#untold.delete(tenantId)
    }
  }

  async #write(tenantId: string, rows: readonly LogRow[]): Promise<void> {
    await inTenant(this.#pool, tenantId, async (tx) => {
      // A log that is lost with a crash of the machine is a lesser loss than a disk that is waited for.
      await tx.run(sql`set local synchronous_commit = off`)
      // Beside a purge nothing is written: it would be left behind. The tenant is there, or gone, once this is held.
      const free = await tx.one<{ held: boolean }>(
        sql`select pg_try_advisory_xact_lock_shared(${codeLock(tenantId)}) as held`,
      )
      if (!free?.held) return
      for (const kind of kinds) {
        const chosen = rows.filter((row) => row.kind === kind)
        if (chosen.length > 0) await writeRows(tx, tenantId, kind, chosen)
      }
    })
    this.#written += rows.length
  }
}

const lossOf = (tenantId: string, rows: number): LogRow =>
  usualRow(
    { tenantId, createBy: '日志', title: `丢失日志 ${rows} 条 / ${rows} log rows lost`, serviceId: 'log' },
    { event: 'lost', level: 'warn', data: JSON.stringify({ rows }) },
  )

/** Whether what was to be written is at fault, and not the connection: a value that does not fit, no partition for it. */
const isUnfit = (error: unknown): boolean => /^(22|23|42)/.test(String((error as { code?: unknown }).code ?? ''))
