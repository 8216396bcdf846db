import path from 'node:path'
import excel from '@zurmokeeper/exceljs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { logIn } from './clerk.ts'
import { freshFolder, type Product, password, startProduct } from './product.ts'

/** Rooms as a clerk lists them, brought in from their own list. */

let product: Product
let browser: Browser
beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

async function rooms(building: string): Promise<string> {
  const book = new excel.Workbook()
  const sheet = book.addWorksheet('教室')
  for (const row of [
    ['实验小学教室一览表'],
    ['序号', '教学楼', '楼层', '教室', '班级'],
    [1, building, '3楼', `${building}301`, ''],
    [2, '', '3楼', `${building}音乐教室`, ''],
    [3, '', '一层', '机房', '六（9）班'],
  ])
    sheet.addRow(row)
  sheet.mergeCells(1, 1, 1, 5)
  const file = path.join(freshFolder(), `${building}.xlsx`)
  await book.xlsx.writeFile(file)
  return file
}

async function makeSchool(): Promise<void> {
  const page = await (await browser.newContext({ locale: 'zh-CN' })).newPage()
  await logIn(page, product.url, password)
  const token = (await page.context().cookies()).find((cookie) => cookie.name.includes('access'))!.value
  const answer = await fetch(`${product.url}/api/blade-user/school/submit`, {
    method: 'POST',
    headers: { 'blade-auth': `bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ schoolCode: '2132000001', schoolName: '实验小学', schoolType: '21', stages: ['2'], regionCode: '320102' },
    }),
  })
  expect(answer.status).toBe(200)
  await page.context().close()
}

describe('R-IMP-1 rooms come in from their own list', () => {
  it.each([
    [1440, 900, '明德楼'],
    [390, 844, '笃行楼'],
  ])(
    'at %i px: a proposed value is looked at, one row is left out and can be fetched',
    async (width, height, building) => {
      if (width === 1440) await makeSchool()
      const page = await (await browser.newContext({ viewport: { width, height }, locale: 'zh-CN' })).newPage()
      page.setDefaultTimeout(30_000)
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      const shoot = async (name: string): Promise<void> => {
        expect(await axeFaults(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
        if (process.env.E2E_PICTURES)
          await page.screenshot({ path: path.join(process.env.E2E_PICTURES, `import-rooms-${name}-${width}.png`) })
      }
      await logIn(page, product.url, password)
      await page.goto(`${product.url}/school/schoolclassroom`)
      const button = page.getByRole('button', { name: '导入', exact: true }).first()
      await button.waitFor()
      await shoot('list')
      await button.click()
      await page.getByRole('heading', { level: 1, name: '导入教室' }).waitFor()
      await page.getByLabel('选择文件').setInputFiles(await rooms(building))
      await page.getByRole('button', { name: '开始检查' }).click()
      // The file says no seats: what is proposed is shown before anything is checked.
      await page.waitForURL(/step=match/)
      await expect
        .poll(() => page.getByRole('textbox', { name: '座位数' }).inputValue(), { timeout: 20_000 })
        .toBe('45')
      await shoot('match')
      await page.getByRole('button', { name: '开始检查' }).click()
      await page.getByText(`同时新建：${building}3层`, { exact: true }).waitFor()
      await shoot('check')
      await page.getByLabel(/不管有错误的 1 行/).check()
      await page.getByRole('button', { name: '导入', exact: true }).click()
      await page.getByRole('heading', { name: '导入完成' }).waitFor()
      await shoot('result')
      const [left] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: '下载未导入的行' }).click(),
      ])
      const book = new excel.Workbook()
      await book.xlsx.readFile((await left.path())!)
      expect(String(book.worksheets[0]!.getRow(2).values)).toContain('机房')
      await page.getByRole('link', { name: '查看列表' }).click()
      await page.getByText(`${building}音乐教室`).locator('visible=true').first().waitFor()
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )
})
