import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logsOf } from '../src/modules/log/index.ts'
import { addProvider, type Browser, browserOf, home, social } from './social-parts.ts'
import { type Running, startForge, startLiar, startProvider, Visitor } from './social-provider.ts'
import { makeWorld, type Person, type World } from './world.ts'

const application = {
  id: 'data-brain',
  secret: 'the secret of the application',
  redirectUris: [`${home}/login?source=school`],
}

let world: World
let provider: Running
let github: Awaited<ReturnType<typeof startForge>>
let gitee: Awaited<ReturnType<typeof startForge>>
let liar: Awaited<ReturnType<typeof startLiar>>
beforeAll(async () => {
  world = await makeWorld()
  ;[provider, github, gitee, liar] = await Promise.all([
    startProvider(application),
    startForge('github', application.secret),
    startForge('gitee', application.secret),
    startLiar(),
  ])
  liar.clientId = application.id
  const outboundAllow = [provider, github, gitee, liar].map(({ host }) => host)
  Object.assign(world.services.environment, { publicUrl: home, outboundAllow, loginsPerMinute: 1_000_000 })
})
afterAll(async () => {
  await Promise.all([provider, github, gitee, liar].map((each) => each?.close()))
  await world.close()
})

const oidc = (admin: Person, more: Record<string, unknown> = {}) =>
  addProvider(admin, { source: 'school', kind: 'oidc', issuer: provider.url, ...more })

/** Makes the identity of `name` at the provider the caller's own. */
async function linkAs(person: Person, name: string, browser: Browser = browserOf(world)): Promise<void> {
  const away = await browser.leave(person.tenantId, 'school')
  const back = await new Visitor().logIn(away.href, name, home)
  const answer = await browser.link(person, Object.fromEntries(back.searchParams))
  expect(answer.msg).toBe('操作成功')
}

describe('R-AUTH-4 log-in by a real provider of OpenID Connect', () => {
  it('asks with state, nonce and PKCE, and sends the browser back to an address of the provider’s own', async () => {
    const admin = await world.tenant()
    await oidc(admin, { scopes: 'profile email' })
    const away = await browserOf(world).leave(admin.tenantId, 'school')
    expect(away.origin).toBe(provider.url)
    const asked = Object.fromEntries(away.searchParams)
    expect(asked).toMatchObject({
      response_type: 'code',
      client_id: 'data-brain',
      redirect_uri: `${home}/login?source=school`,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    })
    expect(asked.state).toMatch(new RegExp(`^bst_${admin.tenantId}_[\\w-]{43}$`))
    expect(asked.nonce).toMatch(/^[\w-]{43}$/)
    expect(asked.code_challenge).toMatch(/^[\w-]{43}$/)
  })

  it('goes to a provider by the form of the address that names it in the path too', async () => {
    const admin = await world.tenant()
    await oidc(admin)
    const go = (path: string, query = {}) =>
      world.call('GET', `blade-auth/oauth/render/${path}`, null, { query: { tenantId: admin.tenantId, ...query } })
    const { status, headers } = await go('school', { source: 'other' })
    expect([status, new URL(String(headers.location)).searchParams.get('redirect_uri')]).toEqual([
      302,
      `${home}/login?source=school`,
    ])
    for (const odd of ['none', 'a%2Fb', '%0d%0aX:1']) {
      const answer = await go(odd)
      expect([answer.status, String(answer.headers.location).startsWith('/login?')], odd).toEqual([302, true])
    }
  })

  it('R-AUTH-9 gives somebody unknown no tokens but an oauth_id, and somebody known a session', async () => {
    const admin = await world.tenant()
    await oidc(admin)
    const first = await social(browserOf(world), admin.tenantId, 'school', 'zhang')
    expect(first).toMatchObject({
      status: 200,
      access_token: '',
      refresh_token: '',
      user_id: '',
      nick_name: '名叫zhang',
    })
    expect(first.oauth_id).toMatch(/^bst_/)
    const colleague = await world.colleague(admin, [])
    await linkAs(colleague, 'zhang')
    const again = await social(browserOf(world), admin.tenantId, 'school', 'zhang')
    expect(again).toMatchObject({ status: 200, user_id: colleague.userId, tenant_id: admin.tenantId, oauth_id: '' })
    const info = await world.call<{ userId: string }>('GET', 'blade-auth/oauth/user-info', again.access_token)
    expect(info.data.userId).toBe(colleague.userId)
    // The tenant is told by the state where the call does not say it.
    const browser = browserOf(world)
    const away = await browser.leave(admin.tenantId, 'school')
    const back = await new Visitor().logIn(away.href, 'zhang', home)
    expect(await browser.arrive(undefined, back)).toMatchObject({ user_id: colleague.userId })
  })

  it('is offered among the ways of its tenant alone, where it is enabled', async () => {
    const admin = await world.tenant()
    const other = await world.tenant()
    const { id, version } = await oidc(admin)
    const ways = async (tenantId: string) =>
      (await world.call<{ social: unknown[] }>('GET', 'blade-auth/oauth/ways', null, { query: { tenantId } })).data
        .social
    expect(await ways(admin.tenantId)).toEqual([
      { source: 'school', name: '学校账号', nameEn: 'School account', kind: 'oidc' },
    ])
    expect(await ways(other.tenantId)).toEqual([])
    await admin.post('blade-auth/socialprovider/submit', { id, version, status: 0 })
    expect(await ways(admin.tenantId)).toEqual([])
  })

  it('demands the second factor of who has one, and refuses who is disabled', async () => {
    const admin = await world.tenant()
    await oidc(admin)
    const colleague = await world.colleague(admin, [])
    await linkAs(colleague, 'wang')
    await world.owner.query(
      `insert into second_factor (tenant_id, user_id, secret, confirmed_at) values ($1, $2, '\\x00', now())`,
      [admin.tenantId, colleague.userId],
    )
    const half = await social(browserOf(world), admin.tenantId, 'school', 'wang')
    expect(half).toMatchObject({ status: 400, error: 'second_factor_needed' })
    expect(half.access_token).toBeUndefined()
    await world.owner.query('delete from second_factor where tenant_id = $1', [admin.tenantId])
    await world.owner.query('update app_user set status = 0 where tenant_id = $1 and id = $2', [
      admin.tenantId,
      colleague.userId,
    ])
    expect((await social(browserOf(world), admin.tenantId, 'school', 'wang')).access_token).toBeUndefined()
  })
})

