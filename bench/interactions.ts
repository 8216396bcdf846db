// What the console's own interactions cost the main thread of a real browser, on the built product, each beside its gate.
import type { Browser } from 'playwright-core'
import { aim, cost, heading, often, open, remote, rowsAre, type Seat, side, sit, tab } from './acts.ts'
import { median } from './measure.ts'
import { judge, type Verdict } from './report.ts'

const gate = (what: string, value: number, most: number): Verdict => judge(what, value, most, ' ms', 'at most', 1)

/** Something is not as the act should have left it: a figure of it would mean nothing. */
function demand(what: string, holds: boolean): void {
  if (!holds) throw new Error(`measured for nothing: ${what}`)
}

const students = '/student/student'

/** The list of students with so many rows, in a window whose other tabs are closed. */
async function listOf({ page, url }: Seat, rows: number): Promise<void> {
  await page.goto(`${url}${students}?size=${rows}`)
  await rowsAre(page, rows)
}

async function tabs(seat: Seat): Promise<Verdict[]> {
  const { page } = seat
  await open(page, '学生', '学生')
  await rowsAre(page, 10)
  const opened: number[] = []
  for (const item of ['家长', '学生简历', '学生分组', '家校消息']) {
    const press = await aim(page, side(page).filter({ hasText: new RegExp(`^${item}$`) }))
    opened.push(await cost(seat, press, remote))
    demand(`${item} is open`, await heading(page, item).isVisible())
  }
  const between = async (rows: number): Promise<number> => {
    const costs: number[] = []
    for (let nth = 0; nth < 3; nth += 1) {
      await tab(page, '学生分组').click()
      const press = await aim(page, tab(page, '学生'))
      costs.push(await cost(seat, press))
      demand(`${rows} rows are back`, (await page.locator('tbody tr:visible').count()) === rows)
    }
    return median(costs)
  }
  const ten = await between(10)
  await listOf(seat, 100)
  await open(page, '学生', '学生分组')
  await page.waitForTimeout(800)
  return [
    gate('open a tab, its code fetched before', median(opened), 90),
    gate('switch to an open tab of 10 rows', ten, 70),
    gate('switch to an open tab of 100 rows', await between(100), 210),
  ]
}

async function rows(seat: Seat): Promise<Verdict[]> {
  const { page } = seat
  await listOf(seat, 200)
  const ticked = () => page.locator('tbody input:checked').count()
  const press = await aim(page, page.getByRole('checkbox', { name: '选择本页' }))
  const all = await often(seat, 3, press, {
    after: async () => {
      demand('all rows are ticked', (await ticked()) === 200)
      await press()
    },
  })
  await page.waitForTimeout(500)
  await press()
  await page.waitForTimeout(500)
  const none = await often(seat, 3, press, {
    after: async () => {
      demand('no row is ticked', (await ticked()) === 0)
      await press()
    },
  })
  await press()
  const ticks: number[] = []
  for (let nth = 3; nth < 8; nth += 1)
    ticks.push(await cost(seat, await aim(page, page.locator('tbody input[type=checkbox]').nth(nth))))
  demand('five rows are ticked', (await ticked()) === 5)

  const quick = page.getByRole('search').getByRole('textbox', { name: /^搜索/ })
  await quick.focus()
  const keys: number[] = []
  for (const letter of 'wertz') {
    // A second letter: the first one brings the button that empties the field. Both are taken back before they are sent,
    // for what is measured is the key and not the answer.
    const first = async (): Promise<void> => {
      await page.keyboard.press('q')
      await page.waitForTimeout(60)
    }
    keys.push(await cost(seat, () => page.keyboard.press(letter), 120, first))
    for (let nth = 0; nth < 2; nth += 1) await page.keyboard.press('Backspace')
  }
  demand('the rows are still there', (await page.locator('tbody tr').count()) === 200)
  return [
    gate('tick one row of 200', median(ticks), 16),
    gate('select all 200 rows', all, 50),
    gate('select none of 200 again', none, 50),
    gate('a key in the quick search over 200 rows', median(keys), 10),
  ]
}

/** A form of a dozen fields opened, and keys in one of twice as many: the sizes that the gates were set by. */
async function forms(seat: Seat): Promise<Verdict[]> {
  const { page } = seat
  const form = page.getByRole('dialog')
  const field = (label: string) => form.getByRole('textbox', { name: label, exact: true })
  const button = () => aim(page, page.getByRole('button', { name: /^新增/ }).first())
  const closed = async (label: string): Promise<void> => {
    await field(label).waitFor()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
    await page.waitForTimeout(500)
  }
  await open(page, '学校', '校区')
  // At rest, as when somebody has looked at the list: the form's code is fetched ahead.
  await rowsAre(page, 1)
  await page.waitForTimeout(2_000)
  const small = await button()
  const first = await cost(seat, small, remote)
  await closed('校区名称')
  const later = await often(seat, 4, small, { after: () => closed('校区名称'), watched: 400 })
  await small()
  await field('校区名称').click()
  const few = await often(seat, 5, (nth) => page.keyboard.press('abcde'[nth]!))
  demand('the keys arrived', (await field('校区名称').inputValue()) === 'abcde')
  for (let nth = 0; nth < 5; nth += 1) await page.keyboard.press('Backspace')
  await closed('校区名称')

  await open(page, '学生', '学生')
  await rowsAre(page, 10)
  await (await button())()
  await field('姓名').click()
  const key = await often(seat, 5, (nth) => page.keyboard.press('abcde'[nth]!))
  demand('the keys arrived', (await field('姓名').inputValue()) === 'abcde')
  return [
    gate('open the edit form, first time', first, 160),
    gate('open the edit form, later', later, 35),
    gate('a key in a form of a dozen fields', few, 12),
    gate('a key in a form of two dozen', key, 12),
  ]
}

