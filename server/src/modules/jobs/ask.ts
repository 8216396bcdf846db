import type { Words } from '@data-brain/contract'
import type { Actor } from '../../kernel/actor.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call } from '../../kernel/route.ts'
import { sendJob, tickNow } from './queue.ts'
import { addRow, askAgain, cancelRow, heldRow, type JobRequest } from './row.ts'
import { codeFor, type Work, workOf } from './work.ts'

type Basis = Pick<Call, 'services' | 'tx' | 'actor' | 'circumstance'>

const workFor = (kind: string): Work => {
  const work = workOf(kind)
  if (!work) throw new Error(`no work is called ${kind}`)
  return work
}

/**
 * Asks for a job in the caller's transaction: it is there, and is begun, if and only if that is kept. Answers its id.
 */
export async function startJob(
  { services, tx, actor, circumstance }: Basis,
  kind: string,
  wanted: JobRequest,
): Promise<string> {
  const { queue } = workFor(kind)
  const id = await addRow(tx, actor, circumstance, kind, wanted)
  await sendJob(services, tx, queue, actor.tenantId, id)
  return id
}

function refuse(actor: Actor, { code, platform }: Pick<Work, 'platform'> & { readonly code: string }): void {
  if (!holdsCode(actor, code) || (platform && !actor.platform)) throw new Problem('forbidden', { code })
}

/**
 * Tries a job again that has failed, as whoever asks now: who may not do it themself does not get it done. Recurring
 * work is done once beside its times.
 */
export async function tryAgain({ services, tx, actor, circumstance }: Basis, id: string): Promise<void> {
  const job = await heldRow(tx, actor.tenantId, id)
  if (!job) throw new Problem('not_found')
  if (job.recurring) {
    refuse(actor, { code: 'job_retry', platform: true })
    await tickNow(services, tx, job.kind)
    return
  }
  if (job.state !== 'failed')
    throw new Problem('rule_broken', {
      reason: { zh: '只有失败的任务可以重试', en: 'Only a job that has failed can be tried again' },
    })
  const work = workFor(job.kind)
  refuse(actor, { ...work, code: codeFor(work, job) })
  await work.forRetry?.(tx, job)
  await askAgain(tx, id, actor, circumstance)
  await sendJob(services, tx, work.queue, actor.tenantId, id)
}

const cancelled: Words = { zh: '任务已取消', en: 'The job was cancelled' }

/** Takes back a job that has not begun, or that can be stopped half way, with whatever waits for it. */
export async function takeBack({ tx, actor }: Pick<Call, 'tx' | 'actor'>, id: string): Promise<void> {
  const job = await heldRow(tx, actor.tenantId, id)
  if (!job) throw new Problem('not_found')
  const work = workOf(job.kind)
  const stoppable = work?.stoppable === true
  if (!(await cancelRow(tx, actor.tenantId, id, stoppable)))
    throw new Problem('rule_broken', {
      reason: stoppable
        ? { zh: '任务已结束', en: 'The job has ended' }
        : { zh: '只有排队中的任务可以取消', en: 'Only a job that has not begun can be cancelled' },
    })
  await work?.setBack?.(tx, job, cancelled, false)
}
