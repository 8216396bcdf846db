import { foldHeading } from '@data-brain/contract/import/form'
import type { FormKind } from '@data-brain/contract/import/place'
import type { JoinedColumn } from './join.ts'
import type { Mark } from './limits.ts'
import type { TickColumns } from './tick-columns.ts'

/*
 * A name in two columns, a first and a last one, or 姓 and 名, is put together as it is said: Emma Brown, 欧阳娜娜. Beside
 * a column of whole names it is the name in English.
 */

const last = /^(legal|family|pupil|student|child)?s?(surname|lastname|familyname)$|^姓氏?$/
const first = /^(legal|pupil|student|child)?s?(forenames?|firstnames?|givennames?)$|^名$/
const whole = /^(学生|学员|幼儿|儿童|新生|教师|教工)?(中文)?(姓名|名字)$|^(student|pupil|full|chinese|legal)?name$/

interface Cells {
  readonly cells: readonly string[]
  readonly marks?: Record<number, Mark>
}

export class WholeName {
  readonly columns: JoinedColumn[]
  readonly #ticks: TickColumns
  readonly #last: number
  readonly #first: number

  constructor(kind: FormKind, ticks: TickColumns) {
    this.#ticks = ticks
    const names = ticks.columns.map(({ heading }) => foldHeading(heading))
    const [one, ...others] = names.flatMap((name, at) => (last.test(name) ? [at] : []))
    const [two, ...more] = names.flatMap((name, at) => (first.test(name) ? [at] : []))
    const isOne = one !== undefined && two !== undefined && others.length + more.length === 0
    const isFor = kind === 'student' || kind === 'user'
    this.#last = isFor && isOne ? one : -1
    this.#first = isFor && isOne ? two : -1
    const called = [this.#first, this.#last].map((at) => ticks.columns[at]?.heading ?? '')
    const isHan = called.every((each) => /\p{Script=Han}/u.test(each))
    const is = names.some((name) => whole.test(name)) ? 'English name' : isHan ? '姓名' : 'Full name'
    // In brackets, which are no part of a heading, a clerk finds the columns of the file again.
    const heading = isHan ? `${is}（${called.toReversed().join(' + ')}）` : `${is} (${called.join(' + ')})`
    this.columns =
      this.#last < 0
        ? ticks.columns
        : ticks.columns.flatMap((column, at) => {
            if (at === this.#second) return []
            return at === this.#front ? [{ ...column, heading, parts: [heading] }] : [column]
          })
  }

  get #front(): number {
    return Math.min(this.#last, this.#first)
  }
  get #second(): number {
    return Math.max(this.#last, this.#first)
  }

  /** Where a column of the file stands afterwards. */
  place(at: number | undefined): number | undefined {
    const ticked = this.#ticks.place(at)
    return ticked === undefined || this.#last < 0 ? ticked : this.#moved(ticked)
  }

  #moved(at: number): number {
    if (at === this.#second) return this.#front
    return at > this.#second ? at - 1 : at
  }

  row<Row extends Cells>(given: Row): Row {
    const row = this.#ticks.row(given)
    if (this.#last < 0) return row
    const surname = (row.cells[this.#last] ?? '').trim()
    const given2 = (row.cells[this.#first] ?? '').trim()
    const isHan = /^\p{Script=Han}/u.test(surname || given2)
    const name = isHan ? surname + given2 : [given2, surname].filter(Boolean).join(' ')
    const cells = row.cells.flatMap((cell, at) => (at === this.#second ? [] : [at === this.#front ? name : cell]))
    if (cells.length <= this.#front && name !== '') while (cells.length <= this.#front) cells.push('')
    if (name !== '') cells[this.#front] = name
    if (!row.marks) return { ...row, cells }
    const marks: Record<number, Mark> = {}
    for (const [at, mark] of Object.entries(row.marks)) marks[this.#moved(Number(at))] ??= mark
    return { ...row, cells, marks }
  }
}
