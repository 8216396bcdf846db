import { envelopeWords } from '@data-brain/contract'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { newId } from '../database/id.ts'
import { type Actor, type Circumstance, holds } from './actor.ts'
import { authenticate, readToken } from './authenticate.ts'
import { isBrokenText, plainTexts, readParameters } from './parameter.ts'
import { type Language, Problem } from './problem.ts'
import { problemOf } from './problem-of.ts'
import { Bare, type Route, type SessionRoute } from './route.ts'
import type { Services } from './services.ts'
import { type Received, receive, uploadLimit } from './upload.ts'

/** A Fastify instance with the limits of every connection; unused content parsers are gone. */
export function makeHttp(services: Services): FastifyInstance {
  const http = Fastify({
    logger: false,
    trustProxy: services.environment.trustProxy.length > 0 ? services.environment.trustProxy : false,
    requestTimeout: 15_000,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    bodyLimit: 1_048_576,
    routerOptions: { maxParamLength: 128, ignoreTrailingSlash: false },
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384 },
    exposeHeadRoutes: false,
    genReqId: () => newId(),
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
    { parseAs: 'string', bodyLimit: 65_536 },
    (_request, body, done) => {
      done(null, Object.fromEntries(formPairs(body as string)))
    },
  )
  http.register(multipart, { limits: { fields: 50, fieldSize: 65_536, fileSize: 52_428_800, files: 1, parts: 51 } })
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
  }
}

/** Ends a request with what was thrown, told in the caller's language; what nobody expected is logged and hidden. */
export function fail(services: Services, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const circumstance = circumstanceOf(request)
  const problem = problemOf(thrown, circumstance)
  if (problem.problem === 'bug' || problem.problem === 'outage')
    services.log.error(problem.problem, {
      requestId: circumstance.requestId,
      method: request.method,
      route: request.routeOptions?.url,
      error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
    })
  return reply
    .status(problem.status)
    .header('Cache-Control', 'no-store')
    .send({ code: problem.status, success: false, data: problem.data, msg: problem.words(circumstance.language) })
}

/** Whether an actor may call a route; throws the problem that says what is missing. */
export function authorize(declared: Pick<SessionRoute, 'access' | 'beforeChange'>, actor: Actor): void {
  if (actor.mustChange && !declared.beforeChange) throw new Problem('password_must_change')
  const { access } = declared
  if (access === 'session') return
  if (access === 'platform') {
    if (!actor.platform) throw new Problem('forbidden', { code: 'platform' })
    return
  }
  if (!access.codes.some((wanted) => holds(actor, wanted)))
    throw new Problem('forbidden', { code: access.codes[0] ?? '' })
}

/** Registers routes under /api. A route without declared access stops the boot. */
export function registerRoutes(http: FastifyInstance, services: Services, routes: readonly Route[]): void {
  for (const declared of routes) {
    const { access } = declared
    const known =
      access === 'public' ||
      access === 'session' ||
      access === 'platform' ||
      (Array.isArray(access?.codes) && access.codes.length > 0)
    if (!known) throw new Error(`${declared.method} ${declared.path} does not say who may call it`)
    http.route({
      method: declared.method,
      url: `/api${declared.path}`,
      ...(declared.bodyLimit ? { bodyLimit: declared.bodyLimit } : {}),
      handler: declared.access === 'public' ? publicHandler(services, declared) : sessionHandler(services, declared),
    })
  }
}

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

function publicHandler(services: Services, declared: Extract<Route, { access: 'public' }>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const circumstance = circumstanceOf(request)
    const given = await givenTexts(request)
    const data = await declared.handler({
      services,
      circumstance,
      parameters: readParameters(declared.parameters, given),
      headers: request.headers,
      body: jsonBody(request),
    })
    return answer(reply, data, circumstance.language)
  }
}

function sessionHandler(services: Services, declared: SessionRoute) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const circumstance = circumstanceOf(request)
    const header = request.headers['blade-auth']
    readToken(header)
    let received: Received | undefined
    if (declared.upload) {
      // Asked before a byte of the file is read, and again when it is here: no connection waits for a slow client.
      const asked = await authenticate(services, header)
      await asked.rollback()
      authorize(declared, asked.actor)
      received = await receive(request, declared.uploadLimit ?? uploadLimit)
    }
    let data: unknown
    try {
      const query = plainTexts(request.query)
      const given = received ? { ...query, ...plainTexts(received.fields) } : await givenTexts(request)
      const opened = await authenticate(services, header, declared.stampOf, 'keyword' in query)
      try {
        authorize(declared, opened.actor)
        data = await declared.handler({
          services,
          tx: opened.tx,
          actor: opened.actor,
          circumstance,
          parameters: readParameters(declared.parameters, given),
          query,
          body: received ?? jsonBody(request),
          stamp: opened.stamp,
        })
      } catch (error) {
        await opened.rollback()
        throw error
      }
      // Only what is durable is acknowledged; a reading request need not wait for its end.
      const committed = opened.commit()
      if (declared.method === 'POST') await committed
      else committed.catch((error: Error) => services.log.warn('commit', { error: error.message }))
    } finally {
      await received?.discard()
    }
    return answer(reply, data, circumstance.language)
  }
}

function answer(reply: FastifyReply, data: unknown, language: Language): FastifyReply {
  reply.header('Cache-Control', 'no-store')
  if (data instanceof Bare) {
    for (const [name, value] of Object.entries(data.headers)) reply.header(name, value)
    if (typeof data.body === 'string' || Buffer.isBuffer(data.body) || data.body === null)
      return reply.status(data.status).send(data.body)
    return reply.status(data.status).type('application/json; charset=utf-8').send(JSON.stringify(data.body))
  }
  return reply
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ code: 200, success: true, data: data ?? null, msg: envelopeWords.done[language] }))
}

/** Refuses texts that cannot be stored, wherever they stand in a JSON body. */
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
    for (const [key, each] of Object.entries(value)) refuseBrokenTexts(each, path || key)
}
