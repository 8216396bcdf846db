import { type Earlier, earlierSteps } from './engine/back.ts'
import { nodeOf } from './engine/graph.ts'
import type { InstanceWork } from './instance.ts'
import type { HeldTask } from './tasks.ts'

/** A step that a task can go back to. */
export interface ReturnTarget extends Earlier {
  readonly name: string
}

/**
 * The steps of people that came before and lead to this one: of the process that the task is in, and of the scopes around
 * it. One in a sub-process that is over is none: it would have to be opened again.
 */
export async function returnTargets(
  work: InstanceWork,
  { processId, node, stepId }: Pick<HeldTask, 'processId' | 'node' | 'stepId'>,
): Promise<ReturnTarget[]> {
  const plan = work.plan(processId)
  const lineage = work.run.tokens.get(stepId)?.data.lineage ?? []
  return earlierSteps(plan, await work.past(processId), { node, lineage }).map((each) => ({
    ...each,
    name: nodeOf(plan, each.node).name ?? each.node,
  }))
}
