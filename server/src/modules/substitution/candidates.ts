import type { Words } from '@data-brain/contract'
import type { Candidate } from '@data-brain/contract/calls/substitution'
import { sql } from '../../database/statement.ts'
import type { Call } from '../../kernel/route.ts'
import { dayFacts } from '../timetable/index.ts'
import { isAway, type LessonOnDay } from './lessons.ts'
import { states } from './states.ts'

interface Figures {
  readonly teacherId: string
  readonly teacherName: string
  /** The lesson that the teacher gives then. */
  readonly busyWith: string | null
  readonly isAbsent: boolean
  readonly isUnavailable: boolean
  readonly hasDeclined: boolean
  readonly sameSubject: boolean
  readonly knowsClass: boolean
  readonly sameCampus: boolean
  readonly covers: number
  readonly periodsThatDay: number
}

/** Most teachers that are looked at; a school has fewer. */
const candidatesMost = 500

const figuresOf = async ({ tx, actor }: Call, lesson: LessonOnDay): Promise<Figures[]> => {
  const { tenantId } = actor
  const { schoolId, semesterId, date, periodNo, span } = lesson
  const facts = (await dayFacts(tx, { tenantId, schoolId }, date, date)).get(date)
  const last = periodNo + span - 1
  return tx.run<Figures>(
    sql`with teacher as materialized (
          select distinct a.user_id as id from teacherclass a
          where a.tenant_id = ${tenantId} and a.semester_id = ${semesterId} and ${date}::date between a.begin_date and a.end_date
          union select l.teacher_id from classschedule l join timetableplan p on p.tenant_id = l.tenant_id and p.id = l.plan_id and p.status = 2
          where l.tenant_id = ${tenantId} and l.semester_id = ${semesterId}
        )
        select u.id as "teacherId", u.real_name as "teacherName", busy.what as "busyWith",
          exists (select from teacherabsence a where a.tenant_id = u.tenant_id and a.teacher_id = u.id and a.status = 1
            and ${isAway(sql`${date}::date`, sql`${periodNo}::int`, sql`${last}::int`)}) as "isAbsent",
          exists (select from jsonb_array_elements(case jsonb_typeof(u.unavailable_slots) when 'array' then u.unavailable_slots else '[]' end) x
            where (x->>'weekday')::int = ${facts?.weekday ?? 0}::int and (x->>'periodNo')::int between ${periodNo}::int and ${last}::int) as "isUnavailable",
          exists (select from substitution s where s.tenant_id = u.tenant_id and s.schedule_id = ${lesson.scheduleId} and s.day = ${lesson.day}::date
            and s.new_teacher_id = u.id and s.status = ${states.declined}) as "hasDeclined",
          exists (select from teacherclass a where a.tenant_id = u.tenant_id and a.semester_id = ${semesterId} and a.user_id = u.id
            and a.subject_id = ${lesson.subjectId}) as "sameSubject",
          exists (select from teacherclass a where a.tenant_id = u.tenant_id and a.semester_id = ${semesterId} and a.user_id = u.id
            and (a.class_id = ${lesson.classId} or a.teach_class_id = ${lesson.teachClassId})) or u.id = ${lesson.headTeacherId ?? '0'}::bigint as "knowsClass",
          coalesce(u.home_campus_id = ${lesson.campusId}, false) or exists (select from teacherclass a
            join schoolclass c on c.tenant_id = a.tenant_id and c.id = a.class_id and c.campus_id = ${lesson.campusId}
            where u.home_campus_id is null and a.tenant_id = u.tenant_id and a.semester_id = ${semesterId} and a.user_id = u.id) as "sameCampus",
          (select coalesce(sum(l.span), 0)::int from substitution s join classschedule l on l.tenant_id = s.tenant_id and l.id = s.schedule_id
            where s.tenant_id = u.tenant_id and s.new_teacher_id = u.id and s.teacher_id <> u.id and s.status <= ${states.done} and l.semester_id = ${semesterId}) as covers,
          (select count(*)::int from scheduleoccupancy o where o.tenant_id = u.tenant_id and o.resource_type = 'T' and o.resource_id = u.id
            and o.days @> ${date}::date) as "periodsThatDay"
        from teacher t join app_user u on u.tenant_id = ${tenantId} and u.id = t.id and u.status = 1
          left join lateral (
            select coalesce(c.class_name, g.teach_class_name) || b.subject_name as what
            from scheduleoccupancy o join classschedule l on l.tenant_id = o.tenant_id and l.id = o.schedule_id
              join schoolsubject b on b.tenant_id = l.tenant_id and b.id = l.subject_id
              left join schoolclass c on c.tenant_id = l.tenant_id and c.id = l.class_id
              left join schoolteachclass g on g.tenant_id = l.tenant_id and g.id = l.teach_class_id
            where o.tenant_id = u.tenant_id and o.resource_type = 'T' and o.resource_id = u.id and o.days @> ${date}::date
              and o.period_no between ${periodNo}::int and ${last}::int
            order by o.period_no limit 1) busy on true
        where u.id <> ${lesson.teacherId} and u.id <> ${lesson.plannedTeacherId}
        order by u.id limit ${candidatesMost}`,
  )
}

