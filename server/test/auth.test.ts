import { argon2Sync, createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { inPlatform, inTenant } from '../src/database/transaction.ts'
import { wireMd5 } from '../src/kernel/password.ts'
import { accountHash, unlock } from '../src/modules/auth/index.ts'
import { TokenBuckets } from '../src/modules/auth/login-rate.ts'
import { makeDoor, password, type TokenCall } from './auth-door.ts'
import { hashed } from './hashed.ts'
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

const sessions = async (tenantId: string): Promise<number> =>
  (await world.owner.query('select count(*)::int as n from session where tenant_id = $1', [tenantId])).rows[0].n

describe('R-AUTH-1 R-AUTH-9 the token answer', () => {
  it('tells who logged in, with the fields of the wire', async () => {
    const admin = await world.tenant()
    const { status, access_token, refresh_token, jti, dept_id, role_id, ...rest } = await door.logIn(
      admin.tenantId,
      'admin',
      password,
    )
    expect(status).toBe(200)
    expect(access_token).toMatch(new RegExp(`^bsa_${admin.tenantId}_[A-Za-z0-9_-]{43}[0-9a-f]{4}$`))
    expect(refresh_token).toMatch(new RegExp(`^bsr_${admin.tenantId}_[A-Za-z0-9_-]{43}[0-9a-f]{4}$`))
    for (const id of [jti, dept_id, role_id]) expect(id).toMatch(/^[0-9]+$/)
    expect(rest).toEqual({
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'all',
      tenant_id: admin.tenantId,
      user_id: admin.userId,
      post_id: '',
      oauth_id: '',
      account: 'admin',
      user_name: 'admin',
      nick_name: '管理员',
      real_name: '管理员',
      role_name: 'admin',
      avatar: '',
      client_id: world.services.secrets.clientId,
      detail: { type: 'web' },
      license: 'Apache-2.0',
    })
    expect((await world.call('GET', 'blade-auth/oauth/user-info', access_token)).status).toBe(200)
  })

  const ways: [string, TokenCall, boolean][] = [
    ['the query', { via: 'query' }, true],
    ['a urlencoded body', { via: 'form' }, true],
    ['a multipart body', { via: 'multipart' }, true],
    ['a Tenant-Id header instead of the parameter', { via: 'form' }, false],
  ]
  it.each(ways)('comes for parameters in %s', async (_title, call, named) => {
    const { tenantId } = await world.tenant()
    const parameters = {
      grant_type: 'password',
      username: 'admin',
      password: wireMd5(password),
      scope: 'all',
      ...(named ? { tenantId } : {}),
    }
    const answer = await door.token(parameters, { ...call, headers: named ? {} : { 'tenant-id': tenantId } })
    expect([answer.status, answer.tenant_id]).toEqual([200, tenantId])
  })

  it('comes for the md5 in capitals and for the password itself, too', async () => {
    const { tenantId } = await world.tenant()
    for (const secret of [wireMd5(password).toUpperCase(), password])
      expect(
        (await door.token({ grant_type: 'password', tenantId, username: ' admin ', password: secret })).status,
      ).toBe(200)
  })

  it('keeps of tokens nothing but their SHA-256', async () => {
    const { tenantId } = await world.tenant()
    const answer = await door.logIn(tenantId, 'admin', password)
    const kept = await world.owner.query(
      'select s::text as s, r::text as r from session s join refresh_token r on r.session_id = s.id where s.tenant_id = $1',
      [tenantId],
    )
    expect(kept.rows).toHaveLength(1)
    for (const token of [answer.access_token, answer.refresh_token])
      for (const form of [token, Buffer.from(token).toString('hex'), token.slice(11, 40)])
        expect(JSON.stringify(kept.rows)).not.toContain(form)
  })
})

describe('R-AUTH-1 a refusal', () => {
  let admin: Person
  beforeAll(async () => {
    admin = await world.tenant()
  })
  const good = (): Record<string, string> => ({
    grant_type: 'password',
    tenantId: admin.tenantId,
    username: 'admin',
    password: wireMd5(password),
  })
  type Case = [
    string,
    (own: string) => { parameters?: Record<string, string | undefined> } & TokenCall,
    string,
    string,
    string,
  ]
  const failed = ['invalid_grant', '用户名或密码错误', 'Wrong account or password'] as const
  const client = ['invalid_client', '客户端认证失败！', 'Unknown client'] as const
  const grant = ['unsupported_grant_type', '不支持的授权方式', 'Unsupported grant type'] as const
  const cases: Case[] = [
    ['a wrong password', () => ({ parameters: { password: wireMd5('wrong') } }), ...failed],
    ['an unknown account', () => ({ parameters: { username: 'nobody-here' } }), ...failed],
    ['an unknown tenant', () => ({ parameters: { tenantId: '999999' } }), ...failed],
    ['SQL in the account', () => ({ parameters: { username: "admin' or '1'='1" } }), ...failed],
    ['the default password of the family', () => ({ parameters: { password: wireMd5('admin') } }), ...failed],
    ['a missing client', () => ({ client: null }), ...client],
    ['the published client', () => ({ client: 'saber:saber_secret' }), ...client],
    ['another published client', () => ({ client: 'sword:sword_secret' }), ...client],
    ['a wrong client secret', (own) => ({ client: `${own}x` }), ...client],
    ['a client without a secret', (own) => ({ client: own.split(':')[0]! }), ...client],
    ['a client that is not base64', () => ({ client: null, headers: { authorization: 'Basic ***' } }), ...client],
    ['no grant', () => ({ parameters: { grant_type: undefined } }), ...grant],
    [
      'the captcha grant without a picture',
      () => ({ parameters: { grant_type: 'captcha' } }),
      'captcha_needed',
      '请输入图形验证码',
      'Enter the signs of the picture',
    ],
    [
      'the social grant without a source',
      () => ({ parameters: { grant_type: 'social' } }),
      'invalid_request',
      '缺少必要的请求参数：source',
      'Missing parameter: source',
    ],
    ['a grant that is none', () => ({ parameters: { grant_type: 'magic' } }), ...grant],
    ['a grant named as a property of objects', () => ({ parameters: { grant_type: 'constructor' } }), ...grant],
    [
      'no account',
      () => ({ parameters: { username: undefined } }),
      'invalid_request',
      '缺少必要的请求参数：username',
      'Missing parameter: username',
    ],
    [
      'no password',
      () => ({ parameters: { password: undefined } }),
      'invalid_request',
      '缺少必要的请求参数：password',
      'Missing parameter: password',
    ],
    [
      'a tenant that is no code',
      () => ({ parameters: { tenantId: "1' --" } }),
      'invalid_request',
      '租户编号：租户编号为6位数字',
      'Tenant code: the tenant code has six digits',
    ],
    [
      'two different tenants',
      () => ({ headers: { 'tenant-id': '000000' } }),
      'invalid_request',
      '请求头与参数中的租户编号不一致',
      'The tenant of the header is not the tenant of the parameter',
    ],
  ]
  it.each(cases)('of %s says so in both languages and opens nothing', async (_title, make, error, zh, en) => {
    const before = await sessions(admin.tenantId)
    for (const [language, words] of [
      ['zh', zh],
      ['en', en],
    ] as const) {
      const { parameters, ...call } = make(door.own)
      const wish = Object.fromEntries(
        Object.entries({ ...good(), ...parameters }).filter((pair): pair is [string, string] => pair[1] !== undefined),
      )
      expect(await door.token(wish, { ...call, language })).toEqual({
        status: 400,
        error,
        error_description: words,
        code: 400,
        success: false,
        msg: words,
      })
    }
    await world.owner.query('delete from login_failure')
    expect(await sessions(admin.tenantId)).toBe(before)
  })

  it('of a grant that the client may not use names the grant', async () => {
    await world.owner.query(
      `insert into client (id, client_id, client_secret_hash, authorized_grant_types) values (71, 'only-refresh', sha256('a-secret-of-its-own'), '{refresh_token}')`,
    )
    const answer = await door.logIn(admin.tenantId, 'admin', password, { client: 'only-refresh:a-secret-of-its-own' })
    expect([answer.status, answer.error]).toEqual([400, 'unsupported_grant_type'])
    await world.owner.query(`update client set status = 0, authorized_grant_types = '{password}' where id = 71`)
    expect(
      (await door.logIn(admin.tenantId, 'admin', password, { client: 'only-refresh:a-secret-of-its-own' })).error,
    ).toBe('invalid_client')
  })
})

describe('what stands behind an account is told only to who knows the password', () => {
  const cases: [string, { status?: number; expires?: string }, string | undefined, string][] = [
    ['a disabled user', { status: 0 }, undefined, '账号已停用，请联系管理员'],
    ['a one-time password after its day', { expires: '-1 second' }, undefined, '初始密码已过期，请联系管理员重置'],
    ['a disabled tenant', {}, 'status = 0', '租户已停用，请联系平台管理员'],
    ['a tenant past its end', {}, `expire_time = now() - interval '1 second'`, '租户已到期，请联系平台管理员续期'],
  ]
  it.each(cases)('%s', async (_title, given, change, words) => {
    const admin = await world.tenant()
    const { account } = await door.account(admin, given)
    if (change)
      await inPlatform(world.services.platform, (tx) =>
        tx.run(sql`update tenant set ${sql.raw(change)} where tenant_id = ${admin.tenantId}`),
      )
    const before = await sessions(admin.tenantId)
    expect((await door.logIn(admin.tenantId, account, 'wrong')).msg).toBe('用户名或密码错误')
    const answer = await door.logIn(admin.tenantId, account, password)
    expect([answer.status, answer.msg, answer.access_token]).toEqual([400, words, undefined])
    expect(await sessions(admin.tenantId)).toBe(before)
  })

  it('a one-time password within its day opens, and says that it must be changed', async () => {
    const admin = await world.tenant()
    const { account } = await door.account(admin, { expires: '1 hour', mustChange: true })
    const answer = await door.logIn(admin.tenantId, account, password)
    expect([answer.status, answer.must_change]).toEqual([200, true])
  })

  it('an unknown account takes as long as a known one', async () => {
    const { tenantId } = await world.tenant()
    const known = await hashed(() => door.logIn(tenantId, 'admin', 'wrong'))
    const unknown = await hashed(() => door.logIn(tenantId, 'nobody', 'wrong'))
    for (const { answer } of [known, unknown]) expect(answer.msg).toBe('用户名或密码错误')
    expect(unknown.work).toEqual(known.work)
    expect(known.work).toHaveLength(1)
  })
})

describe('B15 lock-out', () => {
  const failTimes = async (tenantId: string, account: string, times: number): Promise<string[]> => {
    const words: string[] = []
    for (let count = 0; count < times; count += 1)
      words.push((await door.logIn(tenantId, account, `wrong-${count}`)).msg!)
    return words
  }
  const wrong = '用户名或密码错误'
  const locked = (minutes: number): string => `用户登录失败次数过多，请${minutes}分钟后再试`

  it('follows five failures, for known and unknown accounts alike, and for nobody else', async () => {
    const [admin, other] = [await world.tenant(), await world.tenant()]
    const { account } = await door.account(admin)
    const expected = [wrong, wrong, wrong, wrong, wrong, locked(15), locked(15)]
    expect(await failTimes(admin.tenantId, 'admin', 7)).toEqual(expected)
    expect(await failTimes(admin.tenantId, 'ghost', 7)).toEqual(expected)
    const right = await door.logIn(admin.tenantId, 'admin', password, { language: 'en' })
    expect([right.status, right.error, right.msg]).toEqual([
      400,
      'invalid_grant',
      'Too many failures: try again in 15 min',
    ])
    expect((await door.logIn(admin.tenantId, 'ADMIN', password)).msg).toBe(locked(15))
    expect((await door.logIn(admin.tenantId, account, password)).status).toBe(200)
    expect((await door.logIn(other.tenantId, 'admin', password)).status).toBe(200)
    expect((await admin.get('blade-auth/oauth/user-info')).status).toBe(200)
  })

  it('is the stranger’s alone: where people of the tenant have been, wrong passwords from elsewhere lock nobody out', async () => {
    const { tenantId } = await world.tenant()
    const school = { address: '192.0.2.7' }
    expect((await door.logIn(tenantId, 'admin', password, school)).status).toBe(200)
    expect((await failTimes(tenantId, 'admin', 6)).at(-1)).toBe(locked(15))
    expect((await door.logIn(tenantId, 'admin', password)).msg).toBe(locked(15))
    expect((await door.logIn(tenantId, 'admin', password, school)).status).toBe(200)
    // Within the school they lock for the school, the same for an account that is none, and each for itself.
    for (const account of ['admin', 'ghost']) {
      const words: string[] = []
      for (let count = 0; count < 6; count += 1)
        words.push((await door.logIn(tenantId, account, `wrong-${count}`, school)).msg!)
      expect(words).toEqual([wrong, wrong, wrong, wrong, wrong, locked(15)])
    }
    expect((await door.logIn(tenantId, 'admin', password, school)).msg).toBe(locked(15))
    // Opened by an administrator, the account is open wherever it was locked.
    const hash = accountHash(world.services.cipher, 'admin', tenantId)
    const opened = await inTenant(world.services.pool, tenantId, (tx) => unlock(tx, { tenantId, hash }))
    expect(opened).toBe(true)
    for (const from of [{}, school]) expect((await door.logIn(tenantId, 'admin', password, from)).status).toBe(200)
  })

  it('doubles up to an hour, and ends by itself', async () => {
    const { tenantId } = await world.tenant()
    for (const minutes of [15, 30, 60, 60]) {
      expect((await failTimes(tenantId, 'admin', 6)).at(-1)).toBe(locked(minutes))
      await world.owner.query(
        `update login_failure set locked_until = now() - interval '1 second' where tenant_id = $1`,
        [tenantId],
      )
    }
    expect((await door.logIn(tenantId, 'admin', password)).status).toBe(200)
    expect((await world.owner.query('select 1 from login_failure where tenant_id = $1', [tenantId])).rowCount).toBe(0)
  })

  it('is forgotten by success, and failures of long ago do not count', async () => {
    const { tenantId } = await world.tenant()
    await failTimes(tenantId, 'admin', 4)
    expect((await door.logIn(tenantId, 'admin', password)).status).toBe(200)
    expect(await failTimes(tenantId, 'admin', 4)).toEqual([wrong, wrong, wrong, wrong])
    await world.owner.query(
      `update login_failure set window_start = now() - interval '16 minutes' where tenant_id = $1`,
      [tenantId],
    )
    expect(await failTimes(tenantId, 'admin', 4)).toEqual([wrong, wrong, wrong, wrong])
    expect((await door.logIn(tenantId, 'admin', password)).status).toBe(200)
  })

  it('judges five of twenty guesses at once, and a right one among the late is not told', async () => {
    const { tenantId } = await world.tenant()
    const guesses = [...Array.from({ length: 19 }, (_, at) => `guess-${at}`), password]
    const answers = await Promise.all(guesses.map((guess) => door.logIn(tenantId, 'admin', guess)))
    expect(answers.filter((answer) => answer.msg === wrong)).toHaveLength(5)
    expect(answers.filter((answer) => answer.msg === locked(15))).toHaveLength(15)
    const [row] = (
      await world.owner.query('select failures, lockouts from login_failure where tenant_id = $1', [tenantId])
    ).rows
    expect(row).toEqual({ failures: 5, lockouts: 1 })
  })

  it('does not meet twenty right log-ins at once', async () => {
    const { tenantId } = await world.tenant()
    const before = await sessions(tenantId)
    const answers = await Promise.all(Array.from({ length: 20 }, () => door.logIn(tenantId, 'admin', password)))
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(new Set(answers.map((answer) => answer.access_token)).size).toBe(20)
    expect(await sessions(tenantId)).toBe(before + 20)
  })

  it('knows the accounts only by a keyed hash', async () => {
    const { tenantId } = await world.tenant()
    await door.logIn(tenantId, 'typed-the-password-here', 'x')
    const { rows } = await world.owner.query(
      'select f::text as f, account_hash from login_failure f where tenant_id = $1',
      [tenantId],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].account_hash).toHaveLength(16)
    expect(rows[0].f).not.toContain(Buffer.from('typed').toString('hex'))
  })
})

