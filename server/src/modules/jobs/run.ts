import type { Words } from '@data-brain/contract'
import { inTenant, type Limits, type Tx } from '../../database/transaction.ts'
import { platformTenant } from '../../entity/model.ts'
import { type Actor, holdsCode, system } from '../../kernel/actor.ts'
import { loadActor } from '../../kernel/load-actor.ts'
import { Problem } from '../../kernel/problem.ts'
import { problemOf } from '../../kernel/problem-of.ts'
import type { Services } from '../../kernel/services.ts'
import { endRow, type JobOrigin, takeRecurring, takeRow, tellRow } from './row.ts'
import {
  codeFor,
  interruptedWords,
  type Job,
  type Progress,
  type RecurringWork,
  type Result,
  type Work,
  type WorkContext,
  workOf,
} from './work.ts'

/** Statements of a job have their own limits, far above those of a request. */
export const jobLimits: Limits = { statement: 120, lock: 10, idle: 120 }

/** Runs after which a job that died under its process is not begun again by itself: it may be what ends the processes. */
const runsMost = 2
/** Milliseconds between two signs of life. */
const told = 300

/** The run was broken off: its process is to stop, or another has taken the job over. */
const broken = (): Problem => new Problem('rule_broken', { reason: interruptedWords })

function progressOf(services: Services, job: Job, signal: AbortSignal): Progress {
  let last = 0
  return async (done, total, more = {}) => {
    const now = Date.now()
    // The loop goes on between two pieces of work whether or not anything is told.
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (signal.aborted) throw broken()
    if (now - last < told) return
    last = now
    if (!(await tellRow(services, job, done, total, more))) throw broken()
  }
}

/** Whoever asked, as they are now: what was taken from them since is not done any more. */
async function actorOf(tx: Tx, work: Work, job: Job, asked: JobOrigin): Promise<Actor> {
  const { tenantId } = job
  if (asked.userId === null) return system(work.kind, tenantId)
  const actor = await loadActor(tx, tenantId, asked.userId, {
    sessionId: null,
    deptId: asked.deptId,
    roleId: asked.roleId,
  })
  const gone: Words = { zh: '发起人已停用或删除', en: 'Whoever asked for it is disabled or gone' }
  if (!actor) throw new Problem('rule_broken', { reason: gone })
  const code = codeFor(work, job)
  if (!holdsCode(actor, code) || (work.platform && !actor.platform)) throw new Problem('forbidden', { code })
  return actor
}

/** The words of an error that brings its own, as one about a file does. */
const wordsOf = (error: unknown): Words | undefined => {
  const words = (error as { words?: unknown } | null)?.words
  return typeof words === 'object' ? (words as Words) : undefined
}

/**
 * Does a job, if it is there to be done. Ends with the job, however that went; breaks only where the database cannot be
 * told of it, and then the queue hands the job out again.
 */
export async function perform(
  services: Services,
  tenantId: string,
  jobId: string,
  signal: AbortSignal,
  stopping: AbortSignal,
): Promise<void> {
  const taken = await takeRow(services, tenantId, jobId)
  if (!taken) return
  const { job, asked, died } = taken
  const { circumstance } = asked
  const work = workOf(job.kind)
  let ended = false
  try {
    if (!work) throw new Problem('rule_broken', { reason: { zh: '未知的任务类型', en: 'No such kind of job' } })
    if (died && (!work.again || job.tries > runsMost)) throw broken()
    const as: WorkContext['as'] = (deed, pool = services.pool) =>
      inTenant(pool, tenantId, async (tx) => deed({ tx, actor: await actorOf(tx, work, job, asked) }))
    const actor = await as(async (opened) => opened.actor)
    const context: WorkContext = {
      services,
      job,
      actor,
      circumstance,
      progress: progressOf(services, job, signal),
      signal,
      as,
      end: async (tx, result) => {
        if (!(await endRow(tx, job, { result }))) throw broken()
        ended = true
      },
    }
    const result = await work.run(context)
    if (!ended) await inTenant(services.pool, tenantId, (tx) => endRow(tx, job, { result }))
  } catch (error) {
    await settle(services, work, job, asked, error, signal, stopping)
  }
}

/** Says that a run has failed and puts what it worked on back, or lets it wait for another process. */
async function settle(
  services: Services,
  work: Work | undefined,
  job: Job,
  { circumstance }: JobOrigin,
  error: unknown,
  signal: AbortSignal,
  stopping: AbortSignal,
): Promise<void> {
  // Whatever broke while the run was broken off broke because of that.
  const cut = signal.aborted
  if (cut && stopping.aborted && work?.again) {
    await inTenant(services.pool, job.tenantId, (tx) => endRow(tx, job, { waiting: true }))
    throw new Error('the process stops: somebody else begins this anew')
  }
  const own = wordsOf(error)
  const problem = problemOf(error, circumstance)
  const failure: Words = cut ? interruptedWords : (own ?? { zh: problem.words('zh'), en: problem.words('en') })
  const isInterrupted = cut || (error instanceof Problem && error.detail?.reason === interruptedWords)
  // A message of the database may carry a value of somebody's: only its place is logged.
  if (!cut && !own && !(error instanceof Problem))
    services.log.error('job', {
      requestId: circumstance.requestId,
      tenantId: job.tenantId,
      jobId: job.id,
      kind: job.kind,
      code: (error as { code?: string }).code,
      at: error instanceof Error ? error.stack?.replace(error.message, '') : '',
    })
  await inTenant(services.pool, job.tenantId, async (tx) => {
    if (await endRow(tx, job, { failure })) await work?.setBack?.(tx, job, failure, isInterrupted)
  })
}

/** Does recurring work once. What came by the clock is told of in its row; one tenant's moment is not. */
export async function performTick(
  services: Services,
  { name, run }: RecurringWork,
  tenantId: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (tenantId !== undefined) {
    await run(services, { tenantId, signal })
    return
  }
  const job = await takeRecurring(services, name)
  const end = (how: { result?: Result | undefined } | { failure: Words }): Promise<unknown> =>
    inTenant(services.pool, platformTenant, (tx) => endRow(tx, job, how))
  try {
    await end({ result: await run(services, { signal }) })
  } catch (error) {
    const problem = problemOf(error, { requestId: job.id, language: 'zh', address: '', agent: '' })
    services.log.error('recurring work failed', { name, error: (error as Error).message })
    await end({ failure: { zh: problem.words('zh'), en: problem.words('en') } })
  }
}
