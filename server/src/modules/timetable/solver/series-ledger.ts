import { type Ledger, lightest, nowhere, type Standing, weeksIn } from './ledger.ts'
import { type Problem, type Rule, seriesOf } from './problem.ts'

/** Lessons of a class in a subject, in a set of weeks, with what is asked of them. */
interface Lane {
  readonly members: readonly number[]
  /** Periods of a day that must not be exceeded. */
  most: number
  /** The same as wishes: what each period above costs. */
  readonly wished: { readonly max: number; readonly cost: number }[]
  /** What each day costs on which they are not, though they could be. */
  spread: number
  /** They must be on as many days as can be. */
  mustSpread: boolean
  weight: number
}

/** Keeps how the lessons of a subject are spread over the days of a class: rules `subjectPerDay` and `spread`. */
export class SeriesLedger implements Ledger {
  readonly #on: Standing
  readonly #lanes: readonly Lane[]
  readonly #of: readonly Int32Array[]
  /** Periods and lessons by lane and day; lessons and days with any, by lane. */
  readonly #spans: Uint8Array
  readonly #lessons: Uint8Array
  readonly #total: Uint8Array
  readonly #filled: Uint8Array
  readonly canStrain: boolean

  constructor(problem: Problem, on: Standing) {
    this.#on = on
    const index = new Map(problem.activities.map(({ id }, at) => [id, at]))
    const weeks = weeksIn(problem)
    const lanes = new Map<string, Lane>()
    for (const rule of problem.rules) {
      if (rule.kind !== 'subjectPerDay' && rule.kind !== 'spread') continue
      for (const { activities } of seriesOf(problem, rule.of)) {
        const all = [...new Set(activities.map(({ id }) => index.get(id)!))]
        for (const [set, share] of weeks.share.entries()) {
          const members = all.filter((i) => weeks.of(i).includes(set))
          if (members.length === 0) continue
          const key = `${set}|${members.join()}`
          const lane = lanes.get(key) ?? { members, most: 255, wished: [], spread: 0, mustSpread: false, weight: 1 }
          ask(lane, rule, share)
          lanes.set(key, lane)
        }
      }
    }
    this.#lanes = [...lanes.values()]
    const of = problem.activities.map((): number[] => [])
    for (const [at, { members }] of this.#lanes.entries()) for (const i of members) of[i]!.push(at)
    this.#of = of.map((each) => Int32Array.from(each))
    this.#spans = new Uint8Array(this.#lanes.length * on.days)
    this.#lessons = new Uint8Array(this.#lanes.length * on.days)
    this.#total = new Uint8Array(this.#lanes.length)
    this.#filled = new Uint8Array(this.#lanes.length)
    this.canStrain = this.#lanes.some(({ mustSpread }) => mustSpread)
  }

  /** Whether anything is asked of any subject. */
  get isNeeded(): boolean {
    return this.#lanes.length > 0
  }

  #count(i: number, place: number, sign: 1 | -1): void {
    const { days, periods, span } = this.#on
    const day = Math.floor(place / periods)
    for (const lane of this.#of[i]!) {
      const at = lane * days + day
      this.#spans[at]! += span[i]! * sign
      const before = this.#lessons[at]!
      this.#lessons[at] = before + sign
      this.#total[lane]! += sign
      if (before === 0 || before + sign === 0) this.#filled[lane]! += sign
    }
  }

  add(i: number, place: number): void {
    this.#count(i, place, 1)
  }

  remove(i: number, place: number): void {
    this.#count(i, place, -1)
  }

  /** How many days fewer a lesson there leaves to be wished: −1 to 1. */
  #lacking(lane: number, day: number): number {
    const { days } = this.#on
    const owed = this.#total[lane]! < days ? 1 : 0
    return owed - (this.#lessons[lane * days + day] === 0 ? 1 : 0)
  }

  cost(i: number, place: number): number {
    const { days, periods, span } = this.#on
    const day = Math.floor(place / periods)
    let sum = 0
    for (const at of this.#of[i]!) {
      const lane = this.#lanes[at]!
      if (lane.spread > 0) sum += lane.spread * this.#lacking(at, day)
      if (lane.wished.length === 0) continue
      const stand = this.#spans[at * days + day]!
      for (const { max, cost } of lane.wished)
        sum += cost * (Math.max(0, stand + span[i]! - max) - Math.max(0, stand - max))
    }
    return sum
  }

  #strain(i: number, place: number, weighed: boolean): number {
    const day = Math.floor(place / this.#on.periods)
    let sum = 0
    for (const at of this.#of[i]!) {
      const lane = this.#lanes[at]!
      if (lane.mustSpread) sum += this.#lacking(at, day) * (weighed ? lane.weight : 1)
    }
    return sum
  }

  strain(i: number, place: number): number {
    return this.#strain(i, place, false)
  }

  pressure(i: number, place: number): number {
    return this.#strain(i, place, true)
  }

  drive(i: number, place: number, out: Set<number>): boolean {
    const { days, periods, span, locked, at, weight } = this.#on
    const day = Math.floor(place / periods)
    for (const lane of this.#of[i]!) {
      const { members, most } = this.#lanes[lane]!
      let over = this.#spans[lane * days + day]! + span[i]! - most
      if (over <= 0) continue
      const there = members.filter((j) => j !== i && at[j] !== nowhere && Math.floor(at[j]! / periods) === day)
      for (const j of there) if (out.has(j)) over -= span[j]!
      while (over > 0) {
        const leaves = lightest(
          there.filter((j) => !locked[j] && !out.has(j)),
          weight,
        )
        if (leaves === undefined) return false
        out.add(leaves)
        over -= span[leaves]!
      }
    }
    return true
  }

  strained(): number[][] {
    const { days, periods, locked, at } = this.#on
    const found: number[][] = []
    for (const [number, lane] of this.#lanes.entries()) {
      if (!lane.mustSpread || Math.min(this.#total[number]!, days) <= this.#filled[number]!) continue
      lane.weight += 1
      const crowded = lane.members.filter(
        (j) => at[j] !== nowhere && this.#lessons[number * days + Math.floor(at[j]! / periods)]! > 1,
      )
      found.push(crowded.filter((j) => !locked[j]))
    }
    return found
  }
}

function ask(lane: Lane, rule: Extract<Rule, { kind: 'subjectPerDay' | 'spread' }>, share: number): void {
  if (rule.kind === 'subjectPerDay') {
    if (rule.hard) lane.most = Math.min(lane.most, rule.max)
    else lane.wished.push({ max: rule.max, cost: rule.weight * share })
  } else if (rule.hard) lane.mustSpread = true
  else lane.spread += rule.weight * share
}
