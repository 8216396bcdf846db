// `npm run bench:console`: what the console weighs on the wire, cold, and what its table costs the main thread, in a
// real browser. Everything on loopback; everything it starts it ends.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, CDPSession } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { logIn, threadTime, viewport } from './acts.ts'
import { fillBranch } from './branch.ts'
import { calm } from './calm.ts'
import { interactions } from './interactions.ts'
import { median } from './measure.ts'
import { judge, table, type Verdict, verdicts } from './report.ts'
import { fillSchools } from './school.ts'
import { end, endAll, startProduct } from './servers.ts'
import { benchTenant, makeStage } from './stage.ts'
import { tabMemory } from './tabs.ts'

const root = path.join(import.meta.dirname, '..')

interface Weight {
  files: number
  fileBytes: number
  /** Answers of calls, which depend on the data and are compressed by a proxy where at all. */
  callBytes: number
}

/** Counts what the network brings, step by step, and which hosts were asked. */
class Scales {
  readonly hosts = new Set<string>()
  #weight: Weight = { files: 0, fileBytes: 0, callBytes: 0 }
  readonly #kinds = new Map<string, string>()
  /** File by file, of the step at hand. */
  #largest: { url: string; bytes: number }[] = []
  readonly #going = new Set<string>()
  #last = Date.now()

  constructor(session: CDPSession) {
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (/^(data|blob):/.test(request.url)) return
      const url = new URL(request.url)
      this.hosts.add(url.host)
      this.#kinds.set(requestId, url.pathname)
      this.#going.add(requestId)
      this.#last = Date.now()
    })
    // What stays open is not waited for.
    session.on('Network.responseReceived', ({ requestId, response }) => {
      if (response.mimeType === 'text/event-stream') this.#end(requestId)
    })
    session.on('Network.loadingFailed', ({ requestId }) => this.#end(requestId))
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      this.#end(requestId)
      const pathname = this.#kinds.get(requestId)
      if (pathname === undefined || encodedDataLength === 0) return
      if (pathname.startsWith('/api/')) this.#weight.callBytes += encodedDataLength
      else {
        this.#weight.files += 1
        this.#weight.fileBytes += encodedDataLength
        this.#largest.push({ url: pathname, bytes: encodedDataLength })
      }
    })
  }

  #end(requestId: string): void {
    this.#going.delete(requestId)
    this.#last = Date.now()
  }

  /** Until nothing has been asked for, and nothing is awaited, for so long (ms). */
  async rest(milliseconds: number): Promise<void> {
    while (this.#going.size > 0 || Date.now() - this.#last < milliseconds) await wait(20)
  }

  /** What has come since the last step, and the dozen largest files of it. */
  step(): Weight & { largest: string } {
    const largest = this.#largest
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, 12)
      .map(({ url, bytes }) => `${path.basename(url)} ${(bytes / 1000).toFixed(1)}`)
      .join(', ')
    const weight = { ...this.#weight, largest }
    this.#weight = { files: 0, fileBytes: 0, callBytes: 0 }
    this.#largest = []
    return weight
  }
}

/** A department with a thousand below it. */
const branch = '分部'
const heaviest = { login: 12, home: 110, list: 150 }

