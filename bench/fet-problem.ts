import { scanXml } from '../server/src/kernel/xml-scan.ts'
import type { Activity, Demand, Problem, Slot } from '../server/src/modules/timetable/solver/problem.ts'

/*
 * Any file of FET as a problem of the generator, as far as its constraints have a rule here that asks the same. The product
 * itself imports timetables alone: this is for the benchmark, which asks how much of FET's language the generator speaks.
 */

interface Part {
  readonly name: string
  readonly within: Part[]
  text: string
}

/** The document as a tree; names without regard to case. */
function treeOf(text: string): Part {
  const root: Part = { name: '', within: [], text: '' }
  const path = [root]
  for (const event of scanXml(text)) {
    if (event.kind === 'open') {
      const made: Part = { name: event.name, within: [], text: '' }
      path.at(-1)!.within.push(made)
      path.push(made)
    } else if (event.kind === 'text') path.at(-1)!.text += event.text
    else path.pop()
  }
  return root.within[0]!
}

const all = (part: Part | undefined, name: string): Part[] =>
  part?.within.filter((each) => each.name.toLowerCase() === name.toLowerCase()) ?? []
const one = (part: Part | undefined, name: string): Part | undefined => all(part, name)[0]
const said = (part: Part | undefined, name: string): string | undefined => one(part, name)?.text.trim() || undefined
const names = (part: Part | undefined, name: string): string[] => all(part, name).map(({ text }) => text.trim())

/** How many constraints of a kind there are, how many have a rule that asks the same, and how many such a rule that the search seeks. */
export interface FetKind {
  all: number
  understood: number
  sought: number
}

/** Rules that the search keeps while it places lessons; of others the evaluator alone knows. */
const isSought = (demand: Demand): boolean =>
  ['unavailable', 'half', 'subjectPerDay', 'spread'].includes(demand.kind) ||
  (demand.kind === 'perDay' && 'teachers' in demand.of)

/** A file of FET, and what of it the generator understands. */
export interface FetProblem {
  /** The active constraints by kind. */
  readonly kinds: ReadonlyMap<string, FetKind>
  /** What else stands in the way of solving it here: its mode, virtual rooms, lessons of more than four periods. */
  readonly beyond: readonly string[]
  readonly problem: Problem
}

/** The students of a file: every set as those that have no set within them, which share nobody. */
function studentsOf(list: Part | undefined): {
  readonly atoms: ReadonlyMap<string, string[]>
  readonly sizes: ReadonlyMap<string, number>
} {
  const atoms = new Map<string, string[]>()
  const sizes = new Map<string, number>()
  const take = (part: Part, levels: readonly string[]): string[] => {
    const name = said(part, 'Name') ?? ''
    const [level, ...deeper] = levels
    const inner = level ? all(part, level).flatMap((each) => take(each, deeper)) : []
    const own = inner.length > 0 ? inner : [name]
    atoms.set(name, [...new Set([...(atoms.get(name) ?? []), ...own])])
    sizes.set(name, Number(said(part, 'Number_of_Students')) || 0)
    return own
  }
  for (const year of all(list, 'Year')) take(year, ['Group', 'Subgroup'])
  return { atoms, sizes }
}

type Made = readonly Demand[] | undefined

