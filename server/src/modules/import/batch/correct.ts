import { sql } from '../../../database/statement.ts'
import type { Context } from '../../../entity/repository.ts'
import { Problem } from '../../../kernel/problem.ts'
import { limits } from '../file/limits.ts'
import { type Batch, loadRows, type StoredRow, sealRow } from './batch.ts'
import { keyCollisions, storeVerdicts, withOthers } from './check-job.ts'
import type { Form } from './form.ts'

/**
 * Changes cells of one row and judges it anew, together with the rows that it shared a key with or now does. Answers
 * these rows as they stand.
 */
export async function correctRow(
  form: Form,
  context: Context,
  batch: Batch,
  no: number,
  cells: Readonly<Record<string, string>>,
): Promise<StoredRow[]> {
  const { tx, cipher, actor } = context
  const { tenantId } = actor
  const [row] = await loadRows(tx, cipher, tenantId, batch.id, { nos: [no], limit: 1 })
  if (!row) throw new Problem('not_found')
  for (const [column, text] of Object.entries(cells)) {
    const at = Number(column)
    while (row.kept.cells.length < at) row.kept.cells.push('')
    row.kept.cells[at] = text.slice(0, limits.cell)
    if (row.kept.marks) delete row.kept.marks[at]
  }
  await tx.run(
    sql`update import_row set cells = ${sealRow(row.kept, cipher, tenantId, batch.id, no)} where tenant_id = ${tenantId} and batch_id = ${batch.id} and row_no = ${no}`,
  )
  const judge = await form.judge(context, batch)
  const [judged] = await judge([row])
  const before = await tx.one<{ keys: string[] }>(
    sql`select keys from import_row where tenant_id = ${tenantId} and batch_id = ${batch.id} and row_no = ${no}`,
  )
  const touched = [...new Set([...(before?.keys ?? []), ...(judged?.keys ?? [])])]
  const near = await sharing(context, batch.id, touched)
  const others = near.filter((each) => each.row_no !== no).map((each) => each.row_no)
  const rows =
    others.length > 0 ? await loadRows(tx, cipher, tenantId, batch.id, { nos: others, limit: others.length }) : []
  const all = [...(judged ? [judged] : []), ...(await judge(rows))]
  // What the touched rows share among each other and with any other row.
  const keys = [...new Set(all.flatMap((each) => each.keys))]
  const byKey = new Map<string, number[]>()
  const put = (key: string, at: number): void => {
    const held = byKey.get(key) ?? []
    if (!held.includes(at)) byKey.set(key, [...held, at])
  }
  for (const each of all) for (const key of each.keys) put(key, each.no)
  for (const each of await sharing(context, batch.id, keys))
    if (each.row_no !== no) for (const key of each.keys) if (byKey.has(key)) put(key, each.row_no)
  const shared = keyCollisions(form, byKey, batch.settings)
  await storeVerdicts(
    tx,
    tenantId,
    batch.id,
    all.map((each) => withOthers(each, shared)),
  )
  return loadRows(tx, cipher, tenantId, batch.id, { nos: [no, ...others], limit: 1 + others.length })
}

const sharing = (
  { tx, actor }: Context,
  batchId: string,
  keys: readonly string[],
): Promise<{ row_no: number; keys: string[] }[]> =>
  keys.length === 0
    ? Promise.resolve([])
    : tx.run(
        sql`select row_no, keys from import_row where tenant_id = ${actor.tenantId} and batch_id = ${batchId} and keys && ${[...keys]}::text[] order by row_no limit 50`,
      )
