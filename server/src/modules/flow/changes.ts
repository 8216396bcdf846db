import type { Words } from '@data-brain/contract'
import { flowinstance } from '@data-brain/contract/entities/flow/flowinstance'
import { allOf } from '../../database/all-of.ts'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import { announce } from '../../kernel/announce.ts'
import { sendMessage } from '../desk/index.ts'
import { tickAt } from '../jobs/index.ts'
import { businessOf, type FlowContext } from './business.ts'
import type { Ending, Outcome, Token, Variables } from './engine/host.ts'
import { type Subscription, type ThrownMessage, writeMessages } from './message.ts'
import { type Candidates, everybody, managersOf, notifiableUsers, type Seeking } from './people.ts'
import { type InstanceRow, instanceStates, stillOverdue, taskStates, timerWork } from './states.ts'

/** A task that a step has asked of somebody. */
export interface OpenedTask {
  readonly id: string
  readonly token: Token
  readonly stepId: string
  readonly node: string
  readonly name: string
  readonly assignee: string | null
  readonly candidates: Candidates
  readonly due: number | null
}

/** A timer to be set. */
export interface SetTimer {
  readonly tokenId: string
  readonly node: string
  readonly kind: 'event' | 'due' | 'retry'
  readonly at: number
  readonly repeats: number | null
  readonly tries: number
}

/** A line of the history of an instance. */
export interface HistoryEntry {
  readonly id: string
  readonly processId: string
  readonly node: string
  readonly kind: string
  readonly name: string | null
  readonly cameBy: string | null
  readonly lineage: readonly string[]
  readonly over: boolean
  readonly outcome: Outcome | null
}

/** The changes of one instance that are not written yet. */
export interface InstanceChanges {
  readonly row: InstanceRow
  readonly seeking: Seeking
  /** Tokens that are gone, and those that are new or were changed. */
  readonly gone: readonly string[]
  readonly kept: readonly Token[]
  /** Tokens that were there before, at which nothing waits any more. */
  readonly dropped: readonly string[]
  readonly activities: readonly HistoryEntry[]
  /** Lines of its history that are over now. */
  readonly ended: ReadonlyMap<string, Outcome | undefined>
  readonly opened: readonly OpenedTask[]
  readonly timers: readonly SetTimer[]
  readonly thrown: readonly ThrownMessage[]
  readonly subscriptions: readonly Subscription[]
  /** Undefined where they are as they were. */
  readonly variables: Variables | undefined
  /** The names of the steps at which it stands. */
  readonly standsAt: string | null
  readonly ending: Ending | undefined
  /** Why it stands still, where it does. */
  readonly incident: Words | undefined
}

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/**
 * Writes the changes of instances in the transaction, with the same few statements for one instance as for twenty. Notifies the
 * people concerned, and `others`.
 */
export async function writeChanges(
  context: FlowContext,
  changes: readonly InstanceChanges[],
  others: readonly string[] = [],
): Promise<void> {
  const { tx, actor } = context
  const touched = new Set(others)
  await allOf([
    writeTokens(context, changes, touched),
    writeHistory(context, changes),
    writeTasks(context, changes, touched),
    writeTimers(context, changes),
    writeMessages(context, changes),
    writeRows(context, changes),
  ])
  await announce(tx, actor.tenantId, 'task', [...touched])
  for (const each of changes) {
    if (each.ending) await tellEnd(context, each.row, each.ending)
    else if (each.incident && each.row.state !== instanceStates.incident) await tellStuck(context, each, each.incident)
  }
}

/** Writes tokens, and deletes tasks and timers of those that are gone. */
async function writeTokens(
  { tx, actor: { tenantId } }: FlowContext,
  changes: readonly InstanceChanges[],
  touched: Set<string>,
): Promise<void> {
  const dropped = changes.flatMap((each) => each.dropped)
  const gone = changes.flatMap((each) => each.gone)
  const kept = changes.flatMap(({ row, kept: tokens }) => tokens.map((token) => ({ ...token, instanceId: row.id })))
  const [without = []] = await allOf([
    dropped.length > 0 &&
      tx.run<{ assignee: string | null }>(
        sql`update flow_task set state = ${taskStates.gone}, end_time = now(), token_id = null
            where tenant_id = ${tenantId} and state = ${taskStates.open} and token_id = any(${dropped}::bigint[]) returning assignee`,
      ),
    gone.length > 0 &&
      tx.run(sql`delete from flow_token where tenant_id = ${tenantId} and id = any(${gone}::bigint[])`),
    kept.length > 0 && insertTokens(tx, tenantId, kept),
  ])
  for (const { assignee } of without || []) if (assignee) touched.add(assignee)
}

