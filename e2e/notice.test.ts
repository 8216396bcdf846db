import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { choose, logIn, save, type } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'

/**
 * An administrator writes a notice and publishes it; a teacher, who looks at something else in a browser of their own,
 * sees the bell count it, reads it, and the administrator sees that they have.
 */

let product: Product
let browser: Browser
let admin: Page
let teacher: Page
const complaints: string[] = []

async function person(): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })).newPage()
  page.setDefaultTimeout(15_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) complaints.push(message.text())
  })
  return page
}

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  admin = await person()
  teacher = await person()
})
afterEach(async (context) => {
  if (context.task.result?.state === 'fail') await picture('failed')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

/** Pictures of both pages, where somebody asks for them. */
async function picture(name: string): Promise<void> {
  const folder = process.env.E2E_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  for (const [who, page] of Object.entries({ admin, teacher }))
    await page.screenshot({ path: path.join(folder, `notice-${name}-${who}.png`) })
}

/** A call with the page's own session: for what the journey needs and is no part of it. */
async function call<T>(page: Page, address: string, body?: object): Promise<T> {
  const token = (await page.context().cookies()).find((cookie) => cookie.name.includes('access'))!.value
  const answer = await fetch(`${product.url}/api/${address}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'blade-auth': `bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T }
  if (code !== 200) throw new Error(`${address}: ${code} ${msg}`)
  return data
}

const teacherPassword = 'Green-Window-35'
const bell = (page: Page) => page.getByRole('button', { name: /^通知与消息/ })
const title = '关于秋季运动会的通知'

describe('R-NOTICE-1 R-BAR-10 a notice', () => {
  it('is written by an administrator and published', async () => {
    await logIn(admin, product.url, password)
    const role = await call<{ id: string }>(admin, 'blade-system/role/submit', {
      roleName: '教师',
      roleAlias: 'teacher1',
      sort: 5,
    })
    await call(admin, 'blade-user/submit', {
      account: 'lin',
      realName: '林老师',
      roleId: role.id,
      password: teacherPassword,
    })
    await logIn(teacher, product.url, teacherPassword, 'lin')
    // The teacher's channel is open before there is anything to hear.
    await teacher.waitForResponse((answer) => answer.url().includes('blade-desk/live') && answer.ok())
    expect(await bell(teacher).textContent()).toBe('')

    await admin.goto(`${product.url}/desk/notice`)
    await admin.getByRole('button', { name: '新增', exact: false }).first().click()
    await type(admin, '通知标题', title)
    await choose(admin, '通知类型', '发布通知')
    const text = admin.getByRole('textbox', { name: '通知内容' })
    await text.click()
    await admin.keyboard.type('各班请于')
    await admin.getByRole('button', { name: '加粗' }).click()
    await admin.keyboard.type('周五')
    await admin.getByRole('button', { name: '加粗' }).click()
    await admin.keyboard.type('前报名。')
    await picture('form')
    await save(admin, '新增成功')
    const row = admin.locator('tbody tr').filter({ hasText: title })
    await row.getByRole('button', { name: `${title}的更多操作` }).click()
    await admin.getByRole('menuitem', { name: '发布', exact: true }).click()
    await admin.getByRole('button', { name: '发布', exact: true }).last().click()
    await admin.getByText('已发布', { exact: true }).first().waitFor()
  })

  it('is counted by the bell of a teacher without a reload, and read', async () => {
    await teacher.getByRole('button', { name: '通知与消息，1 条未读' }).waitFor()
    await bell(teacher).click()
    const panel = teacher.getByRole('dialog', { name: '通知与消息' })
    await panel.getByRole('link', { name: title }).waitFor()
    expect((await panel.boundingBox())!.width).toBe(350)
    expect(await axeFaults(teacher)).toEqual([])
    await picture('popover')
    await panel.getByRole('link', { name: title }).click()
    const article = teacher.getByRole('article', { name: title })
    await article.getByText('周五').waitFor()
    expect(await article.locator('.notice-text').innerHTML()).toBe('<p>各班请于<strong>周五</strong>前报名。</p>')
    await teacher.getByRole('button', { name: '通知与消息', exact: true }).waitFor()
    expect(await axeFaults(teacher)).toEqual([])
    await picture('read')
  })

  it('has a receipt', async () => {
    const row = admin.locator('tbody tr').filter({ hasText: title })
    await row.getByRole('button', { name: `${title}的更多操作` }).click()
    await admin.getByRole('menuitem', { name: '回执' }).click()
    await admin.getByRole('tab', { name: '已读（1）' }).click()
    await admin.locator('.receipt-list li').filter({ hasText: '林老师' }).waitFor()
    await picture('receipts')
    expect(complaints).toEqual([])
  })
})
