import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { choose, logIn, type } from './clerk.ts'
import { loseAnswers } from './lost.ts'
import { type Product, password, startProduct } from './product.ts'
import { openWindow } from './window.ts'

/**
 * An administrator writes a notice and publishes it; a teacher, who looks at something else in a browser of their own,
 * sees the bell count it, reads it, and the administrator sees that they have.
 */

let product: Product
let browser: Browser
let admin: Page
let teacher: Page
const complaints: string[] = []

const person = (width = 1440, height = 900): Promise<Page> => openWindow(browser, { width, height, complaints })

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  admin = await person()
  teacher = await person()
})
afterEach(async (context) => {
  if (context.task.result?.state === 'fail') await picture('failed')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

/** Pictures of both pages, where somebody asks for them. */
async function picture(name: string, pages: Readonly<Record<string, Page>> = { admin, teacher }): Promise<void> {
  const folder = process.env.E2E_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  for (const [who, page] of Object.entries(pages))
    await page.screenshot({ path: path.join(folder, `notice-${name}-${who}.png`) })
}

/** A call with the page's own session: for what the journey needs and is no part of it. */
const call = <T>(page: Page, address: string, body?: object): Promise<T> => askAs(page, product.url, address, { body })

let role: { id: string }
const teacherPassword = 'Green-Window-35'
const bell = (page: Page) => page.getByRole('button', { name: /^通知与消息/ })
const title = '关于秋季运动会的通知'

describe('R-NOTICE-1 R-BAR-10 a notice', () => {
  it('is written by an administrator and published', async () => {
    await logIn(admin, product.url, password)
    role = await call<{ id: string }>(admin, 'blade-system/role/submit', {
      roleName: '教师',
      roleAlias: 'teacher1',
      sort: 5,
    })
    await call(admin, 'blade-user/submit', {
      account: 'lin',
      realName: '林老师',
      roleId: role.id,
      password: teacherPassword,
    })
    await logIn(teacher, product.url, teacherPassword, 'lin')
    // The teacher's channel is open before there is anything to hear.
    await teacher.waitForResponse((answer) => answer.url().includes('blade-desk/live') && answer.ok())
    expect(await bell(teacher).textContent()).toBe('')

    await admin.goto(`${product.url}/desk/notice`)
    await admin.getByRole('button', { name: '新增', exact: false }).first().click()
    await type(admin, '通知标题', title)
    await choose(admin, '通知类型', '发布通知')
    const text = admin.getByRole('textbox', { name: '通知内容' })
    await text.click()
    await admin.keyboard.type('各班请于')
    await admin.getByRole('button', { name: '加粗' }).click()
    await admin.keyboard.type('周五')
    await admin.getByRole('button', { name: '加粗' }).click()
    await admin.keyboard.type('前报名。')
    await picture('form')
    await admin.getByRole('button', { name: '保存草稿', exact: true }).click()
    await admin.getByText('新增成功', { exact: true }).first().waitFor()
    const row = admin.locator('tbody tr').filter({ hasText: title })
    await row.getByRole('button', { name: `${title}的更多操作` }).click()
    await admin.getByRole('menuitem', { name: '发布', exact: true }).click()
    const question = admin.getByRole('alertdialog')
    await question.getByText('将通知 2 名用户', { exact: false }).waitFor()
    await question.getByRole('button', { name: '发布', exact: true }).click()
    await admin.getByText('已发布', { exact: true }).first().waitFor()
  })

  it('is counted by the bell of a teacher without a reload, and read', async () => {
    await teacher.getByRole('button', { name: '通知与消息，1 条未读' }).waitFor()
    await bell(teacher).click()
    const panel = teacher.getByRole('dialog', { name: '通知与消息' })
    await panel.getByRole('link', { name: title }).waitFor()
    expect((await panel.boundingBox())!.width).toBe(350)
    expect(await axeFaults(teacher)).toEqual([])
    await picture('popover')
    await panel.getByRole('link', { name: title }).click()
    const article = teacher.getByRole('article', { name: title })
    await article.getByText('周五').waitFor()
    expect(await article.locator('.notice-text').innerHTML()).toBe('<p>各班请于<strong>周五</strong>前报名。</p>')
    await teacher.getByRole('button', { name: '通知与消息', exact: true }).waitFor()
    expect(await axeFaults(teacher)).toEqual([])
    await picture('read')
  })

  it('has a receipt', async () => {
    const row = admin.locator('tbody tr').filter({ hasText: title })
    await row.getByRole('button', { name: `${title}的更多操作` }).click()
    await admin.getByRole('menuitem', { name: '回执' }).click()
    await admin.getByRole('tab', { name: '已读（1）' }).click()
    await admin.locator('.receipt-list li').filter({ hasText: '林老师' }).waitFor()
    await picture('receipts')
    expect(complaints).toEqual([])
  })
})

describe('R-NOTICE-3 a notice that is taken back after it was read', () => {
  const taken = '作废的安排'
  /** Published for everybody with a receipt, by the administrator elsewhere. */
  const publish = async (title = taken, needRead = 1): Promise<string> =>
    (
      await call<{ id: string }>(admin, 'blade-desk/notice/submit', {
        ...{
          title,
          category: '1',
          releaseTime: '2026-01-01 08:00:00',
          content: '<p>请忽略。</p>',
          targetType: '1',
          needRead,
          publish: 1,
        },
      })
    ).id
  const wait = () => teacher.getByRole('button', { name: `阅读并确认“${taken}”` })
  const fold = () => teacher.getByRole('button', { name: `收起“${taken}”` })

  it('goes from what waits at once, though nothing that was unread has changed', async () => {
    await teacher.goto(`${product.url}/wel/index`)
    const id = await publish()
    await wait().click()
    await teacher.getByRole('article', { name: taken }).waitFor()
    await fold().click()
    await call(admin, `blade-desk/notice/withdraw?ids=${id}`, {})
    await wait().waitFor({ state: 'detached' })
    // The list of what is unread beside it is asked for by a request of its own.
    await expect.poll(() => teacher.getByText(taken).count(), { timeout: 15_000 }).toBe(0)
  })

  it('says so to who has it open, and goes when it is folded', async () => {
    const id = await publish()
    await wait().click()
    await teacher.getByRole('article', { name: taken }).waitFor()
    await call(admin, `blade-desk/notice/withdraw?ids=${id}`, {})
    await teacher.getByRole('status').filter({ hasText: '该通知已下线或已过期' }).waitFor()
    expect(await teacher.getByRole('article', { name: taken }).count()).toBe(0)
    expect(await teacher.getByRole('button', { name: '确认已阅' }).count()).toBe(0)
    // Other news, by which the page learns that nothing waits any more, takes it from nobody who reads it.
    const counted = teacher.waitForResponse('**/api/blade-desk/todo*')
    await publish('顺便一提', 0)
    await (await counted).finished()
    await teacher.getByText('顺便一提').first().waitFor()
    expect(await teacher.getByRole('status').filter({ hasText: '该通知已下线或已过期' }).count()).toBe(1)
    await fold().click()
    await teacher.getByText(taken).first().waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })
})

const chinese = {
  add: '新增',
  fields: {
    title: '通知标题',
    category: '通知类型',
    kind: '通知对象',
    needRead: '需回执',
    by: '回执截止',
  },
  category: '发布通知',
  people: '人员',
  content: '通知内容',
  pick: '选择人员',
  search: '输入名称查找',
  chosen: '已选 2 项',
  done: '确定（2）',
  reach: '将通知 2 名用户',
  publish: '发布',
  published: '已发布',
  refused: '须晚于发布时间',
  wait: '阅读并确认',
  confirm: '确认已阅',
  confirmed: '已确认',
  receipts: '回执',
  sum: (read: number, confirmed: number, rest: number) => `已读 ${read} / 已确认 ${confirmed} / 未确认 ${rest}`,
  remind: '提醒未确认的人（1）',
  reminded: '已提醒 1 名用户',
  message: '消息（1）',
  reminder: (title: string) => `请确认通知：${title}`,
}
const english: typeof chinese = {
  add: 'Add',
  fields: {
    title: 'Title',
    category: 'Type',
    kind: 'For',
    needRead: 'Receipt wanted',
    by: 'Receipt by',
  },
  category: 'Release',
  people: 'People',
  content: 'Content',
  pick: 'Choose people',
  search: 'Type to search',
  chosen: '2 chosen',
  done: 'Choose (2)',
  reach: 'Reaches 2 people',
  publish: 'Publish',
  published: 'Published',
  refused: 'must be later than it comes out',
  wait: 'Read and confirm',
  confirm: 'Confirm',
  confirmed: 'Confirmed',
  receipts: 'Receipts',
  sum: (read, confirmed, rest) => `${read} read / ${confirmed} confirmed / ${rest} not confirmed`,
  remind: 'Remind those who have not confirmed (1)',
  reminded: 'Reminded 1 person',
  message: 'Messages (1)',
  reminder: (title) => `Please confirm: ${title}`,
}

describe.each([
  { language: 'zh', width: 1440, height: 900, w: chinese, names: ['周文清', '周武亮'] },
  { language: 'zh', width: 390, height: 844, w: chinese, names: ['吴文清', '吴武亮'] },
  { language: 'en', width: 1440, height: 900, w: english, names: ['Alan Reed', 'Beth Hale'] },
])(
  'R-NOTICE-2 R-NOTICE-3 a notice that asks for a receipt, in $language at $width px',
  ({ language, width, height, w, names }) => {
    const tag = `${language}${width}`
    const title = `返校安排 ${tag}`
    let author: Page
    let first: Page
    let second: Page

    afterEach(async (context) => {
      if (context.task.result?.state === 'fail') await picture(`failed-${tag}`, { author, first, second })
    })
    /** Somebody at work in the language of the journey, with the channel open on which news comes. */
    async function atWork(account: string, word: string): Promise<Page> {
      const page = await person(width, height)
      await logIn(page, product.url, word, account)
      await page.evaluate(
        (content) =>
          localStorage.setItem(
            'databrain-language',
            JSON.stringify({ content, dataType: 'string', datetime: Date.now() }),
          ),
        language,
      )
      const live = page.waitForResponse((answer) => answer.url().includes('blade-desk/live') && answer.ok())
      await page.reload()
      await live
      return page
    }
    const row = () => author.locator('tbody tr, .dt-cards li').filter({ hasText: title }).first()

    it('is written for two people who are found by typing, and published in one step', async () => {
      for (const [nth, realName] of names.entries())
        await call(admin, 'blade-user/submit', {
          account: `${tag}${nth}`,
          realName,
          roleId: role.id,
          password: teacherPassword,
        })
      author = await atWork('admin', password)
      first = await atWork(`${tag}0`, teacherPassword)
      second = await atWork(`${tag}1`, teacherPassword)
      await author.goto(`${product.url}/desk/notice`)
      await author.getByRole('button', { name: w.add }).first().click()
      await type(author, w.fields.title, title)
      await choose(author, w.fields.category, w.category)
      await author.getByRole('textbox', { name: w.content }).click()
      await author.keyboard.type('9 月 1 日返校。')
      await choose(author, w.fields.kind, w.people)
      await author.getByRole('switch', { name: w.fields.needRead }).click()
      await author.getByRole('textbox', { name: w.fields.by }).fill('2098-08-31 18:00')
      await author.keyboard.press('Tab')
      await author.getByRole('button', { name: w.pick }).click()
      const picker = author.getByRole('dialog', { name: w.pick })
      const search = picker.getByRole('combobox', { name: w.search })
      await search.waitFor()
      // The search has the focus: one types, and takes with Enter what is found.
      for (const name of names) {
        await search.fill('')
        await author.keyboard.type(name)
        await picker.getByRole('option', { name }).first().waitFor()
        await expect.poll(() => picker.getByRole('option').count()).toBe(1)
        await author.keyboard.press('Enter')
      }
      await picker.getByText(w.chosen, { exact: true }).waitFor()
      const box = (await picker.boundingBox())!
      expect(Math.round(box.width)).toBe(width === 390 ? Math.round(box.width) : 880)
      expect(await author.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(await axeFaults(author)).toEqual([])
      await picture(`picker-${tag}`, { author })
      await picker.getByRole('button', { name: w.done }).click()
      await author.getByText(w.reach, { exact: true }).waitFor()
      await picture(`form-${tag}`, { author })

      // A publication that is refused saves nothing, and what was typed stays.
      const by = author.getByRole('textbox', { name: w.fields.by })
      await by.fill('2020-01-01 08:00')
      await author.keyboard.press('Control+Enter')
      await author.locator('.ff').filter({ hasText: w.refused }).first().waitFor()
      expect(await author.getByRole('textbox', { name: w.fields.title, exact: true }).inputValue()).toBe(title)
      expect(await author.getByRole('textbox', { name: w.content }).textContent()).toBe('9 月 1 日返校。')
      const stored = () =>
        call<{ total: number }>(admin, `blade-desk/notice/list?title_like=${encodeURIComponent(title)}`)
      expect((await stored()).total).toBe(0)
      await by.fill('2098-08-31 18:00')
      // Nor does one whose answer is lost on the way: sent again, it is the same notice.
      const hearAgain = await loseAnswers(author, '**/blade-desk/notice/submit')
      await author.keyboard.press('Control+Enter')
      await author.locator('.banner-wrong').waitFor()
      expect(await author.getByRole('textbox', { name: w.fields.title, exact: true }).inputValue()).toBe(title)
      await hearAgain()
      const sent = author.waitForRequest((request) => request.url().includes('blade-desk/notice/submit'))
      await author.keyboard.press('Control+Enter')
      expect((await sent).postDataJSON()).toMatchObject({ title, publish: 1 })
      await author.getByText(w.published, { exact: true }).first().waitFor()
      await row().waitFor()
      expect((await stored()).total).toBe(1)
    })

    it('stands in what waits for the first of them, who confirms it there', async () => {
      const button = first.getByRole('button', { name: new RegExp(`${w.wait}.*${title}`) })
      await button.waitFor()
      await picture(`todo-${tag}`, { first })
      await button.click()
      const article = first.getByRole('article', { name: title })
      await article.getByText('9 月 1 日返校。').waitFor()
      // The record of the notice says it, with the reminder; the names are one click away.
      await row().getByText(title, { exact: true }).click()
      // Opened is read, and not confirmed.
      await author.getByText(w.sum(1, 0, 2)).waitFor()
      await picture(`record-${tag}`, { author })
      await author.getByRole('button', { name: w.receipts, exact: true }).click()
      expect(await first.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(await axeFaults(first)).toEqual([])
      await picture(`todo-open-${tag}`, { first })
      await article.getByRole('button', { name: w.confirm }).click()
      await first.getByText(w.confirmed, { exact: true }).first().waitFor()
      await button.waitFor({ state: 'detached' })
      // The author looks on, and the count goes up.
      await author.getByText(w.sum(1, 1, 1), { exact: true }).waitFor()
      await author.locator('.receipt-list li').filter({ hasText: names[1]! }).waitFor()
      expect(await author.locator('.receipt-list li').count()).toBe(1)
    })

    it('reminds the second one alone, who comes to it by the message', async () => {
      const receipts = author.getByRole('dialog').last()
      await receipts.getByRole('button', { name: w.remind }).click()
      await author.getByText(w.reminded, { exact: true }).first().waitFor()
      await picture(`receipts-${tag}`, { author })
      await receipts.getByRole('button', { name: w.remind, disabled: true }).waitFor()
      expect(await axeFaults(author)).toEqual([])
      const messages = await call<{ total: number }>(first, 'blade-desk/inbox/list')
      expect(messages.total).toBe(0)
      await second.locator('.notices > .icon-button').click()
      await second.getByRole('tab', { name: w.message }).click()
      await second.getByText(w.reminder(title)).click()
      const article = second.getByRole('article', { name: title })
      await article.getByRole('button', { name: w.confirm }).click()
      await picture(`read-${tag}`, { second })
      await author.getByText(w.sum(2, 2, 0), { exact: true }).waitFor()
      expect(complaints).toEqual([])
      for (const page of [author, first, second]) await page.context().close()
    })
  },
)
