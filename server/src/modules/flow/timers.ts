import type { TimerPlan } from '@data-brain/contract/flow/plan'
import { allOf } from '../../database/all-of.ts'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant } from '../../database/transaction.ts'
import { system } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { sendMessage } from '../desk/index.ts'
import { type RecurringWork, tickAt } from '../jobs/index.ts'
import { type FlowContext, flowContext } from './business.ts'
import { type InstanceChanges, writeChanges } from './changes.ts'
import { deliverMessages, forgetMessages } from './deliver.ts'
import { nodeOf } from './engine/graph.ts'
import type { Outcome } from './engine/host.ts'
import { InstanceWork } from './instance.ts'
import { tellPutOff, whyFailed } from './one-of-several.ts'
import { decidersOf, othersOf, passOn, type WaitingInstance, type WaitingTask } from './pass-on.ts'
import { candidatesOf } from './people.ts'
import { standIn } from './stand-in.ts'
import { startDue } from './start-timer.ts'
import { markWaiting, taskStates, timerWork } from './states.ts'
import type { HeldStep } from './terms.ts'

interface DueTimer {
  readonly id: string
  readonly instanceId: string
  readonly tokenId: string
  readonly node: string
  readonly kind: 'event' | 'due' | 'retry'
  readonly repeats: number | null
  readonly tries: number
}

/** To whom an overdue task goes, level by level: as was promised of the step, or to the leader of the department. */
async function levelsAbove(
  { tx, actor: { tenantId } }: FlowContext,
  { id: instanceId, startUser, variables }: WaitingInstance,
  task: WaitingTask,
  onDue: HeldStep['onDue'],
): Promise<readonly (readonly string[])[]> {
  if (typeof onDue === 'object') return onDue.to
  if (onDue !== 'deptLeader') return []
  const seeking = { tenantId, instanceId, startUser: task.assignee ?? startUser, variables }
  return [(await candidatesOf(tx, [{ kind: 'deptLeader', up: 0 }], '', seeking)).users]
}

/** Hands an overdue task to those above, with a limit of its own, and tells them and whoever had it. */
async function handUp(
  context: FlowContext,
  work: InstanceWork,
  task: WaitingTask,
  { people, node, limit }: { readonly people: readonly string[]; readonly node: string; readonly limit?: TimerPlan },
): Promise<void> {
  const { tx, actor } = context
  const { title, id: instanceId } = work.row
  const before = await decidersOf(context, [task])
  const next = limit && (await work.dueOf(limit))
  // A limit that is a date is over for those above as well.
  const at = next && next.at > Date.now() ? next.at : undefined
  await passOn(context, task, people, {
    why: 'overdue',
    ...(at === undefined ? {} : { due: new Date(at).toISOString() }),
  })
  if (at !== undefined)
    await setTimer(context, { instanceId, tokenId: task.tokenId, node, kind: 'due', repeats: 0 }, at)
  await sendMessage(tx, actor.tenantId, people, {
    kind: 'flow-overdue',
    title: { zh: `超时上交，请办理：${title}`, en: `Overdue and handed up to you: ${title}` },
    link: `/work/todo?process=${instanceId}`,
  })
  await sendMessage(tx, actor.tenantId, before, {
    kind: 'flow-overdue',
    title: { zh: `已超时，已上交上一级办理：${title}`, en: `Overdue, and handed up: ${title}` },
    link: `/work/process/detail/${instanceId}`,
  })
}

