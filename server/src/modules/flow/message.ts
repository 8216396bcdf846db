import type { PlanNode, ProcessPlan } from '@data-brain/contract/flow/plan'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { Problem } from '../../kernel/problem.ts'
import { tickAt } from '../jobs/index.ts'
import type { FlowContext } from './business.ts'
import type { Variables } from './engine/host.ts'
import { type InstanceRow, timerWork } from './states.ts'

/** A message to other instances, as it is kept until one of them hears it. */
export interface ThrownMessage {
  readonly name: string
  readonly key: string
  /** What the form of the sender says. */
  readonly fields: Variables
  readonly depth: number
}

/** An event that waits for a message of other instances. */
export interface Subscription {
  readonly tokenId: string
  readonly node: string
  readonly name: string
  readonly key: string
}

/** What an instance knows of the message that has started it. */
export interface StartedBy {
  readonly name: string
  readonly key: string
  readonly depth: number
}

/** Under this name no field of a form can stand, so that no form writes it. */
const startedName = '$message'

/** Keeps the message by which an instance was started among its variables. */
export const keepStart = (started: StartedBy): Variables => ({ [startedName]: started })

const startOf = (variables: Variables): StartedBy | undefined => variables[startedName] as StartedBy | undefined

/** So many processes start one another in a row by messages. */
const deepest = 20
const keyMost = 255

const refused = ({ name, id }: PlanNode, zh: string, en: string): Problem =>
  new Problem('rule_broken', { reason: { zh: `“${name ?? id}”${zh}`, en: `“${name ?? id}” ${en}` } })

/** By what a message of an event finds its instance. Throws a Problem where that says nothing. */
export function keyOf(
  { id, businessId }: Pick<InstanceRow, 'id' | 'businessId'>,
  variables: Variables,
  node: PlanNode,
  correlation: string,
): string {
  const own: Readonly<Record<string, unknown>> = {
    ':instance': id,
    ':business': businessId,
    ':message': startOf(variables)?.key,
  }
  const value = correlation.startsWith(':') ? own[correlation] : variables[correlation]
  const key = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  if (key === '')
    throw refused(node, '的关联字段没有值，请填写', 'is correlated by a field that says nothing: fill it in')
  if (key.length > keyMost)
    throw refused(node, `的关联字段超过${keyMost}个字`, `is correlated by a field of more than ${keyMost} characters`)
  return key
}

/** A message as an instance throws it. Throws a Problem where processes start one another without an end. */
export function thrownBy(
  { form }: ProcessPlan,
  variables: Variables,
  message: Pick<ThrownMessage, 'name' | 'key'>,
  node: PlanNode,
): ThrownMessage {
  const depth = (startOf(variables)?.depth ?? 0) + 1
  if (depth > deepest)
    throw refused(
      node,
      `：流程用消息互相启动超过${deepest}层，已停止；请修改流程图`,
      `: processes start one another by messages more than ${deepest} deep: change the models`,
    )
  const fields = form.flatMap(({ name, kind }) =>
    // Files are shown by the instance that they were given to.
    kind === 'files' || variables[name] === undefined ? [] : [[name, { kind, value: variables[name] }] as const],
  )
  return { ...message, fields: Object.fromEntries(fields), depth }
}

/** Fields that a process takes over from the message that starts it: those of its own form, of the same name and kind. */
export const takenOver = ({ form }: ProcessPlan, fields: Variables): Variables =>
  Object.fromEntries(
    form.flatMap(({ name, kind }) => {
      const told = fields[name] as { readonly kind: string; readonly value: unknown } | undefined
      return told?.kind === kind ? [[name, told.value] as const] : []
    }),
  )

/** What instances throw and wait for, of those that have moved. */
interface Told {
  readonly row: Pick<InstanceRow, 'id'>
  readonly thrown: readonly ThrownMessage[]
  readonly subscriptions: readonly Subscription[]
}

/** Writes down messages and who waits for them, once their tokens stand; both are looked at as soon as that is kept. */
export async function writeMessages(
  { tx, actor: { tenantId }, services }: FlowContext,
  changes: readonly Told[],
): Promise<void> {
  const thrown = changes.flatMap(({ row, thrown: messages }) =>
    messages.map((each) => ({ ...each, id: newId(), instanceId: row.id })),
  )
  const waiting = changes.flatMap(({ row, subscriptions }) =>
    subscriptions.map((each) => ({ ...each, instanceId: row.id })),
  )
  if (thrown.length > 0)
    await tx.run(
      sql`insert into flow_message (tenant_id, id, name, key, instance_id, fields, depth)
          select ${tenantId}, x.id, x.name, x.key, x."instanceId", x.fields, x.depth
          from jsonb_to_recordset(${JSON.stringify(thrown)}::jsonb) x(id bigint, name text, key text, "instanceId" bigint, fields jsonb, depth integer)`,
    )
  if (waiting.length > 0)
    await tx.run(
      sql`insert into flow_subscription (tenant_id, token_id, node, instance_id, name, key)
          select ${tenantId}, x."tokenId", x.node, x."instanceId", x.name, x.key
          from jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb) x("tokenId" bigint, node text, "instanceId" bigint, name text, key text)`,
    )
  if (thrown.length + waiting.length > 0) await tickAt(services, tx, timerWork, tenantId, Date.now())
}
