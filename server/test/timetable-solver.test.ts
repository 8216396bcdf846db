import { describe, expect, it } from 'vitest'
import { evaluate } from '../src/modules/timetable/solver/evaluate.ts'
import type { Problem } from '../src/modules/timetable/solver/problem.ts'
import { makeDice } from '../src/modules/timetable/solver/search.ts'
import { solve } from '../src/modules/timetable/solver/solve.ts'
import { school } from './timetable-school.ts'

/** Every way to put lessons of one period into the slots: whether any is right. */
function possible(problem: Problem): boolean {
  const slots = problem.days.flatMap((day) => problem.periods.map(({ no }) => ({ day, period: no })))
  const place = (at: number, placements: { activity: string; day: number; period: number }[]): boolean => {
    if (at === problem.activities.length) return evaluate(problem, { placements }).hard === 0
    return slots.some((slot) => place(at + 1, [...placements, { activity: problem.activities[at]!.id, ...slot }]))
  }
  return place(0, [])
}

describe('ISSUE-15-4 the solver', () => {
  it.each([
    { classes: 12, load: 16 },
    { classes: 36, load: 18 },
  ])(
    'places every lesson of $classes classes, as the evaluator counts, which shares no table with it',
    ({ classes, load }) => {
      for (const seed of [1, 2]) {
        const problem = school(classes, load, seed)
        const { timetable, evaluation } = solve(problem, { seed, seconds: 20 })
        expect(evaluation.violations.filter(({ hard }) => hard).slice(0, 3)).toEqual([])
        expect(timetable.placements).toHaveLength(problem.activities.length)
      }
    },
    120_000,
  )

  it('goes on improving while the time lasts', () => {
    const problem = school(12, 16, 5)
    const short = solve(problem, { seed: 3, seconds: 20, stop: once() }).evaluation
    const long = solve(problem, { seed: 3, seconds: 2 }).evaluation
    expect([long.hard, long.soft < short.soft || short.hard > 0]).toEqual([0, true])
  })

  it('agrees with every way of placing a few lessons whether there is any', () => {
    const counts = { can: 0, cannot: 0 }
    for (let seed = 1; seed <= 120; seed += 1) {
      const dice = makeDice(seed)
      const problem: Problem = {
        days: [1, 2],
        periods: [
          { no: 1, half: 'am' },
          { no: 2, half: 'am' },
        ],
        weeks: 4,
        classes: [{ id: 'a' }, { id: 'b' }],
        teachers: [{ id: 'x' }, { id: 'y' }],
        rooms: [{ id: 'lab', type: 'lab' }],
        activities: Array.from({ length: 3 + dice(3) }, (_, at) => ({
          id: String(at),
          subject: ['m', 'n'][dice(2)]!,
          classes: [['a', 'b'][dice(2)]!],
          teachers: [['x', 'y'][dice(2)]!],
          span: 1,
          ...(dice(4) === 0 ? { weeks: 5 } : {}),
        })),
        rules: [
          { id: 'day', kind: 'subjectPerDay', of: {}, max: 1, hard: true },
          {
            id: 'off',
            kind: 'unavailable',
            of: { teachers: ['x'] },
            slots: [{ day: 1 + dice(2), period: 1 + dice(2) }],
            hard: true,
          },
        ],
      }
      const can = possible(problem)
      counts[can ? 'can' : 'cannot'] += 1
      const { evaluation } = solve(problem, { seed, seconds: 0.2 })
      expect([seed, evaluation.hard === 0]).toEqual([seed, can])
    }
    expect(Math.min(counts.can, counts.cannot)).toBeGreaterThan(10)
  }, 60_000)

  it('repairs a timetable by moving few lessons: of a teacher who is away on a day, hardly more than those of that day', () => {
    for (const seed of [1, 2, 3]) {
      const problem = school(12, 16, seed)
      const before = solve(problem, { seed, seconds: 20, improves: false }).timetable
      const at = new Map(before.placements.map(({ activity, day, period }) => [activity, { day, period }]))
      const away = problem.activities.find(({ subject }) => subject === 'maths')!.teachers[0]!
      const changed: Problem = {
        ...problem,
        activities: problem.activities.map((activity) => ({ ...activity, stood: at.get(activity.id)! })),
        rules: [
          ...problem.rules,
          { id: 'stay', kind: 'stay', of: {}, weight: 50 },
          {
            ...{ id: 'away', kind: 'unavailable', of: { teachers: [away] }, hard: true },
            slots: problem.periods.map(({ no }) => ({ day: 2, period: no })),
          },
        ],
      }
      const hit = problem.activities.filter(({ id, teachers }) => teachers.includes(away) && at.get(id)?.day === 2)
      const { evaluation } = solve(changed, { seed, seconds: 3 })
      const moved = evaluation.violations.filter(({ kind }) => kind === 'stay')
      expect(evaluation.hard).toBe(0)
      expect(hit.length).toBeGreaterThan(0)
      expect(moved.length).toBeGreaterThanOrEqual(hit.length)
      // Each of them has to find a place in a full week: somebody may have to make room for it.
      expect(moved.length).toBeLessThanOrEqual(hit.length * 3)
    }
  }, 60_000)

  it('gives the same timetable for the same seed', () => {
    const problem = school(6, 14, 9)
    const again = () => solve(problem, { seed: 4, seconds: 60, stop: steps(40) }).timetable
    expect(again()).toEqual(again())
    // To the end as well, where shaking no longer helps: long before the time is over.
    const whole = () => solve(school(3, 14, 9), { seed: 4, seconds: 60 }).timetable
    expect(whole()).toEqual(whole())
  })
})

/** Stops at the first look. */
const once = () => () => true
/** Stops after so many looks: the clock has no part in it. */
const steps = (most: number) => {
  let left = most
  return () => {
    left -= 1
    return left < 0
  }
}
