import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { envelopeWords } from '@data-brain/contract'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { newId } from '../database/id.ts'
import { inTenant } from '../database/transaction.ts'
import type { Circumstance } from './actor.ts'
import { authenticate, readToken } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { type Answered, dropOnce, keepOnce, onceKey, type Sent, takeOnce } from './once.ts'
import { isBrokenText, plainTexts, readParameters } from './parameter.ts'
import { type Language, Problem } from './problem.ts'
import { isOutage, problemOf } from './problem-of.ts'
import {
  Bare,
  type DetachedCall,
  type DetachedRoute,
  type PublicCall,
  type PublicRoute,
  type Route,
  type SessionRoute,
} from './route.ts'
import type { Services } from './services.ts'
import { isMarking, recordShown, shownIn } from './shown.ts'
import { traceOf } from './trace.ts'
import { type Holder, Turns } from './turns.ts'
import { bodyLimitOf, closeUnread, formLimit, isGone, refuseUnread } from './unread.ts'
import { type Received, receive, timeBodies, tooLarge, uploadLimit } from './upload.ts'
import { refuseAmbiguous } from './wellformed.ts'

/** Parameters are read by kernel/parameter.ts: Fastify's own compilers of schemas (3 MB) are not loaded. */
const noSchemas = (): never => {
  throw new Error('routes have no schemas of Fastify')
}

/** A Fastify instance with the limits of every connection; unused content parsers are gone. */
export function makeHttp(services: Services): FastifyInstance {
  const http = Fastify({
    logger: false,
    trustProxy: services.environment.trustProxy.length > 0 ? services.environment.trustProxy : false,
    // Bodies have their own clock (timeBodies): that of Node.js knows no difference between a draft and a film.
    requestTimeout: 0,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    bodyLimit: 1_048_576,
    routerOptions: { maxParamLength: 1_024, ignoreTrailingSlash: false },
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384 },
    exposeHeadRoutes: true,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    genReqId: () => newId(),
    frameworkErrors: (error, request, reply) => fail(services, error, request, reply),
    clientErrorHandler: refuseUnread,
  })
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body as string, refusePrototype))
    } catch {
      done(new Problem('bad_request'))
    }
  })
  http.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formLimit },
    (_request, body, done) => {
      done(null, Object.fromEntries(formPairs(body as string)))
    },
  )
  http.register(multipart, { limits: { fields: 50, fieldSize: 65_536, fileSize: 52_428_800, files: 1, parts: 51 } })
  refuseAmbiguous(http)
  timeBodies(http)
  http.setErrorHandler((error, request, reply) => fail(services, error, request, reply))
  return http
}

const refusePrototype = (key: string, value: unknown): unknown => {
  if (key === '__proto__') throw new Problem('bad_request')
  return value
}

function* formPairs(body: string): Iterable<[string, string | string[]]> {
  const form = new URLSearchParams(body)
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name)
    yield [name, values.length === 1 ? (values[0] as string) : values]
  }
}

/** The caller's language: the first of Accept-Language that we speak, Chinese where none is. */
export function languageOf(header: string | undefined): Language {
  for (const part of (header ?? '').split(',')) {
    const tag = part.trim().slice(0, 2).toLowerCase()
    if (tag === 'zh' || tag === 'en') return tag
  }
  return 'zh'
}

export function circumstanceOf(request: FastifyRequest): Circumstance {
  return {
    requestId: request.id,
    language: languageOf(request.headers['accept-language']),
    address: request.ip,
    agent: String(request.headers['user-agent'] ?? '').slice(0, 255),
    reason: reasonOf(request.headers['read-reason']),
  }
}

/** Why somebody reads, percent-encoded as a header must be; what cannot be read, or kept, is none. */
function reasonOf(header: string | string[] | undefined): string | undefined {
  try {
    const reason = decodeURIComponent(String(header ?? '')).trim()
    return reason === '' || isBrokenText(reason) ? undefined : [...reason].slice(0, reasonMost).join('')
  } catch {
    return undefined
  }
}
const reasonMost = 200

/** What nobody meant to happen: it is logged. */
const unexpected: ReadonlySet<string> = new Set(['bug', 'outage', 'outcome_unknown'])
/** How soon whoever met an outage may ask again. */
const outageSeconds = 2

