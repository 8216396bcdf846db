import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import { durationText } from '../src/pages/client/duration.ts'
import ClientPage from '../src/pages/client/page.tsx'
import ParamPage from '../src/pages/param/page.tsx'
import { deviceOf } from '../src/pages/session/device.ts'
import SessionPage from '../src/pages/session/page.tsx'
import { addWords, setLanguage, translate } from '../src/ui/words.ts'
import { good, type Seen, serve } from './answers.ts'
import { begin, rowMenu, show, toastTexts } from './entity-world.tsx'

const page = (records: readonly object[]) => good({ total: records.length, size: 10, current: 1, pages: 1, records })
const row = { version: 1, status: 1, createTime: '2026-09-01 08:00:00', updateTime: '2026-09-01 08:00:00' }
const bodyOf = (call: Seen | undefined) => JSON.parse(String(call?.init.body)) as Record<string, unknown>

afterEach(() => vi.unstubAllGlobals())

describe('parameters', () => {
  const known = {
    ...{ key: 'account.maxFailures', label: { zh: '登录失败次数上限', en: 'Wrong passwords' }, type: 'integer' },
    ...{ group: 'account', unit: { zh: '次', en: 'times' }, help: { zh: '帮助', en: 'Help' } },
    ...{ min: 3, max: 20, default: 5, value: 5, own: 0, row: null },
  }
  const captcha = {
    ...{ key: 'login.captcha', label: { zh: '验证码模式', en: 'Captcha mode' }, type: 'flag', group: 'login' },
    ...{ help: { zh: '帮助', en: 'Help' }, default: 0, value: 0, own: 0, row: null },
  }
  beforeEach(() => begin(['param_view', 'param_add', 'param_edit', 'param_delete'], '/system/param'))

  it('R-PARAM-1 that nobody reads stand folded; one asks for name, key and value in its own words', async () => {
    const seen = serve({ 'blade-system/param/list': page([]), 'blade-system/param/known': good([]) })
    show(httpCalls, <ParamPage />)
    const fold = await screen.findByText('其他参数')
    expect(screen.queryByRole('button', { name: /新增系统参数/ })).toBeNull()
    fireEvent.click(fold)
    fireEvent.click((await screen.findAllByRole('button', { name: /新增系统参数/ }))[0]!)
    expect(seen.find(({ path }) => path === 'blade-system/param/list')?.query.get('paramKey_notin')).toContain(
      'account.maxFailures,',
    )
    const form = await screen.findByRole('dialog')
    const field = (name: string) => form.querySelector<HTMLElement>(`[data-field=${name}]`)!
    await waitFor(() => expect(field('paramValue')).toBeTruthy())
    expect(field('paramValue').querySelector('textarea')).toBeTruthy()
    for (const [name, words] of [
      ['paramName', '请输入参数名称'],
      ['paramKey', '请输入参数键名'],
      ['paramValue', '请输入参数键值'],
    ] as const) {
      expect(field(name).textContent).not.toContain(words)
      fireEvent.blur(field(name).querySelector('input, textarea')!)
      await waitFor(() => expect(field(name).textContent).toContain(words))
    }
  })

  it('that the server reads are set in place within their range and go back to the default', async () => {
    let own = false
    const stored = { ...row, id: '7', paramName: '登录失败次数上限', paramKey: known.key, paramValue: '8' }
    const seen = serve({
      'blade-system/param/known': () =>
        good([own ? { ...known, value: 8, own: 1, row: { id: '7', version: 1 } } : known, captcha]),
      'blade-system/param/submit': () => {
        own = true
        return good(stored)
      },
      'blade-system/param/remove': () => {
        own = false
        return good(null)
      },
    })
    const posted = (call: string) => seen.filter(({ path }) => path === `blade-system/param/${call}`)
    show(httpCalls, <ParamPage />)
    const box = () => screen.getByRole<HTMLInputElement>('textbox', { name: '登录失败次数上限' })
    const leave = (value: string) => {
      fireEvent.change(box(), { target: { value } })
      fireEvent.blur(box())
    }
    await waitFor(() => expect(box().value).toBe('5'))
    leave('99')
    await screen.findByText('请输入 3 到 20 的整数')
    expect(box().value).toBe('99')
    expect(posted('submit')).toEqual([])
    leave('８')
    await screen.findByText('已修改')
    expect(bodyOf(posted('submit')[0])).toEqual({
      paramName: '登录失败次数上限',
      paramKey: 'account.maxFailures',
      paramValue: '8',
    })
    await waitFor(() => expect(box().value).toBe('8'))
    leave('8')
    fireEvent.click(screen.getByRole('button', { name: '登录失败次数上限：恢复默认值' }))
    await waitFor(() => expect(box().value).toBe('5'))
    expect(posted('remove')[0]?.query.get('ids')).toBe('7')
    expect(posted('submit').length).toBe(1)
    fireEvent.click(screen.getByRole('switch', { name: '验证码模式' }))
    await waitFor(() => expect(posted('submit').length).toBe(2))
    expect(bodyOf(posted('submit')[1])).toMatchObject({ paramKey: 'login.captcha', paramValue: '1' })
  })

  it('whose row somebody else has changed say so, and show what holds now', async () => {
    let value = 6
    const seen = serve({
      'blade-system/param/known': () => good([{ ...known, value, own: 1, row: { id: '7', version: value } }]),
      'blade-system/param/submit': () => {
        value = 9
        return { status: 409, body: { code: 409, success: false, msg: '该记录已被他人修改', data: null } }
      },
    })
    show(httpCalls, <ParamPage />)
    const box = () => screen.getByRole<HTMLInputElement>('textbox', { name: '登录失败次数上限' })
    await waitFor(() => expect(box().value).toBe('6'))
    fireEvent.change(box(), { target: { value: '7' } })
    fireEvent.blur(box())
    await screen.findByText('该记录已被他人修改')
    await waitFor(() => expect(box().value).toBe('9'))
    expect(bodyOf(seen.find(({ path }) => path === 'blade-system/param/submit'))).toEqual({
      ...{ id: '7', version: 6, paramValue: '7' },
    })
  })
})

