import { classschedule, codeOf, timetableplan, type Words } from '@data-brain/contract'
import { copyPlan, planChanges, publishPlan } from '@data-brain/contract/calls/timetable'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { writeMany } from '../../entity/bulk.ts'
import type { Values } from '../../entity/check.ts'
import { modelOf } from '../../entity/model.ts'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { writeOver } from '../../entity/write.ts'
import { waitFor } from '../../kernel/held-row.ts'
import { conflictProblem, fieldProblem, Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { isWorkedOn } from '../jobs/index.ts'
import { judgeOf, planFor, unassigned } from './board.ts'
import { idsSeen, lessonsOfPlan, lessonsSeen, type PlanFacts, type PlanLesson } from './lessons.ts'
import { notifyWeeks } from './notify.ts'
import { planStates } from './rules.ts'

/** A published plan of the semester that has weeks from a week on. */
interface Replaced {
  readonly id: string
  readonly name: string
  readonly fromWeek: number
  readonly toWeek: number
}

/** The published plans that a plan would take the place of, from a week on. */
const replacedBy = (call: Call, plan: PlanFacts, fromWeek: number): Promise<Replaced[]> =>
  call.tx.run<Replaced>(
    sql`select id, plan_name as name, begin_week as "fromWeek", end_week as "toWeek" from timetableplan
        where tenant_id = ${call.actor.tenantId} and semester_id = ${plan.semesterId} and status = ${planStates.published}
          and end_week >= ${fromWeek} and id <> ${plan.id} order by begin_week`,
  )

/** The week from which a plan is published: the first one where nobody says. */
export async function fromWeekOf(call: Call, plan: PlanFacts, asked: number | undefined): Promise<number> {
  const week = asked ?? 1
  if (week > plan.weekCount)
    throw fieldProblem(
      [
        {
          field: 'fromWeek',
          label: { zh: '起始周', en: 'From week' },
          reason: { zh: `超出学期（共${plan.weekCount}周）`, en: `is beyond the term of ${plan.weekCount} weeks` },
        },
      ],
      call.circumstance.language,
    )
  return week
}

/** How many weeks of the plan's term have begun, today's included: from 0 to all of them. */
async function begunWeeksOf({ tx, actor }: Call, { semesterId, weekCount }: PlanFacts): Promise<number> {
  const row = await tx.one<{ week: number }>(
    sql`select floor((current_date - first_week_monday) / 7.0)::int + 1 as week from schoolsemester
        where tenant_id = ${actor.tenantId} and id = ${semesterId}`,
  )
  return Math.min(Math.max(row?.week ?? 0, 0), weekCount)
}

const signature = (lesson: PlanLesson): string =>
  [
    ...[lesson.classId ?? lesson.teachClassId, lesson.subjectId, lesson.teacherId, lesson.classroomId],
    ...[lesson.weekday, lesson.periodNo, lesson.span, lesson.weekType, (lesson.weeks ?? []).join(',')],
  ].join('|')

const changesRoute: Route = on(planChanges, async ({ id, fromWeek }, call) => {
  const plan = await planFor(call, id, [codeOf(timetableplan, 'view')])
  const from = await fromWeekOf(call, plan, fromWeek)
  const replaces = await replacedBy(call, plan, from)
  const next = await lessonsSeen(call, id)
  // What several of them have is one lesson of the timetable, which comes or goes once.
  const standing = new Map<string, PlanLesson>()
  for (const each of replaces)
    for (const lesson of await lessonsSeen(call, each.id)) standing.set(signature(lesson), lesson)
  const current = [...standing.values()]
  const [old, coming] = [new Set(current.map(signature)), new Set(next.map(signature))]
  const added = next.filter((lesson) => !old.has(signature(lesson)))
  const removed = current.filter((lesson) => !coming.has(signature(lesson)))
  const count = (
    of: (lesson: PlanLesson) => { id: string; name: string },
  ): { id: string; name: string; lessons: number }[] =>
    [...Map.groupBy([...added, ...removed], (lesson) => of(lesson).id)]
      .map(([key, lessons]) => ({ id: key, name: of(lessons[0]!).name, lessons: lessons.length }))
      .toSorted((a, b) => b.lessons - a.lessons || a.name.localeCompare(b.name, 'zh'))
  return {
    weekCount: plan.weekCount,
    begunWeeks: await begunWeeksOf(call, plan),
    added: added.length,
    removed: removed.length,
    same: next.length - added.length,
    classes: count(({ classId, teachClassId, className }) => ({ id: classId ?? teachClassId ?? '', name: className })),
    teachers: count(({ teacherId, teacherName }) => ({ id: teacherId, name: teacherName })),
    replaces,
  }
})

/** What follows from a plan that has just been published, in the same transaction. */
type Follow = (
  call: Call,
  published: { readonly planId: string; readonly semesterId: string; readonly fromWeek: number },
) => Promise<void>
const follows: Follow[] = []

/** Has something done whenever a plan is published; called by the modules when the server is put together. */
export const whenPublished = (follow: Follow): void => {
  if (!follows.includes(follow)) follows.push(follow)
}

/** Kind of the job that makes the timetable of a draft. */
export const generatorKind = 'timetable'

const beingGenerated: Words = {
  zh: '该方案正在自动排课：请等它完成，或在“自动排课”中停止后再发布',
  en: 'The timetable of this plan is being made: publish it once that is done, or stop it under “Generate” first',
}
const beingChanged: Words = {
  zh: '有人正在保存该方案的课，请稍后再发布',
  en: 'Somebody is saving lessons of this plan: publish it again in a moment',
}

/**
 * Publishes a draft from a week to the end of the term: the plans that had these weeks end before, or are archived where
 * nothing is left of them. All of it in one transaction, the semester held; what stands against it is told first, and the
 * database judges it again.
 */
export async function publishFrom(call: Call, plan: PlanFacts, from: number): Promise<void> {
  const { tx, actor, circumstance } = call
  const { id } = plan
  // Whoever comes second is told so at once: a queue of them would hold the connections that others need.
  const alone = await tx.one<{ got: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`publish|${actor.tenantId}|${plan.semesterId}`}, 0)) as got`,
  )
  if (!alone?.got)
    throw new Problem('rule_broken', {
      reason: {
        zh: '有人正在发布该学期的课表，请稍后再试',
        en: 'Somebody is publishing a timetable of this semester: try again in a moment',
      },
    })
  if (await isWorkedOn(tx, actor.tenantId, generatorKind, id)) throw conflictProblem(beingGenerated, null)
  const rows = rowsOf(timetableplan, call)
  const before = await waitFor(
    async () => {
      await tx.run(
        sql`select from schoolsemester where tenant_id = ${actor.tenantId} and id = ${plan.semesterId} for no key update`,
      )
      return rows.before(id, { lock: true })
    },
    conflictProblem(beingChanged, null),
  )
  const refuse = (zh: string, en: string): never => {
    throw fieldProblem([{ field: 'planName', label: timetableplan.label, reason: { zh, en } }], circumstance.language)
  }
  if (before.status >= planStates.published) refuse('已发布过', 'has been published before')
  const span = { ...plan, beginWeek: from, endWeek: plan.weekCount }
  const { judge, lessons, seen } = await judgeOf(call, span)
  // It decides for all of its classes.
  if (seen.length < lessons.length) throw new Problem('out_of_scope')
  if (lessons.length === 0) refuse('还没有课', 'has no lessons yet')
  const obstacles = [...judge.all(lessons), ...(await unassigned(call, span, lessons))]
  const [first] = obstacles
  if (first) {
    const { zh, en } = first.text
    refuse(
      `有${obstacles.length}处冲突，如：${zh}。请校验方案并逐一解决`,
      `has ${obstacles.length} conflicts, such as: ${en}. Check the plan and solve each of them`,
    )
  }
  const model = modelOf(timetableplan)
  const context = contextOf(call)
  for (const { id: oldId, fromWeek: begun } of await replacedBy(call, plan, from)) {
    const old = await rows.before(oldId, { lock: true })
    if (begun < from) await writeOver(model, context, oldId, old, { endWeek: from - 1 }, {})
    else await writeOver(model, context, oldId, old, {}, { status: planStates.archived, extId: undefined })
  }
  const weeks = { beginWeek: from, endWeek: plan.weekCount }
  await writeOver(model, context, id, before, weeks, { status: planStates.published, extId: undefined })
  await notifyWeeks(call)
  for (const follow of follows) await follow(call, { planId: id, semesterId: plan.semesterId, fromWeek: from })
}

const publishRoute: Route = on(publishPlan, async ({ id, fromWeek }, call) => {
  const plan = await planFor(call, id, ['timetableplan_publish'])
  await publishFrom(call, plan, await fromWeekOf(call, plan, fromWeek))
  return rowsOf(timetableplan, call).stored(id)
})

/** What goes along of a lesson into a copy of its plan, as its row has it. */
const copied = sql`class_id as "classId", teach_class_id as "teachClassId", subject_id as "subjectId", teacher_id as "teacherId", classroom_id as "classroomId",
  weekday, period_no as "periodNo", span, week_type as "weekType", weeks, is_locked as "isLocked", color, remark`

/** Copies a plan, with all of its lessons, into a new draft; `alter` says what of a lesson is otherwise there. Answers its id. */
export async function copyOf(
  call: Call,
  plan: PlanFacts,
  { planName, alter }: { readonly planName?: string | undefined; readonly alter?: (lesson: PlanLesson) => Values },
): Promise<string> {
  const { tx, actor, circumstance } = call
  const names = new Set(
    (
      await tx.run<{ name: string }>(
        sql`select plan_name as name from timetableplan where tenant_id = ${actor.tenantId} and semester_id = ${plan.semesterId}`,
      )
    ).map(({ name }) => name),
  )
  const base = `${plan.planName.slice(0, 30)} ${circumstance.language === 'en' ? 'copy' : '副本'}`
  let name = planName ?? base
  for (let n = 2; !planName && names.has(name); n += 1) name = `${base} ${n}`
  const { schoolId, semesterId } = plan
  const made = await rowsOf(timetableplan, call).add({ schoolId, semesterId, planName: name })
  const lessons = await lessonsOfPlan(tx, actor.tenantId, plan.id)
  const seen = await idsSeen(call, plan.id)
  if (seen && seen.size < lessons.length) throw new Problem('out_of_scope')
  const rows = await tx.run<Values & { id: string }>(
    sql`select id, ${copied} from classschedule where tenant_id = ${actor.tenantId} and plan_id = ${plan.id}`,
  )
  const altered = new Map(lessons.map((lesson) => [lesson.id, alter?.(lesson)]))
  // They stand in a plan already, each judged when it was saved: a school of thousands is copied in a moment.
  await writeMany(
    modelOf(classschedule),
    contextOf(call),
    rows.map(({ id, ...values }) => ({
      id: newId(),
      values: { ...values, schoolId, semesterId, planId: made.id, ...altered.get(id) },
    })),
    'add',
  )
  await tx.run(
    sql`update timetableplan set parent_plan_id = ${plan.id} where tenant_id = ${actor.tenantId} and id = ${made.id}`,
  )
  return made.id
}

const copyRoute: Route = on(copyPlan, async ({ id, planName }, call) => {
  const plan = await planFor(call, id, [codeOf(timetableplan, 'view')])
  return rowsOf(timetableplan, call).stored(await copyOf(call, plan, { planName }))
})

export const planRoutes: Route[] = [changesRoute, publishRoute, copyRoute]
