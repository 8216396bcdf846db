import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { App, startConsole } from '../src/app.tsx'
import { fitsAvatar } from '../src/pages/info/avatar.tsx'
import { keptRules, strengthOf } from '../src/pages/info/policy.ts'
import { localLogout, setLeave } from '../src/session/end.ts'
import { landing } from '../src/session/landing.ts'
import { openWindow } from '../src/session/lock-state.ts'
import { md5 } from '../src/session/md5.ts'
import { keepTokens } from '../src/session/tokens.ts'
import { setGuardLeave } from '../src/shell/guard.ts'
import { resetTabs } from '../src/shell/tabs.ts'
import { dismissQuestion } from '../src/ui/confirm.tsx'
import { keepKeymap } from '../src/ui/keymap.ts'
import { readStored } from '../src/ui/stored.ts'
import { defaultWish, keepLook, lookWish } from '../src/ui/theme.ts'
import { toasts } from '../src/ui/toast.ts'
import { setLanguage } from '../src/ui/words.ts'
import { good, type Seen, serve } from './answers.ts'

// The pages' code is fetched when they are first shown, on a machine that may be busy.

const left = vi.fn<(address: string) => void>()
const info = {
  userId: '1',
  tenantId: '000001',
  tenantName: '第一中学',
  account: 'linxiaozhang',
  realName: '林校长',
  avatar: '/api/files/7?sign=x',
  roles: ['principal'],
}
const profile = {
  id: '1',
  avatar: '/api/files/7?sign=x',
  realName: '林校长',
  name: null,
  phone: '13800138000',
  email: null,
}
const browser = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1'
const at = { createdAt: '2026-11-20 08:00:00', lastUsed: '2026-11-21 09:30:00', address: '10.1.2.3' }
const calls = {
  'blade-auth/oauth/user-info': good(info),
  'blade-system/menu/top-menu': good([{ id: 't', code: 'people', name: '人员', nameEn: 'People' }]),
  'blade-system/menu/routes': good([{ id: 'm', code: 'student', name: '学生', path: '/school/student' }]),
  'blade-system/menu/buttons': good([]),
  'blade-auth/oauth/logout': good(null),
  'blade-user/info': good(profile),
  'blade-user/update-info': good(profile),
  'blade-user/identities': good({ identities: [], providers: [] }),
  'blade-user/second-factor': good({ on: 0, since: null, recoveryLeft: 0, must: 0 }),
  'blade-user/sessions': good([
    { id: '11', agent: browser, ...at, own: 1 },
    { id: '12', agent: phone, ...at, own: 0 },
    { id: '13', agent: browser, ...at, own: 0 },
  ]),
}
const formOf = (call: Seen | undefined): URLSearchParams => new URLSearchParams(String(call?.init.body))

beforeEach(() => {
  setLeave(left)
  setGuardLeave(left)
})
afterEach(async () => {
  vi.unstubAllGlobals()
  left.mockClear()
  dismissQuestion()
  toasts.set([])
  localLogout()
  openWindow()
  resetTabs()
  sessionStorage.clear()
  localStorage.clear()
  keepKeymap({})
  await setLanguage('zh')
  await keepLook(defaultWish)
})

async function start(path: string, more: Parameters<typeof serve>[0] = {}): Promise<Seen[]> {
  const seen = serve({ ...calls, ...more })
  keepTokens({ access_token: 'a', refresh_token: 'r', tenant_id: '000001' })
  window.history.replaceState(null, '', path)
  startConsole()
  render(<App />)
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).closest('[aria-busy]')).toBeNull())
  return seen
}
const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })))

