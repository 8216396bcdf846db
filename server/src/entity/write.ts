import type { Entity, ValuesOf } from '@data-brain/contract'
import type { RawBuilder } from 'kysely'
import { newId } from '../database/id.ts'
import { slotValue, sql, statementByShape } from '../database/statement.ts'
import { offeredKeys } from '../kernel/dictionary.ts'
import { type FieldFault, fieldProblem } from '../kernel/problem.ts'
import type { Values } from './check.ts'
import { keysOfRow } from './find.ts'
import type { Model, ModelField } from './model.ts'
import type { Context } from './repository.ts'
import { nameRef } from './select.ts'
import { takeOnFor } from './shared.ts'
import { anySlot, stampRaise } from './stamp.ts'

/*
 * The one write path: the row, its history, its search keys and the entity's stamp change in one transaction, or
 * nothing does.
 */

export type Action = 'add' | 'edit' | 'delete' | 'import' | 'undo' | 'restore' | 'grant'

/** What a row that is put back had from its beginning. */
export interface CreationFacts {
  readonly version: number
  readonly create_user: unknown
  readonly create_dept: unknown
  readonly create_time: unknown
}

interface States {
  readonly status?: number | undefined
  readonly extId?: string | null | undefined
}

/** Column and bound value of what a field stores. */
function stored(model: Model, field: ModelField, value: unknown, context: Context, id: string): [string, unknown][] {
  const { tenantId } = context.actor
  if (field.kind === 'references') return []
  if (field.kind === 'personal') {
    const text = typeof value === 'string' && value !== '' ? value : null
    return [
      [
        field.column,
        text === null ? null : context.cipher.seal(text, { table: model.table, column: field.column, tenantId, id }),
      ],
      [`${field.column}_hash`, text === null ? null : context.cipher.hash(text, tenantId)],
      [`${field.column}_tail`, text === null ? null : context.cipher.tail(text, tenantId)],
    ]
  }
  if (field.kind === 'secret' && typeof value === 'string')
    return [[field.column, context.cipher.seal(value, { table: model.table, column: field.column, tenantId, id })]]
  return [[field.column, field.kind === 'json' && value !== null ? JSON.stringify(value) : value]]
}

/** The row that a write is about, in the slots `tenant` and `id`. */
const thisRow = (model: Model): RawBuilder<unknown> =>
  model.platform ? sql`id = ${slotValue('id')}` : sql`tenant_id = ${slotValue('tenant')} and id = ${slotValue('id')}`

const column = (name: string): RawBuilder<unknown> => nameRef(name)

interface Write {
  readonly kind: 'new' | 'over' | 'remove'
  readonly model: Model
  readonly context: Context
  readonly id: string
  readonly action: Action
  /** The version that the row has afterwards. */
  readonly version: number
  readonly keys: { readonly add: string[]; readonly drop: string[] }
  readonly target: string
  /** Columns of the row and what they are given. */
  readonly pairs: readonly [string, unknown][]
}

/** Runs the statement of a write: its companions and what `row` makes of the columns. Compiled once per set of columns. */
async function run(write: Write, row: (columns: readonly string[]) => RawBuilder<unknown>): Promise<void> {
  const { kind, model, context, id, action, version, keys, target, pairs } = write
  const { actor, circumstance, batchId } = context
  const columns = pairs.map(([name]) => name)
  const key = `${kind}|${model.entity.name}|${columns.join(',')}|${keys.add.length > 0}|${keys.drop.length > 0}`
  const values: Record<string, unknown> = {
    tenant: actor.tenantId,
    id,
    history: newId(),
    version,
    action,
    user: actor.userId,
    userName: actor.name,
    request: circumstance.requestId,
    batch: batchId ?? null,
    stampSlot: anySlot(),
    target,
    add: keys.add,
    drop: keys.drop,
  }
  for (const [name, value] of pairs) values[given(name)] = value
  await context.tx.run(
    statementByShape(key, values, () => sql`with ${sql.join(companions(model, keys, kind !== 'new'))} ${row(columns)}`),
  )
}

const given = (name: string): string => `column ${name}`

