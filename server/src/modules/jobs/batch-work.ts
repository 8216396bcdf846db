import type { Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant, type Tx } from '../../database/transaction.ts'
import type { Actor, Circumstance } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { startJob } from './ask.ts'
import { type Batch, batchOf, type Kind, needState, type State, setState } from './batch.ts'
import { dropFile, hasFile } from './keep-file.ts'
import { openJobs } from './row.ts'
import { jobLimits } from './run.ts'
import { addWork, interruptedWords, kindsOf, type Progress, type Result } from './work.ts'

/** A piece of work on one batch. */
export interface BatchJob {
  readonly services: Services
  readonly tenantId: string
  readonly kind: Kind
  readonly batchId: string
  readonly actor: Actor
  readonly circumstance: Circumstance
  readonly input: Readonly<Record<string, unknown>>
}

type Step = Extract<State, 'reading' | 'checking' | 'committing' | 'undoing'>

/** What jobs of a kind are like. */
interface Manner {
  /** At once in one process; the rest waits. */
  readonly atOnce: number
  /** Where a batch stands whose work failed, or that was being worked on when its process ended. */
  readonly fallback: Partial<Record<State, State>>
}
const ofRows: Manner['fallback'] = { reading: 'failed', checking: 'mapping', committing: 'checked', undoing: 'done' }
const usual: Manner = { atOnce: 1, fallback: ofRows }
const manners: Readonly<Partial<Record<Kind, Manner>>> = {
  student: { atOnce: 2, fallback: ofRows },
  // An archive may unpack to 200 MB.
  oneroster: { atOnce: 1, fallback: { checking: 'failed', committing: 'checked' } },
}
const mannerOf = (kind: Kind): Manner => manners[kind] ?? usual
const fallbackOf = (kind: Kind, state: State): State => mannerOf(kind).fallback[state] ?? 'failed'
const busy: readonly State[] = ['reading', 'checking', 'committing', 'undoing']

const lockKey = (tenantId: string, batchId: string): string => `import|${tenantId}|${batchId}`

