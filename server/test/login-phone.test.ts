import { describe, expect, it, vi } from 'vitest'
import { makeApp } from '../src/app.ts'
import { sql } from '../src/database/statement.ts'
import { deliverDue } from '../src/modules/sms/index.ts'
import { makeDoor, type TokenAnswer } from './auth-door.ts'
import { passTime, readPictures, setParameter } from './login-parts.ts'
import { enable, gateway, phone, service, services, tenantWith, useSms, world } from './sms-parts.ts'
import type { Answer, Person } from './world.ts'

// A picture is read by trying a million texts.
vi.setConfig({ testTimeout: 120_000 })

useSms()

/** A tenant that logs people in by phone, with the local gateway. */
async function byPhone(): Promise<Person> {
  const admin = await tenantWith('gateway')
  await setParameter(admin, 'login.phone', '1')
  return admin
}

/** Gives somebody of a tenant a number. */
async function somebody(admin: Person, number: string): Promise<string> {
  const { userId } = await makeDoor(world).account(admin)
  await world.inTenant(admin.tenantId, (tx) =>
    tx.run(
      sql`update app_user set phone_hash = ${world.services.cipher.hash(number, admin.tenantId)},
            phone = ${world.services.cipher.seal(number, { table: 'app_user', column: 'phone', tenantId: admin.tenantId, id: userId })}
          where tenant_id = ${admin.tenantId} and id = ${userId}`,
    ),
  )
  return userId
}

type Asked = Answer<{ wait: number } | null>

const ask = (
  tenantId: string,
  number: string,
  { headers, language }: { headers?: Record<string, string>; language?: 'zh' | 'en' } = {},
): Promise<Asked> =>
  world.call('POST', 'blade-auth/oauth/sms-code', null, {
    form: { tenantId, phone: number },
    headers: headers ?? {},
    language: language ?? 'zh',
  })

/** The code that the gateway was given last. */
async function arrivedCode(tenantId: string): Promise<string> {
  await deliverDue(services, tenantId)
  expect(gateway.forged).toEqual([])
  return (JSON.parse(gateway.arrived.at(-1)!.body) as { params: { code: string } }).params.code
}

const logIn = (tenantId: string, number: string, code: string): Promise<TokenAnswer> =>
  makeDoor(world).token({ grant_type: 'sms_code', tenantId, phone: number, code, scope: 'all' })

const wrongOf = (code: string): string => (code === '000000' ? '000001' : '000000')

