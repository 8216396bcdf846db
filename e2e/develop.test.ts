/// <reference lib="dom" />
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasMariaDb, type MariaDb, startMariaDb } from '../server/test/datasource-parts.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { act, choose, logIn, openMenu, save, type } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'
import { picture as keepPicture, onDarkPhone } from './window.ts'

/** A developer tries another database, looks at its tables, and has an entity made of one of them. */

let product: Product
let browser: Browser
let page: Page
let maria: MariaDb | undefined
let folder: string
const complaints: string[] = []

const picture = (name: string): Promise<void> => keepPicture(page, `develop-${name}`)

const dialog = () => page.getByRole('dialog').last()
const narrow = (name: string): Promise<void> => onDarkPhone(page, `develop-${name}`)

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'data-brain-develop-'))
  const file = new DatabaseSync(path.join(folder, 'lab.db'))
  file.exec(`create table lab_item (id integer primary key, item_code varchar(32) not null unique, price numeric(8,2));
    insert into lab_item values (1, 'A1', 9.5)`)
  file.close()
  if (hasMariaDb) {
    maria = await startMariaDb()
    await maria.run(
      'create database school character set utf8mb4',
      `create user reader@'%' identified by 'only-for-a-test'`,
      "grant select on school.* to reader@'%'",
      "create table school.lab_item (id int auto_increment primary key, item_code varchar(32) not null unique comment '器材编号', price decimal(8,2) comment '单价') comment='实验器材'",
      "insert into school.lab_item values (1, 'A1', 9.50)",
      'create table school.empty_one (id int primary key)',
    )
  }
  product = await startProduct({ DATASOURCE_DIR: folder, OUTBOUND_ALLOW: `127.0.0.1:${maria?.port ?? 1}` })
  browser = await launchBrowser()
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    acceptDownloads: true,
  })
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) complaints.push(message.text())
  })
  await logIn(page, product.url, password)
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await maria?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

describe('R-DEV-10 a developer', () => {
  it('R-DEV-8 adds a data source, tries it and browses its tables', async () => {
    await openMenu(page, '系统', '数据源')
    await page.getByRole('button', { name: '新增', exact: false }).first().click()
    await dialog().getByLabel('名称').first().waitFor()
    await type(page, '名称', '实验室')
    await choose(page, '驱动类', maria ? 'MySQL / MariaDB' : 'SQLite')
    await type(page, '连接地址', maria ? `jdbc:mysql://127.0.0.1:${maria.port}/school` : 'sqlite:lab.db')
    if (maria) {
      await type(page, '用户名', 'reader')
      await type(page, '密码', 'wrong')
    }
    await picture('form')
    await save(page, '新增成功')
    if (maria) {
      await act(page, '实验室', '测试连接')
      await dialog().getByText('用户名或密码错误', { exact: false }).waitFor()
      await picture('test-fails')
      await page.keyboard.press('Escape')
      await act(page, '实验室', '编辑')
      await dialog().getByLabel('密码').waitFor()
      await type(page, '密码', 'only-for-a-test')
      await save(page, '更新成功')
    }
    await act(page, '实验室', '测试连接')
    await dialog()
      .getByText(/连接正常，可以读取\d张表和视图/)
      .waitFor()
    await picture('test-works')
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await act(page, '实验室', '浏览数据')
    await dialog()
      .getByRole('button', { name: /lab_item/ })
      .waitFor()
    await dialog()
      .getByRole('button', { name: /lab_item/ })
      .focus()
    await page.keyboard.press('Enter')
    await dialog().getByRole('rowheader', { name: 'item_code' }).waitFor()
    await picture('columns')
    expect(await axeFaults(page)).toEqual([])
    await dialog().getByRole('tab', { name: '列', exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    await dialog().getByRole('cell', { name: 'A1' }).waitFor()
    await picture('rows')
    await narrow('rows')
    await page.keyboard.press('Escape')
  })

  it('R-DEV-9 has an entity made of a table, and looks at the files before they are downloaded', async () => {
    await openMenu(page, '系统', '代码生成')
    await page.getByRole('button', { name: '新增', exact: false }).first().click()
    await dialog().getByLabel('名称').first().waitFor()
    await type(page, '名称', '实验器材')
    await type(page, '英文名称', 'Lab item')
    await type(page, '实体名', 'labitem')
    await choose(page, '数据源', '实验室')
    await type(page, '来源表', 'lab_item')
    await dialog().getByRole('button', { name: '从来源表读取字段' }).click()
    await dialog().getByText('已读取2个字段', { exact: false }).waitFor()
    const names = dialog().getByLabel('中文名称')
    await names.nth(0).fill('器材编号')
    await names.nth(1).fill('单价')
    await picture('code-form')
    expect(await axeFaults(page)).toEqual([])
    await narrow('code-form')
    await save(page, '新增成功')
    await act(page, '实验器材', '预览')
    await dialog()
      .getByRole('button', { name: /entities\/school\/labitem\.ts/ })
      .click()
    await dialog().getByText("itemCode: text('器材编号', 'Item code'", { exact: false }).waitFor()
    await picture('preview')
    expect(await axeFaults(page)).toEqual([])
    await narrow('preview')
    const downloading = page.waitForEvent('download')
    await dialog().getByRole('button', { name: '下载', exact: true }).click()
    expect((await downloading).suggestedFilename()).toBe('labitem.zip')
    await page.getByText('代码生成成功').first().waitFor()
    // What was generated now is what stands there: nothing is different any more.
    await dialog().getByText('无差异').first().waitFor()
    await page.keyboard.press('Escape')
    await act(page, '实验器材', '复制')
    await page.locator('tbody tr[data-key]').filter({ hasText: '实验器材-copy' }).waitFor()
    await picture('code-list')
  })

  it('hears no complaint of the browser', () => {
    expect(complaints).toEqual([])
  })
})
