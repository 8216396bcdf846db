import { type Evaluation, evaluate } from './evaluate.ts'
import { nowhere } from './ledger.ts'
import type { Problem, Timetable } from './problem.ts'
import { makeDice, Search, strainCost } from './search.ts'

export interface Solving {
  /** The same seed gives the same timetable, as far as the time lasts. */
  readonly seed: number
  /** Seconds of this thread; it ends earlier where nothing is left to improve or `stop` says so. */
  readonly seconds: number
  /** Told about four times a second: lessons that have a place, of how many, and how good it is so far. */
  readonly onProgress?: (placed: number, total: number) => void
  readonly stop?: () => boolean
  /** Whether it goes on once all lessons have a place; it does where nothing is said. */
  readonly improves?: boolean
}

export interface Solution {
  readonly timetable: Timetable
  /** What the evaluator says of it: the lessons without a place are among its violations. */
  readonly evaluation: Evaluation
}

/** Steps between two looks at the clock. */
const breath = 256

/**
 * Places all lessons, then improves: a lesson without a place takes the slot from which the least is driven out, and what is
 * driven out again and again grows harder to drive out (iterative forward search with weights of conflicts); then lessons
 * move to, or change with, better slots until nothing costs anything, the time is over, or nothing more is gained. Lessons
 * that find no place at all stand in none, and the evaluation says which.
 */
export function solve(problem: Problem, { seed, seconds, onProgress, stop, improves = true }: Solving): Solution {
  const dice = makeDice(seed)
  const search = new Search(problem)
  const ends = performance.now() + seconds * 1_000
  let told = 0
  const isOver = (): boolean => {
    const now = performance.now()
    if (now - told > 250) {
      told = now
      onProgress?.(search.count - waiting.length, search.count)
    }
    return now > ends || stop?.() === true
  }
  const waiting = place(search)
  let best = Int16Array.from(search.at)
  let bestRooms = Int16Array.from(search.roomAt)
  let fewest = waiting.length
  let leastBroken = Number.POSITIVE_INFINITY
  const keep = (without: number, broken: number): void => {
    if (without > fewest || (without === fewest && broken >= leastBroken)) return
    fewest = without
    leastBroken = broken
    best = Int16Array.from(search.at)
    bestRooms = Int16Array.from(search.roomAt)
  }
  drive(search, waiting, dice, isOver, (without) => {
    if (without < fewest) keep(without, leastBroken)
  })
  // What only the whole can keep is looked at once all have a place, and takes at most its part of the time.
  const loosens = performance.now() + (seconds * 1_000 * (improves ? 1 : 2)) / 2
  while (search.canStrain && waiting.length === 0) {
    const strained = search.strained()
    keep(0, strained.length)
    if (strained.length === 0 || performance.now() > loosens || stop?.() === true) break
    loosen(search, strained, waiting, dice)
    drive(
      search,
      waiting,
      dice,
      () => performance.now() > loosens || isOver(),
      () => {},
    )
  }
  if (waiting.length > 0 && fewest === 0) {
    restore(search, best, bestRooms)
    waiting.length = 0
  }
  if (waiting.length === 0) {
    if (search.canStrain) restore(search, best, bestRooms)
    if (improves)
      improve(search, dice, isOver, () => {
        const { hard, soft } = evaluate(problem, timetableOf(problem, search, search.at, search.roomAt))
        return hard + soft
      })
    best = Int16Array.from(search.at)
    bestRooms = Int16Array.from(search.roomAt)
  }
  onProgress?.(search.count - fewest, search.count)
  const timetable = timetableOf(problem, search, best, bestRooms)
  return { timetable, evaluation: evaluate(problem, timetable) }
}

/** Places and rooms by lesson, as placements; lessons that stand nowhere are left out. */
function timetableOf(problem: Problem, search: Search, at: Int16Array, rooms: Int16Array): Timetable {
  const placements = problem.activities.flatMap((activity, i) => {
    const place = at[i]!
    if (place === nowhere) return []
    const room = rooms[i]! >= 0 ? { room: problem.rooms[rooms[i]!]!.id } : {}
    const day = problem.days[Math.floor(place / search.periods)]!
    return [{ activity: activity.id, day, period: problem.periods[place % search.periods]!.no, ...room }]
  })
  return { placements }
}

/**
 * Puts locked lessons where they are, and those that are to stay where they stood as far as they have place there; answers the
 * others, those with the fewest places and longest first.
 */
