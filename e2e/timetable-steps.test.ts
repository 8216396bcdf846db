/// <reference lib="dom" />
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture, onDarkPhone } from './window.ts'

/** A registrar goes back and forth through what was done to a draft, also when its messages have gone, and beside a colleague. */

let product: Product
let browser: Browser
let clerk: Page
let other: Page
let address = ''
const complaints: string[] = []

const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `steps-${name}`)

/** What the server answers somebody, past the page. */
const api = <T>(page: Page, path: string, body?: object): Promise<T> => askAs(page, product.url, path, { body })

const cellOf = (page: Page, slot: string): Locator => page.locator(`[data-slot="${slot}"]:visible`)
const textOf = async (page: Page, slot: string): Promise<string> =>
  (await cellOf(page, slot).innerText()).trim().replaceAll('\n', ' ')
const button = (page: Page, name: string): Locator => page.locator('.plan-steps:visible').getByRole('button', { name })
const isOff = (page: Page, name: string) => button(page, name).getAttribute('aria-disabled')

/** Takes the lesson of one slot in hand by keys, and puts it down in another. */
async function move(page: Page, from: string, to: string): Promise<void> {
  const lesson = await textOf(page, from)
  await cellOf(page, from).focus()
  await page.keyboard.press('Space')
  await page.locator('.plan-grid:visible td.open').first().waitFor()
  await cellOf(page, to).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => textOf(page, to)).toBe(lesson)
  await page.locator('.toast').filter({ hasText: '已排到' }).last().waitFor()
}

/** Until every message has gone by itself. */
const untilQuiet = (page: Page) => expect.poll(() => page.locator('.toast').count(), { timeout: 30_000 }).toBe(0)

