import { scanXml } from '../../../kernel/xml-scan.ts'

/** A lesson of a FET file; day, hour and room by their names, absent where the file does not say. */
export interface FetLesson {
  readonly id: number
  readonly teachers: readonly string[]
  readonly subject: string
  readonly students: readonly string[]
  /** In periods. */
  readonly span: number
  readonly day?: string
  readonly hour?: string
  readonly room?: string
}

/** How many constraints of one kind a file holds, and of how many what they say is taken. */
export interface FetConstraints {
  readonly all: number
  readonly read: number
}

/** What of a FET file makes a timetable. */
export interface FetTimetable {
  readonly days: readonly string[]
  readonly hours: readonly string[]
  /** Active lessons, in the order of the file. */
  readonly lessons: readonly FetLesson[]
  /** Lessons that are switched off in FET. */
  readonly inactive: readonly FetLesson[]
  /** The constraints that are switched on, by FET's name of their kind. */
  readonly constraints: ReadonlyMap<string, FetConstraints>
}

type Values = ReadonlyMap<string, readonly string[]>

interface FetElement {
  readonly name: string
  /** The list in which it stands. */
  readonly list: string
  readonly values: Values
}

/** What stands in the lists of a file, with the values right below each, in the order of the file. */
function* elementsOf(text: string): Generator<FetElement> {
  let list = ''
  let values = new Map<string, string[]>()
  let shown = ''
  for (const event of scanXml(text)) {
    if (event.kind === 'text') shown += event.text
    else if (event.kind === 'open') {
      shown = ''
      if (event.depth === 1) list = event.name.toLowerCase()
      if (event.depth === 2) values = new Map()
    } else {
      if (event.depth === 3) {
        const key = event.name.toLowerCase()
        const held = values.get(key)
        if (held) held.push(shown.trim())
        else values.set(key, [shown.trim()])
      } else if (event.depth === 2) yield { name: event.name, list, values }
      shown = ''
    }
  }
}

/** That no teacher, class or room has two lessons at once: held here whatever a file says. */
const compulsory = /^ConstraintBasicCompulsory(Time|Space)$/i

/** Reads a FET file: format 5 and later. A lesson stands where a constraint that must hold puts it. */
export function readFet(text: string): FetTimetable {
  const [days, hours]: [string[], string[]] = [[], []]
  const [lessons, inactive]: [FetLesson[], FetLesson[]] = [[], []]
  const times = new Map<string, { day?: string; hour?: string }>()
  const rooms = new Map<string, string>()
  const constraints = new Map<string, { all: number; read: number }>()
  for (const { name, list, values } of elementsOf(text)) {
    const one = (key: string): string | undefined => values.get(key)?.[0] || undefined
    const isActive = one('active') !== 'false'
    // Files of before FET 5 have the bare name.
    if (list === 'days_list') {
      if (one('name') !== undefined) days.push(one('name')!)
    } else if (list === 'hours_list') {
      if (one('name') !== undefined) hours.push(one('name')!)
    } else if (list === 'activities_list')
      (isActive ? lessons : inactive).push({
        id: Number(one('id')),
        teachers: values.get('teacher') ?? [],
        subject: one('subject') ?? '',
        students: values.get('students') ?? [],
        span: Math.max(1, Number(one('duration')) || 1),
      })
    else if (isActive && (list === 'time_constraints_list' || list === 'space_constraints_list')) {
      const count = constraints.get(name) ?? { all: 0, read: 0 }
      constraints.set(name, count)
      count.all += 1
      if (compulsory.test(name)) count.read += 1
      if (Number(one('weight_percentage')) !== 100) continue
      const id = one('activity_id') ?? ''
      const [day, hour, room] = [one('preferred_day'), one('preferred_hour'), one('room')]
      const kind = name.toLowerCase()
      if (kind === 'constraintactivitypreferredroom' && room) {
        rooms.set(id, room)
        count.read += 1
      } else if (kind === 'constraintactivitypreferredstartingtime') {
        times.set(id, { ...(day ? { day } : {}), ...(hour ? { hour } : {}) })
        if (day && hour) count.read += 1
      }
    }
  }
  return {
    ...{ days, hours, inactive, constraints },
    lessons: lessons.map((lesson) => {
      const room = rooms.get(String(lesson.id))
      return { ...lesson, ...times.get(String(lesson.id)), ...(room ? { room } : {}) }
    }),
  }
}
