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
import { candidateNames, candidateTasks } from './people.ts'
import { taskStates } from './states.ts'

type Sql = ReturnType<typeof sql>

/** Whom an instance `i` waits for: who has its tasks, or can take them. */
const waitedFor = sql`(select string_agg(distinct coalesce(a.real_name, ${candidateNames}), '、') from flow_task t
  left join app_user a on a.tenant_id = t.tenant_id and a.id = t.assignee
  where t.tenant_id = i.tenant_id and t.instance_id = i.id and t.state = ${taskStates.open})`

/** What a list shows of a task `t`, its instance `i` and its version `p`. */
export const shown = (task: boolean): Sql => sql`
  ${
    task
      ? sql`t.id as "taskId", t.name as "taskName", t.node as "taskDefinitionKey", t.assignee, a.real_name as "assigneeName", t.create_time as "createTime",
          t.claim_time as "claimTime", coalesce(t.end_time, t.read_time) as "endTime", t.due_time as "dueTime", coalesce(t.state = ${taskStates.open} and t.due_time < now(), false) as "isOverdue",
          case when t.outcome in ('ok', 'no') then t.outcome end as flag, t.outcome, case t.outcome when 'ok' then true when 'no' then false end as "isPass", t.comment, ${candidateNames} as "candidateNames"`
      : sql`null as "taskId", null as "taskName", null as "taskDefinitionKey", null as assignee, null as "assigneeName", i.start_time as "createTime",
          null::timestamptz as "claimTime", i.end_time as "endTime", null::timestamptz as "dueTime", false as "isOverdue",
          null as flag, null as outcome, null::boolean as "isPass", i.reason as comment, ${waitedFor} as "candidateNames"`
  },
  i.category, i.id as "processInstanceId", p.id as "processDefinitionId", p.key as "processDefinitionKey", p.name as "processDefinitionName",
  p.version_no as "processDefinitionVersion", case when i.end_time is null then 'unfinished' else 'finished' end as "processIsFinished",
  i.state as "instanceState", i.title, i.serial_no as "serialNo", i.start_user as "startUser", s.real_name as "startUserName", i.start_time as "startTime",
  p.form_key as "formKey", i.business_table as "businessTable", i.business_id as "businessId", i.activity`

const joined = sql`join flowprocess p on p.tenant_id = i.tenant_id and p.id = i.process_definition_id
  left join app_user s on s.tenant_id = i.tenant_id and s.id = i.start_user`
export const ofTasks = sql`flow_task t join flowinstance i on i.tenant_id = t.tenant_id and i.id = t.instance_id ${joined}
  left join app_user a on a.tenant_id = t.tenant_id and a.id = t.assignee`

type Asked = InputOf<typeof todoList>
type WorkFilters = Omit<Asked, 'current' | 'size'>

const like = (text: string): string => `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`

/** A list of work, as its page and its file read it. */
interface Listed {
  readonly from: Sql
  readonly columns: Sql
  /** The column of its rows' ids. */
  readonly id: Sql
  /** Where the condition asks for that alone: it is counted without what is shown beside it, which each row has once. */
  readonly counted?: Sql
  readonly where: Sql
  readonly order: Sql
  readonly moment: Sql
  /** What holds of a row that waits longer than it may. */
  readonly late: Sql
}

/** The filters of a list, over the moment that it is ordered by. */
function filters(asked: WorkFilters, { moment, late }: Listed): Sql {
  const { category, processDefinitionName, title, startUser, beginDate, endDate, overdue } = asked
  return sql.join(
    [
      sql`true`,
      ...(category ? [sql`i.category = ${category}`] : []),
      ...(processDefinitionName ? [sql`p.name ilike ${like(processDefinitionName)}`] : []),
      ...(title ? [sql`i.title ilike ${like(title)}`] : []),
      ...(startUser ? [sql`i.start_user = ${startUser}::bigint`] : []),
      ...(beginDate ? [sql`${moment} >= ${beginDate}::date::timestamp at time zone 'Asia/Shanghai'`] : []),
      ...(endDate ? [sql`${moment} < (${endDate}::date + 1)::timestamp at time zone 'Asia/Shanghai'`] : []),
      ...(overdue === 1 ? [late] : []),
    ],
    sql` and `,
  )
}

/** Tasks that wait for this person. */
const todoOf = (tenantId: string, userId: string): Sql =>
  sql`t.tenant_id = ${tenantId} and t.assignee = ${userId}::bigint and t.state = ${taskStates.open}`
/** Tasks that this person could take: never of what they have started themself. */
const claimOf = (tenantId: string, userId: string): Sql =>
  sql`t.tenant_id = ${tenantId} and t.state = ${taskStates.open} and t.assignee is null and i.start_user is distinct from ${userId}::bigint
      and t.id in (${candidateTasks(tenantId, userId)})`

const lateTask = sql`t.state = ${taskStates.open} and t.due_time < now()`
const ofTask = { from: ofTasks, columns: shown(true), id: sql`t.id`, late: lateTask }
const counted = sql`flow_task t`
const byCame = { order: sql`t.id`, moment: sql`t.create_time` }

