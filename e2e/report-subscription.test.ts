/// <reference lib="dom" />
import excel from '@zurmokeeper/exceljs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { account, type MailHost, password as mailPassword, makeMailHost } from '../server/test/mail-server.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { choose, openMenu, save, type } from './clerk.ts'
import { letReportsCome, writeTo } from './database.ts'
import { freshFolder, type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/** A registrar makes class sizes by grade and sex, subscribes by keys, and gets the file, a message and a mail. */

let host: MailHost
let product: Product
let browser: Browser
let registrar: Page
const folder = freshFolder()
const complaints: string[] = []
const name = '各年级男女人数'
let saved = ''

const picture = (page: Page, what: string): Promise<void> => keepPicture(page, `subscription-${what}`)
const open = (page: Page) => page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
const dialog = (page: Page) => page.getByRole('dialog').last()

async function pick(page: Page, box: string, text: string): Promise<void> {
  await page.getByRole('combobox', { name: box }).focus()
  await page.keyboard.type(text)
  await open(page).locator(`.ant-select-item-option[title="${text}"]`).first().waitFor()
  await page.keyboard.press('Enter')
}
const table = (page: Page) => page.locator('.report-table:visible')
const row = (page: Page) => page.locator('tbody tr').filter({ hasText: name })

beforeAll(async () => {
  host = await makeMailHost()
  product = await startProduct({ DEMO: 'on', DATA_DIR: folder, OUTBOUND_ALLOW: `127.0.0.1:${host.port}` })
  browser = await launchBrowser()
  registrar = await demoPerson(browser, product, 'jiaowu', { complaints, isStrict: true })
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await host?.close()
})

describe('R-DEV-7 a report that comes by the clock', () => {
  it('R-DEV-7 needs a mail service, which an administrator sets up', async () => {
    const admin = await demoPerson(browser, product, 'admin')
    await openMenu(admin, '资源', '邮件配置')
    await admin.getByRole('button', { name: '新增邮件配置' }).first().click()
    for (const [label, text] of [
      ['资源编号', 'school-mail'],
      ['服务器', '127.0.0.1'],
      ['端口', String(host.port)],
      ['账号', account],
      ['密码', mailPassword],
      ['发件地址', 'office@school.example'],
    ] as const)
      await type(admin, label, text)
    await choose(admin, '加密方式', '不加密')
    await save(admin, '新增成功')
    const service = admin.locator('tbody tr').filter({ hasText: 'school-mail' })
    await service.getByRole('switch').click()
    await admin.getByRole('alertdialog').getByRole('button', { name: '启用', exact: true }).click()
    await service.getByText('已启用').waitFor()
    await admin.context().close()
  })

  it('R-DEV-7 is subscribed to by keys, and says when it comes', async () => {
    await registrar.goto(`${product.url}/report/edit/new`)
    await registrar.getByRole('textbox', { name: '名称' }).fill(name)
    await pick(registrar, '添加分组', '年级')
    await table(registrar).waitFor()
    await pick(registrar, '交叉列', '性别')
    await table(registrar).getByRole('columnheader', { name: '女' }).waitFor()
    await pick(registrar, '运行时询问', '就读方式')
    await registrar.keyboard.press('Escape')
    await registrar.getByRole('button', { name: '保存' }).click()
    await registrar.waitForURL(/\/report\/result\/\d+$/)
    saved = new URL(registrar.url()).pathname
    await table(registrar).waitFor()
    const whole = await registrar.locator('.report-about:visible').innerText()
    await pick(registrar, '就读方式', '走读')
    await registrar.keyboard.press('Escape')
    await expect.poll(() => registrar.locator('.report-about:visible').innerText()).not.toBe(whole)
    await registrar.getByRole('button', { name: '订阅' }).press('Enter')
    await dialog(registrar).getByText(`订阅报表“${name}”`).waitFor()
    await dialog(registrar)
      .getByText(/下次送达：\d{4}-\d\d-\d\d 07:00/)
      .waitFor()
    await picture(registrar, 'dialog')
    expect(await axeFaults(registrar)).toEqual([])
    // What makes no sense is said at its field.
    await type(registrar, '几点', '25')
    await registrar.keyboard.press('Enter')
    await dialog(registrar).locator('[data-field="hour"]').getByText(/23/).first().waitFor()
    await picture(registrar, 'dialog-wrong')
    await type(registrar, '几点', '6')
    await choose(registrar, '送达方式', '站内消息和邮件')
    await dialog(registrar)
      .getByText(/下次送达：\d{4}-\d\d-\d\d 06:00/)
      .waitFor()
    await dialog(registrar).getByRole('button', { name: '订阅', exact: true }).press('Enter')
    await registrar
      .locator('.toast')
      .getByText(/^已订阅，下次送达：\d{4}-\d\d-\d\d 06:00$/)
      .waitFor()
    await dialog(registrar).waitFor({ state: 'detached' })
  })

  it('R-DEV-7 comes at its moment: a message, the file that says what the page says, and a mail with no data', async () => {
    const shown = await table(registrar)
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((each) => [...each.children].map((cell) => cell.textContent?.trim() ?? '')))
    // What the leave of the demo has told stands there before.
    const bell = registrar.getByRole('button', { name: /^通知与消息/ })
    const unread = async () => Number(/(\d+) 条未读/.exec((await bell.getAttribute('aria-label')) ?? '')?.[1] ?? 0)
    const before = await unread()
    await letReportsCome(folder)
    await expect.poll(unread, { timeout: 20_000 }).toBe(before + 1)
    await bell.click()
    const panel = registrar.getByRole('dialog', { name: '通知与消息' })
    await panel.getByText(`订阅的报表已生成：${name}`).waitFor()
    await picture(registrar, 'message')
    await panel.getByText(`订阅的报表已生成：${name}`).click()
    await registrar.waitForURL('**/job/mine')
    const coming = registrar.waitForEvent('download')
    await registrar
      .getByRole('button', { name: /下载/ })
      .or(registrar.getByRole('link', { name: /下载/ }))
      .first()
      .click()
    const book = new excel.Workbook()
    await book.xlsx.readFile(await (await coming).path())
    const read: string[][] = []
    book.worksheets[0]!.eachRow((each, at) => {
      if (at > 1) read.push((each.values as unknown[]).slice(1).map(String))
    })
    expect(read).toEqual(shown.map((each) => each.map((text) => text.replaceAll(',', ''))))
    await expect.poll(() => host.taken.length, { timeout: 20_000 }).toBe(1)
    expect(host.taken[0]).toMatchObject({
      from: 'office@school.example',
      to: expect.stringContaining('@school.example'),
    })
    expect(host.taken[0]!.raw).not.toMatch(/attachment/i)
  })

  it('R-DEV-7 stands among the own subscriptions, is paused, turned on and ended', async () => {
    await openMenu(registrar, '学校', '报表订阅')
    await row(registrar).getByText('星期一').waitFor()
    await row(registrar).getByText('06:00').first().waitFor()
    await picture(registrar, 'list')
    expect(await axeFaults(registrar)).toEqual([])
    const act = async (what: string): Promise<void> => {
      await row(registrar)
        .getByRole('button', { name: `${name}的更多操作` })
        .click()
      await registrar.getByRole('menuitem', { name: what, exact: true }).click()
    }
    // What it was asked is told in words, and when it comes is changed.
    await row(registrar).getByRole('link', { name, exact: true }).click()
    await registrar.getByText('就读方式属于走读').waitFor()
    await picture(registrar, 'detail')
    expect(await axeFaults(registrar)).toEqual([])
    await registrar.keyboard.press('Escape')
    await row(registrar).hover()
    await row(registrar).getByRole('button', { name: /编辑/ }).first().click()
    await type(registrar, '几点', '8')
    await dialog(registrar).getByText(name).first().waitFor()
    await picture(registrar, 'edit')
    await save(registrar, '更新成功')
    await row(registrar)
      .getByText(/ 08:00$/)
      .waitFor()
    await act('暂停')
    await row(registrar).getByText('已暂停').waitFor()
    await picture(registrar, 'paused')
    await act('启用')
    await row(registrar).getByText('已启用').waitFor()
    for (const [scheme, width] of [
      ['light', 390],
      ['dark', 390],
      ['dark', 1440],
    ] as const) {
      const page = await demoPerson(browser, product, 'jiaowu', {
        width,
        colorScheme: scheme,
        complaints,
        isStrict: true,
      })
      await page.goto(`${product.url}/report/subscription`)
      await page.getByText(name).first().waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      expect(await axeFaults(page)).toEqual([])
      await picture(page, `list-${scheme}-${width}`)
      if (width === 390) {
        await page.goto(product.url + saved)
        await table(page).waitFor()
        if (scheme === 'light') await page.keyboard.press('Alt+g')
        await page.getByRole('button', { name: /^(订阅|Subscribe)$/ }).click()
        await dialog(page)
          .getByText(/^(下次送达|It comes next at)/)
          .waitFor()
        expect(await axeFaults(page)).toEqual([])
        await picture(page, `dialog-${scheme}-${width}`)
      }
      await page.context().close()
    }
    await act('删除')
    await registrar.getByRole('alertdialog').getByRole('button', { name: '删除', exact: true }).click()
    await row(registrar).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })
})

