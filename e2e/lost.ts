/// <reference lib="dom" />
import type { Page } from 'playwright-core'

const probe = '/api/e2e/passes-through'

/**
 * From now on the server does what the page sends to an address, and the page hears nothing of it; the answer ends that.
 * A busy page takes up an interception later than the driver believes: so a request of its own has to meet it first.
 */
export async function loseAnswers(page: Page, address: string): Promise<() => Promise<void>> {
  await page.route(`**${probe}`, (route) => route.fulfill({ status: 204 }))
  await page.route(address, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.evaluate(async (path) => {
    while ((await fetch(path)).status !== 204);
  }, probe)
  return async () => {
    await page.unroute(address)
    await page.unroute(`**${probe}`)
  }
}
