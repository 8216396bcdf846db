/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import excel from '@zurmokeeper/exceljs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagesOf } from '../server/test/pdf-parts.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/** A registrar makes class sizes by grade and sex, saves, prints and exports it; a class teacher runs it over the own class. */

let product: Product
let browser: Browser
let registrar: Page
let teacher: Page
const complaints: string[] = []

const person = (account: string, width = 1440, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> =>
  demoPerson(browser, product, account, { width, colorScheme, complaints, isStrict: true })

const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `report-${name}`)

const open = (page: Page) => page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')

/** Chooses in a box by typing a part of a name, by keys alone. */
async function choose(page: Page, box: string, text: string): Promise<void> {
  await page.getByRole('combobox', { name: box }).focus()
  await page.keyboard.type(text)
  await open(page).locator(`.ant-select-item-option[title="${text}"]`).first().waitFor()
  await page.keyboard.press('Enter')
}

const table = (page: Page) => page.locator('.report-table:visible')
const cells = (page: Page): Promise<string[][]> =>
  table(page)
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? '')))
const numbers = (row: readonly string[]): number[] => row.slice(1).map((text) => Number(text.replaceAll(',', '')))

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  registrar = await person('jiaowu')
  teacher = await person('banzhuren')
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('R-DEV-5 a report', () => {
  let saved = ''

  it('is made by keys, with what it answers beside it', async () => {
    await registrar.goto(`${product.url}/report/reportlist`)
    await registrar.getByRole('heading', { level: 1, name: '报表' }).waitFor()
    await registrar.getByRole('button', { name: '新建报表' }).first().press('Enter')
    await registrar.waitForURL('**/report/edit/new')
    await registrar.getByRole('heading', { level: 1, name: '新建报表' }).waitFor()
    await registrar.getByText('选择分组或列后，这里会显示结果').waitFor()
    await registrar.getByRole('textbox', { name: '名称' }).fill('各年级男女人数')
    await choose(registrar, '添加分组', '年级')
    await table(registrar).waitFor()
    await choose(registrar, '交叉列', '性别')
    await table(registrar).getByRole('columnheader', { name: '女' }).waitFor()
    // Few choices: they are gone through by arrows.
    await registrar.getByRole('combobox', { name: '图表' }).press('Enter')
    await open(registrar).waitFor()
    await registrar.keyboard.press('ArrowDown')
    await registrar.keyboard.press('Enter')
    await registrar.locator('svg.dash-plot a').first().waitFor()
    const rows = await cells(registrar)
    expect(rows.at(-1)![0]).toBe('合计')
    for (const row of rows) {
      const [men, women, both] = numbers(row)
      expect(men! + women!).toBe(both)
    }
    await picture(registrar, 'editor')
    expect(await axeFaults(registrar)).toEqual([])
  })

  it('is saved and shared, and leads from a figure to its rows', async () => {
    await registrar.getByRole('combobox', { name: '共享给角色' }).focus()
    await registrar.keyboard.type('班主任')
    await open(registrar).locator('.ant-select-item-option').filter({ hasText: '班主任' }).first().click()
    await registrar.keyboard.press('Tab')
    const before = await cells(registrar)
    await registrar.getByRole('button', { name: '保存' }).click()
    await registrar.waitForURL(/\/report\/result\/\d+$/)
    saved = new URL(registrar.url()).pathname
    await registrar.getByRole('heading', { level: 1, name: '各年级男女人数' }).waitFor()
    await table(registrar).waitFor()
    expect(await cells(registrar)).toEqual(before)
    await picture(registrar, 'result')
    expect(await axeFaults(registrar)).toEqual([])
    const [, first] = before[0]!
    await table(registrar).locator('tbody a').first().press('Enter')
    await registrar.waitForURL('**/student/student?*')
    await registrar.getByText(`共 ${first} `).first().waitFor()
    await registrar.goBack()
    await table(registrar).waitFor()
  })

  it('is printed with heads on every sheet', async () => {
    await registrar.evaluate(() => {
      window.print = () => document.documentElement.setAttribute('data-printed', '')
    })
    await registrar.getByRole('button', { name: '打印' }).click()
    await registrar.locator('html[data-printed]').waitFor()
    const sheet = registrar.locator('.print-sheet')
    expect(await sheet.locator('thead th').allInnerTexts()).toEqual(
      await table(registrar).locator('thead th').allInnerTexts(),
    )
    expect(await sheet.locator('tbody tr').count()).toBe((await cells(registrar)).length)
    await registrar.evaluate(() => dispatchEvent(new Event('afterprint')))
    expect(await sheet.count()).toBe(0)
  })

  it('is taken out as a workbook that says the same', async () => {
    await registrar.getByRole('button', { name: '导出' }).click()
    const coming = registrar.waitForEvent('download')
    await registrar.locator('.export-ways button').first().click()
    const book = new excel.Workbook()
    await book.xlsx.readFile(await (await coming).path())
    const sheet = book.worksheets[0]!
    const shown = await cells(registrar)
    const read: string[][] = []
    sheet.eachRow((row, at) => {
      if (at > 1) read.push((row.values as unknown[]).slice(1).map(String))
    })
    expect(read).toEqual(shown.map((row) => row.map((text) => text.replaceAll(',', ''))))
    await registrar.keyboard.press('Escape')
  })

  it('R-DEV-5 is taken out as a PDF whose text says the same, with heads and how many pages there are', async () => {
    await registrar.reload()
    await table(registrar).waitFor()
    const heads = await table(registrar).locator('thead th').allInnerTexts()
    const shown = await cells(registrar)
    await registrar.getByRole('button', { name: '导出' }).click()
    const panel = registrar.getByRole('region', { name: '导出' })
    await panel.getByRole('radio', { name: /PDF/ }).check()
    await picture(registrar, 'pdf')
    const coming = registrar.waitForEvent('download')
    await panel.getByRole('button', { name: '导出' }).click()
    const file = await coming
    expect(file.suggestedFilename()).toMatch(/^各年级男女人数.*\.pdf$/)
    const pages = await pagesOf(readFileSync((await file.path())!))
    expect(pages).toHaveLength(1)
    const bare = (text: string): string => text.replace(/[\s,]/g, '')
    const drawn = bare(pages[0]!.join(''))
    for (const text of ['各年级男女人数', '第1页共1页', ...heads, ...shown.flat()]) expect(drawn).toContain(bare(text))
    await registrar.keyboard.press('Escape')
  })

  it('answers a class teacher by the own class, on a phone too', async () => {
    await teacher.goto(`${product.url}/report/reportlist`)
    await teacher.getByRole('heading', { level: 1, name: '报表' }).waitFor()
    await teacher.getByText('各年级男女人数').first().waitFor()
    expect(await teacher.getByRole('button', { name: '新建报表' }).count()).toBe(0)
    await picture(teacher, 'list')
    await teacher.goto(product.url + saved)
    await teacher.getByRole('heading', { level: 1, name: '各年级男女人数' }).waitFor()
    await table(teacher).waitFor()
    const [own, all] = [
      numbers((await cells(teacher)).at(-1)!).at(-1)!,
      numbers((await cells(registrar)).at(-1)!).at(-1)!,
    ]
    expect(own).toBeGreaterThan(0)
    expect(own).toBeLessThan(all)
    for (const scheme of ['light', 'dark'] as const) {
      const phone = await person('banzhuren', 390, scheme)
      await phone.goto(product.url + saved)
      await phone.getByRole('heading', { level: 1, name: '各年级男女人数' }).waitFor()
      await table(phone).waitFor()
      expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      expect(await axeFaults(phone)).toEqual([])
      await picture(phone, `phone-${scheme}`)
      await phone.context().close()
    }
    const small = await person('jiaowu', 390)
    await small.goto(`${product.url}${saved.replace('result', 'edit')}`)
    await small.getByRole('heading', { level: 1, name: '编辑报表' }).waitFor()
    await table(small).waitFor()
    expect(await small.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await axeFaults(small)).toEqual([])
    await picture(small, 'phone-editor')
    expect(complaints).toEqual([])
  })

  it('R-DEV-7 is subscribed to by a class teacher, whom it is shared with', async () => {
    await teacher.goto(product.url + saved)
    await table(teacher).waitFor()
    await teacher.getByRole('button', { name: '订阅' }).press('Enter')
    const dialog = teacher.getByRole('dialog').last()
    await dialog.getByText('订阅报表“各年级男女人数”').waitFor()
    await picture(teacher, 'teacher-subscribes')
    expect(await axeFaults(teacher)).toEqual([])
    await dialog.getByRole('button', { name: '订阅', exact: true }).press('Enter')
    await teacher
      .locator('.toast')
      .getByText(/^已订阅，下次送达：/)
      .waitFor()
    await teacher.goto(`${product.url}/report/subscription`)
    await teacher.locator('tbody tr').filter({ hasText: '各年级男女人数' }).waitFor()
    await picture(teacher, 'teacher-subscriptions')
    expect(await axeFaults(teacher)).toEqual([])
    expect(complaints).toEqual([])
  })

  it('hides groups of few, leads to no list that would count them, and draws each bar whole beside its legend', async () => {
    await registrar.goto(`${product.url}${saved.replace('result', 'edit')}`)
    await table(registrar).waitFor()
    const whole = (await cells(registrar)).slice(0, -1).flatMap((row) => numbers(row).slice(0, 2))
    // The middle one: some are hidden, and some are not.
    const most = whole.sort((a, b) => a - b)[Math.floor(whole.length / 2)]!
    await registrar.getByRole('combobox', { name: '图表' }).press('Enter')
    await open(registrar).waitFor()
    await open(registrar).getByTitle('条形图').click()
    await registrar.getByRole('spinbutton', { name: '隐藏少于几条的组' }).fill(String(most))
    await expect
      .poll(async () => (await cells(registrar)).flat().filter((text) => text.startsWith('*')).length)
      .not.toBe(0)
    const shown = (await cells(registrar)).slice(0, -1).flatMap((row) => row.slice(1, -1))
    const drawn = registrar.locator('svg.dash-plot a')
    await expect.poll(() => drawn.count()).toBe(shown.filter((text) => !text.startsWith('*') && text !== '0').length)
    for (const label of ['男', '女'])
      await registrar.locator('.dash-legend').getByText(label, { exact: true }).waitFor()
    const [svg, ...bars] = await registrar
      .locator('svg.dash-plot, svg.dash-plot a rect')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().right))
    expect(Math.max(...bars)).toBeLessThanOrEqual(svg!)
    // Neither the sum of all nor the sums beside lead anywhere: their lists would count what is hidden.
    const last = table(registrar).locator('tbody tr').last()
    expect(await last.locator('a').count()).toBe(0)
    expect(await table(registrar).locator('tbody tr td:last-child a').count()).toBe(0)
    await picture(registrar, 'hidden')
    expect(await axeFaults(registrar)).toEqual([])
  })

  it('that two change at once asks whose is to stay, and loses neither without a word', async () => {
    const [one, other] = [await demoPerson(browser, product, 'jiaowu'), await demoPerson(browser, product, 'jiaowu')]
    for (const page of [one, other]) {
      await page.goto(`${product.url}${saved.replace('result', 'edit')}`)
      await table(page).waitFor()
    }
    const name = (page: Page) => page.getByRole('textbox', { name: '名称' })
    await name(other).fill('别人的名称')
    await name(one).fill('我的名称')
    await one.getByRole('button', { name: '保存' }).click()
    await one.waitForURL(/\/report\/result\/\d+$/)
    const dialog = other.getByRole('alertdialog')
    for (const answer of ['暂不保存', '用我的覆盖']) {
      await other.getByRole('button', { name: '保存', exact: true }).click()
      await dialog.getByText('已修改“我的名称”').waitFor()
      await picture(other, 'both')
      expect(await axeFaults(other)).toEqual([])
      // What was typed stands whatever is answered.
      expect(await name(other).inputValue()).toBe('别人的名称')
      await dialog.getByRole('button', { name: answer }).click()
    }
    await other.waitForURL(/\/report\/result\/\d+$/)
    await other.getByRole('heading', { level: 1, name: '别人的名称' }).waitFor()
    // Whoever has changed nothing sees what was saved.
    await one.goto(`${product.url}${saved.replace('result', 'edit')}`)
    await expect.poll(() => name(one).inputValue()).toBe('别人的名称')
    for (const page of [one, other]) await page.context().close()
  })
})
