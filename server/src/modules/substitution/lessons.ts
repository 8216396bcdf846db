import { addDays } from '@data-brain/contract/rules/school-year'
import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { dayFacts } from '../timetable/index.ts'

/** A published lesson on one day as it stands: as the timetable says, or as the substitution that holds does. */
export interface LessonOnDay {
  readonly scheduleId: string
  /** The day on which the timetable has it. */
  readonly day: string
  /** The day on which it is given. */
  readonly date: string
  readonly periodNo: number
  readonly span: number
  readonly schoolId: string
  readonly semesterId: string
  readonly classId: string | null
  readonly teachClassId: string | null
  readonly className: string
  readonly campusId: string | null
  readonly headTeacherId: string | null
  readonly subjectId: string
  readonly subjectName: string
  readonly teacherId: string
  readonly teacherName: string
  /** The teacher whom the timetable has. */
  readonly plannedTeacherId: string
  readonly classroomName: string | null
  readonly substitutionId: string | null
  /** Whether whoever gives it instead has still to say yes. */
  readonly isProposed: boolean
}

/** The tenant and the days in which lessons are looked up, both ends included. */
export interface DateRange {
  readonly tenantId: string
  readonly from: string
  readonly to: string
}

/**
 * Lessons on the days of a stretch, in their order. `which` is a condition on lessons `l` of published plans `p`; what is
 * given on a day without lessons, such as a holiday, is left out by `onSchoolDays`.
 */
export const lessonsOn = (
  tx: Tx,
  { tenantId, from, to }: DateRange,
  which: RawBuilder<unknown>,
): Promise<LessonOnDay[]> =>
  tx.run<LessonOnDay>(
    sql`with stint as materialized (
          select t.lesson_id, t.substitution_id, t.teacher_id, t.classroom_id, t.period_no, g.date::date as date
          from lesson_stints(${tenantId}, array(
              select l.id from classschedule l join timetableplan p on p.tenant_id = l.tenant_id and p.id = l.plan_id and p.status = 2
              where l.tenant_id = ${tenantId} and ${which})) t
            cross join lateral unnest(t.days * datemultirange(daterange(${from}::date, ${to}::date, '[]'))) as r(days)
            cross join lateral generate_series(lower(r.days), upper(r.days) - 1, interval '1 day') as g(date)
        )
        select l.id as "scheduleId", coalesce(s.day, t.date) as day, t.date, t.period_no as "periodNo", l.span, l.school_id as "schoolId",
          l.semester_id as "semesterId", l.class_id as "classId", l.teach_class_id as "teachClassId",
          coalesce(c.class_name, g.teach_class_name) as "className", c.campus_id as "campusId", c.head_teacher_id as "headTeacherId",
          l.subject_id as "subjectId", b.subject_name as "subjectName", t.teacher_id as "teacherId", u.real_name as "teacherName",
          l.teacher_id as "plannedTeacherId", r.room_name as "classroomName", s.id as "substitutionId", coalesce(s.status = 0, false) as "isProposed"
        from stint t join classschedule l on l.tenant_id = ${tenantId} and l.id = t.lesson_id
          join schoolsubject b on b.tenant_id = l.tenant_id and b.id = l.subject_id
          join app_user u on u.tenant_id = l.tenant_id and u.id = t.teacher_id
          left join schoolclass c on c.tenant_id = l.tenant_id and c.id = l.class_id
          left join schoolteachclass g on g.tenant_id = l.tenant_id and g.id = l.teach_class_id
          left join substitution s on s.tenant_id = l.tenant_id and s.id = t.substitution_id
          left join schoolclassroom r on r.tenant_id = l.tenant_id and r.id = coalesce(t.classroom_id, g.classroom_id, c.classroom_id)
        order by t.date, t.period_no, l.id`,
  )

/** Of lessons those whose day has lessons: no holiday, examination or event is on it. */
export async function onSchoolDays<L extends Pick<LessonOnDay, 'schoolId' | 'date'>>(
  tx: Tx,
  stretch: DateRange,
  lessons: readonly L[],
): Promise<L[]> {
  const schools = new Map<string, Awaited<ReturnType<typeof dayFacts>>>()
  for (const { schoolId } of lessons)
    if (!schools.has(schoolId))
      schools.set(schoolId, await dayFacts(tx, { tenantId: stretch.tenantId, schoolId }, stretch.from, stretch.to))
  return lessons.filter(({ schoolId, date }) => (schools.get(schoolId)?.get(date)?.weekday ?? null) !== null)
}

/** One lesson of the timetable on a day, as it stands now; undefined where the timetable has none, or it is taken out. */
export async function lessonOn(
  tx: Tx,
  tenantId: string,
  { scheduleId, day }: { readonly scheduleId: string; readonly day: string },
): Promise<LessonOnDay | undefined> {
  // It may have been moved, within its semester.
  const wide = { tenantId, from: addDays(day, -300), to: addDays(day, 300) }
  return (await lessonsOn(tx, wide, sql`l.id = ${scheduleId}`)).find((each) => each.day === day)
}

/** Periods that somebody is away: absences `a` that touch day and periods of a lesson, as SQL over these expressions. */
export const isAway = (day: RawBuilder<unknown>, from: RawBuilder<unknown>, until: RawBuilder<unknown>) =>
  sql`${day} between a.begin_date and a.end_date
    and (${day} > a.begin_date or a.begin_period_no is null or ${until} >= a.begin_period_no)
    and (${day} < a.end_date or a.end_period_no is null or ${from} <= a.end_period_no)`
