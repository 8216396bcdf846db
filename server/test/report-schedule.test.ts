import { addDays, weekdayOf } from '@data-brain/contract/rules/school-year'
import { everyKeys } from '@data-brain/contract/subscription'
import { describe, expect, it } from 'vitest'
import { localText, nextMoment } from '../src/modules/subscription/schedule.ts'
import type { DayFacts } from '../src/modules/timetable/index.ts'

/** A calendar from one day to another: Mondays to Fridays are school days within terms, but not on these. */
function calendar(
  from: string,
  to: string,
  terms: readonly (readonly [id: string, begin: string, end: string])[],
  holidays: readonly string[] = [],
  madeUp: readonly string[] = [],
): Map<string, DayFacts> {
  const days = new Map<string, DayFacts>()
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const term = terms.find(([, begin, end]) => begin <= day && day <= end)
    const taught = term && (madeUp.includes(day) || (weekdayOf(day) <= 5 && !holidays.includes(day)))
    const dayType = taught ? '1' : '2'
    days.set(day, { semesterId: term?.[0] ?? null, week: null, dayType, name: null, weekday: null })
  }
  return days
}

const daily = { every: everyKeys.day, weekday: null, hour: 7 }
const weekly = { every: everyKeys.week, weekday: '3', hour: 7 }
const of = (every: string) => ({ every, weekday: null, hour: 7 })

// A week of holidays from 1 October 2026, a Thursday, made up for on the 10th, a Saturday.
const golden = Array.from({ length: 8 }, (_, at) => addDays('2026-10-01', at))
const year = calendar(
  '2026-02-01',
  '2027-07-31',
  [
    ['first', '2026-09-01', '2027-01-22'],
    ['second', '2027-02-22', '2027-07-09'],
  ],
  [...golden, '2026-10-09'],
  ['2026-10-10'],
)

describe('R-DEV-7 the next moment of a subscription', () => {
  it('R-DEV-7 of every day is the hour today while that is to come, else tomorrow', () => {
    expect(nextMoment(daily, '2026-11-28 06:59:59')).toBe('2026-11-28 07:00:00')
    expect(nextMoment(daily, '2026-11-28 07:00:00')).toBe('2026-11-29 07:00:00')
    expect(nextMoment(daily, '2026-12-31 12:00:00')).toBe('2027-01-01 07:00:00')
    expect(nextMoment({ ...daily, hour: 0 }, '2026-11-28 23:59:59')).toBe('2026-11-29 00:00:00')
  })

  it('R-DEV-7 of a weekday is that day, this week or the next', () => {
    expect(nextMoment(weekly, '2026-11-28 12:00:00')).toBe('2026-12-02 07:00:00')
    expect(nextMoment(weekly, '2026-12-02 06:00:00')).toBe('2026-12-02 07:00:00')
    expect(nextMoment(weekly, '2026-12-02 07:00:00')).toBe('2026-12-09 07:00:00')
    expect(nextMoment({ ...weekly, weekday: '7' }, '2026-11-28 12:00:00')).toBe('2026-11-29 07:00:00')
  })

  it('R-DEV-7 of the first school day of a week goes over holidays, and takes a Saturday that makes up', () => {
    const next = (after: string, last?: string) => nextMoment(of(everyKeys.schoolWeek), after, year, last)
    expect(next('2026-09-27 12:00:00')).toBe('2026-09-28 07:00:00')
    // The week of 5 October has one school day, its Saturday.
    expect(next('2026-09-28 07:00:00')).toBe('2026-10-10 07:00:00')
    expect(next('2026-10-10 07:00:00')).toBe('2026-10-12 07:00:00')
    // Over the winter break.
    expect(next('2027-01-18 08:00:00')).toBe('2027-02-22 07:00:00')
  })

  it('R-DEV-7 of the first school day of a month and of a term', () => {
    const month = (after: string) => nextMoment(of(everyKeys.schoolMonth), after, year)
    expect(month('2026-09-01 07:00:00')).toBe('2026-10-10 07:00:00')
    expect(month('2026-10-10 07:00:00')).toBe('2026-11-02 07:00:00')
    const term = (after: string) => nextMoment(of(everyKeys.schoolTerm), after, year)
    expect(term('2026-08-20 07:00:00')).toBe('2026-09-01 07:00:00')
    expect(term('2026-09-01 07:00:00')).toBe('2027-02-22 07:00:00')
  })

  it('R-DEV-7 is none where the calendar ends, and none again in a span in which it ran', () => {
    expect(nextMoment(of(everyKeys.schoolTerm), '2027-02-22 07:00:00', year)).toBeNull()
    expect(nextMoment(of(everyKeys.schoolWeek), '2026-09-01 12:00:00')).toBeNull()
    // It ran on the 1st; that day was made a holiday afterwards.
    const moved = new Map(year).set('2026-09-01', { ...year.get('2026-09-01')!, dayType: '2' })
    const ran = '2026-09-01 07:00:00'
    expect(nextMoment(of(everyKeys.schoolMonth), ran, moved)).toBe('2026-09-02 07:00:00')
    expect(nextMoment(of(everyKeys.schoolMonth), ran, moved, ran)).toBe('2026-10-10 07:00:00')
  })

  it('R-DEV-7 is by the clock of the schools, whatever zone the server runs in', () => {
    const before = process.env.TZ
    try {
      // In New York the clock is put back in the middle of this, and it is the day before.
      for (const zone of ['America/New_York', 'Pacific/Kiritimati', 'UTC']) {
        process.env.TZ = zone
        expect(localText(new Date('2026-11-01T05:59:59Z'))).toBe('2026-11-01 13:59:59')
        expect(localText(new Date('2026-10-31T23:00:00Z'))).toBe('2026-11-01 07:00:00')
        expect(nextMoment(daily, localText(new Date('2026-10-31T22:59:59Z')))).toBe('2026-11-01 07:00:00')
      }
    } finally {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
  })
})
