import type { FormKind } from '@data-brain/contract/import/place'
import type { AddressParts } from './address-parts.ts'
import type { ExaminedSheet } from './choose.ts'
import { foldText } from './heading.ts'
import type { JoinedColumn } from './join.ts'
import type { Mark } from './limits.ts'
import { isKnownHeading } from './match.ts'

/*
 * A value that is ticked: √ below 男 or 女 of 性别, below 是 or 否 of 独生子女, below 走读 or 住校 with nothing above them. The
 * columns of one heading become one, and what is ticked is what it says.
 */

const isTick = (text: string): boolean => /^[√✓✔☑■●vy1是]$/i.test(text)
const isNoTick = (text: string): boolean => /^[×✗xn0否/\-—]$/i.test(text)

/** Words that are values of whatever stands over them. */
const plainValue = /^(男|女|男生|女生|是|否|有|无|male|female|yes|no|m|f)$/
/** Words of which one holds, with the heading that they leave out. */
const bareValues: readonly (readonly [RegExp, string])[] = [
  [/^(男|女|男生|女生|male|female)$/, '性别'],
  [/^(走读|住校|住宿|寄宿|住读|通学|内宿|外宿|借宿|走读生|住校生|住宿生|寄宿生)$/, '就读方式'],
  [/^(农业|非农业|非农|农村|城镇|城市|农业户口|非农业户口|居民户口|农村户口|城镇户口)$/, '户口性质'],
  [/^(群众|团员|共青团员|少先队员|队员)$/, '政治面貌'],
]
const valuesMost = 14

interface Cells {
  readonly cells: readonly string[]
  readonly marks?: Record<number, Mark>
}

/** Columns next to one another that are ticked below one heading. */
interface Group {
  readonly from: number
  readonly values: readonly string[]
  readonly heading: string
}

export class TickColumns {
  readonly columns: JoinedColumn[]
  readonly #parts: AddressParts
  readonly #groups: readonly Group[]

  constructor(kind: FormKind, parts: AddressParts, chosen: readonly ExaminedSheet[]) {
    this.#parts = parts
    this.#groups = ['student', 'studentparents', 'user'].includes(kind)
      ? groupsOf(kind, parts.columns).filter((group) => isTicked(group, parts, chosen))
      : []
    this.columns = parts.columns.flatMap((column, at) => {
      const group = this.#groupAt(at)
      if (!group) return [column]
      return at === group.from ? [{ heading: group.heading, parts: [group.heading], at: column.at }] : []
    })
  }

  #groupAt = (at: number): Group | undefined =>
    this.#groups.find(({ from, values }) => at >= from && at < from + values.length)

  /** Where a column of the file stands afterwards. */
  place(at: number | undefined): number | undefined {
    const whole = this.#parts.place(at)
    return whole === undefined ? undefined : this.#moved(whole)
  }

  #moved(at: number): number {
    const start = this.#groupAt(at)?.from ?? at
    return start - this.#groups.reduce((sum, { from, values }) => sum + (from < start ? values.length - 1 : 0), 0)
  }

  row<Row extends Cells>(given: Row): Row {
    const row = this.#parts.row(given as Row & { cells: string[] })
    if (this.#groups.length === 0) return row
    const width = Math.max(row.cells.length, ...this.#groups.map(({ from, values }) => from + values.length))
    const cells = Array.from({ length: width }, (_cell, at) => at).flatMap((at) => {
      const group = this.#groupAt(at)
      if (!group) return [row.cells[at] ?? '']
      if (at !== group.from) return []
      return [said(group, row.cells)]
    })
    while (cells.at(-1) === '') cells.pop()
    if (!row.marks) return { ...row, cells }
    const marks: Record<number, Mark> = {}
    for (const [at, mark] of Object.entries(row.marks)) marks[this.#moved(Number(at))] ??= mark
    return { ...row, cells, marks }
  }
}

/** What is ticked; what somebody wrote instead of a tick stands as it is, so that it is asked about. */
function said({ from, values }: Group, cells: readonly string[]): string {
  return values
    .flatMap((value, beside) => {
      const text = (cells[from + beside] ?? '').trim()
      if (text === '' || isNoTick(text)) return []
      return [isTick(text) || foldText(text) === foldText(value) ? value : text]
    })
    .join('、')
}

/** Columns whose headings are the values of one: 性别 over 男 and 女, or these two alone. */
function groupsOf(kind: FormKind, columns: readonly JoinedColumn[]): Group[] {
  const groups: Group[] = []
  for (let from = 0; from < columns.length; from += 1) {
    const over = overOf(columns[from]!)
    let to = from + 1
    while (to < columns.length && to - from < valuesMost && overOf(columns[to]!) === over) to += 1
    const values = columns.slice(from, to).map(({ heading, parts }) => parts.at(-1) ?? heading)
    if (over === undefined || values.length < 2 || new Set(values).size !== values.length) continue
    const isPlain = values.every((value) => plainValue.test(foldText(value)))
    const isBare = bareOf(columns[from]!) === over
    if (!isBare && !isPlain && !isKnownHeading(kind, over)) continue
    groups.push({ from, values, heading: over })
    from = to - 1
  }
  return groups
}

/** What stands over a column that may be ticked, or would: 性别 where 男 stands alone. */
const overOf = (column: JoinedColumn): string | undefined =>
  column.parts.length > 1 ? column.parts.slice(0, -1).join('') : bareOf(column)

const bareOf = ({ heading, parts }: JoinedColumn): string | undefined =>
  parts.length > 1 ? undefined : bareValues.find(([words]) => words.test(foldText(heading)))?.[1]

/** Whether the first rows hold ticks there and nothing else. */
function isTicked({ from, values }: Group, parts: AddressParts, chosen: readonly ExaminedSheet[]): boolean {
  let ticks = 0
  for (const { outline, layout } of chosen) {
    if (!layout || layout.blocks.length > 1) return false
    for (const { no, cells } of outline.first) {
      if (no <= layout.bottom) continue
      const mine = parts.row({ cells: (layout.blocks[0] ?? []).map((place) => cells[place] ?? '') }).cells
      const own = values.map((value, beside) => ({ value, text: (mine[from + beside] ?? '').trim() }))
      const filled = own.filter(({ text }) => text !== '' && !isNoTick(text))
      // A line that is no row, such as the sums below, says nothing of it.
      if (filled.some(({ value, text }) => !isTick(text) && foldText(text) !== foldText(value))) {
        if (mine.filter((cell) => cell !== '').length > values.length + 2) return false
        continue
      }
      // Of 男 and 女 one holds, and two ticks are asked about; of other words several may hold.
      if (filled.length > 1 && !values.every((value) => plainValue.test(foldText(value)))) return false
      ticks += filled.length
    }
  }
  return ticks > 0
}
