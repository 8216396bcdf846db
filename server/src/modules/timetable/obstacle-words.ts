import type { GeneratedPlan } from '@data-brain/contract/calls/timetable'
import { type NamedRule, ruleSentence } from '@data-brain/contract/rules/timetable-rule'
import { pluralize } from '../../kernel/pluralize.ts'
import { days } from './judge.ts'
import type { Ask, Obstacle } from './solver/explain.ts'
import type { Problem, Rule } from './solver/problem.ts'

interface Words {
  readonly zh: string
  readonly en: string
}

type About = GeneratedPlan['obstacles'][number]['about'][number]

/** Names that are written out before the rest are counted. */
const most = 3

const kinds = {
  unavailable: { zh: '不排课的时段', en: 'closed periods' },
  half: { zh: '只在上午或下午', en: 'mornings or afternoons only' },
  perDay: { zh: '每天的课时上限', en: 'periods a day' },
  inRow: { zh: '连续上课的节数上限', en: 'periods in a row' },
  windows: { zh: '空堂上限', en: 'free periods between lessons' },
  daysPerWeek: { zh: '每周上课的天数上限', en: 'days with lessons' },
  subjectPerDay: { zh: '同一学科每天的节数上限', en: 'periods of a subject a day' },
  spread: { zh: '分散到不同的天', en: 'on as many days as can be' },
  daysBetween: { zh: '间隔的天数', en: 'days between lessons' },
  sameTime: { zh: '同时上课', en: 'at the same time' },
  apart: { zh: '不同时上课', en: 'not at the same time' },
  stay: { zh: '留在原位', en: 'where they stand' },
  travel: { zh: '跨校区的间隔', en: 'time between campuses' },
} as const satisfies Readonly<Record<Rule['kind'], Words>>

/** Says what stands against a timetable and the least to give up, by names. */
export class ObstacleWords {
  readonly #problem: Problem
  readonly #names: ReadonlyMap<string, string>
  readonly #rules: ReadonlyMap<string, Rule>
  /** What the rules of the semester say, by the ids of their rows. */
  readonly #sentences: ReadonlyMap<string, Words>

  /** `rows` are the rules that a clerk has set. */
  constructor(
    problem: Problem,
    names: ReadonlyMap<string, string>,
    rows: readonly (NamedRule & { readonly id: string })[] = [],
  ) {
    this.#problem = problem
    this.#names = names
    this.#sentences = new Map(rows.map((row) => [row.id, { zh: ruleSentence(row, 'zh'), en: ruleSentence(row, 'en') }]))
    this.#rules = new Map(problem.rules.map((rule) => [rule.id, rule]))
  }

