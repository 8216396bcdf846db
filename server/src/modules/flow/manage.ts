import {
  copyTask,
  deleteInstance,
  remindProcess,
  retryInstance,
  startProcess,
  withdrawProcess,
} from '@data-brain/contract/calls/flow'
import { flowinstance } from '@data-brain/contract/entities/flow/flowinstance'
import { sql } from '../../database/statement.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Route } from '../../kernel/route.ts'
import { sendMessage } from '../desk/index.ts'
import { informOf } from './actions.ts'
import { beginProcess } from './begin.ts'
import { flowContext } from './business.ts'
import { mustSee } from './detail.ts'
import { readForm, someUnknown } from './form.ts'
import { InstanceWork } from './instance.ts'
import { notifiableUsers } from './people.ts'
import { taskStates } from './states.ts'
import { mustReach, startable } from './versions.ts'

const words = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

const startRoute: Route = on(startProcess, async ({ processDefinitionId, title, variables, chosen = [] }, call) => {
  const context = flowContext(call)
  const { tx, actor } = context
  await mustReach(call, processDefinitionId)
  const version = await startable(tx, actor.tenantId, processDefinitionId)
  if (version.formKey)
    throw words('该流程有自己的申请页面，请从那里发起', 'This process has a page of its own: start it there')
  if (version.startMessage !== null)
    throw words(
      `该流程由消息“${version.startMessage}”启动，不能手工发起`,
      `This process is started by the message “${version.startMessage}”, and not by hand`,
    )
  if (version.startTimer)
    throw words('该流程由定时器启动，不能手工发起', 'This process is started by the clock, and not by hand')
  const values = await readForm(context, version.plan, undefined, variables, {})
  for (const { nodeId, userIds } of chosen) {
    const node = version.plan.nodes[nodeId]
    if (!node?.task?.assignees.some(({ kind }) => kind === 'chosen'))
      throw words('所选审批步骤不存在', 'The chosen step is none of this process')
    if (userIds.includes(actor.userId ?? '')) throw words('不能选择自己为审批人', 'Nobody decides on the own request')
    if (await someUnknown(tx, actor.tenantId, userIds))
      throw words('所选审批人不存在或已停用', 'A chosen approver is not there, or disabled')
  }
  const missing = Object.values(version.plan.nodes).find(
    ({ id, task }) =>
      task?.assignees.length === 1 &&
      task.assignees[0]!.kind === 'chosen' &&
      !chosen.some(({ nodeId, userIds }) => nodeId === id && userIds.length > 0),
  )
  if (missing)
    throw words(`请选择“${missing.name ?? missing.id}”的审批人`, `Choose who decides “${missing.name ?? missing.id}”`)
  const processInstanceId = await beginProcess(context, {
    processId: processDefinitionId,
    title: title?.trim() || `${version.name} ${actor.name}`,
    variables: values,
    chosen: Object.fromEntries(chosen.map(({ nodeId, userIds }) => [nodeId, [...userIds]])),
  })
  return { processInstanceId }
})

const withdrawRoute: Route = on(withdrawProcess, async ({ processInstanceId, comment }, call) => {
  await mustSee(call, processInstanceId)
  const work = await InstanceWork.hold(flowContext(call), processInstanceId)
  if (work.row.startUser === null || work.row.startUser !== call.actor.userId)
    throw words('只能撤回本人发起的流程', 'Only what one has started oneself can be withdrawn')
  await work.moved((run) => run.end('withdrawn'))
  await note(call, processInstanceId, comment)
})

/** Keeps why an instance was ended. */
const note = (
  { tx, actor }: Parameters<typeof flowContext>[0],
  id: string,
  reason: string | undefined,
): Promise<unknown> =>
  tx.run(
    sql`update flowinstance set reason = ${reason?.slice(0, 500) || null} where tenant_id = ${actor.tenantId} and id = ${id}`,
  )

