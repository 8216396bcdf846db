/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import path from 'node:path'
import excel from '@zurmokeeper/exceljs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagesOf } from '../server/test/pdf-parts.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { choose } from './clerk.ts'
import { freshFolder, type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/** A clerk brings the record card of the authority, and fills it for chosen pupils; on a telephone too. */

let product: Product
let browser: Browser
let clerk: Page
const complaints: string[] = []

const person = (account: string, width = 1440, more: Parameters<typeof demoPerson>[3] = {}): Promise<Page> =>
  demoPerson(browser, product, account, { width, complaints, ...more })
const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `fixed-form-${name}`)

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
    // Before it is saved as after: what is wrong is said, and what is right is shown.
    const tried = clerk.getByRole('dialog', { name: '试填 · 登记卡' })
    await form.getByRole('button', { name: '试填' }).press('Enter')
    await tried.getByRole('radio').first().press('Space')
    await tried.getByText('工作表“登记卡”的单元格A3：没有名为“姓明”的字段，是否为“姓名”').first().waitFor()
    await picture(clerk, 'draft-refused')
    await clerk.keyboard.press('Escape')
    await tried.waitFor({ state: 'hidden' })
    await form.locator('input[type=file]').setInputFiles(await workbook('卡.xlsx', { A3: '{{姓名}}', B3: '{{班级}}' }))
    await form.getByText('卡.xlsx').waitFor()
    await form.getByRole('button', { name: '试填' }).press('Enter')
    const first = tried.getByRole('radio').first()
    const pupil = (await tried.locator('label.pop-choice').first().innerText()).split(' · ')[0]!.trim()
    await first.press('Space')
    await tried.getByRole('region', { name: '工作表“登记卡”' }).getByText(pupil).waitFor()
    await picture(clerk, 'draft')
    expect(await axeFaults(clerk)).toEqual([])
    const book = await downloaded(clerk, () => tried.getByRole('button', { name: 'Excel 工作簿' }).press('Enter'))
    expect(book.worksheets[0]!.getCell('A3').text).toBe(pupil)
    const coming = clerk.waitForEvent('download')
    await tried.getByRole('button', { name: 'PDF' }).press('Enter')
    expect((await pagesOf(readFileSync((await (await coming).path())!))).flat().join('')).toContain(pupil)
    await clerk.keyboard.press('Escape')
    await tried.waitFor({ state: 'hidden' })
    // The form is where it was.
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

  it('comes with the product: the record card is added by one press and filled with its family', async () => {
    await clerk.goto(`${product.url}/report/fixedform`)
    await clerk.getByRole('heading', { level: 1, name: '表样' }).waitFor()
    await clerk.getByRole('button', { name: '范本' }).press('Enter')
    const shipped = clerk.getByRole('dialog', { name: '范本' })
    await shipped.getByRole('button', { name: '新增：学籍卡' }).waitFor()
    await picture(clerk, 'shipped')
    expect(await axeFaults(clerk)).toEqual([])
    const letter = await downloaded(clerk, () => shipped.getByRole('button', { name: '下载：在读证明' }).press('Enter'))
    expect(letter.worksheets[0]!.getCell('A3').text).toContain('{{姓名}}')
    await shipped.getByRole('button', { name: '新增：学籍卡' }).press('Enter')
    await clerk.getByText('已新增表样“学籍卡”').waitFor()
    await shipped.waitFor({ state: 'hidden' })
    await clerk.locator('tbody tr[data-key]', { hasText: '学籍卡' }).waitFor()
    // Once more it is there already, and that is said.
    await clerk.getByRole('button', { name: '范本' }).press('Enter')
    await shipped.getByRole('button', { name: '新增：学籍卡' }).press('Enter')
    await shipped.getByRole('alert').waitFor()
    await clerk.keyboard.press('Escape')
    await clerk.goto(`${product.url}/student/student`)
    const row = clerk.locator('tbody tr[data-key]').first()
    await row.getByRole('checkbox').check()
    await clerk.getByRole('toolbar', { name: '批量操作' }).getByRole('button', { name: '填表' }).press('Enter')
    const dialog = clerk.getByRole('dialog', { name: '填表' })
    await dialog.getByRole('radio', { name: '学籍卡' }).check()
    const book = await downloaded(clerk, () => dialog.getByRole('button', { name: '下载' }).press('Enter'))
    const sheet = book.worksheets[0]!
    expect(sheet.getCell('A1').text).toMatch(/学生学籍卡$/)
    expect(await row.textContent()).toContain(sheet.getCell('B3').text)
    // The demo's pupils have guardians: the first stands below the heads of the family.
    for (const cell of ['A13', 'B13', 'C13']) expect([cell, sheet.getCell(cell).text]).not.toEqual([cell, ''])
  })

  it('is tried with a pupil before it is used, its workbook is there again, and it comes as PDF', async () => {
    await clerk.goto(`${product.url}/report/fixedform`)
    const row = clerk.locator('tbody tr[data-key]', { hasText: '学籍卡' })
    await row.getByRole('button', { name: '更多' }).press('Enter')
    await clerk.getByRole('menuitem', { name: '试填' }).press('Enter')
    const tried = clerk.getByRole('dialog', { name: '试填 · 学籍卡' })
    await tried.getByRole('radio').first().press('Space')
    const sheet = tried.getByRole('region', { name: '工作表“学籍卡”' })
    await sheet.getByText('学生学籍卡').waitFor()
    await picture(clerk, 'tried')
    expect(await axeFaults(clerk)).toEqual([])
    await clerk.keyboard.press('Escape')
    await tried.waitFor({ state: 'hidden' })
    await row.getByRole('button', { name: '更多' }).press('Enter')
    const book = await downloaded(clerk, () => clerk.getByRole('menuitem', { name: '下载表样' }).press('Enter'))
    expect(book.worksheets[0]!.getCell('B3').text).toContain('{{姓名}}')
    await clerk.goto(`${product.url}/student/student`)
    const pupils = clerk.locator('tbody tr[data-key]')
    for (const at of [0, 1]) await pupils.nth(at).getByRole('checkbox').check()
    await clerk.getByRole('toolbar', { name: '批量操作' }).getByRole('button', { name: '填表' }).press('Enter')
    const dialog = clerk.getByRole('dialog', { name: '填表' })
    await dialog.getByRole('radio', { name: '学籍卡' }).check()
    await dialog.getByRole('radio', { name: 'PDF（直接打印）' }).check()
    await picture(clerk, 'fill-pdf')
    const coming = clerk.waitForEvent('download')
    await dialog.getByRole('button', { name: '下载' }).press('Enter')
    const file = await coming
    expect(file.suggestedFilename()).toMatch(/^学籍卡-\d{12}\.pdf$/)
    expect(
      readFileSync((await file.path())!)
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })

  it('is filled by a class teacher with the own pupils, who takes no list out', async () => {
    const teacher = await person('banzhuren')
    await teacher.goto(`${product.url}/student/student`)
    const pupils = teacher.locator('tbody tr[data-key]')
    await pupils.first().getByRole('checkbox').check()
    await teacher.getByRole('toolbar', { name: '批量操作' }).getByRole('button', { name: '填表' }).press('Enter')
    await teacher.getByRole('dialog', { name: '填表' }).getByText('还没有可用于此处的表样').waitFor()
    await picture(teacher, 'teacher')
    expect(await axeFaults(teacher)).toEqual([])
    await teacher.context().close()
  })

  it('is filled by a bureau for three of its schools, each with its own figures', async () => {
    const bureau = await person('jiaoyuju')
    await bureau.goto(`${product.url}/report/fixedform`)
    await bureau.getByRole('heading', { level: 1, name: '表样' }).waitFor()
    await bureau.getByRole('button', { name: '范本' }).first().press('Enter')
    await bureau
      .getByRole('dialog', { name: '范本' })
      .getByRole('button', { name: '新增：学年初基本情况表' })
      .press('Enter')
    await bureau.getByText('已新增表样“学年初基本情况表”').waitFor()
    await bureau.getByRole('button', { name: '可用标记' }).first().press('Enter')
    const marks = bureau.getByRole('dialog', { name: '可用标记' })
    await marks.getByRole('searchbox', { name: '搜索标记' }).fill('学年初')
    await marks.getByRole('button', { name: '{{报表：学年初在校生}}' }).waitFor()
    await picture(bureau, 'figures')
    await bureau.keyboard.press('Escape')
    await bureau.goto(`${product.url}/school/school`)
    const rows = bureau.locator('tbody tr[data-key]')
    await rows.nth(2).waitFor()
    for (const at of [0, 1, 2]) await rows.nth(at).getByRole('checkbox').check()
    await bureau.getByRole('toolbar', { name: '批量操作' }).getByRole('button', { name: '填表' }).press('Enter')
    const dialog = bureau.getByRole('dialog', { name: '填表' })
    await dialog.getByRole('radio', { name: '学年初基本情况表' }).check()
    const book = await downloaded(bureau, () => dialog.getByRole('button', { name: '下载' }).press('Enter'))
    expect(book.worksheets).toHaveLength(3)
    const token = (await bureau.context().cookies()).find(({ name }) => name === 'databrain-access-token')!.value
    const listed = async (list: string, query: Record<string, string>) => {
      const answer = await fetch(`${product.url}/api/${list}/list?${new URLSearchParams({ ...query, size: '1' })}`, {
        headers: { 'blade-auth': `bearer ${token}` },
      })
      const { data } = (await answer.json()) as { data: { total: number; records: { id: string }[] } }
      return { total: data.total, first: data.records[0]?.id ?? '' }
    }
    for (const [at, sheet] of book.worksheets.entries()) {
      const name = sheet.getCell('A1').text.replace('学年初基本情况表', '')
      expect(await rows.nth(at).textContent()).toContain(name)
      // Each figure is the total of the list that the bureau itself sees of this school.
      const schoolId = (await rows.nth(at).getAttribute('data-key'))!
      const pupils = { schoolId, status: '1' }
      const grade = (await listed('blade-user/sysgrade', { gradeName: sheet.getCell('B7').text })).first
      expect(
        ['D19', 'E19', 'F19', 'D7', 'G19'].map((cell) => sheet.getCell(cell).value),
        name,
      ).toEqual(
        await Promise.all(
          ([{}, { sex: '1' }, { sex: '2' }, { gradeId: grade }, { studyWay: '2' }] as Record<string, string>[]).map(
            async (more) => (await listed('blade-user/student', { ...pupils, ...more })).total,
          ),
        ),
      )
    }
    await bureau.context().close()
  })

  it('comes on a telephone in the dark too', async () => {
    const page = await person('jiaowu', 390, { colorScheme: 'dark' })
    await page.goto(`${product.url}/report/fixedform`)
    await page.getByRole('heading', { level: 1, name: '表样' }).waitFor()
    await page.getByRole('button', { name: '范本' }).press('Enter')
    await page.getByRole('dialog', { name: '范本' }).getByRole('button', { name: '新增：学籍卡' }).waitFor()
    await picture(page, 'shipped-390-dark')
    expect(await axeFaults(page)).toEqual([])
    await page.context().close()
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
