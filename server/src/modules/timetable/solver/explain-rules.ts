import { type Ask, prices } from './explain-asks.ts'
import type { Program } from './explain-program.ts'
import { breaksBefore, countWeeks, peopleOf, type Rule, seriesOf } from './problem.ts'

type Term = readonly [column: number, factor: number]
type OfPeople = Extract<Rule, { kind: 'perDay' | 'inRow' | 'windows' | 'daysPerWeek' }>

/** Adds the rows of every hard rule that is more than closed periods and lessons that are kept apart. */
export function addRuleRows(program: Program): void {
  for (const rule of program.model.hard)
    switch (rule.kind) {
      case 'perDay':
      case 'inRow':
      case 'windows':
      case 'daysPerWeek':
        addPeople(program, rule)
        break
      case 'subjectPerDay':
      case 'spread':
        addSeries(program, rule)
        break
      case 'daysBetween':
        addDaysBetween(program, rule)
        break
      case 'sameTime':
        addSameTime(program, rule)
        break
      case 'travel':
        addTravel(program, rule)
        break
      default:
    }
}

const ones = (columns: readonly number[], factor = 1): Term[] => columns.map((column) => [column, factor])

/** The column by which a whole rule is given up, if it may be. */
function whole(program: Program, rule: Rule): number | undefined {
  if (program.model.mannerOf(rule) === 'never') return undefined
  return program.ask(`rule ${rule.id}`, prices.rule, 1, () => [{ kind: 'rule', rule: rule.id }])
}

const given = (column: number | undefined, factor: number): Term[] => (column === undefined ? [] : [[column, factor]])

/** By how much a limit may be raised for somebody: the most that a day or a week has. */
function raised(
  program: Program,
  rule: Rule,
  who: string,
  subject?: string,
): { key: string; column: number } | undefined {
  if (program.model.mannerOf(rule) === 'never') return undefined
  const { days, periods } = program.model.problem
  const key = JSON.stringify(['limit', rule.id, who, subject])
  const ask = (count: number): Ask[] => [
    { kind: 'limit', rule: rule.id, who, ...(subject === undefined ? {} : { subject }), count },
  ]
  const most = rule.kind === 'inRow' ? 1 : Math.max(days.length, periods.length)
  return { key, column: program.ask(key, prices.limit, most, ask) }
}

function addPeople(program: Program, rule: OfPeople): void {
  const { kind, ids } = peopleOf(program.model.problem, rule.of)
  const has = (at: number, id: string): boolean =>
    kind === 'teacher' ? program.kin(at).activities[0]!.teachers.includes(id) : program.kin(at).classes.includes(id)
  for (const id of ids) {
    const own = program.kins.filter((at) => has(at, id))
    if (own.length === 0) continue
    // Lessons that are left out would stand in the gaps of the others.
    if (rule.kind === 'windows' && program.model.kins.some((_, at) => has(at, id) && !own.includes(at))) continue
    for (const part of program.bySet(own)) addPerson(program, rule, id, part)
  }
}

function addPerson(program: Program, rule: OfPeople, id: string, kins: readonly number[]): void {
  const more = raised(program, rule, id)
  const alone = kins.every((at) => (program.kin(at).activities[0]!.groups ?? []).length === 0)
  const exact = alone && rule.kind !== 'windows'
  /** Whether somebody has a lesson in a period, as a sum of columns. */
  const busy = (place: number): Term[] => {
    const covers = kins.flatMap((at) => program.covers(at, place))
    if (exact) return ones(covers)
    const column = program.rows.column(0, 1)
    for (const cover of covers)
      program.rows.row(
        [
          [cover, 1],
          [column, -1],
        ],
        -Infinity,
        0,
      )
    // A gap is one only where nobody is taught.
    if (rule.kind === 'windows') program.rows.row([[column, 1], ...ones(covers, -1)], -Infinity, 0)
    return [[column, 1]]
  }
  const days = program.daysOf
  if (rule.kind === 'daysPerWeek') {
    const used = days.map((places) => {
      const day = program.rows.column(0, 1)
      for (const place of places) program.rows.row([...busy(place), [day, -1]], -Infinity, 0)
      return day
    })
    program.rows.row([...ones(used), ...given(more?.column, -1)], -Infinity, rule.max)
    return
  }
  for (const places of days) {
    const taught = places.map(busy)
    if (rule.kind === 'perDay') program.rows.row([...taught.flat(), ...given(more?.column, -1)], -Infinity, rule.max)
    else if (rule.kind === 'windows') addWindows(program, taught, rule.max, more?.column)
    else addRuns(program, rule.max, taught, more)
  }
}