/** Reads a file. */
export function problemOfFet(text: string): FetProblem {
  const fet = treeOf(text)
  const days = all(one(fet, 'Days_List'), 'Day').map((day) => said(day, 'Name') ?? '')
  const hours = all(one(fet, 'Hours_List'), 'Hour').map((hour) => said(hour, 'Name') ?? '')
  const { atoms, sizes } = studentsOf(one(fet, 'Students_List'))
  const mode = said(fet, 'Mode') ?? 'Official'
  const beyond = new Set<string>()
  if (mode !== 'Official') beyond.add(`mode ${mode}`)
  if (days.length > 7) beyond.add('more than 7 days')
  const roomParts = all(one(fet, 'Rooms_List'), 'Room')
  if (roomParts.some((room) => said(room, 'Virtual') === 'true')) beyond.add('virtual rooms')
  const rooms = roomParts.map((room) => ({
    id: said(room, 'Name') ?? '',
    seats: Number(said(room, 'Capacity')) || 30_000,
    closed: [] as Slot[],
  }))
  const activities = new Map<string, Activity>()
  for (const part of all(one(fet, 'Activities_List'), 'Activity')) {
    if (said(part, 'Active') === 'false') continue
    const id = said(part, 'Id') ?? ''
    const sets = names(part, 'Students')
    const span = Number(said(part, 'Duration')) || 1
    if (span > 4) beyond.add('lessons of more than 4 periods')
    activities.set(id, {
      ...{ id, span, subject: said(part, 'Subject') ?? '', teachers: names(part, 'Teacher') },
      classes: [...new Set(sets.flatMap((set) => atoms.get(set) ?? [set]))],
      size: Number(said(part, 'Number_Of_Students')) || sets.reduce((sum, set) => sum + (sizes.get(set) ?? 0), 0),
    })
  }
  const slotOf = (day: string | undefined, hour: string | undefined): Slot | undefined => {
    const at = { day: days.indexOf(day ?? '') + 1, period: hours.indexOf(hour ?? '') + 1 }
    return at.day > 0 && at.period > 0 ? at : undefined
  }
  const slots = (part: Part, name: string): Slot[] =>
    all(part, name).flatMap((each) => slotOf(said(each, 'Day'), said(each, 'Hour')) ?? [])
  /** Every slot but those of a lesson that begins in this one. */
  const beside = (begin: Slot, span: number): Slot[] =>
    days.flatMap((_day, day) =>
      hours.flatMap((_hour, at) => {
        const isWithin = day + 1 === begin.day && at + 1 >= begin.period && at + 1 < begin.period + span
        return isWithin ? [] : [{ day: day + 1, period: at + 1 }]
      }),
    )
  const asked = new Map<string, Set<string>>()
  const confine = (which: (activity: Activity) => boolean, allowed: readonly string[]): Made => {
    for (const activity of activities.values()) {
      if (!which(activity)) continue
      const held = asked.get(activity.id)
      asked.set(activity.id, new Set(held ? allowed.filter((room) => held.has(room)) : allowed))
    }
    return allowed.length > 0 ? [] : undefined
  }
  const roomsIn = (part: Part): string[] => [...names(part, 'Preferred_Room'), ...names(part, 'Room')]
  const activeIds = (part: Part): string[] => names(part, 'Activity_Id').filter((id) => activities.has(id))
  const classesIn = (part: Part): string[] => atoms.get(said(part, 'Students') ?? '') ?? []
  const teacherIn = (part: Part): string[] => {
    const name = said(part, 'Teacher') ?? said(part, 'Teacher_Name')
    return name ? [name] : []
  }
  const most = (part: Part, ...tags: string[]): number =>
    Number(tags.map((tag) => said(part, tag)).find(Boolean) ?? Number.NaN)
  const bounded = (
    kind: 'perDay' | 'inRow' | 'daysPerWeek' | 'windows',
    of: Extract<Demand, { kind: 'perDay' }>['of'],
    max: number,
  ): Made => (Number.isNaN(max) ? undefined : [{ kind, of, max }])
  const hoursDaily = (part: Part): number => most(part, 'Maximum_Hours_Daily')
  const hoursInRow = (part: Part): number => most(part, 'Maximum_Hours_Continuously')
  const daysAWeek = (part: Part): number => most(part, 'Max_Days_Per_Week', 'Maximum_Days_Per_Week')
  const readers: Readonly<Record<string, (part: Part) => Made>> = {
    BasicCompulsoryTime: () => [],
    BasicCompulsorySpace: () => [],
    TeacherNotAvailableTimes: (part) => [
      { kind: 'unavailable', of: { teachers: teacherIn(part) }, slots: slots(part, 'Not_Available_Time') },
    ],
    StudentsSetNotAvailableTimes: (part) => [
      { kind: 'unavailable', of: { classes: classesIn(part) }, slots: slots(part, 'Not_Available_Time') },
    ],
    BreakTimes: (part) => [{ kind: 'unavailable', of: {}, slots: slots(part, 'Break_Time') }],
    ActivityPreferredStartingTime: (part) => {
      const slot = slotOf(said(part, 'Preferred_Day'), said(part, 'Preferred_Hour'))
      const activity = activities.get(said(part, 'Activity_Id') ?? '')
      if (!slot) return undefined
      // Closed everywhere else, and not locked: a lock settles the room as well.
      return activity
        ? [{ kind: 'unavailable', of: { activities: [activity.id] }, slots: beside(slot, activity.span) }]
        : []
    },
    MinDaysBetweenActivities: (part) => [
      { kind: 'daysBetween', activities: activeIds(part), min: most(part, 'MinDays') || 1 },
    ],
    ActivitiesSameStartingTime: (part) => [{ kind: 'sameTime', activities: activeIds(part) }],
    ActivitiesNotOverlapping: (part) => [{ kind: 'apart', activities: activeIds(part) }],
    TeacherMaxHoursDaily: (part) => bounded('perDay', { teachers: teacherIn(part) }, hoursDaily(part)),
    TeachersMaxHoursDaily: (part) => bounded('perDay', { teachers: 'all' }, hoursDaily(part)),
    StudentsSetMaxHoursDaily: (part) => bounded('perDay', { classes: classesIn(part) }, hoursDaily(part)),
    StudentsMaxHoursDaily: (part) => bounded('perDay', { classes: 'all' }, hoursDaily(part)),
    TeacherMaxHoursContinuously: (part) => bounded('inRow', { teachers: teacherIn(part) }, hoursInRow(part)),
    TeachersMaxHoursContinuously: (part) => bounded('inRow', { teachers: 'all' }, hoursInRow(part)),
    StudentsMaxHoursContinuously: (part) => bounded('inRow', { classes: 'all' }, hoursInRow(part)),
    TeacherMaxDaysPerWeek: (part) => bounded('daysPerWeek', { teachers: teacherIn(part) }, daysAWeek(part)),
    TeachersMaxDaysPerWeek: (part) => bounded('daysPerWeek', { teachers: 'all' }, daysAWeek(part)),
    StudentsMaxDaysPerWeek: (part) => bounded('daysPerWeek', { classes: 'all' }, daysAWeek(part)),
    TeacherMaxGapsPerDay: (part) => bounded('windows', { teachers: teacherIn(part) }, most(part, 'Max_Gaps')),
    TeachersMaxGapsPerDay: (part) => bounded('windows', { teachers: 'all' }, most(part, 'Max_Gaps')),
    // None in a week is none in a day; of more than none the generator knows no sum over the week.
    StudentsMaxGapsPerWeek: (part) =>
      most(part, 'Max_Gaps') === 0 ? bounded('windows', { classes: 'all' }, 0) : undefined,
    StudentsSetMaxGapsPerWeek: (part) =>
      most(part, 'Max_Gaps') === 0 ? bounded('windows', { classes: classesIn(part) }, 0) : undefined,
    TeacherMaxGapsPerWeek: (part) =>
      most(part, 'Max_Gaps') === 0 ? bounded('windows', { teachers: teacherIn(part) }, 0) : undefined,
    TeachersMaxGapsPerWeek: (part) =>
      most(part, 'Max_Gaps') === 0 ? bounded('windows', { teachers: 'all' }, 0) : undefined,
    ActivityPreferredRoom: (part) => confine(({ id }) => id === said(part, 'Activity_Id'), roomsIn(part)),
    ActivityPreferredRooms: (part) => confine(({ id }) => id === said(part, 'Activity_Id'), roomsIn(part)),
    SubjectPreferredRoom: (part) => confine(({ subject }) => subject === said(part, 'Subject'), roomsIn(part)),
    SubjectPreferredRooms: (part) => confine(({ subject }) => subject === said(part, 'Subject'), roomsIn(part)),
    RoomNotAvailableTimes: (part) => {
      rooms.find(({ id }) => id === said(part, 'Room'))?.closed.push(...slots(part, 'Not_Available_Time'))
      return []
    },
  }
  const kinds = new Map<string, FetKind>()
  const rules: Problem['rules'] = []
  const constraints = [one(fet, 'Time_Constraints_List'), one(fet, 'Space_Constraints_List')].flatMap(
    (list) => list?.within ?? [],
  )
  for (const part of constraints) {
    if (!/^Constraint/.test(part.name) || said(part, 'Active') === 'false') continue
    const kind = part.name.replace(/^Constraint/, '')
    const count = kinds.get(kind) ?? { all: 0, understood: 0, sought: 0 }
    kinds.set(kind, count)
    count.all += 1
    // FET keeps a wish with a chance, and the generator by a cost: that is not the same.
    const made = Number(said(part, 'Weight_Percentage')) === 100 ? readers[kind]?.(part) : undefined
    if (!made) continue
    count.understood += 1
    if (made.every(isSought)) count.sought += 1
    for (const demand of made) rules.push({ id: String(rules.length + 1), hard: true, ...demand })
  }
  for (const [id, allowed] of asked) activities.get(id)!.room = { rooms: [...allowed] }
  const every = [...activities.values()]
  return {
    ...{ kinds, beyond: [...beyond] },
    problem: {
      days: days.map((_day, at) => at + 1),
      periods: hours.map((_hour, at) => ({ no: at + 1, half: 'am' as const })),
      weeks: 1,
      classes: [...new Set([...[...atoms.values()].flat(), ...every.flatMap(({ classes }) => classes)])].map((id) => ({
        id,
      })),
      teachers: [...new Set(every.flatMap(({ teachers }) => teachers))].map((id) => ({ id })),
      ...{ rooms, activities: every, rules },
    },
  }
}
