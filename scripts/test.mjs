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

/** Runs a suite, or the named files of it, and answers its exit code and its report; no report if it did not get so far. */
function runSuite(name, args) {
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
  return { status, report: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined }
}

/** What failed of a report: a test, or a file that did not begin. */
function failedOf({ testResults }) {
  return testResults.flatMap((file) => {
    const where = path.relative(root, file.name)
    const failed = file.assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0 && file.status === 'failed') return [{ where, title: where, error: opening(file.message) }]
    return failed.map((test) => ({
      where,
      title: `${where}: ${test.fullName}`,
      error: opening(test.failureMessages.join('\n')),
    }))
  })
}

/** More files than this do not fail by chance. */
const mostUnsteady = 2

/**
 * One suite. Where very few files failed, these run once more by themselves, for whoever mends it: what passes then is a
 * race, of the test or of the product, and is told as one. The run has failed all the same.
 */
function suite(name, args) {
  const { status, report } = runSuite(name, args)
  if (!report) return false
  const failed = failedOf(report)
  const files = [...new Set(failed.map(({ where }) => where))]
  let passesAlone = false
  if (files.length > 0 && files.length <= mostUnsteady) {
    console.log(`\n--- once more, alone: ${files.join(', ')} ---`)
    passesAlone = runSuite(`${name}-again`, [...args, ...files]).status === 0
  }
  failures.push(
    ...failed.map((each) => ({ ...each, title: passesAlone ? `(passes alone) ${each.title}` : each.title })),
  )
  totals.passed += report.numPassedTests
  totals.failed += report.numFailedTests
  totals.skipped += report.numPendingTests + report.numTodoTests
  if (report.numPassedTests === 0) console.error('no test ran')
  return status === 0 && report.numPassedTests > 0
}

for (const [title, [file, ...args]] of checks) step(title, () => run(program, [file, ...args]).status === 0)
step('contract, server and console', () => suite('suites', []))
step('build', () => {
  build(program)
  return true
})
step('journeys in the browser', () => suite('journeys', ['--config', 'e2e/vitest.config.ts']))
finish(0)
