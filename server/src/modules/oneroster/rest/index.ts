import { rosterclient, student } from '@data-brain/contract'
import { issueRosterSecret, rosterCollection, rosterRecord, rosterService } from '@data-brain/contract/calls/oneroster'
import { inTenant } from '../../../database/transaction.ts'
import { recordReads } from '../../../entity/read-log.ts'
import { rowsOf } from '../../../entity/routes.ts'
import { addRules as addRulesTo } from '../../../entity/rules.ts'
import { mustReachAll } from '../../../entity/scopes-of-role.ts'
import { on, onPublic } from '../../../entity/serve-call.ts'
import { shapeSchema } from '../../../entity/shape-schema.ts'
import { type Actor, system } from '../../../kernel/actor.ts'
import { type PublicCall, RawResponse, type Route } from '../../../kernel/route.ts'
import { carriedEntities } from '../carried-entities.ts'
import type { FileName } from '../files.ts'
import { type Client, clientIdOf, clientOfToken, issueSecret, scopes, tenantOfToken } from './client.ts'
import { readFields, readFilter, readPage, readSort } from './query.ts'
import { RatePerMinute } from './rate-limit.ts'
import type { Json } from './record.ts'
import { recordShape, statusShape } from './shape.ts'
import { snapshotFor } from './snapshot.ts'
import { RosterProblem, statusInfo, toldOf } from './status-info.ts'
import { tokenRoute } from './token.ts'
import { type Resource, resources, View } from './view.ts'

const root = `/${rosterService}`
/** Most pages that one client reads in a minute. */
const reads = new RatePerMinute(1_200)

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

/** Which scopes let a token read a resource, and how the binding tells that it may not. */
const servingOf = (resource: Resource) => ({
  scopes: resource.scopes.map((scope) => scopes[scope].split('/').at(-1)!),
  told: toldOf,
  toldSchema: shapeSchema(statusShape),
})

function collectionOf(resource: Resource): Route {
  const { file } = resource
  return onPublic(
    rosterCollection(resource.path, resource.many, recordShape(file)),
    async (given, call) => {
      const page = readPage(given.limit, given.offset)
      const passes = readFilter(file, given.filter)
      const order = readSort(file, given.sort, given.orderBy)
      const pick = readFields(file, given.fields)
      const base = baseOf(call)
      const found = await asClient<Page>(
        call,
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
      return new RawResponse({ [resource.many]: found.records.map(pick) }, 200, {
        'X-Total-Count': String(found.total),
        Link: linksOf(`${base}/${resource.path}`, given, { ...found, ...page }),
      })
    },
    servingOf(resource),
  )
}

function singleOf(resource: Resource): Route {
  const { file } = resource
  return onPublic(
    rosterRecord(resource.path, resource.one, recordShape(file)),
    async ({ sourcedId, fields }, call) => {
      const pick = readFields(file, fields)
      const base = baseOf(call)
      const found = await asClient(
        call,
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
      return new RawResponse({ [resource.one]: pick(found.record) })
    },
    servingOf(resource),
  )
}

/** Who lets a program read must work with all that it may read. */
const mustReach = (actor: Actor, codes: readonly string[]): void => {
  if (actor.kind === 'user') mustReachAll(actor, carriedEntities(), codes)
}

const secretRoute = on(issueRosterSecret, async ({ id }, call) => {
  const { tx, actor, services } = call
  mustReach(actor, ['rosterclient_secret'])
  await rowsOf(rosterclient, call).before(id, { lock: true, codes: ['rosterclient_secret'] })
  return {
    clientId: clientIdOf(actor.tenantId, id),
    clientSecret: await issueSecret(tx, services, actor.tenantId, id),
  }
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
