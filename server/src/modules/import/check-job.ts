import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { addBatchWork } from '../jobs/index.ts'
import { batchOf, loadRows, planned, rowCounts } from './batch.ts'
import type { Form, Verdict } from './form.ts'
import type { Fault } from './row.ts'

/** Rows that are judged in one go. */
export const chunkSize = 250

/** The fault of a row that shares a key with other rows of the file. */
const repeated = (main: string, name: string, others: readonly number[]): Fault => {
  const list = others.slice(0, 3).join(', ') + (others.length > 3 ? '…' : '')
  return { key: `${main}.${name}`, zh: `与第${list}行重复`, en: `is the same as in row ${list}` }
}

/** Writes what was found out about rows beside them. */
export async function storeVerdicts(
  tx: Tx,
  tenantId: string,
  batchId: string,
  verdicts: readonly Verdict[],
): Promise<void> {
  if (verdicts.length === 0) return
  await tx.run(
    sql`update import_row r set state = u.state, faults = u.faults, keys = u.keys, row_id = u.row_id
        from jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) u(no int, state text, faults jsonb, keys text[], row_id bigint)
        where r.tenant_id = ${tenantId} and r.batch_id = ${batchId} and r.row_no = u.no`,
  )
}

/** A verdict with what the row shares with other rows of the file. */
export const withOthers = (verdict: Verdict, others: readonly Fault[] = []): Verdict =>
  others.length === 0 ? verdict : { ...verdict, state: 'bad', faults: [...verdict.faults, ...others] }

/** The faults of rows that share keys: by row, from the rows of each key. */
export function collisions(
  { main }: Pick<Form, 'main'>,
  byKey: ReadonlyMap<string, readonly number[]>,
): Map<number, Fault[]> {
  const faults = new Map<number, Fault[]>()
  for (const [key, nos] of byKey) {
    if (nos.length < 2) continue
    const name = key.slice(0, key.indexOf(':'))
    for (const no of nos)
      faults.set(no, [
        ...(faults.get(no) ?? []),
        repeated(
          main,
          name,
          nos.filter((other) => other !== no),
        ),
      ])
  }
  return faults
}

/** Checks every row of a batch. */
export function addChecking(form: Form): void {
  addBatchWork(form.kind, 'checking', form.code, async (job, tx, progress) => {
    const { tenantId, batchId, services } = job
    const batch = await batchOf(tx, tenantId, form, batchId)
    const judge = await form.judge(
      { tx, actor: job.actor, circumstance: job.circumstance, cipher: services.cipher },
      batch,
    )
    const byKey = new Map<string, number[]>()
    let after = 0
    let done = 0
    for (;;) {
      const rows = await loadRows(tx, services.cipher, tenantId, batchId, { after, limit: chunkSize })
      if (rows.length === 0) break
      const judged = await judge(rows)
      for (const each of judged)
        for (const key of each.keys) {
          const held = byKey.get(key)
          if (held) held.push(each.no)
          else byKey.set(key, [each.no])
        }
      await storeVerdicts(tx, tenantId, batchId, judged)
      after = rows.at(-1)?.no ?? after
      done += rows.length
      await progress(done)
    }
    await markCollisions(tx, tenantId, batchId, collisions(form, byKey))
    const counts = planned(await rowCounts(tx, tenantId, batchId), batch.settings.duplicates)
    const makes = judge.makes?.() ?? []
    await tx.run(
      sql`update import_batch set state = 'checked', progress = ${done}, settings = ${JSON.stringify({ ...batch.settings, makes })}, counts = ${JSON.stringify(counts)}, failure = null, update_time = now()
          where tenant_id = ${tenantId} and id = ${batchId}`,
    )
    return { ...counts }
  })
}

async function markCollisions(
  tx: Tx,
  tenantId: string,
  batchId: string,
  faults: ReadonlyMap<number, readonly Fault[]>,
): Promise<void> {
  const marked = [...faults].map(([no, added]) => ({ no, added }))
  for (let start = 0; start < marked.length; start += 1_000)
    await tx.run(
      sql`update import_row r set state = 'bad', faults = r.faults || u.added
          from jsonb_to_recordset(${JSON.stringify(marked.slice(start, start + 1_000))}::jsonb) u(no int, added jsonb)
          where r.tenant_id = ${tenantId} and r.batch_id = ${batchId} and r.row_no = u.no`,
    )
}
