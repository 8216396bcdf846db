/// <reference lib="dom" />
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { logIn, unfold } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'
import { picture as keepPicture } from './window.ts'

/**
 * Dates as clerks type them, with real keys, in every place that takes one. What is stored is what is shown; what is not
 * understood stays, in red and with words, and nothing is saved or filtered by it.
 */

let product: Product
let browser: Browser
let page: Page
const complaints: string[] = []

async function visit(width: number): Promise<Page> {
  const context = await browser.newContext({
    ...{ viewport: { width, height: 900 }, locale: 'zh-CN' },
    ...(width < 500 ? { hasTouch: true, isMobile: true } : {}),
  })
  const made = await context.newPage()
  made.setDefaultTimeout(15_000)
  made.on('pageerror', (error) => complaints.push(error.message))
  await logIn(made, product.url, password, 'admin', '000001')
  return made
}

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  page = await visit(1440)
})
afterEach(async (test) => {
  if (test.task.result?.state === 'fail') await picture(page, 'failed')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `dates-${name}`)

/** What the server has, past the page. */
const api = <T>(address: string, body?: object): Promise<T> => askAs(page, product.url, address, { body })

const wide = (text: string): string =>
  text.replace(/[0-9:/.-]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))
const year = String(new Date(Date.now() + 8 * 3_600_000).getUTCFullYear())

/** What is typed, and the day that must be stored for it. */
const days: readonly (readonly [string, string])[] = [
  ['2027-8-31', '2027-08-31'],
  ['2027/8/30', '2027-08-30'],
  ['2027.8.29', '2027-08-29'],
  ['20270828', '2027-08-28'],
  ['2027年8月27日', '2027-08-27'],
  ['8/26', `${year}-08-26`],
  [wide('2027-8-25'), '2027-08-25'],
  [wide('2027/08/24'), '2027-08-24'],
  [wide('20270823'), '2027-08-23'],
  ['２０２７年８月２２日', '2027-08-22'],
  [' 2027-08-21 ', '2027-08-21'],
  ['2027 - 8 - 20', '2027-08-20'],
  ['2027。8。19', '2027-08-19'],
  ['8月18日', `${year}-08-18`],
  ['2027年8月17号', '2027-08-17'],
  ['2027/08/16 0:00', '2027-08-16'],
  ['2028-2-29', '2028-02-29'],
  ['8-15', `${year}-08-15`],
  ['二〇二七年八月十四日', '2027-08-14'],
  ['2027年8月13日 星期五', '2027-08-13'],
]
/** What is typed, and what stands beneath it then. */
const notDays: readonly (readonly [string, RegExp])[] = [
  ['2027-2-30', /没有“2027-2-30”这一天/],
  ['2027-13-1', /没有“2027-13-1”这一天/],
  ['19-3-5', /年份请写四位/],
  ['3/4/2019', /月和日分不清，请写成 2019-04-03 或 2019-03-04/],
  ['2027083', /请写成 2026-09-01/],
  ['下周三', /请写成 2026-09-01、2026\/9\/1、20260901、2026年9月1日 或 9\/1（今年）/],
  ['2027-8', /请写成/],
  ['2027-8-31 8:05', /不带时间/],
]
const moments: readonly (readonly [string, string])[] = [
  ['2027-8-31 8:05', '2027-08-31 08:05:00'],
  ['2027/8/30 08:05:00', '2027-08-30 08:05:00'],
  ['20270829 805', '2027-08-29 08:05:00'],
  ['2027年8月28日8点半', '2027-08-28 08:30:00'],
  ['2027.8.27 上午8点', '2027-08-27 08:00:00'],
  ['8/26 20：05', `${year}-08-26 20:05:00`],
  [wide('2027-8-25 8:05'), '2027-08-25 08:05:00'],
  ['2027-8-24', '2027-08-24 00:00:00'],
  ['2027-08-23T08:05', '2027-08-23 08:05:00'],
  ['2027-8-22 下午3点一刻', '2027-08-22 15:15:00'],
]
const notMoments: readonly (readonly [string, RegExp])[] = [
  ['2027-8-31 25:00', /看不懂这个时间/],
  ['8:05', /看不懂这个时间，请写成 2026-09-01 08:05/],
  ['2027-2-30 8:05', /看不懂这个时间|没有/],
]

