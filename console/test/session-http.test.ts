import { defineCall } from '@data-brain/contract/call'
import { integerValue } from '@data-brain/contract/shape'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectHttp, get, HttpProblem, post } from '../src/http/client.ts'
import { followUser, gaveWay, isOthers, localLogout, logout, sessionLost, setLeave } from '../src/session/end.ts'
import { loadSession } from '../src/session/load.ts'
import { flattenCodes, menuStore } from '../src/session/menus.ts'
import { refreshIfDue, tokenTime } from '../src/session/refresh.ts'
import { mayUse, sessionStore } from '../src/session/session.ts'
import { accessToken, keepTokens } from '../src/session/tokens.ts'
import { good, serve } from './answers.ts'

const failed = vi.fn<(problem: HttpProblem) => void>()
const unauthorized = vi.fn<(problem: HttpProblem) => void>()
const left = vi.fn<(address: string) => void>()

beforeEach(() => {
  connectHttp({
    token: () => accessToken() || undefined,
    language: () => 'en',
    unknown: () => '未知错误',
    timedOut: () => 'slow',
    offline: () => 'offline',
    failed,
    unauthorized,
  })
  setLeave(left)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
  localLogout()
})

const failure = async (call: Promise<unknown>): Promise<HttpProblem> => {
  const problem = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(problem).toBeInstanceOf(HttpProblem)
  return problem as HttpProblem
}

