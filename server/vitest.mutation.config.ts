import { defineConfig } from 'vitest/config'

// The files that judge what mutation testing changes, without a database: each change runs those tests that reach it.
export default defineConfig({
  test: { include: ['server/test/scopes-of-role.test.ts', 'server/test/refusals.test.ts'] },
})
