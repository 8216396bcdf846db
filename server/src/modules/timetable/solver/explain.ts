import type { Highs } from 'highs'
import { type Ask, giveUp, type Relaxation, usualManner } from './explain-asks.ts'
import { shortages } from './explain-count.ts'
import { Model } from './explain-model.ts'
import { type ChosenRelaxation, Program } from './explain-program.ts'
import { type Activity, type Problem, peopleOf, type Rule, roomsFor, seriesOf } from './problem.ts'
import { solve } from './solve.ts'

/** Lessons that cannot all have a place, and what is the least to give up so that they can. */
export interface Obstacle {
  /** Lessons of one teacher, of one class in one subject, of one class, in the same rooms, or of several of these. */
  readonly kind: 'teacher' | 'subject' | 'class' | 'rooms' | 'together'
  readonly teachers: readonly string[]
  /** Classes, and groups of pupils. */
  readonly classes: readonly string[]
  readonly subjects: readonly string[]
  readonly rooms: readonly string[]
  /** Hard rules of what may be given up. */
  readonly rules: readonly string[]
  /** Periods that the lessons take, and the open periods that they have, where those are fewer. */
  readonly lessons: number
  readonly places: number | null
  /** Ways out: of each kind of them one, the cheapest first; any of its sets is enough. */
  readonly ways: readonly (readonly (readonly Ask[])[])[]
}

export interface Explanation {
  readonly obstacles: readonly Obstacle[]
  /** What the first set of each obstacle's first way gives up, together. */
  readonly given: readonly Ask[]
  /** Whether a timetable was found once that is given up. */
  readonly enough: boolean
}

export interface Explaining {
  readonly highs: Highs
  /** Seconds of this thread. */
  readonly seconds: number
  readonly seed: number
  /** How each rule may be given up, where it is not as usual. */
  readonly mannerOf?: (rule: Rule) => Relaxation
  readonly stop?: () => boolean
}

/** Columns up to which a school is looked at as a whole, up to which lessons are with all around them, and up to which it grows: memory goes by it. */
const sizes = { whole: 3_000, around: 2_000, most: 6_000 } as const
/** Sets that are as cheap, at most: of one thing each, and of several. */
const [mostSets, fewSets] = [12, 3] as const
/** Seconds of a search that shows whether what was given up is enough. */
const searching = 2
/** Obstacles found around the lessons of one search from which on everybody is looked at. */
const many = 3
/** Seconds that the look for another way out may take. */
const longest = 0.5
/** Obstacles of which more is told than one way out. */
const detailed = 10
/** Seconds after which lessons with those around them are too many to look at again and again. */
const slow = 0.15

/**
 * Why a problem has no timetable. Every obstacle is proved: its lessons alone are impossible, and what it names is the least, by the prices
 * of {@link prices}, that makes them possible beside the lessons around them. A problem that has a timetable has no obstacle.
 */
export function explain(problem: Problem, explaining: Explaining): Explanation {
  return new Explainer(problem, explaining).explain()
}

class Explainer {
  readonly #ends: number
  readonly #explaining: Explaining
  #model: Model
  readonly #given: Ask[] = []
  readonly #obstacles: Obstacle[] = []
  readonly #untried = new Set<Obstacle>()
  readonly #problem: Problem

  constructor(problem: Problem, explaining: Explaining) {
    this.#problem = problem
    this.#explaining = explaining
    this.#ends = performance.now() + explaining.seconds * 1_000
    this.#model = this.#modelOf(problem)
  }

