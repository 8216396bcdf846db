import type { Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { type Actor, holds } from '../../kernel/actor.ts'
import type { Cipher } from '../../kernel/cipher.ts'
import { Problem } from '../../kernel/problem.ts'
import type { SheetRow } from './limits.ts'
import type { Fault, Kept, Mapping } from './row.ts'

export type State =
  | 'reading'
  | 'mapping'
  | 'checking'
  | 'checked'
  | 'committing'
  | 'done'
  | 'undoing'
  | 'undone'
  | 'failed'
export type RowState = 'read' | 'good' | 'bad' | 'duplicate'
export type Duplicates = 'skip' | 'update'

export interface Settings {
  readonly schoolId: string
  readonly yearId: string
  readonly duplicates: Duplicates
  /** Said with the commit: rows with faults are left out. */
  readonly skipBad?: boolean
}

export interface Counts {
  readonly add: number
  readonly update: number
  readonly skip: number
  readonly bad: number
}

export interface Batch {
  readonly id: string
  readonly file_name: string
  readonly state: State
  readonly settings: Settings
  readonly columns: readonly { readonly heading: string }[]
  readonly mapping: Mapping
  readonly progress: number
  readonly total: number
  readonly counts: Partial<Counts>
  readonly failure: Words | null
  readonly user_id: string | null
  readonly user_name: string | null
  readonly create_time: string
  readonly update_time: string
}

const columns = sql`id, file_name, state, settings, columns, mapping, progress, total, counts, failure, user_id, user_name, create_time, update_time`

/** The batch of the tenant; another tenant's is not found, in the same words as one that never was. */
export async function batchOf(tx: Tx, tenantId: string, id: string, lock = false): Promise<Batch> {
  const batch = await tx.one<Batch>(
    lock
      ? sql`select ${columns} from import_batch where tenant_id = ${tenantId} and id = ${id} for update`
      : sql`select ${columns} from import_batch where tenant_id = ${tenantId} and id = ${id}`,
  )
  if (!batch) throw new Problem('not_found')
  return batch
}

export const batchColumns = columns

/**
 * The cells of a file are shown to whoever brought it; to a colleague only with the permission to see personal values.
 */
export function refuseForeignCells(batch: Batch, actor: Actor): void {
  if (batch.user_id !== null && batch.user_id === actor.userId) return
  if (!holds(actor, 'student_personal')) throw new Problem('forbidden', { code: 'student_personal' })
}

/** Refuses a step that the state of the batch does not allow, and says what it is doing. */
export function needState(batch: Batch, ...states: readonly State[]): void {
  if (states.includes(batch.state)) return
  const words = stateWords[batch.state]
  throw new Problem(
    'rule_broken',
    { reason: { zh: `该批次${words.zh},不能这样操作`, en: `The batch ${words.en}: this cannot be done now` } },
    { state: batch.state },
  )
}

const stateWords: Record<State, Words> = {
  reading: { zh: '正在读取', en: 'is being read' },
  mapping: { zh: '尚未匹配列', en: 'has no matched columns yet' },
  checking: { zh: '正在检查', en: 'is being checked' },
  checked: { zh: '已检查、未导入', en: 'is checked and not imported' },
  committing: { zh: '正在导入', en: 'is being imported' },
  done: { zh: '已导入', en: 'has been imported' },
  undoing: { zh: '正在撤销', en: 'is being undone' },
  undone: { zh: '已撤销', en: 'has been undone' },
  failed: { zh: '读取失败', en: 'could not be read' },
}

/** A row as it is kept. */
export interface StoredRow {
  readonly no: number
  readonly kept: Kept
  readonly faults: readonly Fault[]
  readonly state: RowState
  readonly rowId: string | null
}

const placeOf = (tenantId: string, batchId: string, no: number) => ({
  table: 'import_row',
  column: 'cells',
  tenantId,
  id: `${batchId}.${no}`,
})

/** Seals the cells of a row for its place. */
export const sealRow = (kept: Kept, cipher: Cipher, tenantId: string, batchId: string, no: number): Buffer =>
  cipher.seal(JSON.stringify(kept), placeOf(tenantId, batchId, no))

/** Stores rows as they were read. */
export async function storeRows(
  tx: Tx,
  cipher: Cipher,
  tenantId: string,
  batchId: string,
  rows: readonly SheetRow[],
): Promise<void> {
  const sealed = rows.map(({ no, cells, marks }) =>
    sealRow({ cells, ...(marks ? { marks } : {}) }, cipher, tenantId, batchId, no),
  )
  await tx.run(
    sql`insert into import_row (tenant_id, batch_id, row_no, cells)
        select ${tenantId}, ${batchId}::bigint, u.no, u.cells from unnest(${rows.map((row) => row.no)}::int[], ${sealed}::bytea[]) u(no, cells)`,
  )
}

interface RawRow {
  row_no: number
  cells: Buffer
  faults: Fault[]
  state: RowState
  row_id: string | null
}

export const openRow = (row: RawRow, cipher: Cipher, tenantId: string, batchId: string): StoredRow => ({
  no: row.row_no,
  kept: JSON.parse(cipher.open(row.cells, placeOf(tenantId, batchId, row.row_no))) as Kept,
  faults: row.faults,
  state: row.state,
  rowId: row.row_id,
})

export interface RowQuery {
  readonly after?: number
  readonly states?: readonly RowState[]
  readonly nos?: readonly number[]
  readonly limit: number
  readonly offset?: number
}

/** Rows in the order of the file. */
export async function loadRows(
  tx: Tx,
  cipher: Cipher,
  tenantId: string,
  batchId: string,
  query: RowQuery,
): Promise<StoredRow[]> {
  const rows = await tx.run<RawRow>(
    sql`select row_no, cells, faults, state, row_id from import_row
        where tenant_id = ${tenantId} and batch_id = ${batchId} and row_no > ${query.after ?? 0}
          ${query.states ? sql`and state = any(${[...query.states]}::text[])` : sql``}
          ${query.nos ? sql`and row_no = any(${[...query.nos]}::int[])` : sql``}
        order by row_no limit ${query.limit} offset ${query.offset ?? 0}`,
  )
  return rows.map((row) => openRow(row, cipher, tenantId, batchId))
}

/** How many rows are in which state. */
export async function rowCounts(tx: Tx, tenantId: string, batchId: string): Promise<Record<RowState, number>> {
  const counts: Record<RowState, number> = { read: 0, good: 0, bad: 0, duplicate: 0 }
  for (const row of await tx.run<{ state: RowState; n: number }>(
    sql`select state, count(*)::int as n from import_row where tenant_id = ${tenantId} and batch_id = ${batchId} group by state`,
  ))
    counts[row.state] = row.n
  return counts
}

/** What a commit would do. */
export function planned(counts: Record<RowState, number>, duplicates: Duplicates): Counts {
  return {
    add: counts.good,
    update: duplicates === 'update' ? counts.duplicate : 0,
    skip: duplicates === 'skip' ? counts.duplicate : 0,
    bad: counts.bad,
  }
}
