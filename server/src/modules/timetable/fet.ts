import { type FetLesson, placeableLessons } from './fet-locked.ts'
import { fetRooms } from './fet-rooms.ts'
import { fetStudents } from './fet-students.ts'
import { fetTimes } from './fet-time.ts'
import { type Element, element, Names, value } from './fet-xml.ts'
import type { Activity, Placement, Problem, Rule } from './solver/problem.ts'

/** How a file names what a problem knows by ids and numbers. */
export interface FetNaming {
  readonly title: string
  readonly day: (day: number) => string
  readonly period: (no: number) => string
  /** A teacher, a class, a group, a subject or a room. */
  readonly of: (id: string) => string
  /** What stands in the file's comments, of what it does not hold. */
  readonly comments?: (left: FetLeft) => string
  /** Whether what is only wished is written as well; it is where nothing is said. */
  readonly wishes?: boolean
}

/** What a FET file has no place for. */
export interface FetLeft {
  readonly rules: readonly Rule[]
  /** Locked lessons that collide with others, or stand outside the week. */
  readonly activities: readonly Activity[]
}

export interface FetFile {
  /** The file, in UTF-8. */
  readonly text: string
  readonly left: FetLeft
  /** Where FET has put a lesson that it names by number, day, hour and room: one placement for each lesson of that number. */
  readonly placed: (id: number, day: string, hour: string, room: string) => Placement[]
}

/** The format that is written: what FET 6.8.5 reads, and later ones. */
const version = '6.8.5'

/**
 * A problem as a FET file: days, hours, teachers, subjects, students, lessons, rooms, and its rules as constraints. Whatever FET
 * makes of it keeps the hard rules; those that it has no constraint for are in `left`. FET knows no odd and even weeks: lessons
 * that are locked to one slot in different weeks are one lesson there, and others of some weeks are held in all.
 */
export function fetOf(problem: Problem, naming: FetNaming): FetFile {
  const [days, hours, teachers, subjects, students, rooms] = Array.from({ length: 6 }, () => new Names()) as [
    Names,
    Names,
    Names,
    Names,
    Names,
    Names,
  ]
  const day = (no: number): string => days.of(String(no), naming.day(no))
  const hour = (no: number): string => hours.of(String(no), naming.period(no))
  const teacher = (id: string): string => teachers.of(id, naming.of(id))
  const { kept, left } = placeableLessons(problem)
  const numbers = new Map(kept.flatMap(({ ids }, at) => ids.map((id) => [id, at + 1] as const)))
  const subject = (ids: readonly string[]): string =>
    subjects.of(ids.join(' '), ids.map((id) => naming.of(id)).join(' / '))
  const own = fetStudents(problem, students, naming.of)
  const inRooms = fetRooms(problem, kept, { names: rooms, nameOf: naming.of, day, hour })
  const used = new Map([
    ...problem.activities.map(({ subject: id }) => [id, subject([id])] as const),
    ...kept.map(({ subjects: ids }) => [ids.join(' '), subject(ids)] as const),
  ])
  const times = fetTimes(
    problem,
    { day, hour, teacher, classOf: own.classOf, subject: (id) => subject([id]), activity: (id) => numbers.get(id) },
    naming.wishes ?? true,
  )
  const all: FetLeft = { rules: times.left, activities: left }
  const listed = (list: string, number: string, one: string, names: readonly string[]): Element =>
    element(
      list,
      value(number, names.length),
      names.map((name) => element(one, value('Name', name))),
    )
  const root = element(
    'fet',
    value('Mode', 'Official'),
    value('Institution_Name', naming.title),
    value('Comments', naming.comments?.(all) ?? ''),
    listed('Days_List', 'Number_of_Days', 'Day', problem.days.map(day)),
    listed(
      'Hours_List',
      'Number_of_Hours',
      'Hour',
      problem.periods.map(({ no }) => hour(no)),
    ),
    element(
      'Subjects_List',
      [...used.values()].map((name) => element('Subject', value('Name', name), value('Comments', ''))),
    ),
    element('Activity_Tags_List'),
    element(
      'Teachers_List',
      problem.teachers.map(({ id }) =>
        element(
          'Teacher',
          value('Name', teacher(id)),
          value('Target_Number_of_Hours', 0),
          element('Qualified_Subjects'),
          value('Comments', ''),
        ),
      ),
    ),
    own.list,
    element('Activities_List', activities(kept, { teacher, subject, students: own.of })),
    element('Buildings_List'),
    inRooms.list,
    element('Time_Constraints_List', times.constraints),
    element('Space_Constraints_List', inRooms.constraints),
  )
  const dayOf = new Map(problem.days.map((no) => [day(no), no]))
  const hourOf = new Map(problem.periods.map(({ no }) => [hour(no), no]))
  return {
    text: ['<?xml version="1.0" encoding="UTF-8"?>', '', `<fet version="${version}">`, ...root.slice(1), ''].join('\n'),
    left: all,
    placed: (id, at, begins, room) => {
      const [dayNo, period, roomId] = [dayOf.get(at), hourOf.get(begins), inRooms.roomOf(room)]
      if (dayNo === undefined || period === undefined) return []
      return (kept[id - 1]?.ids ?? []).map((activity) => ({
        ...{ activity, day: dayNo, period },
        ...(roomId === undefined ? {} : { room: roomId }),
      }))
    },
  }
}

interface Written {
  readonly teacher: (id: string) => string
  readonly subject: (ids: readonly string[]) => string
  readonly students: (taken: Pick<FetLesson, 'classes' | 'groups'>) => readonly string[]
}

/** Lessons, those of one series as one split activity: FET shows and changes them together. */
function activities(kept: readonly FetLesson[], { teacher, subject, students }: Written): Element[] {
  const keyOf = (each: FetLesson): string => JSON.stringify([each.subjects, each.teachers, each.classes, each.groups])
  const series = Map.groupBy(
    kept.map((each, at) => ({ each, no: at + 1 })),
    ({ each }) => keyOf(each),
  )
  return kept.map((each, at) => {
    const own = series.get(keyOf(each))!
    return element(
      'Activity',
      each.teachers.map((id) => value('Teacher', teacher(id))),
      value('Subject', subject(each.subjects)),
      students(each).map((name) => value('Students', name)),
      value('Duration', each.span),
      value(
        'Total_Duration',
        own.reduce((sum, one) => sum + one.each.span, 0),
      ),
      value('Id', at + 1),
      value('Activity_Group_Id', own.length > 1 ? own[0]!.no : 0),
      value('Active', true),
      value('Comments', ''),
    )
  })
}