function place(search: Search): number[] {
  const out = new Set<number>()
  const waiting: number[] = []
  for (let i = 0; i < search.count; i += 1) {
    const [only] = search.places[i]!
    if (!search.locked[i]) waiting.push(i)
    else if (only !== undefined && only !== nowhere)
      search.put(i, only, search.blockers(i, only, out) ?? search.ownRoom(i))
  }
  const open = waiting.filter((i) => {
    const place = search.stood[i]!
    const room = place === nowhere ? undefined : search.blockers(i, place, out)
    if (room === undefined || out.size > 0) return true
    search.put(i, place, room)
    return false
  })
  return open.toSorted(
    (a, b) => search.span[b]! - search.span[a]! || search.places[a]!.length - search.places[b]!.length,
  )
}

/**
 * Finds a place for all that wait, as {@link solve} says. `onTurn` is told how many stand nowhere each time that some are about
 * to be driven out, and at the end: between two turns there are only fewer.
 */
function drive(
  search: Search,
  waiting: number[],
  dice: (below: number) => number,
  isOver: () => boolean,
  onTurn: (without: number) => void,
): void {
  const { weight } = search
  const out = new Set<number>()
  // Lessons for which there is no slot at all are left aside.
  const hopeless: number[] = []
  for (let step = 0; waiting.length > 0; step += 1) {
    if (step % breath === 0 && isOver()) break
    const at = step < search.count * 2 ? 0 : dice(waiting.length)
    const i = waiting[at]!
    let best = nowhere
    let least = Number.POSITIVE_INFINITY
    let equals = 0
    for (const place of search.places[i]!) {
      let cost = search.cost(i, place) * 0.01 + search.pressure(i, place)
      // A lesson that must leave weighs 1 at least: who it is matters for the few places alone that can be the best.
      if (cost + search.crowd(i, place) > least) continue
      if (search.blockers(i, place, out) === undefined) continue
      for (const j of out) cost += weight[j]! * search.span[j]!
      if (cost > least) continue
      equals = cost < least ? 1 : equals + 1
      if (cost < least || dice(equals) === 0) best = place
      least = cost
    }
    waiting.splice(at, 1)
    if (best === nowhere) {
      hopeless.push(i)
      continue
    }
    const room = search.blockers(i, best, out)!
    if (out.size > 0) onTurn(waiting.length + hopeless.length + 1)
    for (const j of out) {
      search.take(j)
      weight[j]! += 1
      waiting.push(j)
    }
    search.put(i, best, room)
  }
  waiting.push(...hopeless)
  onTurn(waiting.length)
}

/** Steps without any gain after which nothing more is expected. */
const patience = 60
/** Less than this is no difference of cost: shares of a term are fractions. */
const tiny = 1e-9

/** Takes a lesson of each rule that is strained out of its place: it finds another, and the rule weighs more by now. */
function loosen(
  search: Search,
  strained: readonly (readonly number[])[],
  waiting: number[],
  dice: (below: number) => number,
): void {
  for (const lessons of strained) {
    const standing = lessons.filter((i) => search.at[i] !== nowhere)
    if (standing.length < lessons.length || standing.length === 0) continue
    const i = standing[dice(standing.length)]!
    search.take(i)
    waiting.push(i)
  }
}

/** Puts all lessons back where they were. */
function restore(search: Search, at: Int16Array, rooms: Int16Array): void {
  for (let i = 0; i < search.count; i += 1) search.take(i)
  for (let i = 0; i < search.count; i += 1) if (at[i] !== nowhere) search.put(i, at[i]!, rooms[i]!)
}

/** Rounds of shaking without any gain after which nothing more is expected, beside one for each lesson. */
const shakes = 200

/**
 * Moves single lessons and lets pairs change places while that is no worse; then shakes a few lessons that cost something into
 * other places, improves around them, and keeps what is not worse than the best so far (iterated local search). It ends where
 * nothing costs anything (`costs` says what all does, once it stands), where time does, or where shaking no longer helps.
 */
