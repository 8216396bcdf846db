import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser } from './browser.ts'
import { logIn } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'

/* Where a tenant asks why a child's record is read, its people say so once, and it stands in the access records. */

let product: Product
let browser: Browser
let page: Page

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })).newPage()
  page.setDefaultTimeout(20_000)
  await logIn(page, product.url, password, 'admin', '000001')
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

it('A3 asks once for a child, shows the record then, and another child asks again', async () => {
  const token = (await page.context().cookies()).find(({ name }) => name.includes('access'))?.value
  const set = await fetch(`${product.url}/api/blade-system/param/submit`, {
    method: 'POST',
    headers: { 'Blade-Auth': `bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ paramName: '事由', paramKey: 'log.readReason', paramValue: '1' }),
  })
  expect(set.status).toBe(200)
  await page.goto(`${product.url}/student/student`)
  const names = page.locator('tbody tr[data-key] .dt-link')
  await names.first().click()
  const dialog = page.getByRole('dialog', { name: '查看学生信息的事由' })
  await dialog.waitFor()
  await dialog.getByLabel(/^事由/).fill('家访')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('变更记录', { exact: true }).click()
  await page.getByText('新增').first().waitFor()
  expect(await dialog.count()).toBe(0)
  await page.goto(`${product.url}/student/student`)
  await names.nth(1).click()
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('请先说明查看学生信息的事由').first().waitFor()
  await page.goto(`${product.url}/monitor/read`)
  await page.getByText('家访').first().waitFor()
}, 180_000)
