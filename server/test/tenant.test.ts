import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTenant } from '../src/database/transaction.ts'
import { makeTenant } from '../src/modules/tenant/make.ts'
import { sweepTenants } from '../src/modules/tenant/purge.ts'
import { addTenantRow, fillTenant } from '../src/seed/tenant.ts'
import { makeDoor, password } from './auth-door.ts'
import { makeOffice, path, type TenantRow } from './tenant-parts.ts'
import { type Answer, makeWorld, type Person, type World } from './world.ts'

let world: World
let door: ReturnType<typeof makeDoor>
let platform: Person
let office: ReturnType<typeof makeOffice>
beforeAll(async () => {
  world = await makeWorld()
  door = makeDoor(world)
  platform = await world.platform()
  office = makeOffice(world, door, platform)
})
afterAll(() => world.close())

describe('R-PROD-3 R-SYS-1 a tenant is made whole', () => {
  it('gets a code, its beginnings and an administrator whose password is told once and must be changed', async () => {
    const row = await office.make({ domain: 'HTTP://Nord.Example.CN:8443/' })
    expect(row.tenantId).toMatch(/^[0-9]{6}$/)
    expect(['000000', '000001']).not.toContain(row.tenantId)
    expect([row.account, row.status, row.domain]).toEqual(['admin', 1, 'nord.example.cn:8443'])
    expect(row.password).toMatch(/^[A-Za-z2-9]{16}$/)
    expect(await office.rowsOf(row.tenantId)).toMatchObject({ role: 6, dept: 1, app_user: 1, credential: 1, tenant: 1 })
    const { rows } = await world.owner.query(
      `select must_change, expires_at > now() + interval '23 hours' and expires_at < now() + interval '25 hours' as day from credential where tenant_id = $1`,
      [row.tenantId],
    )
    expect(rows).toEqual([{ must_change: 1, day: true }])
    const logged = await door.logIn(row.tenantId, 'admin', row.password!)
    expect([logged.status, logged.must_change]).toEqual([200, true])
    expect(JSON.stringify(await office.detail(row.id))).not.toContain(row.password)
    expect((await platform.get<{ action: string }[]>(`${path}/history`, { id: row.id })).data[0]?.action).toBe('add')
    const { rows: notes } = await world.owner.query(`select name from seed_mark where name like 'making:%'`)
    expect(notes).toEqual([])
  })

  it('takes the code and the account that were given', async () => {
    const row = await office.make({ tenantId: '345678', account: 'head' })
    expect([row.tenantId, row.account]).toEqual(['345678', 'head'])
    expect((await door.logIn('345678', 'head', row.password!)).status).toBe(200)
  })

  const refused: [string, Record<string, unknown>, number, string][] = [
    ['a code that is taken', { tenantId: '000345', again: 1 }, 409, '租户编号已存在：000345'],
    ['a domain that is taken', { domain: 'taken.example.cn', again: 1 }, 409, '域名地址已存在'],
    ['the platform’s code', { tenantId: '000000' }, 400, '租户编号：该编号由系统保留'],
    ['the demo’s code', { tenantId: '000001' }, 400, '租户编号：该编号由系统保留'],
    ['a code of five digits', { tenantId: '12345' }, 400, '租户编号：租户编号为6位数字'],
    [
      'a domain with a path',
      { domain: 'a.example.cn/x' },
      400,
      '域名地址：应为域名或 域名：端口，例如 school.example.cn',
    ],
    ['a domain that is none', { domain: 'not a host' }, 400, '域名地址：应为域名或 域名：端口，例如 school.example.cn'],
    ['an account that is none', { account: '王' }, 400, '账号：账号应为2–45位字母、数字或 . _ @ -，以字母或数字开头'],
    ['no name', { tenantName: '' }, 400, '租户名称：不能为空'],
    ['a state that only removing gives', { status: 9 }, 400, '状态：不是可选的值'],
    ['a field that is none', { purge: 1 }, 400, '没有名为 purge 的字段'],
  ]
  it.each(refused)('refuses %s, and leaves nothing behind', async (_title, { again, ...wrong }, status, words) => {
    if (again) await office.make(wrong)
    const tenants = async () => (await world.owner.query('select count(*)::int as n from tenant')).rows[0].n
    const users = async () => (await world.owner.query('select count(*)::int as n from app_user')).rows[0].n
    const before = [await tenants(), await users()]
    const answer = await platform.post(`${path}/submit`, office.draft(wrong))
    expect([answer.status, answer.msg]).toEqual([status, words])
    expect([await tenants(), await users()]).toEqual(before)
  })

  it('is not seen by anybody before it is whole, and leaves nothing when a part fails', async () => {
    const tenantId = '345001'
    const parts = (how: 'contents' | 'row') =>
      makeTenant(world.services, {
        tenantId,
        act: (work) => inTenant(world.services.platform, '000000', work),
        place: (tx) => addTenantRow(tx, { tenantId, name: '半个' }),
        fill: async (tx) => {
          await fillTenant(
            tx,
            { tenantId, name: '半个', account: 'admin', realName: '管理员', password, mustChange: true },
            world.services.secrets.pepper,
          )
          // Others see neither the row nor what it holds while it is being made.
          expect((await platform.get<{ total: number }>(`${path}/list`, { tenantId })).data.total).toBe(0)
          expect((await door.logIn(tenantId, 'admin', password)).msg).toBe('用户名或密码错误')
          if (how === 'contents') throw new Error('the contents fail')
        },
      })
    await expect(parts('contents')).rejects.toThrow('the contents fail')
    expect(await office.rowsOf(tenantId)).toEqual({ login_failure: 1 })
    // The row's own commit is lost after the contents are there.
    await expect(
      makeTenant(world.services, {
        tenantId,
        act: async (work) => {
          let rounds = 0
          return inTenant(world.services.platform, '000000', async (tx) => {
            const done = await work(tx)
            rounds += 1
            if (
              rounds > 0 &&
              (await tx.run({ text: 'select 1 from tenant where tenant_id = $1', values: [tenantId] })).length
            )
              throw new Error('the row is lost')
            return done
          })
        },
        place: (tx) => addTenantRow(tx, { tenantId, name: '半个' }),
        fill: (tx) =>
          fillTenant(
            tx,
            { tenantId, name: '半个', account: 'admin', realName: '管理员', password, mustChange: true },
            world.services.secrets.pepper,
          ),
      }),
    ).rejects.toThrow('the row is lost')
    expect(await office.rowsOf(tenantId)).toEqual({})
  })

  it('takes up a code whose making was broken off by a kill, and the sweep clears what nobody takes up', async () => {
    for (const tenantId of ['345002', '345003']) {
      await inTenant(world.services.pool, tenantId, (tx) =>
        fillTenant(
          tx,
          { tenantId, name: '断电', account: 'admin', realName: '管理员', password, mustChange: true },
          world.services.secrets.pepper,
        ),
      )
      await world.owner.query(
        `insert into seed_mark (name, value, at) values ($1, 'begun', now() - interval '2 days')`,
        [`making:${tenantId}`],
      )
    }
    const again = await office.make({ tenantId: '345002' })
    expect((await door.logIn('345002', 'admin', again.password!)).status).toBe(200)
    expect(await office.rowsOf('345002')).toMatchObject({ app_user: 1, role: 6 })
    await sweepTenants(world.services)
    expect(await office.rowsOf('345003')).toEqual({})
    expect(await office.rowsOf('345002')).toMatchObject({ app_user: 1 })
  })

  it('makes one of two with the same code at once', async () => {
    const both = await Promise.all(
      [1, 2].map(() => platform.post(`${path}/submit`, office.draft({ tenantId: '345004' }))),
    )
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409])
    expect(await office.rowsOf('345004')).toMatchObject({ app_user: 1, role: 6 })
  })
})