/**
 * How suitable a teacher who is free is: one of the subject 4, one whom the class knows 3, one of the campus 1; what is
 * covered already this semester takes a quarter off each period (4 at most), and each period of that day beyond four a half.
 */
const scoreOf = ({ sameSubject, knowsClass, sameCampus, covers, periodsThatDay }: Figures): number =>
  (sameSubject ? 4 : 0) +
  (knowsClass ? 3 : 0) +
  (sameCampus ? 1 : 0) -
  Math.min(4, covers / 4) -
  Math.max(0, periodsThatDay - 4) / 2

const inAll = (periods: number): string => (periods === 1 ? '1 period' : `${periods} periods`)

/** Why somebody suits a lesson or does not: parts of one line. */
function reasonsOf(each: Figures): Words[] {
  const { busyWith, covers, periodsThatDay } = each
  const reasons: Words[] = []
  if (each.isAbsent) reasons.push({ zh: '当时缺勤', en: 'absent then' })
  else if (busyWith) reasons.push({ zh: `当时有课：${busyWith}`, en: `teaching then: ${busyWith}` })
  else if (each.isUnavailable) reasons.push({ zh: '当时不排课', en: 'does not teach then' })
  else reasons.push({ zh: '当时空闲', en: 'free then' })
  if (each.hasDeclined) reasons.push({ zh: '已拒绝过这节课', en: 'has declined this lesson' })
  if (each.sameSubject) reasons.push({ zh: '任教同一学科', en: 'teaches the subject' })
  if (each.knowsClass) reasons.push({ zh: '任教该班', en: 'teaches the class' })
  reasons.push(each.sameCampus ? { zh: '在同一校区', en: 'same campus' } : { zh: '不在该校区', en: 'other campus' })
  reasons.push({ zh: `本学期已代${covers}节`, en: `${inAll(covers)} covered this semester` })
  reasons.push({ zh: `当天有${periodsThatDay}节课`, en: `${inAll(periodsThatDay)} that day` })
  return reasons
}

/** Everybody who teaches in the semester, for one lesson: who is free and suits it best first, who cannot last. */
export async function candidatesFor(call: Call, lesson: LessonOnDay): Promise<Candidate[]> {
  const all = (await figuresOf(call, lesson)).map((each): Candidate => {
    const { teacherId, teacherName, sameSubject, knowsClass, sameCampus, hasDeclined, covers, periodsThatDay } = each
    return {
      ...{ teacherId, teacherName, sameSubject, knowsClass, sameCampus, hasDeclined, covers, periodsThatDay },
      isFree: !each.isAbsent && each.busyWith === null && !each.isUnavailable,
      score: scoreOf(each),
      reasons: reasonsOf(each),
    }
  })
  return all.toSorted(
    (a, b) =>
      Number(b.isFree) - Number(a.isFree) ||
      Number(a.hasDeclined) - Number(b.hasDeclined) ||
      b.score - a.score ||
      a.covers - b.covers ||
      a.teacherName.localeCompare(b.teacherName, 'zh') ||
      a.teacherId.localeCompare(b.teacherId),
  )
}
