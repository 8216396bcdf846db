import type { LogPage } from '@data-brain/contract/entities/log/logs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { changeAddress } from '../src/database/address.ts'
import { newId } from '../src/database/id.ts'
import { partitionOf } from '../src/database/partitions.ts'
import { sql } from '../src/database/statement.ts'
import { wireMd5 } from '../src/kernel/password.ts'
import { logsOf } from '../src/modules/log/index.ts'
import { carePartitions, retentionDays } from '../src/modules/log/retention.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** The logs: what is written of which call, who reads it, and when it goes. */

interface Line extends Record<string, unknown> {
  readonly id: string
  readonly title: string
  readonly status: number
}

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const written = (): Promise<void> => logsOf(world.services).flush()
async function listed(of: Person, kind: string, query: Record<string, string | number> = {}): Promise<LogPage<Line>> {
  await written()
  const answer = await of.get<LogPage<Line>>(`blade-log/${kind}/list`, { size: 50, ...query })
  if (answer.status !== 200) throw new Error(`${kind}: ${answer.status} ${answer.msg}`)
  return answer.data
}
const detail = async (of: Person, kind: string, id: string): Promise<Line> =>
  (await of.get<Line>(`blade-log/${kind}/detail`, { id })).data

const draft = (postCode: string) => ({ category: '1', postCode, postName: postCode, sort: 1 })

const logIn = (tenantId: string, username: string, password: string) =>
  world.call('POST', 'blade-auth/oauth/token', null, {
    form: { grant_type: 'password', tenantId, username, password: wireMd5(password) },
    headers: {
      authorization: `Basic ${Buffer.from(`${world.services.secrets.clientId}:${world.services.secrets.clientSecret}`).toString('base64')}`,
    },
  })

describe('R-LOG-1 every call that counts is in the API log', () => {
  it('tells who sent what from where, how long it took and what came of it, newest first', async () => {
    const admin = await world.tenant()
    const made = await admin.post<{ id: string }>(
      'blade-user/syssubject/submit',
      { subjectName: '物理', remark: '联系13912345678', password: 'never-here' },
      { headers: { 'user-agent': 'Test/1.0' } },
    )
    await admin.get('blade-user/syssubject/list')
    const { records, total, more } = await listed(admin, 'api')
    expect([total, more]).toEqual([1, 0])
    expect(records[0]).toMatchObject({
      title: '系统学科：新增或修改',
      method: 'POST',
      requestUri: '/api/blade-user/syssubject/submit',
      status: made.status,
      createBy: '管理员',
      userId: admin.userId,
      traceId: made.headers['x-request-id'],
      serviceId: 'blade-user',
      tenantId: admin.tenantId,
      type: '1',
    })
    expect(Object.keys(records[0]!)).not.toContain('params')
    const whole = await detail(admin, 'api', records[0]!.id)
    expect(whole).toMatchObject({ userAgent: 'Test/1.0', remoteIp: '127.0.0.1' })
    expect(JSON.parse(String(whole.params))).toEqual({
      subjectName: '物理',
      remark: '联系*********78',
      password: '***',
    })
    const english = await admin.get<LogPage<Line>>('blade-log/api/list', {}, { language: 'en' })
    expect(english.data.records.at(-1)?.title).toBe('System subject: add or change')
  })

  it('has every export and what was refused, but no reading; with the parameter set it has reading too', async () => {
    const admin = await world.tenant()
    const clerk = await world.colleague(admin, ['school_view'])
    await clerk.get('blade-user/school/list')
    expect((await clerk.get('blade-user/student/list')).status).toBe(403)
    await admin.get('blade-user/school/export', { format: 'csv' })
    expect(
      (await world.call('GET', 'blade-user/school/list', `bsa_${admin.tenantId}_${'A'.repeat(43)}0000`)).status,
    ).toBe(401)
    const { records } = await listed(admin, 'api')
    expect(records.map((row) => [row.requestUri, row.status, row.result])).toEqual([
      ['/api/blade-user/school/list', 401, 'unauthorized'],
      ['/api/blade-user/school/export', 200, 'ok'],
      ['/api/blade-user/student/list', 403, 'forbidden'],
    ])
    const reader = await world.tenant()
    await world.inTenant(reader.tenantId, (tx) =>
      tx.run(sql`insert into param (tenant_id, id, param_name, param_key, param_value)
        values (${reader.tenantId}, ${newId()}, 'x', 'log.reads', '1') on conflict (tenant_id, param_key) do update set param_value = '1'`),
    )
    // The first call asks for the wish; it does not wait for the answer.
    await reader.get('blade-user/school/list')
    await expect
      .poll(async () => {
        await reader.get('blade-user/school/list')
        return (await listed(reader, 'api')).records.filter((row) => row.requestUri === '/api/blade-user/school/list')
          .length
      })
      .toBeGreaterThan(0)
  })

  it('never has the query of an address, and nothing for a tenant that is none', async () => {
    const admin = await world.tenant()
    await world.call('POST', `blade-user/school/remove?ids=1&token=bsa_${admin.tenantId}_x`, admin.token)
    const [row] = (await listed(admin, 'api')).records
    expect(row?.requestUri).toBe('/api/blade-user/school/remove')
    expect(JSON.parse(String((await detail(admin, 'api', row!.id)).params))).toEqual({ ids: '1', token: '***' })
    await world.call('POST', 'blade-user/school/submit', `bsa_999999_${'A'.repeat(43)}0000`)
    await written()
    const { rows } = await world.owner.query(`select count(*)::int as n from log_api where tenant_id = '999999'`)
    expect(rows[0].n).toBe(0)
  })

  it('takes only so much in a minute from callers without a session, and says how much it left out', async () => {
    const admin = await world.tenant()
    for (let n = 0; n < 150; n += 1)
      await world.call('GET', 'blade-user/school/list', `bsa_${admin.tenantId}_${'A'.repeat(43)}0000`)
    expect((await listed(admin, 'api')).total).toBe(120)
    // It is written with the lines that come next.
    await expect
      .poll(async () => (await listed(admin, 'usual', { logId: 'lost' })).records.map((row) => row.logLevel))
      .toEqual(['warn'])
    expect((await admin.get('blade-log/state')).data).toEqual({ queued: 0, lost: 30 })
  })
})

