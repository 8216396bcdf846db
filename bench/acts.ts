// The means to measure what an act costs the main thread of a page in a real browser.
import type { Browser, BrowserContext, CDPSession, Locator, Page } from 'playwright-core'
import { median } from './measure.ts'
import { benchPassword } from './school.ts'
import { benchTenant } from './stage.ts'

export const viewport = { width: 1440, height: 900 }

/** A page that is logged in, and the means to measure it. */
export interface Seat {
  readonly context: BrowserContext
  readonly page: Page
  readonly session: CDPSession
  readonly url: string
}

/** Logs in the administrator of the tenant on the log-in page that stands; ends on the home page. */
export async function logIn(page: Page): Promise<void> {
  const tenant = page.getByLabel('租户编号')
  if (await tenant.isVisible()) await tenant.fill(benchTenant)
  await page.getByLabel('账号').fill('admin')
  await page.locator('input[type=password]').fill(benchPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/wel/index')
  await page.getByRole('navigation', { name: '顶部菜单' }).waitFor()
}

/** A window of its own, logged in, with the code that is fetched once the first page is at rest. */
export async function sit(browser: Browser, url: string): Promise<Seat> {
  const context = await browser.newContext({ viewport, locale: 'zh-CN' })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(`${url}/login`)
  await logIn(page)
  await page.waitForTimeout(3_000)
  return { context, page, session, url }
}

/** Milliseconds that the main thread has worked so far. */
export async function threadTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN) * 1000
}

/**
 * So long (ms) a page is watched after an act that the browser alone does: its frames and what they bring, and nothing
 * that a timer does later.
 */
export const local = 140
/** And after one that waits for the server's answer. */
export const remote = 800

/**
 * Main-thread milliseconds of an act, less what the page spends in as long with nothing done to it. The act is keys and
 * mouse at a known place alone: whoever looks for an element in the page has the main thread look. `before` is done
 * right before it, unmeasured.
 */
export async function cost(
  seat: Seat,
  act: () => Promise<unknown>,
  watched = local,
  before?: () => Promise<unknown>,
): Promise<number> {
  const { page, session } = seat
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await threadTime(session)
    await work()
    await page.waitForTimeout(watched)
    return (await threadTime(session)) - before
  }
  await page.waitForTimeout(300)
  const idle = Math.min(await timed(async () => {}), await timed(async () => {}))
  await before?.()
  return Math.max(0, (await timed(act)) - idle)
}

/** The median of an act done several times; `after` puts the page back, unmeasured, and checks what was done. */
export async function often(
  seat: Seat,
  times: number,
  act: (nth: number) => Promise<unknown>,
  { watched = local, after }: { watched?: number; after?: (nth: number) => Promise<unknown> } = {},
): Promise<number> {
  const costs: number[] = []
  for (let nth = 0; nth < times; nth += 1) {
    costs.push(await cost(seat, () => act(nth), watched))
    await after?.(nth)
  }
  return median(costs)
}

/** Puts the mouse over an element and answers how to press it, without a look at the page. */
export async function aim(page: Page, target: Locator): Promise<() => Promise<void>> {
  await target.hover()
  await page.waitForTimeout(150)
  return async () => {
    await page.mouse.down()
    await page.mouse.up()
  }
}

export const heading = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name, exact: true })

export const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name, exact: true })

const top = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: '顶部菜单' }).getByText(name, { exact: true })

export const side = (page: Page): Locator => page.getByRole('navigation', { name: '侧边菜单' }).getByRole('link')

/** Shows a side menu without going anywhere else than to its first page. */
export async function showMenu(page: Page, name: string): Promise<void> {
  await top(page, name).click()
  await side(page).first().waitFor()
}

/** Goes to a page of the menus as a click does, without loading the document again. */
export async function open(page: Page, menu: string, item: string): Promise<void> {
  await showMenu(page, menu)
  await side(page)
    .filter({ hasText: new RegExp(`^${item}$`) })
    .click()
  await heading(page, item).waitFor()
}

/** Waits until the list that is shown has so many rows, and is at rest. */
export async function rowsAre(page: Page, least: number): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll('[role=tabpanel]')].some(
        (panel) => (panel as HTMLElement).offsetParent !== null && panel.querySelectorAll('tbody tr').length >= wanted,
      ),
    least,
  )
  await page.waitForTimeout(800)
}
