import { allOf } from '../../database/all-of.ts'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { announce } from '../../kernel/announce.ts'
import { Problem } from '../../kernel/problem.ts'
import type { FlowContext } from './business.ts'
import { InstanceWork } from './instance.ts'
import { candidateTasks } from './people.ts'
import { markWaiting, taskStates } from './states.ts'

/** A task that waits, held together with its instance. */
export interface HeldTask {
  readonly id: string
  readonly instanceId: string
  readonly processId: string
  readonly tokenId: string
  readonly stepId: string
  readonly node: string
  readonly name: string
  readonly assignee: string | null
  readonly owner: string | null
  readonly isCandidate: boolean
  readonly startUser: string | null
}

interface Found extends Omit<HeldTask, 'tokenId'> {
  readonly tokenId: string | null
  readonly state: number
  readonly outcome: string | null
  readonly doneBy: string | null
}

/** A locked task with its locked instance. */
export interface HeldTaskWork {
  readonly task: HeldTask
  readonly work: InstanceWork
}

const words = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

const find = ({ tx, actor }: FlowContext, taskIds: readonly string[]): Promise<Found[]> =>
  tx.run<Found>(
    sql`select t.id, t.instance_id as "instanceId", t.process_id as "processId", t.token_id as "tokenId", t.step_id as "stepId", t.node, t.name, t.assignee,
          t.owner, t.state, t.outcome, u.real_name as "doneBy", i.start_user as "startUser",
          t.assignee is null and t.id in (${candidateTasks(actor.tenantId, actor.userId ?? '0')}) as "isCandidate"
        from flow_task t join flowinstance i on i.tenant_id = t.tenant_id and i.id = t.instance_id
          left join app_user u on u.tenant_id = t.tenant_id and u.id = t.assignee
        where t.tenant_id = ${actor.tenantId} and t.id = any(${[...taskIds]}::bigint[]) and t.state <> ${taskStates.copy}`,
  )

/** Whether somebody takes part in a task: decides it, has decided it, or could take it. */
const concerns = ({ actor }: FlowContext, task: Found): boolean =>
  actor.userId !== null && (task.assignee === actor.userId || task.owner === actor.userId || task.isCandidate)

/** Holds one task of the caller’s. Throws what `holdTasks` answers in its place. */
export async function holdTask(context: FlowContext, taskId: string): Promise<HeldTaskWork> {
  const held = (await holdTasks(context, [taskId])).get(taskId)!
  if (held instanceof Problem) throw held
  return held
}

/**
 * Holds tasks of the caller’s that wait, and their instances; answers each by its id. One of somebody else is as if it were
 * not there; of one that is over, whoever could have had it is told who was first: a Problem stands in their place.
 */