describe('clients', () => {
  beforeEach(() => begin(['client_view', 'client_add', 'client_edit'], '/system/client'))

  it('say how long tokens live, and tell a new secret once', async () => {
    const client = {
      ...{ ...row, id: '5', clientId: 'app', authorizedGrantTypes: 'password,refresh_token', scope: 'all' },
      ...{ accessTokenValidity: 5_400, refreshTokenValidity: 604_800 },
    }
    const seen = serve({
      'blade-system/client/list': page([client]),
      'blade-system/client/submit': good({ ...client, id: '6', clientId: 'fresh', clientSecret: 'Secret-Of-Fresh' }),
      'blade-system/client/reset-secret': good({ clientSecret: 'Secret-Again' }),
      'blade-system/dict-biz/dictionaries': good({
        grant_type: ['password', 'captcha', 'refresh_token'].map((dictKey) => ({
          dictKey,
          dictValue: dictKey,
          sort: 1,
        })),
      }),
    })
    show(httpCalls, <ClientPage />)
    const line = (await screen.findByText('app')).closest('tr')!
    expect(within(line).getByText('1 小时 30 分钟')).toBeTruthy()
    expect(within(line).getByText('7 天')).toBeTruthy()

    fireEvent.click(screen.getByRole('button', { name: '新增客户端' }))
    const form = await screen.findByRole('dialog')
    fireEvent.change(await within(form).findByLabelText(/客户端编号/), { target: { value: 'fresh' } })
    fireEvent.click(await within(form).findByRole('checkbox', { name: /captcha/ }))
    fireEvent.click(within(form).getByRole('button', { name: '保存' }))
    const dialog = (await screen.findByText('Secret-Of-Fresh')).closest<HTMLElement>('[role=dialog]')!
    const draft = bodyOf(seen.find(({ path }) => path === 'blade-system/client/submit'))
    expect(draft).toMatchObject({ clientId: 'fresh', authorizedGrantTypes: 'password,captcha,refresh_token' })
    expect(draft).not.toHaveProperty('clientSecret')
    fireEvent.click(within(dialog).getByRole('button', { name: '我已保存' }))
    await waitFor(() => expect(screen.queryByText('Secret-Of-Fresh')).toBeNull())

    await rowMenu('app', '重置密钥')
    const question = await screen.findByRole('alertdialog')
    expect(seen.some(({ path }) => path.endsWith('reset-secret'))).toBe(false)
    fireEvent.click(within(question).getByRole('button', { name: '重置密钥' }))
    await screen.findByText('Secret-Again')
  })

  it('a length of time is said in the largest units that fit', () => {
    const words = (seconds: unknown) => durationText(seconds, (key, values) => `${values?.count}${key.slice(7, 8)}`)
    expect([60, 3_600, 90_061, 604_800].map(words)).toEqual(['1m', '1h', '1d 1h 1m 1s', '7d'])
    expect([0, -5, 1.5, '', null].map(words)).toEqual(['', '', '', '', ''])
  })
})

