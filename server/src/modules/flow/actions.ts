import type { PlanNode } from '@data-brain/contract/flow/plan'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { announce } from '../../kernel/announce.ts'
import { sendMessage } from '../desk/index.ts'
import type { FlowContext } from './business.ts'
import { Incident, type Variables } from './engine/host.ts'
import { candidatesOf, everybody, type Seeking } from './people.ts'

/** A text of a model with the fields of the form in it: `{reason}`. */
const filled = (text: string, variables: Variables): string =>
  text.replace(/\{([\p{L}\w]+)\}/gu, (_, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : ''
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  })

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
    const [title, body] = [filled(action.title, variables) || row.title, filled(action.body, variables)]
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
  if (action?.kind === 'action')
    throw new Incident({ zh: `没有名为“${action.name}”的动作`, en: `There is no action called “${action.name}”` })
  throw new Incident({
    zh: `“${node.name ?? node.id}”没有可以执行的动作`,
    en: `“${node.name ?? node.id}” has nothing that can be done`,
  })
}
