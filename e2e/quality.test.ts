/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/** A registrar looks through findings, decides about some, and sees the share of complete records rise. */

let product: Product
let browser: Browser
let registrar: Page
const complaints: string[] = []

const person = (account: string, width = 1440): Promise<Page> =>
  demoPerson(browser, product, account, { width, complaints, isStrict: true })

const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `quality-${name}`)

const shown = (page: Page) => page.locator('.quality-table tr[data-check]').first().waitFor()
const row = (page: Page, check: string) => page.locator(`tr[data-check="${check}"]`)
const complete = async (page: Page): Promise<number> =>
  Number(/^([\d,]+)\//.exec((await page.locator('.quality-whole span').textContent()) ?? '')?.[1]?.replaceAll(',', ''))
const count = async (page: Page, check: string, column: 0 | 1): Promise<number> =>
  Number((await row(page, check).locator('td').nth(column).textContent())?.replaceAll(',', ''))

interface Pupil {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly birthDate: string
  readonly studentNo: string
}

interface Guardian {
  readonly id: string
  readonly version: number
  readonly relation: string
  readonly parentName: string
}

/** Asks the server as whoever is logged in there, past the page. */
async function api<T>(page: Page, path: string, body?: object): Promise<T> {
  const token = (await page.context().cookies()).find((cookie) => cookie.name.includes('access'))!.value
  const answer = await fetch(`${product.url}/api/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'blade-auth': `bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { data: T }).data
}

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  registrar = await person('jiaowu')
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('R-DEV-4 data quality', () => {
  it('counts findings check by check, with the share of complete records', async () => {
    await registrar.goto(`${product.url}/wel/quality`)
    await registrar.getByRole('heading', { level: 1, name: '数据质量' }).waitFor()
    await shown(registrar)
    expect(await count(registrar, 'pupilPhoto', 0)).toBeGreaterThan(3)
    await picture(registrar, 'registrar')
    expect(await axeFaults(registrar)).toEqual([])
  })

  it('opens findings by keys, and a finding its form in place', async () => {
    await row(registrar, 'pupilPhoto').getByRole('button').first().press('Enter')
    await registrar.locator('.quality-findings li').first().waitFor()
    await picture(registrar, 'findings')
    expect(await axeFaults(registrar)).toEqual([])
    await registrar.locator('.quality-finding button').first().press('Enter')
    await registrar.getByLabel('姓名', { exact: false }).first().waitFor()
    await picture(registrar, 'form')
    await registrar.keyboard.press('Escape')
  })

  it('says in a record what is found in it', async () => {
    const page = await person('jiaowu')
    await page.goto(`${product.url}/student/student`)
    await page.locator('tbody tr[data-key]').first().locator('td').nth(1).click()
    const found = page.locator('.quality-record')
    await found.locator('summary').focus()
    await page.keyboard.press('Enter')
    await found.getByRole('link', { name: '缺少照片' }).waitFor()
    await picture(page, 'record')
    expect(await axeFaults(page)).toEqual([])
    await found.getByRole('link', { name: '缺少照片' }).press('Enter')
    await page.waitForURL('**/wel/quality?check=pupilPhoto')
    await page.context().close()
  })

  it('ignores some with a reason, and the share rises', async () => {
    const [before, findings] = [await complete(registrar), await count(registrar, 'pupilPhoto', 0)]
    for (const n of [1, 2, 3]) {
      const first = registrar.locator('.quality-findings li').first()
      const name = await first.getByRole('button', { name: /^忽略/ }).getAttribute('aria-label')
      await first.getByRole('button', { name: /^忽略/ }).press('Enter')
      const dialog = registrar.getByRole('dialog', { name: name! })
      if (n === 1) {
        await dialog.getByRole('button', { name: '确定' }).press('Enter')
        await dialog.getByText('请填写忽略的原因').waitFor()
        await picture(registrar, 'ignore')
      }
      await dialog.getByRole('textbox', { name: '原因' }).fill('家长不同意拍照')
      await registrar.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => count(registrar, 'pupilPhoto', 1)).toBe(n)
      await registrar.getByRole('button', { name: name!, exact: true }).waitFor({ state: 'detached' })
    }
    expect(await count(registrar, 'pupilPhoto', 0)).toBe(findings - 3)
    await expect.poll(() => complete(registrar)).toBeGreaterThan(before)
    await registrar.getByRole('tab', { name: '已忽略' }).click()
    await expect.poll(() => registrar.getByText('忽略原因：家长不同意拍照').count()).toBe(3)
    await registrar
      .getByRole('button', { name: /^取消忽略/ })
      .first()
      .press('Enter')
    await expect.poll(() => count(registrar, 'pupilPhoto', 1)).toBe(2)
  })

  it('R-LIST-1 is given to somebody with a due day as it is typed; what is not understood is not sent', async () => {
    await registrar.goto(`${product.url}/wel/quality`)
    await shown(registrar)
    await row(registrar, 'pupilPhoto').getByRole('button').first().press('Enter')
    const first = registrar.locator('.quality-findings li').first()
    await first.getByRole('button', { name: /^分派/ }).press('Enter')
    const dialog = registrar.getByRole('dialog', { name: /^分派/ })
    await dialog.getByRole('combobox').click()
    await registrar.keyboard.type('谢雪敏')
    const options = registrar.locator('.ant-select-dropdown:visible .ant-select-item-option')
    await options
      .filter({ hasText: /^谢雪敏/ })
      .first()
      .click()
    const due = dialog.getByRole('textbox')
    let sent = 0
    registrar.on('request', (request) => {
      if (request.url().includes('/assign')) sent += 1
    })
    await due.focus()
    await registrar.keyboard.type('2027-13-1')
    await dialog.getByRole('button', { name: '确定' }).click()
    await dialog.getByText('没有“2027-13-1”这一天').waitFor()
    expect(sent).toBe(0)
    await due.focus()
    await registrar.keyboard.press('Control+a')
    await registrar.keyboard.type('2027年8月31日')
    await registrar.keyboard.press('Tab')
    expect(await due.inputValue()).toBe('2027-08-31')
    await dialog.getByRole('button', { name: '确定' }).click()
    await dialog.waitFor({ state: 'detached' })
    await registrar
      .getByText(/2027-08-31/)
      .first()
      .waitFor()
    expect(sent).toBe(1)
  })

  it('makes one of two records of a child by keys, shows what goes over before, and takes it back', async () => {
    const page = await demoPerson(browser, product, 'admin')
    const { records } = await api<{ records: Pupil[] }>(page, 'blade-user/student/list?size=2')
    const [one, two] = records as [Pupil, Pupil]
    await api(page, 'blade-user/student/submit', {
      ...{ id: two.id, version: two.version, name: one.name, birthDate: one.birthDate },
      ...{ nationalCode: null, idNo: null, email: 'second@example.cn' },
    })
    await page.goto(`${product.url}/wel/quality?check=pupilTwin`)
    const finding = page.locator('.quality-findings li').filter({ hasText: one.name }).first()
    await finding.getByRole('button', { name: `合并：${one.name}` }).press('Enter')
    const dialog = page.getByRole('dialog', { name: `合并：${one.name}` })
    // Their fathers are called otherwise: they may be two children after all.
    await dialog.getByRole('alert').filter({ hasText: '不能都保留' }).waitFor()
    expect(await dialog.getByRole('button', { name: '合并', exact: true }).isDisabled()).toBe(true)
    await picture(page, 'merge-refused')
    await page.keyboard.press('Escape')
    const guardians = async (id: string) =>
      (await api<{ records: Guardian[] }>(page, `blade-user/studentparents/list?studentId=${id}`)).records
    const own = await guardians(one.id)
    for (const { id, version, relation } of await guardians(two.id)) {
      const same = own.find((each) => each.relation === relation)
      if (same) await api(page, 'blade-user/studentparents/submit', { id, version, parentName: same.parentName })
    }
    await page.keyboard.press('Enter')
    await dialog.getByText(/并为一条的：.*家长/).waitFor()
    await picture(page, 'merge')
    expect(await axeFaults(page)).toEqual([])
    // The other one stays after all: what goes over is told anew.
    const stays = dialog.getByRole('group', { name: '保留哪一条' }).getByRole('radio')
    await stays.first().focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => stays.last().isChecked()).toBe(true)
    await page.keyboard.press('ArrowUp')
    await dialog.getByText(/并为一条的：.*家长/).waitFor()
    const number = dialog.getByRole('radio', { name: new RegExp(`校内学号.*${two.studentNo}`) })
    await (one.studentNo < two.studentNo ? number : number.last()).check()
    await expect.poll(() => dialog.getByRole('button', { name: '合并', exact: true }).isEnabled()).toBe(true)
    await dialog.getByRole('button', { name: '合并', exact: true }).press('Enter')
    await page.locator('.toast', { hasText: '已合并' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    const left = () =>
      api<{ records: Pupil[] }>(page, `blade-user/student/list?size=9&ids=${one.id},${two.id}`).then(
        (found) => found.records,
      )
    expect((await left()).length).toBe(1)
    await page.locator('.toast').getByRole('button', { name: '撤销' }).click()
    await expect.poll(async () => (await left()).length).toBe(2)
    await page.context().close()
  })

  it('is read on a phone, and in English in the dark', async () => {
    const phone = await person('banzhuren', 390)
    await phone.goto(`${product.url}/wel/quality`)
    await phone.getByRole('heading', { level: 1 }).waitFor()
    await shown(phone)
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await axeFaults(phone)).toEqual([])
    await picture(phone, 'phone')
    await phone.emulateMedia({ colorScheme: 'dark' })
    await phone.keyboard.press('Alt+g')
    await phone.getByRole('heading', { level: 1, name: 'Data quality' }).waitFor()
    expect(await axeFaults(phone)).toEqual([])
    await picture(phone, 'phone-dark')
  })

  it('nothing of it was refused by the content-security policy, and no script failed', () => {
    expect(complaints).toEqual([])
  })
})
