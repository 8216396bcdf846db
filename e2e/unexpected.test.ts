/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from './browser.ts'
import { logIn } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'

/** What nobody plans for: a page that is left half-way, an answer that never comes, rights that go, two at once. */

let product: Product
let browser: Browser
let page: Page

async function person(account: string, width = 1440): Promise<Page> {
  const phone = width < 500 ? { hasTouch: true, isMobile: true } : {}
  const context = await browser.newContext({ viewport: { width, height: 900 }, locale: 'zh-CN', ...phone })
  const made = await context.newPage()
  made.setDefaultTimeout(15_000)
  await logIn(made, product.url, password, account, '000001')
  return made
}

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  page = await person('admin')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const name = (of = page) => of.locator('.entity-form [data-field=name] input')

async function openNew(of = page): Promise<void> {
  await of.goto(`${product.url}/student/student`)
  await of.locator('tbody tr[data-key]').first().waitFor()
  await of.getByRole('button', { name: '新增学生' }).click()
  await of.locator('.entity-form [data-field=name] input:focus').waitFor()
}

describe('D10 a draft, and the page that is left', () => {
  it('says where it is kept; a reload by key brings it back unasked, closing the tab is asked about', async () => {
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss().catch(() => {})
    })
    await openNew()
    await page.keyboard.type('暂存生')
    const badge = page.locator('.drawer-kept')
    await badge.waitFor()
    expect(await badge.innerText()).toMatch(/^草稿暂存于此标签页 \d\d:\d\d$/)
    expect(await badge.getAttribute('title')).toContain('关闭浏览器标签页')
    // Headless browsers know no reload key of their own.
    await page.keyboard.press('F5')
    await page.reload()
    await page.getByText(/^已恢复 .*草稿$/).waitFor()
    expect(await name().inputValue()).toBe('暂存生')
    expect(asked).toEqual([])
    await name().click()
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => asked).toEqual(['beforeunload'])
    expect(await name().inputValue()).toBe('暂存生')
    await page.getByRole('button', { name: '丢弃草稿' }).click()
    page.removeAllListeners('dialog')
  })
})
