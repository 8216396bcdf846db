import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { benchColumns, benchRows, writeXlsx } from '../bench/import-file.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { choose, chooseRegion, logIn, openMenu, save, type, typeDay } from './clerk.ts'
import { freshFolder, type Product, password, startProduct } from './product.ts'

/**
 * The main job, as a clerk does it: a school is set up, its 2,000 pupils come in from an Excel file in which 12 rows
 * are wrong, are corrected, found, changed, looked up in the history, and taken out again.
 */

let product: Product
let browser: Browser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })).newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => complaints.push(error.message))
})
// Each step stands on the one before: the first that fails is the one to read, with a picture where one is asked for.
afterEach(async (context) => {
  if (context.task.result?.state === 'fail' && process.env.E2E_PICTURES)
    await page.screenshot({ path: path.join(process.env.E2E_PICTURES, 'main-job.png') })
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const pupils = 2_000

/** What is wrong in twelve rows: the column, what stands there, and what should. */
const mistakes: readonly (readonly [string, string])[] = [
  ['student.name', ''],
  ['student.name', '王'],
  ['student.sex', '女生？'],
  ['student.birthDate', '2013-02-30'],
  ['student.idNo', '11010320130901001'],
  ['student.idNo', '110103201309010019'],
  ['student.classId', '一年级（99）班'],
  ['student.nation', '火星族'],
  ['student.enrollDate', '昨天'],
  ['detail.postcode', '12'],
  ['member1.mobile', '1391234'],
  ['student.politics', '邻居的猫'],
]

/** Row of the file (the heading is row 1) → column heading → the right text. */
const corrections = new Map<number, { heading: string; right: string }>()

async function makeFile(): Promise<string> {
  const rows = [...benchRows(pupils, [{ grade: '一年级', name: '一年级（1）班' }])]
  const at = (key: string): number => benchColumns.findIndex((column) => column.key === key)
  // One that is found by name at the end.
  rows[1_000]![at('student.name')] = '诸葛孔明'
  for (const [index, [key, wrong]] of mistakes.entries()) {
    const row = rows[index * 150 + 3]!
    const column = at(key)
    if (column < 0) throw new Error(`the file has no column ${key}`)
    corrections.set(index * 150 + 3 + 2, { heading: benchColumns[column]!.label.zh, right: row[column]! })
    row[column] = wrong
  }
  const file = path.join(freshFolder(), 'students.xlsx')
  await writeXlsx(
    file,
    benchColumns.map((column) => column.label.zh),
    rows,
  )
  return file
}

describe('the main job, end to end', () => {
  it('R-AUTH-1 R-LIST-4 logs in and sets up a school, its campus, its year and a grade’s class', async () => {
    await logIn(page, product.url, password)
    await openMenu(page, '学校', '学校')
    await page.getByRole('button', { name: '新增学校' }).first().click()
    await type(page, '学校标识码', '2111000001')
    await type(page, '学校名称', '实验小学')
    await choose(page, '办学类型', '小学')
    await page.locator('[data-field=stages]').getByText('小学', { exact: true }).first().waitFor()
    await chooseRegion(page, '所属区划', '北京市', '市辖区', '朝阳区')
    await save(page, '新增成功')
    await openMenu(page, '学校', '校区')
    await page.getByRole('button', { name: '新增校区' }).first().click()
    await choose(page, '学校', '实验小学')
    await type(page, '校区号', 'A')
    await type(page, '校区名称', '本部')
    await save(page, '新增成功')
    await openMenu(page, '学校', '学年')
    await page.getByRole('button', { name: '新增学年' }).first().click()
    await choose(page, '学校', '实验小学')
    await type(page, '学年名称', '2026-2027学年')
    await type(page, '起始年份', '2026')
    await typeDay(page, '开始日期', '2026-09-01')
    await typeDay(page, '结束日期', '2027-08-31')
    await save(page, '新增成功')
    await openMenu(page, '教学', '行政班')
    await page.getByRole('button', { name: '新增行政班' }).first().click()
    await choose(page, '学校', '实验小学')
    await choose(page, '校区', '本部')
    await choose(page, '学年', '2026-2027学年')
    await choose(page, '年级', '一年级')
    await type(page, '班号', '1')
    await type(page, '班级名称', '一年级（1）班')
    await type(page, '入学年份', '2026')
    await choose(page, '班级类型', '普通小学班')
    await save(page, '新增成功')
  })

  it('R-ERR-5 R-STUDENT-5 imports 2,000 pupils from an Excel file: twelve wrong rows are named and corrected in the grid', async () => {
    const file = await makeFile()
    await openMenu(page, '学生', '导入中心')
    // The only school there is has been chosen already.
    await page.getByRole('combobox', { name: '学年' }).click()
    await page.locator('.ant-select-dropdown:visible').getByText('2026-2027学年', { exact: true }).click()
    await page.getByLabel('选择文件').setInputFiles(file)
    await page.getByRole('button', { name: '开始检查' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: `错误 ${mistakes.length}` })
      .first()
      .waitFor({ timeout: 60_000 })
    expect(await axeFaults(page)).toEqual([])
    let left = mistakes.length
    for (const [row, { heading, right }] of corrections) {
      const cell = page.getByRole('textbox', { name: `第${row}行 ${heading}` })
      await cell.fill(right)
      await cell.press('Enter')
      left -= 1
      await page
        .getByRole('status')
        .filter({ hasText: `错误 ${left}` })
        .first()
        .waitFor()
    }
    await page.getByRole('button', { name: '导入', exact: true }).click()
    await page.getByRole('heading', { name: '导入完成' }).waitFor({ timeout: 60_000 })
    await seen('新增 2,000')
  })

  it('R-LIST-1 finds one by the initials of the name, changes the phone and sees it in the history', async () => {
    await openMenu(page, '学生', '学生')
    await seen('共 2,000 名')
    await page.getByPlaceholder(/搜索姓名/).fill('zgkm')
    await seen('共 1 名')
    await page
      .getByRole('row', { name: /诸葛孔明/ })
      .getByRole('button', { name: '编辑 诸葛孔明' })
      .click()
    await type(page, '联系电话', '138 0013 8000')
    await save(page, '更新成功')
    await page
      .getByRole('row', { name: /诸葛孔明/ })
      .getByRole('link', { name: '诸葛孔明' })
      .click()
    await page.getByRole('button', { name: '变更记录' }).click()
    await seen('13800138000')
    expect(await page.getByRole('complementary').last().innerText()).toContain('联系电话')
    await page.keyboard.press('Escape')
  })

  it('finds a pupil from anywhere, with the keyboard alone', async () => {
    await page.goto(`${product.url}/wel/index`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('诸葛')
    await page.getByRole('option', { name: /诸葛孔明/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/student/student?**id=**')
  })

  it('R-STUDENT-6 names the row that was changed since before it undoes the whole import', async () => {
    await openMenu(page, '学生', '导入中心')
    await page
      .getByRole('button', { name: /撤销导入|撤销本次导入/ })
      .first()
      .click()
    await dialog()
      .getByText(/诸葛孔明/)
      .waitFor()
    expect(await count('student')).toBe(pupils)
    await dialog()
      .getByRole('radio', { name: /全部撤销/ })
      .check()
    await dialog().getByRole('button', { name: '撤销', exact: true }).click()
    await seen('已撤销')
    for (const entity of ['student', 'studentparents', 'studentdetail', 'studentclass'])
      expect(await count(entity), entity).toBe(0)
  })

  it('R-BAR-1 logs out', async () => {
    await page.goto(`${product.url}/wel/index`)
    await page.getByRole('button', { name: '管理员的菜单' }).click()
    await page.getByRole('menuitem', { name: /退出/ }).click()
    await page
      .getByRole('button', { name: /^(退出|确定)/ })
      .last()
      .click()
    await page.waitForURL('**/login**')
    expect(complaints).toEqual([])
  })
})

/** The question on top. */
const dialog = () => page.getByRole('alertdialog').or(page.getByRole('dialog')).last()

/** Waits for words that are seen: pages of other tabs stay in the document, hidden. */
const seen = (words: string): Promise<void> =>
  page.getByText(words).locator('visible=true').first().waitFor({ timeout: 60_000 })

/** Rows of an entity, asked for with the page's own token. */
async function count(entity: string): Promise<number> {
  const token = (await page.context().cookies()).find((cookie) => cookie.name.includes('access'))!.value
  const answer = await fetch(`${product.url}/api/blade-user/${entity}/list?size=1`, {
    headers: { 'blade-auth': `bearer ${token}` },
  })
  return ((await answer.json()) as { data: { total: number } }).data.total
}
