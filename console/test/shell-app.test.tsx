import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { App, startConsole } from '../src/app.tsx'
import { localLogout, setLeave } from '../src/session/end.ts'
import { keepTokens } from '../src/session/tokens.ts'
import { setGuardLeave } from '../src/shell/guard.ts'
import { closePalette } from '../src/shell/palette-store.ts'
import { resetTabs } from '../src/shell/tabs.ts'
import { go } from '../src/ui/place.ts'
import { setLanguage } from '../src/ui/words.ts'
import { good, serve } from './answers.ts'

const left = vi.fn<(address: string) => void>()
const group = (code: string, codes: string[]) => ({
  id: `g-${code}`,
  code,
  name: code,
  children: codes.map((one) => ({
    id: one,
    code: one,
    name: `名${one}`,
    nameEn: `Name ${one}`,
    path: `/blade/${one}`,
  })),
})
const totals: Record<string, number> = { school: 0, schoolclass: 0, student: 0, user: 1 }
const total = (entity: string) => () => good({ total: totals[entity] ?? 0, size: 1, current: 1, pages: 0, records: [] })
const calls = {
  'blade-auth/oauth/user-info': good({
    userId: '1',
    tenantId: '000000',
    tenantName: '第一中学',
    account: 'admin',
    realName: '林校长',
    roles: ['admin'],
  }),
  'blade-system/menu/top-menu': good([{ id: 't1', code: 'school', name: '学校', nameEn: 'School' }]),
  'blade-system/menu/routes': good([
    group('campus', ['school', 'schoolclass', 'student']),
    group('terms', ['schoolyear', 'schoolsemester', 'sysgrade', 'syssubject', 'user']),
  ]),
  'blade-system/menu/buttons': good(
    ['school', 'schoolclass', 'student', 'user', 'sysgrade', 'schoolyear', 'schoolsemester']
      .map((code) => ({ id: code, code: `${code}_view`, name: '' }))
      .concat([{ id: 'a', code: 'school_add', name: '' }]),
  ),
  'blade-auth/oauth/logout': good(null),
  ...Object.fromEntries(
    ['school', 'schoolclass', 'student', 'schoolyear', 'schoolsemester'].map((entity) => [
      `blade-user/${entity}/list`,
      total(entity),
    ]),
  ),
  'blade-user/sysgrade/list': total('sysgrade'),
  'blade-user/list': total('user'),
  'blade-user/school/setUp': good({ schools: [] }),
}

beforeEach(() => {
  setLeave(left)
  setGuardLeave(left)
})
afterEach(async () => {
  vi.unstubAllGlobals()
  left.mockClear()
  closePalette()
  localLogout()
  resetTabs()
  sessionStorage.clear()
  localStorage.clear()
  await setLanguage('zh')
})

async function start(path: string, answers: Parameters<typeof serve>[0] = calls) {
  const seen = serve(answers)
  keepTokens({ access_token: 'a', refresh_token: 'r', tenant_id: '000000' })
  window.history.replaceState(null, '', path)
  startConsole()
  render(<App />)
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).closest('[aria-busy]')).toBeNull())
  return seen
}

/** Chooses in the menu of the avatar, whose code is fetched when it is opened. */
async function chooseInAccount(name: string): Promise<HTMLElement> {
  fireEvent.click(screen.getByRole('button', { name: '林校长的菜单' }))
  const item = await screen.findByRole('menuitem', { name })
  fireEvent.click(item)
  return item
}

