/// <reference lib="dom" />
import path from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { benchColumns, benchRows, writeXlsx } from '../bench/import-file.ts'
import { launchBrowser } from './browser.ts'
import { freshFolder, type Product, password, startProduct } from './product.ts'

/**
 * R-ERR-4: the tasks of the design's keyboard table, by keys alone, each within its number of keys. Typed text does
 * not count; every other key that is pressed does.
 */

let product: Product
let browser: Browser
let context: BrowserContext
let page: Page
let keys = 0
const complaints: string[] = []

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.on('pageerror', (error) => complaints.push(error.message))
})
beforeEach(() => {
  keys = 0
})
afterEach(async (test) => {
  if (test.task.result?.state === 'fail' && process.env.E2E_PICTURES)
    await page.screenshot({ path: path.join(process.env.E2E_PICTURES, 'keyboard.png') })
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

/** Presses keys one after the other, and counts them. */
async function press(...pressed: string[]): Promise<void> {
  for (const key of pressed) {
    keys += 1
    await page.keyboard.press(key)
  }
}
const type = (text: string): Promise<void> => page.keyboard.type(text)
const toast = (text: string): Promise<void> => page.locator('.toast').getByText(text).first().waitFor()
const toastGone = (): Promise<void> => page.locator('.toast').first().waitFor({ state: 'detached', timeout: 20_000 })
/** Pages that are kept alive stand in the document, unseen. */
const rows = () => page.locator('tbody tr[data-key]:visible')
const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '')

/** Presses Tab until the focus is where it is wanted. */
async function tabTo(isThere: () => boolean): Promise<void> {
  for (let at = 0; at < 20 && !(await page.evaluate(isThere)); at += 1) await press('Tab')
}

/** Opens a page from wherever one is, and waits until it can be worked with. */
async function open(name: string): Promise<void> {
  await press('Control+k')
  await page.locator('.palette-field input').waitFor()
  await type(name)
  await page
    .getByRole('option', { name: new RegExp(`^${name}`) })
    .first()
    .waitFor()
  await press('Enter')
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

describe('by keys alone', () => {
  it('logs in', async () => {
    await page.goto(`${product.url}/login`)
    const tenant = page.getByLabel('租户编号')
    // Prefilled where the tenant has an address of its own; here it is typed before the count begins.
    if (await tenant.isVisible()) {
      await tenant.fill('000001')
      await press('Tab')
    } else await page.getByLabel('账号').focus()
    await type('admin')
    await press('Tab')
    await type(password)
    await press('Enter')
    await page.waitForURL('**/wel/index')
    expect(keys).toBeLessThanOrEqual(3)
  })

  it('opens a student by name from anywhere', async () => {
    await page.getByRole('navigation', { name: '顶部菜单' }).waitFor()
    await press('Control+k')
    await page.locator('.palette-field input').waitFor()
    await type('苏昊泽')
    await page
      .getByRole('option', { name: /苏昊泽/ })
      .first()
      .waitFor()
    await press('Enter')
    await page
      .getByRole('complementary')
      .getByRole('heading', { name: /苏昊泽/ })
      .waitFor()
    expect(keys).toBeLessThanOrEqual(3)
    await page.keyboard.press('Escape')
  })

  it('changes a student’s phone and saves', async () => {
    await rows().first().waitFor()
    await press('j', 'e')
    const form = page.getByRole('dialog')
    await form.getByLabel('校内学号').waitFor()
    await page.waitForFunction(() => document.activeElement?.closest('[data-field]') !== null)
    // F6 goes from one group of fields to the next: from the enrolment over the person to how to reach them.
    await press('F6', 'F6')
    expect(await page.evaluate(() => document.activeElement?.closest('[data-field]')?.getAttribute('data-field'))).toBe(
      'phone',
    )
    await type('13812345678')
    await press('Control+s')
    await toast('更新成功')
    expect(keys).toBeLessThanOrEqual(7)
    await form.waitFor({ state: 'hidden' })
  })

  it('changes one field in its cell with two keys and the text, and takes it back with one', async () => {
    await press('Home')
    // From the name to the number in the school, which stands behind it.
    await press('ArrowRight')
    const number = await focused()
    keys = 0
    await press('Enter')
    await page.waitForFunction(() => document.activeElement?.closest('.cell-editor') !== null)
    await type('K900001')
    const seen = page.locator('tbody:visible').getByText('K900001')
    const [done] = await Promise.all([
      page.waitForResponse((answer) => answer.url().includes('/student/submit')),
      press('Enter'),
    ])
    expect(done.status()).toBe(200)
    await seen.waitFor()
    expect(keys).toBe(2)
    await toast('更新成功')
    await press('Control+z')
    await toast('已撤销')
    await page.locator('tbody:visible').getByText(number, { exact: true }).waitFor()
  })

  it('selects three rows and deletes them; Ctrl+Z brings them back', async () => {
    await open('分组关联')
    await rows().nth(2).waitFor()
    const count = await page.locator('.entity-count:visible').innerText()
    keys = 0
    await press('j', 'x', 'Shift+ArrowDown', 'Shift+ArrowDown')
    await page.getByRole('toolbar').getByText('已选 3 条').waitFor()
    await press('Delete')
    await page.getByRole('alertdialog').waitFor()
    // It rests on the safe answer.
    await press('Tab', 'Enter')
    await page.locator('.toast, .banner-wrong').first().waitFor()
    expect(keys).toBeLessThanOrEqual(9)
    await toast('删除成功')
    expect(await page.locator('.entity-count:visible').innerText()).not.toBe(count)
    await press('Control+z')
    await toast('已撤销')
    await expect.poll(() => page.locator('.entity-count:visible').innerText()).toBe(count)
  })

  it('adds a dictionary with five values', async () => {
    await open('业务字典')
    keys = 0
    await press('n')
    const form = page.getByRole('dialog')
    await page.waitForFunction(() => document.activeElement?.closest('[data-field]') !== null)
    await type('颜色')
    await press('Tab')
    await type('kb_colour')
    await press('Control+s')
    await toast('新增成功')
    await form.waitFor({ state: 'hidden' })
    await press('Insert')
    await page.locator('.dict-inline input:focus').waitFor()
    for (const value of ['红', '橙', '黄', '绿', '蓝']) {
      await type(value)
      await press('Enter')
      await page.locator('.dict-page').getByText(value, { exact: true }).first().waitFor()
      await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('')
    }
    expect(keys).toBeLessThanOrEqual(22)
  })

  it('turns to English, the theme VIP and dark', async () => {
    await page.keyboard.press('Escape')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    keys = 0
    await press('Alt+g')
    await page.locator('html[lang^=en]').waitFor()
    for (const [wish, sign] of [
      ['VIP', 'html[data-theme=theme-vip]'],
      ['深色', 'html[data-scheme=dark]'],
    ] as const) {
      await press('Control+k')
      await page.locator('.palette-field input').waitFor()
      // Whoever types fast gets what was typed, and not what stood there before.
      await type(wish)
      await press('Enter')
      await page.locator(sign).waitFor()
    }
    expect(keys).toBeLessThanOrEqual(8)
    await page.keyboard.press('Alt+g')
    await page.locator('html[lang^=zh]').waitFor()
  })

  it('locks and unlocks', async () => {
    await press('Alt+l')
    await page.getByRole('dialog').getByLabel('锁屏密码').waitFor()
    await type('tea break')
    await press('Enter')
    await page.waitForURL('**/lock')
    await page.getByLabel('锁屏密码').waitFor()
    await page.waitForFunction(() => document.activeElement instanceof HTMLInputElement)
    await type('tea break')
    await press('Enter')
    await page.getByRole('navigation', { name: '顶部菜单' }).waitFor()
    expect(keys).toBeLessThanOrEqual(4)
  })

  it('prints a class list, thirty pupils on a page, and takes the sheet away again', async () => {
    await open('学生')
    await rows().first().waitFor()
    await page.evaluate(() => {
      window.print = () => document.documentElement.setAttribute('data-printed', '')
    })
    keys = 0
    await press('p')
    await page.getByRole('menuitem', { name: '学生名单', exact: true }).waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'menuitem')
    await press('Enter')
    // There are more pupils than paper takes: that is asked before.
    await page.getByRole('alertdialog').getByRole('button', { name: '打印前 2,000 名' }).press('Enter')
    await page.locator('html[data-printed]').waitFor({ timeout: 30_000 })
    expect(keys).toBe(2)
    const heads = await page.locator('.print-sheet thead th').allInnerTexts()
    expect(heads).toEqual(['序', '班级', '校内学号', '姓名', '性别', '家长', '电话', '签到'])
    const first = page.locator('.print-sheet tbody tr').first()
    expect(await first.locator('td').nth(6).innerText()).toMatch(/^\*{9}\d{2}$/)
    const count = await page.locator('.print-sheet tbody tr').count()
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    // The pages of a file stand in a tree, whose root counts them all.
    const counts = [...pdf.matchAll(/\/Type \/Pages\s+\/Count (\d+)/g)].map(([, number]) => Number(number))
    expect(Math.max(...counts)).toBe(Math.ceil(count / 30))
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    expect(await page.locator('.print-sheet').count()).toBe(0)
  })

  it('R-KEY-1 P prints the record that is open, with what belongs to it, and nothing of the list', async () => {
    const row = page.locator('tbody tr[data-key]').first()
    const name = (await row.locator('.dt-link').innerText()).trim()
    await page.goto(`${product.url}/student/student?id=${await row.getAttribute('data-key')}`)
    await page.getByRole('complementary').getByRole('heading', { name }).waitFor()
    await page.evaluate(() => {
      document.documentElement.removeAttribute('data-printed')
      window.print = () => document.documentElement.setAttribute('data-printed', '')
    })
    await page.keyboard.press('p')
    await page.locator('html[data-printed]').waitFor({ state: 'attached' })
    const sheet = page.locator('.print-sheet')
    expect(await sheet.locator('h1').innerText()).toBe(name)
    const told = await sheet.innerText()
    for (const part of ['校内学号', '家长', '班级']) expect(told).toContain(part)
    expect(told).not.toContain('签到')
    await page.emulateMedia({ media: 'print' })
    // Black on white: the record alone.
    expect(await page.locator('.dt tbody tr').first().isVisible()).toBe(false)
    expect(await sheet.isVisible()).toBe(true)
    if (process.env.SHOT) await page.screenshot({ path: '/tmp/print-record.png', fullPage: true })
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    expect(await sheet.count()).toBe(0)
  })

  it('walks from tab to tab, closes one and brings it back, and shows what can be pressed', async () => {
    await press('Alt+1')
    await page.waitForURL('**/wel/index')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await press(']')
    const second = page.getByRole('tab', { selected: true })
    const name = await second.innerText()
    await press('Alt+w')
    await expect.poll(() => page.getByRole('tab', { name, exact: true }).count()).toBe(0)
    await press('Alt+Shift+t')
    await expect.poll(() => page.getByRole('tab', { selected: true }).innerText()).toBe(name)
    await rows().first().waitFor()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await press('?')
    const sheet = page.getByRole('dialog', { name: '键盘快捷键' })
    for (const group of ['列表', '任何地方']) await sheet.getByRole('heading', { name: group }).waitFor()
    await press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    // Switched off, a letter does nothing.
    await page.evaluate(() =>
      localStorage.setItem('databrain-shortcuts', JSON.stringify({ content: false, dataType: 'boolean', datetime: 0 })),
    )
    await press('?', 'n')
    await page.waitForTimeout(300)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.evaluate(() => localStorage.removeItem('databrain-shortcuts'))
    await press('F6')
    await press('F6')
    expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
  })

  it('imports a hundred rows without errors', async () => {
    const file = path.join(freshFolder(), 'hundred.xlsx')
    const cells = [...benchRows(100, [{ grade: '一年级', name: '一年级（1）班' }])]
    await writeXlsx(
      file,
      benchColumns.map((column) => column.label.zh),
      cells,
    )
    await page.getByRole('navigation', { name: '顶部菜单' }).waitFor()
    // Which school somebody imports for is kept from the time before.
    const before = async () => {
      await open('导入中心')
      await page.getByRole('combobox', { name: '学校' }).click()
      await page.locator('.ant-select-item-option').filter({ hasText: '示范区第一小学' }).first().click()
      await page.keyboard.press('Alt+w')
    }
    await before()
    keys = 0
    await open('导入中心')
    await page.getByText('示范区第一小学').first().waitFor()
    const chooser = page.waitForEvent('filechooser')
    await tabTo(() => document.activeElement?.matches('input[type=file]') === true)
    await press('Enter')
    await (await chooser).setFiles(file)
    await page.getByRole('button', { name: '开始检查' }).waitFor()
    await tabTo(() => document.activeElement?.textContent?.includes('开始检查') === true)
    await press('Enter')
    const commit = page.getByRole('button', { name: '导入', exact: true })
    await commit.waitFor({ timeout: 60_000 })
    await page.waitForTimeout(300)
    await tabTo(() => document.activeElement?.textContent === '导入')
    await press('Enter')
    await page.getByText('新增 100', { exact: false }).last().waitFor({ timeout: 60_000 })
    await page.getByText('导入完成').first().waitFor({ timeout: 60_000 })
    expect(keys).toBeLessThanOrEqual(12)
  })

  it('complains of nothing', async () => {
    await toastGone().catch(() => {})
    expect(complaints).toEqual([])
  })
})
