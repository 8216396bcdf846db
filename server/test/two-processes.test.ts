import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callServer, logInTo, type Server, startTwo, type TwoServers } from './two-servers.ts'

/*
 * Two real servers on one PostgreSQL, as they stand behind a load balancer. Each has loaded whoever acts, by a call
 * just before, when the other one changes something; what was changed must hold on its very next request.
 */

let two: TwoServers
let servers: TwoServers['servers']
let owner: pg.Client

beforeAll(async () => {
  two = await startTwo()
  ;({ servers, owner } = two)
}, 60_000)

afterAll(() => two?.stop(), 60_000)

const call = <T = unknown>(
  server: Server,
  method: 'GET' | 'POST',
  path: string,
  token: string | null,
  options: { query?: Record<string, string>; body?: object } = {},
) => callServer<T>(two, server, method, path, token, options)

const logIn = (server: Server, tenantId: string, account: string, secret?: string) =>
  logInTo(two, server, tenantId, account, secret)

/** Somebody of the platform's tenant with a role of these codes; all of it made by the first server. */
async function somebody(top: string, codes: readonly string[]) {
  const [first] = servers
  const mark = randomBytes(3).toString('hex')
  const made = async (path: string, body: object) => {
    const answer = await call<{ id: string }>(first, 'POST', path, top, { body })
    expect(answer.status, answer.msg).toBe(200)
    return answer.data.id
  }
  const roleId = await made('blade-system/role/submit', { roleName: mark, roleAlias: mark, sort: 1 })
  const grant = async (wanted: readonly string[]) => {
    const menus = await owner.query<{ id: string }>('select id::text as id from menu where code = any($1)', [wanted])
    const body = { roleIds: [roleId], menuIds: menus.rows.map((row) => row.id), dataScopeIds: [], apiScopeIds: [] }
    expect((await call(first, 'POST', 'blade-system/role/grant', top, { body })).status).toBe(200)
  }
  await grant(codes)
  const userId = await made('blade-user/submit', { account: mark, realName: '某人', roleId, password: 'Tall-Birch-91' })
  const session = await logIn(first, '000000', mark, 'Tall-Birch-91')
  return { userId, account: mark, grant, token: session.access_token, sessionId: session.jti }
}

describe('R-PERM-5 on the very next request of the other process', () => {
  const students = (server: Server, token: string) =>
    call(server, 'GET', 'blade-user/student/list', token).then((answer) => answer.status)

  it('a grant and its withdrawal hold', async () => {
    const [first, second] = servers
    const { access_token: top } = await logIn(first, '000000', 'admin')
    const one = await somebody(top, [])
    for (let round = 0; round < 5; round += 1) {
      expect(await students(second, one.token)).toBe(403)
      await one.grant(['student_view'])
      expect(await students(second, one.token)).toBe(200)
      await one.grant([])
    }
    expect(await students(second, one.token)).toBe(403)
  })

  it('a disabled user and an ended session are out', async () => {
    const [first, second] = servers
    const { access_token: top } = await logIn(first, '000000', 'admin')
    const [one, two] = [await somebody(top, ['student_view']), await somebody(top, ['student_view'])]
    expect([await students(second, one.token), await students(second, two.token)]).toEqual([200, 200])
    await call(first, 'POST', 'blade-user/submit', top, { body: { id: one.userId, status: 0 } })
    expect(await students(second, one.token)).toBe(401)
    const ended = await call(first, 'POST', 'blade-system/session/end', top, { query: { ids: two.sessionId } })
    expect(ended.status, ended.msg).toBe(200)
    expect(await students(second, two.token)).toBe(401)
  })

  it('a parameter decides', async () => {
    const [first, second] = servers
    const { access_token: top } = await logIn(first, '000000', 'admin')
    const one = await somebody(top, [])
    expect((await logIn(second, '000000', one.account, 'wrong')).error_description).toBe('用户名或密码错误')
    expect((await logIn(second, '000000', one.account, 'Tall-Birch-91')).status).toBe(200)
    const body = { paramName: '失败次数', paramKey: 'account.maxFailures', paramValue: '3' }
    expect((await call(first, 'POST', 'blade-system/param/submit', top, { body })).status).toBe(200)
    for (let count = 0; count < 3; count += 1) await logIn(second, '000000', one.account, 'wrong')
    expect((await logIn(second, '000000', one.account, 'Tall-Birch-91')).error_description).toContain('失败次数过多')
    await owner.query(`delete from param where param_key = 'account.maxFailures'`)
  })

  it('a menu that the platform adds is held by every administrator, and one that it removes by none', async () => {
    const [first, second] = servers
    const { access_token: top } = await logIn(first, '000000', 'admin')
    const held = async () =>
      (await call<{ permissions: string[] }>(second, 'GET', 'blade-auth/oauth/user-info', top)).data.permissions
    expect(await held()).not.toContain('brand_new')
    const body = { code: 'brand_new', name: '新', nameEn: 'New', path: '/new' }
    const made = await call<{ id: string }>(first, 'POST', 'blade-system/menu/submit', top, { body })
    expect(await held()).toContain('brand_new')
    await call(first, 'POST', 'blade-system/menu/remove', top, { query: { ids: made.data.id } })
    expect(await held()).not.toContain('brand_new')
  })

  it('a disabled tenant is shut, and open again', async () => {
    const [first, second] = servers
    const { access_token: top } = await logIn(first, '000000', 'admin')
    const body = { tenantName: '别处', linkman: '王小明', contactNumber: '13800000000' }
    const made = await call<{ id: string; version: number; tenantId: string; account: string; password: string }>(
      first,
      'POST',
      'blade-system/tenant/submit',
      top,
      { body },
    )
    expect(made.status, made.msg).toBe(200)
    const { tenantId, account, password: once, id } = made.data
    const there = await logIn(second, tenantId, account, once)
    const status = async () => (await call(second, 'GET', 'blade-auth/oauth/user-info', there.access_token)).status
    expect(await status()).toBe(200)
    const disabled = await call(first, 'POST', 'blade-system/tenant/submit', top, { body: { id, status: 0 } })
    expect(disabled.status, disabled.msg).toBe(200)
    expect(await status()).toBe(401)
    await call(first, 'POST', 'blade-system/tenant/submit', top, { body: { id, status: 1 } })
    expect((await logIn(second, tenantId, account, once)).status).toBe(200)
  })

  it('a cleared cache forgets kept totals: a row that came past the product is counted', async () => {
    const [first, second] = servers
    const { access_token: top } = await logIn(first, '000000', 'admin')
    const total = async (server: Server) =>
      (await call<{ total: number }>(server, 'GET', 'blade-system/post/list', top)).data.total
    const before = await total(second)
    expect(await total(first)).toBe(before)
    await owner.query(`delete from post where id = (select id from post where tenant_id = '000000' limit 1)`)
    expect([await total(first), await total(second)]).toEqual([before, before])
    expect((await call(first, 'GET', 'blade-auth/oauth/clear-cache', top)).status).toBe(200)
    expect([await total(first), await total(second)]).toEqual([before - 1, before - 1])
  })
})
