import { codeOf, titledWith, type Words } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import type { Changed, recordedChange, recordedChanges } from '@data-brain/contract/calls/history'
import { compileOnce, slotValue, sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { changesBy } from '../../entity/history.ts'
import { allModels, type Model } from '../../entity/model.ts'
import { rowsOf } from '../../entity/routes.ts'
import { reachOf } from '../../entity/scope.ts'
import { besideRef, nameRef, ownedBy, tableRef, titleRef } from '../../entity/select.ts'
import { type Actor, holdsCode, isAdmin } from '../../kernel/actor.ts'
import { whoDid } from '../../kernel/machine-names.ts'
import { Problem } from '../../kernel/problem.ts'
import type { RecordReading } from '../../kernel/record-list.ts'
import type { Call } from '../../kernel/route.ts'
import { type HistorySlice, windowOf } from './window.ts'

const models = new Map(allModels().map((model) => [model.entity.name, model]))

/** What has a history and is no entity. */
const others: Readonly<Record<string, { label: Words; code: string }>> = {
  region: { label: { zh: '行政区划', en: 'Region' }, code: 'region_view' },
}

type Found = Omit<Changed, 'entityName' | 'rowName'>

const columns = sql`h.id, h.entity, h.row_id as "rowId", h.action, h.user_id as "userId", h.user_name as "userName", h.at as time,
  h.request_id as "requestId", h.version, (h.batch_id is not null)::int as imported`

/** The kinds of rows whose changes somebody may look at: those whose rows they may view. */
export function viewableEntities(actor: Actor): string[] {
  const all = [...models.values()].filter(({ entity }) => holdsCode(actor, codeOf(entity, 'view')))
  const beside = Object.entries(others).filter(([, { code }]) => isAdmin(actor) && holdsCode(actor, code))
  return [...all.map(({ entity }) => entity.name), ...beside.map(([name]) => name)]
}

type Query = InputOf<typeof recordedChanges> & {
  /** These changes alone, of those that the caller may see. */
  readonly ids?: readonly string[]
  /** Only what people changed, and not the product by itself. */
  readonly byPeople?: boolean
}

/** The changes of the tenant, newest first: of what the caller may view, and within what the caller works with. */
export async function changesList(call: RecordReading, query: Query): Promise<HistorySlice<Changed>> {
  const { tx, actor } = call
  const { tenantId } = actor
  const may = viewableEntities(actor)
  const entities = query.entity?.length ? query.entity.filter((name) => may.includes(name)) : may
  const narrowing = sql`${query.requestId ? sql`and r.request_id = ${query.requestId}` : sql``} ${query.ids ? sql`and r.id = any(${[...query.ids]}::bigint[])` : sql``}`
  const { rows, end, size, times } = windowOf(sql`history`, tenantId, query, narrowing)
  const conditions = [
    sql`h.entity = any(${entities}::text[])`,
    ...(query.byPeople ? [sql`h.user_id is not null`] : []),
    ...(query.userId ? [sql`h.user_id = ${query.userId}::bigint`] : []),
    ...(query.action?.length ? [sql`h.action = any(${[...query.action]}::text[])`] : []),
    ...times,
  ]
  const found = await tx.run<Found>(
    sql`select ${columns} from ${rows} h where ${sql.join(conditions, sql` and `)} order by h.id desc limit ${size + 1}`,
  )
  const page = found.slice(0, size)
  const next = found.length > size ? page.at(-1)!.id : ((await tx.one<{ id: string }>(end))?.id ?? null)
  return { records: await named(call, page), next }
}

/** The entries with the names of their rows; without those that lie outside of what the caller works with. */
async function named(call: RecordReading, found: readonly Found[]): Promise<Changed[]> {
  const { circumstance } = call
  const names = new Map<string, string | null>()
  for (const [entity, entries] of Map.groupBy(found, (entry) => entry.entity)) {
    const ids = [...new Set(entries.map((entry) => entry.rowId))]
    const model = models.get(entity)
    const known = model ? await namesOf(call, model, ids) : new Map(ids.map((id) => [id, id]))
    for (const [id, name] of known) names.set(`${entity}|${id}`, name)
  }
  return found.flatMap((entry) => {
    const key = `${entry.entity}|${entry.rowId}`
    if (!names.has(key)) return []
    const label = models.get(entry.entity)?.entity.label ?? others[entry.entity]?.label
    const { language } = circumstance
    const userName = whoDid(entry.userId, entry.userName, language)
    return [{ ...entry, userName, entityName: label?.[language] ?? entry.entity, rowName: names.get(key) ?? null }]
  })
}

/** Names of rows, those that are gone by what the history kept; whoever works with a part sees that part alone. */
async function namesOf(call: RecordReading, model: Model, ids: readonly string[]): Promise<Map<string, string | null>> {
  const { tx, actor, services, circumstance } = call
  const { entity } = model
  const reach = await reachOf({ tx, actor, cipher: services.cipher }, model, [codeOf(entity, 'view')])
  const reading = compileOnce(
    sql`select t.id, ${titleRef(model)} as name, ${besideRef(model)} as beside from ${tableRef(model)} where ${ownedBy(model)} and t.id = any(${slotValue('ids')}::bigint[]) ${reach ? sql`and ${reach.sql}` : sql``}`,
    { tenant: actor.tenantId, ids, ...reach?.values },
  )
  // Of tenants, the ordinary role sees its own alone; who runs the platform reads them as the list of tenants does.
  const there =
    model.platform && actor.platform
      ? await inTenant(services.platform, actor.tenantId, (platform) => platform.run<Named>(reading))
      : await tx.run<Named>(reading)
  const names = new Map<string, string | null>()
  const keep = (rows: readonly Named[]) => {
    for (const { id, name, beside } of rows) names.set(id, name && titledWith(name, beside, circumstance.language))
  }
  keep(there)
  if (reach) return names
  const gone = ids.filter((id) => !names.has(id))
  keep(await keptNames(call, model, gone))
  return names
}

interface Named {
  readonly id: string
  readonly name: string | null
  readonly beside: string[]
}

/** The names that removed rows had, with what stood beside them. */
function keptNames({ tx, actor }: RecordReading, model: Model, ids: readonly string[]): Promise<Named[]> {
  if (ids.length === 0) return Promise.resolve([])
  const { title, titleEn, beside = [] } = model.entity
  const columns = [title, titleEn, ...beside].flatMap((name) => model.byName.get(name ?? '')?.column ?? [])
  const own = model.platform ? sql`` : sql` || jsonb_build_object('tenant_id', ${actor.tenantId}::text)`
  // The row of the table as it was, of these columns alone, so that it is named as one that stands.
  return tx.run(
    sql`select w.id, ${titleRef(model)} as name, ${besideRef(model)} as beside
        from unnest(${[...ids]}::bigint[]) w(id)
        left join lateral (select h.before from history h where h.tenant_id = ${actor.tenantId} and h.entity = ${model.entity.name}
          and h.row_id = w.id and h.before is not null order by h.id desc limit 1) h on true
        cross join lateral jsonb_populate_record(null::${nameRef(model.table)},
          coalesce((select jsonb_object_agg(k.key, k.value) from jsonb_each(h.before) k where k.key = any(${columns}::text[])), '{}'::jsonb)
          || jsonb_build_object('id', w.id)${own}) t`,
  )
}

/** One change with what it did, field by field. */
export async function changeDetail(call: Call, id: string): Promise<AnswerOf<typeof recordedChange>> {
  const { tx, actor } = call
  const found = await tx.one<Found>(
    sql`select ${columns} from ${nameRef('history')} h where h.tenant_id = ${actor.tenantId} and h.id = ${id}`,
  )
  if (!found || !viewableEntities(actor).includes(found.entity)) throw new Problem('not_found')
  const [entry] = await named(call, [found])
  if (!entry) throw new Problem('not_found')
  const model = models.get(entry.entity)
  if (!model) return { ...entry, changes: [] }
  const changes = await changesBy(rowsOf(model.entity, call), entry.rowId, id)
  return { ...entry, changes }
}
