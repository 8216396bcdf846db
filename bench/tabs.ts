// What twenty open tabs keep of a browser's memory, and what is left of it when all are closed again.
import type { Browser, Route } from 'playwright-core'
import { heading, type Seat, showMenu, side, sit } from './acts.ts'
import { judge, type Verdict } from './report.ts'

const tabsOpen = 20

interface Kept {
  readonly heap: number
  readonly nodes: number
  readonly listeners: number
}

/** The elements of the page, by name and class, and how many of each there are. */
const census = ({ page }: Seat): Promise<Record<string, number>> =>
  page.evaluate(() => {
    const counts: Record<string, number> = {}
    for (const element of document.querySelectorAll('*')) {
      const name = [element.localName, ...element.classList].join('.')
      counts[name] = (counts[name] ?? 0) + 1
    }
    return counts
  })

/** Which elements there are more or fewer of, in words. */
const moved = (before: Record<string, number>, after: Record<string, number>): string =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const)
    .filter(([, by]) => by !== 0)
    .map(([name, by]) => `${name} ${by > 0 ? '+' : ''}${by}`)
    .join(', ')

/** What is kept once everything that can go has gone. */
async function collect({ page, session }: Seat): Promise<Kept> {
  await page.waitForTimeout(1_500)
  for (let nth = 0; nth < 4; nth += 1) {
    await session.send('HeapProfiler.collectGarbage')
    await page.waitForTimeout(150)
  }
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
  return { heap: of('JSHeapUsedSize') / 1_048_576, nodes: of('Nodes'), listeners: of('JSEventListeners') }
}

interface ListAnswer {
  data?: { records?: Record<string, unknown>[]; size?: number; total?: number }
}

/** Fills a list's answer up with copies of its own rows: most entities of the bench have no hundred. */
const fill = (rows: number) => async (route: Route) => {
  const answer = await route.fetch()
  const body = (await answer.json().catch(() => ({}))) as ListAnswer
  const records = body.data?.records
  if (!records || records.length === 0 || records.length >= rows) return route.fulfill({ response: answer })
  const filled = Array.from({ length: rows }, (_, nth) => ({ ...records[nth % records.length], id: `${9e15 + nth}` }))
  await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, records: filled, total: rows } } })
}

const menus = ['学校', '教学', '学生', '系统']

/** Opens pages one after the other by the side menu; answers how many. */
async function openTabs({ page }: Seat): Promise<number> {
  let opened = 0
  for (const menu of menus) {
    await showMenu(page, menu)
    for (const name of await side(page).allInnerTexts()) {
      if (opened === tabsOpen) return opened
      await side(page)
        .filter({ hasText: new RegExp(`^${name.trim()}$`) })
        .click()
      await heading(page, name.trim()).waitFor()
      await page.waitForTimeout(500)
      opened += 1
    }
  }
  return opened
}

async function closeAll({ page }: Seat): Promise<void> {
  await page.getByRole('tab').last().click({ button: 'right' })
  await page.getByRole('menuitem', { name: '关闭全部' }).click()
  await page.waitForURL('**/wel/index')
  await page.mouse.move(700, 880)
}

async function memory(browser: Browser, url: string, rows: number, most: number): Promise<[Verdict[], string]> {
  const seat = await sit(browser, url)
  await seat.page.route('**/list?*', fill(rows))
  // Once unmeasured: code, dictionaries and what a page at rest fetches ahead are fetched once and stay.
  await openTabs(seat)
  await collect(seat)
  await closeAll(seat)
  const base = await collect(seat)
  const there = await census(seat)
  let opened = 0
  let full: Kept | undefined
  const after: Kept[] = []
  for (let cycle = 0; cycle < 3; cycle += 1) {
    opened = await openTabs(seat)
    if (opened !== tabsOpen) throw new Error(`${opened} tabs could be opened`)
    full ??= await collect(seat)
    await closeAll(seat)
    after.push(await collect(seat))
  }
  const changed = moved(there, await census(seat))
  await seat.context.close()
  const [first, last] = [after[0]!, after.at(-1)!]
  const what = `20 tabs of ${rows} rows`
  const tell = ({ heap, nodes, listeners }: Kept) => `${heap.toFixed(1)} MB, ${nodes} nodes, ${listeners} listeners`
  const note = [`${what}: before ${tell(base)}`, `open ${tell(full!)}`, ...after.map((one) => `closed ${tell(one)}`)]
  if (changed) note.push(`on the page in the end: ${changed}`)
  return [
    [
      judge(`${what}: JS heap`, full!.heap, most, ' MB', 'at most', 1),
      judge(`${what}, closed: heap over before`, first.heap - base.heap, 6, ' MB', 'at most', 1),
      judge(`${what}, closed: DOM nodes over before`, last.nodes - base.nodes, 0, ''),
      judge(`${what}, closed: listeners over before`, last.listeners - base.listeners, 0, ''),
      judge(`${what}: growth from the first to the third closing`, last.heap - first.heap, 2, ' MB', 'at most', 1),
    ],
    note.join('; '),
  ]
}

/** Twenty tabs open and closed, of few rows and of many; with what was counted, in words. */
export async function tabMemory(browser: Browser, url: string): Promise<{ goals: Verdict[]; notes: string[] }> {
  const [few, fewNote] = await memory(browser, url, 10, 45)
  const [many, manyNote] = await memory(browser, url, 100, 70)
  return { goals: [...few, ...many], notes: [fewNote, manyNote] }
}
