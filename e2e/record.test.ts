import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from './browser.ts'
import { logIn, type } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'

/** A record shows what belongs to it: a child's guardians and history, a class's pupils, each part by its own right. */

let product: Product
let browser: Browser

async function person(account: string, size = { width: 1440, height: 900 }): Promise<Page> {
  const context = await browser.newContext({ viewport: size, locale: 'zh-CN' })
  const made = await context.newPage()
  made.setDefaultTimeout(20_000)
  await logIn(made, product.url, password, account, '000001')
  return made
}
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.E2E_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: path.join(folder, `record-${name}.png`) })
}
async function openFirst(page: Page, address = '/student/student'): Promise<string> {
  await page.goto(product.url + address)
  await page.locator('tbody tr[data-key] .dt-link').first().click()
  await page.waitForURL(/[?&]id=/)
  return new URL(page.url()).searchParams.get('id')!
}
const part = (page: Page, name: string) => page.locator(`[data-related="${name}"]`)

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('C12 a record', () => {
  it('shows a child’s guardians, and the number that is asked for, once, as a link to call', async () => {
    const page = await person('admin')
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/personal')) asked.push(request.url())
    })
    await openFirst(page)
    await part(page, 'studentparents.studentId').locator('li').first().waitFor()
    await picture(page, 'light')
    expect(asked).toEqual([])
    await page.getByRole('button', { name: '显示号码' }).click()
    const link = page.locator('.call-line a')
    await link.waitFor()
    expect(await link.getAttribute('href')).toMatch(/^tel:\+?\d{7,}$/)
    expect(asked).toHaveLength(1)
    await page.context().close()
  })

  it('is added to and changed in place: the record stays open', async () => {
    const page = await person('admin')
    const id = await openFirst(page)
    const guardians = part(page, 'studentparents.studentId')
    await guardians.locator('li').first().waitFor()
    await guardians.getByRole('button', { name: /^编辑/ }).first().click()
    const form = page.getByRole('dialog')
    await type(page, '工作单位', '第三机床厂')
    await form.getByRole('button', { name: '保存', exact: true }).click()
    await page.getByText('更新成功').first().waitFor()
    expect(new URL(page.url()).searchParams.get('id')).toBe(id)
    await guardians.getByRole('button', { name: '新增家长' }).click()
    // Whose guardian it is stands there already, with what tells that child from others of the name.
    const chosen = page.getByRole('dialog').locator('[data-field="studentId"]')
    await chosen.getByText(/班/).first().waitFor()
    await picture(page, 'add')
    await page.context().close()
  })

  it('leads from a pupil who cannot be deleted to the guardians who are in the way', async () => {
    const page = await person('admin')
    await openFirst(page, '/student/student')
    const id = new URL(page.url()).searchParams.get('id')!
    await page.locator('.detail, .ant-drawer').getByRole('button', { name: /^删除/ }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
    const link = page.locator('.banner a', { hasText: '家长' })
    await link.click()
    await page.waitForURL(new RegExp(`studentId=${id}`))
    await page.locator('tbody tr[data-key]:visible').first().waitFor()
    await page.context().close()
  })

  it('leaves out what its reader may not see, and the server refuses it too', async () => {
    const page = await person('banzhuren')
    const answers: [string, number][] = []
    page.on('response', (answer) => answers.push([answer.url(), answer.status()]))
    const id = await openFirst(page)
    await part(page, 'studentparents.studentId').locator('li').first().waitFor()
    await picture(page, 'teacher')
    expect(await part(page, 'studentresume.studentId').count()).toBe(0)
    expect(answers.filter(([url, status]) => url.includes('/list') && status !== 200)).toEqual([])
    const seen = page.waitForRequest((request) => request.url().includes('/student/list'))
    await page.reload()
    const headers = await (await seen).allHeaders()
    const refused = await page.request.get(`${product.url}/api/blade-user/studentresume/list?studentId=${id}`, {
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => /blade|authorization/.test(name))),
    })
    expect(refused.status()).toBe(403)
    await page.context().close()
  })

  it('fits a phone', async () => {
    const page = await person('admin', { width: 390, height: 844 })
    await page.goto(`${product.url}/student/student`)
    await page.locator('[data-key] a').first().click()
    await part(page, 'studentparents.studentId').locator('li').first().waitFor()
    await picture(page, 'phone')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.context().close()
  })
})
