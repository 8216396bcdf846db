/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import path from 'node:path'
import excel from '@zurmokeeper/exceljs'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { visitor } from './pages.ts'
import { freshFolder, type Product, password, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/**
 * A school needs to know of its pupils what no other school asks: its administrator adds fields, and a clerk works with
 * them a minute later in everything that a record has.
 */

let product: Product
let browser: Browser
let admin: Page
let clerk: Page
const complaints: string[] = []

const person = (account: string): Promise<Page> => demoPerson(browser, product, account, { complaints })

/** A picture of the page, where somebody wants to look at it. */
const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `custom-${name}`)

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

  it('are typed into a cell, filtered and ordered by, and told in the history by their names', async () => {
    const heads = await clerk
      .locator('thead th:not(.dt-tick)')
      .evaluateAll((all) => all.map((head) => head.textContent?.trim() ?? ''))
    const second = clerk.locator('tbody tr[data-key]').nth(1)
    const name = (await second.locator('th .dt-link').innerText()).trim()
    await second.locator('th .dt-link').focus()
    for (let at = 0; at < heads.indexOf('身高'); at += 1) await clerk.keyboard.press('ArrowRight')
    await clerk.keyboard.press('Enter')
    await clerk.locator('.cell-editor').waitFor()
    await clerk.keyboard.type('141.5')
    await clerk.keyboard.press('Enter')
    await row(clerk, name).getByText('141.5').waitFor()
    await clerk.locator('.cell-editor').waitFor({ state: 'detached' })

    await clerk.getByRole('button', { name: '筛选', exact: true }).press('Enter')
    const panel = clerk.getByRole('dialog', { name: '筛选' })
    await panel.getByLabel('查找筛选条件').fill('校车')
    await clerk.keyboard.press('Enter')
    await panel.getByLabel('二号线', { exact: true }).press('Space')
    await picture(clerk, 'filter')
    await clerk.keyboard.press('Escape')
    await clerk.getByRole('button', { name: '校车线路：二号线' }).waitFor()
    await expect.poll(() => clerk.locator('tbody tr[data-key]').count()).toBe(1)
    await picture(clerk, 'filtered')
    await clerk.getByRole('button', { name: '取消筛选：校车线路' }).press('Enter')
    await clerk.getByRole('columnheader', { name: '身高' }).getByRole('button').first().press('Enter')
    await expect.poll(() => clerk.locator('tbody tr[data-key]').first().innerText()).toContain('123.5')

    await clerk.locator('tbody tr[data-key]').nth(1).locator('th .dt-link').press('Enter')
    const record = clerk.locator('aside.detail')
    await record.getByText('自定义信息').waitFor()
    await record.getByText('141.5').waitFor()
    await record.getByRole('button', { name: '变更记录' }).press('Enter')
    await record.getByRole('rowheader', { name: '身高' }).waitFor()
    await record.getByRole('cell', { name: '141.5' }).waitFor()
    await picture(clerk, 'history')
    expect(await axeFaults(clerk)).toEqual([])
    await clerk.keyboard.press('Escape')
  })

  it('are taken out with the list, and come in again with a sheet that has their columns', async () => {
    await clerk.goto(`${product.url}/student/student`)
    await clerk.locator('tbody tr[data-key]').first().waitFor()
    await clerk.getByRole('columnheader', { name: '身高' }).waitFor()
    await clerk.getByRole('button', { name: '更多：导出、打印、删除' }).press('Enter')
    await clerk.getByRole('menuitem', { name: '导出' }).press('Enter')
    const out = clerk.getByRole('region', { name: '导出' })
    await out.getByRole('radio', { name: 'CSV' }).check()
    const coming = clerk.waitForEvent('download')
    await out.getByRole('button', { name: '导出', exact: true }).press('Enter')
    const [head = '', ...taken] = readFileSync(await (await coming).path(), 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
    const heads = head.split(',')
    expect(heads).toEqual(expect.arrayContaining(['校车线路', '身高']))
    const of = (line: string, name: string): string | undefined => line.split(',')[heads.indexOf(name)]
    const filled = taken.filter((line) => of(line, '身高'))
    expect(filled.map((line) => of(line, '身高')).toSorted()).toEqual(['123.5', '141.5'])
    expect(filled.map((line) => of(line, '校车线路'))).toContain('二号线')

    const book = new excel.Workbook()
    const sheet = book.addWorksheet('乘车')
    sheet.addRow(['姓名', '性别', '出生日期', '班级', '校车线路', '身高'])
    sheet.addRow(['邹校车', '男', '2018-09-05', of(taken[0]!, '班级'), '一号线', '118厘米'])
    const file = path.join(freshFolder(), '乘车名单.xlsx')
    await book.xlsx.writeFile(file)
    await clerk.goto(`${product.url}/student/import`)
    await clerk.getByRole('combobox', { name: '学校' }).press('Enter')
    await clerk.locator('.ant-select-dropdown:visible .ant-select-item-option').first().waitFor()
    await clerk.keyboard.press('Enter')
    await clerk.getByLabel('选择文件').setInputFiles(file)
    await clerk.getByRole('button', { name: '开始检查' }).press('Enter')
    await clerk.waitForURL(/step=(match|check)/)
    if (clerk.url().includes('step=match')) {
      await picture(clerk, 'match')
      await clerk.getByRole('button', { name: '开始检查' }).press('Enter')
    }
    const go = clerk.getByRole('button', { name: '导入', exact: true })
    await go.waitFor()
    await picture(clerk, 'check')
    await go.press('Enter')
    await clerk.getByRole('heading', { name: '导入完成' }).waitFor({ timeout: 60_000 })
    await clerk.goto(`${product.url}/student/student?name=邹校车`)
    await row(clerk, '邹校车').getByText('一号线').waitFor()
    await row(clerk, '邹校车').getByText('118').waitFor()
  })

  it('are called in English as the school has said, and fit a phone in both languages', async () => {
    for (const [language, width] of [
      ['zh', 390],
      ['en', 390],
      ['en', 1440],
    ] as const) {
      const context = await browser.newContext({ viewport: { width, height: 844 }, locale: 'zh-CN' })
      const { page } = await visitor(context, product.url, password, { tenantId: '000001', language })
      const english = language === 'en'
      const at = `${width}-${language}`
      await page.goto(`${product.url}/student/student?name=邹校车`)
      const one = page.locator('[data-key]').first()
      await one.waitFor()
      const id = await one.getAttribute('data-key')
      await page.goto(`${product.url}/student/student?edit=${id}`)
      await form(page)
        .getByText(english ? 'Bus line' : '校车线路')
        .waitFor()
      await form(page)
        .getByText(english ? 'Line 1' : '一号线')
        .first()
        .scrollIntoViewIfNeeded()
      await picture(page, `student-${at}`)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      await page.goto(`${product.url}/system/customfield`)
      await page.locator('[data-key]').first().waitFor()
      await picture(page, `list-${at}`)
      const field = await page
        .locator('[data-key]', { hasText: english ? 'Bus line' : '校车线路' })
        .first()
        .getAttribute('data-key')
      await page.goto(`${product.url}/system/customfield?edit=${field}`)
      await form(page)
        .getByRole('textbox', { name: english ? 'Name of option 1' : '第 1 个选项的名称', exact: true })
        .waitFor()
      await picture(page, `form-${at}`)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      expect(await axeFaults(page)).toEqual([])
      await context.close()
    }
    expect(complaints).toEqual([])
  })
})
