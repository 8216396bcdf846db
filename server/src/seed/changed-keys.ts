import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

/** The keys that rows of an entity had before somebody changed or removed them: what is gone of these stays gone. */
export async function changedKeys(
  tx: Tx,
  tenantId: string,
  entity: string,
  columns: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.run<{ keys: string[] }>(
    sql`select distinct array(select h.before ->> c from unnest(${[...columns]}::text[]) with ordinality u(c, n) order by n) as keys
        from history h where h.tenant_id = ${tenantId} and h.entity = ${entity} and h.before is not null`,
  )
  return new Set(rows.map(({ keys }) => keys.join('|')))
}
