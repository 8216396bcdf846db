import { attach, codeOf, type leave, type Words } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import type { previewLeave } from '@data-brain/contract/calls/leave'
import { applicants, staffOnlyLeave } from '@data-brain/contract/rules/leave'
import { daysBetween } from '@data-brain/contract/rules/school-year'
import { sql } from '../../database/statement.ts'
import { rowsOf } from '../../entity/routes.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call } from '../../kernel/route.ts'
import type { LessonOnDay } from '../substitution/index.ts'
import { mayFileFor } from './access.ts'
import { type RouteStep, routeOf } from './approvers.ts'
import { countDays, type HalfDays, halfDaysOf, momentsOf } from './half-days.ts'
import { missedLessons } from './missed.ts'
import { ownPupil, pupilOf, type Subject, staffOf } from './subject.ts'

export type LeaveInput = InputOf<typeof previewLeave>
type FieldName = keyof (typeof leave)['fields']

export interface Fault {
  readonly field: FieldName | null
  readonly message: Words
}

/** The result of checking a request. A part is missing where the input that it depends on is missing or wrong. */
export interface LeaveVerdict {
  readonly subject: Subject
  readonly stretch?: HalfDays
  readonly startTime?: string
  readonly endTime?: string
  readonly days?: number
  readonly lessons: readonly LessonOnDay[]
  readonly route: readonly RouteStep[]
  readonly faults: readonly Fault[]
}

/** Nobody is away longer than a school year. */
const daysMost = 370

/** Whom a request is about: whoever asks, where it names nobody. Nobody whom the caller may not ask for is there. */
export async function subjectOf(call: Call, asked: LeaveInput): Promise<Subject> {
  const { tx, actor } = call
  const { tenantId, userId } = actor
  const pupilId =
    asked.studentId ??
    (asked.userId === undefined && asked.applicantType !== applicants.staff && userId !== null
      ? await ownPupil(tx, tenantId, userId)
      : undefined)
  const staffId = asked.userId ?? userId ?? undefined
  const found = pupilId
    ? await pupilOf(tx, tenantId, pupilId)
    : staffId && asked.applicantType !== applicants.pupil
      ? await staffOf(tx, tenantId, staffId, undefined)
      : undefined
  if (!pupilId && (!staffId || asked.applicantType === applicants.pupil))
    throw new Problem('rule_broken', { reason: { zh: '请选择请假的学生', en: 'Choose the pupil who is away' } })
  if (found && (await mayFileFor(call, found))) return found
  throw new Problem('rule_broken', {
    reason: pupilId
      ? {
          zh: '找不到这名学生，或您不能为其请假：班主任可为本班学生请假',
          en: 'There is no such pupil, or you cannot ask for leave for that pupil: class teachers can for their own class',
        }
      : {
          zh: '找不到这名教职工所在的学校，或您不能为其请假',
          en: 'This person works in no school, or you cannot ask for leave for that person',
        },
  })
}

/** What the given times come to. */
async function timesOf(call: Call, subject: Subject, asked: LeaveInput, faults: Fault[]) {
  const { tx, actor } = call
  const { startTime, endTime } = asked
  if (!startTime || !endTime) return undefined
  if (startTime >= endTime) {
    faults.push({ field: 'endTime', message: { zh: '须晚于开始时间', en: 'must be after the start' } })
    return undefined
  }
  if (daysBetween(startTime.slice(0, 10), endTime.slice(0, 10)) > daysMost) {
    faults.push({
      field: 'endTime',
      message: { zh: `一次请假最多${daysMost}天`, en: `must be within ${daysMost} days of the start` },
    })
    return undefined
  }
  const { schoolId, campusId, gradeId } = subject
  const place = { tenantId: actor.tenantId, schoolId, campusId, gradeId }
  const stretch = await halfDaysOf(tx, place, startTime, endTime)
  const moments = await momentsOf(tx, place, stretch)
  // From noon until noon, or from the end of school on.
  if (moments.startTime >= moments.endTime || startTime >= moments.endTime) {
    faults.push({
      field: 'endTime',
      message: {
        zh: '所选时间不在上学时间之内，不需要请假',
        en: 'lies outside school hours: there is nothing to ask for',
      },
    })
    return undefined
  }
  const { days, semesterId } = await countDays(tx, place, stretch)
  if (semesterId === 'none')
    faults.push({
      field: 'startTime',
      message: {
        zh: '不在任何学期之内，请核对日期，或联系教务设置学期',
        en: 'lies in no semester: look at the date again, or ask the office to set the semester',
      },
    })
  else if (semesterId === 'several')
    faults.push({
      field: 'endTime',
      message: {
        zh: '请假须在同一个学期之内，请按学期分开申请',
        en: 'must lie in the same semester as the start: ask for each semester apart',
      },
    })
  else if (days === 0)
    faults.push({
      field: 'endTime',
      message: { zh: '所选时间都是放假日，不需要请假', en: 'leaves no school day: there is nothing to ask for' },
    })
  return { stretch, ...moments, days }
}

