import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDoor, password } from './auth-door.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let door: ReturnType<typeof makeDoor>
let platform: Person
beforeAll(async () => {
  world = await makeWorld()
  door = makeDoor(world)
  platform = await world.platform()
})
afterAll(() => world.close())

const path = 'blade-system/client'

interface ClientRow {
  readonly id: string
  readonly clientId: string
  readonly status: number
  readonly version: number
  readonly clientSecret?: string
}

let made = 0
const draft = (more: Record<string, unknown> = {}) => {
  made += 1
  return { clientId: `kiosk-${made}`, clientGroup: '3', ...more }
}
const make = async (more: Record<string, unknown> = {}): Promise<ClientRow & { basic: string }> => {
  const { status, msg, data } = await platform.post<ClientRow>(`${path}/submit`, draft(more))
  expect([status, msg]).toEqual([200, '操作成功'])
  return { ...data, basic: `${data.clientId}:${data.clientSecret}` }
}
const own = async (): Promise<ClientRow> => {
  const { data } = await platform.get<{ records: ClientRow[] }>(`${path}/list`, {
    clientId: world.services.secrets.clientId,
  })
  return data.records[0]!
}
const hashOf = async (id: string): Promise<Buffer> =>
  (await world.owner.query('select client_secret_hash as h from client where id = $1', [id])).rows[0].h
const clients = async (): Promise<number> =>
  (await world.owner.query('select count(*)::int as n from client')).rows[0].n

const failed = '客户端认证失败！'

