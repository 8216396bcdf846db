import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { temporaryInMemory } from '../scripts/memory-folder.mts'
import { launchBrowser } from './browser.ts'
import type { Prepared } from './product.ts'
import { freshFolder, startOn } from './started.ts'

/**
 * What every journey would begin with, done once: the browser unpacked, and the data folder of a first start, with the
 * demo and without it. Every product of a journey works on a copy of its own.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const leaveMemory = temporaryInMemory()
  const prepared: Prepared = { on: freshFolder(), off: freshFolder() }
  const start = async (demo: 'on' | 'off') => (await startOn(prepared[demo], { DEMO: demo })).stop()
  const look = async () => (await launchBrowser()).close()
  await Promise.all([start('on'), start('off'), look()])
  project.provide('prepared', prepared)
  return () => {
    for (const folder of Object.values(prepared)) rmSync(folder, { recursive: true, force: true })
    leaveMemory()
  }
}