/** Puts a text in the place of what stands in a box, key by key; signs that have no key come as from an input method. */
async function typeOver(box: Locator, text: string): Promise<void> {
  await box.focus()
  await box.page().keyboard.press('Control+a')
  await box.page().keyboard.type(text)
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string }
const resume = 'blade-user/studentresume'
const resumeOf = (id: string) => api<Row>(`${resume}/detail?id=${id}`)
const formOf = (on: Page) => on.getByRole('dialog').filter({ has: on.locator('.entity-form') })
const note = (on: Page, box: Locator) =>
  box.getAttribute('aria-describedby').then((id) => (id ? on.locator(`[id="${id}"]`).textContent() : ''))

/** A record of a pupil with nothing but its first day. */
async function addResume(name: string): Promise<Row> {
  const { records } = await api<{ records: Row[] }>('blade-user/student/list?current=1&size=1')
  const draft = { studentId: records[0]!.id, kind: '1', beginDate: '2000-01-01', orgName: name }
  return api<Row>(`${resume}/submit`, draft)
}

/** Opens the form of a stored row by its address, and in it what is folded over a field. */
async function openForm(on: Page, address: string, id: string, label?: string): Promise<Locator> {
  await on.goto(`${product.url}/${address}?edit=${id}`)
  const form = formOf(on)
  await form.locator('.entity-form[aria-busy=false]').waitFor()
  if (label) await unfold(on, form.getByRole('textbox', { name: label, exact: true }))
  return form
}

/** Types, leaves by Tab, looks at what is shown, saves by Ctrl+S from inside the box, and reads the row back. */
async function formTakes(
  on: Page,
  { address, path, id, label, name }: { address: string; path: string; id: string; label: string; name: string },
  texts: readonly (readonly [string, string])[],
): Promise<void> {
  for (const [at, [typed, meant]] of texts.entries()) {
    const form = await openForm(on, address, id, label)
    const box = form.getByRole('textbox', { name: label, exact: true })
    await typeOver(box, typed)
    if (at % 2 === 0) {
      await on.keyboard.press('Tab')
      expect([typed, await box.inputValue()]).toEqual([typed, shown(meant)])
      expect(await box.getAttribute('aria-invalid')).toBeNull()
    }
    await on.keyboard.press('Control+s')
    await form.waitFor({ state: 'hidden' })
    const row = await api<Row>(`${path}/detail?id=${id}`)
    expect([typed, row[name]]).toEqual([typed, meant])
  }
}
const shown = (meant: string): string => meant.replace(/^(.{16}):00$/, '$1')

/** Types what is no date: it stays, red and with words, and nothing is sent. */
async function formRefuses(on: Page, form: Locator, label: string, texts: readonly (readonly [string, RegExp])[]) {
  const box = form.getByRole('textbox', { name: label, exact: true })
  let sent = 0
  const count = (request: { url: () => string }) => {
    if (request.url().includes('/submit')) sent += 1
  }
  on.on('request', count)
  for (const [typed, words] of texts) {
    await typeOver(box, typed)
    await on.keyboard.press('Control+s')
    await expect.poll(() => note(on, box)).toMatch(words)
    expect([typed, await box.inputValue()]).toEqual([typed, typed])
    expect(await box.getAttribute('aria-invalid')).toBe('true')
    expect(await box.evaluate((element) => getComputedStyle(element.parentElement!).borderColor)).toBe(
      await on.evaluate(() => {
        const probe = document.createElement('i')
        probe.style.color = 'var(--error)'
        document.body.append(probe)
        const { color } = getComputedStyle(probe)
        probe.remove()
        return color
      }),
    )
    expect(await form.isVisible()).toBe(true)
  }
  expect(sent).toBe(0)
  on.off('request', count)
}

