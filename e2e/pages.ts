/// <reference lib="dom" />
import type { BrowserContext, Page, Request } from 'playwright-core'
import { logIn } from './clerk.ts'

/** A page of the menus: who finds it there, and under which address. */
export interface Entry {
  readonly code: string
  readonly path: string
}

interface MenuNode extends Partial<Entry> {
  readonly children?: readonly MenuNode[]
}

const flat = (nodes: readonly MenuNode[]): Entry[] =>
  nodes.flatMap(({ code = '', path, children }) => [...(path ? [{ code, path }] : []), ...flat(children ?? [])])

export const hanSign = /[\u3400-\u4dbf\u4e00-\u9fff\uff00-\uff60]/

/**
 * Texts of an answer, without those that have an English one beside them: these must be shown in English, but on the
 * page where both are edited.
 */
function gather(value: unknown, into: Set<string>, both: boolean): void {
  if (typeof value === 'string') {
    if (hanSign.test(value)) into.add(value)
  } else if (Array.isArray(value)) for (const each of value) gather(each, into, both)
  else if (value && typeof value === 'object')
    for (const [name, each] of Object.entries(value))
      if ((both || !(`${name}En` in value)) && name !== 'msg') gather(each, into, both)
}

/** Somebody at a browser: what they see, what their browser complains of, and what came to it as data. */
export interface Visitor {
  readonly page: Page
  readonly userId: string
  /** The pages that this person's menus lead to. */
  readonly entries: readonly Entry[]
  /** Errors of the scripts and of the console since the last question. */
  complaints(): string[]
  /** Opens a page and waits until it stands: nothing is being loaded any more, and nothing says that it waits. */
  open(path: string): Promise<void>
  /** Waits until the page stands. */
  settle(): Promise<void>
  /** Chinese texts among these that no answer to this page brought. `both`: names are edited here in both languages. */
  untranslated(all: readonly string[], both?: boolean): string[]
}

/** How long nothing must be under way before a page counts as loaded. */
const QUIET = 120

/** Logs somebody in and counts what their page asks for. The live channel never ends and is not waited for. */
export async function visitor(
  context: BrowserContext,
  url: string,
  password: string,
  { tenantId = '000000', language = 'zh' }: { tenantId?: string; language?: 'zh' | 'en' } = {},
): Promise<Visitor> {
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  let complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`)
  })
  let under = 0
  let since = Date.now()
  const reads = new Set<Promise<void>>()
  const answers: unknown[] = []
  const counted = (request: Request): boolean => !/blade-desk\/live|^data:|^blob:/.test(request.url())
  const ended = (request: Request): void => {
    if (!counted(request)) return
    under -= 1
    since = Date.now()
  }
  page.on('request', (request) => {
    if (counted(request)) under += 1
  })
  page.on('requestfailed', ended)
  page.on('requestfinished', (request) => {
    ended(request)
    if (!request.url().includes('/api/')) return
    const read = (async () => {
      const response = await request.response()
      if (!/json/.test(response?.headers()['content-type'] ?? '')) return
      const answer = (await response?.json()) as { data?: unknown }
      answers.push(answer.data ?? answer)
    })()
      .catch(() => {})
      .finally(() => reads.delete(read))
    reads.add(read)
  })
  const settle = async (): Promise<void> => {
    const until = Date.now() + 15_000
    for (;;) {
      if (Date.now() > until) throw new Error(`${page.url()} is still loading: ${under} calls are open`)
      await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
      const wait = since + QUIET - Date.now()
      if (under <= 0 && wait <= 0) break
      await new Promise((resolve) => setTimeout(resolve, Math.max(20, under > 0 ? 20 : wait)))
    }
    await Promise.all(reads)
  }

  await logIn(page, url, password, 'admin', tenantId)
  const token = (await context.cookies()).find(({ name }) => name === 'databrain-access-token')?.value
  const ask = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${url}/api/${path}`, { headers: { 'blade-auth': `bearer ${token}` } })
    return ((await answer.json()) as { data: unknown }).data
  }
  await page.evaluate(
    (chosen) =>
      localStorage.setItem(
        'databrain-language',
        JSON.stringify({ content: chosen, dataType: 'string', datetime: Date.now() }),
      ),
    language,
  )
  return {
    page,
    userId: ((await ask('blade-user/info')) as { id: string }).id,
    entries: flat((await ask('blade-system/menu/routes')) as MenuNode[]),
    complaints: () => {
      const all = complaints
      complaints = []
      return all
    },
    open: async (path) => {
      // What is still on its way to the page before belongs to that page.
      await page.goto('about:blank')
      await Promise.all(reads)
      answers.length = 0
      under = 0
      await page.goto(url + path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await settle()
    },
    settle,
    untranslated: (all, both = false) => {
      const data = new Set<string>()
      gather(answers, data, both)
      return all.filter((text) => hanSign.test(text) && !isData(text, data))
    },
  }
}

