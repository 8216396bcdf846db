import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

/** Those of the codes that are counties, lie within one, or are of a city that has none. */
export async function countiesOf(tx: Pick<Tx, 'run'>, codes: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.run<{ code: string }>(
    sql`select code from region r where code = any(${[...codes]}::text[])
          and (level >= 3 or not exists (select 1 from region c where c.parent_code = r.code and c.level <= 3 and c.valid_to is null))`,
  )
  return new Set(rows.map(({ code }) => code))
}
