import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { choose, logIn, save, type, typeDay } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'
import { picture as keepPicture } from './window.ts'

/** A clerk enrols a child with the mother into a class that is not there yet, and moves children to another class. */

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string }
interface Rows {
  readonly records: readonly Row[]
}

let product: Product
let browser: Browser
let page: Page

const picture = (name: string): Promise<void> => keepPicture(page, `forms-${name}`)

/** What the server has, past the page. */
const api = <T>(address: string): Promise<T> => askAs(page, product.url, address)

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await logIn(page, product.url, password, 'admin', '000001')
})
afterEach((context) => (context.task.result?.state === 'fail' ? picture('failed') : undefined))
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const forms = () => page.getByRole('dialog').filter({ has: page.locator('.entity-form') })
const form = () => forms().last()
const dropdown = () => page.locator('.ant-select-dropdown:visible')
const hidden = () => forms().first().waitFor({ state: 'hidden' })
const list = async (address: string) => {
  await page.goto(`${product.url}/${address}`)
  await page.locator('tbody tr[data-key]').first().waitFor()
}
const pupil = (id: string) => api<Row>(`blade-user/student/detail?id=${id}`)

describe('R-LIST-4 R-STUDENT-4 a form of a new child', () => {
  it('makes the class that is missing over it, and stores the child with the first guardian', async () => {
    await list('student/student')
    await page.getByRole('button', { name: '新增学生' }).click()
    await type(page, '姓名', '沈一禾')
    await choose(page, '性别', '女')
    await typeDay(page, '出生日期', '2017-05-12')
    await type(page, '校内学号', 'J2026001')
    await choose(page, '学校', '.*')
    await form().getByRole('combobox', { name: '班级' }).click()
    await page.keyboard.type('云杉班')
    await dropdown().getByText('＋ 新增行政班…').click()
    await page.getByRole('heading', { name: '新增行政班' }).waitFor()
    expect(await form().getByLabel('班级名称').inputValue()).toBe('云杉班')
    // Grades are those of the school's stages.
    await form().getByRole('combobox', { name: '年级' }).click()
    await dropdown().getByText('三年级', { exact: true }).waitFor()
    expect(await dropdown().getByText('高一').count()).toBe(0)
    await dropdown().getByText('三年级', { exact: true }).click()
    await type(page, '班号', '48')
    await type(page, '入学年份', '2024')
    await choose(page, '班级类型', '.*')
    // What is half made is no value yet, and one row is wanted.
    expect(await forms().first().locator('[data-field=classId]').innerText()).not.toContain('新增')
    expect(await form().getByRole('button', { name: '保存并继续新增' }).count()).toBe(0)
    await picture('class')
    await save(page, '新增成功')
    await expect.poll(() => forms().count()).toBe(1)
    await form().locator('[data-field=classId]').getByText('云杉班').first().waitFor()
    await type(page, '第一位家长姓名', '沈丽')
    await choose(page, '第一位家长关系', '母亲')
    await type(page, '第一位家长手机', '13805714130')
    expect(await axeFaults(page)).toEqual([])
    await picture('child')
    await form().getByRole('button', { name: '保存', exact: true }).click()
    await hidden()
    const [child] = (await api<Rows>(`blade-user/student/list?name_equal=${encodeURIComponent('沈一禾')}`)).records
    expect(child).toMatchObject({ className: '云杉班', studentNo: 'J2026001' })
    const guardians = (await api<Rows>(`blade-user/studentparents/list?studentId=${child!.id}`)).records
    expect(guardians).toMatchObject([{ parentName: '沈丽', mobile: '*********30', isEmergency: 1 }])
  })
})

describe('R-STUDENT-1 a change of class', () => {
  let from: Row
  let to: Row
  let moved: readonly Row[]
  it('asks in the form for the number there, with the next one in the field; undo brings the old one back', async () => {
    const classes = (await api<Rows>('blade-user/schoolclass/list?current=1&size=50')).records
    const full = classes.filter((one) => Number(one.studentCount) > 5)
    from = full[0]!
    to = full.find((one) => one.id !== from.id && one.schoolId === from.schoolId && one.gradeId === from.gradeId)!
    const pupils = (await api<Rows>(`blade-user/student/list?classId=${from.id}&columns=seatNo&current=1&size=5`))
      .records
    moved = pupils.slice(0, 2)
    const there = (await api<Rows>(`blade-user/student/list?classId=${to.id}&columns=seatNo&current=1&size=200`))
      .records
    const next = Math.max(...there.map((one) => Number(one.seatNo ?? 0))) + 1
    const before = await pupil(moved[0]!.id)
    await page.goto(`${product.url}/student/student?edit=${moved[0]!.id}&classId=${from.id}`)
    await choose(page, '班级', String(to.className).replace(/[()]/g, '\\$&'))
    await expect.poll(() => form().getByLabel('班内学号').inputValue()).toBe(String(next))
    await form().getByText('下一个可用的号，可修改').waitFor()
    await picture('moved')
    await type(page, '班内学号', '777')
    await form().getByRole('button', { name: '保存', exact: true }).click()
    await hidden()
    expect(await pupil(moved[0]!.id)).toMatchObject({ classId: to.id, seatNo: 777 })
    await page.locator('.toast', { hasText: '更新成功' }).getByRole('button', { name: '撤销' }).click()
    await page.locator('.toast', { hasText: '已撤销' }).waitFor()
    expect(await pupil(moved[0]!.id)).toMatchObject({ classId: from.id, seatNo: before.seatNo })
  })

  it('says before many are moved which number each gets, and takes another one', async () => {
    const before = await Promise.all(moved.map(({ id }) => pupil(id)))
    await list(`student/student?classId=${from.id}`)
    for (const { id } of moved) await page.locator(`tbody tr[data-key="${id}"]`).getByRole('checkbox').check()
    await page.getByRole('toolbar', { name: '批量操作' }).getByRole('button', { name: '批量修改' }).click()
    await dropdown().locator('.ant-select-item-option').first().waitFor()
    await page.keyboard.type('班级')
    await dropdown().getByText('班级', { exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: '班级' }).click()
    await page.keyboard.type(String(to.className))
    await dropdown()
      .locator('.ant-select-item-option')
      .filter({ hasText: String(to.className) })
      .first()
      .click()
    await dialog.getByRole('button', { name: '预览' }).click()
    const numbers = dialog.getByRole('spinbutton')
    await expect.poll(() => numbers.count()).toBe(2)
    const told = await numbers.evaluateAll((all) => all.map((one) => Number((one as HTMLInputElement).value)))
    expect(Math.abs(told[0]! - told[1]!)).toBe(1)
    await numbers.first().fill('888')
    await picture('many')
    expect(await axeFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: /^修改 2 / }).click()
    await dialog.waitFor({ state: 'detached' })
    const after = await Promise.all(moved.map(({ id }) => pupil(id)))
    expect(after.map(({ classId }) => classId)).toEqual([to.id, to.id])
    expect(new Set(after.map(({ seatNo }) => seatNo))).toEqual(new Set([888, told[1]]))
    await page.locator('.toast', { hasText: '更新成功' }).getByRole('button', { name: '撤销' }).click()
    await page.locator('.toast', { hasText: '已撤销' }).waitFor()
    const back = await Promise.all(moved.map(({ id }) => pupil(id)))
    expect(back.map(({ classId, seatNo }) => [classId, seatNo])).toEqual(
      before.map(({ classId, seatNo }) => [classId, seatNo]),
    )
  })
})
