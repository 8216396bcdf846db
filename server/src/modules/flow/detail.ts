import { codeOf } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import {
  type FlowStep,
  type FlowTask,
  flowHistory,
  processDefinition,
  processDetail,
  processForm,
} from '@data-brain/contract/calls/flow'
import { flowinstance } from '@data-brain/contract/entities/flow/flowinstance'
import { flowprocess } from '@data-brain/contract/entities/flow/flowprocess'
import type { FormField, ProcessPlan } from '@data-brain/contract/flow/plan'
import { sql } from '../../database/statement.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { signedLink } from '../resource/index.ts'
import { businessOf, flowContext } from './business.ts'
import { mayWrite, shownOf } from './form.ts'
import { InstanceWork } from './instance.ts'
import { ofTasks, shown } from './lists.ts'
import { candidateNames, candidateTasks } from './people.ts'
import { returnTargets } from './returns.ts'
import { taskStates } from './states.ts'
import { handedOn } from './tasks.ts'
import { mustReach, startable, versionsOf } from './versions.ts'

/**
 * Reads an instance for whoever takes part in it: started it, was asked, could take a task of it, was informed; may look at
 * what it is about; or sees instances by right and data scope. Of any other it is as if it were not there.
 */
export async function mustSee(call: Call, instanceId: string): Promise<void> {
  const { tx, actor } = call
  const userId = actor.userId ?? '0'
  const part = await tx.one(
    sql`select 1 from flowinstance i where i.tenant_id = ${actor.tenantId} and i.id = ${instanceId} and (
          i.start_user = ${userId}::bigint
          or exists (select from flow_task t where t.tenant_id = i.tenant_id and t.instance_id = i.id and (t.assignee = ${userId}::bigint or t.owner = ${userId}::bigint))
          or exists (select from flow_task t where t.tenant_id = i.tenant_id and t.instance_id = i.id and t.state = ${taskStates.open} and t.id in (${candidateTasks(actor.tenantId, userId)})))`,
  )
  if (part) return
  const about = await tx.one<{ table: string | null; id: string | null }>(
    sql`select business_table as table, business_id as id from flowinstance where tenant_id = ${actor.tenantId} and id = ${instanceId}`,
  )
  if (about?.id && (await businessOf(about.table)?.sees?.(call, about.id))) return
  if (!holdsCode(actor, codeOf(flowinstance, 'view'))) throw new Problem('not_found')
  await rowsOf(flowinstance, call).before(instanceId, { codes: [codeOf(flowinstance, 'view')] })
}

type ShownField = AnswerOf<typeof processForm>['fields'][number]

interface Showing {
  readonly plan: ProcessPlan
  /** The steps as which somebody looks: a field is kept from them that is hidden at each of these. */
  readonly nodes: readonly string[]
  /** The step that writes now; null where none does. */
  readonly writes: string | undefined | null
  readonly values: Readonly<Record<string, unknown>>
}

async function fieldsOf(call: Call, { plan, nodes, writes, values }: Showing): Promise<ShownField[]> {
  const { tx, actor } = call
  const isHidden = ({ name }: FormField) =>
    nodes.length > 0 && nodes.every((node) => plan.nodes[node]?.task?.fields[name] === 'hidden')
  const found: ShownField[] = []
  for (const field of plan.form) {
    if (isHidden(field)) continue
    const value = values[field.name] ?? null
    found.push({
      ...{ name: field.name, label: field.label, kind: field.kind, required: field.required ?? false },
      writable: writes !== null && mayWrite(plan, writes, field.name),
      options: [...(field.options ?? [])],
      ...{ min: field.min ?? null, max: field.max ?? null, help: field.help ?? null },
      value: value as ShownField['value'],
      shown: await shownOf(tx, actor.tenantId, field, value),
      files: field.kind === 'files' ? await filesShown(call, value) : [],
    })
  }
  return found
}