describe('R-SYS-6 a client’s secret', () => {
  it('is made where none is given, told once, and kept as a hash only', async () => {
    const client = await make()
    expect(client.clientSecret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(await hashOf(client.id)).toEqual(createHash('sha256').update(client.clientSecret!).digest())
    for (const call of ['detail', 'history'])
      expect(JSON.stringify((await platform.get(`${path}/${call}`, { id: client.id })).data)).not.toMatch(
        /secret|[A-Za-z0-9_-]{43}/i,
      )
    const { tenantId } = await world.tenant()
    expect((await door.logIn(tenantId, 'admin', password, { client: client.basic })).status).toBe(200)
    expect((await door.logIn(tenantId, 'admin', password, { client: `${client.clientId}:` })).msg).toBe(failed)
  })

  it('may be given, and is then the one', async () => {
    const client = await make({ clientSecret: 'a-secret-that-I-have-chosen' })
    expect(client.clientSecret).toBe('a-secret-that-I-have-chosen')
    const { tenantId } = await world.tenant()
    expect((await door.logIn(tenantId, 'admin', password, { client: client.basic })).status).toBe(200)
  })

  it('is replaced by another, told once; the old one is void at once', async () => {
    const client = await make()
    const { tenantId } = await world.tenant()
    const first = await door.logIn(tenantId, 'admin', password, { client: client.basic })
    const reset = await platform.post<{ clientSecret: string }>(`${path}/reset-secret`, undefined, {
      query: { id: client.id },
    })
    expect([reset.status, Object.keys(reset.data)]).toEqual([200, ['clientSecret']])
    const basic = `${client.clientId}:${reset.data.clientSecret}`
    expect((await door.logIn(tenantId, 'admin', password, { client: client.basic })).msg).toBe(failed)
    expect((await door.refresh(first.refresh_token, { client: client.basic })).msg).toBe(failed)
    expect((await door.refresh(first.refresh_token, { client: basic })).status).toBe(200)
    expect(
      (await platform.get<{ action: string }[]>(`${path}/history`, { id: client.id })).data.map((each) => each.action),
    ).toEqual(['edit', 'add'])
  })

  const wrong: [string, Record<string, unknown>, string][] = [
    ['a short secret', { clientSecret: 'short' }, '客户端密钥：须为16–128位可见ASCII字符，不含空格'],
    [
      'a secret with spaces',
      { clientSecret: 'four words of it here' },
      '客户端密钥：须为16–128位可见ASCII字符，不含空格',
    ],
    ['an id with a colon', { clientId: 'a:b' }, '客户端编号：只能包含字母、数字和 . _ -，以字母或数字开头'],
    ['a grant that is none', { authorizedGrantTypes: 'password,magic' }, '授权类型：“magic”不是可选的值'],
    ['too short a life', { accessTokenValidity: 5 }, '令牌有效秒数：须在60到86400之间'],
    ['a hash', { clientSecretHash: 'x' }, '没有名为 clientSecretHash 的字段'],
  ]
  it.each(wrong)('refuses %s, and adds nothing', async (_title, more, words) => {
    const before = await clients()
    const answer = await platform.post(`${path}/submit`, draft(more))
    expect([answer.status, answer.msg]).toEqual([400, words])
    expect(await clients()).toBe(before)
  })
})

describe('R-SYS-7 R-AUTH-1 the token endpoint honours what a client was given', () => {
  it.each([
    ['no logging in', 'refresh_token'],
    ['neither', 'social'],
  ])('%s', async (_title, authorizedGrantTypes) => {
    const { basic } = await make({ authorizedGrantTypes })
    const { tenantId } = await world.tenant()
    const refused = await door.logIn(tenantId, 'admin', password, { client: basic })
    expect([refused.status, refused.msg]).toEqual([400, '不支持的授权方式'])
  })

  const cases: [string, Record<string, unknown>, { logIn: number; refresh: string | number }][] = [
    ['both grants', {}, { logIn: 3600, refresh: 3600 }],
    ['short lives', { accessTokenValidity: 90, refreshTokenValidity: 600 }, { logIn: 90, refresh: 90 }],
    ['no refreshing', { authorizedGrantTypes: 'password' }, { logIn: 3600, refresh: '不支持的授权方式' }],
  ]
  it.each(cases)('%s', async (_title, more, wanted) => {
    const { basic, clientId } = await make(more)
    const { tenantId } = await world.tenant()
    const first = await door.logIn(tenantId, 'admin', password, { client: basic })
    expect([first.status, first.expires_in]).toEqual([200, wanted.logIn])
    const second = await door.refresh(first.refresh_token, { client: basic })
    expect(second.status === 200 ? second.expires_in : second.msg).toBe(wanted.refresh)
    const { rows } = await world.owner.query(
      `select s.client_id, extract(epoch from max(r.expires) - now())::int as left from session s
       join refresh_token r on r.tenant_id = s.tenant_id and r.session_id = s.id where s.tenant_id = $1 and s.client_id = $2 group by 1`,
      [tenantId, clientId],
    )
    const life = Number(more.refreshTokenValidity ?? 604_800)
    expect(rows[0].left).toBeGreaterThan(life - 30)
    expect(rows[0].left).toBeLessThanOrEqual(life)
  })

  it('refuses a client as soon as it is disabled, and no token of another client is exchanged', async () => {
    const [one, two] = [await make(), await make()]
    const { tenantId } = await world.tenant()
    const first = await door.logIn(tenantId, 'admin', password, { client: one.basic })
    expect((await door.refresh(first.refresh_token, { client: two.basic })).msg).toBe('登录已失效，请重新登录')
    const me = () => world.call('GET', 'blade-auth/oauth/user-info', first.access_token)
    expect((await me()).status).toBe(200)
    expect((await platform.post(`${path}/submit`, { id: one.id, status: 0 })).status).toBe(200)
    // The sessions that it began end on their next request, as those of a disabled user do.
    expect((await me()).status).toBe(401)
    expect((await door.logIn(tenantId, 'admin', password, { client: one.basic })).msg).toBe(failed)
    expect((await door.refresh(first.refresh_token, { client: one.basic })).msg).toBe(failed)
    await platform.post(`${path}/submit`, { id: one.id, status: 1, accessTokenValidity: 120 })
    expect((await door.refresh(first.refresh_token, { client: one.basic })).expires_in).toBe(120)
  })
})

describe('R-SYS-8 the console’s own client', () => {
  const tries: [string, (client: ClientRow) => Promise<{ status: number; msg: string }>, string][] = [
    ['is not removed', (client) => platform.remove(path, client.id), '控制台自己的客户端不能删除'],
    [
      'is not disabled',
      (client) => platform.post(`${path}/submit`, { id: client.id, status: 0 }),
      '控制台自己的客户端不能停用，也不能去掉密码或刷新令牌授权',
    ],
    [
      'does not lose password',
      (client) => platform.post(`${path}/submit`, { id: client.id, authorizedGrantTypes: 'refresh_token' }),
      '控制台自己的客户端不能停用，也不能去掉密码或刷新令牌授权',
    ],
    [
      'does not lose refresh_token',
      (client) => platform.post(`${path}/submit`, { id: client.id, authorizedGrantTypes: 'password,social' }),
      '控制台自己的客户端不能停用，也不能去掉密码或刷新令牌授权',
    ],
    [
      'does not lose all grants',
      (client) => platform.post(`${path}/submit`, { id: client.id, authorizedGrantTypes: '' }),
      '授权类型：不能为空',
    ],
    [
      'does not get another id',
      (client) => platform.post(`${path}/submit`, { id: client.id, clientId: 'other' }),
      '客户端编号：不能修改',
    ],
    [
      'does not get another secret',
      (client) => platform.post(`${path}/reset-secret`, undefined, { query: { id: client.id } }),
      '控制台自己的客户端的密钥由服务器的密钥文件决定',
    ],
  ]
  it.each(tries)('%s', async (_title, attempt, words) => {
    const before = await own()
    const answer = await attempt(before)
    expect([answer.status, answer.msg]).toEqual([400, words])
    expect(await own()).toEqual(before)
    const { tenantId } = await world.tenant()
    expect((await door.logIn(tenantId, 'admin', password)).status).toBe(200)
  })

  it('takes other lifetimes', async () => {
    const before = await own()
    expect((await platform.post(`${path}/submit`, { id: before.id, accessTokenValidity: 1800 })).status).toBe(200)
    const { tenantId } = await world.tenant()
    expect((await door.logIn(tenantId, 'admin', password)).expires_in).toBe(1800)
    await platform.post(`${path}/submit`, { id: before.id, accessTokenValidity: 3600 })
  })
})

describe('R-SYS-9 R-PERM-2 the clients that a tenant or a user was named are the only ones', () => {
  const name = (tenantId: string, clientIds: unknown) =>
    platform.post('blade-system/tenantclientrelevance/add', { clientIds }, { query: { tableTenantId: tenantId } })
  const nameUser = (tenantId: string, userId: string, clientIds: string[]) =>
    world.owner.query(
      `with gone as (delete from user_client where tenant_id = $1 and user_id = $2)
       insert into user_client (tenant_id, user_id, client_id) select $1, $2, c from unnest($3::bigint[]) c`,
      [tenantId, userId, clientIds],
    )

  const cases: [string, { tenant: string[]; user: string[] }, { kiosk: boolean; console: boolean }][] = [
    ['none named: any', { tenant: [], user: [] }, { kiosk: true, console: true }],
    ['the tenant: one', { tenant: ['kiosk'], user: [] }, { kiosk: true, console: false }],
    ['the user: one', { tenant: [], user: ['console'] }, { kiosk: false, console: true }],
    ['both: what both have', { tenant: ['kiosk', 'console'], user: ['console'] }, { kiosk: false, console: true }],
    ['both, nothing in common', { tenant: ['kiosk'], user: ['console'] }, { kiosk: false, console: false }],
  ]
  it.each(cases)('%s', async (_title, named, opens) => {
    const admin = await world.tenant()
    const { account, userId } = await door.account(admin)
    const kiosk = await make()
    const console = await own()
    const idOf = (client: string): string => (client === 'kiosk' ? kiosk.id : console.id)
    // Tokens from before the naming: they are refreshed as the names now say.
    const before = {
      kiosk: await door.logIn(admin.tenantId, account, password, { client: kiosk.basic }),
      console: await door.logIn(admin.tenantId, account, password),
    }
    expect((await name(admin.tenantId, named.tenant.map(idOf))).status).toBe(200)
    await nameUser(admin.tenantId, userId, named.user.map(idOf))
    for (const client of ['kiosk', 'console'] as const) {
      const call = client === 'kiosk' ? { client: kiosk.basic } : {}
      const wrong = await door.logIn(admin.tenantId, account, 'wrong', call)
      expect(wrong.msg, client).toBe('用户名或密码错误')
      const answers = [
        await door.logIn(admin.tenantId, account, password, call),
        await door.refresh(before[client].refresh_token, call),
      ]
      for (const answer of answers)
        expect([answer.status, answer.msg, answer.error], client).toEqual(
          opens[client] ? [200, undefined, undefined] : [400, failed, 'invalid_client'],
        )
    }
    const list = await platform.get<{ id: string; granted: number }[]>(`${path}/selectClientByTenantId`, {
      tenantId: admin.tenantId,
    })
    expect(
      list.data
        .filter((each) => each.granted === 1)
        .map((each) => each.id)
        .sort(),
    ).toEqual(named.tenant.map(idOf).sort())
  })

  it('names are replaced, and an unknown client or tenant is refused', async () => {
    const admin = await world.tenant()
    const [one, two] = [await make(), await make()]
    const named = async () =>
      (
        await world.owner.query('select client_id::text as id from tenant_client where tenant_id = $1', [
          admin.tenantId,
        ])
      ).rows.map((row) => row.id)
    await name(admin.tenantId, [one.id])
    await name(admin.tenantId, `${two.id}`)
    expect(await named()).toEqual([two.id])
    expect((await name(admin.tenantId, ['12345'])).msg).toBe('客户端：所选数据不存在')
    expect((await name(admin.tenantId, ['x'])).status).toBe(400)
    expect((await name(admin.tenantId, undefined)).status).toBe(400)
    expect((await name('999999', [one.id])).status).toBe(404)
    expect(await named()).toEqual([two.id])
    // Whoever is named is not removed: its people could then log in with any.
    const blocked = await platform.remove(path, two.id)
    expect([blocked.status, blocked.msg]).toEqual([
      400,
      `无法删除：已指定给1个租户或其用户（${admin.tenantId} 租户${admin.tenantId}）`,
    ])
    await name(admin.tenantId, [])
    expect((await platform.remove(path, two.id)).status).toBe(200)
    expect((await name('000000', [one.id])).msg).toBe('平台租户必须保留控制台自己的客户端')
  })

  it('an administrator sees those of the own tenant, and of no other', async () => {
    const [admin, other] = [await world.tenant(), await world.tenant()]
    const call = `${path}/selectClientByTenantId`
    const mine = await admin.get<{ clientId: string; granted: number }[]>(call, { tenantId: admin.tenantId })
    expect(mine.data.some((each) => each.clientId === world.services.secrets.clientId)).toBe(true)
    const foreign = await admin.get(call, { tenantId: other.tenantId })
    expect([foreign.status, foreign.msg]).toEqual([404, '没有找到该数据'])
    expect((await admin.get(call, { tenantId: '999999' })).msg).toBe(foreign.msg)
    expect((await platform.get(call, { tenantId: '999999' })).status).toBe(404)
  })
})
