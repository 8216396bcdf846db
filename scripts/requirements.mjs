// Every number in a test (R-NAV-3) is explained on the page of requirements, and each one there is proved by a test.
//   node scripts/requirements.mjs
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const page = 'docs/developers/requirements.md'
const files = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx'], { encoding: 'utf8' }).trim().split('\n')
const tested = new Map(
  files.flatMap((file) => (readFileSync(file, 'utf8').match(/\bR-[A-Z]+-[0-9]+\b/g) ?? []).map((id) => [id, file])),
)
const explained = [...readFileSync(page, 'utf8').matchAll(/^\| (R-[A-Z]+-[0-9]+) \| \S/gm)].map(([, id]) => id)

const faults = [
  ...[...tested].filter(([id]) => !explained.includes(id)).map(([id, file]) => `${id} in ${file}: no line on ${page}`),
  ...explained.filter((id) => !tested.has(id)).map((id) => `${id} on ${page}: no test names it`),
  ...explained.filter((id, at) => explained.indexOf(id) !== at).map((id) => `${id} stands twice on ${page}`),
]
for (const fault of faults) console.error(fault)
if (faults.length) process.exit(1)