describe('R-INFO-1 account info', () => {
  it('shows real name, username, phone and email, with the hint of the avatar byte for byte', async () => {
    await start('/info/index')
    expect((await screen.findByLabelText<HTMLInputElement>(/^真实姓名/)).value).toBe('林校长')
    expect(screen.getByLabelText<HTMLInputElement>(/^用户名/).value).toBe('linxiaozhang')
    expect(screen.getByLabelText<HTMLInputElement>(/^手机/).value).toBe('13800138000')
    expect(screen.getByLabelText<HTMLInputElement>(/^邮箱/).value).toBe('')
    expect(screen.getByText('只能上传 jpg/png 文件，且不超过 500kb')).toBeDefined()
  })

  it('takes a jpg or png of at most 500 kB and nothing else, before anything is sent', async () => {
    const most = 500 * 1024
    expect(fitsAvatar({ type: 'image/png', size: most })).toBe(true)
    expect(fitsAvatar({ type: 'image/jpeg', size: most })).toBe(true)
    expect(fitsAvatar({ type: 'image/jpeg', size: most + 1 })).toBe(false)
    expect(fitsAvatar({ type: 'image/gif', size: 10 })).toBe(false)
    const seen = await start('/info/index')
    const input = await screen.findByLabelText<HTMLInputElement>('头像', { selector: 'input' })
    for (const file of [
      new File([new Uint8Array(most + 1)], 'large.png', { type: 'image/png' }),
      new File(['GIF89a'], 'moving.gif', { type: 'image/gif' }),
    ]) {
      toasts.set([])
      await act(async () => fireEvent.change(input, { target: { files: [file] } }))
      expect(toasts.get().map((toast) => toast.text)).toEqual(['只能上传 jpg/png 文件，且不超过 500kb'])
    }
    toasts.set([])
    const dropped = new File(['no picture'], 'a.txt', { type: 'text/plain' })
    await act(async () => fireEvent.drop(input.closest('.avatar-field')!, { dataTransfer: { files: [dropped] } }))
    expect(toasts.get()).toHaveLength(1)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(seen.some((call) => call.path.endsWith('put-file'))).toBe(false)
  })

  it('removes the avatar, and sends only what was changed', async () => {
    const seen = await start('/info/index')
    await screen.findByLabelText(/^真实姓名/)
    await press('移除头像')
    expect(screen.queryByRole('button', { name: '移除头像' })).toBeNull()
    type(/^昵称/, '老林')
    await press('保存')
    const sent = seen.find((call) => call.path === 'blade-user/update-info')
    expect(JSON.parse(String(sent?.init.body))).toEqual({ avatar: '', name: '老林' })
  })
})

describe('R-INFO-1 change password', () => {
  const owner = { account: 'linxiaozhang', tenantId: '000001' }

  it.each([
    ['short-1', 'length'],
    ['ababababab', 'different'],
    ['LinXiaozhang7!', 'own'],
    ['gnahzoaixnil-9', 'own'],
    ['mine 000001 x', 'own'],
    ['password2024', 'common'],
    ['1234567890', 'common'],
    ['2024@Admin!!', 'common'],
    ['qwertyuiop', 'common'],
    ['a1b2a1b2a1b2', 'common'],
  ] as const)('a password such as “%s” does not keep the rule “%s”', (password, rule) => {
    expect(keptRules(password, owner, '')[rule]).toBe(false)
    expect(strengthOf(password, owner)).toBe('weak')
  })

  it('tells the strength of what keeps all rules, a longer one never weaker', () => {
    const password = 'Harbour-Violet-42-Teapot'
    const order = ['weak', 'fair', 'strong', 'best']
    const found = Array.from({ length: password.length - 9 }, (_, at) =>
      order.indexOf(strengthOf(password.slice(0, 10 + at), owner)),
    )
    expect(found).toEqual([...found].sort())
    expect(found.at(-1)).toBe(3)
    expect(found[0]).toBeLessThan(3)
  })

  it('ticks each rule while one types', async () => {
    await start('/info/index?tab=password')
    await screen.findByLabelText(/^原密码/)
    const open = () =>
      screen
        .getAllByRole('listitem')
        .filter((line) => line.textContent?.endsWith('：未满足'))
        .map((line) => line.textContent?.replace('：未满足', ''))
    expect(open()).toHaveLength(6)
    type(/^新密码/, 'tea')
    expect(open()).toEqual(['至少 10 个字符', '至少 4 种不同的字符', '两次输入一致'])
    type(/^新密码/, 'teapot and violet')
    expect(open()).toEqual(['两次输入一致'])
    expect(screen.getByText(/^密码强度：/)).toBeDefined()
    type(/^原密码/, 'teapot and violet')
    expect(open()).toEqual(['与原密码不同', '两次输入一致'])
    type(/^原密码/, 'another')
    type(/^确认新密码/, 'teapot and violet')
    expect(open()).toEqual([])
  })

  it('R-INFO-1 a first password is changed in either language, and no other session is spoken of', async () => {
    await start('/wel/index', {
      'blade-auth/oauth/user-info': good({ ...info, mustChange: true }),
      'blade-user/update-password': good(null),
    })
    await screen.findByLabelText(/^原密码/)
    await press('English')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Change password')
    expect(readStored('language')).toBe('en')
    await press('中文')
    type(/^原密码/, 'the first one')
    type(/^新密码/, 'teapot and violet')
    type(/^确认新密码/, 'teapot and violet')
    await press('保存')
    await waitFor(() =>
      expect(toasts.get().map(({ text, detail }) => [text, detail])).toEqual([['更新成功', '密码已修改']]),
    )
  })

  it('R-INFO-1 a first password is typed at once: the first field has the focus', async () => {
    await start('/wel/index', { 'blade-auth/oauth/user-info': good({ ...info, mustChange: true }) })
    const old = await screen.findByLabelText(/^原密码/)
    await waitFor(() => expect(document.activeElement).toBe(old))
  })

  it('an ordinary change of the password says that the other sessions have ended', async () => {
    await start('/info/index?tab=password', { 'blade-user/update-password': good(null) })
    await screen.findByLabelText(/^原密码/)
    type(/^原密码/, 'the first one')
    type(/^新密码/, 'teapot and violet')
    type(/^确认新密码/, 'teapot and violet')
    await press('保存')
    await waitFor(() => expect(toasts.get().map(({ detail }) => detail)).toEqual(['其他会话已结束']))
  })

  it('shows what the server says at the field it means', async () => {
    const refused = {
      status: 400,
      body: { code: 400, success: false, msg: '原密码错误', data: { field: 'oldPassword', fields: [] } },
    }
    await start('/info/index?tab=password', { 'blade-user/update-password': refused })
    await screen.findByLabelText(/^原密码/)
    type(/^原密码/, 'not the one')
    type(/^新密码/, 'teapot and violet')
    type(/^确认新密码/, 'teapot and violet')
    await press('保存')
    const old = screen.getByLabelText<HTMLInputElement>(/^原密码/)
    expect(old.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(old.getAttribute('aria-describedby') ?? '')?.textContent).toBe('原密码错误')
    expect(document.activeElement).toBe(old)
    expect(toasts.get()).toEqual([])
    type(/^原密码/, 'the right one')
    expect(old.getAttribute('aria-invalid')).toBeNull()
  })
})