describe('R-LIST-1 a date in a form', () => {
  it('is stored as it is shown, however it is spelled', async () => {
    const { id } = await addResume('拼写')
    const field = { address: 'student/studentresume', path: resume, id, label: '颁发日期', name: 'issuedOn' }
    await formTakes(page, field, days)
  })

  it('that is not understood stays, red and with words, and nothing is saved', async () => {
    const { id } = await addResume('看不懂')
    const form = await openForm(page, 'student/studentresume', id)
    await typeOver(form.getByRole('textbox', { name: '奖惩名称' }), '一起填的')
    await formRefuses(page, form, '颁发日期', notDays)
    await picture(page, 'form-wrong')
    expect(await axeFaults(page)).toEqual([])
    expect(await resumeOf(id)).toMatchObject({ issuedOn: null, title: null, version: 1 })
    // Put right, all of it goes.
    await typeOver(form.getByRole('textbox', { name: '颁发日期', exact: true }), '2027/8/31')
    await page.keyboard.press('Control+s')
    await form.waitFor({ state: 'hidden' })
    expect(await resumeOf(id)).toMatchObject({ issuedOn: '2027-08-31', title: '一起填的' })
  })

  it('is pasted, emptied, and chosen by keys in a calendar that gives the focus back', async () => {
    const { id } = await addResume('日历')
    const form = await openForm(page, 'student/studentresume', id)
    const box = form.getByRole('textbox', { name: '颁发日期', exact: true })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate(() => navigator.clipboard.writeText('２０２７年８月３１日\n'))
    await box.focus()
    await page.keyboard.press('Control+v')
    await page.keyboard.press('Alt+ArrowDown')
    const calendar = page.getByRole('dialog', { name: '打开日历：颁发日期' })
    await calendar.waitFor()
    expect(await box.inputValue()).toBe('2027-08-31')
    await picture(page, 'calendar')
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('PageDown')
    await page.keyboard.press('Enter')
    await calendar.waitFor({ state: 'hidden' })
    expect(await box.inputValue()).toBe('2027-10-01')
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
    // Esc in the calendar closes it alone.
    await page.keyboard.press('Alt+ArrowDown')
    await calendar.waitFor()
    await page.keyboard.press('Escape')
    await calendar.waitFor({ state: 'hidden' })
    expect(await form.isVisible()).toBe(true)
    await form.getByRole('button', { name: '打开日历：颁发日期' }).click()
    await calendar.getByLabel('年份').selectOption('2019')
    await calendar.getByRole('button', { name: /2019年10月9日/ }).click()
    expect(await box.inputValue()).toBe('2019-10-09')
    await page.keyboard.press('Control+s')
    await form.waitFor({ state: 'hidden' })
    expect((await resumeOf(id)).issuedOn).toBe('2019-10-09')
    const again = await openForm(page, 'student/studentresume', id)
    await again.getByRole('button', { name: '清除：颁发日期' }).click()
    await page.keyboard.press('Control+s')
    await again.waitFor({ state: 'hidden' })
    expect((await resumeOf(id)).issuedOn).toBeNull()
  })
})

describe('R-LIST-1 a moment in a form', () => {
  it('is stored as it is shown, and is not guessed', async () => {
    const path = 'blade-user/studentmessage'
    const { records } = await api<{ records: Row[] }>('blade-user/school/list?current=1&size=1')
    const { id } = await api<Row>(`${path}/submit`, {
      ...{
        schoolId: records[0]!.id,
        messageType: '1',
        title: '回执',
        content: '请回复',
        targetType: '1',
        audience: ['1'],
      },
      deadline: '2027-01-01 08:00:00',
    })
    await formTakes(page, { address: 'student/studentmessage', path, id, label: '回执截止', name: 'deadline' }, moments)
    const form = await openForm(page, 'student/studentmessage', id, '回执截止')
    const before = (await api<Row>(`${path}/detail?id=${id}`)).deadline
    await formRefuses(page, form, '回执截止', notMoments)
    // The hour is chosen beneath the days.
    const box = form.getByRole('textbox', { name: '回执截止', exact: true })
    await typeOver(box, '2027-8-31 8:05')
    await page.keyboard.press('Alt+ArrowDown')
    const calendar = page.getByRole('dialog', { name: '打开日历：回执截止' })
    await calendar.getByLabel('时', { exact: true }).selectOption('17')
    const ok = calendar.getByRole('button', { name: '确定' })
    expect((await ok.boundingBox())!.width).toBeGreaterThan(44)
    await ok.click()
    expect(await box.inputValue()).toBe('2027-08-31 17:05')
    expect((await api<Row>(`${path}/detail?id=${id}`)).deadline).toBe(before)
  })
})

