/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture, onDarkPhone } from './window.ts'

/** What the office arranges stands at once where others look; several pairs change places in one step, and exams take out what they name. */

let product: Product
let browser: Browser
let office: Page
let colleague: Page
let substitute: Page
const complaints: string[] = []

interface Lesson {
  readonly id: string
  readonly classId: string | null
  readonly teacherId: string
  readonly teacherName: string
  readonly subjectName: string
  readonly weekday: string
  readonly periodNo: number
  /** Lists do not tell it where it is one. */
  readonly span?: number
  readonly weekType: string
}

const scene = { schoolId: '', day: '', weekday: 0, away: { id: '', name: '' }, me: '', lessons: [] as Lesson[] }

const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `substitution-live-${name}`)

/** What the server answers somebody, past the page. */
const ask = <T>(page: Page, address: string, body?: object): Promise<T> => askAs(page, product.url, address, { body })

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

const isFree = (teacherId: string, weekday: number, periodNo: number): boolean =>
  !scene.lessons.some(
    (each) =>
      each.teacherId === teacherId &&
      Number(each.weekday) === weekday &&
      periodNo >= each.periodNo &&
      periodNo < each.periodNo + (each.span ?? 1),
  )

/** A school day of next week, and somebody who is away on it of whose lessons the class teacher of the demo could give one. */
async function setScene(): Promise<void> {
  const me = await ask<{ userId: string; realName: string }>(substitute, 'blade-auth/oauth/user-info')
  const [own] = await ask<{ schoolId: string }[]>(substitute, 'blade-user/teacherclass/getUserClass')
  Object.assign(scene, { schoolId: own!.schoolId, me: me.realName })
  const { records: plans } = await ask<{ records: { id: string; schoolId: string; status: number }[] }>(
    office,
    'blade-user/timetableplan/list?size=50',
  )
  const plan = plans.find(({ schoolId, status }) => schoolId === scene.schoolId && status === 2)!
  for (let current = 1; ; current += 1) {
    const { records } = await ask<{ records: Lesson[] }>(
      office,
      `blade-user/classschedule/list?planId=${plan.id}&size=200&current=${current}`,
    )
    scene.lessons.push(...records)
    if (records.length < 200) break
  }
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  for (let ahead = 7; ahead < 120 && scene.day === ''; ahead += 1) {
    const date = dayAfter(today, ahead)
    const { weekday } = await ask<{ weekday: number | null }>(
      office,
      `blade-user/schoolcalendarday/day?schoolId=${scene.schoolId}&date=${date}`,
    )
    const bare = await ask<unknown[]>(
      office,
      `blade-user/substitution/uncovered?schoolId=${scene.schoolId}&from=${date}&to=${date}`,
    )
    // In the middle of a week, so that the week has days before and after it.
    if (weekday !== weekdayOf(date) || weekday !== 3 || bare.length > 0) continue
    const there = scene.lessons.filter((each) => Number(each.weekday) === weekday && each.teacherId !== me.userId)
    const countOf = ({ teacherId }: Lesson) => there.filter((each) => each.teacherId === teacherId).length
    const busiest = there
      .filter((each) => isFree(me.userId, weekday, each.periodNo))
      .toSorted((a, b) => countOf(b) - countOf(a))[0]!
    Object.assign(scene, { day: date, weekday, away: { id: busiest.teacherId, name: busiest.teacherName } })
  }
  if (scene.day === '') throw new Error('the demo has no lessons ahead')
  await ask(office, 'blade-user/teacherabsence/submit', {
    ...{ schoolId: scene.schoolId, teacherId: scene.away.id, leaveType: '1' },
    ...{ beginDate: scene.day, endDate: scene.day },
  })
}

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  office = await demoPerson(browser, product, 'jiaowu', { complaints })
  colleague = await demoPerson(browser, product, 'admin', { complaints })
  substitute = await demoPerson(browser, product, 'banzhuren', { complaints })
  await setScene()
  const desk = `${product.url}/school/cover?school=${scene.schoolId}&date=${scene.day}`
  await Promise.all([office.goto(desk), colleague.goto(desk)])
  await substitute.goto(`${product.url}/school/my-timetable?date=${scene.day}&as=teacher`)
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const openLessons = (page: Page) => page.locator('.cover-page [data-lesson]')
const arranged = (page: Page) => page.locator('.cover-arranged li')

