import { type OwnLesson, ownTimetable } from '@data-brain/contract/calls/timetable'
import { addDays, todayInChina } from '@data-brain/contract/rules/school-year'
import { sql } from '../../database/statement.ts'
import { on } from '../../entity/serve-call.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { dayFacts, periodsOf } from './calendar.ts'

interface Semester {
  readonly id: string
  readonly schoolId: string
  readonly firstWeekMonday: string
  readonly weekCount: number
}

type Lesson = Omit<OwnLesson, 'date' | 'beginTime' | 'endTime' | 'change'> & {
  readonly planId: string
  readonly beginWeek: number
  readonly endWeek: number
  readonly campusId: string | null
  readonly gradeId: string | null
  /** Whether it is here as the caller's own: then those days alone matter on which the caller gives it. */
  readonly asTeacher: boolean
}

/** A substitution that holds, of a lesson on a day on which the timetable has it. */
interface Change {
  readonly id: string
  readonly scheduleId: string
  readonly kind: string
  readonly status: number
  readonly day: string
  readonly newDay: string | null
  readonly newPeriodNo: number | null
  readonly newTeacherId: string | null
  readonly newTeacherName: string | null
  readonly newClassroomId: string | null
  readonly newClassroomName: string | null
}

/** The kind of substitution that takes a lesson out. */
const takenOut = '3'

/** The semesters that are meant: the one asked for, that of a day, or the current ones. */
const semestersOf = ({ tx, actor }: Call, asked: string | undefined, date: string | undefined): Promise<Semester[]> =>
  tx.run<Semester>(
    sql`select id, school_id as "schoolId", first_week_monday as "firstWeekMonday", week_count as "weekCount" from schoolsemester
        where tenant_id = ${actor.tenantId} and case
          when ${asked ?? null}::bigint is not null then id = ${asked ?? null}
          when ${date ?? null}::date is not null then ${date ?? null}::date between least(first_week_monday, begin_date) and end_date
          else is_current = 1 end`,
  )

/**
 * The published lessons of the caller: those that the caller gives (`teacher`), those of the classes that the caller heads
 * or helps to head, teaching classes of their pupils among them (`class`), or a pupil's own (`pupil`).
 */
const lessonsOf = ({ tx, actor }: Call, semesters: readonly Semester[], as: string | undefined): Promise<Lesson[]> =>
  tx.run<Lesson>(
    sql`with headed as materialized (
          select c.id from schoolclass c where c.tenant_id = ${actor.tenantId} and c.status <= 1 and (c.head_teacher_id = ${actor.userId}
            or exists (select from schoolclass_deputy_teacher d where d.tenant_id = c.tenant_id and d.owner_id = c.id and d.target_id = ${actor.userId}))
        ), pupil as materialized (
          select s.id, s.class_id from student s where s.tenant_id = ${actor.tenantId} and s.user_id = ${actor.userId}
        ), lesson as (
          select l.*, p.begin_week, p.end_week, l.teacher_id = ${actor.userId} as planned,
            (l.teacher_id = ${actor.userId} or exists (select from substitution s where s.tenant_id = l.tenant_id and s.schedule_id = l.id
              and s.new_teacher_id = ${actor.userId} and s.status in (0, 1, 2))) as own,
            (l.class_id in (select id from headed) or exists (select from schoolteachclass_class k where k.tenant_id = l.tenant_id and k.owner_id = l.teach_class_id and k.target_id in (select id from headed))
              or exists (select from schoolteachclass_student k join student s on s.tenant_id = k.tenant_id and s.id = k.target_id
                where k.tenant_id = l.tenant_id and k.owner_id = l.teach_class_id and s.class_id in (select id from headed))) as headed,
            (l.class_id in (select class_id from pupil) or exists (select from schoolteachclass_class k where k.tenant_id = l.tenant_id and k.owner_id = l.teach_class_id and k.target_id in (select class_id from pupil))
              or exists (select from schoolteachclass_student k where k.tenant_id = l.tenant_id and k.owner_id = l.teach_class_id and k.target_id in (select id from pupil))) as learnt
          from classschedule l join timetableplan p on p.tenant_id = l.tenant_id and p.id = l.plan_id and p.status = 2
          where l.tenant_id = ${actor.tenantId} and l.semester_id = any(${semesters.map(({ id }) => id)}::bigint[])
        )
        select l.id, l.weekday, l.period_no as "periodNo", l.span, l.week_type as "weekType", l.weeks, l.semester_id as "semesterId", l.plan_id as "planId",
          l.begin_week as "beginWeek", l.end_week as "endWeek", c.campus_id as "campusId", c.grade_id as "gradeId",
          l.class_id as "classId", c.class_name as "className", t.teach_class_name as "teachClassName",
          l.subject_id as "subjectId", b.subject_name as "subjectName", b.short_name as "shortName", coalesce(l.color, b.color) as color,
          l.teacher_id as "teacherId", u.real_name as "teacherName", r.id as "classroomId", r.room_name as "classroomName", l.planned as "isOwn",
          case ${as ?? null}::text when 'teacher' then true when 'class' then false when 'pupil' then false
            else exists (select from lesson where own) end as "asTeacher"
        from lesson l
          join schoolsubject b on b.tenant_id = l.tenant_id and b.id = l.subject_id
          join app_user u on u.tenant_id = l.tenant_id and u.id = l.teacher_id
          left join schoolclass c on c.tenant_id = l.tenant_id and c.id = l.class_id
          left join schoolteachclass t on t.tenant_id = l.tenant_id and t.id = l.teach_class_id
          left join schoolclassroom r on r.tenant_id = l.tenant_id and r.id = coalesce(l.classroom_id, t.classroom_id, c.classroom_id)
        where case ${as ?? null}::text
          when 'teacher' then l.own
          when 'class' then l.headed
          when 'pupil' then l.learnt
          else case when exists (select from lesson where own) then l.own when exists (select from headed) then l.headed else l.learnt end end
        order by l.weekday, l.period_no, l.id limit 1000`,
  )