describe('R-PROD-3 only the platform’s administrators manage tenants', () => {
  const calls: [string, 'GET' | 'POST', string, Record<string, string>][] = [
    ['list', 'GET', `${path}/list`, {}],
    ['add', 'POST', `${path}/submit`, {}],
    ['remove', 'POST', `${path}/remove`, { ids: '1' }],
    ['restore', 'POST', `${path}/restore`, { ids: '1' }],
    ['purge', 'POST', `${path}/purge`, { ids: '1', confirm: '100000' }],
    ['read certificates', 'GET', `${path}/purges`, {}],
    ['set quota and expiry', 'POST', `${path}/setting`, { ids: '1', accountNumber: '5' }],
    ['bind a data source', 'POST', `${path}/datasource`, { tenantId: '100000' }],
    ['name clients', 'POST', 'blade-system/tenantclientrelevance/add', { tableTenantId: '100000' }],
    ['add a client', 'POST', 'blade-system/client/submit', {}],
    ['reset a client’s secret', 'POST', 'blade-system/client/reset-secret', { id: '1' }],
  ]
  it.each(calls)('%s', async (_title, method, call, query) => {
    const admin = await world.tenant()
    const body = method === 'POST' ? { body: office.draft() } : {}
    expect((await world.call(method, call, null, { query, ...body })).status).toBe(401)
    expect((await world.call(method, call, admin.token, { query, ...body })).status).toBe(403)
  })
})

