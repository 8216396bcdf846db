import { createHash } from 'node:crypto'
import { classschedule, codeOf, schoolclass, schoolclassroom } from '@data-brain/contract'
import type { CalendarFeed } from '@data-brain/contract/calls/calendar-feed'
import type { OwnLesson } from '@data-brain/contract/calls/timetable'
import { sql } from '../../database/statement.ts'
import { queryReached } from '../../entity/reached.ts'
import { rowsOf } from '../../entity/routes.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { type Language, Problem } from '../../kernel/problem.ts'
import type { Call } from '../../kernel/route.ts'
import type { CalendarEvent } from './ical.ts'
import { type Lesson, lessonsOf, semestersOf, weekOf } from './own-week.ts'

/** What a feed is of. */
export interface FeedTarget {
  readonly kind: CalendarFeed['kind']
  /** The class or the room; null for one's own week. */
  readonly targetId: string | null
}

/** The lessons of a class, those of teaching classes of its pupils among them, or of a room: those that the caller reaches. */
const lessonsAt = (call: Call, { kind, targetId }: FeedTarget, semesterIds: readonly string[]): Promise<Lesson[]> =>
  queryReached<Lesson>(
    call,
    classschedule,
    (scope) =>
      sql`select t.id, t.weekday, t.period_no as "periodNo", t.span, t.week_type as "weekType", t.weeks, t.semester_id as "semesterId", t.plan_id as "planId",
          p.begin_week as "beginWeek", p.end_week as "endWeek", c.campus_id as "campusId", c.grade_id as "gradeId",
          t.class_id as "classId", c.class_name as "className", g.teach_class_name as "teachClassName",
          t.subject_id as "subjectId", b.subject_name as "subjectName", b.short_name as "shortName", coalesce(t.color, b.color) as color,
          t.teacher_id as "teacherId", u.real_name as "teacherName", r.id as "classroomId", r.room_name as "classroomName", false as "isOwn"
        from classschedule t
          join timetableplan p on p.tenant_id = t.tenant_id and p.id = t.plan_id and p.status = 2
          join schoolsubject b on b.tenant_id = t.tenant_id and b.id = t.subject_id
          join app_user u on u.tenant_id = t.tenant_id and u.id = t.teacher_id
          left join schoolclass c on c.tenant_id = t.tenant_id and c.id = t.class_id
          left join schoolteachclass g on g.tenant_id = t.tenant_id and g.id = t.teach_class_id
          left join schoolclassroom r on r.tenant_id = t.tenant_id and r.id = coalesce(t.classroom_id, g.classroom_id, c.classroom_id)
        where t.tenant_id = ${call.actor.tenantId} and t.semester_id = any(${[...semesterIds]}::bigint[]) and ${
          kind === 'room'
            ? sql`r.id = ${targetId}`
            : sql`(t.class_id = ${targetId}
                or exists (select from schoolteachclass_class k where k.tenant_id = t.tenant_id and k.owner_id = t.teach_class_id and k.target_id = ${targetId})
                or exists (select from schoolteachclass_student k join student s on s.tenant_id = k.tenant_id and s.id = k.target_id
                  where k.tenant_id = t.tenant_id and k.owner_id = t.teach_class_id and s.class_id = ${targetId}))`
        } ${scope}
        order by t.weekday, t.period_no, t.id limit 1000`,
  )

/**
 * The name of what a feed is of; null for one's own week. Refuses whoever may not view timetables and, as one that is not
 * there, a class or room that the caller may not view.
 */
export async function targetName(call: Call, { kind, targetId }: FeedTarget): Promise<string | null> {
  if (kind === 'own' || targetId === null) return null
  const code = codeOf(classschedule, 'view')
  if (!holdsCode(call.actor, code)) throw new Problem('forbidden', { code })
  if (kind === 'class') return (await rowsOf(schoolclass, call).detail(targetId)).className
  return (await rowsOf(schoolclassroom, call).detail(targetId)).roomName
}

/**
 * The same for a slot of a day and class whichever plan it comes from: a plan that is published anew moves no event that
 * stays, and another teacher or room changes the event in place.
 */
function uidOf({ semesterId, date, periodNo, classId, teachClassName }: OwnLesson): string {
  const key = [semesterId, date, periodNo, classId ?? teachClassName].join('|')
  return `${createHash('sha256').update(key).digest('hex').slice(0, 40)}@timetable.data-brain`
}

const text: Record<Language, { period: (from: number, to: number) => string; teacher: string; between: string }> = {
  zh: {
    period: (from, to) => (from === to ? `第${from}节` : `第${from}至${to}节`),
    teacher: '教师：',
    between: '，',
  },
  en: {
    period: (from, to) => (from === to ? `Period ${from}` : `Periods ${from} to ${to}`),
    teacher: 'Teacher: ',
    between: ', ',
  },
}

function eventOf(lesson: OwnLesson, day: string, language: Language): CalendarEvent {
  const { className, teachClassName, periodNo, span, beginTime, endTime } = lesson
  const words = text[language]
  const period = words.period(periodNo, periodNo + span - 1)
  return {
    uid: uidOf(lesson),
    day,
    beginTime,
    endTime,
    // Without bell times the period says when.
    summary: [lesson.subjectName, className ?? teachClassName, ...(beginTime && endTime ? [] : [period])].join(' '),
    location: lesson.classroomName,
    description: [period, `${words.teacher}${lesson.teacherName}`].join(words.between),
  }
}

/**
 * The lessons of the current semesters, each on its day as the calendar has it, in order. They name subject, class, room
 * and teacher; the call's actor is whoever made the feed.
 */
export async function feedEvents(call: Call, target: FeedTarget): Promise<CalendarEvent[]> {
  const semesters = await semestersOf(call, undefined, undefined)
  const lessons =
    target.kind === 'own'
      ? await lessonsOf(call, semesters, undefined)
      : await lessonsAt(
          call,
          target,
          semesters.map(({ id }) => id),
        )
  const found: OwnLesson[] = []
  for (const semester of semesters) {
    const own = lessons.filter(({ semesterId }) => semesterId === semester.id)
    if (own.length === 0) continue
    for (let week = 1; week <= semester.weekCount; week += 1) found.push(...(await weekOf(call, semester, week, own)))
  }
  return found
    .flatMap((lesson) => (lesson.date ? [eventOf(lesson, lesson.date, call.circumstance.language)] : []))
    .toSorted((a, b) => `${a.day}${a.beginTime ?? ''}`.localeCompare(`${b.day}${b.beginTime ?? ''}`))
}
