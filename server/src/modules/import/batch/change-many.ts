import type { RawBuilder } from 'kysely'
import { newId } from '../../../database/id.ts'
import { sql } from '../../../database/statement.ts'
import { insertMany } from '../../../entity/bulk.ts'
import type { Values } from '../../../entity/check.ts'
import { keysOfRow } from '../../../entity/find.ts'
import { type Model, modelOf } from '../../../entity/model.ts'
import type { Context } from '../../../entity/repository.ts'
import { nameRef } from '../../../entity/select.ts'
import { takeOnFor } from '../../../entity/shared.ts'
import { raiseStamp } from '../../../entity/stamp.ts'
import { keptRow } from '../../../entity/write.ts'
import { loadMany } from '../student/known-students.ts'

/*
 * Changes and removals of many rows at once, as entity/write.ts does for one: the rows, their history and their search
 * keys, with a fixed number of statements per thousand rows.
 */

const portion = 1_000

const hex = (bytes: Buffer | null): string | null => (bytes === null ? null : `\\x${bytes.toString('hex')}`)

/** The columns of what a save may change, and the states that stand beside them. */
const columnsOf = (model: Model): string[] => [
  ...model.fields.flatMap((field) =>
    field.kind === 'references'
      ? []
      : field.kind === 'personal'
        ? [field.column, `${field.column}_hash`, `${field.column}_tail`]
        : [field.column],
  ),
  'status',
  'ext_id',
]

/** Changed values by column, in the forms that jsonb_populate_record reads. */
function patchOf(model: Model, context: Context, id: string, changed: Values): Record<string, unknown> {
  const { tenantId } = context.actor
  const patch: Record<string, unknown> = {}
  for (const field of model.fields) {
    if (!(field.name in changed) || field.kind === 'references') continue
    const value = changed[field.name]
    if (field.kind !== 'personal') {
      patch[field.column] = value
      continue
    }
    const text = typeof value === 'string' && value !== '' ? value : null
    patch[field.column] =
      text && hex(context.cipher.seal(text, { table: model.table, column: field.column, tenantId, id }))
    patch[`${field.column}_hash`] = text && hex(context.cipher.hash(text, tenantId))
    patch[`${field.column}_tail`] = text && hex(context.cipher.tail(text, tenantId))
  }
  return patch
}

/** Keeps the rows as they stand in the history, before they are changed or removed. */
async function keepHistory(
  model: Model,
  context: Context,
  ids: readonly string[],
  action: 'import' | 'undo',
): Promise<void> {
  const { tx, actor, circumstance, batchId } = context
  const table = nameRef(model.table)
  await tx.run(
    sql`insert into history (tenant_id, id, entity, row_id, version, action, user_id, user_name, request_id, batch_id, before)
        select ${actor.tenantId}, u.history_id, ${model.entity.name}, t.id, t.version + 1, ${action}, ${actor.userId}::bigint, ${actor.name}, ${circumstance.requestId}, ${batchId ?? null}::bigint, ${keptRow(model, 't')}
        from unnest(${[...ids]}::bigint[], ${ids.map(() => newId())}::bigint[]) u(id, history_id) join ${table} t on t.id = u.id where t.tenant_id = ${actor.tenantId}`,
  )
}

/** Makes the search keys of rows anew. */
async function rewriteKeys(model: Model, context: Context, ids: readonly string[]): Promise<void> {
  if (model.find.length === 0) return
  const { tx, actor, cipher } = context
  const rows = await loadMany(model, context, 'id', ids)
  await tx.run(
    sql`delete from search_key where tenant_id = ${actor.tenantId} and source_id = any(${[...ids]}::bigint[])`,
  )
  await insertMany(
    tx,
    'search_key',
    rows.flatMap((row) =>
      keysOfRow(model, row, cipher, actor.tenantId).map((key) => ({
        tenant_id: actor.tenantId,
        entity: model.findsEntity,
        key,
        row_id: model.entity.finds ? row[model.entity.finds] : row.id,
        source_id: row.id,
      })),
    ),
  )
}

export interface Change {
  readonly id: string
  /** Only the values that are new. */
  readonly changed: Values
}

/** Changes many rows; their former state goes into the history under the context's batch. */
export async function changeMany(model: Model, context: Context, changes: readonly Change[]): Promise<void> {
  const { tx, actor } = context
  const table = nameRef(model.table)
  const set = nameRef(
    columnsOf(model)
      .map((column) => `${column} = r.${column}`)
      .join(', '),
  )
  for (let start = 0; start < changes.length; start += portion) {
    const chunk = changes.slice(start, start + portion)
    const ids = chunk.map((change) => change.id)
    await takeOnFor(
      model,
      context,
      chunk.map((change) => change.changed),
    )
    await keepHistory(model, context, ids, 'import')
    const patches = JSON.stringify(
      chunk.map(({ id, changed }) => ({ id, patch: patchOf(model, context, id, changed) })),
    )
    await tx.run(
      sql`update ${table} t set ${set}, version = t.version + 1, update_user = ${actor.userId}::bigint, update_time = now()
          from ${table} o join jsonb_to_recordset(${patches}::jsonb) u(id bigint, patch jsonb) on o.id = u.id cross join lateral jsonb_populate_record(o, u.patch) r
          where o.tenant_id = ${actor.tenantId} and t.tenant_id = ${actor.tenantId} and t.id = o.id`,
    )
    await rewriteKeys(model, context, ids)
  }
  if (changes.length > 0) await raiseStamp(tx, actor.tenantId, model.entity.name)
}

