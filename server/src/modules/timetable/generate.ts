import { classschedule, codeOf } from '@data-brain/contract'
import { type GeneratedPlan, generatePlan } from '@data-brain/contract/calls/timetable'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { on } from '../../entity/serve-call.ts'
import { pluralize } from '../../kernel/pluralize.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Route } from '../../kernel/route.ts'
import { sendMessage } from '../desk/index.ts'
import { addWork, openJobs, startJob, type WorkContext } from '../jobs/index.ts'
import { dayShapeOf, judgeOf, planFor } from './board.ts'
import { type Circumstances, circumstancesOf, lessonsOfPlan, type PlanFacts, planFacts } from './lessons.ts'
import { ObstacleWords } from './obstacle-words.ts'
import { generatorKind } from './plan.ts'
import { type LessonAssignment, problemOfPlan } from './problem-of-plan.ts'
import { brokenTold, missingTold, recordWords } from './rule-words.ts'
import { planStates } from './rules.ts'
import { solveApart } from './solver/run.ts'

/** Seconds where nobody says. */
const usualSeconds = 20
const codes = [codeOf(classschedule, 'edit')]

/** Where a plan is arranged. */
const pageOf = (planId: string): string => `/school/timetable/${planId}?by=school`

const published = (): Problem =>
  new Problem('rule_broken', {
    reason: {
      zh: '方案已发布，不能重排：请复制为草稿',
      en: 'The plan is published: copy it into a draft first',
    },
  })

const generateRoute: Route = on(generatePlan, async ({ id, seed, seconds, keep }, call) => {
  const plan = await planFor(call, id, codes)
  if (plan.status >= planStates.published) throw published()
  const { lessons, seen } = await judgeOf(call, plan)
  // It decides for all of its classes.
  if (seen.length < lessons.length) throw new Problem('out_of_scope')
  if ((await openJobs(call.tx, call.actor, [generatorKind])).own > 0)
    throw new Problem('rule_broken', {
      reason: {
        zh: '已有一个自动排课任务，请等它完成或取消它',
        en: 'A timetable is being made already: wait for it, or cancel it',
      },
    })
  const input = { seed: seed ?? 1, seconds: seconds ?? usualSeconds, keep: keep === 1 }
  return { jobId: await startJob(call, generatorKind, { subject: plan.planName, subjectId: id, input }) }
})

/** Names of the teachers, classes, teaching classes, rooms and subjects of a plan's problem. */
export async function namesOf(
  tx: Tx,
  tenantId: string,
  plan: PlanFacts,
  around: Circumstances,
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.run<{ id: string; name: string }>(
    sql`select id, real_name as name from app_user where tenant_id = ${tenantId} and id in (select user_id from teacherclass where tenant_id = ${tenantId} and semester_id = ${plan.semesterId})
        union all select id, subject_name from schoolsubject where tenant_id = ${tenantId} and school_id = ${plan.schoolId}
        union all select id, teach_class_name from schoolteachclass where tenant_id = ${tenantId} and semester_id = ${plan.semesterId}`,
  )
  return new Map([
    ...rows.map(({ id, name }) => [id, name] as const),
    ...around.classNames,
    ...[...around.rooms].map(([id, { name }]) => [id, name] as const),
  ])
}

/** Obstacles that a message tells; the result of the job has all of them. */
const mostTold = 10

/** Makes the timetable of a draft: reads it, solves in a thread of its own, and puts the lessons in, in one transaction. */
async function generate({
  services,
  job,
  actor,
  circumstance,
  progress,
  signal,
  as,
  end,
}: WorkContext): Promise<undefined> {
  const { tenantId } = job
  const planId = job.subjectId!
  const asked = job.input as { readonly seed: number; readonly seconds: number; readonly keep: boolean }
  const read = await as(async ({ tx }) => {
    const plan = await planFacts(tx, tenantId, planId)
    if (!plan) throw new Problem('not_found')
    if (plan.status >= planStates.published) throw published()
    const shape = await dayShapeOf({ tx, actor }, plan)
    const around = await circumstancesOf(tx, tenantId, plan)
    const lessons = await lessonsOfPlan(tx, tenantId, planId)
    const made = await problemOfPlan(tx, tenantId, plan, { lessons, around, shape, keep: asked.keep })
    const seen = new Map(lessons.map(({ id, version }) => [id, version]))
    return { ...made, plan, around, seen, names: await namesOf(tx, tenantId, plan, around) }
  })
  const { problem, owing, rules, plan, names } = read
  const total = problem.activities.length
  const { placements, soft, broken, explanation } = await solveApart(problem, {
    ...{ seed: asked.seed, seconds: asked.seconds },
    signal,
    onProgress: (placed) => progress(placed, total),
  })
  const words = new ObstacleWords(problem, names, rules)
  const obstacles = (explanation?.obstacles ?? []).map((obstacle) => words.of(obstacle))
  const lacking = obstacles.slice(0, mostTold).map(({ text }) => text)
  const byId = new Map(problem.activities.map((activity) => [activity.id, activity]))
  const placed = placements.flatMap(({ activity, ...at }) => {
    const own = owing.get(activity)
    const { span, stood } = byId.get(activity)!
    const moved = stood !== undefined && (stood.day !== at.day || stood.period !== at.period)
    return own ? [{ own, at, span, moved }] : []
  })
  const standing = new Set(placements.map(({ activity }) => activity))
  const unkept = brokenTold(broken, rules, recordWords(names))
  const told = [
    ...missingTold(
      problem.activities.filter(({ id }) => owing.has(id) && !standing.has(id)),
      ({ id, subject, teachers: [teacher] }) => ({
        group: names.get(owing.get(id)!.classId ?? owing.get(id)!.teachClassId ?? '') ?? '',
        subject: names.get(subject) ?? '',
        teacher: names.get(teacher ?? '') ?? '',
      }),
    ),
    ...lacking,
    ...unkept,
  ]
  await as(async ({ tx, actor: now }) => {
    const context: Context = { tx, actor: now, circumstance, cipher: services.cipher }
    await write(context, plan, placed, read.seen, asked.keep)
    const missing = owing.size - placed.length
    const moved = asked.keep ? placed.filter((each) => each.moved).length : null
    const result: GeneratedPlan = {
      ...{ lessons: total - missing, missing, moved, cost: Math.round(soft), broken: broken.length, unkept },
      ...{ obstacles, enough: explanation?.enough ?? null },
    }
    await end(tx, result)
    await sendMessage(tx, tenantId, [now.userId!], {
      kind: 'timetable-done',
      title: { zh: `自动排课完成：${plan.planName}`, en: `Timetable made: ${plan.planName}` },
      body: {
        zh: [`已排${total - missing}节，未排${missing}节。`, ...told.map(({ zh }) => `${zh}。`)].join('\n'),
        en: [`${pluralize(total - missing, 'lesson')} placed, ${missing} not.`, ...told.map(({ en }) => `${en}.`)].join(
          '\n',
        ),
      },
      link: pageOf(planId),
    })
  })
  return undefined
}

