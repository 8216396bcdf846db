import { type Ask, prices, type Relaxation, usualManner } from './explain-asks.ts'
import {
  type Activity,
  campusOf,
  classesOf,
  fitsDay,
  type Problem,
  type Rule,
  roomsFor,
  type Slot,
  selects,
  weekSets,
  weeksOf,
} from './problem.ts'

/** Interchangeable lessons: the same subject and people, under the same rules. */
export interface InterchangeableLessons {
  readonly activities: readonly Activity[]
  readonly span: number
  readonly weeks: number
  readonly classes: readonly string[]
  /** Places it can begin in by the shape of the day, as `day × periods + period`. */
  readonly places: readonly number[]
  /** The place of a locked one; −1 where that is none. */
  readonly locked?: number
  readonly rooms: readonly string[] | undefined
  readonly campus: string | undefined
  /** Who and what it takes: lessons that share one of these can stand in each other's way. */
  readonly takes: readonly string[]
}

/** Lessons of which no two can be at once. */
export interface Clique {
  readonly kins: readonly number[]
}

/** What closes a place to lessons, and what it is to give that up; without it the place stays closed. */
export interface Closing {
  readonly rule: string
  readonly ask: Ask | undefined
  readonly price: number
}

/** A problem as the proof reads it: its hard rules and everything that always holds, nothing of what is only wished. */
export class Model {
  readonly problem: Problem
  readonly hard: readonly Rule[]
  readonly kins: readonly InterchangeableLessons[]
  readonly cliques: readonly Clique[]
  readonly sets: readonly number[]
  readonly mannerOf: (rule: Rule) => Relaxation
  /** The hard rules that close places, and the lessons that each means. */
  readonly #closing: readonly { readonly rule: Rule; readonly means: ReadonlySet<number> }[]

  constructor(problem: Problem, mannerOf: (rule: Rule) => Relaxation = usualManner) {
    this.problem = problem
    this.mannerOf = mannerOf
    this.hard = problem.rules.filter(({ hard }) => hard)
    this.sets = weekSets(problem)
    this.kins = kinsOf(problem, this.hard)
    this.cliques = cliquesOf(problem, this.hard, this.kins)
    this.#closing = this.hard.flatMap((rule) => {
      if (rule.kind !== 'unavailable' && rule.kind !== 'half' && rule.kind !== 'stay') return []
      const means = this.kins.flatMap(({ activities, classes }, at) =>
        selects(rule.of, activities[0]!, classes) ? at : [],
      )
      return means.length > 0 ? [{ rule, means: new Set(means) }] : []
    })
  }

  slotAt(place: number): Slot {
    const { days, periods } = this.problem
    return { day: days[Math.floor(place / periods.length)]!, period: periods[place % periods.length]!.no }
  }

  /** What closes this place to a lesson that stands in it; `begins` where it begins there. */
  closings(kin: number, place: number, begins: boolean): Closing[] {
    const slot = this.slotAt(place)
    const { problem } = this
    return this.#closing.flatMap(({ rule, means }) => {
      if (!means.has(kin)) return []
      const closes =
        rule.kind === 'half'
          ? problem.periods[place % problem.periods.length]!.half !== rule.half
          : rule.kind === 'stay'
            ? begins && isElsewhere(this.kins[kin]!.activities[0]!.stood, slot)
            : rule.kind === 'unavailable' &&
              rule.slots.some(({ day, period }) => day === slot.day && period === slot.period)
      return closes ? [this.#closed(rule, slot)] : []
    })
  }

  #closed(rule: Rule, slot: Slot): Closing {
    const manner = this.mannerOf(rule)
    if (manner === 'never') return { rule: rule.id, ask: undefined, price: 0 }
    if (manner === 'slot' && rule.kind === 'unavailable')
      return { rule: rule.id, ask: { kind: 'slot', rule: rule.id, slot }, price: prices.slot }
    return {
      ...{ rule: rule.id, ask: { kind: 'rule', rule: rule.id } as const },
      price: rule.kind === 'unavailable' ? prices.research : prices.rule,
    }
  }
}

const isElsewhere = (stood: Slot | undefined, { day, period }: Slot): boolean =>
  stood !== undefined && (stood.day !== day || stood.period !== period)

