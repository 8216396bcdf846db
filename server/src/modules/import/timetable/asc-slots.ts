import type { Words } from '@data-brain/contract'
import { weeksText } from '@data-brain/contract/rules/weeks'
import type { AscFile, AscRow } from './asc-file.ts'
import { nameOf } from './asc-places.ts'
import { weekdayNamed } from './day-names.ts'
import { periodIn } from './grid-words.ts'
import { weekdayCells } from './list-book.ts'

/** The places of the ones in a mask: 01001 is 1 and 4. */
const onesOf = (mask: string): number[] => [...mask].flatMap((sign, at) => (sign === '1' ? [at] : []))

/** The one mask that an attribute holds. Several are as many possibilities: nothing is settled. */
const maskOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^[01]+$/.test(text) ? text : undefined

const byId = (rows: readonly AscRow[] | undefined): ReadonlyMap<string, AscRow> =>
  new Map((rows ?? []).map((row) => [row.get('id') ?? '', row]))

/** When a card is, in the words of cells. */
export interface AscSlot {
  readonly weekdays: readonly string[]
  readonly period: string
  readonly span: string
  readonly weeks: string
  /** Of the weeks in which it is, the share that it has of all. */
  readonly share: number
}

/** The days of a file by their place, as cells name them, and what is to be said of that. */
function daysOf({ tables, options }: AscFile): {
  readonly of: (card: AscRow, lesson: AscRow | undefined) => readonly number[]
  readonly cell: (place: number) => string
  readonly notes: readonly Words[]
} {
  const listed = tables.get('days') ?? []
  const names = listed.map(nameOf)
  const numbers = listed.map((row) => row.get('day') ?? '')
  for (const row of tables.get('daysdefs') ?? []) {
    const ones = onesOf(maskOf(row.get('days')) ?? '')
    if (ones.length === 1) names[ones[0]!] ??= nameOf(row)
  }
  const meant = Array.from(names, (name) => (name === undefined ? undefined : weekdayNamed(name)))
  const isClear = meant.length > 0 && meant.every((day) => day !== undefined) && new Set(meant).size === meant.length
  const defs = byId(tables.get('daysdefs'))
  const fromOne =
    options.includes('daynumbering1') || !(tables.get('cards') ?? []).some((card) => card.get('day') === '0')
  return {
    of: (card, lesson) => {
      const mask = card.get('days')
      const day = card.get('day')
      if (mask !== undefined) return onesOf(maskOf(mask) ?? '')
      if (day) return [numbers.includes(day) ? numbers.indexOf(day) : Number(day) - (fromOne ? 1 : 0)]
      const own = onesOf(maskOf(defs.get(lesson?.get('daysdefid') ?? '')?.get('days')) ?? '')
      return own.length === 1 ? own : []
    },
    cell: (place) => weekdayCells[(isClear ? (meant[place] ?? 0) : place + 1) - 1] ?? `第${place + 1}天`,
    notes: isClear
      ? []
      : [
          {
            zh: `看不出星期的名称（${names.filter(Boolean).join('、') || '文件没有写'}），按从星期一起的次序读取，请核对`,
            en: `The names of the weekdays are not known (${names.filter(Boolean).join(', ') || 'the file has none'}): read in their order from Monday on. Compare them`,
          },
        ],
  }
}

/** The periods of a file: what a cell says for the number that a card has, and how many there are from it on. */
function periodsOf({ tables }: AscFile): (no: string) => { readonly text: string; readonly left: number } {
  const rows = (tables.get('periods') ?? []).toSorted((a, b) => Number(a.get('period')) - Number(b.get('period')))
  if (rows.length === 0) return (no) => ({ text: no, left: Number.POSITIVE_INFINITY })
  const numbers = rows.map((row) => row.get('period') ?? '')
  const meant = rows.map((row) => (periodIn(nameOf(row)) ?? periodIn(row.get('short') ?? ''))?.no)
  const clear = meant.filter((no) => no !== undefined)
  const isByName = clear.length > 0 && new Set(clear).size === clear.length
  return (no) => {
    const at = numbers.indexOf(no)
    if (at < 0) return { text: `${no}（文件每天只有${rows.length}节）`, left: Number.POSITIVE_INFINITY }
    // 早读 beside 第1节 is a period of the school by that name.
    return { text: isByName ? String(meant[at] ?? nameOf(rows[at]!)) : no, left: rows.length - at }
  }
}

/** Weeks longer than this are those of the term, one by one; shorter ones come round again and again. */
const cycleMost = 6

/** The weeks of a mask, in the words of a cell: every week, odd or even ones, or chosen ones. */
function weeksCell(mask: string): string {
  const ones = onesOf(mask)
  if (ones.length === mask.length) return ''
  if (mask.length === 2) return ones[0] === 0 ? '单周' : '双周'
  const text = weeksText(ones.map((at) => at + 1))
  return mask.length > cycleMost ? `${text}周` : `每${mask.length}周中的第${text}周`
}

/** Reads when the cards of a file are; undefined for one that has no place. */
export function slotsOf(file: AscFile): {
  readonly of: (card: AscRow, lesson: AscRow | undefined) => AscSlot | undefined
  readonly notes: readonly Words[]
} {
  const days = daysOf(file)
  const periods = periodsOf(file)
  const weekDefs = byId(file.tables.get('weeksdefs'))
  return {
    notes: days.notes,
    of: (card, lesson) => {
      const places = days.of(card, lesson)
      const no = card.get('period') ?? ''
      const said = card.get('weeks') ?? weekDefs.get(lesson?.get('weeksdefid') ?? '')?.get('weeks') ?? '1'
      const mask = said === '' ? '1' : (maskOf(said) ?? '1')
      if (places.length === 0 || no === '' || no === '-1' || !mask.includes('1')) return undefined
      const long = Number(
        lesson?.get('periodspercard') ?? lesson?.get('durationperiods') ?? card.get('durationperiods') ?? 1,
      )
      const span = Math.max(1, Math.round(long) || 1)
      const { text, left } = periods(no)
      return {
        weekdays: places.map(days.cell),
        period: text,
        span: span > left ? `${span}（到当天结束只有${left}节）` : String(span),
        weeks: weeksCell(mask),
        share: onesOf(mask).length / mask.length,
      }
    },
  }
}