describe('R-LIST-1 a date in a cell', () => {
  /** Opens the cell for typing. */
  async function openCell(id: string): Promise<Locator> {
    const cell = page.locator(`tr[data-key="${id}"] td`).nth(await columnOf('结束日期'))
    await cell.dblclick()
    const box = cell.getByRole('textbox')
    await box.waitFor()
    return box
  }
  /** The place of a column behind the box that ticks. */
  const columnOf = (head: string): Promise<number> =>
    page
      .locator('thead:visible th')
      .evaluateAll((all, wanted) => all.slice(1).findIndex((one) => one.textContent?.includes(wanted)), head)

  it('is stored as it is shown; what is not understood keeps the cell open', async () => {
    const { id } = await addResume('单元格')
    await page.goto(`${product.url}/student/studentresume?orgName=${encodeURIComponent('单元格')}`)
    await page.locator(`tr[data-key="${id}"]`).waitFor()
    for (const [typed, meant] of days) {
      const box = await openCell(id)
      await typeOver(box, typed)
      await page.keyboard.press('Enter')
      await box.waitFor({ state: 'detached' })
      await expect.poll(async () => [typed, (await resumeOf(id)).endDate]).toEqual([typed, meant])
      await expect.poll(() => page.locator(`tr[data-key="${id}"]`).textContent()).toContain(meant)
    }
    const { endDate, version } = await resumeOf(id)
    const box = await openCell(id)
    for (const [typed, words] of notDays) {
      await typeOver(box, typed)
      await page.keyboard.press('Enter')
      await expect.poll(() => note(page, box)).toMatch(words)
      expect([typed, await box.inputValue()]).toEqual([typed, typed])
      expect(await box.getAttribute('aria-invalid')).toBe('true')
    }
    await picture(page, 'cell-wrong')
    // Leaving it takes nothing either.
    await page.keyboard.press('Tab')
    expect(await box.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'detached' })
    expect(await resumeOf(id)).toMatchObject({ endDate, version })
  })
})

describe('R-LIST-1 a date of many rows', () => {
  it('is changed as it is shown; what is not understood is not looked at before', async () => {
    const ids = [(await addResume('多行')).id, (await addResume('多行')).id]
    await page.goto(`${product.url}/student/studentresume?orgName=${encodeURIComponent('多行')}`)
    await page.locator(`tr[data-key="${ids[0]}"]`).waitFor()
    const many = async () => {
      if (!(await page.getByRole('checkbox', { name: '选择本页' }).isChecked()))
        await page.getByRole('checkbox', { name: '选择本页' }).check()
      await page.getByRole('button', { name: /批量(编辑|修改)/ }).click()
      const dialog = page.getByRole('dialog').filter({ hasText: '2' })
      await page
        .locator('.ant-select-dropdown:visible .ant-select-item-option')
        .filter({ hasText: /^结束日期$/ })
        .click()
      return dialog
    }
    for (const [typed, meant] of days.slice(0, 10)) {
      const dialog = await many()
      await typeOver(dialog.getByRole('textbox', { name: '结束日期' }), typed)
      await dialog.getByRole('button', { name: '预览' }).click()
      await dialog.getByText(meant).first().waitFor()
      await dialog.getByRole('button', { name: /^(修改|执行|确定).*2/ }).click()
      await dialog.waitFor({ state: 'hidden' })
      for (const id of ids) expect([typed, (await resumeOf(id)).endDate]).toEqual([typed, meant])
    }
    const before = await Promise.all(ids.map(resumeOf))
    const dialog = await many()
    const box = dialog.getByRole('textbox', { name: '结束日期' })
    for (const [typed, words] of notDays) {
      await typeOver(box, typed)
      await dialog.getByRole('button', { name: '预览' }).click()
      await expect.poll(() => note(page, box)).toMatch(words)
      expect([typed, await box.inputValue()]).toEqual([typed, typed])
      expect(await dialog.locator('.bulk-preview').count()).toBe(0)
    }
    await picture(page, 'bulk-wrong')
    await page.keyboard.press('Escape')
    expect(await Promise.all(ids.map(resumeOf))).toEqual(before)
  })
})

