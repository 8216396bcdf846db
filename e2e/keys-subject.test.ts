/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { logIn } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'

/**
 * Keys act on what is looked at: with a record open they are that record's, however it was opened and wherever the
 * cursor of the list stood before. Every test says which row was acted on.
 */

let product: Product
let browser: Browser
let page: Page
const complaints: string[] = []

interface Pupil {
  readonly id: string
  readonly name: string
  readonly studentNo: string
}
/** The first pupils of the list, in its order, and one that is far behind them. */
let pupils: readonly Pupil[] = []
let far: Pupil

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  await logIn(page, product.url, password, 'admin', '000001')
  const token = (await context.cookies()).find((cookie) => cookie.name.includes('access'))!.value
  const read = async (current: number): Promise<readonly Pupil[]> => {
    const answer = await fetch(`${product.url}/api/blade-user/student/list?current=${current}&size=10`, {
      headers: { 'blade-auth': `bearer ${token}` },
    })
    return ((await answer.json()) as { data: { records: readonly Pupil[] } }).data.records
  }
  pupils = await read(1)
  far = (await read(20))[4]!
})
afterEach(async (test) => {
  const folder = process.env.E2E_PICTURES
  if (!folder || test.task.result?.state !== 'fail') return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: path.join(folder, 'keys-subject.png') })
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const key = (name: string) => page.keyboard.press(name)
const row = (pupil: Pupil) => page.locator(`tbody tr[data-key="${pupil.id}"]:visible`)
const openId = () => new URL(page.url()).searchParams.get('id')
const record = (pupil: Pupil) => page.getByRole('complementary').getByRole('heading', { name: pupil.name }).waitFor()
const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'))

/** The list, with its cursor on the third pupil. */
async function standOnThird(): Promise<Pupil> {
  await page.goto(`${product.url}/student/student`)
  await row(pupils[0]!).waitFor()
  await page.locator('h1').first().focus()
  const [, , third] = pupils
  for (const pressed of ['Home', 'j', 'j']) await key(pressed)
  await expect.poll(() => row(third!).getAttribute('class')).toContain('dt-cursor')
  return third!
}

/** What each way of opening does, from a list whose cursor stands elsewhere. */
const ways: Record<string, (pupil: Pupil) => Promise<unknown>> = {
  row: (pupil) => row(pupil).locator('[data-act=view]').first().click(),
  palette: (pupil) => find(pupil),
  address: (pupil) => page.goto(`${product.url}/student/student?id=${pupil.id}`),
  back: async (pupil) => {
    await find(pupil)
    await record(pupil)
    // A place to come back from: another page of the console.
    await page.evaluate(() => history.pushState(null, '', '/wel/index'))
    await page.goto(`${product.url}/wel/index`)
    await page.goBack()
    if (!page.url().includes('/student/student')) await page.goBack()
  },
}
async function find(pupil: Pupil): Promise<void> {
  await key('Control+k')
  await page.locator('.palette-field input').waitFor()
  await page.keyboard.type(pupil.studentNo)
  await page
    .getByRole('option', { name: new RegExp(pupil.name) })
    .first()
    .waitFor()
  await key('Enter')
}

