import { rosterclient, student } from '@data-brain/contract'
import { inTenant } from '../../../database/transaction.ts'
import { recordReads } from '../../../entity/read-log.ts'
import { rowsOf } from '../../../entity/routes.ts'
import { addRules as addRulesTo } from '../../../entity/rules.ts'
import { mustReachAll } from '../../../entity/scopes-of-role.ts'
import { type Actor, system } from '../../../kernel/actor.ts'
import { Bare, code, type PublicCall, publicRoute, type Route, route } from '../../../kernel/route.ts'
import { carriedEntities } from '../carry.ts'
import type { FileName } from '../files.ts'
import { type Client, clientIdOf, clientOfToken, issueSecret, scopes, tenantOfToken } from './client.ts'
import { Pace } from './pace.ts'
import { readFields, readFilter, readPage, readSort } from './query.ts'
import type { Json } from './record.ts'
import { snapshotFor } from './snapshot.ts'
import { tokenRoute } from './token.ts'
import { RosterProblem, statusInfo, toldOf } from './told.ts'
import { type Resource, resources, View } from './view.ts'

const root = '/ims/oneroster/rostering/v1p2'
/** Most pages that one client reads in a minute. */
const reads = new Pace(1_200)

/** The address of the service, as whoever calls reaches it. */
function baseOf({ services, headers }: PublicCall): string {
  const { publicUrl } = services.environment
  const from = publicUrl ? publicUrl.replace(/\/+$/, '') : `http://${String(headers.host ?? 'localhost')}`
  return `${from}/api${root}`
}

/** Opens the client's transaction and answers from it; what shows a child is recorded before anything leaves. */
async function asClient<T>(
  call: PublicCall,
  resource: Resource,
  work: (client: Client, read: typeof snapshotFor, opened: Parameters<typeof snapshotFor>[0]) => Promise<T>,
  childrenOf: (answer: T) => readonly string[],
): Promise<T> {
  const { services, circumstance } = call
  const { tenantId, token } = tenantOfToken(call.headers.authorization)
  return inTenant(services.pool, tenantId, async (tx) => {
    const client = await clientOfToken(tx, services, tenantId, token)
    if (!reads.allows(`${tenantId}|${client.id}`)) throw new RosterProblem('server_busy', 'Too many requests.')
    if (!resource.scopes.some((scope) => client.scopes.includes(scope)))
      throw new RosterProblem('forbidden', 'The token lacks the scope for this.')
    const answer = await work(client, snapshotFor, tx)
    const actor: Actor = system(`OneRoster: ${client.name}`.slice(0, 64), tenantId)
    const children = childrenOf(answer)
    await recordReads(
      { tx, actor, circumstance: { ...circumstance, reason: circumstance.reason ?? client.purpose } },
      student,
      'export',
      children.map((id) => ({ id, childId: id })),
    )
    return answer
  })
}

interface Page {
  readonly records: readonly Json[]
  readonly total: number
  readonly children: readonly string[]
}

const idsOf = (file: FileName, records: readonly Json[]): { sourcedId: string; user?: string }[] =>
  records.map(({ sourcedId, user }) => ({
    sourcedId: String(sourcedId),
    ...(file === 'enrollments' ? { user: String((user as Json | undefined)?.sourcedId ?? '') } : {}),
  }))

const text = (max = 255) => ({ kind: 'text' as const, max, empty: true })
const asked = {
  limit: text(20),
  offset: text(20),
  sort: text(),
  orderBy: text(20),
  filter: text(2_000),
  fields: text(2_000),
}

/** Where the neighbouring pages are found. */
function linksOf(
  address: string,
  given: Readonly<Record<string, string | undefined>>,
  at: Page & { limit: number; offset: number },
): string {
  const { limit, offset, total } = at
  const to = (rel: string, from: number): string => {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, value)
    query.set('limit', String(limit))
    query.set('offset', String(from))
    return `<${address}?${query}>; rel="${rel}"`
  }
  const last = Math.max(0, Math.floor((total - 1) / limit) * limit)
  return [
    ...(offset + limit < total ? [to('next', offset + limit)] : []),
    // Whoever has gone beyond the end is led back to what there is.
    ...(offset > 0 ? [to('prev', Math.max(0, Math.min(offset - limit, last)))] : []),
    to('first', 0),
    to('last', last),
  ].join(', ')
}

