import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance } from 'fastify'
import { newId } from '../database/id.ts'
import { fail } from './failure.ts'
import { Problem } from './problem.ts'
import type { Services } from './services.ts'
import { formLimit, refuseUnread } from './unread-body.ts'
import { timeBodies } from './upload.ts'
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