describe('R-LOG-3 the usual log has what happened', () => {
  it('log-ins both ways, locks, log-outs, grants, exports and what administrators did', async () => {
    const admin = await world.tenant()
    const { tenantId } = admin
    expect((await logIn(tenantId, 'admin', 'Correct-Horse-9')).status).toBe(200)
    for (let n = 0; n < 5; n += 1) await logIn(tenantId, 'admin', `wrong-${n}`)
    await logIn(tenantId, 'Typed-My-Password-Here', 'x')
    await admin.get('blade-user/school/export', { format: 'csv' })
    const role = await admin.post<{ id: string }>('blade-system/role/submit', {
      roleName: '教务',
      roleAlias: 'edu',
      sort: 1,
    })
    await admin.post('blade-system/role/grant', {
      roleIds: [role.data.id],
      menuIds: [],
      dataScopeIds: [],
      apiScopeIds: [],
    })
    await admin.get('blade-auth/oauth/logout')
    const again = await world.colleague(admin, ['logusual_view'])
    const { records } = await listed(again, 'usual')
    const events = records.map((row) => [row.logId, row.logLevel, row.createBy])
    expect(events.toReversed()).toEqual([
      ['login', 'info', '管理员'],
      ...Array.from({ length: 4 }, () => ['login_failed', 'warn', '管理员']),
      ['lock', 'warn', '管理员'],
      ['login_failed', 'warn', 'Ty***'],
      ['export', 'info', '管理员'],
      ['admin', 'info', '管理员'],
      ['grant', 'info', '管理员'],
      ['logout', 'info', '管理员'],
    ])
    expect(records.every((row) => row.traceId && row.remoteIp === '127.0.0.1')).toBe(true)
    const kept = await world.owner.query(
      `select (select string_agg(t::text, '|') from log_usual t where tenant_id = $1) || (select string_agg(t::text, '|') from log_api t where tenant_id = $1) as all`,
      [tenantId],
    )
    for (const secret of ['Typed-My-Password-Here', wireMd5('Correct-Horse-9'), wireMd5('wrong-1')])
      expect(kept.rows[0].all).not.toContain(secret)
  })
})

