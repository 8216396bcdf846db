import type { Entity, Words } from '@data-brain/contract'
import type { FormColumn } from '@data-brain/contract/import/form'
import type { FormKind } from '@data-brain/contract/import/place'
import type { Tx } from '../../../database/transaction.ts'
import type { Model } from '../../../entity/model.ts'
import type { Context } from '../../../entity/repository.ts'
import type { Call } from '../../../kernel/route.ts'
import type { BatchJob, Progress } from '../../jobs/index.ts'
import type { Template } from '../file/output-workbook.ts'
import type { Batch, RowState, Settings, StoredRow } from './batch.ts'
import type { ClassPlace } from './lookups.ts'
import type { Fault, RowNote } from './row.ts'

/*
 * What the engine of imports asks of a form. Reading, matching, correcting, the states of a batch and its calls are the
 * same for all of them; what a row means, and what it becomes, is the form's own.
 */

/** A job on a batch of one of the forms. */
export type FormJob = BatchJob & { readonly kind: FormKind }

/** What was found out about a row. */
export interface RowVerdict {
  readonly no: number
  readonly state: RowState
  readonly faults: readonly Fault[]
  /** What no two rows of the file may share, each as `name:value`, where `name` is a field of the form's main part. */
  readonly keys: readonly string[]
  /** The stored row that it is about. */
  readonly row_id: string | null
  /** What is told of it, though it is right. */
  readonly notes?: readonly RowNote[]
}

/** Judges rows by what was read once for all of them. */
export type RowJudge = ((rows: readonly StoredRow[]) => Promise<readonly RowVerdict[]>) & {
  /** Names of what would be made beside the rows that were judged. */
  readonly makes?: () => readonly string[]
}

/** What can be chosen for cells that say the same. */
export interface Option {
  readonly value: string
  readonly label: string
}

/** What can be said of cells that could not be read. */
export interface CellQuestion {
  options(key: string, text: string): Option[]
  /** Whether the cells of a column are words, each of which means the same in every row. */
  isWord?(key: string): boolean
  /** Whether what a cell says is kept in the remarks where its field is left empty. */
  keeps?(key: string, text: string): boolean
  /** What would be made of a fault that allows it, as it is told. */
  made(fault: Fault): { name: string; grade: string; cohortYear: number; classNo: number } | undefined
  /** The same, to be made with the batch, beside what is planned already. */
  plan(fault: Fault, planned?: readonly ClassPlace[]): ClassPlace | undefined
}

/** What a batch wrote into one entity. */
export interface WrittenItem {
  readonly id: string
  readonly version: number
  readonly added: boolean
}

export interface Undo {
  /** The models of what a batch writes, each before those it points at; the last is what the form is about. */
  readonly order: readonly Model[]
  /** Models of which a batch only changes rows along: these are restored. */
  readonly changed?: readonly Model[]
  /** Models of which a batch makes rows because its own need them: what nobody uses any more goes with it. */
  readonly makes?: readonly Model[]
  /** Rows that the batch added and that are in use; whoever undoes may know better. */
  usedSince?(tx: Tx, tenantId: string, added: readonly string[]): Promise<{ id: string; name: string | null }[]>
  /** Before the rows go back; answers what is to be done afterwards. */
  begin?(
    context: Context,
    batch: Batch,
    rows: ReadonlyMap<string, readonly WrittenItem[]>,
  ): Promise<() => Promise<void>>
}

export interface Form {
  readonly kind: FormKind
  readonly title: Words
  /** The permission to import. */
  readonly code: string
  /** The permission by which cells of somebody else's file are seen. */
  readonly personal: string
  /** Whoever does not reach all rows of these may not import: a file judges, and may change, any of them. */
  readonly entities: readonly Entity[]
  /** Its name in the record of a batch. */
  readonly template: string
  readonly templateName: Words
  readonly columns: readonly FormColumn[]
  readonly models: Readonly<Record<string, Model>>
  /** The part that keys and duplicates are about. */
  readonly main: string
  /**
   * Keys, by name, that rows may share and be different all the same: told so, the first keeps what it says there and the
   * others go without it. `name` stands for several columns together, and is only let pass.
   */
  readonly apart?: readonly string[]
  /** Whether a file without the column cannot be imported at all, or a value is needed once its part is begun. */
  need(column: FormColumn): 'always' | 'part' | 'no'
  /** Required columns that a row may leave empty all the same, because their value is made or the row is found without. */
  readonly made?: readonly string[]
  /** Columns that need not be there because of those that are. */
  derived?(mapped: ReadonlySet<string>): readonly string[]
  /** What the parameters of an upload say, checked. */
  settings(call: Call): Promise<Omit<Settings, 'duplicates'>>
  /** The empty form, with the lists of the tenant. */
  blank(call: Call): Promise<Template>
  judge(context: Context, batch: Batch): Promise<RowJudge>
  /** Undefined where cells that cannot be read are mended one by one. */
  asks?(context: Context, batch: Batch): Promise<CellQuestion>
  /** Why so many new rows cannot be taken, whatever they say; asked at the check, and judged again where they are stored. */
  refuses?(tx: Tx, tenantId: string, adding: number): Promise<Words | undefined>
  /** Stores the rows of a batch that are to be stored; answers what the batch keeps besides. */
  store(job: FormJob, batch: Batch, tx: Tx, progress: Progress): Promise<StoredBatch>
  readonly undo: Undo
}

export interface StoredBatch {
  readonly done: number
  /** Beside what the settings of the batch say already. */
  readonly settings?: Partial<Settings>
  /** Done after the rows of the file are dropped. */
  after?(): Promise<void>
}
