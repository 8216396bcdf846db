import type { Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant, type Tx } from '../../database/transaction.ts'
import type { Actor, Circumstance } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import { problemOf } from '../../kernel/problem-of.ts'
import type { Services } from '../../kernel/services.ts'
import { type Batch, batchOf, type State } from './batch.ts'
import { FileFault } from './limits.ts'

/** A piece of work on one batch, outside any request. */
export interface Job {
  readonly services: Services
  readonly tenantId: string
  readonly batchId: string
  readonly actor: Actor
  readonly circumstance: Circumstance
}

/** Where a batch stands that was being worked on when its process ended. */
const fallback: Partial<Record<State, State>> = {
  reading: 'failed',
  checking: 'mapping',
  committing: 'checked',
  undoing: 'done',
}
const interrupted: Words = { zh: '处理被中断,请重试', en: 'The work was interrupted: try again' }
const busy = Object.keys(fallback) as State[]

/** Jobs at once in this process; the rest waits. */
const atOnce = 2
let running = 0
const waiting: (() => void)[] = []
const started = new Set<Promise<void>>()

/** Statements of a job have their own limits, far above those of a request. */
export const jobLimits = sql`select set_config('statement_timeout', '120s', true), set_config('lock_timeout', '10s', true), set_config('idle_in_transaction_session_timeout', '120s', true)`

const lockKey = (job: Pick<Job, 'tenantId' | 'batchId'>): string => `import|${job.tenantId}|${job.batchId}`

/** Takes the batch for the length of the transaction; false when somebody works on it. */
const take = async (tx: Tx, job: Pick<Job, 'tenantId' | 'batchId'>): Promise<boolean> =>
  (
    await tx.one<{ taken: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${lockKey(job)}, 0)) as taken`,
    )
  )?.taken === true

/** Tells how far a job is; seen by everybody at once, since it is no part of the job's own transaction. */
export type Progress = (done: number) => Promise<void>

const told = 300

function progressOf(job: Job): Progress {
  let last = 0
  return async (done) => {
    const now = Date.now()
    // The loop goes on between two pieces of work whether or not anything is told.
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (stopping) throw new Problem('rule_broken', { reason: interrupted })
    if (now - last < told) return
    last = now
    await inTenant(job.services.pool, job.tenantId, (tx) =>
      tx.run(
        sql`update import_batch set progress = ${done}, update_time = now() where tenant_id = ${job.tenantId} and id = ${job.batchId}`,
      ),
    )
  }
}

/**
 * Starts the work on a batch that the request has put into state `from`. The work runs in one transaction of its own
 * and begins once the request's is durable. Asked twice, it is done once: the batch is taken by a lock, and whoever
 * comes later finds it in another state.
 */
export function startJob(
  job: Job,
  from: State,
  work: (tx: Tx, batch: Batch, progress: Progress) => Promise<void>,
): void {
  const done = run(job, from, work).finally(() => started.delete(done))
  started.add(done)
}

let stopping = false

/** Lets no job go on: each gives up at its next sign of life, is rolled back, and can be tried again. */
export async function stopImports(): Promise<void> {
  stopping = true
  try {
    await jobsEnded()
  } finally {
    stopping = false
  }
}

/** Ends when every job of this process has ended. */
export async function jobsEnded(): Promise<void> {
  while (started.size > 0) await Promise.all(started)
}

async function run(
  job: Job,
  from: State,
  work: (tx: Tx, batch: Batch, progress: Progress) => Promise<void>,
): Promise<void> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  const { services, tenantId, batchId } = job
  try {
    // The request's transaction holds the row until it is durable.
    const batch = await inTenant(services.pool, tenantId, (tx) => batchOf(tx, tenantId, batchId, true))
    if (batch.state !== from) return
    await inTenant(services.pool, tenantId, async (tx) => {
      await tx.run(jobLimits)
      if (!(await take(tx, job))) return
      if ((await batchOf(tx, tenantId, batchId)).state === from) await work(tx, batch, progressOf(job))
    })
  } catch (error) {
    await fail(job, from, error)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** Puts a batch whose work failed back to where it can be tried again, with the reason in words. */
async function fail(job: Job, from: State, error: unknown): Promise<void> {
  const { services, tenantId, batchId, circumstance } = job
  const problem = problemOf(error, circumstance)
  const words: Words = error instanceof FileFault ? error.words : { zh: problem.words('zh'), en: problem.words('en') }
  // A message of the database may carry a value of the file: only its place is logged.
  if (!(error instanceof FileFault) && !(error instanceof Problem))
    services.log.error('import', {
      requestId: circumstance.requestId,
      batchId,
      from,
      code: (error as { code?: string }).code,
      at: error instanceof Error ? error.stack?.replace(error.message, '') : '',
    })
  await inTenant(services.pool, tenantId, (tx) =>
    tx.run(
      sql`update import_batch set state = ${fallback[from] ?? 'failed'}, failure = ${JSON.stringify(words)}, progress = 0, update_time = now()
          where tenant_id = ${tenantId} and id = ${batchId} and state = ${from}`,
    ),
  ).catch((lost: Error) => services.log.error('import', { batchId, from, at: lost.stack }))
}

/**
 * Sets back the batches of a tenant that say they are being worked on while nobody does: their process has ended.
 * `idle` seconds must have passed since a sign of life.
 */
export async function reviveBatches(tx: Tx, tenantId: string, idle: number): Promise<void> {
  const stuck = await tx.run<{ id: string; state: State }>(
    sql`select id, state from import_batch where tenant_id = ${tenantId} and state = any(${busy}::text[]) and update_time <= now() - make_interval(secs => ${idle})`,
  )
  for (const { id, state } of stuck) {
    if (!(await take(tx, { tenantId, batchId: id }))) continue
    await tx.run(
      sql`update import_batch set state = ${fallback[state] ?? 'failed'}, failure = ${JSON.stringify(interrupted)}, progress = 0, update_time = now()
          where tenant_id = ${tenantId} and id = ${id} and state = ${state}`,
    )
  }
}

/** At start: sets back what an ended process left half done, in every tenant. */
export async function recoverImports(services: Services): Promise<void> {
  const tenants = await inPlatform(services.platform, (tx) =>
    tx.run<{ tenant_id: string }>(sql`select tenant_id from tenant`),
  )
  for (const { tenant_id } of tenants) await inTenant(services.pool, tenant_id, (tx) => reviveBatches(tx, tenant_id, 0))
}
