import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

/** Which of these keys their dictionaries offer for new choices: those of the tenant, and those of the platform. */
export async function offeredKeys(
  tx: Tx,
  tenantId: string,
  wanted: readonly { readonly dict: string; readonly key: string }[],
): Promise<(dict: string, key: string) => boolean> {
  const dicts = wanted.map(({ dict }) => dict)
  const keys = wanted.map(({ key }) => key)
  const known = await tx.run<{ code: string; dict_key: string }>(
    sql`select d.code, d.dict_key from dict_biz_seen d join unnest(${dicts}::text[], ${keys}::text[]) w(code, dict_key)
          on d.code = w.code and d.dict_key = w.dict_key where d.tenant_id = ${tenantId} and d.is_sealed = 0
        union all
        select d.code, d.dict_key from dict d join unnest(${dicts}::text[], ${keys}::text[]) w(code, dict_key)
          on d.code = w.code and d.dict_key = w.dict_key where d.is_sealed = 0 and d.parent_id is not null`,
  )
  const offered = new Set(known.map((row) => `${row.code}|${row.dict_key}`))
  return (dict, key) => offered.has(`${dict}|${key}`)
}
