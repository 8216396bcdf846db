import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { account, type MailHost, password as mailPassword, makeMailHost } from '../server/test/mail-server.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { act, choose, logIn, openMenu, save, type } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'
import { openWindow, picture } from './window.ts'

/** An administrator sets up the school's mail server, finds a mistake by the test, puts it right and turns it on. */

let host: MailHost
let product: Product
let browser: Browser
let page: Page

beforeAll(async () => {
  host = await makeMailHost()
  product = await startProduct({ OUTBOUND_ALLOW: `127.0.0.1:${host.port}` })
  browser = await launchBrowser()
  page = await openWindow(browser)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await host?.close()
})

const row = () => page.locator('tbody tr').filter({ hasText: 'school-mail' })
const test = async (to: string): Promise<void> => {
  await act(page, 'school-mail', '测试')
  await page.getByLabel('收件地址').fill(to)
  await page.getByRole('dialog').getByRole('button', { name: '发送', exact: true }).click()
}

describe('mail of a school', () => {
  it('R-DEV-7 a wrong password is told in words, put right, and the test arrives at the mail server', async () => {
    await logIn(page, product.url, password)
    await openMenu(page, '资源', '邮件配置')
    await page.getByRole('button', { name: '新增邮件配置' }).first().click()
    await type(page, '资源编号', 'school-mail')
    await type(page, '服务器', '127.0.0.1')
    await type(page, '端口', String(host.port))
    await choose(page, '加密方式', '不加密')
    await type(page, '账号', account)
    await type(page, '密码', 'wrong')
    await type(page, '发件地址', 'office@school.example')
    await picture(page, 'mail-form')
    await picture(page, 'mail-filled')
    await save(page, '新增成功')
    await row().waitFor()
    await test('head@school.example')
    await page.getByRole('dialog').getByText('账号或密码错误').waitFor()
    await picture(page, 'mail-test-wrong')
    await page.keyboard.press('Escape')
    await row().getByRole('button', { name: '编辑' }).first().click()
    await type(page, '密码', mailPassword)
    await save(page, '更新成功')
    await test('head@school.example')
    await page.getByRole('dialog').getByText('邮件服务器已收下').waitFor()
    expect(host.taken).toMatchObject([{ to: 'head@school.example', user: account }])
    expect(await axeFaults(page)).toEqual([])
    await picture(page, 'mail-test-good')
    await page.keyboard.press('Escape')
    await act(page, 'school-mail', '启用 / 停用')
    await page.getByRole('alertdialog').getByRole('button', { name: '启用', exact: true }).click()
    await row().getByText('已启用').waitFor()
  })

  it('R-DEV-7 the log tells both, with the address masked, on a phone too', async () => {
    await page.getByRole('navigation', { name: '邮件' }).getByRole('link', { name: '发送记录' }).click()
    // The words of states come after the rows.
    await page.locator('tbody tr').nth(0).getByText('已发送').waitFor()
    await page.locator('tbody tr').nth(1).getByText('已失败').waitFor()
    const lines = () => page.locator('tbody tr').locator('visible=true').allTextContents()
    await expect.poll(lines).toEqual([expect.stringContaining('已发送'), expect.stringContaining('已失败')])
    expect((await lines()).join()).not.toContain('head@')
    await picture(page, 'mail-log')
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await axeFaults(page)).toEqual([])
    await picture(page, 'mail-log-phone')
  })
})
