import { defineConfig } from 'vitest/config'
import { LongestFirst } from '../scripts/longest-first.mts'

// Journeys share one machine and its two cores: two at once, each with time enough for a slow one.
export default defineConfig({
  test: {
    name: 'e2e',
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: ['./setup.ts'],
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A state that is waited for may take its time on a busy machine.
    expect: { poll: { timeout: 15_000 } },
  },
})
