import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDoor, password } from './auth-door.ts'
import { makeWorld, type Person, type World } from './world.ts'

interface Mine {
  id: string
  address: string
  agent: string
  createdAt: string
  lastUsed: string
  own: 0 | 1
}

let world: World
let door: ReturnType<typeof makeDoor>
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  door = makeDoor(world)
  admin = await world.tenant()
})
afterAll(() => world.close())

/** Somebody with two log-ins, and the token that a world gives a colleague as a third. */
async function twice() {
  const { account, userId } = await door.account(admin)
  const [here, there] = [
    await door.logIn(admin.tenantId, account, password, { address: '10.1.2.3' }),
    await door.logIn(admin.tenantId, account, password, {
      address: '10.9.9.9',
      headers: { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' },
    }),
  ]
  return { account, userId, here, there }
}
const list = async (token: string) => (await world.call<Mine[]>('GET', 'blade-user/sessions', token)).data
const end = (token: string, ids?: string) =>
  world.call('POST', 'blade-user/end-sessions', token, ids === undefined ? {} : { query: { ids } })
const status = async (token: string) => (await world.call('GET', 'blade-auth/oauth/user-info', token)).status
async function setParam(paramKey: string, paramValue: string): Promise<void> {
  const { data } = await admin.get<{ records: { id: string; version: number }[] }>('blade-system/param/list', {
    paramKey,
  })
  const row = data.records[0]
  const stored = await admin.post('blade-system/param/submit', {
    ...(row ? { id: row.id, version: row.version } : {}),
    paramName: paramKey,
    paramKey,
    paramValue,
  })
  expect(stored.status, stored.msg).toBe(200)
}

describe('one’s own sessions', () => {
  it('R-INFO-1 are listed with device, address and times: the one that asks first, nobody else’s among them', async () => {
    const { here, there } = await twice()
    const other = await twice()
    const found = await list(here.access_token)
    expect(found[0]).toMatchObject({ id: here.jti, address: '10.1.2.3', own: 1 })
    expect(found.map((row) => row.id)).toContain(there.jti)
    expect(found.map((row) => row.id)).not.toContain(other.here.jti)
    expect(found.filter((row) => row.own === 1)).toHaveLength(1)
    const phone = found.find((row) => row.id === there.jti)!
    expect([phone.address, phone.own]).toEqual(['10.9.9.9', 0])
    expect(phone.agent).toContain('iPhone')
    expect(phone.createdAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(phone.lastUsed).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(JSON.stringify(found)).not.toMatch(/hash|bsa_|bsr_|verifier/)
  })

  it('end by name: the next call is 401, the refresh token opens nothing, the others live on', async () => {
    const { here, there } = await twice()
    expect(await status(there.access_token)).toBe(200)
    expect((await end(here.access_token, String(there.jti))).status).toBe(200)
    expect(await status(there.access_token)).toBe(401)
    expect((await door.refresh(there.refresh_token)).status).toBe(400)
    expect(await status(here.access_token)).toBe(200)
    expect((await list(here.access_token)).map((row) => row.id)).not.toContain(there.jti)
  })

  it('end all but the one that asks', async () => {
    const { here, there } = await twice()
    expect((await list(here.access_token)).length).toBe(3)
    expect((await end(here.access_token)).status).toBe(200)
    expect((await list(here.access_token)).map((row) => row.id)).toEqual([here.jti])
    expect([await status(here.access_token), await status(there.access_token)]).toEqual([200, 401])
    expect((await end(here.access_token, '')).status).toBe(200)
    expect(await status(here.access_token)).toBe(200)
  })

  it('R-PROD-2 somebody else’s, another tenant’s and one that never was look alike, and nothing of the wish is done', async () => {
    const mine = await twice()
    const colleague = await twice()
    const stranger = await world.tenant()
    const { rows } = await world.owner.query<{ id: string }>(
      'select id::text as id from session where tenant_id = $1 limit 1',
      [stranger.tenantId],
    )
    for (const id of [String(colleague.there.jti), rows[0]!.id, '7']) {
      const refused = await end(mine.here.access_token, `${String(mine.there.jti)},${id}`)
      expect([refused.status, refused.msg]).toEqual([404, (await end(mine.here.access_token, '7')).msg])
    }
    // Not even an administrator ends others’ here.
    expect((await end(admin.token, String(mine.there.jti))).status).toBe(404)
    expect(await status(mine.there.access_token)).toBe(200)
    expect(await status(colleague.there.access_token)).toBe(200)
    expect(await status(stranger.token)).toBe(200)
    const own = await end(mine.here.access_token, `${String(mine.here.jti)},${String(mine.there.jti)}`)
    expect([own.status, own.msg]).toEqual([400, expect.stringContaining('退出登录')])
    expect(await status(mine.there.access_token)).toBe(200)
  })

  it('are no business of a locked session, nor of one without a token', async () => {
    const { here, there } = await twice()
    await world.call('POST', 'blade-auth/session/lock', here.access_token, { form: { verifier: '0'.repeat(64) } })
    expect((await world.call('GET', 'blade-user/sessions', here.access_token)).status).toBe(423)
    expect((await end(here.access_token)).status).toBe(423)
    expect(await status(there.access_token)).toBe(200)
    expect((await world.call('GET', 'blade-user/sessions', null)).status).toBe(401)
  })
})

describe('what the console goes by', () => {
  const info = async (token: string) =>
    (await world.call<Record<string, unknown>>('GET', 'blade-auth/oauth/user-info', token)).data

  it('R-BAR-7 the idle minutes of the tenant, off where nothing is set', async () => {
    const { here } = await twice()
    expect((await info(here.access_token)).lockIdle).toBe(0)
    await setParam('lock.idle', '5')
    expect((await info(here.access_token)).lockIdle).toBe(5)
    const refused = await admin.post('blade-system/param/submit', {
      paramName: 'x',
      paramKey: 'lock.idle',
      paramValue: '241',
    })
    expect(refused.status).toBe(400)
    await setParam('lock.idle', '0')
  })

  it('R-AUTH-5 what somebody may work as, only where switch mode is on and there is a choice', async () => {
    const { userId, here, account } = await twice()
    const dept = async (deptName: string) =>
      (await admin.post<{ id: string }>('blade-system/dept/submit', { deptName: `${deptName}${userId}` })).data.id
    const depts = [await dept('甲'), await dept('乙')]
    await admin.post('blade-user/submit', { id: userId, deptId: depts.join(',') })
    expect(await info(here.access_token)).not.toHaveProperty('switching')
    await setParam('login.switch', '1')
    const alone = await twice()
    expect(await info(alone.here.access_token)).not.toHaveProperty('switching')
    const before = await info(here.access_token)
    expect(before.switching).toMatchObject({
      depts: [
        { id: depts[0], name: `甲${userId}` },
        { id: depts[1], name: `乙${userId}` },
      ],
      deptId: '',
      roleId: '',
    })
    const next = await door.refresh(here.refresh_token, { headers: { 'dept-id': depts[1]! } })
    expect((await info(next.access_token)).switching).toMatchObject({ deptId: depts[1], roleId: '' })
    // Out of that department again: it counts as nothing chosen, so that the person is asked.
    await admin.post('blade-user/submit', { id: userId, deptId: depts[0] })
    expect((await info(next.access_token)).switching).toMatchObject({
      depts: [{ id: depts[0], name: `甲${userId}` }],
      deptId: '',
    })
    expect((await door.refresh(next.refresh_token, { headers: { 'dept-id': depts[0]! } })).dept_id).toBe(depts[0])
    await setParam('login.switch', '0')
    const fresh = await door.logIn(admin.tenantId, account, password)
    expect(await info(fresh.access_token)).not.toHaveProperty('switching')
  })
})
