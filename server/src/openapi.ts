import { envelopeWords, problems } from '@data-brain/contract'
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
