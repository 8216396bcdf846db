import type { PlanNode } from '@data-brain/contract/flow/plan'
import type { Judged } from './judge.ts'

/** What may fail with an error of any code. */
const failing: ReadonlySet<string> = new Set(['service', 'call'])

/** A code of an error, or any. */
type Code = string | undefined

/** Errors that nothing catches would stop an instance; those that nothing throws would wait for ever. */
export function judgeErrors({ plan, nodes, at }: Judged): void {
  /** The sub-processes around a node, the nearest first. */
  const around = (node: PlanNode): string[] => {
    const scopes: string[] = []
    for (let scope = node.scope; scope !== null && plan.nodes[scope]; scope = plan.nodes[scope]!.scope)
      scopes.push(scope)
    return scopes
  }
  const note = (of: Map<string, Set<Code>>, key: string, code: Code): void => {
    of.set(key, (of.get(key) ?? new Set()).add(code))
  }
  const codeOf = ({ event }: PlanNode): Code => (event?.kind === 'error' ? event.code : undefined)
  const catching = nodes.filter((each) => each.type === 'boundary' && each.event?.kind === 'error')
  const throwing = nodes.filter((each) => each.type === 'end' && each.event?.kind === 'error')
  /** Codes that are caught at the edge of each sub-process, and those that may be thrown within it. */
  const caughtAt = new Map<string, Set<Code>>()
  const thrownIn = new Map<string, Set<Code>>()
  for (const caught of catching) note(caughtAt, caught.attachedTo ?? '', codeOf(caught))
  for (const node of [...throwing, ...nodes.filter(({ type }) => failing.has(type))])
    for (const scope of around(node)) note(thrownIn, scope, codeOf(node))
  const knows = (codes: ReadonlySet<Code> | undefined, code: Code): boolean =>
    codes !== undefined && (codes.has(undefined) || codes.has(code))
  // At the outermost level the process that called this one may catch it.
  for (const thrown of throwing)
    if (thrown.scope !== null && !around(thrown).some((scope) => knows(caughtAt.get(scope), codeOf(thrown))))
      at(
        thrown.id,
        `抛出的错误“${codeOf(thrown)}”没有边界事件捕获`,
        `throws the error “${codeOf(thrown)}”, which no boundary event catches`,
      )
  for (const caught of catching) {
    const host = plan.nodes[caught.attachedTo ?? '']
    if (!host || failing.has(host.type)) continue
    const thrown = thrownIn.get(host.id)
    if (codeOf(caught) === undefined ? !thrown : !knows(thrown, codeOf(caught)))
      at(
        caught.id,
        `等待的错误“${codeOf(caught) ?? '任意'}”不会有人抛出`,
        `waits for the error “${codeOf(caught) ?? 'any'}”, which nothing throws`,
      )
  }
}