/** The lists of one person's work. */
export const workLists = {
  todo: (tenantId, userId) => ({ ...ofTask, ...byCame, counted, where: todoOf(tenantId, userId) }),
  claim: (tenantId, userId) => ({ ...ofTask, ...byCame, where: claimOf(tenantId, userId) }),
  done: (tenantId, userId) => ({
    ...ofTask,
    counted,
    where: sql`t.tenant_id = ${tenantId} and t.assignee = ${userId}::bigint and t.state = ${taskStates.done}`,
    ...{ order: sql`t.end_time desc, t.id desc`, moment: sql`t.end_time` },
  }),
  copy: (tenantId, userId) => ({
    ...ofTask,
    counted,
    where: sql`t.tenant_id = ${tenantId} and t.assignee = ${userId}::bigint and t.state = ${taskStates.copy}`,
    ...{ order: sql`t.id desc`, moment: sql`t.create_time` },
  }),
  send: (tenantId, userId) => ({
    ...{ from: sql`flowinstance i ${joined}`, columns: shown(false), id: sql`i.id` },
    where: sql`i.tenant_id = ${tenantId} and i.start_user = ${userId}::bigint`,
    ...{ order: sql`i.start_time desc, i.id desc`, moment: sql`i.start_time` },
    late: sql`exists (select from flow_task t where t.tenant_id = i.tenant_id and t.instance_id = i.id and ${lateTask})`,
  }),
} as const satisfies Readonly<Record<string, (tenantId: string, userId: string) => Listed>>

type Reading = Pick<Call, 'tx' | 'actor'>
const mine = ({ actor }: Pick<Call, 'actor'>) => ({ tenantId: actor.tenantId, userId: actor.userId ?? '0' })

/** The list of this name for whoever asks. */
function listOf(name: keyof typeof workLists, reading: Reading): Listed {
  const { tenantId, userId } = mine(reading)
  return workLists[name](tenantId, userId)
}

async function page(name: keyof typeof workLists, asked: Asked, call: Call): Promise<AnswerOf<typeof todoList>> {
  const { current = 1, size = 10 } = asked
  const listed = listOf(name, call)
  const matching = sql`from ${listed.from} where ${listed.where} and ${filters(asked, listed)}`
  const records = await call.tx.run<FlowTask>(
    sql`select ${listed.columns} ${matching} order by ${listed.order} limit ${size} offset ${(current - 1) * size}`,
  )
  const { current: _current, size: _size, ...narrowing } = asked
  const isNarrowed = Object.values(narrowing).some(Boolean)
  const among = listed.counted && !isNarrowed ? sql`from ${listed.counted} where ${listed.where}` : matching
  const total = (await call.tx.one<{ n: number }>(sql`select count(*)::int as n ${among}`))?.n ?? 0
  return { total, size, current, pages: Math.ceil(total / size), records }
}

/** The ids of the first rows of a list, in its order. */
export async function workIds(
  name: keyof typeof workLists,
  reading: Reading,
  asked: WorkFilters,
  most: number,
): Promise<string[]> {
  const listed = listOf(name, reading)
  const rows = await reading.tx.run<{ id: string }>(
    sql`select ${listed.id} as id from ${listed.from} where ${listed.where} and ${filters(asked, listed)} order by ${listed.order} limit ${most}`,
  )
  return rows.map(({ id }) => id)
}

/** Rows of a list by their ids: those that are still in it. */
export function workRows(
  name: keyof typeof workLists,
  reading: Reading,
  ids: readonly string[],
): Promise<(FlowTask & { readonly id: string })[]> {
  const listed = listOf(name, reading)
  return reading.tx.run(
    sql`select ${listed.id} as id, ${listed.columns} from ${listed.from} where ${listed.where} and ${listed.id} = any(${[...ids]}::bigint[])`,
  )
}

const todoRoute: Route = on(todoList, (asked, call) => page('todo', asked, call))
const claimRoute: Route = on(claimList, (asked, call) => page('claim', asked, call))
const doneRoute: Route = on(doneList, (asked, call) => page('done', asked, call))
const copyRoute: Route = on(copyList, (asked, call) => page('copy', asked, call))
const sendRoute: Route = on(sendList, (asked, call) => page('send', asked, call))

const startRoute: Route = on(startList, async ({ current = 1, size = 10, category, name }, call) => {
  const { actor } = call
  const sees = holdsCode(actor, codeOf(flowprocess, 'view'))
  const ask = <T>(build: (scope: Sql) => Sql): Promise<T[]> =>
    sees ? queryReached<T>(call, flowprocess, build) : call.tx.run<T>(build(sql``))
  const newest = (scope: Sql) => sql`(select distinct on (t.key) t.* from flowprocess t
      where t.tenant_id = ${actor.tenantId} and t.suspension_state = '1' ${scope} order by t.key, t.version_no desc) p`
  const where = sql`p.start_message is null and not p.start_timer and ${category ? sql`p.category = ${category}` : sql`true`} and ${name ? sql`p.name ilike ${like(name)}` : sql`true`}`
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
