/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import excel from '@zurmokeeper/exceljs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults, settled } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { choose, logIn } from './clerk.ts'
import { freshFolder, type Product, password, startProduct } from './product.ts'

/** A clerk brings the record card of the authority, and fills it for chosen pupils; on a telephone too. */

let product: Product
let browser: Browser
let clerk: Page
const complaints: string[] = []

async function person(account: string, width = 1440): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, locale: 'zh-CN' })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  await logIn(page, product.url, password, account, '000001')
  return page
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.E2E_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await settled(page)
  await page.screenshot({ path: path.join(folder, `fixed-form-${name}.png`) })
}

async function workbook(name: string, cells: Record<string, string>): Promise<string> {
  const book = new excel.Workbook()
  const sheet = book.addWorksheet('登记卡')
  sheet.mergeCells('A1:D1')
  sheet.getCell('A1').value = '学生登记卡'
  for (const [cell, text] of Object.entries(cells)) sheet.getCell(cell).value = text
  const file = path.join(freshFolder(), name)
  await book.xlsx.writeFile(file)
  return file
}

/** Presses what starts a download, and reads the workbook that comes. */
async function downloaded(page: Page, press: () => Promise<void>): Promise<excel.Workbook> {
  const coming = page.waitForEvent('download')
  await press()
  const book = new excel.Workbook()
  await book.xlsx.readFile((await (await coming).path())!)
  return book
}

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  clerk = await person('jiaowu')
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('R-DEV-6 a form that an authority prescribes', () => {
  it('shows the marks that it can hold, to be searched', async () => {
    await clerk.goto(`${product.url}/report/fixedform`)
    await clerk.getByRole('heading', { level: 1, name: '表样' }).waitFor()
    await clerk.getByRole('button', { name: '可用标记' }).first().press('Enter')
    const dialog = clerk.getByRole('dialog', { name: '可用标记' })
    await dialog.getByRole('searchbox', { name: '搜索标记' }).fill('出生日期')
    await dialog.getByRole('button', { name: '{{出生日期}}' }).waitFor()
    await picture(clerk, 'marks')
    expect(await axeFaults(clerk)).toEqual([])
    await clerk.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  it('is refused with the cell of what is unknown, and saved once that is put right', async () => {
    await clerk.getByRole('button', { name: '新增' }).first().press('Enter')
    const form = clerk.getByRole('dialog').last()
    await form.getByLabel('名称').first().fill('登记卡')
    await choose(clerk, '填写对象', '学生')
    await form.locator('input[type=file]').setInputFiles(await workbook('错.xlsx', { A3: '{{姓明}}' }))
    await form.getByRole('button', { name: '更换文件' }).waitFor()
    await form.getByRole('button', { name: '保存', exact: true }).click()
    await form.getByText('工作表“登记卡”的单元格A3：没有名为“姓明”的字段，是否为“姓名”').first().waitFor()
    await picture(clerk, 'refused')
    await form.locator('input[type=file]').setInputFiles(await workbook('卡.xlsx', { A3: '{{姓名}}', B3: '{{班级}}' }))
    await form.getByText('卡.xlsx').waitFor()
    await form.getByRole('button', { name: '保存', exact: true }).click()
    await form.waitFor({ state: 'hidden' })
    await clerk.getByText('登记卡').first().waitFor()
    await picture(clerk, 'list')
  })

  it('is filled for the pupils that are ticked', async () => {
    await clerk.goto(`${product.url}/student/student`)
    const rows = clerk.locator('tbody tr[data-key]')
    await rows.nth(2).waitFor()
    for (const at of [0, 1, 2]) await rows.nth(at).getByRole('checkbox').check()
    await clerk.getByRole('toolbar', { name: '批量操作' }).getByRole('button', { name: '填表' }).press('Enter')
    const dialog = clerk.getByRole('dialog', { name: '填表' })
    await dialog.getByRole('radio', { name: '登记卡' }).check()
    await picture(clerk, 'fill')
    expect(await axeFaults(clerk)).toEqual([])
    const book = await downloaded(clerk, () => dialog.getByRole('button', { name: '下载' }).press('Enter'))
    expect(book.worksheets.map(({ name }) => name)).toEqual(['登记卡', '登记卡 (2)', '登记卡 (3)'])
    for (const [at, sheet] of book.worksheets.entries()) {
      expect(sheet.getCell('A1').isMerged).toBe(true)
      expect(await rows.nth(at).textContent()).toContain(sheet.getCell('A3').text)
      expect(sheet.getCell('A3').text).not.toBe('')
    }
    await dialog.waitFor({ state: 'hidden' })
  })

  it('is filled on a telephone', async () => {
    const phone = await person('jiaowu', 390)
    await phone.goto(`${product.url}/report/fixedform`)
    await phone.getByRole('heading', { level: 1, name: '表样' }).waitFor()
    await phone.getByText('登记卡').first().waitFor()
    await picture(phone, 'list-390')
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await axeFaults(phone)).toEqual([])
    expect(complaints).toEqual([])
  })
})