describe('online sessions', () => {
  const windows =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'
  const session = (id: string, realName: string, own: 0 | 1) => ({
    ...{ id, userId: id, account: `acc${id}`, realName, deptName: null, address: '10.0.0.8', agent: windows, own },
    ...{ createdAt: '2026-09-01 08:00:00', lastUsed: '2026-09-01 08:10:00', clientId: 'console' },
  })
  beforeEach(() => begin(['session_view', 'session_end'], '/system/session'))

  it('name the device in words, whatever else a browser claims to be', () => {
    addWords({ 'session.unknownDevice': { zh: '未知设备', en: 'Unknown device' } })
    const device = (agent: string | null) => deviceOf(agent, translate)
    expect(device(windows)).toBe('Chrome · Windows')
    expect(device(`${windows} Edg/130.0.0.0`)).toBe('Edge · Windows')
    const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
    expect(device(`${iPhone} Version/17.0 Mobile/15E148 Safari/604.1`)).toBe('Safari · iPhone')
    expect(device(`${iPhone} Mobile/15E148 MicroMessenger/8.0.42`)).toBe('微信 · iPhone')
    expect(device('Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0')).toBe('Firefox · Linux')
    expect(device(null)).toBe('未知设备')
  })

  it('R-AUTH-8 of others are ended after a question; one’s own is marked and never ended', async () => {
    const seen = serve({
      'blade-system/session/list': page([session('1', '管理员', 1), session('2', '王老师', 0)]),
      'blade-system/session/end': good(null),
    })
    show(httpCalls, <SessionPage />)
    const own = (await screen.findByText('当前会话')).closest('tr')!
    expect(within(own).queryByRole('button')).toBeNull()
    fireEvent.click(screen.getByRole('checkbox', { name: '选择本页' }))
    fireEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: '强制下线' }))
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain('王老师')
    expect(question.textContent).not.toContain('管理员')
    fireEvent.click(within(question).getByRole('button', { name: '强制下线' }))
    await waitFor(() => expect(toastTexts()).toContain('已下线'))
    const ended = seen.filter(({ path }) => path === 'blade-system/session/end')
    expect(ended.map(({ query }) => query.get('ids'))).toEqual(['2'])
  })

  it('are read again every half minute while somebody looks', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      const seen = serve({ 'blade-system/session/list': page([session('2', '王老师', 0)]) })
      show(httpCalls, <SessionPage />)
      await screen.findByText('王老师')
      const before = seen.length
      await act(() => vi.advanceTimersByTimeAsync(31_000))
      expect(seen.length).toBe(before + 1)
      await act(() => setLanguage('en'))
      expect(await screen.findByText('Chrome · Windows')).toBeTruthy()
      expect(screen.getByRole('button', { name: 'End the session of 王老师' })).toBeTruthy()
    } finally {
      vi.useRealTimers()
    }
  })
})
