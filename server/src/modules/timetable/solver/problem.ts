/**
 * What a timetable is made of, as plain data. Nothing here knows the database: whoever calls reads the rows of a plan into
 * a {@link Problem} and writes the placements of a {@link Timetable} back.
 */

/** A period of a weekday: `day` is 1 (Monday) to 7, `period` the number of a teaching period. */
export interface Slot {
  day: number
  period: number
}

/** A teaching period of the day, in the order of the day. A lesson of several periods never runs over a break. */
export interface Period {
  no: number
  half: 'am' | 'pm'
  /** There is a break before this period that no lesson crosses, as lunch. The change of half is one by itself. */
  breakBefore?: boolean
}

export interface SchoolClass {
  id: string
  homeRoom?: string
  campus?: string
}

/** Pupils who are taught together though they belong to several classes (走班): groups that share a pupil never meet at once. */
export interface PupilGroup {
  id: string
  /** Classes that its pupils come from: no pupil misses a lesson of the class. */
  classes: string[]
  pupils: string[]
}

export interface Teacher {
  id: string
}

export interface Room {
  id: string
  type?: string
  /** Not set: as many as come. */
  seats?: number
  /** How many lessons may be in it at once; 1 where nothing is said. */
  concurrency?: number
  campus?: string
  /** When nobody may use it. */
  closed?: Slot[]
}

/** Where a lesson is: in one of these rooms, in one of a type, in the home room of its first class, or nowhere in particular. */
export type RoomChoice = { rooms: string[] } | { type: string; campus?: string } | { home: true }

/** One lesson that is owed each week of `weeks`. */
export interface Activity {
  id: string
  subject: string
  /** Several of them: one lesson for all (合班). */
  classes: string[]
  groups?: string[]
  teachers: string[]
  /** Periods in a row, 1–4. */
  span: number
  /** Bit n − 1 is week n. Not set: every week. */
  weeks?: number
  room?: RoomChoice
  /** How many pupils come: rooms with fewer seats are not taken. */
  size?: number
  /** Stays there, whatever the solver does. */
  locked?: Slot & { room?: string }
  /** Where it stood so far: rules of the kind `stay` ask for it to be there still. */
  stood?: Slot
}

/** Lessons that a rule speaks of: those that have one of every list that is given. No list at all means every lesson. */
export interface Selection {
  teachers?: string[]
  classes?: string[]
  subjects?: string[]
  activities?: string[]
}

/** Whose days a rule looks at. */
export type People = { teachers: string[] | 'all' } | { classes: string[] | 'all' }

/**
 * What a rule asks. Each says what it counts when it is broken (its units). A lesson of some weeks counts for the share of the
 * weeks of the term that it is held in.
 */
export type Demand =
  /** Closed periods: of a teacher, a research half-day, PE not first, no maths in the last period. Unit: a period taught in one. */
  | { kind: 'unavailable'; of: Selection; slots: Slot[] }
  /** Mornings or afternoons. Unit: a period in the other half. */
  | { kind: 'half'; of: Selection; half: 'am' | 'pm' }
  /** Periods per day. Unit: a period above `max`. */
  | { kind: 'perDay'; of: People; max: number }
  /** Periods in a row; a break ends a row. Unit: a period above `max` in a row. */
  | { kind: 'inRow'; of: People; max: number }
  /** Free periods between lessons of a day. Unit: such a period above `max`. */
  | { kind: 'windows'; of: People; max: number }
  /** Days with lessons, as for teachers from outside. Unit: a day above `max`. */
  | { kind: 'daysPerWeek'; of: People; max: number }
  /** Periods of a subject per class and day. Unit: a period above `max`. */
  | { kind: 'subjectPerDay'; of: Selection; max: number }
  /** The lessons of a subject of a class are on as many days as can be. Unit: a day fewer. */
  | { kind: 'spread'; of: Selection }
  /** Days between every two of these lessons: 1 means different days, 2 a day between. Unit: a day that a pair lacks. */
  | { kind: 'daysBetween'; activities: string[]; min: number }
  /** These begin together. Unit: a beginning beyond the first. */
  | { kind: 'sameTime'; activities: string[] }
  /** No two of these at once, though they share nobody. Only hard. */
  | { kind: 'apart'; activities: string[] }
  /** Lessons begin where they stood so far. Unit: a lesson that does not. */
  | { kind: 'stay'; of: Selection }
  /** Free periods that a teacher needs between lessons on two campuses of one day. Unit: a period too few. */
  | { kind: 'travel'; of: { teachers: string[] | 'all' }; gap: number }

/** A rule must hold (`hard`), or costs `weight` for every unit by which it is broken. */
export type Rule = { id: string } & Demand & ({ hard: true; weight?: undefined } | { hard?: false; weight: number })

export interface Problem {
  /** Weekdays that are taught, in order. */
  days: number[]
  periods: Period[]
  /** Weeks of the term, 1–30. */
  weeks: number
  classes: SchoolClass[]
  groups?: PupilGroup[]
  teachers: Teacher[]
  rooms: Room[]
  activities: Activity[]
  rules: Rule[]
}

/** Where a lesson stands; the slot is the one that it begins in. */
export interface Placement extends Slot {
  activity: string
  room?: string
}