interface Placed {
  readonly own: LessonAssignment
  /** Whether it stood elsewhere. */
  readonly moved: boolean
  readonly at: { readonly day: number; readonly period: number; readonly room?: string }
  readonly span: number
}

/**
 * Puts what was placed into the plan, in place of all that is not locked there. With `keep`, a lesson that is there already
 * stays the row that it is. What somebody has added or changed since the plan was `seen` stays as well: nobody's work is lost
 * to a search that knew nothing of it, and the check tells what collides.
 */
async function write(
  context: Context,
  plan: PlanFacts,
  placed: readonly Placed[],
  seen: ReadonlyMap<string, number>,
  keep: boolean,
): Promise<void> {
  const { tx, actor } = context
  const lessons = new Repository(classschedule, context)
  const standing = await tx.run<{ id: string; version: number; key: string; weeks: readonly number[] | null }>(
    sql`select id, version, weeks, concat_ws('|', coalesce(class_id, teach_class_id), subject_id, teacher_id, weekday, period_no, span, coalesce(classroom_id::text, ''), week_type) as key
        from classschedule where tenant_id = ${actor.tenantId} and plan_id = ${plan.id} and coalesce(is_locked, 0) = 0 order by id`,
  )
  const old = standing.filter(({ id, version }) => seen.get(id) === version)
  const homes = new Map(
    (
      await tx.run<{ id: string; room: string | null }>(
        sql`select id, classroom_id as room from schoolclass where tenant_id = ${actor.tenantId} and school_id = ${plan.schoolId}
            union all select id, classroom_id from schoolteachclass where tenant_id = ${actor.tenantId} and semester_id = ${plan.semesterId}`,
      )
    ).map(({ id, room }) => [id, room]),
  )
  const wanted = placed.map(({ own, at, span }) => {
    const home = homes.get(own.classId ?? own.teachClassId ?? '')
    const room = at.room && at.room !== home ? at.room : undefined
    const { classId, teachClassId, subjectId, teacherId } = own
    const { weekType = '0', weeks = null } = own
    const place = [classId ?? teachClassId, subjectId, teacherId, at.day, at.period, span, room ?? '', weekType]
    return { own, at, span, room, key: [...place, weeks ?? ''].join('|') }
  })
  const there = Map.groupBy(old, ({ key, weeks }) => `${key}|${weeks ?? ''}`)
  const added = wanted.filter(({ key }) => !keep || there.get(key)?.shift() === undefined)
  await lessons.remove([...there.values()].flat().map(({ id }) => id))
  for (const { own, at, span, room } of added)
    await lessons.add({
      ...{ schoolId: plan.schoolId, semesterId: plan.semesterId, planId: plan.id },
      ...(own.classId ? { classId: own.classId } : { teachClassId: own.teachClassId }),
      ...{ subjectId: own.subjectId, teacherId: own.teacherId },
      ...(room ? { classroomId: room } : {}),
      ...{ weekday: String(at.day), periodNo: at.period, span, weekType: own.weekType ?? '0' },
      ...(own.weeks ? { weeks: [...own.weeks] } : {}),
    })
}

addWork({
  kind: generatorKind,
  queue: generatorKind,
  atOnce: 1,
  code: codes[0]!,
  again: true,
  stoppable: true,
  run: generate,
  setBack: async (tx, job, failure) => {
    if (job.userId === null) return
    await sendMessage(tx, job.tenantId, [job.userId], {
      kind: 'timetable-failed',
      title: { zh: `自动排课失败：${job.subject}`, en: `No timetable made: ${job.subject}` },
      body: failure,
      link: pageOf(job.subjectId!),
    })
  },
})

export const generateRoutes: Route[] = [generateRoute]