describe('one’s own sessions', () => {
  it('are listed in words, this browser first and without an end; one and all others can be ended', async () => {
    const seen = await start('/info/index?tab=sessions', { 'blade-user/end-sessions': good(null) })
    const list = (await screen.findByText('iPhone', { exact: false })).closest('ul')!
    const lines = within(list).getAllByRole('listitem')
    expect(lines.map((line) => line.querySelector('strong')?.textContent?.trim())).toEqual([
      'Chrome · Windows 本浏览器',
      'Safari · iPhone',
      'Chrome · Windows',
    ])
    expect(within(lines[0]!).queryByRole('button')).toBeNull()
    expect(lines[1]!.textContent).toContain('10.1.2.3，最近使用 2026-11-21 09:30，登录于 2026-11-20 08:00')
    await act(async () => fireEvent.click(within(lines[1]!).getByRole('button', { name: '结束 Safari · iPhone' })))
    const asked = await screen.findByRole('alertdialog')
    await act(async () => fireEvent.click(within(asked).getByRole('button', { name: '结束' })))
    await waitFor(() => expect(seen.some((call) => call.path === 'blade-user/end-sessions')).toBe(true))
    expect(seen.find((call) => call.path === 'blade-user/end-sessions')?.query.get('ids')).toBe('12')

    await press('结束其他全部会话')
    const again = await screen.findByRole('alertdialog', { name: '结束其他 2 个会话？' })
    await act(async () => fireEvent.click(within(again).getByRole('button', { name: '结束' })))
    await waitFor(() => expect(seen.filter((call) => call.path === 'blade-user/end-sessions')).toHaveLength(2))
    expect(seen.findLast((call) => call.path === 'blade-user/end-sessions')?.query.has('ids')).toBe(false)
  })
})

