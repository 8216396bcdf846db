import { addDays, weekdayOf } from '@data-brain/contract/rules/school-year'
import { calendarKeys, everyKeys, momentAt, plainMoment, type Schedule } from '@data-brain/contract/subscription'
import { zone } from '../../database/connect.ts'
import type { DayFacts } from '../timetable/index.ts'

/** So many days of a calendar are looked at: back to where the span of the last run began, and ahead over a long break. */
export const lookedAt = { back: 220, ahead: 400 } as const

/** A moment as the wire has it, where the schools are, whatever zone the server runs in. */
export const localText = (at: Date): string => at.toLocaleString('sv-SE', { timeZone: zone })

const dayOf = (moment: string): string => moment.slice(0, 10)

const monday = (day: string): string => addDays(day, 1 - weekdayOf(day))

/** What a school day must be the first of, by the days of one school; undefined where it is not of the calendar. */
function spanOf(every: string): ((day: string, facts: DayFacts) => string | null) | undefined {
  if (every === everyKeys.schoolWeek) return (day) => monday(day)
  if (every === everyKeys.schoolMonth) return (day) => day.slice(0, 7)
  if (every === everyKeys.schoolTerm) return (_, { semesterId }) => semesterId
  return undefined
}

const holiday = '2'

/** Whether a schedule follows the calendar of a school. */
export const followsCalendar = ({ every }: Pick<Schedule, 'every'>): boolean => calendarKeys.includes(every)

/**
 * The first moment of a schedule after one, as the wire has both; null where the calendar says of no such day yet. Of a
 * week, month or term in which it has run already there is none any more.
 */
export function nextMoment(
  schedule: Schedule,
  after: string,
  days: ReadonlyMap<string, DayFacts> = new Map(),
  lastRun: string | null = null,
): string | null {
  const { every, hour } = schedule
  const span = spanOf(every)
  if (!span) return plainMoment(schedule, after)
  const spanAt = (day: string): string | null => {
    const facts = days.get(day)
    return facts ? span(day, facts) : null
  }
  const ran = lastRun === null ? null : spanAt(dayOf(lastRun))
  const begun = new Set<string>()
  for (const [day, facts] of days) {
    const own = span(day, facts)
    if (own === null || facts.dayType === holiday || begun.has(own)) continue
    begun.add(own)
    const moment = momentAt(day, hour)
    if (moment > after && own !== ran) return moment
  }
  return null
}
