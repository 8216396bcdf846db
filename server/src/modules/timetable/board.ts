import { classschedule, codeOf, teacherclass, timetableplan } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { type Obstacle, type OwedLessons, planBoard, planCheck, planSlots } from '@data-brain/contract/calls/timetable'
import { readWeeks } from '@data-brain/contract/rules/weeks'
import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'
import { queryReached } from '../../entity/reached.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { periodsOf, usualPeriods } from './calendar.ts'
import { type DayShape, Judge, type Placed } from './judge.ts'
import {
  type Circumstances,
  circumstancesOf,
  idsSeen,
  lessonsOfPlan,
  lessonsSeen,
  meeting,
  notHandedOver,
  type PlanFacts,
  type PlanLesson,
  planFacts,
  thatLesson,
} from './lessons.ts'

type Period = AnswerOf<typeof planBoard>['periods'][number]

/** A plan that the caller reaches by a right, with its semester. */
export async function planFor(call: Call, planId: string, codes: readonly string[]): Promise<PlanFacts> {
  await rowsOf(timetableplan, call).before(planId, { codes })
  const facts = await planFacts(call.tx, call.actor.tenantId, planId)
  if (!facts) throw new Problem('not_found')
  return facts
}

/** The bell times of a plan's school: as many periods as its lessons need where it has given none. */
async function periodsFor(
  { tx, actor }: Pick<Call, 'tx' | 'actor'>,
  plan: Pick<PlanFacts, 'schoolId'>,
): Promise<readonly Period[]> {
  const given = await periodsOf(tx, { tenantId: actor.tenantId, schoolId: plan.schoolId })
  return given.some(({ periodNo }) => periodNo !== null) ? given : usualPeriods
}

const noon = '12:00'

/** What lessons can stand in: periods with a number; the midday break lies before the first one of the afternoon. */
function shapeOf(periods: readonly Period[]): DayShape {
  const numbered = periods.flatMap((each) => (each.periodNo === null ? [] : [{ ...each, no: each.periodNo }]))
  const timed = numbered.some(({ beginTime }) => beginTime !== null)
  const isMorning = (no: number): boolean => {
    const found = numbered.find((each) => each.no === no)
    return timed && found?.beginTime ? found.beginTime < noon : no <= Math.ceil(numbered.length / 2)
  }
  const afternoon = numbered.find(({ no }) => !isMorning(no))
  return {
    periods: numbered.map(({ no }) => no),
    breaks: new Set(afternoon ? [afternoon.no] : []),
    isMorning,
  }
}

/** What lessons of a plan's school can stand in. */
export const dayShapeOf = async (
  call: Pick<Call, 'tx' | 'actor'>,
  plan: Pick<PlanFacts, 'schoolId'>,
): Promise<DayShape> => shapeOf(await periodsFor(call, plan))

/** What a plan is judged by, for one caller. */
export interface Judging {
  readonly judge: Judge
  /** All lessons of the plan. */
  readonly lessons: readonly PlanLesson[]
  /** Those that the caller may see. */
  readonly seen: readonly PlanLesson[]
  readonly around: Circumstances
  readonly shape: DayShape
  readonly periods: readonly Period[]
}

/**
 * A judge over a plan, its lessons, and what the caller may see of them; with `only`, over the lessons that this says, for
 * those that none of the others could be in the way of.
 */
export async function judgeOf(call: Call, plan: PlanFacts, only?: RawBuilder<unknown>): Promise<Judging> {
  const { tx, actor } = call
  const lessons = await lessonsOfPlan(tx, actor.tenantId, plan.id, only)
  const periods = await periodsFor(call, plan)
  const shape = shapeOf(periods)
  const around = await circumstancesOf(tx, actor.tenantId, plan)
  const ids = await idsSeen(call, plan.id, only)
  const seen = ids ? lessons.filter(({ id }) => ids.has(id)) : lessons
  return { judge: new Judge(plan, lessons, around, shape, ids), lessons, seen, around, shape, periods }
}

/**
 * Lessons, of some of a plan, whose teacher is not assigned to them on all their days: what publishing it refuses (R8). Of a
 * draft that is published from nobody knows when, the last week is looked at, which is part of it in any case.
 */
