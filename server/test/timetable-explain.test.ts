import { beforeAll, describe, expect, it } from 'vitest'
import { explain } from '../src/modules/timetable/solver/explain.ts'
import { type Ask, giveUp } from '../src/modules/timetable/solver/explain-asks.ts'
import { loadHighs } from '../src/modules/timetable/solver/explain-load.ts'
import { Model } from '../src/modules/timetable/solver/explain-model.ts'
import { Program } from '../src/modules/timetable/solver/explain-program.ts'
import type { Activity, Problem } from '../src/modules/timetable/solver/problem.ts'
import { solve } from '../src/modules/timetable/solver/solve.ts'
import { cheaper, littleSchool, possible, priceOf, ways } from './timetable-impossible.ts'
import { bigSchool, bigWays } from './timetable-impossible-big.ts'

let highs: Awaited<ReturnType<typeof loadHighs>>
beforeAll(async () => {
  highs = await loadHighs()
})
const explained = (problem: Problem) => explain(problem, { highs, seconds: 60, seed: 1 })

/** Little schools made impossible, or nearly, in each way. */
const seeds = Array.from({ length: 10 }, (_, at) => at + 1)

describe('ISSUE-15-4 where there is no timetable', () => {
  it.each(ways)(
    'names an obstacle exactly where no way of placing the lessons is right (%s), and the least that is enough',
    (way) => {
      const counts = { can: 0, cannot: 0 }
      for (const seed of seeds) {
        const problem = littleSchool(way, seed)
        const can = possible(problem)
        counts[can ? 'can' : 'cannot'] += 1
        const { obstacles, given } = explained(problem)
        expect([way, seed, obstacles.length === 0]).toEqual([way, seed, can])
        if (can) continue
        // Every set of things to give up that is cheaper is tried, and every way of placing the lessons then.
        expect([way, seed, possible(giveUp(problem, given))]).toEqual([way, seed, true])
        expect([way, seed, cheaper(problem, priceOf(problem, given))]).toEqual([way, seed, undefined])
        // Whatever is told as another way out is one.
        for (const obstacle of obstacles) {
          const others = obstacles.filter((each) => each !== obstacle).flatMap((each) => each.ways[0]![0]!)
          for (const set of obstacle.ways.flat())
            expect([way, seed, set, possible(giveUp(problem, [...set, ...others]))]).toEqual([way, seed, set, true])
        }
      }
      expect(counts.cannot).toBeGreaterThan(0)
      expect(counts.can).toBeGreaterThan(0)
    },
    120_000,
  )

  it('finds nothing impossible in some lessons of a school that has a timetable: what is left out is no gap', () => {
    // Three lessons of a class in a subject, one in each period of Monday but the last on Tuesday; they are in a row, and on both days.
    const fixed = (id: string, day: number, period: number): Activity => ({
      ...{ id, subject: 'm', classes: ['a'], teachers: ['y'], span: 1 },
      locked: { day, period },
    })
    const whole: Problem = {
      ...littleSchool('further', 1),
      activities: [fixed('0', 1, 1), fixed('1', 1, 2), fixed('2', 1, 3), fixed('3', 2, 1)],
      rules: [
        { id: 'gaps', kind: 'windows', of: { teachers: ['y'] }, max: 0, hard: true },
        { id: 'spread', kind: 'spread', of: { subjects: ['m'] }, hard: true },
      ],
    }
    for (const problem of [whole, ...seeds.map((seed) => littleSchool('further', seed))]) {
      if (!possible(problem)) continue
      const model = new Model(problem)
      for (let some = 1; some < 2 ** model.kins.length; some += 1) {
        const kins = model.kins.flatMap((_, at) => ((some >> at) & 1 ? at : []))
        expect([kins, new Program(model, kins).least(highs, 5)?.cost]).toEqual([kins, 0])
      }
    }
    expect(possible(whole)).toBe(true)
  }, 60_000)

  it.each(Object.keys(bigWays))(
    'proves it for 36 classes (%s), and the search places every lesson once that is given up',
    (way) => {
      const problem = bigSchool(way, 36, 1)
      expect(solve(problem, { seed: 1, seconds: 1, improves: false }).evaluation.hard).toBeGreaterThan(0)
      const { obstacles, given, enough } = explained(problem)
      expect(enough).toBe(true)
      expect(obstacles.map(({ kind }) => kind)).toEqual(bigWays[way]!.kinds)
      expect(given.map(({ kind }: Ask) => kind)).toEqual(bigWays[way]!.given)
      for (const set of [given, ...obstacles.flatMap((obstacle) => obstacle.ways.flat())])
        expect([set, solve(giveUp(problem, set), { seed: 7, seconds: 5, improves: false }).evaluation.hard]).toEqual([
          set,
          0,
        ])
    },
    60_000,
  )

  it('says nothing of a school that has a timetable, and stops at once where it is told to', () => {
    for (const seed of [1, 2])
      expect(explained(bigSchool('possible', 12, seed))).toEqual({ obstacles: [], given: [], enough: true })
    const problem = bigSchool('overloaded', 36, 1)
    expect(explain(problem, { highs, seconds: 10, seed: 1, stop: () => true })).toMatchObject({ enough: false })
  }, 60_000)

  it('asks nobody to give up a rule that cannot be', () => {
    const problem = littleSchool('overloaded', 1)
    const { given } = explain(problem, { highs, seconds: 5, seed: 1, mannerOf: () => 'never' })
    expect(new Set(given.map(({ kind }) => kind))).toEqual(new Set(possible(problem) ? [] : ['lesson']))
  })
})
