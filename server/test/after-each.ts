import { afterEach } from 'vitest'
import { takeFailures } from './failures.ts'

// Files share one process: only a setup file, which is run for each of them, watches every test.
// After the test, for a poll, and whoever catches a refusal, would hide what is thrown in the call.
afterEach(() => {
  const told = takeFailures()
  if (told.length > 0) throw new Error(`no test provokes this failure of the server:\n${told.join('\n')}`)
})
