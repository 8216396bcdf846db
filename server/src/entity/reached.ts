import { codeOf, type Entity } from '@data-brain/contract'
import { prepareQuery, type Statement, sql } from '../database/statement.ts'
import { holdsCode } from '../kernel/actor.ts'
import type { Call } from '../kernel/route.ts'
import { modelOf } from './model.ts'
import { rowsOf } from './routes.ts'

/** Rows that a statement finds among those of an entity, called `t` in it, that the caller reaches. */
export async function queryReached<T = unknown>(
  call: Call,
  entity: Entity,
  build: (scope: ReturnType<typeof sql>) => ReturnType<typeof sql>,
): Promise<T[]> {
  const reach = await rowsOf(entity, call).reach([codeOf(entity, 'view')])
  const scope = reach
    ? sql`and t.id in (select t.id from ${sql.table(modelOf(entity).table)} t where t.tenant_id = ${call.actor.tenantId} and ${reach.sql})`
    : sql``
  const { text, values } = prepareQuery(build(scope)).with({ tenant: call.actor.tenantId, ...reach?.values })
  return call.tx.run<T>({ text, values } as Statement)
}

/** As `queryReached`; none for whoever may not see rows of the entity at all. */
export const seenOf = async <T>(call: Call, entity: Entity, build: Parameters<typeof queryReached>[2]): Promise<T[]> =>
  holdsCode(call.actor, codeOf(entity, 'view')) ? queryReached<T>(call, entity, build) : []
