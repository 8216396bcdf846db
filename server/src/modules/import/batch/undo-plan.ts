import { createHash } from 'node:crypto'
import { entityOf } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import type { Taken, undoPlan as undoPlanCall } from '@data-brain/contract/calls/import'
import type { TouchedRows } from '@data-brain/contract/generic'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { type Model, modelOf, pointersAt } from '../../../entity/model.ts'
import { shownOf } from '../../../entity/read-log.ts'
import { nameRef, titleRef } from '../../../entity/select.ts'
import type { Language } from '../../../kernel/problem.ts'
import { markShown } from '../../../kernel/shown-rows.ts'
import { hasLostLinks } from './change-many.ts'
import type { Form, Undo, WrittenItem } from './form.ts'
import { type TouchedOne, toldRows } from './undo-words.ts'

/*
 * What an undo of a batch takes back: what it wrote, what others have done to that since, and what stays where their
 * work is to be kept.
 */

/** What a batch wrote, by entity. */
export type WrittenRows = ReadonlyMap<string, readonly WrittenItem[]>

/** Rows that are named at most, of each entity. */
export const namedMost = 20

/** What a batch wrote, each row as it left it. Asked once and handed on: the planner knows nothing yet of a history that is new. */
export async function writtenBy(tx: Tx, tenantId: string, batchId: string): Promise<WrittenRows> {
  const rows = new Map<string, WrittenItem[]>()
  for (const { entity, ...row } of await tx.run<WrittenItem & { entity: string }>(
    sql`select entity, row_id as id, max(version) as version, bool_or(before is null) as added from history
        where tenant_id = ${tenantId} and batch_id = ${batchId} and action = 'import' group by entity, row_id order by row_id`,
  )) {
    const held = rows.get(entity)
    if (held) held.push(row)
    else rows.set(entity, [row])
  }
  return rows
}

/** The models whose rows an undo takes back, each once. */
export const modelsOf = ({ order, changed = [], makes = [] }: Undo): Model[] => [
  ...new Map([...order, ...changed, ...makes].map((model) => [model.entity.name, model])).values(),
]

/** What the form is about: a row of it goes, or stays, with everything that belongs to it. */
export const aboutOf = ({ order }: Undo): Model => order.at(-1)!

const ownerField = (model: Model, about: Model) =>
  model.fields.find(({ kind, to }) => kind === 'reference' && to === about.entity.name)

/** Rows that stay, by entity. */
type Staying = ReadonlyMap<string, ReadonlySet<string>>

/** Rows of one entity that others have touched in one way, by their ids: the first of them, and how many they are. */
export interface Mark {
  readonly entity: string
  readonly how: 'own' | 'added' | 'used'
  readonly count: number
  readonly rows: readonly TouchedOne[]
}

export interface UndoFindings {
  readonly touched: readonly TouchedRows[]
  readonly marks: readonly Mark[]
  /** Stands for exactly what was touched: another word, once anybody has touched more. */
  readonly seen: string
  /** What stays where others' work is kept: what the form is about, and rows beside it that were changed themselves. */
  readonly staying: Staying
}

/** Tells of rows that others have touched: which they are, whose, what was done and by whom. */
export async function touchedOf(
  { undo }: Form,
  tx: Tx,
  tenantId: string,
  { entity, how, count, rows }: Mark,
  language: Language,
): Promise<TouchedRows> {
  const about = aboutOf(undo)
  const model = modelOf(entityOf(entity))
  const { label, measure } = model.entity
  const told = await toldRows(tx, tenantId, model, about, rows, how)
  const shown = rows.flatMap((row) => shownOf(model.entity, { ...row, [`${about.entity.name}Id`]: row.owner }, 'list'))
  return markShown(
    tx,
    {
      ...{ entity, label: label[language], unit: measure, count, own: how !== 'added' },
      ...{ sample: told.map(({ name, of }) => name || (of ?? '')), rows: told },
    },
    ...shown,
  )
}

/**
 * What others have done since to the rows of a batch: changed or removed them or what they were linked to before, or
 * pointed something new at them. Empty where the batch can be undone without a question.
 */