describe('R-AUTH-3 log-in by phone code', () => {
  it('sends six digits to the number and lets its owner in, once; of several at once, one', async () => {
    const admin = await byPhone()
    const number = phone()
    const userId = await somebody(admin, number)
    expect((await ask(admin.tenantId, number)).data).toEqual({ wait: 60 })
    const code = await arrivedCode(admin.tenantId)
    expect(code).toMatch(/^[0-9]{6}$/)
    const all = await Promise.all([1, 2, 3, 4].map(() => logIn(admin.tenantId, number, code)))
    const [inside] = all.filter((answer) => answer.access_token)
    expect(all.filter((answer) => answer.access_token)).toHaveLength(1)
    expect(inside).toMatchObject({ user_id: userId, tenant_id: admin.tenantId })
    expect(all.filter((answer) => answer.msg === '短信验证码不正确或已失效')).toHaveLength(3)
    expect((await world.call('GET', 'blade-auth/oauth/user-info', inside!.access_token)).status).toBe(200)
    // The code is nowhere in clear: neither with the ticket nor in the log of texts.
    const { rows } = await world.owner.query<{ all: string }>(
      `select (select string_agg(t::text, '|') from login_ticket t where tenant_id = $1) || (select string_agg(t::text, '|') from sms_log t where tenant_id = $1) as all`,
      [admin.tenantId],
    )
    expect(rows[0]!.all).not.toContain(code)
    expect(rows[0]!.all).not.toContain(number)
  })

  it('works five minutes and five tries long', async () => {
    const admin = await byPhone()
    const [late, tried, last] = [phone(), phone(), phone()]
    const codes: Record<string, string> = {}
    for (const number of [late, tried, last]) {
      await somebody(admin, number)
      await ask(admin.tenantId, number)
      codes[number] = await arrivedCode(admin.tenantId)
    }
    for (let n = 0; n < 5; n += 1) expect((await logIn(admin.tenantId, tried, wrongOf(codes[tried]!))).status).toBe(400)
    expect((await logIn(admin.tenantId, tried, codes[tried]!)).msg).toBe('短信验证码不正确或已失效')
    // Four wrong ones leave one try, also when they come at once.
    await Promise.all([1, 2, 3, 4].map(() => logIn(admin.tenantId, last, wrongOf(codes[last]!))))
    expect((await logIn(admin.tenantId, last, codes[last]!)).access_token).toMatch(/^bsa_/)
    await passTime(world, admin.tenantId, 'phone', 301)
    expect((await logIn(admin.tenantId, late, codes[late]!)).msg).toBe('短信验证码不正确或已失效')
    await passTime(world, admin.tenantId, 'phone', -120)
    expect((await logIn(admin.tenantId, late, codes[late]!)).access_token).toMatch(/^bsa_/)
  })

  it('only the newest code of a number counts', async () => {
    const admin = await byPhone()
    const number = phone()
    await somebody(admin, number)
    await ask(admin.tenantId, number)
    const first = await arrivedCode(admin.tenantId)
    await passTime(world, admin.tenantId, 'phone', 61)
    await world.owner.query(`update sms_log set create_time = create_time - interval '61 s' where tenant_id = $1`, [
      admin.tenantId,
    ])
    await ask(admin.tenantId, number)
    const second = await arrivedCode(admin.tenantId)
    expect(gateway.arrived).toHaveLength(2)
    if (first !== second) expect((await logIn(admin.tenantId, number, first)).status).toBe(400)
    expect((await logIn(admin.tenantId, number, second)).access_token).toMatch(/^bsa_/)
  })

  it('answers alike whether or not the number is somebody’s: words, limits and time; only the text is not sent', async () => {
    const admin = await byPhone()
    const [known, unknown] = [phone(), phone()]
    await somebody(admin, known)
    const plain = ({ headers: _, ...answer }: Asked) => answer
    const timed = async (number: string) => {
      const started = performance.now()
      const answer = plain(await ask(admin.tenantId, number))
      return { answer, took: performance.now() - started }
    }
    const [one, two] = [await timed(known), await timed(unknown)]
    expect(two.answer).toEqual(one.answer)
    for (const { took } of [one, two]) expect(took).toBeGreaterThan(390)
    await deliverDue(services, admin.tenantId)
    expect(gateway.arrived).toHaveLength(1)
    // The second within the minute is refused alike.
    const seconds = (answer: Asked) => answer.msg.replace(/\d+秒/, 'n秒')
    const again = [await ask(admin.tenantId, known), await ask(admin.tenantId, unknown)]
    for (const answer of again) {
      expect(answer.status).toBe(429)
      expect(seconds(answer)).toBe('验证码发送过于频繁，请n秒后再试')
      expect((answer.data as unknown as { retryAfter: number }).retryAfter).toBeGreaterThan(50)
    }
    // So are wrong codes.
    const [wrong, none] = [
      await logIn(admin.tenantId, known, wrongOf(await arrivedCode(admin.tenantId))),
      await logIn(admin.tenantId, unknown, '123456'),
    ]
    expect(none).toEqual(wrong)
  })

  it('one number gets one code a minute and ten a day, also when they are asked for at once', async () => {
    const admin = await byPhone()
    const number = phone()
    await somebody(admin, number)
    const at = await Promise.all([1, 2, 3, 4].map(() => ask(admin.tenantId, number)))
    expect(at.map((answer) => answer.status).sort()).toEqual([200, 429, 429, 429])
    for (let n = 1; n < 10; n += 1) {
      await passTime(world, admin.tenantId, 'phone', 61)
      expect((await ask(admin.tenantId, number)).status).toBe(200)
    }
    await passTime(world, admin.tenantId, 'phone', 61)
    const eleventh = await ask(admin.tenantId, number)
    expect([eleventh.status, eleventh.msg]).toEqual([429, expect.stringMatching(/请\d{3,4}分钟后再试/)])
    // Another tenant's count is its own.
    expect((await ask((await byPhone()).tenantId, number)).status).toBe(200)
  })

  it('a number that several accounts have leads to the account, and only who holds the phone learns it', async () => {
    const admin = await byPhone()
    const number = phone()
    await somebody(admin, number)
    await somebody(admin, number)
    expect((await ask(admin.tenantId, number)).data).toEqual({ wait: 60 })
    const code = await arrivedCode(admin.tenantId)
    expect((await logIn(admin.tenantId, number, wrongOf(code))).msg).toBe('短信验证码不正确或已失效')
    expect((await logIn(admin.tenantId, number, code)).msg).toBe('该手机号码对应多个账号，请使用账号密码登录')
  })

  it('a code of one tenant opens nothing in another, and a disabled user is told so', async () => {
    const [admin, other] = [await byPhone(), await byPhone()]
    const number = phone()
    const userId = await somebody(admin, number)
    await somebody(other, number)
    await ask(admin.tenantId, number)
    const code = await arrivedCode(admin.tenantId)
    expect((await logIn(other.tenantId, number, code)).msg).toBe('短信验证码不正确或已失效')
    await world.owner.query('update app_user set status = 2 where tenant_id = $1 and id = $2', [admin.tenantId, userId])
    expect((await logIn(admin.tenantId, number, code)).msg).toBe('账号已停用，请联系管理员')
  })

  it('is refused where the tenant has not turned it on, or no service can send', async () => {
    const admin = await tenantWith('gateway')
    const number = phone()
    expect((await ask(admin.tenantId, number)).msg).toBe('该登录方式未启用')
    expect((await logIn(admin.tenantId, number, '123456')).msg).toBe('该登录方式未启用')
    const bare = await world.tenant()
    await setParameter(bare, 'login.phone', '1')
    expect((await ask(bare.tenantId, number)).msg).toBe('尚未启用短信配置')
    // A service named for it is used though another is enabled.
    const named = await service(bare, 'gateway')
    await setParameter(bare, 'login.smsTemplate', 'S-gateway')
    expect((await bare.remove('blade-resource/sms', named.id)).code).toBe(200)
    expect((await ask(bare.tenantId, number)).msg).toBe('没有编号为 S-gateway 的短信配置')
    await service(bare, 'gateway')
    expect((await enable(bare, (await service(bare, 'yunpian')).id)).code).toBe(200)
    await somebody(bare, number)
    expect((await ask(bare.tenantId, number)).status).toBe(200)
    await deliverDue(services, bare.tenantId)
    expect(gateway.arrived.map((each) => each.url.pathname)).toEqual(['/gateway'])
  })

  it('R-AUTH-11 says what is wrong with a number, in the specification’s words', async () => {
    const { tenantId } = await byPhone()
    for (const [number, words] of [
      ['', '手机号码不能为空'],
      ['1380000', '手机号码长度不为11位'],
      ['12800000000', '手机号码格式不正确'],
      ['1380000000a', '手机号码格式不正确'],
    ] as const) {
      const answer = await ask(tenantId, number)
      expect([answer.status, answer.msg]).toEqual([400, words])
    }
    expect((await ask(tenantId, '12800000000', { language: 'en' })).msg).toBe('The mobile number is not well formed')
  })

  it('in captcha mode asks for a picture once half of the tenant’s texts of the day are gone, and stops at all of them', async () => {
    const admin = await byPhone()
    await setParameter(admin, 'login.captcha', '1')
    await setParameter(admin, 'sms.perTenantDay', '2')
    const numbers = [phone(), phone(), phone()]
    for (const number of numbers) await somebody(admin, number)
    expect((await ask(admin.tenantId, numbers[0]!)).status).toBe(200)
    expect((await ask(admin.tenantId, numbers[1]!)).msg).toBe('请输入图形验证码')
    const { key } = (await world.call<{ key: string }>('GET', `blade-auth/oauth/captcha`, null, {
      query: { tenantId: admin.tenantId },
    })) as unknown as { key: string }
    const code = (await readPictures(world, admin.tenantId, [key])).get(key)!
    const headers = { 'captcha-key': key, 'captcha-code': code }
    expect((await ask(admin.tenantId, numbers[1]!, { headers })).status).toBe(200)
    // Told to everybody alike, whosever the number is.
    for (const number of [numbers[2]!, phone()]) {
      const full = await ask(admin.tenantId, number, { headers })
      expect([full.status, full.msg]).toEqual([429, '本租户24小时内的短信已达上限（2条），请使用账号密码登录'])
    }
  })

  it('an application that may not use phone codes is refused before the code is used up', async () => {
    const admin = await byPhone()
    const number = phone()
    await somebody(admin, number)
    await ask(admin.tenantId, number)
    const code = await arrivedCode(admin.tenantId)
    const refused = await makeDoor(world).token(
      { grant_type: 'sms_code', tenantId: admin.tenantId, phone: number, code },
      { client: 'nobody:secret' },
    )
    expect(refused.error).toBe('invalid_client')
    expect((await logIn(admin.tenantId, number, code)).access_token).toMatch(/^bsa_/)
  })
})

