import type { DayOrder } from '@data-brain/contract/rules/day'
import type { DayQuestion, DayReading } from './table.ts'

/*
 * 19-3-5 is the 5th of March 2019 to one clerk and the 19th of March 2005 to another; 3/5/2015 likewise. Which of them
 * is judged for the column: a cell that allows only one order decides for all.
 */

const orders: readonly DayOrder[] = ['ymd', 'dmy', 'mdy']
const places: Readonly<Record<DayOrder, readonly [number, number, number]>> = {
  ymd: [0, 1, 2],
  dmy: [2, 1, 0],
  mdy: [2, 0, 1],
}

const isDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** A short year is of this century unless that lies ahead. */
const fullYear = (year: number, thisYear: number): number =>
  year > 99 ? year : year + (2000 + year <= thisYear + 1 ? 2000 : 1900)

/** The days that an open text can be, by order; undefined where the text is none, or says its order itself. */
export function dayMeanings(text: string, thisYear: number): Partial<Record<DayOrder, string>> | undefined {
  const plain = text
    .normalize('NFKC')
    .replace(/\s+0?0:00(:00)?$/, '')
    .trim()
  const found =
    /^(\d{1,2})\s?[-/.,、\s]\s?(\d{1,2})\s?[-/.,、\s]\s?(\d{1,2}|\d{4})$/.exec(plain) ??
    /^(\d\d)(\d\d)(\d\d)$/.exec(plain)
  if (!found) return undefined
  const parts = found.slice(1).map(Number)
  const isLong = (found[3] ?? '').length === 4
  const read: Partial<Record<DayOrder, string>> = {}
  for (const order of orders) {
    if (isLong && order === 'ymd') continue
    const [year = 0, month = 0, day = 0] = places[order].map((at) => parts[at])
    const full = fullYear(year, thisYear)
    if (isDay(full, month, day))
      read[order] = `${full}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  }
  return Object.keys(read).length > 0 ? read : undefined
}

/** 201005: the month of a year since 1980, as well as a day of 2020 or of 2005. */
const isMonth = (text: string, thisYear: number): boolean => {
  const [, year = '', month = ''] = /^(\d{4})(0[1-9]|1[0-2])$/.exec(text.normalize('NFKC').trim()) ?? []
  return month !== '' && Number(year) >= 1980 && Number(year) <= thisYear
}

/** Hears the cells of a column, and says in which orders all of them can be read. */
export class DayVotes {
  private open = 0
  private example = ''
  private ways = 0
  private months = 0
  private readonly ranges = new Map<DayOrder, { count: number; day: string; from: string; to: string }>()
  private readonly thisYear = new Date().getFullYear()

  /** Takes a cell; false where it is no day whose order could be asked. */
  add(text: string): boolean {
    const read = dayMeanings(text, this.thisYear)
    if (!read) return false
    this.open += 1
    if (isMonth(text, this.thisYear)) this.months += 1
    // The example is a cell that leaves most open.
    const ways = Object.keys(read).length
    const isBetter = ways > this.ways
    if (isBetter) {
      this.example = text
      this.ways = ways
    }
    for (const order of orders) {
      const day = read[order]
      if (!day) continue
      const range = this.ranges.get(order)
      if (!range) this.ranges.set(order, { count: 1, day, from: day, to: day })
      else {
        range.count += 1
        if (isBetter) range.day = day
        if (day < range.from) range.from = day
        if (day > range.to) range.to = day
      }
    }
    return true
  }

  question(): DayQuestion | undefined {
    // A column of nothing but months, as clerks keep 出生年月, leaves no order open.
    if (this.open === this.months) return undefined
    const readings: DayReading[] = orders.flatMap((order) => {
      const range = this.ranges.get(order)
      return range && range.count === this.open ? [{ order, day: range.day, from: range.from, to: range.to }] : []
    })
    return { open: this.open, example: this.example, readings }
  }
}

/**
 * The order in which a column's days are read: the one that was answered, else the only one in which all its days lie
 * in a span of time that makes sense for the field. Undefined where it is to be asked.
 */
export function orderOf(
  question: DayQuestion | undefined,
  between: readonly [string, string],
  answer?: DayOrder,
): DayOrder | undefined {
  if (answer) return answer
  const left = readingsWithin(question, between)
  return left.length === 1 ? left[0]?.order : undefined
}

/** The readings of a column that make sense for a field; all of them where none does. */
export function readingsWithin(
  question: DayQuestion | undefined,
  [first, last]: readonly [string, string],
): readonly DayReading[] {
  const all = question?.readings ?? []
  const left = all.filter(({ from, to }) => from >= first && to <= last)
  return left.length > 0 ? left : all
}
