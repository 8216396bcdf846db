import { describe, expect, it } from 'vitest'
import { evaluate } from '../src/modules/timetable/solver/evaluate.ts'
import { nowhere } from '../src/modules/timetable/solver/ledger.ts'
import type {
  Activity,
  Demand,
  People,
  Placement,
  Problem,
  Rule,
  Selection,
} from '../src/modules/timetable/solver/problem.ts'
import { makeDice, Search } from '../src/modules/timetable/solver/search.ts'
import { solve } from '../src/modules/timetable/solver/solve.ts'
import { school } from './timetable-school.ts'

type Dice = (below: number) => number

const kinds = [
  ...(['unavailable', 'half', 'perDay', 'inRow', 'windows', 'daysPerWeek', 'subjectPerDay', 'spread'] as const),
  ...(['daysBetween', 'sameTime', 'apart', 'stay', 'travel'] as const),
] satisfies Demand['kind'][]

const shares = (a: Activity, b: Activity): boolean =>
  a.classes.some((id) => b.classes.includes(id)) ||
  a.teachers.some((id) => b.teachers.includes(id)) ||
  (a.groups ?? []).length + (b.groups ?? []).length > 0

/** A demand of a kind about some of these lessons. */
function demandOf(kind: Demand['kind'], dice: Dice, activities: readonly Activity[]): Demand {
  const one = <T>(of: readonly T[]): T => of[dice(of.length)]!
  const of: Selection = one([{}, { teachers: ['x'] }, { classes: ['a'] }, { subjects: ['m'] }, { classes: ['a', 'b'] }])
  const people: People = one<People>([{ teachers: 'all' }, { teachers: ['x'] }, { classes: 'all' }, { classes: ['b'] }])
  const some = activities.map(({ id }) => id).filter((_, at) => at < 2 || dice(3) === 0)
  switch (kind) {
    case 'unavailable':
      return { kind, of, slots: Array.from({ length: 1 + dice(3) }, () => ({ day: 1 + dice(2), period: 1 + dice(4) })) }
    case 'half':
      return { kind, of, half: one(['am', 'pm']) }
    case 'windows':
      return { kind, of: people, max: dice(2) }
    case 'perDay':
    case 'inRow':
    case 'daysPerWeek':
      return { kind, of: people, max: 1 + dice(2) }
    case 'subjectPerDay':
      return { kind, of, max: 1 + dice(2) }
    case 'daysBetween':
      return { kind, activities: some, min: 1 + dice(2) }
    case 'apart':
      return { kind, activities: some }
    case 'sameTime': {
      // Of lessons that share nobody, where there are any: others never begin together.
      const [first] = activities
      const other = activities.find((each) => !shares(first!, each))
      return { kind, activities: other ? [first!.id, other.id] : some.slice(0, 2) }
    }
    case 'travel':
      return { kind, of: { teachers: one(['all' as const, ['x']]) }, gap: 1 + dice(2) }
    default:
      return { kind, of }
  }
}

/** A few lessons of two classes and a group of both, with rules of some kinds. */
function small(seed: number, rules: readonly Demand['kind'][], hardOf: (dice: Dice) => boolean, size = 3): Problem {
  const dice = makeDice(seed)
  const days = dice(2) === 0 ? [1, 2] : [1, 3]
  const periods: Problem['periods'] = [
    { no: 1, half: 'am' },
    { no: 2, half: 'am' },
    { no: 3, half: dice(2) === 0 ? 'am' : 'pm' },
  ]
  const activities = Array.from({ length: size + dice(3) }, (_, at): Activity => {
    const whole = dice(5)
    return {
      id: String(at),
      subject: ['m', 'n'][dice(2)]!,
      classes: whole === 0 ? [] : whole === 1 ? ['a', 'b'] : [['a', 'b'][dice(2)]!],
      ...(whole === 0 ? { groups: ['g'] } : {}),
      teachers: [['x', 'y'][dice(2)]!],
      span: dice(4) === 0 ? 2 : 1,
      ...(dice(4) === 0 ? { weeks: [5, 10][dice(2)]! } : {}),
      ...(dice(3) === 0 ? { stood: { day: days[dice(2)]!, period: 1 + dice(2) } } : {}),
    }
  })
  return {
    days,
    periods,
    weeks: 4,
    classes: [
      { id: 'a', campus: 'north' },
      { id: 'b', campus: 'south' },
    ],
    groups: [{ id: 'g', classes: ['a'], pupils: ['p'] }],
    teachers: [{ id: 'x' }, { id: 'y' }],
    rooms: [],
    activities,
    rules: rules.map((kind, at): Rule => {
      const demand = demandOf(kind, dice, activities)
      return hardOf(dice)
        ? { id: String(at), ...demand, hard: true }
        : { id: String(at), ...demand, weight: [0.5, 1, 3][dice(3)]! }
    }),
  }
}

