/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { makeTheme } from '../console/src/ui/themes/make.ts'
import { type ThemeName, themeNames } from '../console/src/ui/themes/seeds.ts'
import type { ColourScheme } from '../console/src/ui/themes/token.ts'
import { axeFaults, colourRules } from './axe.ts'

/** Every theme in both schemes, turned to on a page that stands, and what is found there. */

export interface Look {
  readonly theme: ThemeName
  readonly scheme: ColourScheme
}

/** All looks; those of the default theme first. */
export const allLooks: readonly Look[] = themeNames.flatMap((theme) =>
  (['light', 'dark'] as const).map((scheme) => ({ theme, scheme })),
)

interface Store {
  set(value: unknown): void
}
interface Toasts {
  success(text: string): void
  warning(text: string): void
  error(text: string): void
}
type Held = Window & { heldLook?: Store; heldToasts?: Toasts; heldHeader?: CSSStyleSheet }

/** In the page's own words: whoever runs this file may have another meaning of `import`. */
const search = `(async () => {
  if (window.heldLook && window.heldToasts) return true
  const names = performance.getEntriesByType('resource').map(({ name }) => name)
  const first = [...document.querySelectorAll('script[type=module][src]')].map(({ src }) => src)
  for (const name of new Set([...first, ...names.filter((each) => /\\/assets\\/[^/]+\\.js$/.test(each))])) {
    for (const value of Object.values(await import(name))) {
      if (typeof value !== 'object' || value === null) continue
      if (value.get && value.set && value.subscribe && value.get()?.tokens?.fill) window.heldLook = value
      if (value.success && value.warning && value.error) window.heldToasts = value
    }
    if (window.heldLook && window.heldToasts) return true
  }
  return false
})()`

/**
 * Takes hold of the console's own store of its look, and of its toasts, in the modules that the page has loaded. Must
 * have been done before code is kept from the page.
 */
export async function hold(page: Page): Promise<void> {
  if (!(await page.evaluate(search))) throw new Error(`${page.url()}: the modules do not give the look away`)
}

/** Says something of each kind for a moment, as the console does. */
export async function sayAll(page: Page): Promise<void> {
  await hold(page)
  await page.evaluate(() => {
    const { heldToasts } = window as Held
    heldToasts?.success('操作成功 Done')
    heldToasts?.warning('请选择至少一条数据 Choose one')
    heldToasts?.error('系统未知错误 It failed')
  })
}

/** Shows a look as the console does when somebody chooses it, without loading the page again. `colour`: a person's own. */
export async function turn(page: Page, { theme, scheme }: Look, colour: string | null = null): Promise<void> {
  await hold(page)
  const made = makeTheme(theme, colour)
  await page.evaluate((next) => (window as Held).heldLook?.set(next), {
    ...{ theme, scheme, density: made.density, made, tokens: made[scheme] },
  })
  await page.waitForFunction(
    ([name, wanted]) => {
      const { dataset } = document.documentElement
      return dataset.theme === name && dataset.scheme === wanted && dataset.turning === undefined
    },
    [theme, scheme] as const,
  )
}

/** The header's ground as one colour: axe judges no text on a colour that runs. Without an end, as it is drawn. */
const header = (page: Page, end: 'header' | 'header-end' | undefined): Promise<void> =>
  page.evaluate((name) => {
    const held = window as Held
    if (!held.heldHeader) {
      held.heldHeader = new CSSStyleSheet()
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, held.heldHeader]
    }
    held.heldHeader.replaceSync(name ? `.header { background: var(--${name}) !important }` : '')
  }, end)

/** What axe finds in one look: by all its rules, or by those of colours alone; on both ends of a header that runs. */
export async function lookFaults(page: Page, { theme, scheme }: Look, whole: boolean): Promise<string[]> {
  await header(page, 'header')
  const found = await axeFaults(page, whole ? undefined : colourRules)
  const tokens = makeTheme(theme, null)[scheme]
  if (tokens.header !== tokens.headerEnd && (await page.locator('.header').count()) > 0) {
    await header(page, 'header-end')
    found.push(...(await axeFaults(page, colourRules, '.header')))
  }
  await header(page, undefined)
  return found.map((fault) => `${theme} ${scheme}: ${fault}`)
}

/** A picture of the page in this look, where somebody asks for pictures. */
export async function picture(page: Page, state: string, { theme, scheme }: Look): Promise<void> {
  const folder = process.env.E2E_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  const width = page.viewportSize()?.width ?? 0
  const name = theme.replace('theme-', '')
  await page.screenshot({ path: path.join(folder, `${width}-${state.replaceAll(' ', '-')}-${name}-${scheme}.png`) })
}
