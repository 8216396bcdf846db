import { countWeeks, type Problem, weekSets, weeksOf } from './problem.ts'

/** Where no lesson can be: the place of a lesson that stands nowhere. */
export const nowhere = -1

/** What ledgers read of the search: lessons by their index, places as `day × periods + period`, both from 0. */
export interface Standing {
  readonly periods: number
  readonly days: number
  readonly span: Uint8Array
  readonly locked: Uint8Array
  /** The place of each lesson, or {@link nowhere}. */
  readonly at: Int16Array
  /** How hard each lesson is to drive out: of several that could leave, the lightest does. */
  readonly weight: Float64Array
}

/**
 * What some kinds of rules know of the lessons that stand, kept at every step. A lesson is counted from `add` to `remove`; all
 * questions are about one that is not counted at the moment.
 */
export interface Ledger {
  add(i: number, place: number): void
  remove(i: number, place: number): void
  /** What the soft rules cost more once the lesson begins there. */
  cost(i: number, place: number): number
  /** By how many units the hard rules that only a whole timetable can keep (no free periods, all days) are broken more. */
  strain?(i: number, place: number): number
  /** The same, each unit as heavy as it has proved hard to be rid of. */
  pressure?(i: number, place: number): number
  /** Adds what must leave, beside `out`, for the hard rules; false where something locked stands in the way. */
  drive(i: number, place: number, out: Set<number>): boolean
  /** Lessons of which one has to stand elsewhere, by each rule that is strained now; what is asked for grows heavier. */
  strained?(): number[][]
}

/** Sets of weeks that are alike, with the share of the term that each is, and in which of them a lesson is held. */
export interface Weeks {
  readonly share: readonly number[]
  readonly of: (i: number) => readonly number[]
}

export function weeksIn(problem: Problem): Weeks {
  const sets = weekSets(problem)
  const held = problem.activities.map((activity) => {
    const own = weeksOf(problem, activity)
    return sets.flatMap((set, at) => ((set & own) === 0 ? [] : [at]))
  })
  return { share: sets.map((set) => countWeeks(set) / problem.weeks), of: (i) => held[i]! }
}

/** The lightest lesson of some; undefined where there is none. */
export function lightest(of: Iterable<number>, weight: Float64Array): number | undefined {
  let best: number | undefined
  for (const j of of) if (best === undefined || weight[j]! < weight[best]!) best = j
  return best
}
