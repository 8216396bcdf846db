/// <reference lib="dom" />
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { choose, logIn } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'

/**
 * Values that are no single text, filled in with real keys: hours by grade, half-days, periods, recipients, questions,
 * conditions, fields of one's own. What was meant is stored, and every place tells it in words.
 */

interface Row {
  readonly [name: string]: unknown
  readonly id: string
}

let product: Product
let browser: Browser
let page: Page

const asked = <T>(address: string): Promise<T> => askAs(page, product.url, address)
const rows = async (address: string) => (await asked<{ records: readonly Row[] }>(address)).records
const detail = (path: string, id: string) => asked<Row>(`${path}/detail?id=${id}`)
const field = (name: string): Locator => page.locator(`.entity-form [data-field=${name}]`)

/** Opens the form of a row, with all that is folded in it. */
async function openForm(address: string, id: string, name: string): Promise<void> {
  await page.goto(`${product.url}/${address}?edit=${id}`)
  await page.locator('.entity-form [data-field]').first().waitFor()
  const shut = page.locator('.entity-form .ff-fold > h3 button[aria-expanded=false]')
  while ((await shut.count()) > 0) await shut.first().click()
  await field(name).waitFor()
}
async function saved(): Promise<void> {
  await page.keyboard.press('Control+s')
  await page.locator('.entity-form').first().waitFor({ state: 'hidden' })
}
/** Types a part of an option's words into a list with a search, and takes the first that is left. */
async function typeChoice(box: Locator, typed: string, option: string): Promise<void> {
  await box.focus()
  await page.keyboard.type(typed)
  await page.locator('.ant-select-item-option-active').filter({ hasText: option }).last().waitFor()
  await page.keyboard.press('Enter')
}
/** No place where people read holds the signs of JSON. */
async function wordsAlone(of: Locator): Promise<string> {
  const text = await of.innerText()
  expect(text).not.toMatch(/[{}[\]]|":/)
  return text
}

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await logIn(page, product.url, password, 'admin', '000001')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('C12 values that were JSON boxes', () => {
  it('a subject: the half-day of research and the hours of each grade', async () => {
    const [subject] = await rows('blade-user/schoolsubject/list?current=1&size=1')
    const path = 'blade-user/schoolsubject'
    const before = (await detail(path, subject!.id)).weekHours as Row[]
    await openForm('school/schoolsubject', subject!.id, 'weekHours')
    await typeChoice(field('researchSlot').getByRole('combobox'), '周三下', '周三下午')
    const hours = field('weekHours').getByRole('spinbutton', { name: '第 1 行的每周课时' })
    const doubles = field('weekHours').getByRole('spinbutton', { name: '第 1 行的连堂数' })
    await hours.fill('4')
    await doubles.fill('3')
    await page.keyboard.press('Control+s')
    await field('weekHours').getByText('连堂数的两倍不能超过课时').waitFor()
    await doubles.fill('1')
    // The last line goes, and comes back under another grade.
    await field('weekHours')
      .getByRole('button', { name: `移除第 ${before.length} 行` })
      .click()
    await field('weekHours').getByRole('button', { name: '添加年级' }).click()
    await page.keyboard.press('Control+s')
    await field('weekHours').getByText('每行都要选择年级').waitFor()
    await typeChoice(field('weekHours').getByRole('combobox', { name: `第 ${before.length} 行的年级` }), '六', '六年级')
    await field('weekHours')
      .getByRole('spinbutton', { name: `第 ${before.length} 行的每周课时` })
      .fill('5')
    expect(await axeFaults(page)).toEqual([])
    await saved()
    const now = await detail(path, subject!.id)
    expect(now.researchSlot).toEqual({ weekday: 3, half: 'pm' })
    expect(now.weekHours).toEqual([
      { ...before[0], hours: 4, doubleCount: 1 },
      ...before.slice(1, -1),
      { ...before.at(-1), hours: 5, doubleCount: 0 },
    ])
    await page.goto(`${product.url}/school/schoolsubject?id=${subject!.id}`)
    const record = page.locator('aside.detail')
    await record.getByText('周三下午').waitFor()
    expect(await wordsAlone(record)).toContain('一年级 4 节（连堂 1）、二年级 8 节')
    await record.getByRole('button', { name: '变更记录' }).click()
    await record.getByRole('cell', { name: '周三下午' }).waitFor()
    expect(await wordsAlone(record)).toContain('一年级 8 节、')
    // And as a column of the list, asked for twice: the second time the list is answered with a count that is known.
    for (const round of [1, 2]) {
      await page.goto(`${product.url}/school/schoolsubject`)
      if (round === 1) {
        await page.getByRole('button', { name: '显示：列、密度、排序', exact: true }).click()
        await page.locator('[data-column=weekHours] input[type=checkbox]').press('Space')
        await page.keyboard.press('Escape')
      }
      await page.getByRole('cell', { name: '一年级 4 节（连堂 1）、二年级 8 节' }).waitFor()
    }
  })

  it('a teacher: periods of the week, by keys alone', async () => {
    const teacher = (await rows('blade-user/list?current=1&size=5')).at(-1)!
    await openForm('system/user', teacher.id, 'unavailableSlots')
    const table = field('unavailableSlots').getByRole('table')
    await table.getByRole('button', { name: '周一第1节', exact: true }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    expect(await field('unavailableSlots').innerText()).toContain('不可排课时间：周一第1节；周二第2–3节')
    // The head of a column ticks all of it.
    await table.getByRole('button', { name: '周五：全选或全不选' }).click()
    await saved()
    expect((await detail('blade-user', teacher.id)).unavailableSlots).toEqual([
      { weekday: 1, periodNo: 1 },
      { weekday: 2, periodNo: 2 },
      { weekday: 2, periodNo: 3 },
      ...Array.from({ length: 8 }, (_, at) => ({ weekday: 5, periodNo: at + 1 })),
    ])
    await page.goto(`${product.url}/system/user?id=${teacher.id}`)
    await page.locator('aside.detail').getByText('周一第1节；周二第2–3节；周五第1–8节').waitFor()
  })

  it('a message: recipients by name and the questions of a form; another kind of recipient begins anew', async () => {
    const path = 'blade-user/studentmessage'
    const [message] = await rows(`${path}/list?current=1&size=1&targetType=2`)
    await openForm('student/studentmessage', message!.id, 'targetIds')
    await field('targetIds').getByRole('button').click()
    const picker = page.getByRole('dialog', { name: '选择班级' })
    await picker.getByRole('option').first().waitFor()
    await picker.getByRole('button', { name: '清空' }).click()
    await page.keyboard.press('Tab')
    await picker.getByRole('combobox').focus()
    await page.keyboard.type('（2）')
    await picker.getByText(/^共 \d+ 项$/).waitFor()
    await expect.poll(() => picker.getByRole('option').first().innerText()).toContain('（2）')
    const name = (await picker.getByRole('option').first().locator('.picker-name').innerText()).trim()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    // What is ticked is not lost by a key.
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: '继续编辑', exact: true }).click()
    await picker.getByRole('button', { name: '确定（2）' }).click()
    await field('targetIds').getByText(name).waitFor()

    await field('formSchema').getByRole('button', { name: '添加问题' }).click()
    await page.keyboard.type('是否参加研学活动')
    await field('formSchema').getByRole('textbox', { name: '第 1 题的选项，每行一个' }).focus()
    await page.keyboard.type('参加')
    await page.keyboard.press('Control+s')
    await field('formSchema').getByText('第1题：请填写2到30个选项').waitFor()
    // The focus is where the value begins; what was typed stands.
    await field('formSchema').getByRole('textbox', { name: '第 1 题的选项，每行一个' }).press('Control+End')
    await page.keyboard.type('\n不参加\n')
    await field('formSchema').getByRole('button', { name: '添加问题' }).click()
    // A question is not gone because its kind is chosen before its words are typed.
    await field('formSchema').getByRole('combobox', { name: '第 2 题的题型' }).click()
    await page.locator('.ant-select-item-option').getByText('文字', { exact: true }).click()
    await field('formSchema').getByRole('textbox', { name: '第 2 题的题目' }).press('End')
    await page.keyboard.type('原因')
    await field('formSchema').getByRole('checkbox', { name: '第 2 题必填' }).press('Space')
    await saved()
    const now = await detail(path, message!.id)
    expect(Object.values(now.targetNames as object)[0]).toContain(name)
    expect((now.targetIds as string[]).length).toBe(2)
    expect(now.formSchema).toEqual([
      { label: '是否参加研学活动', kind: 'choice', required: true, choices: ['参加', '不参加'] },
      { label: '原因', kind: 'text', required: false },
    ])
    await page.goto(`${product.url}/student/studentmessage?id=${message!.id}`)
    const record = page.locator('aside.detail')
    await record.getByText('1. 是否参加研学活动（单选，必填：参加 / 不参加）；2. 原因（文字）').waitFor()
    expect(await wordsAlone(record)).toContain(name)

    await openForm('student/studentmessage', message!.id, 'targetIds')
    await choose(page, '发送对象', '学生')
    await field('targetIds').getByRole('button', { name: '选择学生' }).waitFor()
    await choose(page, '发送对象', '全校')
    await field('targetIds').waitFor({ state: 'detached' })
    await choose(page, '发送对象', '班级')
    await field('targetIds').getByText(name).waitFor()
    await choose(page, '发送对象', '全校')
    await saved()
    expect(await detail(path, message!.id)).toMatchObject({ targetType: '5', targetIds: null })
  })

  it('a group: conditions, asked for where it is dynamic', async () => {
    const [group] = await rows('blade-user/studentgroup/list?current=1&size=1')
    await openForm('student/studentgroup', group!.id, 'isDynamic')
    expect(await field('rule').count()).toBe(0)
    await field('isDynamic').getByRole('switch').press('Space')
    await page.keyboard.press('Control+s')
    await field('rule').locator('.ff-wrong').waitFor()
    await field('rule').getByRole('button', { name: '添加条件', exact: true }).click()
    await typeChoice(field('rule').getByRole('combobox', { name: '字段' }), '性别', '性别')
    await field('rule').getByRole('combobox', { name: '性别的值' }).click()
    await page.locator('.ant-select-item-option').getByText('女', { exact: true }).click()
    await field('rule').locator('.rule-sentence').getByText('女').waitFor()
    await saved()
    const now = await detail('blade-user/studentgroup', group!.id)
    expect([now.isDynamic, now.rule]).toEqual([1, { all: [{ field: 'sex', op: 'equal', value: '2' }] }])
    await page.goto(`${product.url}/student/studentgroup?id=${group!.id}`)
    await page.locator('aside.detail').getByText('性别是女').waitFor()
  })

  it("a pupil's own fields: names and values, each name once", async () => {
    const [row] = await rows('blade-user/studentdetail/list?current=1&size=1')
    await openForm('student/studentdetail', row!.id, 'ext')
    for (const text of ['班车', '3号线', '班车', '4号线']) {
      if (text === '班车') await field('ext').getByRole('button', { name: '添加一项' }).click()
      else await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Control+s')
    await field('ext').getByText('名称不能为空，也不能重复').waitFor()
    await field('ext').getByRole('textbox', { name: '第 2 项的名称' }).fill('备用班车')
    await saved()
    expect((await detail('blade-user/studentdetail', row!.id)).ext).toEqual({ 班车: '3号线', 备用班车: '4号线' })
    await page.goto(`${product.url}/student/studentdetail?id=${row!.id}`)
    await page.locator('aside.detail').getByText('班车：3号线；备用班车：4号线').waitFor()
  })
})
