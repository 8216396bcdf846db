import type { Words } from '../field.ts'
import { slots as slotList, type WeekSlot } from './slots.ts'

/*
 * Rules of a timetable as a clerk sets them: which fields each kind has, and how one reads as a sentence. Both sides say it.
 */

/** Keys of the dictionary timetable_rule_kind. */
export const ruleKinds = {
  closed: '1',
  half: '2',
  fixed: '3',
  perDay: '4',
  inRow: '5',
  windows: '6',
  daysPerWeek: '7',
  subjectPerDay: '8',
  spread: '9',
  daysBetween: '10',
  sameTime: '11',
  apart: '12',
  travel: '13',
} as const
const k = ruleKinds

const ofPeople = [k.perDay, k.inRow, k.windows, k.daysPerWeek]
const ofLessons = [k.closed, k.half, k.fixed]

/** The kinds that each field belongs to. */
export const ruleFields = {
  whose: ofPeople,
  teacherIds: [...ofLessons, ...ofPeople, k.apart, k.travel],
  gradeIds: [...ofLessons, ...ofPeople, k.subjectPerDay, k.spread, k.daysBetween, k.sameTime, k.apart],
  classIds: [...ofLessons, ...ofPeople, k.subjectPerDay, k.spread, k.daysBetween, k.sameTime, k.apart],
  teachClassIds: [k.sameTime, k.apart],
  subjectIds: [...ofLessons, k.subjectPerDay, k.spread, k.daysBetween, k.sameTime, k.apart],
  slots: [k.closed, k.fixed],
  half: [k.half],
  max: [...ofPeople, k.subjectPerDay],
  gap: [k.daysBetween, k.travel],
} as const satisfies Record<string, readonly string[]>

/** A rule with the names of those that it is about. */
export interface NamedRule {
  readonly kind: string
  readonly whose?: string | null | undefined
  readonly teachers: readonly string[]
  readonly grades: readonly string[]
  readonly classes: readonly string[]
  readonly teachClasses: readonly string[]
  readonly subjects: readonly string[]
  readonly slots?: readonly WeekSlot[] | null | undefined
  readonly half?: string | null | undefined
  readonly max?: number | null | undefined
  readonly gap?: number | null | undefined
  readonly strength: string
}

/** How firmly a rule holds, by keys of the dictionary timetable_rule_strength: the first must hold. */
const strengths: Readonly<Record<string, Words>> = {
  '1': { zh: '必须', en: 'must' },
  '2': { zh: '尽量，高', en: 'wish, high' },
  '3': { zh: '尽量，中', en: 'wish, medium' },
  '4': { zh: '尽量，低', en: 'wish, low' },
}

/** As many names as a sentence has; the others are counted. */
const named = 4

const several = (names: readonly string[], language: 'zh' | 'en'): string => {
  const shown = names.slice(0, named).join(language === 'zh' ? '、' : ', ')
  const rest = names.length - named
  if (rest <= 0) return shown
  return language === 'zh' ? `${shown}等${names.length}项` : `${shown} and ${rest} more`
}

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`

/** Whom a rule is about: all, where nobody is named. */
function about(rule: NamedRule, language: 'zh' | 'en'): string {
  const zh = language === 'zh'
  const parts = [[...rule.grades, ...rule.classes, ...rule.teachClasses], rule.teachers, rule.subjects].flatMap(
    (names) => (names.length > 0 ? several(names, language) : []),
  )
  if (parts.length > 0) return parts.join(zh ? '的' : ', ')
  if (rule.kind === k.travel || (ofPeople as readonly string[]).includes(rule.kind))
    return rule.whose === '2' ? (zh ? '所有班级' : 'Every class') : zh ? '所有教师' : 'Every teacher'
  if (rule.kind === k.subjectPerDay || rule.kind === k.spread || rule.kind === k.daysBetween)
    return zh ? '所有学科' : 'Every subject'
  return zh ? '所有课' : 'Every lesson'
}

/** What a rule asks, as the rest of the sentence. */
function asked(rule: NamedRule): Words {
  const max = rule.max ?? 0
  const gap = rule.gap ?? 1
  const slots = (language: 'zh' | 'en'): string =>
    slotList.text(rule.slots ?? [], { language, name: () => undefined }, undefined)
  switch (rule.kind) {
    case k.closed:
      return { zh: `${slots('zh')}不排课`, en: `no lessons on ${slots('en')}` }
    case k.half:
      return rule.half === '2'
        ? { zh: '只排在下午', en: 'in the afternoon only' }
        : { zh: '只排在上午', en: 'in the morning only' }
    case k.fixed:
      return { zh: `只排在${slots('zh')}`, en: `only on ${slots('en')}` }
    case k.perDay:
      return { zh: `每天最多${max}节`, en: `at most ${count(max, 'period')} a day` }
    case k.inRow:
      return { zh: `最多连上${max}节`, en: `at most ${count(max, 'period')} in a row` }
    case k.windows:
      return max === 0
        ? { zh: '每天没有空堂', en: 'no free periods between lessons of a day' }
        : { zh: `每天空堂最多${max}节`, en: `at most ${count(max, 'free period')} between lessons of a day` }
    case k.daysPerWeek:
      return { zh: `每周最多上课${max}天`, en: `at most ${count(max, 'day')} a week` }
    case k.subjectPerDay:
      return {
        zh: `同一班同一学科每天最多${max}节`,
        en: `at most ${count(max, 'period')} a day of one subject in a class`,
      }
    case k.spread:
      return { zh: '同一班同一学科分散到各天', en: 'one subject of a class on as many days as can be' }
    case k.daysBetween:
      return gap === 1
        ? { zh: '同一班的课不在同一天', en: 'lessons of a class on different days' }
        : { zh: `同一班的课之间隔${gap - 1}天`, en: `lessons of a class with ${count(gap - 1, 'day')} between` }
    case k.sameTime:
      return { zh: '同时上课', en: 'at the same time' }
    case k.apart:
      return { zh: '互不同时上课', en: 'never two at the same time' }
    default:
      return { zh: `换校区之间至少空${gap}节`, en: `at least ${count(gap, 'free period')} between two campuses` }
  }
}

/** A rule as a sentence: “张老师：每天最多4节（必须）”. */
export function ruleSentence(rule: NamedRule, language: 'zh' | 'en'): string {
  const strength = strengths[rule.strength] ?? strengths['1']!
  const text = asked(rule)[language]
  return language === 'zh'
    ? `${about(rule, language)}：${text}（${strength.zh}）`
    : `${about(rule, language)}: ${text} (${strength.en})`
}
