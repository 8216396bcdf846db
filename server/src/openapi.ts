import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { entityOf, envelopeWords, problems, type Words } from '@data-brain/contract'
import type { FastifyInstance } from 'fastify'
import { nameOfSchema, propertiesOf } from './entity/schema.ts'
import type { Parameter, ParameterKind } from './kernel/parameter.ts'
import type { Route } from './kernel/route.ts'

type Schema = Record<string, unknown>

const parameterSchemas: Record<ParameterKind, (parameter: Parameter) => object> = {
  text: (parameter) => ({ type: 'string', maxLength: parameter.max ?? 255 }),
  integer: (parameter) => ({ type: 'integer', minimum: parameter.min ?? 0, maximum: parameter.max ?? 2_147_483_647 }),
  id: () => ({ type: 'string', pattern: '^[1-9][0-9]{0,18}$' }),
  ids: () => ({ type: 'string', description: 'ids, comma separated' }),
  texts: () => ({ type: 'string', description: 'comma separated' }),
  tenant: () => ({ type: 'string', pattern: '^[0-9]{6}$' }),
  md5: () => ({ type: 'string', pattern: '^[0-9a-f]{32}$' }),
  date: () => ({ type: 'string', format: 'date' }),
  oneOf: ({ values = [] }) => ({ enum: [...values] }),
}

const ref = (kind: 'schemas' | 'parameters' | 'responses' | 'requestBodies', name: string): Schema => ({
  $ref: `#/components/${kind}/${name}`,
})

const accessWords = (access: Route['access']): string =>
  access === 'public' ? 'public' : access === 'session' ? 'any session' : `code ${access.codes.join(' or ')}`

/** `blade-user/student/export-job` as an identifier: `userStudentExportJob`. */
const camel = (path: string): string =>
  path
    .replace(/^\/?(blade-)?/, '')
    .replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase())

/** Under which name each call stands: that of its path, with the method where the path has two. */
function operationIds(routes: readonly Route[]): (declared: Route) => string {
  const paths = Map.groupBy(routes, ({ path }) => path)
  return ({ path, method }) =>
    (paths.get(path)?.length ?? 0) > 1 ? `${camel(path)}${method === 'GET' ? 'Get' : 'Post'}` : camel(path)
}

/**
 * Schemas that occur more than once stand once, under a name, and are pointed at. Rows, drafts and pages of entities are
 * named by their maker (`named`); parameters by what they are called, with their tag where two differ.
 */
class Components {
  readonly schemas: Record<string, Schema> = {}
  readonly parameters: Record<string, Schema> = {}
  readonly responses: Record<string, Schema> = {}
  readonly requestBodies: Record<string, Schema> = {}
  readonly #uses = new Map<string, number>()

  /** Of these parameters and bodies those that occur more than once are kept under a name. */
  constructor(parts: readonly Schema[]) {
    this.count(parts)
  }

  count(parts: readonly unknown[]): void {
    for (const part of parts) {
      const text = JSON.stringify(part)
      this.#uses.set(text, (this.#uses.get(text) ?? 0) + 1)
    }
  }