describe('R-AUTH-4 a log-in elsewhere cannot be bent', () => {
  let admin: Person
  beforeAll(async () => {
    admin = await world.tenant()
    await oidc(admin)
    await linkAs(await world.colleague(admin, []), 'li')
  })
  const refusedState = { status: 400, error_description: '第三方登录已失效，请在同一浏览器中重新登录' }
  const comeBack = async (browser: Browser, name = 'li'): Promise<URL> =>
    new Visitor().logIn((await browser.leave(admin.tenantId, 'school')).href, name, home)

  it('takes a state once', async () => {
    const browser = browserOf(world)
    const back = await comeBack(browser)
    expect((await browser.arrive(admin.tenantId, back)).access_token).not.toBe('')
    expect(await browser.arrive(admin.tenantId, back)).toMatchObject(refusedState)
  })

  it('takes it once when it comes twice at once', async () => {
    const browser = browserOf(world)
    const back = await comeBack(browser)
    const both = await Promise.all([browser.arrive(admin.tenantId, back), browser.arrive(admin.tenantId, back)])
    expect(both.filter((each) => each.access_token).length).toBe(1)
  })

  it('takes it in the browser where it began, and is used up by a try in another', async () => {
    const browser = browserOf(world)
    const back = await comeBack(browser)
    expect(await browserOf(world).arrive(admin.tenantId, back)).toMatchObject(refusedState)
    const another = browserOf(world)
    await another.leave(admin.tenantId, 'school')
    expect(await another.arrive(admin.tenantId, back)).toMatchObject(refusedState)
    expect(await browser.arrive(admin.tenantId, back)).toMatchObject(refusedState)
  })

  it('takes it for the tenant and the provider that it was made for', async () => {
    const other = await world.tenant()
    await oidc(other)
    await addProvider(admin, { source: 'second', kind: 'oidc', issuer: provider.url })
    const browser = browserOf(world)
    expect(await browser.arrive(other.tenantId, await comeBack(browser))).toMatchObject(refusedState)
    expect(await browser.arrive(admin.tenantId, await comeBack(browser), { source: 'second' })).toMatchObject(
      refusedState,
    )
  })

  it('leaves no code in the logs, whether it was used or not', async () => {
    const admin = await world.tenant()
    await oidc(admin)
    const browser = browserOf(world)
    const given = { source: 'school', code: 'what-nobody-may-read', state: `bst_${admin.tenantId}_${'a'.repeat(43)}` }
    expect((await browser.link(admin, given)).status).toBe(400)
    expect((await browser.arrive(admin.tenantId, new URL(home), given)).status).toBe(400)
    await logsOf(world.services).flush()
    const { rows } = await world.owner.query<{ params: string }>(
      `select params::text as params from log_api where tenant_id = $1 and (request_uri like '%link-identity' or request_uri like '%token')`,
      [admin.tenantId],
    )
    expect(rows).toHaveLength(2)
    for (const { params } of rows) expect(params).not.toMatch(/what-nobody|aaaaa/)
  })

  it('takes none that is older than ten minutes', async () => {
    const browser = browserOf(world)
    const back = await comeBack(browser)
    const left = await world.owner.query<{ seconds: number }>(
      `select extract(epoch from max(expires) - now())::int as seconds from login_ticket where tenant_id = $1 and kind = 'social' and used_at is null`,
      [admin.tenantId],
    )
    expect(left.rows[0]?.seconds).toBeGreaterThan(590)
    expect(left.rows[0]?.seconds).toBeLessThanOrEqual(600)
    await world.owner.query(`update login_ticket set expires = now() - interval '1 second' where tenant_id = $1`, [
      admin.tenantId,
    ])
    expect(await browser.arrive(admin.tenantId, back)).toMatchObject(refusedState)
  })

  it('refuses a code that was got for another log-in, one that is none, and another issuer', async () => {
    const failed = { status: 400, error_description: '第三方登录未能确认您的身份，请重新登录' }
    const stolen = await comeBack(browserOf(world))
    const browser = browserOf(world)
    const code = stolen.searchParams.get('code') ?? ''
    expect(await browser.arrive(admin.tenantId, await comeBack(browser, 'eve'), { code })).toMatchObject(failed)
    expect(await browser.arrive(admin.tenantId, await comeBack(browser), { code: 'made up' })).toMatchObject(failed)
    expect(await browser.arrive(admin.tenantId, await comeBack(browser), { iss: liar.url })).toMatchObject(failed)
  })

  it('refuses an application that is not known, before anything is used up', async () => {
    const browser = browserOf(world)
    const back = await comeBack(browser)
    const answer = await world.call('POST', 'blade-auth/oauth/token', null, {
      form: { grant_type: 'social', ...Object.fromEntries(back.searchParams) },
      headers: { ...browser.headers(), authorization: `Basic ${Buffer.from('nobody:x').toString('base64')}` },
    })
    expect(answer.status).toBe(400)
    expect((await browser.arrive(admin.tenantId, back)).access_token).toMatch(/^bsa_/)
  })

  it('goes nowhere by a provider that is disabled, unknown or away, and says so on the log-in page', async () => {
    const { id, version } = await addProvider(admin, { source: 'off', kind: 'oidc', issuer: provider.url })
    const browser = browserOf(world)
    const back = await new Visitor()
      .logIn((await browser.leave(admin.tenantId, 'off')).href, 'li', home)
      .catch((error: Error) => error.message)
    // That address was not registered with the provider.
    expect(back).toMatch(/the provider/)
    await admin.post('blade-auth/socialprovider/submit', { id, version, status: 0 })
    const error = async (source: string) =>
      (await browserOf(world).leave(admin.tenantId, source)).searchParams.get('error')
    expect(await error('off')).toBe('unavailable')
    expect(await error('nothing')).toBe('unavailable')
    await addProvider(admin, { source: 'inner', kind: 'oidc', issuer: 'http://127.0.0.1:9' })
    await addProvider(admin, { source: 'plain', kind: 'oidc', issuer: 'http://example.com' })
    expect(await error('inner')).toBe('unreachable')
    expect(await error('plain')).toBe('unreachable')
  })

  it('tells an administrator whether a provider is there, and the address to register with it', async () => {
    const own = await world.tenant()
    const checked = async (draft: Record<string, unknown>) => {
      const { id } = await addProvider(own, { kind: 'oidc', ...draft })
      return own.post<{ redirectUri: string }>('blade-auth/socialprovider/check', undefined, { query: { id } })
    }
    expect((await checked({ source: 'school', issuer: provider.url })).data).toEqual({
      redirectUri: `${home}/login?source=school`,
    })
    expect((await checked({ source: 'git', kind: 'github', issuer: github.url })).status).toBe(200)
    expect((await checked({ source: 'inner', issuer: 'https://127.0.0.1:9' })).msg).toContain('OUTBOUND_ALLOW')
    expect((await checked({ source: 'plain', issuer: 'http://example.com' })).msg).toContain('https')
    expect((await checked({ source: 'wrong', issuer: `${github.url}/nothing` })).msg).toContain('OpenID Connect')
    const { id } = await addProvider(own, { source: 'mine', kind: 'oidc', issuer: provider.url })
    const other = await world.tenant()
    expect((await other.post('blade-auth/socialprovider/check', undefined, { query: { id } })).status).toBe(404)
  })

  it('marks the browser by a cookie that no other host can set where the site has TLS', async () => {
    const own = await world.tenant()
    await oidc(own)
    Object.assign(world.services.environment, { publicUrl: 'https://school.example.com' })
    try {
      const answer = await world.call('GET', 'blade-auth/oauth/render', null, {
        query: { source: 'school', tenantId: own.tenantId },
      })
      expect(answer.headers['set-cookie']).toMatch(
        /^__Host-social=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1800; Secure$/,
      )
      expect(new URL(String(answer.headers.location)).searchParams.get('redirect_uri')).toBe(
        'https://school.example.com/login?source=school',
      )
    } finally {
      Object.assign(world.services.environment, { publicUrl: home })
    }
  })

  it('stops a log-in that is under way when its provider is disabled', async () => {
    const own = await world.tenant()
    const { id, version } = await oidc(own)
    const browser = browserOf(world)
    const back = await new Visitor().logIn((await browser.leave(own.tenantId, 'school')).href, 'li', home)
    await own.post('blade-auth/socialprovider/submit', { id, version, status: 0 })
    expect(await browser.arrive(own.tenantId, back)).toMatchObject({
      status: 400,
      error_description: '该第三方登录方式不可用',
    })
  })
})