export interface Timetable {
  placements: Placement[]
}

/** Weeks 1 to `weeks` as bits. */
export const allWeeks = (weeks: number): number => 2 ** weeks - 1

/** The weeks of a lesson, as bits, within the term. */
export const weeksOf = (problem: Problem, activity: Activity): number =>
  (activity.weeks ?? allWeeks(problem.weeks)) & allWeeks(problem.weeks)

/**
 * Weeks that no lesson tells apart, together: one set for a term without odd and even weeks, two with. What is true of a week
 * of a set is true of all of them.
 */
export function weekSets(problem: Problem): number[] {
  let sets = [allWeeks(problem.weeks)]
  for (const mask of new Set(problem.activities.map((activity) => weeksOf(problem, activity))))
    sets = sets.flatMap((set) => [set & mask, set & ~mask].filter((part) => part !== 0))
  return sets
}

/** How many weeks are in a set. */
export function countWeeks(set: number): number {
  let count = 0
  for (let rest = set; rest !== 0; rest &= rest - 1) count++
  return count
}

/** Whether a lesson of `span` periods can begin at the place `start` of the day, and not run over a break or the end. */
export function fitsDay(periods: readonly Period[], start: number, span: number): boolean {
  if (start < 0 || start + span > periods.length) return false
  for (let at = start + 1; at < start + span; at++) if (breaksBefore(periods, at)) return false
  return true
}

/** Whether there is a break before this place of the day. */
export const breaksBefore = (periods: readonly Period[], at: number): boolean =>
  at > 0 && (periods[at]!.breakBefore === true || periods[at]!.half !== periods[at - 1]!.half)

/** The lessons of one subject of one class, or of one group of pupils. */
export interface Series {
  who: string
  subject: string
  activities: Activity[]
}

/** What rules on the lessons of a subject count together: per class, and per group where groups are taught. */
export function seriesOf(problem: Problem, of: Selection): Series[] {
  const all: Series[] = []
  const known = new Map<string, Map<string, Series>>()
  const classes = classesOf(problem)
  for (const activity of problem.activities) {
    if (!selects(of, activity, classes(activity))) continue
    for (const who of [...activity.classes, ...(activity.groups ?? [])]) {
      const own = known.get(who) ?? new Map<string, Series>()
      known.set(who, own)
      const series = own.get(activity.subject)
      if (series) {
        series.activities.push(activity)
        continue
      }
      const begun: Series = { who, subject: activity.subject, activities: [activity] }
      own.set(activity.subject, begun)
      all.push(begun)
    }
  }
  return all
}

/** Whose days a rule looks at, and whether they are teachers or classes. */
export function peopleOf(problem: Problem, of: People): { kind: 'teacher' | 'class'; ids: string[] } {
  if ('teachers' in of)
    return { kind: 'teacher', ids: of.teachers === 'all' ? problem.teachers.map(({ id }) => id) : of.teachers }
  return { kind: 'class', ids: of.classes === 'all' ? problem.classes.map(({ id }) => id) : of.classes }
}

/** Whether a selection means this lesson; classes of its groups count as its own. */
export function selects(of: Selection, activity: Activity, classes: readonly string[] = activity.classes): boolean {
  return (
    (!of.teachers || activity.teachers.some((id) => of.teachers!.includes(id))) &&
    (!of.classes || classes.some((id) => of.classes!.includes(id))) &&
    (!of.subjects || of.subjects.includes(activity.subject)) &&
    (!of.activities || of.activities.includes(activity.id))
  )
}

/** Classes whose pupils are in a lesson, by class or by group. */
export function classesOf(problem: Problem): (activity: Activity) => string[] {
  const groups = new Map((problem.groups ?? []).map((group) => [group.id, group.classes]))
  return ({ classes, groups: ids = [] }) =>
    ids.length === 0 ? classes : [...new Set([...classes, ...ids.flatMap((id) => groups.get(id) ?? [])])]
}

/** Rooms that a lesson may be in, best first; undefined where it needs none. */
export function roomsFor(problem: Problem, activity: Activity): string[] | undefined {
  const choice = activity.room
  if (!choice) return undefined
  const enough = (room: Room): boolean => room.seats === undefined || room.seats >= (activity.size ?? 0)
  if ('rooms' in choice) return problem.rooms.filter((room) => choice.rooms.includes(room.id)).map(({ id }) => id)
  if ('home' in choice) {
    const home = problem.classes.find(({ id }) => id === activity.classes[0])?.homeRoom
    return home === undefined ? undefined : [home]
  }
  const fitting = problem.rooms.filter(
    (room) =>
      room.type === choice.type && (choice.campus === undefined || room.campus === choice.campus) && enough(room),
  )
  return fitting.map(({ id }) => id)
}

/** The campus of a lesson, where its rooms or its classes say one; it is the same wherever in the week it stands. */
export function campusOf(problem: Problem, activity: Activity): string | undefined {
  const rooms = roomsFor(problem, activity)
  const campuses = new Set(problem.rooms.filter(({ id }) => rooms?.includes(id)).map(({ campus }) => campus))
  const [only] = campuses
  if (campuses.size === 1 && only !== undefined) return only
  return problem.classes.find(({ id }) => id === activity.classes[0])?.campus
}