const taughtIn = ({ weekType, weeks, beginWeek, endWeek }: Lesson, week: number): boolean =>
  week >= beginWeek &&
  week <= endWeek &&
  (weekType === '0' ||
    (weekType === '1' && week % 2 === 1) ||
    (weekType === '2' && week % 2 === 0) ||
    (weekType === '3' && (weeks ?? []).includes(week)))

const shown = ({
  beginWeek: _,
  endWeek: __,
  campusId: ___,
  gradeId: ____,
  asTeacher: _____,
  planId: ______,
  ...lesson
}: Lesson): OwnLesson => ({ ...lesson, date: null, beginTime: null, endTime: null, change: null })

/** The substitutions that hold of these lessons and touch a week: lessons that leave it, come into it or are otherwise in it. */
const changesOf = ({ tx, actor }: Call, lessons: readonly Lesson[], from: string, to: string): Promise<Change[]> => {
  const ids = lessons.map(({ id }) => id)
  return tx.run<Change>(
    sql`select s.id, s.schedule_id as "scheduleId", s.kind, s.status, s.day, s.new_day as "newDay", s.new_period_no as "newPeriodNo",
          s.new_teacher_id as "newTeacherId", u.real_name as "newTeacherName", s.new_classroom_id as "newClassroomId", r.room_name as "newClassroomName"
        from substitution s join lesson_days(${actor.tenantId}, ${ids}::bigint[]) d on d.lesson_id = s.schedule_id and d.days @> s.day
          left join app_user u on u.tenant_id = s.tenant_id and u.id = s.new_teacher_id
          left join schoolclassroom r on r.tenant_id = s.tenant_id and r.id = s.new_classroom_id
        where s.tenant_id = ${actor.tenantId} and s.schedule_id = any(${ids}::bigint[]) and s.status in (0, 1, 2)
          and (s.day between ${from}::date and ${to}::date or s.new_day between ${from}::date and ${to}::date)
        order by s.id`,
  )
}

/** A lesson as a substitution has it. */
const changed = (lesson: Lesson, change: Change, { userId }: Call['actor']): Lesson & Pick<OwnLesson, 'change'> => ({
  ...lesson,
  periodNo: change.newPeriodNo ?? lesson.periodNo,
  teacherId: change.newTeacherId ?? lesson.teacherId,
  teacherName: change.newTeacherName ?? lesson.teacherName,
  classroomId: change.newClassroomId ?? lesson.classroomId,
  classroomName: change.newClassroomName ?? lesson.classroomName,
  isOwn: (change.newTeacherId ?? lesson.teacherId) === userId,
  change: {
    id: change.id,
    kind: change.kind,
    status: change.status,
    teacherId: lesson.teacherId,
    teacherName: lesson.teacherName,
    day: change.day,
    periodNo: lesson.periodNo,
  },
})

/**
 * The lessons of one week of a semester, each on its day, as the calendar and the substitutions have it: none on holidays and
 * examination days, made-up days as those they make up for, covers with whoever gives them, moved lessons where they are now.
 * Of a teacher's own week those that the teacher gives.
 */