export async function touchedSince(
  form: Form,
  tx: Tx,
  tenantId: string,
  batchId: string,
  written: WrittenRows,
  language: Language,
): Promise<UndoFindings> {
  const { undo } = form
  const touched: TouchedRows[] = []
  const marks: Mark[] = []
  const staying = new Map<string, Set<string>>()
  const seen = createHash('sha256')
  const about = aboutOf(undo)
  const tell = async (model: Model, how: 'own' | 'added' | 'used', found: readonly TouchedOne[]): Promise<void> => {
    if (found.length === 0) return
    const entity = model.entity.name
    const mark: Mark = { entity, how, count: found.length, rows: found.slice(0, namedMost) }
    marks.push(mark)
    touched.push(await touchedOf(form, tx, tenantId, mark, language))
    for (const { id, owner, version } of found) {
      seen.update(`${entity} ${how} ${id} ${version} `)
      const [of, stays] = owner === null ? [entity, id] : [about.entity.name, owner]
      staying.set(of, (staying.get(of) ?? new Set()).add(stays))
    }
  }
  for (const model of modelsOf(undo)) {
    const { name } = model.entity
    const rows = written.get(name) ?? []
    if (rows.length === 0) continue
    const changed = await changedRows(tx, tenantId, batchId, model, about, rows)
    // What was made beside and is gone by now need not go.
    const isBeside = !undo.order.includes(model) && !undo.changed?.includes(model)
    await tell(model, 'own', isBeside ? changed.filter((row) => row.there) : changed)
  }
  const name = about.entity.name
  const added = (written.get(name) ?? []).filter((row) => row.added).map((row) => row.id)
  const used = (await undo.usedSince?.(tx, tenantId, added)) ?? []
  await tell(
    about,
    'used',
    used.map((row) => ({ ...row, owner: row.id, version: null })),
  )
  for (const { model, field } of pointersAt(name)) {
    const own = (written.get(model.entity.name) ?? []).map((row) => row.id)
    const at = field.kind === 'reference' ? sql`t.${nameRef(field.column)}` : sql`l.target_id`
    const from =
      field.kind === 'reference'
        ? sql`${nameRef(model.table)} t`
        : sql`${nameRef(field.linkTable ?? '')} l join ${nameRef(model.table)} t on t.tenant_id = l.tenant_id and t.id = l.owner_id`
    await tell(
      model,
      'added',
      await tx.run<TouchedOne>(
        sql`select t.id, ${titleRef(model)} as name, t.version, ${at} as owner from ${from}
            where t.tenant_id = ${tenantId} and ${at} = any(${added}::bigint[]) and t.id <> all(${own}::bigint[]) order by t.id`,
      ),
    )
  }
  return { touched, marks, staying, seen: seen.digest('base64url') }
}

/** Rows of a model that are not as the batch left them. */
async function changedRows(
  tx: Tx,
  tenantId: string,
  batchId: string,
  model: Model,
  about: Model,
  rows: readonly WrittenItem[],
): Promise<TouchedOne[]> {
  const { name } = model.entity
  const column = nameRef(ownerField(model, about)?.column ?? 'id')
  // Of a row that is gone its last state says to whom it belonged.
  const owner =
    model === about
      ? sql`w.id`
      : ownerField(model, about)
        ? sql`coalesce(t.${column}, (select (h.before ->> ${sql.lit(ownerField(model, about)!.column)})::bigint from history h
            where h.tenant_id = ${tenantId} and h.entity = ${name} and h.row_id = w.id and h.before is not null order by h.version desc limit 1))`
        : sql`null::bigint`
  return tx.run<TouchedOne>(
    sql`select w.id, ${titleRef(model)} as name, t.id is not null as there, t.version, ${owner} as owner
        from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.version)}::int[]) w(id, version)
        left join ${nameRef(model.table)} t on t.tenant_id = ${tenantId} and t.id = w.id
        where t.id is null or t.version <> w.version or exists (
          select 1 from history h where h.tenant_id = ${tenantId} and h.batch_id = ${batchId} and h.entity = ${name} and h.row_id = w.id
            and h.action = 'import' and ${hasLostLinks(model)}) order by w.id`,
  )
}

/** The rows of a batch without those that stay, and without what belongs to them. */
export async function withoutStaying(
  { undo }: Form,
  tx: Tx,
  tenantId: string,
  written: WrittenRows,
  staying: Staying,
): Promise<WrittenRows> {
  const about = aboutOf(undo)
  const owners = [...(staying.get(about.entity.name) ?? [])]
  const left = new Map(written)
  for (const model of modelsOf(undo)) {
    const { name } = model.entity
    const stays = new Set(staying.get(name) ?? [])
    const field = model === about ? undefined : ownerField(model, about)
    if (field && owners.length > 0)
      for (const { id } of await tx.run<{ id: string }>(
        sql`select id from ${nameRef(model.table)} where tenant_id = ${tenantId} and ${nameRef(field.column)} = any(${owners}::bigint[])`,
      ))
        stays.add(id)
    left.set(
      name,
      (written.get(name) ?? []).filter(({ id }) => !stays.has(id)),
    )
  }
  return left
}

const idsOf = (rows: WrittenRows, name: string): string[] => (rows.get(name) ?? []).map((row) => row.id)