const formRoute: Route = on(processForm, async ({ processDefinitionId }, call) => {
  await mustReach(call, processDefinitionId)
  const version = await startable(call.tx, call.actor.tenantId, processDefinitionId)
  const { plan } = version
  return {
    ...{ id: version.id, name: version.name, formKey: version.formKey },
    fields: await fieldsOf(call, { plan, nodes: [], writes: undefined, values: {} }),
    choose: Object.values(plan.nodes).flatMap(({ id, name, task }) =>
      task?.assignees.some(({ kind }) => kind === 'chosen') ? [{ nodeId: id, name: name ?? id }] : [],
    ),
  }
})

/**
 * The steps as which somebody looks at an instance: those that they were asked at. Whoever was only informed looks as every
 * step; applicant and managers see all of the form.
 */
async function nodesOf(
  { tx, actor }: Call,
  instanceId: string,
  plan: ProcessPlan,
  isStarter: boolean,
): Promise<string[]> {
  if (isStarter || holdsCode(actor, codeOf(flowinstance, 'view'))) return []
  const rows = await tx.run<{ node: string }>(
    sql`select distinct node from flow_task where tenant_id = ${actor.tenantId} and instance_id = ${instanceId} and assignee = ${actor.userId}::bigint and node <> ''`,
  )
  if (rows.length > 0) return rows.map(({ node }) => node)
  const hiding = Object.values(plan.nodes).filter(({ task }) => Object.values(task?.fields ?? {}).includes('hidden'))
  return hiding.slice(0, 1).map(({ id }) => id)
}

/** Files of an instance, for whoever sees it. */
async function filesShown(
  { tx, actor, services }: Call,
  value: unknown,
): Promise<NonNullable<ShownField['files']>[number][]> {
  const ids = Array.isArray(value) ? value.map(String) : []
  if (ids.length === 0) return []
  const rows = await tx.run<{ id: string; name: string }>(
    sql`select id, original_name as name from attach where tenant_id = ${actor.tenantId} and id = any(${ids}::bigint[]) order by id`,
  )
  return rows.map((row) => ({ ...row, link: signedLink(services, actor, row.id) }))
}

interface Row extends FlowTask {
  readonly variables: Readonly<Record<string, unknown>>
  readonly reason: string | null
  readonly openTask: string | null
  readonly nodeProcess: string | null
  readonly stepId: string | null
  readonly isShared: boolean
}

const detailRoute: Route = on(processDetail, async ({ processInstanceId, taskId }, call) => {
  await mustSee(call, processInstanceId)
  const { tx, actor } = call
  const { tenantId } = actor
  const userId = actor.userId ?? '0'
  // The task that was asked for; else the caller’s own that waits.
  const asked = await tx.one<{ id: string }>(
    sql`select t.id from flow_task t where t.tenant_id = ${tenantId} and t.instance_id = ${processInstanceId} and ${
      taskId
        ? sql`t.id = ${taskId}`
        : sql`t.state = ${taskStates.open} and (t.assignee = ${userId}::bigint or t.assignee is null and t.id in (${candidateTasks(tenantId, userId)}))`
    } order by t.id limit 1`,
  )
  const row = await tx.one<Row>(
    asked
      ? sql`select ${shown(true)}, i.variables, i.reason, t.process_id as "nodeProcess", t.step_id as "stepId",
              exists (select from flow_candidate c where c.tenant_id = t.tenant_id and c.task_id = t.id) as "isShared"
            from ${ofTasks} where t.tenant_id = ${tenantId} and t.id = ${asked.id}`
      : sql`select ${shown(false)}, i.variables, i.reason, null as "nodeProcess", null as "stepId", false as "isShared" from flowinstance i
              join flowprocess p on p.tenant_id = i.tenant_id and p.id = i.process_definition_id
              left join app_user s on s.tenant_id = i.tenant_id and s.id = i.start_user
            where i.tenant_id = ${tenantId} and i.id = ${processInstanceId}`,
  )
  if (!row) throw new Problem('not_found')
  const { variables, nodeProcess, stepId, isShared, reason, openTask: _, ...flow } = row
  const isRunning = flow.processIsFinished === 'unfinished'
  const isOpen = isRunning && flow.taskId !== null && flow.endTime === null
  const isMine = isOpen && flow.assignee === actor.userId
  const mayTake = isOpen && flow.assignee === null && flow.startUser !== actor.userId
  const version = (await versionsOf(tx, tenantId, [flow.processDefinitionId])).get(flow.processDefinitionId)!
  const ofForm = nodeProcess === null || nodeProcess === flow.processDefinitionId
  const node = isMine || mayTake ? (flow.taskDefinitionKey ?? undefined) : undefined
  const own = ofForm ? node : undefined
  const decides = isMine || mayTake
  const work = decides ? await InstanceWork.look(flowContext(call), processInstanceId) : undefined
  const step =
    decides && flow.taskDefinitionKey && nodeProcess ? work?.stepOf(nodeProcess, flow.taskDefinitionKey) : undefined
  const targets =
    work && step?.may.return !== false && flow.taskDefinitionKey && nodeProcess && stepId
      ? await returnTargets(work, { processId: nodeProcess, node: flow.taskDefinitionKey, stepId })
      : []
  const isStarter = flow.startUser === actor.userId
  return {
    ...flow,
    reason,
    fields: await fieldsOf(call, {
      plan: version.plan,
      nodes: own ? [own] : await nodesOf(call, processInstanceId, version.plan, isStarter),
      writes: own && !flow.businessTable ? own : null,
      values: variables,
    }),
    may: {
      claim: mayTake,
      decide: decides,
      release: isMine && isShared,
      delegate: isMine && (step?.may.delegate ?? true),
      transfer: isMine && (step?.may.transfer ?? true),
      addSigner: isMine && (step?.may.addSigner ?? true),
      withdraw: isRunning && isStarter,
      remind: isRunning && (isStarter || holdsCode(actor, 'flowinstance_delete')),
      copy: true,
    },
    returnTo: targets.map(({ node, name }) => ({ nodeId: node, name })),
  }
})

