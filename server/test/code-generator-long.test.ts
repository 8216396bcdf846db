import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Copy, copySources } from '../../e2e/copy.ts'
import { type Generator, makeGenerator, words } from './code-generator-parts.ts'
import { hasMariaDb } from './datasource-parts.ts'

/* Entities of a PostgreSQL, a MariaDB and a spreadsheet, in a copy of the sources that then passes what it passed before. */

const isLong = process.env.TEST_LONG === '1'

describe.skipIf(!isLong || !hasMariaDb)('R-DEV-9 three generated entities', () => {
  let made: Generator
  let copy: Copy
  beforeAll(async () => {
    made = await makeGenerator()
    copy = copySources()
  }, 600_000)
  afterAll(async () => {
    copy?.remove()
    await made?.close()
  })

  it('are patched into a copy of the sources, which passes its checks and the tests of every entity', async () => {
    const loan = await made.headings([
      '书名 Title★',
      '借阅日期 Lent on',
      '数量 Count',
      '是否归还 Returned',
      '备注 Remarks',
    ])
    const maria = await made.source(`mysql://127.0.0.1:${made.maria!.port}/school`, 'mysql')
    const ids = [
      await made.add(await made.trip()),
      await made.add({
        codeName: '实验器材',
        codeNameEn: 'Lab item',
        serviceName: 'labitem',
        packageName: 'school',
        fields: words(await made.guessed(maria, '', 'lab_item'), {}),
      }),
      await made.add({
        codeName: '借阅',
        codeNameEn: 'Loan',
        serviceName: 'bookloan',
        packageName: 'student',
        bySchool: 0,
        fields: words(loan, {}),
      }),
    ]
    const files = await made.zipOf(ids.join())
    writeFileSync(join(copy.folder, 'data-brain.patch'), files['data-brain.patch']!)
    copy.run('git', ['apply', 'data-brain.patch'])
    copy.run('rm', ['data-brain.patch'])
    copy.npm('generate')
    copy.run('git', ['add', '--all'])
    // What was generated is in the form that the sources are kept in, before anything puts it right.
    copy.npm('check')
    const test = (...args: string[]): string => copy.node('node_modules/vitest/vitest.mjs', 'run', ...args)
    expect(test('contract/test/entities.test.ts')).toMatch(/Tests {2}\d+ passed/)
    expect(
      test(
        ...['every-entity', 'every-key', 'two-tenants', 'catalogue', 'bustrip', 'labitem', 'bookloan'].map(
          (each) => `server/test/${each}.test.ts`,
        ),
      ),
    ).toMatch(/Tests {2}\d+ passed/)
    // Types, lint and several suites: on a busy machine they take as long as they take.
  }, 3_600_000)
})
