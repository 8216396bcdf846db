import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults, settled } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson } from './window.ts'

/**
 * A registrar sets a list up as she needs it, keeps it as a view, finds it again after a reload and in another browser,
 * and sends a colleague its address.
 */

let product: Product
let browser: Browser
let page: Page
const complaints: string[] = []

const person = (account: string): Promise<Page> => demoPerson(browser, product, account, { complaints })

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  page = await person('admin')
})
afterEach(async (context) => {
  const folder = process.env.E2E_PICTURES
  if (!folder || context.task.result?.state !== 'fail') return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: path.join(folder, 'lists-failed.png') })
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const open = async (on: Page, address: string): Promise<void> => {
  await on.goto(address)
  await on.locator('tbody tr[data-key]').first().waitFor()
  await on.locator('[data-views] [aria-current]').waitFor()
}
const heads = (on: Page): Promise<string[]> =>
  on.locator('thead th:not(.dt-tick)').evaluateAll((all) => all.map((head) => head.textContent?.trim() ?? ''))
const names = (on: Page): Promise<string[]> => on.locator('tbody th .dt-link').allTextContents()
const count = (on: Page): Promise<string | null> => on.locator('.entity-count').textContent()
const current = (on: Page) => on.locator('[data-views] [aria-current]').textContent()

/** Chooses in one of the filters over the list. */
async function filter(label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: '筛选', exact: true }).click()
  const panel = page.getByRole('dialog', { name: '筛选' })
  await panel.getByLabel('查找筛选条件').fill(label)
  await page.keyboard.press('Enter')
  await panel.getByLabel(option, { exact: true }).check()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
}

let link = ''
let wanted: { heads: string[]; names: string[]; count: string | null }