/** What was thrown, as the problem that is told; what nobody expected is logged and hidden. */
function noted(services: Services, thrown: unknown, request: FastifyRequest): Problem {
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
  if (problem.problem === 'outage') reply.header('Retry-After', outageSeconds)
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

const jsonBody = (request: FastifyRequest): unknown =>
  String(request.headers['content-type'] ?? '').startsWith('application/json') ? request.body : undefined

/** What a handler that opens no transaction is given. */
async function publicCall(
  services: Services,
  declared: PublicRoute | DetachedRoute,
  request: FastifyRequest,
  received?: Received,
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
      if (problem.problem === 'outage') reply.header('Retry-After', outageSeconds)
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
    let received: Received | undefined
    let data: unknown
    try {
      if (declared.upload) received = await receive(request, declared.uploadLimit ?? uploadLimit)
      const call = await publicCall(services, declared, request, received)
      const work = () => declared.handler({ ...call, query: plainTexts(request.query), as })
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

/** Work of several transactions, done once: the key is durable before it begins, and goes where it fails. */
async function workOnce(
  { cipher }: Services,
  as: DetachedCall['as'],
  sent: Sent,
  work: () => Promise<unknown>,
): Promise<Answered> {
  const before = await as((opened) => takeOnce({ ...opened, cipher }, sent))
  if (before) return before
  let done: Answered
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
const answered = (data: unknown): Answered => ({ data, shown: data instanceof Bare ? [] : shownIn(data) })

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
    let received: Received | undefined
    let arriving: (() => void) | undefined
    if (declared.upload) {
      // Asked before a byte of the file is read, and again when it is here: no connection waits for a slow client.
      const asked = await authenticate(services, header, { pool })
      await asked.rollback()
      trace.actor = asked.actor
      authorize(declared, asked.actor)
      arriving = await arrivals.take(asked.actor)
    }
    let data: unknown
    let recorded = false
    try {
      if (declared.upload) received = await receive(request, declared.uploadLimit ?? uploadLimit)
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
      arriving?.()
    }
    return answer(request, reply, data)
  }
}

/** Files that arrive, each on its way to the disk, until what was asked for is done. */
const arrivals = new Turns({
  ...{ atOnce: 48, perTenant: 16, perUser: 4 },
  ...{ waitingOfUser: 16, waitingOfTenant: 64, longest: 20_000 },
})
/** Files that are fetched. Pages ask for many pictures at once: these wait for each other. */
const streams = new Turns({
  ...{ atOnce: 256, perTenant: 64, perUser: 8 },
  ...{ waitingOfUser: 200, waitingOfTenant: 1_000, longest: 30_000 },
})

/** For whom a request is answered: whoever a link gives leave to is nobody, of the link's tenant. */
function holderOf(request: FastifyRequest): Holder {
  const { actor, given } = traceOf(request)
  return actor ?? { tenantId: given?.tenant ?? request.ip, userId: null }
}

/** Waits for a turn at sending bytes as they come, which lasts until they have been taken. */
async function takeStream(request: FastifyRequest, { body, headers }: Bare): Promise<void> {
  // Channels of news last for an hour, and are counted where they are opened.
  if (!(body instanceof Readable) || headers['Content-Type']?.startsWith('text/event-stream')) return
  // A file that breaks off while it waits is told by what sends it.
  body.on('error', () => {})
  const end = await streams.take(holderOf(request)).catch((error: unknown) => {
    body.destroy()
    throw error
  })
  if (body.destroyed) end()
  else body.once('close', end)
}

/** Shorter answers travel as they are: packing them costs more than it saves. */
const packedFrom = 8_192
const pack = promisify(brotliCompress)

/** What Fastify sends for a handler. The reply itself would be waited for until all of it has been taken. */
export type Payload = string | Buffer | Readable | null

/** The body of an answer: an envelope, or what a handler answers bare; a long one is packed where the client takes it. */
export async function answer(request: FastifyRequest, reply: FastifyReply, data: unknown): Promise<Payload> {
  reply.header('Cache-Control', 'no-store')
  if (data instanceof Bare) {
    if (data.problem)
      Object.assign(traceOf(request), { problem: data.problem.problem, locks: 'locks' in data.problem.detail })
    if (data.account) traceOf(request).account = data.account
    for (const [name, value] of Object.entries(data.headers)) reply.header(name, value)
    if (request.method === 'HEAD') {
      // Only what stands above it is told: bytes that nobody is sent are not made.
      if (data.body instanceof Readable) data.body.destroy()
      if (data.body instanceof Readable || data.body === null) {
        reply.status(data.status)
        return null
      }
    }
    await takeStream(request, data)
    reply.status(data.status)
    if (
      typeof data.body === 'string' ||
      Buffer.isBuffer(data.body) ||
      data.body === null ||
      data.body instanceof Readable
    )
      return data.body
    reply.type('application/json; charset=utf-8')
    return JSON.stringify(data.body)
  }
  const msg = envelopeWords.done[languageOf(request.headers['accept-language'])]
  const text = JSON.stringify({ code: 200, success: true, data: data ?? null, msg })
  reply.type('application/json; charset=utf-8')
  if (text.length < packedFrom || !/\bbr\b/.test(String(request.headers['accept-encoding'] ?? '')))
    return text
  const packed = await pack(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
  reply.header('Content-Encoding', 'br').header('Vary', 'Accept-Encoding')
  return packed
}

/** Refuses texts that cannot be stored, names among them, wherever they stand in a JSON body. */
export function refuseBrokenTexts(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (isBrokenText(value))
      throw new Problem(
        'field_invalid',
        {
          label: path || 'body',
          reason: { zh: '含有无法保存的字符', en: 'contains a character that cannot be stored' },
        },
        { field: path, fields: [] },
      )
  } else if (Array.isArray(value))
    for (const [index, each] of value.entries()) refuseBrokenTexts(each, path || String(index))
  else if (value && typeof value === 'object')
    for (const [key, each] of Object.entries(value)) {
      refuseBrokenTexts(key, path)
      refuseBrokenTexts(each, path || key)
    }
}
