import { codeOf } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import {
  claimList,
  copyList,
  doneList,
  type FlowTask,
  readCopies,
  sendList,
  startList,
  todoList,
  workCounts,
} from '@data-brain/contract/calls/flow'
import { flowprocess } from '@data-brain/contract/entities/flow/flowprocess'
import { sql } from '../../database/statement.ts'
import { queryReached } from '../../entity/reached.ts'
import { on } from '../../entity/serve-call.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { announce } from '../../kernel/announce.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { taskStates } from './instance.ts'
import { candidateTasks } from './people.ts'

type Sql = ReturnType<typeof sql>

/** What a list shows of a task `t`, its instance `i` and its version `p`. */
export const shown = (task: boolean): Sql => sql`
  ${
    task
      ? sql`t.id as "taskId", t.name as "taskName", t.node as "taskDefinitionKey", t.assignee, a.real_name as "assigneeName", t.create_time as "createTime",
          t.claim_time as "claimTime", coalesce(t.end_time, t.read_time) as "endTime", t.due_time as "dueTime", coalesce(t.state = ${taskStates.open} and t.due_time < now(), false) as "isOverdue",
          case when t.outcome in ('ok', 'no') then t.outcome end as flag, t.outcome, case t.outcome when 'ok' then true when 'no' then false end as "isPass", t.comment`
      : sql`null as "taskId", null as "taskName", null as "taskDefinitionKey", null as assignee, null as "assigneeName", i.start_time as "createTime",
          null::timestamptz as "claimTime", i.end_time as "endTime", null::timestamptz as "dueTime", false as "isOverdue",
          null as flag, null as outcome, null::boolean as "isPass", i.reason as comment`
  },
  null as "candidateNames", i.category, i.id as "processInstanceId", p.id as "processDefinitionId", p.key as "processDefinitionKey", p.name as "processDefinitionName",
  p.version_no as "processDefinitionVersion", case when i.end_time is null then 'unfinished' else 'finished' end as "processIsFinished",
  i.state as "instanceState", i.title, i.serial_no as "serialNo", i.start_user as "startUser", s.real_name as "startUserName", i.start_time as "startTime",
  p.form_key as "formKey", i.business_table as "businessTable", i.business_id as "businessId", i.activity`

const joined = sql`join flowprocess p on p.tenant_id = i.tenant_id and p.id = i.process_definition_id
  left join app_user s on s.tenant_id = i.tenant_id and s.id = i.start_user`
export const ofTasks = sql`flow_task t join flowinstance i on i.tenant_id = t.tenant_id and i.id = t.instance_id ${joined}
  left join app_user a on a.tenant_id = t.tenant_id and a.id = t.assignee`

type Asked = InputOf<typeof todoList>

const like = (text: string): string => `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`

/** The filters of a list, over the moment that it is ordered by. */
function filters(asked: Asked, moment: Sql): Sql {
  const { category, processDefinitionName, title, startUser, beginDate, endDate } = asked
  return sql.join(
    [
      sql`true`,
      ...(category ? [sql`i.category = ${category}`] : []),
      ...(processDefinitionName ? [sql`p.name ilike ${like(processDefinitionName)}`] : []),
      ...(title ? [sql`i.title ilike ${like(title)}`] : []),
      ...(startUser ? [sql`i.start_user = ${startUser}::bigint`] : []),
      ...(beginDate ? [sql`${moment} >= ${beginDate}::date::timestamp at time zone 'Asia/Shanghai'`] : []),
      ...(endDate ? [sql`${moment} < (${endDate}::date + 1)::timestamp at time zone 'Asia/Shanghai'`] : []),
    ],
    sql` and `,
  )
}

interface Listed {
  readonly from: Sql
  /** Where the condition asks for that alone: it is counted without what is shown beside it, which each row has once. */
  readonly counted?: Sql
  readonly where: Sql
  readonly order: Sql
  readonly moment: Sql
  readonly columns: Sql
}

async function page(
  { tx }: Call,
  asked: Asked,
  { from, counted, where, order, moment, columns }: Listed,
): Promise<AnswerOf<typeof todoList>> {
  const { current = 1, size = 10 } = asked
  const matching = sql`from ${from} where ${where} and ${filters(asked, moment)}`
  const records = await tx.run<FlowTask>(
    sql`select ${columns} ${matching} order by ${order} limit ${size} offset ${(current - 1) * size}`,
  )
  const { category, processDefinitionName, title, startUser, beginDate, endDate } = asked
  const isFiltered = [category, processDefinitionName, title, startUser, beginDate, endDate].some(Boolean)
  const among = counted && !isFiltered ? sql`from ${counted} where ${where}` : matching
  const total = (await tx.one<{ n: number }>(sql`select count(*)::int as n ${among}`))?.n ?? 0
  return { total, size, current, pages: Math.ceil(total / size), records }
}

const mine = ({ actor }: Call) => ({ tenantId: actor.tenantId, userId: actor.userId ?? '0' })

/** Tasks that wait for this person. */
const todoOf = (tenantId: string, userId: string): Sql =>
  sql`t.tenant_id = ${tenantId} and t.assignee = ${userId}::bigint and t.state = ${taskStates.open}`
/** Tasks that this person could take: never of what they have started themself. */
const claimOf = (tenantId: string, userId: string): Sql =>
  sql`t.tenant_id = ${tenantId} and t.state = ${taskStates.open} and t.assignee is null and i.start_user is distinct from ${userId}::bigint
      and t.id in (${candidateTasks(tenantId, userId)})`