describe('R-AUTH-11 the second factor', () => {
  const codes = Array.from({ length: 10 }, (_, at) => `ABCD${at}-EFGH${at}`)

  it('is set up by password, picture or key, and a code; recovery codes are shown once', async () => {
    let state = { on: 0, since: null as string | null, recoveryLeft: 0, must: 0 }
    const seen = await start('/info/index?tab=security', {
      'blade-user/second-factor': () => good(state),
      'blade-user/second-factor/begin': good({
        secret: 'JBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/x',
        qr: 'data:image/png;base64,AA==',
      }),
      'blade-user/second-factor/confirm': (call) => {
        if (formOf(call).get('code') !== '123456')
          return { status: 400, body: { code: 400, success: false, msg: '验证码错误', data: null } }
        state = { on: 1, since: '2026-11-21 10:00:00', recoveryLeft: 10, must: 0 }
        return good({ recoveryCodes: codes })
      },
    })
    fireEvent.click(await screen.findByRole('button', { name: '设置两步验证' }))
    await press('下一步')
    expect(screen.getByText('请输入账号密码')).toBeDefined()
    type(/^账号密码/, 'Correct-Horse-9')
    await press('下一步')
    expect(formOf(seen.find((call) => call.path.endsWith('second-factor/begin'))).get('password')).toBe(
      md5('Correct-Horse-9'),
    )
    expect((await screen.findByRole('img', { name: /二维码/ })).getAttribute('src')).toContain('data:image/png')
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeDefined()
    type(/^验证码/, '000 000')
    await press('启用')
    expect(screen.getByText('验证码错误')).toBeDefined()
    type(/^验证码/, '123 456')
    await press('启用')
    const dialog = await screen.findByRole('dialog', { name: '恢复码' })
    expect(
      within(dialog)
        .getAllByRole('listitem')
        .map((line) => line.textContent),
    ).toEqual(codes)
    fireEvent(dialog, new Event('cancel', { cancelable: true }))
    expect(screen.getByRole('dialog', { name: '恢复码' })).toBeDefined()
    await press('我已保存')
    expect(document.body.textContent).not.toContain(codes[0])
    expect(screen.getByText(/还有 10 个恢复码/)).toBeDefined()
  })

  it('opens nothing else where it is demanded, and everything once it is there', async () => {
    let must = true
    const seen = await start('/school/student', {
      'blade-auth/oauth/user-info': () => good({ ...info, mustSecond: must }),
      'blade-user/second-factor': () => good({ on: must ? 0 : 1, since: null, recoveryLeft: 10, must: 1 }),
      'blade-user/second-factor/begin': good({ secret: 'JBSWY3DPEHPK3PXP', uri: '', qr: 'data:,' }),
      'blade-user/second-factor/confirm': () => {
        must = false
        return good({ recoveryCodes: codes })
      },
    })
    await screen.findByText('管理员须先设置两步验证，再继续使用。')
    expect(window.location.pathname + window.location.search).toBe('/info/index?tab=security&back=%2Fschool%2Fstudent')
    expect(
      screen.getAllByRole('tab', { name: /登录安全|账号信息|修改密码|偏好/ }).map((tab) => tab.textContent),
    ).toEqual(['登录安全'])
    expect(seen.some((call) => call.path.startsWith('blade-system/menu'))).toBe(false)
    expect(seen.some((call) => call.path === 'blade-user/sessions')).toBe(false)
    fireEvent.click(await screen.findByRole('button', { name: '设置两步验证' }))
    type(/^账号密码/, 'x')
    await press('下一步')
    type(/^验证码/, '123456')
    await press('启用')
    await press('我已保存')
    // Back to where one was going.
    await waitFor(() => expect(window.location.pathname).toBe('/school/student'))
    expect(seen.some((call) => call.path === 'blade-system/menu/buttons')).toBe(true)
  })

  it('is not turned off but moved to another phone where it is demanded', async () => {
    let on = 1
    await start('/info/index?tab=security', {
      'blade-auth/oauth/user-info': () => good({ ...info, mustSecond: on === 0 }),
      'blade-user/second-factor': () =>
        good({ on, since: on ? '2026-11-21 10:00:00' : null, recoveryLeft: 9, must: 1 }),
      'blade-user/second-factor/remove': () => {
        on = 0
        return good(null)
      },
    })
    await screen.findByText('管理员必须使用两步验证，不能停用。')
    expect(screen.queryByRole('button', { name: '停用两步验证' })).toBeNull()
    await press('换用另一部手机')
    await screen.findByText(/原手机随即失效/)
    type(/^账号密码/, 'x')
    type(/^验证码/, '123456')
    await press('换用另一部手机')
    await screen.findByText('管理员须先设置两步验证，再继续使用。')
    expect(await screen.findByRole('button', { name: '设置两步验证' })).toBeDefined()
  })
})

