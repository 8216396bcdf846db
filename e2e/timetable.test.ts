/// <reference lib="dom" />
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/**
 * The plan changes in week 9: a clerk copies what is published, moves a lesson by keys, meets a conflict and solves it, and
 * publishes; week 8 reads as before.
 */

let product: Product
let browser: Browser
let clerk: Page
let teacher: Page
const complaints: string[] = []

const person = (account: string, width: number): Promise<Page> =>
  demoPerson(browser, product, account, { width, complaints })

const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `timetable-${name}`)

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  clerk = await person('jiaowu', 1440)
  teacher = await person('banzhuren', 390)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const cell = (slot: string): Locator => clerk.locator(`[data-slot="${slot}"]:visible`)
const subjectIn = async (slot: string): Promise<string> => (await cell(slot).innerText()).split('\n')[0]!.trim()
const focused = (): Promise<string | undefined> =>
  clerk.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.slot)

interface Lesson {
  readonly id: string
  readonly version: number
  readonly classId: string | null
  readonly span: number
  readonly weekday: string
  readonly periodNo: number
}

/** What the server has, past the page. */
const api = <T>(address: string, body?: object): Promise<T> => askAs(clerk, product.url, address, { body })

/** Goes to a slot with the arrows, from where the focus is. */
async function walkTo(slot: string): Promise<void> {
  const [day, period] = slot.split('-').map(Number) as [number, number]
  for (let steps = 0; steps < 30; steps += 1) {
    const [atDay, atPeriod] = ((await focused()) ?? '').split('-').map(Number) as [number, number]
    if (atDay === day && atPeriod === period) return
    const key = atDay < day ? 'ArrowRight' : atDay > day ? 'ArrowLeft' : atPeriod < period ? 'ArrowDown' : 'ArrowUp'
    const before = await focused()
    await clerk.keyboard.press(key)
    await clerk.waitForFunction((was) => (document.activeElement as HTMLElement | null)?.dataset.slot !== was, before)
  }
  throw new Error(`no way to ${slot}`)
}

