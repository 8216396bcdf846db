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
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import type { Route } from '../../kernel/route.ts'
import { businessOf, type FlowContext, flowContext } from './business.ts'
import { type InstanceChanges, writeChanges } from './changes.ts'
import type { Outcome, Variables } from './engine/host.ts'
import { filesOf, mustBeOwnFiles, readForm, showFiles } from './form.ts'
import type { InstanceWork } from './instance.ts'
import { returnTargets } from './returns.ts'
import { close, type HeldTaskWork, handTo, holdTask, holdTasks, mustBeDecider, takeTask } from './tasks.ts'

/** What somebody says of a task. */
export interface Decision {
  readonly taskId: string
  readonly flag: Outcome
  readonly comment?: string | undefined
  readonly variables?: unknown
  readonly fileIds?: readonly string[] | undefined
  /** Of what the task is, as far as the caller says so: a task of something else is not decided. */
  readonly processInstanceId?: string | undefined
  readonly businessId?: string | undefined
}

/** What is judged of a decision before anything is written: the values of its form. */
async function judge(context: FlowContext, { task, work }: HeldTaskWork, decision: Decision): Promise<Variables> {
  const { flag, variables, fileIds = [] } = decision
  const { businessTable, businessId } = work.row
  if (
    (decision.processInstanceId && decision.processInstanceId !== work.row.id) ||
    (decision.businessId && decision.businessId !== (businessId ?? ''))
  )
    throw new Problem('rule_broken', {
      reason: {
        zh: '任务与所给的流程或业务不符，请刷新后重试',
        en: 'The task is not of this process or row: reload and try again',
      },
    })
  if (flag === 'no' && !decision.comment?.trim())
    throw fieldProblem(
      [
        {
          field: 'comment',
          label: { zh: '意见', en: 'Comment' },
          reason: { zh: '请写明驳回的原因', en: 'Say why it is refused' },
        },
      ],
      context.circumstance.language,
    )
  const { plan } = work.version
  // Only the form’s own steps write into it: those of a process that is called have forms of their own.
  const values =
    businessTable || task.processId !== work.row.processId || plan.form.length === 0
      ? noForm(variables)
      : await readForm(context, plan, task.node, variables, work.run.variables)
  await mustBeOwnFiles(context, fileIds)
  const business = businessOf(businessTable)
  if (business?.deciding && businessId) await business.deciding(context, businessId, flag, task.node)
  return values
}

interface Judged extends HeldTaskWork {
  readonly decision: Decision
  readonly values: Variables
}

/** Takes decisions, each of another instance: all that follows from them is kept with them, or nothing is. */
async function follow(context: FlowContext, judged: readonly Judged[]): Promise<void> {
  if (judged.length === 0) return
  const closings = judged.map(({ task, decision: { flag, comment } }) => ({ id: task.id, outcome: flag, comment }))
  await close(context, ...closings)
  const changes: InstanceChanges[] = []
  for (const { task, work, values, decision } of judged) {
    await showFiles(context, task.instanceId, decision.fileIds ?? [], task.id)
    await showFiles(context, task.instanceId, filesOf(work.version.plan, values))
    if (task.owner !== null) {
      // An opinion was asked for: whoever asked decides.
      await handTo(context, task, [task.owner])
      continue
    }
    await work.move((run) => run.complete(task.tokenId, decision.flag, values))
    changes.push(work.changes())
  }
  await writeChanges(context, changes, [context.actor.userId!])
}

/**
 * Decides tasks in one transaction, with the same few statements for one and for many. Answers why each was not decided,
 * where it was not; a Problem that comes up only once something was written is thrown, and nothing is kept.
 */
async function decideAll(
  context: FlowContext,
  decisions: readonly Decision[],
): Promise<ReadonlyMap<Decision, Problem>> {
  const refused = new Map<Decision, Problem>()
  // One instance moves once at a time: its other tasks come with the next round, in which they may be gone.
  for (let rest = decisions; rest.length > 0; ) {
    const held = await holdTasks(
      context,
      rest.map(({ taskId }) => taskId),
    )
    const judged: Judged[] = []
    const later: Decision[] = []
    const moving = new Set<InstanceWork>()
    for (const decision of rest) {
      const one = held.get(decision.taskId)!
      if (one instanceof Problem) refused.set(decision, one)
      else if (moving.has(one.work)) later.push(decision)
      else
        try {
          judged.push({ ...one, decision, values: await judge(context, one, decision) })
          moving.add(one.work)
        } catch (problem) {
          if (!(problem instanceof Problem)) throw problem
          refused.set(decision, problem)
        }
    }
    await follow(context, judged)
    rest = later
  }
  return refused
}

/** Decides a task: all that follows from it is kept with it. */
export async function decide(context: FlowContext, decision: Decision): Promise<void> {
  const problem = (await decideAll(context, [decision])).get(decision)
  if (problem) throw problem
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

/** So many are decided in one transaction, which holds their instances meanwhile. */
const together = 20

const completeSeveral: Route = onDetached(completeTasks, async ({ tasks, flag, comment }, call) => {
  const decisions = tasks.map(({ taskId }): Decision => ({ taskId, flag, comment }))
  const refused = new Map<Decision, Problem>()
  /** Decides several at once; where one of them spoils that, each by itself. */
  const decideSome = async (some: readonly Decision[]): Promise<void> => {
    try {
      const found = await call.as(({ tx, actor }) => decideAll(flowContext({ ...call, tx, actor }), some))
      for (const [decision, problem] of found) refused.set(decision, problem)
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem
      if (some.length === 1) refused.set(some[0]!, problem)
      else for (const each of some) await decideSome([each])
    }
  }
  for (let at = 0; at < decisions.length; at += together) await decideSome(decisions.slice(at, at + together))
  return decisions.map((decision) => {
    const problem = refused.get(decision)
    return {
      taskId: decision.taskId,
      success: !problem,
      message: problem?.words(call.circumstance.language) ?? null,
    }
  })
})

const claimRoute: Route = on(claimTask, async ({ taskId }, call) => {
  const context = flowContext(call)
  const { task } = await holdTask(context, taskId)
  await takeTask(context, task)
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
  await close(context, { id: task.id, outcome: 'transfer', comment })
  await handTo(context, task, [userId], { owner: task.owner })
})

const delegateRoute: Route = on(delegateTask, async ({ taskId, userId, comment }, call) => {
  const context = flowContext(call)
  const { task, work } = await holdTask(context, taskId)
  mustAllow(work.stepOf(task.processId, task.node)?.may.delegate, '委派', 'a delegation')
  await mustBeDecider(context, userId, task)
  await close(context, { id: task.id, outcome: 'delegate', comment })
  await handTo(context, task, [userId], { owner: task.owner ?? context.actor.userId })
})

const signerRoute: Route = on(addSigner, async ({ taskId, userId, when, comment }, call) => {
  const context = flowContext(call)
  const { task, work } = await holdTask(context, taskId)
  mustAllow(work.stepOf(task.processId, task.node)?.may.addSigner, '加签', 'another signer')
  await mustBeDecider(context, userId, task)
  await takeTask(context, task)
  const token = work.run.tokens.get(task.tokenId)!
  const { after = [] } = token.data
  const next = when === 'before' ? [context.actor.userId!, ...after] : [...after, userId]
  await work.moved((run) => void run.tokens.set(token.id, { ...token, data: { ...token.data, after: next } }))
  if (when === 'after') return
  await close(context, { id: task.id, outcome: 'signer', comment })
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
  await close(context, { id: task.id, outcome: 'back', comment })
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
