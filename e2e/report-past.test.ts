/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { writeTo } from './database.ts'
import { freshFolder, type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture, onDarkPhone } from './window.ts'

/** A registrar looks at class sizes as of a past day, sees what has changed since, and a past figure that was corrected. */

let product: Product
let browser: Browser
let registrar: Page
let day = ''
let first = ''
const complaints: string[] = []
const picture = (name: string): Promise<void> => keepPicture(registrar, `report-past-${name}`)
const table = () => registrar.locator('.report-table:visible')
const cells = (): Promise<string[][]> =>
  table()
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? '')))
const asOf = () => registrar.getByRole('textbox', { name: '截至日期' })
const open = () => registrar.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')

/** The day in China so many days before today. */
const daysAgo = (days: number): string =>
  new Date(Date.now() + 8 * 3_600_000 - days * 86_400_000).toISOString().slice(0, 10)

beforeAll(async () => {
  const folder = freshFolder()
  product = await startProduct({ DEMO: 'on', DATA_DIR: folder })
  browser = await launchBrowser()
  day = daysAgo(7)
  first = daysAgo(10)
  // The demo was seeded ten days ago; since then, five days ago, one class has lost its pupils.
  const ago = (table: string, column: string): string =>
    `update ${table} set ${column} = ${column} - interval '10 days' where tenant_id = '000001'`
  await writeTo(
    folder,
    [
      'set session_replication_role = replica',
      ago('history', 'at'),
      ...['student', 'schoolclass', 'school', 'sysgrade', 'app_user'].flatMap((table) =>
        ['create_time', 'update_time'].map((column) => ago(table, column)),
      ),
      `with moved as (select s.id, to_jsonb(s) as before, s.version from student s
         where s.tenant_id = '000001' and s.class_id = (select min(class_id) from student where tenant_id = '000001')),
       told as (insert into history (tenant_id, id, entity, row_id, version, action, at, before)
         select '000001', (select max(id) from history) + row_number() over (), 'student', id, version + 1, 'edit', now() - interval '5 days', before from moved)
       update student s set class_id = null, seat_no = null, version = s.version + 1, update_time = now() - interval '5 days'
         from moved where s.tenant_id = '000001' and s.id = moved.id`,
      `insert into figure_daily (tenant_id, day, school_id, figure, count)
       select '000001', (date_trunc('month', now() at time zone 'Asia/Shanghai') - make_interval(months => m) - interval '1 day')::date, 0, f, 2000 - m * 7
       from generate_series(0, 4) m, unnest(array['pupils', 'classes', 'staff']) f`,
      `insert into figure_correction select tenant_id, day, school_id, figure, day + 20, -3 from figure_daily
       where tenant_id = '000001' and figure = 'pupils' and count = 1993`,
    ].join(';\n'),
  )
  registrar = await demoPerson(browser, product, 'jiaowu', { complaints })
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('R-DEV-5 a report of a past day', () => {
  it('shows the classes as they were, says the day, and is the same by its address', async () => {
    const [listed] = await Promise.all([
      registrar.waitForResponse((answer) => answer.url().includes('/report/rest/list')),
      registrar.goto(`${product.url}/report/reportlist`),
    ])
    const { data } = (await listed.json()) as { data: { records: { id: string; name: string }[] } }
    const id = data.records.find(({ name }) => name === '各班人数')!.id
    await registrar.goto(`${product.url}/report/result/${id}`)
    await table().waitFor()
    const now = await cells()
    await asOf().fill(day)
    await asOf().press('Enter')
    await registrar.getByText(`截至 ${day} 当日结束时`).waitFor()
    await expect.poll(() => registrar.url()).toContain(`asOf=${day}`)
    const then = await cells()
    expect(then).not.toEqual(now)
    expect(await table().locator('tbody a').count()).toBe(0)
    await picture('result')
    expect(await axeFaults(registrar)).toEqual([])
    await registrar.reload()
    await registrar.getByText(`截至 ${day} 当日结束时`).waitFor()
    expect(await cells()).toEqual(then)
    expect(await asOf().inputValue()).toContain(day.slice(0, 4))
  })

  it('says from which day on it can answer, and keeps the field', async () => {
    await asOf().fill('2020-09-01')
    await asOf().press('Enter')
    await registrar.getByText(`变更记录只能回溯到${first}`).waitFor()
    await picture('refused')
    expect(await axeFaults(registrar)).toEqual([])
    await asOf().fill('')
    await asOf().press('Enter')
    await table().locator('tbody a').first().waitFor()
    await expect.poll(() => registrar.url()).not.toContain('asOf')
    await registrar.goBack()
    await registrar.getByText(`变更记录只能回溯到${first}`).waitFor()
  })

  it('is held on a dark phone', async () => {
    await asOf().fill(day)
    await asOf().press('Enter')
    await registrar.getByText(`截至 ${day} 当日结束时`).waitFor()
    await onDarkPhone(registrar, 'report-past-result')
  })

  it('counts the change since a day, made by keys beside its result', async () => {
    await registrar.goto(`${product.url}/report/edit/new`)
    await registrar.getByRole('heading', { level: 1, name: '新建报表' }).waitFor()
    const choose = async (box: string, text: string): Promise<void> => {
      await registrar.getByRole('combobox', { name: box }).focus()
      await registrar.keyboard.type(text)
      await open().locator(`.ant-select-item-option[title="${text}"]`).first().waitFor()
      await registrar.keyboard.press('Enter')
    }
    await choose('添加分组', '班级')
    await table().waitFor()
    await choose('添加统计值', '变化')
    await choose('添加统计值', '变化率（%）')
    await registrar.getByRole('combobox', { name: '与何时比较' }).first().focus()
    await registrar.keyboard.press('Enter')
    await open().locator('.ant-select-item-option').filter({ hasText: '指定日期' }).click()
    const named = registrar.getByRole('textbox', { name: '指定日期' })
    await named.fill(day)
    await named.press('Enter')
    await registrar.getByRole('combobox', { name: '与何时比较' }).last().focus()
    await registrar.keyboard.press('Enter')
    await open().locator('.ant-select-item-option').filter({ hasText: '指定日期' }).click()
    await registrar.getByRole('textbox', { name: '指定日期' }).last().fill(day)
    await registrar.getByRole('textbox', { name: '指定日期' }).last().press('Enter')
    await table()
      .getByText(/^\d+ → 0$/)
      .first()
      .waitFor()
    await picture('change')
    expect(await axeFaults(registrar)).toEqual([])
    await onDarkPhone(registrar, 'report-past-change')
  })

  it('R-DEV-2 tells of a past figure that was corrected later, in words and a table', async () => {
    await registrar.goto(`${product.url}/wel/dashboard`)
    await registrar.getByText('1个往日的数之后更正').click()
    const corrected = registrar.getByRole('table', { name: '在读学生：之后更正的往日数据' })
    await corrected.waitFor()
    expect(await corrected.locator('tbody td').allTextContents()).toEqual(['1,993', '−3', '1,990'])
    await picture('dashboard')
    expect(await axeFaults(registrar)).toEqual([])
    await onDarkPhone(registrar, 'report-past-dashboard')
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
  })
})
