import type { TimerPlan } from '@data-brain/contract/flow/plan'

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