const placementsOf = (problem: Problem, search: Search): Placement[] =>
  problem.activities.flatMap(({ id }, i) => {
    const at = search.at[i]!
    if (at === nowhere) return []
    const day = problem.days[Math.floor(at / search.periods)]!
    return [{ activity: id, day, period: problem.periods[at % search.periods]!.no }]
  })

/** Lessons of three classes and three teachers, none of whom may have a free period, and subjects on as many days as can be. */
function tight(seed: number, size: number): Problem {
  const dice = makeDice(seed)
  const one = <T>(of: readonly T[]): T => of[dice(of.length)]!
  const [perDay, dayCount] = [3 + dice(2), 2 + dice(2)]
  const days = [1, 2, 3].slice(0, dayCount)
  const teachers = ['x', 'y', 'z']
  const activities = Array.from({ length: size + dice(3) }, (_, at) => ({
    ...{ id: String(at), subject: one(['m', 'n']), classes: [one(['a', 'b', 'c'])], teachers: [one(teachers)] },
    span: dice(5) === 0 ? 2 : 1,
  }))
  return {
    days,
    periods: Array.from({ length: perDay }, (_, at) => ({ no: at + 1, half: 'am' })),
    weeks: 4,
    classes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
    teachers: teachers.map((id) => ({ id })),
    rooms: [],
    activities,
    rules: [
      { id: 'teachers', kind: 'windows', of: { teachers: 'all' }, max: 0, hard: true },
      { id: 'classes', kind: 'windows', of: { classes: 'all' }, max: 0, hard: true },
      { id: 'spread', kind: 'spread', of: {}, hard: true },
      ...teachers.flatMap((id): Rule[] => {
        if (dice(2) === 0) return []
        const slots = Array.from({ length: 1 + dice(3) }, () => ({ day: one(days), period: 1 + dice(perDay) }))
        return [{ id: `off ${id}`, kind: 'unavailable', of: { teachers: [id] }, slots, hard: true }]
      }),
    ],
  }
}

/** Every way to put the lessons into the slots: the least cost of those that are right; Infinity where none is. */
function leastCost(problem: Problem): number {
  const slots = problem.days.flatMap((day) => problem.periods.map(({ no }) => ({ day, period: no })))
  const place = (at: number, placements: Placement[]): number => {
    const { violations } = evaluate({ ...problem, rules: [] }, { placements })
    if (violations.some(({ kind }) => kind !== 'unplaced')) return Number.POSITIVE_INFINITY
    if (at === problem.activities.length) return evaluate(problem, { placements }).soft
    const { id } = problem.activities[at]!
    return Math.min(...slots.map((slot) => place(at + 1, [...placements, { activity: id, ...slot }])))
  }
  return place(0, [])
}

