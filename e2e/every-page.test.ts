/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MenuSeed, topMenus } from '../contract/src/menus.ts'
import { parameters } from '../contract/src/parameters.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { hanSign, lookAtFirst, openAddForm, texts, tooLarge, type Visitor, visitor } from './pages.ts'
import { type Product, password, startProduct } from './product.ts'

/**
 * Every page that a menu leads to, and the form that adds a row to it: opened in both languages, on a desk and on a
 * phone. Pages of a tenant are opened by the administrator of the demo school, whose lists have rows; what only the
 * platform has, by the platform's.
 */

const long = process.env.TEST_LONG === '1'
/** A walk through all pages, on a machine that has other things to do as well. */
const walkTime = 900_000
const demo = '000001'
/** Pages that stand in no menu; one that the school may not open, and says so, is open to the platform. */
const others: Readonly<Record<string, readonly string[]>> = {
  [demo]: ['/wel/index', '/wel/notice', '/info/index', '/system/user/import', '/403', '/404', '/500', '/system/menu'],
  '000000': ['/dict-horizontal/index'],
}
/** Where names are edited in both languages, both are shown. */
const bothNames = new Set(['menu', 'topmenu'])

/** Texts that look like the key of a phrase that nobody wrote; keys of parameters are names that people type. */
const keys = (all: readonly string[]): string[] =>
  all.filter(
    (text) =>
      /^[a-z]+[A-Za-z]*(\.[A-Za-z0-9]+)+$/.test(text) &&
      !/\.(js|css|html|xlsx|csv|zip|com|cn)$/.test(text) &&
      !Object.hasOwn(parameters, text),
  )

let product: Product
let browser: Browser

/** Where a visit ended, and what the page calls itself. */
interface Place {
  readonly path: string
  readonly heading: string
}

/** The entries of the menus as they are delivered, each with a page of its own. */
const pagesUnder = (nodes: readonly MenuSeed[]): (MenuSeed & { path: string })[] =>
  nodes.flatMap((node) => [...(node.path ? [{ ...node, path: node.path }] : []), ...pagesUnder(node.children ?? [])])

interface Walk {
  readonly pages: ReadonlyMap<string, Place>
  readonly visited: number
  readonly words: readonly string[]
  readonly wide: readonly string[]
  readonly lines: readonly string[]
  readonly axe: readonly string[]
  readonly opened: readonly string[]
  readonly complaints: readonly string[]
}

/** Buttons over a list that stand in a second line, out of the screen or are hard to touch, once the page is a phone's. */
const secondLine = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.entity-buttons')].flatMap((line) => {
      const shown = [...line.querySelectorAll('button')].filter(
        (each) => each.checkVisibility() && !each.closest('.pop'),
      )
      const top = Math.min(...shown.map((each) => each.getBoundingClientRect().top))
      return shown
        .filter((each) => {
          const { top: y, left, right, width, height } = each.getBoundingClientRect()
          return y > top + 8 || left < 0 || right > innerWidth || width < 44 || height < 44
        })
        .map(
          (each) => `${each.getAttribute('aria-label') ?? each.innerText} ${each.offsetWidth} × ${each.offsetHeight}`,
        )
    }),
  )

