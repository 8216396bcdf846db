/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules of axe that a change of colours alone can break. */
export const colourRules: readonly string[] = ['color-contrast', 'link-in-text-block']

/**
 * Waits until nothing on the page moves but what moves without end. A change that was just asked for begins with the
 * next frame, so two frames must pass without one.
 */
export async function settled(page: Page): Promise<void> {
  await page
    .waitForFunction(
      async () => {
        const moves = (): boolean =>
          document
            .getAnimations()
            .some((each) => each.playState === 'running' && each.effect?.getComputedTiming().iterations !== Infinity)
        const frame = (): Promise<unknown> => new Promise(requestAnimationFrame)
        if (moves()) return false
        await frame()
        await frame()
        return !moves()
      },
      undefined,
      { timeout: 5_000 },
    )
    .catch(() => {})
}

/**
 * What axe finds on the page as it stands: one line per fault, so that a failure can be read. With `rules`, by these
 * alone; with `within`, in that part of the page. A page that goes on while axe looks shows it what nobody sees, such as
 * one text of before and its ground of after: what is found is looked at again, and what lasts is a fault.
 */
export async function axeFaults(page: Page, rules?: readonly string[], within?: string): Promise<string[]> {
  let found: string[] = []
  for (let look = 0; look < 3; look += 1) {
    // Half faded in, a text has another contrast than it will have.
    await settled(page)
    found = await lookOnce(page, rules, within)
    if (found.length === 0) break
  }
  return found
}

async function lookOnce(page: Page, rules?: readonly string[], within?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return page.evaluate(
    async ({ runOnly, part }) => {
      const { axe } = window as unknown as {
        axe: {
          run(
            context: string | Document,
            options: object,
          ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>
        }
      }
      const { violations } = await axe.run(part ?? document, { runOnly, resultTypes: ['violations'] })
      return violations.flatMap((violation) =>
        violation.nodes.map(
          (node) => `${violation.id}: ${node.html.slice(0, 200)} ${node.failureSummary?.slice(0, 200) ?? ''}`,
        ),
      )
    },
    { runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: everything }, part: within },
  )
}
