/// <reference types="vite/client" />
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import html from '../login.html?raw'
import { dropTokens } from '../src/session/tokens.ts'
import { good, type Seen, serve } from './answers.ts'

/*
 * The log-in page as it is: its own HTML and its own script, run anew for each test, and the wire at the other end.
 */

const went = vi.fn<(address: string) => void>()

const off = { captcha: 0, phone: 0, switchMode: 0, social: [] }
const refusal = (error: string, words: string, data?: object) => ({
  status: 400,
  body: { error, error_description: words, code: 400, success: false, msg: words, ...(data ? { data } : {}) },
})
const inside = { body: { access_token: 'bsa_1', refresh_token: 'bsr_1', tenant_id: '000000', user_id: '7' } }

let seen: Seen[] = []
let pictures = 0

async function open(answers: Parameters<typeof serve>[0] = {}, ways: object = off): Promise<void> {
  pictures = 0
  seen = serve({
    'blade-auth/oauth/ways': good({ ...off, ...ways }),
    'blade-auth/oauth/captcha': () => {
      pictures += 1
      return { body: { key: `key-${pictures}`, image: `data:image/png;base64,${pictures}` } }
    },
    '/': { body: {} },
    ...answers,
  })
  document.body.innerHTML = /<body>([\s\S]*)<\/body>/.exec(html)![1]!
  vi.resetModules()
  await import('../login/login.ts')
  await waitFor(() => expect(asked('ways')).toHaveLength(1))
  await new Promise((resolve) => setTimeout(resolve, 0))
}

const asked = (call: string) => seen.filter(({ path }) => path === `blade-auth/oauth/${call}`)
const tokens = () =>
  asked('token').map(({ init }) => ({
    ...Object.fromEntries(init.body as URLSearchParams),
    headers: init.headers as Record<string, string>,
  })) as unknown as (Record<string, string> & { headers: Record<string, string> })[]
const field = (label: string) => screen.getByLabelText(label, { exact: true }) as HTMLInputElement
const type = (label: string, value: string) => fireEvent.input(field(label), { target: { value } })
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const send = () => fireEvent.submit(document.getElementById('form')!)
const complaint = () => document.getElementById('alert')!.textContent
const visible = (id: string) => document.getElementById(id)!.closest('[hidden]') === null

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  const location = new URL('http://localhost/login')
  vi.stubGlobal('location', Object.assign(location, { replace: went, assign: went }))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.clearAllMocks()
  dropTokens()
})

describe('R-AUTH-1 R-AUTH-2 the log-in page', () => {
  it('asks for nothing but account and password where the tenant wants nothing more', async () => {
    await open({ 'blade-auth/oauth/token': inside })
    for (const id of ['captcha', 'phone', 'second', 'switch']) expect([id, visible(id)]).toEqual([id, false])
    type('账号', ' admin ')
    type('密码', 'Correct-Horse-9')
    send()
    await waitFor(() => expect(went).toHaveBeenCalledWith('/wel/index'))
    expect(tokens()[0]).toMatchObject({ grant_type: 'password', tenantId: '000000', username: 'admin' })
    expect(tokens()[0]!.password).toMatch(/^[0-9a-f]{32}$/)
    expect(pictures).toBe(0)
  })

  it('takes what is typed in full width, and what comes along unseen, as what it says', async () => {
    await open({ 'blade-auth/oauth/token': inside })
    type('租户编号', '１００００１\u200b')
    type('账号', '\ufeffａｄｍｉｎ')
    type('密码', 'Correct-Horse-9')
    send()
    await waitFor(() => expect(tokens()).toHaveLength(1))
    expect(tokens()[0]).toMatchObject({ tenantId: '100001', username: 'admin' })
  })

  it('leads who must change the password, or set up a second factor, to where that is done', async () => {
    for (const [must, where] of [
      [{ must_change: true, must_second: true }, '/info/index?tab=password'],
      [{ must_second: true }, '/info/index?tab=security'],
    ] as const) {
      await open({ 'blade-auth/oauth/token': { body: { ...inside.body, ...must } } })
      type('账号', 'admin')
      type('密码', 'x')
      send()
      await waitFor(() => expect(went).toHaveBeenLastCalledWith(where))
      dropTokens()
    }
  })

  it('in captcha mode fetches one picture, sends what was read with it, and another after a refusal', async () => {
    await open({ 'blade-auth/oauth/token': refusal('invalid_grant', '验证码不正确') }, { captcha: 1 })
    expect(pictures).toBe(1)
    await waitFor(() =>
      expect((document.getElementById('picture') as HTMLImageElement).src).toBe('data:image/png;base64,1'),
    )
    type('账号', 'admin')
    type('密码', 'x')
    send()
    expect(complaint()).toBe('请输入图形验证码')
    expect(document.activeElement).toBe(field('图形验证码'))
    expect(asked('token')).toHaveLength(0)
    type('图形验证码', 'a2k验')
    send()
    await waitFor(() => expect(complaint()).toBe('验证码不正确'))
    expect(tokens()[0]).toMatchObject({ grant_type: 'captcha' })
    expect(tokens()[0]!.headers).toMatchObject({ 'Captcha-Key': 'key-1', 'Captcha-Code': 'a2k%E9%AA%8C' })
    await waitFor(() => expect(pictures).toBe(2))
    expect(field('图形验证码').value).toBe('')
    press('换一张')
    await waitFor(() => expect(pictures).toBe(3))
  })

  it('shows the picture when the server asks for it though the page did not know', async () => {
    await open({ 'blade-auth/oauth/token': refusal('captcha_needed', '请输入图形验证码') })
    type('账号', 'admin')
    type('密码', 'x')
    send()
    await waitFor(() => expect(visible('captcha')).toBe(true))
    expect(complaint()).toBe('请输入图形验证码')
    await waitFor(() => expect(pictures).toBe(1))
  })

  it('asks anew how one logs in when another tenant is typed, and keeps to the newest', async () => {
    await open({
      'blade-auth/oauth/ways': ({ query }) => good({ ...off, captcha: query.get('tenantId') === '000002' ? 1 : 0 }),
    })
    expect(visible('captcha')).toBe(false)
    type('租户编号', '00000')
    type('租户编号', '000002')
    await waitFor(() => expect(visible('captcha')).toBe(true))
    expect(asked('ways').map(({ query }) => query.get('tenantId'))).toEqual(['000000', '000002'])
  })
})

