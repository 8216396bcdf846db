import { afterEach } from 'vitest'
import { takeFailures } from './failures.ts'

// A setup file, so that it watches the tests of files too that import none of the helpers.
// After the test, for a poll, and whoever catches a refusal, would hide what is thrown in the call.
afterEach(() => {
  const told = takeFailures()
  if (told.length > 0) throw new Error(`no test provokes this failure of the server:\n${told.join('\n')}`)
})
