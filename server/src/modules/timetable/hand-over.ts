import { codeOf, teacherclass } from '@data-brain/contract'
import { handOver } from '@data-brain/contract/calls/timetable'
import { addDays } from '@data-brain/contract/rules/school-year'
import { sql } from '../../database/statement.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { lessonsOfPlan, type PlanLesson, planFacts } from './lessons.ts'
import { copyOf, publishFrom } from './plan.ts'
import { planStates } from './rules.ts'

/** The published plan of a week of a semester. */
const planOfWeek = (call: Call, semesterId: string, week: number) =>
  call.tx.one<{ id: string }>(
    sql`select id from timetableplan where tenant_id = ${call.actor.tenantId} and semester_id = ${semesterId}
          and status = ${planStates.published} and ${week} between begin_week and end_week`,
  )

/**
 * Gives what somebody teaches a class to another teacher from a week on. The one assignment ends the day before that week and
 * another begins with it; the published timetable is published anew from that week with the new teacher in those lessons. The
 * database lets neither be without the other: all of it is done, or nothing.
 */
export const handOverRoute: Route = on(handOver, async ({ id, userId, fromWeek }, call) => {
  const { tx, actor, circumstance } = call
  const rows = rowsOf(teacherclass, call)
  const old = await rows.before(id, { lock: true, codes: [codeOf(teacherclass, 'edit')] })
  const refuse = (field: string, zh: string, en: string): never => {
    throw fieldProblem([{ field, label: teacherclass.fields.userId.label, reason: { zh, en } }], circumstance.language)
  }
  if (old.userId === userId)
    refuse('userId', '就是现在的教师，请选择新教师', 'is the present teacher: choose the new one')
  const semester = await tx.one<{ monday: string; weeks: number }>(
    sql`select first_week_monday as monday, week_count as weeks from schoolsemester where tenant_id = ${actor.tenantId} and id = ${old.semesterId} for no key update`,
  )
  const from = semester && addDays(semester.monday, 7 * (fromWeek - 1))
  if (!semester || !from || fromWeek > semester.weeks || from <= old.beginDate || from > old.endDate)
    refuse('fromWeek', '这一周不在该任课关系的起止日期内', 'is taught in no such week')
  const isTheirs = (lesson: PlanLesson): boolean =>
    lesson.teacherId === old.userId &&
    lesson.subjectId === old.subjectId &&
    (old.classId ? lesson.classId === old.classId : lesson.teachClassId === old.teachClassId)
  const published = await planOfWeek(call, old.semesterId, fromWeek)
  const lessons = published ? (await lessonsOfPlan(tx, actor.tenantId, published.id)).filter(isTheirs) : []
  if (lessons.length > 0 && !holdsCode(actor, 'timetableplan_publish'))
    throw new Problem('forbidden', { code: 'timetableplan_publish' })
  await rows.edit(id, { endDate: addDays(from!, -1) })
  const { schoolId, semesterId, classId, teachClassId, subjectId, role, weekHours, endDate } = old
  const made = await rows.add({
    ...{ schoolId, semesterId, userId, subjectId, role, weekHours, beginDate: from, endDate },
    ...(classId ? { classId } : { teachClassId }),
  })
  const plan = lessons.length > 0 && published ? await planFacts(tx, actor.tenantId, published.id) : undefined
  if (!plan) return { id: made.id, planId: null, lessons: 0 }
  const planId = await copyOf(call, plan, { alter: (lesson) => (isTheirs(lesson) ? { teacherId: userId } : {}) })
  const next = await planFacts(tx, actor.tenantId, planId)
  await publishFrom(call, next!, fromWeek)
  return { id: made.id, planId, lessons: lessons.length }
})