/** What a task does whose time is over, as its model or its terms say. */
async function overdue(context: FlowContext, work: InstanceWork, timer: DueTimer): Promise<void> {
  const { tx, actor } = context
  const token = work.run.tokens.get(timer.tokenId)
  if (!token) return
  const { onDue = 'remind', due: limit } = work.stepOf(token.processId, token.node) ?? {}
  const task = await tx.one<WaitingTask>(
    sql`select id, token_id as "tokenId", instance_id as "instanceId", step_id as "stepId", assignee from flow_task
        where tenant_id = ${actor.tenantId} and token_id = ${timer.tokenId} and state = ${taskStates.open}`,
  )
  if (!task) return
  if (onDue === 'agree' || onDue === 'refuse') {
    const outcome: Outcome = onDue === 'agree' ? 'ok' : 'no'
    await tx.run(
      sql`update flow_task set state = ${taskStates.done}, outcome = ${outcome}, comment = '超时自动办理', end_time = clock_timestamp(), token_id = null
          where tenant_id = ${actor.tenantId} and id = ${task.id}`,
    )
    await work.moved((run) => run.complete(timer.tokenId, outcome))
    return
  }
  const people = await othersOf(context, work.row, task, await levelsAbove(context, work.row, task, onDue))
  await markWaiting(context, timer.instanceId, { isOverdue: true })
  if (people.length > 0) return handUp(context, work, task, { people, node: token.node, ...(limit ? { limit } : {}) })
  await sendMessage(tx, actor.tenantId, await decidersOf(context, [task]), {
    kind: 'flow-overdue',
    title: { zh: `已超时：${work.row.title}`, en: `Overdue: ${work.row.title}` },
    link: `/work/todo?process=${work.row.id}`,
  })
}

/** Sets a timer at a token, and has it looked at in its moment. */
async function setTimer(
  { tx, actor, services }: FlowContext,
  { instanceId, tokenId, node, kind, repeats }: Omit<DueTimer, 'id' | 'tries'>,
  at: number,
): Promise<void> {
  await tx.run(
    sql`insert into flow_timer (tenant_id, id, instance_id, token_id, node, kind, due_time, repeats)
        values (${actor.tenantId}, ${newId()}, ${instanceId}, ${tokenId}, ${node}, ${kind}, ${new Date(at).toISOString()}, ${repeats})`,
  )
  await tickAt(services, tx, timerWork, actor.tenantId, at)
}

/** Sets a timer that comes round again. */
async function again(context: FlowContext, work: InstanceWork, timer: DueTimer): Promise<void> {
  if (timer.kind !== 'event' || timer.repeats === 0) return
  const token = work.run.tokens.get(timer.tokenId)
  const event = token && nodeOf(work.plan(token.processId), timer.node).event
  if (event?.kind !== 'timer' || event.timer.kind !== 'cycle') return
  const due = await work.dueOf(event.timer)
  if (due) await setTimer(context, { ...timer, repeats: timer.repeats === null ? null : timer.repeats - 1 }, due.at)
}

/**
 * Fires timers that are due, at most so many, each of another instance, in one transaction; answers how many there were, and
 * their ids by `tried` as soon as they are known. Of two processes one takes a timer.
 */
async function fireSome(services: Services, tenantId: string, most: number, tried: string[]): Promise<number> {
  return inTenant(services.pool, tenantId, async (tx) => {
    // Instances that are held by somebody else come later; those of suspended processes once they go on. The order is that
    // of the index: where thousands come due at one moment, none of them is sorted.
    const due = await tx.run<DueTimer>(
      sql`select t.id, t.instance_id as "instanceId", t.token_id as "tokenId", t.node, t.kind, t.repeats, t.tries
          from flow_timer t join flowinstance i on i.tenant_id = t.tenant_id and i.id = t.instance_id
            join flowprocess p on p.tenant_id = i.tenant_id and p.id = i.process_definition_id
          where t.tenant_id = ${tenantId} and t.due_time <= now() and p.suspension_state = '1' order by t.due_time limit ${most} for update of t, i skip locked`,
    )
    const timers = [...new Map(due.toReversed().map((timer) => [timer.instanceId, timer])).values()]
    if (timers.length === 0) return 0
    tried.push(...timers.map(({ id }) => id))
    await tx.run(sql`delete from flow_timer where tenant_id = ${tenantId} and id = any(${tried}::bigint[])`)
    const context = flowContext({
      ...{ tx, actor: system('flow', tenantId), services },
      circumstance: { requestId: newId(), language: 'zh' },
    })
    const works = await InstanceWork.holdAll(
      context,
      sql`select unnest(${timers.map((each) => each.instanceId)}::bigint[])`,
    )
    const changes: InstanceChanges[] = []
    for (const timer of timers) {
      const work = works.get(timer.instanceId)
      if (!work) continue
      if (work instanceof Problem) throw work
      if (timer.kind === 'retry') work.retried = timer
      if (timer.kind === 'due') await overdue(context, work, timer)
      else {
        await again(context, work, timer)
        await work.move((run) =>
          timer.kind === 'retry' ? run.retry(timer.tokenId) : run.fire(timer.tokenId, timer.node),
        )
        changes.push(work.changes())
      }
    }
    if (changes.length > 0) await writeChanges(context, changes)
    return timers.length
  })
}

