/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import { strFromU8, unzipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from './browser.ts'
import { logIn } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'

/** Lists as files and on paper: those that are no entity's, the browser's own print, and more rows than paper takes. */

let product: Product
let browser: Browser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await logIn(page, product.url, password, 'admin', '000001')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const rows = () => page.locator('.dt tbody tr[data-key]:visible')
async function open(path: string): Promise<void> {
  await page.goto(product.url + path)
  await rows().first().waitFor()
}
const printed = async (): Promise<void> => {
  await page.locator('html[data-printed]').waitFor({ state: 'attached' })
}
const away = () =>
  page.evaluate(() => {
    window.dispatchEvent(new Event('afterprint'))
    document.documentElement.removeAttribute('data-printed')
  })
const sheet = () => page.locator('.print-sheet')
/** The menu of the list, by keys: its first entry exports, its second prints. */
async function choose(entry: string): Promise<void> {
  await page.locator('.entity-buttons button[aria-haspopup=menu]:visible').first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: entry, exact: true }).waitFor()
  while ((await page.evaluate(() => document.activeElement?.textContent)) !== entry)
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

/** A button of the question, by keys. */
async function answer(name: string): Promise<void> {
  await page.getByRole('alertdialog').getByRole('button', { name, exact: true }).waitFor()
  while ((await page.evaluate(() => document.activeElement?.textContent)) !== name) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
}

describe('R-LIST-1 R-LOG-5 a list that is no entity’s', () => {
  it('is exported with the columns and headings that are shown', async () => {
    await open('/monitor/history')
    const heads = await page.locator('.dt thead th:visible').allInnerTexts()
    await choose('导出')
    const coming = page.waitForEvent('download')
    await page.locator('.pop').getByRole('button', { name: '导出', exact: true }).click()
    const file = await (await coming).path()
    const parts = unzipSync(new Uint8Array(readFileSync(file)))
    const told = [...strFromU8(parts['xl/worksheets/sheet1.xml']!).matchAll(/<[tv](?: [^>]*)?>([^<]*)</g)].map(
      ([, text]) => text,
    )
    expect(told.slice(0, 5)).toEqual(heads.map((head) => head.trim()).filter((head) => head !== '操作' && head !== ''))
    const first = await rows().first().locator('td, th').allInnerTexts()
    expect(told.slice(5, 10)).toContain(first[1]!.trim())
    expect(complaints).toEqual([])
  })

  it('is printed with its filters, as its cells say', async () => {
    await open('/monitor/log/usual')
    const when = (await rows().first().locator('[data-act=open]').innerText()).trim()
    await choose('打印')
    await printed()
    expect(await sheet().locator('caption strong').textContent()).toBe('通用日志')
    // What was done meanwhile stands above it.
    expect(await sheet().locator('tbody').textContent()).toContain(when)
    await away()
    expect(await sheet().count()).toBe(0)
    // By the key that prints everywhere.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('p')
    await printed()
    expect(await sheet().locator('caption strong').textContent()).toBe('通用日志')
    await away()
  })
})

describe('R-LIST-1 the print of the browser itself', () => {
  const laid = () =>
    page.waitForFunction(() => {
      window.dispatchEvent(new Event('beforeprint'))
      return document.querySelectorAll('.print-sheet').length === 1
    })
  const ready = () =>
    page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /print-screen/.test(name)))

  it('lays out the rows of the list with whole names, and nothing of the page around them', async () => {
    await open('/student/student')
    await ready()
    const names = await page.locator('.dt tbody th:visible').allInnerTexts()
    await laid()
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: 794, height: 1123 })
    const seen = await page.locator('.print-sheet tbody tr').allInnerTexts()
    expect(seen.length).toBe(names.length)
    const heads = await page.locator('.print-sheet thead th').allInnerTexts()
    expect(heads.slice(0, 3)).toEqual(['姓名', '校内学号', '性别'])
    for (const [at, name] of names.entries()) expect(seen[at]).toContain(name.trim().split('\n')[0])
    const cut = await page
      .locator('.print-sheet :is(td, th)')
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length)
    expect(cut).toBe(0)
    expect(await page.locator('button:visible, .entity-tools:visible, .sidebar:visible').count()).toBe(0)
    await away()
    await page.emulateMedia({ media: null })
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('lays out the open record alone', async () => {
    await open('/student/student')
    await ready()
    const name = (await page.locator('.dt tbody th:visible').first().innerText()).trim().split('\n')[0]!
    await page.locator('.dt tbody th:visible a, .dt tbody th:visible button').first().click()
    await page.locator('.detail-list').first().waitFor()
    await laid()
    expect(await sheet().locator('h1').textContent()).toBe(name)
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: 794, height: 1123 })
    expect(await page.locator('.dt:visible, button:visible').count()).toBe(0)
    await away()
    await page.emulateMedia({ media: null })
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

describe('R-LIST-1 more rows than paper takes', () => {
  it('asks before, with the keys, and exports instead where that is wanted', async () => {
    await open('/monitor/history')
    await choose('打印')
    const question = page.getByRole('alertdialog')
    await question.waitFor()
    expect(await question.locator('h2').innerText()).toContain('2,000')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('[role=alertdialog]') !== null))
      .toBe(true)
    await answer('改为导出')
    await page.locator('.pop').getByRole('button', { name: '导出', exact: true }).waitFor()
    expect(await sheet().count()).toBe(0)
    await page.keyboard.press('Escape')
    await choose('打印')
    await question.waitFor()
    await answer('打印前 2,000 条')
    await printed()
    expect(await sheet().locator('tbody tr').count()).toBe(2000)
    await away()
  })
})
