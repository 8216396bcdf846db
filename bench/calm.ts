// What a person feels beside single acts, on the built product: how long the longest task is while lists are used, and
// whether what stands on a page moves by itself.
import type { Browser, Page } from 'playwright-core'
import { heading, logIn, open, rowsAre, side, tab, viewport } from './acts.ts'
import { judge, type Verdict } from './report.ts'

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds by the clock, and of the processor. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** Milliseconds of the processor that the longest task of a page's main thread took in a trace. */
export function longestTask(events: readonly TraceEvent[]): number {
  const thread = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`
  const mains = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(thread),
  )
  const tasks = events.filter((event) => event.name === 'RunTask' && event.ph === 'X' && mains.has(thread(event)))
  if (tasks.length === 0) throw new Error('the trace holds no task: nothing was measured')
  return Math.max(...tasks.map(({ tdur, dur }) => tdur ?? dur ?? 0)) / 1000
}

type Shifts = typeof globalThis & { shifted: number }

/** How far things have moved by themselves on the page at hand, as Cumulative Layout Shift counts it. */
const shifted = (page: Page): Promise<number> => page.evaluate(() => (globalThis as Shifts).shifted)

/** Lists of ten rows as somebody uses them: other tabs, ticks, letters in fields, a form, the palette, a record. */
async function use(page: Page): Promise<void> {
  const rest = () => page.waitForTimeout(500)
  for (const name of ['家长', '学生']) {
    await tab(page, name).click()
    await heading(page, name).waitFor()
    await rest()
  }
  for (const nth of [1, 2]) await page.locator('tbody:visible input[type=checkbox]').nth(nth).click()
  await page.keyboard.press('Escape')
  await page
    .getByRole('search')
    .getByRole('textbox', { name: /^搜索/ })
    .and(page.locator(':visible'))
    .pressSequentially('ab', { delay: 80 })
  for (let nth = 0; nth < 2; nth += 1) await page.keyboard.press('Backspace')
  await rest()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').pressSequentially('xs', { delay: 80 })
  await rest()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '下一页' }).and(page.locator(':visible')).click()
  await rest()
  await page.locator('tbody:visible a.dt-link').first().click()
  await page.getByRole('complementary').first().waitFor()
  await rest()
  await page.keyboard.press('Escape')
}

/** Long tasks and moved things, on home, lists of ten rows and what stands over them. */
export async function calm(browser: Browser, url: string): Promise<Verdict[]> {
  const context = await browser.newContext({ viewport, locale: 'zh-CN' })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await page.addInitScript(() => {
    const here = globalThis as Shifts
    here.shifted = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) here.shifted += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const shifts: number[] = []
  await page.goto(`${url}/login`)
  await page.waitForTimeout(500)
  shifts.push(await shifted(page))
  await logIn(page)
  await page.waitForTimeout(3_000)
  for (const item of ['学生', '家长']) {
    await open(page, '学生', item)
    await rowsAre(page, 10)
  }
  await side(page).first().hover()
  await page.waitForTimeout(2_000)
  await browser.startTracing(page, {
    categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
  })
  await use(page)
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  shifts.push(await shifted(page))
  // And loaded by its address.
  await page.goto(`${url}/student/student?size=100`)
  await rowsAre(page, 100)
  shifts.push(await shifted(page))
  await context.close()
  return [
    judge('lists of 10 rows in use: longest task', longestTask(trace.traceEvents), 60, ' ms', 'at most', 1),
    judge('what moves by itself: log-in, home, lists (CLS)', Math.max(...shifts), 0.02, '', 'at most', 3),
  ]
}
