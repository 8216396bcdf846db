import { holds } from '@data-brain/contract/flow/evaluate'
import type { PlanFlow, PlanNode, ProcessPlan } from '@data-brain/contract/flow/plan'
import type { Token, Variables } from './host.ts'

export const nodeOf = (plan: ProcessPlan, id: string): PlanNode => {
  const node = plan.nodes[id]
  if (!node) throw new Error(`the plan ${plan.key} has no node ${id}`)
  return node
}

export const flowOf = (plan: ProcessPlan, id: string): PlanFlow => {
  const flow = plan.flows[id]
  if (!flow) throw new Error(`the plan ${plan.key} has no flow ${id}`)
  return flow
}

/** The plain start of a process or sub-process. */
export const startOf = (plan: ProcessPlan, scope: string | null): PlanNode | undefined =>
  Object.values(plan.nodes).find((node) => node.type === 'start' && node.scope === scope)

/** Events at the edge of an activity. */
export const boundariesOf = (plan: ProcessPlan, id: string): PlanNode[] =>
  Object.values(plan.nodes).filter(({ attachedTo }) => attachedTo === id)

/**
 * The flows by which a node is left. An exclusive gateway takes the first that holds, everything else all that hold; where
 * none does, its default. Undefined: there are flows, and none of them may be taken.
 */
export function leavingFlows(plan: ProcessPlan, node: PlanNode, variables: Variables): PlanFlow[] | undefined {
  const flows = node.outgoing.map((id) => flowOf(plan, id))
  if (flows.length === 0 || node.type === 'parallel') return flows
  const others = flows.filter(({ id }) => id !== node.defaultFlow)
  const isOpen = ({ condition }: PlanFlow): boolean => condition === undefined || holds(condition, variables)
  if (node.type === 'exclusive') {
    const first = others.find(isOpen)
    if (first) return [first]
  } else {
    const all = others.filter(isOpen)
    if (all.length > 0) return all
  }
  const byDefault = flows.find(({ id }) => id === node.defaultFlow)
  return byDefault ? [byDefault] : undefined
}

/** Nodes from which a node can be come to without passing another one, by flows and over the edges of activities. */
export function comingTo(plan: ProcessPlan, flows: readonly string[], without: string): Set<string> {
  const found = new Set<string>()
  const queue = flows.map((id) => flowOf(plan, id).from)
  while (queue.length > 0) {
    const id = queue.pop()!
    if (id === without || found.has(id)) continue
    found.add(id)
    const node = nodeOf(plan, id)
    queue.push(...node.incoming.map((flow) => flowOf(plan, flow).from))
    if (node.attachedTo) queue.push(node.attachedTo)
  }
  return found
}

/**
 * Whether an inclusive gateway goes on: tokens have come by some of its flows, and no token elsewhere of the same scope can
 * still come by another one, unless it could as well come by a flow that has its token (BPMN 2.0, 13.4.3).
 */
export function inclusiveGoesOn(plan: ProcessPlan, gateway: PlanNode, tokens: readonly Token[]): boolean {
  const arrived = new Set(tokens.filter((token) => token.node === gateway.id).map(({ arrivedBy }) => arrivedBy))
  const filled = gateway.incoming.filter((id) => arrived.has(id))
  const open = gateway.incoming.filter((id) => !arrived.has(id))
  if (open.length === 0) return true
  const toOpen = comingTo(plan, open, gateway.id)
  const toFilled = comingTo(plan, filled, gateway.id)
  return !tokens.some(({ node, data }) => {
    // A step that is asked again alone leads on from where it was asked for.
    const from = data.backTo?.at(-1)?.node ?? node
    return node !== gateway.id && toOpen.has(from) && !toFilled.has(from)
  })
}
