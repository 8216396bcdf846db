/// <reference lib="dom" />
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { choose, type } from './clerk.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/** A clerk says what the generator has to keep: no maths in the last period, two in a row at most. It is kept. */

let product: Product
let browser: Browser
let clerk: Page
const complaints: string[] = []

const person = (width: number): Promise<Page> => demoPerson(browser, product, 'jiaowu', { width, complaints })

const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `timetable-rules-${name}`)

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  clerk = await person(1440)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const form = (): Locator => clerk.getByRole('dialog').last()
const rows = (): Locator => clerk.locator('tbody tr:visible')
const save = async (): Promise<void> => {
  await form().getByRole('button', { name: '保存', exact: true }).click()
  await form().waitFor({ state: 'detached' })
}

interface Lesson {
  readonly subjectName: string
  readonly teacherId: string
  readonly weekday: number
  readonly periodNo: number
  readonly span: number
}

describe('R-SCHOOL-21 rules for a timetable', () => {
  let plan: string

  it('are reached from a plan, each as a sentence', async () => {
    await clerk.goto(`${product.url}/teaching/timetableplan`)
    const row = clerk.getByRole('row').filter({ hasText: '示范区实验中学' })
    await row.getByRole('button').last().click()
    await clerk.getByRole('menuitem', { name: '排课' }).click()
    await clerk.getByRole('button', { name: '复制为草稿' }).click()
    await clerk.getByRole('button', { name: '自动排课' }).waitFor()
    plan = clerk.url()
    await picture(clerk, 'plan')
    await clerk.locator('.plan-line:visible').getByRole('link', { name: '排课规则' }).click()
    await clerk.getByRole('heading', { level: 1, name: '排课规则' }).waitFor()
    await rows().filter({ hasText: '班会：只排在' }).waitFor()
    await picture(clerk, 'list')
    // Those of the semester of this school alone.
    expect(
      await rows()
        .filter({ hasText: '必须' })
        .or(rows().filter({ hasText: '尽量' }))
        .count(),
    ).toBe(8)
    const told = (await rows().allInnerTexts()).join('\n')
    expect(told).toContain('班会：只排在周一第7节（必须）')
    expect(told).toContain('所有教师：最多连上3节（尽量，高）')
    expect(told).toMatch(/：每周最多上课2天（必须）/)
    expect(await axeFaults(clerk)).toEqual([])
  })

  it('are added by the usual form, which asks for what the kind is made of', async () => {
    await clerk.getByRole('button', { name: '新增排课规则' }).first().click()
    await choose(clerk, '规则', '不排课的节次')
    await form().getByRole('group', { name: '节次' }).waitFor()
    expect(await form().getByLabel('最多').count()).toBe(0)
    await choose(clerk, '学科', '数学')
    await form()
      .getByRole('button', { name: '第7节全选', exact: false })
      .or(form().locator('tbody tr:nth-child(7) th button'))
      .first()
      .click()
    await picture(clerk, 'form')
    expect(await axeFaults(clerk)).toEqual([])
    await save()
    await rows().filter({ hasText: '数学：周一至周日第7节不排课（必须）' }).waitFor()
    await clerk.getByRole('button', { name: '新增排课规则' }).first().click()
    await choose(clerk, '规则', '连上节数上限')
    await form().getByLabel('最多').waitFor()
    expect(await form().getByRole('group', { name: '节次' }).count()).toBe(0)
    // What is missing is said at the field.
    await form().getByRole('button', { name: '保存', exact: true }).click()
    await form().getByText('请选择').or(form().locator('[aria-invalid=true]')).first().waitFor()
    await picture(clerk, 'form-missing')
    await choose(clerk, '对象', '教师')
    await type(clerk, '最多', '2')
    await save()
    await rows().filter({ hasText: '所有教师：最多连上2节（必须）' }).waitFor()
    await picture(clerk, 'added')
  })

  it('hold in the timetable that is made, and a message says which wishes are not kept', async () => {
    await clerk.goto(plan)
    await clerk.getByRole('button', { name: '自动排课' }).click()
    const dialog = clerk.getByRole('dialog')
    await dialog.getByLabel('优化多久').selectOption('10')
    await dialog.getByRole('button', { name: '自动排课' }).click()
    await clerk.getByText(/已排好\d+节/).waitFor({ timeout: 120_000 })
    // A plan opens with the sheet of the school.
    const board = clerk.waitForResponse((answer) => /timetableplan\/board\?.*by=school/.test(answer.url()))
    await clerk.goto(plan)
    const { data } = (await (await board).json()) as { data: { lessons: Lesson[] } }
    expect(data.lessons.length).toBeGreaterThan(100)
    expect(data.lessons.filter(({ subjectName, periodNo }) => subjectName === '数学' && periodNo === 7)).toEqual([])
    // Four periods before noon, three after it.
    const rows = new Map<string, Set<number>>()
    for (const { teacherId, weekday, periodNo, span } of data.lessons) {
      const key = `${teacherId}|${weekday}`
      const own = rows.get(key) ?? new Set<number>()
      for (let n = 0; n < span; n += 1) own.add(periodNo + n)
      rows.set(key, own)
    }
    const three = [1, 2, 5].flatMap((from) =>
      [...rows.values()].filter((own) => own.has(from) && own.has(from + 1) && own.has(from + 2)),
    )
    expect(three).toEqual([])
    await clerk.goto(`${product.url}/wel/notice`)
    await clerk.getByRole('tab', { name: /消息/ }).click()
    await clerk.getByText('自动排课完成').first().waitFor()
    await picture(clerk, 'message')
  })

  it.each([
    { width: 390, language: 'en', colorScheme: 'dark' },
    { width: 390, language: 'zh', colorScheme: 'light' },
    { width: 1440, language: 'en', colorScheme: 'light' },
    { width: 1440, language: 'zh', colorScheme: 'dark' },
  ] as const)(
    'read and are set at $width pixels, $language, $colorScheme',
    async ({ width, language, colorScheme }) => {
      const [told, kind, closed] =
        language === 'en'
          ? [/no lessons on Monday to Sunday period 7 \(must\)/, 'Rule', 'No lessons in some periods']
          : [/周一至周日第7节不排课（必须）/, '规则', '不排课的节次']
      const other = await person(width)
      await other.emulateMedia({ colorScheme })
      await other.evaluate(
        (content) =>
          localStorage.setItem(
            'databrain-language',
            JSON.stringify({ content, dataType: 'string', datetime: Date.now() }),
          ),
        language,
      )
      await other.goto(`${product.url}/teaching/timetablerule`)
      await other.getByText(told).first().waitFor()
      expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await picture(other, `list-${width}-${language}-${colorScheme}`)
      expect(await axeFaults(other)).toEqual([])
      await other.goto(`${product.url}/teaching/timetablerule?edit=new`)
      await choose(other, kind, closed)
      await other.getByRole('dialog').locator('[data-slot]').first().waitFor()
      await picture(other, `form-${width}-${language}-${colorScheme}`)
      expect(await axeFaults(other)).toEqual([])
      await other.context().close()
      expect(complaints).toEqual([])
    },
  )
})
