import {
  type Activity,
  breaksBefore,
  campusOf,
  classesOf,
  countWeeks,
  type Demand,
  fitsDay,
  type Period,
  type Placement,
  type Problem,
  peopleOf,
  type Rule,
  roomsFor,
  type Slot,
  selects,
  seriesOf,
  type Timetable,
  weekSets,
  weeksOf,
} from './problem.ts'

/** What no rule of a clerk has to say: these always hold. */
export type Basic =
  | 'unplaced'
  | 'outside'
  | 'moved'
  | 'wrongRoom'
  | 'classTwice'
  | 'teacherTwice'
  | 'pupilsTwice'
  | 'roomFull'
  | 'roomClosed'

export interface Violation {
  kind: Basic | Demand['kind']
  /** Id of the rule; not there where `kind` is basic. */
  rule?: string
  hard: boolean
  /** How far it is broken, as the rule counts. */
  units: number
  /** `units` by the weight of the rule; 0 where it is hard. */
  cost: number
  /** Teacher, class, group or room that it is about. */
  who?: string
  activities: string[]
  slots: Slot[]
}

export interface Evaluation {
  /** Units by which hard rules are broken: 0 means that the timetable can be used. */
  hard: number
  /** Cost of the soft rules: less is better. */
  soft: number
  violations: Violation[]
}

/** A lesson that stands, with the places it takes. */
interface Stood {
  activity: Activity
  placement: Placement
  /** Place of its day among the days taught, and of its period in the day. */
  day: number
  start: number
  weeks: number
}

/** How many periods of runs in a day are above `max`; `busy` says which periods are taught. */
export function aboveInRow(periods: readonly Period[], busy: (at: number) => boolean, max: number): number {
  let above = 0
  let run = 0
  for (let at = 0; at < periods.length; at++) {
    if (breaksBefore(periods, at)) run = 0
    run = busy(at) ? run + 1 : 0
    if (run > max) above++
  }
  return above
}

/** How many periods between the first and the last lesson of a day are free. */
export function windowsIn(length: number, busy: (at: number) => boolean): number {
  let free = 0
  let pending = -1
  for (let at = 0; at < length; at++) {
    if (busy(at)) {
      if (pending > 0) free += pending
      pending = 0
    } else if (pending >= 0) pending++
  }
  return free
}

/**
 * Judges a timetable by all rules: every violation, with what is counted and where. It reads the problem as it is written and
 * shares no tables with the solver, so that each can be held against the other.
 */
export function evaluate(problem: Problem, timetable: Timetable): Evaluation {
  const found: Violation[] = []
  const stood = standing(problem, timetable, found)
  clashes(problem, stood, found)
  for (const rule of problem.rules) judge(problem, rule, stood, found)
  let hard = 0
  let soft = 0
  for (const violation of found) {
    if (violation.hard) hard += violation.units
    else soft += violation.cost
  }
  return { hard, soft, violations: found }
}

const basic = (kind: Basic, activities: string[], slots: Slot[] = [], who?: string): Violation => ({
  kind,
  hard: true,
  units: 1,
  cost: 0,
  activities,
  slots,
  ...(who === undefined ? {} : { who }),
})

/** Finds the place of every lesson; those without one, or outside the day, or not where they are locked, are told. */
function standing(problem: Problem, timetable: Timetable, found: Violation[]): Stood[] {
  const placements = new Map(timetable.placements.map((placement) => [placement.activity, placement]))
  const stood: Stood[] = []
  for (const activity of problem.activities) {
    const placement = placements.get(activity.id)
    if (!placement) {
      found.push(basic('unplaced', [activity.id]))
      continue
    }
    const slot = { day: placement.day, period: placement.period }
    const day = problem.days.indexOf(placement.day)
    const start = problem.periods.findIndex(({ no }) => no === placement.period)
    if (day < 0 || !fitsDay(problem.periods, start, activity.span)) {
      found.push(basic('outside', [activity.id], [slot]))
      continue
    }
    const { locked } = activity
    if (locked && (locked.day !== slot.day || locked.period !== slot.period))
      found.push(basic('moved', [activity.id], [slot]))
    const rooms = locked?.room === undefined ? roomsFor(problem, activity) : [locked.room]
    if (rooms && !(placement.room !== undefined && rooms.includes(placement.room)))
      found.push(basic('wrongRoom', [activity.id], [slot], placement.room))
    stood.push({ activity, placement, day, start, weeks: weeksOf(problem, activity) })
  }
  return stood
}

const slotAt = (problem: Problem, day: number, at: number): Slot => ({
  day: problem.days[day]!,
  period: problem.periods[at]!.no,
})

