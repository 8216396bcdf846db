import { dayOfNumber } from '@data-brain/contract/rules/day'
import { FileFault, limits, type Mark } from './limits.ts'
import type { Format } from './table.ts'

/* What every format is brought to before anybody asks what it means: sheets of rows of texts. */

export interface RawRow {
  readonly no: number
  readonly cells: string[]
  marks?: Record<number, Mark>
  hidden?: boolean
  /** Cells whose text is the kept result of a formula. */
  formulas?: number
}

/** Cells that are merged, or a range: rows as the file numbers them, columns from 0. */
export interface Span {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

/** What can be said of a sheet without keeping it. */
export interface Outline {
  /** Rows that hold anything, and the first of them. */
  readonly rows: number
  readonly first: readonly RawRow[]
  readonly spans: readonly Span[]
  readonly hiddenColumns: ReadonlySet<number>
  /** Ranges that a filter is set on. */
  readonly filters: readonly Span[]
}

export interface RawSheet {
  readonly name: string
  readonly hidden: boolean
  outline(): Promise<Outline>
  rows(): AsyncIterable<RawRow> | Iterable<RawRow>
}

export interface RawBook {
  readonly format: Format
  readonly encoding?: string
  readonly delimiter?: string
  readonly sheets: readonly RawSheet[]
  close?(): void
}

/** Rows of a sheet that are looked at before it is decided where its table is. */
export const firstRows = 200

/** Rows with anything in them that a sheet may have: those of a table, and what may stand around it. */
const rowsMost = limits.rows + 5_000

/** Refuses a sheet of too many rows. */
export function refuseRows(rows: number): void {
  if (rows > rowsMost)
    throw new FileFault(`超过${limits.rows}行，请分成几个文件`, `More than ${limits.rows} rows: split the file`)
}

/** A sheet that lies in memory. */
export function sheetOf(
  name: string,
  hidden: boolean,
  rows: readonly RawRow[],
  more: Partial<Pick<Outline, 'spans' | 'hiddenColumns' | 'filters'>> = {},
): RawSheet {
  return {
    name,
    hidden,
    outline: async () => ({
      rows: rows.length,
      first: rows.slice(0, firstRows),
      spans: more.spans ?? [],
      hiddenColumns: more.hiddenColumns ?? new Set(),
      filters: more.filters ?? [],
    }),
    rows: () => rows,
  }
}

const unusual = /[^\x21-\x7e\u4e00-\u9fff]|^['‘’]/
const unseen = /[\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g

/** A text of a cell without what nobody sees: marks without width, blanks around it, the sign that says "this is text". */
export function cellText(raw: string): string {
  const text = raw.length > limits.cell ? raw.slice(0, limits.cell) : raw
  if (!unusual.test(text)) return text
  return text
    .replace(unseen, '')
    .replace(/[\u00a0\u3000\u2000-\u200a]/g, ' ')
    .replace(/\r\n?/g, '\n')
    .trim()
    .replace(/^['‘’](?=[\d=+\-@\t]|[^'‘’]+$)/, '')
}

/** Puts a cell into a row. */
export function putCell(row: RawRow, column: number, text: string, mark?: Mark): void {
  const shown = cellText(text)
  if (shown === '' && !mark) return
  if (column >= limits.columns)
    throw new FileFault(
      `第${row.no}行超过${limits.columns}列，请删去多余的列`,
      `Row ${row.no} has more than ${limits.columns} columns: delete those that are not needed`,
    )
  while (row.cells.length < column) row.cells.push('')
  row.cells[column] = shown
  const found = mark ?? textMark(shown)
  if (found) {
    row.marks ??= {}
    row.marks[column] = found
  }
}

/** 1.10103E+17 is what is left of a long number that a spreadsheet has shown in a narrow column. */
export const textMark = (text: string): Mark | undefined =>
  /^-?\d(\.\d+)?E\+(1[1-9]|[2-9]\d)$/i.test(text) ? 'rounded' : undefined

/** How a number is shown. */
export type NumberFormat = 'day' | 'percent' | { readonly digits: number }

/** How a format of numbers shows them, as far as it changes what is meant. */
export function lookOf(code: string): NumberFormat | undefined {
  const [first = ''] = code.split(';')
  if (/^0{2,20}$/.test(first)) return { digits: first.length }
  const signs = first.replace(/"[^"]*"|\[[^\]]*\]|\\.|_.|\*./g, '')
  if (/general/i.test(signs)) return undefined
  if (/[yde]/i.test(signs.replace(/e[+-]/gi, '')) || (/m/i.test(signs) && !/[hs]/i.test(signs))) return 'day'
  return signs.includes('%') ? 'percent' : undefined
}

/** A number as a person would have typed it, without the tail that binary fractions leave. */
export function numberText(
  value: number,
  look: NumberFormat | undefined,
  from1904: boolean,
): { readonly text: string; readonly mark?: Mark } {
  if (look === 'day') {
    const day = dayOfNumber(from1904 ? value + 1_462 : value)
    if (day) return { text: day }
  }
  // Excel keeps 15 digits: what is longer has lost its end.
  if (Math.abs(value) >= 1e15) return { text: BigInt(Math.round(value)).toString(), mark: 'rounded' }
  if (look === 'percent') return { text: `${short(value * 100)}%` }
  if (typeof look === 'object' && Number.isInteger(value) && value >= 0)
    return { text: String(value).padStart(look.digits, '0') }
  return { text: short(value) }
}

function short(value: number): string {
  const text = String(Number(value.toPrecision(15)))
  return /e/i.test(text)
    ? Number(value.toPrecision(15))
        .toFixed(10)
        .replace(/\.?0+$/, '')
    : text
}
