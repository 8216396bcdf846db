import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePool } from '../src/database/connect.ts'
import { sql } from '../src/database/statement.ts'
import { wireMd5 } from '../src/kernel/password.ts'
import { checkOf } from '../src/modules/auth/tokens.ts'
import { importAnew } from './anew.ts'
import { makeDoor, password, type TokenAnswer } from './auth-door.ts'
import { makeWorld, type World } from './world.ts'

let world: World
let door: ReturnType<typeof makeDoor>
beforeAll(async () => {
  world = await makeWorld()
  door = makeDoor(world)
})
afterAll(async () => {
  door.noSecrets()
  await world.close()
})

const get = (path: string, token: string | null, headers: Record<string, string> = {}) =>
  world.call('GET', path, token, { headers })
const info = async (token: string): Promise<number> => (await get('blade-auth/oauth/user-info', token)).status

/** A second server with a memory and connections of its own: its modules are loaded anew, as in another process. */
async function anotherServer() {
  const { makeApp } = await importAnew<typeof import('../src/app.ts')>('app.ts')
  // A connection knows statements by the names that one process gave them.
  const pool = makePool(world.asApp, { size: 2 })
  const http = makeApp({ ...world.services, pool })
  await http.ready()
  const close = async (): Promise<void> => {
    await http.close()
    await pool.end()
  }
  const ask = async (path: string, token: string): Promise<number> =>
    (await http.inject({ method: 'GET', url: `/api/${path}`, headers: { 'blade-auth': `bearer ${token}` } })).statusCode
  return { http, ask, close }
}

describe('R-AUTH-8 log-out', () => {
  it('ends the session on the server: every token of it is refused from then on, again and again', async () => {
    const { tenantId } = await world.tenant()
    const first = await door.logIn(tenantId, 'admin', password)
    const other = await door.logIn(tenantId, 'admin', password)
    const second = await door.refresh(first.refresh_token)
    const out = await get('blade-auth/oauth/logout', second.access_token)
    expect([out.status, out.success]).toEqual([200, true])
    expect([await info(first.access_token), await info(second.access_token), await info(other.access_token)]).toEqual([
      401, 401, 200,
    ])
    expect((await door.refresh(second.refresh_token)).status).toBe(400)
    expect((await get('blade-auth/oauth/logout', second.access_token)).status).toBe(200)
    expect((await get('blade-auth/oauth/logout', first.access_token)).status).toBe(200)
  })

  it('works with an access token that has run out, so that its refresh token does not live on', async () => {
    const { tenantId } = await world.tenant()
    const first = await door.logIn(tenantId, 'admin', password)
    await world.owner.query(`update session set access_expires = now() where id = $1`, [first.jti])
    expect((await get('blade-auth/oauth/logout', first.access_token)).status).toBe(200)
    expect((await door.refresh(first.refresh_token)).status).toBe(400)
  })

  const sites: [string, string, number][] = [
    ['another site', 'cross-site', 403],
    ['a neighbouring host', 'same-site', 403],
    ['the console', 'same-origin', 200],
    ['the address bar', 'none', 200],
  ]
  it.each(sites)('and clearing the cache, asked for by %s', async (_title, site, status) => {
    const { tenantId } = await world.tenant()
    const { access_token: token } = await door.logIn(tenantId, 'admin', password)
    expect((await get('blade-auth/oauth/clear-cache', token, { 'sec-fetch-site': site })).status).toBe(status)
    expect((await get('blade-auth/oauth/logout', token, { 'sec-fetch-site': site })).status).toBe(status)
    expect(await info(token)).toBe(status === 200 ? 401 : 200)
  })
})

describe('R-AUTH-9 user-info', () => {
  it('tells the person, roles and codes; R-PERM-2 the codes are those that decide', async () => {
    const admin = await world.tenant()
    const colleague = await world.colleague(admin, ['student_view', 'student_add'])
    const { data } = await colleague.get<Record<string, unknown>>('blade-auth/oauth/user-info')
    expect(data).toEqual({
      userId: colleague.userId,
      tenantId: admin.tenantId,
      tenantName: `租户${admin.tenantId}`,
      account: `u${colleague.userId}`,
      userName: `u${colleague.userId}`,
      nickName: '同事',
      realName: '同事',
      avatar: '',
      roleId: expect.stringMatching(/^[0-9]+$/),
      roleName: expect.stringMatching(/^r[0-9]+$/),
      deptId: '',
      postId: '',
      oauthId: '',
      roles: [data.roleName],
      permissions: ['student_add', 'student_view'],
      mustChange: false,
      mustSecond: false,
      severalSchools: false,
      rightsStamp: expect.stringMatching(/^[0-9]+$/),
      lockIdle: 0,
      detail: { type: 'web' },
    })
    expect((await colleague.get('blade-user/student/list')).status).toBe(200)
    expect((await colleague.post('blade-user/student/remove', undefined, { query: { ids: '1' } })).status).toBe(403)
  })

  it('says whether the tenant has several schools, for lists to name them', async () => {
    const admin = await world.tenant()
    for (const [nth, several] of [false, true].entries()) {
      const { status } = await admin.post('blade-user/school/submit', {
        schoolCode: `211199999${nth}`,
        schoolName: `第${nth + 1}小学`,
        schoolType: '21',
        stages: ['2'],
        regionCode: '110105',
      })
      expect(status).toBe(200)
      const { data } = await admin.get<{ severalSchools: boolean }>('blade-auth/oauth/user-info')
      expect(data.severalSchools).toBe(several)
    }
  })
})