/** Whether the Chinese in a text is somebody's: the language's own name for itself, or what an answer brought. */
function isData(text: string, data: ReadonlySet<string>): boolean {
  if (text === '中文') return true
  let rest = text
  for (const each of [...data].filter((piece) => rest.includes(piece)).sort((a, b) => b.length - a.length))
    rest = rest.replaceAll(each, '')
  // A part of a datum is one too: names are cut, lists are split.
  rest = rest.replace(/^[\s,、]+|[\s,、]+$/g, '')
  return !hanSign.test(rest) || [...data].some((piece) => piece.includes(rest))
}

/** Every text that the page shows or tells an assistive device, each once. */
export const texts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const holder = walker.currentNode.parentElement
      if (!holder || holder.closest('script,style,noscript')) continue
      found.add(walker.currentNode.nodeValue?.trim() ?? '')
    }
    for (const element of document.querySelectorAll<HTMLElement>('*'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-valuetext'])
        found.add(element.getAttribute(name)?.trim() ?? '')
    found.add(document.title)
    found.delete('')
    return [...found]
  })

/** By how much the window itself is larger than the screen, each way, and the head of a page than the page: what is long scrolls within. */
export const tooLarge = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement
    return [
      ...(scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px too wide`] : []),
      ...(scrollHeight > clientHeight ? [`${scrollHeight - clientHeight} px too tall`] : []),
      // A page's head scrolls nowhere: what is too wide for it is cut.
      ...[...document.querySelectorAll('main .entity-head')]
        .filter((head) => head.checkVisibility() && head.scrollWidth > head.clientWidth + 1)
        .map((head) => `${head.scrollWidth - head.clientWidth} px of the head cut`),
    ]
  })

/** Opens what the first row of the list tells, where there is one, looks at it and closes it. */
export async function lookAtFirst({ page, settle }: Visitor, look: () => Promise<void>): Promise<void> {
  // A row is opened by its name.
  const view = page.getByRole('main').locator('a[href*="?id="]:visible')
  if ((await view.count()) === 0) return
  await view.first().click()
  // Beside the list where there is room, above it where there is none.
  const opened = page.locator('aside.detail').or(page.getByRole('dialog')).first()
  await opened.waitFor()
  await settle()
  await look()
  await page.keyboard.press('Escape')
  await opened.waitFor({ state: 'detached' })
}

/** Opens the form that adds a row to the list of the page, where there is one: over the list, or a page of its own. */
export async function openAddForm({ page, settle }: Visitor): Promise<boolean> {
  const add = page
    .getByRole('main')
    .getByRole('button', { name: /^(新增|Add|New)/ })
    // A view may be called so too: 近 7 天新增, New in 7 days.
    .and(page.locator('.primary:visible'))
  if ((await add.count()) === 0) return false
  const { pathname } = new URL(page.url())
  await add.first().click()
  await Promise.any([page.getByRole('dialog').first().waitFor(), page.waitForURL((url) => url.pathname !== pathname)])
  await settle()
  return true
}
