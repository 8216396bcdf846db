import {
  codeOf,
  type Entity,
  schoolclass,
  schoolsemester,
  schoolsubject,
  schoolteachclass,
  teacherclass,
} from '@data-brain/contract'
import { type AssignmentMatrix, assignmentMatrix } from '@data-brain/contract/calls/timetable'
import { sql } from '../../database/statement.ts'
import { seenOf } from '../../entity/reached.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import type { Route } from '../../kernel/route.ts'

type Class = AssignmentMatrix['classes'][number]
type Subject = AssignmentMatrix['subjects'][number]

interface Found extends Omit<AssignmentMatrix['assignments'][number], 'of'> {
  readonly of: string
  readonly className: string
  readonly isTeachClass: boolean
  readonly subjectName: string
  readonly color: string
}

/** Of the dictionary teacher_role: who teaches, and not who helps. */
const teaches = '1'

/** The assignments of a semester by class and subject, as far as the caller reaches them, with the load of each teacher. */
export const assignmentsRoute: Route = on(assignmentMatrix, async ({ semesterId }, call) => {
  const { actor } = call
  const { schoolId, yearId, beginDate, endDate } = await rowsOf(schoolsemester, call).before(semesterId, {
    codes: [codeOf(teacherclass, 'view')],
  })
  const seen = <T>(entity: Entity, build: Parameters<typeof seenOf>[2]): Promise<T[]> => seenOf<T>(call, entity, build)
  const found = await seen<Found>(
    teacherclass,
    (
      scope,
    ) => sql`select t.id, coalesce(t.class_id, t.teach_class_id) as of, coalesce(c.class_name, g.teach_class_name) as "className",
        t.teach_class_id is not null as "isTeachClass", t.subject_id as "subjectId", b.subject_name as "subjectName", b.color,
        t.user_id as "teacherId", u.real_name as "teacherName", t.role, t.week_hours as hours
      from teacherclass t join schoolsubject b on b.tenant_id = t.tenant_id and b.id = t.subject_id
        join app_user u on u.tenant_id = t.tenant_id and u.id = t.user_id
        left join schoolclass c on c.tenant_id = t.tenant_id and c.id = t.class_id
        left join schoolteachclass g on g.tenant_id = t.tenant_id and g.id = t.teach_class_id
      where t.tenant_id = ${actor.tenantId} and t.semester_id = ${semesterId} ${scope} order by t.role, t.id`,
  )
  const classes = await seen<Class>(
    schoolclass,
    (scope) => sql`select t.id, t.class_name as name, false as "isTeachClass" from schoolclass t
        join sysgrade_seen g on g.tenant_id = t.tenant_id and g.id = t.grade_id
      where t.tenant_id = ${actor.tenantId} and t.year_id = ${yearId} ${scope} order by g.sort, g.grade_no, g.id, t.class_no`,
  )
  const groups = await seen<Class>(
    schoolteachclass,
    (scope) => sql`select t.id, t.teach_class_name as name, true as "isTeachClass" from schoolteachclass t
      where t.tenant_id = ${actor.tenantId} and t.semester_id = ${semesterId} ${scope} order by t.teach_class_name, t.id`,
  )
  const subjects = await seen<Subject>(
    schoolsubject,
    (scope) => sql`select t.id, t.subject_name as name, t.color from schoolsubject t
      where t.tenant_id = ${actor.tenantId} and t.school_id = ${schoolId} ${scope} order by t.sort, t.id`,
  )
  const loads = new Map<string, { teacherId: string; teacherName: string; hours: number }>()
  for (const { teacherId, teacherName, role, hours } of found) {
    const load = loads.get(teacherId) ?? { teacherId, teacherName, hours: 0 }
    loads.set(teacherId, { ...load, hours: load.hours + (role === teaches ? hours : 0) })
  }
  return {
    ...{ schoolId, beginDate, endDate },
    // An assignment that is in reach stands in the table, whoever may see the class itself.
    classes: together(
      [...classes, ...groups],
      found.map(({ of, className, isTeachClass }) => ({ id: of, name: className, isTeachClass })),
    ),
    subjects: together(
      subjects,
      found.map(({ subjectId, subjectName, color }) => ({ id: subjectId, name: subjectName, color })),
    ),
    assignments: found.map(({ id, of, subjectId, teacherId, teacherName, role, hours }) => ({
      ...{ id, of, subjectId, teacherId, teacherName, role, hours },
    })),
    loads: [...loads.values()].toSorted(
      (a, b) => b.hours - a.hours || a.teacherName.localeCompare(b.teacherName, 'zh'),
    ),
  }
})

/** The first rows, and those of the others that are not among them. */
function together<T extends { readonly id: string }>(first: readonly T[], others: readonly T[]): T[] {
  const known = new Map(first.map((each) => [each.id, each]))
  for (const each of others) if (!known.has(each.id)) known.set(each.id, each)
  return [...known.values()]
}
