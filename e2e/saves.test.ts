/// <reference lib="dom" />
import type { Browser, Locator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from './browser.ts'
import { takenUp } from './lost.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson } from './window.ts'

/** A save that takes long, and what somebody does meanwhile: another child's form stays that child's. */

let product: Product
let browser: Browser
let page: Page
const rows: string[] = []

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  page = await demoPerson(browser, product, 'admin')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const form = (): Locator => page.getByRole('dialog').filter({ has: page.locator('.entity-form') })
const field = (name: string): Locator => form().locator(`[data-field=${name}] input`)

async function openList(): Promise<void> {
  await page.goto(`${product.url}/student/student`)
  const all = page.locator('tbody tr[data-key]')
  await all.first().waitFor()
  rows.splice(0, rows.length, ...(await all.evaluateAll((each) => each.map((row) => row.getAttribute('data-key')!))))
}

/** Opens a pupil’s record by a click, and its form by E. */
async function edit(at: number): Promise<string> {
  await page.locator(`tr[data-key="${rows[at]}"] td`).nth(3).click()
  await page.waitForURL((url) => url.searchParams.get('id') === rows[at])
  await page.keyboard.press('e')
  await form().locator('.entity-form[aria-busy=false]').waitFor()
  await page.waitForURL((url) => url.searchParams.get('edit') === rows[at])
  await field('email').waitFor()
  return (await form().locator('.drawer-name').textContent())!
}

/** Holds back the next save until it is let go. */
async function holdSave(): Promise<{ sent: Promise<void>; release: () => void }> {
  let arrived = (): void => {}
  let release = (): void => {}
  const sent = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const hold = async (route: Route): Promise<void> => {
    arrived()
    await released
    await route.continue()
  }
  await page.route('**/blade-user/student/submit', hold, { times: 1 })
  await takenUp(page)
  return { sent, release }
}

async function stored(id: string): Promise<Record<string, unknown>> {
  const token = (await page.context().cookies()).find((cookie) => cookie.name.includes('access'))!.value
  const answer = await fetch(`${product.url}/api/blade-user/student/detail?id=${id}`, {
    headers: { 'blade-auth': `bearer ${token}` },
  })
  return ((await answer.json()) as { data: Record<string, unknown> }).data
}

async function listed(name: string): Promise<{ readonly id: string }[]> {
  const token = (await page.context().cookies()).find((cookie) => cookie.name.includes('access'))!.value
  const answer = await fetch(`${product.url}/api/blade-user/student/list?name=${encodeURIComponent(name)}`, {
    headers: { 'blade-auth': `bearer ${token}` },
  })
  return ((await answer.json()) as { data: { records: { readonly id: string }[] } }).data.records
}

async function changeElsewhere(id: string, email: string): Promise<void> {
  const token = (await page.context().cookies()).find((cookie) => cookie.name.includes('access'))!.value
  const { version } = await stored(id)
  const answer = await fetch(`${product.url}/api/blade-user/student/submit`, {
    method: 'POST',
    headers: { 'blade-auth': `bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id, version, email }),
  })
  expect(answer.status).toBe(200)
}

describe('R-FORM-3 a save that is under way when its form is left by Back', () => {
  it('is told when it is done, and takes nothing from the form of another child', async () => {
    await openList()
    const left = await edit(1)
    await field('email').fill('first@example.cn')
    const { sent, release } = await holdSave()
    await page.keyboard.press('Control+s')
    await sent
    await page.goBack()
    await form().waitFor({ state: 'hidden' })
    const name = await edit(2)
    expect(name).not.toBe(left)
    // Nothing has been typed here, and none of it is kept.
    expect(await page.locator('.drawer-kept').count()).toBe(0)
    await field('email').fill('second@example.cn')
    release()
    await page.getByText('更新成功', { exact: true }).waitFor()
    expect(await page.locator('.toast').filter({ hasText: '更新成功' }).textContent()).toContain(left)
    expect(await form().locator('.drawer-name').textContent()).toBe(name)
    expect(await field('email').inputValue()).toBe('second@example.cn')
    await page.keyboard.press('Control+s')
    await form().waitFor({ state: 'hidden' })
    expect((await stored(rows[1]!)).email).toBe('first@example.cn')
    expect((await stored(rows[2]!)).email).toBe('second@example.cn')
  })

  it('is told by name when it is refused, comes back as a draft, and asks nothing in the form of another child', async () => {
    await openList()
    const left = await edit(3)
    await field('email').fill('mine@example.cn')
    const { sent, release } = await holdSave()
    await page.keyboard.press('Control+s')
    await sent
    await changeElsewhere(rows[3]!, 'theirs@example.cn')
    await page.goBack()
    await form().waitFor({ state: 'hidden' })
    await edit(4)
    await field('email').fill('other@example.cn')
    release()
    await page.getByText(`${left}：没有保存。填写的内容已留作草稿，再次编辑时恢复`, { exact: true }).waitFor()
    expect(
      await form()
        .getByRole('radio', { name: /theirs@/ })
        .count(),
    ).toBe(0)
    await page.keyboard.press('Control+s')
    await form().waitFor({ state: 'hidden' })
    expect((await stored(rows[3]!)).email).toBe('theirs@example.cn')
    expect((await stored(rows[4]!)).email).toBe('other@example.cn')
    await edit(3)
    expect(await field('email').inputValue()).toBe('mine@example.cn')
    await form().getByRole('button', { name: '丢弃草稿' }).click()
    await page.keyboard.press('Escape')
    await form().waitFor({ state: 'hidden' })
  })
})

describe('R-FORM-3 what is typed while a save is under way', () => {
  it('stays in the form, which says that it is not saved yet, and goes with the next save', async () => {
    await openList()
    await edit(5)
    await field('email').fill('before@example.cn')
    const { sent, release } = await holdSave()
    await page.keyboard.press('Control+s')
    await sent
    await field('auxCode').fill('AFTER')
    release()
    await page.getByText('保存期间又填写的内容还没有保存，请再次保存', { exact: true }).waitFor()
    expect(await field('auxCode').inputValue()).toBe('AFTER')
    expect(await stored(rows[5]!)).toMatchObject({ email: 'before@example.cn', auxCode: null })
    await page.keyboard.press('Control+s')
    await form().waitFor({ state: 'hidden' })
    expect(await stored(rows[5]!)).toMatchObject({ email: 'before@example.cn', auxCode: 'AFTER' })
  })

  it.each([
    ['保存', 'Control+s'],
    ['保存并继续新增', 'Control+Enter'],
  ])('stays where the row is new, by %s: the form is that row’s from then on', async (_, keys) => {
    await openList()
    await page.keyboard.press('n')
    await form().locator('.entity-form[aria-busy=false]').waitFor()
    const name = `韩${keys === 'Control+s' ? '小雨' : '小雪'}`
    await field('name').fill(name)
    await field('studentNo').fill(`NEW${keys.length}`)
    await field('classId').click()
    await page.keyboard.type('6.2')
    await page.keyboard.press('Enter')
    await expect.poll(() => form().locator('[data-field=classId]').innerText()).toContain('六年级（2）班')
    await form().locator('[data-field=sex] input').first().check({ force: true })
    await field('birthDate').fill('2014-03-05')
    await page.keyboard.press('Tab')
    const { sent, release } = await holdSave()
    await page.keyboard.press(keys)
    await sent
    await field('auxCode').fill('LATER')
    release()
    await page.getByText('保存期间又填写的内容还没有保存，请再次保存', { exact: true }).waitFor()
    expect(await form().locator('.drawer-name').textContent()).toBe(name)
    expect(await field('auxCode').inputValue()).toBe('LATER')
    await page.keyboard.press('Control+s')
    await form().waitFor({ state: 'hidden' })
    const made = await listed(name)
    expect(made.length).toBe(1)
    expect((await stored(made[0]!.id)).auxCode).toBe('LATER')
    // The next new one begins empty: nothing of it was left behind as a draft.
    await page.keyboard.press('n')
    await form().locator('.entity-form[aria-busy=false]').waitFor()
    expect(await field('name').inputValue()).toBe('')
    expect(await field('auxCode').inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await form().waitFor({ state: 'hidden' })
  })

  it('is not what the product fills in meanwhile: the grade of a class is no change of anybody’s', async () => {
    await openList()
    await edit(0)
    await field('classId').click()
    await page.keyboard.type('5.1')
    await page.keyboard.press('Enter')
    await expect.poll(() => form().locator('[data-field=classId]').innerText()).toContain('五年级（1）班')
    await page.keyboard.press('Control+s')
    await form().waitFor({ state: 'hidden' })
    expect((await stored(rows[0]!)).className).toBe('五年级（1）班')
  })
})

describe('R-FORM-2 a text in a list that chose nothing', () => {
  const typed = async (text: string): Promise<void> => {
    await field('classId').click()
    await page.keyboard.type(text)
    await page
      .locator('.ant-select-dropdown:visible .ant-select-item-option')
      .filter({ hasText: '（2）班' })
      .first()
      .waitFor()
  }
  const told = () => page.getByText('“6.2”没有选中：请从列表中选择；不需要选择的，再操作一次即可')

  for (const [how, save] of [
    ['a key', () => page.keyboard.press('Control+s')],
    // As long as a hand presses: what is left by the press is shut before the button comes up.
    ['a click', () => form().getByRole('button', { name: '保存', exact: true }).click({ delay: 100 })],
  ] as const)
    it(`holds up a save by ${how} once: it is chosen then, or left as it was`, async () => {
      await openList()
      await edit(6)
      const before = (await stored(rows[6]!)).className
      await typed('6.2')
      await save()
      await told().waitFor()
      expect((await stored(rows[6]!)).className).toBe(before)
      await save()
      await form().waitFor({ state: 'hidden' })
      expect((await stored(rows[6]!)).className).toBe(before)

      await edit(7)
      await typed('6.2')
      await save()
      await told().waitFor()
      // The list comes back with what was looked for, and with the keys.
      await form().locator('[data-field=classId] input:focus').waitFor()
      await expect.poll(() => form().locator('[data-field=classId] input').inputValue()).toBe('6.2')
      await page.locator('.ant-select-dropdown:visible .ant-select-item-option-active').waitFor()
      await page.keyboard.press('Enter')
      await told().waitFor({ state: 'hidden' })
      await save()
      await form().waitFor({ state: 'hidden' })
      expect((await stored(rows[7]!)).className).toBe('六年级（2）班')
      // Where it came from, for the other way.
      await page.keyboard.press('Control+z')
      await expect.poll(async () => (await stored(rows[7]!)).className).toBe(before)
    })

  it('does not empty the field of many rows', async () => {
    await openList()
    const ids = [rows[8]!, rows[9]!]
    const before = await Promise.all(ids.map(async (id) => (await stored(id)).className))
    for (const id of ids) await page.locator(`tr[data-key="${id}"]`).getByRole('checkbox').check()
    await page.getByRole('button', { name: '批量修改' }).click()
    const options = page.locator('.ant-select-dropdown:visible .ant-select-item-option')
    await options.filter({ hasText: /^班级$/ }).click()
    const dialog = page.getByRole('dialog').filter({ hasText: '2 名学生' })
    await dialog.locator('[data-field=classId] input:focus').waitFor()
    await page.keyboard.type('6.2')
    await options.filter({ hasText: '（2）班' }).first().waitFor()
    await dialog.getByRole('button', { name: '预览' }).click()
    await told().waitFor()
    expect(await dialog.locator('.bulk-preview').count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(await Promise.all(ids.map(async (id) => (await stored(id)).className))).toEqual(before)
  })
})

describe('R-LIST-1 a number', () => {
  it('is stored as it was meant; what is none stays, with words, and is not stored as nothing', async () => {
    await openList()
    await edit(2)
    await field('seatNo').fill('１２１')
    await page.keyboard.press('Control+s')
    await form().waitFor({ state: 'hidden' })
    expect((await stored(rows[2]!)).seatNo).toBe(121)
    for (const text of ['七', '122号', '12.7']) {
      await edit(2)
      await field('seatNo').fill(text)
      await page.keyboard.press('Tab')
      await form().locator('[data-field=seatNo]').getByText('请填写整数').waitFor()
      expect(await field('seatNo').inputValue()).toBe(text)
      await page.keyboard.press('Control+s')
      await form().locator('[data-field=seatNo] input:focus').waitFor()
      expect((await stored(rows[2]!)).seatNo).toBe(121)
      await form().getByRole('button', { name: '取消' }).click()
      await page.getByRole('button', { name: '放弃' }).click()
      await form().waitFor({ state: 'hidden' })
    }
  })
})
