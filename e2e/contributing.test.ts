import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Copy, copySources } from './copy.ts'

/*
 * CONTRIBUTING.md, followed in a copy of the sources by the commands that it names and with the text that it shows:
 * nothing here is written that the page does not say.
 */

const root = path.join(import.meta.dirname, '..')
const page = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8')
let copy = ''

/** The text of the fenced block that follows the first mention of `mark`. */
function block(mark: string): string {
  const at = page.indexOf(mark)
  expect(at, `CONTRIBUTING.md speaks of ${mark}`).toBeGreaterThan(-1)
  const begin = page.indexOf('\n', page.indexOf('```', at)) + 1
  return page.slice(begin, page.indexOf('```', begin))
}

const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
  writeFileSync(path.join(copy, file), text)
}
const edit = (file: string, change: (text: string) => string): void => {
  const before = readFileSync(path.join(copy, file), 'utf8')
  const after = change(before)
  expect(after, `${file} changes`).not.toBe(before)
  writeFileSync(path.join(copy, file), after)
}

let sources: Copy
/** Runs a command of the page in the copy; its output, which must be that of a success. */
const run: Copy['run'] = (...of) => sources.run(...of)
const node: Copy['node'] = (...of) => sources.node(...of)
const npm: Copy['npm'] = (...of) => sources.npm(...of)

beforeAll(() => {
  sources = copySources()
  copy = sources.folder
})
afterAll(() => sources?.remove())

describe('CONTRIBUTING.md adds an entity with a rule, an action and a button by its own commands alone', () => {
  let migration = ''

  it('begins it by one command, which says what is left', () => {
    const [, ...words] = /npm run new -- (\S+) (\S+) (\S+) "([^"]+)" (\S+)/.exec(page) ?? []
    const said = npm('new', ...words)
    expect(said).toContain('npm run generate')
    migration = /server\/src\/database\/migrations\/\d{4}_schoolbus\.sql/.exec(said)?.[0] ?? ''
    expect(readFileSync(path.join(copy, migration), 'utf8')).toContain('create table schoolbus')
    expect(readFileSync(path.join(copy, 'contract/src/entities/index.ts'), 'utf8')).toContain('  schoolbus,\n')
  })

  it('refuses a second entity of that name, and changes nothing', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['scripts/run.mjs', 'new', 'entity', 'schoolbus', '校车', 'School buses', 'school'],
      { cwd: copy, encoding: 'utf8' },
    )
    expect([status, stderr]).toEqual([1, expect.stringContaining('schoolbus')])
  })

  it('takes the definition, the dictionary, the menu, the rule, the action and the page as the page shows them', () => {
    write(
      'contract/src/entities/school/schoolbus.ts',
      block('`contract/src/entities/school/schoolbus.ts`, as it is meant'),
    )
    edit('contract/src/dictionaries/school.ts', (text) =>
      text.replace(
        'schoolDictionaries: readonly Dictionary[] = [\n',
        (found) => `${found}${block('**3. Its dictionary**')}`,
      ),
    )
    edit('contract/src/menus.ts', (text) => text.replace(/ +page\('schoolbus'[^\n]*\n/, block('**4. The menu**')))
    write('contract/src/calls/schoolbus.ts', block('(`contract/src/calls/schoolbus.ts`)'))
    write('server/src/modules/bus/index.ts', block('`server/src/modules/bus/index.ts`'))
    edit('server/src/modules/all.ts', (text) =>
      text
        .replace('import { deskModule }', "import { buses } from './bus/index.ts'\nimport { deskModule }")
        .replace('  school,\n', '  school,\n  buses,\n'),
    )
    write('server/test/bus.test.ts', block('Its test (`server/test/bus.test.ts`)'))
    write('console/src/locales/bus.ts', block('`console/src/locales/bus.ts`'))
    write('console/src/pages/bus/page.tsx', block('`console/src/pages/bus/page.tsx`'))
    const inner = (text: string): string => text.split('\n').slice(1, -2).join('\n')
    edit('console/src/shell/routes.ts', (text) =>
      text.replace('const menuPages = [\n', (found) => `${found}${inner(block('`console/src/shell/routes.ts`:'))}\n`),
    )
    edit('console/src/shell/pages.tsx', (text) =>
      text.replace(
        /pages: Readonly<Record<PageName, PageLoader>> = \{\n/,
        (found) => `${found}${inner(block('`console/src/shell/pages.tsx`:'))}\n`,
      ),
    )
    writeFileSync(path.join(copy, migration), node(...block('**5. The migration.**').trim().split(' ').slice(1)))
    npm('generate')
    const matrix = readFileSync(path.join(copy, 'server/test/matrix.tsv'), 'utf8')
    expect(matrix).toContain('POST\t/blade-user/schoolbus/inspect\tcode schoolbus_inspect')
    npm('biome', 'check', '--write', '.')
  }, 600_000)

  it('passes the checks, the tests of every entity and its own', () => {
    run('git', ['add', '--all'])
    npm('check')
    const test = (...args: string[]): string => node('node_modules/vitest/vitest.mjs', 'run', ...args)
    expect(test(...block('list page, a form, and the tests').trim().split(' ').slice(3))).toMatch(/Tests {2}\d+ passed/)
    expect(test('server/test/bus.test.ts')).toMatch(/Tests {2}2 passed/)
    // Types, lint and two runs of tests: on a busy machine they take as long as they take.
  }, 1_800_000)

  it('goes again: without it the sources are what they were', () => {
    for (const made of [
      'contract/src/calls/schoolbus.ts',
      'server/src/modules/bus',
      'console/src/pages/bus',
      migration,
    ])
      rmSync(path.join(copy, made), { recursive: true })
    for (const file of [
      'contract/src/entities/school/schoolbus.ts',
      'console/src/locales/bus.ts',
      'server/test/bus.test.ts',
    ])
      rmSync(path.join(copy, file))
    const changed = [
      ...['contract/src/entities/index.ts', 'contract/src/dictionaries/school.ts', 'contract/src/menus.ts'],
      ...['server/src/modules/all.ts', 'console/src/shell/routes.ts', 'console/src/shell/pages.tsx'],
    ]
    for (const file of changed) cpSync(path.join(root, file), path.join(copy, file))
    npm('generate')
    for (const file of ['server/openapi.json', 'server/test/matrix.tsv'])
      expect(readFileSync(path.join(copy, file), 'utf8'), file).toBe(readFileSync(path.join(root, file), 'utf8'))
  })
})
