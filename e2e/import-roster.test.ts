import path from 'node:path'
import excel from '@zurmokeeper/exceljs'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { logIn } from './clerk.ts'
import { freshFolder, type Product, password, startProduct } from './product.ts'

/** A roster as a clerk keeps it, brought in by hand; every click and every field that is filled counts. */

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

/** What a clerk does, counted. */
class Acts {
  count = 0
  async click(what: Locator): Promise<void> {
    this.count += 1
    await what.click()
  }
  async choose(what: Locator, file: string): Promise<void> {
    this.count += 1
    await what.setInputFiles(file)
  }
}

const han = '甲乙丙丁戊己庚辛壬癸'

/** Sixty pupils of three classes that do not exist, under a title, with their parents. */
async function roster(grade: string, first: number): Promise<string> {
  const book = new excel.Workbook()
  const sheet = book.addWorksheet('花名册')
  sheet.addRow(['实验小学学生花名册'])
  sheet.mergeCells(1, 1, 1, 9)
  sheet.addRow(['序号', '班级', '姓名', '性别', '出生日期', '民族', '家庭住址', '家长姓名', '家长电话'])
  for (let at = 0; at < 60; at += 1)
    sheet.addRow([
      at + 1,
      `${grade}（${Math.floor(at / 20) + 1}）班`,
      `王${han[Math.floor(at / 10)]}${han[at % 10]}`,
      at % 2 ? '女' : '男',
      `2018/${(at % 12) + 1}/${(at % 28) + 1}`,
      '汉',
      `幸福路${at + 1}号`,
      `王大${han[at % 10]}`,
      `139${String(first + at).padStart(8, '0')}`,
    ])
  sheet.addRow(['制表人：李老师'])
  const file = path.join(freshFolder(), `${grade}.xlsx`)
  await book.xlsx.writeFile(file)
  return file
}

async function setUp(): Promise<void> {
  const page = await (await browser.newContext({ locale: 'zh-CN' })).newPage()
  await logIn(page, product.url, password)
  const token = (await page.context().cookies()).find((cookie) => cookie.name.includes('access'))!.value
  const add = async (entity: string, draft: object): Promise<string> => {
    const answer = await fetch(`${product.url}/api/blade-user/${entity}/submit`, {
      method: 'POST',
      headers: { 'blade-auth': `bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(draft),
    })
    const { data, msg } = (await answer.json()) as { data: { id: string }; msg: string }
    if (answer.status !== 200) throw new Error(msg)
    return data.id
  }
  const schoolId = await add('school', {
    schoolCode: '2132000001',
    schoolName: '实验小学',
    schoolType: '21',
    stages: ['2'],
    regionCode: '320102',
  })
  await add('schoolyear', {
    schoolId,
    yearName: '2026-2027学年',
    startYear: 2026,
    beginDate: '2026-09-01',
    endDate: '2027-08-31',
    isCurrent: 1,
  })
  // A new school may have made its main campus itself.
  await add('schoolcampus', { schoolId, campusCode: 'A', campusName: '本部', isMain: 1 }).catch(() => undefined)
  await page.context().close()
}

const seen = (page: Page, words: string | RegExp): Promise<void> =>
  page.getByText(words).locator('visible=true').first().waitFor({ timeout: 60_000 })

describe('R-IMP-1 a roster as a clerk keeps it', () => {
  it.each([
    [1440, 900, '三', 1],
    [390, 844, '四', 1_000],
  ])('comes in with its classes and parents in at most 12 acts, at %i px', async (width, height, grade, first) => {
    if (width === 1440) await setUp()
    const page = await (await browser.newContext({ viewport: { width, height }, locale: 'zh-CN' })).newPage()
    page.setDefaultTimeout(20_000)
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    await logIn(page, product.url, password)
    const acts = new Acts()
    const file = await roster(grade, first)
    await page.goto(`${product.url}/student/import`)
    await acts.choose(page.getByLabel('选择文件'), file)
    await acts.click(page.getByRole('button', { name: '开始检查' }))
    // What has no column is said and kept out; here it is the title alone, which nothing asks about.
    const makeAll = page.getByRole('button', { name: '新建全部 3 个班级' })
    await page.waitForURL(/step=(match|check)/)
    if (page.url().includes('step=match')) await acts.click(page.getByRole('button', { name: '开始检查' }))
    await makeAll.waitFor()
    await seen(page, /20 行：/)
    expect(await axeFaults(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    if (process.env.E2E_PICTURES)
      await page.screenshot({ path: path.join(process.env.E2E_PICTURES, `import-groups-${width}.png`) })
    // The state is the server's: a reload loses nothing.
    await page.reload()
    await acts.click(makeAll)
    await acts.click(page.getByRole('button', { name: '导入', exact: true }))
    await page.getByRole('heading', { name: '导入完成' }).waitFor({ timeout: 60_000 })
    for (const no of [1, 2, 3]) await seen(page, `${grade}年级（${no}）班：20 名`)
    if (process.env.E2E_PICTURES)
      await page.screenshot({ path: path.join(process.env.E2E_PICTURES, `import-result-${width}.png`) })
    await acts.click(page.getByRole('link', { name: '查看国家学籍表缺项' }))
    await page.waitForURL('**/student/student?**national_notnull=1**')
    await seen(page, width === 1440 ? '共 60 名' : '共 120 名')
    expect(acts.count).toBeLessThanOrEqual(12)
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
