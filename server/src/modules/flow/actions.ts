import type { PlanNode } from '@data-brain/contract/flow/plan'
import { sendMessage } from '../desk/index.ts'
import type { FlowContext } from './business.ts'
import { Incident, type Variables } from './engine/host.ts'
import { candidatesOf, everybody, type Seeking } from './people.ts'

/** Something that the product can do for a service task, by its name in a model. */
export type FlowAction = (
  context: FlowContext,
  instance: { readonly id: string; readonly businessId: string | null; readonly variables: Variables },
) => Promise<void>

const actions = new Map<string, FlowAction>()

/** Offers an action to models; called where modules are put together. */
export function addFlowAction(name: string, action: FlowAction): void {
  if (actions.has(name)) throw new Error(`two actions are called ${name}`)
  actions.set(name, action)
}

/** The actions that a model may name. */
export const actionNames = (): string[] => [...actions.keys()].sort()

/** A text of a model with the fields of the form in it: `{reason}`. */
const filled = (text: string, variables: Variables): string =>
  text.replace(/\{([\p{L}\w]+)\}/gu, (_, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : ''
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  })

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
  if (action?.kind === 'action') {
    const run = actions.get(action.name)
    if (!run)
      throw new Incident({ zh: `没有名为“${action.name}”的动作`, en: `There is no action called “${action.name}”` })
    await run(context, { id: row.id, businessId: row.businessId, variables })
    return
  }
  throw new Incident({
    zh: `“${node.name ?? node.id}”没有可以执行的动作`,
    en: `“${node.name ?? node.id}” has nothing that can be done`,
  })
}
