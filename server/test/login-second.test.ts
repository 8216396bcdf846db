import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDoor, password, type TokenAnswer } from './auth-door.ts'
import { passTime, setParameter } from './login-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

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

interface State {
  on: number
  since: string | null
  recoveryLeft: number
  must: number
}

/** Somebody at an open console. */
const at = (token: string) => ({
  state: async () => (await world.call<State>('GET', 'blade-user/second-factor', token)).data,
  begin: (given = password) =>
    world.call<{ secret: string; uri: string; qr: string }>('POST', 'blade-user/second-factor/begin', token, {
      form: { password: given },
    }),
  confirm: (code: string) =>
    world.call<{ recoveryCodes: string[] }>('POST', 'blade-user/second-factor/confirm', token, { form: { code } }),
  recovery: (code: string, given = password) =>
    world.call<{ recoveryCodes: string[] }>('POST', 'blade-user/second-factor/recovery', token, {
      form: { password: given, code },
    }),
  remove: (code: string, given = password) =>
    world.call('POST', 'blade-user/second-factor/remove', token, { form: { password: given, code } }),
})

/** What an authenticator shows now, or so many steps of 30 seconds aside. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

/** Lets so much time pass that every code counts as new again. */
const later = (userId: string) =>
  world.owner.query('update second_factor set last_step = last_step - 100 where user_id = $1', [userId])

async function withFactor(tenantId: string, account: string) {
  const session = await door.logIn(tenantId, account, password)
  const userId = String(session.user_id)
  const { secret } = (await at(session.access_token).begin()).data
  const confirmed = await at(session.access_token).confirm(codeOf(secret))
  expect(confirmed.msg).toBe('操作成功')
  await later(userId)
  return { userId, account, secret, token: session.access_token, recoveryCodes: confirmed.data.recoveryCodes }
}

const ticketOf = (answer: TokenAnswer): string => (answer.data as { ticket: string }).ticket
const second = (ticket: string, code: string, call = {}) =>
  door.token({ grant_type: 'second_factor', ticket, code }, call)
const firstStep = async (tenantId: string, account: string): Promise<string> => {
  const answer = await door.logIn(tenantId, account, password)
  expect(answer).toMatchObject({ status: 400, error: 'second_factor_needed', error_description: '请输入两步验证码' })
  expect(answer.access_token).toBeUndefined()
  return ticketOf(answer)
}

