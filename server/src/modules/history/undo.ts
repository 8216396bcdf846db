import { codeOf, type Verb } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import type { undoChanges } from '@data-brain/contract/calls/history'
import type { TouchedRows } from '@data-brain/contract/generic'
import type { RawBuilder } from 'kysely'
import { compileOnce, slotValue, sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { isChanged, type KeptRow, rowNow, statesOf } from '../../entity/history-row.ts'
import { allModels, type Model } from '../../entity/model.ts'
import { shownOf } from '../../entity/read-log.ts'
import { refuseTouched } from '../../entity/refuse-touched.ts'
import { Repository } from '../../entity/repository.ts'
import { refuseGrantBack } from '../../entity/restore.ts'
import { contextOf } from '../../entity/routes.ts'
import { nameRef, ownedBy, tableRef, titleRef } from '../../entity/select.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call } from '../../kernel/route.ts'
import { markShown, type ShownRow } from '../../kernel/shown-rows.ts'
import { putBack, type Step } from './put-back.ts'

/** Most entries of one request that are taken back in one call: 200 rows with all that hangs on them. */
const most = 2_000
const shown = 5
/** How long people may take their own changes back without a permission for it. */
const ownFor = '24 hours'

interface Entry extends Step {
  readonly id: string
  readonly entity: string
  readonly action: string
  readonly user_id: string | null
  readonly batch_id: string | null
  readonly recent: boolean
}

const refuse = (zh: string, en: string): never => {
  throw new Problem('rule_broken', { reason: { zh, en } })
}

const models = new Map(allModels().map((model) => [model.entity.name, model]))

/** What a request changed, newest first. */
async function entriesOf(tx: Tx, tenantId: string, requestId: string): Promise<Entry[]> {
  const entries = await tx.run<Entry>(
    sql`select id, entity, row_id, version, action, user_id, batch_id, before, at > now() - ${ownFor}::interval as recent
        from history where tenant_id = ${tenantId} and request_id = ${requestId} order by id desc limit ${most + 1}`,
  )
  if (entries.length === 0) throw new Problem('not_found')
  if (entries.length > most)
    refuse(`一次操作超过${most}条变更，不能整体撤销`, `More than ${most} changes: they cannot be undone at once`)
  return entries
}

/** Refuses whoever may not take this back: others' work asks for a permission, and so does one's own after a day. */
function mayUndo(actor: Actor, entries: readonly Entry[]): void {
  const own = actor.userId !== null && entries.every((entry) => entry.user_id === actor.userId && entry.recent)
  if (!own && !holdsCode(actor, 'history_undo')) throw new Problem('forbidden', { code: 'history_undo' })
}

const verbs: Readonly<Record<string, Verb>> = { add: 'add', edit: 'edit', delete: 'delete', restore: 'edit' }
const verbOf = (entry: Entry): Verb => verbs[entry.action] ?? (entry.before ? 'edit' : 'add')

/**
 * Refuses whoever could not do now what was done: the permission is missing, or a row lies, before or afterwards, outside
 * of what the actor works with. What rules wrote along needs no permission of its own.
 */
function mustHold(actor: Actor, entries: readonly Entry[]): ReadonlySet<string> {
  const codes = [...new Set(entries.map((entry) => codeOf({ name: entry.entity }, verbOf(entry))))]
  const held = codes.filter((code) => holdsCode(actor, code))
  if (held.length === 0) throw new Problem('forbidden', { code: codes.at(-1) ?? '' })
  return new Set(held)
}

/** The rows of one entity that a request changed, each with its newest version by it. */
interface Changed {
  readonly model: Model
  readonly rows: ReadonlyMap<string, number>
}

function rowsBy(entries: readonly Entry[]): Changed[] {
  const found = new Map<string, Map<string, number>>()
  for (const { entity, row_id, version } of entries) {
    const rows = found.get(entity) ?? new Map<string, number>()
    rows.set(row_id, Math.max(rows.get(row_id) ?? 0, version))
    found.set(entity, rows)
  }
  return [...found].sort().map(([entity, rows]) => ({ model: models.get(entity)!, rows }))
}

/** Whether a row stands again as the history kept it. */
async function isAs(model: Model, call: Call, id: string, kept: KeptRow): Promise<boolean> {
  const now = await rowNow(model, call, id)
  if (!now) return false
  const [a, b] = [statesOf(now), statesOf(kept)]
  return a.status === b.status && a.extId === b.extId && !model.fields.some((field) => isChanged(field, kept, now))
}

/** What a row is called: as it stands, or as it was last where it is gone. */
const nameSql = (model: Model, tenantId: string): RawBuilder<unknown> =>
  sql`coalesce(${titleRef(model)}, (select ${titleRef(model)} from history h cross join lateral jsonb_populate_record(null::${nameRef(model.table)}, h.before) t
    where h.tenant_id = ${tenantId} and h.entity = ${model.entity.name} and h.row_id = w.id and h.before is not null order by h.id desc limit 1))`

/** A row of the request that somebody has changed since. */
interface Later {
  readonly id: string
  readonly name: string | null
  readonly there: boolean
  readonly by: string | null
  readonly left: KeptRow | null
}

/**
 * Rows of the request that another one has changed or removed since, or granted something that the request made; they are
 * held from here on.
 */
async function touchedSince(
  call: Call,
  { model, rows }: Changed,
  requestId: string,
  made: readonly string[],
): Promise<TouchedRows[]> {
  const { tx, actor, circumstance } = call
  const { tenantId } = actor
  const table = nameRef(model.table)
  const ids = [...rows.keys()]
  await tx.run(
    sql`select 1 from ${table} t where t.tenant_id = ${tenantId} and t.id = any(${ids}::bigint[]) order by t.id for update of t`,
  )
  const later = await tx.run<Later>(
    sql`select w.id, ${nameSql(model, tenantId)} as name, t.id is not null as there,
          (select h.user_name from history h where h.tenant_id = ${tenantId} and h.entity = ${model.entity.name} and h.row_id = w.id
            order by h.version desc, h.id desc limit 1) as by,
          case when not exists (select 1 from history h where h.tenant_id = ${tenantId} and h.entity = ${model.entity.name}
              and h.row_id = w.id and h.action = 'grant' and w.id = any(${made}::bigint[]))
            then (select h.before from history h where h.tenant_id = ${tenantId} and h.entity = ${model.entity.name}
              and h.row_id = w.id and h.version > w.version order by h.version, h.id limit 1) end as left
        from unnest(${ids}::bigint[], ${[...rows.values()]}::int[]) w(id, version) left join ${table} t on t.tenant_id = ${tenantId} and t.id = w.id
        where exists (select 1 from history h where h.tenant_id = ${tenantId} and h.entity = ${model.entity.name} and h.row_id = w.id
          and (h.version > w.version or (h.action = 'grant' and w.id = any(${made}::bigint[])))
          and h.request_id is distinct from ${requestId}) order by w.id`,
  )
  // What was changed since and taken back again is as the request has left it.
  const touched: Later[] = []
  for (const row of later) if (!(row.left && (await isAs(model, call, row.id, row.left)))) touched.push(row)
  const { name: entity, label, measure } = model.entity
  const tell = (some: readonly Later[], own: boolean): TouchedRows[] => {
    if (some.length === 0) return []
    const named = some.slice(0, shown)
    const told: TouchedRows = {
      ...{ entity, label: label[circumstance.language], unit: measure, count: some.length, own },
      sample: named.map((row) => row.name ?? ''),
      rows: named.map(({ name, by }) => ({ name: name ?? '', of: null, how: own ? 'changed' : 'removed', by })),
    }
    return [markShown(tx, told, ...named.flatMap(({ id }) => shownOf(model.entity, {}, 'list', id)))]
  }
  return [
    ...tell(
      touched.filter((row) => row.there),
      true,
    ),
    // Somebody has removed it on purpose: it does not come back by the way.
    ...tell(
      touched.filter((row) => !row.there),
      false,
    ),
  ]
}

/** What was taken back: how many rows, in all and of each kind, and what the first of each are called. */
type Undone = AnswerOf<typeof undoChanges>

/**
 * Takes back all that one request changed, newest first, in the caller's transaction: all of it, or nothing. Where
 * somebody has touched a row since, it is refused with the rows named; with `changed`, those that were only changed go
 * back all the same.
 */
export async function undoRequest(call: Call, requestId: string, changed: boolean): Promise<Undone> {
  const { tx, actor, circumstance } = call
  // Of two who take back the same, the second finds the rows touched.
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`undo|${actor.tenantId}|${requestId}`}, 0))`)
  const entries = await entriesOf(tx, actor.tenantId, requestId)
  mayUndo(actor, entries)
  if (entries.some((entry) => entry.batch_id !== null))
    refuse('该操作是导入，请在导入中心撤销', 'This was an import: undo it in the import centre')
  if (entries.some((entry) => !models.has(entry.entity) || models.get(entry.entity)!.platform))
    refuse('平台共享的数据不能撤销', 'What all tenants share cannot be undone')
  // What was granted to a row that the same request made goes with the row; any other grant is not taken back.
  const made = new Set(entries.flatMap(({ action, row_id }) => (action === 'add' ? [row_id] : [])))
  const steps = entries.filter(({ action, row_id }) => action !== 'grant' || !made.has(row_id))
  if (steps.some((entry) => entry.action === 'grant')) refuseGrantBack()
  const held = mustHold(actor, steps)
  const work = rowsBy(entries)
  const touched: TouchedRows[] = []
  for (const each of work) touched.push(...(await touchedSince(call, each, requestId, [...made])))
  refuseTouched(touched, changed, {
    after: { zh: '该操作之后', en: 'then' },
    labels: (name) => models.get(name)!.entity.label,
  })
  const context = contextOf(call)
  await mustReach(call, steps, held)
  // Of two lessons that change places again each needs what the other one gives back: judged when all of it stands.
  await tx.run(sql`set constraints all deferred`)
  for (const entry of steps) await putBack(models.get(entry.entity)!, context, entry)
  await tx.run(sql`set constraints all immediate`)
  await mustReach(call, steps, held)
  // Of each kind apart: pupils are counted in another way than the placements that went along.
  const counts = Object.fromEntries(work.map(({ model, rows }) => [model.entity.name, rows.size]))
  const names: Record<string, readonly string[]> = {}
  const seen: ShownRow[] = []
  // Of what only rules wrote along, no more is told than how much it was.
  for (const { model, rows } of work) {
    const { entity } = model
    if (
      !holdsCode(actor, codeOf(entity, 'view')) ||
      !entries.some((each) => each.entity === entity.name && held.has(codeOf(entity, verbOf(each))))
    )
      continue
    const ids = [...rows.keys()].slice(0, shown)
    const named = await tx.run<{ name: string | null }>(
      sql`select ${nameSql(model, actor.tenantId)} as name from unnest(${ids}::bigint[]) with ordinality w(id, place)
          left join ${nameRef(model.table)} t on t.tenant_id = ${actor.tenantId} and t.id = w.id order by w.place`,
    )
    names[entity.name] = named.flatMap(({ name }) => name ?? [])
    seen.push(...ids.flatMap((id) => shownOf(entity, {}, 'list', id)))
  }
  const rows = work.reduce((sum, each) => sum + each.rows.size, 0)
  return markShown(tx, { rows, counts, names, requestId: circumstance.requestId }, ...seen)
}

/** Refuses rows that are there and lie outside of what the actor works with by the code of what was done. */
async function mustReach(call: Call, entries: readonly Entry[], held: ReadonlySet<string>): Promise<void> {
  const { tx, actor } = call
  const byCode = Map.groupBy(entries, (entry) => codeOf({ name: entry.entity }, verbOf(entry)))
  for (const [code, some] of byCode) {
    const model = models.get(some[0]!.entity)!
    const reach = held.has(code) ? await new Repository(model.entity, contextOf(call)).reach([code]) : undefined
    if (!reach) continue
    const outside = compileOnce(
      sql`select 1 from ${tableRef(model)} where ${ownedBy(model)} and t.id = any(${slotValue('ids')}::bigint[]) and (${reach.sql}) is not true limit 1`,
      { tenant: actor.tenantId, ids: some.map((entry) => entry.row_id), ...reach.values },
    )
    if (await tx.one(outside)) throw new Problem('out_of_scope')
  }
}
