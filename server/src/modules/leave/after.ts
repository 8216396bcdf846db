import { leave, type Words } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { cancelLeave, leaveBack } from '@data-brain/contract/calls/leave'
import { leaveStates, needsProof } from '@data-brain/contract/rules/leave'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { contextOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { writeOver } from '../../entity/write.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { putToUse } from '../resource/index.ts'
import { accountOf, isOwn, type Leave, leaveHeld, mayManage } from './access.ts'
import { tellPupilLeave, undoAbsence } from './effects.ts'

const model = modelOf(leave)

export const nowOf = async ({ tx }: Pick<Call, 'tx'>): Promise<string> =>
  (await tx.one<{ at: string }>(sql`select to_char(now(), 'YYYY-MM-DD HH24:MI:SS') as at`))!.at

const broken = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

/** Whoever was away is back: somebody who answers for them confirms it, never they themselves. */
export async function confirmBack(
  { businessId, backTime, attachIds = [] }: InputOf<typeof leaveBack>,
  call: Call,
): Promise<void> {
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
}

export const backRoute: Route = on(leaveBack, confirmBack)

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
