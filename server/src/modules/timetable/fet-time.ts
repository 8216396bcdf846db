import { type Element, element, value } from './fet-xml.ts'
import {
  classesOf,
  fitsDay,
  type Problem,
  type Rule,
  type Selection,
  type Slot,
  selects,
  seriesOf,
} from './solver/problem.ts'

/** How the names of a problem stand in a FET file. */
export interface FetWords {
  readonly day: (day: number) => string
  readonly hour: (no: number) => string
  readonly teacher: (id: string) => string
  readonly classOf: (id: string) => string
  readonly subject: (id: string) => string
  /** The number of a lesson; undefined where the file does not hold it. */
  readonly activity: (id: string) => number | undefined
}

/** FET counts in per cent how surely it keeps a wish: from a weight of 3 on as surely as its manual has it for soft ones. */
const percent = (rule: Rule): number => (rule.hard ? 100 : Math.min(95, 50 + 15 * rule.weight))

const constraint = (name: string, weight: number, ...within: readonly (Element | readonly Element[])[]): Element =>
  element(
    `Constraint${name}`,
    value('Weight_Percentage', weight),
    ...within,
    value('Active', true),
    value('Comments', ''),
  )

const keyOf = ({ day, period }: Slot): string => `${day}|${period}`

/**
 * The constraints of time: closed periods, beginnings that a day has no room for, locked lessons, and what rules ask. `left` names
 * the rules that FET has no constraint for, or none that may be a wish.
 */
export function fetTimes(
  problem: Problem,
  words: FetWords,
  wishes: boolean,
): { readonly constraints: readonly Element[]; readonly left: readonly Rule[] } {
  const left: Rule[] = []
  const asked = problem.rules.flatMap((rule) => {
    if (!rule.hard && !wishes) return []
    const made = ruled(problem, rule, words)
    if (!made) left.push(rule)
    return made ?? []
  })
  return {
    constraints: [
      constraint('BasicCompulsoryTime', 100),
      ...closedTimes(problem, words),
      ...beginnings(problem, words),
      ...lockedAt(problem, words),
      ...asked,
    ],
    left,
  }
}

/** Every period of the week. */
const everySlot = ({ days, periods }: Problem): Slot[] =>
  days.flatMap((day) => periods.map(({ no }) => ({ day, period: no })))

/** Slots as elements: FET says the day and the hour under other names in each constraint. */
const times = (words: FetWords, slots: readonly Slot[], name: string, prefix: string): Element[] => [
  value(`Number_of_${name}s`, slots.length),
  ...slots.map(({ day, period }) =>
    element(name, value(`${prefix}Day`, words.day(day)), value(`${prefix}Hour`, words.hour(period))),
  ),
]

type Closing = Extract<Rule, { kind: 'unavailable' | 'half' }>

const isClosing = (rule: Rule): rule is Closing => rule.kind === 'unavailable' || rule.kind === 'half'

/** The periods that such a rule is against. */
const against = (problem: Problem, rule: Closing): Slot[] =>
  rule.kind === 'unavailable'
    ? rule.slots
    : everySlot(problem).filter(({ period }) => problem.periods.find(({ no }) => no === period)!.half !== rule.half)

/** Whom a rule is about, where it is about all lessons of some teachers or of some classes; FET closes periods for these. */
const whole = ({ teachers, classes, subjects, activities }: Selection): 'teachers' | 'classes' | undefined =>
  subjects || activities || (teachers && classes) ? undefined : teachers ? 'teachers' : classes ? 'classes' : undefined

