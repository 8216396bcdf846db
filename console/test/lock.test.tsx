import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { App, startConsole } from '../src/app.tsx'
import { deriveKey, hexOf, plainDerive, plainSha256 } from '../src/session/derive.ts'
import { localLogout, setLeave } from '../src/session/end.ts'
import { openWindow } from '../src/session/lock-state.ts'
import { md5 } from '../src/session/md5.ts'
import { keepTokens } from '../src/session/tokens.ts'
import { closeDialog } from '../src/shell/dialogs.tsx'
import { setGuardLeave } from '../src/shell/guard.ts'
import { resetTabs } from '../src/shell/tabs.ts'
import { go } from '../src/ui/place.ts'
import { good, type Seen, serve } from './answers.ts'

const left = vi.fn<(address: string) => void>()
const done = good(null)
const wrongKey = { status: 400, body: { code: 400, success: false, msg: '锁屏密码错误', data: { left: 4 } } }
const info = {
  userId: '1',
  tenantId: '000000',
  tenantName: '第一中学',
  account: 'admin',
  realName: '林校长',
  roles: [],
}
const formOf = (call: Seen | undefined): URLSearchParams => new URLSearchParams(String(call?.init.body))

/** A server that locks and unlocks as the real one does: by the verifier that it was given. */
function server() {
  let verifier = ''
  return {
    'blade-auth/oauth/user-info': good(info),
    'blade-system/menu/top-menu': good([]),
    'blade-system/menu/routes': good([]),
    'blade-system/menu/buttons': good([]),
    'blade-auth/oauth/logout': done,
    'blade-auth/session/lock': (call: Seen) => {
      verifier ||= formOf(call).get('verifier') ?? ''
      return done
    },
    'blade-auth/session/unlock': (call: Seen) => {
      const form = formOf(call)
      if (form.has('password')) return form.get('password') === md5('Correct-Horse-9') ? done : wrongKey
      const fits = hexOf(plainSha256(fromHex(form.get('key') ?? ''))) === verifier
      if (fits) verifier = ''
      return fits ? done : wrongKey
    },
  }
}
const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

beforeEach(() => {
  setLeave(left)
  setGuardLeave(left)
})
afterEach(() => {
  vi.unstubAllGlobals()
  left.mockClear()
  closeDialog()
  localLogout()
  openWindow()
  resetTabs()
  sessionStorage.clear()
  localStorage.clear()
})

async function start(path: string): Promise<Seen[]> {
  const seen = serve(server())
  keepTokens({ access_token: 'a', refresh_token: 'r', tenant_id: '000000' })
  window.history.replaceState(null, '', path)
  startConsole()
  render(<App />)
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).closest('[aria-busy]')).toBeNull())
  return seen
}

/** Chooses the lock in the avatar's menu. */
async function chooseLock(): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name: /的菜单$/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: '锁屏' }))
}

async function lockWith(password: string): Promise<void> {
  fireEvent.keyDown(window, { code: 'KeyL', altKey: true })
  const dialog = await screen.findByRole('dialog', { name: '锁屏' })
  fireEvent.change(within(dialog).getByLabelText(/^锁屏密码/), { target: { value: password } })
  fireEvent.click(within(dialog).getByRole('button', { name: '锁定' }))
}

async function tryPassword(password: string, label = '锁屏密码'): Promise<void> {
  fireEvent.change(await screen.findByLabelText(new RegExp(`^${label}`)), { target: { value: password } })
  await act(async () => fireEvent.click(screen.getByRole('button', { name: '解锁' })))
}

const stored = (name: string): unknown => JSON.parse(sessionStorage.getItem(`databrain-${name}`) ?? '{}').content

