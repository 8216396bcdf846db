import { momentOf } from '../../ui/instant.ts'

/** Ranges of time that are one press away, in hours; null is all there is. */
export const rangePresets = { hour: 1, day: 24, week: 168, month: 720, all: null } as const
export type Preset = keyof typeof rangePresets
export const presetNames = Object.keys(rangePresets) as Preset[]

export interface LogQuery {
  readonly range: Preset
  readonly from: string
  readonly to: string
}

/** The bounds that a list asks for: those that were set, else those of the preset counted from now. */
export function boundsOf(
  { range, from, to }: LogQuery,
  now: number,
): { createTime_datege?: string; createTime_datele?: string } {
  const hours = rangePresets[range]
  const begin = from || (to || hours === null ? '' : momentOf(now - hours * 3_600_000))
  return { ...(begin ? { createTime_datege: begin } : {}), ...(to ? { createTime_datele: to } : {}) }
}
