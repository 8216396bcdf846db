import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Context } from '../../entity/repository.ts'
import { type Batch, loadRows, planned, type RowState, rowCounts, type StoredRow } from './batch.ts'
import { type Job, startJob } from './jobs.ts'
import { type Lookups, readLookups } from './lookups.ts'
import {
  type Before,
  type Fault,
  type JudgedRow,
  judgeRow,
  type MappedColumn,
  mappedColumns,
  type ReadRow,
  readRow,
} from './row.ts'
import { type Found, findStored, type KeyName, keptKeys, keysOf, loadBefore } from './stored.ts'

/** Rows that are judged in one go. */
export const chunkSize = 250

export interface Judged extends JudgedRow {
  readonly row: ReadRow
  readonly found: Found
  readonly before: Before
  readonly keys: string[]
  readonly state: RowState
}

/** What a judge needs besides the rows: read once per job. */
export interface Bench {
  readonly context: Context
  readonly batch: Batch
  readonly lookups: Lookups
  readonly columns: readonly MappedColumn[]
  readonly mapped: ReadonlySet<string>
}

export async function benchOf(context: Context, batch: Batch): Promise<Bench> {
  const { schoolId, yearId } = batch.settings
  const columns = mappedColumns(batch.mapping)
  return {
    context,
    batch,
    lookups: await readLookups(context.tx, context.actor.tenantId, schoolId, yearId),
    columns,
    mapped: new Set(columns.map(({ column }) => column.key)),
  }
}

const taken: Record<KeyName, { here: string; elsewhere: string; en: string }> = {
  studentNo: { here: '已属于另一名学生', elsewhere: '已属于另一名学生', en: 'belongs to another student' },
  idNo: { here: '已属于另一名学生', elsewhere: '已属于另一所学校的学生', en: 'belongs to another student' },
  nationalCode: { here: '已属于另一名学生', elsewhere: '已属于另一所学校的学生', en: 'belongs to another student' },
  seatNo: { here: '在该班已有人使用', elsewhere: '在该班已有人使用', en: 'is taken in that class' },
}

/** Judges rows: reads their cells, finds whom they are about, and checks what would be stored. */
export async function judge(bench: Bench, rows: readonly StoredRow[]): Promise<Judged[]> {
  const { context, batch, lookups, columns, mapped } = bench
  const read = rows.map((row) => readRow(row.no, row.kept, columns, lookups))
  const hashed = read.map((row) => keysOf(row.drafts, context))
  const found = await findStored(hashed, context, lookups.schoolId)
  const update = batch.settings.duplicates === 'update'
  const before = await loadBefore(
    read.map((row, at) => ({ row, id: update ? found[at]?.id : undefined })),
    context,
  )
  return read.map((row, at): Judged => {
    const is = found[at] as Found
    const keys = keptKeys(hashed[at] ?? {})
    // A row that is left alone need not be right.
    if (is.id && !update) return { row, found: is, before: {}, keys, values: {}, faults: [], state: 'duplicate' }
    const judged = judgeRow(row, lookups, mapped, before[at])
    const faults = [...judged.faults]
    for (const { name, elsewhere } of is.taken)
      faults.push({ key: `student.${name}`, zh: taken[name][elsewhere ? 'elsewhere' : 'here'], en: taken[name].en })
    return {
      row,
      found: is,
      before: before[at] ?? {},
      keys,
      values: judged.values,
      faults,
      state: faults.length > 0 ? 'bad' : is.id ? 'duplicate' : 'good',
    }
  })
}

/** The fault of a row that shares a key with other rows of the file. */
export const repeated = (name: KeyName, others: readonly number[]): Fault => {
  const list = others.slice(0, 3).join(', ') + (others.length > 3 ? '…' : '')
  return { key: `student.${name}`, zh: `与第${list}行重复`, en: `is the same as in row ${list}` }
}

interface Verdict {
  readonly no: number
  readonly state: RowState
  readonly faults: readonly Fault[]
  readonly keys: readonly string[]
  readonly row_id: string | null
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

export const verdictOf = (judged: Judged, others: readonly Fault[] = []): Verdict => ({
  no: judged.row.no,
  state: others.length > 0 ? 'bad' : judged.state,
  faults: [...judged.faults, ...others],
  keys: judged.keys,
  row_id: judged.found.id ?? null,
})

/** The faults of rows that share keys: by row, from the rows of each key. */
export function collisions(byKey: ReadonlyMap<string, readonly number[]>): Map<number, Fault[]> {
  const faults = new Map<number, Fault[]>()
  for (const [key, nos] of byKey) {
    if (nos.length < 2) continue
    const name = key.slice(0, key.indexOf(':')) as KeyName
    for (const no of nos)
      faults.set(no, [
        ...(faults.get(no) ?? []),
        repeated(
          name,
          nos.filter((other) => other !== no),
        ),
      ])
  }
  return faults
}

/** Checks every row of a batch. */
export function startChecking(job: Job): void {
  startJob(job, 'checking', async (tx, batch, progress) => {
    const { tenantId, batchId, services } = job
    const bench = await benchOf(
      { tx, actor: job.actor, circumstance: job.circumstance, cipher: services.cipher },
      batch,
    )
    const byKey = new Map<string, number[]>()
    let after = 0
    let done = 0
    for (;;) {
      const rows = await loadRows(tx, services.cipher, tenantId, batchId, { after, limit: chunkSize })
      if (rows.length === 0) break
      const judged = await judge(bench, rows)
      for (const each of judged)
        for (const key of each.keys) {
          const held = byKey.get(key)
          if (held) held.push(each.row.no)
          else byKey.set(key, [each.row.no])
        }
      await storeVerdicts(
        tx,
        tenantId,
        batchId,
        judged.map((each) => verdictOf(each)),
      )
      after = rows.at(-1)?.no ?? after
      done += rows.length
      await progress(done)
    }
    await markCollisions(tx, tenantId, batchId, collisions(byKey))
    const counts = planned(await rowCounts(tx, tenantId, batchId), batch.settings.duplicates)
    await tx.run(
      sql`update import_batch set state = 'checked', progress = ${done}, counts = ${JSON.stringify(counts)}, failure = null, update_time = now()
          where tenant_id = ${tenantId} and id = ${batchId}`,
    )
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
