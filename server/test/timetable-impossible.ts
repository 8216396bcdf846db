import { evaluate } from '../src/modules/timetable/solver/evaluate.ts'
import { type Ask, giveUp, prices } from '../src/modules/timetable/solver/explain-asks.ts'
import type { Activity, Placement, Problem, Rule } from '../src/modules/timetable/solver/problem.ts'
import { makeDice } from '../src/modules/timetable/solver/search.ts'

/** In what ways a little school can be made impossible, or nearly. */
export const ways = ['overloaded', 'research', 'lab', 'limits', 'locked', 'doubles', 'pupils', 'further'] as const

/** Two days of three periods, two or three teachers and classes, and a few lessons; many of these have no timetable, not all. */
export function littleSchool(way: (typeof ways)[number], seed: number): Problem {
  const dice = makeDice(seed * 31 + ways.indexOf(way))
  const one = <T>(of: readonly T[]): T => of[dice(of.length)]!
  const days = [1, 2]
  const periods = [
    { no: 1, half: 'am' as const },
    { no: 2, half: 'am' as const },
    { no: 3, half: 'pm' as const },
  ]
  const slot = () => ({ day: one(days), period: one(periods).no })
  const slots = (count: number) => [
    ...new Map(Array.from({ length: count }, slot).map((each) => [`${each.day}${each.period}`, each])).values(),
  ]
  const people = way === 'lab' ? 3 : 2
  const activities = Array.from({ length: (way === 'doubles' ? 4 : 5) + dice(2) }, (_, at): Activity => {
    const subject = one(['m', 'n'])
    const taken: Pick<Activity, 'classes' | 'groups'> =
      way === 'pupils' && dice(2) === 0
        ? { classes: [], groups: [one(['g', 'h'])] }
        : { classes: [one(['a', 'b', 'c'].slice(0, people))] }
    return {
      ...{ id: String(at), subject, ...taken, teachers: [one(['x', 'y', 'z'].slice(0, people))] },
      span: way === 'doubles' && dice(2) === 0 ? 2 : 1,
      ...(way === 'lab' && subject === 'm' ? { room: { type: 'lab' } } : {}),
      ...(way === 'locked' && dice(3) === 0 ? { locked: slot() } : {}),
      ...(dice(6) === 0 ? { weeks: 5 } : {}),
    }
  })
  const off = (
    id: string,
    of: Rule & { kind: 'unavailable' } extends infer R ? (R extends { of: infer S } ? S : never) : never,
    count: number,
  ): Rule => ({
    id,
    kind: 'unavailable',
    of,
    slots: slots(count),
    hard: true,
  })
  const rules: Rule[] = [off('off-x', { teachers: ['x'] }, way === 'overloaded' ? 5 : 2)]
  if (way === 'research')
    rules.push(
      {
        id: 'research-m',
        kind: 'unavailable',
        of: { subjects: ['m'] },
        slots: periods.map(({ no }) => ({ day: 1, period: no })),
        hard: true,
      },
      off('off-y', { teachers: ['y'] }, 3),
    )
  if (way === 'lab') rules.push(off('closed-a', { classes: ['a'] }, 4))
  if (way === 'limits')
    rules.push(
      { id: 'day', kind: 'subjectPerDay', of: {}, max: 1, hard: true },
      { id: 'most', kind: 'perDay', of: { teachers: ['y'] }, max: 1, hard: true },
    )
  if (way === 'further')
    rules.push(
      { id: 'row', kind: 'inRow', of: { teachers: 'all' }, max: 1, hard: true },
      { id: 'gaps', kind: 'windows', of: { teachers: ['y'] }, max: 0, hard: true },
      { id: 'days', kind: 'daysPerWeek', of: { teachers: ['x'] }, max: 1, hard: true },
      one<Rule>([
        { id: 'between', kind: 'daysBetween', activities: ['0', '1'], min: 1, hard: true },
        { id: 'same', kind: 'sameTime', activities: ['0', '1'], hard: true },
        { id: 'spread', kind: 'spread', of: { subjects: ['m'] }, hard: true },
        { id: 'half', kind: 'half', of: { subjects: ['n'] }, half: 'am', hard: true },
      ]),
    )
  return {
    ...{ days, periods, weeks: 4, activities, rules },
    classes: ['a', 'b', 'c'].slice(0, people).map((id) => ({ id })),
    groups:
      way === 'pupils'
        ? [
            { id: 'g', classes: ['a', 'b'], pupils: ['1', '2'] },
            { id: 'h', classes: ['b'], pupils: ['2', '3'] },
          ]
        : [],
    teachers: ['x', 'y', 'z'].slice(0, people).map((id) => ({ id })),
    rooms: [{ id: 'lab', type: 'lab' }],
  }
}