/** No run is longer than the limit: of every run that is, one period is free, or the limit is raised to its length. */
function addRuns(
  program: Program,
  max: number,
  taught: readonly (readonly Term[])[],
  more: { key: string; column: number } | undefined,
): void {
  const { periods } = program.model.problem
  const steps = more ? stepsOf(program, more, periods.length - max) : []
  for (let from = 0; from < taught.length; from += 1)
    for (let to = from + 1; to <= taught.length; to += 1) {
      if (to - 1 > from && breaksBefore(periods, to - 1)) break
      const length = to - from
      if (length <= max) continue
      program.rows.row([...taught.slice(from, to).flat(), ...given(steps[length - max - 1], -1)], -Infinity, length - 1)
    }
}

const stepsMade = new WeakMap<Program, Map<string, number[]>>()

/** Columns that say whether a limit is raised by 1, by 2, …: each only after the one before. */
function stepsOf(program: Program, { key, column }: { key: string; column: number }, count: number): number[] {
  const made = stepsMade.get(program) ?? new Map<string, number[]>()
  stepsMade.set(program, made)
  const there = made.get(key)
  if (there) return there
  const steps = [column]
  while (steps.length < count) {
    const next = program.askMore(key, prices.limit)
    program.rows.row(
      [
        [next, 1],
        [steps.at(-1)!, -1],
      ],
      -Infinity,
      0,
    )
    steps.push(next)
  }
  made.set(key, steps)
  return steps
}

/** Free periods after a first and before a last lesson. */
function addWindows(
  program: Program,
  taught: readonly (readonly Term[])[],
  max: number,
  more: number | undefined,
): void {
  const { rows } = program
  const begun = taught.map(() => rows.column(0, 1))
  const stillTo = taught.map(() => rows.column(0, 1))
  const gaps = taught.map((busy, at) => {
    const gap = rows.column(0, 1)
    rows.row([...busy, [begun[at]!, -1]], -Infinity, 0)
    rows.row([...busy, [stillTo[at]!, -1]], -Infinity, 0)
    if (at > 0)
      rows.row(
        [
          [begun[at - 1]!, 1],
          [begun[at]!, -1],
        ],
        -Infinity,
        0,
      )
    if (at > 0)
      rows.row(
        [
          [stillTo[at]!, 1],
          [stillTo[at - 1]!, -1],
        ],
        -Infinity,
        0,
      )
    const minus = busy.map(([column, factor]) => [column, -factor] as const)
    rows.row([[begun[at]!, 1], [stillTo[at]!, 1], ...minus, [gap, -1]], -Infinity, 1)
    return gap
  })
  rows.row([...ones(gaps), ...given(more, -1)], -Infinity, max)
}