/** History, stamp and keys, as parts of the statement that writes the row. */
function companions(model: Model, keys: Write['keys'], before: boolean): RawBuilder<unknown>[] {
  const tenant = slotValue('tenant')
  const id = slotValue('id')
  const entity = sql.lit(model.entity.name)
  const parts = [
    sql`history_ as (insert into history (tenant_id, id, entity, row_id, version, action, user_id, user_name, request_id, batch_id, before)
      values (${tenant}, ${slotValue('history')}, ${entity}, ${id}, ${slotValue('version')}, ${slotValue('action')}, ${slotValue('user')}, ${slotValue('userName')}, ${slotValue('request')}, ${slotValue('batch')},
        ${before ? sql`(select ${keptRow(model, 'o')} from ${nameRef(model.table)} o where ${thisRow(model)})` : sql`null`}))`,
    sql`stamp_ as (${stampRaise(tenant, entity, slotValue('stampSlot'))})`,
  ]
  if (keys.add.length > 0)
    parts.push(sql`keys_ as (insert into search_key (tenant_id, entity, key, row_id, source_id)
      select ${tenant}, ${sql.lit(model.findsEntity)}, k, ${slotValue('target')}::bigint, ${id}::bigint from unnest(${slotValue('add')}::text[]) k on conflict do nothing)`)
  if (keys.drop.length > 0)
    parts.push(
      sql`dropped_ as (delete from search_key where tenant_id = ${tenant} and source_id = ${id} and key = any(${slotValue('drop')}::text[]))`,
    )
  return parts
}

/**
 * A row of a table as the history keeps it: every column as it is stored and, under the name that its column would have,
 * the ids that each list of references links to.
 */
export function keptRow(model: Model, alias: string): RawBuilder<unknown> {
  const links = model.fields
    .filter((field) => field.kind === 'references')
    .map(
      (field) =>
        `'${field.column}', array(select l.target_id::text from ${field.linkTable} l where l.tenant_id = ${alias}.tenant_id and l.owner_id = ${alias}.id order by l.ord)`,
    )
  return nameRef(`to_jsonb(${alias})${links.length > 0 ? ` || jsonb_build_object(${links.join(', ')})` : ''}`)
}

/** The row that a row's keys lead to: itself, or the one its `finds` reference names. */
const targetOf = (model: Model, id: string, whole: Values): string =>
  model.entity.finds ? String(whole[model.entity.finds]) : id

export async function writeNew(
  model: Model,
  context: Context,
  id: string,
  values: Values,
  states: States,
  action: Action = context.action ?? (context.batchId ? 'import' : 'add'),
  born?: CreationFacts,
): Promise<void> {
  const { actor } = context
  await takeOnFor(model, context, [values])
  const pairs: [string, unknown][] = [
    ...(model.platform ? [] : ([['tenant_id', actor.tenantId]] as [string, unknown][])),
    ['id', id],
    ...model.fields
      .filter((field) => field.name in values)
      .flatMap((field) => stored(model, field, values[field.name], context, id)),
    ...(states.status === undefined ? [] : ([['status', states.status]] as [string, unknown][])),
    ...(states.extId === undefined ? [] : ([['ext_id', states.extId]] as [string, unknown][])),
    ...Object.entries(born ?? { create_user: actor.userId, create_dept: actor.deptId }),
    ['update_user', actor.userId],
  ]
  const keys = { add: keysOfRow(model, values, context.cipher, actor.tenantId), drop: [] }
  await run(
    {
      kind: 'new',
      model,
      context,
      id,
      action,
      version: born?.version ?? 1,
      keys,
      target: targetOf(model, id, values),
      pairs,
    },
    (columns) =>
      sql`insert into ${nameRef(model.table)} (${sql.join(columns.map(column))}) values (${sql.join(columns.map((name) => slotValue(given(name))))})`,
  )
  await writeLinks(model, context, id, values)
}

