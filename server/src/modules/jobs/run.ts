import type { Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant, type Tx } from '../../database/transaction.ts'
import type { Actor, Circumstance } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import { problemOf } from '../../kernel/problem-of.ts'
import type { Call } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { batchOf, type Kind, type State } from './batch.ts'

/** A piece of work on one batch, outside any request. */
export interface Job {
  readonly services: Services
  readonly tenantId: string
  readonly kind: Kind
  readonly batchId: string
  readonly actor: Actor
  readonly circumstance: Circumstance
}

/** A job of whoever calls. */
export const jobOf = (
  { services, actor, circumstance }: Pick<Call, 'services' | 'actor' | 'circumstance'>,
  kind: Kind,
  batchId: string,
): Job => ({ services, tenantId: actor.tenantId, kind, batchId, actor, circumstance })

/** What jobs of a kind are like. */
interface Manner {
  /** At once in this process; the rest waits. */
  readonly atOnce: number
  /** Where a batch stands whose work failed, or that was being worked on when its process ended. */
  readonly fallback: Partial<Record<State, State>>
}
const ofRows: Manner['fallback'] = { reading: 'failed', checking: 'mapping', committing: 'checked', undoing: 'done' }
const manners: Readonly<Record<Kind, Manner>> = {
  student: { atOnce: 2, fallback: ofRows },
  user: { atOnce: 1, fallback: ofRows },
  // An archive may unpack to 200 MB.
  oneroster: { atOnce: 1, fallback: { checking: 'failed', committing: 'checked' } },
}
const fallbackOf = (kind: Kind, state: State): State => manners[kind].fallback[state] ?? 'failed'
const busy: readonly State[] = ['reading', 'checking', 'committing', 'undoing']

const interrupted: Words = { zh: '处理被中断,请重试', en: 'The work was interrupted: try again' }

interface Lane {
  running: number
  readonly waiting: (() => void)[]
}
const lanes: Readonly<Record<Kind, Lane>> = {
  student: { running: 0, waiting: [] },
  user: { running: 0, waiting: [] },
  oneroster: { running: 0, waiting: [] },
}
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

/**
 * Tells how far a job is, and of how much once that is known; seen by everybody at once, since it is no part of the
 * job's own transaction.
 */
export type Progress = (done: number, total?: number) => Promise<void>

const told = 300

function progressOf(job: Job): Progress {
  let last = 0
  return async (done, total) => {
    const now = Date.now()
    // The loop goes on between two pieces of work whether or not anything is told.
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (stopping) throw new Problem('rule_broken', { reason: interrupted })
    if (now - last < told) return
    last = now
    await inTenant(job.services.pool, job.tenantId, (tx) =>
      tx.run(
        sql`update import_batch set progress = ${done}, total = coalesce(${total ?? null}::int, total), update_time = now() where tenant_id = ${job.tenantId} and id = ${job.batchId}`,
      ),
    )
  }
}

type Work = (tx: Tx, progress: Progress) => Promise<void>

/**
 * Starts the work on a batch that the request has put into state `from`. The work runs in one transaction of its own
 * and begins once the request's is durable. Asked twice, it is done once: the batch is taken by a lock, and whoever
 * comes later finds it in another state. The promise ends with the job, however that went; it is never broken.
 */
export function startJob(job: Job, from: State, work: Work): Promise<void> {
  const done = run(job, from, work).finally(() => started.delete(done))
  started.add(done)
  return done
}

let stopping = false

