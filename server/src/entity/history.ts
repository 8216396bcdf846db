import { type Entity, hiddenSecret, isMasked, maskOf, titledWith } from '@data-brain/contract'
import { namedIn } from '@data-brain/contract/rules/values'
import { sql } from '../database/statement.ts'
import { whoDid } from '../kernel/machine-names.ts'
import { Problem } from '../kernel/problem.ts'
import { markShown, type ShownRow } from '../kernel/shown-rows.ts'
import { customValue } from './custom.ts'
import { givenIn } from './given-fields.ts'
import { isChanged, type KeptRow, plainOf, rowNow } from './history-row.ts'
import { keepReached } from './link-scope.ts'
import { customColumn, type ModelField, modelOf } from './model.ts'
import { subjectColumn } from './read-log.ts'
import type { Repository, WireRow } from './repository.ts'
import { besideRef, nameRef, titleRef } from './select.ts'
import { namesOf, pick, type RowNames } from './values.ts'

export interface FieldChange {
  field: string
  before: unknown
  after: unknown
  beforeName?: string | string[] | RowNames
  afterName?: string | string[] | RowNames
  /** Of a json value that names rows: what the field said that decides of what entity they are. */
  beforeBy?: string
  afterBy?: string
  /** Of grants: what was granted, in the caller's language, and how much of it stayed as it was. */
  label?: string
  same?: number
}

export interface HistoryEntry {
  id: string
  action: string
  userName: string | null
  time: string
  requestId: string | null
  version: number
  changes: FieldChange[]
}

interface Kept {
  id: string
  action: string
  user_id: string | null
  user_name: string | null
  at: string
  request_id: string | null
  version: number
  before: KeptRow | null
}

const most = 100

/**
 * Who changed a row, when and what, newest first. An entry keeps the row as it stood before; what it became is what
 * the next entry kept, or the row itself. Also answers for a row that is gone.
 */
export async function historyOf(rows: Repository, id: string): Promise<HistoryEntry[]> {
  const { model, context } = rows
  const { tenantId } = context.actor
  await rows.mustSee(id)
  const entries = await context.tx.run<Kept>(
    sql`select id, action, user_id, user_name, at, request_id, version, before from history
        where tenant_id = ${tenantId} and entity = ${model.entity.name} and row_id = ${id} order by id desc limit ${most}`,
  )
  if (entries.length === 0) throw new Problem('not_found')
  const open = await rows.opensPersonal(id)
  let after: KeptRow | null = (await rowNow(model, context, id)) ?? null
  const told: HistoryEntry[] = []
  for (const entry of entries) {
    told.push({
      id: entry.id,
      action: entry.action,
      userName: whoDid(entry.user_id, entry.user_name, context.circumstance.language),
      time: entry.at,
      requestId: entry.request_id,
      version: entry.version,
      changes: [
        ...(entry.before && after && entry.action !== 'delete' ? changesOf(rows, id, entry.before, after, open) : []),
        ...grantsOf(rows, entry.before),
      ],
    })
    after = entry.before
  }
  await nameReferences(
    rows,
    told.flatMap((entry) => entry.changes),
  )
  return markShown(context.tx, told, ...shownOfKept(rows, id, after ?? entries[0]!.before))
}

/** Whose record a history shows: also of a row that is gone, by what was kept of it. */
function shownOfKept({ model }: Repository, id: string, kept: KeptRow | null): ShownRow[] {
  const column = subjectColumn(model.entity)
  const childId = column === 'id' ? id : column && kept?.[column]
  return column
    ? [{ entity: model.entity.name, id, kind: 'detail', childId: childId ? String(childId) : undefined }]
    : []
}

/**
 * What an entry did, field by field: a new row's values came after nothing, a removed one's before it. Numbers are
 * masked for whoever may not see those of the row.
 */
export async function changesBy(rows: Repository, id: string, entry: string): Promise<FieldChange[]> {
  const { model, context } = rows
  const [own, next] = await context.tx.run<{ id: string; before: KeptRow | null }>(
    sql`select id, before from history where tenant_id = ${context.actor.tenantId} and entity = ${model.entity.name} and row_id = ${id} and id >= ${entry} order by id limit 2`,
  )
  if (own?.id !== entry) throw new Problem('not_found')
  const after = (next ? next.before : await rowNow(model, context, id)) ?? null
  const { before } = own
  const whole = before ?? after
  const open = await rows.opensPersonal(id)
  const changes =
    before && after ? changesOf(rows, id, before, after, open) : whole ? valuesOf(rows, id, whole, !before, open) : []
  await nameReferences(rows, changes)
  return markShown(context.tx, [...changes, ...grantsOf(rows, before)], ...shownOfKept(rows, id, whole))
}

/** What an entry tells of grants: what came, what went, and how much stayed. */
const grantsOf = ({ context: { circumstance } }: Repository, before: KeptRow | null): FieldChange[] =>
  givenIn(before).map(({ field, label, removed, added, same }) => ({
    field,
    label: label[circumstance.language],
    before: removed.map(({ id }) => id),
    after: added.map(({ id }) => id),
    beforeName: removed.map((each) => each[circumstance.language]),
    afterName: added.map((each) => each[circumstance.language]),
    same,
  }))