describe('R-DEV-7 a message by mail', () => {
  it('R-DEV-7 says why it cannot be sent, and is sent once somebody has an address', async () => {
    await openMenu(registrar, '学生', '家校消息')
    await registrar.getByRole('button', { name: '新增家校消息' }).first().click()
    await choose(registrar, '消息类型', '通知')
    await choose(registrar, '学校', '.*')
    await type(registrar, '标题', '周五家长会')
    await type(registrar, '内容', '下午三点，在各班教室。')
    await choose(registrar, '发送对象', '全校')
    await choose(registrar, '接收人', '学生')
    await choose(registrar, '发送渠道', '站内', '邮件')
    await picture(registrar, 'message-form')
    await save(registrar, '新增成功')
    const message = registrar.locator('tbody tr').filter({ hasText: '周五家长会' })
    const send = async (): Promise<void> => {
      await message.getByRole('button', { name: '周五家长会的更多操作' }).click()
      await registrar.getByRole('menuitem', { name: '发送', exact: true }).click()
      await registrar.getByRole('alertdialog').getByRole('button', { name: '发送', exact: true }).click()
    }
    await send()
    await registrar
      .locator('.toast')
      .getByText(/接收人都没有可用的电子邮箱/)
      .waitFor()
    await picture(registrar, 'message-refused')
    await writeTo(
      folder,
      `update student set email = 'pupil@family.example' where (tenant_id, id) in (select s.tenant_id, s.id from student s
         join studentmessage m on m.tenant_id = s.tenant_id and m.school_id = s.school_id where m.title = '周五家长会' and s.status = 1 limit 1)`,
    )
    host.taken.length = 0
    await send()
    await registrar
      .locator('.toast')
      .getByText(/已交给邮件服务：1 封/)
      .waitFor()
    await expect.poll(() => host.taken.map(({ to }) => to), { timeout: 20_000 }).toEqual(['pupil@family.example'])
    await expect
      .poll(async () => {
        await registrar.getByRole('button', { name: '刷新' }).click()
        return message.innerText()
      })
      .toContain('已发送')
    await picture(registrar, 'message-sent')
    expect(await axeFaults(registrar)).toEqual([])
  })
})