function collectionOf(resource: Resource): Route {
  const { file } = resource
  return publicRoute({
    method: 'GET',
    path: `${root}/${resource.path}`,
    tag: 'oneroster',
    summary: { zh: `OneRoster：${resource.path}`, en: `OneRoster: ${resource.path}` },
    access: 'public',
    scopes: resource.scopes.map((scope) => scopes[scope].split('/').at(-1)!),
    bare: true,
    parameters: asked,
    told: toldOf,
    handler: async (call) => {
      const { parameters: given } = call
      const page = readPage(given.limit, given.offset)
      const passes = readFilter(file, given.filter)
      const order = readSort(file, given.sort, given.orderBy)
      const pick = readFields(file, given.fields)
      const base = baseOf(call as PublicCall)
      const found = await asClient<Page>(
        call as PublicCall,
        resource,
        async (client, read, tx) => {
          const walk = {
            key: `${resource.path}|${given.filter ?? ''}|${given.sort ?? ''}|${given.orderBy ?? ''}`,
            goesOn: page.offset > 0,
          }
          const view = new View(await read(tx, call.services, client, walk), client, base)
          const all = view.cells(resource)
          const part = <T>(list: readonly T[]): T[] => list.slice(page.offset, page.offset + page.limit)
          let records: Json[]
          let total = all.length
          if (given.filter === undefined && !order) records = part(all).map((cells) => view.json(file, cells))
          else {
            const fit = all.map((cells) => view.json(file, cells)).filter(passes)
            total = fit.length
            records = part(order ? fit.sort(order) : fit)
          }
          return { records, total, children: view.childrenOf(file, idsOf(file, records)) }
        },
        ({ children }) => children,
      )
      return new Bare({ [resource.many]: found.records.map(pick) }, 200, {
        'X-Total-Count': String(found.total),
        Link: linksOf(`${base}/${resource.path}`, given, { ...found, ...page }),
      })
    },
  })
}

function singleOf(resource: Resource): Route {
  const { file } = resource
  return publicRoute({
    method: 'GET',
    path: `${root}/${resource.path}/:sourcedId`,
    tag: 'oneroster',
    summary: { zh: `OneRoster：${resource.path}中的一条`, en: `OneRoster: one of ${resource.path}` },
    access: 'public',
    scopes: resource.scopes.map((scope) => scopes[scope].split('/').at(-1)!),
    bare: true,
    parameters: { sourcedId: { kind: 'text', max: 300, required: true }, fields: asked.fields },
    told: toldOf,
    handler: async (call) => {
      const { sourcedId, fields } = call.parameters
      const pick = readFields(file, fields)
      const base = baseOf(call as PublicCall)
      const found = await asClient(
        call as PublicCall,
        resource,
        async (client, read, tx) => {
          const view = new View(await read(tx, call.services, client), client, base)
          const cells = view.cells(resource).find((each) => each.sourcedId === sourcedId)
          if (!cells) throw new RosterProblem('unknownobject', 'There is no such record.')
          const record = view.json(file, cells)
          return { record, children: view.childrenOf(file, idsOf(file, [record])) }
        },
        ({ children }) => children,
      )
      return new Bare({ [resource.one]: pick(found.record) })
    },
  })
}

/** Who lets a program read must work with all that it may read. */
const mustReach = (actor: Actor, codes: readonly string[]): void => {
  if (actor.kind === 'user') mustReachAll(actor, carriedEntities(), codes)
}

const secretRoute = route({
  method: 'POST',
  path: '/blade-user/rosterclient/secret',
  tag: 'rosterclient',
  summary: {
    zh: '生成 OneRoster 客户端的密钥（只显示一次），原密钥与令牌随即失效',
    en: 'Issue the secret of a OneRoster client, told once; the one before and its tokens end',
  },
  access: code('rosterclient_secret'),
  parameters: { id: { kind: 'id', required: true } },
  handler: async ({ parameters: { id }, ...call }) => {
    const { tx, actor, services } = call
    mustReach(actor, ['rosterclient_secret'])
    await rowsOf(rosterclient, call).before(id, { lock: true, codes: ['rosterclient_secret'] })
    return {
      clientId: clientIdOf(actor.tenantId, id),
      clientSecret: await issueSecret(tx, services, actor.tenantId, id),
    }
  },
})

export const addRestRules = (): void =>
  addRulesTo(rosterclient, {
    beforeSave: async ({ context: { actor } }) => mustReach(actor, ['rosterclient_add', 'rosterclient_edit']),
  })

/** Calls that the binding has and this service has not, such as those below a school, are refused as it refuses. */
export const restUnknown = {
  under: root,
  told: statusInfo('unknownobject', 'There is no such address: see the collections of the service.'),
}

export const restRoutes: readonly Route[] = [
  tokenRoute,
  secretRoute,
  ...resources.flatMap((resource) => [collectionOf(resource), singleOf(resource)]),
]