describe('a day that lies behind us', () => {
  it('is given its year by whoever types it, is not in the future, and is told what is wrong with it', async () => {
    const { records } = await api<{ records: Row[] }>('blade-user/student/list?current=1&size=1')
    const { id } = records[0]!
    const before = await api<Row>(`blade-user/student/detail?id=${id}`)
    const form = await openForm(page, 'student/student', id)
    const box = form.getByRole('textbox', { name: '出生日期', exact: true })
    const tomorrow = new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 10)
    const wrong: readonly (readonly [string, RegExp])[] = [
      ['8/31', /^请写上年份，如 2018-08-31$/],
      ['4月3日', /^请写上年份，如 2018-04-03$/],
      ['2-29', /^请写上年份，如 2016-02-29$/],
      ['2-30', /^没有“2-30”这一天$/],
      ['1015-04-03', /^年份 1015 太早，请核对$/],
      ['1899-12-31', /^不能早于1900-01-01$/],
      ['去年春天', /^看不懂这个日期，请写成 2018-09-01、2018\/9\/1、20180901、2018年9月1日$/],
      ['2099-01-01', /^不能晚于今天$/],
      [tomorrow, /^不能晚于今天$/],
    ]
    for (const [typed, words] of wrong) {
      await typeOver(box, typed)
      await page.keyboard.press('Tab')
      await expect.poll(async () => [typed, await note(page, box)]).toEqual([typed, expect.stringMatching(words)])
      await page.keyboard.press('Control+s')
      await page.locator('.banner-wrong').waitFor()
      expect([typed, await box.inputValue()]).toEqual([typed, typed])
    }
    await picture(page, 'past-wrong')
    expect(await api<Row>(`blade-user/student/detail?id=${id}`)).toEqual(before)
    // The day that the number of the document says, as somebody else spells it.
    const [year, month, day] = String(before.birthDate).split('-').map(Number)
    await typeOver(box, `${year}年${month}月${day}日`)
    await page.keyboard.press('Tab')
    expect([await box.inputValue(), await box.getAttribute('aria-invalid')]).toEqual([before.birthDate, null])
    await page.keyboard.press('Control+s')
    await form.waitFor({ state: 'hidden' })
  })
})

describe('R-LIST-2 a range that a list is filtered by', () => {
  const asked = (name: string) => new URL(page.url()).searchParams.get(name)

  it('takes what is typed in both of its boxes, and is not filtered by what is not understood', async () => {
    await page.goto(`${product.url}/monitor/history`)
    await page.getByRole('button', { name: '筛选', exact: true }).click()
    await page.getByRole('dialog', { name: '筛选' }).getByText('时间', { exact: true }).click()
    const [from, to] = [page.getByRole('textbox', { name: /起$/ }), page.getByRole('textbox', { name: /止$/ })]
    await from.waitFor()
    for (const [typed, meant] of days) {
      await typeOver(from, typed)
      await page.keyboard.press('Tab')
      await expect.poll(() => [typed, asked('time_ge')]).toEqual([typed, `${meant} 00:00:00`])
      expect([typed, await from.inputValue()]).toEqual([typed, meant])
    }
    await typeOver(to, '2029/1/31')
    await page.keyboard.press('Enter')
    await expect.poll(() => asked('time_le')).toBe('2029-01-31 23:59:59')
    const before = page.url()
    // A month is its last day here.
    for (const [typed, words] of notDays.filter(([typed]) => typed !== '2027-8')) {
      await typeOver(to, typed)
      await page.keyboard.press('Enter')
      await expect.poll(() => note(page, to)).toMatch(words)
      expect([typed, await to.inputValue()]).toEqual([typed, typed])
      expect(await to.getAttribute('aria-invalid')).toBe('true')
    }
    expect(page.url()).toBe(before)
    await picture(page, 'range-wrong')
    expect(await axeFaults(page)).toEqual([])
    // Last before first: both stay, and neither is filtered by until they agree.
    await typeOver(to, '2020-1-1')
    await page.keyboard.press('Enter')
    await expect.poll(() => note(page, to)).toMatch(/结束日期不能早于开始日期/)
    expect(page.url()).toBe(before)
    await typeOver(from, '2019-1-1')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => [asked('time_ge'), asked('time_le')])
      .toEqual(['2019-01-01 00:00:00', '2020-01-01 23:59:59'])
  })

  it('is also taken from one calendar, in two presses or from the ranges in use', async () => {
    const calendar = page.getByRole('dialog', { name: /^打开日历/ })
    await page.getByRole('textbox', { name: /起$/ }).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await calendar.waitFor()
    await picture(page, 'range-calendar')
    expect(await axeFaults(page)).toEqual([])
    await calendar.getByRole('button', { name: /2019年1月20日/ }).click()
    await calendar.getByRole('button', { name: /2019年1月10日/ }).click()
    await calendar.waitFor({ state: 'hidden' })
    await expect
      .poll(() => [asked('time_ge'), asked('time_le')])
      .toEqual(['2019-01-10 00:00:00', '2019-01-20 23:59:59'])
    await page.getByRole('button', { name: /^打开日历/ }).click()
    await calendar.getByRole('button', { name: '本学期' }).click()
    await calendar.waitFor({ state: 'hidden' })
    const [begin, end] = [asked('time_ge')!, asked('time_le')!]
    expect(Date.parse(end.replace(' ', 'T')) - Date.parse(begin.replace(' ', 'T'))).toBeGreaterThan(80 * 86_400_000)
  })

  it('is a year, a month or a day as a whole where Enter says so, and open at one end where not', async () => {
    await page.goto(`${product.url}/student/student`)
    await page.locator('tbody tr[data-key]').first().waitFor()
    await page.getByRole('button', { name: '筛选', exact: true }).click()
    await page.getByRole('dialog', { name: '筛选' }).getByText('出生日期', { exact: true }).click()
    const [from, to] = [page.getByRole('textbox', { name: /起$/ }), page.getByRole('textbox', { name: /止$/ })]
    await from.waitFor()
    await page.getByText(/一个月（2015-04）或一年（2015），按回车筛选这段时间/).waitFor()
    const bounds = () => [asked('birthDate_datege'), asked('birthDate_datele')]
    const empty = async (box: Locator) => {
      await box.focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
      await page.keyboard.press('Tab')
      await expect.poll(() => asked('birthDate_datele')).toBeNull()
    }
    const whole = [
      ['2015', '2015-01-01', '2015-12-31'],
      ['2015年4月', '2015-04-01', '2015-04-30'],
      ['2016-2', '2016-02-01', '2016-02-29'],
      ['二〇一五年', '2015-01-01', '2015-12-31'],
      ['2015.4.3', '2015-04-03', '2015-04-03'],
    ] as const
    for (const [typed, first, last] of whole) {
      if (first === last) await empty(to)
      await typeOver(from, typed)
      await page.keyboard.press('Enter')
      await expect.poll(() => [typed, ...bounds()]).toEqual([typed, first, last])
      expect([await from.inputValue(), await to.inputValue()]).toEqual([first, last])
    }
    await empty(to)
    await typeOver(from, '2015-04-05')
    await page.keyboard.press('Tab')
    await expect.poll(bounds).toEqual(['2015-04-05', null])
    await typeOver(to, '2015')
    await page.keyboard.press('Enter')
    await expect.poll(bounds).toEqual(['2015-04-05', '2015-12-31'])
    // No year is guessed for a birth.
    await typeOver(from, '8/31')
    await page.keyboard.press('Enter')
    await expect.poll(() => note(page, from)).toBe('请写上年份，如 2018-08-31；尚未按此筛选')
    await picture(page, 'range-span')
    expect(await axeFaults(page)).toEqual([])
    expect(bounds()).toEqual(['2015-04-05', '2015-12-31'])
  })
})