describe('a forged token', () => {
  const jwt = (key: string): string => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const body = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ user_id: '1123598821738675201', tenant_id: '000000', role_name: 'administrator', token_type: 'access_token', exp: 4_000_000_000 })}`
    return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`
  }
  const made = (tenantId: string): string => {
    const rest = `bsa_${tenantId}_${randomBytes(32).toString('base64url')}`
    return rest + checkOf(rest)
  }
  type Case = [
    string,
    (good: TokenAnswer, tenantId: string) => { headers?: Record<string, string>; query?: Record<string, string> },
  ]
  const auth = (value: string) => ({ headers: { 'blade-auth': value } })
  const cases: Case[] = [
    ['none', () => ({})],
    ['an empty one', () => auth('')],
    ['without the word bearer', (good) => auth(good.access_token)],
    ['of another scheme', (good) => auth(`crypto ${good.access_token}`)],
    ['B1 a JWT without a signature', () => auth(`bearer ${jwt('').split('.').slice(0, 2).join('.')}.`)],
    ...['Blade', 'BladeX', 'bladexisapowerfulmicroservicearchitectureupgradedandoptimizedfromacommercialproject'].map(
      (key): Case => [`B1 a JWT signed with the published key ${key.slice(0, 8)}`, () => auth(`bearer ${jwt(key)}`)],
    ),
    ['of the right form that nobody was given', (_good, tenantId) => auth(`bearer ${made(tenantId)}`)],
    [
      'rewritten for the platform tenant',
      (good, tenantId) => auth(`bearer ${good.access_token.replace(tenantId, '000000')}`),
    ],
    ['the refresh token', (good) => auth(`bearer ${good.refresh_token}`)],
    [
      'with one sign changed',
      (good) =>
        auth(
          `bearer ${good.access_token.slice(0, 20)}${good.access_token[20] === 'A' ? 'B' : 'A'}${good.access_token.slice(21)}`,
        ),
    ],
    ['cut short', (good) => auth(`bearer ${good.access_token.slice(0, -1)}`)],
    ['SQL for a tenant', (good) => auth(`bearer ${good.access_token.replace(/_[0-9]{6}_/, "_' or 1_")}`)],
    [
      'B17 the right one in the query',
      (good) => ({ query: { 'blade-auth': `bearer ${good.access_token}`, access_token: good.access_token } }),
    ],
    [
      'the right one in a cookie',
      (good) => ({
        headers: { cookie: `databrain-access-token=${good.access_token}; Blade-Auth=bearer ${good.access_token}` },
      }),
    ],
    ['the right one as Authorization', (good) => ({ headers: { authorization: `Bearer ${good.access_token}` } })],
    ['the right one twice', (good) => auth(`bearer ${good.access_token}, bearer ${good.access_token}`)],
  ]
  it.each(cases)('%s: 401 on every call that needs a session', async (_title, forge) => {
    const { tenantId } = await world.tenant()
    const good = await door.logIn(tenantId, 'admin', password)
    const options = forge(good, tenantId)
    for (const path of [
      'blade-auth/oauth/user-info',
      'blade-auth/oauth/logout',
      'blade-auth/oauth/clear-cache',
      'blade-user/student/list',
    ]) {
      const answer = await world.call('GET', path, null, options)
      expect([path, answer.status, answer.code, answer.success, answer.data]).toEqual([path, 401, 401, false, null])
    }
    const form = {
      oldPassword: wireMd5(password),
      newPassword: wireMd5('Another-Horse-1'),
      newPassword1: wireMd5('Another-Horse-1'),
    }
    expect((await world.call('POST', 'blade-user/update-password', null, { ...options, form })).status).toBe(401)
    expect(await info(good.access_token)).toBe(200)
  })
})