describe('R-LIST-1 a list that people live in', () => {
  it('is filtered, its columns are hidden and moved, and that is kept as a view', async () => {
    await open(page, `${product.url}/student/student`)
    const whole = await count(page)
    await filter('年级', '三年级')
    await filter('状态', '在读')
    await page.getByRole('button', { name: '状态：在读' }).waitFor()
    await page.getByRole('button', { name: /^显示/ }).click()
    await page.getByRole('checkbox', { name: '出生日期' }).uncheck()
    for (let n = 0; n < 2; n += 1) await page.getByRole('button', { name: '班级前移' }).click()
    await page.getByRole('radio', { name: '紧凑' }).check()
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '存为视图' }).click()
    await page.getByLabel('视图名称').fill('三年级在读')
    await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
    await page.getByText('视图已保存').waitFor()
    expect(await current(page)).toBe('三年级在读')
    wanted = { heads: await heads(page), names: await names(page), count: await count(page) }
    expect(wanted.heads).not.toContain('出生日期')
    expect(wanted.heads.indexOf('班级')).toBeLessThan(wanted.heads.indexOf('性别'))
    expect(wanted.names).toHaveLength(10)
    expect(wanted.count).not.toBe(whole)
    expect(await axeFaults(page)).toEqual([])
    link = page.url()
    expect(new URL(link).searchParams.get('status')).toBe('1')
  })

  it('shows no key of a dictionary while its words are on their way, and nothing moves when they come', async () => {
    const other = await person('admin')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await other.route(/dict-biz\/dictionaries/, async (route) => {
      await held
      await route.continue()
    })
    await other.goto(`${product.url}/student/student`)
    await other.locator('tbody tr[data-key]').first().waitFor()
    const sex = (await heads(other)).indexOf('性别')
    expect(sex).toBeGreaterThan(0)
    const cells = other.locator(`tbody tr[data-key] > :nth-child(${sex + 2})`)
    const places = () =>
      other
        .locator('tbody tr[data-key] > *')
        .evaluateAll((all) => all.map((cell) => Object.values(cell.getBoundingClientRect().toJSON() as object).join()))
    expect(new Set(await cells.allTextContents())).toEqual(new Set(['']))
    expect(await other.locator('tbody .word-soon').count()).toBeGreaterThan(10)
    const before = await places()
    release()
    await expect.poll(async () => new Set(await cells.allTextContents()).has('')).toBe(false)
    for (const word of await cells.allTextContents()) expect(['男', '女']).toContain(word)
    expect(await other.locator('.word-soon').count()).toBe(0)
    expect(await places()).toEqual(before)
    await other.context().close()
  })

  it('is the same after a reload', async () => {
    await page.reload()
    await page.locator('tbody tr[data-key]').first().waitFor()
    await page.getByText('三年级在读').first().waitFor()
    await expect.poll(() => heads(page)).toEqual(wanted.heads)
    expect(await names(page)).toEqual(wanted.names)
    expect(await current(page)).toBe('三年级在读')
    expect(await page.locator('.dt-compact').count()).toBe(1)
    expect(await page.getByText('与视图不同').count()).toBe(0)
  })

  it('is the same in another browser of the same person, by its address or by its name', async () => {
    const other = await person('admin')
    await open(other, link)
    await expect.poll(() => heads(other)).toEqual(wanted.heads)
    expect(await names(other)).toEqual(wanted.names)
    // The columns that she set up before are hers in the whole list too.
    await other.getByRole('button', { name: '全部', exact: true }).click()
    await expect.poll(() => count(other)).not.toBe(wanted.count)
    expect(await heads(other)).toEqual(wanted.heads)
    await other.getByRole('button', { name: '三年级在读', exact: true }).click()
    await expect.poll(() => names(other)).toEqual(wanted.names)
    await other.context().close()
  })

  it('is listed alike for a colleague who is sent the address, in columns of his own, and his list of views is his own', async () => {
    const colleague = await person('jiaowu')
    await open(colleague, link)
    await expect.poll(() => names(colleague)).toEqual(wanted.names)
    expect(await count(colleague)).toBe(wanted.count)
    expect(await heads(colleague)).toContain('出生日期')
    expect(await current(colleague)).toBe('全部')
    expect(await colleague.getByText('三年级在读').count()).toBe(0)
    await colleague.context().close()
  })

  it('opens a record over it, which Back closes without taking back a filter', async () => {
    await page.locator('tbody th .dt-link').first().click()
    await page.getByRole('complementary').waitFor()
    await page.getByRole('button', { name: '取消筛选：状态' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.has('status')).toBe(false)
    await page.goBack()
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    const { searchParams, pathname } = new URL(page.url())
    expect([pathname, searchParams.has('id'), searchParams.has('status')]).toEqual(['/student/student', false, false])
    expect(searchParams.get('view')).toBe(new URL(link).searchParams.get('view'))
    await page.getByText('与视图不同').waitFor({ state: 'attached' })
    await page
      .getByRole('button', { name: /^三年级在读/ })
      .first()
      .click()
    await expect.poll(() => names(page)).toEqual(wanted.names)
  })

  it('has wider columns by dragging their edge, and at 390 px a row of views that scrolls', async () => {
    const edge = page.getByRole('separator', { name: '班级列宽' })
    const before = Number(await edge.getAttribute('aria-valuenow'))
    const box = (await edge.boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + 12)
    await page.mouse.down()
    await page.mouse.move(box.x + 44, box.y + 12, { steps: 4 })
    await page.mouse.up()
    expect(Number(await edge.getAttribute('aria-valuenow'))).toBeGreaterThan(before + 20)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.locator('.dt-cards li[data-key]').first().waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await page.locator('[data-view]').filter({ hasText: '三年级在读' }).scrollIntoViewIfNeeded()
    expect(await axeFaults(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  it('shows whole names of views beside an open record, and the others in a menu', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page, `${product.url}/student/student`)
    await page.locator('tbody th .dt-link').first().click()
    await page.getByRole('complementary').waitFor()
    const more = page.getByRole('button', { name: /^其他 \d+ 个视图$/ })
    await more.waitFor()
    const cut = await page.locator('[data-views] [data-cut]').count()
    expect(await more.textContent()).toBe(String(cut))
    const room = (await page.locator('.list-views-row').boundingBox())!
    for (const view of await page.locator('.list-view:not([data-cut])').all()) {
      const box = (await view.boundingBox())!
      expect([box.x >= room.x - 1, box.x + box.width <= room.x + room.width + 1]).toEqual([true, true])
    }
    expect(await axeFaults(page)).toEqual([])
    // The arrow keys and Enter choose one that is cut off; it comes into sight.
    await more.press('ArrowDown')
    const items = page.getByRole('menuitemradio').or(page.getByRole('menuitem'))
    await items.last().waitFor()
    expect(await items.count()).toBe(cut)
    const name = (await items.last().textContent())!.replace(/\d+$/, '')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await current(page))!.replace(/\d+$/, '').trim()).toBe(name.trim())
    expect(await page.locator('.list-view-shown[data-cut]').count()).toBe(0)
    await page.keyboard.press('Escape')
  })
})

