import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const id = /\bR-[A-Z]+-[0-9]+\b/g

it('every number in the title of a test is explained on the page of requirements, and each one there is proved', () => {
  const tests = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx'], { cwd: root, encoding: 'utf8' })
  const titles = tests
    .trim()
    .split('\n')
    .filter((file) => !file.endsWith('requirements.test.ts'))
    .flatMap((file) => readFileSync(join(root, file), 'utf8').match(id) ?? [])
  const page = readFileSync(join(root, 'docs/developers/requirements.md'), 'utf8')
  const explained = [...page.matchAll(/^\| (R-[A-Z]+-[0-9]+) \| \S/gm)].map(([, name]) => name!)
  expect(explained.length).toBeGreaterThan(100)
  expect(new Set(explained).size).toBe(explained.length)
  expect([...new Set(titles)].sort()).toEqual([...explained].sort())
})