async function weigh(browser: Browser, url: string): Promise<{ rows: string[][]; goals: Verdict[] }> {
  const context = await browser.newContext({ viewport, locale: 'zh-CN' })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const scales = new Scales(session)
  await page.goto(`${url}/login`)
  await scales.rest(1_500)
  const login = scales.step()
  await logIn(page)
  await scales.rest(700)
  const home = scales.step()
  // What a page at rest fetches for the next step: the search overlay, the channel of the notices.
  await page.waitForTimeout(2_500)
  const ahead = scales.step()
  await page.getByRole('navigation', { name: '顶部菜单' }).getByText('学生', { exact: true }).click()
  await page.getByRole('navigation', { name: '侧边菜单' }).getByText('学生', { exact: true }).click()
  await page.getByRole('heading', { level: 1, name: '学生', exact: true }).waitFor()
  await scales.rest(700)
  const list = scales.step()
  const host = new URL(url).host
  const others = [...scales.hosts].filter((each) => each !== host)
  await context.close()
  const steps = { login, home, ahead, list }
  const titles = {
    login: 'login page',
    home: '+ shell and home',
    list: '+ first list page',
    ahead: '+ fetched ahead, at rest',
  }
  const names = ['login', 'home', 'ahead', 'list'] as const
  const judged = ['login', 'home', 'list'] as const
  if (judged.some((name) => steps[name].files === 0)) throw new Error('a step brought no file: nothing was measured')
  return {
    rows: [
      ['step', 'files', 'kB', 'calls kB', 'largest files (kB)'],
      ...names.map((name) => {
        const { files, fileBytes, callBytes, largest } = steps[name]
        return [titles[name], String(files), (fileBytes / 1000).toFixed(1), (callBytes / 1000).toFixed(1), largest]
      }),
    ],
    goals: [
      ...judged.map((name) => judge(titles[name], steps[name].fileBytes / 1000, heaviest[name], ' kB', 'at most', 1)),
      judge(`requests to other hosts${others.length > 0 ? ` (${others.join(', ')})` : ''}`, others.length, 0, ''),
    ],
  }
}

const built = path.join(root, 'console/bench/dist')
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** The bench page of the table, built and served to this machine only. */
function serveTable(): Promise<{ http: HttpServer; url: string }> {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js')
  const { status } = spawnSync(
    process.execPath,
    [vite, 'build', '--config', 'bench/vite.config.ts', '--logLevel', 'warn'],
    {
      cwd: path.join(root, 'console'),
      stdio: 'inherit',
      timeout: 120_000,
    },
  )
  if (status !== 0) throw new Error('the bench page of the table could not be built')
  const http = createServer((request, response) => {
    const file = path.join(built, path.normalize(new URL(request.url ?? '/', 'http://bench').pathname))
    if (!file.startsWith(`${built}${path.sep}`) || !existsSync(file)) return void response.writeHead(404).end()
    response
      .writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' })
      .end(readFileSync(file))
  })
  return new Promise((resolve) => {
    http.listen(0, '127.0.0.1', () => {
      const { port } = http.address() as { port: number }
      resolve({ http, url: `http://127.0.0.1:${port}/table.html` })
    })
  })
}

interface TablePage {
  mount(size: number): void
  unmount(): void
  next(size: number, number: number): void
  tick(at: number): void
  tickAll(): void
  rows(): number
}
type Global = typeof globalThis & { bench: TablePage }

interface TableCosts {
  /** A fixed piece of work: what it costs tells a slow moment of the machine from a slow table. */
  readonly fixed: number
  readonly first: number
  /** All 200 rows, in as many frames as it takes. */
  readonly whole: number
  readonly tick: number
  readonly all: number
  readonly none: number
  readonly nextMany: number
  readonly ten: number
  readonly next: number
  readonly fifty: number
}

