import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { logIn } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'

/** Menu entries that lead out of the console: into a frame, into a new window, or nowhere at all. */

let product: Product
let browser: Browser
let page: Page
let outside: Server
let origin: string
let visits = 0
const complaints: string[] = []

beforeAll(async () => {
  outside = createServer((request, response) => {
    if (request.url?.startsWith('/plan')) visits += 1
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><title>plan</title><h1>Canteen plan</h1><p id="origin"></p>
       <script>document.querySelector('#origin').textContent = self.origin; try { parent.document.title; document.body.append('reached') } catch { document.body.append('kept out') }</script>`,
    )
  })
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
  product = await startProduct()
  browser = await launchBrowser()
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })).newPage()
  page.setDefaultTimeout(15_000)
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) complaints.push(message.text())
  })
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  outside?.close()
})

async function call<T>(address: string, body?: object, query = ''): Promise<{ code: number; msg: string; data: T }> {
  const token = (await page.context().cookies()).find((cookie) => cookie.name.includes('access'))!.value
  const answer = await fetch(`${product.url}/api/blade-system/${address}${query}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'blade-auth': `bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return (await answer.json()) as { code: number; msg: string; data: T }
}

const entry = (code: string, path: string, more: object = {}) =>
  call<{ id: string }>('menu/submit', { code, path, name: code, nameEn: code, category: '1', ...more })

describe('menu entries that lead out of the console', () => {
  it('R-ROUTE-5 are made by the platform; a script is refused as an address', async () => {
    await logIn(page, product.url, password)
    for (const path of ['javascript:alert(1)', 'data:text/html,x', '//evil.example/x', '\\\\evil.example'])
      expect((await entry('bad', path)).code, path).toBe(400)
    const made = [
      await entry('canteen', `${origin}/plan?day=1`),
      await entry('manual', `${origin}/manual`, { isOpen: '2' }),
      await entry('wide', `${origin}/wide`, { fullScreen: 1, isTab: 0 }),
    ]
    expect(made.map(({ code, msg }) => [code, msg])).toEqual(made.map(() => [200, '操作成功']))
    const tops = (await call<{ id: string; name: string }[]>('menu/top-menu')).data
    const top = tops.find(({ name }) => name === '资源')!
    const keys = (await call<{ menu: string[] }>('menu/top-tree-keys', undefined, `?topMenuIds=${top.id}`)).data.menu
    const granted = await call('topmenu/grant', {
      topMenuIds: [top.id],
      menuIds: [...keys, ...made.map(({ data }) => data.id)],
    })
    expect(granted.code).toBe(200)
  })

  it('R-ROUTE-3 R-ROUTE-5 open inside the console, sandboxed, with a query of name and src', async () => {
    // The policy of the page is read again at the latest after some seconds.
    await page.waitForTimeout(5_100)
    await page.goto(`${product.url}/myiframe/canteen`)
    const frame = page.frameLocator('iframe[title="canteen"]')
    await frame.getByRole('heading', { name: 'Canteen plan' }).waitFor()
    expect(await frame.locator('#origin').textContent()).toBe('null')
    await frame.getByText('kept out').waitFor()
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts allow-forms')
    const { searchParams } = new URL(page.url())
    expect(Object.fromEntries(searchParams)).toEqual({ name: 'canteen', src: `${origin}/plan?day=1` })
    expect(await page.getByRole('tab', { name: 'canteen' }).getAttribute('aria-selected')).toBe('true')
    expect(complaints).toEqual([])
    expect(await axeFaults(page)).toEqual([])
  })

  it('R-TAB-6 are not loaded again when their tab is shown again', async () => {
    const before = visits
    await page.getByRole('tab', { name: '首页' }).click()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.getByRole('tab', { name: 'canteen' }).click()
    await page.frameLocator('iframe[title="canteen"]').getByRole('heading', { name: 'Canteen plan' }).waitFor()
    expect(visits).toBe(before)
  })

  it.each([
    ['an address that is in no menu', '/myiframe/urlPath?name=x&src=https%3A%2F%2Fevil.example%2F'],
    ['a script', '/myiframe/canteen?name=x&src=javascript%3Aalert(1)'],
    ['another address under the name of an entry', '/myiframe/canteen?src=https%3A%2F%2Fevil.example%2F'],
    ['an entry that is no frame', '/myiframe/student'],
  ])('R-ROUTE-3 shows 403 for %s', async (_title, address) => {
    await page.goto(product.url + address)
    await page.getByText('403').waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
  })

  it('R-ROUTE-5 R-NAV-5 open a new window where the entry says so, without a way back to this one', async () => {
    await page.goto(product.url)
    const link = page.getByRole('link', { name: /^manual/ }).first()
    await page.getByRole('navigation', { name: '顶部菜单' }).getByText('资源', { exact: true }).click()
    await link.waitFor()
    expect(await link.getAttribute('rel')).toContain('noopener')
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await opened.getByRole('heading', { name: 'Canteen plan' }).waitFor()
    expect(await opened.evaluate(() => window.opener)).toBeNull()
    await opened.close()
  })

  it('R-LAY-2 fill the screen where the entry says so, and Esc leads out', async () => {
    await page.goto(`${product.url}/myiframe/wide`)
    await page.frameLocator('iframe').getByRole('heading', { name: 'Canteen plan' }).waitFor()
    expect(await page.getByRole('banner').count()).toBe(0)
    await page.getByRole('heading', { name: 'wide' }).focus()
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/wel\/index/)
    await page.getByRole('banner').waitFor()
    expect(await page.getByRole('tab', { name: 'wide' }).count()).toBe(0)
  })
})