async function palette(seat: Seat): Promise<Verdict[]> {
  const { page } = seat
  const field = page.getByRole('dialog').getByRole('combobox')
  const away = async (): Promise<void> => {
    demand('the palette is open', await field.isVisible())
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
  }
  const press = () => page.keyboard.press('Control+k')
  await press()
  await field.waitFor()
  await away()
  const opened = await often(seat, 4, press, { after: away })
  await press()
  await field.waitFor()
  // The keys alone: the server is asked 150 ms after the last one.
  const keys = await often(seat, 5, (nth) => page.keyboard.press('xxjcb'[nth]!), { watched: 120 })
  await away()
  await listOf(seat, 10)
  const name = await page.locator('tbody:visible a.dt-link').first().innerText()
  // By the clock: the wait after the last key, the server's answer, and the rows on the screen.
  const found: number[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    await press()
    await field.waitFor()
    const began = performance.now()
    await page.keyboard.insertText(name)
    await page
      .getByRole('option', { name: new RegExp(`^${name}`) })
      .first()
      .waitFor()
    found.push(performance.now() - began)
    await away()
  }
  return [
    gate('open the command palette', opened, 20),
    gate('a key in the palette', keys, 8),
    gate('people in the palette, from the key to the screen', median(found), 350),
  ]
}

async function looks(seat: Seat): Promise<Verdict[]> {
  const { page } = seat
  const goals: Verdict[] = []
  const shown = () => page.evaluate(() => ({ ...document.documentElement.dataset }))
  for (const [rows, most] of [
    [10, 50],
    [200, 130],
  ] as const) {
    await listOf(seat, rows)
    const scheme = await often(seat, 4, (nth) => page.emulateMedia({ colorScheme: nth % 2 === 0 ? 'dark' : 'light' }))
    demand('the scheme is light again', (await shown()).scheme === 'light')
    goals.push(gate(`colour scheme, ${rows} rows`, scheme, most))
    await page.keyboard.press('Alt+t')
    await page.getByRole('dialog').waitFor()
    await page.waitForTimeout(500)
    const before = (await shown()).theme
    const theme = await often(seat, 4, () => page.keyboard.press('ArrowRight'), { watched: 300 })
    demand('the theme is another', (await shown()).theme !== before)
    await page.keyboard.press('Escape')
    goals.push(gate(`theme, ${rows} rows and the dialog`, theme, most))
  }
  return goals
}

async function language(seat: Seat): Promise<Verdict[]> {
  const { page } = seat
  await listOf(seat, 10)
  const press = () => page.keyboard.press('Alt+g')
  // Once there and back, unmeasured: the words of the other language are fetched once.
  await press()
  await page.waitForTimeout(1_500)
  await press()
  await page.waitForTimeout(1_500)
  const turned = await often(seat, 4, press, { watched: remote })
  await heading(page, '学生').waitFor()
  return [gate('language switch', turned, 80)]
}

async function tree(seat: Seat, under: string): Promise<Verdict[]> {
  const { page } = seat
  await open(page, '系统', '部门')
  const row = page.getByRole('row', { name: new RegExp(under) }).first()
  await row.waitFor()
  const unfold = async (): Promise<() => Promise<void>> => aim(page, row.getByRole('button').first())
  await (await unfold())()
  await page.getByText(`${under} 0001`).first().waitFor()
  const press = await unfold()
  await press()
  await page.waitForTimeout(500)
  const opened = await often(seat, 3, press, {
    after: async () => {
      demand('the branch is open', await page.getByText(`${under} 0001`).first().isVisible())
      await press()
    },
  })
  return [gate('a tree: open a branch of 1,000', opened, 100)]
}

/** Locks, and measures until the frame in which the work is gone from the page. */
async function lock(seat: Seat): Promise<Verdict[]> {
  const { page } = seat
  await listOf(seat, 10)
  const costs: number[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    await page.keyboard.press('Alt+l')
    await page.getByRole('dialog').getByLabel('锁屏密码').fill('1234')
    costs.push(await cost(seat, () => page.keyboard.press('Enter'), 60))
    demand('the work is gone', (await page.locator('[role=tabpanel]').count()) === 0)
    await page.locator('input[type=password]').fill('1234')
    await page.keyboard.press('Enter')
    await rowsAre(page, 10)
  }
  return [gate('lock: the work is gone', median(costs), 30)]
}

const parts = { tabs, rows, forms, palette, looks, language, tree, lock } as const
export type Part = keyof typeof parts
export const allParts = Object.keys(parts) as Part[]

/** Interactions on a running product, each beside its gate. `branch` is a department with 1,000 below it. */
export async function interactions(
  browser: Browser,
  url: string,
  branch: string,
  wanted: readonly Part[] = allParts,
): Promise<Verdict[]> {
  const goals: Verdict[] = []
  // A window for each: what one leaves behind is nothing to the next.
  for (const part of wanted) {
    const seat = await sit(browser, url)
    goals.push(...(await parts[part](seat, branch)))
    await seat.context.close()
  }
  return goals
}
