/// <reference lib="dom" />
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/** Two who arrange one draft, what stands beside the school's days, whoever only looks, and what a term takes from the last one. */

let product: Product
let browser: Browser
let clerk: Page
let other: Page
const complaints: string[] = []

const person = (account: string, width = 1440): Promise<Page> =>
  demoPerson(browser, product, account, { width, complaints })

const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `together-${name}`)

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  clerk = await person('jiaowu')
  other = await person('admin')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

/** What the server answers somebody, past the page. */
const api = <T>(page: Page, address: string, body?: object): Promise<T> => askAs(page, product.url, address, { body })

interface Lesson {
  readonly id: string
  readonly version: number
  readonly weekday: number
  readonly periodNo: number
  readonly span: number
  readonly subjectName: string
}

const cell = (slot: string): Locator => clerk.locator(`[data-slot="${slot}"]:visible`)
const focused = (): Promise<string | undefined> =>
  clerk.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.slot)

describe('ISSUE-15-3 two who arrange one draft', () => {
  let planId: string
  let classId: string
  const lessons = () =>
    api<{ lessons: Lesson[] }>(clerk, `blade-user/timetableplan/board?id=${planId}&by=class&of=${classId}`).then(
      (board) => board.lessons,
    )
  /** A slot of the week in which the class has nothing. */
  const emptySlot = async (): Promise<{ weekday: number; periodNo: number }> => {
    const taken = new Set(
      (await lessons()).flatMap(({ weekday, periodNo, span }) =>
        Array.from({ length: span }, (_, at) => `${weekday}-${periodNo + at}`),
      ),
    )
    for (let weekday = 1; weekday <= 5; weekday += 1)
      for (let periodNo = 1; periodNo <= 7; periodNo += 1)
        if (!taken.has(`${weekday}-${periodNo}`)) return { weekday, periodNo }
    throw new Error('no free slot')
  }

  it('see what the other one has done, without asking', { timeout: 150_000 }, async () => {
    await clerk.goto(`${product.url}/teaching/timetableplan`)
    const row = clerk.getByRole('row').filter({ hasText: '示范区实验中学' })
    await row.getByRole('button').last().click()
    await clerk.getByRole('menuitem', { name: '排课' }).click()
    await clerk.getByText('已发布的课表不能修改').waitFor()
    await clerk.getByRole('button', { name: '复制为草稿' }).click()
    // Hundreds of lessons are copied, each with its history.
    await clerk.getByRole('button', { name: '发布' }).waitFor({ timeout: 90_000 })
    await clerk.getByRole('button', { name: '全校' }).click()
    await clerk.locator('.plan-sheet:visible').getByRole('button', { name: '八年级（1）班' }).click()
    await clerk.getByRole('grid', { name: '八年级（1）班的一周' }).waitFor()
    const place = new URL(clerk.url())
    planId = place.pathname.split('/').at(-1)!
    classId = place.searchParams.get('of')!
    const lesson = (await lessons()).find(
      ({ weekday, periodNo, span }) => weekday === 1 && periodNo === 1 && span === 1,
    )!
    const to = await emptySlot()
    await api(other, 'blade-user/classschedule/submit', {
      ...{ id: lesson.id, version: lesson.version, weekday: String(to.weekday), periodNo: to.periodNo },
    })
    await cell(`${to.weekday}-${to.periodNo}`).getByText(lesson.subjectName).first().waitFor()
    expect((await cell('1-1').innerText()).trim()).toBe('')
  })

  it('are told who has moved a lesson, and whereto, where what they have in hand has moved meanwhile', async () => {
    const lesson = (await lessons()).find(
      ({ weekday, periodNo, span }) => weekday === 2 && periodNo === 1 && span === 1,
    )!
    await cell('2-1').focus()
    await clerk.keyboard.press('Space')
    await clerk.getByText('正在安排').waitFor()
    const to = await emptySlot()
    await api(other, 'blade-user/classschedule/submit', {
      ...{ id: lesson.id, version: lesson.version, weekday: String(to.weekday), periodNo: to.periodNo },
    })
    await cell(`${to.weekday}-${to.periodNo}`).getByText(lesson.subjectName).first().waitFor()
    await cell('2-1').focus()
    await clerk.keyboard.press('Enter')
    const told = clerk.locator('.toast').filter({ hasText: '没有保存' })
    await told.waitFor()
    expect(await told.innerText()).toMatch(
      new RegExp(`“八年级（1）班 ${lesson.subjectName}”已被.+改到周.第${to.periodNo}节`),
    )
    await picture(clerk, 'refused')
  })

  it('have the focus in the cell again after its form', async () => {
    const { weekday, periodNo } = (await lessons()).find(({ periodNo: no, span }) => no === 2 && span === 1)!
    const slot = `${weekday}-${periodNo}`
    await cell(slot).focus()
    await clerk.keyboard.press('Enter')
    await clerk.getByRole('dialog').waitFor()
    await clerk.keyboard.press('Escape')
    await clerk.getByRole('dialog').waitFor({ state: 'detached' })
    await clerk.waitForFunction((at) => (document.activeElement as HTMLElement | null)?.dataset.slot === at, slot)
  })

  it('are led to a lesson on a day and in a period that the school has not', async () => {
    const { id, version } = (await lessons()).find(({ periodNo, span }) => periodNo === 3 && span === 1)!
    await api(other, 'blade-user/classschedule/submit', { id, version, weekday: '6', periodNo: 12 })
    const grid = clerk.getByRole('grid', { name: '八年级（1）班的一周' })
    await grid.getByRole('columnheader', { name: '不上课' }).waitFor()
    await grid.getByRole('rowheader', { name: '12 无此节次' }).waitFor()
    // From another class's week, the check of the whole plan leads there.
    await clerk.getByRole('button', { name: '全校' }).click()
    await clerk.locator('.plan-sheet:visible').getByRole('button', { name: '八年级（2）班' }).click()
    await clerk.getByRole('grid', { name: '八年级（2）班的一周' }).waitFor()
    await clerk.getByRole('button', { name: '校验' }).click()
    const dialog = clerk.getByRole('dialog')
    await dialog.getByRole('button').filter({ hasText: '周六' }).first().click()
    await grid.waitFor()
    await clerk.waitForFunction(() => (document.activeElement as HTMLElement | null)?.dataset.slot === '6-12')
    expect(await focused()).toBe('6-12')
    await picture(clerk, 'saturday')
    expect(await axeFaults(clerk)).toEqual([])
  })

  it('are not asked to copy a plan where they may not: a principal is told whom to ask', async () => {
    const principal = await person('xiaozhang')
    await principal.goto(`${product.url}/teaching/timetableplan`)
    // Of one school alone its name is in no column.
    await principal.getByRole('row').filter({ hasText: '已发布' }).first().getByRole('button').last().click()
    await principal.getByRole('menuitem', { name: '排课' }).click()
    await principal.getByText('请联系教务').waitFor()
    expect(await principal.getByText('复制为草稿').count()).toBe(0)
    await principal.goto(`${product.url}/school/timetable/${planId}`)
    // What is not settled yet is told to nobody else, by its name either.
    await principal.getByRole('alert').filter({ hasText: '没有找到该数据' }).waitFor()
    expect(await principal.getByRole('grid').count()).toBe(0)
    await principal.context().close()
  })
})