describe('R-LIST-1 a date on a phone', () => {
  it('is typed and chosen in the same field, with targets for a finger', async () => {
    const phone = await visit(390)
    const { id } = await addResume('手机')
    const field = { address: 'student/studentresume', path: resume, id, label: '颁发日期', name: 'issuedOn' }
    await formTakes(phone, field, days.slice(0, 10))
    const form = await openForm(phone, 'student/studentresume', id)
    await formRefuses(phone, form, '颁发日期', notDays.slice(0, 4))
    await picture(phone, 'phone-wrong')
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await form.getByRole('button', { name: '打开日历：颁发日期' }).tap()
    const calendar = phone.getByRole('dialog', { name: '打开日历：颁发日期' })
    const { x, y, width, height } = (await calendar.boundingBox())!
    expect([x, width, Math.round(y + height)]).toEqual([0, 390, 900])
    await picture(phone, 'phone-calendar')
    const small = await calendar.locator('button, select').evaluateAll((all) =>
      all
        .filter((each) => {
          const box = each.getBoundingClientRect()
          return Math.round(box.width) < 44 || Math.round(box.height) < 44
        })
        .map((each) => each.outerHTML),
    )
    expect(small).toEqual([])
    expect(await axeFaults(phone)).toEqual([])
    await calendar.getByLabel('年份').selectOption('2027')
    await calendar.getByLabel('月份').selectOption('3')
    await calendar.getByRole('button', { name: /2027年3月31日/ }).tap()
    await phone.keyboard.press('Control+s')
    await form.waitFor({ state: 'hidden' })
    expect((await resumeOf(id)).issuedOn).toBe('2027-03-31')
    await phone.context().close()
  })
})

it('met no error on any page', () => expect(complaints).toEqual([]))