describe('R-AUTH-4 an ID token is judged whole', () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const cases: [string, Partial<typeof liar.lies>, boolean][] = [
    ['takes a right one', {}, true],
    ['refuses another audience', { claims: (right) => ({ ...right, aud: 'somebody else' }) }, false],
    ['refuses another issuer', { claims: (right) => ({ ...right, iss: 'https://accounts.example.com' }) }, false],
    ['refuses another nonce', { claims: (right) => ({ ...right, nonce: 'of yesterday' }) }, false],
    ['refuses none', { claims: ({ nonce: _, ...right }) => right }, false],
    ['refuses one that is over', { claims: (right) => ({ ...right, exp: Number(right.iat) - 600 }) }, false],
    ['refuses one that names nobody', { claims: ({ sub: _, ...right }) => right }, false],
    ['refuses one that another key signed', { key: other }, false],
    [
      'refuses a provider that says it is another',
      { about: (right) => ({ ...right, issuer: 'https://accounts.example.com' }) },
      false,
    ],
  ]
  for (const [title, lies, good] of cases)
    it(title, async () => {
      const admin = await world.tenant()
      await addProvider(admin, { source: 'liar', kind: 'oidc', issuer: liar.url })
      liar.lies = { claims: (right) => right, ...lies }
      const browser = browserOf(world)
      const away = await browser.leave(admin.tenantId, 'liar')
      if (lies.about) return expect(away.searchParams.get('error')).toBe('unreachable')
      liar.nonce = away.searchParams.get('nonce') ?? ''
      const back = new URL(`${home}/login?source=liar&code=any`)
      back.searchParams.set('state', away.searchParams.get('state') ?? '')
      const answer = await browser.arrive(admin.tenantId, back)
      if (good) return expect(answer.oauth_id).toMatch(/^bst_/)
      expect(answer).toMatchObject({ status: 400, error_description: '第三方登录未能确认您的身份，请重新登录' })
      return expect(answer.oauth_id).toBeUndefined()
    })
})

