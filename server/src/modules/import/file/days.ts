import type { FormKind } from '@data-brain/contract/import/place'
import { foldText } from './heading.ts'
import type { JoinedColumn } from './join.ts'
import type { Mark } from './limits.ts'

/* A day of birth that stands in three columns, 年, 月 and 日, is put together: no other column asks for a part of one. */

const bare = (text: string): string => foldText(text).replace(/[（(【[].*?[)）】\]]/g, '')
const birth = '(?:学生|幼儿|儿童)?(?:出生|生日)(?:日期|时间|年月日|年月)?'
const year = new RegExp(`^${birth}年份?$|^(?:birthyear|yearofbirth)$`)
const month = new RegExp(`^(?:${birth})?月份?$|^(?:birthmonth|monthofbirth|month)$`)
const day = new RegExp(`^(?:${birth})?(?:日|号)$|^(?:birthday|dayofbirth|day)$`)

interface Cells {
  readonly cells: string[]
  readonly marks?: Record<number, Mark>
}

/** Puts the three columns of a day together, where a table has them. */
export class Days {
  readonly columns: JoinedColumn[]
  readonly #at: number

  /** `columns` as the file has them; only lists of people have days of birth. */
  constructor(kind: FormKind, columns: readonly JoinedColumn[]) {
    this.#at = ['student', 'studentparents', 'user'].includes(kind)
      ? columns.findIndex((_column, at) =>
          [year, month, day].every((form, beside) => form.test(bare(columns[at + beside]?.heading ?? ''))),
        )
      : -1
    this.columns =
      this.#at < 0
        ? [...columns]
        : columns.flatMap((column, at) => {
            if (at === this.#at) return [{ heading: '出生年月日', parts: ['出生年月日'], at: column.at }]
            return at === this.#at + 1 || at === this.#at + 2 ? [] : [column]
          })
  }

  /** Where a column of the file stands afterwards. */
  place(at: number | undefined): number | undefined {
    if (at === undefined || this.#at < 0 || at <= this.#at) return at
    return Math.max(this.#at, at - 2)
  }

  /** A row with the day in one cell; what is not filled in is left out, so that it is asked for. */
  row<Row extends Cells>(row: Row): Row {
    const at = this.#at
    if (at < 0) return row
    const parts = [0, 1, 2].map((beside) =>
      (row.cells[at + beside] ?? '').normalize('NFKC').replace(/[\s年月日号]/g, ''),
    )
    // A year of two figures is of this century: who goes to school was born in it.
    const [first = '', ...rest] = parts
    const text = [/^\d\d$/.test(first) ? `20${first}` : first, ...rest].filter((part) => part !== '').join('-')
    const cells = [...row.cells.slice(0, at), text, ...row.cells.slice(at + 3)]
    if (!row.marks) return { ...row, cells }
    const marks: Record<number, Mark> = {}
    for (const [place, mark] of Object.entries(row.marks)) {
      marks[this.place(Number(place))!] ??= mark
    }
    return { ...row, cells, marks }
  }
}
