import { leave } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { startLeave } from '@data-brain/contract/calls/leave'
import { dictionaryOf } from '@data-brain/contract/dictionaries'
import { applicants, leaveStates } from '@data-brain/contract/rules/leave'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { on } from '../../entity/serve-call.ts'
import { writeOver } from '../../entity/write.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { beginProcess, flowContext } from '../flow/index.ts'
import { anyLeave, isOwn, type Leave, mayManage } from './access.ts'
import { makeAbsence } from './effects.ts'
import { type Fault, judgeRequest, type LeaveInput, type LeaveVerdict, subjectOf } from './judge.ts'
import { periodsIn } from './missed.ts'

type Given = InputOf<typeof startLeave>

/** The page of a process whose form is that of leave. */
const formKey = 'leave'

/** Keys of the shipped processes, by who is away. */
const usualKeys = { pupil: 'leave-student', staff: 'leave-staff' } as const

/** The version that is started: the one asked for, or the newest one that is active and meant for such people. */
async function processFor(
  { tx, actor }: Call,
  asked: string | undefined,
  kind: keyof typeof usualKeys,
): Promise<string> {
  const row = await tx.one<{ id: string }>(
    sql`select id from flowprocess where tenant_id = ${actor.tenantId} and form_key = ${formKey} and suspension_state = '1'
          and (${asked ?? null}::bigint is null or id = ${asked ?? null}::bigint) and key <> ${usualKeys[kind === 'pupil' ? 'staff' : 'pupil']}
        order by key = ${usualKeys[kind]} desc, deployment_time desc, version_no desc, id desc limit 1`,
  )
  if (row) return row.id
  throw new Problem('rule_broken', {
    reason: asked
      ? {
          zh: '这个请假流程不存在、已挂起或不是给这类人员的，请从“发起流程”重新选择',
          en: 'This leave process is not there, is suspended, or is meant for others: choose one where processes are started',
        }
      : { zh: '还没有部署请假流程，请联系管理员', en: 'No leave process is deployed yet: ask an administrator' },
  })
}

function refuse({ faults }: LeaveVerdict, call: Call): void {
  const [first] = faults
  if (!first) return
  const fields = faults.flatMap(({ field, message }: Fault) =>
    field === null ? [] : [{ field, label: leave.fields[field].label, reason: message }],
  )
  if (fields.length > 0) throw fieldProblem(fields, call.circumstance.language)
  throw new Problem('rule_broken', { reason: first.message })
}

/** A draft that the caller may send, held, with what the request says besides. */
async function draftOf(call: Call, { id, ...given }: Given): Promise<{ row: Leave; asked: LeaveInput }> {
  const row = { ...(await anyLeave(call).before(id!, { lock: true })), id: id! }
  const own = isOwn(call, row, null) || (await mayManage(call, row))
  if (!own) throw new Problem('not_found')
  if (row.status !== leaveStates.draft)
    throw new Problem('rule_broken', { reason: { zh: '这份请假已经提交过', en: 'This leave has been filed before' } })
  const { studentId, userId, leaveType, startTime, endTime, reason, attachIds, leavesCampus } = row
  const { pickupParentId, needSubstitute, substitutePlan } = row
  const held = {
    ...{ studentId, userId, leaveType, startTime, endTime, reason, attachIds, leavesCampus },
    ...{ pickupParentId, needSubstitute, substitutePlan },
  }
  const there = Object.fromEntries(
    Object.entries({ ...held, ...given }).filter(([, value]) => value !== null && value !== undefined),
  )
  // Whom it is about stands in the draft, and nobody else is judged for it.
  const about = {
    ...there,
    ...{
      studentId: studentId ?? undefined,
      userId: userId ?? undefined,
      applicantType: row.applicantType as '1' | '2',
    },
  }
  return { row, asked: about as LeaveInput }
}

