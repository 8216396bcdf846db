import { defineConfig } from 'vitest/config'

/** A test that expects nothing proves nothing: it fails. What is waited for may take its time on a busy machine. */
const expect = { requireAssertions: true, poll: { timeout: 30_000 } }

/** As many as the machine is promised cores; left alone, a machine of two would use one of them. */
const maxWorkers = 2

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'contract', include: ['contract/test/**/*.test.ts'], expect, maxWorkers } },
      {
        test: {
          name: 'server',
          include: ['server/test/**/*.test.ts', 'server/src/**/*.test.ts'],
          globalSetup: ['server/test/setup.ts'],
          expect,
          // Tests wait for states: on a busy machine one that starts servers takes longer, and is as right.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers,
        },
      },
      './console/vitest.config.ts',
    ],
  },
})