/** The periods in which a teacher or a class has no lessons: FET takes one such constraint of each. */
function closedTimes(problem: Problem, words: FetWords): Element[] {
  const closed = { teachers: new Map<string, Set<string>>(), classes: new Map<string, Set<string>>() }
  for (const rule of problem.rules) {
    if (!rule.hard || !isClosing(rule)) continue
    const kind = whole(rule.of)
    for (const id of kind ? rule.of[kind]! : []) {
      const own = closed[kind!].get(id) ?? new Set()
      for (const slot of against(problem, rule)) own.add(keyOf(slot))
      closed[kind!].set(id, own)
    }
  }
  // A lesson that is locked there stands all the same, and keeps everything else out.
  for (const { locked, span, teachers, classes } of problem.activities)
    if (locked)
      for (let n = 0; n < span; n += 1) {
        const key = keyOf({ day: locked.day, period: locked.period + n })
        for (const id of teachers) closed.teachers.get(id)?.delete(key)
        for (const id of classes) closed.classes.get(id)?.delete(key)
      }
  const told = (name: string, tag: string, of: (id: string) => string, all: ReadonlyMap<string, ReadonlySet<string>>) =>
    [...all].flatMap(([id, keys]) => {
      const slots = everySlot(problem).filter((slot) => keys.has(keyOf(slot)))
      if (slots.length === 0) return []
      return [constraint(name, 100, value(tag, of(id)), times(words, slots, 'Not_Available_Time', ''))]
    })
  const teachers = new Set(problem.teachers.map(({ id }) => id))
  const classes = new Set(problem.classes.map(({ id }) => id))
  const among = (all: Map<string, Set<string>>, known: ReadonlySet<string>) =>
    new Map([...all].filter(([id]) => known.has(id)))
  return [
    ...told('TeacherNotAvailableTimes', 'Teacher', words.teacher, among(closed.teachers, teachers)),
    ...told('StudentsSetNotAvailableTimes', 'Students', words.classOf, among(closed.classes, classes)),
  ]
}

/** Where a lesson may begin, where that is not everywhere: doubles run over no break, and a subject may be closed somewhere. */
function beginnings(problem: Problem, words: FetWords): Element[] {
  const classes = classesOf(problem)
  const closings = problem.rules.filter((rule) => rule.hard && isClosing(rule) && !whole(rule.of)) as Closing[]
  const closed = closings.map((rule) => ({ rule, keys: new Set(against(problem, rule).map(keyOf)) }))
  const every = everySlot(problem)
  return problem.activities.flatMap((activity) => {
    const id = words.activity(activity.id)
    if (id === undefined || activity.locked) return []
    const own = closed.filter(({ rule }) => selects(rule.of, activity, classes(activity)))
    const open = every.filter(({ day, period }) => {
      const start = problem.periods.findIndex(({ no }) => no === period)
      return (
        fitsDay(problem.periods, start, activity.span) &&
        problem.periods
          .slice(start, start + activity.span)
          .every(({ no }) => own.every(({ keys }) => !keys.has(keyOf({ day, period: no }))))
      )
    })
    if (open.length === every.length) return []
    return [
      constraint(
        'ActivityPreferredStartingTimes',
        100,
        value('Activity_Id', id),
        times(words, open, 'Preferred_Starting_Time', 'Preferred_Starting_'),
      ),
    ]
  })
}

/** Locked lessons, each number once: several of different weeks are one in the file. */
function lockedAt({ activities }: Problem, words: FetWords): Element[] {
  const slots = new Map<number, Slot>()
  for (const { id, locked } of activities) {
    const no = words.activity(id)
    if (locked && no !== undefined) slots.set(no, locked)
  }
  return [...slots].map(([no, { day, period }]) =>
    constraint(
      'ActivityPreferredStartingTime',
      100,
      value('Activity_Id', no),
      value('Preferred_Day', words.day(day)),
      value('Preferred_Hour', words.hour(period)),
      value('Permanently_Locked', true),
    ),
  )
}

const ids = (numbers: readonly number[]): Element[] => [
  value('Number_of_Activities', numbers.length),
  ...numbers.map((no) => value('Activity_Id', no)),
]

/** What FET asks of a rule; nothing at all where it has no constraint that says the same. */
function ruled(problem: Problem, rule: Rule, words: FetWords): Element[] | undefined {
  const weight = percent(rule)
  const numbers = (activities: readonly string[]): number[] => [
    ...new Set(activities.flatMap((id) => words.activity(id) ?? [])),
  ]
  switch (rule.kind) {
    case 'unavailable':
    case 'half':
      return rule.hard ? [] : wished(problem, rule, words, weight)
    case 'perDay':
    case 'windows':
    case 'daysPerWeek':
      // FET keeps these only as a must, or warns that it does not keep them well as a wish.
      return rule.hard ? ofPeople(problem, rule, words) : undefined
    case 'subjectPerDay':
      // FET has it as a must only.
      return rule.hard ? perDay(problem, rule, words) : undefined
    case 'spread':
      return seriesOf(problem, rule.of).flatMap(({ activities }) => {
        const own = numbers(activities.map(({ id }) => id))
        // More lessons than days cannot all be on different ones: that stays a wish.
        const sure = own.length > problem.days.length ? Math.min(weight, 95) : weight
        return own.length < 2 ? [] : [daysBetween(own, 1, sure)]
      })
    case 'daysBetween': {
      const own = numbers(rule.activities)
      return own.length < 2 ? [] : [daysBetween(own, rule.min, weight)]
    }
    case 'sameTime':
    case 'apart': {
      const own = numbers(rule.activities)
      const name = rule.kind === 'apart' ? 'ActivitiesNotOverlapping' : 'ActivitiesSameStartingTime'
      return own.length < 2 ? [] : [constraint(name, weight, ids(own))]
    }
    default:
      return undefined
  }
}