/** Every way to put the lessons into the slots: whether any is right. */
function possible(problem: Problem): boolean {
  const slots = problem.days.flatMap((day) => problem.periods.map(({ no }) => ({ day, period: no })))
  const single = problem.rules.filter(({ kind }) => kind === 'unavailable')
  const place = (at: number, placements: Placement[]): boolean => {
    // Lessons that meet, run over the end, or stand where they must not, do so whatever else comes.
    const { violations } = evaluate({ ...problem, rules: single }, { placements })
    if (violations.some(({ kind, hard }) => hard && kind !== 'unplaced')) return false
    if (at === problem.activities.length) return evaluate(problem, { placements }).hard === 0
    return slots.some((slot) => place(at + 1, [...placements, { activity: problem.activities[at]!.id, ...slot }]))
  }
  return place(0, [])
}

describe('ISSUE-15-4 the solver keeps every kind of rule', () => {
  it('counts a step as the evaluator counts the timetables before and after it, whatever the rules', () => {
    let steps = 0
    const counted = new Set<string>()
    for (let seed = 1; seed <= 400; seed += 1) {
      const dice = makeDice(seed * 7)
      const own = kinds.filter(() => dice(3) === 0)
      const problem = small(seed, own, () => false, 4)
      const search = new Search(problem)
      const out = new Set<number>()
      const softOf = () => evaluate(problem, { placements: placementsOf(problem, search) })
      for (let step = 0; step < 25; step += 1) {
        const i = dice(search.count)
        const places = search.places[i]!
        if (places.length === 0) continue
        const place = places[dice(places.length)]!
        const before = softOf().soft
        const stands = search.at[i]! !== nowhere
        if (stands) search.lift(i)
        const room = search.blockers(i, place, out)
        const was = stands ? search.cost(i, search.at[i]!) : 0
        const will = search.cost(i, place)
        if (stands) search.settle(i)
        if (room === undefined || out.size > 0) continue
        search.take(i)
        search.put(i, place, room)
        const after = softOf()
        for (const { kind, cost } of after.violations) if (cost > 0) counted.add(kind)
        expect([seed, step, after.soft - before]).toEqual([seed, step, expect.closeTo(will - was, 6)])
        steps += 1
      }
    }
    expect(steps).toBeGreaterThan(2_000)
    expect([...counted].toSorted()).toEqual([...kinds].toSorted())
  })

  it.each(kinds)(
    'finds a timetable that keeps a hard rule of the kind %s wherever there is one',
    (kind) => {
      const counts = { can: 0, cannot: 0, freely: 0 }
      for (let seed = 1; seed <= 60; seed += 1) {
        const beside = kinds[seed % kinds.length]!
        const problem = small(seed, [kind, kind, beside], (dice) => dice(6) > 0)
        const can = possible(problem)
        counts[can ? 'can' : 'cannot'] += 1
        // With the first timetable as with one that is improved.
        const { evaluation } = solve(problem, { seed, seconds: can ? 10 : 0.05, improves: seed % 2 === 0 })
        expect([kind, seed, evaluation.hard === 0]).toEqual([kind, seed, can])
        // Where only the rules are in the way, it is they that decide.
        if (!can && possible({ ...problem, rules: [] })) counts.freely += 1
      }
      expect([kind, counts.can > 5, counts.freely > 2]).toEqual([kind, true, true])
    },
    60_000,
  )

  it('shakes a timetable that no single step makes better, until hardly any costs more than the best there is', () => {
    const missed: number[] = []
    let count = 0
    for (let seed = 1; seed <= 150; seed += 1) {
      const dice = makeDice(seed * 7)
      const problem = small(
        seed,
        kinds.filter(() => dice(2) === 0),
        () => false,
      )
      const least = leastCost(problem)
      if (least === Number.POSITIVE_INFINITY) continue
      count += 1
      const { evaluation } = solve(problem, { seed, seconds: 10 })
      expect([seed, evaluation.hard]).toEqual([seed, 0])
      if (evaluation.soft > least + 1e-9) missed.push(seed)
    }
    // Moves and changes of two lessons alone miss five.
    expect(count).toBeGreaterThan(100)
    expect(missed.length).toBeLessThan(3)
  }, 60_000)

  it.each([
    { improves: false, size: 7, seeds: [5, 13, 30, 32, 34, 39, 40, 45] },
    { improves: true, size: 8, seeds: [101, 113] },
  ])(
    'repairs what placing lesson by lesson leaves broken of free periods and days (improves: $improves)',
    ({ improves, size, seeds }) => {
      // Of the first 150, those of which the first timetable with all lessons breaks a rule of the whole.
      for (const seed of seeds) {
        const problem = tight(seed, size)
        expect([seed, possible(problem)]).toEqual([seed, true])
        const { evaluation } = solve(problem, { seed, seconds: 10, improves })
        expect([seed, evaluation.violations.filter(({ hard }) => hard)]).toEqual([seed, []])
      }
    },
    60_000,
  )

  it.each([
    { classes: 12, load: 16 },
    { classes: 36, load: 18 },
  ])(
    'fills free periods, shortens rows and spares ways in a school of $classes classes, as wishes and as rules that must hold',
    ({ classes, load }) => {
      const plain = school(classes, load, 1)
      const problem: Problem = {
        ...plain,
        classes: plain.classes.map((each, at) => ({ ...each, campus: at % 2 === 0 ? 'north' : 'south' })),
      }
      const asked: readonly Demand[] = [
        { kind: 'windows', of: { teachers: 'all' }, max: 1 },
        { kind: 'inRow', of: { teachers: 'all' }, max: 2 },
        { kind: 'travel', of: { teachers: 'all' }, gap: 1 },
      ]
      const wished = {
        ...problem,
        rules: [...problem.rules, ...asked.map((each) => ({ id: each.kind, ...each, weight: 2 }))],
      }
      const costs = (of: Problem, improves: boolean): number[] => {
        const { evaluation } = solve(of, { seed: 1, seconds: 20, improves })
        expect(evaluation.hard).toBe(0)
        return asked.map(({ kind }) =>
          evaluation.violations.reduce((sum, each) => sum + (each.kind === kind ? each.cost : 0), 0),
        )
      }
      const [first, later] = [costs(wished, false), costs(wished, true)]
      for (const [at, { kind }] of asked.entries())
        expect([kind, later[at]! * 1.5 < first[at]!, first[at]! > 0]).toEqual([kind, true, true])
      const must: Problem = {
        ...problem,
        rules: [
          ...problem.rules,
          { id: 'windows', kind: 'windows', of: { teachers: 'all' }, max: 2, hard: true },
          { id: 'row', kind: 'inRow', of: { teachers: 'all' }, max: 3, hard: true },
          { id: 'way', kind: 'travel', of: { teachers: 'all' }, gap: 1, hard: true },
        ],
      }
      expect(costs(must, true)).toEqual([0, 0, 0])
    },
    120_000,
  )

  it('says by what is missing, or broken, that a hard rule cannot be kept', () => {
    const problem = school(2, 16, 1)
    const only = (rule: Demand): Problem => ({ ...problem, rules: [{ id: 'one', ...rule, hard: true }] })
    // 31 lessons and two a day.
    const few = solve(only({ kind: 'perDay', of: { classes: ['c0'] }, max: 2 }), { seed: 1, seconds: 1 })
    expect(few.evaluation.violations.filter(({ kind }) => kind !== 'unplaced')).toEqual([])
    expect(few.timetable.placements).toHaveLength(problem.activities.length - 31 + 10)
    // The meeting is locked into the last period of a Monday on which mornings alone are taught.
    const slots = [5, 6, 7].map((period) => ({ day: 1, period }))
    const subjects = [...new Set(problem.activities.map(({ subject }) => subject))].filter((id) => id !== 'meeting')
    const gap = solve(
      {
        ...problem,
        rules: [
          { id: 'off', kind: 'unavailable', of: { subjects }, slots, hard: true },
          { id: 'one', kind: 'windows', of: { classes: ['c0'] }, max: 0, hard: true },
        ],
      },
      { seed: 1, seconds: 1 },
    )
    expect(gap.evaluation.violations.map(({ rule, units }) => [rule, units])).toEqual([['one', 2]])
    expect(gap.timetable.placements).toHaveLength(problem.activities.length)
  })
})
