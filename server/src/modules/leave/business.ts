import { leave } from '@data-brain/contract'
import { leaveStates } from '@data-brain/contract/rules/leave'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { writeOver } from '../../entity/write.ts'
import { Problem } from '../../kernel/problem.ts'
import type { FlowBusiness } from '../flow/index.ts'
import { type Leave, leaveSeen } from './access.ts'
import {
  bareLessons,
  makeAbsence,
  newPassNo,
  stretchOf,
  subjectOfLeave,
  tellPupilLeave,
  undoAbsence,
} from './effects.ts'

const model = modelOf(leave)

/** The leave that a process is about, held. */
async function held(context: Context, id: string): Promise<Leave> {
  return { ...(await new Repository(leave, { ...context, unscoped: true }).before(id, { lock: true })), id }
}

/** What follows from the last agreement: the office plans with it, a pass opens the gate, and those concerned know. */
async function approve(context: Context, row: Leave): Promise<void> {
  const subject = await subjectOfLeave(context, row)
  const absenceId =
    row.userId !== null && row.absenceId === null
      ? await makeAbsence(context, row, await stretchOf(context, row, subject))
      : row.absenceId
  const guardPassNo = row.leavesCampus === 1 ? newPassNo() : null
  await writeOver(model, context, row.id, row, { absenceId, guardPassNo }, { status: leaveStates.approved })
  await tellPupilLeave(context, { ...row, guardPassNo }, 'approved')
}

const after = {
  refused: leaveStates.refused,
  withdrawn: leaveStates.withdrawn,
  terminated: leaveStates.void,
} as const

/** Whether a step is the last one of its route; of a process drawn by the school itself each may be. */
async function isLast({ tx, actor }: Context, row: Leave, node: string): Promise<boolean> {
  const found = await tx.one<{ steps: string | null }>(
    sql`select variables ->> 'steps' as steps from flowinstance where tenant_id = ${actor.tenantId} and id = ${row.processInstanceId}::bigint`,
  )
  return !/^step\d$/.test(node) || !found?.steps || node === `step${found.steps}`
}

/** What leave does with its processes. */
export const leaveBusiness: FlowBusiness = {
  table: model.table,
  away: (tenantId) =>
    sql`select user_id as id, end_time as until from leave where tenant_id = ${tenantId} and status = ${leaveStates.approved} and user_id is not null
          and start_time <= now() and coalesce(back_time, end_time) > now()`,
  sees: (call, businessId) =>
    leaveSeen(call, businessId).then(
      () => true,
      (problem) => {
        if (problem instanceof Problem && problem.problem === 'not_found') return false
        throw problem
      },
    ),
  async ended(context, businessId, ending) {
    const row = await held(context, businessId)
    if (row.status !== leaveStates.open) return
    if (ending === 'agreed') return approve(context, row)
    await writeOver(model, context, row.id, row, {}, { status: after[ending] })
    await undoAbsence(context, row)
  },
  async deciding(context, businessId, outcome, node) {
    const row = await held(context, businessId)
    const { userId } = context.actor
    const subject = await subjectOfLeave(context, row)
    if (userId !== null && [row.applyUser, row.userId, subject?.accountId].includes(userId))
      throw new Problem('rule_broken', {
        reason: {
          zh: '不能审批自己的请假，请转办给其他人',
          en: 'Nobody decides on the own leave: hand it over to somebody else',
        },
      })
    if (outcome !== 'ok' || row.userId === null || row.needSubstitute === 0 || !(await isLast(context, row, node)))
      return
    const bare = await bareLessons(context, row)
    if (bare > 0)
      throw new Problem('rule_broken', {
        reason: {
          zh: `还有${bare}节课没有确认的代课，请教务先在“今日调代课”安排并确认，再批准`,
          en: `${bare} lessons have no confirmed cover yet: let the office arrange it at the cover desk, then approve`,
        },
      })
  },
}
