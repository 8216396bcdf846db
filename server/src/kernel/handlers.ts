import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inTenant } from '../database/transaction.ts'
import { answer, holderOf, type Payload } from './answer.ts'
import { authenticate, readToken } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { circumstanceOf } from './circumstance.ts'
import { noted, sayWhenToRetry } from './failure.ts'
import { dropOnce, keepOnce, onceKey, type RecordedAnswer, type Sent, takeOnce } from './idempotency.ts'
import { plainTexts, readParameters } from './parameter.ts'
import { Problem } from './problem.ts'
import { isOutage } from './problem-of.ts'
import {
  type DetachedCall,
  type DetachedRoute,
  type PublicCall,
  type PublicRoute,
  RawResponse,
  type Route,
  type SessionRoute,
} from './route.ts'
import type { Services } from './services.ts'
import { isMarking, recordShown, shownIn } from './shown-rows.ts'
import { traceOf } from './trace.ts'
import { TurnQueue } from './turn-queue.ts'
import { type ReceivedFile, receiveFile, uploadLimit } from './upload.ts'

/** Files that arrive, each on its way to the disk, until what was asked for is done. */
const arrivals = new TurnQueue({
  ...{ atOnce: 48, perTenant: 16, perUser: 4 },
  ...{ waitingOfUser: 16, waitingOfTenant: 64, longest: 20_000 },
})

/** Registers routes under /api. A route without declared access stops the boot. */
export function registerRoutes(http: FastifyInstance, services: Services, routes: readonly Route[]): void {
  for (const declared of routes) {
    const { access } = declared
    const known =
      access === 'public' || access === 'session' || (Array.isArray(access?.codes) && access.codes.length > 0)
    if (!known) throw new Error(`${declared.method} ${declared.path} does not say who may call it`)
    http.route({
      method: declared.method === 'GET' ? ['GET', 'HEAD'] : declared.method,
      url: `/api${declared.path}`,
      ...(declared.bodyLimit ? { bodyLimit: declared.bodyLimit } : {}),
      config: { upload: declared.upload === true },
      handler: isPublic(declared)
        ? publicHandler(services, declared)
        : 'detached' in declared
          ? detachedHandler(services, declared)
          : sessionHandler(services, declared),
    })
  }
}

const isPublic = (declared: Route): declared is PublicRoute => declared.access === 'public'

/** POST parameters come from the query, a urlencoded or a multipart body alike: the family's clients differ. */
async function givenTexts(request: FastifyRequest): Promise<Record<string, string>> {
  const query = plainTexts(request.query)
  if (request.method !== 'POST') return query
  const type = String(request.headers['content-type'] ?? '')
  if (type.startsWith('application/x-www-form-urlencoded')) return { ...query, ...plainTexts(request.body) }
  if (type.startsWith('multipart/form-data')) {
    const fields: Record<string, unknown> = {}
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        part.file.resume()
        continue
      }
      fields[part.fieldname] = part.fieldname in fields ? [] : part.value
    }
    return { ...query, ...plainTexts(fields) }
  }
  return query
}

/** What was sent as JSON: undefined where nothing was sent, null where something came that is no JSON. */
function jsonBody(request: FastifyRequest): unknown {
  const type = String(request.headers['content-type'] ?? '')
  if (type.startsWith('application/json')) return request.body
  return type === '' ? undefined : null
}

/** What a handler that opens no transaction is given. */
async function publicCall(
  services: Services,
  declared: PublicRoute | DetachedRoute,
  request: FastifyRequest,
  received?: ReceivedFile,
): Promise<PublicCall> {
  const sent = received ? { ...plainTexts(request.query), ...plainTexts(received.fields) } : await givenTexts(request)
  // What the path itself names goes before what is sent beside it.
  const given = { ...sent, ...plainTexts(request.params) }
  traceOf(request).given = given
  return {
    services,
    circumstance: circumstanceOf(request),
    parameters: readParameters(declared.parameters, given),
    headers: request.headers,
    body: received ?? jsonBody(request),
  }
}

function publicHandler(services: Services, declared: PublicRoute) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Payload> => {
    traceOf(request).route = declared
    try {
      return await answer(request, reply, await declared.handler(await publicCall(services, declared, request)))
    } catch (thrown) {
      if (!declared.told) throw thrown
      const known = declared.told(thrown)
      if (known) return answer(request, reply, known)
      const problem = noted(services, thrown, request)
      sayWhenToRetry(problem, reply)
      return answer(request, reply, declared.told(problem)!)
    }
  }
}

function detachedHandler(services: Services, declared: DetachedRoute) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Payload> => {
    const header = request.headers['blade-auth']
    const trace = traceOf(request)
    trace.route = declared
    readToken(header)
    if (request.method !== 'POST') refuseCrossSite(request)
    const circumstance = circumstanceOf(request)
    const as: DetachedCall['as'] = async (work) => {
      const opened = await authenticate(services, header, {
        pool: declared.platform ? services.platform : services.pool,
        whileLocked: declared.whileLocked,
        language: circumstance.language,
      })
      trace.actor = opened.actor
      try {
        authorize(declared, opened.actor, jsonBody(request))
        const done = await work(opened)
        await opened.commit()
        return done
      } catch (error) {
        await opened.rollback()
        throw error
      }
    }
    // What is wrong with a call is told only to whoever may make it.
    if (!declared.judgesToken) await as(async () => {})
    const arriving = declared.upload ? await arrivals.take(holderOf(request)) : undefined
    let received: ReceivedFile | undefined
    let data: unknown
    try {
      if (declared.upload) received = await receiveFile(request, declared.uploadLimit ?? uploadLimit)
      const call = await publicCall(services, declared, request, received)
      const work = () => declared.handler({ ...call, query: plainTexts(request.query), left: leavingOf(reply), as })
      const sent = received ? undefined : sentOnce(declared, request, trace.given ?? {})
      const { data: done, shown } = sent ? await workOnce(services, as, sent, work) : answered(await work())
      data = done
      if (shown.length > 0) await as((opened) => recordShown({ ...opened, circumstance }, shown))
    } catch (error) {
      const shown = shownIn(error)
      if (shown.length > 0) await as((opened) => recordShown({ ...opened, circumstance }, shown))
      throw error
    } finally {
      await received?.discard()
      arriving?.()
    }
    return answer(request, reply, data)
  }
}