/** Main-thread milliseconds of the table: 200 rows to their first frame and whole, ticks, other pages, smaller tables. */
async function tableCosts(browser: Browser, url: string): Promise<TableCosts> {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(url)
  await page.waitForFunction(() => 'bench' in globalThis)
  await page.waitForTimeout(300)
  const cost = async (act: () => Promise<unknown>, rest = 150): Promise<number> => {
    const before = await threadTime(session)
    await act()
    if (rest > 0) await page.waitForTimeout(rest)
    return (await threadTime(session)) - before
  }
  const fixed = await cost(
    () =>
      page.evaluate(() => {
        const numbers = Array.from({ length: 400_000 }, (_, i) => (i * 7919) % 99_991)
        return numbers.sort((a, b) => a - b).length
      }),
    0,
  )
  // Until the frame is painted: a task of its own after the next animation frame.
  const first = await cost(
    () =>
      page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            ;(globalThis as Global).bench.mount(200)
            requestAnimationFrame(() => {
              const channel = new MessageChannel()
              channel.port1.onmessage = () => resolve()
              channel.port2.postMessage(0)
            })
          }),
      ),
    0,
  )
  // Looked at from outside: a page that is asked again and again whether it is done has that to do as well.
  const rest = await cost(() => page.waitForTimeout(2_000), 0)
  if ((await page.locator('tbody tr').count()) !== 200) throw new Error('200 rows are not there after two seconds')
  const ticks: number[] = []
  for (const at of [3, 4, 5, 6, 7])
    ticks.push(await cost(() => page.evaluate((row) => (globalThis as Global).bench.tick(row), at)))
  const checked = await page.locator('tbody input:checked').count()
  if (checked !== 5) throw new Error(`${checked} rows are ticked after five ticks`)
  const tickAll = () => cost(() => page.evaluate(() => (globalThis as Global).bench.tickAll()))
  const all = await tickAll()
  const none = await tickAll()
  const next = (rows: number, to: number) =>
    cost(() => page.evaluate(([size, number]) => (globalThis as Global).bench.next(size!, number!), [rows, to]), 600)
  const nextMany = median([await next(200, 1), await next(200, 2), await next(200, 3)])
  const mount = async (rows: number): Promise<number> => {
    await page.evaluate(() => (globalThis as Global).bench.unmount())
    await page.waitForTimeout(300)
    return cost(() => page.evaluate((size) => (globalThis as Global).bench.mount(size), rows))
  }
  const fifty = await mount(50)
  const ten = await mount(10)
  const nexts: number[] = []
  for (const number of [1, 2, 3, 4, 5]) nexts.push(await next(10, number))
  await context.close()
  return {
    ...{ fixed, first, whole: first + rest, tick: median(ticks), all, none },
    ...{ nextMany, fifty, ten, next: median(nexts) },
  }
}

async function main(browser: Browser): Promise<void> {
  const stage = await makeStage()
  const goals: Verdict[] = []
  try {
    await fillSchools(stage.services, benchTenant, 'admin', { students: 400, parents: 120, schools: 1, classes: 4 })
    await fillBranch(stage.services, benchTenant, branch, 1_000)
    const product = await startProduct({
      env: { DATABASE_URL: stage.url, DATA_DIR: stage.dataDir, LOGIN_PER_MINUTE: '1000000' },
    })
    const url = `http://127.0.0.1:${product.port}`
    const { rows, goals: weights } = await weigh(browser, url)
    console.log(`\n${table(rows)}\n`)
    const acts = await interactions(browser, url, branch)
    const felt = await calm(browser, url)
    const { goals: kept, notes } = await tabMemory(browser, url)
    await end(product.child)
    console.log(`${notes.join('\n')}\n`)
    goals.push(...weights, ...acts, ...felt, ...kept)
  } finally {
    await endAll()
    await stage.close()
  }
  const { http, url } = await serveTable()
  try {
    const runs: TableCosts[] = []
    for (let nth = 0; nth < 5; nth += 1) runs.push(await tableCosts(browser, url))
    const of = (name: keyof TableCosts): number => median(runs.map((run) => run[name]))
    console.log(`a fixed piece of work, for comparison between runs: ${of('fixed').toFixed(1)} ms\n`)
    goals.push(
      judge('table 10 × 15', of('ten'), 20, ' ms', 'at most', 1),
      judge('table 50 × 15', of('fifty'), 45, ' ms', 'at most', 1),
      judge('table 200 × 15: first frame', of('first'), 60, ' ms', 'at most', 1),
      judge('table 200 × 15: whole', of('whole'), 160, ' ms', 'at most', 1),
      judge('tick one row of 200, without the mouse', of('tick'), 16, ' ms', 'at most', 1),
      judge('select all 200 rows, without the mouse', of('all'), 50, ' ms', 'at most', 1),
      judge('select none of them again', of('none'), 50, ' ms', 'at most', 1),
      judge('next page of 10 rows', of('next'), 15, ' ms', 'at most', 1),
      judge('next page of 200 rows', of('nextMany'), 140, ' ms', 'at most', 1),
    )
  } finally {
    http.close()
    http.closeAllConnections()
  }
  console.log(verdicts(goals))
}

const browser = await launchBrowser()
const stop = (): Promise<void> => Promise.all([endAll(), browser.close()]).then(() => undefined)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop().then(() => process.exit(1)))
try {
  await main(browser)
} finally {
  await stop()
}
process.exit(process.exitCode ?? 0)
