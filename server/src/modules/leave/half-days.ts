import { addDays } from '@data-brain/contract/rules/school-year'
import type { Tx } from '../../database/transaction.ts'
import { type BellPlace, dayFacts, periodsOf } from '../timetable/index.ts'

export type Half = 'am' | 'pm'

/** A stretch of half-days: the first and the last one that somebody is away. */
export interface HalfDays {
  readonly from: { readonly day: string; readonly half: Half }
  readonly until: { readonly day: string; readonly half: Half }
}

/** When the two halves of a school day begin and end, as `HH:mm`, and which periods lie in them. */
export interface Bells {
  readonly am: readonly [string, string]
  readonly pm: readonly [string, string]
  halfOf(periodNo: number): Half
  /** The last period of the morning, and the first of the afternoon. */
  readonly lastOfMorning: number
  readonly firstOfAfternoon: number
}

const noon = '12:00'
/** What a school without bell times is taken to have: eight periods, four of them in the morning. */
const usual = { am: ['08:00', noon], pm: [noon, '18:00'], morningPeriods: 4 } as const

/** The halves of a day as its bells have them: what begins before noon is of the morning. */
export async function bellsOf(tx: Tx, place: BellPlace): Promise<Bells> {
  const timed = (await periodsOf(tx, place)).flatMap(({ periodNo, beginTime, endTime }) =>
    periodNo !== null && beginTime !== null && endTime !== null ? [{ periodNo, beginTime, endTime }] : [],
  )
  const morning = timed.filter(({ beginTime }) => beginTime < noon)
  const afternoon = timed.filter(({ beginTime }) => beginTime >= noon)
  const pmBegin = afternoon[0]?.beginTime ?? noon
  const amEnd = morning.at(-1)?.endTime ?? noon
  const lastOfMorning = Math.max(
    ...(morning.length > 0 ? morning.map(({ periodNo }) => periodNo) : [usual.morningPeriods]),
  )
  const afternoons = new Set(afternoon.map(({ periodNo }) => periodNo))
  const mornings = new Set(morning.map(({ periodNo }) => periodNo))
  return {
    am: [morning[0]?.beginTime ?? usual.am[0], amEnd < pmBegin ? amEnd : pmBegin],
    pm: [pmBegin, afternoon.at(-1)?.endTime ?? usual.pm[1]],
    halfOf: (periodNo) =>
      afternoons.has(periodNo) || (!mornings.has(periodNo) && periodNo > lastOfMorning) ? 'pm' : 'am',
    lastOfMorning,
    firstOfAfternoon: afternoon[0]?.periodNo ?? lastOfMorning + 1,
  }
}

const clock = (instant: string): string => instant.slice(11, 16)

/**
 * The half-days that two moments mean: any moment of a half-day is the whole of it. A stretch that ends at midnight ends with
 * the day before; one that ends when the afternoon begins ends with the morning.
 */
export async function halfDaysOf(tx: Tx, place: BellPlace, startTime: string, endTime: string): Promise<HalfDays> {
  const first = startTime.slice(0, 10)
  const ends = endTime.slice(0, 10)
  const { am } = await bellsOf(tx, { ...place, date: first })
  const from = { day: first, half: clock(startTime) < am[1] ? 'am' : 'pm' } as const
  if (clock(endTime) === '00:00' && ends > first) return { from, until: { day: addDays(ends, -1), half: 'pm' } }
  const { pm } = await bellsOf(tx, { ...place, date: ends })
  return { from, until: { day: ends, half: clock(endTime) <= pm[0] ? 'am' : 'pm' } }
}

/** The moments at which a stretch of half-days begins and ends. */
export async function momentsOf(
  tx: Tx,
  place: BellPlace,
  { from, until }: HalfDays,
): Promise<{ readonly startTime: string; readonly endTime: string }> {
  const first = await bellsOf(tx, { ...place, date: from.day })
  const last = from.day === until.day ? first : await bellsOf(tx, { ...place, date: until.day })
  return {
    startTime: `${from.day} ${first[from.half][0]}:00`,
    endTime: `${until.day} ${last[until.half][1]}:00`,
  }
}

/** Whether a half-day lies within a stretch. */
export const liesWithin = ({ from, until }: HalfDays, day: string, half: Half): boolean =>
  (day > from.day || (day === from.day && (from.half === 'am' || half === 'pm'))) &&
  (day < until.day || (day === until.day && (until.half === 'pm' || half === 'am')))

/** A kind of day on which nobody has to be in school. */
const holiday = '2'

export interface Counted {
  /** Days on which there is school, in halves. */
  readonly days: number
  /** The semester in which all of it lies; `none` where it lies in none, `several` where it lies in two, or partly in none. */
  readonly semesterId: string | 'none' | 'several'
}

/** How many school days a stretch takes: days off are none, days that make up for others are. */
export async function countDays(
  tx: Tx,
  place: { readonly tenantId: string; readonly schoolId: string },
  stretch: HalfDays,
): Promise<Counted> {
  const facts = await dayFacts(tx, place, stretch.from.day, stretch.until.day)
  let halves = 0
  const semesters = new Set<string | null>()
  for (const [day, { dayType, semesterId }] of facts) {
    semesters.add(semesterId)
    if (dayType !== holiday) halves += (['am', 'pm'] as const).filter((half) => liesWithin(stretch, day, half)).length
  }
  const [only] = semesters
  return { days: halves / 2, semesterId: semesters.size === 1 ? (only ?? 'none') : 'several' }
}