/** Another leave of the person at that time, by the words that name it. */
async function overlapping(
  { tx, actor }: Call,
  subject: Subject,
  { startTime, endTime }: { readonly startTime: string; readonly endTime: string },
): Promise<Words | undefined> {
  const row = await tx.one<{ from: string; until: string }>(
    sql`select to_char(start_time, 'MM-DD HH24:MI') as from, to_char(end_time, 'MM-DD HH24:MI') as until from leave
        where tenant_id = ${actor.tenantId} and ${subject.id}::bigint in (student_id, user_id) and status in (1, 2, 6)
          and tstzrange(start_time, greatest(start_time, least(end_time, coalesce(back_time, end_time)))) && tstzrange(${startTime}::timestamptz, ${endTime}::timestamptz)
        order by start_time limit 1`,
  )
  return row && overlapWords(`${row.from}${'—'}${row.until}`, `${row.from} – ${row.until}`)
}

const overlapWords = (zh: string, en: string): Words => ({
  zh: `与已有的请假（${zh}）重叠`,
  en: `overlaps with a leave that is there already (${en})`,
})

/** Files that somebody else uploaded are nobody's proof. */
async function foreignFiles(call: Call, ids: readonly string[], draftId: string | undefined): Promise<boolean> {
  const { tx, actor } = call
  if (ids.length === 0) return false
  const own = await tx.run<{ id: string }>(
    sql`select a.id from attach a where a.tenant_id = ${actor.tenantId} and a.id = any(${[...ids]}::bigint[]) and (a.create_user = ${actor.userId}
          or exists (select from leave_attach l where l.tenant_id = a.tenant_id and l.owner_id = ${draftId ?? null}::bigint and l.target_id = a.id))`,
  )
  const known = new Set(own.map(({ id }) => id))
  const others = ids.filter((id) => !known.has(id))
  if (others.length === 0) return false
  const view = codeOf(attach, 'view')
  if (!holdsCode(call.actor, view)) return true
  const seen = await rowsOf(attach, call).rows(others, [], { codes: [view] })
  return seen.length < others.length
}

async function wrongPickup({ tx, actor }: Call, subject: Subject, parentId: string): Promise<boolean> {
  const parent = await tx.one(
    sql`select 1 from studentparents where tenant_id = ${actor.tenantId} and id = ${parentId} and student_id = ${subject.id}
          and can_pickup = 1 and custody_restricted = 0`,
  )
  return subject.kind !== 'pupil' || parent === undefined
}

/** Looks at a request as a whole: what it comes to, who would approve it, and what stands against it. */
export async function judgeRequest(call: Call, asked: LeaveInput, draftId?: string): Promise<LeaveVerdict> {
  const { tx, actor } = call
  const { tenantId } = actor
  const subject = await subjectOf(call, asked)
  const faults: Fault[] = []
  const times = await timesOf(call, subject, asked, faults)
  const other = times && (await overlapping(call, subject, times))
  if (other) faults.push({ field: 'startTime', message: other })
  if (await foreignFiles(call, asked.attachIds ?? [], draftId))
    faults.push({
      field: 'attachIds',
      message: { zh: '含有不是您上传的文件', en: 'names files that you have not uploaded' },
    })
  if (asked.pickupParentId && (await wrongPickup(call, subject, asked.pickupParentId)))
    faults.push({
      field: 'pickupParentId',
      message: { zh: '不是该学生可接送的家长', en: 'is no parent who may pick this pupil up' },
    })
  if (subject.kind === 'pupil' && subject.classId === null)
    faults.push({ field: 'studentId', message: { zh: '该学生不在任何班级', en: 'is in no class' } })
  if (!times) return { subject, lessons: [], route: [], faults }
  const lessons = await missedLessons(tx, tenantId, subject, times.stretch)
  if (subject.kind === 'staff' && lessons.length > 0 && asked.needSubstitute === 0 && !asked.substitutePlan?.trim())
    faults.push({
      field: 'substitutePlan',
      message: {
        zh: '不需要安排代课时须写明缺的课怎么上',
        en: 'must say how the lessons are given where no cover is asked for',
      },
    })
  if (subject.kind === 'pupil' && staffOnlyLeave.includes(asked.leaveType ?? ''))
    faults.push({ field: 'leaveType', message: { zh: '是教职工的请假类型', en: 'is a kind of leave of staff' } })
  const route =
    times.days > 0
      ? await routeOf(tx, tenantId, subject, {
          leaveType: asked.leaveType ?? '',
          days: times.days,
          day: times.stretch.from.day,
          applicant: actor.userId,
        })
      : []
  if (route === undefined)
    faults.push({
      field: null,
      message: {
        zh: `学校的请假审批规则没有涵盖${times.days}天的请假，请联系教务`,
        en: `The leave approval rules of the school say nothing of ${times.days} days: ask the office`,
      },
    })
  else if (route.some(({ people }) => people.length === 0))
    faults.push({
      field: null,
      message: {
        zh: '没有可以审批的人，请联系教务设置班主任、年级主任等',
        en: 'Nobody is there to approve it: ask the office to name class teacher, head of grade and so on',
      },
    })
  return { subject, ...times, lessons, route: route ?? [], faults }
}
