import type { PlanNode } from '@data-brain/contract/flow/plan'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { announce } from '../../kernel/announce.ts'
import { sendMessage } from '../desk/index.ts'
import { sendMany } from '../sms/index.ts'
import type { FlowContext } from './business.ts'
import { Incident, type Variables } from './engine/host.ts'
import { candidatesOf, everybody, type Seeking } from './people.ts'
import { doProductAction } from './product-actions.ts'
import { fillTemplate } from './texts.ts'

/** Informs people of an instance, each once; answers nothing. `by` is who did so, if it was a person. */
export async function informOf(
  { tx, actor }: FlowContext,
  instanceId: string,
  userIds: readonly string[],
  by: string | null,
  comment?: string,
): Promise<void> {
  if (userIds.length === 0) return
  await tx.run(
    sql`insert into flow_task (tenant_id, id, instance_id, process_id, node, name, assignee, owner, state, comment)
        select ${actor.tenantId}, x.id, i.id, i.process_definition_id, '', p.name, x.user_id, ${by}::bigint, 3, ${comment ?? null}
        from unnest(${userIds.map(() => newId())}::bigint[], ${[...userIds]}::bigint[]) x(id, user_id)
          join flowinstance i on i.tenant_id = ${actor.tenantId} and i.id = ${instanceId}
          join flowprocess p on p.tenant_id = i.tenant_id and p.id = i.process_definition_id
        where not exists (select from flow_task c where c.tenant_id = i.tenant_id and c.instance_id = i.id and c.assignee = x.user_id and c.state = 3)`,
  )
  await announce(tx, actor.tenantId, 'task', [...userIds])
}

/** What a template of an SMS can say of a form: its texts and numbers, by the names of their fields. */
const texts = (variables: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  )

/** The mobile numbers of people, each once; of whoever has none there is none. */
async function phonesOf({ tx, actor, cipher }: FlowContext, userIds: readonly string[]): Promise<string[]> {
  const { tenantId } = actor
  const rows = await tx.run<{ id: string; phone: Buffer }>(
    sql`select id, phone from app_user where tenant_id = ${tenantId} and id = any(${[...userIds]}::bigint[]) and status = 1 and phone is not null order by id`,
  )
  return [
    ...new Set(rows.map(({ id, phone }) => cipher.open(phone, { table: 'app_user', column: 'phone', tenantId, id }))),
  ]
}

interface Acting {
  readonly context: FlowContext
  readonly row: { readonly id: string; readonly businessId: string | null; readonly title: string }
}

/** Does what a service task says, in the transaction of the step. */
export async function doAction({ context, row }: Acting, node: PlanNode, seeking: Seeking): Promise<void> {
  const { action } = node
  const { tx } = context
  const { tenantId, variables } = seeking
  if (action?.kind === 'inbox') {
    const people = await everybody(tx, await candidatesOf(tx, action.to, node.id, seeking), seeking)
    const [title, body] = [fillTemplate(action.title, variables) || row.title, fillTemplate(action.body, variables)]
    await sendMessage(tx, tenantId, people, {
      kind: 'flow-message',
      title: { zh: title, en: title },
      ...(body ? { body: { zh: body, en: body } } : {}),
    })
    return
  }
  if (action?.kind === 'copy') {
    const people = await everybody(tx, await candidatesOf(tx, action.to, node.id, seeking), seeking)
    await informOf(context, row.id, people, null)
    return
  }
  if (action?.kind === 'sms') {
    const people = await everybody(tx, await candidatesOf(tx, action.to, node.id, seeking), seeking)
    const phones = await phonesOf(context, people)
    if (phones.length === 0)
      throw new Incident({
        zh: `“${node.name ?? node.id}”要通知的人都没有手机号码`,
        en: `Nobody whom “${node.name ?? node.id}” is to tell has a mobile number`,
      })
    const { services } = context
    await sendMany(tx, services, {
      ...{ tenantId, phones, purpose: 'notice', code: action.template },
      params: { title: row.title, ...texts(variables) },
    })
    return
  }
  if (action?.kind === 'action') return doProductAction(context, node, action, variables)
  throw new Incident({
    zh: `“${node.name ?? node.id}”没有可以执行的动作`,
    en: `“${node.name ?? node.id}” has nothing that can be done`,
  })
}
