import { type Ledger, nowhere, type Standing } from './ledger.ts'
import { PeopleLedger } from './people-ledger.ts'
import {
  type Activity,
  classesOf,
  countWeeks,
  fitsDay,
  type Problem,
  type Room,
  roomsFor,
  selects,
  weeksOf,
} from './problem.ts'
import { SeriesLedger } from './series-ledger.ts'
import { SetLedger } from './set-ledger.ts'
import { TravelLedger } from './travel-ledger.ts'

/** Numbers from a seed: the same seed gives the same timetable. */
export function makeDice(seed: number): (below: number) => number {
  let state = (seed >>> 0) + 0x9e3779b9
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

/** What counts against a unit of a hard rule that only a whole timetable can keep, beside the cost of soft ones. */
export const strainCost = 10_000

/**
 * The problem in numbers, and where its lessons stand. Places are `day × periods + period`, both from 0; a lesson's place is the one
 * that it begins in. What rules ask is kept by ledgers, one for rules of a sort, and only where there are such rules.
 */
export class Search implements Standing {
  readonly count: number
  readonly periods: number
  readonly days: number
  readonly activities: readonly Activity[]
  /** Places that a lesson can begin in, by lesson; those of a locked one are its own. */
  readonly places: readonly Int16Array[]
  readonly span: Uint8Array
  readonly locked: Uint8Array
  readonly at: Int16Array
  /** How hard each lesson is to drive out. */
  readonly weight: Float64Array
  /** The room that each lesson is in, as an index of the problem's rooms; −1 for none in particular. */
  readonly roomAt: Int16Array
  /** Whether there are hard rules that are kept by the whole timetable only, not by each lesson that is placed. */
  readonly canStrain: boolean
  /** Which lessons stand in each period. */
  readonly #in: number[][]
  readonly #meets: Uint8Array
  /** The lessons that each one meets. */
  readonly #met: readonly (readonly number[])[]
  /** How many of those that a lesson meets stand in each period, by lesson and place: most questions end there. */
  readonly #crowds: Uint16Array
  /** How many lessons are in each room in each period, in whatever weeks. */
  readonly #used: Uint16Array
  readonly #rooms: readonly Int16Array[]
  readonly #places: readonly Room[]
  readonly #closed: readonly (Uint8Array | undefined)[]
  readonly #weeks: Int32Array
  readonly #cost: readonly Float64Array[]
  /** What it costs a lesson to begin elsewhere than where it stood. */
  readonly #stay: Float64Array
  /** Where each lesson stood so far, if it may still begin there; {@link nowhere} for those of which nothing is said. */
  readonly stood: Int16Array
  readonly #ledgers: readonly Ledger[]

  constructor(problem: Problem) {
    const { activities, periods, days, rooms } = problem
    this.activities = activities
    this.count = activities.length
    this.periods = periods.length
    this.days = days.length
    this.#places = rooms
    this.span = Uint8Array.from(activities, ({ span }) => span)
    this.locked = Uint8Array.from(activities, ({ locked }) => (locked ? 1 : 0))
    this.at = new Int16Array(this.count).fill(nowhere)
    this.weight = new Float64Array(this.count).fill(1)
    this.roomAt = new Int16Array(this.count).fill(-1)
    this.#in = Array.from({ length: this.days * this.periods }, () => [])
    const { meets, met } = meetings(problem)
    this.#meets = meets
    this.#met = met
    this.#crowds = new Uint16Array(this.count * this.#in.length)
    this.#used = new Uint16Array(rooms.length * this.#in.length)
    this.#weeks = Int32Array.from(activities, (activity) => weeksOf(problem, activity))
    const placeOf = (day: number, period: number): number => {
      const [d, p] = [days.indexOf(day), periods.findIndex(({ no }) => no === period)]
      return d < 0 || p < 0 ? nowhere : d * this.periods + p
    }
    const wishes = wishesOf(problem, placeOf)
    this.#cost = wishes.cost
    this.#stay = wishes.stay
    this.places = activities.map((activity, i) => {
      if (activity.locked) return Int16Array.of(placeOf(activity.locked.day, activity.locked.period))
      const found: number[] = []
      for (let day = 0; day < this.days; day += 1)
        for (let start = 0; start < this.periods; start += 1) {
          const place = day * this.periods + start
          if (!fitsDay(periods, start, activity.span)) continue
          let isFree = true
          for (let n = 0; n < activity.span; n += 1) if (wishes.closed[i]![place + n]) isFree = false
          if (isFree) found.push(place)
        }
      const before = activity.stood && wishes.mustStay[i] ? placeOf(activity.stood.day, activity.stood.period) : nowhere
      return Int16Array.from(found.includes(before) ? [before] : found)
    })
    this.stood = Int16Array.from(activities, ({ stood }, i) => {
      const place = stood && this.#stay[i]! > 0 ? placeOf(stood.day, stood.period) : nowhere
      return this.places[i]!.includes(place) ? place : nowhere
    })
    const roomAt = new Map(rooms.map(({ id }, at) => [id, at]))
    this.#rooms = activities.map((activity) => {
      const own = activity.locked?.room
      return Int16Array.from(own === undefined ? (roomsFor(problem, activity) ?? []) : [own], (id) => roomAt.get(id)!)
    })
    this.#closed = rooms.map(({ closed = [] }) => {
      if (closed.length === 0) return undefined
      const shut = new Uint8Array(this.days * this.periods)
      for (const { day, period } of closed) if (placeOf(day, period) !== nowhere) shut[placeOf(day, period)] = 1
      return shut
    })
    const series = new SeriesLedger(problem, this)
    const people = new PeopleLedger(problem, this)
    const sets = new SetLedger(problem, this)
    const travel = new TravelLedger(problem, this)
    this.#ledgers = [
      ...(series.isNeeded ? [series] : []),
      ...(people.isNeeded ? [people] : []),
      ...(sets.isNeeded ? [sets] : []),
      ...(travel.isNeeded ? [travel] : []),
    ]
    this.canStrain = series.canStrain || people.canStrain
  }

  #meet(i: number, j: number): boolean {
    return this.#meets[i * this.count + j] === 1
  }

  /** How many lessons must leave at least, before a room and rules are asked, for one to begin there. */
  crowd(i: number, place: number): number {
    const from = i * this.#in.length + place
    let most = this.#crowds[from]!
    for (let n = 1; n < this.span[i]!; n += 1) most = Math.max(most, this.#crowds[from + n]!)
    return most
  }

  /**
   * The room for a lesson that is to begin there, −1 where it needs none, and into `out` the least that must leave; undefined
   * where something locked stands in the way. The lesson stands nowhere, or is lifted.
   */
  blockers(i: number, place: number, out: Set<number>): number | undefined {
    out.clear()
    const span = this.span[i]!
    const from = i * this.#in.length
    for (let n = 0; n < span; n += 1) {
      if (this.#crowds[from + place + n] === 0) continue
      for (const j of this.#in[place + n]!)
        if (j !== i && this.#meet(i, j)) {
          if (this.locked[j]) return undefined
          out.add(j)
        }
    }
    const room = this.#roomFor(i, place, out)
    if (room === undefined) return undefined
    for (const ledger of this.#ledgers) if (!ledger.drive(i, place, out)) return undefined
    return room
  }

  /** A room for a lesson there, with the fewest that must leave it; −1 where it needs none. */
  #roomFor(i: number, place: number, out: Set<number>): number | undefined {
    const options = this.#rooms[i]!
    if (options.length === 0) return -1
    let best: number | undefined
    let least: number[] = []
    for (const room of options) {
      const leaving = this.#leaving(i, place, room, out)
      if (!leaving) continue
      if (best === undefined || leaving.length < least.length) {
        best = room
        least = leaving
      }
      if (leaving.length === 0) break
    }
    for (const j of least) out.add(j)
    return best
  }

  #leaving(i: number, place: number, room: number, gone: ReadonlySet<number>): number[] | undefined {
    const places = this.#places[room]!.concurrency ?? 1
    const closed = this.#closed[room]
    const leaving: number[] = []
    for (let n = 0; n < this.span[i]!; n += 1) {
      if (closed?.[place + n]) return undefined
      if (this.#used[room * this.#in.length + place + n]! < places) continue
      let taken = 0
      for (const j of this.#in[place + n]!) {
        if (j === i || this.roomAt[j] !== room || gone.has(j) || leaving.includes(j)) continue
        if ((this.#weeks[i]! & this.#weeks[j]!) === 0) continue
        taken += 1
        if (taken < places) continue
        if (this.locked[j]) return undefined
        leaving.push(j)
      }
    }
    return leaving
  }

  /** The room of a locked lesson: its own, or the first that it may be in. */
  ownRoom(i: number): number {
    return this.#rooms[i]![0] ?? -1
  }

  put(i: number, place: number, room: number): void {
    for (const ledger of this.#ledgers) ledger.add(i, place)
    this.at[i] = place
    this.roomAt[i] = room
    for (let n = 0; n < this.span[i]!; n += 1) this.#in[place + n]!.push(i)
    this.#occupy(i, place, room, 1)
  }

  #occupy(i: number, place: number, room: number, sign: 1 | -1): void {
    const places = this.#in.length
    const [met, span, crowds] = [this.#met[i]!, this.span[i]!, this.#crowds]
    for (let n = 0; n < span; n += 1) {
      const at = place + n
      if (room >= 0) this.#used[room * places + at]! += sign
      for (let each = 0; each < met.length; each += 1) crowds[met[each]! * places + at]! += sign
    }
  }

  take(i: number): void {
    const place = this.at[i]!
    if (place === nowhere) return
    for (const ledger of this.#ledgers) ledger.remove(i, place)
    for (let n = 0; n < this.span[i]!; n += 1) {
      const there = this.#in[place + n]!
      there.splice(there.indexOf(i), 1)
    }
    this.#occupy(i, place, this.roomAt[i]!, -1)
    this.at[i] = nowhere
    this.roomAt[i] = -1
  }

  /** Leaves a lesson out of all counts while it is asked where else it could be; `settle` counts it again. */
  lift(i: number): void {
    for (const ledger of this.#ledgers) ledger.remove(i, this.at[i]!)
  }

  settle(i: number): void {
    for (const ledger of this.#ledgers) ledger.add(i, this.at[i]!)
  }

  /** What the soft rules cost more once a lesson that stands nowhere, or is lifted, begins there. */
  cost(i: number, place: number): number {
    let sum = 0
    for (let n = 0; n < this.span[i]!; n += 1) sum += this.#cost[i]![place + n]!
    if (place !== this.stood[i]) sum += this.#stay[i]!
    for (const ledger of this.#ledgers) sum += ledger.cost(i, place)
    return sum
  }

  /** The same, with hard rules that a lesson there would break counted as very dear. */
  worth(i: number, place: number): number {
    const cost = this.cost(i, place)
    if (!this.canStrain) return cost
    let strain = 0
    for (const ledger of this.#ledgers) strain += ledger.strain?.(i, place) ?? 0
    return cost + strain * strainCost
  }

  /** How strongly hard rules that only a whole timetable can keep speak against a place. */
  pressure(i: number, place: number): number {
    let sum = 0
    if (this.canStrain) for (const ledger of this.#ledgers) sum += ledger.pressure?.(i, place) ?? 0
    return sum
  }

  /** By each such rule that is broken now, the lessons of which one has to stand elsewhere. */
  strained(): number[][] {
    return this.canStrain ? this.#ledgers.flatMap((ledger) => ledger.strained?.() ?? []) : []
  }
}

/** What rules say of single places: where a lesson cannot be, what it costs to be there, and to be elsewhere than before. */
function wishesOf(
  problem: Problem,
  placeOf: (day: number, period: number) => number,
): {
  readonly closed: readonly Uint8Array[]
  readonly cost: readonly Float64Array[]
  readonly stay: Float64Array
  readonly mustStay: Uint8Array
} {
  const { activities, periods, days } = problem
  const all = days.length * periods.length
  const classes = classesOf(problem)
  const cost = activities.map(() => new Float64Array(all))
  const closed = activities.map(() => new Uint8Array(all))
  const stay = new Float64Array(activities.length)
  const mustStay = new Uint8Array(activities.length)
  for (const rule of problem.rules) {
    if (rule.kind !== 'unavailable' && rule.kind !== 'half' && rule.kind !== 'stay') continue
    const against = new Set<number>()
    if (rule.kind === 'unavailable') for (const { day, period } of rule.slots) against.add(placeOf(day, period))
    if (rule.kind === 'half')
      for (let place = 0; place < all; place += 1)
        if (periods[place % periods.length]!.half !== rule.half) against.add(place)
    against.delete(nowhere)
    for (const [i, activity] of activities.entries()) {
      if (!selects(rule.of, activity, classes(activity))) continue
      if (rule.kind === 'stay') {
        if (activity.stood && rule.hard) mustStay[i] = 1
        else if (activity.stood && !rule.hard) stay[i]! += rule.weight
        continue
      }
      const share = countWeeks(weeksOf(problem, activity)) / problem.weeks
      for (const place of against)
        if (rule.hard) closed[i]![place] = 1
        else cost[i]![place]! += rule.weight * share
    }
  }
  return { closed, cost, stay, mustStay }
}

/** Which two lessons share somebody in a common week: a class, a teacher, a pupil, or a rule that keeps them apart. */
function meetings(problem: Problem): { readonly meets: Uint8Array; readonly met: readonly (readonly number[])[] } {
  const { activities } = problem
  const count = activities.length
  const meets = new Uint8Array(count * count)
  const met = activities.map((): number[] => [])
  const weeks = activities.map((activity) => weeksOf(problem, activity))
  const mark = (i: number, j: number): void => {
    if (i === j || meets[i * count + j] === 1 || (weeks[i]! & weeks[j]!) === 0) return
    meets[i * count + j] = 1
    meets[j * count + i] = 1
    met[i]!.push(j)
    met[j]!.push(i)
  }
  const each = (lists: Map<string, number[]>): void => {
    for (const all of lists.values()) for (const i of all) for (const j of all) if (i < j) mark(i, j)
  }
  const byKey = (keysOf: (activity: Activity) => readonly string[]): Map<string, number[]> => {
    const found = new Map<string, number[]>()
    for (const [i, activity] of activities.entries())
      for (const key of keysOf(activity)) {
        const held = found.get(key)
        if (held) held.push(i)
        else found.set(key, [i])
      }
    return found
  }
  const groups = new Map((problem.groups ?? []).map((group) => [group.id, group]))
  each(byKey(({ teachers }) => teachers))
  const whole = byKey(({ classes }) => classes)
  each(whole)
  each(byKey(({ groups: ids = [] }) => ids.flatMap((id) => groups.get(id)?.pupils ?? [])))
  for (const [classId, parts] of byKey(({ groups: ids = [] }) => ids.flatMap((id) => groups.get(id)?.classes ?? [])))
    for (const i of parts) for (const j of whole.get(classId) ?? []) mark(i, j)
  const ids = new Map(activities.map(({ id }, at) => [id, at]))
  for (const rule of problem.rules)
    if (rule.kind === 'apart' && rule.hard) {
      const apart = rule.activities.flatMap((id) => ids.get(id) ?? [])
      for (const i of apart) for (const j of apart) mark(i, j)
    }
  return { meets, met }
}
