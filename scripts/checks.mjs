/** What a change must satisfy before any test runs: a title, and the script with its arguments. */
export const checks = [
  ['format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']],
  ['layers', ['scripts/layers.mjs']],
  ['extensions', ['scripts/judge-extensions.mts', '--examples']],
  ['exports', ['scripts/exports.mjs']],
  ['punctuation of Chinese texts', ['scripts/punctuation.mjs']],
  ['requirements', ['scripts/requirements.mjs']],
  ['third-party notices', ['scripts/licences.mjs', '--check']],
  ['types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
  ['types of the console', ['node_modules/typescript/bin/tsc', '-p', 'console/tsconfig.json']],
  ['properties of components', ['scripts/properties.mts']],
]