const todoRoute: Route = on(todoList, (asked, call) => {
  const { tenantId, userId } = mine(call)
  return page(call, asked, {
    ...{ from: ofTasks, counted: sql`flow_task t`, columns: shown(true), where: todoOf(tenantId, userId) },
    ...{ order: sql`t.id`, moment: sql`t.create_time` },
  })
})

const claimRoute: Route = on(claimList, (asked, call) => {
  const { tenantId, userId } = mine(call)
  return page(call, asked, {
    ...{ from: ofTasks, columns: shown(true), where: claimOf(tenantId, userId) },
    ...{ order: sql`t.id`, moment: sql`t.create_time` },
  })
})

const doneRoute: Route = on(doneList, (asked, call) => {
  const { tenantId, userId } = mine(call)
  return page(call, asked, {
    ...{ from: ofTasks, counted: sql`flow_task t`, columns: shown(true) },
    where: sql`t.tenant_id = ${tenantId} and t.assignee = ${userId}::bigint and t.state = ${taskStates.done}`,
    ...{ order: sql`t.end_time desc, t.id desc`, moment: sql`t.end_time` },
  })
})

const copyRoute: Route = on(copyList, (asked, call) => {
  const { tenantId, userId } = mine(call)
  return page(call, asked, {
    ...{ from: ofTasks, counted: sql`flow_task t`, columns: shown(true) },
    where: sql`t.tenant_id = ${tenantId} and t.assignee = ${userId}::bigint and t.state = ${taskStates.copy}`,
    ...{ order: sql`t.id desc`, moment: sql`t.create_time` },
  })
})

const sendRoute: Route = on(sendList, (asked, call) => {
  const { tenantId, userId } = mine(call)
  return page(call, asked, {
    ...{ from: sql`flowinstance i ${joined}`, columns: shown(false) },
    where: sql`i.tenant_id = ${tenantId} and i.start_user = ${userId}::bigint`,
    ...{ order: sql`i.start_time desc, i.id desc`, moment: sql`i.start_time` },
  })
})

const startRoute: Route = on(startList, async ({ current = 1, size = 10, category, name }, call) => {
  const { actor } = call
  const sees = holdsCode(actor, codeOf(flowprocess, 'view'))
  const ask = <T>(build: (scope: Sql) => Sql): Promise<T[]> =>
    sees ? queryReached<T>(call, flowprocess, build) : call.tx.run<T>(build(sql``))
  const newest = (scope: Sql) => sql`(select distinct on (t.key) t.* from flowprocess t
      where t.tenant_id = ${actor.tenantId} and t.suspension_state = '1' ${scope} order by t.key, t.version_no desc) p`
  const where = sql`${category ? sql`p.category = ${category}` : sql`true`} and ${name ? sql`p.name ilike ${like(name)}` : sql`true`}`
  const records = await ask<AnswerOf<typeof startList>['records'][number]>(
    (
      scope,
    ) => sql`select p.id, p.key, p.name, p.category, p.version_no as version, p.form_key as "formKey", m.description,
          (select round(extract(epoch from avg(i.end_time - i.start_time)) / 3600)::int from (
             select i.start_time, i.end_time from flowinstance i where i.tenant_id = p.tenant_id and i.process_definition_id = p.id and i.state in ('2', '3')
             order by i.id desc limit 100) i) as "averageHours"
        from ${newest(scope)} left join flowmodel m on m.tenant_id = p.tenant_id and m.model_key = p.key where ${where}
        order by p.category, p.name, p.id limit ${size} offset ${(current - 1) * size}`,
  )
  const [count] = await ask<{ n: number }>(
    (scope) => sql`select count(*)::int as n from ${newest(scope)} where ${where}`,
  )
  const total = count?.n ?? 0
  return { total, size, current, pages: Math.ceil(total / size), records }
})

/** How much of the workflow waits for whoever asks. */
export async function countTasks(call: Call): Promise<AnswerOf<typeof workCounts>> {
  const { tenantId, userId } = mine(call)
  const row = await call.tx.one<AnswerOf<typeof workCounts>>(
    sql`select (select count(*)::int from flow_task t where ${todoOf(tenantId, userId)}) as todo,
          (select count(*)::int from flow_task t where ${todoOf(tenantId, userId)} and t.due_time < now()) as overdue,
          (select count(*)::int from flow_task t join flowinstance i on i.tenant_id = t.tenant_id and i.id = t.instance_id where ${claimOf(tenantId, userId)}) as claim,
          (select count(*)::int from flow_task t where t.tenant_id = ${tenantId} and t.assignee = ${userId}::bigint and t.state = ${taskStates.copy} and t.read_time is null) as copy`,
  )
  return row!
}

const countsRoute: Route = on(workCounts, (_, call) => countTasks(call))

const readRoute: Route = on(readCopies, async ({ ids }, { tx, actor }) => {
  const changed = await tx.count(
    sql`update flow_task set read_time = now() where tenant_id = ${actor.tenantId} and assignee = ${actor.userId}::bigint and state = ${taskStates.copy}
          and read_time is null and id = any(${[...ids]}::bigint[])`,
  )
  if (changed > 0 && actor.userId) await announce(tx, actor.tenantId, 'task', [actor.userId])
})

export const listRoutes: readonly Route[] = [
  startRoute,
  claimRoute,
  todoRoute,
  sendRoute,
  doneRoute,
  copyRoute,
  countsRoute,
  readRoute,
]