describe('clearing the cache', () => {
  it('makes every process read rights anew, once a minute for a session', async () => {
    const admin = await world.tenant()
    const stamp = async () =>
      (await world.owner.query('select stamp from grant_stamp where tenant_id = $1', [admin.tenantId])).rows[0]
        ?.stamp ?? null
    const before = await stamp()
    expect((await admin.get('blade-auth/oauth/clear-cache')).status).toBe(200)
    const after = await stamp()
    expect(after).not.toBe(before)
    const again = await admin.get('blade-auth/oauth/clear-cache')
    expect([again.status, again.msg]).toEqual([429, '请求过于频繁，请稍后再试'])
    expect(await stamp()).toBe(after)
    const { access_token: other } = await door.logIn(admin.tenantId, 'admin', password)
    expect((await get('blade-auth/oauth/clear-cache', other)).status).toBe(200)
  })

  it('forgets kept totals: a row that came past the product is counted', async () => {
    const admin = await world.tenant()
    const total = async () => (await admin.get<{ total: number }>('blade-system/post/list')).data.total
    const before = await total()
    await world.owner.query('delete from post where id = (select id from post where tenant_id = $1 limit 1)', [
      admin.tenantId,
    ])
    expect(await total()).toBe(before)
    await admin.get('blade-auth/oauth/clear-cache')
    expect(await total()).toBe(before - 1)
  })
})

describe('R-PERM-5 two servers on one database', () => {
  it('a role withdrawn, a user disabled, a log-out hold on the next request of either', async () => {
    const second = await anotherServer()
    const admin = await world.tenant()
    const { account, userId } = await door.account(admin, { codes: ['student_view'] })
    const mine = await door.logIn(admin.tenantId, account, password)
    const other = await door.logIn(admin.tenantId, account, password)
    const both = async (path: string, token: string) => [(await get(path, token)).status, await second.ask(path, token)]
    for (let round = 0; round < 5; round += 1) {
      expect(await both('blade-user/student/list', mine.access_token)).toEqual([200, 200])
      const { raiseGrants } = await import('../src/kernel/authenticate.ts')
      const granted = sql`select ${admin.tenantId}, l.target_id, m.id from app_user_role l, menu m
        where l.tenant_id = ${admin.tenantId} and l.owner_id = ${userId} and m.code = 'student_view'`
      await world.inTenant(admin.tenantId, async (tx) => {
        await tx.run(sql`delete from role_menu g using (${granted}) w(tenant_id, role_id, menu_id)
          where g.tenant_id = ${admin.tenantId} and g.role_id = w.role_id and g.menu_id = w.menu_id`)
        await raiseGrants(tx, admin.tenantId)
      })
      // 403, not 401: nobody is logged out for lacking a right.
      expect(await both('blade-user/student/list', mine.access_token)).toEqual([403, 403])
      expect(await both('blade-auth/oauth/user-info', mine.access_token)).toEqual([200, 200])
      await world.inTenant(admin.tenantId, async (tx) => {
        await tx.run(sql`insert into role_menu (tenant_id, role_id, menu_id) ${granted}`)
        await raiseGrants(tx, admin.tenantId)
      })
    }
    expect(await both('blade-user/student/list', other.access_token)).toEqual([200, 200])
    expect(await second.ask('blade-auth/oauth/logout', other.access_token)).toBe(200)
    expect(await both('blade-user/student/list', other.access_token)).toEqual([401, 401])
    await world.inTenant(admin.tenantId, async (tx) => {
      const { raiseGrants } = await import('../src/kernel/authenticate.ts')
      await tx.run(sql`update app_user set status = 0 where tenant_id = ${admin.tenantId} and id = ${userId}`)
      await raiseGrants(tx, admin.tenantId)
    })
    expect(await both('blade-user/student/list', mine.access_token)).toEqual([401, 401])
    await second.close()
  })

  it('E27 a restart forgets neither sessions nor log-outs nor lock-outs', async () => {
    const { tenantId } = await world.tenant()
    const [kept, ended] = [await door.logIn(tenantId, 'admin', password), await door.logIn(tenantId, 'admin', password)]
    await get('blade-auth/oauth/logout', ended.access_token)
    for (let count = 0; count < 5; count += 1) await door.logIn(tenantId, 'admin', 'wrong')
    const restarted = await anotherServer()
    expect([
      await restarted.ask('blade-auth/oauth/user-info', kept.access_token),
      await restarted.ask('blade-auth/oauth/user-info', ended.access_token),
    ]).toEqual([200, 401])
    expect((await door.logIn(tenantId, 'admin', password, { http: restarted.http })).msg).toBe(
      '用户登录失败次数过多，请15分钟后再试',
    )
    expect((await door.refresh(kept.refresh_token, { http: restarted.http })).status).toBe(200)
    await restarted.close()
  })
})
