import type { Highs } from 'highs'
import { type Ask, prices } from './explain-asks.ts'
import type { InterchangeableLessons, Model } from './explain-model.ts'
import { Rows } from './explain-rows.ts'
import { addRuleRows } from './explain-rules.ts'

/** A relaxation that the solution uses, and how often. */
export interface ChosenRelaxation {
  /** Which relaxation: the same key in every program of a model. */
  readonly key: string
  readonly count: number
}

export interface CheapestRelaxation {
  readonly cost: number
  readonly chosen: readonly ChosenRelaxation[]
}

/** Columns of the program that count how far one rule is relaxed, with their price. */
export interface PricedColumns {
  readonly kind: Ask['kind']
  readonly price: number
  readonly columns: number[]
  readonly asks: (count: number) => Ask[]
}

/**
 * Some lessons of a problem as a linear program with whole numbers: each begins in one place or is not given, nothing is taken twice, and
 * every hard rule holds or is given up for its price. What it leaves out are the other lessons, so that its least is never
 * above that of the whole.
 */
export class Program {
  readonly rows = new Rows()
  readonly model: Model
  /** Which lessons are in it. */
  readonly kins: readonly number[]
  readonly asked = new Map<string, PricedColumns>()
  /** By lesson and place: the column that says how many begin there. */
  readonly #begins = new Map<number, ReadonlyMap<number, number>>()
  /** By lesson: the column that says how many are not given. */
  readonly notGiven = new Map<number, number>()
  readonly #periods: number

  constructor(model: Model, kins: readonly number[]) {
    this.model = model
    this.kins = kins
    this.#periods = model.problem.periods.length
    for (const at of kins) this.#addKin(at)
    this.#addClosings()
    for (const clique of model.cliques) this.#addClique(clique.kins.filter((at) => this.#begins.has(at)))
    this.#addRooms()
    addRuleRows(this)
  }

  /** The least that is to be given up, within so many seconds; only of these kinds where they are given. */
  least(highs: Highs, seconds: number): CheapestRelaxation | undefined {
    const found = this.rows.least(highs, seconds)
    if (!found) return undefined
    const chosen = [...this.asked].flatMap(([key, { columns }]) => {
      const count = columns.reduce((sum, column) => sum + found.values[column]!, 0)
      return count > 0 ? [{ key, count }] : []
    })
    return { cost: found.cost, chosen }
  }

  /** Leaves open only what is so. */
  allow(allowed: (key: string, kind: Ask['kind']) => boolean): void {
    for (const [key, { kind, columns }] of this.asked)
      if (!allowed(key, kind)) for (const column of columns) this.rows.bound(column, 0)
  }

  /** Asks for something else than these together. */
  otherThan(chosen: readonly ChosenRelaxation[]): void {
    const terms = chosen.flatMap(({ key }) => this.asked.get(key)?.columns.map((column) => [column, 1] as const) ?? [])
    this.rows.row(terms, -Infinity, chosen.reduce((sum, { count }) => sum + count, 0) - 1)
  }

  /** Asks for nothing dearer than this. */
  atMost(cost: number): void {
    const terms = [...this.asked.values()].flatMap(({ price, columns }) =>
      columns.map((column) => [column, price] as const),
    )
    this.rows.row(terms, -Infinity, cost)
  }

  /** What these cost together. */
  priceOf(chosen: readonly ChosenRelaxation[]): number {
    return chosen.reduce((sum, { key, count }) => sum + this.asked.get(key)!.price * count, 0)
  }

  asksOf(chosen: readonly ChosenRelaxation[]): Ask[] {
    return chosen.flatMap(({ key, count }) => this.asked.get(key)!.asks(count))
  }

  kin(at: number): InterchangeableLessons {
    return this.model.kins[at]!
  }