/** Lets no job go on: each gives up at its next sign of life, is rolled back, and can be tried again. */
export async function stopJobs(): Promise<void> {
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

async function run(job: Job, from: State, work: Work): Promise<void> {
  await itsTurn(job)
  const { services, tenantId, kind, batchId } = job
  try {
    // The request's transaction holds the row until it is durable.
    const batch = await inTenant(services.pool, tenantId, (tx) => batchOf(tx, tenantId, kind, batchId, true))
    if (batch.state !== from) return
    await inTenant(services.pool, tenantId, async (tx) => {
      await tx.run(jobLimits)
      if (!(await take(tx, job))) return
      if ((await batchOf(tx, tenantId, kind, batchId)).state === from) await work(tx, progressOf(job))
    })
  } catch (error) {
    await fail(job, from, error)
  } finally {
    const lane = lanes[kind]
    const next = lane.waiting.shift()
    if (next) next()
    else lane.running -= 1
  }
}

/** How often a job that waits shows that it is not forgotten; well below what counts as left behind. */
const signEvery = 4_000

/** Waits until there is room for one more job of the kind. */
async function itsTurn({ services, tenantId, kind, batchId }: Job): Promise<void> {
  const lane = lanes[kind]
  if (lane.running < manners[kind].atOnce) {
    lane.running += 1
    return
  }
  const sign = setInterval(() => {
    inTenant(services.pool, tenantId, (tx) =>
      tx.run(sql`update import_batch set update_time = now() where tenant_id = ${tenantId} and id = ${batchId}`),
    ).catch((lost: Error) => services.log.warn('import', { batchId, at: lost.message }))
  }, signEvery)
  await new Promise<void>((resolve) => lane.waiting.push(resolve))
  clearInterval(sign)
}

/** The words of an error that brings its own, as one about a file does. */
const wordsOf = (error: unknown): Words | undefined => {
  const words = (error as { words?: unknown } | null)?.words
  return typeof words === 'object' ? (words as Words) : undefined
}

/** Puts a batch whose work failed back to where it can be tried again, with the reason in words. */
async function fail(job: Job, from: State, error: unknown): Promise<void> {
  const { services, tenantId, kind, batchId, circumstance } = job
  const own = wordsOf(error)
  const problem = problemOf(error, circumstance)
  const words: Words = own ?? { zh: problem.words('zh'), en: problem.words('en') }
  // A message of the database may carry a value of the file: only its place is logged.
  if (!own && !(error instanceof Problem))
    services.log.error('import', {
      requestId: circumstance.requestId,
      batchId,
      from,
      code: (error as { code?: string }).code,
      at: error instanceof Error ? error.stack?.replace(error.message, '') : '',
    })
  await inTenant(services.pool, tenantId, (tx) => setBack(tx, tenantId, kind, batchId, from, words)).catch(
    (lost: Error) => services.log.error('import', { batchId, from, at: lost.stack }),
  )
}

const setBack = (tx: Tx, tenantId: string, kind: Kind, id: string, from: State, failure: Words): Promise<unknown> =>
  tx.run(
    sql`update import_batch set state = ${fallbackOf(kind, from)}, failure = ${JSON.stringify(failure)}, progress = 0, update_time = now()
        where tenant_id = ${tenantId} and id = ${id} and state = ${from}`,
  )

/** Drops what a batch that has ended keeps for a while, such as passwords to be fetched, once that time has passed. */
const dropKept = (tx: Tx, tenantId: string): Promise<unknown> =>
  tx.run(
    sql`delete from import_row r using import_batch b
        where b.tenant_id = ${tenantId} and b.state = 'done' and (b.settings->>'keptUntil')::timestamptz < now()
          and r.tenant_id = ${tenantId} and r.batch_id = b.id`,
  )

/** Seconds without a sign of life after which a batch counts as left behind. */
const idle = 15

/**
 * Sets back the batches of a tenant that say they are being worked on while nobody does: their process has ended.
 * `after` seconds must have passed since a sign of life.
 */
export async function reviveJobs(tx: Tx, tenantId: string, after = idle): Promise<void> {
  await dropKept(tx, tenantId)
  const stuck = await tx.run<{ id: string; entity: Kind; state: State }>(
    sql`select id, entity, state from import_batch where tenant_id = ${tenantId} and state = any(${[...busy]}::text[]) and update_time <= now() - make_interval(secs => ${after})`,
  )
  for (const { id, entity, state } of stuck)
    if (await take(tx, { tenantId, batchId: id })) await setBack(tx, tenantId, entity, id, state, interrupted)
}

/** At start: sets back what an ended process left half done, in every tenant. */
export async function recoverJobs(services: Services): Promise<void> {
  const tenants = await inPlatform(services.platform, (tx) =>
    tx.run<{ tenant_id: string }>(sql`select tenant_id from tenant`),
  )
  for (const { tenant_id } of tenants) await inTenant(services.pool, tenant_id, (tx) => reviveJobs(tx, tenant_id, 0))
}
