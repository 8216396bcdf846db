import { readClass } from '@data-brain/contract/import/class-name'
import { letters } from '../file/layout.ts'
import type { RawBook, RawRow, RawSheet, Span } from '../file/raw-rows.ts'
import { refuseRows, sheetOf } from '../file/raw-rows.ts'
import { classOver, isBreak, isLesson, periodIn, weekdayIn } from './grid-words.ts'

/*
 * Timetables as schools keep them: days across and periods down, one class below or beside another, or on a sheet each;
 * and the sheet of the whole school, classes down and the periods of each day across. Each lesson becomes a row, with the
 * cell that it comes from, and from there on the file is a list like any other.
 */

/** A lesson as it stands in a timetable. */
interface GridLesson {
  readonly className: string
  readonly weekday: number
  /** The label of its period as it is written, or the number that it has. */
  readonly period: string
  readonly span: number
  readonly text: string
  /** The sheet and the cell: 七1!C3. */
  readonly where: string
}

/** A sheet in memory: its cells by row and column, merged ones in every place that they take in a row. */
interface Page {
  readonly name: string
  readonly rows: ReadonlyMap<number, readonly string[]>
  readonly last: number
  readonly spans: readonly Span[]
}

const cellAt = ({ rows }: Page, row: number, column: number): string => rows.get(row)?.[column] ?? ''

async function pageOf(sheet: RawSheet): Promise<Page> {
  const rows = new Map<number, string[]>()
  for await (const { no, cells } of sheet.rows()) rows.set(no, [...cells])
  const { spans } = await sheet.outline()
  return { name: sheet.name, rows, last: Math.max(0, ...rows.keys()), spans }
}

const spanAt = ({ spans }: Page, row: number, column: number): Span | undefined =>
  spans.find(({ top, left, bottom, right }) => row >= top && row <= bottom && column >= left && column <= right)

/** What a cell shows: its own text, or that of the cell that it is merged with. */
function shownAt(page: Page, row: number, column: number): string {
  const own = cellAt(page, row, column)
  const span = own === '' ? spanAt(page, row, column) : undefined
  return span ? cellAt(page, span.top, span.left) : own
}

const widthOf = ({ rows }: Page): number => Math.max(0, ...[...rows.values()].map(({ length }) => length))

/** The days that a row names, each once, by column; none where they are fewer than three. */
function daysIn(page: Page, row: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const [column, text] of (page.rows.get(row) ?? []).entries()) {
    const day = weekdayIn(text)
    if (day !== undefined) found.set(column, day)
  }
  return found.size >= 3 ? found : new Map()
}

/** The period of a row: by the label that stands nearest to its lessons. */
function labelOf(page: Page, row: number, from: number, to: number): string {
  const labels = Array.from({ length: to - from }, (_each, at) => cellAt(page, row, to - 1 - at)).filter(Boolean)
  return labels.find((label) => periodIn(label)) ?? labels.find((label) => !/^\d{1,2}[:.]\d{2}/.test(label)) ?? ''
}