const insertTokens = (tx: Tx, tenantId: string, kept: readonly object[]): Promise<unknown> =>
  tx.run(
    sql`insert into flow_token (tenant_id, id, instance_id, process_id, node, parent_id, arrived_by, data)
          select ${tenantId}, x.id, x."instanceId", x."processId", x.node, x.parent, x."arrivedBy", x.data
          from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb)
            x(id bigint, "instanceId" bigint, "processId" bigint, node text, parent bigint, "arrivedBy" text, data jsonb)
          on conflict (tenant_id, id) do update set data = excluded.data, arrived_by = excluded.arrived_by`,
  )

async function writeHistory(
  { tx, actor: { tenantId } }: FlowContext,
  changes: readonly InstanceChanges[],
): Promise<void> {
  const lines = changes.flatMap(({ row, activities }) => activities.map((each) => ({ ...each, instanceId: row.id })))
  const ended = changes.flatMap((each) => [...each.ended])
  const writing: Promise<unknown>[] = []
  if (lines.length > 0)
    writing.push(
      tx.run(
        sql`insert into flow_activity (tenant_id, id, instance_id, process_id, node, kind, name, came_by, lineage, end_time, outcome)
          select ${tenantId}, x.id, x."instanceId", x."processId", x.node, x.kind, left(x.name, 255), x."cameBy",
            array(select jsonb_array_elements_text(x.lineage)), case when x.over then clock_timestamp() end, x.outcome
          from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
            x(id bigint, "instanceId" bigint, "processId" bigint, node text, kind text, name text, "cameBy" text, lineage jsonb, over boolean, outcome text)`,
      ),
    )
  if (ended.length > 0)
    writing.push(
      tx.run(
        sql`update flow_activity a set end_time = clock_timestamp(), outcome = x.outcome
          from unnest(${ended.map(([id]) => id)}::bigint[], ${ended.map(([, outcome]) => outcome ?? null)}::text[]) x(id, outcome)
          where a.tenant_id = ${tenantId} and a.id = x.id and a.end_time is null`,
      ),
    )
  await allOf(writing)
}

async function writeTasks(
  { tx, actor: { tenantId } }: FlowContext,
  changes: readonly InstanceChanges[],
  touched: Set<string>,
): Promise<void> {
  const opened = changes.flatMap(({ row, opened: tasks }) => tasks.map((task) => ({ ...task, instanceId: row.id })))
  if (opened.length === 0) return
  const rows = opened.map(({ id, instanceId, token, stepId, node, name, assignee, due }) => ({
    ...{ id, instance_id: instanceId, token_id: token.id, step_id: stepId, process_id: token.processId },
    ...{ node, name, assignee, due: iso(due) },
  }))
  const inserted = tx.run(
    sql`insert into flow_task (tenant_id, id, instance_id, process_id, token_id, step_id, node, name, assignee, due_time)
        select ${tenantId}, x.id, x.instance_id, x.process_id, x.token_id, x.step_id, x.node, left(x.name, 255), x.assignee, x.due
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          x(id bigint, instance_id bigint, process_id bigint, token_id bigint, step_id bigint, node text, name text, assignee bigint, due timestamptz)`,
  )
  for (const { assignee } of opened) if (assignee) touched.add(assignee)
  const shared = opened.filter(({ assignee }) => assignee === null)
  const candidates = shared.flatMap(({ id, candidates: { users, groups } }) => [
    ...users.map((target) => ({ task_id: id, kind: 'user', target_id: target })),
    ...groups.map(({ kind, id: target }) => ({ task_id: id, kind, target_id: target })),
  ])
  if (candidates.length === 0) return void (await inserted)
  const asked = tx.run(
    sql`insert into flow_candidate (tenant_id, task_id, kind, target_id)
        select ${tenantId}, x.task_id, x.kind, x.target_id
        from jsonb_to_recordset(${JSON.stringify(candidates)}::jsonb) x(task_id bigint, kind text, target_id bigint) on conflict do nothing`,
  )
  const [, , people] = await allOf([
    inserted,
    asked,
    notifiableUsers(
      tx,
      tenantId,
      shared.map(({ id }) => id),
    ),
  ])
  for (const id of people) touched.add(id)
}

