import type { TimerPlan } from '@data-brain/contract/flow/plan'
import { addDays } from '@data-brain/contract/rules/school-year'
import { zone } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { dayFacts, periodsOf } from '../timetable/index.ts'
import type { Variables } from './engine/host.ts'

const hour = 3_600_000
const day = 24 * hour
const zoneOffset = 8 * hour

/** A length of time of ISO 8601 in milliseconds, with months of 30 days; undefined for what is none. */
export function durationMs(text: string): number | undefined {
  const found = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(
    text,
  )
  if (!found || text.endsWith('P') || text.endsWith('T')) return undefined
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((each) => Number(each ?? 0))
  return ((years * 365 + months * 30 + weeks * 7 + days) * 24 + hours) * hour + minutes * 60_000 + seconds * 1_000
}

const dayText = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
/** Midnight of a day in the product’s zone, which has no summer time since 1991. */
const startOfDay = (text: string): number => Date.parse(`${text}T00:00:00+08:00`)
const clockMs = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * hour + minutes * 60_000
}

interface Place {
  readonly tx: Tx
  readonly tenantId: string
  readonly schoolId: string
}

/** The stretches of a day on which work is done: of a school day whole, or between its first and its last bell. */
async function* stretches(place: Place, from: number, hours: boolean): AsyncGenerator<readonly [number, number]> {
  const first = dayText.format(from)
  const bells = hours
    ? await periodsOf(place.tx, { tenantId: place.tenantId, schoolId: place.schoolId, date: first })
    : []
  const begins = bells.flatMap(({ beginTime }) => (beginTime ? [clockMs(beginTime)] : []))
  const ends = bells.flatMap(({ endTime }) => (endTime ? [clockMs(endTime)] : []))
  const begin = hours ? Math.min(...(begins.length > 0 ? begins : [8 * hour])) : 0
  const end = hours ? Math.max(...(ends.length > 0 ? ends : [17 * hour])) : day
  // A holiday of two months is the longest that is passed over.
  const facts = await dayFacts(place.tx, place, first, addDays(first, 120))
  for (const [text, { weekday }] of facts) {
    if (weekday === null) continue
    const at = startOfDay(text)
    const span = [Math.max(from, at + begin), at + end] as const
    if (span[0] < span[1]) yield span
  }
}

/** The moment at which so much time of school has passed. */
async function afterSchoolTime(place: Place, from: number, length: number, hours: boolean): Promise<number> {
  let left = length
  let last = from
  for await (const [begin, end] of stretches(place, from, hours)) {
    if (end - begin >= left) return begin + left
    left -= end - begin
    last = end
  }
  // Beyond what the calendar says, every day counts.
  return last + left
}

/** A moment of ISO 8601; where it says no zone, it is that of the product. NaN for what is none. */
function momentOf(text: string): number {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return startOfDay(text)
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') : `${text}+08:00`
  return Date.parse(zoned)
}

export interface Due {
  readonly at: number
  /** How often it comes again after that; null without an end. */
  readonly repeats: number | null
}

/** When a timer comes due that is set now; undefined where what it says is no time, such as a date left empty. */
export async function dueOf(
  { kind, value, by }: TimerPlan,
  variables: Variables,
  place: { readonly tx: Tx; readonly tenantId: string; readonly schoolId: string | null },
  now = Date.now(),
): Promise<Due | undefined> {
  if (kind === 'date') {
    const given = value.startsWith('field:') ? variables[value.slice(6)] : value
    const at = momentOf(String(given))
    return Number.isNaN(at) ? undefined : { at, repeats: 0 }
  }
  const [, times, begin, duration] =
    kind === 'cycle' ? (/^R(\d*)\/(?:([^/]+)\/)?([^/]+)$/.exec(value) ?? []) : [undefined, '1', undefined, value]
  const length = durationMs(duration ?? '')
  if (length === undefined) return undefined
  const repeats = times === '' ? null : Math.max(0, Number(times ?? 1) - 1)
  const first = begin === undefined ? Number.NaN : momentOf(begin)
  if (first > now) return { at: first, repeats }
  // One that was to begin before keeps its days and hours: every Monday at eight stays that whenever it is deployed.
  if (kind === 'cycle' && first <= now && by === 'clock') {
    const next = nextOfCycle({ kind, value, by }, first, null, now)
    if (next) return { at: next.at, repeats }
  }
  const { schoolId } = place
  // Where no school is known, the clock counts.
  if (by === 'clock' || !schoolId) return { at: now + length, repeats }
  // A day is a school day; what is less than a day is counted in its hours.
  return { at: await afterSchoolTime({ ...place, schoolId }, now, length, by === 'schoolHours'), repeats }
}

/** A moment so much later, by the calendar: a month is one of the calendar, and its last day stays its last day. */
function after(from: number, duration: string, times: number): number {
  const found = /^P(?:(\d+)Y)?(?:(\d+)M)?/.exec(duration)
  const months = (Number(found?.[1] ?? 0) * 12 + Number(found?.[2] ?? 0)) * times
  const rest = (durationMs(duration.replace(/^P(?:\d+Y)?(?:\d+M)?/, 'P')) ?? 0) * times
  if (months === 0) return from + rest
  // The product's zone has one offset all year round, so its clock is that of UTC moved by it.
  const local = new Date(from + zoneOffset)
  const last = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + months + 1, 0)).getUTCDate()
  const moved = Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + months, Math.min(local.getUTCDate(), last))
  return moved + ((from + zoneOffset) % day) - zoneOffset + rest
}

/**
 * When a cycle comes round again behind a moment, in whole steps from the one that is due: those that have passed are made up
 * for by one. Undefined where it ends.
 */
export function nextOfCycle({ value }: TimerPlan, due: number, repeats: number | null, now: number): Due | undefined {
  const duration = /^R\d*\/(?:[^/]+\/)?([^/]+)$/.exec(value)?.[1]
  if (duration === undefined || repeats === 0) return undefined
  const left = repeats === null ? null : repeats - 1
  const about = after(due, duration, 1) - due
  // A jump that is surely not too far, also where months are of different lengths, and then step by step.
  const jump = Math.floor((now - due) / about)
  for (let times = Math.max(1, /^P\d+[YM]/.test(duration) ? jump - Math.ceil(jump / 6) : jump); ; times += 1) {
    const at = after(due, duration, times)
    if (at > now) return { at, repeats: left }
  }
}
