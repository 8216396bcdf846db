import { sql } from '../../database/statement.ts'
import { announce } from '../../kernel/announce.ts'
import type { FlowContext } from './business.ts'
import type { Variables } from './engine/host.ts'
import { notifiableUsers, present } from './people.ts'
import { taskStates } from './states.ts'
import { handTo } from './tasks.ts'

/** The context in which the system reassigns a task. */
export type ReassignContext = Pick<FlowContext, 'tx' | 'actor'>

/** An open task, with what is needed to find another assignee. */
export interface WaitingTask {
  readonly id: string
  readonly tokenId: string
  readonly instanceId: string
  readonly stepId: string
  readonly assignee: string | null
}

/** What it is about. */
export interface WaitingInstance {
  readonly id: string
  readonly title: string
  readonly startUser: string | null
  readonly variables: Variables
}

/** Why a task was reassigned: it was overdue, or its assignee is on leave or has left. */
export type ReassignReason = 'overdue' | 'away' | 'left'

/** The people who can decide tasks: the assignee, or all candidates of an unclaimed one. */
export async function decidersOf(
  { tx, actor }: ReassignContext,
  tasks: readonly Pick<WaitingTask, 'id' | 'assignee'>[],
): Promise<string[]> {
  const shared = tasks.flatMap(({ id, assignee }) => (assignee === null ? [id] : []))
  const taken = tasks.flatMap(({ assignee }) => assignee ?? [])
  return [...taken, ...(shared.length > 0 ? await notifiableUsers(tx, actor.tenantId, shared) : [])]
}

/**
 * Those to whom a step goes: the first level with somebody who is there, has not had the step, and is not the one whom the
 * instance is about. Nobody where there is nobody else.
 */
export async function othersOf(
  context: ReassignContext,
  { id, startUser, variables }: WaitingInstance,
  task: WaitingTask,
  levels: readonly (readonly string[])[],
): Promise<readonly string[]> {
  const { tx, actor } = context
  const had = await tx.run<Pick<WaitingTask, 'id' | 'assignee'>>(
    sql`select id, assignee from flow_task where tenant_id = ${actor.tenantId} and instance_id = ${id} and step_id = ${task.stepId}
          and (state = ${taskStates.open} or outcome in ('overdue', 'away', 'left'))`,
  )
  const without = new Set<unknown>([...(await decidersOf(context, had)), startUser, variables.userId])
  for (const level of levels) {
    const people = (await present(tx, actor.tenantId, level)).filter((each) => !without.has(each))
    if (people.length > 0) return people
  }
  return []
}

/** Closes a task with a line of its own, and has the step wait for these people. */
export async function passOn(
  context: ReassignContext,
  task: WaitingTask,
  people: readonly string[],
  { why, due }: { readonly why: ReassignReason; readonly due?: string },
): Promise<void> {
  const { tx, actor } = context
  const before = await decidersOf(context, [task])
  await tx.run(
    sql`update flow_task set state = ${taskStates.gone}, outcome = ${why}, end_time = clock_timestamp(), token_id = null
        where tenant_id = ${actor.tenantId} and id = ${task.id}`,
  )
  await handTo(context, task, people, due === undefined ? {} : { due })
  await announce(tx, actor.tenantId, 'task', before)
}