  /** An obstacle in one sentence, and where what it names is changed. */
  of(obstacle: Obstacle): GeneratedPlan['obstacles'][number] {
    const head = this.#head(obstacle)
    const ways = obstacle.ways.flatMap((sets) => (sets.some((set) => set.length > 0) ? this.#way(sets) : []))
    return {
      text: {
        zh: ways.length === 0 ? head.zh : `${head.zh}：${ways.map(({ zh }) => zh).join('；或')}`,
        en: ways.length === 0 ? head.en : `${head.en}: ${ways.map(({ en }) => en).join('; or ')}`,
      },
      about: this.#about(obstacle),
    }
  }

  #head({ kind, teachers, classes, subjects, rooms, lessons, places }: Obstacle): Words {
    const who = { teachers: this.#list(teachers), classes: this.#list(classes), subjects: this.#list(subjects) }
    const owner = kind === 'teacher' ? teachers : kind === 'class' ? classes : []
    const all = this.#problem.activities
      .filter((each) => owner.some((id) => [...each.teachers, ...each.classes, ...(each.groups ?? [])].includes(id)))
      .reduce((sum, { span }) => sum + span, 0)
    // Of some lessons only it is said which.
    const some = all > lessons
    const takes = { zh: `每周${lessons}节课`, en: pluralize(lessons, 'lesson') }
    const free =
      places === null
        ? { zh: '不能都排下', en: 'do not all find a place' }
        : { zh: `只有${places}个可排的时段`, en: `and ${pluralize(places, 'free period')}` }
    const about = (of: Words): Words => ({
      zh: `${of.zh}${takes.zh}，${free.zh}`,
      en: `${of.en}: ${takes.en} ${free.en}`,
    })
    switch (kind) {
      case 'teacher': {
        const { zh, en } = this.#list(teachers)
        return some
          ? about({
              zh: `${zh}（${who.classes.zh}的${who.subjects.zh}）`,
              en: `${en} (${who.subjects.en} of ${who.classes.en})`,
            })
          : about({ zh, en })
      }
      case 'class':
        return some
          ? about({ zh: `${who.classes.zh}（${who.subjects.zh}）`, en: `${who.classes.en} (${who.subjects.en})` })
          : about(who.classes)
      case 'subject':
        return about({ zh: `${who.classes.zh}的${who.subjects.zh}`, en: `${who.subjects.en} of ${who.classes.en}` })
      case 'rooms': {
        const { zh, en } = this.#list(rooms)
        return places === null
          ? about({ zh, en })
          : {
              zh: `${zh}每周要排${lessons}节，只有${places}节的位置`,
              en: `${en}: ${pluralize(lessons, 'lesson')} for ${pluralize(places, 'place')} a week`,
            }
      }
      default:
        return {
          zh: `${who.teachers.zh}和${who.classes.zh}的课互相牵制（${who.subjects.zh}，共${lessons}节），不能都排下`,
          en: `${pluralize(lessons, 'lesson')} of ${who.teachers.en} with ${who.classes.en} (${who.subjects.en}) stand in each other’s way`,
        }
    }
  }

  /** One way out: its sets, of which each is enough. */
  #way(sets: readonly (readonly Ask[])[]): Words {
    const [first = []] = sets
    const single = sets.every((set) => set.length === 1)
    const slots = sets.flatMap((set) => set.filter((ask) => ask.kind === 'slot'))
    if (single && slots.length === sets.length && sets.length > 1) {
      const { zh, en } = this.#slots(slots)
      return { zh: `让出以下时段之一：${zh}`, en: `give back one of ${en}` }
    }
    if (single && sets.length > 1) {
      // Of rules that are told alike, one is told.
      const each = [...new Map(sets.map((set) => this.#given(set)).map((words) => [words.zh, words])).values()]
      return { zh: each.map(({ zh }) => zh).join('，或'), en: each.map(({ en }) => en).join(', or ') }
    }
    const { zh, en } = this.#given(first)
    return sets.length > 1 && first.length > 1
      ? { zh: `${zh}（这是其中一种）`, en: `${en} (others are as good)` }
      : { zh, en }
  }

  /** All that a set gives up, in words. */
  #given(set: readonly Ask[]): Words {
    const slots = set.filter((ask) => ask.kind === 'slot')
    const lessons = set.filter((ask) => ask.kind === 'lesson')
    const parts = set.flatMap((ask) => (ask.kind === 'slot' || ask.kind === 'lesson' ? [] : this.#ask(ask)))
    if (slots.length > 0) {
      const { zh, en } = this.#slots(slots)
      parts.unshift({
        zh: `让出${slots.length}个时段：${zh}`,
        en: `give back ${pluralize(slots.length, 'period')}: ${en}`,
      })
    }
    if (lessons.length > 0) parts.push(this.#lessons(lessons.map(({ activity }) => activity)))
    return { zh: parts.map(({ zh }) => zh).join('，并'), en: parts.map(({ en }) => en).join(', and ') }
  }

  #ask(ask: Exclude<Ask, { kind: 'slot' | 'lesson' }>): Words {
    switch (ask.kind) {
      case 'rule': {
        const sentence = this.#sentences.get(ask.rule)
        if (sentence)
          return { zh: `停用或放宽规则“${sentence.zh}”`, en: `switch off or relax the rule “${sentence.en}”` }
        const rule = this.#rules.get(ask.rule)
        const kind = kinds[rule?.kind ?? 'unavailable']
        const subject = rule?.kind === 'unavailable' && rule.of.subjects ? this.#list(rule.of.subjects) : undefined
        if (ask.rule.startsWith('research-') && subject)
          return { zh: `另定${subject.zh}的教研时间`, en: `move the research half-day of ${subject.en}` }
        return subject
          ? { zh: `取消${subject.zh}的规则“${kind.zh}”`, en: `drop the rule “${kind.en}” of ${subject.en}` }
          : { zh: `取消规则“${kind.zh}”`, en: `drop the rule “${kind.en}”` }
      }
      case 'limit': {
        const of = this.#rules.get(ask.rule)?.kind ?? 'perDay'
        const who = this.#list([ask.who, ...(ask.subject === undefined ? [] : [ask.subject])], '', ' ')
        const unit = of === 'daysPerWeek' ? '天' : '节'
        return {
          zh: `把${who.zh}的“${kinds[of].zh}”放宽${ask.count}${unit}`,
          en: `raise the limit “${kinds[of].en}” of ${who.en} by ${ask.count}`,
        }
      }
      case 'room': {
        const { zh, en } = this.#list(ask.rooms)
        return {
          zh: `增加${ask.count}间与${zh}同类的教室，或让它多容纳${ask.count}个班`,
          en: `add ${pluralize(ask.count, 'room')} like ${en}, or let it take ${ask.count} more at once`,
        }
      }
      default: {
        const activity = this.#problem.activities.find(({ id }) => id === ask.activity)
        const who = this.#list([...(activity?.classes ?? []), ...(activity?.groups ?? [])])
        const subject = this.#list(activity ? [activity.subject] : [])
        const at = activity?.locked ? slotWords(activity.locked) : { zh: '', en: '' }
        return {
          zh: `解锁${who.zh}${at.zh}的${subject.zh}`,
          en: `unlock ${subject.en} of ${who.en} on ${at.en}`,
        }
      }
    }
  }

  /** Periods, each rule's own together with whose it is where they are of several. */
  #slots(asks: readonly Extract<Ask, { kind: 'slot' }>[]): Words {
    const byRule = [...Map.groupBy(asks, ({ rule }) => rule)]
    const parts = byRule.map(([id, own]) => {
      const slots = own
        .map(({ slot }) => slot)
        .toSorted((a, b) => a.day - b.day || a.period - b.period)
        .map(slotWords)
      const zh = slots.map((each) => each.zh).join('、')
      const en = slots.map((each) => each.en).join('; ')
      const rule = this.#rules.get(id)
      const of =
        rule?.kind === 'unavailable'
          ? [rule.of.teachers, rule.of.classes, rule.of.subjects].flatMap((each) => each ?? [])
          : []
      const who = this.#list(of)
      return byRule.length > 1 && who.zh ? { zh: `${who.zh}的${zh}`, en: `${en} of ${who.en}` } : { zh, en }
    })
    return { zh: parts.map(({ zh }) => zh).join('，'), en: parts.map(({ en }) => en).join(', ') }
  }

  /** So many lessons less, by class and subject. */
  #lessons(ids: readonly string[]): Words {
    const own = this.#problem.activities.filter(({ id }) => ids.includes(id))
    const count = own.reduce((sum, { span }) => sum + span, 0)
    const series = [
      ...Map.groupBy(own, ({ classes, groups = [], subject }) => JSON.stringify([classes, groups, subject])).values(),
    ].map((lessons) => {
      const { classes, groups = [], subject } = lessons[0]!
      return { who: this.#list([...classes, ...groups]), subject: this.#list([subject]) }
    })
    const shown = series.slice(0, most)
    const more = series.length > most
    return {
      zh: `减少${count}节：${shown.map(({ who, subject }) => `${who.zh}${subject.zh}`).join('、')}${more ? '等' : ''}`,
      en: `take away ${pluralize(count, 'lesson')}: ${shown.map(({ who, subject }) => `${subject.en} of ${who.en}`).join(', ')}${more ? ' and others' : ''}`,
    }
  }

  #list(ids: readonly string[], zhBetween = '、', enBetween = ', '): Words {
    const names = ids.flatMap((id) => this.#names.get(id) ?? [])
    const shown = names.slice(0, most)
    const rest = names.length - shown.length
    return {
      zh: `${shown.join(zhBetween)}${rest > 0 ? `等${names.length}个` : ''}`,
      en: `${shown.join(enBetween)}${rest > 0 ? ` and ${rest} more` : ''}`,
    }
  }

  #about({ kind, teachers, classes, subjects, rooms, rules }: Obstacle): About[] {
    const groups = new Set((this.#problem.groups ?? []).map(({ id }) => id))
    const named = (entity: About['entity'], ids: readonly string[]): About[] =>
      ids.slice(0, most).flatMap((id) => {
        const name = this.#names.get(id)
        return name === undefined ? [] : [{ entity, id, name: { zh: name, en: name } }]
      })
    return [
      ...(kind === 'rooms' ? named('schoolclassroom', rooms) : []),
      ...named('user', teachers),
      ...classes.slice(0, most).flatMap((id) => named(groups.has(id) ? 'schoolteachclass' : 'schoolclass', [id])),
      ...(rules.some((id) => id.startsWith('research-')) || kind === 'subject' ? named('schoolsubject', subjects) : []),
      // A rule that the school has written has the id of its row.
      ...rules.flatMap((id): About[] => {
        const name = this.#sentences.get(id)
        return name ? [{ entity: 'timetablerule', id, name }] : []
      }),
    ]
  }
}

const slotWords = ({ day, period }: { readonly day: number; readonly period: number }): Words => ({
  zh: `${days.zh[day - 1]}第${period}节`,
  en: `${days.en[day - 1]}, period ${period}`,
})
