import { sql } from '../../database/statement.ts'
import type { FlowContext } from './business.ts'
import { nodeOf } from './engine/graph.ts'
import type { InstanceWork } from './instance.ts'
import type { HeldTask } from './tasks.ts'

/** A step that a task can go back to, and the forks within which it stood then. */
export interface ReturnTarget {
  readonly nodeId: string
  readonly name: string
  readonly lineage: readonly string[]
}

/**
 * The steps of people that came before, newest first: of the process that the task is in, and of the scopes around it. One
 * in a sub-process that is over is none: it would have to be opened again.
 */
export async function returnTargets(
  { tx, actor }: FlowContext,
  work: InstanceWork,
  task: Pick<HeldTask, 'instanceId' | 'processId' | 'node' | 'stepId'>,
): Promise<ReturnTarget[]> {
  const plan = work.plan(task.processId)
  const scopes = new Set<string | null>()
  for (let scope: string | null = nodeOf(plan, task.node).scope; ; scope = nodeOf(plan, scope).scope) {
    scopes.add(scope)
    if (scope === null) break
  }
  const rows = await tx.run<{ node: string; lineage: string[] }>(
    sql`select distinct on (a.node) a.node, a.lineage from flow_activity a
        where a.tenant_id = ${actor.tenantId} and a.instance_id = ${task.instanceId} and a.process_id = ${task.processId} and a.kind = 'user'
          and a.end_time is not null and a.node <> ${task.node}
        order by a.node, a.id desc`,
  )
  return rows.flatMap(({ node, lineage }) => {
    const found = plan.nodes[node]
    return found && scopes.has(found.scope) ? [{ nodeId: node, name: found.name ?? node, lineage }] : []
  })
}
