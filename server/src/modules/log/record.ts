import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isTenantCode } from '../../database/transaction.ts'
import { platformTenant } from '../../entity/model.ts'
import { readToken } from '../../kernel/authenticate.ts'
import { maskedText } from '../../kernel/mask-text.ts'
import type { Services } from '../../kernel/services.ts'
import { type RequestTrace, traceOf } from '../../kernel/trace.ts'
import { eventOf } from './event.ts'
import type { LogQueue } from './queue.ts'
import type { ReadsWish } from './reads.ts'
import { apiRow, errorRow, type LoggedCall, paramsOf, usualRow } from './row.ts'

/** Calls of strangers that a tenant's log takes in a minute from one process: who has no session fills no disk. */
const strangersPerMinute = 120
const tenantsCounted = 2_000

/** What the calls themselves keep elsewhere: their parameters are not told again. */
const keptElsewhere = new Set(['POST /blade-auth/oauth/logout'])

/** Calls whose `code` lets somebody in; elsewhere it is the code of a role or a school. */
const opening = /^POST \/blade-(auth\/oauth\/token|user\/second-factor\/\w+|user\/link-identity)$/

/** The tenant that a call without a session says it is for. Whether there is such a tenant is seen when it is written. */
function claimedTenant(request: FastifyRequest, { given, route }: RequestTrace): string | undefined {
  try {
    return readToken(request.headers['blade-auth']).tenantId
  } catch {
    const claimed = request.headers['tenant-id'] ?? given?.tenantId ?? given?.tenant
    if (isTenantCode(claimed)) return claimed
    return claimed === undefined && route?.path === '/blade-auth/oauth/token' ? platformTenant : undefined
  }
}

/** Digest of the token that a log-out came with. */
function tokenOf(request: FastifyRequest, { cipher }: Pick<Services, 'cipher'>): string | null {
  try {
    return cipher.token(readToken(request.headers['blade-auth']).token).toString('hex')
  } catch {
    return null
  }
}

const bodyOf = (request: FastifyRequest): object => {
  const { body } = request
  if (Array.isArray(body)) return { body }
  return typeof body === 'object' && body !== null ? body : {}
}

/** What was sent, without the code that lets somebody in. */
function sentWith(request: FastifyRequest, { given, route }: RequestTrace): object {
  const sent = { ...(given ?? (request.query as object)), ...bodyOf(request) }
  return route && opening.test(`${route.method} ${route.path}`) && 'code' in sent ? { ...sent, code: maskedText } : sent
}

/**
 * Puts every call that counts into the logs when it has been answered: what was sent with POST, what was downloaded,
 * what was refused, what failed; and other reading where a tenant wants it so.
 */
export function recordCalls(http: FastifyInstance, services: Services, queue: LogQueue, reads: ReadsWish): void {
  const strangers = new Map<string, { count: number; since: number }>()
  const mayFlood = (tenantId: string): boolean => {
    const now = performance.now()
    const kept = strangers.get(tenantId)
    if (kept && now - kept.since < 60_000) {
      kept.count += 1
      return kept.count > strangersPerMinute
    }
    // So many codes at once are made up: nobody's log needs them.
    if (!kept && strangers.size >= tenantsCounted) {
      for (const [each, { since }] of strangers) if (now - since >= 60_000) strangers.delete(each)
      if (strangers.size >= tenantsCounted) return true
    }
    strangers.set(tenantId, { count: 1, since: now })
    return false
  }

  const record = (request: FastifyRequest, reply: FastifyReply): void => {
    const trace = traceOf(request)
    const { route, actor } = trace
    if (!route) return
    const status = reply.statusCode
    const tenantId = actor?.tenantId ?? claimedTenant(request, trace)
    if (status >= 500 && trace.thrown !== undefined) recordFault(request, status, trace, tenantId ?? platformTenant)
    if (!tenantId) return
    // A channel that stays open is no download.
    if (String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream')) return
    const event = eventOf(trace, status)
    const counts =
      route.method === 'POST' ||
      route.bare === true ||
      status === 401 ||
      status === 403 ||
      event !== undefined ||
      reads.of(tenantId)
    if (!counts) return
    // A log-in that went well, or a log-out, is somebody's.
    if (!actor && event?.event !== 'login' && event?.event !== 'logout' && mayFlood(tenantId)) {
      queue.drop(tenantId)
      return
    }
    const told = toldOf(request, reply, trace, tenantId)
    const key = `${route.method} ${route.path}`
    const params = keptElsewhere.has(key) ? null : paramsOf(sentWith(request, trace))
    if (route.method === 'POST' || event?.event !== 'logout')
      queue.push(apiRow(told, { result: trace.problem ?? (status < 400 ? 'ok' : String(status)), params }))
    if (event) queue.push(usualRow(told, { ...event, data: params }))
  }

  const toldOf = (request: FastifyRequest, reply: FastifyReply, trace: RequestTrace, tenantId: string): LoggedCall => {
    const { route, actor } = trace
    const signsIn = route?.path === '/blade-auth/oauth/token'
    return {
      tenantId,
      userId: actor?.userId ?? null,
      createBy: actor ? actor.name : null,
      account: signsIn ? (trace.account ?? (trace.given?.username?.trim() || null)) : null,
      tokenHash: route?.path === '/blade-auth/oauth/logout' && !actor ? tokenOf(request, services) : null,
      title: route?.summary.zh ?? '',
      method: request.method,
      requestUri: request.url.split('?', 1)[0] ?? '',
      remoteIp: request.ip,
      userAgent: String(request.headers['user-agent'] ?? ''),
      status: reply.statusCode,
      time: Math.min(2_147_483_647, Math.round(reply.elapsedTime)),
      traceId: request.id,
    }
  }

  const recordFault = (request: FastifyRequest, status: number, trace: RequestTrace, tenantId: string): void => {
    const thrown = trace.thrown
    queue.push(
      errorRow(
        {
          tenantId,
          userId: trace.actor?.userId ?? null,
          createBy: trace.actor?.name ?? null,
          method: request.method,
          requestUri: request.url.split('?', 1)[0] ?? '',
          remoteIp: request.ip,
          userAgent: String(request.headers['user-agent'] ?? ''),
          status,
          traceId: request.id,
        },
        {
          name: thrown instanceof Error ? thrown.name : typeof thrown,
          message: thrown instanceof Error ? thrown.message : String(thrown),
          ...(thrown instanceof Error && thrown.stack ? { stack: thrown.stack } : {}),
          params: paramsOf(sentWith(request, trace)),
        },
      ),
    )
  }

  http.addHook('onResponse', (request, reply, done) => {
    // The answer is on its way: whatever happens here is nobody's trouble but the log's.
    try {
      record(request, reply)
    } catch (error) {
      services.log.warn('a call could not be logged', { error: (error as Error).message })
    }
    done()
  })
}