describe('R-AUTH-4 GitHub and Gitee', () => {
  for (const kind of ['github', 'gitee'] as const)
    it(`know people of ${kind} by their number there, never by an e-mail address`, async () => {
      const forge = kind === 'github' ? github : gitee
      const admin = await world.tenant()
      await addProvider(admin, { source: kind, kind, issuer: forge.url, providerName: kind })
      const go = async (browser: Browser, as: number): Promise<URL> => {
        const away = await browser.leave(admin.tenantId, kind)
        away.searchParams.set('as', String(as))
        const answer = await fetch(away, { redirect: 'manual' })
        return new URL(answer.headers.get('location') ?? '')
      }
      const browser = browserOf(world)
      const first = await browser.arrive(admin.tenantId, await go(browser, 7))
      expect(first).toMatchObject({ status: 200, user_id: '', nick_name: 'dev7' })
      expect(forge.lastQuery()).toContain('code_challenge_method=S256')
      const colleague = await world.colleague(admin, [])
      expect((await browser.link(colleague, { oauthId: String(first.oauth_id) })).msg).toBe('操作成功')
      const known = await browser.arrive(admin.tenantId, await go(browser, 7))
      expect(known.user_id).toBe(colleague.userId)
      // Somebody else with the same e-mail address is somebody else.
      expect(await browser.arrive(admin.tenantId, await go(browser, 8))).toMatchObject({
        user_id: '',
        nick_name: 'dev8',
      })
      const wrong = await go(browser, 7)
      expect(await browser.arrive(admin.tenantId, wrong, { code: 'code-7x' })).toMatchObject({
        error_description: '第三方登录未能确认您的身份，请重新登录',
      })
    })
})