const daysBetween = (activities: readonly number[], min: number, weight: number): Element =>
  constraint(
    'MinDaysBetweenActivities',
    weight,
    value('Consecutive_If_Same_Day', false),
    ids(activities),
    value('MinDays', min),
  )

/** Periods that some lessons would rather be in, for each teacher, class and subject that the rule names. */
function wished(problem: Problem, rule: Closing, words: FetWords, weight: number): Element[] | undefined {
  if (rule.of.activities) return undefined
  const bad = new Set(against(problem, rule).map(keyOf))
  const slots = everySlot(problem).filter((slot) => !bad.has(keyOf(slot)))
  if (slots.length === 0) return undefined
  const named = (all: readonly string[] | undefined, of: (id: string) => string): string[] => all?.map(of) ?? ['']
  return named(rule.of.teachers, words.teacher).flatMap((teacher) =>
    named(rule.of.classes, words.classOf).flatMap((students) =>
      named(rule.of.subjects, words.subject).map((subject) =>
        constraint(
          'ActivitiesPreferredTimeSlots',
          weight,
          value('Teacher_Name', teacher),
          value('Students_Name', students),
          value('Subject_Name', subject),
          value('Activity_Tag_Name', ''),
          value('Duration', ''),
          times(words, slots, 'Preferred_Time_Slot', 'Preferred_'),
        ),
      ),
    ),
  )
}

/** Limits of the days of teachers and classes. */
function ofPeople(
  problem: Problem,
  rule: Extract<Rule, { kind: 'perDay' | 'windows' | 'daysPerWeek' }>,
  words: FetWords,
): Element[] {
  const limit =
    rule.kind === 'perDay'
      ? { name: 'MaxHoursDaily', tag: 'Maximum_Hours_Daily' }
      : rule.kind === 'windows'
        ? { name: 'MaxGapsPerDay', tag: 'Max_Gaps' }
        : { name: 'MaxDaysPerWeek', tag: 'Max_Days_Per_Week' }
  const max = value(limit.tag, rule.max)
  if ('teachers' in rule.of)
    return (rule.of.teachers === 'all' ? problem.teachers.map(({ id }) => id) : rule.of.teachers).map((id) =>
      constraint(`Teacher${limit.name}`, 100, value('Teacher_Name', words.teacher(id)), max),
    )
  return (rule.of.classes === 'all' ? problem.classes.map(({ id }) => id) : rule.of.classes).map((id) =>
    constraint(`StudentsSet${limit.name}`, 100, max, value('Students', words.classOf(id))),
  )
}

/** Periods of a subject of a class on each day: at most so many of the day's periods are taken by its lessons. */
function perDay(problem: Problem, rule: Extract<Rule, { kind: 'subjectPerDay' }>, words: FetWords): Element[] {
  return seriesOf(problem, rule.of).flatMap(({ activities }) => {
    const own = activities.flatMap(({ id }) => words.activity(id) ?? [])
    const total = activities.reduce((sum, { span }) => sum + span, 0)
    if (total <= rule.max || own.length < 2) return []
    // On different days, which FET keeps best, where any two are too many.
    const [least = 0, next = 0] = activities.map(({ span }) => span).toSorted((a, b) => a - b)
    if (least + next > rule.max) return [daysBetween(own, 1, 100)]
    return problem.days.map((day) =>
      constraint(
        'ActivitiesOccupyMaxTimeSlotsFromSelection',
        100,
        ids(own),
        times(
          words,
          problem.periods.map(({ no }) => ({ day, period: no })),
          'Selected_Time_Slot',
          'Selected_',
        ),
        value('Max_Number_of_Occupied_Time_Slots', rule.max),
      ),
    )
  })
}