/** Whether there is a timetable, by every way of putting lessons into places; rules that look at the whole wait for it. */
export function possible(problem: Problem): boolean {
  const early = {
    ...problem,
    rules: problem.rules.filter(({ kind, hard }) => hard && kind !== 'windows' && kind !== 'spread'),
  }
  const slots = problem.days.flatMap((day) => problem.periods.map(({ no }) => ({ day, period: no })))
  const order = problem.activities.toSorted((a, b) => Number(!!b.locked) - Number(!!a.locked) || b.span - a.span)
  const place = (at: number, placements: Placement[]): boolean => {
    if (at === order.length) return evaluate(problem, { placements }).hard === 0
    const { id, locked, room } = order[at]!
    return (locked ? [locked] : slots).some(({ day, period }) => {
      const next = [...placements, { activity: id, day, period, ...(room ? { room: 'lab' } : {}) }]
      const partly = { ...early, activities: order.slice(0, at + 1) }
      return evaluate(partly, { placements: next }).hard === 0 && place(at + 1, next)
    })
  }
  return place(0, [])
}

/** Everything that can be given up in a little school, with its price. */
function everyAsk(problem: Problem): { ask: Ask; price: number }[] {
  return [
    ...problem.rules.flatMap((rule): { ask: Ask; price: number }[] => {
      if (!rule.hard) return []
      if (rule.kind === 'unavailable' && rule.id.startsWith('research'))
        return [{ ask: { kind: 'rule', rule: rule.id }, price: prices.research }]
      if (rule.kind === 'unavailable')
        return rule.slots.map((slot) => ({ ask: { kind: 'slot', rule: rule.id, slot }, price: prices.slot }))
      if (rule.kind === 'perDay' || rule.kind === 'inRow' || rule.kind === 'windows' || rule.kind === 'daysPerWeek')
        return problem.teachers
          .filter(({ id }) => 'teachers' in rule.of && (rule.of.teachers === 'all' || rule.of.teachers.includes(id)))
          .map(({ id }) => ({ ask: { kind: 'limit', rule: rule.id, who: id, count: 1 }, price: prices.limit }))
      if (rule.kind === 'subjectPerDay')
        return ['a', 'b', 'c'].flatMap((who) =>
          ['m', 'n'].map((subject) => ({
            ask: { kind: 'limit', rule: rule.id, who, subject, count: 1 } as const,
            price: prices.limit,
          })),
        )
      return [{ ask: { kind: 'rule', rule: rule.id }, price: prices.rule }]
    }),
    ...problem.activities.map(({ id, span }) => ({
      ask: { kind: 'lesson', activity: id } as const,
      price: prices.lesson * span,
    })),
    ...problem.activities.flatMap(({ id, locked }) =>
      locked ? { ask: { kind: 'lock', activity: id } as const, price: prices.lock } : [],
    ),
    { ask: { kind: 'room', rooms: ['lab'], count: 1 }, price: prices.room },
  ]
}

export const priceOf = (problem: Problem, asks: readonly Ask[]): number =>
  asks.reduce((sum, ask) => {
    if (ask.kind === 'lesson')
      return sum + prices.lesson * problem.activities.find(({ id }) => id === ask.activity)!.span
    if (ask.kind === 'rule') return sum + (ask.rule.startsWith('research') ? prices.research : prices.rule)
    return sum + prices[ask.kind] * ('count' in ask ? ask.count : 1)
  }, 0)

/** Whether something cheaper than so much makes it possible: every set of things to give up is tried. */
export function cheaper(problem: Problem, price: number): Ask[] | undefined {
  const all = everyAsk(problem)
  const look = (from: number, left: number, asks: readonly Ask[]): Ask[] | undefined => {
    if (asks.length > 0 && possible(giveUp(problem, asks))) return [...asks]
    for (let at = from; at < all.length; at += 1) {
      const { ask, price: own } = all[at]!
      if (own >= left) continue
      const found = look(at + 1, left - own, [...asks, ask])
      if (found) return found
    }
    return undefined
  }
  return look(0, price, [])
}
