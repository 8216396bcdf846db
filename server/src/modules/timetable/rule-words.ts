import type { Words } from '@data-brain/contract'
import { type NamedRule, ruleSentence } from '@data-brain/contract/rules/timetable-rule'
import { pluralize } from '../../kernel/pluralize.ts'
import type { Activity } from './solver/problem.ts'
import type { BrokenRule } from './solver/run.ts'

/** As many as a message tells of each. */
const most = 10

/**
 * The rules that a timetable breaks, each as its sentence with how often: those that must hold first, then by what they cost, at
 * most ten. `records` names the rules that come from the records of teachers and subjects, by their ids.
 */
export function brokenTold(
  broken: readonly BrokenRule[],
  rules: readonly (NamedRule & { readonly id: string })[],
  records: (id: string) => Words | undefined,
): Words[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  return broken
    .toSorted((a, b) => Number(b.hard) - Number(a.hard) || b.cost - a.cost || b.times - a.times)
    .flatMap(({ rule, times }) => {
      const set = byId.get(rule)
      const words = set ? { zh: ruleSentence(set, 'zh'), en: ruleSentence(set, 'en') } : records(rule)
      return words
        ? [{ zh: `${words.zh}，${times}处未做到`, en: `${words.en}: not kept in ${pluralize(times, 'place')}` }]
        : []
    })
    .slice(0, most)
}

/** What a rule of a teacher's or a subject's record is called, by its id (problem-of-plan.ts). */
export const recordWords =
  (names: ReadonlyMap<string, string>) =>
  (id: string): Words | undefined => {
    const [kind = '', of = ''] = id.split('-')
    const name = names.get(of) ?? ''
    switch (kind) {
      case 'day':
        return { zh: `${name}：日课时上限（必须）`, en: `${name}: most hours a day (must)` }
      case 'busy':
        return { zh: `${name}：不可排课时间（必须）`, en: `${name}: unavailable periods (must)` }
      case 'research':
        return { zh: `${name}：教研时间（必须）`, en: `${name}: research half-day (must)` }
      default:
        return undefined
    }
  }

/** The lessons that found no place, by class, subject and teacher, at most ten of these. */
export function missingTold(missing: readonly Activity[], nameOf: (activity: Activity) => MissingNames): Words[] {
  const counts = new Map<string, { readonly names: MissingNames; periods: number }>()
  for (const activity of missing) {
    const names = nameOf(activity)
    const key = JSON.stringify(names)
    const there = counts.get(key) ?? { names, periods: 0 }
    there.periods += activity.span
    counts.set(key, there)
  }
  return [...counts.values()]
    .toSorted((a, b) => b.periods - a.periods)
    .slice(0, most)
    .map(({ names: { group, subject, teacher }, periods }) => ({
      zh: `未排：${group}${subject}（${teacher}）${periods}节`,
      en: `Not placed: ${pluralize(periods, 'period')} of ${subject} of ${group} (${teacher})`,
    }))
}

export interface MissingNames {
  readonly group: string
  readonly subject: string
  readonly teacher: string
}
