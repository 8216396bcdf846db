import type { Touched } from '../../entity/touched.tsx'
import { download, get, post } from '../../http/client.ts'
import { type Kind, manners } from './kind.ts'

export type BatchState =
  | 'reading'
  | 'mapping'
  | 'checking'
  | 'checked'
  | 'committing'
  | 'done'
  | 'undoing'
  | 'undone'
  | 'failed'
export type Duplicates = 'skip' | 'update'

/** What a commit does, or has done, in rows of the file. */
export interface Counts {
  add: number
  update: number
  skip: number
  bad: number
  out: number
}

export type RowStates = Record<'good' | 'bad' | 'duplicate' | 'out', number>

/** A batch as the list shows it. */
export interface BatchLine {
  id: string
  kind: Kind
  fileName: string
  state: BatchState
  duplicates: Duplicates
  progress: number
  total: number
  counts: Partial<Counts>
  failure: string | null
  userName: string | null
  createTime: string
}

export interface FileColumn {
  index: number
  heading: string
  key: string | null
  label: string | null
  confidence: number | null
  /** What is said once for many rows, as a title or the name of a sheet, is no column of the file. */
  from?: 'file' | 'section' | 'sheet' | 'title'
  samples: readonly string[]
}

export interface FormField {
  key: string
  part: string
  label: string
  need: 'always' | 'part' | 'no'
  starred: boolean
}

/** A batch with what its next step needs. */
export interface BatchView extends BatchLine {
  schoolName: string | null
  yearName: string | null
  columns: readonly FileColumn[]
  fields: readonly FormField[]
  missing: readonly { key: string; label: string }[]
  rows?: RowStates
  /** Why the file as a whole cannot be imported, whatever its rows say. */
  refusal?: string | null
  /** One-time passwords of new users that this person may still fetch. */
  passwords?: number
  /** One value for all rows, by field. */
  fixed?: Readonly<Record<string, string>>
  source?: SourceView | null
  /** Of pupils that stand already: how many were known without any number. */
  alike?: number
  /** Rows that were left out of what was stored and can still be fetched. */
  leftOut?: number
  /** Rows of other entities that are made because these need them, by name. */
  makes?: readonly string[]
  /** How many rows were stored, where a row of the file becomes several. */
  stored?: number | null
  /** Of an import that was undone: how many rows stayed because others had changed them. */
  stayed?: number
  /** What its undo did. */
  undone?: Undone | null
  /** How many new students came into which class; without an id, those without one. */
  placed?: readonly { classId: string | null; name: string; count: number }[]
}

/** The first rows of a sheet, and which of them are its heading. */
export interface SheetView {
  sheet: number
  rows: readonly { row: number; cells: readonly string[] }[]
  top: number
  bottom: number
}

/** What reading found in the file. */
export interface SourceView {
  sheets: readonly {
    index: number
    name: string
    hidden: boolean
    rows: number
    table: boolean
    headings?: readonly string[]
  }[]
  chosen: readonly number[]
  /** What more than one answer fits. */
  unsure?: { sheets: boolean; heading: boolean }
  /** The first rows of sheets, to point at the heading. */
  views?: readonly SheetView[]
  hidden: number
  hiddenAnswer: 'take' | 'leave' | null
  /** Columns of days that can be read in several orders. */
  orders: readonly {
    index: number
    example: string
    readings: readonly { order: string; day: string }[]
    answer: string | null
  }[]
}

/** What is said of the whole file beside the match of its columns. */
export interface MatchMore {
  fixed: Readonly<Record<string, string>>
  hidden: 'take' | 'leave' | null
  orders: Readonly<Record<string, string>>
}

/** Rows with the same fault. */
export interface FaultGroup {
  key: string
  label: string
  message: string
  text: string | null
  count: number
  rows: readonly number[]
  options: readonly { value: string; label: string }[]
  mayBeEmpty: boolean
  make: { name: string; grade: string; cohortYear: number; classNo: number } | null
  /** Whether the rows share what only one of them may have. */
  repeats: boolean
  /** Whether they may be different all the same, without what they share. */
  apart?: boolean
}

/** One answer for a group: a value for all of it (an empty one is nothing), a class to be made, or its rows left out. */
export interface GroupAnswer {
  key: string
  text: string | null
  message?: string
  as?: string
  make?: true
  keep?: 'first' | 'last' | 'each'
  out?: true
}

export interface CellFault {
  row: number
  /** The place of the column in the file; null when the file has none for it. */
  column: number | null
  field: string
  label: string
  message: string
}

export interface ImportRow {
  row: number
  state: 'good' | 'bad' | 'duplicate' | 'out'
  cells: readonly string[]
  faults: readonly CellFault[]
}

export interface RowPage {
  total: number
  records: readonly ImportRow[]
}

export interface Corrected {
  rows: readonly ImportRow[]
  states: RowStates
  counts: Counts
  refusal?: string | null
}

const base = (kind: Kind): string => manners[kind].calls
/** Sending a file of twenty megabytes over a slow line takes longer than an ordinary call. */
const patience = 120_000

/** Somebody works on the batch: it is asked for again and again. */
export const isWorking = (state: BatchState | undefined): boolean =>
  state === 'reading' || state === 'checking' || state === 'committing' || state === 'undoing'

interface Upload {
  file: File
  /** Of students: whose classes are meant. */
  schoolId?: string
  yearId?: string | null
  semesterId?: string | null
  duplicates: Duplicates
}

export function sendFile(kind: Kind, { file, ...query }: Upload): Promise<BatchLine> {
  const form = new FormData()
  form.set('file', file)
  return post(`${base(kind)}/upload`, { form, query, timeout: patience })
}