describe('ISSUE-15-3 a timetable by hand', () => {
  let moved: { from: string; to: string; subject: string }

  it('is reached from the list of plans, by class, teacher, room or as one sheet; what is published is not changed', async () => {
    await clerk.goto(`${product.url}/teaching/timetableplan`)
    const row = clerk.getByRole('row').filter({ hasText: '示范区实验中学' })
    await row.getByRole('button').last().click()
    await clerk.getByRole('menuitem', { name: '排课' }).click()
    await clerk.getByText('已发布的课表不能修改').waitFor()
    await clerk.getByRole('button', { name: '全校' }).click()
    const sheet = clerk.locator('.plan-sheet')
    await sheet.waitFor()
    expect(await sheet.getByRole('rowheader').count()).toBeGreaterThan(12)
    await picture(clerk, 'school')
    expect(await axeFaults(clerk)).toEqual([])
    await sheet.getByRole('button', { name: '八年级（1）班' }).click()
    await clerk.getByRole('grid', { name: '八年级（1）班的一周' }).waitFor()
    const lesson = await subjectIn('1-1')
    expect(lesson).not.toBe('')
    // Nothing happens to it by any key.
    await cell('1-1').focus()
    await clerk.keyboard.press('Delete')
    await clerk.keyboard.press('Space')
    expect(await subjectIn('1-1')).toBe(lesson)
    expect(await clerk.locator('.plan-hand').count()).toBe(0)
    // It is walked through all the same.
    await walkTo('3-2')
    await walkTo('1-1')
    await picture(clerk, 'class')
    expect(await axeFaults(clerk)).toEqual([])
  })

  it('is copied, and a lesson in hand says of every slot whether it fits; arrows and Enter put it there', async () => {
    await clerk.getByRole('button', { name: '复制为草稿' }).focus()
    await clerk.keyboard.press('Enter')
    await clerk.getByRole('button', { name: '发布' }).waitFor()
    // It is there later than its page is, and keys begin at its heading.
    const heading = clerk.getByRole('heading', { level: 1, name: /副本/ })
    await expect.poll(() => heading.evaluate((each) => each === document.activeElement)).toBe(true)
    await clerk.getByRole('button', { name: '全校' }).click()
    await clerk.locator('.plan-sheet:visible').getByRole('button', { name: '八年级（1）班' }).click()
    await clerk.getByRole('grid', { name: '八年级（1）班的一周' }).waitFor()
    await cell('1-1').focus()
    await clerk.keyboard.press('Space')
    await clerk.locator('.plan-grid td.blocked').first().waitFor()
    const open = await clerk
      .locator('.plan-grid td.open')
      .evaluateAll((cells) => cells.map((each) => (each as HTMLElement).dataset.slot ?? ''))
    // Its own place is one of them; an empty one is another.
    const empty: string[] = []
    for (const slot of open) if (slot !== '1-1' && (await cell(slot).innerText()).trim() === '') empty.push(slot)
    expect(open).toContain('1-1')
    expect(empty.length).toBeGreaterThan(0)
    const why = await clerk.locator('.plan-grid td.blocked').first().getAttribute('aria-description')
    expect(why).toMatch(/已有课：/)
    await picture(clerk, 'hand')
    moved = { from: '1-1', to: empty[0]!, subject: await subjectIn('1-1') }
    await walkTo(moved.to)
    await clerk.keyboard.press('Enter')
    await cell(moved.to).filter({ hasText: moved.subject }).waitFor()
    expect((await cell(moved.from).innerText()).trim()).toBe('')
  })

  it('keeps a conflict as a draft, says it at the lesson and in a list, and is not published with it', async () => {
    // Onto a lesson of the class itself.
    await cell(moved.to).focus()
    await clerk.keyboard.press('Space')
    await clerk.locator('.plan-grid td.blocked').first().waitFor()
    await walkTo('2-2')
    await clerk.keyboard.press('Enter')
    await clerk.locator('.plan-lesson.wrong').first().waitFor()
    const count = clerk.getByRole('button', { name: /^冲突 \d+$/ })
    await count.click()
    const dialog = clerk.getByRole('dialog')
    expect(await dialog.getByRole('listitem').first().innerText()).toMatch(/八年级（1）班.*已有课/)
    await picture(clerk, 'conflict')
    // It leads to its lesson, once: what is done afterwards leaves the focus where it is.
    await dialog.getByRole('listitem').first().getByRole('button').click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('2-2')
    await clerk.getByRole('button', { name: '发布', exact: true }).click()
    await clerk.getByLabel('从第几周起').selectOption('9')
    await clerk.getByText(/代替“课表”/).waitFor()
    await dialog.getByRole('button', { name: '发布' }).click()
    await dialog.getByText(/处冲突/).waitFor()
    await clerk.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // Ctrl+Z takes the last step back.
    await cell('3-3').focus()
    await clerk.keyboard.press('Control+z')
    await clerk.locator('.plan-lesson.wrong').first().waitFor({ state: 'detached' })
    expect(await subjectIn(moved.to)).toBe(moved.subject)
    expect(await focused()).toBe('3-3')
  })

  it('swaps two lessons by keys alone, and takes one out of the tray: keys go on in the grid behind each button', async () => {
    const [one, other] = ['5-1', '5-2']
    const before = [await subjectIn(one), await subjectIn(other)]
    await cell(one).focus()
    await clerk.keyboard.press('Space')
    await clerk.locator('.plan-grid:visible td.blocked').first().waitFor()
    await walkTo(other)
    await clerk.keyboard.press('Enter')
    const both = cell(other).locator('.plan-lesson')
    await expect.poll(() => both.count()).toBe(2)
    // Of two in one cell the bar has the buttons.
    const bar = clerk.locator('.plan-hand:visible')
    await expect.poll(() => bar.getByRole('button', { name: '移动' }).count()).toBe(2)
    await clerk.keyboard.press('Space')
    const named = () => clerk.evaluate(() => (document.activeElement as HTMLElement).closest('p')?.innerText ?? '')
    for (let tabs = 0; tabs < 4 && !(await named()).includes(` ${before[1]} `); tabs += 1)
      await clerk.keyboard.press('Tab')
    await clerk.keyboard.press('Enter')
    await bar.getByText('正在安排：').waitFor()
    await expect.poll(focused).toBe(other)
    await walkTo(one)
    await clerk.keyboard.press('Enter')
    await expect.poll(async () => [await subjectIn(one), await subjectIn(other)]).toEqual(before.toReversed())
    expect(await both.count()).toBe(1)
    // What is owed is taken in hand in the tray.
    await cell(one).focus()
    await clerk.keyboard.press('Delete')
    await clerk.getByText(/已移除“.+”/).waitFor()
    await expect.poll(() => cell(one).innerText()).toBe('')
    const owed = clerk.locator('.plan-tray:visible').getByRole('button')
    await owed.first().waitFor()
    for (let tabs = 0; tabs < 12 && (await focused()) !== undefined; tabs += 1) await clerk.keyboard.press('Tab')
    await clerk.keyboard.press('Enter')
    await bar.getByText('正在安排：').waitFor()
    await expect.poll(focused).toBe(one)
    await clerk.keyboard.press('Escape')
    await clerk.keyboard.press('Control+z')
    await cell(one).filter({ hasText: before[1]! }).waitFor()
    // All is as it was for what follows.
    const { pathname, searchParams } = new URL(clerk.url())
    const { records } = await api<{ records: Lesson[] }>(
      `blade-user/classschedule/list?planId_equal=${pathname.split('/').at(-1)}&classId_equal=${searchParams.get('of')}&size=100`,
    )
    const swapped = records.filter(({ weekday, periodNo }) => weekday === '5' && periodNo <= 2)
    expect(swapped).toHaveLength(2)
    for (const { id, version, periodNo } of swapped)
      await api('blade-user/classschedule/submit', { id, version, periodNo: 3 - periodNo })
    await clerk.reload()
    await expect.poll(async () => [await subjectIn(one), await subjectIn(other)]).toEqual(before)
  })

  it('judges a copy as one more lesson, which does not fit where the first one stands', async () => {
    await cell(moved.to).focus()
    await clerk.keyboard.press('Control+c')
    await clerk.keyboard.press('Control+v')
    await clerk.locator('.plan-grid td.open').first().waitFor()
    expect(await cell(moved.to).getAttribute('class')).toBe('blocked')
    await clerk.keyboard.press('Escape')
    await clerk.locator('.plan-grid td.open').first().waitFor({ state: 'detached' })
  })

  it('removes several lessons in one step, which is taken back in one', async () => {
    await cell('4-1').focus()
    await clerk.keyboard.press('Shift+ArrowDown')
    await expect.poll(focused).toBe('4-2')
    const chosen = clerk.locator('.plan-grid td[aria-selected=true]')
    expect(await chosen.count()).toBe(2)
    const before = [await subjectIn('4-1'), await subjectIn('4-2')]
    expect(before).not.toContain('')
    await clerk.keyboard.press('Delete')
    await clerk.getByText('已移除2节课').waitFor()
    await expect.poll(() => cell('4-1').innerText()).toBe('')
    await clerk.keyboard.press('Control+z')
    await expect.poll(async () => [await subjectIn('4-1'), await subjectIn('4-2')]).toEqual(before)
  })

  it('says what stands against the whole plan when it is asked; at 390 pixels in the dark as well', async () => {
    await clerk.getByRole('button', { name: '校验', exact: true }).click()
    await clerk
      .getByText(/没有冲突/)
      .or(clerk.getByRole('dialog').getByText(/处）/))
      .first()
      .waitFor()
    await clerk.keyboard.press('Escape')
    const other = await person('jiaowu', 390)
    await other.emulateMedia({ colorScheme: 'dark' })
    await other.goto(clerk.url())
    await other.locator('.plan-grid:visible').waitFor()
    expect(await axeFaults(other)).toEqual([])
    await picture(other, 'narrow-dark')
    await other.context().close()
  })

  it('is published from week 9, after it has shown what that changes, and is not changed from then on', async () => {
    await clerk.getByRole('button', { name: '发布', exact: true }).click()
    await clerk.getByLabel('从第几周起').selectOption('9')
    await clerk.getByText('新增1节，取消1节').waitFor()
    await picture(clerk, 'publish')
    await clerk.getByRole('dialog').getByRole('button', { name: '发布' }).click()
    await clerk.getByText('已发布，从第9周起').waitFor()
    await clerk.locator('.plan-note:visible').waitFor()
    expect(complaints).toEqual([])
  })

  it('ISSUE-15-4 is made by the generator, which is followed, and has no conflict', async () => {
    await clerk.getByRole('button', { name: '复制为草稿' }).click()
    await clerk.getByRole('button', { name: '自动排课' }).click()
    const dialog = clerk.getByRole('dialog')
    await dialog.getByLabel('优化多久').selectOption('10')
    await picture(clerk, 'generate')
    await dialog.getByRole('button', { name: '自动排课' }).click()
    await dialog.getByRole('progressbar').waitFor()
    // F5 in the middle: the run goes on, and is followed again by whoever opens the dialog.
    await clerk.reload()
    await clerk.getByRole('button', { name: '自动排课' }).click()
    await dialog.getByRole('progressbar').waitFor()
    await clerk.getByText(/已排好\d+节/).waitFor({ timeout: 120_000 })
    await clerk.getByRole('button', { name: '全校' }).click()
    await clerk.locator('.plan-sheet:visible').waitFor()
    expect(await clerk.locator('.plan-sheet:visible td.wrong').count()).toBe(0)
    // By grade and number, teaching classes last.
    const heads = (await clerk.locator('.plan-sheet:visible tbody th').allInnerTexts()).map((text) => text.trim())
    const classes = heads.filter((text) => /^[七八九]年级/.test(text))
    const placeOf = (text: string): number => '七八九'.indexOf(text[0]!) * 100 + Number(/\d+/.exec(text)![0])
    expect(heads.slice(0, classes.length)).toEqual(classes.toSorted((a, b) => placeOf(a) - placeOf(b)))
    // On paper it says whose it is.
    await clerk.emulateMedia({ media: 'print' })
    expect(await clerk.locator('.plan-printed:visible').innerText()).toMatch(/示范区实验中学.*第一学期/)
    await clerk.emulateMedia({ media: null })
    expect(await clerk.locator('.plan-count:visible').count()).toBe(0)
    await picture(clerk, 'generated')
  })

  it('ISSUE-15-4 says in the dialog what stands against a timetable and the least to give up, and leads there', async () => {
    const planId = new URL(clerk.url()).pathname.split('/').at(-1)!
    const { records } = await api<{ records: Lesson[] }>(
      `blade-user/classschedule/list?planId_equal=${planId}&size=200`,
    )
    const one = records.find(({ classId }) => classId !== null)!
    const other = records.find(
      ({ id, classId, span }) => id !== one.id && classId === one.classId && span === one.span,
    )!
    const { weekday, periodNo } = one
    for (const { id, version } of [one, other])
      await api('blade-user/classschedule/submit', { id, version, weekday, periodNo, isLocked: 1 })
    await clerk.getByRole('button', { name: '自动排课' }).click()
    const dialog = clerk.getByRole('dialog')
    await dialog.getByLabel('优化多久').selectOption('10')
    await dialog.getByRole('button', { name: '自动排课' }).click()
    const item = dialog.getByRole('listitem')
    await item.first().waitFor({ timeout: 120_000 })
    expect(await item.count()).toBe(1)
    expect(await item.innerText()).toMatch(/每周2节课?，只有1个可排的时段：解锁.+周.第\d+节的.+，或解锁/)
    expect(await dialog.innerText()).toContain('就能全部排好')
    expect(await axeFaults(clerk)).toEqual([])
    await picture(clerk, 'obstacles')
    const link = item.getByRole('link').first()
    const name = (await link.innerText()).trim()
    await link.click()
    await dialog.waitFor({ state: 'detached' })
    await clerk.waitForURL(/\?id=\d+/)
    await clerk.getByText(name).first().waitFor()
    await clerk.goBack()
    await clerk.locator('.plan-sheet:visible').waitFor()
  })

  it('ISSUE-15-6 has another teacher from a week on, or is told why not', async () => {
    await clerk.goto(`${product.url}/teaching/teacherclass?keyword=`)
    const row = clerk.locator('tbody tr').first()
    await row.waitFor()
    await row.getByRole('button').last().click()
    await clerk.getByRole('menuitem', { name: '换教师' }).click()
    const dialog = clerk.getByRole('dialog')
    await dialog.getByRole('combobox', { name: '新教师' }).focus()
    await clerk.keyboard.press('Enter')
    await clerk.locator('.ant-select-dropdown:visible .ant-select-item-option').first().waitFor()
    await clerk.keyboard.press('Enter')
    await dialog.getByLabel('从第几周起').selectOption('30')
    await picture(clerk, 'hand-over')
    expect(await axeFaults(clerk)).toEqual([])
    await dialog.getByRole('button', { name: '换教师' }).click()
    await dialog.getByText(/不在该任课关系的起止日期内|就是现在的教师/).waitFor()
    await clerk.keyboard.press('Escape')
  })

  it('ISSUE-15-8 shows a teacher the own week on a telephone, day by day', async () => {
    await teacher.goto(`${product.url}/school/my-timetable`)
    const week = teacher.locator('.own-week')
    await week.getByRole('heading', { name: '我的课表' }).waitFor()
    await week.locator('.own-week-days li, p').first().waitFor()
    await teacher.getByRole('button', { name: '本班的课' }).click()
    const day = teacher.locator('.own-week-days section')
    await day.waitFor()
    // Today may be a day without lessons: one of the next has some.
    for (let step = 0; step < 30 && (await day.locator('li').count()) === 0; step += 1) {
      const before = await day.getAttribute('aria-label')
      await teacher.getByRole('button', { name: '后一天' }).click()
      await expect.poll(() => day.getAttribute('aria-label')).not.toBe(before)
      await day.locator('li, p').first().waitFor()
    }
    expect(await day.locator('li').count()).toBeGreaterThan(0)
    expect(await day.count()).toBe(1)
    // No wider than the screen.
    expect(await teacher.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await picture(teacher, 'own')
    expect(await axeFaults(teacher)).toEqual([])
  })
})
