import { classschedule, codeOf, school, substitution } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import {
  type Candidate,
  type OwnSubstitution,
  ownSubstitutions,
  substituteCandidates,
  substitutionCounts,
  type UncoveredLesson,
  uncoveredLessons,
} from '@data-brain/contract/calls/substitution'
import { addDays, todayInChina } from '@data-brain/contract/rules/school-year'
import { prepareQuery, type Statement, sql } from '../../database/statement.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { dayFacts } from '../timetable/index.ts'
import { mustBeSpan } from './arrange.ts'
import { candidatesFor } from './candidates.ts'
import { type LessonOnDay, lessonOn, lessonsOn, onSchoolDays } from './lessons.ts'
import { kinds, states } from './states.ts'

/** Of lessons, those that the caller works with by a right to substitutions. */
async function seenOf<L extends { readonly scheduleId: string }>(
  call: Call,
  lessons: readonly L[],
  codes: readonly string[],
): Promise<L[]> {
  const rows = rowsOf(classschedule, call)
  if (!(await rows.reach(codes))) return [...lessons]
  const ids = [...new Set(lessons.map(({ scheduleId }) => scheduleId))]
  const seen = new Set((await rows.rows(ids, [], { codes })).map(({ id }) => id))
  return lessons.filter(({ scheduleId }) => seen.has(scheduleId))
}

const uncoveredRoute: Route = on(uncoveredLessons, async ({ schoolId, from, to }, call) => {
  mustBeSpan({ from, to })
  const { tx, actor } = call
  const { tenantId } = actor
  await rowsOf(school, call).before(schoolId)
  const absences = await tx.run<{
    id: string
    teacherId: string
    begin: string
    end: string
    first: number | null
    last: number | null
  }>(
    sql`select a.id, a.teacher_id as "teacherId", a.begin_date as begin, a.end_date as end, a.begin_period_no as first, a.end_period_no as last
        from teacherabsence a where a.tenant_id = ${tenantId} and a.school_id = ${schoolId} and a.status = 1
          and a.begin_date <= ${to}::date and a.end_date >= ${from}::date order by a.id`,
  )
  if (absences.length === 0) return []
  const away = [...new Set(absences.map(({ teacherId }) => teacherId))]
  const stretch = { tenantId, from, to }
  // Those of the timetable, and those that somebody covers who is away as well.
  const lessons = await lessonsOn(
    tx,
    stretch,
    sql`l.school_id = ${schoolId} and (l.teacher_id = any(${away}::bigint[]) or exists (select from substitution s where s.tenant_id = l.tenant_id
          and s.schedule_id = l.id and s.status <= ${states.done} and s.new_teacher_id = any(${away}::bigint[])))`,
  )
  const absenceOf = ({ teacherId, date, periodNo, span }: LessonOnDay) =>
    absences.find(
      (each) =>
        each.teacherId === teacherId &&
        date >= each.begin &&
        date <= each.end &&
        (date > each.begin || each.first === null || periodNo + span - 1 >= each.first) &&
        (date < each.end || each.last === null || periodNo <= each.last),
    )
  const bare = (await onSchoolDays(tx, stretch, lessons)).filter((lesson) => absenceOf(lesson) !== undefined)
  const seen = await seenOf(call, bare, [codeOf(substitution, 'view')])
  const declined = await tx.run<{ scheduleId: string; day: string; name: string }>(
    sql`select s.schedule_id as "scheduleId", s.day, u.real_name as name from substitution s
          join app_user u on u.tenant_id = s.tenant_id and u.id = s.new_teacher_id
        where s.tenant_id = ${tenantId} and s.status = ${states.declined} and s.schedule_id = any(${seen.map(({ scheduleId }) => scheduleId)}::bigint[])
        order by s.id`,
  )
  return seen.map((lesson): UncoveredLesson => {
    const { scheduleId, day, date, periodNo, span, className, subjectId, subjectName } = lesson
    return {
      ...{ scheduleId, day, date, periodNo, span, className, subjectId, subjectName },
      teacherId: lesson.teacherId,
      teacherName: lesson.teacherName,
      classroomName: lesson.classroomName,
      substitutionId: lesson.substitutionId,
      absenceId: absenceOf(lesson)!.id,
      declinedBy: declined.filter((each) => each.scheduleId === scheduleId && each.day === day).map(({ name }) => name),
    }
  })
})