function addSeries(program: Program, rule: Extract<Rule, { kind: 'subjectPerDay' | 'spread' }>): void {
  const kinOf = new Map(program.kins.flatMap((at) => program.kin(at).activities.map(({ id }) => [id, at] as const)))
  for (const { who, subject, activities } of seriesOf(program.model.problem, rule.of)) {
    const own = [...new Set(activities.flatMap(({ id }) => kinOf.get(id) ?? []))]
    if (own.length === 0) continue
    // Of lessons that are left out one may stand on a day where these have none.
    const complete = activities.every(({ id }) => kinOf.has(id))
    if (rule.kind === 'spread' && !complete) continue
    const more = rule.kind === 'spread' ? whole(program, rule) : raised(program, rule, who, subject)?.column
    for (const part of program.bySet(own)) {
      const onDay = program.daysOf.map((places) =>
        part.flatMap((at) => {
          const { span } = program.kin(at)
          const begins = program.begins(at)
          return places.flatMap((place) => (begins.has(place) ? [[begins.get(place)!, span] as const] : []))
        }),
      )
      if (rule.kind === 'subjectPerDay') {
        for (const terms of onDay) program.rows.row([...terms, ...given(more, -1)], -Infinity, rule.max)
        continue
      }
      const used = onDay.map((terms) => {
        const day = program.rows.column(0, 1)
        program.rows.row([[day, 1], ...terms.map(([column]) => [column, -1] as const)], -Infinity, 0)
        return day
      })
      const count = part.reduce((sum, at) => sum + program.kin(at).activities.length, 0)
      const least = Math.min(count, onDay.length)
      const absent = part.map((at) => [program.notGiven.get(at)!, 1] as const)
      program.rows.row([...ones(used), ...given(more, least), ...absent], least, Infinity)
    }
  }
}

/** The lessons that a rule names, where they are in the program: each stands alone there. */
const namedIn = (program: Program, activities: readonly string[]): number[] =>
  program.kins.filter((at) => activities.includes(program.kin(at).activities[0]!.id))

function addDaysBetween(program: Program, rule: Extract<Rule, { kind: 'daysBetween' }>): void {
  const own = namedIn(program, rule.activities)
  const more = whole(program, rule)
  const { days } = program.model.problem
  const onDays = (at: number, near: (day: number) => boolean): Term[] =>
    program.daysOf.flatMap((places, day) =>
      near(days[day]!)
        ? places.flatMap((place) => (program.begins(at).has(place) ? ones([program.begins(at).get(place)!]) : []))
        : [],
    )
  own.forEach((one, index) => {
    for (const other of own.slice(index + 1)) {
      if (countWeeks(program.kin(one).weeks & program.kin(other).weeks) === 0) continue
      for (const day of days)
        program.rows.row(
          [
            ...onDays(one, (each) => each === day),
            ...onDays(other, (each) => Math.abs(each - day) < rule.min),
            ...given(more, -1),
          ],
          -Infinity,
          1,
        )
    }
  })
}

function addSameTime(program: Program, rule: Extract<Rule, { kind: 'sameTime' }>): void {
  const own = namedIn(program, rule.activities)
  const more = whole(program, rule)
  own.forEach((one, index) => {
    for (const other of own.slice(index + 1))
      for (const [a, b] of [
        [one, other],
        [other, one],
      ] as const)
        for (const [place, column] of program.begins(a)) {
          const there = program.begins(b).get(place)
          const beside = there === undefined ? [] : ones([there], -1)
          program.rows.row([[column, 1], ...beside, ...given(more, -1), [program.notGiven.get(b)!, -1]], -Infinity, 0)
        }
  })
}

/** Between lessons on two campuses lie enough free periods. */
function addTravel(program: Program, rule: Extract<Rule, { kind: 'travel' }>): void {
  const more = whole(program, rule)
  for (const id of peopleOf(program.model.problem, rule.of).ids) {
    const own = program.kins.filter(
      (at) => program.kin(at).activities[0]!.teachers.includes(id) && program.kin(at).campus !== undefined,
    )
    for (const part of program.bySet(own)) {
      const byCampus = [...Map.groupBy(part, (at) => program.kin(at).campus).values()]
      for (const [from, here] of byCampus.entries())
        for (const [to, there] of byCampus.entries()) {
          if (from === to) continue
          for (const places of program.daysOf)
            for (const [n, place] of places.entries())
              for (const later of places.slice(n + 1, n + 1 + rule.gap))
                program.rows.row(
                  [
                    ...ones(here.flatMap((at) => program.covers(at, place))),
                    ...ones(there.flatMap((at) => program.covers(at, later))),
                    ...given(more, -1),
                  ],
                  -Infinity,
                  1,
                )
        }
    }
  }
}