/** Presses each acting key and asserts whose it was. */
async function actsOn(pupil: Pupil, isListed: boolean | null): Promise<void> {
  await key('e')
  await page.locator('.drawer-name').getByText(pupil.name, { exact: true }).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('edit')).toBe(pupil.id)
  await key('Escape')
  await page.locator('.drawer-name').waitFor({ state: 'hidden' })
  await expect.poll(openId).toBe(pupil.id)

  await key('Delete')
  await dialog().getByText('确定将选择数据删除?').waitFor()
  const question = (await dialog().filter({ hasText: '确定将选择数据删除?' }).textContent()) ?? ''
  expect(question).toContain(pupil.name)
  for (const other of pupils) if (other.name !== pupil.name) expect(question).not.toContain(other.name)
  await key('Escape')
  await page.getByText('确定将选择数据删除?').waitFor({ state: 'hidden' })

  await key('.')
  const menu = page.getByRole('menu', { name: new RegExp(pupil.name) })
  await menu.waitFor()
  // The menu has the keys, over a record that stands over the list as well.
  await expect.poll(() => menu.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await key('ArrowDown')
  expect(await menu.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await key('Escape')
  await menu.waitFor({ state: 'detached' })
  expect(openId()).toBe(pupil.id)

  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
    document.documentElement.removeAttribute('data-printed')
  })
  await key('p')
  // The record itself, and nothing of the list.
  await page.locator('html[data-printed]').waitFor()
  expect(await page.locator('.print-sheet h1').textContent()).toBe(pupil.name)
  const printed = (await page.locator('.print-sheet').textContent()) ?? ''
  for (const other of pupils) if (other.name !== pupil.name) expect(printed).not.toContain(other.name)
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))

  // What stands over the list hides its boxes.
  if (isListed === null) return
  const ticked = () => page.locator('tbody tr[data-key][aria-selected=true]:visible')
  await key('x')
  expect(await ticked().count()).toBe(isListed ? 1 : 0)
  if (isListed) {
    expect(await ticked().getAttribute('data-key')).toBe(pupil.id)
    await key('x')
  }
  expect(await ticked().count()).toBe(0)
  expect(openId()).toBe(pupil.id)
}