/** Nobody and no room is taken twice. */
function clashes(problem: Problem, stood: readonly Stood[], found: Violation[]): void {
  const groups = new Map((problem.groups ?? []).map((group) => [group.id, group]))
  const pupils = new Map([...groups].map(([id, group]) => [id, new Set(group.pupils)]))
  const shares = (a: Stood, b: Stood): string | undefined => {
    for (const id of a.activity.groups ?? []) {
      if (b.activity.classes.some((one) => groups.get(id)?.classes.includes(one))) return id
      for (const other of b.activity.groups ?? [])
        if (id === other || groups.get(other)?.pupils.some((pupil) => pupils.get(id)?.has(pupil))) return id
    }
    return undefined
  }
  const rooms = new Map(problem.rooms.map((room) => [room.id, room]))
  const sets = weekSets(problem)
  const cells = Map.groupBy(
    stood.flatMap((one) =>
      Array.from({ length: one.activity.span }, (_, more) => ({
        one,
        at: one.day * problem.periods.length + one.start + more,
      })),
    ),
    ({ at }) => at,
  )
  for (const [at, inCell] of cells) {
    const slot = slotAt(problem, Math.floor(at / problem.periods.length), at % problem.periods.length)
    for (const [index, { one }] of inCell.entries())
      for (let next = index + 1; next < inCell.length; next += 1) {
        const { one: other } = inCell[next]!
        if ((one.weeks & other.weeks) === 0) continue
        const both = [one.activity.id, other.activity.id]
        for (const id of one.activity.teachers)
          if (other.activity.teachers.includes(id)) found.push(basic('teacherTwice', both, [slot], id))
        for (const id of one.activity.classes)
          if (other.activity.classes.includes(id)) found.push(basic('classTwice', both, [slot], id))
        const group = shares(one, other) ?? shares(other, one)
        if (group !== undefined) found.push(basic('pupilsTwice', both, [slot], group))
      }
    const byRoom = Map.groupBy(inCell, ({ one }) => one.placement.room)
    for (const [id, within] of byRoom) {
      const room = id === undefined ? undefined : rooms.get(id)
      if (!room) continue
      const ids = within.map(({ one }) => one.activity.id)
      if (room.closed?.some(({ day, period }) => day === slot.day && period === slot.period))
        found.push(basic('roomClosed', ids, [slot], room.id))
      const full = sets.some(
        (set) => within.filter(({ one }) => (one.weeks & set) !== 0).length > (room.concurrency ?? 1),
      )
      if (full) found.push(basic('roomFull', ids, [slot], room.id))
    }
  }
}

type Tell = (units: number, activities: readonly Stood[], who?: string, slots?: Slot[]) => void

function judge(problem: Problem, rule: Rule, stood: readonly Stood[], found: Violation[]): void {
  const tell: Tell = (units, of, who, slots) => {
    if (units <= 0) return
    found.push({
      kind: rule.kind,
      rule: rule.id,
      hard: rule.hard === true,
      units,
      cost: rule.hard ? 0 : units * rule.weight,
      activities: of.map(({ activity }) => activity.id),
      slots: slots ?? of.map(({ placement: { day, period } }) => ({ day, period })),
      ...(who === undefined ? {} : { who }),
    })
  }
  switch (rule.kind) {
    case 'unavailable':
    case 'half':
      judgeSlots(problem, rule, stood, tell)
      break
    case 'perDay':
    case 'inRow':
    case 'windows':
    case 'daysPerWeek':
      judgePeople(problem, rule, stood, tell)
      break
    case 'stay':
      judgeStay(problem, rule, stood, tell)
      break
    case 'travel':
      judgeTravel(problem, rule, stood, tell)
      break
    case 'subjectPerDay':
    case 'spread':
      judgeSeries(problem, rule, stood, tell)
      break
    default:
      judgeSet(problem, rule, stood, tell)
  }
}

function judgeSlots(
  problem: Problem,
  rule: Extract<Rule, { kind: 'unavailable' | 'half' }>,
  stood: readonly Stood[],
  tell: Tell,
): void {
  const classes = classesOf(problem)
  for (const one of stood) {
    if (!selects(rule.of, one.activity, classes(one.activity))) continue
    const within: Slot[] = []
    for (let at = one.start; at < one.start + one.activity.span; at++) {
      const slot = slotAt(problem, one.day, at)
      const bad =
        rule.kind === 'half'
          ? problem.periods[at]!.half !== rule.half
          : rule.slots.some(({ day, period }) => day === slot.day && period === slot.period)
      if (bad) within.push(slot)
    }
    tell((within.length * countWeeks(one.weeks)) / problem.weeks, [one], undefined, within)
  }
}

/** The week sets of the term, with the share of it that each is. */
const shares = (problem: Problem): { set: number; share: number }[] =>
  weekSets(problem).map((set) => ({ set, share: countWeeks(set) / problem.weeks }))