function kinsOf(problem: Problem, hard: readonly Rule[]): InterchangeableLessons[] {
  const { days, periods } = problem
  const within = classesOf(problem)
  const groups = new Map((problem.groups ?? []).map((group) => [group.id, group]))
  const named = new Set(hard.flatMap((rule) => ('activities' in rule ? rule.activities : [])))
  const stays = hard.some(({ kind }) => kind === 'stay')
  const kin = Map.groupBy(problem.activities, (activity) => {
    const alone = activity.locked !== undefined || named.has(activity.id) || (stays && activity.stood !== undefined)
    if (alone) return activity.id
    const { subject, classes, groups: of = [], teachers, span, weeks } = activity
    const selected = hard.flatMap((rule, at) =>
      'of' in rule && !isPeople(rule) && selects(rule.of as object, activity, within(activity)) ? at : [],
    )
    return JSON.stringify([subject, classes, of, teachers, span, weeks, roomsFor(problem, activity), selected])
  })
  return [...kin.values()].map((activities) => {
    const first = activities[0]!
    const places = days.flatMap((_, day) =>
      periods.flatMap((__, start) => (fitsDay(periods, start, first.span) ? day * periods.length + start : [])),
    )
    const rooms = first.locked?.room === undefined ? roomsFor(problem, first) : [first.locked.room]
    const at = first.locked && placeOf(problem, first.locked)
    return {
      ...{ activities, span: first.span, weeks: weeksOf(problem, first), classes: within(first), places },
      ...(at === undefined ? {} : { locked: places.includes(at) ? at : -1 }),
      // A type of room that the school has none of is no room at all: the search puts such a lesson anywhere.
      rooms: rooms && rooms.length > 0 ? rooms : undefined,
      campus: campusOf(problem, first),
      takes: [
        ...first.teachers.map((id) => `teacher ${id}`),
        ...within(first).map((id) => `class ${id}`),
        ...(first.groups ?? []).flatMap((id) => (groups.get(id)?.pupils ?? []).map((pupil) => `pupil ${pupil}`)),
        ...(rooms ?? []).map((id) => `room ${id}`),
        ...hard.flatMap((rule) =>
          'activities' in rule && rule.activities.includes(first.id) ? `rule ${rule.id}` : [],
        ),
      ],
    }
  })
}

const isPeople = ({ kind }: Rule): boolean => ['perDay', 'inRow', 'windows', 'daysPerWeek', 'travel'].includes(kind)

/** A slot as a place of the week, or −1. */
export function placeOf({ days, periods }: Problem, { day, period }: Slot): number {
  const [d, p] = [days.indexOf(day), periods.findIndex(({ no }) => no === period)]
  return d < 0 || p < 0 ? -1 : d * periods.length + p
}

function cliquesOf(problem: Problem, hard: readonly Rule[], kins: readonly InterchangeableLessons[]): Clique[] {
  const by = (keysOf: (activity: Activity) => readonly string[]): Map<string, number[]> => {
    const found = new Map<string, number[]>()
    kins.forEach(({ activities }, at) => {
      for (const key of new Set(keysOf(activities[0]!))) found.set(key, [...(found.get(key) ?? []), at])
    })
    return found
  }
  const groups = new Map((problem.groups ?? []).map((group) => [group.id, group]))
  const whole = by(({ classes }) => classes)
  const ofGroup = by(({ groups: ids = [] }) => ids)
  const ofPupil = by(({ groups: ids = [] }) => ids.flatMap((id) => groups.get(id)?.pupils ?? []))
  const found = [
    ...by(({ teachers }) => teachers).values(),
    ...whole.values(),
    ...ofPupil.values(),
    ...ofGroup.values(),
  ]
  for (const [classId, own] of whole) {
    const inClass = (at: number): boolean =>
      (kins[at]!.activities[0]!.groups ?? []).some((id) => groups.get(id)?.classes.includes(classId))
    for (const parts of [...ofPupil.values(), ...ofGroup.values()]) {
      const here = parts.filter(inClass)
      if (here.length > 0) found.push([...new Set([...own, ...here])])
    }
  }
  for (const rule of hard)
    if (rule.kind === 'apart')
      found.push(kins.flatMap(({ activities }, at) => (rule.activities.includes(activities[0]!.id) ? at : [])))
  const distinct = new Map(found.map((clique) => [clique.toSorted((a, b) => a - b).join(), clique]))
  return [...distinct.values()].map((clique) => ({ kins: clique }))
}
