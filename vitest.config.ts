import { defineConfig } from 'vitest/config'
import { takeIn } from './scripts/extensions.mjs'
import { LongestFirst } from './scripts/longest-first.mts'

// Without what npm run … writes before every task there is nothing to test.
takeIn()

/** A test that expects nothing proves nothing: it fails. What is waited for may take its time on a busy machine. */
const expect = { requireAssertions: true, poll: { timeout: 30_000 } }

/** Tests wait for states: on a busy machine one that starts servers, or tries ten thousand texts, takes longer and is as right. */
const testTimeout = 120_000

/** As many as the machine is promised cores; left alone, a machine of two would use one of them. */
const maxWorkers = 2

/**
 * Threads that run TypeScript strip its types by WebAssembly, several at once, and V8 ends the process now and then where
 * it replaces a wrapper between WebAssembly and JavaScript (`Check failed: jit_page.has_value()`, nodejs/node#64500): none
 * is replaced. What is built is JavaScript, and its threads strip nothing.
 */
const execArgv = ['--wasm-wrapper-tiering-budget=2000000000']

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'contract',
          include: ['contract/test/**/*.test.ts'],
          expect,
          testTimeout,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'server',
          include: [
            'server/test/**/*.test.ts',
            'server/src/**/*.test.ts',
            'extensions/*/test/**/*.test.ts',
            '.runtime/extensions/*/test/**/*.test.ts',
          ],
          // Loaded by Node itself, from its own cache of what is compiled: each file of tests loads the server anew.
          server: { deps: { external: [/\/(contract|server)\/src\//] } },
          globalSetup: ['server/test/setup.ts'],
          setupFiles: ['server/test/after-each.ts'],
          expect,
          execArgv,
          testTimeout,
          hookTimeout: 120_000,
          maxWorkers,
        },
      },
      './console/vitest.config.ts',
    ],
  },
})