describe('R-AUTH-1 R-PERM-2 a tenant that may not be used is refused at once, and told why after the right password', () => {
  const cases: [string, (row: TenantRow) => Promise<Answer>, string][] = [
    ['disabled', (row) => platform.post(`${path}/submit`, { id: row.id, status: 0 }), '租户已停用，请联系平台管理员'],
    [
      'said to be over',
      (row) => platform.post(`${path}/submit`, { id: row.id, status: 3 }),
      '租户已到期，请联系平台管理员续期',
    ],
    [
      'past its end',
      (row) => office.act('setting', { ids: row.id, expireTime: '2020-01-01 00:00:00' }),
      '租户已到期，请联系平台管理员续期',
    ],
    [
      'removed',
      (row) => office.act('remove', { ids: row.id }),
      '租户已停用，其数据将被清除；如需保留，请联系平台管理员',
    ],
  ]
  it.each(cases)('%s', async (_title, end, words) => {
    const { row, first } = await office.inhabited()
    expect((await office.whoami(first.access_token)).status).toBe(200)
    expect((await end(row)).status).toBe(200)
    expect((await office.whoami(first.access_token)).status).toBe(401)
    expect((await door.refresh(first.refresh_token)).msg).toBe('登录已失效，请重新登录')
    expect((await door.logIn(row.tenantId, 'admin', 'wrong')).msg).toBe('用户名或密码错误')
    const answer = await door.logIn(row.tenantId, 'admin', row.password!)
    expect([answer.status, answer.msg, answer.error]).toEqual([400, words, 'invalid_grant'])
  })

  it('is usable again on the next request when it is brought back', async () => {
    const { row, first } = await office.inhabited()
    await platform.post(`${path}/submit`, { id: row.id, status: 0 })
    expect((await office.whoami(first.access_token)).status).toBe(401)
    await platform.post(`${path}/submit`, { id: row.id, status: 2 })
    expect((await office.whoami(first.access_token)).status).toBe(200)
    await office.act('setting', { ids: row.id, expireTime: '2020-01-01 00:00:00' })
    expect((await office.whoami(first.access_token)).status).toBe(401)
    // An empty time is never; a call without one leaves it alone.
    await office.act('setting', { ids: row.id, accountNumber: 7, quotaStorageMb: 20 })
    expect((await office.detail(row.id)).expireTime).toBe('2020-01-01 00:00:00')
    await platform.post(`${path}/setting`, undefined, { form: { ids: row.id, expireTime: '' } })
    expect(await office.detail(row.id)).toMatchObject({ expireTime: null, accountNumber: 7, quotaStorageMb: 20 })
    expect((await office.whoami(first.access_token)).status).toBe(200)
  })

  it('never the platform’s own', async () => {
    const { data } = await platform.get<{ records: TenantRow[] }>(`${path}/list`, { tenantId: '000000' })
    const own = data.records[0]!
    const words = '平台租户和当前租户不能停用、到期或删除'
    const tries = [
      await platform.post(`${path}/submit`, { id: own.id, status: 0 }),
      await platform.post(`${path}/submit`, { id: own.id, expireTime: '2099-01-01 00:00:00' }),
      await office.act('setting', { ids: own.id, expireTime: '2099-01-01 00:00:00' }),
      await office.act('remove', { ids: own.id }),
    ]
    expect(tries.map((answer) => [answer.status, answer.msg])).toEqual(tries.map(() => [400, words]))
    expect((await office.act('purge', { ids: own.id, confirm: '000000' })).status).toBe(400)
    expect(await office.detail(own.id)).toMatchObject({ status: 1, expireTime: null, version: own.version })
  })
})