describe('the shell', () => {
  it('R-NAV-3 R-NAV-4 leads a visitor without a token to /login, and back', () => {
    serve({})
    window.history.replaceState(null, '', '/blade/student?current=2')
    startConsole()
    expect(left).toHaveBeenCalledWith('/login?back=%2Fblade%2Fstudent%3Fcurrent%3D2')
  })

  it('R-ROUTE-2 opens home for /, and R-TAB-5 names the page and the product in the title', async () => {
    await start('/')
    expect(window.location.pathname).toBe('/wel/index')
    expect(document.title).toBe('首页 · 数据大脑')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('林校长')
  })

  it('R-LAY-1 has header and main view, no sidebar without a sub-menu, and tabs as soon as a second page is open', async () => {
    await start('/wel/index')
    expect(screen.getByRole('banner')).toBeDefined()
    expect(screen.getByRole('main')).toBeDefined()
    expect(screen.queryByRole('navigation', { name: '侧边菜单' })).toBeNull()
    expect(screen.queryByRole('tablist')).toBeNull()
    act(() => go('/blade/school'))
    await waitFor(() => expect(within(screen.getByRole('tablist')).getAllByRole('tab')).toHaveLength(2))
  })

  it('shows an empty tenant the way from school to students, with what is done ticked', async () => {
    await start('/wel/index')
    const steps = within(await screen.findByRole('region', { name: '开始使用' }, { timeout: 5000 })).getAllByRole(
      'listitem',
    )
    expect(steps).toHaveLength(5)
    expect(steps[0]?.getAttribute('aria-current')).toBe('step')
    expect(within(steps[0]!).getByRole('link').getAttribute('href')).toBe('/blade/school?edit=new')
  })

  it('R-ROUTE-2 sends an unknown path to /404', async () => {
    await start('/nowhere')
    await waitFor(() => expect(window.location.pathname).toBe('/404'))
    await screen.findByRole('heading', { level: 1, name: '没有这个页面' })
  })

  it('R-BAR-4 changes menus, tabs and title without a reload; the language shown cannot be chosen', async () => {
    await start('/wel/index')
    act(() => go('/info/index'))
    act(() => go('/wel/index'))
    const language = await chooseInAccount('语言')
    expect(language.getAttribute('aria-description')).toBe('中文')
    const chinese = await screen.findByRole('menuitemradio', { name: '中文' })
    expect(chinese.getAttribute('aria-disabled')).toBe('true')
    await act(async () => fireEvent.click(screen.getByRole('menuitemradio', { name: 'English' })))
    expect(document.title).toBe('Home · Data Brain')
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Home', 'User info'])
    expect(screen.getByRole('link', { name: 'School' })).toBeDefined()
    expect(document.documentElement.lang).toBe('en')
    expect(JSON.parse(localStorage.getItem('databrain-language') ?? '{}').content).toBe('en')
  })

  it('R-BAR-1 asks before it logs out, on the server and here', async () => {
    const seen = await start('/wel/index')
    await chooseInAccount('退出')
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: '取消' }))
    await act(async () => {})
    expect(seen.some((call) => call.path.endsWith('logout'))).toBe(false)
    await chooseInAccount('退出')
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: '退出' }))
    await waitFor(() => expect(left).toHaveBeenCalledWith('/login'))
    expect(seen.some((call) => call.path.endsWith('logout'))).toBe(true)
  })

  it('R-BAR-6 fills the screen, and gives it back', async () => {
    await start('/wel/index')
    let full: Element | null = null
    const turn = (to: Element | null) => () => {
      full = to
      document.dispatchEvent(new Event('fullscreenchange'))
      return Promise.resolve()
    }
    Object.defineProperty(document, 'fullscreenElement', { configurable: true, get: () => full })
    document.documentElement.requestFullscreen = turn(document.documentElement)
    document.exitFullscreen = turn(null)
    await act(async () => void (await chooseInAccount('全屏')))
    expect(full).toBe(document.documentElement)
    await act(async () => void (await chooseInAccount('退出全屏')))
    expect(full).toBeNull()
  })

  it('R-TAB-3 R-TAB-4 offers the commands of a tab in its menu and opens the search from it', async () => {
    await start('/wel/index')
    act(() => go('/blade/school'))
    fireEvent.contextMenu((await screen.findAllByRole('tab'))[0]!)
    const names = (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
    expect(names).toEqual([
      '刷新',
      '固定',
      '左移',
      '右移',
      '关闭',
      '关闭其他',
      '关闭右侧',
      '关闭全部',
      '清除缓存',
      '菜单搜索',
    ])
    fireEvent.click(screen.getByRole('menuitem', { name: '菜单搜索' }))
    const field = await screen.findByRole('combobox')
    fireEvent.change(field, { target: { value: '名school' } })
    const options = await screen.findAllByRole('option')
    expect(options[0]?.textContent).toContain('名school')
  })

  it('R-TAB-3 asks 是否需要清除缓存? before it clears', async () => {
    const seen = await start('/wel/index', { ...calls, 'blade-auth/oauth/clear-cache': good(null) })
    act(() => go('/blade/school'))
    fireEvent.contextMenu((await screen.findAllByRole('tab'))[0]!)
    fireEvent.click(await screen.findByRole('menuitem', { name: '清除缓存' }))
    const question = screen.getByRole('alertdialog', { name: '是否需要清除缓存?' })
    expect(seen.some((call) => call.path.endsWith('clear-cache'))).toBe(false)
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: '清除缓存' })))
    expect(seen.some((call) => call.path.endsWith('clear-cache'))).toBe(true)
  })

  it('R-BAR-3 finds people on the server and opens the student', async () => {
    const found = {
      groups: [{ entity: 'student', label: '学生', items: [{ id: '42', name: '王梓涵', note: '三年级2班' }] }],
    }
    const seen = await start('/wel/index', { ...calls, 'blade-desk/search': good(found) })
    fireEvent.keyDown(window, { code: 'KeyK', key: 'k', ctrlKey: true })
    const field = await screen.findByRole('combobox')
    fireEvent.change(field, { target: { value: 'w' } })
    fireEvent.change(field, { target: { value: 'wzh' } })
    await screen.findByText('王梓涵', {}, { timeout: 3000 })
    expect(seen.filter((call) => call.path === 'blade-desk/search').map((call) => call.query.get('keyword'))).toEqual([
      'wzh',
    ])
    const open = vi.spyOn(window, 'open').mockReturnValue(null)
    fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })
    expect(open).toHaveBeenCalledWith('/blade/student?id=42', '_blank', 'noopener')
  })

  it('R-INFO-1 checks a new password before it is sent, and sends md5 digests outside the address', async () => {
    const seen = await start('/info/index?tab=password', { ...calls, 'blade-user/update-password': good(null) })
    const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
    await screen.findByLabelText(/^原密码/)
    type(/^原密码/, 'old password')
    type(/^新密码/, 'short')
    type(/^确认新密码/, 'other')
    await act(async () => fireEvent.click(screen.getByRole('button', { name: '保存' })))
    expect(screen.getByText('新密码至少 10 个字符')).toBeDefined()
    expect(screen.getByText('两次密码输入不一致')).toBeDefined()
    expect(seen.some((call) => call.path.endsWith('update-password'))).toBe(false)
    type(/^新密码/, 'a better one 7')
    type(/^确认新密码/, 'a better one 7')
    await act(async () => fireEvent.click(screen.getByRole('button', { name: '保存' })))
    const sent = seen.find((call) => call.path.endsWith('update-password'))
    expect(sent?.query.toString()).toBe('')
    expect(String(sent?.init.body)).toMatch(
      /^oldPassword=[0-9a-f]{32}&newPassword=[0-9a-f]{32}&newPassword1=[0-9a-f]{32}$/,
    )
  })

  it('R-NAV-1 shows nothing of the work while the lock flag is set', async () => {
    sessionStorage.setItem('databrain-lock', JSON.stringify({ content: true, dataType: 'boolean', datetime: 0 }))
    await start('/wel/index')
    expect(window.location.pathname).toBe('/lock')
    act(() => go('/info/index'))
    expect(window.location.pathname).toBe('/lock')
    expect(screen.queryByRole('banner')).toBeNull()
  })
})
