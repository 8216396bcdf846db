import { type ParameterKey, parameterGroups, parameters, readParameter } from '@data-brain/contract/parameters'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parametersOf } from '../src/kernel/setting.ts'
import { makeDoor, password } from './auth-door.ts'
import { makeWorld, type Person, type World } from './world.ts'

interface Known {
  key: ParameterKey
  label: { zh: string; en: string }
  type: string
  min: number
  max: number
  default: number
  value: number
  own: 0 | 1
  group: string
  row: { id: string; version: number } | null
}

let world: World
let door: ReturnType<typeof makeDoor>
beforeAll(async () => {
  world = await makeWorld()
  door = makeDoor(world)
})
afterAll(() => world.close())

const set = (person: Person, paramKey: string, paramValue: string | number) =>
  person.post<{ id: string; field?: string }>('blade-system/param/submit', {
    paramName: paramKey,
    paramKey,
    paramValue,
  })
const known = async (person: Person, key: ParameterKey) =>
  (await person.get<Known[]>('blade-system/param/known')).data.find((each) => each.key === key)!

describe('R-PARAM-1 parameters', () => {
  it('that the server reads are listed with type, range, default and what holds', async () => {
    const [admin, other] = [await world.tenant(), await world.tenant()]
    const all = (await admin.get<Known[]>('blade-system/param/known')).data
    expect(all.map((each) => each.key)).toEqual(Object.keys(parameters))
    for (const each of all) {
      expect(Object.keys(parameterGroups)).toContain(each.group)
      expect([each.value, each.own, each.row]).toEqual([each.default, 0, null])
      expect(each.label.zh && /[A-Za-z]/.test(each.label.en)).toBe(true)
    }
    const { status, data: row } = await set(admin, 'account.maxFailures', '7')
    expect(status).toBe(200)
    expect(await known(admin, 'account.maxFailures')).toMatchObject({
      ...{ type: 'integer', value: 7, default: 5, own: 1, row: { id: row.id, version: 1 } },
    })
    expect(await known(other, 'account.maxFailures')).toMatchObject({ value: 5, own: 0 })
    expect((await (await world.colleague(admin, ['role_view'])).get('blade-system/param/known')).status).toBe(403)
    expect((await (await world.colleague(admin, ['param_view'])).get('blade-system/param/known')).status).toBe(200)
  })

  it.each(['2', '21', '5.5', '-3', '05', '1e1', 'five', ' ', '5 次'])(
    'that the server reads take no %s',
    async (value) => {
      const admin = await world.tenant()
      const refused = await set(admin, 'account.maxFailures', value)
      expect([refused.status, refused.data.field]).toEqual([400, 'paramValue'])
      const own = (await set(admin, 'school.motto', value.trim() || '厚德')).data
      const renamed = await admin.post<{ field: string }>('blade-system/param/submit', {
        id: own.id,
        paramKey: 'account.maxFailures',
      })
      expect([renamed.status, renamed.data.field]).toEqual([400, 'paramValue'])
      expect(await known(admin, 'account.maxFailures')).toMatchObject({ value: 5, own: 0 })
    },
  )

  it('that name an SMS service name one that the tenant has, and are told which field is wrong', async () => {
    const [admin, other] = [await world.tenant(), await world.tenant()]
    const service = { category: '6', smsCode: 'S-code', content: '验证码 #code#', signName: '实验学校' }
    const made = await admin.post('blade-resource/sms/submit', service)
    expect(made.status, made.msg).toBe(200)
    for (const [who, name] of [
      [admin, 'S-codes'],
      [admin, 's-code'],
      [other, 'S-code'],
    ] as const) {
      const refused = await set(who, 'login.smsTemplate', name)
      expect([refused.status, refused.data.field]).toEqual([400, 'paramValue'])
      expect(refused.msg).toContain(`没有“${name}”这个短信配置，请从已有的短信配置中选择`)
      expect(await known(who, 'login.smsTemplate')).toMatchObject({ value: '', own: 0 })
    }
    const stored = await set(admin, 'login.smsTemplate', 'S-code')
    expect(stored.status, stored.msg).toBe(200)
    const renamed = await admin.post('blade-system/param/submit', { id: stored.data.id, paramValue: 'S-other' })
    expect(renamed.status).toBe(400)
    expect(await known(admin, 'login.smsTemplate')).toMatchObject({ value: 'S-code', own: 1 })
  })

  it('are each named once; any other key is the tenant’s own', async () => {
    const admin = await world.tenant()
    const made = await set(admin, 'account.maxFailures', 4)
    expect((await set(admin, 'account.maxFailures', 6)).status).toBe(409)
    expect((await set(admin, 'anything.else', '随便写')).status).toBe(200)
    expect((await admin.remove('blade-system/param', made.data.id)).status).toBe(200)
    expect(await known(admin, 'account.maxFailures')).toMatchObject({ value: 5, own: 0 })
  })

  it('that nobody reads are listed alone, as a condition that names the others', async () => {
    const admin = await world.tenant()
    await set(admin, 'account.maxFailures', 4)
    await set(admin, 'school.motto', '厚德')
    const list = async (query: Record<string, string>) =>
      (await admin.get<{ total: number; records: { paramKey: string }[] }>('blade-system/param/list', query)).data
    expect((await list({})).total).toBe(2)
    const others = await list({ paramKey_notin: Object.keys(parameters).join() })
    expect([others.total, others.records.map((each) => each.paramKey)]).toEqual([1, ['school.motto']])
  })

  it('fall back to the default where what is stored means nothing', async () => {
    const admin = await world.tenant()
    const { data } = await set(admin, 'session.absoluteDays', 9)
    await world.owner.query(`update param set param_value = 'many' where id = $1`, [data.id])
    const held = await world.inTenant(admin.tenantId, (tx) =>
      parametersOf(tx, admin.tenantId, ['session.absoluteDays', 'account.lockMinutes']),
    )
    expect(held).toEqual({ 'session.absoluteDays': 30, 'account.lockMinutes': 15 })
    expect(
      readParameter({ ...parameters['session.absoluteDays'], type: 'text', max: 3, default: '' }, 'abcd'),
    ).toHaveProperty('wrong')
  })
})

