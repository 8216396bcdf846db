import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDoor, password } from './auth-door.ts'
import { makeWorld, type Person, type World } from './world.ts'

interface Session {
  id: string
  userId: string
  account: string
  realName: string
  deptName: string | null
  address: string
  agent: string
  createdAt: string
  lastUsed: string
  clientId: string
  own: 0 | 1
}
interface Page {
  total: number
  pages: number
  records: Session[]
}

let world: World
let door: ReturnType<typeof makeDoor>
beforeAll(async () => {
  world = await makeWorld()
  door = makeDoor(world)
})
afterAll(() => world.close())

const list = async (person: Person, query: Record<string, string | number> = {}) =>
  (await person.get<Page>('blade-system/session/list', query)).data
const end = (person: Person, ids: string) => person.post('blade-system/session/end', undefined, { query: { ids } })
const status = async (token: string) => (await world.call('GET', 'blade-auth/oauth/user-info', token)).status

describe('R-SYS-10 online sessions', () => {
  it('are listed with who, where and since when, newest use first; one’s own is marked', async () => {
    const admin = await world.tenant()
    const one = await door.account(admin)
    const session = await door.logIn(admin.tenantId, one.account, password, { address: '10.1.2.3' })
    await world.owner.query(`update session set last_used = now() - interval '1 hour' where id = $1`, [session.jti])
    const page = await list(admin)
    expect(page.total).toBe(3)
    expect(page.records.map((row) => row.own)).toContain(1)
    const last = page.records.at(-1)!
    expect(last).toMatchObject({
      id: session.jti,
      userId: one.userId,
      account: one.account,
      realName: '同事',
      address: '10.1.2.3',
      clientId: world.services.secrets.clientId,
      own: 0,
    })
    expect(last.createdAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(page.records.map((row) => row.lastUsed)).toEqual(
      page.records
        .map((row) => row.lastUsed)
        .sort()
        .reverse(),
    )
    expect((await list(admin, { account: one.account })).records.length).toBe(2)
    expect((await list(admin, { realName: '管理' })).records.map((row) => row.account)).toEqual(['admin'])
    expect((await list(admin, { realName: '%' })).total).toBe(0)
    expect(await list(admin, { size: 2, current: 2 })).toMatchObject({
      total: 3,
      pages: 2,
      records: [{ id: session.jti }],
    })
    const named = admin.tenantId
    await world.owner.query(
      `insert into app_user_dept (tenant_id, owner_id, target_id, ord) select $1, $2, id, 1 from dept where tenant_id = $1 limit 1`,
      [named, one.userId],
    )
    expect((await list(admin, { account: one.account })).records[0]!.deptName).toBe(`租户${named}`)
  })

  it('are those that can still be used', async () => {
    const admin = await world.tenant()
    const one = await door.account(admin)
    const open = async () => (await list(admin, { account: one.account })).records.map((row) => row.id)
    const session = await door.logIn(admin.tenantId, one.account, password)
    const kept = (await open()).filter((id) => id !== session.jti)
    await world.owner.query(`update session set access_expires = now() where id = $1`, [session.jti])
    expect(await open()).toContain(session.jti)
    await world.owner.query(`update refresh_token set expires = now() where session_id = $1`, [session.jti])
    expect(await open()).toEqual(kept)
    await world.call('GET', 'blade-auth/oauth/logout', session.access_token)
    expect(await open()).toEqual(kept)
  })

  it('end at once: the next call is 401, and the refresh token opens nothing', async () => {
    const admin = await world.tenant()
    const one = await door.account(admin)
    const [first, second] = [
      await door.logIn(admin.tenantId, one.account, password),
      await door.logIn(admin.tenantId, one.account, password),
    ]
    expect([await status(first.access_token), await status(second.access_token)]).toEqual([200, 200])
    expect((await end(admin, String(first.jti))).status).toBe(200)
    expect([await status(first.access_token), await status(second.access_token)]).toEqual([401, 200])
    expect((await door.refresh(first.refresh_token)).status).toBe(400)
    expect((await door.refresh(second.refresh_token)).status).toBe(200)
    expect((await list(admin, { account: one.account })).records.map((row) => row.id)).not.toContain(first.jti)
    const own = (await list(admin)).records.find((row) => row.own === 1)!
    expect((await end(admin, own.id)).msg).toContain('本人当前的会话')
    expect((await end(admin, `${second.jti},7`)).status).toBe(404)
    expect(await status(admin.token)).toBe(200)
  })

  it('R-AUTH-7 tell whoever holds their token why they ended, and nobody else', async () => {
    const admin = await world.tenant()
    const said = async (token: string, language: 'zh' | 'en' = 'zh') => {
      const answer = await world.call('GET', 'blade-auth/oauth/user-info', token, { language })
      return [answer.status, answer.msg]
    }
    const cases: [string, (session: { jti: string; userId: string }) => Promise<unknown>, string][] = [
      ['an administrator ends it', ({ jti }) => end(admin, jti), '登录已结束：管理员结束了这次登录'],
      [
        'its password is reset',
        ({ userId }) => admin.post('blade-user/reset-password', undefined, { query: { userIds: userId } }),
        '登录已结束：管理员重置了密码，请用新密码登录',
      ],
      [
        'its time is over',
        ({ jti }) => world.owner.query(`update session set access_expires = now() where id = $1`, [jti]),
        '登录已结束：登录已过期',
      ],
    ]
    for (const [name, act, words] of cases) {
      const one = await door.account(admin)
      const session = await door.logIn(admin.tenantId, one.account, password)
      await act({ jti: String(session.jti), userId: one.userId })
      expect(await said(session.access_token), name).toEqual([401, words])
    }
    const one = await door.account(admin)
    const session = await door.logIn(admin.tenantId, one.account, password)
    await end(admin, String(session.jti))
    expect(await said(session.access_token, 'en')).toEqual([
      401,
      'Your session has ended: an administrator has ended it',
    ])
    const [head, tail] = [session.access_token.slice(0, -4), session.access_token.slice(-4)]
    const other = `${head}${tail === 'AAAA' ? 'BBBB' : 'AAAA'}`
    for (const token of [other, 'x', `${(await world.tenant()).tenantId}${session.access_token.slice(6)}`])
      expect(await said(token)).toEqual([401, '请求未授权'])
  })

  it('R-PERM-5 R-PROD-2 are seen and ended by their codes, in the own tenant, and not of who may do more', async () => {
    const [admin, stranger] = [await world.tenant(), await world.tenant()]
    const one = await door.account(admin, { codes: ['student_view'] })
    const session = await door.logIn(admin.tenantId, one.account, password)
    const id = String(session.jti)
    const viewer = await world.colleague(admin, ['session_view'])
    expect((await list(viewer)).records.map((row) => row.id)).toContain(id)
    expect((await list(stranger)).records.map((row) => row.id)).not.toContain(id)
    const ender = await world.colleague(admin, ['session_end'])
    expect((await ender.get('blade-system/session/list')).status).toBe(403)
    for (const [person, expected] of [
      [viewer, 403],
      [ender, 400],
      [stranger, 404],
    ] as const)
      expect((await end(person, id)).status).toBe(expected)
    expect(await status(session.access_token)).toBe(200)
    const peer = await world.colleague(admin, ['session_end', 'student_view'])
    expect((await end(peer, id)).status).toBe(200)
    expect(await status(session.access_token)).toBe(401)
  })
})