describe('R-LOG-4 the error log', () => {
  it('has what nobody expected, with its stack and the id that the caller was told', async () => {
    const admin = await world.tenant()
    await world.owner.query('alter view syssubject_seen rename to syssubject_away')
    const failed = await admin.get<{ requestId: string }>('blade-user/syssubject/list', {}, { fails: true })
    await world.owner.query('alter view syssubject_away rename to syssubject_seen')
    expect(failed.status).toBe(500)
    const { records } = await listed(admin, 'error')
    expect(records).toHaveLength(1)
    expect(records[0]).toMatchObject({ status: 500, traceId: failed.data.requestId, createBy: '管理员' })
    expect(Object.keys(records[0]!)).not.toContain('stackTrace')
    const whole = await detail(admin, 'error', records[0]!.id)
    expect(whole.message).toContain('syssubject')
    expect(whole.stackTrace).toMatch(/\n {4}at /)
    expect(whole.fileName).not.toMatch(/^\//)
  })

  const entry = (message: string) => ({
    type: 'error',
    message,
    stack: 'TypeError: x\n    at load (https://school.example/assets/student-3f.js:120:17)',
    info: 'render',
    url: 'https://school.example/student/student?token=abc#x',
    time: '2026-11-21 10:00:00',
  })

  it('R-ERR-3 takes what the console uploads, masked, and leaves the session alone', async () => {
    const admin = await world.tenant()
    const answer = await admin.post('blade-auth/oauth/logout', [
      entry('TypeError: x of 13912345678 is undefined'),
      entry('TypeError: x of 13912345678 is undefined'),
      { type: 'warn', message: 'slow', time: '2026-11-21 10:00:01' },
    ])
    expect([answer.status, answer.data]).toEqual([200, { taken: 3, lost: 0 }])
    expect((await admin.get('blade-auth/oauth/user-info')).status).toBe(200)
    const { records } = await listed(admin, 'error')
    expect(records).toHaveLength(2)
    expect(records[0]).toMatchObject({
      title: 'TypeError: x of *********78 is undefined',
      exceptionName: 'TypeError',
      serviceId: 'console',
      lineNumber: 120,
      requestUri: 'https://school.example/student/student',
    })
    expect(String((await detail(admin, 'error', records[0]!.id)).params)).not.toContain('abc')
    expect((await listed(admin, 'usual')).records.map((row) => [row.logId, row.title])).toEqual([['client', 'slow']])
    const groups = await admin.get<{ groups: Line[] }>('blade-log/error/groups')
    expect(groups.data.groups.map((group) => [group.title, group.count])).toEqual([
      ['TypeError: x of *********78 is undefined', 2],
    ])
  })

  it('R-ERR-5 refuses an upload that is none, too long, too big or too frequent', async () => {
    const admin = await world.tenant()
    const upload = (body: unknown) => admin.post<{ field?: string }>('blade-auth/oauth/logout', body)
    expect((await upload({ type: 'error' })).status).toBe(400)
    expect((await upload(['x'])).data.field).toBe('[0]')
    expect((await upload([{ message: { a: 1 } }])).data.field).toBe('[0].message')
    expect((await upload(Array.from({ length: 201 }, () => ({ type: 'error', message: 'x' })))).status).toBe(400)
    expect((await upload([entry('x'.repeat(70_000))])).status).toBe(413)
    expect((await listed(admin, 'error')).total).toBe(0)
    const strange = await upload([{ type: 'error', message: 'a\u0000b\ud800', nonsense: { deep: [1] } }])
    expect(strange.status).toBe(200)
    for (let n = 0; n < 9; n += 1) expect((await upload([entry(`n${n}`)])).status).toBe(200)
    expect((await upload([entry('one too many')])).status).toBe(429)
    expect((await world.call('POST', 'blade-auth/oauth/logout', null, { body: [entry('x')] })).status).toBe(401)
    expect((await listed(admin, 'error')).total).toBe(10)
  })
})

describe('R-LOG-5 who reads the logs, and how', () => {
  it('shows each tenant its own alone, to those who hold the code', async () => {
    const admin = await world.tenant()
    const other = await world.tenant()
    const platform = await world.platform()
    await admin.post('blade-system/post/submit', draft('P1'))
    const [row] = (await listed(admin, 'api')).records
    for (const stranger of [other, platform]) {
      expect((await listed(stranger, 'api', { traceId: String(row!.traceId) })).total).toBe(0)
      const refused = await stranger.get('blade-log/api/detail', { id: row!.id })
      const never = await stranger.get('blade-log/api/detail', { id: newId() })
      expect([refused.status, refused.msg]).toEqual([404, never.msg])
    }
    const clerk = await world.colleague(admin, ['logusual_view'])
    expect((await clerk.get('blade-log/api/list')).status).toBe(403)
    expect((await clerk.get('blade-log/usual/list')).status).toBe(200)
    for (const statement of ['delete from log_api', "update log_api set title = 'x'", 'truncate log_api'])
      await expect(world.services.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  it('filters with suffixes, by user, request and time, and refuses what cannot be', async () => {
    const admin = await world.tenant()
    for (const postCode of ['P1', 'P2', 'P3']) await admin.post('blade-system/post/submit', draft(postCode))
    await admin.post('blade-system/post/submit', {})
    const total = async (query: Record<string, string>) => (await listed(admin, 'api', query)).total
    expect(await total({ status_ge: '400' })).toBe(1)
    expect(await total({ requestUri_like: 'system/post', status: '200' })).toBe(3)
    expect(await total({ userId: admin.userId })).toBe(4)
    expect(await total({ userId: '1' })).toBe(0)
    expect(await total({ createTime_datege: '2026-01-01 00:00:00' })).toBe(4)
    expect(await total({ createTime_datelt: '2020-01-01' })).toBe(0)
    expect(await total({ updateTime_datege: 'x', extId: 'x', createUser: 'x', version: 'x' })).toBe(4)
    const page = await admin.get<LogPage<Line>>('blade-log/api/list', { size: 3, current: 2 })
    expect([page.data.records.length, page.data.pages, page.data.total]).toEqual([1, 2, 4])
    expect((await listed(admin, 'api', { current: 99 })).records).toEqual([])
    for (const query of [
      { userId: 'x' },
      { status_ge: 'x' },
      { createTime_dategt: "2026' or 1" },
      { size: 201 },
      { current: 0 },
    ])
      expect((await admin.get('blade-log/api/list', query)).status, JSON.stringify(query)).toBe(400)
    for (const id of ['x', '0', '9223372036854775808'])
      expect((await admin.get('blade-log/api/detail', { id })).status).toBe(400)
    expect((await admin.get('blade-log/api/detail', { id: '9223372036854775807' })).status).toBe(404)
  })

  it('counts up to ten thousand, searches the newest hundred thousand, and says so', async () => {
    const admin = await world.tenant()
    await world.owner.query(`set app.tenant_id = '${admin.tenantId}'`)
    await world.owner.query(
      `insert into log_api (tenant_id, create_time, id, title, method, request_uri, status, time)
       select $1, at, ((extract(epoch from at) * 1000)::bigint - 1704067200000) << 22, 'x', 'POST', '/x', case n when 1 then 500 else 200 end, 1
       from generate_series(1, 110000) n, lateral (select date_trunc('milliseconds', now()) - interval '30 minutes' + n * interval '10 milliseconds' as at) t`,
      [admin.tenantId],
    )
    const all = await listed(admin, 'api')
    expect([all.total, all.more, all.searchedTo, all.records.length]).toEqual([10_000, 1, null, 50])
    const rare = await listed(admin, 'api', { status: '500' })
    expect([rare.total, rare.more]).toEqual([0, 1])
    expect(rare.searchedTo).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const narrowed = await listed(admin, 'api', { status: '500', createTime_datele: String(rare.searchedTo) })
    expect([narrowed.total, narrowed.more]).toEqual([1, 0])
    expect((await listed(admin, 'api', { current: 400 })).records).toEqual([])
  })
})

it('R-PERM-3 A1 whoever works with a part reads in each log, in its export and on the first page of oneself alone', async () => {
  const admin = await world.tenant()
  const kinds = ['usual', 'api', 'error'] as const
  const codes = kinds.flatMap((kind) => [`log${kind}_view`, `log${kind}_export`])
  const watcher = await world.colleague(admin, [...codes, 'user_view', 'user_edit', 'role_edit'])
  await admin.post('blade-user/syssubject/submit', { subjectName: '外人所写' })
  await watcher.post('blade-user/submit', { account: '本人所写' })
  await written()
  await world.owner.query(`set app.tenant_id = '${admin.tenantId}'`)
  for (const [at, who] of [admin.userId, watcher.userId, null].entries())
    for (const [kind, more, values] of [
      ['usual', 'log_id, log_level', `'lock', 'info'`],
      ['error', 'exception_name, message', `'Error', 'x'`],
    ])
      await world.owner.query(
        `insert into log_${kind} (tenant_id, create_time, id, title, user_id, ${more})
         select $1, at, ((extract(epoch from at) * 1000)::bigint - 1704067200000) << 22 | $2, 'x', $3, ${values}
         from (select date_trunc('milliseconds', now()) as at) t`,
        [admin.tenantId, at + 1, who],
      )
  const waiting = async () =>
    (await watcher.get<{ key: string; count: number }[]>('blade-desk/todo')).data.find(({ key }) => key === 'errors')
  const people = async () =>
    Promise.all(kinds.map(async (kind) => [...new Set((await listed(watcher, kind)).records.map((row) => row.userId))]))
  expect((await people()).every((each) => each.includes(admin.userId))).toBe(true)
  expect((await waiting())?.count).toBe(3)
  const others = (await listed(admin, 'api')).records.find((row) => row.userId === admin.userId)!
  const scope = await admin.post<{ id: string }>('blade-system/data-scope/submit', {
    ...{ scopeName: '部分', resourceCode: 'log_part', scopeClass: 'school', scopeType: '6' },
  })
  const roleId = String((await admin.get<{ roleId: string }>('blade-user/detail', { id: watcher.userId })).data.roleId)
  const keys = await admin.get<{ menu: string[] }>('blade-system/menu/role-tree-keys', { roleIds: roleId })
  const grant = { roleIds: [roleId], menuIds: keys.data.menu, dataScopeIds: [scope.data.id] }
  expect((await admin.post('blade-system/role/grant', grant)).msg).toBe('操作成功')
  expect(await people()).toEqual(kinds.map(() => [watcher.userId]))
  expect((await waiting())?.count).toBe(1)
  expect((await watcher.get('blade-log/api/detail', { id: others.id })).status).toBe(404)
  expect((await listed(watcher, 'api', { params_like: '外人所写' })).total).toBe(0)
  const groups = await watcher.get<{ groups: { people: number; count: number }[] }>('blade-log/error/groups')
  expect(groups.data.groups.map(({ count, people: of }) => [count, of])).toEqual([[1, 1]])
  for (const kind of kinds)
    expect(String((await watcher.get(`blade-log/${kind}/export`, { format: 'csv' })).data)).not.toContain(admin.userId)
})

describe('R-LOG-6 logs go by whole months', () => {
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: changeAddress(inject('database').owner, { database: String(world.owner.database) }),
    })
    await client.connect()
    return client
  }
  const parts = async (): Promise<string[]> =>
    (
      await world.owner.query(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'log_api'::regclass order by 1`,
      )
    ).rows.map((row) => row.name)

  it('keeps them half a year at least, and as long as any tenant wants; then a month goes as a partition', async () => {
    const admin = await world.tenant()
    // Rows that earlier calls left in the queue would be lost with the month and counted below.
    await written()
    const set = (value: string) =>
      world.inTenant(admin.tenantId, (tx) =>
        tx.run(sql`insert into param (tenant_id, id, param_name, param_key, param_value)
          values (${admin.tenantId}, ${newId()}, 'x', 'log.retentionDays', ${value}) on conflict (tenant_id, param_key) do update set param_value = excluded.param_value`),
      )
    for (const value of ['1', '-5', 'x', '179']) {
      await set(value)
      expect(await retentionDays(world.services), value).toBe(180)
    }
    await set('400')
    expect(await retentionDays(world.services)).toBe(400)
    const now = new Date()
    const later = (days: number): Date => new Date(now.getTime() + days * 86_400_000)
    expect(await parts()).toContain(partitionOf('log_api', now))
    const kept = await carePartitions(world.services, connect, later(300))
    expect(kept.dropped).toEqual([])
    expect(await parts()).toContain(partitionOf('log_api', later(300)))
    await set('180')
    const gone = await carePartitions(world.services, connect, later(300))
    expect(gone.dropped).toContain(partitionOf('log_api', now))
    expect(gone.dropped).toContain(partitionOf('log_usual', now))
    expect(await parts()).not.toContain(partitionOf('log_api', now))
    expect(await parts()).toContain(partitionOf('log_api', later(300)))
    // Rows for a month that is gone (the call, and that an administrator did it) are lost and counted; the call is not.
    const before = logsOf(world.services).state().dropped
    const answer = await admin.post('blade-system/post/submit', draft('P9'))
    expect(answer.status).toBe(200)
    await written()
    expect(logsOf(world.services).state()).toMatchObject({ queued: 0, dropped: before + 2 })
    expect((await carePartitions(world.services, connect, now)).made).toBeGreaterThan(0)
    expect(await parts()).toContain(partitionOf('log_api', now))
  })
})