/** The column of a tenant's own fields is told field by field. */
const isTold = (field: ModelField): boolean => field.custom !== undefined || field.column !== customColumn

/** The fields that differ between two states of a row. */
function changesOf(rows: Repository, id: string, before: KeptRow, after: KeptRow, open: boolean): FieldChange[] {
  const changes = rows.model.fields
    .filter((field) => isTold(field) && isChanged(field, before, after))
    .map(
      (field): FieldChange => ({
        field: field.name,
        before: shown(rows, field, before, id, open),
        after: shown(rows, field, after, id, open),
        ...decided(rows, field, before, after),
      }),
    )
  if (before.status !== after.status) changes.push({ field: 'status', before: before.status, after: after.status })
  return changes
}

/** Every field that has a value in the one state that there is. */
function valuesOf(rows: Repository, id: string, row: KeptRow, isNew: boolean, open: boolean): FieldChange[] {
  return rows.model.fields.filter(isTold).flatMap((field): FieldChange[] => {
    const value = shown(rows, field, row, id, open)
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return []
    return [
      {
        field: field.name,
        before: isNew ? null : value,
        after: isNew ? value : null,
        ...decided(rows, field, row, row),
      },
    ]
  })
}

/** A value of a kept row as it leaves the server: personal ones in full only where they are `open`. */
function shown(rows: Repository, field: ModelField, row: KeptRow, id: string, open: boolean): unknown {
  const value = field.custom === undefined ? row[field.column] : customValue(field, row)
  if (value === undefined || value === null) return null
  if (field.kind === 'secret') return hiddenSecret
  const plain = plainOf(rows.model, field, row, rows.context, id)
  return field.kind === 'personal' && !open ? maskOf(String(plain)) : plain
}

/** What the field that decides on a json field said in both states of a row. */
function decided({ model }: Repository, field: ModelField, before: KeptRow, after: KeptRow): Partial<FieldChange> {
  if (typeof field.of !== 'object') return {}
  const { column } = model.byName.get(field.of.by)!
  return { beforeBy: String(before[column] ?? ''), afterBy: String(after[column] ?? '') }
}

const idsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((id): id is string => typeof id === 'string' && !isMasked(id))

/** Puts the names of referenced rows beside their ids, with one statement per entity that is pointed at. */
async function nameReferences(rows: Repository, changes: readonly FieldChange[]): Promise<void> {
  const { model, context } = rows
  await keepReached(model, context, changes)
  const fieldOf = (change: FieldChange): ModelField | undefined => model.byName.get(change.field)
  const each = changes.filter((change) => ['reference', 'references'].includes(fieldOf(change)?.kind ?? ''))
  const wanted = new Map<Entity, Set<string>>()
  for (const change of each) {
    const to = fieldOf(change)!.target!
    const ids = wanted.get(to) ?? new Set()
    for (const id of [...idsIn(change.before), ...idsIn(change.after)]) ids.add(id)
    wanted.set(to, ids)
  }
  const names = new Map<string, string>()
  for (const [to, ids] of wanted) {
    const target = modelOf(to)
    const found = await context.tx.run<Pick<WireRow, 'id'> & { name: string; beside: string[] }>(
      sql`select t.id, ${titleRef(target)} as name, ${besideRef(target)} as beside from ${nameRef(target.seen)} t where ${target.platform ? sql`true` : sql`t.tenant_id = ${context.actor.tenantId}`} and t.id = any(${[...ids]}::bigint[])`,
    )
    for (const row of found)
      names.set(`${to.name}|${row.id}`, titledWith(row.name, row.beside, context.circumstance.language))
  }
  for (const change of each) {
    const { name } = fieldOf(change)!.target!
    const nameOf = (value: unknown): string | string[] | undefined =>
      Array.isArray(value) ? idsIn(value).map((id) => names.get(`${name}|${id}`) ?? id) : names.get(`${name}|${value}`)
    const before = nameOf(change.before)
    const after = nameOf(change.after)
    if (before !== undefined) change.beforeName = before
    if (after !== undefined) change.afterName = after
  }
  await nameInValues(rows, changes)
}

/** Puts the names of the rows that json values mention beside them. */
async function nameInValues({ model, context }: Repository, changes: readonly FieldChange[]): Promise<void> {
  const each = changes.flatMap((change) => {
    const field = model.byName.get(change.field)
    if (!field?.of) return []
    const { of } = field
    const row = (said: string | undefined) => (typeof of === 'object' && said !== undefined ? { [of.by]: said } : {})
    const before = namedIn(field, change.before, row(change.beforeBy))
    const after = namedIn(field, change.after, row(change.afterBy))
    return before.length + after.length === 0 ? [] : [{ change, before, after }]
  })
  if (each.length === 0) return
  const names = await namesOf(
    context,
    each.flatMap(({ before, after }) => [...before, ...after]),
  )
  for (const { change, before, after } of each) {
    change.beforeName = pick(before, names) ?? {}
    change.afterName = pick(after, names) ?? {}
  }
}
