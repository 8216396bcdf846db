import type { Obstacle } from '../src/modules/timetable/solver/explain.ts'
import type { Ask } from '../src/modules/timetable/solver/explain-asks.ts'
import type { Problem, Rule, Slot } from '../src/modules/timetable/solver/problem.ts'
import { school } from './timetable-school.ts'

const slots = (days: readonly number[], periods: readonly number[]): Slot[] =>
  days.flatMap((day) => periods.map((period) => ({ day, period })))
const everyPeriod = [1, 2, 3, 4, 5, 6, 7]
const firstOf = (problem: Problem, subject: string): string =>
  problem.activities.find((activity) => activity.subject === subject)!.teachers[0]!
const withRules = (problem: Problem, ...rules: Rule[]): Problem => ({ ...problem, rules: [...problem.rules, ...rules] })

interface Way {
  readonly make: (problem: Problem) => Problem
  readonly kinds: readonly Obstacle['kind'][]
  readonly given: readonly Ask['kind'][]
}

/** Ways to make an ordinary school of many classes impossible at one place, with what is to be found. */
export const bigWays: Readonly<Record<string, Way>> = {
  overloaded: {
    make: (problem) =>
      withRules(problem, {
        ...{ id: 'away', kind: 'unavailable', of: { teachers: [firstOf(problem, 'history')] }, hard: true },
        slots: [...slots([1, 2], everyPeriod), { day: 3, period: 1 }],
      }),
    kinds: ['teacher'],
    given: ['slot', 'slot'],
  },
  research: {
    make: (problem) =>
      withRules(
        problem,
        ...[1, 2, 3].map(
          (day): Rule => ({
            ...{ id: `research-${day}`, kind: 'unavailable', of: { subjects: ['maths'] }, hard: true },
            slots: slots([day], everyPeriod),
          }),
        ),
      ),
    kinds: ['subject'],
    given: ['rule'],
  },
  labs: {
    make: (problem) => ({ ...problem, rooms: problem.rooms.filter(({ id, type }) => type !== 'lab' || id < 'lab3') }),
    kinds: ['rooms'],
    given: ['room'],
  },
  locked: {
    make: (problem) => ({
      ...problem,
      activities: problem.activities.map((activity) =>
        activity.id === '5|chinese|0' ? { ...activity, locked: { day: 1, period: 7 } } : activity,
      ),
    }),
    kinds: ['class'],
    given: ['lock'],
  },
  closed: {
    make: (problem) =>
      withRules(problem, {
        ...{ id: 'closed', kind: 'unavailable', of: { classes: ['c7'] }, hard: true },
        slots: slots([5], [3, 4, 5, 6, 7]),
      }),
    kinds: ['class'],
    given: ['slot'],
  },
  perDay: {
    make: (problem) =>
      withRules(problem, {
        id: 'most',
        kind: 'perDay',
        of: { teachers: [firstOf(problem, 'english')] },
        max: 3,
        hard: true,
      }),
    kinds: ['teacher'],
    given: ['limit'],
  },
}

/** A school of so many classes, made impossible in one of these ways, or `possible`. */
export function bigSchool(way: string, classes: number, seed: number): Problem {
  const problem = school(classes, 22, seed)
  return bigWays[way]?.make(problem) ?? problem
}
