/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { save } from './clerk.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/** A teacher is away: the office covers the whole day from the desk, and a substitute sees it in the own week and accepts. */

let product: Product
let browser: Browser
let office: Page
let substitute: Page
const complaints: string[] = []
/** The school, the day, who is away, and who is to cover one of the lessons. */
const scene = { schoolId: '', day: '', away: '', substitute: '' }

const person = (account: string, width: number): Promise<Page> =>
  demoPerson(browser, product, account, { width, complaints })

const ask = <T>(page: Page, address: string, query: Readonly<Record<string, string>> = {}): Promise<T> =>
  askAs(page, product.url, address, { query })

const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `substitution-${name}`)

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

interface Lesson {
  readonly teacherId: string
  readonly teacherName: string
}

/** The next day with lessons, and whoever has the most of them; the substitute is somebody else. */
async function setScene(): Promise<void> {
  const me = await ask<{ userId: string; realName: string }>(substitute, 'blade-auth/oauth/user-info')
  const [own] = await ask<{ schoolId: string }[]>(substitute, 'blade-user/teacherclass/getUserClass')
  scene.schoolId = own!.schoolId
  scene.substitute = me.realName
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  for (let ahead = 1; ahead < 120 && scene.day === ''; ahead += 1) {
    const date = dayAfter(today, ahead)
    const day = await ask<{ weekday: number | null }>(office, 'blade-user/schoolcalendarday/day', {
      schoolId: scene.schoolId,
      date,
    })
    if (day.weekday === null) continue
    // Nor one on which the demo has somebody away.
    const bare = { schoolId: scene.schoolId, from: date, to: date }
    if ((await ask<unknown[]>(office, 'blade-user/substitution/uncovered', bare)).length > 0) continue
    const query = { schoolId: scene.schoolId, weekday: String(day.weekday), size: '200' }
    const { records } = await ask<{ records: Lesson[] }>(office, 'blade-user/classschedule/list', query)
    const all = records.filter(({ teacherId }) => teacherId !== me.userId)
    const lessonsOf = ({ teacherId }: Lesson) => all.filter((each) => each.teacherId === teacherId).length
    const [busiest] = all.toSorted((a, b) => lessonsOf(b) - lessonsOf(a))
    if (busiest) Object.assign(scene, { day: date, away: busiest.teacherName })
  }
  if (scene.day === '') throw new Error('the demo has no lessons ahead')
}

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  office = await person('jiaowu', 1440)
  substitute = await person('banzhuren', 390)
  await setScene()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const focused = (page: Page, name: string): Promise<string | undefined> =>
  page.evaluate((key) => (document.activeElement as HTMLElement | null)?.dataset[key], name)
const openLessons = () => office.locator('.cover-page [data-lesson]')

