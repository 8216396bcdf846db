import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { envelopeWords, problems } from '@data-brain/contract'
import type { FastifyInstance } from 'fastify'
import type { Parameter, ParameterKind } from './kernel/parameter.ts'
import type { Route } from './kernel/route.ts'

const parameterSchemas: Record<ParameterKind, (parameter: Parameter) => object> = {
  text: (parameter) => ({ type: 'string', maxLength: parameter.max ?? 255 }),
  integer: (parameter) => ({ type: 'integer', minimum: parameter.min ?? 0, maximum: parameter.max ?? 2_147_483_647 }),
  id: () => ({ type: 'string', pattern: '^[1-9][0-9]{0,18}$' }),
  ids: () => ({ type: 'string', description: 'ids, comma separated' }),
  texts: () => ({ type: 'string', description: 'comma separated' }),
  tenant: () => ({ type: 'string', pattern: '^[0-9]{6}$' }),
  md5: () => ({ type: 'string', pattern: '^[0-9a-f]{32}$' }),
}

const envelope = (data: object | undefined): object => ({
  type: 'object',
  required: ['code', 'success', 'msg', 'data'],
  properties: {
    code: { type: 'integer', example: 200 },
    success: { type: 'boolean' },
    msg: { type: 'string', example: envelopeWords.done.zh },
    data: data ?? {},
  },
})

const accessWords = (access: Route['access']): string =>
  access === 'public' ? 'public' : access === 'session' ? 'any session' : `code ${access.codes.join(' or ')}`

/** The OpenAPI 3.1 description of the routes, made from the very declarations that serve them. */
export function describe(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const declared of routes) {
    const errors =
      declared.access === 'public' ? ['400', '429'] : ['400', '401', ...(declared.access === 'session' ? [] : ['403'])]
    const path = `/api${declared.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] ??= {}
    paths[path][declared.method.toLowerCase()] = {
      summary: `${declared.summary.zh} / ${declared.summary.en}`,
      tags: [declared.tag ?? declared.path.split('/')[1] ?? 'api'],
      description: `Access: ${accessWords(declared.access)}`,
      security: declared.access === 'public' ? [{ client: [] }] : [{ token: [] }],
      parameters: Object.entries(declared.parameters ?? {}).map(([name, parameter]) => ({
        name,
        in: declared.path.includes(`:${name}`) ? 'path' : 'query',
        required: parameter.required ?? false,
        schema: parameterSchemas[parameter.kind](parameter),
      })),
      ...(declared.bodySchema
        ? { requestBody: { required: true, content: { 'application/json': { schema: declared.bodySchema } } } }
        : {}),
      ...(declared.upload
        ? {
            requestBody: {
              required: true,
              content: {
                'multipart/form-data': {
                  schema: {
                    type: 'object',
                    required: ['file'],
                    properties: { file: { type: 'string', format: 'binary' } },
                  },
                },
              },
            },
          }
        : {}),
      responses: {
        200: declared.bare
          ? { description: 'OK' }
          : { description: 'OK', content: { 'application/json': { schema: envelope(declared.dataSchema) } } },
        ...Object.fromEntries(errors.map((status) => [status, { $ref: '#/components/responses/Problem' }])),
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Data Brain 数据大脑', version: '0.1.0', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        client: { type: 'http', scheme: 'basic' },
        token: { type: 'apiKey', in: 'header', name: 'Blade-Auth', description: 'bearer <access token>' },
      },
      responses: {
        Problem: {
          description: `One of: ${[...new Set(Object.values(problems).map((problem) => problem.status))].sort().join(', ')}`,
          content: { 'application/json': { schema: envelope(undefined) } },
        },
      },
    },
  }
}

/**
 * Serves the description of the routes: made when it is first asked for, kept packed, and not sent again to whoever has
 * it. It is half a megabyte, which many who ask at once must not have made, and held, for each of them.
 */
export function serveDescription(http: FastifyInstance, routes: readonly Route[]): void {
  let made: Promise<{ text: Buffer; packed: Buffer; etag: string }> | undefined
  const make = async () => {
    const text = Buffer.from(JSON.stringify(describe(routes)))
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
    return { text, packed: await promisify(brotliCompress)(text), etag }
  }
  http.get('/api/openapi.json', async (request, reply) => {
    made ??= make()
    const { text, packed, etag } = await made
    const { 'if-none-match': had, 'accept-encoding': accepted } = request.headers
    reply.header('Cache-Control', 'no-cache').header('Vary', 'Accept-Encoding').header('ETag', etag)
    if (had === etag) return reply.status(304).send()
    reply.type('application/json; charset=utf-8')
    return /\bbr\b/.test(String(accepted ?? ''))
      ? reply.header('Content-Encoding', 'br').send(packed)
      : reply.send(text)
  })
}