/** So many transactions fire at once: a timer waits for its statements most of the time. */
const atOnce = 2
/** So many timers fire in one of them. */
const together = 10

/** Fires all that is due in a tenant; answers how many. One that cannot go on is put off, and stops no other. */
async function fireDue(services: Services, tenantId: string, signal: AbortSignal): Promise<number> {
  let fired = 0
  const untilNoneIsLeft = async (): Promise<void> => {
    // After a failure each fires by itself for as many as had been tried together.
    for (let alone = 0; !signal.aborted; ) {
      const tried: string[] = []
      try {
        const count = await fireSome(services, tenantId, alone > 0 ? 1 : together, tried)
        if (count === 0) return
        fired += count
      } catch (thrown) {
        if (tried.length === 0) throw thrown
        const problem = whyFailed(services, thrown)
        if (tried.length > 1) alone = tried.length + 1
        else await putOff(services, tenantId, tried[0]!, problem)
      }
      alone = Math.max(0, alone - 1)
    }
  }
  // Where one fails the other one is waited for: nothing goes on behind the end of this.
  await allOf(Array.from({ length: atOnce }, untilNoneIsLeft))
  return fired
}

/** Passes on what waits for those who are on leave or have left. */
const passOnDue = (services: Services, tenantId: string): Promise<number> =>
  inTenant(services.pool, tenantId, (tx) => standIn({ tx, actor: system('flow', tenantId) }))

/** A timer that could do nothing is tried again in an hour, and whoever manages the process is told. */
async function putOff(services: Services, tenantId: string, id: string, problem: Problem): Promise<void> {
  services.log.error('a timer of a process failed', { tenant: tenantId, error: problem.words('en') })
  await inTenant(services.pool, tenantId, async (tx) => {
    const timer = await tx.one<{ tries: number; instanceId: string }>(
      sql`update flow_timer set due_time = now() + interval '1 hour', tries = tries + 1 where tenant_id = ${tenantId} and id = ${id}
          returning tries, instance_id as "instanceId"`,
    )
    if (timer) await tellPutOff(tx, tenantId, timer, problem)
  })
}

/** The tenants whose processes go on: all of them, or the one that is named where it is one of them. */
const tenantsAtWork = (services: Services, only: string | null = null): Promise<{ tenantId: string }[]> =>
  inPlatform(services.platform, (tx) =>
    tx.run<{ tenantId: string }>(
      sql`select tenant_id as "tenantId" from tenant
          where status in (1, 2) and (expire_time is null or expire_time > now()) and (${only}::text is null or tenant_id = ${only}) order by tenant_id`,
    ),
  )

/** Starts processes by the clock, fires their timers, delivers messages between them, and has others stand in: of the tenant whose moment has come, or of all. */
export const flowTimers: RecurringWork = {
  name: timerWork,
  cron: '*/10 * * * *',
  lookSeconds: 2,
  run: async (services, { tenantId, signal }) => {
    if (tenantId !== undefined) {
      // A tenant that is disabled or has run out rests; what came due meanwhile is looked at once it is back.
      if ((await tenantsAtWork(services, tenantId)).length === 0) return undefined
      await startDue(services, tenantId, signal)
      await fireDue(services, tenantId, signal)
      await deliverMessages(services, tenantId, signal)
      await passOnDue(services, tenantId)
      return undefined
    }
    const tenants = await tenantsAtWork(services)
    let started = 0
    let fired = 0
    let delivered = 0
    let passed = 0
    for (const each of tenants) {
      if (signal.aborted) break
      started += await startDue(services, each.tenantId, signal)
      fired += await fireDue(services, each.tenantId, signal)
      delivered += await deliverMessages(services, each.tenantId, signal)
      await forgetMessages(services, each.tenantId)
      passed += await passOnDue(services, each.tenantId)
    }
    return { started, fired, delivered, passed }
  },
}
