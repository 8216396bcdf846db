import { leave, type Words } from '@data-brain/contract'
import { cancelLeave, leaveBack, leavePass } from '@data-brain/contract/calls/leave'
import { leaveStates, needsProof } from '@data-brain/contract/rules/leave'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { contextOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { writeOver } from '../../entity/write.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { putToUse } from '../resource/index.ts'
import { accountOf, anyLeave, isOwn, type Leave, leaveHeld, leaveSeen, mayManage } from './access.ts'
import { tellPupilLeave, undoAbsence } from './effects.ts'
import { guardsOf } from './subject.ts'

const model = modelOf(leave)

export const nowOf = async ({ tx }: Pick<Call, 'tx'>): Promise<string> =>
  (await tx.one<{ at: string }>(sql`select to_char(now(), 'YYYY-MM-DD HH24:MI:SS') as at`))!.at

const broken = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

/** Whoever was away is back: somebody who answers for them confirms it, never they themselves. */
export const backRoute: Route = on(leaveBack, async ({ businessId, backTime, attachIds = [] }, call) => {
  const row = await leaveHeld(call, businessId)
  if (!(await mayManage(call, row)))
    throw broken(
      '销假由班主任或有权修改请假的人员确认，本人不能确认自己的销假',
      'The return is confirmed by the class teacher or by whoever has the right to change leave, and by nobody for themselves',
    )
  if (row.status !== leaveStates.approved)
    throw broken('只有已批准的请假可以销假', 'Only a leave that was approved ends with a return')
  const now = await nowOf(call)
  const at = backTime ?? (now < row.endTime ? now : row.endTime)
  const { language } = call.circumstance
  const wrong = (reason: Words) =>
    fieldProblem([{ field: 'backTime', label: leave.fields.backTime.label, reason }], language)
  if (at < row.startTime) throw wrong({ zh: '不能早于请假开始时间', en: 'must not be before the leave begins' })
  if (at > now) throw wrong({ zh: '不能晚于现在', en: 'must not be later than now' })
  const held = row.attachIds ?? []
  const all = [...new Set([...held, ...attachIds])]
  if (needsProof(row.leaveType, row.days) && all.length === 0)
    throw fieldProblem(
      [
        {
          field: 'attachIds',
          label: leave.fields.attachIds.label,
          reason: {
            zh: '病假超过3天，销假时须有医院证明',
            en: 'must hold the hospital’s proof of more than 3 days of sick leave',
          },
        },
      ],
      language,
    )
  await mustOwnFiles(
    call,
    attachIds.filter((id) => !held.includes(id)),
  )
  await putToUse(contextOf(call), attachIds)
  await writeOver(
    model,
    contextOf(call),
    row.id,
    row,
    { backTime: at, backConfirmUser: call.actor.userId, ...(attachIds.length > 0 ? { attachIds: all } : {}) },
    { status: leaveStates.back },
  )
})

async function mustOwnFiles({ tx, actor, circumstance }: Call, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const own = await tx.run(
    sql`select 1 from attach where tenant_id = ${actor.tenantId} and id = any(${[...ids]}::bigint[]) and create_user = ${actor.userId}`,
  )
  if (own.length < ids.length)
    throw fieldProblem(
      [
        {
          field: 'attachIds',
          label: leave.fields.attachIds.label,
          reason: { zh: '含有不是您上传的文件', en: 'names files that you have not uploaded' },
        },
      ],
      circumstance.language,
    )
}

/** What a leave lets somebody do with it now. */
export async function allowedOf(
  call: Call,
  row: Leave,
): Promise<{ withdraw: boolean; cancel: boolean; back: boolean }> {
  const manages = await mayManage(call, row)
  const own = isOwn(call, row, await accountOf(call, row))
  const approved = row.status === leaveStates.approved
  const now = await nowOf(call)
  return {
    withdraw: row.status === leaveStates.open && call.actor.userId !== null && row.applyUser === call.actor.userId,
    cancel: approved && (manages || (own && now < row.endTime)),
    back: approved && manages && row.startTime <= now,
  }
}

/** Everything that followed from a leave is undone. One that is over is declared void by those who answer for it alone. */
export const cancelRoute: Route = on(cancelLeave, async ({ businessId }, call) => {
  const row = await leaveHeld(call, businessId)
  if (row.status === leaveStates.open)
    throw broken('审批中的请假请撤回，不用取消', 'A leave in approval is withdrawn, not cancelled')
  if (row.status !== leaveStates.approved)
    throw broken('只有已批准、未销假的请假可以取消', 'Only a leave that was approved and has not ended is cancelled')
  if (!(await allowedOf(call, row)).cancel)
    throw broken(
      '只有申请人、本人、班主任或教务可以取消；已结束的请假由教务作废',
      'It is cancelled by whoever asked for it, is away, heads the class or has the right to change leave; once it is over, by the latter',
    )
  const context = { ...contextOf(call), unscoped: true }
  const isPast = row.endTime <= (await nowOf(call))
  // The pass keeps its number: the gate, to whom it is shown all the same, is told that it holds no more.
  await writeOver(model, context, row.id, row, {}, { status: isPast ? leaveStates.void : leaveStates.cancelled })
  const covers = await undoAbsence(context, row)
  await tellPupilLeave(context, row, 'cancelled')
  return { covers }
})

/** Whether the caller stands at the gate of a school. */
const guards = async ({ tx, actor }: Call, schoolId: string): Promise<boolean> =>
  actor.userId !== null &&
  (await tx.one(sql`select 1 from (${guardsOf(actor.tenantId, schoolId)}) g where g.id = ${actor.userId}`)) !==
    undefined

/** Of an afternoon a pass holds from the end of the morning on, when those go who are away after lunch; else from its day on. */
const holdsFrom = (startTime: string): string =>
  startTime.slice(11) >= '12:00:00' ? `${startTime.slice(0, 10)} 11:00:00` : `${startTime.slice(0, 10)} 00:00:00`

/** What the gate looks at. A code that no pass has, or had, is told in the same words as one that nobody may look at. */
export const passRoute: Route = on(leavePass, async ({ code }, call) => {
  const { tx, actor } = call
  const found = await tx.one<{
    id: string
    schoolId: string
    studentName: string
    className: string | null
    pickupName: string | null
  }>(
    sql`select l.id, l.school_id as "schoolId", s.name as "studentName", c.class_name as "className", p.parent_name as "pickupName"
        from leave l join student s on s.tenant_id = l.tenant_id and s.id = l.student_id
          left join schoolclass c on c.tenant_id = l.tenant_id and c.id = l.class_id
          left join studentparents p on p.tenant_id = l.tenant_id and p.id = l.pickup_parent_id
        where l.tenant_id = ${actor.tenantId} and l.guard_pass_no = ${code.trim().toUpperCase()}`,
  )
  if (!found) throw new Problem('not_found')
  const row =
    holdsCode(actor, 'leave_pass') || (await guards(call, found.schoolId))
      ? { ...(await anyLeave(call).before(found.id)), id: found.id }
      : await leaveSeen(call, found.id)
  const now = await nowOf(call)
  const { startTime, endTime, status } = row
  const [isValid, zh, en] =
    status === leaveStates.back
      ? [false, '已返校销假', 'The pupil is back: it has been used']
      : status !== leaveStates.approved
        ? [false, '请假已取消', 'The leave has been cancelled']
        : now > endTime
          ? [false, '已过期', 'It has expired']
          : now < holdsFrom(startTime)
            ? [
                false,
                `${holdsFrom(startTime).slice(0, 16)}起有效`,
                `It holds from ${holdsFrom(startTime).slice(0, 16)} on`,
              ]
            : [true, '有效，可以离校', 'It holds: the pupil may leave']
  const { studentName, className, pickupName } = found
  return {
    code: row.guardPassNo!,
    isValid,
    message: { zh, en },
    studentName,
    className,
    startTime,
    endTime,
    pickupName,
  }
})
