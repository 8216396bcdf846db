import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant } from '../../database/transaction.ts'
import { system } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { sendMessage } from '../desk/index.ts'
import { type RecurringWork, tickAt } from '../jobs/index.ts'
import type { FlowContext } from './business.ts'
import { dueOf } from './due.ts'
import { nodeOf } from './engine/graph.ts'
import type { Outcome } from './engine/host.ts'
import { InstanceWork, taskStates, timerWork } from './instance.ts'
import { candidatesOf } from './people.ts'

interface DueTimer {
  readonly id: string
  readonly instanceId: string
  readonly tokenId: string
  readonly node: string
  readonly kind: 'event' | 'due' | 'retry'
  readonly repeats: number | null
  readonly tries: number
}

/** What a task does whose time is over, as its model says. */
async function overdue(context: FlowContext, work: InstanceWork, timer: DueTimer): Promise<void> {
  const { tx, actor } = context
  const token = work.run.tokens.get(timer.tokenId)
  if (!token) return
  const node = nodeOf(work.plan(token.processId), token.node)
  const onDue = node.task?.onDue ?? 'remind'
  const task = await tx.one<{ id: string; assignee: string | null }>(
    sql`select id, assignee from flow_task where tenant_id = ${actor.tenantId} and token_id = ${timer.tokenId} and state = ${taskStates.open}`,
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
  if (onDue === 'deptLeader') {
    const { startUser, variables } = work.row
    const seeking = {
      tenantId: actor.tenantId,
      instanceId: work.row.id,
      startUser: task.assignee ?? startUser,
      variables,
    }
    const [leader] = (await candidatesOf(tx, [{ kind: 'deptLeader', up: 0 }], node.id, seeking)).users
    if (leader && leader !== startUser) {
      await tx.run(
        sql`update flow_task set assignee = ${leader}::bigint where tenant_id = ${actor.tenantId} and id = ${task.id}`,
      )
    }
  }
  if (task.assignee)
    await sendMessage(tx, actor.tenantId, [task.assignee], {
      kind: 'flow-overdue',
      title: { zh: `已超时：${work.row.title}`, en: `Overdue: ${work.row.title}` },
      link: `/work/todo?process=${work.row.id}`,
    })
}

/** Sets a timer that comes round again. */
async function again(context: FlowContext, work: InstanceWork, timer: DueTimer): Promise<void> {
  if (timer.kind !== 'event' || timer.repeats === 0) return
  const { tx, actor, services } = context
  const token = work.run.tokens.get(timer.tokenId)
  const event = token && nodeOf(work.plan(token.processId), timer.node).event
  if (event?.kind !== 'timer' || event.timer.kind !== 'cycle') return
  const { schoolId } = work.run.variables
  const due = await dueOf(event.timer, work.run.variables, {
    ...{ tx, tenantId: actor.tenantId, schoolId: typeof schoolId === 'string' ? schoolId : null },
  })
  if (!due) return
  await tx.run(
    sql`insert into flow_timer (tenant_id, id, instance_id, token_id, node, kind, due_time, repeats)
        values (${actor.tenantId}, ${newId()}, ${timer.instanceId}, ${timer.tokenId}, ${timer.node}, 'event', ${new Date(due.at).toISOString()}, ${timer.repeats === null ? null : timer.repeats - 1})`,
  )
  await tickAt(services, tx, timerWork, actor.tenantId, due.at)
}

/** Fires one timer that is due; answers whether there was one. Of two processes one takes it. */
async function fireOne(services: Services, tenantId: string, tried: { id: string }): Promise<boolean> {
  return inTenant(services.pool, tenantId, async (tx) => {
    // Instances that are held by somebody else come later; those of suspended processes once they go on. The order is that
    // of the index: where thousands come due at one moment, none of them is sorted.
    const timer = await tx.one<DueTimer>(
      sql`select t.id, t.instance_id as "instanceId", t.token_id as "tokenId", t.node, t.kind, t.repeats, t.tries
          from flow_timer t join flowinstance i on i.tenant_id = t.tenant_id and i.id = t.instance_id
            join flowprocess p on p.tenant_id = i.tenant_id and p.id = i.process_definition_id
          where t.tenant_id = ${tenantId} and t.due_time <= now() and p.suspension_state = '1' order by t.due_time limit 1 for update of t, i skip locked`,
    )
    if (!timer) return false
    tried.id = timer.id
    await tx.run(sql`delete from flow_timer where tenant_id = ${tenantId} and id = ${timer.id}`)
    const context: FlowContext = {
      ...{ tx, actor: system('flow', tenantId), services, cipher: services.cipher },
      circumstance: { requestId: newId(), language: 'zh' },
    }
    const work = await InstanceWork.hold(context, timer.instanceId)
    if (timer.kind === 'retry') work.retried = timer
    if (timer.kind === 'due') await overdue(context, work, timer)
    else {
      await again(context, work, timer)
      await work.moved((run) =>
        timer.kind === 'retry' ? run.retry(timer.tokenId) : run.fire(timer.tokenId, timer.node),
      )
    }
    return true
  })
}

/** Fires all that is due in a tenant; answers how many. One that cannot go on is put off, and stops no other. */
async function fireDue(services: Services, tenantId: string, signal: AbortSignal): Promise<number> {
  let fired = 0
  const tried = { id: '' }
  while (!signal.aborted) {
    try {
      if (!(await fireOne(services, tenantId, tried))) return fired
      fired += 1
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem
      await putOff(services, tenantId, tried.id, problem)
    }
  }
  return fired
}

/** A timer that could do nothing is tried again in an hour. */
async function putOff(services: Services, tenantId: string, id: string, problem: Problem): Promise<void> {
  services.log.error('a timer of a process failed', { tenant: tenantId, error: problem.words('en') })
  await inTenant(services.pool, tenantId, (tx) =>
    tx.run(
      sql`update flow_timer set due_time = now() + interval '1 hour', tries = tries + 1 where tenant_id = ${tenantId} and id = ${id}`,
    ),
  )
}

/** Fires timers of processes: of the tenant whose moment has come, or of all. */
export const flowTimers: RecurringWork = {
  name: timerWork,
  cron: '*/10 * * * *',
  lookSeconds: 2,
  run: async (services, { tenantId, signal }) => {
    if (tenantId !== undefined) {
      await fireDue(services, tenantId, signal)
      return undefined
    }
    const tenants = await inPlatform(services.platform, (tx) =>
      tx.run<{ tenantId: string }>(
        sql`select tenant_id as "tenantId" from tenant where status in (1, 2) and (expire_time is null or expire_time > now()) order by tenant_id`,
      ),
    )
    let fired = 0
    for (const each of tenants) {
      if (signal.aborted) break
      fired += await fireDue(services, each.tenantId, signal)
    }
    return { fired }
  },
}
