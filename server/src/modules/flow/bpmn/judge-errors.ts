import type { PlanNode } from '@data-brain/contract/flow/plan'
import type { Judged } from './judge.ts'

/** What may fail with an error of any code. */
const failing: ReadonlySet<string> = new Set(['service', 'call'])

/** Errors that nothing catches would stop an instance; those that nothing throws would wait for ever. */
export function judgeErrors({ plan, nodes, at }: Judged): void {
  /** The sub-processes around a node, the nearest first. */
  const around = (node: PlanNode): string[] => {
    const scopes: string[] = []
    for (let scope = node.scope; scope !== null && plan.nodes[scope]; scope = plan.nodes[scope]!.scope)
      scopes.push(scope)
    return scopes
  }
  const catching = nodes.filter((each) => each.type === 'boundary' && each.event?.kind === 'error')
  const throwing = nodes.filter((each) => each.type === 'end' && each.event?.kind === 'error')
  const codeOf = ({ event }: PlanNode): string | undefined => (event?.kind === 'error' ? event.code : undefined)
  const fits = (thrown: PlanNode, caught: PlanNode): boolean =>
    codeOf(caught) === undefined || codeOf(caught) === codeOf(thrown)
  for (const thrown of throwing) {
    // At the outermost level the process that called this one may catch it.
    if (thrown.scope === null) continue
    const scopes = around(thrown)
    if (!catching.some((caught) => scopes.includes(caught.attachedTo ?? '') && fits(thrown, caught)))
      at(
        thrown.id,
        `抛出的错误“${codeOf(thrown)}”没有边界事件捕获`,
        `throws the error “${codeOf(thrown)}”, which no boundary event catches`,
      )
  }
  for (const caught of catching) {
    const host = plan.nodes[caught.attachedTo ?? '']
    if (!host || failing.has(host.type)) continue
    const within = (node: PlanNode): boolean => around(node).includes(host.id)
    const some =
      host.type === 'sub' &&
      (throwing.some((each) => within(each) && fits(each, caught)) ||
        nodes.some((each) => failing.has(each.type) && within(each)))
    if (!some)
      at(
        caught.id,
        `等待的错误“${codeOf(caught) ?? '任意'}”不会有人抛出`,
        `waits for the error “${codeOf(caught) ?? 'any'}”, which nothing throws`,
      )
  }
}