  /** A schema with all that has a name in it pointed at. */
  schema(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((each) => this.schema(each))
    if (typeof schema !== 'object' || schema === null) return schema
    const name = nameOfSchema(schema)
    if (name === undefined) return this.#inside(schema)
    if (!this.schemas[name]) {
      // Named before it is filled: what points at itself finds its name.
      this.schemas[name] = {}
      Object.assign(this.schemas[name], this.#inside(schema))
    }
    return ref('schemas', name)
  }

  #inside(schema: object): Schema {
    return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, this.schema(part)]))
  }

  /** How a call tells that it is refused: in the envelope, or as a binding of others has it. */
  refusal(declared: Route): Schema {
    const schema = 'toldSchema' in declared ? declared.toldSchema : undefined
    if (!schema) return ref('responses', 'Problem')
    const name = nameOfSchema(schema)!
    this.responses[name] = { description: 'As the binding tells it', content: jsonOf(this.schema(schema)) }
    return ref('responses', name)
  }

  /** What a call answers where all went well; the same answer of several calls stands once. */
  answer(content: Schema): Schema {
    const response = { description: 'OK', content }
    const name = (this.#uses.get(JSON.stringify(content)) ?? 0) > 1 ? nameOfAnswer(content) : undefined
    if (!name) return response
    this.responses[name] = response
    return ref('responses', name)
  }

  parameter(parameter: Schema, tag: string): Schema {
    const text = JSON.stringify(parameter)
    if ((this.#uses.get(text) ?? 0) < 2) return parameter
    const plain = camel(String(parameter.name))
    for (const name of [plain, `${tag}_${plain}`]) {
      const there = this.parameters[name]
      if (there && JSON.stringify(there) !== text) continue
      this.parameters[name] = parameter
      return ref('parameters', name)
    }
    return parameter
  }

  /** What a call takes beside its parameters; what calls of one tag and last word take alike stands once. */
  body(declared: Route): Schema | undefined {
    const content = bodyOf(declared)
    if (!content) return undefined
    const body = { required: true, content: this.schema(content) }
    if ((this.#uses.get(JSON.stringify(content)) ?? 0) < 2) return body
    const name = camel(`${tagOf(declared)}/${declared.path.split('/').at(-1)}`)
    const there = this.requestBodies[name]
    if (there && JSON.stringify(there) !== JSON.stringify(body)) return body
    this.requestBodies[name] = body
    return ref('requestBodies', name)
  }
}

const parametersOf = (declared: Route): Schema[] =>
  Object.entries(declared.parameters ?? {})
    .filter(([name]) => !declared.form?.includes(name))
    .map(([name, parameter]) => ({
      name,
      in: declared.path.includes(`:${name}`) ? 'path' : 'query',
      ...(parameter.required || declared.path.includes(`:${name}`) ? { required: true } : {}),
      ...(parameter.label ? { description: `${parameter.label.zh} / ${parameter.label.en}` } : {}),
      schema: parameterSchemas[parameter.kind](parameter),
    }))

/** What a list takes beside its named parameters. */
const filters: Schema = {
  name: 'filters',
  in: 'query',
  style: 'form',
  explode: true,
  description:
    'Any field of the rows, with or without one of the suffixes _equal _notequal _like _notlike _likeleft _likeright _ge _gt _le _lt _datege _dategt _dateequal _datele _datelt _null _notnull _in _notin _below; several must all hold',
  schema: { type: 'object', additionalProperties: { type: 'string' } },
}
const isFiltered = ({ parameters = {} }: Route): boolean => 'keyword' in parameters && 'createTime_dategt' in parameters

/** Under which a save that is sent again is done once. */
const idempotencyKey: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A save that is sent again under the same key is done once',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{16,64}$' },
}
const isDoneOnce = ({ method, access, upload }: Route): boolean => method === 'POST' && access !== 'public' && !upload

const tagOf = (declared: Route): string => declared.tag ?? declared.path.split('/')[1] ?? 'api'

/** What a refused call answers: by its status, who meets it. */
function refusalsOf(declared: Route): string[] {
  const { access } = declared
  if ('scopes' in declared) return ['400', '401', '403', '404', '429']
  const names = Object.values(declared.parameters ?? {}).some(({ kind }) => kind === 'id' || kind === 'ids')
  // What a call is about, by an id, a name or a body, may not be there.
  const mayMiss = Object.keys({ ...declared.parameters, ...propertiesOf(declared.bodySchema) }).length > 0
  // A client that shows who it is, by a binding of others, may be unknown.
  const isClient = 'toldSchema' in declared
  // A file under an address of its own may never have been there, or be there no more.
  const byAddress = declared.file !== undefined && declared.path.includes(':')
  const missed = byAddress ? ['404', '410'] : names ? ['404'] : []
  if (access === 'public') return ['400', ...(isClient ? ['401'] : []), ...missed, '429']
  return [
    '400',
    '401',
    '403',
    // A list of nothing is a list.
    ...(mayMiss && !isFiltered(declared) ? ['404'] : []),
    // A row that others have changed, a value that is taken, or a save that is sent again while it goes on.
    ...(isDoneOnce(declared) ? ['409', '422'] : []),
  ]
}

/** What a call is sent with, where that is not the token of a session. */
function securityOf(declared: Route): Schema {
  if (declared.access !== 'public') return {}
  return { security: 'scopes' in declared ? declared.scopes?.map((scope) => ({ roster: [scope] })) : [{ client: [] }] }
}

const rosterScopes = (routes: readonly Route[]): Schema =>
  Object.fromEntries(
    routes
      .flatMap((declared) => ('scopes' in declared ? (declared.scopes ?? []) : []))
      .map((scope) => [scope, 'reads']),
  )

/** What is not named by an entity. */
const areas: Readonly<Record<string, Words>> = {
  'blade-auth': { zh: '登录与会话', en: 'Log-in and sessions' },
  explain: { zh: '权限说明', en: 'Why somebody may do something' },
  region: { zh: '行政区划', en: 'Regions' },
  session: { zh: '在线用户', en: 'Who is logged in' },
  search: { zh: '全局搜索', en: 'Search' },
  inbox: { zh: '消息', en: 'Inbox' },
  flowtask: { zh: '流程任务', en: 'Tasks of processes' },
  dashboard: { zh: '数据大屏', en: 'Dashboard' },
  quality: { zh: '数据质量', en: 'Data quality' },
  live: { zh: '实时消息', en: 'News as they come' },
  savedview: { zh: '列表视图', en: 'Views of lists' },
  import: { zh: '导入', en: 'Imports' },
  oneroster: { zh: 'OneRoster 交换', en: 'Exchange by OneRoster' },
  log: { zh: '日志', en: 'Logs' },
  history: { zh: '变更记录', en: 'History' },
  readlog: { zh: '读取记录', en: 'Reads of children’s records' },
  health: { zh: '健康检查', en: 'Health' },
}
function tagWords(name: string): string {
  const { zh, en } = areas[name] ?? entityOf(name).label
  return `${zh} / ${en}`
}

const jsonOf = (schema: unknown): Schema => ({ 'application/json': { schema } })

const file: Schema = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary' } },
}

/** What a call takes beside its parameters. */
function bodyOf({ bodySchema, upload, form, parameters = {} }: Route): Schema | undefined {
  if (bodySchema) return { 'application/json': { schema: bodySchema } }
  if (upload) return { 'multipart/form-data': { schema: file } }
  if (!form) return undefined
  // What must not stand in an address, or is too long for one.
  const fields = form.flatMap((name) => (parameters[name] ? [[name, parameters[name]] as const] : []))
  const required = fields.flatMap(([name, parameter]) => (parameter.required ? [name] : []))
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(([name, parameter]) => [name, parameterSchemas[parameter.kind](parameter)]),
    ),
    ...(required.length > 0 ? { required } : {}),
  }
  // More than 64 kB come in parts.
  return { 'application/x-www-form-urlencoded': { schema }, 'multipart/form-data': { schema } }
}