describe('a second factor of one’s own', () => {
  it('is begun with the password, confirmed by a code, and its recovery codes are told this once', async () => {
    const { tenantId } = await world.tenant()
    const { access_token: token, user_id } = await door.logIn(tenantId, 'admin', password)
    const mine = at(token)
    expect(await mine.state()).toEqual({ on: 0, since: null, recoveryLeft: 0, must: 0 })
    expect((await mine.begin('Wrong-Horse-9')).msg).toBe('用户名或密码错误')
    const { secret, uri, qr } = (await mine.begin()).data
    for (const code of ['１２３４５６', 'abcdef', '12345', "1' or 1"])
      expect((await mine.confirm(code)).msg, code).toBe('两步验证码不正确或已使用')
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(new URL(uri).searchParams.get('secret')).toBe(secret)
    expect(uri).toMatch(/^otpauth:\/\/totp\//)
    expect(qr).toMatch(/^data:image\/png;base64,/)
    // Begun is not in force: a log-in goes on as before, and a second beginning replaces the first.
    expect((await door.logIn(tenantId, 'admin', password)).access_token).toMatch(/^bsa_/)
    const again = (await mine.begin()).data.secret
    expect((await mine.confirm(codeOf(secret))).msg).toBe('两步验证码不正确或已使用')
    const { recoveryCodes } = (await mine.confirm(codeOf(again))).data
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/)
    expect(await mine.state()).toMatchObject({ on: 1, recoveryLeft: 10, since: expect.any(String) })
    expect((await mine.begin()).msg).toBe('已启用两步验证')
    expect((await mine.confirm(codeOf(again, 1))).msg).toBe('已启用两步验证')
    // Nothing of it stands in the tables as it was told.
    const { rows } = await world.owner.query<{ all: string }>(
      `select (select encode(secret, 'escape') from second_factor where user_id = $1) || (select string_agg(encode(hash, 'escape'), '|') from recovery_code where user_id = $1) as all`,
      [user_id],
    )
    for (const told of [again, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))])
      expect(rows[0]!.all).not.toContain(told)
  })

  it('then is asked for after the right password, and no code opens twice; of several at once, one', async () => {
    const { tenantId } = await world.tenant()
    const { secret, userId } = await withFactor(tenantId, 'admin')
    expect((await door.logIn(tenantId, 'admin', 'Wrong-Horse-9')).msg).toBe('用户名或密码错误')
    const [one, two] = [await firstStep(tenantId, 'admin'), await firstStep(tenantId, 'admin')]
    const code = codeOf(secret)
    const all = await Promise.all([one, one, two, two].map((ticket) => second(ticket, code)))
    const inside = all.filter((answer) => answer.access_token)
    expect(inside).toHaveLength(1)
    expect(inside[0]).toMatchObject({ user_id: userId, tenant_id: tenantId, account: 'admin' })
    expect((await world.call('GET', 'blade-auth/oauth/user-info', inside[0]!.access_token)).status).toBe(200)
    // Neither the same code nor an older one, with a ticket that is fresh.
    const third = await firstStep(tenantId, 'admin')
    expect((await second(third, code)).msg).toBe('两步验证码不正确或已使用')
    expect((await second(third, codeOf(secret, -1))).msg).toBe('两步验证码不正确或已使用')
    expect((await second(third, codeOf(secret, 1))).access_token).toMatch(/^bsa_/)
    expect((await second(third, codeOf(secret, 2))).msg).toBe('两步验证已超时，请重新登录')
  })

  it('a ticket is good for five minutes, for its own application, and for nothing when the password changed', async () => {
    const { tenantId } = await world.tenant()
    const { secret, userId, token } = await withFactor(tenantId, 'admin')
    const late = await firstStep(tenantId, 'admin')
    await passTime(world, tenantId, 'second', 301)
    expect((await second(late, codeOf(secret))).msg).toBe('两步验证已超时，请重新登录')
    await passTime(world, tenantId, 'second', -120)
    expect((await second(late, codeOf(secret), { client: 'nobody:secret' })).msg).toBe('两步验证已超时，请重新登录')
    expect((await second('bst_000000_made-up', codeOf(secret))).msg).toBe('两步验证已超时，请重新登录')
    const before = await firstStep(tenantId, 'admin')
    const changed = await world.call('POST', 'blade-user/update-password', token, {
      form: { oldPassword: password, newPassword: 'Twelve-Green-Kites', newPassword1: 'Twelve-Green-Kites' },
    })
    expect(changed.status).toBe(200)
    expect((await second(before, codeOf(secret))).msg).toBe('用户名或密码错误')
    expect(userId).toMatch(/^\d+$/)
  })

  it('five wrong codes lock it, ticket after ticket and restart after restart, and the password cannot clear that', async () => {
    const { tenantId } = await world.tenant()
    const { secret } = await withFactor(tenantId, 'admin')
    const wrong = codeOf(secret) === '000000' ? '111111' : '000000'
    const [one, two] = [await firstStep(tenantId, 'admin'), await firstStep(tenantId, 'admin')]
    for (const ticket of [one, one, one, two])
      expect((await second(ticket, wrong)).msg).toBe('两步验证码不正确或已使用')
    await Promise.all([second(two, wrong), second(two, wrong), second(two, wrong)])
    const fresh = await firstStep(tenantId, 'admin')
    expect((await second(fresh, codeOf(secret))).msg).toMatch(/^用户登录失败次数过多，请1[45]分钟后再试$/)
    await world.owner.query(`update login_failure set locked_until = now() where tenant_id = $1`, [tenantId])
    expect((await second(fresh, codeOf(secret))).access_token).toMatch(/^bsa_/)
  })

  it('one ticket takes five tries', async () => {
    const admin = await world.tenant()
    await setParameter(admin, 'account.maxFailures', '20')
    const { secret } = await withFactor(admin.tenantId, 'admin')
    const wrong = codeOf(secret) === '000000' ? '111111' : '000000'
    const ticket = await firstStep(admin.tenantId, 'admin')
    const all = await Promise.all(Array.from({ length: 8 }, () => second(ticket, wrong)))
    expect(all.filter((answer) => answer.msg === '两步验证码不正确或已使用')).toHaveLength(5)
    expect((await second(ticket, codeOf(secret))).msg).toBe('两步验证已超时，请重新登录')
  })

  it('a recovery code opens once, however it is typed', async () => {
    const { tenantId } = await world.tenant()
    const { recoveryCodes, token } = await withFactor(tenantId, 'admin')
    const [first, other] = recoveryCodes as [string, string]
    const typed = ` ${first.toLowerCase().replace('-', ' ')} `
    expect((await second(await firstStep(tenantId, 'admin'), typed)).access_token).toMatch(/^bsa_/)
    expect((await second(await firstStep(tenantId, 'admin'), first)).msg).toBe('两步验证码不正确或已使用')
    const ticket = await firstStep(tenantId, 'admin')
    const both = await Promise.all([second(ticket, other), second(await firstStep(tenantId, 'admin'), other)])
    expect(both.filter((answer) => answer.access_token)).toHaveLength(1)
    expect((await at(token).state()).recoveryLeft).toBe(8)
    // New ones make the old void.
    const fresh = (await at(token).recovery(recoveryCodes[2]!)).data.recoveryCodes
    expect(fresh).toHaveLength(10)
    expect((await second(await firstStep(tenantId, 'admin'), recoveryCodes[3]!)).status).toBe(400)
    expect((await second(await firstStep(tenantId, 'admin'), fresh[0]!)).access_token).toMatch(/^bsa_/)
  })

  it('goes with the password and a code, and not without either', async () => {
    const { tenantId } = await world.tenant()
    const { secret, token, userId } = await withFactor(tenantId, 'admin')
    expect((await at(token).remove(codeOf(secret), 'Wrong-Horse-9')).msg).toBe('用户名或密码错误')
    expect((await at(token).remove('12345')).msg).toBe('两步验证码不正确或已使用')
    expect((await at(token).remove(codeOf(secret))).status).toBe(200)
    expect(await at(token).state()).toEqual({ on: 0, since: null, recoveryLeft: 0, must: 0 })
    expect((await at(token).remove(codeOf(secret, 1))).msg).toBe('尚未启用两步验证')
    expect((await door.logIn(tenantId, 'admin', password)).access_token).toMatch(/^bsa_/)
    const left = await world.owner.query('select 1 from recovery_code where user_id = $1', [userId])
    expect(left.rows).toEqual([])
  })

  it('ends the sessions that began without it, and their refresh tokens; the one that set it up goes on', async () => {
    const { tenantId } = await world.tenant()
    const before = await door.logIn(tenantId, 'admin', password)
    const { token } = await withFactor(tenantId, 'admin')
    expect((await world.call('GET', 'blade-auth/oauth/user-info', before.access_token)).status).toBe(401)
    expect((await door.refresh(before.refresh_token)).access_token).toBeUndefined()
    expect((await world.call('GET', 'blade-auth/oauth/user-info', token)).status).toBe(200)
  })

  it('keeps what the log-in wanted: the department and role that it is narrowed to', async () => {
    const admin = await world.tenant()
    const { account, userId } = await door.account(admin, { codes: ['student_view'] })
    const { data } = await admin.get<{ roleId: string }>('blade-user/detail', { id: userId })
    const { secret } = await withFactor(admin.tenantId, account)
    const answer = await door.logIn(admin.tenantId, account, password, { headers: { 'role-id': data.roleId } })
    const inside = await second(ticketOf(answer), codeOf(secret))
    expect(inside.role_id).toBe(data.roleId)
    const session = await world.owner.query('select role_id from session where id = $1', [inside.jti])
    expect(session.rows).toEqual([{ role_id: data.roleId }])
  })

  it('is another’s affair in another tenant', async () => {
    const [mine, other] = [await world.tenant(), await world.tenant()]
    const { secret } = await withFactor(mine.tenantId, 'admin')
    const ticket = await firstStep(mine.tenantId, 'admin')
    const moved = ticket.replace(mine.tenantId, other.tenantId)
    expect((await second(moved, codeOf(secret))).msg).toBe('两步验证已超时，请重新登录')
    expect((await second(ticket, codeOf(secret))).tenant_id).toBe(mine.tenantId)
  })
})

