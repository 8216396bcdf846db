import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { callsByPath, entityNames } from './vite.config.ts'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [entityNames(), callsByPath()],
  test: {
    name: 'console',
    environment: 'jsdom',
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 30_000,
    // Of one number in all suites, which then run beside each other.
    maxWorkers: 2,
    // A test that expects nothing proves nothing: it fails. What is waited for may take its time on a busy machine.
    expect: { requireAssertions: true, poll: { timeout: 15_000 } },
  },
})