/** What an answer of several calls is called, by the shape of its data or the kind of its file; undefined where neither has a name. */
function nameOfAnswer(content: Schema): string | undefined {
  const { 'application/json': json } = content as Record<string, { schema: { properties?: { data?: Schema } } }>
  if (!json) return 'text/csv; charset=utf-8' in content ? 'ListFile' : undefined
  const data = json.schema.properties?.data
  const of = (schema: Schema | undefined): string | undefined =>
    typeof schema?.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  if (data?.type === 'null') return 'Done'
  const list = data?.type === 'array' ? of(data.items as Schema) : undefined
  const one = of(data)
  return one ? `${one}Answer` : list && `${list}ListAnswer`
}

/** What a call answers where all went well: an envelope, a bare object, or bytes. */
function contentOf({ bare, file: type, dataSchema }: Route): Schema | undefined {
  if (type)
    return Object.fromEntries([type].flat().map((each) => [each, { schema: { type: 'string', format: 'binary' } }]))
  if (bare) return dataSchema && jsonOf(dataSchema)
  return jsonOf(answered(dataSchema ?? {}))
}

/** The OpenAPI 3.1 description of the routes, made from the very declarations that serve them. */
export function describe(routes: readonly Route[]): object {
  const components = new Components(
    routes.flatMap((declared) => [...parametersOf(declared), bodyOf(declared) ?? []].flat()),
  )
  const contents = new Map(routes.map((declared) => [declared, components.schema(contentOf(declared)) as Schema]))
  components.count([...contents.values()])
  const idOf = operationIds(routes)
  const paths: Record<string, Record<string, object>> = {}
  for (const declared of routes) {
    const tag = tagOf(declared)
    const path = `/api${declared.path.replace(/:(\w+)/g, '{$1}')}`
    const parameters = [
      ...parametersOf(declared).map((parameter) => components.parameter(parameter, tag)),
      ...(isFiltered(declared) ? [ref('parameters', 'filters')] : []),
      ...(isDoneOnce(declared) ? [ref('parameters', 'idempotencyKey')] : []),
    ]
    const body = components.body(declared)
    const content = contents.get(declared)
    paths[path] ??= {}
    paths[path][declared.method.toLowerCase()] = {
      operationId: idOf(declared),
      summary: `${declared.summary.zh} / ${declared.summary.en}`,
      tags: [tag],
      description: `Access: ${accessWords(declared.access)}`,
      ...securityOf(declared),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(body ? { requestBody: body } : {}),
      responses: {
        ...(content
          ? { 200: components.answer(content) }
          : { 302: { description: 'Sends the browser on' }, default: ref('responses', 'Problem') }),
        ...Object.fromEntries(refusalsOf(declared).map((status) => [status, components.refusal(declared)])),
      },
    }
  }
  const sorted = (of: Record<string, Schema>) =>
    Object.fromEntries(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Data Brain 数据大脑',
      version: '0.1.0',
      description:
        'The calls of Data Brain. Any of them may also answer 423 (the session is locked), 428 (say why a child’s record is read), 429 (too many calls), 500 and 503, in the envelope. HEAD answers like GET, without a body.',
      contact: { name: 'Data Brain 数据大脑' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name, description: tagWords(name) })),
    paths,
    components: {
      securitySchemes: {
        client: { type: 'http', scheme: 'basic' },
        token: { type: 'apiKey', in: 'header', name: 'Blade-Auth', description: 'bearer <access token>' },
        roster: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: '/api/ims/oneroster/token', scopes: rosterScopes(routes) } },
        },
      },
      schemas: { Envelope: envelope, ...sorted(components.schemas) },
      parameters: sorted({ ...components.parameters, filters, idempotencyKey }),
      requestBodies: sorted(components.requestBodies),
      responses: {
        Problem: {
          description: `One of: ${[...new Set(Object.values(problems).map((problem) => problem.status))].sort().join(', ')}`,
          content: jsonOf(ref('schemas', 'Envelope')),
        },
        ...sorted(components.responses),
      },
    },
  }
}

/** What surrounds every answer. */
const envelope: Schema = {
  type: 'object',
  required: ['code', 'success', 'msg', 'data'],
  properties: {
    code: { type: 'integer', examples: [200] },
    success: { type: 'boolean' },
    msg: { type: 'string', examples: [envelopeWords.done.zh] },
    data: {},
  },
}

/** An answer in its envelope: `data` stands beside the reference, where tools look for the properties of an object. */
const answered = (data: unknown): Schema => ({
  allOf: [ref('schemas', 'Envelope')],
  type: 'object',
  properties: { data },
  required: ['data'],
})

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
