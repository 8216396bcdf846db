import { flowinstance } from '@data-brain/contract/entities/flow/flowinstance'
import { sql } from '../../database/statement.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import type { FlowContext } from './business.ts'
import type { Variables } from './engine/host.ts'

/** Keys of the dictionary flow_instance_state. */
export const instanceStates = {
  running: '1',
  agreed: '2',
  refused: '3',
  withdrawn: '4',
  terminated: '5',
  incident: '6',
} as const
export const taskStates = { open: 0, done: 1, gone: 2, copy: 3 } as const

/** What fires timers, by its name among recurring work. */
export const timerWork = 'flow-timers'

/** An instance as it stands in its row. */
export interface InstanceRow {
  readonly id: string
  readonly title: string
  readonly processId: string
  readonly startUser: string | null
  readonly state: string
  readonly businessTable: string | null
  readonly businessId: string | null
  readonly variables: Variables
}

/** Whether an instance that was overdue still is, in SQL over its row: no step of it waits too long any more once one has moved. */
export const stillOverdue = sql`case when is_overdue = 1 and exists (select from flow_task t where t.tenant_id = flowinstance.tenant_id and t.instance_id = flowinstance.id
  and t.state = ${taskStates.open} and t.due_time < now()) then 1 else 0 end`

/** Marks what an instance that waits is found by; what is not named stays. */
export async function markWaiting(
  { tx, actor }: Pick<FlowContext, 'tx' | 'actor'>,
  instanceId: string,
  { isOverdue, lacksApprover }: { readonly isOverdue?: true; readonly lacksApprover?: boolean },
): Promise<void> {
  const lacks = lacksApprover === undefined ? sql`lacks_approver` : sql`${lacksApprover ? 1 : 0}`
  const changed = await tx.count(
    sql`update flowinstance set is_overdue = ${isOverdue ? sql`1` : stillOverdue}, lacks_approver = ${lacks}
        where tenant_id = ${actor.tenantId} and id = ${instanceId}
          and (is_overdue, lacks_approver) is distinct from (${isOverdue ? sql`1` : stillOverdue}, ${lacks})`,
  )
  if (changed > 0) await raiseStamp(tx, actor.tenantId, flowinstance.name)
}
