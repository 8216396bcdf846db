import type { Words } from '@data-brain/contract'
import type { RowRun } from '@data-brain/contract/import/row-place'
import type { DayOrder } from '@data-brain/contract/rules/day'
import type { Mark } from './limits.ts'

/*
 * What reading gives of any spreadsheet: one table of headings and rows, and in words what was chosen, left out and
 * left open. A source is kept sealed with its batch (`sourceOf` in `kept.ts`), because titles and notes name people.
 */

export type Format = 'xlsx' | 'xlsb' | 'xls' | 'ods' | 'csv' | 'html' | 'xml'

/** The file as a whole, and the table that was read out of it. */
export interface Source {
  readonly format: Format
  /** Of texts: how they are written, and the sign between columns. */
  readonly encoding?: string
  readonly delimiter?: string
  readonly sheets: readonly Sheet[]
  /** The sheets whose rows were read, by index; all those of one shape are proposed together. */
  readonly chosen: readonly number[]
  /** Why these were proposed; in the words of a choice where somebody chose. */
  readonly why: Words
  readonly columns: readonly Column[]
  readonly notes: readonly TableNote[]
  /** Rows that were read, and how many of them are hidden in the file. */
  readonly rows: number
  /** Where rows stand in the file, where their numbers do not say so: of several sheets or tables. */
  readonly runs: readonly RowRun[]
  readonly hidden: { readonly byHand: number; readonly byFilter: number }
  /** The first rows of the sheets that were read, and of those that may have been meant. */
  readonly views: readonly View[]
  /** What more than one answer fits: it is asked about before the rows are checked. */
  readonly unsure: { readonly sheets: boolean; readonly heading: boolean }
}

/** The beginning of a sheet as a person is shown it, to point at the heading. */
export interface View {
  readonly sheet: number
  readonly rows: readonly { readonly row: number; readonly cells: readonly string[] }[]
  /** The rows of the heading, and its sign. */
  readonly top: number
  readonly bottom: number
  readonly sign: string
}

/** What is asked of a reading, in place of what is proposed. */
export interface Choice {
  /** Sheets by index. */
  readonly sheets?: readonly number[]
  /** The row that somebody pointed at as the heading of a sheet. */
  readonly heading?: { readonly sheet: number; readonly row: number }
  /** Signs of headings that somebody chose in earlier files. */
  readonly known?: readonly string[]
}

export interface Sheet {
  readonly index: number
  readonly name: string
  readonly hidden: boolean
  /** Rows that hold anything, headings and notes among them. */
  readonly rows: number
  /** The headings that were found, joined; empty where the sheet holds no table. */
  readonly headings: readonly string[]
  /** Sheets with the same number have the same headings and can be read together; absent without a table. */
  readonly shape?: number
}

/**
 * A column of the table. Behind the columns of the file stand those that the file says otherwise, once for many rows:
 * they have cells like any other, and can be matched like any other.
 */
export interface Column {
  /** The heading as one text: 父亲 over 姓名 is 父亲姓名. */
  readonly heading: string
  /** Its parts from the top, where it has several rows. */
  readonly parts: readonly string[]
  /**
   * `file`: a column of the sheet. `sheet`: the name of the row's sheet. `section`: the line above a block of rows, such
   * as 一年级1班. `title`: the title above the table, such as 实验小学三年级（1）班学生名册.
   */
  readonly from: 'file' | 'sheet' | 'section' | 'title'
  /** Its letter in the (first) sheet; absent where it is no column of the file. */
  readonly letter?: string
  /** The column is hidden in the file; its cells were read. */
  readonly hidden?: boolean
  readonly facts: ColumnFacts
}

/** What the cells of a column look like, whatever its heading says. */
export interface ColumnFacts {
  /** Cells that are not empty. */
  readonly filled: number
  /** How many of them are, in form, an identity number, a mobile, a day, a number, a short Chinese text that may be a name. */
  readonly idNos: number
  readonly mobiles: number
  readonly days: number
  readonly numbers: number
  readonly names: number
  /** The first different values, at most eight. */
  readonly samples: readonly string[]
  /** Cells whose order of day, month and year is open by themselves: 19-3-5, 3/5/2015. */
  readonly order?: DayQuestion
}

/**
 * How the open days of a column can be read. One reading: the other rows of the column decide it, and nobody is asked.
 * Several: the column is asked once, and the answer is the `order` that `readCell` takes. None: they contradict one another.
 */
export interface DayQuestion {
  readonly open: number
  /** An open cell as it stands in the file. */
  readonly example: string
  readonly readings: readonly DayReading[]
}

export interface DayReading {
  readonly order: DayOrder
  /** The example read in this order; the first and the last day of all cells. */
  readonly day: string
  readonly from: string
  readonly to: string
}

/** What was left out of the rows, or done to them, and where. */
export interface TableNote {
  readonly kind: NoteKind
  readonly sheet: number
  /** Row of the file (the first of several). */
  readonly row?: number
  /** What stood there. */
  readonly text?: string
  /** How many rows, columns or cells it is about. */
  readonly count?: number
}

export type NoteKind =
  /** A line above the headings. */
  | 'title'
  /** A line of explanation: 注, 说明, 单位. */
  | 'note'
  /** The headings once more, as on each printed page. */
  | 'heading'
  /** 合计, 总计, 小计, 平均. */
  | 'total'
  /** 制表人, 填表人, 校长签字, 盖章. */
  | 'footer'
  /** A line above a block of rows, which became the column `section`. */
  | 'section'
  /** The example row of a template. */
  | 'example'
  /** A row that holds nothing but its running number or what is filled down. */
  | 'blank'
  /** Rows hidden by hand, by a filter; columns that are hidden. Rows are read and marked: the check asks. */
  | 'hiddenRows'
  | 'filteredRows'
  | 'hiddenColumns'
  /** Cells filled from the cell that they are merged with. */
  | 'merged'
  /** Classes that only the first row of their pupils names, without merged cells. */
  | 'filledDown'
  /** Tables side by side that were put below one another. */
  | 'stacked'
  /** Formulas whose kept result was taken. */
  | 'formulas'
  /** Cells beside the table, in columns without a heading. */
  | 'unheaded'

/** A row as it was read. */
export interface SheetRow {
  /** Unique and rising. With one sheet and one table in it, the number of the row in the file. */
  readonly no: number
  readonly cells: string[]
  /** What is wrong with cells before their meaning is asked, by place. */
  readonly marks?: Record<number, Mark>
  /** The row is not seen in the file. Kept aside until somebody says whether it is meant. */
  readonly hidden?: 'byHand' | 'byFilter'
}
