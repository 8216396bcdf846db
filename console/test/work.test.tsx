import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { App, startConsole } from '../src/app.tsx'
import { localLogout, setLeave } from '../src/session/end.ts'
import { countdownSeconds, watchIdle } from '../src/session/idle.ts'
import { keepUnattended, keepVerifier, openWindow } from '../src/session/lock-state.ts'
import { md5 } from '../src/session/md5.ts'
import { accessToken, keepTokens } from '../src/session/tokens.ts'
import { closeDialog } from '../src/shell/dialogs.tsx'
import { setGuardLeave } from '../src/shell/guard.ts'
import { resetTabs, setTabState } from '../src/shell/tabs.ts'
import { dismissQuestion } from '../src/ui/confirm.tsx'
import { go } from '../src/ui/place.ts'
import { readStored, writeStored } from '../src/ui/stored.ts'
import { toasts } from '../src/ui/toast.ts'
import { good, type Seen, serve } from './answers.ts'

// The pages' code is fetched when they are first shown, on a machine that may be busy.

const left = vi.fn<(address: string) => void>()
const person = {
  userId: '1',
  tenantId: '000000',
  tenantName: '第一中学',
  account: 'lin',
  realName: '林老师',
  roles: [],
}
const depts = [
  { id: '101', name: '教务处' },
  { id: '102', name: '德育处' },
]
const roles = [
  { id: '201', name: '教师' },
  { id: '202', name: '年级组长' },
]

/** A server whose session works as what the last refresh said. */
function server() {
  const work = { deptId: '', roleId: '' }
  const page = (code: string, name: string) => [{ id: code, code, name, path: `/${code}` }]
  return {
    'blade-auth/oauth/user-info': () =>
      good({ ...person, switching: { depts, roles, ...work, choose: work.deptId === '' || work.roleId === '' } }),
    'blade-auth/oauth/token': (call: Seen) => {
      const headers = call.init.headers as Record<string, string>
      if (headers['Role-Id'] === '999')
        return {
          status: 400,
          body: { error: 'invalid_scope', error_description: '您不属于所选的部门或角色', code: 400 },
        }
      work.deptId = headers['Dept-Id'] ?? ''
      work.roleId = headers['Role-Id'] ?? ''
      return { body: { access_token: `a-${work.roleId}`, refresh_token: 'r2', tenant_id: '000000', code: 200 } }
    },
    'blade-system/menu/top-menu': good([{ id: 't', code: 'top', name: '学校' }]),
    'blade-system/menu/routes': () => good(work.roleId === '202' ? page('school', '学校') : page('student', '学生')),
    'blade-system/menu/buttons': () =>
      good([{ id: 'b', code: work.roleId === '202' ? 'school_view' : 'student_view', name: '' }]),
    'blade-auth/oauth/logout': good(null),
  }
}

beforeEach(() => {
  setLeave(left)
  setGuardLeave(left)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  left.mockClear()
  dismissQuestion()
  closeDialog()
  toasts.set([])
  localLogout()
  openWindow()
  resetTabs()
  sessionStorage.clear()
  localStorage.clear()
})

async function start(path: string, answers: Parameters<typeof serve>[0] = server()): Promise<Seen[]> {
  const seen = serve(answers)
  keepTokens({ access_token: 'a', refresh_token: 'r', tenant_id: '000000' })
  window.history.replaceState(null, '', path)
  startConsole()
  render(<App />)
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).closest('[aria-busy]')).toBeNull())
  return seen
}
const click = (element: HTMLElement) => act(async () => fireEvent.click(element))
const menu = async () => {
  await click(screen.getByRole('button', { name: '林老师的菜单' }))
  return screen.findByRole('menu')
}