describe('R-LOG-1 log-in by phone code in the logs', () => {
  it('is a log-in of the person, and its code stands nowhere', async () => {
    const admin = await byPhone()
    const number = phone()
    const userId = await somebody(admin, number)
    await ask(admin.tenantId, number)
    const code = await arrivedCode(admin.tenantId)
    const http = makeApp(world.services)
    await makeDoor(world).token(
      { grant_type: 'sms_code', tenantId: admin.tenantId, phone: number, code: wrongOf(code) },
      { http },
    )
    await makeDoor(world).token({ grant_type: 'sms_code', tenantId: admin.tenantId, phone: number, code }, { http })
    await http.close()
    const { rows } = await world.owner.query<{ log_id: string; user_id: string | null; all: string }>(
      `select log_id, user_id, t::text as all from log_usual t where tenant_id = $1 and log_id in ('login', 'login_failed') order by id`,
      [admin.tenantId],
    )
    expect(rows.map((row) => row.log_id)).toEqual(['login_failed', 'login'])
    const { rows: calls } = await world.owner.query<{ all: string }>(
      `select coalesce(string_agg(t::text, '|'), '') as all from log_api t where tenant_id = $1`,
      [admin.tenantId],
    )
    for (const text of [...rows.map((row) => row.all), calls[0]!.all]) {
      expect(text).not.toContain(code)
      expect(text).not.toContain(number)
    }
    expect(calls[0]!.all).toContain('oauth/token')
    expect(userId).toMatch(/^\d+$/)
  })
})
