import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { wireMd5 } from '../src/kernel/password.ts'
import { md5Of, refuseWeak } from '../src/modules/auth/index.ts'
import { makeDoor, password } from './auth-door.ts'
import { hashed } from './hashed.ts'
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

const info = async (token: string): Promise<number> =>
  (await world.call('GET', 'blade-auth/oauth/user-info', token)).status
const change = (token: string, old: string, fresh: string, again = fresh, language: 'zh' | 'en' = 'zh') =>
  world.call<{ field: string; fields: { field: string; message: string }[] } | null>(
    'POST',
    'blade-user/update-password',
    token,
    {
      form: { oldPassword: old, newPassword: fresh, newPassword1: again },
      language,
    },
  )
const strong = 'Twelve-Green-Kites'

describe('R-INFO-1 changing the password', () => {
  it('takes the new one for the old one, keeps this session and ends the others', async () => {
    const { tenantId } = await world.tenant()
    const [mine, other] = [await door.logIn(tenantId, 'admin', password), await door.logIn(tenantId, 'admin', password)]
    expect((await change(mine.access_token, wireMd5(password), wireMd5(strong))).status).toBe(200)
    expect([await info(mine.access_token), await info(other.access_token)]).toEqual([200, 401])
    expect((await door.refresh(other.refresh_token)).status).toBe(400)
    expect((await door.refresh(mine.refresh_token)).status).toBe(200)
    expect((await door.logIn(tenantId, 'admin', password)).msg).toBe('用户名或密码错误')
    expect((await door.logIn(tenantId, 'admin', strong)).status).toBe(200)
  })

  it('takes parameters of the query and passwords that are not hashed as well', async () => {
    const { tenantId } = await world.tenant()
    const { access_token: token } = await door.logIn(tenantId, 'admin', password)
    const query = { oldPassword: password, newPassword: strong, newPassword1: wireMd5(strong) }
    expect((await world.call('POST', 'blade-user/update-password', token, { query })).status).toBe(200)
    expect((await door.logIn(tenantId, 'admin', strong)).status).toBe(200)
  })

  type Case = [string, [string, string, string?], string, string, string]
  const same = ['新密码不能与原密码相同', 'The new password must differ from the old one'] as const
  const weak = [
    '新密码过于简单或常见，请换一个',
    'The new password is too short or too common: choose another',
  ] as const
  const cases: Case[] = [
    ['a wrong old password', ['wrong', strong], 'oldPassword', '原密码不正确！', 'The old password is wrong!'],
    [
      'two different new ones',
      [password, strong, 'Twelve-Green-Kitez'],
      'newPassword1',
      '请输入正确的确认密码！',
      'The two new passwords differ!',
    ],
    ['the old one again', [password, password], 'newPassword', ...same],
    ['a common one', [password, 'woaini1314'], 'newPassword', ...weak],
    ['a common one with capital and sign', [password, 'Admin@2025'], 'newPassword', ...weak],
    ['the account', [password, 'admin'], 'newPassword', ...weak],
    ['the account twice', [password, 'adminadmin'], 'newPassword', ...weak],
  ]
  it.each(cases)(
    'refuses %s, names the field, and changes nothing',
    async (_title, [old, fresh, again], field, zh, en) => {
      const { tenantId } = await world.tenant()
      const [mine, other] = [
        await door.logIn(tenantId, 'admin', password),
        await door.logIn(tenantId, 'admin', password),
      ]
      for (const [language, words] of [
        ['zh', zh],
        ['en', en],
      ] as const) {
        const answer = await change(mine.access_token, wireMd5(old), wireMd5(fresh), wireMd5(again ?? fresh), language)
        expect([answer.status, answer.msg, answer.data]).toEqual([
          400,
          words,
          { field, fields: [{ field, message: words }] },
        ])
      }
      expect([await info(mine.access_token), await info(other.access_token)]).toEqual([200, 200])
      expect((await door.logIn(tenantId, 'admin', password)).status).toBe(200)
    },
  )

  it('refuses the tenant code and short ones, where it can see them', async () => {
    const { tenantId } = await world.tenant()
    const { access_token: token } = await door.logIn(tenantId, 'admin', password)
    for (const fresh of [`${tenantId}888`, `admin@${tenantId}`, 'Xk7-q'])
      expect([fresh, (await change(token, password, fresh)).msg]).toEqual([fresh, weak[0]])
    expect((await change(token, password, '')).msg).toBe('缺少必要的请求参数：newPassword')
  })

  it('counts wrong old passwords as log-in does', async () => {
    const { tenantId } = await world.tenant()
    const { access_token: token } = await door.logIn(tenantId, 'admin', password)
    for (let count = 0; count < 5; count += 1)
      expect((await change(token, `wrong-${count}`, strong)).msg).toBe('原密码不正确！')
    expect((await change(token, password, strong)).msg).toBe('用户登录失败次数过多，请15分钟后再试')
    expect((await door.logIn(tenantId, 'admin', strong)).msg).toBe('用户登录失败次数过多，请15分钟后再试')
    expect(await info(token)).toBe(200)
  })

  it('takes no longer for the right old password while the account is locked: time must not tell it', async () => {
    const { tenantId } = await world.tenant()
    const { access_token: token } = await door.logIn(tenantId, 'admin', password)
    for (let count = 0; count < 5; count += 1) await change(token, `wrong-${count}`, strong)
    const right = await hashed(() => change(token, password, strong))
    const wrong = await hashed(() => change(token, 'wrong-again', strong))
    for (const { answer } of [right, wrong]) expect(answer.msg).toBe('用户登录失败次数过多，请15分钟后再试')
    expect(right.work).toEqual(wrong.work)
    expect(right.work).toHaveLength(1)
  })

  it('of two changes at once lets one through', async () => {
    const { tenantId } = await world.tenant()
    const tokens = [await door.logIn(tenantId, 'admin', password), await door.logIn(tenantId, 'admin', password)]
    const answers = await Promise.all(tokens.map((each, at) => change(each.access_token, password, `${strong}-${at}`)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    const winner = answers.findIndex((answer) => answer.status === 200)
    expect((await door.logIn(tenantId, 'admin', `${strong}-${winner}`)).status).toBe(200)
    expect([await info(tokens[winner]!.access_token), await info(tokens[1 - winner]!.access_token)]).toEqual([200, 401])
  })

  it('leaves no session to a log-in that was on its way with the old one', async () => {
    const { tenantId } = await world.tenant()
    const { access_token: token } = await door.logIn(tenantId, 'admin', password)
    const [changed, ...late] = await Promise.all([
      change(token, password, strong),
      ...Array.from({ length: 10 }, () => door.logIn(tenantId, 'admin', password)),
    ])
    expect(changed.status).toBe(200)
    for (const each of late) if (each.status === 200) expect(await info(each.access_token)).toBe(401)
    const live = await world.owner.query(
      `select 1 from session where tenant_id = $1 and address is not null and revoked_at is null`,
      [tenantId],
    )
    expect(live.rowCount).toBe(1)
  })
})

describe('a first password', () => {
  it('opens nothing but its own change, log-out and user-info', async () => {
    const admin = await world.tenant()
    const { account } = await door.account(admin, { codes: ['student_view'], mustChange: true, expires: '1 hour' })
    const first = await door.logIn(admin.tenantId, account, password)
    expect(first.must_change).toBe(true)
    const ask = (path: string) => world.call('GET', path, first.access_token)
    const refused = await ask('blade-user/student/list')
    expect([refused.status, refused.msg]).toEqual([403, '请先修改初始密码'])
    expect((await ask('blade-auth/oauth/clear-cache')).status).toBe(403)
    expect((await ask('blade-auth/oauth/user-info')).data).toMatchObject({ account, mustChange: true })
    expect((await door.refresh(first.refresh_token)).must_change).toBe(true)
    expect((await change(first.access_token, password, strong)).status).toBe(200)
    expect((await ask('blade-auth/oauth/user-info')).data).toMatchObject({ mustChange: false })
    expect((await ask('blade-user/student/list')).status).toBe(200)
    const kept = await world.inTenant(admin.tenantId, (tx) =>
      tx.one(
        sql`select k.must_change, k.expires_at from credential k join app_user u on u.tenant_id = k.tenant_id and u.id = k.user_id where k.tenant_id = ${admin.tenantId} and u.account = ${account}`,
      ),
    )
    expect(kept).toEqual({ must_change: 0, expires_at: null })
    expect((await door.logIn(admin.tenantId, account, strong)).must_change).toBeUndefined()
  })

  it('may be logged out from', async () => {
    const admin = await world.tenant()
    const { account } = await door.account(admin, { mustChange: true })
    const { access_token: token } = await door.logIn(admin.tenantId, account, password)
    expect((await world.call('GET', 'blade-auth/oauth/logout', token)).status).toBe(200)
    expect(await info(token)).toBe(401)
  })
})

describe('the policy', () => {
  const own = { account: 'li.wei', tenantId: '123456' }
  it.each([
    '123456',
    'password',
    '88888888',
    'qwertyuiop',
    'li.wei123',
    'LI.WEI',
    'iew.il',
    'wei@2024',
    'li.wei@123456',
  ])('knows the md5 of %s', async (common) => {
    await expect(refuseWeak(wireMd5(common), own)).rejects.toMatchObject({ problem: 'password_weak' })
  })
  it.each(['Twelve-Green-Kites', 'kf83-Lampe-dd0x', '这是一个相当长的密码吧'])(
    'lets %s pass, in either form',
    async (good) => {
      await expect(refuseWeak(wireMd5(good), own)).resolves.toBeUndefined()
      await expect(refuseWeak(good, own)).resolves.toBeUndefined()
    },
  )
  it('takes 32 hex digits for an md5 and hashes anything else', () => {
    expect(md5Of('5F4DCC3B5AA765D61D8327DEB882CF99')).toBe('5f4dcc3b5aa765d61d8327deb882cf99')
    expect(md5Of('password')).toBe('5f4dcc3b5aa765d61d8327deb882cf99')
  })
})