export async function unassigned(
  { tx, actor }: Pick<Call, 'tx' | 'actor'>,
  plan: PlanFacts,
  among: readonly PlanLesson[],
): Promise<Obstacle[]> {
  const [first, last] = [plan.beginWeek ?? plan.weekCount, plan.endWeek ?? plan.weekCount]
  const rows = await tx.run<{ id: string; class_name: string; subject_name: string; real_name: string; some: boolean }>(
    sql`select l.id, coalesce(c.class_name, g.teach_class_name) as class_name, b.subject_name, u.real_name, a.days is not null as some
        from classschedule l join schoolsubject b on b.tenant_id = l.tenant_id and b.id = l.subject_id
          join schoolsemester m on m.tenant_id = l.tenant_id and m.id = l.semester_id
          join app_user u on u.tenant_id = l.tenant_id and u.id = l.teacher_id
          left join schoolclass c on c.tenant_id = l.tenant_id and c.id = l.class_id
          left join schoolteachclass g on g.tenant_id = l.tenant_id and g.id = l.teach_class_id
          left join lateral (select range_agg(daterange(a.begin_date, a.end_date, '[]')) as days from teacherclass a
            where a.tenant_id = l.tenant_id and a.semester_id = l.semester_id and a.user_id = l.teacher_id
              and a.subject_id = l.subject_id and (a.class_id = l.class_id or a.teach_class_id = l.teach_class_id)) a on true
        where l.tenant_id = ${actor.tenantId} and l.id = any(${among.map(({ id }) => id)}::bigint[]) and l.plan_id = ${plan.id} and (g.teacher_id is null or g.teacher_id <> l.teacher_id)
          and (a.days is null or exists (select from generate_series(${first}::int, ${last}::int) w(week)
            cross join lateral (select m.first_week_monday + 7 * (w.week - 1) + l.weekday::int - 1 as day) d
            where d.day between m.begin_date and m.end_date and not a.days @> d.day
              and case l.week_type when '0' then true when '1' then w.week % 2 = 1 when '2' then w.week % 2 = 0 else l.weeks @> to_jsonb(w.week) end))
        order by l.id`,
  )
  return rows.map(({ id, class_name: name, subject_name: subject, real_name: teacher, some }) => ({
    kind: 'unassigned',
    text: some
      ? {
          zh: `${teacher}教${name}${subject}的任课关系没有包括全部上课日，请换任课教师或改任课关系的日期`,
          en: `${teacher} is assigned to ${subject} of ${name}, but not on all of its days: change the teacher, or the days of the assignment`,
        }
      : {
          zh: `${teacher}没有${name}${subject}的任课关系`,
          en: `${teacher} is not assigned to ${subject} of ${name}`,
        },
    lessonIds: [id],
  }))
}

/** What assignments of the semester promise a week, beside what the plan has of it: lessons of odd or even weeks are halves. */
async function hoursOf(call: Call, plan: PlanFacts, lessons: readonly PlanLesson[]): Promise<OwedLessons[]> {
  const rows = await queryReached<Omit<OwedLessons, 'placed'>>(
    call,
    teacherclass,
    (
      scope,
    ) => sql`select t.class_id as "classId", t.teach_class_id as "teachClassId", coalesce(c.class_name, g.teach_class_name) as "className",
          t.subject_id as "subjectId", b.subject_name as "subjectName", b.color, t.user_id as "teacherId", u.real_name as "teacherName",
          t.week_hours as hours
        from teacherclass t join schoolsubject b on b.tenant_id = t.tenant_id and b.id = t.subject_id
          join app_user u on u.tenant_id = t.tenant_id and u.id = t.user_id
          left join schoolclass c on c.tenant_id = t.tenant_id and c.id = t.class_id
          left join schoolteachclass g on g.tenant_id = t.tenant_id and g.id = t.teach_class_id
        where t.tenant_id = ${call.actor.tenantId} and t.semester_id = ${plan.semesterId} and t.role = '1' and t.week_hours > 0 ${plan.beginWeek === null ? notHandedOver(sql`t`) : sql``} ${scope}
        order by "className", b.sort, t.id`,
  )
  const placed = Map.groupBy(
    lessons,
    (lesson) => `${lesson.classId ?? lesson.teachClassId}|${lesson.subjectId}|${lesson.teacherId}`,
  )
  return rows.map((row) => ({
    ...row,
    placed: Math.round(
      (placed.get(`${row.classId ?? row.teachClassId}|${row.subjectId}|${row.teacherId}`) ?? []).reduce(
        (sum, { span, weekType }) => sum + (weekType === '1' || weekType === '2' ? span / 2 : span),
        0,
      ),
    ),
  }))
}