describe('R-AUTH-5 switch mode', () => {
  it('asks as what one works before anything of the work is there, and sends it with a refresh', async () => {
    const seen = await start('/wel/index')
    expect(await screen.findByRole('heading', { level: 1, name: '选择工作身份' })).toBeDefined()
    expect(screen.queryByRole('banner')).toBeNull()
    expect(seen.some((call) => call.path.startsWith('blade-system/menu'))).toBe(false)
    const first = screen.getByRole<HTMLInputElement>('radio', { name: '教务处' })
    expect(document.activeElement).toBe(first)
    expect([first.checked, screen.getByRole<HTMLInputElement>('radio', { name: '教师' }).checked]).toEqual([true, true])
    await click(screen.getByRole('radio', { name: '年级组长' }))
    await click(screen.getByRole('button', { name: '进入' }))
    await screen.findByRole('banner')
    const sent = seen.find((call) => call.path === 'blade-auth/oauth/token')
    expect(sent?.init.headers).toMatchObject({ 'Dept-Id': '101', 'Role-Id': '202' })
    expect(new URLSearchParams(String(sent?.init.body)).get('grant_type')).toBe('refresh_token')
    expect(accessToken()).toBe('a-202')
    expect(readStored('working:1')).toEqual({ deptId: '101', roleId: '202' })
    expect(screen.getByText('教务处 · 年级组长')).toBeDefined()
  })

  it('proposes what was chosen last, and says so when the server refuses', async () => {
    writeStored('working:1', { deptId: '102', roleId: '202' })
    const answers = server()
    await start('/wel/index', {
      ...answers,
      'blade-auth/oauth/token': {
        status: 400,
        body: { error: 'invalid_scope', error_description: '您不属于所选的部门或角色', code: 400 },
      },
    })
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: '德育处' })).checked).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '年级组长' }).checked).toBe(true)
    await click(screen.getByRole('button', { name: '进入' }))
    await screen.findByText('您不属于所选的部门或角色')
    expect(accessToken()).toBe('a')
  })

  it('switches from the menu of the account without loading the page: menus and buttons follow, pages of the former role close', async () => {
    const seen = await start('/wel/index')
    await click(await screen.findByRole('button', { name: '进入' }))
    await screen.findByRole('banner')
    act(() => go('/student'))
    await waitFor(() => expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['首页', '学生']))
    setTabState('/wel/index', { dirty: true })
    await click(within(await menu()).getByRole('menuitem', { name: '切换身份（教务处 · 教师）' }))
    const dialog = await screen.findByRole('dialog', { name: '选择工作身份' })
    await click(within(dialog).getByRole('radio', { name: '年级组长' }))
    await click(within(dialog).getByRole('button', { name: '切换' }))
    // Something is not saved: it is asked first, and nothing has happened yet.
    const asked = await screen.findByRole('alertdialog', { name: '有未保存的修改，仍要切换？' })
    expect(accessToken()).toBe('a-201')
    await click(within(asked).getByRole('button', { name: '切换' }))
    await waitFor(() => expect(accessToken()).toBe('a-202'))
    // With home alone there is no row of tabs.
    await waitFor(() => expect(screen.queryByRole('tab')).toBeNull())
    expect(window.location.pathname).toBe('/wel/index')
    expect(left).not.toHaveBeenCalled()
    expect(readStored('buttons')).toEqual(['school_view'])
    expect(toasts.get().map((toast) => toast.text)).toContain('现在的身份：教务处 · 年级组长')
    expect(seen.filter((call) => call.path === 'blade-auth/oauth/token')).toHaveLength(2)
  })

  it('nothing of it is seen where it is off', async () => {
    const answers = server()
    await start('/wel/index', { ...answers, 'blade-auth/oauth/user-info': good(person) })
    await screen.findByRole('banner')
    expect(within(await menu()).queryByRole('menuitem', { name: /切换身份/ })).toBeNull()
  })
})