describe('R-AUTH-3 R-AUTH-11 the phone code', () => {
  const phone = { phone: 1 }

  it('judges the number in the exact words, before anything is sent', async () => {
    await open({}, phone)
    press('手机验证码登录')
    await import('../login/phone.ts')
    expect(document.activeElement).toBe(field('手机号码'))
    for (const [number, words] of [
      ['', '手机号码不能为空'],
      ['138', '手机号码长度不为11位'],
      ['12345678901', '手机号码格式不正确'],
    ] as const) {
      type('手机号码', number)
      press('获取验证码')
      expect(complaint()).toBe(words)
      send()
      expect(complaint()).toBe(words)
    }
    expect(asked('sms-code')).toHaveLength(0)
    expect(asked('token')).toHaveLength(0)
  })

  it('sends a code, counts down, and logs in with it', async () => {
    await open({ 'blade-auth/oauth/sms-code': good({ wait: 60 }), 'blade-auth/oauth/token': inside }, phone)
    press('手机验证码登录')
    await import('../login/phone.ts')
    type('手机号码', '13812345678')
    press('获取验证码')
    await waitFor(() => expect(document.getElementById('send')!.textContent).toMatch(/^(60|59)秒后可重发$/))
    expect(document.getElementById('sent')!.textContent).toContain('如该号码已登记')
    expect(Object.fromEntries(asked('sms-code')[0]!.init.body as URLSearchParams)).toEqual({
      tenantId: '000000',
      phone: '13812345678',
    })
    fireEvent.click(document.getElementById('send')!)
    expect(asked('sms-code')).toHaveLength(1)
    send()
    expect(complaint()).toBe('请输入短信验证码')
    type('短信验证码', '123456')
    send()
    await waitFor(() => expect(went).toHaveBeenCalledWith('/wel/index'))
    expect(tokens()[0]).toMatchObject({ grant_type: 'sms_code', phone: '13812345678', code: '123456' })
  })

  it('needs no picture in captcha mode, but for where the server asks for one', async () => {
    let asks = true
    await open(
      {
        'blade-auth/oauth/sms-code': () =>
          asks ? refusal('', '请输入图形验证码', { captcha: 1 }) : good({ wait: 60 }),
      },
      { phone: 1, captcha: 1 },
    )
    expect(visible('otherwise')).toBe(true)
    press('手机验证码登录')
    await import('../login/phone.ts')
    expect(visible('captcha')).toBe(false)
    type('手机号码', '13812345678')
    press('获取验证码')
    await waitFor(() => expect(visible('captcha')).toBe(true))
    expect(complaint()).toBe('请输入图形验证码')
    asks = false
    type('图形验证码', 'AEFHK')
    press('获取验证码')
    await waitFor(() => expect(asked('sms-code')).toHaveLength(2))
    expect(asked('sms-code')[1]!.init.headers).toMatchObject({ 'Captcha-Code': 'AEFHK' })
  })
})

describe('the second factor at log-in', () => {
  it('is asked for with the ticket, stays after a wrong code, and goes back when the time is over', async () => {
    let step = 0
    await open({
      'blade-auth/oauth/token': () =>
        [
          refusal('second_factor_needed', '请输入两步验证码', { ticket: 'bst_1', expiresIn: 300 }),
          refusal('invalid_grant', '两步验证码不正确或已使用'),
          refusal('second_factor_over', '两步验证已超时，请重新登录'),
        ][step++]!,
    })
    type('账号', 'admin')
    type('密码', 'x')
    send()
    await waitFor(() => expect(document.activeElement).toBe(field('两步验证码')))
    expect(visible('account')).toBe(false)
    send()
    expect(complaint()).toBe('请输入两步验证码')
    type('两步验证码', '111111')
    send()
    await waitFor(() => expect(complaint()).toBe('两步验证码不正确或已使用'))
    expect(tokens()[1]).toMatchObject({ grant_type: 'second_factor', ticket: 'bst_1', code: '111111' })
    expect(visible('second')).toBe(true)
    send()
    await waitFor(() => expect(complaint()).toBe('两步验证已超时，请重新登录'))
    expect(visible('second')).toBe(false)
    expect(field('账号').value).toBe('admin')
    expect(document.activeElement).toBe(field('密码'))
  })

  it('speaks English all through', async () => {
    await open({}, { phone: 1, captcha: 1 })
    press('English')
    press('Log in with a phone code')
    const text = document.getElementById('form')!.textContent!
    expect(text.replace('中文', '')).not.toMatch(/\p{Script=Han}/u)
    expect((document.getElementById('picture') as HTMLImageElement).alt).toBe('Picture with five signs')
  })
})
