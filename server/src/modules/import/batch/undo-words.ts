import type { TouchedRows } from '@data-brain/contract/generic'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import type { Model } from '../../../entity/model.ts'
import { nameRef, titleRef } from '../../../entity/select.ts'

/*
 * What is said of the rows of a batch that others have touched since: which they are, whose, what was done and by whom.
 * Only rows that are named are asked about, so that a batch of thousands costs no more than one of twenty.
 */

/** A row that was touched, as the plan of an undo found it. */
export interface TouchedOne {
  readonly id: string
  readonly name: string | null
  /** Whether it is still there; what was put beside the batch is. */
  readonly there?: boolean
  readonly version: number | null
  /** The row of what the form is about that it belongs to. */
  readonly owner: string | null
}

/** Names of rows: as they stand, or as they were last where they are gone. */
async function namesOf(
  tx: Tx,
  tenantId: string,
  model: Model,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const table = nameRef(model.table)
  const found = await tx.run<{ id: string; name: string | null }>(
    sql`select t.id, ${titleRef(model)} as name from ${table} t where t.tenant_id = ${tenantId} and t.id = any(${[...ids]}::bigint[])`,
  )
  const names = new Map(found.map(({ id, name }) => [id, name]))
  const gone = ids.filter((id) => !names.has(id))
  if (gone.length === 0) return names
  for (const { id, name } of await tx.run<{ id: string; name: string | null }>(
    sql`select distinct on (h.row_id) h.row_id as id, ${titleRef(model)} as name
        from history h cross join lateral jsonb_populate_record(null::${table}, h.before) t
        where h.tenant_id = ${tenantId} and h.entity = ${model.entity.name} and h.row_id = any(${gone}::bigint[]) and h.before is not null
        order by h.row_id, h.version desc`,
  ))
    names.set(id, name)
  return names
}

/** Who was the last to change each row. */
async function lastHands(
  tx: Tx,
  tenantId: string,
  model: Model,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await tx.run<{ id: string; by: string | null }>(
    sql`select distinct on (row_id) row_id as id, user_name as by from history
        where tenant_id = ${tenantId} and entity = ${model.entity.name} and row_id = any(${[...ids]}::bigint[]) order by row_id, version desc`,
  )
  return new Map(rows.map(({ id, by }) => [id, by]))
}

/** Rows in words: of the batch's own, what was put beside it, or what is in use. */
export async function toldRows(
  tx: Tx,
  tenantId: string,
  model: Model,
  about: Model,
  rows: readonly TouchedOne[],
  how: 'own' | 'added' | 'used',
): Promise<NonNullable<TouchedRows['rows']>> {
  const ids = rows.map(({ id }) => id)
  const names = await namesOf(tx, tenantId, model, ids)
  const hands = await lastHands(tx, tenantId, model, ids)
  const owners = [...new Set(rows.flatMap(({ owner }) => (owner === null || model === about ? [] : [owner])))]
  const whose = owners.length > 0 ? await namesOf(tx, tenantId, about, owners) : new Map<string, string | null>()
  return rows.map(({ id, there, owner }) => ({
    name: names.get(id) ?? '',
    of: (owner !== null && model !== about && whose.get(owner)) || null,
    how: how !== 'own' ? how : there === false ? 'removed' : 'changed',
    by: (how !== 'used' && hands.get(id)) || null,
  }))
}
