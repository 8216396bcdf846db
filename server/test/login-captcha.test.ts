import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { wireMd5 } from '../src/kernel/password.ts'
import { captchaPicture, captchaSigns } from '../src/modules/auth/captcha-picture.ts'
import { makeDoor, password } from './auth-door.ts'
import { passTime, readPictures, setParameter } from './login-parts.ts'
import { makeWorld, type World } from './world.ts'

// A picture is read by trying a million texts.
vi.setConfig({ testTimeout: 120_000 })

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

interface Picture {
  key: string
  image: string
  data: { key: string; image: string }
}

const picture = async (tenantId: string): Promise<Picture> => {
  const answer = await world.http.inject({ url: `/api/blade-auth/oauth/captcha?tenantId=${tenantId}` })
  expect(answer.statusCode).toBe(200)
  return JSON.parse(answer.payload) as Picture
}
const keys = async (tenantId: string, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, async () => (await picture(tenantId)).key))

const logIn = (
  tenantId: string,
  key: string | undefined,
  code: string | undefined,
  { secret = password, grant = 'captcha' }: { secret?: string; grant?: string } = {},
) =>
  door.token(
    { grant_type: grant, tenantId, username: 'admin', password: wireMd5(secret), scope: 'all', type: 'account' },
    { headers: { ...(key ? { 'captcha-key': key } : {}), ...(code ? { 'captcha-code': code } : {}) } },
  )

describe('R-AUTH-2 captcha mode', () => {
  it('is off until a tenant turns it on; then a password alone is refused in words, whether right or wrong', async () => {
    const admin = await world.tenant()
    const { tenantId } = admin
    expect((await door.logIn(tenantId, 'admin', password)).access_token).toMatch(/^bsa_/)
    await setParameter(admin, 'login.captcha', '1')
    for (const secret of [password, 'Wrong-Horse-9'])
      expect(await logIn(tenantId, undefined, undefined, { secret, grant: 'password' })).toMatchObject({
        status: 400,
        error: 'captcha_needed',
        error_description: '请输入图形验证码',
        msg: '请输入图形验证码',
        success: false,
      })
    // Nothing of it was judged: no failure was counted.
    const { rows } = await world.owner.query('select 1 from login_failure where tenant_id = $1', [tenantId])
    expect(rows).toEqual([])
    await setParameter(admin, 'login.captcha', '0')
    expect((await door.logIn(tenantId, 'admin', password)).access_token).toMatch(/^bsa_/)
  })

  it('lets in who read the picture, in small letters too, once; of two at once, one', async () => {
    const admin = await world.tenant()
    const { tenantId } = admin
    await setParameter(admin, 'login.captcha', '1')
    const [first, second, third] = (await keys(tenantId, 3)) as [string, string, string]
    const read = await readPictures(world, tenantId, [first, second, third])
    expect((await logIn(tenantId, first, read.get(first)!.toLowerCase())).access_token).toMatch(/^bsa_/)
    expect(await logIn(tenantId, first, read.get(first))).toMatchObject({
      status: 400,
      error_description: '验证码不正确',
    })
    const both = await Promise.all([1, 2, 3, 4].map(() => logIn(tenantId, second, read.get(second))))
    expect(both.filter((answer) => answer.access_token)).toHaveLength(1)
    expect(both.filter((answer) => answer.msg === '验证码不正确')).toHaveLength(3)
    // A wrong password uses the picture up as well.
    expect((await logIn(tenantId, third, read.get(third), { secret: 'Wrong-Horse-9' })).msg).toBe('用户名或密码错误')
    expect((await logIn(tenantId, third, read.get(third))).msg).toBe('验证码不正确')
  })

  it('one wrong reading uses the picture up; so do three minutes', async () => {
    const admin = await world.tenant()
    const { tenantId } = admin
    await setParameter(admin, 'login.captcha', '1')
    const [first, second] = (await keys(tenantId, 2)) as [string, string]
    const read = await readPictures(world, tenantId, [first, second])
    const other = read.get(first) === 'AAAAA' ? 'EEEEE' : 'AAAAA'
    expect((await logIn(tenantId, first, other)).msg).toBe('验证码不正确')
    expect((await logIn(tenantId, first, read.get(first))).msg).toBe('验证码不正确')
    await passTime(world, tenantId, 'captcha', 181)
    expect((await logIn(tenantId, second, read.get(second))).msg).toBe('验证码不正确')
    // The same while it has time left.
    await passTime(world, tenantId, 'captcha', -90)
    expect((await logIn(tenantId, second, read.get(second))).access_token).toMatch(/^bsa_/)
  })

  it('a picture of another tenant, one that was never made, and none at all open nothing', async () => {
    const [mine, other] = [await world.tenant(), await world.tenant()]
    for (const admin of [mine, other]) await setParameter(admin, 'login.captcha', '1')
    const { key } = await picture(other.tenantId)
    const code = (await readPictures(world, other.tenantId, [key])).get(key)!
    expect((await logIn(mine.tenantId, key, code)).msg).toBe('验证码不正确')
    expect((await logIn(mine.tenantId, key.replace(other.tenantId, mine.tenantId), code)).msg).toBe('验证码不正确')
    expect((await logIn(mine.tenantId, 'made-up', code)).msg).toBe('验证码不正确')
    expect((await logIn(mine.tenantId, undefined, code)).msg).toBe('请输入图形验证码')
    expect((await logIn(mine.tenantId, key, undefined)).msg).toBe('请输入图形验证码')
    expect((await logIn(other.tenantId, key, code)).access_token).toMatch(/^bsa_/)
  })

  it('an application that may not use the captcha grant is refused before the picture is used up', async () => {
    const admin = await world.tenant()
    const { tenantId } = admin
    const { key } = await picture(tenantId)
    const refused = await door.token(
      { grant_type: 'captcha', tenantId, username: 'admin', password: wireMd5(password) },
      { client: 'nobody:secret', headers: { 'captcha-key': key, 'captcha-code': 'AAAAA' } },
    )
    expect(refused.error).toBe('invalid_client')
    const { rows } = await world.owner.query<{ tries: number }>('select tries from login_ticket where tenant_id = $1', [
      tenantId,
    ])
    expect(rows).toEqual([{ tries: 0 }])
  })

  it('is a picture of 130 by 48 at twice its size, no two alike, and nothing of it tells its text', async () => {
    const { tenantId } = await world.tenant()
    const { key, image, data } = await picture(tenantId)
    expect(data).toEqual({ key, image })
    const bytes = Buffer.from(image.replace('data:image/png;base64,', ''), 'base64')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 260, height: 96 })
    const code = (await readPictures(world, tenantId, [key])).get(key)!
    expect(code).toMatch(new RegExp(`^[${captchaSigns.join('')}]{5}$`))
    expect(bytes.includes(code)).toBe(false)
    const [one, two] = [await captchaPicture('23467'), await captchaPicture('23467')]
    expect(one.equals(two)).toBe(false)
    // Every sign leaves ink of its own: a dictionary without one would draw nothing there.
    for (const sign of captchaSigns) {
      const { data: pixels } = await sharp(await captchaPicture(sign.repeat(5)))
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect([sign, pixels.filter((pixel) => pixel < 160).length > 1_500]).toEqual([sign, true])
    }
    // A tenant that does not exist looks like any other, and leaves nothing behind.
    expect((await picture('987654')).key).toMatch(/^bst_987654_/)
    const { rows } = await world.owner.query(`select 1 from login_ticket where tenant_id = '987654'`)
    expect(rows).toEqual([])
  })
})