describe('an address', () => {
  it('is slowed by at most two seconds, never refused, and free again a moment later', () => {
    const slow = new TokenBuckets({ perMinute: 120, longest: 2_000 })
    const burst = Array.from({ length: 120 }, () => slow.wait('10.0.0.1', 0))
    expect(burst.every((wait) => wait === 0)).toBe(true)
    expect([slow.wait('10.0.0.1', 0), slow.wait('10.0.0.1', 0)]).toEqual([500, 1_000])
    for (let count = 0; count < 5_000; count += 1) expect(slow.wait('10.0.0.1', 1)).toBeLessThanOrEqual(2_000)
    expect(slow.wait('10.0.0.2', 1)).toBe(0)
    expect(slow.wait('10.0.0.1', 5_000)).toBe(0)
  })

  it('of the new kind counts by its network', () => {
    const slow = new TokenBuckets({ perMinute: 2, longest: 2_000 })
    expect([1, 2, 3].map((host) => slow.wait(`2001:db8:1:2::${host}`, 0) > 0)).toEqual([false, false, true])
    expect(slow.wait('2001:db8:1:3::1', 0)).toBe(0)
  })

  it('waits over HTTP too, whatever it says of itself, and its own success changes nothing', async () => {
    const { tenantId } = await world.tenant()
    const address = '192.0.2.77'
    const wrongClient = { client: `${world.services.secrets.clientId}:not-the-secret-of-it`, address }
    const crowd = Promise.all(Array.from({ length: 140 }, () => door.logIn(tenantId, 'admin', password, wrongClient)))
    for (let turn = 0; turn < 2; turn += 1) {
      const began = performance.now()
      const headers = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' }
      expect((await door.logIn(tenantId, 'admin', password, { address, headers })).status).toBe(200)
      expect(performance.now() - began).toBeGreaterThan(turn === 0 ? 500 : 100)
    }
    expect(new Set((await crowd).map((answer) => answer.error))).toEqual(new Set(['invalid_client']))
  })
})