const deleteRoute: Route = on(deleteInstance, async ({ processInstanceId, deleteReason }, call) => {
  await rowsOf(flowinstance, call).before(processInstanceId, { codes: ['flowinstance_delete'] })
  if (!deleteReason?.trim()) throw words('请填写终止原因', 'Say why it is terminated')
  const work = await InstanceWork.hold(flowContext(call), processInstanceId)
  await work.moved((run) => run.end('terminated'))
  await note(call, processInstanceId, deleteReason)
})

const retryRoute: Route = on(retryInstance, async ({ processInstanceId }, call) => {
  await rowsOf(flowinstance, call).before(processInstanceId, { codes: ['flowinstance_retry'] })
  const work = await InstanceWork.hold(flowContext(call), processInstanceId)
  const stuck = [...work.run.tokens.values()].filter(({ data }) => data.incident)
  if (stuck.length === 0) throw words('该流程没有停住的步骤', 'Nothing of this process stands still')
  await work.moved(async (run) => {
    for (const { id } of stuck) if (run.tokens.has(id)) await run.retry(id)
  })
  // Nothing is kept of a try that ends where it began.
  const still = [...work.run.tokens.values()].find(({ data }) => data.incident)?.data.incident
  if (still) throw words(`仍然无法继续：${still.zh}`, `It still stands: ${still.en}`)
})

/** Between two reminders of one process, so that nobody is told every minute. */
const remindMinutes = 30

const remindRoute: Route = on(remindProcess, async ({ processInstanceId }, call) => {
  await mustSee(call, processInstanceId)
  const { tx, actor } = call
  const row = await tx.one<{ title: string; startUser: string | null }>(
    sql`select title, start_user as "startUser" from flowinstance where tenant_id = ${actor.tenantId} and id = ${processInstanceId} and end_time is null for update`,
  )
  if (!row) throw words('该流程已结束', 'The process is over')
  if (row.startUser !== actor.userId && !holdsCode(actor, 'flowinstance_delete'))
    throw words('只有申请人和流程管理员可以催办', 'Only the applicant and those who manage processes remind')
  const link = `/work/todo?process=${processInstanceId}`
  const last = await tx.one(
    sql`select 1 from inbox where tenant_id = ${actor.tenantId} and kind = 'flow-remind' and link = ${link} and create_time > now() - make_interval(mins => ${remindMinutes}) limit 1`,
  )
  if (last)
    throw words(`${remindMinutes}分钟内已经催办过`, `It was reminded of within the last ${remindMinutes} minutes`)
  const tasks = await tx.run<{ id: string; assignee: string | null }>(
    sql`select id, assignee from flow_task where tenant_id = ${actor.tenantId} and instance_id = ${processInstanceId} and state = ${taskStates.open} limit 200`,
  )
  const shared = tasks.filter(({ assignee }) => assignee === null).map(({ id }) => id)
  const people = [
    ...tasks.flatMap(({ assignee }) => assignee ?? []),
    ...(shared.length > 0 ? await notifiableUsers(tx, actor.tenantId, shared) : []),
  ]
  const count = await sendMessage(tx, actor.tenantId, people, {
    kind: 'flow-remind',
    title: { zh: `请办理：${row.title}`, en: `Waiting for you: ${row.title}` },
    body: { zh: `${actor.name}提醒您办理`, en: `${actor.name} reminds you of it` },
    link,
  })
  return { count }
})

const copyRoute: Route = on(copyTask, async ({ processInstanceId, userIds, comment }, call) => {
  await mustSee(call, processInstanceId)
  const { tx, actor } = call
  if (await someUnknown(tx, actor.tenantId, userIds))
    throw words('所选人员不存在或已停用', 'Somebody chosen is not there, or disabled')
  await informOf(flowContext(call), processInstanceId, userIds, actor.userId, comment)
})

export const manageRoutes: readonly Route[] = [
  startRoute,
  withdrawRoute,
  remindRoute,
  copyRoute,
  deleteRoute,
  retryRoute,
]