describe('ISSUE-15-6 the desk of a day', () => {
  it('is reached from the list of substitutions, and says that nothing is to be arranged', async () => {
    await office.goto(`${product.url}/teaching/substitution`)
    await office.getByRole('link', { name: '今日调代课' }).first().click()
    await office.getByRole('heading', { level: 1, name: '今日调代课' }).waitFor()
    await office.goto(`${product.url}/school/cover?school=${scene.schoolId}&date=${scene.day}`)
    await office.getByText(`${scene.day}没有需要安排的课`).waitFor()
    await picture(office, 'none')
    expect(await axeFaults(office)).toEqual([])
  })

  it('takes an absence, and lists what it leaves', async () => {
    await office.getByRole('button', { name: '登记缺勤' }).click()
    // Found by typing, as among many.
    await office.getByRole('dialog').getByRole('combobox', { name: '教师' }).click()
    await office.keyboard.type(scene.away)
    const options = office.locator('.ant-select-dropdown:visible .ant-select-item-option')
    // The answer to what was typed is there: no other list takes the place of this one under the pointer.
    await expect
      .poll(
        async () => {
          const shown = await options.allInnerTexts()
          return shown.length > 0 && shown.every((text) => text.startsWith(scene.away))
        },
        { timeout: 20_000 },
      )
      .toBe(true)
    await options.first().click()
    await save(office, '新增成功')
    await openLessons().first().waitFor()
    await office.getByRole('heading', { name: `${scene.away}的课` }).waitFor()
    expect(await openLessons().count()).toBeGreaterThanOrEqual(2)
  })

  it('is worked by keys: arrows, Enter to the candidates with their reasons, Esc back, Enter assigns; undone it is open again', async () => {
    const before = await openLessons().count()
    await openLessons().first().focus()
    await office.keyboard.press('ArrowDown')
    const second = await focused(office, 'lesson')
    await office.keyboard.press('Enter')
    await expect.poll(() => focused(office, 'candidate')).toBeTruthy()
    expect(await office.locator('[data-candidate]').first().innerText()).toMatch(/当时空闲/)
    await picture(office, 'candidates')
    expect(await axeFaults(office)).toEqual([])
    await office.keyboard.press('Escape')
    await expect.poll(() => focused(office, 'lesson')).toBe(second)
    await office.keyboard.press('Enter')
    await office.keyboard.press('ArrowUp')
    await office.keyboard.press('Enter')
    await expect.poll(() => focused(office, 'candidate')).toBeTruthy()
    await office.keyboard.press('Enter')
    await office.locator('.cover-arranged li').waitFor()
    await expect.poll(() => openLessons().count()).toBe(before - 1)
    await office.keyboard.press('Control+z')
    await expect.poll(() => openLessons().count()).toBe(before)
    await office.locator('.cover-arranged li').waitFor({ state: 'detached' })
  })

  it('proposes the best for the whole day, which is changed before it is assigned in one press', async () => {
    await office.getByRole('button', { name: '全部安排最合适的' }).click()
    const dialog = office.getByRole('dialog')
    const boxes = dialog.getByRole('combobox')
    await boxes.first().waitFor()
    const count = await boxes.count()
    expect(count).toBeGreaterThanOrEqual(2)
    // The colleague who is to have one of them, if that is not so already.
    let given = false
    for (let at = 0; at < count && !given; at += 1) {
      const options = await boxes.nth(at).locator('option').allInnerTexts()
      if (!options.includes(scene.substitute)) continue
      await boxes.nth(at).selectOption({ label: scene.substitute })
      given = true
    }
    expect(given).toBe(true)
    await picture(office, 'proposal')
    expect(await axeFaults(office)).toEqual([])
    await dialog.getByRole('button', { name: new RegExp(`^安排${count}节$`) }).click()
    await dialog.waitFor({ state: 'detached' })
    await office.getByText(`${scene.day}没有需要安排的课`).waitFor()
    const arranged = office.locator('.cover-arranged li')
    expect(await arranged.count()).toBe(count)
    expect(await arranged.filter({ hasText: '待确认' }).count()).toBe(count)
    await picture(office, 'arranged')
    expect(await axeFaults(office)).toEqual([])
  })

  it('ISSUE-15-8 shows a substitute the cover on a telephone, where it is accepted; the desk knows', async () => {
    await substitute.goto(`${product.url}/school/my-timetable?date=${dayAfter(scene.day, -1)}`)
    await substitute.getByRole('button', { name: '后一天' }).click()
    const day = substitute.locator(`.own-week-days section[aria-label="${scene.day}"]`)
    const cover = day.locator('li').filter({ hasText: `代课（原：${scene.away}）` })
    await cover.first().waitFor()
    expect(await substitute.locator('.own-week-days section').count()).toBe(1)
    expect(await substitute.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await picture(substitute, 'own')
    expect(await axeFaults(substitute)).toEqual([])
    await cover
      .first()
      .getByRole('button', { name: /^接受：/ })
      .focus()
    await substitute.keyboard.press('Enter')
    await substitute.getByText('已接受', { exact: true }).waitFor()
    await cover.first().getByRole('button').first().waitFor({ state: 'detached' })
    await office.reload()
    const own = office.locator('.cover-arranged li').filter({ hasText: `${scene.substitute}代课` })
    await own.filter({ hasText: '已确认' }).first().waitFor()
  })

  it('counts what is confirmed, and cancels it: the lesson is open again', async () => {
    await office.getByRole('tab', { name: '本期统计' }).click()
    for (const label of ['开始日期', '结束日期']) {
      await office.getByRole('textbox', { name: label }).fill(scene.day)
      await office.keyboard.press('Enter')
    }
    const row = office.locator('.cover-counts tbody tr').filter({ hasText: scene.substitute })
    await row.waitFor()
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['1', '0', '1'])
    await picture(office, 'counts')
    expect(await axeFaults(office)).toEqual([])
    const download = office.waitForEvent('download')
    await office.getByRole('button', { name: '导出 CSV' }).click()
    expect((await download).suggestedFilename()).toBe(`本期统计 ${scene.day} ${scene.day}.csv`)
    await office.getByRole('tab', { name: '安排', exact: true }).click()
    const own = office.locator('.cover-arranged li').filter({ hasText: `${scene.substitute}代课` })
    await own
      .filter({ hasText: '已确认' })
      .getByRole('button', { name: /^取消：/ })
      .click()
    await openLessons().first().waitFor()
  })

  it('swaps, moves, cancels and re-rooms a lesson, in the view of a week; each is taken back and leaves the lesson open', async () => {
    await office.goto(`${product.url}/school/cover?school=${scene.schoolId}&date=${scene.day}`)
    await office.getByRole('group', { name: '范围' }).getByRole('button', { name: '一周' }).click()
    await openLessons()
      .filter({ hasText: scene.day.slice(5) })
      .first()
      .waitFor()
    const arranged = office.locator('.cover-arranged li')
    const open = openLessons().first()
    const name = (await open.locator('strong').innerText()).trim()
    const count = await openLessons().count()
    /** Takes back what has just been arranged for the lesson. */
    const back = async (said: RegExp) => {
      const made = arranged.filter({ hasText: said }).filter({ hasText: /待确认|已确认/ })
      await made.first().waitFor()
      await expect.poll(() => openLessons().count()).toBe(count - 1)
      await office.keyboard.press('Control+z')
      await expect.poll(() => openLessons().count()).toBe(count)
    }
    await open.click()
    await picture(office, 'week')
    expect(await axeFaults(office)).toEqual([])

    await office.getByRole('button', { name: '停课', exact: true }).click()
    await save(office, '新增成功')
    await back(/停课/)

    await openLessons().first().click()
    await office.getByRole('button', { name: '与另一节课对调' }).click()
    const dialog = office.getByRole('dialog')
    const others = dialog.getByRole('combobox', { name: '另一节课', exact: true })
    // The same class, on the first day after it on which it has lessons.
    for (let ahead = 1; ahead < 60; ahead += 1) {
      await dialog.getByRole('textbox', { name: '另一节课的日期' }).fill(dayAfter(scene.day, ahead))
      await office.keyboard.press('Tab')
      await others
        .or(dialog.getByText(/^(该班这一天没有其他教师的课|这一天不上课)$/))
        .first()
        .waitFor()
      await expect
        .poll(
          async () =>
            (await dialog.getByText(/^(该班这一天没有其他教师的课|这一天不上课)$/).count()) +
            (await others.locator('option').count()),
        )
        .toBeGreaterThan(0)
      if ((await others.locator('option').count()) > 0) break
    }
    const lessons = await others.locator('option').count()
    expect(lessons).toBeGreaterThan(0)
    await picture(office, 'swap')
    expect(await axeFaults(office)).toEqual([])
    // A day that is not understood, or is emptied, swaps nothing of the day that stood there.
    const dayBox = dialog.getByRole('textbox', { name: '另一节课的日期' })
    const day = await dayBox.inputValue()
    await dayBox.fill('2027-13-1')
    await dialog.getByRole('button', { name: '对调', exact: true }).click()
    await dialog.getByText('有日期未能识别，请修改标红的日期').waitFor()
    await dayBox.fill('')
    await dayBox.press('Tab')
    await dialog.getByText('有日期未能识别，请修改标红的日期').waitFor({ state: 'detached' })
    expect(await others.locator('option').count()).toBe(0)
    await dayBox.fill(day)
    await dayBox.press('Tab')
    await expect.poll(() => others.locator('option').count()).toBe(lessons)
    // Those whose teacher is free then can be swapped with; the others are refused by name, and the dialog stays.
    let done = false
    for (let at = 0; at < lessons && !done; at += 1) {
      await others.selectOption({ index: at })
      await dialog.getByRole('button', { name: '对调', exact: true }).click()
      const refused = dialog.getByRole('alert')
      await refused.or(office.getByText('两节课已对调')).first().waitFor()
      done = (await office.getByText('两节课已对调').count()) > 0
    }
    expect(done).toBe(true)
    await dialog.waitFor({ state: 'detached' })
    await picture(office, 'swapped')
    await back(new RegExp(name))

    await openLessons().first().click()
    await office.getByRole('button', { name: '换教室' }).click()
    const form = office.getByRole('dialog')
    await form.getByRole('combobox', { name: '教室' }).first().waitFor()
    await picture(office, 'room')
    await office.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await openLessons().first().click()
    await office.getByRole('button', { name: '调课' }).click()
    await form.waitFor()
    await picture(office, 'move')
    await office.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    expect(await openLessons().count()).toBe(count)
  })

  it('has no findings in English, in the dark, at 390 pixels', async () => {
    await office.evaluate(() =>
      localStorage.setItem(
        'databrain-language',
        JSON.stringify({ content: 'en', dataType: 'string', datetime: Date.now() }),
      ),
    )
    await office.emulateMedia({ colorScheme: 'dark' })
    await office.setViewportSize({ width: 390, height: 844 })
    await office.goto(`${product.url}/school/cover?school=${scene.schoolId}&date=${scene.day}`)
    await openLessons().first().click()
    await office.locator('[data-candidate]').first().waitFor()
    expect(await office.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await picture(office, 'narrow-dark')
    expect(await axeFaults(office)).toEqual([])
  })
})

describe('ISSUE-15-8 a calendar feed', () => {
  it('is made in a dialog that shows its address once, answers a calendar, and is withdrawn', async () => {
    await substitute.getByRole('button', { name: '订阅日历' }).click()
    const dialog = substitute.getByRole('dialog')
    await dialog.getByRole('button', { name: '生成地址' }).click()
    const address = await dialog.locator('code').innerText()
    expect(await (await fetch(address)).text()).toMatch(/^BEGIN:VCALENDAR/)
    await picture(substitute, 'feed')
    expect(await axeFaults(substitute)).toEqual([])
    await dialog.getByRole('button', { name: /^撤回/ }).click()
    await substitute.getByRole('button', { name: '撤回', exact: true }).last().click()
    await substitute.getByText(/的地址已撤回/).waitFor()
    expect((await fetch(address)).status).toBe(410)
    expect(complaints).toEqual([])
  })
})