const boardRoute: Route = on(planBoard, async ({ id, by, of }, call) => {
  const plan = await planFor(call, id, [codeOf(timetableplan, 'view')])
  const { judge, lessons: every, seen, around, periods } = await judgeOf(call, plan)
  const isOf = (lesson: PlanLesson | OwedLessons): boolean => {
    if (by === 'school' || !of) return true
    if (by === 'teacher') return lesson.teacherId === of
    if (by === 'room') return 'classroomId' in lesson && lesson.classroomId === of
    if (lesson.classId === of || lesson.teachClassId === of) return true
    const group = lesson.teachClassId ? around.teachClasses.get(lesson.teachClassId) : undefined
    return group !== undefined && (group.whole.includes(of) || [...group.pupils.values()].includes(of))
  }
  const lessons = seen.filter(isOf)
  const hours = by === 'room' ? [] : (await hoursOf(call, plan, every)).filter(isOf)
  return {
    plan: await rowsOf(timetableplan, call).detail(id),
    weekCount: plan.weekCount,
    teachDays: [...plan.teachDays],
    periods: [...periods],
    lessons,
    obstacles: judge.all(lessons),
    owed: hours.filter((each) => each.placed < each.hours),
    surplus: hours.filter((each) => each.placed > each.hours),
  }
})

/** The lesson in hand: one that stands, with what is asked for in place of its own. */
function inHand(
  asked: Parameters<Parameters<typeof on<typeof planSlots>>[1]>[0],
  stands: PlanLesson | undefined,
): Placed {
  const weeks = asked.weeks ? readWeeks(asked.weeks) : undefined
  const given = {
    classId: asked.classId ?? stands?.classId ?? null,
    teachClassId: asked.teachClassId ?? stands?.teachClassId ?? null,
    subjectId: asked.subjectId ?? stands?.subjectId,
    teacherId: asked.teacherId ?? stands?.teacherId,
  }
  if (given.classId && given.teachClassId) throw new Problem('bad_request')
  if (!given.subjectId) throw new Problem('parameter_missing', { field: 'subjectId' })
  if (!given.teacherId) throw new Problem('parameter_missing', { field: 'teacherId' })
  return {
    id: stands?.id ?? null,
    weekday: stands?.weekday ?? 1,
    periodNo: stands?.periodNo ?? 1,
    span: asked.span ?? stands?.span ?? 1,
    weekType: asked.weekType ?? stands?.weekType ?? '0',
    weeks: weeks ? [...weeks] : (stands?.weeks ?? null),
    classId: given.classId,
    teachClassId: given.teachClassId,
    subjectId: given.subjectId,
    teacherId: given.teacherId,
    classroomId: asked.classroomId ?? stands?.classroomId ?? null,
  }
}

const slotsRoute: Route = on(planSlots, async (asked, call) => {
  const { tx, actor } = call
  const plan = await planFor(call, asked.id, [codeOf(classschedule, 'add'), codeOf(classschedule, 'edit')])
  const [stands] = asked.lessonId ? await lessonsSeen(call, plan.id, thatLesson(asked.lessonId)) : []
  if (asked.lessonId && !stands) throw new Problem('not_found')
  const slotsOf = (shape: DayShape): { weekday: number; periodNo: number }[] =>
    plan.teachDays.flatMap((weekday) => shape.periods.map((periodNo) => ({ weekday, periodNo })))
  // With nothing in hand: the slots that there are.
  if (!stands && !asked.classId && !asked.teachClassId)
    return slotsOf(await dayShapeOf(call, plan)).map((slot) => ({ ...slot, obstacles: [] }))
  const wanted = inHand(asked, stands)
  // Without a room of its own it is in the home room.
  const home = wanted.classroomId
    ? undefined
    : await tx.one<{ id: string | null }>(
        wanted.classId
          ? sql`select classroom_id as id from schoolclass where tenant_id = ${actor.tenantId} and id = ${wanted.classId}`
          : sql`select classroom_id as id from schoolteachclass where tenant_id = ${actor.tenantId} and id = ${wanted.teachClassId}`,
      )
  const lesson = { ...wanted, classroomId: wanted.classroomId ?? home?.id ?? null }
  const { judge, shape } = await judgeOf(call, plan, meeting(lesson))
  return slotsOf(shape).map((slot) => ({ ...slot, obstacles: judge.obstacles({ ...lesson, ...slot }) }))
})

const checkRoute: Route = on(planCheck, async ({ id }, call) => {
  const plan = await planFor(call, id, [codeOf(timetableplan, 'view')])
  const { judge, seen } = await judgeOf(call, plan)
  return { lessons: seen.length, obstacles: [...judge.all(seen), ...(await unassigned(call, plan, seen))] }
})

export const boardRoutes: Route[] = [boardRoute, slotsRoute, checkRoute]