const candidatesRoute: Route = on(substituteCandidates, async ({ scheduleId, day }, call): Promise<Candidate[]> => {
  await rowsOf(classschedule, call).before(scheduleId, { codes: [codeOf(substitution, 'add')] })
  const lesson = await lessonOn(call.tx, call.actor.tenantId, { scheduleId, day })
  if (!lesson)
    throw new Problem('rule_broken', {
      reason: {
        zh: `${day}没有这节课，请按课表选择日期`,
        en: `There is no such lesson on ${day}: choose a day on which the timetable has it`,
      },
    })
  return candidatesFor(call, lesson)
})

const ownRoute: Route = on(ownSubstitutions, async ({ from, to }, call) => {
  const { tx, actor } = call
  const first = from ?? todayInChina()
  const last = to ?? addDays(first, 120)
  return tx.run<OwnSubstitution>(
    sql`select s.id, s.kind, s.status, s.day, coalesce(s.new_day, s.day) as date, coalesce(s.new_period_no, l.period_no) as "periodNo", l.span,
          coalesce(c.class_name, g.teach_class_name) as "className", b.subject_name as "subjectName", u.real_name as "teacherName",
          n.real_name as "newTeacherName", r.room_name as "classroomName", s.reason,
          s.status = ${states.waiting} and coalesce(s.new_teacher_id, s.teacher_id) = ${actor.userId} as "awaitsMe"
        from substitution s join classschedule l on l.tenant_id = s.tenant_id and l.id = s.schedule_id
          join schoolsubject b on b.tenant_id = l.tenant_id and b.id = l.subject_id
          join app_user u on u.tenant_id = l.tenant_id and u.id = coalesce(s.teacher_id, l.teacher_id)
          left join app_user n on n.tenant_id = s.tenant_id and n.id = s.new_teacher_id
          left join schoolclass c on c.tenant_id = l.tenant_id and c.id = l.class_id
          left join schoolteachclass g on g.tenant_id = l.tenant_id and g.id = l.teach_class_id
          left join schoolclassroom r on r.tenant_id = s.tenant_id and r.id = coalesce(s.new_classroom_id, l.classroom_id, g.classroom_id, c.classroom_id)
        where s.tenant_id = ${actor.tenantId} and ${actor.userId}::bigint in (s.teacher_id, s.new_teacher_id)
          and (s.day between ${first}::date and ${last}::date or s.new_day between ${first}::date and ${last}::date)
        order by "awaitsMe" desc, date, "periodNo", s.id limit 500`,
  )
})

type Counted = AnswerOf<typeof substitutionCounts>[number]

const countsRoute: Route = on(substitutionCounts, async ({ schoolId, from, to }, call) => {
  mustBeSpan({ from, to })
  const { tx, actor } = call
  await rowsOf(school, call).before(schoolId)
  const reach = await rowsOf(substitution, call).reach([codeOf(substitution, 'view')])
  // On a day that has become a holiday since, nobody gave anything.
  const facts = await dayFacts(tx, { tenantId: actor.tenantId, schoolId }, from, to)
  const days = [...facts].flatMap(([day, { weekday }]) => (weekday === null ? [] : day))
  // What waits for an answer, was declined or cancelled counts for nobody, nor does what an examination has taken out.
  const { text, values } = prepareQuery(
    sql`with counted as materialized (
          select t.teacher_id, t.new_teacher_id, l.span, coalesce(t.counts_as_extra, 1) as extra
          from substitution t join classschedule l on l.tenant_id = t.tenant_id and l.id = t.schedule_id
          where t.tenant_id = ${actor.tenantId} and t.school_id = ${schoolId} and t.status in (${states.confirmed}, ${states.done})
            and coalesce(t.new_day, t.day) = any(${days}::date[]) and t.new_teacher_id is not null and t.new_teacher_id <> t.teacher_id
            and not exists (select from substitution x where x.tenant_id = t.tenant_id and x.schedule_id = t.schedule_id and x.day = t.day
              and x.kind = ${kinds.out} and x.status <= ${states.done})
            ${reach ? sql`and ${reach.sql}` : sql``}
        ), each as (
          select new_teacher_id as id, span as covered, 0 as given, span * extra as extra from counted
          union all select teacher_id, 0, span, 0 from counted
        )
        select u.id as "teacherId", u.real_name as "teacherName", sum(e.covered)::int as covered, sum(e.given)::int as "givenAway", sum(e.extra)::int as extra
        from each e join app_user u on u.tenant_id = ${actor.tenantId} and u.id = e.id
        group by u.id, u.real_name order by covered desc, "givenAway" desc, u.real_name, u.id limit 2000`,
  ).with({ tenant: actor.tenantId, ...reach?.values })
  return tx.run<Counted>({ text, values } as Statement)
})

export const deskRoutes: readonly Route[] = [uncoveredRoute, candidatesRoute, ownRoute, countsRoute]