describe('R-AUTH-2 what the log-in page asks before', () => {
  it('tells the ways of a tenant, and no more of one that does not exist', async () => {
    const admin = await world.tenant()
    const ways = async (tenantId: string) =>
      (await world.call('GET', 'blade-auth/oauth/ways', null, { query: { tenantId } })).data
    const off = { captcha: 0, phone: 0, switchMode: 0, social: [] }
    expect(await ways(admin.tenantId)).toEqual(off)
    await setParameter(admin, 'login.captcha', '1')
    await setParameter(admin, 'login.phone', '1')
    await setParameter(admin, 'login.switch', '1')
    expect(await ways(admin.tenantId)).toEqual({ captcha: 1, phone: 1, switchMode: 1, social: [] })
    expect(await ways('987654')).toEqual(off)
  })

  it('tells the tenants of an account without telling whether there is such an account', async () => {
    const admin = await world.tenant()
    const ask = async (account: string, host: string) =>
      (
        await world.call('POST', 'blade-user/selectTenantByAccount', null, {
          form: { account },
          headers: { host },
        })
      ).data
    await world.owner.query(`update tenant set domain = $2 where tenant_id = $1`, [
      admin.tenantId,
      `${admin.tenantId}.school.test`,
    ])
    const [known, unknown] = [
      await ask('admin', `${admin.tenantId}.school.test`),
      await ask('nobody-here', `${admin.tenantId}.school.test`),
    ]
    expect(known).toEqual([{ tenantId: admin.tenantId, tenantName: expect.any(String) }])
    expect(unknown).toEqual(known)
    expect(await ask('admin', 'elsewhere.test')).toEqual([])
    // Of account@domain it is the domain's, wherever somebody comes from; a domain that nobody has tells nothing.
    for (const account of ['admin', 'nobody-here'])
      expect(await ask(`${account}@${admin.tenantId}.School.test`, 'elsewhere.test')).toEqual(known)
    expect(await ask('admin@nobody.test', 'elsewhere.test')).toEqual([])
    expect(await ask('admin@nobody.test', `${admin.tenantId}.school.test`)).toEqual(known)
  })
})
