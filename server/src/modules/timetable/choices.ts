import { classschedule, codeOf, schoolclassroom, user } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { type Obstacle, planRooms, planTeachers } from '@data-brain/contract/calls/timetable'
import type { Choice } from '@data-brain/contract/generic'
import { readWeeks } from '@data-brain/contract/rules/weeks'
import { sql } from '../../database/statement.ts'
import { bindingCodes } from '../../entity/choice-access.ts'
import { pageSizeMax } from '../../entity/paging.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { type Judging, judgeOf, planFor } from './board.ts'
import type { Placed } from './judge.ts'
import type { PlanFacts, PlanLesson } from './lessons.ts'

type Asked = InputOf<typeof planTeachers>

/** The lesson that is being written, as far as it is known; undefined where it has no place in the week yet. */
function lessonOf(asked: Asked): Placed | undefined {
  const { weekday, periodNo } = asked
  if (weekday === undefined || periodNo === undefined) return undefined
  const weeks = asked.weeks ? readWeeks(asked.weeks) : undefined
  return {
    ...{ id: asked.lessonId ?? null, weekday, periodNo, span: asked.span ?? 1 },
    ...{ weekType: asked.weekType ?? '0', weeks: weeks ? [...weeks] : null },
    ...{ classId: asked.classId ?? null, teachClassId: asked.teachClassId ?? null },
    ...{ subjectId: asked.subjectId ?? '', teacherId: '', classroomId: null },
  }
}

/** What stands against a teacher or a room, in the few words that a choice has room for. */
function shortly(obstacle: Obstacle, lessonId: string | undefined, { seen }: Judging, zh: boolean): string {
  if (obstacle.kind === 'seats') return zh ? obstacle.text.zh : obstacle.text.en
  if (obstacle.kind === 'unavailable') return zh ? '不排课' : 'unavailable'
  const other = seen.find(({ id }) => id !== lessonId && obstacle.lessonIds.includes(id))
  if (!other) return zh ? '已有课' : 'taken'
  return zh ? `已有课：${other.className} ${other.subjectName}` : `taken: ${other.className}, ${other.subjectName}`
}

/** Which of the obstacles of a lesson are about whom or what is chosen. */
type Kinds = readonly Obstacle['kind'][]

/** Choices with whether they are free for a lesson, those that are first; among equals the order stays. */
function freeFirst(
  choices: readonly Choice[],
  { judging, asked, zh }: { judging: Judging; asked: Asked; zh: boolean },
  { kinds, as, rank }: { kinds: Kinds; as: (id: string) => Partial<Placed>; rank: (id: string) => number },
): Choice[] {
  const lesson = lessonOf(asked)
  const told = choices.map((choice) => {
    const against = lesson && judging.judge.obstacles({ ...lesson, ...as(choice.id) })
    const first = against?.find(({ kind }) => kinds.includes(kind))
    const state = first ? shortly(first, asked.lessonId, judging, zh) : zh ? '空闲' : 'free'
    return { choice, isTaken: first !== undefined, beside: [...(lesson ? [state] : []), ...(choice.beside ?? [])] }
  })
  return told
    .toSorted((a, b) => rank(a.choice.id) - rank(b.choice.id) || Number(a.isTaken) - Number(b.isTaken))
    .map(({ choice, beside }) => ({ ...choice, beside }))
}

/** Who teaches the subject to the class, and who teaches it in the school. */
async function teachersFor({ tx, actor }: Call, plan: PlanFacts, asked: Asked) {
  const rows = await tx.run<{ id: string; own: boolean }>(
    sql`select user_id as id, bool_or(class_id = ${asked.classId ?? null}::bigint or teach_class_id = ${asked.teachClassId ?? null}::bigint) is true as own
        from teacherclass where tenant_id = ${actor.tenantId} and semester_id = ${plan.semesterId} and subject_id = ${asked.subjectId ?? null}::bigint
        group by user_id order by own desc, user_id limit ${pageSizeMax}`,
  )
  return new Map(rows.map(({ id, own }) => [id, own]))
}

/** Lessons a week, those of odd or even weeks as halves. */
const hoursOf = (lessons: readonly PlanLesson[]): number =>
  lessons.reduce((sum, { span, weekType }) => sum + (weekType === '1' || weekType === '2' ? span / 2 : span), 0)

const codes = [codeOf(classschedule, 'add'), codeOf(classschedule, 'edit')]

const teachersRoute: Route = on(planTeachers, async (asked, call) => {
  const { tx, actor, circumstance } = call
  const zh = circumstance.language === 'zh'
  const plan = await planFor(call, asked.id, codes)
  const judging = await judgeOf(call, plan)
  const rows = rowsOf(user, call)
  const of = bindingCodes(user, actor)
  const { ids, keyword } = asked
  const teach = await teachersFor(call, plan, asked)
  const found = ids
    ? await rows.select({ ids: ids.join(',') }, of)
    : [
        // Whoever teaches it comes first, wherever the name stands among all of the school.
        ...(keyword || teach.size === 0 ? [] : await rows.select({ ids: [...teach.keys()].join(',') }, of)),
        ...(await rows.select({ near: plan.schoolId, ...(keyword ? { keyword } : {}) }, of)),
      ]
  const choices = [...new Map(found.map((choice) => [choice.id, choice])).values()]
  const most = new Map(
    (
      await tx.run<{ id: string; most: number | null }>(
        sql`select id, max_week_hours as most from app_user where tenant_id = ${actor.tenantId} and id = any(${choices.map(({ id }) => id)}::bigint[])`,
      )
    ).map(({ id, most }) => [id, most]),
  )
  const given = Map.groupBy(judging.lessons, ({ teacherId }) => teacherId)
  const load = (id: string): string => {
    const [hours, limit] = [hoursOf(given.get(id) ?? []), most.get(id)]
    const share = limit ? `${hours}/${limit}` : String(hours)
    return zh ? `已排${share}节` : `${share} lessons`
  }
  return freeFirst(
    choices.map((choice) => ({ ...choice, beside: [load(choice.id), ...choice.beside] })),
    { judging, asked, zh },
    {
      kinds: ['unavailable', 'teacher'],
      as: (teacherId) => ({ teacherId }),
      rank: (id) => (teach.get(id) ? 0 : teach.has(id) ? 1 : 2),
    },
  )
})

const roomsRoute: Route = on(planRooms, async (asked, call) => {
  const zh = call.circumstance.language === 'zh'
  const plan = await planFor(call, asked.id, codes)
  const judging = await judgeOf(call, plan)
  const { ids, keyword } = asked
  const choices = await rowsOf(schoolclassroom, call).select(
    ids ? { ids: ids.join(',') } : { schoolId: plan.schoolId, ...(keyword ? { keyword } : {}) },
    bindingCodes(schoolclassroom, call.actor),
  )
  return freeFirst(
    choices,
    { judging, asked, zh },
    { kinds: ['room', 'seats'], as: (classroomId) => ({ classroomId }), rank: () => 0 },
  )
})

/** Who and where, for a lesson that is written in the timetable. */
export const choiceRoutes: Route[] = [teachersRoute, roomsRoute]