interface Happened {
  id: string
  node: string
  kind: string
  name: string | null
  cameBy: string | null
  processId: string
  taskId: string | null
  assignee: string | null
  assigneeName: string | null
  candidateNames: string | null
  outcome: string | null
  comment: string | null
  files: { id: string; name: string }[]
  begin: string
  end: string | null
  state: FlowStep['state']
  incident: { zh: string; en: string } | null
}

/** How BPMN writes what happened. */
const activityTypes: Readonly<Record<string, string>> = {
  start: 'startEvent',
  end: 'endEvent',
  user: 'userTask',
  service: 'serviceTask',
  exclusive: 'exclusiveGateway',
  parallel: 'parallelGateway',
  inclusive: 'inclusiveGateway',
  eventBased: 'eventBasedGateway',
  catch: 'intermediateCatchEvent',
  throw: 'intermediateThrowEvent',
  boundary: 'boundaryEvent',
  sub: 'subProcess',
  call: 'callActivity',
  copy: 'copy',
}

const historyRoute: Route = on(flowHistory, async ({ processInstanceId }, call) => {
  await mustSee(call, processInstanceId)
  const { tx, actor } = call
  // Steps of people stand for each of them; a step that nobody was asked at stands for itself.
  const rows = await tx.run<Happened>(
    sql`with files as (select f.task_id, jsonb_agg(jsonb_build_object('id', f.attach_id::text, 'name', a.original_name) order by f.attach_id) as list
          from flow_file f join attach a on a.tenant_id = f.tenant_id and a.id = f.attach_id
          where f.tenant_id = ${actor.tenantId} and f.instance_id = ${processInstanceId} and f.task_id is not null group by f.task_id)
        select a.id, a.node, a.kind, a.name, a.came_by as "cameBy", a.process_id as "processId", t.id as "taskId", coalesce(t.assignee, case when a.kind = 'start' then i.start_user end) as assignee,
          coalesce(u.real_name, case when a.kind = 'start' then s.real_name end) as "assigneeName", ${candidateNames} as "candidateNames", coalesce(t.outcome, a.outcome) as outcome, t.comment, coalesce(f.list, '[]') as files,
          greatest(a.begin_time, t.create_time) as begin, case when t.id is null then a.end_time else t.end_time end as end,
          case when k.data ? 'incident' then 'incident' when t.state = ${taskStates.gone} or t.outcome = any(${[...handedOn]}::text[]) then 'gone'
            when coalesce(t.outcome, a.outcome) = 'no' then 'refused' when t.outcome = 'back' then 'returned'
            when (case when t.id is null then a.end_time else t.end_time end) is null then 'waiting'
            when t.id is null and a.kind = 'user' and a.outcome is null then 'gone' else 'done' end as state,
          k.data -> 'incident' as incident
        from flow_activity a join flowinstance i on i.tenant_id = a.tenant_id and i.id = a.instance_id
          left join flow_task t on t.tenant_id = a.tenant_id and t.instance_id = a.instance_id and t.step_id = a.id
          left join files f on f.task_id = t.id
          left join app_user u on u.tenant_id = t.tenant_id and u.id = t.assignee
          left join app_user s on s.tenant_id = i.tenant_id and s.id = i.start_user
          left join flow_token k on k.tenant_id = a.tenant_id and k.id = a.id
        where a.tenant_id = ${actor.tenantId} and a.instance_id = ${processInstanceId}
        union all
        select t.id, '', 'copy', t.name, null, t.process_id, t.id, t.assignee, u.real_name, null, null, t.comment, '[]', t.create_time, t.create_time, 'done', null
        from flow_task t left join app_user u on u.tenant_id = t.tenant_id and u.id = t.assignee
        where t.tenant_id = ${actor.tenantId} and t.instance_id = ${processInstanceId} and t.state = ${taskStates.copy}
        order by begin, id limit 2000`,
  )
  return rows.map((row) => ({
    historyActivityId: row.node,
    historyActivityName: row.name,
    historyActivityType: activityTypes[row.kind] ?? row.kind,
    historyActivityDurationTime: row.end
      ? lasting(Date.parse(row.end) - Date.parse(row.begin), call.circumstance.language)
      : null,
    cameBy: row.cameBy,
    processDefinitionId: row.processId,
    processInstanceId,
    taskId: row.taskId,
    assignee: row.assignee,
    assigneeName: row.assigneeName,
    candidateNames: row.candidateNames,
    outcome: row.outcome,
    comment: row.comment,
    files: row.files.map((file) => ({ ...file, link: signedLink(call.services, actor, file.id) })),
    createTime: row.begin,
    endTime: row.end,
    state: row.state,
    incident: row.incident,
  }))
})

