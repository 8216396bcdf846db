/// <reference lib="dom" />
import type { Page } from 'playwright-core'

const probe = '/api/e2e/passes-through'

/**
 * Waits until the page has taken up an interception that stands: a busy page does so later than the driver believes, so a
 * request of its own has to meet one first.
 */
export async function takenUp(page: Page): Promise<void> {
  await page.route(`**${probe}`, (route) => route.fulfill({ status: 204 }))
  await page.evaluate(async (path) => {
    while ((await fetch(path)).status !== 204);
  }, probe)
  await page.unroute(`**${probe}`)
}

/** From now on the server does what the page sends to an address, and the page hears nothing of it; the answer ends that. */
export async function loseAnswers(page: Page, address: string): Promise<() => Promise<void>> {
  await page.route(address, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await takenUp(page)
  return () => page.unroute(address)
}
