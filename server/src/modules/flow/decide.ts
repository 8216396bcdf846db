import {
  addSigner,
  claimTask,
  completeTask,
  completeTasks,
  delegateTask,
  releaseTask,
  returnTask,
  transferTask,
} from '@data-brain/contract/calls/flow'
import { sql } from '../../database/statement.ts'
import { on, onDetached } from '../../entity/serve-call.ts'
import { announce } from '../../kernel/announce.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Route } from '../../kernel/route.ts'
import { businessOf, type FlowContext, flowContext } from './business.ts'
import type { Outcome } from './engine/host.ts'
import { filesOf, mustBeOwnFiles, readForm, showFiles } from './form.ts'
import { returnTargets } from './returns.ts'
import { close, handTo, holdTask, mustBeDecider, take } from './tasks.ts'

interface Decision {
  readonly taskId: string
  readonly flag: Outcome
  readonly comment?: string | undefined
  readonly variables?: unknown
  readonly fileIds?: readonly string[] | undefined
  /** Of what the task is, as far as the caller says so: a task of something else is not decided. */
  readonly processInstanceId?: string | undefined
  readonly businessId?: string | undefined
}

/** Decides a task: all that follows from it is kept with it. */
export async function decide(
  context: FlowContext,
  { taskId, flag, comment, variables, fileIds = [], ...about }: Decision,
): Promise<void> {
  const { task, work } = await holdTask(context, taskId)
  const { businessTable, businessId } = work.row
  if (
    (about.processInstanceId && about.processInstanceId !== work.row.id) ||
    (about.businessId && about.businessId !== (businessId ?? ''))
  )
    throw new Problem('rule_broken', {
      reason: {
        zh: '任务与所给的流程或业务不符，请刷新后重试',
        en: 'The task is not of this process or row: reload and try again',
      },
    })
  const { plan } = work.version
  // Only the form’s own steps write into it: those of a process that is called have forms of their own.
  const values =
    businessTable || task.processId !== work.row.processId || plan.form.length === 0
      ? noForm(variables)
      : await readForm(context, plan, task.node, variables, work.run.variables)
  await mustBeOwnFiles(context, fileIds)
  const business = businessOf(businessTable)
  if (business?.deciding && businessId) await business.deciding(context, businessId, flag, task.node)
  await take(context, task)
  await close(context, task, flag, comment)
  await showFiles(context, task.instanceId, fileIds, task.id)
  await showFiles(context, task.instanceId, filesOf(plan, values))
  if (task.owner !== null) {
    // An opinion was asked for: whoever asked decides.
    await handTo(context, task, [task.owner])
    return
  }
  await work.moved((run) => run.complete(task.tokenId, flag, values))
  await announce(context.tx, context.actor.tenantId, 'task', [context.actor.userId!])
}

/** Where there is no form, nothing is written into one. */
function noForm(variables: unknown): Record<string, never> {
  const [name] = Object.keys(typeof variables === 'object' && variables !== null ? variables : {})
  if (name !== undefined) throw new Problem('field_unknown', { field: name })
  return {}
}

const completeRoute: Route = on(completeTask, async (decision, call) => {
  await decide(flowContext(call), decision)
})

const completeSeveral: Route = onDetached(completeTasks, async ({ tasks, flag, comment }, call) => {
  const results: { taskId: string; success: boolean; message: string | null }[] = []
  const { language } = call.circumstance
  for (const { taskId } of tasks) {
    try {
      await call.as(({ tx, actor }) => decide(flowContext({ ...call, tx, actor }), { taskId, flag, comment }))
      results.push({ taskId, success: true, message: null })
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem
      results.push({ taskId, success: false, message: problem.words(language) })
    }
  }
  return results
})

const claimRoute: Route = on(claimTask, async ({ taskId }, call) => {
  const context = flowContext(call)
  const { task } = await holdTask(context, taskId)
  await take(context, task)
  await announce(context.tx, context.actor.tenantId, 'task', null)
})

const releaseRoute: Route = on(releaseTask, async ({ taskId }, call) => {
  const context = flowContext(call)
  const { tx, actor } = context
  const { task } = await holdTask(context, taskId)
  const shared = await tx.one(
    sql`select 1 from flow_candidate where tenant_id = ${actor.tenantId} and task_id = ${task.id} limit 1`,
  )
  if (!shared)
    throw new Problem('rule_broken', {
      reason: { zh: '该任务只由您办理，可以转办', en: 'The task is yours alone: you can transfer it' },
    })
  await tx.run(
    sql`update flow_task set assignee = null, claim_time = null where tenant_id = ${actor.tenantId} and id = ${task.id}`,
  )
  await announce(tx, actor.tenantId, 'task', null)
})

/** What a step lets whoever has it do beside deciding. */
function mustAllow(may: boolean | undefined, zh: string, en: string): void {
  if (may === false)
    throw new Problem('rule_broken', { reason: { zh: `本步骤不允许${zh}`, en: `This step does not allow ${en}` } })
}

const transferRoute: Route = on(transferTask, async ({ taskId, userId, comment }, call) => {
  const context = flowContext(call)
  const { task, work } = await holdTask(context, taskId)
  mustAllow(work.stepOf(task.processId, task.node)?.may.transfer, '转办', 'a transfer')
  await mustBeDecider(context, userId, task)
  await close(context, task, 'transfer', comment)
  await handTo(context, task, [userId], { owner: task.owner })
})

const delegateRoute: Route = on(delegateTask, async ({ taskId, userId, comment }, call) => {
  const context = flowContext(call)
  const { task, work } = await holdTask(context, taskId)
  mustAllow(work.stepOf(task.processId, task.node)?.may.delegate, '委派', 'a delegation')
  await mustBeDecider(context, userId, task)
  await close(context, task, 'delegate', comment)
  await handTo(context, task, [userId], { owner: task.owner ?? context.actor.userId })
})

const signerRoute: Route = on(addSigner, async ({ taskId, userId, when, comment }, call) => {
  const context = flowContext(call)
  const { task, work } = await holdTask(context, taskId)
  mustAllow(work.stepOf(task.processId, task.node)?.may.addSigner, '加签', 'another signer')
  await mustBeDecider(context, userId, task)
  await take(context, task)
  const token = work.run.tokens.get(task.tokenId)!
  const { after = [] } = token.data
  const next = when === 'before' ? [context.actor.userId!, ...after] : [...after, userId]
  await work.moved((run) => void run.tokens.set(token.id, { ...token, data: { ...token.data, after: next } }))
  if (when === 'after') return
  await close(context, task, 'signer', comment)
  await handTo(context, task, [userId])
})

const returnRoute: Route = on(returnTask, async ({ taskId, nodeId, comeBack, comment }, call) => {
  const context = flowContext(call)
  const { task, work } = await holdTask(context, taskId)
  mustAllow(work.stepOf(task.processId, task.node)?.may.return, '退回', 'a return')
  const target = (await returnTargets(work, task)).find((each) => each.node === nodeId)
  if (!target)
    throw new Problem('rule_broken', {
      reason: { zh: '不能退回到该步骤，请从列表中选择', en: 'It cannot go back to that step: choose one of the list' },
    })
  await take(context, task)
  await close(context, task, 'back', comment)
  await work.moved((run) => run.returnTo(task.tokenId, target, comeBack ?? false))
})

export const decideRoutes: readonly Route[] = [
  completeRoute,
  completeSeveral,
  claimRoute,
  releaseRoute,
  transferRoute,
  delegateRoute,
  signerRoute,
  returnRoute,
]