describe('hashing', () => {
  it('beyond the queue says that log-in is busy, and works again when it has drained', async () => {
    const { tenantId } = await world.tenant()
    const crowd = 64 + availableParallelism() + 30
    const answers = await Promise.all(
      Array.from({ length: crowd }, (_, at) => door.logIn(tenantId, `someone-${at}`, 'wrong')),
    )
    const busy = answers.filter((answer) => answer.status === 429)
    expect(busy.length).toBeGreaterThan(0)
    expect(answers.filter((answer) => answer.status === 400).length).toBeGreaterThanOrEqual(65)
    expect(busy[0]).toEqual({
      status: 429,
      error: 'temporarily_unavailable',
      error_description: '登录繁忙，请稍后再试',
      code: 429,
      success: false,
      msg: '登录繁忙，请稍后再试',
    })
    expect((await door.logIn(tenantId, 'admin', password)).status).toBe(200)
  })

  it('holds no connection while it waits', async () => {
    const { tenantId } = await world.tenant()
    const admin = await world.tenant()
    const logIns = Array.from({ length: 40 }, (_, at) => door.logIn(tenantId, `someone-${at}`, 'wrong'))
    // 40 hashes take far longer than this call may, though the world has but 8 connections.
    const began = performance.now()
    expect((await admin.get('blade-auth/oauth/user-info')).status).toBe(200)
    const took = performance.now() - began
    await Promise.all(logIns)
    expect(took).toBeLessThan((performance.now() - began) / 2)
  })

  it('at a former cost is made anew at log-in', async () => {
    const admin = await world.tenant()
    const message = createHmac('sha256', world.services.secrets.pepper).update(wireMd5(password)).digest()
    const nonce = Buffer.alloc(16, 7)
    const tag = argon2Sync('argon2id', { message, nonce, memory: 1_024, passes: 1, parallelism: 1, tagLength: 32 })
    const old = `$argon2id$v=19$m=1024,t=1,p=1$${nonce.toString('base64')}$${tag.toString('base64')}`
    await world.owner.query('update credential set hash = $1 where tenant_id = $2', [old, admin.tenantId])
    expect((await door.logIn(admin.tenantId, 'admin', password)).status).toBe(200)
    const { rows } = await world.owner.query('select hash from credential where tenant_id = $1', [admin.tenantId])
    expect(rows[0].hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await door.logIn(admin.tenantId, 'admin', password)).status).toBe(200)
  })
})