export async function writeOver<E extends Entity>(
  model: Model<E>,
  context: Context,
  id: string,
  before: Values & { version: number },
  written: Partial<ValuesOf<E>>,
  states: States,
  action: Action = context.action ?? (context.batchId ? 'import' : 'edit'),
): Promise<void> {
  const { actor } = context
  const { tenantId } = actor
  const changed: Values = written
  await takeOnFor(model, context, [changed])
  const pairs: [string, unknown][] = [
    ...model.fields
      .filter((field) => field.name in changed)
      .flatMap((field) => stored(model, field, changed[field.name], context, id)),
    ...(states.status === undefined ? [] : ([['status', states.status]] as [string, unknown][])),
    ...(states.extId === undefined ? [] : ([['ext_id', states.extId]] as [string, unknown][])),
    ['update_user', actor.userId],
  ]
  const whole = { ...before, ...changed }
  const target = targetOf(model, id, whole)
  const moved = target !== targetOf(model, id, before)
  const had =
    moved || model.find.some((field) => field.name in changed) ? keysOfRow(model, before, context.cipher, tenantId) : []
  const has =
    had.length > 0 || model.find.some((field) => field.name in changed)
      ? keysOfRow(model, whole, context.cipher, tenantId)
      : []
  if (moved) await context.tx.run(sql`delete from search_key where tenant_id = ${tenantId} and source_id = ${id}`)
  const keys = {
    add: moved ? has : has.filter((key) => !had.includes(key)),
    drop: moved ? [] : had.filter((key) => !has.includes(key)),
  }
  await run(
    { kind: 'over', model, context, id, action, version: before.version + 1, keys, target, pairs },
    (columns) =>
      sql`update ${nameRef(model.table)} set ${sql.join([
        ...columns.map((name) => sql`${column(name)} = ${slotValue(given(name))}`),
        sql`version = version + 1`,
        sql`update_time = now()`,
      ])} where ${thisRow(model)}`,
  )
  await writeLinks(model, context, id, changed)
}

/** Removes a row: its history keeps the whole of it, the link tables go with it. */
export async function removeRow(
  model: Model,
  context: Context,
  id: string,
  before: Values & { version: number },
  action: Action = context.action ?? 'delete',
): Promise<void> {
  await run(
    {
      kind: 'remove',
      model,
      context,
      id,
      action,
      version: before.version + 1,
      keys: { add: [], drop: [] },
      target: id,
      pairs: [],
    },
    () =>
      sql`${model.find.length > 0 ? sql`, keys_ as (delete from search_key where tenant_id = ${slotValue('tenant')} and source_id = ${slotValue('id')})` : sql``}
        delete from ${nameRef(model.table)} where ${thisRow(model)}`,
  )
}

async function writeLinks(model: Model, context: Context, id: string, values: Values): Promise<void> {
  const { tenantId } = context.actor
  for (const field of model.fields) {
    if (field.kind !== 'references' || !(field.name in values)) continue
    const ids = (values[field.name] as string[] | null) ?? []
    const link = nameRef(field.linkTable!)
    await context.tx.run(
      sql`delete from ${link} where tenant_id = ${tenantId} and owner_id = ${id} and not (target_id = any(${ids}::bigint[]))`,
    )
    if (ids.length > 0)
      await context.tx.run(
        sql`insert into ${link} (tenant_id, owner_id, target_id, ord)
            select ${tenantId}, ${id}::bigint, u.target, u.ord from unnest(${ids}::bigint[]) with ordinality as u(target, ord)
            on conflict (tenant_id, owner_id, target_id) do update set ord = excluded.ord`,
      )
  }
}

const statusField = { name: 'status', label: { zh: '状态', en: 'Status' } }

/** Refuses keys that a dictionary does not offer, a new status among them; a sealed one is not offered for new choices. */
export async function checkChoices(model: Model, changed: Values, context: Context, status?: number): Promise<void> {
  const wanted = model.fields.flatMap((field) => {
    const value = changed[field.name]
    if (!field.dict || field.custom !== undefined || value === null || value === undefined) return []
    return (Array.isArray(value) ? (value as string[]) : [String(value)]).map((key) => ({
      field,
      dict: field.dict,
      key,
    }))
  }) as { field: Pick<ModelField, 'name' | 'label'>; dict: string; key: string }[]
  const { status: states } = model.entity
  if (states && status !== undefined) wanted.push({ field: statusField, dict: states.dict, key: String(status) })
  if (wanted.length === 0) return
  const offered = await offeredKeys(context.tx, context.actor.tenantId, wanted)
  const faults = wanted
    .filter(({ dict, key }) => !offered(dict, key))
    .map(
      ({ field, key }): FieldFault => ({
        field: field.name,
        label: field.label,
        reason: { zh: `“${key}”不是可选的值`, en: `"${key}" is not one of the choices` },
      }),
    )
  if (faults.length > 0) throw fieldProblem(faults, context.circumstance.language)
}
