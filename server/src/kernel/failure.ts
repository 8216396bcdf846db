import type { FastifyReply, FastifyRequest } from 'fastify'
import { circumstanceOf } from './circumstance.ts'
import { Problem } from './problem.ts'
import { problemOf } from './problem-of.ts'
import type { Services } from './services.ts'
import { traceOf } from './trace.ts'
import { bodyLimitOf, closeUnread, isGone } from './unread-body.ts'
import { tooLarge } from './upload.ts'

/** What nobody meant to happen: it is logged. */
const unexpected: ReadonlySet<string> = new Set(['bug', 'outage', 'outcome_unknown'])
/** How soon whoever is told to try again may ask again, in seconds. */
const retrySeconds = 2

/** Says when to ask again, where a problem passes by itself. */
export function sayWhenToRetry(problem: Problem, reply: FastifyReply): void {
  if (problem.problem === 'outage' || problem.problem === 'busy') reply.header('Retry-After', retrySeconds)
}

/** What was thrown, as the problem that is told; what nobody expected is logged and hidden. */
export function noted(services: Services, thrown: unknown, request: FastifyRequest): Problem {
  const circumstance = circumstanceOf(request)
  const tooLong = (thrown as { code?: unknown } | null)?.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
  // Whoever has gone in the middle of a body is no fault of ours, whatever broke because of it.
  const told = tooLong
    ? tooLarge(bodyLimitOf(request))
    : isGone(request)
      ? new Problem('bad_request')
      : problemOf(thrown, circumstance)
  // Who only reads loses nothing by asking again.
  const problem = told.problem === 'outcome_unknown' && request.method !== 'POST' ? new Problem('outage') : told
  const trace = traceOf(request)
  trace.problem = problem.problem
  if (unexpected.has(problem.problem)) {
    trace.thrown = thrown
    services.log.error(problem.problem, {
      requestId: circumstance.requestId,
      method: request.method,
      route: request.routeOptions?.url,
      error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
    })
  }
  return problem
}

/** Ends a request with what was thrown, told in the caller's language. */
export function fail(services: Services, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = noted(services, thrown, request)
  sayWhenToRetry(problem, reply)
  closeUnread(request, reply)
  return reply
    .status(problem.status)
    .header('Cache-Control', 'no-store')
    .send({
      code: problem.status,
      success: false,
      data: problem.data,
      msg: problem.words(circumstanceOf(request).language),
    })
}
