/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/** A principal goes from a bar to the pupils in it; a bureau looks at schools beside each other; what is arranged stays. */

let product: Product
let browser: Browser
let principal: Page
let bureau: Page
const complaints: string[] = []

const person = (account: string, width = 1440): Promise<Page> =>
  demoPerson(browser, product, account, { width, complaints, isStrict: true })

const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `dashboard-${name}`)

const tile = (page: Page, key: string) => page.locator(`section[data-tile="${key}"]`)
const parts = (page: Page): Promise<(string | null)[]> =>
  page.locator('.dash-grid > [data-part]').evaluateAll((all) => all.map((each) => each.getAttribute('data-part')))
const drawn = (page: Page): Promise<void> => page.locator('svg.dash-plot a').first().waitFor()

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  principal = await person('xiaozhang')
  bureau = await person('jiaoyuju')
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('R-DEV-1 R-ROUTE-4 the dashboard', () => {
  it('R-BAR-1 is opened by two keys and by the avatar’s menu, and is in no menu', async () => {
    await principal.keyboard.press('g')
    await principal.keyboard.press('b')
    await principal.waitForURL('**/wel/dashboard')
    await principal.getByRole('heading', { level: 1, name: /数据大屏/ }).waitFor()
    await bureau.getByRole('banner').getByRole('button').last().click()
    await bureau.getByRole('menuitem', { name: '数据大屏' }).click()
    await bureau.waitForURL('**/wel/dashboard')
    await bureau.getByRole('heading', { level: 1, name: '数据大屏' }).waitFor()
  })

  it('leads from a bar, by keys alone, to exactly the pupils in it', async () => {
    await drawn(principal)
    await picture(principal, 'principal')
    expect(await axeFaults(principal)).toEqual([])
    const bar = tile(principal, 'grades').getByRole('link', { name: /^七年级，女/ })
    const count = Number(/(\d+)$/.exec((await bar.getAttribute('aria-label')) ?? '')?.[1])
    expect(count).toBeGreaterThan(10)
    await tile(principal, 'grades').locator('a').first().focus()
    for (let step = 0; step < 30 && !(await bar.evaluate((link) => link === document.activeElement)); step += 1)
      await principal.keyboard.press('ArrowRight')
    await principal.keyboard.press('Enter')
    await principal.waitForURL('**/student/student?*')
    await principal.locator('tbody tr[data-key]').first().waitFor()
    await principal.getByText(`共 ${count} `).first().waitFor()
    await principal.goBack()
    await drawn(principal)
  })

  it('says the same numbers as a table, behind a key', async () => {
    const sizes = tile(principal, 'sizes')
    const marks = await sizes.locator('svg a').count()
    await sizes.getByRole('button', { name: '查看数据' }).focus()
    await principal.keyboard.press('d')
    await sizes.getByRole('table').waitFor()
    expect(await sizes.locator('tbody tr').count()).toBe(marks)
    expect(await axeFaults(principal)).toEqual([])
    await picture(principal, 'table')
    await principal.keyboard.press('d')
    await expect.poll(() => sizes.getByRole('table').count()).toBe(0)
  })

  it('puts schools beside each other, down to one', async () => {
    await drawn(bureau)
    expect(await tile(bureau, 'schools').locator('svg a').count()).toBeGreaterThan(1)
    expect(await axeFaults(bureau)).toEqual([])
    await picture(bureau, 'bureau')
    await bureau.getByRole('combobox', { name: '学校' }).click()
    await bureau.locator('.ant-select-item-option').filter({ hasText: '示范区实验中学' }).click()
    await bureau.waitForURL('**/wel/dashboard?schoolId=*')
    await bureau.getByRole('heading', { level: 1, name: /示范区实验中学/ }).waitFor()
    await expect.poll(() => tile(bureau, 'schools').count()).toBe(0)
    await tile(bureau, 'periods').waitFor()
    await picture(bureau, 'one-school')
  })

  it('stays as somebody has arranged it, by keys', async () => {
    const before = await parts(principal)
    await principal.getByRole('button', { name: '调整布局' }).press('Enter')
    await principal.getByRole('button', { name: '下移：各年级多少人？' }).press('Enter')
    await expect.poll(async () => (await parts(principal)).indexOf('grades')).toBe(before.indexOf('grades') + 1)
    await principal.getByRole('button', { name: '隐藏：谁的课多，谁的课少？' }).press('Enter')
    await expect.poll(() => tile(principal, 'loads').count()).toBe(0)
    expect(await axeFaults(principal)).toEqual([])
    await picture(principal, 'arranging')
    await principal.reload()
    await drawn(principal)
    expect((await parts(principal)).indexOf('grades')).toBe(before.indexOf('grades') + 1)
    expect(await tile(principal, 'loads').count()).toBe(0)
    await principal.getByRole('button', { name: '调整布局' }).press('Enter')
    await principal.getByRole('button', { name: '恢复默认' }).press('Enter')
    await expect.poll(() => parts(principal)).toEqual(before)
  })

  it('R-DEV-2 says how a figure has changed since the month before', async () => {
    const page = await person('admin')
    // Past days are kept by the clock, and a product that has just begun has none.
    await page.route('**/dashboard/summary*', async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      for (const figure of body.data.figures)
        if (figure.key === 'pupils')
          figure.past = { day: '2026-10-31', values: [1900, 1950, figure.value - 12], corrected: [] }
      await route.fulfill({ response: answer, json: body })
    })
    await page.goto(`${product.url}/wel/dashboard`)
    await page.getByText('较2026-10-31增加 12', { exact: true }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await picture(page, 'past')
    await page.context().close()
  })

  it('shows rooms by floor, and which files take most space once there are some', async () => {
    const rooms = tile(bureau, 'rooms')
    await rooms.locator('svg a').first().waitFor()
    const first = rooms.locator('svg a').first()
    const count = Number(/(\d+)$/.exec((await first.getAttribute('aria-label')) ?? '')?.[1])
    await rooms.scrollIntoViewIfNeeded()
    await picture(bureau, 'rooms')
    await first.focus()
    await bureau.keyboard.press('Enter')
    await bureau.waitForURL('**/schoolclassroom?*')
    await bureau.getByText(`共 ${count} `).first().waitFor()

    const page = await person('admin')
    await page.goto(`${product.url}/resource/attach`)
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([
        { name: 'rules.txt', mimeType: 'text/plain', buffer: Buffer.from('a'.repeat(5_000)) },
        { name: 'short.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') },
      ])
    await page.locator('tbody tr[data-key]').nth(1).waitFor()
    await page.goto(`${product.url}/wel/dashboard`)
    const files = tile(page, 'files')
    await files.getByRole('link', { name: 'txt，附件：1，4.9 kB' }).waitFor()
    await files.scrollIntoViewIfNeeded()
    expect(await axeFaults(page)).toEqual([])
    await picture(page, 'files')
    const decided = tile(page, 'decided')
    await decided.locator('svg a').first().waitFor()
    await decided.scrollIntoViewIfNeeded()
    await picture(page, 'decided')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('Alt+g')
    await page.getByRole('heading', { level: 2, name: 'Which processes take long?' }).waitFor()
    await decided.getByRole('button', { name: 'Show the data' }).press('Enter')
    await decided.getByRole('columnheader', { name: 'Median time' }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await decided.scrollIntoViewIfNeeded()
    await picture(page, 'decided-english')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('Alt+g')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await decided.scrollIntoViewIfNeeded()
    await picture(page, 'decided-phone-dark')
    await files.scrollIntoViewIfNeeded()
    await picture(page, 'files-phone-dark')
    await page.context().close()
  }, 90_000)

  it('R-DEV-1 has room for each name beneath a drawing on a phone', async () => {
    const phone = await person('jiaowu', 390)
    await phone.goto(`${product.url}/wel/dashboard`)
    await tile(phone, 'grades').locator('svg text').first().waitFor()
    await tile(phone, 'sizes').locator('svg text').first().waitFor()
    // Lines are as high as their type, whose boxes reach a little over them.
    const crossed = await phone.evaluate(() =>
      [...document.querySelectorAll('svg.dash-plot')].flatMap((drawing) => {
        const lines = [...drawing.querySelectorAll('text')].flatMap((text) => {
          const parts = [...text.querySelectorAll('tspan')].filter(({ textContent }) => textContent)
          return parts.length > 0 ? parts : [text]
        })
        const all = lines.map((line) => ({ text: line.textContent, box: line.getBoundingClientRect() }))
        return all.flatMap((one, at) =>
          all
            .slice(at + 1)
            .filter(
              ({ box }) =>
                Math.min(box.right, one.box.right) - Math.max(box.left, one.box.left) > 1 &&
                Math.min(box.bottom, one.box.bottom) - Math.max(box.top, one.box.top) > 8,
            )
            .map((other) => `${one.text} × ${other.text}`),
        )
      }),
    )
    expect(crossed).toEqual([])
    await phone.context().close()
  })

  it('is read on a phone, in English and in the dark', async () => {
    const phone = await person('banzhuren', 390)
    await phone.goto(`${product.url}/wel/dashboard`)
    await drawn(phone)
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await axeFaults(phone)).toEqual([])
    await picture(phone, 'phone')
    await principal.emulateMedia({ colorScheme: 'dark' })
    await principal.getByRole('heading', { level: 1 }).click()
    await principal.keyboard.press('Alt+g')
    await principal.getByRole('heading', { level: 2, name: 'How many in each grade?' }).waitFor()
    await drawn(principal)
    expect(await axeFaults(principal)).toEqual([])
    await picture(principal, 'english-dark')
    await principal.keyboard.press('Alt+g')
  })

  it('nothing of it was refused by the content-security policy, and no script failed', () => {
    expect(complaints).toEqual([])
  })
})