describe('preferences', () => {
  it('hold at once and are kept: theme, scheme, density, language, first page, shortcuts', async () => {
    await start('/info/index?tab=preferences')
    fireEvent.change(await screen.findByLabelText('主题', { selector: 'select' }), { target: { value: 'theme-cool' } })
    await waitFor(() => expect(document.documentElement.dataset.theme).toBe('theme-cool'))
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: '深色' })))
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: '宽松' })))
    expect(lookWish.get()).toMatchObject({ theme: 'theme-cool', scheme: 'dark', density: 'loose' })
    expect(readStored('look:1')).toMatchObject({ theme: 'theme-cool', scheme: 'dark', density: 'loose' })
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: '单键快捷键' })
    expect(box.checked).toBe(true)
    fireEvent.click(box)
    expect(readStored('shortcuts')).toBe(false)
    fireEvent.change(screen.getByLabelText('登录后打开'), { target: { value: '/school/student' } })
    expect(readStored('landing:1')).toBe('/school/student')
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: 'English' })))
    expect(screen.getByRole('checkbox', { name: 'Single-key shortcuts' })).toBeDefined()
  })

  it('shortcuts can be given other keys: clashes and keys of the browser are refused, and all can be reset', async () => {
    await start('/info/index?tab=preferences')
    const line = async (name: string) =>
      within((await screen.findByRole('rowheader', { name })).closest('tr') as HTMLElement)
    const told = () => document.querySelector('.keymap [role=alert]')?.textContent
    const hear = (event: KeyboardEventInit) => act(async () => fireEvent.keyDown(screen.getByRole('textbox'), event))
    const change = async (name: string) => {
      await line(name)
      await press(`更换“${name}”的快捷键`)
      expect(document.activeElement).toBe(screen.getByRole('textbox', { name: new RegExp(`“${name}”的新快捷键`) }))
    }
    await change('锁屏')
    await hear({ key: 'w', code: 'KeyW', ctrlKey: true })
    expect(told()).toBe('Ctrl+W 属于浏览器，不能使用。')
    await hear({ key: 'd', code: 'KeyD', altKey: true })
    expect(told()).toBe('Alt+D 属于浏览器，不能使用。')
    await hear({ key: 'r', code: 'KeyR', altKey: true })
    expect(told()).toBe('Alt+R 已用于“刷新此标签页”。')
    await hear({ key: '/', code: 'Slash' })
    expect(told()).toBe('/ 已用于“搜索”。')
    await hear({ key: 'g', code: 'KeyG' })
    await hear({ key: 'Enter', code: 'Enter' })
    expect(told()).toMatch(/^G 已用于/)
    await hear({ key: 'Home', code: 'Home' })
    expect(told()).toBe('这个键不能用作快捷键。')
    await hear({ key: 'o', code: 'KeyO', altKey: true })
    expect(readStored('keymap')).toEqual({ 'keys.lock': 'Alt+KeyO' })
    expect((await line('锁屏')).getByText('O')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: /的菜单$/ }))
    const lock = await screen.findByRole('menuitem', { name: '锁屏' })
    expect(lock.getAttribute('aria-keyshortcuts')).toBe('Alt+O')
    fireEvent.keyDown(lock, { key: 'Escape' })

    await change('新增')
    await hear({ key: 'a', code: 'KeyA' })
    await hear({ key: 'Enter', code: 'Enter' })
    await change('编辑')
    await hear({ key: 'n', code: 'KeyN' })
    await hear({ key: 'x', code: 'KeyX' })
    expect(readStored('keymap')).toEqual({ 'keys.lock': 'Alt+KeyO', 'keys.add': 'KeyA', 'keys.edit': 'KeyN KeyX' })
    // N begins what edits now.
    await press('恢复“新增”的默认快捷键')
    expect((await line('新增')).getByRole('alert').textContent).toBe('N 已用于“编辑”。')
    await change('新增')
    await hear({ key: 'Escape', code: 'Escape' })
    expect(screen.queryByRole('textbox', { name: /新快捷键/ })).toBeNull()
    await press('恢复“编辑”的默认快捷键')
    await press('恢复“新增”的默认快捷键')
    expect(readStored('keymap')).toEqual({ 'keys.lock': 'Alt+KeyO' })
    await press('全部恢复默认')
    expect(readStored('keymap')).toEqual({})
  })

  it('R-NAV-4 the first page is where log-in leads without another wish, and only a path of this console', () => {
    const origin = 'https://school.example'
    expect(landing(null, origin, '/school/student')).toBe('/school/student')
    expect(landing('/wel/notice', origin, '/school/student')).toBe('/wel/notice')
    expect(landing(null, origin, '//evil.example/x')).toBe('/wel/index')
    expect(landing(null, origin)).toBe('/wel/index')
  })

  it('R-ROUTE-2 / opens the first page that was chosen, and home when it has been taken away', async () => {
    localStorage.setItem(
      'databrain-landing:1',
      JSON.stringify({ content: '/gone/page', dataType: 'string', datetime: 0 }),
    )
    await start('/gone/page')
    await waitFor(() => expect(window.location.pathname).toBe('/wel/index'))
  })
})
