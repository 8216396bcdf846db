import { user } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { endSessions, sessionFilters, sessions } from '@data-brain/contract/calls/session'
import type { RawBuilder } from 'kysely'
import { compileOnce, slotValue, sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { rowsOf } from '../../entity/routes.ts'
import { titleRef } from '../../entity/select.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import { type RecordReading, recordList } from '../../kernel/record-list.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { endSession, online } from '../auth/index.ts'
import { sendMessage } from '../desk/index.ts'
import { mustCoverUsers } from './held-rights.ts'

type Filters = InputOf<typeof sessions> & {
  /** These sessions alone. */
  readonly ids?: readonly string[]
  /** The code by which the caller sees them; that of the page where it is not said. */
  readonly code?: string
}

type OnlineSession = AnswerOf<typeof sessions>['records'][number]

const part = (text: string): string => `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`

/** Sessions of the users whom the caller may see, by the code of this page, newest use first. */
async function list(call: RecordReading, filters: Filters): Promise<AnswerOf<typeof sessions>> {
  const { current = 1, size = 10, account, realName, ids } = filters
  const { tx, actor } = call
  const reach = await rowsOf(user, call).reach([filters.code ?? 'session_view'])
  const conditions: RawBuilder<unknown>[] = [
    sql`s.tenant_id = ${slotValue('tenant')}`,
    online,
    ...(account ? [sql`t.account ilike ${slotValue('account')}`] : []),
    ...(realName ? [sql`t.real_name ilike ${slotValue('realName')}`] : []),
    ...(ids ? [sql`s.id = any(${slotValue('ids')}::bigint[])`] : []),
    ...(reach ? [reach.sql] : []),
  ]
  const matching = sql`session s join app_user t on t.tenant_id = s.tenant_id and t.id = s.user_id where ${sql.join(conditions, sql` and `)}`
  const values = {
    ...reach?.values,
    tenant: actor.tenantId,
    account: part(account ?? ''),
    realName: part(realName ?? ''),
    ids: ids ?? [],
    size,
    offset: (current - 1) * size,
  }
  const records = await tx.run<Omit<OnlineSession, 'own'>>(
    compileOnce(
      sql`select s.id, s.user_id as "userId", t.account, ${titleRef(modelOf(user))} as "realName",
            (select d.dept_name from app_user_dept l join dept d on d.tenant_id = l.tenant_id and d.id = l.target_id
             where l.tenant_id = t.tenant_id and l.owner_id = t.id order by l.target_id = s.dept_id desc nulls last, l.ord limit 1) as "deptName",
            s.address, s.agent, s.created_at as "createdAt", s.last_used as "lastUsed", s.client_id as "clientId"
          from ${matching} order by s.last_used desc, s.id limit ${slotValue('size')} offset ${slotValue('offset')}`,
      values,
    ),
  )
  const counted = await tx.one<{ total: number }>(
    compileOnce(sql`select count(*)::int as total from ${matching}`, values),
  )
  const total = counted?.total ?? 0
  return {
    total,
    size,
    current,
    pages: Math.ceil(total / size),
    records: records.map((row) => ({ ...row, own: row.id === actor.sessionId ? 1 : 0 })),
  }
}

/** Ends sessions of others: their next call, and their next refresh, are refused. */
async function end(call: Call, ids: readonly string[]): Promise<void> {
  const { tx, actor } = call
  const { tenantId } = actor
  if (actor.sessionId !== null && ids.includes(actor.sessionId))
    throw new Problem('rule_broken', {
      reason: { zh: '不能强制下线本人当前的会话，请退出登录', en: 'This is your own session: log out instead' },
    })
  const rows = await tx.run<{ user_id: string }>(
    sql`select distinct user_id from session where tenant_id = ${tenantId} and id = any(${[...ids]}::bigint[])`,
  )
  const found = await tx.one<{ n: number }>(
    sql`select count(*)::int as n from session where tenant_id = ${tenantId} and id = any(${[...ids]}::bigint[])`,
  )
  if (found?.n !== ids.length) throw new Problem('not_found')
  const users = rows.map((row) => row.user_id)
  const people = rowsOf(user, call)
  for (const id of users) await people.before(id, { codes: ['session_end'] })
  await mustCoverUsers(tx, actor, users)
  await endSession(tx, tenantId, ids, 'ended by an administrator')
  await sendMessage(tx, tenantId, users, {
    kind: 'session-ended',
    title: { zh: '管理员结束了您的一个登录会话', en: 'An administrator ended one of your sessions' },
  })
}

const exportCode = 'session_export'

/** The sessions as what can be taken out. */
export const sessionRecords = recordList<OnlineSession, typeof sessionFilters>({
  name: 'session',
  path: 'blade-system/session',
  label: { zh: '在线会话', en: 'Online sessions' },
  tag: 'session',
  filters: sessionFilters,
  columns: {
    person: {
      label: { zh: '用户', en: 'Person' },
      width: 24,
      cell: ({ realName, account }) => (realName ? `${realName} ${account}` : account),
    },
    dept: { label: { zh: '部门', en: 'Department' }, width: 20, cell: (row) => row.deptName },
    device: { label: { zh: '设备', en: 'Device' }, width: 40, cell: (row) => row.agent },
    address: { label: { zh: '地址', en: 'Address' }, width: 18, cell: (row) => row.address },
    since: { label: { zh: '登录时间', en: 'Since' }, width: 20, cell: (row) => row.createdAt },
    lastUsed: { label: { zh: '最近使用', en: 'Last used' }, width: 20, cell: (row) => row.lastUsed },
    client: { label: { zh: '客户端', en: 'Client' }, width: 18, cell: (row) => row.clientId },
  },
  ids: async (open, filters, most) => {
    const { records } = await open((reading) => list(reading, { ...filters, size: most, code: exportCode }))
    return { ids: records.map(({ id }) => id) }
  },
  rows: async (reading, ids) => (await list(reading, { ids, size: ids.length, code: exportCode })).records,
})

export const sessionRoutes: readonly Route[] = [
  on(sessions, (asked, call) => list(call, asked)),
  on(endSessions, ({ ids }, call) => end(call, ids)),
]
