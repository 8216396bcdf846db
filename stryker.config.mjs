// Mutation testing of what keeps people to their own: `npm run test:mutation`, see docs/developers/testing.md.
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'server/vitest.mutation.config.ts', related: false },
  mutate: [
    'server/src/entity/choice-access.ts',
    'server/src/entity/scopes-of-role.ts',
    'server/src/kernel/actor.ts',
    'server/src/kernel/authorize.ts',
    'server/src/kernel/route-path.ts',
    'server/src/modules/system/held-rights.ts',
  ],
  ignorePatterns: ['console', 'e2e', 'bench', 'docs', 'packaging', '.runtime', 'server/dist', '.ci'],
  // Vitest reads no tsconfig, and this step of the tool knows TypeScript up to 6 only.
  tsconfigFile: 'none.json',
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 20_000,
  disableTypeChecks: false,
  reporters: ['clear-text', 'json', 'html'],
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  jsonReporter: { fileName: '.runtime/reports/mutation.json' },
  htmlReporter: { fileName: '.runtime/reports/mutation.html' },
  tempDirName: '.runtime/mutation',
  thresholds: { high: 95, low: 90, break: 90 },
}