/** An empty slot of the week that is shown. */
async function emptySlot(page: Page): Promise<string> {
  const free = await page
    .locator('.plan-grid:visible td')
    .evaluateAll((cells) =>
      cells.filter((each) => each.textContent === '').map((each) => (each as HTMLElement).dataset.slot),
    )
  expect(free.length).toBeGreaterThan(0)
  return free[0]!
}

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  clerk = await demoPerson(browser, product, 'jiaowu', { complaints })
  other = await demoPerson(browser, product, 'admin', { complaints })
  const { records } = await api<{ records: { id: string; schoolName: string }[] }>(
    clerk,
    'blade-user/timetableplan/list?size=50',
  )
  const { id: published } = records.find(({ schoolName }) => schoolName === '示范区实验中学')!
  const { id } = await api<{ id: string }>(clerk, `blade-user/timetableplan/copy?id=${published}`, {})
  await clerk.goto(`${product.url}/school/timetable/${id}`)
  await clerk.locator('.plan-sheet:visible').getByRole('button', { name: '八年级（1）班' }).click()
  await clerk.getByRole('grid', { name: '八年级（1）班的一周' }).waitFor()
  address = clerk.url()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('ISSUE-15-3 steps back and forth through a draft', () => {
  it('go on after the messages have gone, by keys and by the buttons of the bar', async () => {
    const [first, second] = [await textOf(clerk, '1-1'), await textOf(clerk, '2-2')]
    const free = await emptySlot(clerk)
    expect([await isOff(clerk, '撤销'), await isOff(clerk, '重做')]).toEqual(['true', 'true'])
    await move(clerk, '1-1', free)
    await cellOf(clerk, '2-2').focus()
    await clerk.keyboard.press('Delete')
    await expect.poll(() => textOf(clerk, '2-2')).toBe('')
    await untilQuiet(clerk)
    expect([await isOff(clerk, '撤销'), await isOff(clerk, '重做')]).toEqual([null, 'true'])
    await clerk.keyboard.press('Control+z')
    await expect.poll(() => textOf(clerk, '2-2')).toBe(second)
    await clerk.locator('.toast').filter({ hasText: '已撤销：八年级（1）班' }).waitFor()
    await clerk.keyboard.press('Control+z')
    await expect.poll(() => textOf(clerk, '1-1')).toBe(first)
    await expect.poll(() => isOff(clerk, '撤销')).toBe('true')
    await clerk.keyboard.press('Control+Shift+z')
    await expect.poll(() => textOf(clerk, free)).toBe(first)
    await clerk.keyboard.press('Control+y')
    await expect.poll(() => textOf(clerk, '2-2')).toBe('')
    await expect.poll(() => isOff(clerk, '重做')).toBe('true')
    await picture(clerk, 'bar')
    expect(await axeFaults(clerk)).toEqual([])
    // Two presses in a row are two steps.
    await button(clerk, '撤销').focus()
    await clerk.keyboard.press('Enter')
    await clerk.keyboard.press('Enter')
    await expect.poll(() => textOf(clerk, '1-1')).toBe(first)
    await expect.poll(() => textOf(clerk, '2-2')).toBe(second)
    expect(await textOf(clerk, free)).toBe('')
  })

  it('take back the removal that was just made, and no older step, while it is still on its way', async () => {
    await untilQuiet(clerk)
    const free = await emptySlot(clerk)
    const [first, second] = [await textOf(clerk, '1-1'), await textOf(clerk, '2-2')]
    await move(clerk, '1-1', free)
    await cellOf(clerk, '2-2').focus()
    await clerk.keyboard.press('Delete')
    await clerk.keyboard.press('Control+z')
    await clerk.locator('.toast').filter({ hasText: '已撤销' }).waitFor()
    await expect.poll(() => textOf(clerk, '2-2')).toBe(second)
    expect(await textOf(clerk, free)).toBe(first)
    await clerk.keyboard.press('Control+z')
    await expect.poll(() => textOf(clerk, '1-1')).toBe(first)
  })

  it('count a copy and what a form has saved', async () => {
    const free = await emptySlot(clerk)
    await cellOf(clerk, '1-1').focus()
    await clerk.keyboard.press('Control+c')
    await clerk.keyboard.press('Control+v')
    await clerk.locator('.plan-grid:visible td.open').first().waitFor()
    await cellOf(clerk, free).focus()
    await clerk.keyboard.press('Enter')
    await expect.poll(() => textOf(clerk, free)).not.toBe('')
    const copy = await textOf(clerk, free)
    await clerk.locator('.toast').filter({ hasText: '已排到' }).last().waitFor()
    await cellOf(clerk, free).focus()
    await clerk.keyboard.press('Enter')
    const form = clerk.getByRole('dialog')
    await form.getByRole('combobox', { name: '学科' }).first().waitFor()
    const fold = form.locator('.ff-fold > h3 [aria-expanded=false], .ff-defaults button')
    while ((await form.getByRole('switch', { name: '锁定' }).count()) === 0) await fold.first().click()
    await form.getByRole('switch', { name: '锁定' }).click()
    await form.getByRole('button', { name: '保存', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    await expect.poll(() => textOf(clerk, free)).toContain('已锁定')
    await untilQuiet(clerk)
    await button(clerk, '撤销').click()
    await expect.poll(() => textOf(clerk, free)).toBe(copy)
    await button(clerk, '撤销').click()
    await expect.poll(() => textOf(clerk, free)).toBe('')
    await button(clerk, '重做').click()
    await expect.poll(() => textOf(clerk, free)).toBe(copy)
    await button(clerk, '重做').click()
    await expect.poll(() => textOf(clerk, free)).toContain('已锁定')
    await button(clerk, '撤销').click()
    await button(clerk, '撤销').click()
    await expect.poll(() => textOf(clerk, free)).toBe('')
  })

  it('leave what a colleague has changed since, and say who has; older steps are taken back all the same', async () => {
    await other.goto(address)
    await other.getByRole('grid', { name: '八年级（1）班的一周' }).waitFor()
    const [free, second, third] = [await emptySlot(clerk), await textOf(clerk, '2-2'), await textOf(clerk, '3-3')]
    await move(clerk, '2-2', free)
    await cellOf(clerk, '3-3').focus()
    await clerk.keyboard.press('Delete')
    await expect.poll(() => textOf(clerk, '3-3')).toBe('')
    // The colleague sees both, and puts the first one somewhere else.
    await expect.poll(() => textOf(other, free)).toBe(second)
    await expect.poll(() => textOf(other, '3-3')).toBe('')
    await move(other, free, '3-3')
    await expect.poll(() => textOf(clerk, '3-3')).toBe(second)
    await untilQuiet(clerk)
    await clerk.keyboard.press('Control+z')
    // What was removed comes back beside what stands there now: a draft may collide, and says so.
    await expect.poll(() => textOf(clerk, '3-3')).toContain(third)
    expect(await textOf(clerk, '3-3')).toContain(second)
    await clerk.keyboard.press('Control+z')
    const told = clerk.locator('.toast').filter({ hasText: '这一步没有撤销' })
    await told.waitFor()
    expect(await told.innerText()).toMatch(/已改动/)
    expect(await textOf(clerk, '3-3')).toContain(second)
    expect(await textOf(other, '3-3')).toContain(second)
    await picture(clerk, 'refused')
    // Nothing is left to take back but what the colleague did, which only the colleague takes back.
    expect(await isOff(clerk, '撤销')).toBe('true')
    await button(other, '撤销').click()
    await expect.poll(() => textOf(clerk, free)).toBe(second)
    await onDarkPhone(clerk, 'steps')
    expect(complaints).toEqual([])
  })
})
