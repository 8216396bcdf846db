import {
  classschedule,
  school,
  schoolcalendarday,
  schoolperiod,
  schoolsemester,
  schoolyear,
  timetableplan,
  user,
  type Words,
} from '@data-brain/contract'
import { weekdayOf } from '@data-brain/contract/rules/school-year'
import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'
import { addNearness } from '../../entity/choices.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { addRules, changesField, refuseField, type Saving } from '../../entity/rules.ts'
import { waitFor } from '../../kernel/held-row.ts'
import { conflictProblem } from '../../kernel/problem.ts'
import { notifyEditors } from './notify.ts'
import { keepsItsLessons, keepsLessonsOf } from './periods-kept.ts'
import { addSemesterRuleRules, addUsualRules } from './semester-rule-saving.ts'

/** States of a plan: keys of the dictionary plan_status. */
export const planStates = { draft: 0, checked: 1, published: 2, archived: 3 } as const

const plansWith = (context: Context) => new Repository(timetableplan, { ...context, unscoped: true })

const draftName = { zh: '草稿', en: 'Draft' } as const

/** The newest draft of a semester, made where it has none; the semester is held, so that two lessons find one draft. */
async function draftOf(context: Context, schoolId: string, semesterId: string): Promise<string> {
  const { tx, actor, circumstance } = context
  await tx.run(
    sql`select from schoolsemester where tenant_id = ${actor.tenantId} and id = ${semesterId} for no key update`,
  )
  const found = await tx.one<{ id: string }>(
    sql`select id from timetableplan where tenant_id = ${actor.tenantId} and school_id = ${schoolId} and semester_id = ${semesterId}
          and status <= ${planStates.checked} order by id desc limit 1`,
  )
  if (found) return found.id
  const taken = await tx.run<{ plan_name: string }>(
    sql`select plan_name from timetableplan where tenant_id = ${actor.tenantId} and semester_id = ${semesterId}`,
  )
  const names = new Set(taken.map((plan) => plan.plan_name))
  const base = draftName[circumstance.language]
  let planName: string = base
  for (let n = 2; names.has(planName); n += 1) planName = `${base} ${n}`
  return (await plansWith(context).add({ schoolId, semesterId, planName })).id
}

/** Refuses fewer weeks than a published timetable of the semester has: its last lessons would be on no day, without a word. */
async function keepsItsWeeks(saving: Saving<typeof schoolsemester>): Promise<void> {
  const { context, before, id, whole } = saving
  if (!before || !changesField(saving, 'weekCount')) return
  const plan = await context.tx.one<{ name: string; last: number }>(
    sql`select plan_name as name, end_week as last from timetableplan where tenant_id = ${context.actor.tenantId} and semester_id = ${id}
          and status = ${planStates.published} and end_week > ${whole.weekCount}::int order by end_week desc, id limit 1`,
  )
  if (plan)
    refuseField(
      { context },
      schoolsemester,
      'weekCount',
      `不能少于${plan.last}，已发布的课表“${plan.name}”排到第${plan.last}周。提前放假请在校历中把之后的日子设为放假`,
      `must not be less than ${plan.last}: the published timetable “${plan.name}” has lessons until week ${plan.last}. Where school ends earlier, make the days after that holidays in the calendar`,
    )
}

const beingPublished: Words = {
  zh: '该方案正在发布：请稍后刷新，已发布时复制为草稿再改',
  en: 'This plan is being published: look again in a moment, and copy it into a draft once it is',
}

/** Refuses work on the lessons of a plan that is published or archived; the plan is held as it is. One that is not there is judged as a reference. */
async function mustBeDraft(context: Context, planId: string): Promise<{ semester_id: string } | undefined> {
  const plan = await waitFor(
    () =>
      context.tx.one<{ status: number; semester_id: string; plan_name: string }>(
        sql`select status, semester_id, plan_name from timetableplan where tenant_id = ${context.actor.tenantId} and id = ${planId} for share`,
      ),
    conflictProblem(beingPublished, null),
  )
  if (plan && plan.status >= planStates.published)
    refuseField(
      { context },
      classschedule,
      'planId',
      `“${plan.plan_name}”已发布，不能修改：请复制为草稿，修改后发布`,
      `“${plan.plan_name}” is published and is not changed: copy it into a draft, change that and publish it`,
    )
  return plan
}

/** A lesson stands in a draft of its own semester; without a plan it goes into the semester's. */
async function standsInDraft(saving: Saving<typeof classschedule>): Promise<void> {
  const { before, values, whole, context } = saving
  if (before?.planId) await mustBeDraft(context, before.planId)
  if (!whole.planId) {
    values.planId = await draftOf(context, whole.schoolId, whole.semesterId)
    return
  }
  const plan = await mustBeDraft(context, whole.planId)
  if (plan && plan.semester_id !== whole.semesterId)
    refuseField(saving, classschedule, 'planId', '不是该学期的方案', 'is of another semester')
}

/**
 * Bell times of one schedule (a campus, a season, the same grades) do not overlap, nor count a period twice; the school is held
 * while that is judged. What holds for a campus or a grade only stands in place of what holds for all, and overlaps with it.
 */
