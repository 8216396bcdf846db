/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules of axe that a change of colours alone can break. */
export const colourRules: readonly string[] = ['color-contrast', 'link-in-text-block']

/**
 * What axe finds on the page as it stands: one line per fault, so that a failure can be read. With `rules`, by these
 * alone; with `within`, in that part of the page.
 */
export async function axeFaults(page: Page, rules?: readonly string[], within?: string): Promise<string[]> {
  // Half faded in, a text has another contrast than it will have; what moves without end is not waited for.
  await page
    .waitForFunction(
      () =>
        document
          .getAnimations()
          .every((each) => each.playState !== 'running' || each.effect?.getComputedTiming().iterations === Infinity),
      undefined,
      { timeout: 2_000 },
    )
    .catch(() => {})
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
