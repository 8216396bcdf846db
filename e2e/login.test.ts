import { Secret, TOTP } from 'otpauth'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { accessKey, type Gateway, makeGateway, secretKey } from '../server/test/sms-gateway.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { logIn } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'
import { picture as keepPicture } from './window.ts'

/**
 * The ways to log in beside the password: a code that a real gateway on this machine is given to send, a second factor,
 * and captcha mode, in which who cannot read the picture logs in with the phone code.
 */

let product: Product
let browser: Browser
let gateway: Gateway
let context: BrowserContext
let page: Page
let secret = ''
const complaints: string[] = []
const number = '13812345678'

beforeAll(async () => {
  gateway = await makeGateway()
  product = await startProduct({ OUTBOUND_ALLOW: new URL(gateway.address('/gateway')).host })
  browser = await launchBrowser()
  await fresh()
})
afterEach(async (test) => {
  if (test.task.result?.state === 'fail') await picture('failed')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  gateway?.close()
})

/** A browser that nobody has used. */
async function fresh(): Promise<void> {
  await context?.close()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) complaints.push(message.text())
  })
}

/** Pictures of the page, where somebody asks for them. */
const picture = (name: string): Promise<void> => keepPicture(page, `login-${name}`)

/** The page as it stands: without a fault that axe finds, wide and narrow, light and dark, without anything cut off. */
async function looksGood(name: string): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await page.emulateMedia({ colorScheme })
    await picture(`${name}-${width}-${colorScheme}`)
    expect(await axeFaults(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

/** A call with a session of its own: for what the journey needs and is no part of it. */
let token = ''
async function call<T>(address: string, body?: object, form?: Record<string, string>): Promise<T> {
  const answer = await fetch(`${product.url}/api/${address}`, {
    method: body || form ? 'POST' : 'GET',
    headers: { 'blade-auth': `bearer ${token}`, ...(form ? {} : { 'content-type': 'application/json' }) },
    ...(form ? { body: new URLSearchParams(form) } : body ? { body: JSON.stringify(body) } : {}),
  })
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T }
  if (code !== 200) throw new Error(`${address}: ${code} ${msg}`)
  return data
}

const setParameter = (paramKey: string, paramValue: string) =>
  call('blade-system/param/submit', { paramName: paramKey, paramKey, paramValue })

const alert = (text: string | RegExp) => page.getByRole('alert').getByText(text)
const codeNow = (steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

/** The code of the newest message, when the gateway has been given more than so many. */
async function nextMessage(before: number): Promise<string> {
  await expect.poll(() => gateway.arrived.length, { timeout: 20_000 }).toBeGreaterThan(before)
  expect(gateway.forged).toEqual([])
  return (JSON.parse(gateway.arrived.at(-1)!.body) as { params: { code: string } }).params.code
}

describe('R-AUTH-3 by phone code', () => {
  it('is not offered before a tenant turns it on', async () => {
    await logIn(page, product.url, password)
    token = (await context.cookies()).find((cookie) => cookie.name.includes('access'))!.value
    const { id } = await call<{ id: string }>('blade-resource/sms/submit', {
      smsCode: 'local',
      category: '5',
      content: '验证码 #code#',
      signName: '实验学校',
      endpoint: gateway.address('/gateway'),
      accessKey,
      secretKey,
    })
    await call(`blade-resource/sms/enable?id=${id}`, {})
    const me = await call<{ userId: string }>('blade-auth/oauth/user-info')
    const { version } = await call<{ version: number }>(`blade-user/detail?id=${me.userId}`)
    await call('blade-user/submit', { id: me.userId, version, phone: number })
    await fresh()
    await page.goto(`${product.url}/login`)
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('button', { name: '手机验证码登录' }).isVisible()).toBe(false)
    await setParameter('login.phone', '1')
    await page.reload()
    await page.getByRole('button', { name: '手机验证码登录' }).waitFor()
  })

  it('R-AUTH-11 says what is wrong with a number, sends a code, counts down, and lets its owner in', async () => {
    await page.getByRole('button', { name: '手机验证码登录' }).click()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('phone')
    const send = page.getByRole('button', { name: '获取验证码' })
    for (const [typed, words] of [
      ['', '手机号码不能为空'],
      ['1381234', '手机号码长度不为11位'],
      ['12812345678', '手机号码格式不正确'],
    ] as const) {
      await page.getByLabel('手机号码').fill(typed)
      await send.click()
      await alert(words).waitFor()
    }
    expect(gateway.arrived).toHaveLength(0)
    await page.getByLabel('手机号码').fill(number)
    await send.click()
    await page.getByRole('status').getByText('验证码将很快送达').waitFor()
    await page.getByRole('button', { name: /^\d+秒后可重发$/ }).waitFor()
    expect(await page.getByRole('alert').isVisible()).toBe(false)
    await looksGood('phone')
    const code = await nextMessage(0)
    await page.keyboard.type(code === '111111' ? '222222' : '111111')
    await page.keyboard.press('Enter')
    await alert('短信验证码不正确或已失效').waitFor()
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/wel/index')
  })

  it('in English too, by keyboard alone', async () => {
    await fresh()
    await page.goto(`${product.url}/login`)
    await page.getByRole('button', { name: 'English' }).click()
    const way = page.getByRole('button', { name: 'Log in with a phone code' })
    await way.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('1381234')
    await page.keyboard.press('Enter')
    await alert('The mobile number does not have 11 digits').waitFor()
    await page.getByRole('button', { name: 'Log in with a password' }).press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('account')
    await page.getByRole('button', { name: '中文' }).click()
  })
})

describe('the second factor', () => {
  it('is asked for after the password, keeps the page where it is when wrong, and lets in when right', async () => {
    const begun = await call<{ secret: string }>('blade-user/second-factor/begin', undefined, { password })
    secret = begun.secret
    // The code of the step before: the one of now is for the log-in.
    await call('blade-user/second-factor/confirm', undefined, { code: codeNow(-1) })
    await fresh()
    await page.goto(`${product.url}/login`)
    await page.getByLabel('账号').fill('admin')
    await page.locator('input[type=password]').fill(password)
    await page.keyboard.press('Enter')
    const field = page.getByLabel('两步验证码')
    await field.waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('second')
    expect(await page.getByLabel('账号').isVisible()).toBe(false)
    await looksGood('second')
    await field.press('Enter')
    await alert('请输入两步验证码').waitFor()
    await field.fill(codeNow() === '111111' ? '222222' : '111111')
    await field.press('Enter')
    await alert('两步验证码不正确或已使用').waitFor()
    await field.fill(codeNow())
    await field.press('Enter')
    await page.waitForURL('**/wel/index')
  })

  it('one may go back to the first step', async () => {
    await fresh()
    await page.goto(`${product.url}/login`)
    await page.getByLabel('账号').fill('admin')
    await page.locator('input[type=password]').fill(password)
    await page.keyboard.press('Enter')
    await page.getByLabel('两步验证码').waitFor()
    await page.getByRole('button', { name: '返回登录' }).click()
    expect(await page.getByLabel('账号').inputValue()).toBe('admin')
  })
})

describe('R-AUTH-2 captcha mode', () => {
  it('shows a picture, says what is missing, and brings another one after each try', async () => {
    await setParameter('login.captcha', '1')
    await fresh()
    await page.goto(`${product.url}/login`)
    const shown = page.getByRole('img', { name: '图形验证码图片' })
    await shown.waitFor()
    const source = () => shown.getAttribute('src')
    await expect.poll(source).toMatch(/^data:image\/png;base64,/)
    await looksGood('captcha')
    const first = await source()
    await page.getByLabel('账号').fill('admin')
    await page.locator('input[type=password]').fill(password)
    await page.keyboard.press('Enter')
    await alert('请输入图形验证码').waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('captcha')
    // No picture holds a zero, so this is wrong whatever it shows.
    await page.keyboard.type('00000')
    await page.keyboard.press('Enter')
    await alert('验证码不正确').waitFor()
    await expect.poll(source).not.toBe(first)
    expect(await page.getByLabel('图形验证码', { exact: true }).inputValue()).toBe('')
    const second = await source()
    await page.getByRole('button', { name: '换一张' }).click()
    await expect.poll(source).not.toBe(second)
  })

  it('leads who cannot read it to the phone code, which needs no picture', async () => {
    await page.getByText('看不清图片？可用手机验证码登录').waitFor()
    await page.getByRole('button', { name: '手机验证码登录' }).click()
    expect(await page.getByRole('img', { name: '图形验证码图片' }).isVisible()).toBe(false)
    // The minute of the first message is over when the server says so.
    await page.getByLabel('手机号码').fill(number)
    const before = gateway.arrived.length
    await expect
      .poll(
        async () => {
          await page
            .getByRole('button', { name: '获取验证码' })
            .click({ timeout: 1_000 })
            .catch(() => undefined)
          return gateway.arrived.length
        },
        { timeout: 90_000, interval: 2_000 },
      )
      .toBeGreaterThan(before)
    await page.getByLabel('短信验证码').fill(await nextMessage(before))
    await page.keyboard.press('Enter')
    // The second factor is asked for here as well.
    await page.getByLabel('两步验证码').fill(codeNow(1))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/wel/index')
    expect(complaints).toEqual([])
  })
})
