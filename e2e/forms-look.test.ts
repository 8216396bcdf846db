/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { choose, logIn, type } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'

/** How forms look under real keys: values side by side, a document in one box, a draft that says when it is kept. */

interface Row {
  readonly [name: string]: unknown
  readonly id: string
}

let product: Product
let browser: Browser

async function clerk(width: number, height: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height }, locale: 'zh-CN' })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await logIn(page, product.url, password, 'admin', '000001')
  return page
}
/** What the server has, past the page. */
const asked = <T>(page: Page, address: string, method = 'GET'): Promise<T> =>
  askAs(page, product.url, address, { post: method === 'POST' })
const stored = async (page: Page, address: string) => (await asked<{ records: readonly Row[] }>(page, address)).records
async function openNew(page: Page, address: string, button: string): Promise<void> {
  await page.goto(`${product.url}/${address}`)
  await page.getByRole('button', { name: button }).first().click()
  await page.locator('.entity-form [data-field] :is(input, textarea):focus').waitFor()
}
const drawer = (page: Page) => page.locator('.form-drawer .ant-drawer-content-wrapper').last()
/** Heights of what is typed into or chosen from. */
const heights = (page: Page) =>
  page.evaluate(() => [
    ...new Set(
      [
        ...document.querySelectorAll<HTMLElement>(
          '.entity-form :is(input.ant-input, .ant-select, .ant-input-number, .text-input, .ff-radios)',
        ),
      ]
        .filter((one) => one.offsetParent !== null)
        .map((one) => Math.round(one.getBoundingClientRect().height)),
    ),
  ])

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('D15 R-STUDENT-4 a form of a new child', () => {
  it('is filled in by keys alone: sex by arrows, the document in one box, the draft kept and brought back', async () => {
    const page = await clerk(1440, 900)
    await openNew(page, 'student/student', '新增学生')
    const sex = page.getByRole('radiogroup', { name: '性别' })
    const kept = page.locator('.drawer-kept')
    await sex.waitFor()
    expect(await heights(page)).toEqual([34])
    await page.keyboard.type('骆知微')
    await kept.waitFor()
    expect(await kept.innerText()).toMatch(/^草稿暂存于此标签页 \d\d:\d\d$/)
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => sex.getByRole('radio', { name: '女' }).isChecked()).toBe(true)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => sex.getByRole('radio', { name: '男' }).isChecked()).toBe(true)
    // One Tab leaves them all; the box of the document has three stops: its kind, what empties that, and the number.
    await page.keyboard.press('Tab')
    await page.locator('[data-field=idType] input:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.locator('[data-field=idType] button:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.locator('[data-field=idNo] input:focus').waitFor()
    await page.keyboard.type('33010620170512324')
    await page.keyboard.press('Tab')
    const box = page.getByRole('group', { name: '证件' })
    await expect.poll(() => box.locator('.ff-wrong').innerText()).toBe('身份证号应为18位')
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Control+s')
    const mistakes = page.locator('.banner-wrong')
    await mistakes.getByRole('button', { name: '身份证件号' }).click()
    await page.locator('[data-field=idNo] input:focus').waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type('8')
    await page.keyboard.press('Tab')
    // The number says that it is a girl; what somebody has chosen stays, and saving asks.
    await expect.poll(() => page.locator('[data-field=birthDate] input').inputValue()).toBe('2017-05-12')
    await page.keyboard.press('Control+s')
    await expect.poll(() => box.locator('.ff-wrong').innerText()).toBe('身份证号与性别不一致')
    await sex.getByRole('radio', { name: '男' }).focus()
    await page.keyboard.press('ArrowDown')
    await kept.waitFor()
    await page.reload()
    await page.getByText(/已恢复 .* 未保存的草稿/).waitFor()
    await expect.poll(() => sex.getByRole('radio', { name: '女' }).isChecked()).toBe(true)
    await type(page, '校内学号', 'L2026001')
    await choose(page, '学校', '.*')
    await page.keyboard.press('Control+s')
    await page.locator('.entity-form').first().waitFor({ state: 'hidden' })
    const [child] = await stored(page, `blade-user/student/list?name_equal=${encodeURIComponent('骆知微')}`)
    expect(child).toMatchObject({ sex: '2', birthDate: '2017-05-12' })
    await page.context().close()
  })

  it('has a finger’s height on a phone, and one box for the document', async () => {
    const page = await clerk(390, 844)
    await openNew(page, 'student/student', '新增学生')
    await page.getByRole('radiogroup', { name: '性别' }).waitFor()
    expect(Math.min(...(await heights(page)))).toBeGreaterThanOrEqual(44)
    const parts = await Promise.all(
      ['idType', 'idNo'].map(async (name) => (await page.locator(`[data-field=${name}]`).boundingBox())!),
    )
    expect(parts[0]!.y).toBe(parts[1]!.y)
    expect(parts[0]!.height).toBe(parts[1]!.height)
    const female = page.getByRole('radio', { name: '女' })
    const target = (await female.locator('xpath=..').boundingBox())!
    expect(Math.min(target.width, target.height)).toBeGreaterThanOrEqual(44)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await axeFaults(page)).toEqual([])
    await page.context().close()
  })
})

