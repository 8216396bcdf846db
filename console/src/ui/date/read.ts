import type { Field, Words } from '@data-brain/contract'
import { readDay, readInstant, readSpan, type SpanRead } from '@data-brain/contract/rules/day'
import { momentOf } from '../instant.ts'

/** The kinds of field that hold a day, or a moment of one. */
export type DateKind = 'date' | 'instant'

const kinds: ReadonlySet<string> = new Set<DateKind>(['date', 'instant'])
export const isDateKind = (kind: string): kind is DateKind => kinds.has(kind)

/** What is known of a day before it is read: that it lies behind us, or stands for its month. */
export type DayMeaning = Pick<Field, 'past' | 'month'>

/** The day that the school's calendar shows now. */
export const todayDay = (): string => momentOf(Date.now()).slice(0, 10)

/** What somebody typed, as it is stored, or in both languages why it is nothing that can be. */
export function readTyped(
  kind: DateKind,
  text: string,
  { past = false, month = false }: DayMeaning = {},
): { readonly value: string } | { readonly fault: Words } {
  const options = { today: todayDay(), past, month }
  if (kind === 'date') {
    const read = readDay(text, options)
    return 'day' in read ? { value: read.day } : read
  }
  const read = readInstant(text, options)
  return 'instant' in read ? { value: read.instant } : read
}

/** As `readTyped` of a day, where a month and a year mean all of their days. */
export const readDays = (text: string, past = false): SpanRead => readSpan(text, { today: todayDay(), past })

/** What somebody typed, as it is stored where it is understood; otherwise as it was typed. Nothing typed is nothing. */
export function tidyTyped(kind: DateKind, text: string, meaning: DayMeaning = {}): string | null {
  if (text.trim() === '') return null
  const read = readTyped(kind, text, meaning)
  return 'value' in read ? read.value : text
}

/** A stored value as its box shows it: a moment without seconds that say nothing. */
export const shownOf = (kind: DateKind, value: string | null): string =>
  kind === 'instant' && value ? value.replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d):00$/, '$1') : (value ?? '')