describe('the one client', () => {
  describe('R-CALL-1 sends client, token, language and the cookies on every call, under /api', () => {
    const form = new FormData()
    const calls: [string, RequestInit, (client: typeof import('../src/http/client.ts')) => Promise<unknown>][] = [
      ['get', {}, ({ get }) => get('blade-x/one', { current: 1, name: '', ids: ['a', 'b'] })],
      [
        'post',
        { method: 'POST', body: '{"a":1}' },
        ({ post }) => post('blade-x/one', { query: { current: 1, ids: ['a', 'b'] }, body: { a: 1 } }),
      ],
      [
        'a form',
        { method: 'POST', body: form },
        ({ post }) => post('blade-x/one', { query: { current: 1, ids: ['a', 'b'] }, form }),
      ],
      [
        'a bare post',
        { method: 'POST' },
        ({ postBare }) => postBare('blade-x/one', { query: { current: 1, ids: ['a', 'b'] } }),
      ],
      ['a stream', {}, ({ openStream }) => openStream('blade-x/one', { current: 1, ids: ['a', 'b'] })],
      ['a download', {}, ({ download }) => download('blade-x/one', { current: 1, ids: ['a', 'b'] })],
      [
        'a download by POST',
        { method: 'POST', body: '{"a":1}' },
        ({ download }) => download('blade-x/one?current=1&ids=a,b', undefined, { body: { a: 1 } }),
      ],
    ]
    /** What one call sends, by a client that was told who it is by the page. */
    const sent = async (
      act: (client: typeof import('../src/http/client.ts')) => Promise<unknown>,
      token: string | undefined,
    ) => {
      document.body.innerHTML =
        '<script type="application/json" id="boot">{"clientId":"sword","clientSecret":"of-words"}</script>'
      vi.resetModules()
      const client = await import('../src/http/client.ts')
      client.connectHttp({ token: () => token, language: () => 'en' })
      const asked: [string, RequestInit][] = []
      vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
        asked.push([address, init])
        return new Response('{"code":200,"data":1}')
      })
      await act(client)
      expect(asked).toHaveLength(1)
      return asked[0]!
    }
    const always = { Authorization: `Basic ${btoa('sword:of-words')}`, 'Accept-Language': 'en' }

    it.each(calls)('%s', async (_, wanted, act) => {
      const json = typeof wanted.body === 'string' ? { 'Content-Type': 'application/json' } : {}
      const [address, { signal, ...init }] = await sent(act, 'abc')
      expect(decodeURIComponent(address)).toBe('/api/blade-x/one?current=1&ids=a,b')
      expect(signal).toBeInstanceOf(AbortSignal)
      const headers = { ...always, 'Blade-Auth': 'bearer abc', ...json }
      expect(init).toEqual({ credentials: 'same-origin', ...wanted, headers })
      // Who is not logged in has no token, and says nothing of one.
      const [, stranger] = await sent(act, undefined)
      expect(stranger.headers).toEqual({ ...always, ...json })
    })

    it('an upload', async () => {
      const open = vi.fn()
      const header = vi.fn()
      class Request {
        upload = {}
        status = 200
        responseText = '{"code":200,"data":7}'
        onload = () => {}
        open = open
        setRequestHeader = header
        send = () => this.onload()
      }
      vi.stubGlobal('XMLHttpRequest', Request)
      keepTokens({ access_token: 'abc' })
      const { upload } = await import('../src/http/upload.ts')
      const client = await import('../src/http/client.ts')
      client.connectHttp({ token: () => 'abc', language: () => 'en' })
      const signal = new AbortController().signal
      const one = defineCall({
        ...{
          method: 'POST',
          path: 'blade-x/one',
          of: 'x',
          access: 'session',
          summary: { zh: '', en: '' },
          upload: true,
        },
        answer: integerValue(),
      })
      expect(await upload(one, new File(['x'], 'x.png'), { signal, progress: () => {} })).toBe(7)
      expect(open).toHaveBeenCalledExactlyOnceWith('POST', '/api/blade-x/one')
      expect(Object.fromEntries(header.mock.calls)).toEqual({
        Authorization: expect.stringMatching(/^Basic /),
        'Accept-Language': 'en',
        'Blade-Auth': 'bearer abc',
      })
    })

    it('and nothing else in the console speaks to the server', () => {
      const sources = import.meta.glob<string>('../src/**/*.{ts,tsx}', {
        query: '?raw',
        import: 'default',
        eager: true,
      })
      expect(Object.keys(sources).length).toBeGreaterThan(200)
      const speaks = /(?<![\w.])fetch\([`'"]\/|XMLHttpRequest|sendBeacon|new EventSource|new WebSocket/
      const speaking = Object.entries(sources).flatMap(([file, text]) => (speaks.test(text) ? [file] : []))
      expect(speaking.sort()).toEqual(['../src/http/client.ts', '../src/http/upload.ts'])
    })
  })

  it('A3 sends a call once more with the reason that a child’s record is read for, where the server asks for it', async () => {
    const explain = vi.fn(async (_: readonly string[]): Promise<string | undefined> => '家访')
    connectHttp({ explain })
    const seen = serve({
      x: ({ init }) =>
        'Read-Reason' in (init.headers as object)
          ? good({ id: '7' })
          : { status: 428, body: { code: 428, msg: 'why', data: { children: ['7'] } } },
    })
    expect(await get('x', { id: '7' })).toEqual({ id: '7' })
    expect(explain).toHaveBeenCalledExactlyOnceWith(['7'])
    const sent = seen.map(({ query, init }) => [
      query.toString(),
      (init.headers as Record<string, string>)['Read-Reason'],
    ])
    expect(sent).toEqual([
      ['id=7', undefined],
      ['id=7', encodeURIComponent('家访')],
    ])
    // Whoever does not say is told what the server says; what goes for all is sent at once.
    explain.mockResolvedValueOnce(undefined)
    expect((await failure(get('x'))).message).toBe('why')
    connectHttp({ reason: () => '核对' })
    explain.mockClear()
    await get('x')
    expect(explain).not.toHaveBeenCalled()
    connectHttp({ explain: async () => undefined, reason: () => undefined })
  })

  it.each([
    ['msg', { code: 400, msg: '姓名：必填', error_description: 'other' }, 400, '姓名：必填'],
    ['error_description without msg', { code: 400, error_description: '用户名或密码错误' }, 400, '用户名或密码错误'],
    ['未知错误 without either', { code: 500 }, 500, '未知错误'],
    ['msg of a code that is not 200 in an answer that is', { code: 400, msg: 'no' }, 200, 'no'],
  ])('R-ERR-1 shows %s', async (_, body, status, words) => {
    serve({ x: { status, body } })
    const problem = await failure(get('x'))
    expect(problem.message).toBe(words)
    expect(failed).toHaveBeenCalledExactlyOnceWith(problem)
  })

  it('R-ERR-1 fails on an answer that is not the product’s', async () => {
    serve({ x: { status: 200 } })
    expect((await failure(get('x'))).message).toBe('未知错误')
  })

  it('R-ERR-1 rejects whitelisted codes and silent calls without a toast', async () => {
    serve({
      x: { status: 409, body: { code: 409, msg: 'stale', data: { yours: 1 } } },
      y: { status: 400, body: { code: 400, msg: 'no' } },
    })
    expect((await failure(post('x', { body: {} }))).data).toEqual({ yours: 1 })
    await failure(get('y', undefined, { silent: true }))
    expect(failed).not.toHaveBeenCalled()
  })

  it('R-ERR-1 rejects when there is no network', async () => {
    serve({ x: new TypeError('fetch failed') })
    expect(await failure(get('x'))).toMatchObject({ message: 'offline', status: 0 })
  })

  it('R-ERR-1 gives up after 10 000 ms', async () => {
    vi.useFakeTimers()
    const never = vi.fn(
      (_: string, init: RequestInit) =>
        new Promise((_resolve, reject) =>
          init.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
        ),
    )
    vi.stubGlobal('fetch', never)
    const problem = failure(get('x'))
    await vi.advanceTimersByTimeAsync(9_999)
    expect(failed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect((await problem).message).toBe('slow')
  })

  it('R-AUTH-7 tells of a 401 in the answer or in the status, silent or not', async () => {
    serve({ x: { status: 401, body: { code: 401, msg: 'out' } }, y: { status: 200, body: { code: 401, msg: 'out' } } })
    await failure(get('x', undefined, { silent: true }))
    await failure(get('y'))
    expect(unauthorized).toHaveBeenCalledTimes(2)
    expect(failed).not.toHaveBeenCalled()
  })

  it('R-ERR-4 notices that the server runs another build', async () => {
    const newBuild = vi.fn()
    document.body.innerHTML = '<script type="application/json" id="boot">{"build":"one"}</script>'
    vi.resetModules()
    const fresh = await import('../src/http/client.ts')
    fresh.connectHttp({ newBuild })
    serve({ same: { ...good(1), headers: { 'X-Build': 'one' } }, other: { ...good(1), headers: { 'X-Build': 'two' } } })
    await fresh.get('same')
    expect(newBuild).not.toHaveBeenCalled()
    await fresh.get('other')
    expect(newBuild).toHaveBeenCalledWith('two')
  })
})

describe('refresh', () => {
  const lost = vi.fn()
  const old = () => {
    keepTokens({ access_token: 'a1', refresh_token: 'r1', tenant_id: '000000' })
    vi.setSystemTime(Date.now() + tokenTime * 1000)
  }
  beforeEach(() => {
    vi.useFakeTimers()
  })

  it('R-AUTH-6 sends nothing before tokenTime', async () => {
    const seen = serve({})
    keepTokens({ access_token: 'a1', refresh_token: 'r1' })
    vi.setSystemTime(Date.now() + (tokenTime - 1) * 1000)
    await refreshIfDue(lost)
    expect(seen).toHaveLength(0)
  })

  it('R-AUTH-6 sends one refresh however often it is asked, and releases the lock on success', async () => {
    const token = { body: { access_token: 'a2', refresh_token: 'r2', tenant_id: '000000' } }
    const seen = serve({ 'blade-auth/oauth/token': token })
    old()
    await Promise.all([refreshIfDue(lost), refreshIfDue(lost), refreshIfDue(lost)])
    expect(seen).toHaveLength(1)
    expect(String(seen[0]?.init.body)).toContain('refresh_token=r1&tenantId=000000')
    expect(accessToken()).toBe('a2')
    vi.setSystemTime(Date.now() + tokenTime * 1000)
    await refreshIfDue(lost)
    expect(seen).toHaveLength(2)
  })

  it('R-AUTH-6 releases the lock on failure, and keeps the session when nobody answered', async () => {
    const seen = serve({ 'blade-auth/oauth/token': new TypeError('down') })
    old()
    await refreshIfDue(lost)
    await refreshIfDue(lost)
    expect(seen).toHaveLength(2)
    expect(lost).not.toHaveBeenCalled()
    expect(accessToken()).toBe('a1')
  })

  it('R-AUTH-6 ends the session when the server refuses the refresh', async () => {
    serve({ 'blade-auth/oauth/token': { status: 400, body: { code: 400, msg: 'ended' } } })
    old()
    await refreshIfDue(lost)
    expect(lost).toHaveBeenCalledOnce()
  })

  it('R-AUTH-6 sends none while another window holds the lock', async () => {
    const seen = serve({ 'blade-auth/oauth/token': { body: { access_token: 'a2' } } })
    const request = vi.fn((_: string, __: unknown, run: (lock: null) => unknown) => Promise.resolve(run(null)))
    vi.stubGlobal('navigator', { ...navigator, locks: { request } })
    old()
    await refreshIfDue(lost)
    expect(request).toHaveBeenCalledOnce()
    expect(seen).toHaveLength(0)
  })
})

describe('the session', () => {
  const info = { userId: '1', tenantId: '000000', account: 'admin', realName: '林', roles: ['admin'], permissions: [] }
  const calls = {
    'blade-auth/oauth/user-info': good(info),
    'blade-system/menu/top-menu': good([{ id: 't1', code: 'school', name: '学校' }]),
    'blade-system/menu/routes': good([{ id: 'm1', code: 'school', name: '学校', path: '/school' }]),
    'blade-system/menu/buttons': good([
      { id: 'm1', code: 'school', name: '学校', children: [{ id: 'b', code: 'school_add', name: '新增' }] },
    ]),
    'blade-auth/oauth/logout': good(null),
  }

  it('R-PERM-2 flattens the buttons to a set of codes, stored locally', async () => {
    serve(calls)
    await loadSession()
    expect(mayUse('school_add')).toBe(true)
    expect(mayUse('school')).toBe(false)
    expect(JSON.parse(localStorage.getItem('databrain-buttons') ?? '{}').content).toEqual(['school_add'])
    expect(flattenCodes([])).toEqual([])
  })

  it('reads no menus while the first password stands', async () => {
    const seen = serve({ ...calls, 'blade-auth/oauth/user-info': good({ ...info, mustChange: true }) })
    await loadSession()
    expect(seen.map((call) => call.path)).toEqual(['blade-auth/oauth/user-info'])
  })

  it('R-AUTH-8 logs out on the server and clears tokens, user, menus, buttons, tabs, lock and drafts', async () => {
    const seen = serve(calls)
    keepTokens({ access_token: 'a', refresh_token: 'r' })
    await loadSession()
    for (const name of ['tabs', 'lock', 'draft:1:000000:student:new']) sessionStorage.setItem(`databrain-${name}`, '{}')
    vi.useFakeTimers()
    const leaving = logout()
    // A call on its way comes back refused.
    sessionLost({ message: '请求未授权' })
    await leaving
    sessionLost({ message: '请求未授权' })
    vi.runAllTimers()
    expect(seen.at(-1)?.path).toBe('blade-auth/oauth/logout')
    expect([accessToken(), sessionStore.get(), menuStore.get(), mayUse('school_add')]).toEqual(['', null, [], false])
    expect(Object.keys(sessionStorage)).toEqual([])
    expect(left).toHaveBeenCalledExactlyOnceWith('/login')
  })

  it('R-AUTH-7 forgets the session once, keeps drafts, and leads back after log-in', () => {
    vi.useFakeTimers()
    window.history.replaceState(null, '', '/student?current=3')
    keepTokens({ access_token: 'a', refresh_token: 'r' })
    sessionStorage.setItem('databrain-draft:1:000000:student:7', '{}')
    sessionLost({ message: '请求未授权' })
    sessionLost({ message: '请求未授权' })
    expect(left).toHaveBeenCalledExactlyOnceWith('/login?back=%2Fstudent%3Fcurrent%3D3')
    expect(accessToken()).toBe('')
    expect(sessionStorage.getItem('databrain-draft:1:000000:student:7')).toBe('{}')
    expect(JSON.parse(sessionStorage.getItem('databrain-notice') ?? '{}').content).toEqual({
      text: '请求未授权',
      account: '',
      isKept: true,
    })
    vi.runAllTimers()
  })

  it('C3 gives way where another window has logged in as somebody else: shows and sends nothing more, and leaves the tokens', async () => {
    vi.useFakeTimers()
    serve(calls)
    keepTokens({ access_token: 'a', refresh_token: 'r' })
    const mine = await loadSession()
    const stop = followUser()
    const told = () => window.dispatchEvent(new StorageEvent('storage', { key: 'databrain-user' }))
    const store = (session: object) => localStorage.setItem('databrain-user', JSON.stringify({ content: session }))
    store({ ...mine, nickName: 'renamed' })
    told()
    expect([isOthers(), left.mock.calls]).toEqual([false, []])

    sessionStorage.setItem('databrain-draft:1:000000:student:7', '{}')
    sessionStorage.setItem('databrain-tabs', '{}')
    keepTokens({ access_token: 'b', refresh_token: 's' })
    store({ ...mine, userId: '2' })
    expect(isOthers()).toBe(true)
    told()
    sessionLost({ message: '请求未授权' })
    expect(left).toHaveBeenCalledExactlyOnceWith('/wel/index')
    expect([accessToken(), sessionStore.get(), mayUse('school_add')]).toEqual(['b', null, false])
    expect(sessionStorage.getItem('databrain-draft:1:000000:student:7')).toBe('{}')
    expect(sessionStorage.getItem('databrain-tabs')).toBeNull()
    expect([gaveWay(), gaveWay()]).toEqual([mine.account, undefined])
    stop()
    vi.runAllTimers()
  })
})