/** Takes the batch for the length of the transaction; false when somebody works on it. */
const take = async (tx: Tx, tenantId: string, batchId: string): Promise<boolean> =>
  (
    await tx.one<{ taken: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${lockKey(tenantId, batchId)}, 0)) as taken`,
    )
  )?.taken === true

const kindOf = (kind: Kind, step: Step): string => `${kind}-${step}`

/**
 * Says how a step of the batches of a kind is done. It is done in one transaction of its own, in which the job ends as
 * well. A step that only looks (reading, checking) is begun anew after its process has died; one that writes is put
 * back, and somebody decides.
 */
export function addBatchWork(
  kind: Kind,
  step: Step,
  code: string,
  work: (job: BatchJob, tx: Tx, progress: Progress) => Promise<Result | undefined>,
  /** Looks, once a failed run is taken back, at why it failed; what it answers is told in place of the error. */
  lookInto?: (job: BatchJob, progress: Progress, error: unknown) => Promise<Problem | undefined>,
): void {
  addWork({
    kind: kindOf(kind, step),
    queue: kind,
    atOnce: mannerOf(kind).atOnce,
    code,
    again: step === 'reading' || step === 'checking',
    run: async ({ services, job, actor, circumstance, progress, end }) => {
      const { tenantId, subjectId, input } = job
      const batchId = subjectId!
      const told: Progress = (done, total, more) =>
        progress(done, total, {
          ...more,
          also: (tx) =>
            tx.run(
              sql`update import_batch set progress = ${done}, total = coalesce(${total ?? null}::int, total), update_time = now() where tenant_id = ${tenantId} and id = ${batchId}`,
            ),
        })
      await inTenant(services.pool, tenantId, async (tx) => {
        await tx.allow(jobLimits)
        // Whoever holds the row now has yet to end.
        needState(await batchOf(tx, tenantId, kind, batchId, true), step)
      })
      const batchJob: BatchJob = { services, tenantId, kind, batchId, actor, circumstance, input }
      try {
        await inTenant(services.pool, tenantId, async (tx) => {
          await tx.allow(jobLimits)
          if (!(await take(tx, tenantId, batchId))) throw new Problem('rule_broken', { reason: atWork })
          needState(await batchOf(tx, tenantId, kind, batchId), step)
          await end(tx, await work(batchJob, tx, told))
        })
      } catch (error) {
        throw (await lookInto?.(batchJob, told, error)) ?? error
      }
      return undefined
    },
    setBack: async (tx, { tenantId, subjectId }, failure, wasInterrupted) => {
      await setBack(tx, tenantId, kind, subjectId!, step, wasInterrupted ? (cutShort[step] ?? failure) : failure)
      // A file that cannot be read or used is of no more use either.
      if (!wasInterrupted && fallbackOf(kind, step) === 'failed') await dropFile(tx, tenantId, subjectId!)
    },
    forRetry: async (tx, { tenantId, subjectId }) => {
      const batch = await batchOf(tx, tenantId, kind, subjectId!, true)
      needState(batch, fallbackOf(kind, step))
      if (batch.state === 'failed' && !(await hasFile(tx, tenantId, subjectId!)))
        throw new Problem('rule_broken', {
          reason: { zh: '文件已不再保留，请重新上传', en: 'The file is kept no longer: upload it again' },
        })
      await setState(tx, tenantId, subjectId!, step)
    },
  })
}

/** Imports of a kind that may wait or run at once, of one person and of one tenant. */
const openMost = { person: 5, tenant: 20 } as const

/** Refuses more at once than others should have to wait for. */
async function refuseMany({ tx, actor }: Pick<Call, 'tx' | 'actor'>, kind: Kind): Promise<void> {
  const { n, own } = await openJobs(tx, actor, kindsOf(kind))
  if (own < openMost.person && n < openMost.tenant) return
  throw new Problem('rule_broken', {
    reason:
      own < openMost.person
        ? {
            zh: `本租户已有${n}个导入任务在处理，请等前面的完成`,
            en: `${n} imports of this tenant are under way: wait for the earlier ones`,
          }
        : {
            zh: `最多同时有${openMost.person}个导入任务，请等前面的完成`,
            en: `At most ${openMost.person} imports at once: wait for the earlier ones`,
          },
  })
}

const atWork: Words = { zh: '该批次正在处理', en: 'The batch is being worked on' }

/** Puts a batch that the caller holds into a step, and asks for the work on it. */
export async function startBatch(
  call: Pick<Call, 'services' | 'tx' | 'actor' | 'circumstance'>,
  batch: Pick<Batch, 'id' | 'file_name'>,
  kind: Kind,
  step: Step,
  input?: Readonly<Record<string, unknown>>,
): Promise<void> {
  await refuseMany(call, kind)
  await setState(call.tx, call.actor.tenantId, batch.id, step)
  await startJob(call, kindOf(kind, step), {
    subject: batch.file_name,
    subjectId: batch.id,
    ...(input ? { input } : {}),
  })
}

/** A step that writes is all or nothing: whoever finds it interrupted is told that it was nothing. */
const cutShort: Partial<Record<State, Words>> = {
  committing: {
    zh: '处理被中断，没有写入任何内容，请重试',
    en: 'The work was interrupted and nothing was stored: try again',
  },
  undoing: {
    zh: '处理被中断，没有撤销任何内容，请重试',
    en: 'The work was interrupted and nothing was taken back: try again',
  },
}

const setBack = (tx: Tx, tenantId: string, kind: Kind, id: string, from: State, failure: Words): Promise<unknown> =>
  tx.run(
    sql`update import_batch set state = ${fallbackOf(kind, from)}, failure = ${JSON.stringify(failure)}, progress = 0, update_time = now()
        where tenant_id = ${tenantId} and id = ${id} and state = ${from}`,
  )

/** Drops what a batch that has ended keeps for a while, such as passwords to be fetched, once that time has passed. */
async function dropKept(tx: Tx, tenantId: string): Promise<void> {
  // The batches first: they are few, and the rows of one that is being worked on are many.
  const ended = await tx.run<{ id: string }>(
    sql`select id from import_batch where tenant_id = ${tenantId} and state = 'done' and (settings->>'keptUntil')::timestamptz < now()`,
  )
  if (ended.length > 0)
    await tx.run(
      sql`delete from import_row where tenant_id = ${tenantId} and batch_id = any(${ended.map(({ id }) => id)}::bigint[])`,
    )
}

/** Seconds without a sign of life after which a batch that no job works on counts as left behind. */
const idle = 15

/**
 * Sets back the batches of a tenant that say they are being worked on while there is no job for it. Those whose process
 * has died have one: the queue hands it out again. `after` seconds must have passed since a sign of life.
 */
export async function reviveBatches(tx: Tx, tenantId: string, after = idle): Promise<void> {
  await dropKept(tx, tenantId)
  const stuck = await tx.run<{ id: string; entity: Kind; state: State }>(
    sql`select b.id, b.entity, b.state from import_batch b
        where b.tenant_id = ${tenantId} and b.state = any(${[...busy]}::text[]) and b.update_time <= now() - make_interval(secs => ${after})
          and not exists (select 1 from job j where j.tenant_id = b.tenant_id and j.subject_id = b.id and j.state in ('waiting', 'running'))`,
  )
  for (const { id, entity, state } of stuck)
    if (await take(tx, tenantId, id))
      await setBack(tx, tenantId, entity, id, state, cutShort[state] ?? interruptedWords)
}

/** At start: sets back what was left half done without a job, in every tenant. */
export async function recoverBatches(services: Services): Promise<void> {
  const tenants = await inPlatform(services.platform, (tx) =>
    tx.run<{ tenant_id: string }>(sql`select tenant_id from tenant`),
  )
  for (const { tenant_id } of tenants) await inTenant(services.pool, tenant_id, (tx) => reviveBatches(tx, tenant_id, 0))
}