describe('R-LIST-1 what is done in a list and taken back', () => {
  const filtered = async (): Promise<number> => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const grade = new URL(link).searchParams.get('gradeId')
    await open(page, `${product.url}/student/student?status=1&gradeId=${grade}`)
    return Number((await count(page))!.replace(/\D/g, ''))
  }
  const first = () => page.locator('tbody tr[data-key]').first()
  const study = () => page.locator('tbody tr[data-key]').evaluateAll((rows) => rows.map((row) => row.textContent))
  const undone = () => page.locator('.toast', { hasText: '已撤销' })

  it('a window with room offers 30 rows once; either answer holds for every list of this person, and an address that names a size wins', async () => {
    const other = await person('admin')
    await other.setViewportSize({ width: 1440, height: 1100 })
    const offer = other.locator('.pager-offer')
    const rows = () => other.locator('tbody tr[data-key]').count()
    await open(other, `${product.url}/student/student`)
    await other.locator('.pager-pages').waitFor()
    const places = () =>
      other
        .locator('tbody tr[data-key], .pager, .pager > :not(.pager-offer)')
        .evaluateAll((all) => all.map((one) => Object.values(one.getBoundingClientRect().toJSON() as object).join()))
    const before = await places()
    expect(await offer.count()).toBe(0)
    await offer.waitFor()
    expect(await offer.innerText()).toMatch(/^每页显示 30 名？/)
    expect(await axeFaults(other)).toEqual([])
    expect(await places()).toEqual(before)
    // A window without room has none.
    await other.setViewportSize({ width: 1440, height: 600 })
    await offer.waitFor({ state: 'hidden' })
    await other.setViewportSize({ width: 1440, height: 1100 })
    await offer.getByRole('button', { name: '好' }).click()
    await expect.poll(rows).toBe(30)
    expect(await offer.count()).toBe(0)
    expect(await other.evaluate(() => document.activeElement?.tagName)).toBe('SELECT')
    for (const [address, size] of [
      ['student/studentparents', 30],
      ['student/student', 30],
      ['student/student?size=10', 10],
    ] as const) {
      await open(other, `${product.url}/${address}`)
      await expect.poll(async () => other.locator('.pager select').inputValue()).toBe(String(size))
      await expect.poll(rows).toBe(size)
      expect(await offer.count()).toBe(0)
    }
    await other.context().close()
  })

  it('a form that was saved goes back by Ctrl+Z while its message is there', async () => {
    await filtered()
    const [name] = await names(page)
    await first().locator('[data-act=edit]').click()
    const form = page.getByRole('dialog')
    await form.getByLabel(/^姓名\*?$/).fill('改名生')
    await page.keyboard.press('Control+s')
    await page.locator('.toast', { hasText: '更新成功' }).getByRole('button', { name: '撤销' }).waitFor()
    // At once, while the form still slides away.
    await page.keyboard.press('Control+z')
    await undone().waitFor()
    await expect.poll(async () => (await names(page))[0]).toBe(name)
  })

  it('R-BAR-5 a change of colours is done in one frame, in an open form as well', async () => {
    await filtered()
    await first().locator('[data-act=edit]').click()
    const form = page.getByRole('dialog')
    // The focus comes last, and draws a border of its own.
    await expect
      .poll(() => form.getByLabel(/^姓名\*?$/).evaluate((field) => field === document.activeElement))
      .toBe(true)
    await settled(page)
    // What each frame shows: looked at when it is drawn.
    const frames = page.evaluate(async () => {
      const parts = ['.drawer-title', '.ant-input', '.ant-select', '.drawer-foot .button', '.sidebar a']
      const seen = new Set<string>()
      const { dataset } = document.documentElement
      // Until the other colours have been there for 20 frames.
      for (let dark = 0; dark < 20; dark += dataset.scheme === 'dark' ? 1 : 0) {
        await new Promise((drawn) =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = drawn
            port2.postMessage(null)
          }),
        )
        const styles = parts.map((part) => getComputedStyle(document.querySelector(part)!))
        seen.add(styles.map((style) => [style.color, style.backgroundColor, style.borderTopColor].join(' ')).join('\n'))
      }
      return [...seen]
    })
    // The first ones are light.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-scheme=dark]').waitFor()
    expect(await frames).toHaveLength(2)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
  })

  it('all rows that the filters leave are ticked, told, changed together and taken back together', async () => {
    const total = await filtered()
    expect(total).toBeGreaterThan(10)
    // Once the dictionaries are there, words stand for their keys.
    await expect.poll(async () => (await study()).every((text) => /走读|住校/.test(text ?? ''))).toBe(true)
    const before = await study()
    await page.getByRole('checkbox', { name: '选择本页' }).check()
    const bar = page.getByRole('toolbar', { name: '批量操作' })
    await bar.getByRole('button', { name: `选择全部 ${total} 名` }).click()
    await bar.getByText(`已选 ${total} 名（其中 ${total - 10} 名不在本页）`).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await bar.getByRole('button', { name: '批量修改' }).click()
    const dialog = page.getByRole('dialog')
    const options = page.locator('.ant-select-dropdown:visible .ant-select-item-option-content')
    // It opens by itself, once the dialog has come in.
    await options.first().waitFor()
    await page.keyboard.type('就读方式')
    // By the mouse: a list stands in its dialog, and hears it.
    await options.getByText('就读方式', { exact: true }).click()
    await dialog.getByRole('combobox', { name: '就读方式' }).press('ArrowDown')
    await options.getByText('住校', { exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await dialog.locator('.ant-select-content-has-value[title=住校]').waitFor()
    await dialog.getByRole('button', { name: '预览' }).click()
    await dialog.getByRole('button', { name: /^修改 \d+ 名$/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(async () => (await study()).filter((text) => text?.includes('住校'))).toHaveLength(10)
    await page.locator('.toast', { hasText: '更新成功' }).getByRole('button', { name: '撤销' }).click()
    await undone().waitFor()
    await expect.poll(study).toEqual(before)
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  it('C13 three lists take a filter and a column that nobody named for them, by keys and by clicks', async () => {
    const other = await person('admin')
    const panel = other.getByRole('dialog', { name: '筛选' })
    const column = async (head: string) => {
      const at = (await heads(other)).indexOf(head)
      return other.locator(`tbody tr[data-key] > :nth-child(${at + 2})`).allTextContents()
    }
    /** Opens the values of a filter, found by typing its name. */
    const opened = async (label: string) => {
      await other.getByRole('button', { name: '筛选', exact: true }).click()
      await panel.getByLabel('查找筛选条件').fill(label)
      await other.keyboard.press('Enter')
      await panel.getByRole('heading', { name: label, exact: true }).waitFor()
      await panel.locator('input:focus').waitFor()
    }
    const shown = async (label: string) => {
      expect(await heads(other)).not.toContain(label)
      await other.getByRole('button', { name: /^显示/ }).click()
      await other.getByRole('checkbox', { name: label, exact: true }).check()
      await other.keyboard.press('Escape')
      await expect.poll(() => heads(other)).toContain(label)
    }
    /** The list has fewer rows than before, and all that are seen say the same. */
    const holds = async (label: string, value: RegExp, before: string | null) => {
      await expect
        .poll(async () => (await column(label)).filter((text) => !value.test(text)), { message: label })
        .toEqual([])
      expect((await column(label)).length).toBeGreaterThan(0)
      expect(await count(other)).not.toBe(before)
    }

    await open(other, `${product.url}/student/student`)
    let before = await count(other)
    await shown('班内学号')
    await opened('班内学号')
    await other.keyboard.type('7')
    await other.keyboard.press('Tab')
    await other.keyboard.type('7')
    await other.keyboard.press('Enter')
    await other.keyboard.press('Escape')
    await holds('班内学号', /^7$/, before)

    await open(other, `${product.url}/school/schoolclassroom`)
    before = await count(other)
    await shown('可同时上课班数')
    await opened('可同时上课班数')
    await other.keyboard.type('2')
    await other.keyboard.press('Enter')
    await other.keyboard.press('Escape')
    await holds('可同时上课班数', /^([2-9]|1\d|20)$/, before)

    await open(other, `${product.url}/student/studentparents`)
    before = await count(other)
    await shown('工作单位')
    // A column that is new is filled by the next answer.
    const employers = async () => (await column('工作单位')).filter((text) => text.length > 3)
    await expect.poll(async () => (await employers()).length).toBeGreaterThan(0)
    const [employer = ''] = await employers()
    await opened('工作单位')
    await other.keyboard.type(employer)
    await other.locator('.chip[data-filter=workUnit]').waitFor()
    await other.keyboard.press('Escape')
    await holds('工作单位', new RegExp(`^${employer}$`), before)
    await other.context().close()
  })
})