describe('R-LIST-1 keys act on what is looked at', () => {
  for (const [way, open] of Object.entries(ways)) {
    it(`a record opened by ${way}, the cursor elsewhere`, async () => {
      const third = await standOnThird()
      const sixth = pupils[5]!
      await open(sixth)
      await record(sixth)
      await row(sixth).waitFor()
      // The row that it stands in is marked, and no other.
      await expect.poll(() => row(sixth).getAttribute('aria-current')).toBe('true')
      expect(await page.locator('tbody tr[aria-current]:visible').count()).toBe(1)
      expect(await row(third).getAttribute('class')).not.toContain('dt-cursor')
      await actsOn(sixth, true)
      // Walking goes from it, and the record follows.
      for (const [pressed, at] of [
        ['j', 6],
        ['k', 5],
        ['ArrowDown', 6],
        ['ArrowUp', 5],
      ] as const) {
        await key(pressed)
        await expect.poll(openId).toBe(pupils[at]!.id)
        await record(pupils[at]!)
        await expect.poll(() => row(pupils[at]!).getAttribute('aria-current')).toBe('true')
      }
      if (way === 'palette') expect(await axeFaults(page)).toEqual([])
    })
  }

  it('a record that the list does not show: its keys are its own, and nothing walks', async () => {
    const third = await standOnThird()
    await page.goto(`${product.url}/student/student?id=${far.id}`)
    await record(far)
    await row(third).waitFor()
    expect(await page.locator('tbody tr:is([aria-current], .dt-cursor):visible').count()).toBe(0)
    await actsOn(far, false)
    for (const pressed of ['j', 'k', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'Shift+ArrowDown', 'F2']) await key(pressed)
    expect(openId()).toBe(far.id)
    expect(await page.locator('tbody tr[aria-selected=true]:visible').count()).toBe(0)
    expect(await page.locator('.cell-editor').count()).toBe(0)
  })

  it('Delete is the record’s that is open, else of what is ticked, else of where one stands; else it asks for a choice', async () => {
    const third = await standOnThird()
    const named = async (...wanted: Pupil[]) => {
      await key('Delete')
      await dialog().getByText('确定将选择数据删除?').waitFor()
      const question = (await dialog().filter({ hasText: '确定将选择数据删除?' }).textContent()) ?? ''
      for (const pupil of pupils.slice(0, 8))
        expect([pupil.name, question.includes(pupil.name)]).toEqual([
          pupil.name,
          wanted.some(({ name }) => name === pupil.name),
        ])
      await key('Escape')
      await page.getByText('确定将选择数据删除?').waitFor({ state: 'hidden' })
    }
    await named(third)
    await row(pupils[0]!).getByRole('checkbox').check()
    await row(pupils[1]!).getByRole('checkbox').check()
    await named(pupils[0]!, pupils[1]!)
    await row(pupils[5]!).locator('[data-act=view]').first().click()
    await record(pupils[5]!)
    await named(pupils[5]!)
    await key('Escape')
    await expect.poll(openId).toBeNull()
    await named(pupils[0]!, pupils[1]!)
    await page.goto(`${product.url}/student/student?current=2`)
    await page.locator('tbody tr[data-key]:visible').first().waitFor()
    await key('Delete')
    await page.getByText('请选择至少一条数据').waitFor()
  })

  it('R-KEY-1 Ctrl+Z in the moment after a removal takes back that one, and not the step before', async () => {
    await page.goto(`${product.url}/student/studentparents`)
    const rows = page.locator('tbody tr[data-key]:visible')
    await rows.first().waitFor()
    const [first, second] = await rows.evaluateAll((all) =>
      all.slice(0, 2).map((one) => (one as HTMLElement).dataset.key!),
    )
    const rowOf = (id: string) => page.locator(`tbody tr[data-key="${id}"]:visible`)
    const remove = async (id: string) => {
      await rowOf(id).getByRole('button', { name: /更多/ }).click()
      await page.getByRole('menuitem', { name: '删除', exact: true }).click()
      const asked = page.waitForRequest(/studentparents\/remove/)
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /^(确定|删除)/ })
        .click()
      await asked
    }
    await remove(first!)
    await page.getByText('删除成功').first().waitFor()
    await rowOf(first!).waitFor({ state: 'detached' })
    // The answer of the second takes as long as on a slow network.
    let letGo: () => void = () => {}
    const held = new Promise<void>((done) => {
      letGo = done
    })
    await page.route(/studentparents\/remove/, async (route) => {
      await held
      await route.continue()
    })
    await remove(second!)
    await key('Control+z')
    letGo()
    await page.getByText('已撤销').first().waitFor()
    await rowOf(second!).waitFor()
    expect(await rowOf(first!).count()).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await key('Control+z')
    await rowOf(first!).waitFor()
  })

  it('another page, another order, another filter: the cursor is of the same row or of none', async () => {
    const third = await standOnThird()
    const marked = () => page.locator('tbody tr.dt-cursor:visible')
    const isChanged = (before: string) =>
      expect.poll(() => page.locator('tbody tr[data-key]:visible').first().getAttribute('data-key')).not.toBe(before)
    await key('PageDown')
    await isChanged(pupils[0]!.id)
    expect(await marked().count()).toBe(0)
    await key('e')
    await key('.')
    expect(await page.locator('.drawer-name, [role=menu]:visible').count()).toBe(0)
    await key('PageUp')
    await row(third).waitFor()
    expect(await marked().getAttribute('data-key')).toBe(third.id)
    await page.goto(`${product.url}/student/student?keyword=${encodeURIComponent(third.name)}`)
    await row(third).waitFor()
    await page.reload()
    await row(third).waitFor()
    for (const each of await marked().all()) expect(await each.getAttribute('data-key')).toBe(third.id)
  })

  it('a record that stands over the list, where there is no room beside it', async () => {
    await page.setViewportSize({ width: 1100, height: 900 })
    const third = await standOnThird()
    const sixth = pupils[5]!
    await page.goto(`${product.url}/student/student?id=${sixth.id}`)
    await page.getByRole('dialog').getByRole('heading', { name: sixth.name }).waitFor()
    await row(third).waitFor()
    await actsOn(sixth, null)
    await key('j')
    await expect.poll(openId).toBe(pupils[6]!.id)
    await key('k')
    await expect.poll(openId).toBe(sixth.id)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('what is typed while a filter is on its way is no key of the list behind it', async () => {
    const third = await standOnThird()
    // The boxes of a range come late, as on a slow network.
    let letGo: () => void = () => {}
    const held = new Promise<void>((done) => {
      letGo = done
    })
    await page.route(/\/assets\/filter-range-[^/]*\.js/, async (route) => {
      await held
      await route.continue()
    })
    await page.reload()
    await row(third).waitFor()
    await page.locator('h1').first().focus()
    for (const pressed of ['Home', 'j', 'j', 'f']) await key(pressed)
    await page.keyboard.press('Enter')
    await page.locator('.pick-search input').waitFor()
    await page.keyboard.type('出生日期')
    await key('Enter')
    await page.getByRole('heading', { level: 2, name: '出生日期' }).waitFor()
    for (const pressed of ['e', 'n', 'x', '.', 'Delete', 'j', '/']) await key(pressed)
    expect(await page.locator('.drawer-name, [role=menu], [role=alertdialog], .entity-form').count()).toBe(0)
    expect(await page.locator('tbody tr[aria-selected=true]:visible').count()).toBe(0)
    letGo()
    await page
      .getByRole('textbox', { name: '出生日期从' })
      .or(page.locator('.filter-range input').first())
      .first()
      .waitFor()
    await expect
      .poll(() =>
        page
          .locator('.filter-range input')
          .first()
          .evaluate((box) => box === document.activeElement),
      )
      .toBe(true)
    await page.keyboard.type('2014/9/1')
    await key('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('birthDate_datege')).toBe('2014-09-01')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('what is typed in the moment of the press that opens the filters is no key of the list', async () => {
    for (const address of ['/student/student', '/monitor/log/usual']) {
      await page.goto(product.url + address)
      await page.locator('tbody tr:visible').first().waitFor()
      const button = page.getByRole('button', { name: '筛选', exact: true }).filter({ visible: true })
      const panel = page.getByRole('dialog', { name: '筛选' })
      for (const pressed of ['/', 'n', 'j', 'x', 'Delete']) {
        const box = (await button.boundingBox())!
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
        // One after the other, and nothing waits for what the press does.
        await Promise.all([page.mouse.down(), page.mouse.up(), page.keyboard.press(pressed)])
        await panel.waitFor()
        await expect.poll(() => panel.evaluate((all) => all.contains(document.activeElement))).toBe(true)
        expect(await page.locator('.drawer-name, [role=menu], [role=alertdialog], .entity-form').count()).toBe(0)
        expect(new URL(page.url()).search).toBe('')
        // An arrow leads from the panel to what is chosen in it.
        await page.keyboard.press('ArrowDown')
        await panel.locator('[data-option]:focus, .pick-search input:focus').waitFor()
        await key('Escape')
        await panel.waitFor({ state: 'detached' })
      }
      expect(await page.locator('tbody tr[aria-selected=true]:visible, tbody tr.dt-cursor:visible').count()).toBe(0)
    }
  })

  it('the panel of the export is chosen, filled in and left by keys', async () => {
    await standOnThird()
    const more = page.getByRole('button', { name: '更多：导出、打印、删除' })
    await more.focus()
    await key('Enter')
    await page.getByRole('menuitem', { name: '导出' }).waitFor()
    await key('Enter')
    const panel = page.getByRole('region', { name: '导出' })
    await panel.waitFor()
    await expect
      .poll(() =>
        panel
          .locator('input')
          .first()
          .evaluate((box) => box === document.activeElement),
      )
      .toBe(true)
    await key('Tab')
    await key('ArrowRight')
    expect(await panel.getByRole('radio', { name: 'CSV' }).isChecked()).toBe(true)
    await key('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  it('what is typed before the panel of the export stands is no key of the list, and Escape calls it off', async () => {
    const more = page.getByRole('button', { name: '更多：导出、打印、删除' }).filter({ visible: true })
    const panel = page.getByRole('region', { name: '导出' })
    const cursor = page.locator('tbody tr.dt-cursor:visible')
    const third = await standOnThird()
    for (const isLeft of [false, true]) {
      let letGo: () => void = () => {}
      const held = new Promise<void>((done) => {
        letGo = done
      })
      await page.route(/\/assets\/export-[^/]*\.js/, async (route) => {
        await held
        await route.continue()
      })
      // The list is come back to, where it was left.
      await page.goto(`${product.url}/student/student`)
      await expect.poll(() => cursor.getAttribute('data-key')).toBe(third.id)
      await more.click()
      await page.getByRole('menuitem', { name: '导出' }).click()
      for (const pressed of ['n', '/', 'j', 'x', 'Delete', 'Home']) await page.keyboard.press(pressed)
      if (isLeft) await page.keyboard.press('Escape')
      const come = page.waitForResponse(/\/assets\/export-/)
      letGo()
      await come
      if (isLeft) {
        await page.keyboard.press('j')
        await expect.poll(() => cursor.getAttribute('data-key')).toBe(pupils[3]!.id)
        expect(await panel.count()).toBe(0)
      } else {
        await panel.locator('input:focus').first().waitFor()
        expect(await cursor.getAttribute('data-key')).toBe(third.id)
      }
      expect(await page.locator('.entity-form:visible, [role=alertdialog]').count()).toBe(0)
      expect(await page.locator('tbody tr[aria-selected=true]:visible').count()).toBe(0)
      expect(new URL(page.url()).search).toBe('')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  })

  it('a row of a tree likewise', async () => {
    await page.goto(`${product.url}/system/dept`)
    const rows = page.locator('[role=treegrid] tr[data-key]:visible')
    await rows.nth(2).waitFor()
    const named = (at: number) => rows.nth(at).locator('.dt-link, .tl-name').first().innerText()
    const [second, third] = [await named(1), await named(2)]
    await rows.nth(1).focus()
    const id = (await rows.nth(2).getAttribute('data-key'))!
    await page.goto(`${product.url}/system/dept?id=${id}`)
    await page.getByRole('complementary').waitFor()
    await expect.poll(() => rows.nth(2).getAttribute('aria-current')).toBe('true')
    await rows.nth(1).focus()
    for (const pressed of ['Delete', '#']) {
      await key(pressed)
      await dialog().getByText('确定将选择数据删除?').waitFor()
      const question = (await dialog().filter({ hasText: '确定将选择数据删除?' }).textContent()) ?? ''
      expect(question).toContain(third)
      expect(question).not.toContain(second)
      await key('Escape')
      await page.getByText('确定将选择数据删除?').waitFor({ state: 'hidden' })
    }
    await key('.')
    const menu = page.getByRole('menu', { name: new RegExp(third) })
    await menu.waitFor()
    await key('Escape')
    await menu.waitFor({ state: 'detached' })
    for (const pressed of ['e', 'F2']) {
      await key(pressed)
      await page.locator('.drawer-name').getByText(third, { exact: true }).waitFor()
      await key('Escape')
      await page.locator('.drawer-name').waitFor({ state: 'hidden' })
    }
  })

  it('what is opened from a menu gives the focus back to where the menu came from', async () => {
    await page.goto(`${product.url}/system/dept`)
    const rows = page.locator('[role=treegrid] tr[data-key]:visible')
    await rows.nth(2).waitFor()
    await rows.nth(1).focus()
    const name = await rows.nth(1).locator('.dt-link, .tl-name').first().innerText()
    const moving = page.getByRole('dialog', { name: `移动“${name}”` })
    const chosen = moving.locator('.ant-select-content').first()
    const opened = async () => {
      await key('.')
      await page.getByRole('menuitem', { name: '移动到…' }).waitFor()
      for (let n = 0; n < 5; n += 1) {
        if ((await page.locator('[role=menuitem]:focus').innerText()) === '移动到…') break
        await key('ArrowDown')
      }
      await key('Enter')
      await moving.locator('input:focus').waitFor()
    }
    await opened()
    await key('Escape')
    await moving.waitFor({ state: 'detached' })
    await expect.poll(() => rows.nth(1).evaluate((row) => row === document.activeElement)).toBe(true)
    // Another parent is typed, and nothing is moved before it is said.
    await opened()
    await page.keyboard.type('高级中学')
    await page.locator('.ant-select-tree-title:visible', { hasText: '示范区高级中学' }).waitFor()
    await key('Enter')
    await expect.poll(() => chosen.innerText()).toBe('示范区高级中学')
    await page.locator('.ant-select-dropdown:visible').waitFor({ state: 'hidden' })
    await key('Escape')
    await moving.waitFor({ state: 'detached' })
    await expect.poll(() => rows.nth(1).evaluate((row) => row === document.activeElement)).toBe(true)
    await key('ArrowDown')
    await expect.poll(() => rows.nth(2).evaluate((row) => row === document.activeElement)).toBe(true)
  })
})

beforeEach(() => complaints.splice(0))
afterEach(() => expect(complaints).toEqual([]))