async function writeTimers(
  { tx, actor: { tenantId }, services }: FlowContext,
  changes: readonly InstanceChanges[],
): Promise<void> {
  const rows = changes.flatMap(({ row, timers }) =>
    timers.map(({ tokenId, at, ...each }) => ({
      ...each,
      ...{ id: newId(), instance_id: row.id, token_id: tokenId, at: iso(at) },
    })),
  )
  if (rows.length === 0) return
  await tx.run(
    sql`insert into flow_timer (tenant_id, id, instance_id, token_id, node, kind, due_time, repeats, tries)
        select ${tenantId}, x.id, x.instance_id, x.token_id, x.node, x.kind, x.at, x.repeats, x.tries
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          x(id bigint, instance_id bigint, token_id bigint, node text, kind text, at timestamptz, repeats integer, tries integer)`,
  )
  for (const at of new Set(changes.flatMap(({ timers }) => timers.map((timer) => timer.at))))
    await tickAt(services, tx, timerWork, tenantId, at)
}

async function writeRows(
  { tx, actor: { tenantId, userId } }: FlowContext,
  changes: readonly InstanceChanges[],
): Promise<void> {
  const rows = changes.map(({ row, ending, incident, standsAt, variables }) => ({
    ...{ id: row.id, over: ending !== undefined, activity: standsAt, variables },
    state: ending ? instanceStates[ending] : incident ? instanceStates.incident : instanceStates.running,
  }))
  const updated = tx.run(
    sql`update flowinstance set state = x.state, activity = x.activity, variables = coalesce(x.variables, flowinstance.variables),
          end_time = case when x.over then now() end, is_overdue = ${stillOverdue}, lacks_approver = 0, version = version + 1,
          update_time = now(), update_user = ${userId}::bigint
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) x(id bigint, state text, activity text, variables jsonb, over boolean)
        where flowinstance.tenant_id = ${tenantId} and flowinstance.id = x.id`,
  )
  await allOf([updated, raiseStamp(tx, tenantId, flowinstance.name)])
}

/** Notifies the managers of processes of an incident: nobody else could resolve it. */
async function tellStuck(
  { tx, actor: { tenantId } }: FlowContext,
  { row: { title, id }, seeking }: InstanceChanges,
  why: Words,
): Promise<void> {
  await sendMessage(tx, tenantId, await everybody(tx, await managersOf(tx, tenantId), seeking), {
    kind: 'flow-incident',
    title: { zh: `流程异常：${title}`, en: `A process stands still: ${title}` },
    body: why,
    link: `/work/process/detail/${id}`,
  })
}

async function tellEnd(context: FlowContext, row: InstanceRow, ending: Ending): Promise<void> {
  const { tx, actor } = context
  const { startUser, title, businessTable, businessId, id } = row
  const business = businessOf(businessTable)
  if (business && businessId) await business.ended(context, businessId, ending)
  if (!startUser || startUser === actor.userId || ending === 'withdrawn') return
  const said = {
    agreed: { zh: '已通过', en: 'was agreed to' },
    refused: { zh: '已驳回', en: 'was refused' },
    terminated: { zh: '已终止', en: 'was terminated' },
  }[ending]
  await sendMessage(tx, actor.tenantId, [startUser], {
    kind: 'flow-ended',
    title: { zh: `${title}${said.zh}`, en: `${title} ${said.en}` },
    link:
      businessTable && businessId
        ? `/work/process/${businessTable}/detail/${id}/${businessId}`
        : `/work/process/detail/${id}`,
  })
}
