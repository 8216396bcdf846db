import { aboveInRow, windowsIn } from './evaluate.ts'
import { type Ledger, nowhere, type Standing, weeksIn } from './ledger.ts'
import { classesOf, type Period, type Problem, peopleOf, type Rule } from './problem.ts'

type Asked = Extract<Rule, { kind: 'perDay' | 'inRow' | 'windows' | 'daysPerWeek' }>

/** Up to so many periods a day, what a day costs is kept for every way in which its periods can be taught. */
const tabled = 12

/** What is asked of the days of some people, who are all asked the same. A day is bits, one for each period that is taught. */
class Profile {
  readonly #periods: readonly Period[]
  readonly #rules: readonly Asked[]
  readonly #known: (Float64Array | undefined)[]
  /** Days on which they must not be exceeded, and what each above costs where it is a wish. */
  readonly mostDays: number
  readonly #wishedDays: readonly { readonly max: number; readonly weight: number }[]
  readonly isHard: boolean
  readonly isStrict: boolean

  constructor(periods: readonly Period[], rules: readonly Asked[]) {
    this.#periods = periods
    const week = rules.filter(({ kind }) => kind === 'daysPerWeek')
    this.#rules = rules.filter(({ kind }) => kind !== 'daysPerWeek')
    this.mostDays = Math.min(255, ...week.flatMap(({ hard, max }) => (hard ? max : [])))
    this.#wishedDays = week.flatMap((rule) => (rule.hard ? [] : { max: rule.max, weight: rule.weight }))
    this.isStrict = this.#rules.some(({ kind, hard }) => hard && kind === 'windows')
    this.isHard = this.mostDays < 255 || this.#rules.some(({ kind, hard }) => hard && kind !== 'windows')
    this.#known = Array.from({ length: 3 }, () =>
      periods.length <= tabled ? new Float64Array(2 ** periods.length).fill(Number.NaN) : undefined,
    )
  }

  #sum(slot: 0 | 1 | 2, day: number, counts: (rule: Asked) => number): number {
    const known = this.#known[slot]
    const kept = known?.[day]
    if (kept !== undefined && !Number.isNaN(kept)) return kept
    let sum = 0
    for (const rule of this.#rules) {
      const by = counts(rule)
      if (by > 0) sum += by * Math.max(0, unitsOf(this.#periods, rule, day))
    }
    if (known) known[day] = sum
    return sum
  }

  /** What a day costs, by its wishes. */
  soft(day: number): number {
    return this.#sum(0, day, (rule) => (rule.hard ? 0 : rule.weight))
  }

  /** Units by which a day is beyond what it must not be, whatever else comes. */
  hard(day: number): number {
    return this.#sum(1, day, ({ hard, kind }) => (hard && kind !== 'windows' ? 1 : 0))
  }

  /** Free periods between lessons above what must be: lessons that come later may fill them. */
  strain(day: number): number {
    return this.#sum(2, day, ({ hard, kind }) => (hard && kind === 'windows' ? 1 : 0))
  }

  /** What one more day costs. */
  oneMore(days: number): number {
    let sum = 0
    for (const { max, weight } of this.#wishedDays) if (days >= max) sum += weight
    return sum
  }
}

function unitsOf(periods: readonly Period[], { kind, max }: Asked, day: number): number {
  const busy = (at: number): boolean => ((day >> at) & 1) === 1
  if (kind === 'inRow') return aboveInRow(periods, busy, max)
  if (kind === 'windows') return windowsIn(periods.length, busy) - max
  let count = 0
  for (let rest = day; rest !== 0; rest &= rest - 1) count += 1
  return count - max
}

/** A teacher or a class in a set of weeks. */
interface Lane {
  readonly members: readonly number[]
  readonly profile: Profile
  readonly share: number
  weight: number
}

/** Keeps the days of teachers and classes: rules `perDay`, `inRow`, `windows` and `daysPerWeek`. */
export class PeopleLedger implements Ledger {
  readonly #on: Standing
  readonly #lanes: readonly Lane[]
  readonly #of: readonly Int32Array[]
  /** Lessons by lane, day and period; the periods taught by lane and day; days with any by lane. */
  readonly #counts: Uint8Array
  readonly #taught: Int32Array
  readonly #filled: Uint8Array
  readonly canStrain: boolean

  constructor(problem: Problem, on: Standing) {
    this.#on = on
    const people = new Map<string, Asked[]>()
    for (const rule of problem.rules) {
      if (!isAsked(rule)) continue
      const { kind, ids } = peopleOf(problem, rule.of)
      for (const id of ids) {
        const key = `${kind}|${id}`
        people.set(key, [...(people.get(key) ?? []), rule])
      }
    }
    const classes = classesOf(problem)
    const lessons = new Map<string, number[]>()
    if (people.size > 0)
      for (const [i, activity] of problem.activities.entries())
        for (const key of [
          ...new Set(activity.teachers.map((id) => `teacher|${id}`)),
          ...classes(activity).map((id) => `class|${id}`),
        ])
          if (people.has(key)) lessons.set(key, [...(lessons.get(key) ?? []), i])
    const weeks = weeksIn(problem)
    const profiles = new Map<string, Profile>()
    this.#lanes = [...people].flatMap(([who, rules]) => {
      const key = rules.map(({ id }) => id).join('|')
      const profile = profiles.get(key) ?? new Profile(problem.periods, rules)
      profiles.set(key, profile)
      return weeks.share.flatMap((share, set) => {
        const members = (lessons.get(who) ?? []).filter((i) => weeks.of(i).includes(set))
        return members.length === 0 ? [] : [{ members, profile, share, weight: 1 }]
      })
    })
    const of = problem.activities.map((): number[] => [])
    for (const [at, { members }] of this.#lanes.entries()) for (const i of members) of[i]!.push(at)
    this.#of = of.map((each) => Int32Array.from(each))
    this.#counts = new Uint8Array(this.#lanes.length * on.days * on.periods)
    this.#taught = new Int32Array(this.#lanes.length * on.days)
    this.#filled = new Uint8Array(this.#lanes.length)
    this.canStrain = this.#lanes.some(({ profile }) => profile.isStrict)
  }

  /** Whether anybody is asked anything. */
  get isNeeded(): boolean {
    return this.#lanes.length > 0
  }

  add(i: number, place: number): void {
    const { days, periods, span } = this.#on
    const day = Math.floor(place / periods)
    for (const lane of this.#of[i]!) {
      const at = lane * days + day
      if (this.#taught[at] === 0) this.#filled[lane]! += 1
      for (let n = 0; n < span[i]!; n += 1) {
        this.#counts[lane * days * periods + place + n]! += 1
        this.#taught[at]! |= 1 << ((place % periods) + n)
      }
    }
  }

  remove(i: number, place: number): void {
    const { days, periods, span } = this.#on
    const day = Math.floor(place / periods)
    for (const lane of this.#of[i]!) {
      const at = lane * days + day
      for (let n = 0; n < span[i]!; n += 1) {
        const cell = lane * days * periods + place + n
        this.#counts[cell]! -= 1
        if (this.#counts[cell] === 0) this.#taught[at]! &= ~(1 << ((place % periods) + n))
      }
      if (this.#taught[at] === 0) this.#filled[lane]! -= 1
    }
  }

  #bits(i: number, place: number): number {
    return ((1 << this.#on.span[i]!) - 1) << (place % this.#on.periods)
  }

  cost(i: number, place: number): number {
    const { days, periods } = this.#on
    const day = Math.floor(place / periods)
    const bits = this.#bits(i, place)
    let sum = 0
    for (const at of this.#of[i]!) {
      const { profile, share } = this.#lanes[at]!
      const taught = this.#taught[at * days + day]!
      if (taught === 0) sum += share * profile.oneMore(this.#filled[at]!)
      sum += share * (profile.soft(taught | bits) - profile.soft(taught))
    }
    return sum
  }

  #strain(i: number, place: number, weighed: boolean): number {
    const { days, periods } = this.#on
    const day = Math.floor(place / periods)
    const bits = this.#bits(i, place)
    let sum = 0
    for (const at of this.#of[i]!) {
      const { profile, weight } = this.#lanes[at]!
      if (!profile.isStrict) continue
      const taught = this.#taught[at * days + day]!
      sum += (profile.strain(taught | bits) - profile.strain(taught)) * (weighed ? weight : 1)
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
    const { days, periods } = this.#on
    const day = Math.floor(place / periods)
    const bits = this.#bits(i, place)
    for (const at of this.#of[i]!) {
      const { profile } = this.#lanes[at]!
      if (!profile.isHard) continue
      const taught = this.#taught[at * days + day]!
      if (profile.hard(taught | bits) > 0 && !this.#thin(at, i, day, bits, out)) return false
      if (this.#filled[at]! >= profile.mostDays && !this.#free(at, i, day, out)) return false
    }
    return true
  }

  /** Lessons of a lane that would stand on a day beside lesson `i`. */
  #left(at: number, i: number, day: number, out: ReadonlySet<number>): number[] {
    const { at: places, periods } = this.#on
    return this.#lanes[at]!.members.filter(
      (j) => j !== i && places[j] !== nowhere && Math.floor(places[j]! / periods) === day && !out.has(j),
    )
  }

  /** Takes lessons off a day until it may be as it is: each time the one without which the day is best, the lightest of several. */
  #thin(at: number, i: number, day: number, bits: number, out: Set<number>): boolean {
    const { locked, at: places, weight } = this.#on
    const { profile } = this.#lanes[at]!
    let left = this.#left(at, i, day, out)
    const daily = (without: number): number => {
      let taught = bits
      for (const j of left) if (j !== without) taught |= this.#bits(j, places[j]!)
      return profile.hard(taught)
    }
    while (daily(nowhere) > 0) {
      let best = nowhere
      let least = Number.POSITIVE_INFINITY
      for (const j of left) {
        if (locked[j]) continue
        const after = daily(j)
        if (after > least || (after === least && weight[j]! >= weight[best]!)) continue
        least = after
        best = j
      }
      if (best === nowhere) return false
      out.add(best)
      left = left.filter((j) => j !== best)
    }
    return true
  }

  /** Takes whole other days away until the day of a lesson may be one more: those whose lessons are lightest together. */
  #free(at: number, i: number, day: number, out: Set<number>): boolean {
    const { days, locked, weight } = this.#on
    const { profile } = this.#lanes[at]!
    const others = Array.from({ length: days }, (_, each) => each).filter((each) => each !== day)
    const taught = others.map((each) => this.#left(at, i, each, out)).filter((each) => each.length > 0)
    const leaving = taught
      .filter((each) => each.every((j) => !locked[j]))
      .map((lessons) => ({ lessons, heavy: lessons.reduce((sum, j) => sum + weight[j]!, 0) }))
      .toSorted((a, b) => a.heavy - b.heavy)
    const over = taught.length + 1 - profile.mostDays
    if (over > leaving.length) return false
    for (const { lessons } of leaving.slice(0, Math.max(0, over))) for (const j of lessons) out.add(j)
    return true
  }

  strained(): number[][] {
    const { days, locked } = this.#on
    const found: number[][] = []
    const none = new Set<number>()
    for (const [at, lane] of this.#lanes.entries()) {
      if (!lane.profile.isStrict) continue
      for (let day = 0; day < days; day += 1) {
        if (lane.profile.strain(this.#taught[at * days + day]!) === 0) continue
        lane.weight += 1
        found.push(this.#left(at, nowhere, day, none).filter((j) => !locked[j]))
      }
    }
    return found
  }
}

const isAsked = (rule: Rule): rule is Asked =>
  rule.kind === 'perDay' || rule.kind === 'inRow' || rule.kind === 'windows' || rule.kind === 'daysPerWeek'
