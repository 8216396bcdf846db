import type { RowRun } from '@data-brain/contract/import/row-place'
import type { DayOrder } from '@data-brain/contract/rules/day'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { type Actor, holdsCode } from '../../../kernel/actor.ts'
import type { Cipher } from '../../../kernel/cipher.ts'
import { mapGently } from '../../../kernel/cooperative.ts'
import { Problem } from '../../../kernel/problem.ts'
import { batchOf as findBatch, type Batch as Stored } from '../../jobs/index.ts'
import type { SheetRow } from '../file/table.ts'
import type { Form } from './form.ts'
import type { ClassPlace } from './lookups.ts'
import type { Fault, KeptRow, Mapping, RowNote } from './row.ts'
import type { Outcome } from './undo-view.ts'

/** `out`: somebody chose to leave the row out. */
export type RowState = 'read' | 'good' | 'bad' | 'duplicate' | 'out'
/** Of rows that share a key, the one that comes in; `each` where they are different all the same. */
export type DuplicatePolicy = 'first' | 'last' | 'each'
export type Duplicates = 'skip' | 'update'

/** What was chosen with the file, and what the work on it leaves behind for later. */
export interface Settings {
  readonly duplicates: Duplicates
  /** Of students: the school and the year whose classes are meant. */
  readonly schoolId?: string
  readonly yearId?: string
  readonly semesterId?: string
  /** What is made beside the rows of the file, by name, as the check found. */
  readonly makes?: readonly string[]
  /** How many rows of the entity the rows of the file became, where one becomes several. */
  readonly stored?: number
  /** One value for all rows, by column of the form; those of a guardian stand where the row names one. */
  readonly fixed?: Readonly<Record<string, string>>
  /** What to read in place of cells that cannot be read, by column and by the keyed hash of what they say. */
  readonly answers?: Readonly<Record<string, Readonly<Record<string, Answer>>>>
  /** Rows that are hidden in the file: taken in, or left out; until somebody says so they wait. */
  readonly hidden?: 'take' | 'leave'
  /** Which of the rows of the file that share a key come in, by the name of the key; until somebody says so none does. */
  readonly repeats?: Readonly<Record<string, DuplicatePolicy>>
  /** How the days of a column are read, by its place. */
  readonly orders?: Readonly<Record<string, DayOrder>>
  /** Classes that are made with the batch. */
  readonly classes?: readonly ClassPlace[]
  /** Sheets of the file that somebody chose, in place of those that were proposed. */
  readonly sheets?: readonly number[]
  /** The row that somebody pointed at as the heading of a sheet. */
  readonly heading?: { readonly sheet: number; readonly row: number }
  /** Where rows stand in a file of several sheets or tables. */
  readonly runs?: readonly RowRun[]
  /** What the check found to tell of rows that are right. */
  readonly told?: readonly GroupedNote[]
  /** Of students that were stored: how many new ones came into which class; without an id those without one. */
  readonly placed?: readonly { readonly classId: string | null; readonly name: string; readonly count: number }[]
  /** Of a batch that was undone: how many rows of what it is about stayed, because others had changed them. */
  readonly stayed?: number
  /** What its undo did. */
  readonly outcome?: Outcome
  /** One-time passwords that are kept to be fetched, and by whom. */
  readonly passwords?: { readonly userId: string | null; readonly count: number }
  /** When what the batch keeps beyond its end is dropped. */
  readonly keptUntil?: string
}

/** One note of several rows: how many, and the first of them. */
export interface GroupedNote extends RowNote {
  readonly count: number
  readonly rows: readonly number[]
}

/** What was said of all cells with the same words: read them so (an empty text is nothing), or leave their rows out. */
export interface Answer {
  readonly as?: string
  readonly out?: boolean
  /** It was said of an earlier file. */
  readonly learned?: boolean
}

export interface Counts {
  readonly add: number
  readonly update: number
  readonly skip: number
  readonly bad: number
  readonly out: number
}

export type Batch = Stored<Settings, Partial<Counts>> & { readonly mapping: Mapping }

/** The batch of a form, as `batchOf` of the jobs gives it. */
export const batchOf = (
  tx: Tx,
  tenantId: string,
  { kind }: Pick<Form, 'kind'>,
  id: string,
  lock = false,
): Promise<Batch> => findBatch<Batch>(tx, tenantId, kind, id, lock)

/**
 * The cells of a file are shown to whoever brought it; to a colleague only with the permission to see personal values.
 */
export function refuseForeignCells({ personal }: Pick<Form, 'personal'>, batch: Batch, actor: Actor): void {
  if (batch.user_id !== null && batch.user_id === actor.userId) return
  if (!holdsCode(actor, personal)) throw new Problem('forbidden', { code: personal })
}

/** A row as it is kept. */
export interface StoredRow {
  readonly no: number
  readonly kept: KeptRow
  readonly faults: readonly Fault[]
  readonly state: RowState
  readonly rowId: string | null
}

/** The place for which a piece that a batch keeps is sealed. */
export const placeOf = (tenantId: string, batchId: string, no: number) => ({
  table: 'import_row',
  column: 'cells',
  tenantId,
  id: `${batchId}.${no}`,
})

/** Seals the cells of a row for its place. */
export const sealRow = (kept: KeptRow, cipher: Cipher, tenantId: string, batchId: string, no: number): Buffer =>
  cipher.seal(JSON.stringify(kept), placeOf(tenantId, batchId, no))

/** Stores rows as they were read. */
export async function storeRows(
  tx: Tx,
  cipher: Cipher,
  tenantId: string,
  batchId: string,
  rows: readonly SheetRow[],
): Promise<void> {
  const sealed = await mapGently(rows, ({ no, ...kept }) => sealRow(kept, cipher, tenantId, batchId, no))
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
  kept: JSON.parse(cipher.open(row.cells, placeOf(tenantId, batchId, row.row_no))) as KeptRow,
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
  return mapGently(rows, (row) => openRow(row, cipher, tenantId, batchId))
}

/** How many rows are in which state. */
export async function rowCounts(tx: Tx, tenantId: string, batchId: string): Promise<Record<RowState, number>> {
  const counts: Record<RowState, number> = { read: 0, good: 0, bad: 0, duplicate: 0, out: 0 }
  for (const row of await tx.run<{ state: RowState; n: number }>(
    sql`select state, count(*)::int as n from import_row where tenant_id = ${tenantId} and batch_id = ${batchId} and row_no > 0 group by state`,
  ))
    counts[row.state] = row.n
  return counts
}

/** What a commit would do. */
export function commitPlan(counts: Record<RowState, number>, duplicates: Duplicates): Counts {
  return {
    add: counts.good,
    update: duplicates === 'update' ? counts.duplicate : 0,
    skip: duplicates === 'skip' ? counts.duplicate : 0,
    bad: counts.bad,
    out: counts.out,
  }
}
