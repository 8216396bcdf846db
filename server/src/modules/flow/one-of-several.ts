import { newId } from '../../database/id.ts'
import { UnknownOutcome } from '../../database/transaction.ts'
import { Problem } from '../../kernel/problem.ts'
import { isOutage, problemOf } from '../../kernel/problem-of.ts'
import type { Services } from '../../kernel/services.ts'

/**
 * Why one of several that come due together failed, so that it can be told and left out: a defect as well, which would else
 * be tried for ever and keep all others from their turn. An outage is that of all of them, and goes up.
 */
export function whyFailed(services: Services, thrown: unknown): Problem {
  if (thrown instanceof UnknownOutcome || isOutage(thrown)) throw thrown
  if (!(thrown instanceof Problem)) services.log.error('a defect in a process', { error: String(thrown) })
  return problemOf(thrown, { requestId: newId(), language: 'zh', address: '', agent: '' })
}
