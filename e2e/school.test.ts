/// <reference lib="dom" />

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { logIn, save } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'
import { picture as keepPicture } from './window.ts'

let product: Product
let browser: Browser
let page: Page
const complaints: string[] = []

const picture = (name: string): Promise<void> => keepPicture(page, `school-${name}`, true)

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  await logIn(page, product.url, password, 'jiaowu', '000001')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const stands = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.day)

describe('ISSUE-15-8 the school as a whole', () => {
  it('is a tree of campus, building, floor and room, walked by keys, each with its figures and its record', async () => {
    await page.goto(`${product.url}/school/tree`)
    const tree = page.getByRole('treegrid', { name: '空间' })
    await tree.waitFor()
    await tree.getByRole('row').nth(1).focus()
    const level = () => page.evaluate(() => document.activeElement?.getAttribute('aria-level'))
    for (const deeper of ['2', '3', '4']) {
      await page.keyboard.press('ArrowRight')
      if ((await level()) !== deeper) await page.keyboard.press('ArrowRight')
      await expect.poll(level).toBe(deeper)
    }
    await page
      .getByText(/^座位 \d+$/)
      .last()
      .waitFor()
    await picture('tree')
    expect(await axeFaults(page)).toEqual([])
    const address = page.url()
    await page.reload()
    expect(page.url()).toBe(address)
    await page.locator('.school-tree-right').getByRole('link', { name: '打开' }).click()
    await page.getByRole('heading', { level: 2 }).first().waitFor()
  })

  it('is grades and classes of the current year, at 390 pixels as well', async () => {
    await page.goto(`${product.url}/school/tree?by=teaching`)
    const tree = page.getByRole('treegrid', { name: '教学' })
    await tree.getByRole('row').nth(1).click()
    await page
      .locator('.school-tree-right')
      .getByText(/班级 \d+ · 学生 \d+/)
      .waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await picture('tree-narrow')
    expect(await axeFaults(page)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('has a calendar whose year is seen month by month; a day becomes a holiday by keys', async () => {
    await page.goto(`${product.url}/school/schoolcalendarday`)
    await page.getByRole('main').getByRole('link', { name: '学年视图' }).click()
    // The current year is shown without asking for it.
    await page.locator('.calendar-year-months table').first().waitFor()
    await picture('calendar')
    expect(await axeFaults(page)).toEqual([])
    const usual = page.getByRole('button', { name: /正常上课$/ })
    const day = await usual.nth(3).getAttribute('data-day')
    await usual.nth(3).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(stands).toBe(day)
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: '名称' }).fill('校庆')
    await save(page, '新增成功')
    await page.locator(`[data-day="${day}"][data-kind="2"]`).waitFor()
    expect(await page.locator(`[data-day="${day}"]`).getAttribute('aria-label')).toMatch(/校庆 放假$/)
    await picture('calendar-after')
    expect(complaints).toEqual([])
  })

  it('ISSUE-15-3 has the assignments of a semester as one table, walked by keys, and what each teacher gives', async () => {
    await page.goto(`${product.url}/teaching/teacherclass`)
    await page.getByRole('main').getByRole('link', { name: '任课表' }).click()
    const grid = page.getByRole('grid', { name: '任课表' })
    await grid.waitFor()
    await picture('matrix')
    expect(await axeFaults(page)).toEqual([])
    const filled = grid.locator('td[role=gridcell]:has(span)').first()
    const [row, column] = (await filled.getAttribute('data-at'))!.split('-').map(Number) as [number, number]
    await grid.locator('[data-at="0-0"]').focus()
    for (let step = 0; step < row; step += 1) await page.keyboard.press('ArrowDown')
    for (let step = 0; step < column; step += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog')
    const before = await form.getByRole('spinbutton', { name: '周课时' }).inputValue()
    const now = before === '7' ? '6' : '7'
    await form.getByRole('spinbutton', { name: '周课时' }).fill(now)
    await save(page, '更新成功')
    await expect.poll(() => filled.innerText()).toContain(now)
    expect(complaints).toEqual([])
  })
})
