import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import {
  answer,
  batch,
  batches,
  check,
  commit,
  correct,
  faultyRows,
  forget,
  groups,
  learned,
  match,
  passwords,
  remove,
  rows,
  sheets,
  template,
  undo,
  undoPlan,
  upload,
} from '@data-brain/contract/calls/import'
import { ofForm } from '@data-brain/contract/import/place'
import { call, fetchFile, sendFile } from '../../http/call.ts'
import type { Kind } from './import-kinds.ts'

export type { BatchLine, ImportRow, Taken, Undone } from '@data-brain/contract/calls/import'

export type BatchView = AnswerOf<typeof batch>
export type BatchState = BatchView['state']
export type Duplicates = BatchView['duplicates']
export type FileColumn = BatchView['columns'][number]
export type FormField = BatchView['fields'][number]
export type SourceView = NonNullable<BatchView['source']>
export type SheetView = SourceView['views'][number]
export type FaultGroup = AnswerOf<typeof groups>[number]
export type GroupAnswer = InputOf<typeof answer>['answers'][number]
export type RowPage = AnswerOf<typeof rows>
export type CellFault = RowPage['records'][number]['faults'][number]
export type CorrectedRows = AnswerOf<typeof correct>
export type LearnedAnswer = AnswerOf<typeof learned>[number]
export type UndoPlan = AnswerOf<typeof undoPlan>

/** What is said of the whole file beside the match of its columns. */
export interface MatchMore {
  fixed: Readonly<Record<string, string>>
  hidden: 'take' | 'leave' | null
  orders: NonNullable<InputOf<typeof match>['orders']>
}

/** Sending a file of twenty megabytes over a slow line takes longer than an ordinary call. */
const patience = 120_000

/** Somebody works on the batch: it is asked for again and again. */
export const isWorking = (state: BatchState | undefined): boolean =>
  state === 'reading' || state === 'checking' || state === 'committing' || state === 'undoing'

export const sendRows = (kind: Kind, file: File, given: InputOf<typeof upload>) =>
  sendFile(ofForm(upload, kind), file, given, { timeout: patience })

export const readBatch = (kind: Kind, id: string, signal: AbortSignal) =>
  call(ofForm(batch, kind), { id }, { signal, silent: true })

/** The newest imports of a kind, or of every kind that this person may import. */
export const readBatches = (kind: Kind, all: boolean, current: number, size: number, signal: AbortSignal) =>
  call(ofForm(batches, kind), { current, size, ...(all ? { all: 1 } : {}) }, { signal, silent: true })

export const readFaulty = (kind: Kind, id: string, current: number, size: number, signal: AbortSignal) =>
  call(ofForm(rows, kind), { id, state: 'bad', current, size }, { signal, silent: true })

/** Sets what the columns mean; the check begins with it. `silent`: the caller did not ask for it itself. */
export const sendMapping = (
  kind: Kind,
  id: string,
  mapping: Readonly<Record<string, string>>,
  { more, silent = false }: { more?: MatchMore; silent?: boolean } = {},
) =>
  call(
    ofForm(match, kind),
    {
      id,
      mapping,
      ...(more ? { fixed: more.fixed, orders: more.orders, ...(more.hidden ? { hidden: more.hidden } : {}) } : {}),
    },
    { silent },
  )

export const readGroups = (kind: Kind, id: string, signal: AbortSignal) =>
  call(ofForm(groups, kind), { id }, { signal, silent: true })

export const sendAnswers = (kind: Kind, id: string, answers: readonly GroupAnswer[]) =>
  call(ofForm(answer, kind), { id, answers })

export const readLearned = (kind: Kind, signal: AbortSignal) =>
  call(ofForm(learned, kind), {}, { signal, silent: true })

/** Forgets what was learned, or some of it. */
export const forgetLearned = (kind: Kind, items?: readonly Pick<LearnedAnswer, 'field' | 'word'>[]) =>
  call(ofForm(forget, kind), items ? { items } : {})

/** Has other sheets of the file read, or one of them below the row that is its heading. */
export const sendSheets = (
  kind: Kind,
  id: string,
  chosen: readonly number[],
  heading?: { sheet: number; row: number },
) => call(ofForm(sheets, kind), { id, sheets: chosen, ...(heading ? { heading } : {}) })

export const checkAgain = (kind: Kind, id: string, duplicates: Duplicates) =>
  call(ofForm(check, kind), { id, duplicates })

/** Changes one cell of a row; answers that row and every other one whose verdict changed with it. */
export const correctCell = (kind: Kind, id: string, row: number, column: number, text: string) =>
  call(ofForm(correct, kind), { id, row, cells: { [column]: text } })

export const commitBatch = (kind: Kind, id: string, skipBad: boolean) =>
  call(ofForm(commit, kind), { id, skipBad: skipBad ? 1 : undefined })

export const readUndoPlan = (kind: Kind, id: string) => call(ofForm(undoPlan, kind), { id })

/** Takes a batch back; rows that others have touched since stay (`keep`), or go too (`changed`). */
export const undoBatch = (kind: Kind, id: string, seen: string, touched?: 'keep' | 'changed') =>
  call(
    ofForm(undo, kind),
    { id, ...(touched ? { [touched]: 1 } : {}), ...(touched === 'changed' ? { seen } : {}) },
    { silent: touched !== 'keep' },
  )

export const removeBatch = (kind: Kind, id: string) => call(ofForm(remove, kind), { ids: [id] })

export const fetchTemplate = (kind: Kind, given: InputOf<typeof template>) => fetchFile(ofForm(template, kind), given)

export const fetchFaults = (kind: Kind, id: string) => fetchFile(ofForm(faultyRows, kind), { id })

/** The one-time passwords of the users that a batch has added: the server tells them once. */
export const fetchPasswords = (kind: Kind, id: string, format: 'xlsx' | 'csv') =>
  fetchFile(ofForm(passwords, kind), { id, format })
