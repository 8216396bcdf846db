import type { OwnSubstitution } from '@data-brain/contract/calls/substitution'
import type { OwnLesson } from '@data-brain/contract/calls/timetable'
import { addDays, weekdayOf } from '@data-brain/contract/rules/school-year'

/** Monday of the week of a day. */
export const mondayOf = (day: string): string => addDays(day, 1 - weekdayOf(day))

/** The seven days of a week. */
export const daysOf = (monday: string): readonly string[] => Array.from({ length: 7 }, (_, at) => addDays(monday, at))

/** Keys of the dictionary substitution_kind. */
export const kinds = { cover: '1', moved: '2', out: '3', room: '4' } as const

/** Keys of the dictionary calendar_day_type. */
const dayTypes = { taught: '1', holiday: '2', madeUp: '3', exams: '4', event: '5' } as const

/** What is otherwise on a day, as the calendar has it. */
export interface DayFact {
  readonly dayType: string
  readonly name: string | null
  /** Whose timetable is taught. */
  readonly weekday: number | null
}

/** The word for what a day is; undefined where it is an ordinary one, a weekend among them. */
export function dayWord(day: string, fact: DayFact | undefined): 'holiday' | 'madeUp' | 'exams' | 'event' | undefined {
  if (!fact) return undefined
  if (fact.dayType === dayTypes.madeUp) return 'madeUp'
  if (fact.dayType === dayTypes.exams) return 'exams'
  if (fact.dayType === dayTypes.event) return 'event'
  // A Saturday without lessons is what everybody expects.
  return fact.dayType === dayTypes.holiday && (fact.name !== null || weekdayOf(day) < 6) ? 'holiday' : undefined
}

/** The key of a lesson on its day. */
export const lessonKey = ({ id, date }: Pick<OwnLesson, 'id' | 'date'>): string => `${id}|${date}`

/** The lesson that is given now, and the next one of today; either may be absent. */
export function nowAndNext(
  lessons: readonly OwnLesson[],
  today: string,
  time: string,
): { readonly now?: string; readonly next?: string } {
  const those = lessons
    .filter(({ date, beginTime }) => date === today && beginTime !== null)
    .toSorted((a, b) => (a.beginTime ?? '').localeCompare(b.beginTime ?? ''))
  const now = those.find(({ beginTime, endTime }) => (beginTime ?? '') <= time && time < (endTime ?? ''))
  const next = those.find(({ beginTime }) => (beginTime ?? '') > time)
  return { ...(now && { now: lessonKey(now) }), ...(next && { next: lessonKey(next) }) }
}

/**
 * What holds of these days and has no lesson in the week any more: lessons that are cancelled, that somebody else gives, or
 * that are at another time, each on the day that it leaves.
 */
export const goneOf = (
  own: readonly OwnSubstitution[],
  lessons: readonly OwnLesson[],
  days: readonly string[],
): readonly OwnSubstitution[] => {
  // What is moved within the week stands there with its own words; it has left its first day all the same.
  const here = new Set(lessons.flatMap(({ change, date }) => (change ? [`${change.id}|${date}`] : [])))
  return own.filter(
    ({ id, day, status, kind }) =>
      status <= 2 && days.includes(day) && !here.has(`${id}|${day}`) && kind !== kinds.room,
  )
}

/** What waits for the caller's answer and has no lesson on the days that are shown, where it could be answered. */
export const elsewhere = (
  own: readonly OwnSubstitution[],
  lessons: readonly OwnLesson[],
  days: readonly string[],
): readonly OwnSubstitution[] => {
  const here = new Set(
    lessons.flatMap(({ change, date }) => (change && date && days.includes(date) ? [change.id] : [])),
  )
  return own.filter(({ id, awaitsMe }) => awaitsMe && !here.has(id))
}