async function weekOf(call: Call, semester: Semester, week: number, lessons: readonly Lesson[]): Promise<OwnLesson[]> {
  const { tx, actor } = call
  const place = { tenantId: actor.tenantId, schoolId: semester.schoolId }
  const monday = addDays(semester.firstWeekMonday, 7 * (week - 1))
  const sunday = addDays(monday, 6)
  const facts = await dayFacts(tx, place, monday, sunday)
  const changes = Map.groupBy(
    await changesOf(call, lessons, monday, sunday),
    ({ scheduleId, day }) => `${scheduleId}|${day}`,
  )
  const bells = new Map<string, Awaited<ReturnType<typeof periodsOf>>>()
  const bellsFor = async (lesson: Lesson, date: string) => {
    const key = `${lesson.campusId}|${lesson.gradeId}`
    const found =
      bells.get(key) ?? (await periodsOf(tx, { ...place, campusId: lesson.campusId, gradeId: lesson.gradeId, date }))
    bells.set(key, found)
    return found
  }
  const given: { readonly date: string; readonly lesson: Lesson & Partial<Pick<OwnLesson, 'change'>> }[] = []
  for (const [date, { weekday }] of facts)
    for (const lesson of lessons)
      if (Number(lesson.weekday) === weekday && taughtIn(lesson, week) && !changes.has(`${lesson.id}|${date}`))
        given.push({ date, lesson })
  for (const [key, over] of changes) {
    const lesson = lessons.find(({ id }) => key.startsWith(`${id}|`))
    const [change] = over
    if (!lesson || !change || over.some(({ kind }) => kind === takenOut)) continue
    const date = change.newDay ?? change.day
    // On a holiday or an examination day there is none, wherever it comes from.
    if ((facts.get(date)?.weekday ?? null) !== null) given.push({ date, lesson: changed(lesson, change, actor) })
  }
  const found: OwnLesson[] = []
  for (const { date, lesson } of given) {
    if (lesson.asTeacher && !lesson.isOwn) continue
    const times = await bellsFor(lesson, date)
    const bell = (no: number) => times.find(({ periodNo }) => periodNo === no)
    found.push({
      ...shown(lesson),
      date,
      beginTime: bell(lesson.periodNo)?.beginTime ?? null,
      endTime: bell(lesson.periodNo + lesson.span - 1)?.endTime ?? null,
      change: lesson.change ?? null,
    })
  }
  return found.toSorted(
    (a, b) => (a.date ?? '').localeCompare(b.date ?? '') || a.periodNo - b.periodNo || a.id.localeCompare(b.id),
  )
}

/**
 * The published plan of each semester that holds now; before it begins, or between two, the one that comes next, and after it
 * the last one. Where a term changes its timetable the lessons that repeat are those of one of them.
 */
async function plansNow({ tx, actor }: Call, semesters: readonly Semester[]): Promise<ReadonlySet<string>> {
  const plans = await tx.run<{ id: string; semesterId: string; endWeek: number }>(
    sql`select id, semester_id as "semesterId", end_week as "endWeek" from timetableplan
        where tenant_id = ${actor.tenantId} and semester_id = any(${semesters.map(({ id }) => id)}::bigint[]) and status = 2 order by begin_week`,
  )
  const today = todayInChina()
  return new Set(
    semesters.flatMap((semester) => {
      const own = plans.filter(({ semesterId }) => semesterId === semester.id)
      const now = own.find(({ endWeek }) => endWeek >= weekAt(semester, today)) ?? own.at(-1)
      return now ? [now.id] : []
    }),
  )
}

export const ownTimetableRoute: Route = on(ownTimetable, async ({ semesterId, week, date, as }, call) => {
  const semesters = await semestersOf(call, semesterId, date)
  const lessons = await lessonsOf(call, semesters, as)
  if (week === undefined && date === undefined) {
    const now = await plansNow(call, semesters)
    return lessons.filter(({ asTeacher, isOwn, planId }) => now.has(planId) && (isOwn || !asTeacher)).map(shown)
  }
  const found: OwnLesson[] = []
  for (const semester of semesters) {
    const own = lessons.filter((lesson) => lesson.semesterId === semester.id)
    const asked = date ? weekAt(semester, date) : week!
    if (own.length > 0 && asked >= 1 && asked <= semester.weekCount)
      found.push(...(await weekOf(call, semester, asked, own)))
  }
  return found
})

/** The number of the week that a day lies in; below 1 before the first. */
const weekAt = ({ firstWeekMonday }: Semester, date: string): number =>
  Math.floor((Date.parse(`${date}T00:00:00Z`) - Date.parse(`${firstWeekMonday}T00:00:00Z`)) / (7 * 86_400_000)) + 1

// A calendar feed tells the same lessons, week by week.
export { type Lesson, lessonsOf, semestersOf, weekOf }
