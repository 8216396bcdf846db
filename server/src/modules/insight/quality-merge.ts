import { qualityMerge } from '@data-brain/contract/calls/quality'
import { type QualityKey, qualityCheck } from '@data-brain/contract/quality'
import { isId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { mergeRows } from '../../entity/merge.ts'
import { modelOf } from '../../entity/model.ts'
import { rowsOf } from '../../entity/routes.ts'
import { tableRef } from '../../entity/select.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call } from '../../kernel/route.ts'
import { mustBeCheck } from './quality.ts'
import { othersOf } from './quality-checks.ts'
import { entityOfCheck, lookingOf, runWithin } from './quality-count.ts'

/** Two that the check finds to be the same, both within the caller's reach. */
async function mustBeTwins(call: Call, check: QualityKey, id: string, otherId: string): Promise<void> {
  const looking = await lookingOf(call)
  const others = othersOf[check]
  if (!qualityCheck(check).merges || !others || !looking.keys.includes(check) || !isId(id) || !isId(otherId))
    throw new Problem('not_found')
  const model = modelOf(entityOfCheck(check))
  const reached = looking.reached(model.entity.name, 't')
  const [found] = await runWithin(
    looking,
    sql`select 1 from ${tableRef(model)} join ${tableRef(model, 'o')} on o.tenant_id = t.tenant_id
        where t.tenant_id = ${looking.tenantId} and t.id = ${id} and o.id = ${otherId} and ${others} ${reached} ${looking.reached(model.entity.name, 'o')}`,
  )
  if (!found) throw new Problem('not_found')
}

/** Makes one of two records that a check finds to be the same; with `preview` says what that comes to and leaves them. */
export const mergeRoute = on(qualityMerge, async ({ check, id, otherId, take, preview }, call) => {
  const { tx, circumstance } = call
  mustBeCheck(call, check)
  await mustBeTwins(call, check, id, otherId)
  await tx.run(sql`savepoint merged`)
  const { moved, joined, filled, dropped } = await mergeRows(
    rowsOf(entityOfCheck(check), call),
    id,
    otherId,
    take ?? [],
  )
  await tx.run(preview === 1 ? sql`rollback to savepoint merged` : sql`release savepoint merged`)
  const told = (counts: ReadonlyMap<string, number>) => [...counts].map(([entity, count]) => ({ entity, count }))
  return {
    moved: told(moved),
    joined: told(joined),
    filled,
    dropped: [...dropped],
    requestId: preview === 1 ? null : circumstance.requestId,
  }
})