  get #left(): number {
    return this.#explaining.stop?.() ? 0 : (this.#ends - performance.now()) / 1_000
  }

  #modelOf(problem: Problem): Model {
    return new Model(problem, this.#explaining.mannerOf ?? usualManner)
  }

  explain(): Explanation {
    const all = this.#model.kins.map((_, at) => at)
    if (this.#columnsOf(all) <= sizes.whole) {
      const found = this.#settle(all, all)
      return this.#end(found && this.#search().length === 0)
    }
    for (;;) {
      const [short] = shortages(this.#model)
      if (!short || this.#left <= 0 || !this.#settle(short.kins, this.#around(short.kins))) break
    }
    for (;;) {
      if (this.#left <= 0) return this.#end(false)
      const without = this.#search()
      if (without.length === 0) return this.#end(true)
      // A search that got stuck may have begun unluckily.
      if (!this.#grow(without)) return this.#end([1, 2].some((more) => this.#search(undefined, more).length === 0))
    }
  }

  #end(enough: boolean): Explanation {
    const obstacles = this.#obstacles.map((obstacle) =>
      this.#untried.has(obstacle) ? this.#tried(obstacle, enough) : obstacle,
    )
    return { obstacles, given: this.#given, enough }
  }

  /** Of the ways out that were not looked at beside the lessons around, those with which a search places everything. */
  #tried(obstacle: Obstacle, enough: boolean): Obstacle {
    const first = obstacle.ways[0]![0]!
    const others = this.#given.filter((ask) => !first.includes(ask))
    const isEnough = (set: readonly Ask[]): boolean =>
      set === first ||
      (enough && this.#left > 0 && this.#search(giveUp(this.#problem, [...others, ...set])).length === 0)
    const ways = obstacle.ways.map((sets) => sets.filter(isEnough)).filter((sets) => sets.length > 0)
    return { ...obstacle, ways, rules: rulesIn(ways) }
  }

  #columnsOf(kins: readonly number[]): number {
    return kins.reduce((sum, at) => sum + this.#model.kins[at]!.places.length, 0)
  }

  /** The lessons that a search leaves without a place, or that break a rule where it put them. */
  #search(problem: Problem = this.#model.problem, more = 0): string[] {
    const { stop } = this.#explaining
    const seed = this.#explaining.seed + more
    const seconds = Math.max(0.2, Math.min(searching, this.#left))
    const { evaluation } = solve(problem, { seed, seconds, improves: false, ...(stop ? { stop } : {}) })
    return [...new Set(evaluation.violations.flatMap(({ hard, activities }) => (hard ? activities : [])))]
  }

  /** Lessons with all that share somebody or something with them, as far as they are not too many. */
  #around(kins: readonly number[], most: number = sizes.around): number[] {
    const keys = new Set(kins.flatMap((at) => this.#model.kins[at]!.takes))
    const near = this.#model.kins.flatMap(({ takes }, at) => (takes.some((key) => keys.has(key)) ? at : []))
    const wider = [...new Set([...kins, ...near])]
    return this.#columnsOf(wider) <= most ? wider : [...kins]
  }

  /** Looks for what is impossible around lessons without a place: in each that they take by itself first, then ever wider. */
  #grow(without: readonly string[]): boolean {
    const lost = new Set(without)
    const kinsOf = (): number[] =>
      this.#model.kins.flatMap(({ activities }, at) => (activities.some(({ id }) => lost.has(id)) ? at : []))
    const keysOf = (kins: readonly number[]): Set<string> =>
      new Set(kins.flatMap((at) => this.#model.kins[at]!.takes.filter((key) => !key.startsWith('pupil'))))
    let found = 0
    const sweep = (keys: ReadonlySet<string>): void => {
      for (const key of keys) {
        if (this.#left <= 0) return
        const cluster = this.#model.kins.flatMap(({ takes }, at) => (takes.includes(key) ? at : []))
        if (this.#settle(cluster, this.#around(cluster))) found += 1
      }
    }
    const near = keysOf(kinsOf())
    sweep(near)
    // Where many are, there are more, of which a search leaves no lesson by chance.
    if (found >= many) {
      const all = keysOf(this.#model.kins.map((_, at) => at))
      sweep(new Set([...all].filter((key) => !near.has(key))))
    }
    if (found > 0) return true
    for (const at of kinsOf()) {
      let cluster: readonly number[] = this.#around([at], sizes.most)
      for (let size = 0; cluster.length > size; ) {
        if (this.#left <= 0) return false
        if (this.#settle(cluster, this.#around(cluster))) return true
        size = cluster.length
        cluster = this.#around(cluster, sizes.most)
      }
    }
    return false
  }

  #program(kins: readonly number[]): Program {
    return new Program(this.#model, kins)
  }

  #costOf(kins: readonly number[]): number | undefined {
    return kins.length === 0 ? 0 : this.#program(kins).least(this.#explaining.highs, this.#left)?.cost
  }

  /** Names what is impossible in these lessons, with what is the least to give up beside those around them; gives it up. */
  #settle(cluster: readonly number[], wide: readonly number[]): boolean {
    const { highs } = this.#explaining
    const inner = this.#program(cluster)
    const alone = cluster.length > 0 ? inner.least(highs, this.#left) : undefined
    if (!alone?.cost) return false
    const begun = performance.now()
    const isBrief = this.#obstacles.length >= detailed
    const outer = wide.length > cluster.length && !isBrief ? this.#program(wide) : inner
    const beside = outer === inner ? alone : outer.least(highs, this.#left)
    const isSlow = performance.now() - begun > slow * 1_000
    const own = beside?.chosen.filter(({ key }) => inner.asked.has(key)) ?? []
    // What the lessons around need besides is found where these are impossible by themselves.
    const isOwn = beside !== undefined && outer.priceOf(own) === alone.cost
    const [program, least] = beside ? [outer, beside] : [inner, alone]
    const chosen = isOwn ? own : least.chosen
    const core = isBrief
      ? cluster
      : isOwn || !beside
        ? this.#coreOf(cluster, alone.cost)
        : this.#coreOf(wide, beside.cost)
    const isNarrow = !beside || (isOwn && (isSlow || isBrief))
    // Nothing around them was looked at, though there is something.
    const isAlone = (isNarrow || wide.length === cluster.length) && wide.length < this.#model.kins.length
    const scene = isNarrow ? { kins: cluster, cost: alone.cost, chosen } : { kins: wide, ...least }
    for (const part of this.#partsOf(core, program, chosen)) {
      const asks = program.asksOf(part.chosen)
      const obstacle = this.#obstacle(part.kins, scene, asks, part.chosen)
      this.#obstacles.push(obstacle)
      this.#given.push(...asks)
      if (isAlone) this.#untried.add(obstacle)
    }
    const asks = program.asksOf(chosen)
    this.#model = this.#modelOf(giveUp(this.#model.problem, asks))
    return true
  }

  /** The fewest of these lessons that cost as much by themselves: what can be left out is, in ever smaller lots. */
  #coreOf(kins: readonly number[], cost: number): number[] {
    let core = [...kins]
    for (let lot = Math.ceil(core.length / 2); lot >= 1 && this.#left > 0; lot = lot === 1 ? 0 : Math.ceil(lot / 2))
      for (let from = 0; from < core.length && this.#left > 0; ) {
        const rest = [...core.slice(0, from), ...core.slice(from + lot)]
        if ((this.#costOf(rest) ?? 0) >= cost) core = rest
        else from += lot
      }
    return core
  }

  /**
   * Lessons that are impossible each by themselves, apart: those of one teacher, in one set of rooms or of one class, where they
   * and the others cost as much one by one as together.
   */
  #split(core: readonly number[]): { readonly kins: readonly number[]; readonly cost: number }[] {
    const cost = this.#costOf(core) ?? 0
    const keys = new Set(core.flatMap((at) => this.#model.kins[at]!.takes.filter((key) => !key.startsWith('pupil'))))
    const sharing = (key: string): number[] => core.filter((at) => this.#model.kins[at]!.takes.includes(key))
    // What all share says more than what some do.
    if ([...keys].some((key) => sharing(key).length === core.length)) return [{ kins: core, cost }]
    for (const key of keys) {
      const part = sharing(key)
      const own = this.#costOf(part) ?? 0
      if (own === 0 || own === cost) continue
      const rest = core.filter((at) => !part.includes(at))
      if (own + (this.#costOf(rest) ?? 0) === cost) return [...this.#split(part), ...this.#split(rest)]
    }
    return [{ kins: core, cost }]
  }

  /** The parts of impossible lessons, each with what is given up for it. */
  #partsOf(
    core: readonly number[],
    program: Program,
    chosen: readonly ChosenRelaxation[],
  ): { readonly kins: readonly number[]; readonly chosen: readonly ChosenRelaxation[] }[] {
    const parts = this.#split(core).map(({ kins, cost }) => ({
      ...{ kins, left: cost, chosen: [] as ChosenRelaxation[] },
      keys: new Set(this.#program(kins).asked.keys()),
    }))
    for (const each of chosen) {
      const price = program.priceOf([each])
      const touching = parts.filter(({ keys }) => keys.has(each.key))
      const part = touching.find(({ left }) => left >= price) ?? touching[0] ?? parts[0]!
      part.left -= price
      part.chosen.push(each)
    }
    return parts
  }

  /** An obstacle with the ways out of it: what is given up first, what else is as cheap, and what there is of other kinds. */
  #obstacle(
    core: readonly number[],
    scene: { readonly kins: readonly number[]; readonly cost: number; readonly chosen: readonly ChosenRelaxation[] },
    first: readonly Ask[],
    own: readonly ChosenRelaxation[],
  ): Obstacle {
    const touching = this.#program(core).asked
    const taken = new Set(own.map(({ key }) => key))
    const fixed = new Set(scene.chosen.flatMap(({ key }) => (taken.has(key) ? [] : key)))
    /** What else frees these lessons, with what is given up for others. */
    const another = (allowed: (kind: Ask['kind']) => boolean, not: readonly (readonly ChosenRelaxation[])[] = []) => {
      // The others are known by half of the time at the latest: what is left is for what else is impossible.
      const seconds = Math.min(not.length > 0 ? longest : longest * 4, this.#left - this.#explaining.seconds / 2)
      if (seconds <= 0) return undefined
      const next = this.#program(scene.kins)
      next.allow((key, kind) => fixed.has(key) || (touching.has(key) && allowed(kind)))
      for (const each of not) next.otherThan(each)
      if (not.length > 0) next.atMost(scene.cost)
      const least = next.least(this.#explaining.highs, seconds)
      const chosen = least?.chosen.filter(({ key }) => !fixed.has(key)) ?? []
      return least && { cost: least.cost, chosen, asks: next.asksOf(chosen) }
    }
    if (this.#obstacles.length >= detailed) return { ...this.#about(core), rules: rulesIn([[first]]), ways: [[first]] }
    const sets: (readonly Ask[])[] = [first]
    const seen = [own]
    while (sets.length < (first.length > 1 ? fewSets : mostSets) && own.length > 0) {
      const next = another(() => true, seen)
      if (!next || next.chosen.length === 0) break
      sets.push(next.asks)
      seen.push(next.chosen)
    }
    const kinds = new Set(sets.flat().map(({ kind }) => kind))
    const ways = [sets]
    for (const kind of ['lock', 'rule', 'limit', 'room', 'lesson'] as const) {
      if (kinds.has(kind) || ![...touching.values()].some((each) => each.kind === kind)) continue
      const next = another((each) => each === kind || each === 'lesson')
      if (next && next.chosen.length > 0 && next.asks.every((ask) => ask.kind === kind)) ways.push([next.asks])
    }
    return { ...this.#about(core), rules: rulesIn(ways), ways }
  }

  /** Whom the lessons are of, and how many they are for how many open periods. */
  #about(core: readonly number[]): Omit<Obstacle, 'ways' | 'rules'> {
    const { kins, problem } = this.#model
    const activities = core.flatMap((at) => kins[at]!.activities)
    const common = (of: (activity: Activity) => readonly string[]): string[] =>
      of(activities[0]!).filter((id) => activities.every((each) => of(each).includes(id)))
    const all = (of: (activity: Activity) => readonly string[]): string[] => [...new Set(activities.flatMap(of))]
    const takers = ({ classes, groups = [] }: Activity): string[] => [...classes, ...groups]
    const subjects = all(({ subject }) => [subject])
    const rooms = (activity: Activity): string[] => roomsFor(problem, activity) ?? []
    const [teacher, taker] = [common(({ teachers }) => teachers), common(takers)]
    const sharing = common(rooms)
    const kind =
      taker.length > 0 && subjects.length === 1
        ? 'subject'
        : teacher.length > 0
          ? 'teacher'
          : taker.length > 0
            ? 'class'
            : sharing.length > 0
              ? 'rooms'
              : 'together'
    const short = shortages(this.#model).filter((each) => each.kins.every((at) => core.includes(at)))
    const most = short.toSorted((a, b) => b.lessons - b.places - (a.lessons - a.places))[0]
    return {
      kind,
      teachers: kind === 'teacher' ? teacher : all(({ teachers }) => teachers),
      classes: kind === 'class' ? taker : all(takers),
      subjects,
      rooms: kind === 'rooms' ? sharing : [],
      ...(most ? { lessons: most.lessons, places: most.places } : this.#counted(kind, core)),
    }
  }

  /** How many periods lessons take, and how many limits or rooms leave them, where those are fewer. */
  #counted(kind: Obstacle['kind'], core: readonly number[]): { lessons: number; places: number | null } {
    const { kins, hard, problem } = this.#model
    const lessons = core.reduce((sum, at) => sum + kins[at]!.activities.length * kins[at]!.span, 0)
    const [first] = core.map((at) => kins[at]!)
    const { teachers, subject } = first!.activities[0]!
    let places = Number.POSITIVE_INFINITY
    for (const rule of hard) {
      const limits =
        kind === 'teacher'
          ? rule.kind === 'perDay' && peopleOf(problem, rule.of).ids.some((id) => teachers.includes(id))
          : kind === 'subject' &&
            rule.kind === 'subjectPerDay' &&
            seriesOf(problem, rule.of).some((each) => each.subject === subject && first!.classes.includes(each.who))
      if (limits && 'max' in rule) places = Math.min(places, rule.max * problem.days.length)
    }
    if (kind === 'rooms') {
      const inRooms = problem.rooms.filter(({ id }) => first!.rooms?.includes(id))
      const slots = problem.days.length * problem.periods.length
      places = inRooms.reduce((sum, { concurrency = 1, closed = [] }) => sum + concurrency * (slots - closed.length), 0)
    }
    return { lessons, places: places < lessons ? places : null }
  }
}

const rulesIn = (ways: readonly (readonly (readonly Ask[])[])[]): string[] => [
  ...new Set(ways.flat(2).flatMap((ask) => ('rule' in ask ? ask.rule : []))),
]

export type { Ask, Relaxation as Manner } from './explain-asks.ts'