async function standsAlone(saving: Saving<typeof schoolperiod>): Promise<void> {
  if (!changesField(saving, 'campusId', 'gradeIds', 'season', 'periodNo', 'beginTime', 'endTime')) return
  const { context, id, whole } = saving
  const { tx, actor } = context
  await tx.run(sql`select from school where tenant_id = ${actor.tenantId} and id = ${whole.schoolId} for no key update`)
  const grades = [...(whole.gradeIds ?? [])].map(String)
  const other = await tx.one<{ name: string; same: boolean }>(
    sql`select p.period_name as name, p.period_no is not distinct from ${whole.periodNo ?? null}::int and p.period_no is not null as same
        from schoolperiod p
        where p.tenant_id = ${actor.tenantId} and p.school_id = ${whole.schoolId} and p.id <> ${id} and p.season = ${whole.season}
          and p.campus_id is not distinct from ${whole.campusId ?? null}::bigint
          and ((p.begin_time < ${whole.endTime} and ${whole.beginTime} < p.end_time) or p.period_no = ${whole.periodNo ?? null}::int)
          and case when ${grades}::bigint[] = '{}'
            then not exists (select from schoolperiod_grade l where l.tenant_id = p.tenant_id and l.owner_id = p.id)
            else exists (select from schoolperiod_grade l where l.tenant_id = p.tenant_id and l.owner_id = p.id and l.target_id = any(${grades}::bigint[])) end
        order by p.begin_time, p.id limit 1`,
  )
  if (!other) return
  if (other.same)
    refuseField(saving, schoolperiod, 'periodNo', `与“${other.name}”相同`, `is that of “${other.name}” already`)
  refuseField(
    saving,
    schoolperiod,
    'beginTime',
    `与“${other.name}”的时间重叠`,
    `and the end overlap with “${other.name}”`,
  )
}

/** A make-up day is taught as another weekday, which it names. */
async function makesUpAnother(saving: Saving<typeof schoolcalendarday>): Promise<void> {
  const { dayType, useWeekday, day } = saving.whole
  if (dayType === '3' && !useWeekday)
    refuseField(
      saving,
      schoolcalendarday,
      'useWeekday',
      '不能为空，调休上课须选择用哪一天的课表',
      'is required: choose the day whose timetable the make-up day has',
    )
  if (dayType === '3' && Number(useWeekday) === weekdayOf(day))
    refuseField(
      saving,
      schoolcalendarday,
      'useWeekday',
      '就是当天的星期，请选择被调换的一天',
      'is the weekday of that day itself: choose the day that it makes up for',
    )
}

/** A year that is no longer current has no current semester (R1). */
async function endsSemesters(saving: Saving<typeof schoolyear>): Promise<void> {
  const { before, values, context, id } = saving
  if (before?.isCurrent !== 1 || values.isCurrent !== 0) return
  const semesters = new Repository(schoolsemester, { ...context, unscoped: true })
  const found = await context.tx.run<{ id: string }>(
    sql`select id from schoolsemester where tenant_id = ${context.actor.tenantId} and year_id = ${id} and is_current = 1`,
  )
  for (const { id: semesterId } of found) await semesters.edit(semesterId, { isCurrent: 0 })
}

/** Who works at a school: by a department of it, or by what is taught there. */
const worksAt = (school: RawBuilder<unknown>) =>
  sql`(exists (select from teacherclass a where a.tenant_id = t.tenant_id and a.user_id = t.id and a.school_id = ${school}::bigint)
    or exists (select from app_user_dept k join dept d on d.tenant_id = k.tenant_id and d.id = k.target_id
      join school s on s.tenant_id = d.tenant_id and s.id = ${school}::bigint and s.dept_id::text = any(string_to_array(d.ancestors || ',' || d.id, ','))
      where k.tenant_id = t.tenant_id and k.owner_id = t.id))`

/** Schools at which somebody teaches now, or is going to. */
const taughtAtBy = (teacher: RawBuilder<unknown>) =>
  sql`exists (select from teacherclass a where a.tenant_id = t.tenant_id and a.school_id = t.id and a.user_id = ${teacher}::bigint and a.end_date >= current_date)`

export function addTimetableRules(): void {
  addNearness(user, worksAt)
  addNearness(school, taughtAtBy)
  addRules(classschedule, {
    beforeSave: standsInDraft,
    afterSave: ({ context }) => notifyEditors(context),
    beforeMany: (context) => notifyEditors(context),
    afterRemove: ({ context }) => notifyEditors(context),
    beforeRemove: async ({ context, before }) => {
      if (before.planId) await mustBeDraft(context, before.planId)
    },
  })
  addRules(timetableplan, {
    skippedByUndo: true,
    afterSave: async ({ context, before, whole }) => {
      if (!before) await addUsualRules(context, whole.schoolId, whole.semesterId)
    },
    // What is drafted in a plan goes with it; a plan that has been published stays.
    beforeRemove: async ({ context, id, before }) => {
      if (before.status >= planStates.published)
        refuseField(
          { context },
          timetableplan,
          'planName',
          '已发布或已归档，不能删除',
          'is published or archived, and is not removed',
        )
      const lessons = await context.tx.run<{ id: string }>(
        sql`select id from classschedule where tenant_id = ${context.actor.tenantId} and plan_id = ${id}`,
      )
      // Within the caller's scope: whoever may not remove one of its lessons does not remove the plan.
      await new Repository(classschedule, context).remove(lessons.map((lesson) => lesson.id))
    },
  })
  addSemesterRuleRules()
  addRules(schoolperiod, { beforeSave: standsAlone })
  addRules(schoolperiod, {
    beforeSave: keepsItsLessons,
    beforeRemove: ({ context, before }) => keepsLessonsOf(context, before, undefined),
  })
  addRules(schoolcalendarday, {
    beforeSave: async (saving) => {
      if (changesField(saving, 'day', 'dayType', 'useWeekday')) await makesUpAnother(saving)
    },
  })
  addRules(schoolsemester, { beforeSave: keepsItsWeeks })
  addRules(schoolyear, { afterSave: endsSemesters })
}
