import { type Ledger, nowhere, type Standing, weeksIn } from './ledger.ts'
import { campusOf, type Problem, peopleOf } from './problem.ts'

/** A teacher who teaches on several campuses, in a set of weeks. */
interface Lane {
  readonly members: readonly number[]
  readonly share: number
  readonly asked: readonly { readonly gap: number; readonly weight?: number }[]
}

/** Keeps the ways between the campuses of a day: rules `travel`. Whoever teaches on one campus only is in none of its tables. */
export class TravelLedger implements Ledger {
  readonly #on: Standing
  readonly #lanes: readonly Lane[]
  readonly #of: readonly Int32Array[]
  /** The campus of each lesson, as a number; −1 where it is on none in particular. */
  readonly #campus: Int16Array

  constructor(problem: Problem, on: Standing) {
    this.#on = on
    const rules = problem.rules.filter((rule) => rule.kind === 'travel')
    const numbers = new Map<string, number>()
    const numberOf = (campus: string | undefined): number => {
      if (campus === undefined) return -1
      if (!numbers.has(campus)) numbers.set(campus, numbers.size)
      return numbers.get(campus)!
    }
    this.#campus = Int16Array.from(problem.activities, (activity) =>
      rules.length === 0 ? -1 : numberOf(campusOf(problem, activity)),
    )
    const asked = new Map<string, { gap: number; weight?: number }[]>()
    for (const rule of rules)
      for (const id of peopleOf(problem, rule.of).ids)
        asked.set(id, [...(asked.get(id) ?? []), { gap: rule.gap, ...(rule.hard ? {} : { weight: rule.weight }) }])
    const weeks = weeksIn(problem)
    this.#lanes = [...asked].flatMap(([id, each]) =>
      weeks.share.flatMap((share, set) => {
        const members = problem.activities.flatMap(({ teachers }, i) =>
          teachers.includes(id) && this.#campus[i]! >= 0 && weeks.of(i).includes(set) ? i : [],
        )
        const campuses = new Set(members.map((i) => this.#campus[i]))
        return campuses.size > 1 ? [{ members, share, asked: each }] : []
      }),
    )
    const of = problem.activities.map((): number[] => [])
    for (const [at, { members }] of this.#lanes.entries()) for (const i of members) of[i]!.push(at)
    this.#of = of.map((each) => Int32Array.from(each))
  }

  get isNeeded(): boolean {
    return this.#lanes.length > 0
  }

  add(): void {}
  remove(): void {}

  /** Lessons of a lane on the day of a place, without one, in the order of the day. */
  #ofDay(at: number, i: number, place: number): number[] {
    const { at: places, periods } = this.#on
    const day = Math.floor(place / periods)
    return this.#lanes[at]!.members.filter(
      (j) => j !== i && places[j] !== nowhere && Math.floor(places[j]! / periods) === day,
    ).toSorted((a, b) => places[a]! - places[b]!)
  }

  #lacking(lane: Lane, order: readonly number[], placeOf: (j: number) => number): number {
    let sum = 0
    for (let n = 1; n < order.length; n += 1) {
      const [before, next] = [order[n - 1]!, order[n]!]
      if (this.#campus[before] === this.#campus[next]) continue
      const free = Math.max(0, placeOf(next) - placeOf(before) - this.#on.span[before]!)
      for (const { gap, weight } of lane.asked) if (weight !== undefined) sum += weight * Math.max(0, gap - free)
    }
    return sum * lane.share
  }

  cost(i: number, place: number): number {
    const { at: places } = this.#on
    const placeOf = (j: number): number => (j === i ? place : places[j]!)
    let sum = 0
    for (const at of this.#of[i]!) {
      const lane = this.#lanes[at]!
      if (!lane.asked.some(({ weight }) => weight !== undefined)) continue
      const others = this.#ofDay(at, i, place)
      if (others.length === 0) continue
      const all = [...others, i].toSorted((a, b) => placeOf(a) - placeOf(b))
      sum += this.#lacking(lane, all, placeOf) - this.#lacking(lane, others, placeOf)
    }
    return sum
  }

  drive(i: number, place: number, out: Set<number>): boolean {
    const { at: places, span, locked } = this.#on
    for (const at of this.#of[i]!) {
      const gap = Math.max(0, ...this.#lanes[at]!.asked.flatMap((each) => (each.weight === undefined ? each.gap : [])))
      if (gap === 0) continue
      for (const j of this.#ofDay(at, i, place)) {
        if (out.has(j) || this.#campus[j] === this.#campus[i]) continue
        const free = places[j]! < place ? place - places[j]! - span[j]! : places[j]! - place - span[i]!
        if (Math.max(0, free) >= gap) continue
        if (locked[j]) return false
        out.add(j)
      }
    }
    return true
  }
}
