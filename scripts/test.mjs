// npm test: everything that a change must pass, in one go, on a machine with Node 20, npm and git.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { checks } from './checks.mjs'
import { takeIn } from './extensions.mjs'
import { modules } from './install.mjs'
import { root } from './root.mjs'
import { build, node, run } from './setup.mjs'

const long = process.argv.includes('--long')
const began = Date.now()
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`
const totals = { passed: 0, failed: 0, skipped: 0 }
const done = []
/** Each failed test with the first lines of its error, in the order they ran. */
const failures = []

function step(title, work) {
  console.log(`\n=== ${title} ===`)
  const since = Date.now()
  const ok = work()
  done.push(`${ok ? 'ok    ' : 'FAILED'}  ${title}  ${seconds(since)}`)
  console.log(`=== ${title}: ${ok ? 'ok' : 'FAILED'} in ${seconds(since)} ===`)
  if (!ok) finish(1)
}

function finish(code) {
  console.log(`\n${done.join('\n')}\ntotal ${seconds(began)}\n`)
  // At the end, because a log that is kept in part keeps its end.
  for (const { title, error } of failures) console.log(`FAILED  ${title}\n${error}\n`)
  // A step that failed outside the test runner counts, so that no total reads as green.
  if (code !== 0 && totals.failed === 0) totals.failed = 1
  const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
  console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`)
  process.exit(code)
}

const program = node()
modules(program)
takeIn()
const reports = path.join(root, '.runtime', 'reports')
mkdirSync(reports, { recursive: true })

/** Enough of an error to know what failed and where. */
const opening = (message) => message.split('\n').slice(0, 12).join('\n').slice(0, 1500)

function suite(name, args) {
  const report = path.join(reports, `${name}.json`)
  rmSync(report, { force: true })
  const { status } = run(
    program,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...args,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { env: { TEST_LONG: long ? '1' : '', CI: 'true' } },
  )
  if (!existsSync(report)) return false
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  for (const file of testResults) {
    const where = path.relative(root, file.name)
    const failed = file.assertionResults.filter((test) => test.status === 'failed')
    for (const test of failed)
      failures.push({ title: `${where}: ${test.fullName}`, error: opening(test.failureMessages.join('\n')) })
    if (failed.length === 0 && file.status === 'failed') failures.push({ title: where, error: opening(file.message) })
  }
  totals.passed += numPassedTests
  totals.failed += numFailedTests
  totals.skipped += numPendingTests + numTodoTests
  if (numPassedTests === 0) console.error('no test ran')
  return status === 0 && numPassedTests > 0
}

for (const [title, [file, ...args]] of checks) step(title, () => run(program, [file, ...args]).status === 0)
step('contract, server and console', () => suite('suites', []))
step('build', () => {
  build(program)
  return true
})
step('journeys in the browser', () => suite('journeys', ['--config', 'e2e/vitest.config.ts']))
finish(0)