function improve(search: Search, dice: (below: number) => number, isOver: () => boolean, costs: () => number): void {
  const free = Array.from({ length: search.count }, (_, i) => i).filter((i) => !search.locked[i])
  if (free.length === 0) return
  let isEnded = false
  const climb = (lessons: readonly number[], most: number): number => {
    let sum = 0
    let idle = 0
    for (let step = 0; idle < most; step += 1) {
      if (step % breath === 0) isEnded ||= isOver()
      if (isEnded) return sum
      idle += 1
      const i = lessons[dice(lessons.length)]!
      const change = move(search, i, search.places[i]![dice(search.places[i]!.length)]!, (by) => by <= tiny)
      sum += change
      if (change < -tiny) idle = 0
    }
    return sum
  }
  climb(free, patience * free.length)
  let cost = isEnded ? 0 : costs()
  const best = { at: Int16Array.from(search.at), roomAt: Int16Array.from(search.roomAt) }
  const beside = neighbours(search, free)
  for (let idle = 0; idle < shakes + free.length && cost > tiny && !isEnded; idle += 1) {
    let by = 0
    const near = new Set<number>()
    for (let left = 1 + dice(3); left > 0; left -= 1) {
      const i = dear(search, free, dice)
      const change = move(
        search,
        i,
        search.places[i]![dice(search.places[i]!.length)]!,
        (each) => each < strainCost / 2,
      )
      by += change
      for (const j of beside(i)) near.add(j)
    }
    const around = [...near]
    by += climb(around, around.length * 8)
    // Those that changed places with them may be of others.
    const moved = free.filter((i) => search.at[i] !== best.at[i] || search.roomAt[i] !== best.roomAt[i])
    if (by > tiny) {
      for (const i of moved) search.take(i)
      for (const i of moved) search.put(i, best.at[i]!, best.roomAt[i]!)
      continue
    }
    for (const i of moved) [best.at[i], best.roomAt[i]] = [search.at[i]!, search.roomAt[i]!]
    if (by < -tiny) idle = 0
    cost += by
  }
}

/** A lesson that costs something where it stands, if a few tries find one. */
function dear(search: Search, free: readonly number[], dice: (below: number) => number): number {
  let i = free[dice(free.length)]!
  for (let tries = 0; tries < 8; tries += 1) {
    search.lift(i)
    const cost = search.worth(i, search.at[i]!)
    search.settle(i)
    if (cost > tiny) return i
    i = free[dice(free.length)]!
  }
  return i
}

/** Lessons that share a class, a group or a teacher with one, it among them. */
function neighbours(search: Search, free: readonly number[]): (i: number) => Iterable<number> {
  const keys = search.activities.map(({ classes, groups = [], teachers }) => [
    ...classes.map((id) => `class ${id}`),
    ...groups.map((id) => `group ${id}`),
    ...teachers.map((id) => `teacher ${id}`),
  ])
  const lessons = new Map<string, number[]>()
  for (const i of free) for (const key of keys[i]!) lessons.set(key, [...(lessons.get(key) ?? []), i])
  return (i) => [i, ...keys[i]!.flatMap((key) => lessons.get(key)!)]
}

/**
 * Moves a lesson to another place, where another may have to take its own, if `accepts` the change of the cost; answers the
 * change, 0 where nothing moved.
 */
function move(search: Search, i: number, place: number, accepts: (change: number) => boolean): number {
  if (place === search.at[i] || search.crowd(i, place) > 1) return 0
  const out = new Set<number>()
  search.lift(i)
  const room = search.blockers(i, place, out)
  const isWorthALook = room !== undefined && out.size <= 1
  const [from, fromRoom] = [search.at[i]!, search.roomAt[i]!]
  const before = isWorthALook ? search.worth(i, from) : 0
  const change = isWorthALook && out.size === 0 ? search.worth(i, place) - before : 0
  search.settle(i)
  if (!isWorthALook) return 0
  const [j] = out
  if (j !== undefined) return exchange(search, { i, from, fromRoom, place, before }, j, accepts)
  if (!accepts(change)) return 0
  search.take(i)
  search.put(i, place, room)
  return change
}

interface Move {
  readonly i: number
  readonly from: number
  readonly fromRoom: number
  readonly place: number
  /** What the lesson costs where it is. */
  readonly before: number
}

/** Lets two lessons change places where both can, as {@link move} does with one. */
function exchange(
  search: Search,
  { i, from, fromRoom, place, before }: Move,
  j: number,
  accepts: (change: number) => boolean,
): number {
  const [there, thereRoom] = [search.at[j]!, search.roomAt[j]!]
  if (!search.places[j]!.includes(from)) return 0
  const out = new Set<number>()
  search.take(i)
  search.take(j)
  // Without the first the second may cost otherwise: both are what is there with neither.
  const cost = before + search.worth(j, there)
  const back = (): number => {
    search.take(i)
    search.take(j)
    search.put(i, from, fromRoom)
    search.put(j, there, thereRoom)
    return 0
  }
  const room = search.blockers(i, place, out)
  if (room === undefined || out.size > 0) return back()
  let after = search.worth(i, place)
  search.put(i, place, room)
  const other = search.blockers(j, from, out)
  if (other === undefined || out.size > 0) return back()
  after += search.worth(j, from)
  search.put(j, from, other)
  return accepts(after - cost) ? after - cost : back()
}