/** Periods of the afternoon that begin with 1 again go on behind those of the morning. */
class PeriodCount {
  #offset = 0
  #last = 0
  numbered(no: number, span: number): number {
    if (no + this.#offset <= this.#last) this.#offset = this.#last
    this.#last = no + this.#offset + span - 1
    return no + this.#offset
  }
}

interface PeriodRow {
  readonly row: number
  /** The last of its lines: the teacher may stand below the subject. */
  bottom: number
  readonly period: string
  readonly no: number | undefined
  readonly span: number
}

/** The rows of periods below a row of days, as far as its timetable goes. */
function periodRows(page: Page, head: number, left: number, first: number): PeriodRow[] {
  const found: PeriodRow[] = []
  const count = new PeriodCount()
  for (let row = head + 1; row <= page.last; row += 1) {
    if (daysIn(page, row).size > 0) break
    const label = labelOf(page, row, left, first)
    const period = periodIn(label)
    const open = found.at(-1)
    if (period) {
      const no = count.numbered(period.no, period.span)
      found.push({ row, bottom: row, period: String(no), no, span: period.span })
    } else if (label !== '' && classOver(label)) break
    else if (label !== '' && !isBreak(label) && label.length <= 8)
      found.push({ row, bottom: row, period: label, no: undefined, span: 1 })
    else if (label === '' && open?.bottom === row - 1 && page.rows.has(row)) open.bottom = row
  }
  return found
}

/** What stands in the lines of a period, once each. */
function lessonText(page: Page, { row, bottom }: Pick<PeriodRow, 'row' | 'bottom'>, column: number): string {
  const lines: string[] = []
  for (let at = row; at <= bottom; at += 1) {
    const text = shownAt(page, at, column).trim()
    if (text !== '' && lines.at(-1) !== text) lines.push(text)
  }
  return lines.join('\n')
}

/** The class of a timetable: what stands in its corner or nearest above it, else what its sheet is called. */
function classOf(page: Page, head: number, after: number, columns: readonly [number, number]): string {
  const [left, right] = columns
  for (let row = head; row > after; row -= 1) {
    const texts = (page.rows.get(row) ?? []).slice(left, row === head ? Math.min(...daysIn(page, head).keys()) : right)
    for (const text of texts) {
      const named = text === '' ? undefined : classOver(text)
      if (named) return named
    }
  }
  return classOver(page.name) ?? page.name
}

/** The timetables beside one another below a row of days: a day that comes again begins the next. */
function besides(days: ReadonlyMap<number, number>): { left: number; days: [number, number][] }[] {
  const found: { left: number; days: [number, number][] }[] = []
  for (const [column, day] of days) {
    const open = found.at(-1)
    if (open && !open.days.some(([, other]) => other === day)) open.days.push([column, day])
    else found.push({ left: open ? open.days.at(-1)![0] + 1 : 0, days: [[column, day]] })
  }
  return found
}

/** Timetables of a class each: days across, periods down. */
function classLessons(page: Page): GridLesson[] {
  const lessons: GridLesson[] = []
  let after = 0
  for (let head = 1; head <= page.last; head += 1) {
    const days = daysIn(page, head)
    if (days.size === 0) continue
    let bottom = head
    for (const grid of besides(days)) {
      const first = grid.days[0]![0]
      const rows = periodRows(page, head, grid.left, first)
      if (rows.filter(({ no }) => no !== undefined).length === 0) continue
      const className = classOf(page, head, after, [grid.left, grid.days.at(-1)![0] + 1])
      bottom = Math.max(bottom, ...rows.map((each) => each.bottom))
      for (const [column, weekday] of grid.days)
        for (const [at, period] of rows.entries()) {
          const text = lessonText(page, period, column)
          const merged = spanAt(page, period.row, column)
          // A cell that reaches down over several periods is one lesson, told where it begins.
          const isBelow =
            merged !== undefined && rows.some((other) => other.row >= merged.top && other.row < period.row)
          if (!isLesson(text) || (isBelow && cellAt(page, period.row, column) === '')) continue
          const further = rows.slice(at + 1).filter(({ row, no }) => no !== undefined && row <= (merged?.bottom ?? 0))
          lessons.push({
            ...{ className, weekday, period: period.period, text },
            span: period.span + further.reduce((sum, { span }) => sum + span, 0),
            where: `${page.name}!${letters(column)}${period.row}`,
          })
        }
    }
    after = bottom
    head = bottom
  }
  return lessons
}

/** The periods of each day across: the row of periods below a row of days, by column. */
function slotsAcross(page: Page, head: number): ReadonlyMap<number, { day: number; no: number; span: number }> {
  const days = daysIn(page, head)
  const slots = new Map<number, { day: number; no: number; span: number }>()
  if (days.size === 0) return slots
  const first = Math.min(...days.keys())
  let day = 0
  let count = new PeriodCount()
  for (const [column, text] of (page.rows.get(head + 1) ?? []).entries()) {
    if (days.has(column)) {
      day = days.get(column)!
      count = new PeriodCount()
    }
    const period = column >= first ? periodIn(text) : undefined
    if (period) slots.set(column, { day, no: count.numbered(period.no, period.span), span: period.span })
  }
  // A row of days over lessons that are numbers is none: each day has several periods here.
  return slots.size > days.size ? slots : new Map()
}

/** The sheet of the whole school: classes down, days and their periods across. */
function schoolLessons(page: Page): GridLesson[] {
  const lessons: GridLesson[] = []
  let slots: ReturnType<typeof slotsAcross> = new Map()
  let grade = ''
  let className = ''
  let open: { row: number; bottom: number } | undefined
  const close = (): void => {
    if (!open) return
    for (const [column, { day, no, span }] of slots) {
      const text = lessonText(page, open, column)
      const merged = spanAt(page, open.row, column)
      const isWithin = merged !== undefined && slots.get(merged.left)?.day === day && merged.left < column
      if (!isLesson(text) || (isWithin && cellAt(page, open.row, column) === '')) continue
      const further = [...slots].filter(([at, each]) => at > column && at <= (merged?.right ?? 0) && each.day === day)
      lessons.push({
        ...{ className, weekday: day, period: String(no), text },
        span: span + further.reduce((sum, [, each]) => sum + each.span, 0),
        where: `${page.name}!${letters(column)}${open.row}`,
      })
    }
    open = undefined
  }
  for (let row = 1; row <= page.last; row += 1) {
    const found = slotsAcross(page, row)
    if (found.size > 0) {
      close()
      slots = found
      row += 1
      continue
    }
    if (slots.size === 0 || !page.rows.has(row)) continue
    const first = Math.min(...slots.keys())
    const labels = Array.from({ length: first }, (_each, at) => cellAt(page, row, at)).filter(Boolean)
    const [named] = labels.toReversed().filter((label) => readClass(label).length > 0 || /班/.test(label))
    if (!named) {
      // The teachers may stand in a line of their own below the subjects.
      if (labels.length === 0 && open?.bottom === row - 1) open.bottom = row
      continue
    }
    close()
    const over = shownAt(page, row, 0)
    if (/年级|^[初高小][一二三四五六]$/.test(over) && over !== named) grade = over
    className = readClass(named).some((each) => each.grade !== undefined) ? named : `${grade}${named}`
    open = { row, bottom: row }
  }
  close()
  return lessons
}

/** The headings under which lessons of a timetable become a list. */
const headings = ['班级', '星期', '节次', '连堂', '课程', '出处']
const days = '一二三四五六日'

/**
 * A book of timetables as a list of their lessons, one to a row; any other book as it is. Where one holds both the sheets
 * of classes and that of the whole school, which say the same, those with more lessons are taken.
 */
export async function listLessons(book: RawBook): Promise<RawBook> {
  const ofClasses: GridLesson[] = []
  const ofSchool: GridLesson[] = []
  for (const sheet of book.sheets) {
    if (sheet.hidden) continue
    const page = await pageOf(sheet)
    if (widthOf(page) < 4) continue
    const whole = schoolLessons(page)
    if (whole.length > 0) ofSchool.push(...whole)
    else ofClasses.push(...classLessons(page))
  }
  const lessons = ofSchool.length > ofClasses.length ? ofSchool : ofClasses
  if (lessons.length === 0) return book
  refuseRows(lessons.length)
  const rows: RawRow[] = [
    { no: 1, cells: headings },
    ...lessons.map(({ className, weekday, period, span, text, where }, at) => ({
      no: at + 2,
      cells: [className, `星期${days[weekday - 1]}`, period, String(span), text, where],
    })),
  ]
  return { ...book, sheets: [sheetOf('课表', false, rows)] }
}