/** The fields of the row that a request makes. */
const fieldsOf = (asked: LeaveInput, { subject, startTime, endTime }: LeaveVerdict) => ({
  leaveType: asked.leaveType ?? '',
  startTime: startTime ?? '',
  endTime: endTime ?? '',
  reason: asked.reason ?? '',
  attachIds: [...(asked.attachIds ?? [])],
  leavesCampus: asked.leavesCampus ?? 0,
  pickupParentId: asked.pickupParentId ?? null,
  needSubstitute: subject.kind === 'staff' ? (asked.needSubstitute ?? 1) : 0,
  substitutePlan: asked.substitutePlan ?? null,
})

/** What it is called in lists: 王小明 病假 2天. */
const titleOf = ({ subject, days }: LeaveVerdict, leaveType: string | undefined): string => {
  const kind = dictionaryOf('leave_type')?.items.find(({ key }) => key === leaveType)?.label.zh ?? leave.short
  return `${subject.name} ${kind} ${days}天`
}

/** Files a request and has it decided: a new one, or a draft that the caller may send. */
export async function fileLeave(given: Given, call: Call) {
  const { tx, actor } = call
  const { tenantId } = actor
  if (actor.userId === null) throw new Problem('forbidden', { code: 'leave_add' })
  const draft = given.id ? await draftOf(call, given) : undefined
  const asked = draft?.asked ?? given
  // One after the other for one person, so that the second of two meets the first and is told of it.
  const person = await subjectOf(call, asked)
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`leave|${tenantId}|${person.id}`}, 0))`)
  const judged = await judgeRequest(call, asked, given.id)
  const { subject, stretch, days, lessons, route } = judged
  const processId = await processFor(call, given.processDefinitionId, subject.kind)
  const rows = anyLeave(call)
  refuse(judged, call)
  const fields = fieldsOf(asked, judged)
  const isPupil = subject.kind === 'pupil'
  const { id } = draft
    ? await rows.edit(draft.row.id, fields)
    : await rows.add({
        ...fields,
        schoolId: subject.schoolId,
        applicantType: isPupil ? applicants.pupil : applicants.staff,
        ...(isPupil ? { studentId: subject.id } : { userId: subject.id }),
      })
  const context = { ...flowContext(call), unscoped: true }
  const before = await rows.before(id)
  const missed = periodsIn(lessons)
  const [now] = await tx.run<{ at: string }>(sql`select to_char(now(), 'YYYY-MM-DD HH24:MI:SS') as at`)
  const absenceId = subject.kind === 'staff' && missed > 0 ? await makeAbsence(context, before, stretch!) : null
  await writeOver(
    modelOf(leave),
    context,
    id,
    before,
    {
      ...{ days: days!, lessons: missed, classId: subject.classId, absenceId },
      ...{ applyUser: actor.userId, applyTime: now!.at, processDefinitionId: processId },
    },
    { status: leaveStates.open },
  )
  const processInstanceId = await beginProcess(context, {
    processId,
    title: titleOf(judged, asked.leaveType),
    variables: {
      ...{ schoolId: subject.schoolId, applicantType: isPupil ? applicants.pupil : applicants.staff },
      ...{ studentId: isPupil ? subject.id : null, userId: isPupil ? null : subject.id, classId: subject.classId },
      ...{ leaveType: asked.leaveType, days, lessons: missed, leavesCampus: fields.leavesCampus === 1 },
      steps: route.length,
    },
    chosen: Object.fromEntries(route.map(({ people }, at) => [`step${at + 1}`, people.map((each) => each.id)])),
    terms: Object.fromEntries(route.flatMap(({ terms }, at) => (terms ? [[`step${at + 1}`, terms]] : []))),
    business: { table: modelOf(leave).table, id },
  })
  // What is known by then says no more about the leave than that it runs.
  await tx.run(
    sql`update leave set process_instance_id = ${processInstanceId} where tenant_id = ${tenantId} and id = ${id}`,
  )
  return { id, processInstanceId, days: days!, lessons: missed }
}

export const startRoute: Route = on(startLeave, fileLeave)
