import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { entityNames } from './vite.config.ts'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [entityNames()],
  test: {
    name: 'console',
    environment: 'jsdom',
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 30_000,
  },
})