describe('R-BAR-7 the lock', () => {
  it('asks for a password, and says 锁屏密码不能为空 without one', async () => {
    const seen = await start('/wel/index')
    await chooseLock()
    const dialog = await screen.findByRole('dialog', { name: '锁屏' })
    fireEvent.click(within(dialog).getByRole('button', { name: '锁定' }))
    expect(within(dialog).getByText('锁屏密码不能为空')).toBeDefined()
    expect(window.location.pathname).toBe('/wel/index')
    expect(seen.some((call) => call.path.endsWith('session/lock'))).toBe(false)
  })

  it('R-NAV-1 takes the work out of the page at once, keeps only a salted verifier, and returns to the tab left', async () => {
    const seen = await start('/info/index?tab=password')
    expect(document.body.textContent).toContain('原密码')
    await lockWith('letme-1n')
    expect(window.location.pathname).toBe('/lock')
    expect(screen.queryByRole('banner')).toBeNull()
    expect(screen.queryByRole('tab')).toBeNull()
    expect(document.body.textContent).not.toContain('原密码')
    expect(document.title).toContain('已锁定')
    for (const path of ['/wel/index', '/404', '/info/index', '/login']) {
      act(() => go(path))
      expect(window.location.pathname).toBe('/lock')
    }

    await waitFor(() => expect(seen.some((call) => call.path.endsWith('session/lock'))).toBe(true))
    const kept = stored('lock-password') as { salt: string; rounds: number; verifier: string }
    expect(stored('lock')).toBe(true)
    expect(kept.rounds).toBeGreaterThanOrEqual(60_000)
    expect(kept.salt).toMatch(/^[0-9a-f]{32}$/)
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('letme-1n')
    expect(formOf(seen.find((call) => call.path.endsWith('session/lock'))).get('verifier')).toBe(kept.verifier)

    await tryPassword('letme-1n')
    await waitFor(() => expect(window.location.pathname + window.location.search).toBe('/info/index?tab=password'))
    expect(await screen.findByRole('banner')).toBeDefined()
    expect(stored('lock')).toBeUndefined()
  })

  it('counts wrong passwords here and on the server; the fifth ends the session', async () => {
    const seen = await start('/wel/index')
    await lockWith('right one')
    await tryPassword('wrong')
    await screen.findByText('锁屏密码错误，还可以试 4 次')
    expect(screen.getByLabelText<HTMLInputElement>(/^锁屏密码/).value).toBe('')
    for (const words of ['还可以试 3 次', '还可以试 2 次', '再错一次将退出登录']) {
      await tryPassword('wrong')
      await waitFor(() => expect(document.body.textContent).toContain(words))
    }
    expect(seen.filter((call) => call.path.endsWith('session/unlock'))).toHaveLength(4)
    expect(left).not.toHaveBeenCalled()
    await tryPassword('wrong')
    await waitFor(() => expect(left).toHaveBeenCalledWith('/login'))
    expect(seen.at(-1)?.path).toBe('blade-auth/oauth/logout')
    expect(stored('notice')).toMatchObject({ text: '锁屏密码连续输错 5 次，已退出登录' })
    expect(stored('lock')).toBeUndefined()
  })

  it('locks again with the last password by one button', async () => {
    await start('/wel/index')
    await lockWith('once and again')
    await tryPassword('once and again')
    await screen.findByRole('banner')
    await chooseLock()
    fireEvent.click(await screen.findByRole('button', { name: '用上次的锁屏密码' }))
    expect(window.location.pathname).toBe('/lock')
    await tryPassword('something else')
    await screen.findByText(/锁屏密码错误/)
    await tryPassword('once and again')
    await screen.findByRole('banner')
  })

  it('follows a lock of another window, and opens there to the account’s own password', async () => {
    const locked = { status: 423, body: { code: 423, success: false, msg: '已锁定，请先解锁', data: null } }
    const seen = serve({ ...server(), 'blade-system/menu/buttons': locked })
    keepTokens({ access_token: 'a', refresh_token: 'r', tenant_id: '000000' })
    window.history.replaceState(null, '', '/wel/index')
    startConsole()
    render(<App />)
    await screen.findByText('会话已在其他窗口锁定，请用账号密码解锁')
    expect(window.location.pathname).toBe('/lock')
    serve(server())
    await tryPassword('Correct-Horse-9', '账号密码')
    await screen.findByRole('banner')
    expect(seen.some((call) => call.path.endsWith('session/lock'))).toBe(false)
  })

  it('keeps drafts when somebody logs out from the lock page', async () => {
    await start('/wel/index')
    sessionStorage.setItem('databrain-draft:1:000000:student:new', 'typed')
    await lockWith('x')
    await act(async () => fireEvent.click(await screen.findByRole('button', { name: '退出登录' })))
    await waitFor(() => expect(left).toHaveBeenCalledWith('/login'))
    expect(sessionStorage.getItem('databrain-draft:1:000000:student:new')).toBe('typed')
    expect(stored('lock-password')).toBeUndefined()
  })
})

describe('the key of a password', () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text)

  it('R-BAR-7 is that of PBKDF2 with HMAC-SHA-256 (RFC 7914), without WebCrypto', () => {
    expect(hexOf(plainDerive(bytesOf('passwd'), bytesOf('salt'), 1))).toBe(
      '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc',
    )
    expect(hexOf(plainDerive(bytesOf('Password'), bytesOf('NaCl'), 80_000))).toBe(
      '4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56',
    )
    expect(hexOf(plainSha256(bytesOf('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it.each(['', 'letme-1n', '密码'.repeat(40), 'x'.repeat(55), 'x'.repeat(64), 'x'.repeat(65)])(
    'R-BAR-7 is the same with and without WebCrypto: “%s”',
    async (password) => {
      const salt = crypto.getRandomValues(new Uint8Array(16))
      const withIt = await deriveKey(password, hexOf(salt), 37)
      expect(withIt.key).toBe(hexOf(plainDerive(bytesOf(password), salt, 37)))
      vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
      expect(await deriveKey(password, hexOf(salt), 37)).toEqual(withIt)
      expect(withIt.verifier).toBe(hexOf(plainSha256(fromHex(withIt.key))))
    },
  )
})