/** Goes to every page once. `look` says what is found on one, by kind. */
async function walk(
  language: 'zh' | 'en',
  width: number,
  look: (
    who: Visitor,
    nth: number,
    code: string,
  ) => Promise<Partial<Record<'words' | 'wide' | 'lines' | 'axe' | 'opened', readonly string[]>>>,
): Promise<Walk> {
  const kind = () => new Set<string>()
  const all = { words: kind(), wide: kind(), lines: kind(), axe: kind(), opened: kind() }
  const complaints: string[] = []
  const seen = new Set<string>()
  const pages = new Map<string, Place>()
  for (const tenantId of [demo, '000000']) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, locale: 'zh-CN' })
    const who = await visitor(context, product.url, password, { tenantId, language })
    const places = [...who.entries, ...(others[tenantId] ?? []).map((path) => ({ code: path, path }))]
    for (const { code, path } of places.filter((place) => !seen.has(place.code))) {
      const seenHere = async () => {
        await who.open(path)
        const heading = await who.page.getByRole('heading', { level: 1 }).first().innerText()
        pages.set(code, { path: new URL(who.page.url()).pathname, heading })
        return look(who, seen.size, code)
      }
      const kinds = await seenHere().catch((cause: unknown) => {
        throw new Error(`${code} could not be looked at`, { cause })
      })
      for (const [kind, found] of Object.entries(kinds))
        for (const each of found) all[kind as keyof typeof all].add(`${code}: ${each}`)
      seen.add(code)
    }
    complaints.push(...who.complaints())
    await context.close()
  }
  return {
    pages,
    visited: seen.size,
    words: [...all.words],
    wide: [...all.wide],
    lines: [...all.lines],
    axe: [...all.axe],
    opened: [...all.opened],
    complaints,
  }
}

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('every page of the menus', () => {
  let desk: Walk
  let phone: Walk
  // Both at once: each waits for the server half of the time.
  beforeAll(async () => {
    const walks = [
      walk('en', 1440, async (who, nth, code) => {
        const { page } = who
        const wrong = async (): Promise<string[]> => {
          const shown = await texts(page)
          return [...who.untranslated(shown, bothNames.has(code)), ...keys(shown)]
        }
        const words = await wrong()
        const opened: string[] = []
        await page.setViewportSize({ width: 390, height: 900 })
        const lines = await secondLine(page)
        await page.setViewportSize({ width: 1440, height: 900 })
        // Each page in the long run; by turns in the short one, so that all kinds of page are among them.
        const axe = long || nth % 4 === 0 ? await axeFaults(page) : []
        if (long || nth % 4 === 1)
          await lookAtFirst(who, async () => {
            opened.push('row')
            words.push(...(await wrong()).map((text) => `row: ${text}`))
            if (long) axe.push(...(await axeFaults(page)).map((fault) => `row: ${fault}`))
          })
        if (await openAddForm(who)) {
          opened.push('form')
          words.push(...(await wrong()).map((text) => `form: ${text}`))
          if (long) axe.push(...(await axeFaults(page)).map((fault) => `form: ${fault}`))
        }
        return { words, axe, opened, lines, wide: await tooLarge(page) }
      }),
      walk('zh', 390, async ({ page }, nth) => ({
        words: keys(await texts(page)),
        wide: await tooLarge(page),
        lines: await secondLine(page),
        axe: long || nth % 4 === 2 ? await axeFaults(page) : [],
      })),
    ] as const
    ;[desk, phone] = await Promise.all(walks)
  }, walkTime)

  it('are all there, with rows and forms', () => {
    for (const { visited } of [desk, phone]) expect(visited).toBeGreaterThan(50)
    expect(desk.opened.filter((what) => what.endsWith('form')).length).toBeGreaterThan(25)
    expect(desk.opened.filter((what) => what.endsWith('row')).length).toBeGreaterThan(long ? 20 : 4)
  })
  it('R-PROD-4 every entry of the menus opens the page that it names', () => {
    const entries = topMenus.flatMap(({ groups }) => pagesUnder(groups))
    expect(entries.length).toBeGreaterThan(50)
    const wanted = (language: 'en' | 'zh') =>
      new Map(entries.map(({ code, path, label }) => [code, { path, heading: label[language] }]))
    const reached = ({ pages }: Walk) => new Map([...pages].filter(([code]) => !code.startsWith('/')))
    expect(reached(desk)).toEqual(wanted('en'))
    expect(reached(phone)).toEqual(wanted('zh'))
  })
  it('R-BAR-4 speak English and nothing else, their forms too', () => expect(desk.words).toEqual([]))
  it('R-BAR-4 show no key of a phrase in Chinese either', () => expect(phone.words).toEqual([]))
  it('R-LAY-3 are not larger than the screen', () => expect([...desk.wide, ...phone.wide]).toEqual([]))
  it('have their buttons in one line on a phone, each of a finger’s height', () =>
    expect([...desk.lines, ...phone.lines]).toEqual([]))
  it('have no fault that axe finds', () => expect([...desk.axe, ...phone.axe]).toEqual([]))
  it('raise no error', () => expect([...desk.complaints, ...phone.complaints]).toEqual([]))
})

describe.runIf(long)('every page of the menus, in English on a phone', () => {
  it(
    'R-LAY-3 is not wider than the screen, with longer words',
    async () => {
      const found = await walk('en', 390, async ({ page }) => ({
        wide: await tooLarge(page),
      }))
      expect(found.wide).toEqual([])
      expect(found.complaints).toEqual([])
    },
    walkTime,
  )
})

describe('the log-in page', () => {
  it('R-BAR-4 R-LAY-3 speaks English where that was chosen, and fits a phone', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 900 }, locale: 'zh-CN' })
    const page = await context.newPage()
    await page.goto(`${product.url}/login`)
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByLabel('Account').waitFor()
    const shown = await texts(page)
    expect(shown.filter((text) => hanSign.test(text))).toEqual(['中文'])
    expect(keys(shown)).toEqual([])
    expect(await tooLarge(page)).toEqual([])
    expect(await axeFaults(page)).toEqual([])
    await context.close()
  })
})