function judgePeople(
  problem: Problem,
  rule: Extract<Rule, { kind: 'perDay' | 'inRow' | 'windows' | 'daysPerWeek' }>,
  stood: readonly Stood[],
  tell: Tell,
): void {
  const { kind, ids } = peopleOf(problem, rule.of)
  const classes = classesOf(problem)
  const parts = shares(problem)
  for (const id of ids) {
    const own = stood.filter(({ activity }) =>
      kind === 'teacher' ? activity.teachers.includes(id) : classes(activity).includes(id),
    )
    for (const { set, share } of parts) {
      const inSet = own.filter(({ weeks }) => (weeks & set) !== 0)
      const byDay = Map.groupBy(inSet, ({ day }) => day)
      if (rule.kind === 'daysPerWeek') {
        tell((byDay.size - rule.max) * share, inSet, id)
        continue
      }
      for (const ofDay of byDay.values()) {
        const busy = new Set(
          ofDay.flatMap(({ start, activity }) => Array.from({ length: activity.span }, (_, more) => start + more)),
        )
        const isBusy = (at: number): boolean => busy.has(at)
        const above =
          rule.kind === 'perDay'
            ? busy.size - rule.max
            : rule.kind === 'inRow'
              ? aboveInRow(problem.periods, isBusy, rule.max)
              : windowsIn(problem.periods.length, isBusy) - rule.max
        tell(above * share, ofDay, id)
      }
    }
  }
}

function judgeStay(problem: Problem, rule: Extract<Rule, { kind: 'stay' }>, stood: readonly Stood[], tell: Tell): void {
  const classes = classesOf(problem)
  for (const one of stood) {
    const { stood: before } = one.activity
    if (!before || !selects(rule.of, one.activity, classes(one.activity))) continue
    if (before.day !== one.placement.day || before.period !== one.placement.period) tell(1, [one])
  }
}

function judgeTravel(
  problem: Problem,
  rule: Extract<Rule, { kind: 'travel' }>,
  stood: readonly Stood[],
  tell: Tell,
): void {
  const parts = shares(problem)
  for (const id of peopleOf(problem, rule.of).ids) {
    const own = stood.filter(({ activity }) => activity.teachers.includes(id))
    for (const { set, share } of parts)
      for (const ofDay of Map.groupBy(
        own.filter(({ weeks }) => (weeks & set) !== 0),
        ({ day }) => day,
      ).values()) {
        const inOrder = ofDay
          .map((one) => ({ one, campus: campusOf(problem, one.activity) }))
          .filter(({ campus }) => campus !== undefined)
          .sort((a, b) => a.one.start - b.one.start)
        inOrder.slice(1).forEach(({ one, campus }, index) => {
          const before = inOrder[index]!
          if (before.campus === campus) return
          const free = one.start - (before.one.start + before.one.activity.span)
          tell((rule.gap - Math.max(0, free)) * share, [before.one, one], id)
        })
      }
  }
}

function judgeSeries(
  problem: Problem,
  rule: Extract<Rule, { kind: 'subjectPerDay' | 'spread' }>,
  stood: readonly Stood[],
  tell: Tell,
): void {
  const places = new Map(stood.map((one) => [one.activity.id, one]))
  const parts = shares(problem)
  for (const series of seriesOf(problem, rule.of)) {
    const own = series.activities.flatMap(({ id }) => places.get(id) ?? [])
    for (const { set, share } of parts) {
      const inSet = own.filter(({ weeks }) => (weeks & set) !== 0)
      const byDay = Map.groupBy(inSet, ({ day }) => day)
      if (rule.kind === 'spread')
        tell((Math.min(inSet.length, problem.days.length) - byDay.size) * share, inSet, series.who)
      else
        for (const ofDay of byDay.values())
          tell((ofDay.reduce((sum, { activity }) => sum + activity.span, 0) - rule.max) * share, ofDay, series.who)
    }
  }
}

function judgeSet(
  problem: Problem,
  rule: Extract<Rule, { kind: 'daysBetween' | 'sameTime' | 'apart' }>,
  stood: readonly Stood[],
  tell: Tell,
): void {
  const own = stood.filter(({ activity }) => rule.activities.includes(activity.id))
  if (rule.kind === 'sameTime') {
    tell(new Set(own.map(({ day, start }) => `${day}/${start}`)).size - 1, own)
    return
  }
  own.forEach((one, index) => {
    for (const other of own.slice(index + 1)) {
      const share = countWeeks(one.weeks & other.weeks) / problem.weeks
      if (share === 0) continue
      if (rule.kind === 'daysBetween')
        tell((rule.min - Math.abs(one.placement.day - other.placement.day)) * share, [one, other])
      else if (
        one.day === other.day &&
        one.start < other.start + other.activity.span &&
        other.start < one.start + one.activity.span
      )
        tell(1, [one, other])
    }
  })
}
