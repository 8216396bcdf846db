import type { ProblemCode } from '@data-brain/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from './actor.ts'
import type { Route } from './route.ts'

/** What a request leaves behind for the logs: filled in on its way, read when it has been answered. */
export interface RequestTrace {
  route?: Route
  actor?: Actor
  /** The parameters as they were given. */
  given?: Readonly<Record<string, string>>
  /** Whom a log-in let in, where it says so. */
  account?: string
  /** How it was refused. */
  problem?: ProblemCode
  /** Whether a log-in that failed has locked the account. */
  locks?: boolean
  /** What nobody expected. */
  thrown?: unknown
}

const traces = new WeakMap<FastifyRequest, RequestTrace>()

/** The trace of a request. */
export function traceOf(request: FastifyRequest): RequestTrace {
  const kept = traces.get(request)
  if (kept) return kept
  const made: RequestTrace = {}
  traces.set(request, made)
  return made
}