describe('R-BAR-7 auto-lock', () => {
  const verifier = { salt: '00', rounds: 1, verifier: '00' }
  const begin = () => {
    vi.useFakeTimers({ now: new Date('2026-11-21T08:00:00Z') })
    keepVerifier(verifier)
    const lock = vi.fn()
    return { lock, ...watchIdle(5, lock) }
  }
  const minutes = (count: number) => vi.advanceTimersByTime(count * 60_000)
  const move = (x: number) => window.dispatchEvent(new MouseEvent('pointermove', { screenX: x, screenY: 1 }))

  it('counts down for a minute after the idle time, then locks, once', () => {
    const { lock, left: seconds, stop } = begin()
    minutes(4.9)
    expect(seconds.get()).toBeNull()
    minutes(0.1)
    expect(seconds.get()).toBe(countdownSeconds)
    vi.advanceTimersByTime(15_000)
    expect(seconds.get()).toBe(45)
    expect(lock).not.toHaveBeenCalled()
    vi.advanceTimersByTime(45_000)
    expect(lock).toHaveBeenCalledTimes(1)
    minutes(10)
    expect(lock).toHaveBeenCalledTimes(1)
    stop()
  })

  it('stops at any key or move, in this window or another; a pointer that lies still is no move', () => {
    const { lock, left: seconds, stop } = begin()
    move(1)
    minutes(5.5)
    expect(seconds.get()).toBe(30)
    move(1)
    expect(seconds.get()).toBe(30)
    move(2)
    expect(seconds.get()).toBeNull()
    minutes(5.5)
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' }))
    expect(seconds.get()).toBeNull()
    minutes(5.5)
    expect(seconds.get()).toBe(30)
    writeStored('active', Date.now())
    window.dispatchEvent(new StorageEvent('storage', { key: 'databrain-active' }))
    expect(seconds.get()).toBeNull()
    expect(lock).not.toHaveBeenCalled()
    stop()
  })

  it('a computer that slept past the end locks at the first sign of life; a clock set back keeps nothing open', () => {
    const { lock, stop } = begin()
    vi.setSystemTime(new Date('2026-11-21T20:00:00Z'))
    move(9)
    expect(lock).toHaveBeenCalledTimes(1)
    stop()
    vi.setSystemTime(new Date('2026-11-21T08:00:00Z'))
    writeStored('active', Date.now() + 86_400_000)
    const again = vi.fn()
    const watch = watchIdle(5, again)
    writeStored('active', Date.now() + 86_400_000)
    minutes(7)
    expect(again).not.toHaveBeenCalled()
    watch.stop()
  })

  it('without a lock password of this session, the account’s own opens, and the server is told', async () => {
    const answers = {
      ...server(),
      'blade-auth/oauth/user-info': good({ ...person, lockIdle: 1 }),
      'blade-auth/session/lock': good(null),
      'blade-auth/session/unlock': (call: Seen) =>
        new URLSearchParams(String(call.init.body)).get('password') === md5('Correct-Horse-9')
          ? good(null)
          : { status: 400, body: { code: 400, success: false, msg: '用户名或密码错误', data: null } },
    }
    const seen = await start('/wel/index', answers)
    await screen.findByRole('banner')
    const { lockUnattended } = await import('../src/session/lock.ts')
    await act(async () => lockUnattended())
    expect(window.location.pathname).toBe('/lock')
    expect(screen.queryByRole('banner')).toBeNull()
    await screen.findByText('长时间没有操作，已自动锁定，请用账号密码解锁')
    const told = seen.find((call) => call.path === 'blade-auth/session/lock')
    expect(new URLSearchParams(String(told?.init.body)).has('verifier')).toBe(false)
    fireEvent.change(screen.getByLabelText(/^账号密码/), { target: { value: 'Correct-Horse-9' } })
    await click(screen.getByRole('button', { name: '解锁' }))
    await screen.findByRole('banner')
    expect(readStored('lock-unattended', sessionStorage)).toBeUndefined()
  })

  it('with one, that one opens', async () => {
    await start('/wel/index', {
      ...server(),
      'blade-auth/oauth/user-info': good(person),
      'blade-auth/session/lock': good(null),
    })
    await screen.findByRole('banner')
    keepVerifier(verifier)
    const { lockUnattended } = await import('../src/session/lock.ts')
    await act(async () => lockUnattended())
    expect(await screen.findByLabelText(/^锁屏密码/)).toBeDefined()
    keepUnattended()
    expect(readStored('lock-password', sessionStorage)).toBeUndefined()
  })
})
