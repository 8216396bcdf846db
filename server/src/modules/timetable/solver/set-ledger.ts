import { type Ledger, nowhere, type Standing } from './ledger.ts'
import { countWeeks, type Problem, weeksOf } from './problem.ts'

/** What is asked of a lesson and one other. */
interface Partner {
  readonly j: number
  /** Days that must be, or are wished to be, between the two; 0 where they are kept apart in time. */
  readonly min: number
  /** What a day too few, or being at once, costs; undefined where it must not be. */
  readonly cost?: number
}

interface Together {
  readonly members: readonly number[]
  readonly cost?: number
}

/** Keeps what is asked of certain lessons: rules `daysBetween`, `sameTime`, and `apart` where it is a wish. */
export class SetLedger implements Ledger {
  readonly #on: Standing
  readonly #weekdays: readonly number[]
  readonly #partners: readonly Partner[][]
  readonly #together: readonly Together[][]
  readonly isNeeded: boolean

  constructor(problem: Problem, on: Standing) {
    this.#on = on
    this.#weekdays = problem.days
    const index = new Map(problem.activities.map(({ id }, at) => [id, at]))
    const weeks = problem.activities.map((activity) => weeksOf(problem, activity))
    const partners = problem.activities.map((): Partner[] => [])
    const together = problem.activities.map((): Together[] => [])
    let isNeeded = false
    for (const rule of problem.rules) {
      // Lessons that must be apart are so by the same table as those who share somebody.
      if (rule.kind !== 'daysBetween' && rule.kind !== 'sameTime' && (rule.kind !== 'apart' || rule.hard)) continue
      const members = [...new Set(rule.activities)].flatMap((id) => index.get(id) ?? [])
      isNeeded = true
      if (rule.kind === 'sameTime') {
        for (const i of members) together[i]!.push(rule.hard ? { members } : { members, cost: rule.weight })
        continue
      }
      for (const i of members)
        for (const j of members) {
          const share = countWeeks(weeks[i]! & weeks[j]!) / problem.weeks
          if (i === j || share === 0) continue
          const min = rule.kind === 'daysBetween' ? rule.min : 0
          const cost = rule.kind === 'daysBetween' ? share : 1
          partners[i]!.push({ j, min, ...(rule.hard ? {} : { cost: rule.weight * cost }) })
        }
    }
    this.#partners = partners
    this.#together = together
    this.isNeeded = isNeeded
  }

  add(): void {}
  remove(): void {}

  /** By how many units a lesson there and its partner are too near. */
  #near(i: number, place: number, { j, min }: Partner): number {
    const { at, periods, span } = this.#on
    const there = at[j]!
    if (there === nowhere) return 0
    const [day, other] = [Math.floor(place / periods), Math.floor(there / periods)]
    if (min > 0) return Math.max(0, min - Math.abs(this.#weekdays[day]! - this.#weekdays[other]!))
    return day === other && place < there + span[j]! && there < place + span[i]! ? 1 : 0
  }

  cost(i: number, place: number): number {
    let sum = 0
    for (const partner of this.#partners[i]!)
      if (partner.cost !== undefined) sum += partner.cost * this.#near(i, place, partner)
    const { at } = this.#on
    for (const { members, cost } of this.#together[i]!) {
      if (cost === undefined) continue
      let others = false
      let same = false
      for (const j of members) {
        if (j === i || at[j] === nowhere) continue
        others = true
        if (at[j] === place) same = true
      }
      if (others && !same) sum += cost
    }
    return sum
  }

  drive(i: number, place: number, out: Set<number>): boolean {
    const { at, locked } = this.#on
    for (const partner of this.#partners[i]!) {
      if (partner.cost !== undefined || this.#near(i, place, partner) === 0) continue
      if (locked[partner.j]) return false
      out.add(partner.j)
    }
    for (const { members, cost } of this.#together[i]!) {
      if (cost !== undefined) continue
      for (const j of members) {
        if (j === i || at[j] === nowhere || at[j] === place) continue
        if (locked[j]) return false
        out.add(j)
      }
    }
    return true
  }
}
