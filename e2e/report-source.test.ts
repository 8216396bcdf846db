/// <reference lib="dom" />
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { act, choose as chooseField, logIn, openMenu, save, type } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture, onDarkPhone, openWindow } from './window.ts'

/** The platform binds a tenant to a data source and ticks a table; an administrator of the tenant makes a report of it. */

let product: Product
let browser: Browser
let platform: Page
let admin: Page
let folder: string
const complaints: string[] = []
const dialog = (page: Page) => page.getByRole('dialog').last()
const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `report-source-${name}`)
const open = (page: Page) => page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
const table = (page: Page) => page.locator('.report-table:visible')

/** Chooses in a box by typing a part of a name, by keys alone. */
async function choose(page: Page, box: string, text: string): Promise<void> {
  await page.getByRole('combobox', { name: box }).focus()
  await page.keyboard.type(text)
  await open(page).locator(`.ant-select-item-option[title="${text}"]`).first().waitFor()
  await page.keyboard.press('Enter')
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'data-brain-report-source-'))
  const file = new DatabaseSync(path.join(folder, 'library.db'))
  file.exec(`create table "order" (id integer primary key, "group" varchar(20), fee numeric(8,2), lent date);
    create table secret_one (id integer primary key);
    insert into "order" values (1, '小说', 2.5, '2026-01-03'), (2, '小说', 1, '2026-02-03'), (3, '科普', 4, '2026-02-05')`)
  file.close()
  product = await startProduct({ DEMO: 'on', DATASOURCE_DIR: folder })
  browser = await launchBrowser()
  platform = await openWindow(browser, { complaints })
  await logIn(platform, product.url, password)
  admin = await demoPerson(browser, product, 'admin', { complaints })
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

describe('R-DEV-8 tables of a data source', () => {
  it('are ticked and named by the platform for one tenant', async () => {
    await openMenu(platform, '系统', '数据源')
    await platform.getByRole('button', { name: '新增', exact: false }).first().click()
    await dialog(platform).getByLabel('名称').first().waitFor()
    await type(platform, '名称', '图书馆')
    await chooseField(platform, '驱动类', 'SQLite')
    await type(platform, '连接地址', 'sqlite:library.db')
    await save(platform, '新增成功')
    await openMenu(platform, '系统', '租户')
    await act(platform, '000001', '数据源绑定')
    await dialog(platform).getByRole('combobox', { name: '数据源绑定' }).click()
    await open(platform).locator('.ant-select-item-option').filter({ hasText: '图书馆' }).first().click()
    await dialog(platform).getByRole('checkbox', { name: 'order' }).check()
    await dialog(platform).getByLabel('表“order”在报表中的名称').fill('借书记录')
    await picture(platform, 'bind')
    expect(await axeFaults(platform)).toEqual([])
    await onDarkPhone(platform, 'report-source-bind')
    await dialog(platform).getByRole('button', { name: '保存', exact: true }).click()
    await dialog(platform).waitFor({ state: 'detached' })
    await act(platform, '000001', '数据源绑定')
    await expect.poll(() => dialog(platform).getByLabel('表“order”在报表中的名称').inputValue()).toBe('借书记录')
  })

  it('are counted in a report of the tenant, whose columns have names of its own', async () => {
    await admin.goto(`${product.url}/report/edit/new`)
    await admin.getByRole('heading', { level: 1, name: '新建报表' }).waitFor()
    await choose(admin, '数据对象', '借书记录')
    expect(await admin.getByText('secret_one').count()).toBe(0)
    await admin.getByText('数据源中的数据不受数据范围限制', { exact: false }).waitFor()
    await admin.getByRole('textbox', { name: '名称', exact: true }).fill('各类借书')
    await choose(admin, '添加分组', 'group')
    await admin.getByLabel('“group”在报表中的名称').fill('类别')
    await choose(admin, '交叉列', 'lent')
    await table(admin).getByRole('columnheader', { name: '类别' }).waitFor()
    await table(admin).getByRole('columnheader', { name: '2026-02' }).waitFor()
    const rows = await table(admin)
      .locator('tbody tr')
      .evaluateAll((lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent?.trim() ?? '')))
    expect(rows.find(([name]) => name === '小说')).toEqual(['小说', '1', '1', '2'])
    expect(rows.at(-1)).toEqual(['合计', '1', '2', '3'])
    // A drawing of rows of others: each mark has its words, and none promises a list behind it.
    await admin.getByRole('combobox', { name: '图表' }).press('Enter')
    await open(admin).locator('.ant-select-item-option', { hasText: '条形图' }).click()
    const chart = admin.getByRole('figure', { name: /各类借书/ })
    await chart.locator('svg.dash-plot title').first().waitFor({ state: 'attached' })
    const told = await chart.locator('svg.dash-plot title').allTextContents()
    expect(told.some((words) => words.includes('小说') && words.includes('2026-02'))).toBe(true)
    expect([await chart.locator('a').count(), await chart.getByText('打开名单').count()]).toEqual([0, 0])
    await picture(admin, 'editor')
    expect(await axeFaults(admin)).toEqual([])
    await onDarkPhone(admin, 'report-source-editor')
    await admin.getByRole('button', { name: '保存' }).click()
    await admin.waitForURL(/\/report\/result\/\d+$/)
    await table(admin).waitFor()
    await admin
      .getByRole('figure', { name: /各类借书/ })
      .locator('svg.dash-plot')
      .waitFor()
    // No list shows rows of others.
    expect(await table(admin).locator('tbody a').count()).toBe(0)
    await picture(admin, 'result')
    await onDarkPhone(admin, 'report-source-result')
  })

  it('are gone with the binding, and the report says so', async () => {
    await admin.reload()
    await table(admin).waitFor()
    await dialog(platform).getByRole('combobox', { name: '数据源绑定' }).hover()
    await dialog(platform).locator('.ant-select-clear').first().click()
    await dialog(platform).getByRole('button', { name: '保存', exact: true }).click()
    await dialog(platform).waitFor({ state: 'detached' })
    await admin.getByRole('button', { name: '刷新' }).click()
    await admin.getByText('不再提供给本单位', { exact: false }).first().waitFor()
    await picture(admin, 'gone')
    expect(complaints).toEqual([])
  })
})