describe('ISSUE-15-6 what is arranged', () => {
  it('stands at once in the week of whoever covers and at the desk of a colleague, and is gone as soon as it is taken back', async () => {
    await openLessons(office).first().waitFor()
    const count = await openLessons(office).count()
    const day = substitute.locator(`.own-week-days section[aria-label="${scene.day}"]`)
    await day.waitFor()
    const cover = day.locator('li').filter({ hasText: `代课（原：${scene.away.name}）` })
    expect(await cover.count()).toBe(0)
    // The first lesson that the class teacher is free for.
    const mine = office.locator('[data-candidate]').filter({ hasText: scene.me })
    for (let at = 0; at < count; at += 1) {
      await openLessons(office).nth(at).click()
      await office.locator('[data-candidate]').first().waitFor()
      if ((await mine.count()) > 0) break
    }
    await mine.click()
    await cover.waitFor()
    await expect.poll(() => openLessons(colleague).count()).toBe(count - 1)
    await arranged(colleague)
      .filter({ hasText: `${scene.me}代课` })
      .waitFor()
    await picture(colleague, 'colleague')
    await cover.getByRole('button', { name: /^接受：/ }).click()
    await arranged(office).filter({ hasText: '已确认' }).waitFor()
    await arranged(colleague)
      .filter({ hasText: '已确认' })
      .getByRole('button', { name: /^取消：/ })
      .click()
    await expect.poll(() => cover.count()).toBe(0)
    await expect.poll(() => openLessons(office).count()).toBe(count)
  })

  it('may be several pairs that change places in one step', async () => {
    const at = scene.weekday === 5 ? 4 : scene.weekday + 1
    const day = dayAfter(scene.day, at - scene.weekday)
    const text = ({ periodNo, subjectName, teacherName }: Lesson) => `第${periodNo}节 ${subjectName} ${teacherName}`
    const taken = new Set<string>()
    const pairs = scene.lessons
      .filter((each) => each.teacherId === scene.away.id && Number(each.weekday) === scene.weekday)
      .flatMap((first) => {
        const second = scene.lessons.find(
          (each) =>
            each.classId !== null &&
            each.classId === first.classId &&
            Number(each.weekday) === at &&
            each.span === first.span &&
            each.weekType === '0' &&
            each.teacherId !== first.teacherId &&
            !taken.has(`${each.periodNo}`) &&
            !taken.has(`${each.teacherId} ${first.periodNo}`) &&
            isFree(first.teacherId, at, each.periodNo) &&
            isFree(each.teacherId, scene.weekday, first.periodNo),
        )
        if (!second) return []
        taken.add(`${second.periodNo}`).add(`${second.teacherId} ${first.periodNo}`)
        return [{ first, second }]
      })
    expect(pairs.length).toBeGreaterThanOrEqual(2)
    const before = await openLessons(office).count()
    const key = (lesson: Lesson) => `${lesson.id}|${scene.day}`
    await office.locator(`[data-lesson="${key(pairs[0]!.first)}"]`).click()
    await office.getByRole('button', { name: '与另一节课对调' }).click()
    const dialog = office.getByRole('dialog')
    const chooseSecond = async (lesson: Lesson) => {
      await dialog.getByRole('textbox', { name: '另一节课的日期' }).fill(day)
      await office.keyboard.press('Tab')
      const other = dialog.getByRole('combobox', { name: '另一节课', exact: true })
      await expect.poll(() => other.locator('option').allInnerTexts()).toContain(text(lesson))
      await other.selectOption({ label: text(lesson) })
    }
    await chooseSecond(pairs[0]!.second)
    await dialog.getByRole('button', { name: '再对调一对' }).click()
    await dialog.locator('.cover-pairs li').waitFor()
    await dialog.getByRole('combobox', { name: '这节课' }).selectOption(key(pairs[1]!.first))
    await chooseSecond(pairs[1]!.second)
    await picture(office, 'pairs')
    expect(await axeFaults(office)).toEqual([])
    await dialog.getByRole('button', { name: '对调2对' }).click()
    const refused = dialog.getByRole('alert')
    await office.getByText('2对课已对调').or(refused).first().waitFor()
    expect(await refused.allInnerTexts()).toEqual([])
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => openLessons(office).count()).toBe(before - 2)
    await expect.poll(() => openLessons(colleague).count()).toBe(before - 2)
    // One step, and one way back.
    await office.keyboard.press('Control+z')
    await expect.poll(() => openLessons(office).count()).toBe(before)
  })

  it('may be the lessons of an examination: those of the class and the periods that are named, and no others', async () => {
    const lesson = scene.lessons.find(
      (each) => each.teacherId === scene.away.id && Number(each.weekday) === scene.weekday && each.classId !== null,
    )!
    const { className } = await ask<{ className: string }>(office, `blade-user/classschedule/detail?id=${lesson.id}`)
    await office.getByRole('button', { name: '考试停课' }).click()
    const dialog = office.getByRole('dialog')
    await dialog.getByLabel('节次').fill('第一节')
    await dialog.getByRole('button', { name: '停课', exact: true }).click()
    await dialog.getByText('未能识别节次').waitFor()
    await dialog.getByRole('combobox', { name: '班级' }).click()
    await office.keyboard.type(className)
    const options = office.locator('.ant-select-dropdown:visible .ant-select-item-option')
    await expect
      .poll(async () => (await options.allInnerTexts()).every((each) => each.startsWith(className)), {
        timeout: 20_000,
      })
      .toBe(true)
    await options.first().click()
    await office.keyboard.press('Escape')
    await dialog.getByLabel('节次').fill(`第${lesson.periodNo}节`)
    await dialog.getByLabel('事由').fill('月考')
    await picture(office, 'suspend')
    expect(await axeFaults(office)).toEqual([])
    await dialog.getByRole('button', { name: '停课', exact: true }).click()
    await office.getByText('已停1节课').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await arranged(office)
      .filter({ hasText: `${scene.away.name}，停课` })
      .waitFor()
    expect(await arranged(office).filter({ hasText: '停课' }).filter({ hasText: '已确认' }).count()).toBe(1)
    await office.keyboard.press('Control+z')
    await expect.poll(() => arranged(office).filter({ hasText: '已确认' }).count()).toBe(0)
    await onDarkPhone(office, 'substitution-live')
    expect(complaints).toEqual([])
  })
})