  /** Columns of the lesson's beginnings by which it takes this period. */
  covers(at: number, period: number): number[] {
    const begins = this.#begins.get(at)!
    const day = Math.floor(period / this.#periods)
    return Array.from({ length: this.kin(at).span }, (_, n) => period - n).flatMap((place) => {
      const column = Math.floor(place / this.#periods) === day ? begins.get(place) : undefined
      return column === undefined ? [] : column
    })
  }

  begins(at: number): ReadonlyMap<number, number> {
    return this.#begins.get(at)!
  }

  /** The column of something that can be given up, the same for the same key. */
  ask(key: string, price: number, most: number, asks: (count: number) => Ask[]): number {
    const there = this.asked.get(key)
    if (there) return there.columns[0]!
    const column = this.rows.column(price, most)
    this.asked.set(key, { price, kind: asks(1)[0]!.kind, columns: [column], asks })
    return column
  }

  /** A further column that counts with one of {@link ask}. */
  askMore(key: string, price: number): number {
    const column = this.rows.column(price, 1)
    this.asked.get(key)!.columns.push(column)
    return column
  }

  /** The lessons among these that are held in each part of the term that matters to them. */
  bySet(kins: readonly number[]): number[][] {
    const parts = new Map<string, number[]>()
    for (const set of this.model.sets) {
      const own = kins.filter((at) => (this.kin(at).weeks & set) !== 0)
      if (own.length > 0) parts.set(own.join(), own)
    }
    return [...parts.values()]
  }

  get places(): number[] {
    return Array.from({ length: this.model.problem.days.length * this.#periods }, (_, at) => at)
  }

  /** The places of each day, in order. */
  get daysOf(): number[][] {
    return this.model.problem.days.map((_, day) =>
      Array.from({ length: this.#periods }, (__, n) => day * this.#periods + n),
    )
  }

  #addKin(at: number): void {
    const { activities, places, locked, span } = this.kin(at)
    const count = activities.length
    const begins = new Map<number, number>()
    for (const place of places) begins.set(place, this.rows.column(0, count))
    this.#begins.set(at, begins)
    const none = this.ask(`lesson ${at}`, prices.lesson * span, count, (many) =>
      activities.slice(-many).map(({ id }) => ({ kind: 'lesson', activity: id })),
    )
    this.notGiven.set(at, none)
    this.rows.row([...[...begins.values(), none].map((column) => [column, 1] as const)], count, count)
    if (locked === undefined) return
    const open = this.ask(`lock ${at}`, prices.lock, 1, () => [{ kind: 'lock', activity: activities[0]!.id }])
    const elsewhere = [...begins].filter(([place]) => place !== locked).map(([, column]) => [column, 1] as const)
    this.rows.row([...elsewhere, [open, -1]], -Infinity, 0)
  }

  /** A lesson takes a closed period only where that is given up; those of one teacher in the same weeks have one row together. */
  #addClosings(): void {
    const rows = new Map<string, { column: number; count: number; terms: Set<number> }>()
    for (const at of this.kins) {
      const { span, weeks, activities } = this.kin(at)
      const [teacher] = activities[0]!.teachers
      for (const [place, column] of this.#begins.get(at)!)
        for (let n = 0; n < span; n += 1)
          for (const { ask, rule, price } of this.model.closings(at, place + n, n === 0)) {
            if (!ask) {
              this.rows.bound(column, 0)
              continue
            }
            const key = ask.kind === 'slot' ? `slot ${rule} ${place + n}` : `rule ${rule}`
            const given = this.ask(key, price, 1, () => [ask])
            const own = teacher === undefined ? `${column}` : `${teacher} ${weeks}`
            const row = rows.get(`${given} ${place + n} ${own}`) ?? {
              column: given,
              count: teacher === undefined ? activities.length : 1,
              terms: new Set<number>(),
            }
            row.terms.add(column)
            rows.set(`${given} ${place + n} ${own}`, row)
          }
    }
    for (const { column, count, terms } of rows.values())
      this.rows.row([...[...terms].map((each) => [each, 1] as const), [column, -count]], -Infinity, 0)
  }

  #addClique(kins: readonly number[]): void {
    const alone = kins.length === 1 && this.kin(kins[0]!).activities.length === 1
    if (kins.length === 0 || alone) return
    for (const own of this.bySet(kins))
      for (const place of this.places) {
        const terms = own.flatMap((at) => this.covers(at, place)).map((column) => [column, 1] as const)
        if (terms.length > 0) this.rows.row(terms, -Infinity, 1)
      }
  }

  /** Rooms hold no more lessons at once than they take: those that some lessons choose from, and those that choices share. */
  #addRooms(): void {
    const choices = new Map<string, ReadonlySet<string>>()
    for (const at of this.kins) {
      const { rooms } = this.kin(at)
      if (rooms) choices.set(rooms.toSorted().join(), new Set(rooms))
    }
    if (choices.size === 0) return
    const signatures = new Map<string, string>()
    for (const [key, rooms] of choices) for (const id of rooms) signatures.set(id, `${signatures.get(id) ?? ''};${key}`)
    for (const shared of together([...choices.values()])) choices.set([...shared].toSorted().join(), shared)
    const byId = new Map(this.model.problem.rooms.map((room) => [room.id, room]))
    for (const rooms of choices.values()) {
      const kins = this.kins.filter((at) => this.kin(at).rooms?.every((id) => rooms.has(id)))
      if (this.#isOfOneClass(kins, rooms.size)) continue
      const more = [...new Set([...rooms].map((id) => signatures.get(id)!))].map((signature) => {
        const alike = [...signatures].flatMap(([id, each]) => (each === signature ? id : []))
        return this.ask(`room ${signature}`, prices.room, this.kins.length, (count) => [
          { kind: 'room', rooms: alike, count },
        ])
      })
      for (const own of this.bySet(kins))
        for (const place of this.places) {
          const { day, period } = this.model.slotAt(place)
          const terms = own.flatMap((at) => this.covers(at, place)).map((column) => [column, 1] as const)
          const takes = [...rooms].reduce((sum, id) => {
            const { concurrency = 1, closed = [] } = byId.get(id) ?? { concurrency: 0 }
            return closed.some((slot) => slot.day === day && slot.period === period) ? sum : sum + concurrency
          }, 0)
          this.rows.row([...terms, ...more.map((column) => [column, -1] as const)], -Infinity, takes)
        }
    }
  }

  /** Whether lessons are of one class, which has but one at a time, as those in its own room. */
  #isOfOneClass(kins: readonly number[], rooms: number): boolean {
    const [first] = kins
    const one = first === undefined ? undefined : this.kin(first).activities[0]!.classes[0]
    return rooms > 0 && one !== undefined && kins.every((at) => this.kin(at).activities[0]!.classes.includes(one))
  }
}

/** Sets that share an element, one after the other, as one. */
function together(sets: readonly ReadonlySet<string>[]): ReadonlySet<string>[] {
  let found: ReadonlySet<string>[] = []
  for (const set of sets) {
    const near = found.filter((each) => [...each].some((id) => set.has(id)))
    found = [...found.filter((each) => !near.includes(each)), new Set([...set, ...near.flatMap((each) => [...each])])]
  }
  return found
}