export const readBatch = (kind: Kind, id: string, signal: AbortSignal): Promise<BatchView> =>
  get(`${base(kind)}/batch`, { id }, { signal, silent: true })

/** The newest imports of a kind, or of every kind that this person may import. */
export const readBatches = (kind: Kind, all: boolean, current: number, size: number, signal: AbortSignal) =>
  get<{ total: number; records: readonly BatchLine[] }>(
    `${base(kind)}/list`,
    { current, size, ...(all ? { all: 1 } : {}) },
    { signal, silent: true },
  )

export const readFaulty = (
  kind: Kind,
  id: string,
  current: number,
  size: number,
  signal: AbortSignal,
): Promise<RowPage> => get(`${base(kind)}/rows`, { id, state: 'bad', current, size }, { signal, silent: true })

/** Sets what the columns mean; the check begins with it. `silent`: the caller did not ask for it itself. */
export const sendMapping = (
  kind: Kind,
  id: string,
  mapping: Readonly<Record<string, string>>,
  { more, silent = false }: { more?: MatchMore; silent?: boolean } = {},
) =>
  post(`${base(kind)}/mapping`, {
    body: {
      id,
      mapping,
      ...(more ? { fixed: more.fixed, orders: more.orders, ...(more.hidden ? { hidden: more.hidden } : {}) } : {}),
    },
    silent,
  })

export const readGroups = (kind: Kind, id: string, signal: AbortSignal) =>
  get<readonly FaultGroup[]>(`${base(kind)}/groups`, { id }, { signal, silent: true })

export const sendAnswers = (kind: Kind, id: string, answers: readonly GroupAnswer[]) =>
  post(`${base(kind)}/answer`, { body: { id, answers } })

/** What was learned in earlier imports: a heading that means a field, or a word of a field that means a value. */
export interface Learned {
  field: string
  word: string
  /** Null for a word of a cell, which is not kept in clear. */
  heading: string | null
  /** The field; null for a heading whose column is not wanted. */
  label: string | null
  answer: string | null
}

export const readLearned = (kind: Kind, signal: AbortSignal) =>
  get<readonly Learned[]>(`${base(kind)}/learned`, {}, { signal, silent: true })

/** Forgets what was learned, or some of it. */
export const forgetLearned = (kind: Kind, items?: readonly Pick<Learned, 'field' | 'word'>[]) =>
  post(`${base(kind)}/forget`, { body: items ? { items } : {} })

/** Has other sheets of the file read, or one of them below the row that is its heading. */
export const sendSheets = (
  kind: Kind,
  id: string,
  sheets: readonly number[],
  heading?: { sheet: number; row: number },
) => post(`${base(kind)}/sheets`, { body: { id, sheets, ...(heading ? { heading } : {}) } })

export const checkAgain = (kind: Kind, id: string, duplicates: Duplicates) =>
  post(`${base(kind)}/check`, { query: { id, duplicates } })

/** Changes one cell of a row; answers that row and every other one whose verdict changed with it. */
export const correctCell = (kind: Kind, id: string, row: number, column: number, text: string): Promise<Corrected> =>
  post(`${base(kind)}/correct`, { body: { id, row, cells: { [column]: text } } })

export const commitBatch = (kind: Kind, id: string, skipBad: boolean) =>
  post(`${base(kind)}/commit`, { query: { id, skipBad: skipBad ? 1 : undefined } })

/** What becomes of the rows of one entity when a batch is taken back. */
export interface Taken {
  entity: string
  label: string
  unit?: string
  removed: number
  restored: number
  /** Names: before an undo of rows that were made beside those of the file, after it of what went. */
  sample: readonly string[]
  /** After an undo: names of what is as it was before. */
  restoredSample?: readonly string[]
  /** Rows that were made beside those of the file and stay, because somebody uses them. */
  held: number
  heldSample: readonly string[]
}

/** What an undo has done: what went back, and what others had touched, which was kept or went as well. */
export interface Undone {
  taken: readonly Taken[]
  touched: readonly Touched[]
  kept: boolean
}

/** What an undo takes back: all of it, or all but what others have touched since. */
export interface UndoPlan {
  all: readonly Taken[]
  keeping: readonly Taken[]
  /** How many rows of what the import is about stay with `keeping`. */
  staying: number
  /** What the import is about. */
  about: { label: string; unit?: string }
  /** What was read of it: sent back where all goes. */
  seen: string
  /** `own`: rows of the import itself; others use these. */
  touched: readonly Touched[]
}

export const readUndoPlan = (kind: Kind, id: string) => get<UndoPlan>(`${base(kind)}/undo-plan`, { id })

/** Takes a batch back; rows that others have touched since stay (`keep`), or go too (`changed`). */
export const undoBatch = (kind: Kind, id: string, seen: string, touched?: 'keep' | 'changed') =>
  post(`${base(kind)}/undo`, {
    query: { id, ...(touched ? { [touched]: 1 } : {}), ...(touched === 'changed' ? { seen } : {}) },
    silent: touched !== 'keep',
  })

export const removeBatch = (kind: Kind, id: string) => post(`${base(kind)}/remove`, { query: { ids: [id] } })

export const fetchTemplate = (
  kind: Kind,
  query: {
    format: 'xlsx' | 'csv'
    short?: 1
    schoolId?: string | null
    yearId?: string | null
    semesterId?: string | null
  },
) => download(`${base(kind)}/template`, query)

export const fetchFaults = (kind: Kind, id: string) => download(`${base(kind)}/faults`, { id })

/** The one-time passwords of the users that a batch has added: the server tells them once. */
export const fetchPasswords = (kind: Kind, id: string, format: 'xlsx' | 'csv') =>
  download(`${base(kind)}/passwords`, { id, format }, { body: {} })
