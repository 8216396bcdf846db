import type { Words } from '@data-brain/contract'
import { flowprocess } from '@data-brain/contract/entities/flow/flowprocess'
import type { PlanNode, ProcessPlan, TimerPlan } from '@data-brain/contract/flow/plan'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import { system } from '../../kernel/actor.ts'
import type { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { sendMessage } from '../desk/index.ts'
import { tickAt } from '../jobs/index.ts'
import { beginProcess } from './begin.ts'
import { flowContext } from './business.ts'
import { type Due, dueOf, nextOfCycle } from './due.ts'
import { whyFailed } from './one-of-several.ts'
import { managersAndMaker } from './people.ts'
import { timerWork } from './states.ts'
import { versionsOf } from './versions.ts'

/*
 * Processes that the clock starts. A version says when it is started next; whoever starts it moves that on in the transaction
 * of the start, so that each moment starts one instance, however many servers look. Only the newest version of a process has
 * such a moment, and none while it is suspended.
 */

/** The event by which a process itself begins; undefined for a plain one. */
export const startEventOf = ({ nodes }: ProcessPlan): PlanNode['event'] =>
  Object.values(nodes).find(({ type, scope }) => type === 'start' && scope === null)?.event

const timerIn = (plan: ProcessPlan): TimerPlan | undefined => {
  const event = startEventOf(plan)
  return event?.kind === 'timer' ? event.timer : undefined
}

/** When a process that is deployed now is started first, or why it never would be; undefined where no clock starts it. */
export async function firstStart(tx: Tx, tenantId: string, plan: ProcessPlan): Promise<Due | Words | undefined> {
  const timer = timerIn(plan)
  if (!timer) return undefined
  const due = await dueOf(timer, {}, { tx, tenantId, schoolId: null })
  if (due && due.at > Date.now()) return due
  return {
    zh: `开始事件的启动时间“${timer.value}”已经过去，请改为以后的时间`,
    en: `The moment “${timer.value}” at which the start event begins has passed: choose a later one`,
  }
}

/** The versions before are started by no clock any more: the newest takes their place for good. */
export const stopOlder = (tx: Tx, tenantId: string, key: string): Promise<unknown> =>
  tx.run(
    sql`update flowprocess set start_due = null where tenant_id = ${tenantId} and key = ${key} and start_due is not null`,
  )

/** Has a version that goes on after a pause be started at its next moment; what has passed meanwhile is not made up for. */
export async function resumeStart(services: Services, tx: Tx, tenantId: string, id: string): Promise<void> {
  const row = await tx.one<DueStart>(
    sql`select id, name, extract(epoch from start_due) * 1000 as due, start_repeats as repeats from flowprocess
        where tenant_id = ${tenantId} and id = ${id} and start_due is not null`,
  )
  if (!row) return
  const isAhead = Number(row.due) > Date.now()
  await moveOn(
    services,
    tx,
    tenantId,
    id,
    isAhead ? { at: Number(row.due), repeats: row.repeats } : await nextOf(tx, tenantId, row),
  )
}

/** Says when a version is started next. */
async function moveOn(services: Services, tx: Tx, tenantId: string, id: string, next: Due | undefined): Promise<void> {
  await tx.run(
    sql`update flowprocess set start_due = ${next ? new Date(next.at).toISOString() : null}::timestamptz, start_repeats = ${next?.repeats ?? null}::int
        where tenant_id = ${tenantId} and id = ${id}`,
  )
  if (next) await tickAt(services, tx, timerWork, tenantId, next.at)
  await raiseStamp(tx, tenantId, flowprocess.name)
}

interface DueStart {
  readonly id: string
  readonly name: string
  readonly due: string
  readonly repeats: number | null
}

/** When a version is started again behind now. */
async function nextOf(tx: Tx, tenantId: string, { id, due, repeats }: DueStart): Promise<Due | undefined> {
  const { plan } = (await versionsOf(tx, tenantId, [id])).get(id)!
  return nextOfCycle(timerIn(plan)!, Number(due), repeats, Date.now())
}

/** Starts what is due, one process in a transaction; answers whether there was one. Its row is in `tried` as soon as it is known. */
const startNext = (services: Services, tenantId: string, tried: DueStart[]): Promise<boolean> =>
  inTenant(services.pool, tenantId, async (tx) => {
    const row = await tx.one<DueStart>(
      sql`select id, name, extract(epoch from start_due) * 1000 as due, start_repeats as repeats from flowprocess
          where tenant_id = ${tenantId} and start_due <= now() and suspension_state = '1'
          order by start_due, id limit 1 for update skip locked`,
    )
    if (!row) return false
    tried.push(row)
    const { id, name } = row
    await moveOn(services, tx, tenantId, id, await nextOf(tx, tenantId, row))
    const context = flowContext({
      ...{ tx, actor: system('flow', tenantId), services },
      circumstance: { requestId: newId(), language: 'zh' },
    })
    const day = new Date(Number(row.due)).toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' }).slice(0, 16)
    await beginProcess(context, { processId: id, title: `${name} ${day}`, variables: {}, applicant: null })
    return true
  })

/**
 * A start that failed is left out, and whoever manages the process is told: once, where two servers have tried it. What was
 * tried is undone by then, so that another server may have tried the same moment as well, and have left it out.
 */
const leaveOut = (services: Services, tenantId: string, row: DueStart, problem: Problem): Promise<unknown> =>
  inTenant(services.pool, tenantId, async (tx) => {
    const { id, name } = row
    const isDueStill = await tx.one(
      sql`select 1 from flowprocess where tenant_id = ${tenantId} and id = ${id}
          and extract(epoch from start_due) * 1000 = ${row.due}::numeric for update`,
    )
    if (!isDueStill) return
    services.log.error('a process was not started by the clock', { tenant: tenantId, error: problem.words('en') })
    const next = await nextOf(tx, tenantId, row)
    await moveOn(services, tx, tenantId, id, next)
    await sendMessage(tx, tenantId, await managersAndMaker(tx, tenantId, [id]), {
      kind: 'flow-start-failed',
      title: { zh: `流程未能按时启动：${name}`, en: `A process could not be started by the clock: ${name}` },
      body: {
        zh: `${problem.words('zh')}。${next ? '到下次时间再启动。' : '不会再启动，处理后请重新部署。'}`,
        en: `${problem.words('en')}. ${next ? 'It is started at its next moment.' : 'It is not started again: deploy it anew when that is settled.'}`,
      },
      link: '/flow/flowprocess',
    })
  })

/** Starts the processes of a tenant that the clock starts now; answers how many. One that fails stops no other. */
export async function startDue(services: Services, tenantId: string, signal: AbortSignal): Promise<number> {
  let started = 0
  while (!signal.aborted) {
    const tried: DueStart[] = []
    try {
      if (!(await startNext(services, tenantId, tried))) break
      started += 1
    } catch (thrown) {
      if (tried.length === 0) throw thrown
      await leaveOut(services, tenantId, tried[0]!, whyFailed(services, thrown))
    }
  }
  return started
}
