import { codeOf, type Draft, type Entity, ownerOf, type Verb, type Words } from '@data-brain/contract'
import { sql } from '../database/statement.ts'
import { Problem } from '../kernel/problem.ts'
import { type DatabaseError, problemOfDatabase } from '../kernel/problem-of.ts'
import { refuseBlocked } from './blockers.ts'
import { type Model, type ModelField, pointersAt } from './model.ts'
import { type Context, Repository } from './repository.ts'
import { removeWithRules, type StoredRow, saveWithRules } from './rules.ts'
import { nameRef, titleRef } from './select.ts'
import { removeRow, writeOver } from './write.ts'

/** What came of two rows that were one: counted by entity, and fields as `entity.field`. */
export interface Merged {
  /** Rows that belonged to the one that went and belong to the one that stayed now. */
  readonly moved: Map<string, number>
  /** Rows that the one that stayed had already: what was empty there is filled in. */
  readonly joined: Map<string, number>
  /** Fields of the row that stayed which the other one filled in. */
  readonly filled: string[]
  /** Fields of joined rows where both said something else: what the row that stayed says holds. */
  readonly dropped: Set<string>
}

/** Most rows of one kind that a merge moves: more than belong to any one person. */
const most = 500

const refuse = (reason: Words): never => {
  throw new Problem('rule_broken', { reason })
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const add = (counts: Map<string, number>, { name }: Entity): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

type Stored = StoredRow<Entity>

/**
 * Makes one row of two that tell of the same: what refers to the one that goes refers to the one that stays, which takes
 * over what it did not say itself and the fields of `take`; then the other one is removed. All of it stands in the history
 * of one request, which is undone as a whole. Refuses whoever may not change the one and remove the other, and, in words
 * that name it, what cannot be joined.
 */
export async function mergeRows(rows: Repository, staysId: string, goesId: string, take: readonly string[]) {
  const merged: Merged = { moved: new Map(), joined: new Map(), filled: [], dropped: new Set() }
  const { entity } = rows.model
  const held = { [staysId]: 'edit', [goesId]: 'delete' } as const satisfies Record<string, Verb>
  const stood: Record<string, Stored> = {}
  // In one order, so that two who merge the same rows wait for each other and not in a circle.
  for (const id of [staysId, goesId].sort())
    stood[id] = await rows.before(id, { lock: true, codes: [codeOf(entity, held[id]!)] })
  const owner = ownerOf(entity)?.field
  if (owner && stood[staysId]![owner] !== stood[goesId]![owner]) {
    const { label } = entity.fields[owner]!
    refuse({
      zh: `两条${entity.label.zh}的${label.zh}不同，不能合并`,
      en: `The two differ in their ${label.en.toLowerCase()} and cannot be merged`,
    })
  }
  await join(rows, stood[staysId]!, stood[goesId]!, { take, merged, isOuter: true })
  return merged
}

interface Joining {
  readonly take: readonly string[]
  readonly merged: Merged
  /** Whether these are the two that somebody chose, not rows that belong to them. */
  readonly isOuter: boolean
}

async function join(rows: Repository, stays: Stored, goes: Stored, joining: Joining): Promise<void> {
  const { model, context } = rows
  const { merged, take, isOuter } = joining
  for (const { model: pointing, field } of pointersAt(model.entity.name))
    if (!pointing.platform) await movePointers(pointing, field, { context, stays, goes, merged })
  const going = { context, id: goes.id, before: goes }
  await removeWithRules(model.entity, going, async () => {
    await refuseBlocked(model, context, goes.id)
    await removeRow(model, context, goes.id, goes)
  })
  const draft: Record<string, unknown> = {}
  for (const field of model.fields) {
    if (field.computed || field.fixed || field.kind === 'secret' || isEmpty(goes[field.name])) continue
    if (isEmpty(stays[field.name]) || take.includes(field.name)) draft[field.name] = goes[field.name]
    else if (
      !isOuter &&
      JSON.stringify(stays[field.name]) !== JSON.stringify(goes[field.name]) &&
      !isPlace(model, field)
    )
      merged.dropped.add(`${model.entity.name}.${field.name}`)
  }
  if (isOuter) merged.filled.push(...Object.keys(draft))
  if (Object.keys(draft).length > 0) await rows.edit(stays.id, draft as Draft<Entity>)
}

/** Whether a field is a place among rows of its kind, such as that in an order: a key of the entity counts it. */
const isPlace = ({ entity }: Model, { name, kind }: ModelField): boolean =>
  kind === 'integer' && (entity.unique ?? []).some((key) => key.includes(name))

interface Moving {
  readonly context: Context
  readonly stays: Stored
  readonly goes: Stored
  readonly merged: Merged
}

async function movePointers(pointing: Model, field: ModelField, moving: Moving): Promise<void> {
  const { context, goes } = moving
  const { tenantId } = context.actor
  const links = field.kind === 'references'
  const found = await context.tx.run<{ id: string }>(
    links
      ? sql`select owner_id::text as id from ${nameRef(field.linkTable!)} where tenant_id = ${tenantId} and target_id = ${goes.id} order by owner_id limit ${most + 1}`
      : sql`select id::text as id from ${nameRef(pointing.table)} where tenant_id = ${tenantId} and ${nameRef(field.column)} = ${goes.id} order by id limit ${most + 1}`,
  )
  if (found.length > most)
    refuse({
      zh: `关联的${pointing.entity.label.zh}超过${most}条，不能合并`,
      en: `More than ${most} rows of ${pointing.entity.label.en} belong to it: it cannot be merged`,
    })
  const rows = new Repository(pointing.entity, { ...context, unscoped: true, merging: true })
  for (const { id } of found) await moveOne(rows, field, await rows.before(id, { lock: true }), moving)
}

/** Lets one row refer to the row that stays; joins it with the one there where both cannot stand beside each other. */
async function moveOne(rows: Repository, field: ModelField, row: Stored, moving: Moving): Promise<void> {
  const { model } = rows
  const { stays, goes, merged } = moving
  const links = field.kind === 'references'
  const moved = links
    ? [...new Set((row[field.name] as string[]).map((id) => (id === goes.id ? stays.id : id)))]
    : stays.id
  let values: Record<string, unknown> = { [field.name]: moved }
  // Each turn but the last gives it another place.
  for (;;) {
    const clash = await tryToMove(rows, row, { ...values })
    if (!clash) return add(merged.moved, model.entity)
    // Two placements at one time: the one of the row that stays holds.
    if (clash.code === overlap && model.entity.within === field.name) {
      await rows.remove([row.id])
      return add(merged.joined, model.entity)
    }
    const meaning = problemOfDatabase(clash)
    const others = clash.code === taken ? await keyOf(rows, field, clash.constraint, meaning) : []
    const place = others.find((other) => isPlace(model, other))
    if (place && !(place.name in values)) {
      values = { ...values, [place.name]: await nextPlace(rows, field, place, stays.id) }
      continue
    }
    const twin = place || links ? undefined : await twinOf(rows, field, others, row.id, stays.id)
    if (!twin) throw clash
    return joinPart(rows, twin, row, { meaning: meaning!, merged })
  }
}

const taken = '23505'
const overlap = '23P01'
type Clash = DatabaseError

/** Writes a row, or says by what constraint it clashes with another one, and leaves nothing of it. */
async function tryToMove({ model, context }: Repository, row: Stored, values: Record<string, unknown>) {
  await context.tx.run(sql`savepoint merge_row`)
  try {
    const saving = { context, id: row.id, before: row, values, whole: { ...row, ...values }, status: undefined }
    await saveWithRules(model.entity, saving, async () => {
      await writeOver(model, context, row.id, row, saving.values, { status: undefined, extId: undefined })
      return true
    })
    await context.tx.run(sql`release savepoint merge_row`)
    return undefined
  } catch (thrown) {
    const { code } = thrown as { code?: unknown }
    if (code !== taken && code !== overlap) throw thrown
    await context.tx.run(sql`rollback to savepoint merge_row`)
    return thrown as Clash
  }
}

/** The fields of a key beside the one that is moved: its columns, and the field that its words name, such as a relation. */
async function keyOf({ model, context }: Repository, field: ModelField, name = '', meaning?: Problem) {
  const columns = await context.tx.run<{ name: string }>(
    sql`select a.attname::text as name from pg_class c join pg_index i on i.indexrelid = c.oid
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey) where c.relname = ${name}`,
  )
  const { field: said } = (meaning?.data ?? {}) as { readonly field?: string }
  return model.fields.filter(
    (each) => each !== field && (each.name === said || columns.some((column) => column.name === storedAs(each))),
  )
}

/** The column by which a field is compared: of an encrypted number its keyed hash. */
const storedAs = ({ kind, column }: ModelField): string => (kind === 'personal' ? `${column}_hash` : column)

/** The row of the one that stays which says the same under a key. */
async function twinOf(
  { model, context }: Repository,
  field: ModelField,
  others: readonly ModelField[],
  id: string,
  staysId: string,
): Promise<{ id: string; title: string | null } | undefined> {
  const same = others.map((other) => {
    const column = nameRef(storedAs(other))
    return sql`and t.${column} = o.${column}`
  })
  return context.tx.one<{ id: string; title: string | null }>(
    sql`select t.id::text as id, ${titleRef(model)} as title from ${nameRef(model.table)} t join ${nameRef(model.table)} o on o.tenant_id = t.tenant_id
        where t.tenant_id = ${context.actor.tenantId} and o.id = ${id} and t.id <> o.id and t.${nameRef(field.column)} = ${staysId}
          ${sql.join(same, sql` `)} limit 1`,
  )
}

async function nextPlace({ model, context }: Repository, field: ModelField, place: ModelField, staysId: string) {
  const row = await context.tx.one<{ next: number }>(
    sql`select coalesce(max(${nameRef(place.column)}), 0)::int + 1 as next from ${nameRef(model.table)}
        where tenant_id = ${context.actor.tenantId} and ${nameRef(field.column)} = ${staysId}`,
  )
  const next = row?.next ?? 1
  if (next > (place.max ?? next))
    refuse({
      zh: `合并后${model.entity.label.zh}超过${place.max}条，请先删除多余的再合并`,
      en: `That makes more than ${place.max} of ${model.entity.label.en}: remove some first, then merge`,
    })
  return next
}

interface Clashing {
  /** What the key says in words that lets only one of them stand. */
  readonly meaning: Problem
  readonly merged: Merged
}

/** Makes one of two rows that a key lets stand once; two that are called otherwise are not the same, and it is refused. */
async function joinPart(
  rows: Repository,
  twin: { readonly id: string; readonly title: string | null },
  row: Stored,
  { meaning, merged }: Clashing,
): Promise<void> {
  const { entity, byName } = rows.model
  const isNamed = byName.get(entity.title)?.kind !== 'reference'
  const called = isNamed ? ((row[entity.title] as string | null) ?? '') : ''
  const plain = (text: string) => text.replaceAll(/[\s·]/g, '')
  if (isNamed && called && twin.title && plain(called) !== plain(twin.title))
    refuse({
      zh: `${entity.label.zh}“${twin.title}”与“${called}”不能都保留：${meaning.words('zh')}。请先更正其中一条，再合并`,
      en: `${entity.label.en}: “${twin.title}” and “${called}” cannot both stay (${meaning.words('en')}). Correct one of them first, then merge`,
    })
  await join(rows, await rows.before(twin.id, { lock: true }), row, { take: [], merged, isOuter: false })
  add(merged.joined, entity)
}
