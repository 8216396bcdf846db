import type { TimerPlan } from '@data-brain/contract/flow/plan'
import { bodyOf } from './extension.ts'
import type { Faults } from './faults.ts'
import { type Element, text } from './moddle.ts'

const duration = /^P(?=\d|T\d)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(?:T(?=\d)(\d+H)?(\d+M)?(\d+(?:\.\d+)?S)?)?$/
const date = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/
const cycle = /^R(\d*)\/(?:([^/]+)\/)?(P[^/]+)$/
const field = /^(?:field:|[$#]\{\s*)([\p{L}_][\p{L}\p{N}_]*)(?:\s*\})?$/u

const unitSeconds = [31_536_000, 2_592_000, 604_800, 86_400, 3_600, 60, 1]

/** About how long a duration of ISO 8601 is, in seconds; undefined where it is none. */
export function secondsOf(value: string): number | undefined {
  const found = duration.exec(value)
  if (!found) return undefined
  return found.slice(1).reduce((sum, part, at) => sum + (part ? Number.parseFloat(part) * unitSeconds[at]! : 0), 0)
}

const isDate = (value: string): boolean =>
  date.test(value) && !Number.isNaN(Date.parse(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')))

type Fault = readonly [zh: string, en: string]

/** Repeating more often than each minute would keep the machine busy with one process. */
const shortest = 60
const longest = 10 * 31_536_000

function faultOf(kind: TimerPlan['kind'], value: string, by: TimerPlan['by']): Fault | undefined {
  if (kind === 'date')
    return isDate(value) || field.test(value)
      ? undefined
      : [`的时间“${value}”不是 ISO 8601 日期`, `has a moment “${value}” that is no date of ISO 8601`]
  const [, times, begin, every = value] = kind === 'cycle' ? (cycle.exec(value) ?? []) : []
  if (kind === 'cycle' && (times === undefined || (begin !== undefined && !isDate(begin))))
    return [
      `的循环“${value}”无法识别，应为 R3/PT1H 这样的写法`,
      `repeats by “${value}”, which is not understood; write it like R3/PT1H`,
    ]
  const seconds = secondsOf(every)
  if (seconds === undefined)
    return [
      `的时长“${every}”无法识别，应为 P3D、PT4H 这样的写法`,
      `has a duration “${every}” that is not understood; write it like P3D or PT4H`,
    ]
  if (seconds > longest) return [`的时长“${every}”超过十年`, `has a duration “${every}” of more than ten years`]
  if (kind === 'cycle' && seconds < shortest)
    return [`每“${every}”循环一次，间隔不能少于一分钟`, `repeats every “${every}”; it may be once a minute at most`]
  if (kind === 'duration' && seconds === 0) return ['的时长为零', 'has a duration of nothing']
  if (by === 'schoolDays' && !/^P\d+[DW]$/.test(every))
    return [`按教学日计时，“${every}”应以天为单位（如 P3D）`, `counts school days: “${every}” has to be days, like P3D`]
  if (by === 'schoolHours' && !/^PT(?=\d)(\d+H)?(\d+M)?$/.test(every))
    return [
      `按在校时间计时，“${every}”应以小时为单位（如 PT4H）`,
      `counts school hours: “${every}” has to be hours, like PT4H`,
    ]
  return undefined
}

const bys: ReadonlySet<string> = new Set(['clock', 'schoolDays', 'schoolHours'])

/** A timer out of what an element says of it. */
export function timerOf(
  of: Element,
  kind: TimerPlan['kind'],
  said: string,
  by: string | undefined,
  faults: Faults,
): TimerPlan | undefined {
  if (by !== undefined && !bys.has(by)) {
    faults.strange(of, `的计时方式“${by}”无法识别`, `counts by “${by}”, which is not known`)
    return undefined
  }
  const counted = (by ?? 'clock') as TimerPlan['by']
  const value = said.trim()
  const fault = faultOf(kind, value, counted)
  if (fault) {
    faults.strange(of, ...fault)
    return undefined
  }
  const named = kind === 'date' ? field.exec(value)?.[1] : undefined
  return { kind, value: named === undefined ? value : `field:${named}`, by: counted }
}

/** The timer of an event. */
export function timerOfEvent(of: Element, definition: Element, faults: Faults): TimerPlan | undefined {
  const by = text(definition, 'db:by')
  const given = (['date', 'duration', 'cycle'] as const).flatMap((kind) => {
    const said = bodyOf(definition, `time${kind[0]!.toUpperCase()}${kind.slice(1)}`)
    return said === undefined ? [] : [{ kind, said }]
  })
  if (given.length !== 1) {
    if (given.length === 0) faults.strange(of, '没有设置时间', 'has no time set')
    else faults.strange(of, '设置了多种时间，只能有一种', 'has several times set; there may be one')
    return undefined
  }
  return timerOf(of, given[0]!.kind, given[0]!.said, by, faults)
}

/** When a task of another engine is due: a date, a duration, or a variable. */
export function dueOf(of: Element, said: string, faults: Faults): TimerPlan | undefined {
  return timerOf(of, said.startsWith('P') ? 'duration' : 'date', said, undefined, faults)
}
