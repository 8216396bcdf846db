import type { TimerPlan } from '@data-brain/contract/flow/plan'
import { addDays, todayInChina, weekdayOf } from '@data-brain/contract/rules/school-year'

/** How long something takes, in the units that a school counts in. */
export const timeUnits = ['day', 'hour', 'schoolDay', 'schoolHour'] as const
export type TimeUnit = (typeof timeUnits)[number]

export interface Duration {
  readonly count: number
  readonly unit: TimeUnit
}

const by: Readonly<Record<TimeUnit, TimerPlan['by']>> = {
  day: 'clock',
  hour: 'clock',
  schoolDay: 'schoolDays',
  schoolHour: 'schoolHours',
}
const isDays = (unit: TimeUnit): boolean => unit === 'day' || unit === 'schoolDay'

export const timerOf = ({ count, unit }: Duration): TimerPlan => ({
  kind: 'duration',
  value: isDays(unit) ? `P${count}D` : `PT${count}H`,
  by: by[unit],
})

/** A timer as a number of one unit; undefined where it is none, or is written in another way. */
export function durationOf(timer: TimerPlan): Duration | undefined {
  if (timer.kind !== 'duration') return undefined
  const [, days, hours] = /^P(?:(\d+)D|T(\d+)H)$/.exec(timer.value) ?? []
  const unit = timeUnits.find((each) => by[each] === timer.by && isDays(each) === (days !== undefined))
  const count = days ?? hours
  return count === undefined || unit === undefined ? undefined : { count: Number(count), unit }
}

/** The field of the form that says when. */
export const fieldOfTimer = ({ kind, value }: TimerPlan): string | undefined =>
  kind === 'date' && value.startsWith('field:') ? value.slice(6) : undefined

/** A time of day that comes round: every day, or on one day of the week (1 is Monday). */
export interface Round {
  readonly on: 'day' | '1' | '2' | '3' | '4' | '5' | '6' | '7'
  /** Such as 08:00. */
  readonly at: string
}

export const roundDays = ['day', '1', '2', '3', '4', '5', '6', '7'] as const

/** A timer that comes round, from its next moment on. */
export function roundTimer({ on, at }: Round, today = todayInChina()): TimerPlan {
  // From tomorrow: today’s moment may have passed when it is deployed.
  const tomorrow = addDays(today, 1)
  const day = on === 'day' ? tomorrow : addDays(tomorrow, (Number(on) - weekdayOf(tomorrow) + 7) % 7)
  return { kind: 'cycle', value: `R/${day}T${at}/${on === 'day' ? 'P1D' : 'P7D'}`, by: 'clock' }
}

/** A timer as a time of day that comes round; undefined where it is none, or is written in another way. */
export function roundOf({ kind, value, by }: TimerPlan): Round | undefined {
  const [, day, at, length] = /^R\/(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::00)?\/(P1D|P7D|P1W)$/.exec(value) ?? []
  if (kind !== 'cycle' || by !== 'clock' || day === undefined || at === undefined) return undefined
  if (length === 'P1D') return { on: 'day', at }
  const on = roundDays.find((each) => each === String(weekdayOf(day)))
  return on && { on, at }
}