describe('R-PARAM-1 what parameters decide, on the next request', () => {
  it('how many wrong passwords lock an account, and for how long', async () => {
    const admin = await world.tenant()
    const { account, userId } = await door.account(admin, {})
    await set(admin, 'account.maxFailures', 3)
    await set(admin, 'account.lockMinutes', 90)
    for (let count = 0; count < 3; count += 1)
      expect((await door.logIn(admin.tenantId, account, 'wrong')).msg).toBe('用户名或密码错误')
    expect((await door.logIn(admin.tenantId, account, password)).msg).toBe('用户登录失败次数过多，请90分钟后再试')

    interface Row {
      id: string
      locked: number
    }
    const locked = async () => (await admin.get<Row>('blade-user/detail', { id: userId })).data.locked
    expect(await locked()).toBe(1)
    for (const call of ['list', 'page']) {
      const page = await admin.get<{ records: Row[] }>(`blade-user/${call}`)
      expect(page.data.records.filter((row) => row.locked === 1).map((row) => row.id)).toEqual([userId])
      expect(page.data.records.length).toBe(2)
    }
    const clerk = await world.colleague(admin, ['user_view', 'user_edit'])
    expect((await clerk.post('blade-user/unlock', undefined, { query: { userIds: userId } })).status).toBe(403)
    const helper = await world.colleague(admin, ['user_reset'])
    expect((await helper.post('blade-user/unlock', undefined, { query: { userIds: admin.userId } })).status).toBe(400)
    const stranger = await world.tenant()
    expect((await stranger.post('blade-user/unlock', undefined, { query: { userIds: userId } })).status).toBe(404)
    expect(await locked()).toBe(1)
    expect((await helper.post('blade-user/unlock', undefined, { form: { userIds: userId } })).status).toBe(200)
    expect(await locked()).toBe(0)
    expect((await door.logIn(admin.tenantId, account, password)).status).toBe(200)
  })

  it('how long a one-time password and a session live', async () => {
    const admin = await world.tenant()
    const { userId } = await door.account(admin, {})
    await set(admin, 'account.oneTimeHours', 2)
    await set(admin, 'session.absoluteDays', 1)
    const reset = await admin.post<{ account: string; password: string }[]>('blade-user/reset-password', undefined, {
      query: { userIds: userId },
    })
    const kept = await world.owner.query(
      `select extract(epoch from expires_at - now()) / 3600 as hours from credential where user_id = $1`,
      [userId],
    )
    expect(Number(kept.rows[0].hours)).toBeCloseTo(2, 1)
    const { account, password: once } = reset.data[0]!
    const session = await door.logIn(admin.tenantId, account, once)
    expect([session.status, session.must_change]).toEqual([200, true])
    const days = await world.owner.query(
      `select extract(epoch from s.absolute_expires - now()) / 86400 as session, extract(epoch from r.expires - now()) / 86400 as token
       from session s join refresh_token r on r.session_id = s.id where s.id = $1`,
      [session.jti],
    )
    expect(Number(days.rows[0].session)).toBeCloseTo(1, 2)
    expect(Number(days.rows[0].token)).toBeLessThanOrEqual(1)
  })
})