/** How long something took, in the words of the family: 1天2小时, 5 minutes. */
function lasting(ms: number, language: 'zh' | 'en'): string {
  const minutes = Math.max(0, Math.round(ms / 60_000))
  const parts = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60]
  const units = language === 'zh' ? ['天', '小时', '分钟'] : [' d ', ' h ', ' min']
  const said = parts.flatMap((part, at) => (part > 0 ? [`${part}${units[at]}`] : [])).slice(0, 2)
  return said.length > 0 ? said.join('').trim() : language === 'zh' ? '不到1分钟' : 'under a minute'
}

const definitionRoute: Route = on(processDefinition, async ({ processDefinitionId, processInstanceId }, call) => {
  const { tx, actor } = call
  if (processInstanceId) await mustSee(call, processInstanceId)
  else if (!processDefinitionId) throw new Problem('not_found')
  // A version that can be started is shown to whoever could start it.
  else {
    await mustReach(call, processDefinitionId)
    if (!holdsCode(actor, codeOf(flowprocess, 'view'))) await startable(tx, actor.tenantId, processDefinitionId)
  }
  const row = await tx.one<{ xml: string }>(
    processInstanceId
      ? sql`select p.xml from flowinstance i join flowprocess p on p.tenant_id = i.tenant_id and p.id = i.process_definition_id
            where i.tenant_id = ${actor.tenantId} and i.id = ${processInstanceId}`
      : sql`select xml from flowprocess where tenant_id = ${actor.tenantId} and id = ${processDefinitionId}`,
  )
  if (!row) throw new Problem('not_found')
  return row
})

export const detailRoutes: readonly Route[] = [formRoute, detailRoute, historyRoute, definitionRoute]
