import { addDays, weekdayOf } from './rules/school-year.ts'

/** How often a subscription comes: keys of `report_every`. Those of the calendar come on the first school day of a span. */
export const everyKeys = { day: '1', week: '2', schoolWeek: '3', schoolMonth: '4', schoolTerm: '5' } as const
export const calendarKeys: readonly string[] = [everyKeys.schoolWeek, everyKeys.schoolMonth, everyKeys.schoolTerm]

/** Ways in which a file that is ready is told of: keys of `report_way`. */
export const wayKeys = { inbox: '1', mail: '2' } as const

/** Statuses: keys of `subscription_status`. */
export const subscriptionStates = { on: 1, paused: 2 } as const

/** How often, and when, something comes. */
export interface Schedule {
  readonly every: string
  readonly weekday: string | null
  readonly hour: number
}

/** A moment of a day as the wire has it. */
export const momentAt = (day: string, hour: number): string => `${day} ${String(hour).padStart(2, '0')}:00:00`

/** The first moment after one, as the wire has both, of a schedule that follows no calendar: every day, or on a weekday. */
export function plainMoment({ every, weekday, hour }: Schedule, after: string): string {
  const begin = after.slice(0, 10)
  const isWeekly = every === everyKeys.week
  const first = isWeekly ? addDays(begin, (Number(weekday) - weekdayOf(begin) + 7) % 7) : begin
  const moment = momentAt(first, hour)
  return moment > after ? moment : momentAt(addDays(first, isWeekly ? 7 : 1), hour)
}