describe('login.secondFactor: administrators must have one', () => {
  const info = async (token: string) =>
    (await world.call<{ mustSecond: boolean }>('GET', 'blade-auth/oauth/user-info', token)).data
  const list = (who: Person) => who.get('blade-user/list')

  it('an administrator without one can only set it up, from the next request on, and then goes on', async () => {
    const admin = await world.tenant()
    const { tenantId } = admin
    const inside = await door.logIn(tenantId, 'admin', password)
    const { account } = await door.account(admin, { codes: ['user_view'] })
    await setParameter(admin, 'login.secondFactor', '1')
    const refused = await list(admin)
    expect([refused.status, refused.msg]).toEqual([403, '请先设置两步验证'])
    expect((await info(admin.token)).mustSecond).toBe(true)
    const fresh = await door.logIn(tenantId, 'admin', password)
    expect(fresh).toMatchObject({ status: 200, must_second: true })
    expect((await world.call('GET', 'blade-user/list', fresh.access_token)).status).toBe(403)
    // Others are asked for nothing.
    const plain = await door.logIn(tenantId, account, password)
    expect(plain.must_second).toBeUndefined()
    expect((await world.call('GET', 'blade-user/list', plain.access_token)).status).toBe(200)
    expect((await info(plain.access_token)).mustSecond).toBe(false)

    const mine = at(fresh.access_token)
    expect((await mine.state()).must).toBe(1)
    const { secret } = (await mine.begin()).data
    expect((await list(admin)).status).toBe(403)
    expect((await mine.confirm(codeOf(secret))).status).toBe(200)
    const open = async () => (await world.call('GET', 'blade-user/list', fresh.access_token)).status
    expect(await open()).toBe(200)
    expect((await info(fresh.access_token)).mustSecond).toBe(false)
    // It is still asked of them, so no page offers to turn it off.
    expect(await mine.state()).toMatchObject({ on: 1, must: 1 })
    // Without it again, nothing but setting it up is open again.
    await later(String(fresh.user_id))
    expect((await mine.remove(codeOf(secret))).status).toBe(200)
    expect(await open()).toBe(403)
    expect((await info(inside.access_token))?.mustSecond).toBeUndefined()
  })

  it('a colleague takes a lost one away, who may reset passwords and covers the other; the other is told', async () => {
    const admin = await world.tenant()
    const { account, userId } = await door.account(admin)
    const { token } = await withFactor(admin.tenantId, account)
    const reset = (who: Person, id: string) =>
      who.post('blade-user/reset-second-factor', undefined, { query: { userIds: id } })
    const clerk = await world.colleague(admin, ['user_view', 'user_edit'])
    expect((await reset(clerk, userId)).status).toBe(403)
    const helper = await world.colleague(admin, ['user_view', 'user_reset'])
    // Who may do less than the other cannot.
    expect((await reset(helper, admin.userId)).status).toBe(400)
    expect((await reset(await world.tenant(), userId)).status).toBe(404)
    // One's own goes with the password and a code, and not without them by this call.
    expect((await reset(admin, admin.userId)).status).toBe(400)
    expect((await at(token).state()).on).toBe(1)
    expect((await reset(admin, userId)).status).toBe(200)
    expect((await at(token).state()).on).toBe(0)
    expect((await door.logIn(admin.tenantId, account, password)).access_token).toMatch(/^bsa_/)
    const inbox = await world.owner.query('select title from inbox where tenant_id = $1 and user_id = $2', [
      admin.tenantId,
      userId,
    ])
    expect(inbox.rows).toEqual([{ title: '管理员停用了您的两步验证' }])
  })
})
