/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeFaults, settled } from './axe.ts'
import { logIn } from './clerk.ts'
import { type Product, password } from './product.ts'

interface Window extends Omit<BrowserContextOptions, 'viewport'> {
  readonly width?: number
  readonly height?: number
  /** What goes wrong in the page is added here: errors of scripts, and what the content-security policy refuses. */
  readonly complaints?: string[]
  /** Everything that the console calls an error goes wrong: for pages of which no call is refused. */
  readonly isStrict?: boolean
}

/** A window of a Chinese browser with a session of its own, on a desk unless its width says otherwise. */
export async function openWindow(
  browser: Browser,
  { width = 1440, height = 900, complaints, isStrict = false, ...more }: Window = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height }, locale: 'zh-CN', ...more })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => complaints?.push(error.message))
  page.on('console', (message) => {
    const isRefused = /Content Security Policy/i.test(message.text())
    if (message.type() === 'error' && (isStrict || isRefused)) complaints?.push(message.text())
  })
  return page
}

/** Somebody of the demo in a window of their own. */
export async function demoPerson(
  browser: Browser,
  { url }: Pick<Product, 'url'>,
  account: string,
  window: Window = {},
): Promise<Page> {
  const page = await openWindow(browser, window)
  await logIn(page, url, password, account, '000001')
  return page
}

/** Keeps a picture of a page that has come to rest, where E2E_PICTURES names a folder for them. */
export async function picture(page: Page, name: string, isWhole = false): Promise<void> {
  const folder = process.env.E2E_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await settled(page)
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: isWhole })
}

/** The page as it is on a phone in the dark: nothing hangs over its edge, and axe finds nothing. Then it is at a desk again. */
export async function onDarkPhone(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, `${name}-390`)
  expect(await axeFaults(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}