describe('ISSUE-15-5 a term', () => {
  it('takes over the assignments of the last one, shown before, with one way back', async () => {
    const { records } = await api<{ records: { id: string; schoolName: string; isCurrent: number }[] }>(
      clerk,
      'blade-user/schoolsemester/list?size=50',
    )
    const school = records.filter(({ schoolName }) => schoolName === '示范区实验中学')
    const into = school.find(({ isCurrent }) => isCurrent === 0)!
    await clerk.goto(`${product.url}/teaching/matrix?semester=${into.id}`)
    await clerk.getByRole('button', { name: '带入上学期任课' }).click()
    const dialog = clerk.getByRole('dialog')
    await dialog.getByLabel('来源学期').click()
    await clerk.getByRole('option').first().click()
    await dialog.getByText(/将新增\d+条/).waitFor()
    await picture(clerk, 'carry-over')
    expect(await axeFaults(clerk)).toEqual([])
    await dialog.getByRole('button', { name: /^带入\d+条$/ }).click()
    const toast = clerk.locator('.toast').filter({ hasText: '已带入' })
    await toast.waitFor({ timeout: 60_000 })
    await clerk.locator('.matrix-loads li').first().waitFor()
    await toast.getByRole('button', { name: '撤销' }).click()
    await clerk.getByText('还没有任课关系').waitFor({ timeout: 60_000 })
  })

  it('shows the rules of the current semester first', async () => {
    await clerk.goto(`${product.url}/teaching/timetablerule`)
    await clerk.waitForURL(/semesterId=/)
    await clerk.getByRole('button', { name: '带入其他学期的规则' }).waitFor()
    await picture(clerk, 'rules')
  })
})

describe('ISSUE-15-8 one’s own week', () => {
  it('says whose it shows', async () => {
    const teacher = await person('banzhuren', 390)
    await teacher.goto(`${product.url}/school/my-timetable`)
    const pressed = teacher.locator('.own-week-acts [aria-pressed="true"]:visible')
    await pressed.waitFor()
    expect(await pressed.count()).toBe(1)
    await picture(teacher, 'own')
    expect(complaints).toEqual([])
  })
})