/** Aborted when the connection closes before it was answered. */
function leavingOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  raw.once('close', () => {
    if (!raw.writableEnded) leaving.abort()
  })
  return leaving.signal
}

/** Work of several transactions, done once: the key is durable before it begins, and goes where it fails. */
async function workOnce(
  { cipher }: Services,
  as: DetachedCall['as'],
  sent: Sent,
  work: () => Promise<unknown>,
): Promise<RecordedAnswer> {
  const before = await as((opened) => takeOnce({ ...opened, cipher }, sent))
  if (before) return before
  let done: RecordedAnswer
  try {
    done = answered(await work())
  } catch (error) {
    const dropped = as((opened) => dropOnce(opened, sent))
    // Whoever meets an outage is told so, and does not wait for it a second time.
    if (isOutage(error)) dropped.catch(() => {})
    else await dropped
    throw error
  }
  await as((opened) => keepOnce({ ...opened, cipher }, sent, done))
  return done
}

/** An answer with whose records it shows; what is no envelope is recorded by whoever makes it. */
const answered = (data: unknown): RecordedAnswer => ({ data, shown: data instanceof RawResponse ? [] : shownIn(data) })

/** Calls that change something by GET: no other site may lead a browser to them. Old browsers send no such header. */
function refuseCrossSite(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Problem('cross_site')
}

/** What a request that is to be done once has sent; undefined where it does not ask for it. */
function sentOnce(
  declared: SessionRoute | DetachedRoute,
  request: FastifyRequest,
  given: Readonly<Record<string, string>>,
): Sent | undefined {
  if (declared.method !== 'POST' || declared.bare) return undefined
  const key = onceKey(request.headers['idempotency-key'])
  return key ? { key, route: declared.path, content: JSON.stringify([given, jsonBody(request) ?? null]) } : undefined
}

function sessionHandler(services: Services, declared: SessionRoute) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Payload> => {
    const circumstance = circumstanceOf(request)
    const header = request.headers['blade-auth']
    const trace = traceOf(request)
    trace.route = declared
    readToken(header)
    const pool = declared.platform ? services.platform : services.pool
    let received: ReceivedFile | undefined
    let endTurn: (() => void) | undefined
    const turns = declared.turns ?? (declared.upload ? arrivals : undefined)
    if (turns) {
      // Asked before a byte of a file is read, and again when it is here: no connection waits for a slow client, or a turn.
      const asked = await authenticate(services, header, { pool, whileLocked: declared.whileLocked })
      await asked.rollback()
      trace.actor = asked.actor
      authorize(declared, asked.actor)
      endTurn = await turns.take(asked.actor)
    }
    let data: unknown
    let recorded = false
    try {
      if (declared.upload) received = await receiveFile(request, declared.uploadLimit ?? uploadLimit)
      const query = plainTexts(request.query)
      const given = received ? { ...query, ...plainTexts(received.fields) } : await givenTexts(request)
      trace.given = given
      const opened = await authenticate(services, header, {
        entity: declared.stampOf,
        samePlan: 'keyword' in query,
        pool,
        whileLocked: declared.whileLocked,
        language: circumstance.language,
      })
      trace.actor = opened.actor
      try {
        const body = received ?? jsonBody(request)
        authorize(declared, opened.actor, body)
        const { tx, actor, stamp } = opened
        const sent = received ? undefined : sentOnce(declared, request, given)
        const before = sent && (await takeOnce({ tx, actor, cipher: services.cipher }, sent))
        let done = before
        if (!done) {
          const parameters = readParameters(declared.parameters, given)
          data = await declared.handler({ services, tx, actor, circumstance, parameters, query, body, stamp })
          done = isMarking(tx) ? answered(data) : { data, shown: [] }
        }
        data = done.data
        recorded = done.shown.length > 0
        await recordShown({ tx, actor, circumstance }, done.shown)
        if (sent && !before) await keepOnce({ tx, actor, cipher: services.cipher }, sent, done)
      } catch (error) {
        await opened.rollback()
        // What is told of a failure may show a record as well: it is recorded apart, since nothing else is kept.
        const shown = shownIn(error)
        if (shown.length > 0)
          await inTenant(services.pool, opened.actor.tenantId, (tx) =>
            recordShown({ tx, actor: opened.actor, circumstance }, shown),
          )
        throw error
      }
      // Only what is durable is acknowledged, and what is recorded shown; other reading requests need not wait.
      const committed = opened.commit()
      if (declared.method === 'POST' || declared.records || recorded) await committed
      else committed.catch((error: Error) => services.log.warn('commit', { error: error.message }))
    } finally {
      await received?.discard()
      endTurn?.()
    }
    return answer(request, reply, data)
  }
}
