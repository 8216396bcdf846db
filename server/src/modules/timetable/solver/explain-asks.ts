import { type Activity, type People, type Problem, peopleOf, type Rule, type Slot, seriesOf } from './problem.ts'

/** One thing that can be given up so that lessons find their places. */
export type Ask =
  /** A period that a rule closes is open. */
  | { readonly kind: 'slot'; readonly rule: string; readonly slot: Slot }
  /** A rule does not hold at all, as a research half-day. */
  | { readonly kind: 'rule'; readonly rule: string }
  /** What a rule allows to one person, or to one subject of a class, is so much more. */
  | {
      readonly kind: 'limit'
      readonly rule: string
      readonly who: string
      readonly subject?: string
      readonly count: number
    }
  /** One of these rooms, which stand for each other, takes so many lessons more at once; a room more is as good. */
  | { readonly kind: 'room'; readonly rooms: readonly string[]; readonly count: number }
  /** A locked lesson may stand elsewhere. */
  | { readonly kind: 'lock'; readonly activity: string }
  /** A lesson is not given. */
  | { readonly kind: 'lesson'; readonly activity: string }

/** How a rule may be relaxed: period by period, as a whole, by raising a limit by one, or not at all. */
export type Relaxation = 'slot' | 'rule' | 'limit' | 'never'

/** The cost of each kind of relaxation. The cheapest set is proposed: periods before limits, limits before rooms, lessons last. */
export const prices = { slot: 10, lock: 11, research: 12, limit: 20, rule: 30, room: 40, lesson: 100 } as const

/** How a rule may be given up where whoever asks says nothing of it. */
export function usualManner({ kind, of }: Rule & { of?: unknown }): Relaxation {
  if (kind === 'unavailable') return of && typeof of === 'object' && onlySubjects(of) ? 'rule' : 'slot'
  const limits: readonly string[] = ['perDay', 'inRow', 'windows', 'daysPerWeek', 'subjectPerDay']
  return limits.includes(kind) ? 'limit' : 'rule'
}

const onlySubjects = (of: object): boolean => 'subjects' in of && !('teachers' in of) && !('classes' in of)

/** The same problem with these given up. */
export function giveUp(problem: Problem, asks: readonly Ask[]): Problem {
  const dropped = new Set(asks.flatMap((ask) => (ask.kind === 'rule' ? ask.rule : [])))
  const gone = new Set(asks.flatMap((ask) => (ask.kind === 'lesson' ? ask.activity : [])))
  const open = new Set(asks.flatMap((ask) => (ask.kind === 'lock' ? ask.activity : [])))
  const slots = Map.groupBy(
    asks.filter((ask) => ask.kind === 'slot'),
    ({ rule }) => rule,
  )
  const limits = Map.groupBy(
    asks.filter((ask) => ask.kind === 'limit'),
    ({ rule }) => rule,
  )
  const more = new Map(asks.flatMap((ask) => (ask.kind === 'room' ? [[ask.rooms[0]!, ask.count] as const] : [])))
  const rules = problem.rules.flatMap((rule): Rule[] => {
    if (!rule.hard) return [rule]
    if (dropped.has(rule.id)) return []
    const given = slots.get(rule.id)
    if (given && rule.kind === 'unavailable') {
      const left = rule.slots.filter(
        ({ day, period }) => !given.some(({ slot }) => slot.day === day && slot.period === period),
      )
      return left.length > 0 ? [{ ...rule, slots: left }] : []
    }
    const raised = limits.get(rule.id)
    return raised ? raise(problem, rule, raised) : [rule]
  })
  return {
    ...problem,
    rules,
    rooms: problem.rooms.map((room) =>
      more.has(room.id) ? { ...room, concurrency: (room.concurrency ?? 1) + more.get(room.id)! } : room,
    ),
    activities: problem.activities
      .filter(({ id }) => !gone.has(id))
      .map((activity) => (open.has(activity.id) ? unlocked(activity) : activity)),
  }
}

function unlocked({ locked, ...activity }: Activity): Activity {
  return locked?.room === undefined ? activity : { room: { rooms: [locked.room] }, ...activity }
}

/** A rule with a higher limit for some, and as it was for all others. */
function raise(problem: Problem, rule: Rule, raised: readonly Extract<Ask, { kind: 'limit' }>[]): Rule[] {
  if (rule.kind === 'subjectPerDay')
    return seriesOf(problem, rule.of).map(({ who, subject, activities }) => {
      const count = raised.find((ask) => ask.who === who && ask.subject === subject)?.count ?? 0
      return { ...rule, of: { activities: activities.map(({ id }) => id) }, max: rule.max + count }
    })
  if (rule.kind !== 'perDay' && rule.kind !== 'inRow' && rule.kind !== 'windows' && rule.kind !== 'daysPerWeek')
    return [rule]
  const { kind, ids } = peopleOf(problem, rule.of)
  const of = (people: string[]): People => (kind === 'teacher' ? { teachers: people } : { classes: people })
  const own = raised.filter(({ who }) => ids.includes(who))
  const others = ids.filter((id) => !own.some(({ who }) => who === id))
  return [
    ...(others.length > 0 ? [{ ...rule, of: of(others) } as Rule] : []),
    ...own.map(({ who, count }) => ({ ...rule, of: of([who]), max: rule.max + count }) as Rule),
  ]
}