/** Of rows that a batch made beside its own, those that nobody uses but what goes as well. */
export async function unusedMade(
  tx: Tx,
  tenantId: string,
  model: Model,
  rows: WrittenRows,
  going: WrittenRows,
): Promise<string[]> {
  let ids = (rows.get(model.entity.name) ?? []).filter((row) => row.added).map((row) => row.id)
  for (const { model: other, field } of pointersAt(model.entity.name)) {
    if (ids.length === 0) break
    const [table, column, id] =
      field.kind === 'reference' ? [other.table, field.column, 'id'] : [field.linkTable ?? '', 'target_id', 'owner_id']
    const gone = (going.get(other.entity.name) ?? []).filter((row) => row.added).map((row) => row.id)
    const used = await tx.run<{ id: string }>(
      sql`select distinct ${nameRef(column)} as id from ${nameRef(table)}
          where tenant_id = ${tenantId} and ${nameRef(column)} = any(${ids}::bigint[]) and ${nameRef(id)} <> all(${gone}::bigint[])`,
    )
    const held = new Set(used.map((row) => row.id))
    ids = ids.filter((each) => !held.has(each))
  }
  return ids
}

/** Rows that a batch made and that do not go. */
const heldOf = (made: readonly WrittenItem[], going: readonly string[]): string[] => {
  const goes = new Set(going)
  return made.flatMap(({ id, added }) => (added && !goes.has(id) ? [id] : []))
}

/** Rows that are still there, with their names. */
async function namedOf(
  tx: Tx,
  tenantId: string,
  model: Model,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  if (ids.length === 0) return []
  return tx.run(
    sql`select t.id, ${titleRef(model)} as name from ${nameRef(model.table)} t where t.tenant_id = ${tenantId} and t.id = any(${[...ids]}::bigint[]) order by t.id`,
  )
}

/** What goes and what becomes what it was, by entity, as numbers, and the rows made beside them that stay. */
export interface TakenRows extends Pick<Taken, 'entity' | 'removed' | 'restored'> {
  readonly made: readonly string[]
  readonly held: readonly string[]
}

/** What goes and what becomes what it was, by entity; what the form is about comes first. */
export async function takenRows({ undo }: Form, tx: Tx, tenantId: string, rows: WrittenRows): Promise<TakenRows[]> {
  const { order, changed = [], makes = [] } = undo
  const own = new Map(order.map(({ entity }) => [entity.name, rows.get(entity.name) ?? []]))
  const taken: TakenRows[] = []
  for (const model of [...order].reverse().concat(modelsOf(undo).filter((each) => !order.includes(each)))) {
    const { name } = model.entity
    const mine = rows.get(name) ?? []
    const made = makes.includes(model) ? await unusedMade(tx, tenantId, model, rows, own) : []
    const there = makes.includes(model) ? await namedOf(tx, tenantId, model, heldOf(mine, made)) : []
    const removed = order.includes(model) ? mine.filter((row) => row.added).length : made.length
    const restored = order.includes(model) || changed.includes(model) ? mine.filter((row) => !row.added).length : 0
    if (removed + restored + there.length === 0) continue
    taken.push({ entity: name, removed, restored, made, held: there.map(({ id }) => id) })
  }
  return taken
}

/** The same in words, with the names of what was made beside the rows of the file. */
async function takenBack(
  form: Form,
  tx: Tx,
  tenantId: string,
  rows: WrittenRows,
  language: Language,
): Promise<Taken[]> {
  const taken: Taken[] = []
  for (const { entity, removed, restored, made, held } of await takenRows(form, tx, tenantId, rows)) {
    const model = modelOf(entityOf(entity))
    const { label, measure } = model.entity
    const names = async (ids: readonly string[]) =>
      (await namedOf(tx, tenantId, model, ids)).slice(0, namedMost).map(({ name }) => name)
    taken.push({
      ...{ entity, label: label[language], unit: measure, removed, restored, held: held.length },
      ...{ sample: await names(made), heldSample: await names(held) },
    })
  }
  return taken
}

/** What an undo of a batch would do. */
export async function undoPlan(
  form: Form,
  tx: Tx,
  tenantId: string,
  batchId: string,
  language: Language,
): Promise<AnswerOf<typeof undoPlanCall>> {
  const written = await writtenBy(tx, tenantId, batchId)
  const { touched, staying, seen } = await touchedSince(form, tx, tenantId, batchId, written, language)
  const { label, measure } = aboutOf(form.undo).entity
  const about = { label: label[language], unit: measure }
  const all = await takenBack(form, tx, tenantId, written, language)
  if (touched.length === 0) return { all, touched, keeping: all, staying: 0, about, seen }
  const left = await withoutStaying(form, tx, tenantId, written, staying)
  return {
    all,
    touched,
    keeping: await takenBack(form, tx, tenantId, left, language),
    staying: countStaying(form, written, left),
    ...{ about, seen },
  }
}

/** How many rows of what the form is about stay. */
export const countStaying = ({ undo }: Form, written: WrittenRows, left: WrittenRows): number => {
  const { name } = aboutOf(undo).entity
  return idsOf(written, name).length - idsOf(left, name).length
}
