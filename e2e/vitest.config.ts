import { defineConfig } from 'vitest/config'

// Journeys share one machine and its two cores: one after the other, each with time enough for a slow one.
export default defineConfig({
  test: {
    name: 'e2e',
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