describe('R-LAY-3 a form on a tablet', () => {
  it('stands in pairs, with the picture beside the name, as at a desk', async () => {
    const page = await clerk(768, 1024)
    await openNew(page, 'student/student', '新增学生')
    await page.getByRole('radiogroup', { name: '性别' }).waitFor()
    const box = async (field: string) => (await page.locator(`[data-field=${field}]`).boundingBox())!
    const [name, sex, photo, school, grade] = await Promise.all(
      ['name', 'sex', 'photo', 'schoolId', 'gradeId'].map(box),
    )
    expect([sex!.y, photo!.y]).toEqual([name!.y, name!.y])
    expect(sex!.x).toBeGreaterThan(name!.x + name!.width)
    expect(photo!.x).toBeGreaterThan(sex!.x + sex!.width)
    expect(grade!.y).toBe(school!.y)
    expect(Math.min(...(await heights(page)))).toBeGreaterThanOrEqual(44)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(768)
    expect(await axeFaults(page)).toEqual([])
    await page.context().close()
  })
})

describe('D15 a form of a child that is there', () => {
  it('has fields as wide as that of a new one: the button that shows whole numbers takes no room from them', async () => {
    const page = await clerk(1440, 900)
    const [pupil] = await stored(page, 'blade-user/student/list?current=1&size=1')
    // How much of its form a field has; the box of the document holds a number that must be readable.
    const share = (name: string) =>
      page.evaluate((field) => {
        const box = document.querySelector(`.entity-form [data-field=${field}] input`)!.getBoundingClientRect()
        return Math.round((100 * box.width) / document.querySelector('.entity-form')!.getBoundingClientRect().width)
      }, name)
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await openNew(page, 'student/student', '新增学生')
      const before = [await share('name'), await share('idNo')]
      await page.goto(`${product.url}/student/student?edit=${pupil!.id}`)
      await page.locator('.entity-form[aria-busy=false] [data-field=idNo]').waitFor()
      const reveal = page.locator('.form-reveal')
      expect([width, await share('name'), await share('idNo')]).toEqual([width, ...before])
      await reveal.click()
      // It is pressed where it stands, over the fields.
      await expect.poll(() => page.locator('[data-field=idNo] input').inputValue()).toMatch(/^\d{17}[\dX]$/)
    }
    await page.context().close()
  })
})

describe('D15 a form of few fields', () => {
  it.each([
    ['authority/role', '新增角色', 440],
    ['school/schoolyear', '新增学年', 440],
    ['system/post', '新增岗位', 440],
    ['student/student', '新增学生', 720],
  ])('is as wide as they need: %s', async (address, button, width) => {
    const page = await clerk(1440, 900)
    await openNew(page, address, button)
    await expect.poll(async () => (await drawer(page).boundingBox())?.width).toBe(width)
    await page.context().close()
  })
})

describe('D15 R-PROD-3 the quota of a tenant', () => {
  it('is no limit in words, and a number by keys', async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    await logIn(page, product.url, password)
    await openNew(page, 'system/tenant', '新增租户')
    const defaults = page.locator('.ff-defaults', { hasText: '账号额度' })
    expect(await defaults.innerText()).toContain('账号额度：不限')
    await type(page, '租户名称', '北城小学')
    await type(page, '联系人', '王敏')
    await type(page, '联系电话', '13900139000')
    await defaults.getByRole('button', { name: '修改' }).focus()
    await page.keyboard.press('Enter')
    const none = page.getByRole('checkbox', { name: '账号额度 不限' })
    await none.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => none.isChecked()).toBe(false)
    await page.keyboard.press('Shift+Tab')
    await page.locator('[data-field=accountNumber] input:focus').waitFor()
    await page.keyboard.type('30')
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Control+s')
    await page.getByText('新增成功').first().waitFor()
    const [made] = await stored(page, `blade-system/tenant/list?tenantName=${encodeURIComponent('北城小学')}`)
    expect(made).toMatchObject({ accountNumber: 30, quotaStorageMb: 10_240 })
    await context.close()
  })
})

describe('D15 weeks of a lesson', () => {
  it('are typed as people write them, and stored as numbers', async () => {
    const page = await clerk(1440, 900)
    // What is published is not changed: a lesson of a copy is.
    const [plan] = await stored(page, 'blade-user/timetableplan/list?current=1&size=1')
    const draft = await asked<Row>(page, `blade-user/timetableplan/copy?id=${plan!.id}`, 'POST')
    const [lesson] = await stored(page, `blade-user/classschedule/list?current=1&size=1&planId=${draft.id}`)
    await page.goto(`${product.url}/teaching/classschedule?edit=${lesson!.id}`)
    const weeks = page.locator('[data-field=weeks] input')
    await weeks.fill('1-')
    await page.keyboard.press('Control+s')
    await page.locator('[data-field=weeks] .ff-wrong').waitFor()
    expect(await weeks.inputValue()).toBe('1-')
    await weeks.fill('')
    await weeks.pressSequentially('第1-7周单，１０')
    await page.keyboard.press('Tab')
    await expect.poll(() => weeks.inputValue()).toBe('1,3,5,7,10')
    await page.keyboard.press('Control+s')
    await page.locator('.entity-form').first().waitFor({ state: 'hidden' })
    const saved = await asked<Row>(page, `blade-user/classschedule/detail?id=${lesson!.id}`)
    expect(saved.weeks).toEqual([1, 3, 5, 7, 10])
    await page.context().close()
  })
})