export async function holdTasks(
  context: FlowContext,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, HeldTaskWork | Problem>> {
  const { tenantId } = context.actor
  // They are looked at once their instances are held, when nobody else decides, and that travels together.
  const [works, tasks] = await allOf([
    InstanceWork.holdAll(
      context,
      sql`select t.instance_id from flow_task t where t.tenant_id = ${tenantId} and t.id = any(${[...taskIds]}::bigint[]) and t.state = ${taskStates.open}`,
    ),
    find(context, taskIds),
  ])
  const found = new Map(tasks.map((task) => [task.id, task]))
  const held = new Map<string, HeldTaskWork | Problem>()
  for (const id of taskIds) {
    const task = found.get(id)
    const problem = await whyNot(context, task)
    const work = task && works.get(task.instanceId)
    // Nothing that was not open before is open now.
    if (problem || !work) held.set(id, problem ?? new Problem('not_found'))
    else held.set(id, work instanceof Problem ? work : { task: { ...task, tokenId: task.tokenId! }, work })
  }
  return held
}

/** Why the caller does not decide a task now. */
async function whyNot(context: FlowContext, task: Found | undefined): Promise<Problem | undefined> {
  if (!task) return new Problem('not_found')
  const isOwn = concerns(context, task)
  if (!isOwn && !(await wasCandidate(context, task.id))) return new Problem('not_found')
  if (task.state !== taskStates.open || task.tokenId === null) return over(task)
  if (!isOwn)
    return words(`该任务已由${task.doneBy ?? '他人'}签收`, `${task.doneBy ?? 'Somebody else'} has taken this task`)
  if (task.assignee === null && task.startUser === context.actor.userId)
    return words('不能审批自己发起的流程', 'Nobody decides on the own request')
  return undefined
}

async function wasCandidate({ tx, actor }: FlowContext, taskId: string): Promise<boolean> {
  if (actor.userId === null) return false
  const row = await tx.one(
    sql`select 1 from (${candidateTasks(actor.tenantId, actor.userId)}) c where c.task_id = ${taskId}`,
  )
  return row !== undefined
}

const outcomes: Readonly<Record<string, readonly [string, string]>> = {
  ok: ['同意', 'agreed'],
  no: ['驳回', 'refused'],
  back: ['退回', 'returned'],
  transfer: ['转办', 'transferred'],
  delegate: ['委派', 'delegated'],
  signer: ['加签', 'asked somebody else first'],
}

const over = ({ state, doneBy, outcome }: Found): Problem => {
  const [zh, en] = outcomes[outcome ?? ''] ?? ['已办理', 'done']
  return state === taskStates.done && doneBy
    ? words(`该任务已由${doneBy}办理（${zh}）`, `${doneBy} has decided this task already (${en})`)
    : words('该任务已不需要办理', 'This task needs no decision any more')
}

/** Assigns an unclaimed task to the caller: to decide a shared task is to claim it. */
export async function takeTask({ tx, actor }: FlowContext, { id, assignee }: HeldTask): Promise<void> {
  if (assignee !== null) return
  await tx.run(
    sql`update flow_task set assignee = ${actor.userId}, claim_time = now() where tenant_id = ${actor.tenantId} and id = ${id}`,
  )
}

/** How a task ended: agreed, refused, sent back, or handed to somebody else. */
export type TaskOutcome = 'ok' | 'no' | 'back' | 'transfer' | 'delegate' | 'signer'

/** Outcomes after which the same step waits for another person. */
export const handedOn = ['transfer', 'delegate', 'signer'] as const satisfies readonly TaskOutcome[]

/** How the caller ends one of their tasks. */
export interface TaskClosing {
  readonly id: string
  readonly outcome: TaskOutcome
  readonly comment: string | undefined
}

/** Closes tasks that the caller has, each with what became of it. Whoever decides one that several could take has taken it. */
export async function close({ tx, actor }: FlowContext, ...closings: readonly TaskClosing[]): Promise<void> {
  await tx.run(
    sql`update flow_task t set state = ${taskStates.done}, outcome = x.outcome, comment = x.comment, end_time = clock_timestamp(), token_id = null,
          assignee = coalesce(t.assignee, ${actor.userId}::bigint), claim_time = coalesce(t.claim_time, now())
        from jsonb_to_recordset(${JSON.stringify(closings)}::jsonb) x(id bigint, outcome text, comment text)
        where t.tenant_id = ${actor.tenantId} and t.id = x.id`,
  )
}

interface Handed {
  /** To whom it comes back. */
  readonly owner?: string | null
  /** By when it is to be decided; as before, where nothing is said. */
  readonly due?: string
}

/** The same step waits for somebody else from now on; of several one takes it. */
export async function handTo(
  { tx, actor }: Pick<FlowContext, 'tx' | 'actor'>,
  task: Pick<HeldTask, 'id' | 'tokenId' | 'instanceId'>,
  people: readonly string[],
  { owner = null, due }: Handed = {},
): Promise<void> {
  const id = newId()
  const only = people.length === 1 ? people[0]! : null
  await tx.run(
    sql`insert into flow_task (tenant_id, id, instance_id, process_id, token_id, step_id, node, name, assignee, owner, due_time)
        select tenant_id, ${id}, instance_id, process_id, ${task.tokenId}, step_id, node, name, ${only}::bigint, ${owner}::bigint, coalesce(${due ?? null}::timestamptz, due_time)
        from flow_task where tenant_id = ${actor.tenantId} and id = ${task.id}`,
  )
  if (only === null)
    await tx.run(
      sql`insert into flow_candidate (tenant_id, task_id, kind, target_id)
          select ${actor.tenantId}, ${id}, 'user', x from unnest(${[...people]}::bigint[]) x`,
    )
  await markWaiting({ tx, actor }, task.instanceId, { lacksApprover: false })
  await announce(tx, actor.tenantId, 'task', [...people, ...(actor.userId ? [actor.userId] : [])])
}

/** Somebody else who may decide a step in place of the caller: there, able to log in, and not the applicant. */
export async function mustBeDecider(
  { tx, actor }: FlowContext,
  userId: string,
  { startUser, instanceId, node }: Pick<HeldTask, 'startUser' | 'instanceId' | 'node'>,
): Promise<void> {
  const row = await tx.one<{ name: string; status: number }>(
    sql`select real_name as name, status from app_user where tenant_id = ${actor.tenantId} and id = ${userId}`,
  )
  if (!row) throw new Problem('reference_unknown', { label: { zh: '人员', en: 'Person' } })
  if (row.status !== 1)
    throw words(`${row.name}的账号已停用，请选择他人`, `The account of ${row.name} is disabled: choose somebody else`)
  if (userId === startUser)
    throw words(`${row.name}是申请人，不能审批`, `${row.name} is the applicant, and cannot decide`)
  if (userId === actor.userId) throw words('请选择本人以外的人员', 'Choose somebody other than yourself')
  // Of several who decide one step nobody has two voices.
  const there = await tx.one(
    sql`select 1 from flow_task where tenant_id = ${actor.tenantId} and instance_id = ${instanceId} and node = ${node} and assignee = ${userId} and state = ${taskStates.open} limit 1`,
  )
  if (there)
    throw words(`${row.name}已在办理本步骤，请选择他人`, `${row.name} decides this step already: choose somebody else`)
}