/** Removes many rows; they stay in the history. Nothing may point at them any more. */
export async function removeMany(model: Model, context: Context, ids: readonly string[]): Promise<void> {
  const { tx, actor } = context
  for (let start = 0; start < ids.length; start += portion) {
    const chunk = ids.slice(start, start + portion)
    await keepHistory(model, context, chunk, 'undo')
    await tx.run(
      sql`delete from search_key where tenant_id = ${actor.tenantId} and source_id = any(${chunk}::bigint[])`,
    )
    await tx.run(
      sql`delete from ${nameRef(model.table)} where tenant_id = ${actor.tenantId} and id = any(${chunk}::bigint[])`,
    )
  }
  if (ids.length > 0) await raiseStamp(tx, actor.tenantId, model.entity.name)
}

/** The entries of a batch that hold what rows were before it, as `h`. */
const keptBy = (model: Model, { actor, batchId }: Context): RawBuilder<unknown> =>
  sql`h.tenant_id = ${actor.tenantId} and h.batch_id = ${batchId ?? null}::bigint and h.entity = ${model.entity.name} and h.action = 'import' and h.before is not null`

/** The lists of references that a model links to, each with the table of what it links to. */
const linksOf = (model: Model): { column: string; table: string; target: string }[] =>
  model.fields.flatMap(({ kind, column, linkTable, target }) =>
    kind === 'references' && linkTable && target ? [{ column, table: linkTable, target: modelOf(target).table }] : [],
  )

/** Of rows that a batch changed, in the words of a condition on their history `h`: those linked to something that is gone. */
export const hasLostLinks = (model: Model): RawBuilder<unknown> => {
  const lost = linksOf(model).map(
    ({ column, target }) =>
      sql`exists (select 1 from jsonb_array_elements_text(h.before -> ${sql.lit(column)}) l(id)
            where not exists (select 1 from ${nameRef(target)} g where g.tenant_id = h.tenant_id and g.id = l.id::bigint))`,
  )
  return lost.length > 0 ? sql`(${sql.join(lost, sql` or `)})` : sql`false`
}

/** Links rows to what they were linked to before a batch, in the same order; what is gone meanwhile stays gone. */
async function restoreLinks(model: Model, context: Context, ids: readonly string[]): Promise<void> {
  const mine = sql`${keptBy(model, context)} and h.row_id = any(${[...ids]}::bigint[])`
  for (const { column, table, target } of linksOf(model)) {
    const name = sql.lit(column)
    await context.tx.run(
      sql`delete from ${nameRef(table)} t using history h where ${mine} and jsonb_exists(h.before, ${name}) and t.tenant_id = h.tenant_id and t.owner_id = h.row_id`,
    )
    await context.tx.run(
      sql`insert into ${nameRef(table)} (tenant_id, owner_id, target_id, ord)
          select h.tenant_id, h.row_id, l.id::bigint, l.ord from history h cross join lateral jsonb_array_elements_text(h.before -> ${name}) with ordinality l(id, ord)
          where ${mine} and exists (select 1 from ${nameRef(target)} g where g.tenant_id = h.tenant_id and g.id = l.id::bigint)`,
    )
  }
}

/** Gives many rows back the values and links that the history of a batch kept; their versions go on rising. */
export async function restoreMany(model: Model, context: Context, ids: readonly string[]): Promise<void> {
  const { tx, actor } = context
  const table = nameRef(model.table)
  const set = nameRef(
    columnsOf(model)
      .map((column) => `${column} = r.${column}`)
      .join(', '),
  )
  for (let start = 0; start < ids.length; start += portion) {
    const chunk = ids.slice(start, start + portion)
    await keepHistory(model, context, chunk, 'undo')
    await tx.run(
      sql`update ${table} t set ${set}, version = t.version + 1, update_user = ${actor.userId}::bigint, update_time = now()
          from history h cross join lateral jsonb_populate_record(null::${table}, h.before) r
          where ${keptBy(model, context)}
            and h.row_id = any(${chunk}::bigint[]) and t.tenant_id = ${actor.tenantId} and t.id = h.row_id`,
    )
    await restoreLinks(model, context, chunk)
    await rewriteKeys(model, context, chunk)
  }
  if (ids.length > 0) await raiseStamp(tx, actor.tenantId, model.entity.name)
}
