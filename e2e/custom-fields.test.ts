import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults, settled } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { logIn } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'

/**
 * A school needs to know of its pupils what no other school asks: its administrator adds fields, and a clerk works with
 * them a minute later in everything that a record has.
 */

let product: Product
let browser: Browser
let admin: Page
let clerk: Page
const complaints: string[] = []

async function person(account: string, size = { width: 1440, height: 900 }, locale = 'zh-CN'): Promise<Page> {
  const context = await browser.newContext({ viewport: size, locale, acceptDownloads: true })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  await logIn(page, product.url, password, account, '000001')
  return page
}

/** A picture of the page, where somebody wants to look at it. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.E2E_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await settled(page)
  await page.screenshot({ path: path.join(folder, `custom-${name}.png`) })
}

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  admin = await person('admin')
  clerk = await person('jiaowu')
})
afterEach(async (context) => {
  if (context.task.result?.state !== 'fail') return
  await picture(admin, 'failed-admin')
  await picture(clerk, 'failed-clerk')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const form = (page: Page): Locator => page.getByRole('dialog').last()
const field = (page: Page, name: string): Locator => form(page).getByLabel(name).first()

/** Chooses among values that stand side by side, by keys. */
async function pick(page: Page, label: string, option: string): Promise<void> {
  await form(page)
    .getByRole('radiogroup', { name: label })
    .getByRole('radio', { name: option, exact: true })
    .press('Space')
}

/** Types a part of an option's words into a list, and takes the one that is left. */
async function typeChoice(page: Page, label: string, option: string): Promise<void> {
  const box = form(page).getByRole('combobox', { name: label })
  await box.focus()
  await page.keyboard.press('Enter')
  const list = page.locator('.ant-select-dropdown:visible')
  await list.locator('.ant-select-item-option').first().waitFor()
  for (let at = 0; at < 10; at += 1) {
    if ((await list.locator('.ant-select-item-option-active').innerText()) === option) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

async function saved(page: Page): Promise<void> {
  await page.keyboard.press('Control+s')
  await page.locator('.entity-form').first().waitFor({ state: 'hidden' })
}

const addField = async (): Promise<void> => {
  await admin
    .getByRole('button', { name: /新增自定义字段/ })
    .first()
    .press('Enter')
  await field(admin, '字段名称').waitFor()
}
const row = (page: Page, name: string): Locator => page.locator('tbody tr[data-key]', { hasText: name })

/** Shows a column of the list. */
async function show(page: Page, ...labels: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: '显示：列、密度、排序', exact: true }).press('Enter')
  for (const label of labels) await page.getByRole('checkbox', { name: label, exact: true }).press('Space')
  await page.keyboard.press('Escape')
  for (const label of labels) await page.getByRole('columnheader', { name: label }).waitFor()
}

describe('R-PROD-6 fields of a school’s own', () => {
  it('are added by an administrator with keys: a choice and a number for pupils', async () => {
    await clerk.goto(`${product.url}/student/student`)
    await clerk.locator('tbody tr[data-key]').first().waitFor()
    await admin.goto(`${product.url}/system/customfield`)
    await addField()
    await pick(admin, '所属对象', '学生')
    await field(admin, '字段名称').fill('校车线路')
    await field(admin, '英文名称').fill('Bus line')
    await pick(admin, '字段类型', '单选')
    await form(admin).getByRole('button', { name: '添加选项' }).press('Enter')
    await admin.keyboard.type('一号线')
    await admin.keyboard.press('Tab')
    await admin.keyboard.type('Line 1')
    await form(admin).getByRole('textbox', { name: '第 1 个选项的名称', exact: true }).press('Enter')
    await admin.keyboard.type('二号线')
    await picture(admin, 'form-choice')
    expect(await axeFaults(admin)).toEqual([])
    await saved(admin)
    await addField()
    await pick(admin, '所属对象', '学生')
    await field(admin, '字段名称').fill('身高')
    await pick(admin, '字段类型', '数字')
    await field(admin, '小数位数').fill('1')
    await field(admin, '最小值').fill('50')
    await field(admin, '最大值').fill('250')
    await picture(admin, 'form-number')
    await saved(admin)
    await row(admin, '身高').waitFor()
    await picture(admin, 'list')
  })

  it('are in the clerk’s open list at once: as columns, in its cells and in the form', async () => {
    await show(clerk, '校车线路', '身高')
    const first = clerk.locator('tbody tr[data-key]').first()
    const name = (await first.locator('th .dt-link').innerText()).trim()
    await first.locator('th .dt-link').press('e')
    await field(clerk, '身高').fill('12')
    await clerk.keyboard.press('Control+s')
    await form(clerk).getByText('50').first().waitFor()
    await picture(clerk, 'form-fault')
    await field(clerk, '身高').fill('123.5')
    await typeChoice(clerk, '校车线路', '二号线')
    await picture(clerk, 'form')
    expect(await axeFaults(clerk)).toEqual([])
    await saved(clerk)
    await row(clerk, name).getByText('123.5').waitFor()
    await row(clerk, name).getByText('二号线').waitFor()
    await picture(clerk, 'students')
  })
})
