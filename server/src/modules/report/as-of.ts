import type { Words } from '@data-brain/contract'
import type { RawBuilder } from 'kysely'
import { zone } from '../../database/connect.ts'
import { kinds } from '../../database/kinds.ts'
import { compileOnce, slotValue, sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { allModels, type Model, type ModelField } from '../../entity/model.ts'
import { nameRef } from '../../entity/select.ts'
import { Problem } from '../../kernel/problem.ts'

/*
 * Rows as they were at the end of a past day. A part of a statement that is named like a table stands in its place, so every
 * statement of a report runs over the past unchanged: of each row that was changed since, the part takes what the history
 * kept before the first of these changes; the others it takes as they are. Which tables a statement reads is seen in its text,
 * which is made of names of the definitions alone.
 */

type Part = RawBuilder<unknown>

/** Written without a history of every change: nobody knows what they were. */
export const unrecorded: ReadonlySet<string> = new Set([
  ...['flowinstance', 'flowprocess', 'job', 'maillog', 'smslog', 'mail', 'rosterclient'],
])

/** Looked at as they are now: they belong to all tenants, and no tenant has a history of them. */
const shared: ReadonlySet<string> = new Set(allModels().flatMap(({ platform, seen }) => (platform ? [seen] : [])))
const timeless: ReadonlySet<string> = new Set(['region', 'unnest', ...shared])

/** What stands in the place of a table: rows of an entity, or what they link to. */
interface Source {
  readonly model: Model
  readonly link: ModelField | undefined
}

const sources: ReadonlyMap<string, Source> = new Map(
  allModels()
    .filter(({ platform }) => !platform)
    .flatMap((model): [string, Source][] => [
      [model.seen, { model, link: undefined }],
      ...model.fields.flatMap((field): [string, Source][] =>
        field.linkSeen ? [[field.linkSeen, { model, link: field }]] : [],
      ),
    ]),
)

/** The tables that a statement reads. */
function tablesIn(text: string): string[] {
  const found = new Set([...text.matchAll(/\b(?:from|join)\s+([a-z_][a-z0-9_]*)/g)].map(([, name]) => name!))
  const read = [...found].filter((name) => !timeless.has(name))
  const unknown = read.find((name) => !sources.has(name))
  if (unknown) throw new Error(`a report reads ${unknown}, of which no past is known`)
  return read
}

const tenant = slotValue('tenant')
/** The first moment after the day. */
const end: Part = sql`((${slotValue('asOf')}::date + 1)::timestamp at time zone ${sql.lit(zone)})`

/** The changes of rows since; what was granted to a role stands beside it, and is no change of its row. */
const since = (model: Model): Part =>
  sql`h.tenant_id = ${tenant} and h.entity = ${sql.lit(model.entity.name)} and h.at >= ${end} and h.action <> 'grant'`

/** What the history kept of rows before the first change since, and `o.id` of the rows; new ones had nothing before. */
const before = (model: Model): Part =>
  sql`(select h.row_id, min(h.id) as id from history h where ${since(model)} group by h.row_id) c
    join history o on o.tenant_id = ${tenant} and o.id = c.id and o.before is not null`

/** Nothing has happened to a row since; it was there by then. */
const unchanged = (model: Model, id: string): Part =>
  sql`not exists (select from history h where ${since(model)} and h.row_id = ${nameRef(id)})`

const systemTypes: readonly (readonly [column: string, type: string])[] = [
  ['id', 'bigint'],
  ['status', 'smallint'],
  ['version', 'integer'],
  ['ext_id', 'text'],
  ['create_user', 'bigint'],
  ['create_dept', 'bigint'],
  ['create_time', 'timestamptz'],
  ['update_user', 'bigint'],
  ['update_time', 'timestamptz'],
]

/** The columns of an entity's table with their types. */
function columnsOf(model: Model): (readonly [column: string, type: string])[] {
  const own = model.fields
    .filter(({ custom }) => custom === undefined)
    .flatMap((field) =>
      kinds[field.kind].columns(field.name, field).map(({ name, type }): [string, string] => {
        const [plain] = /^numeric\([^)]*\)|^[a-z]+(\[\])?/.exec(type) ?? []
        if (!plain) throw new Error(`no type of ${name}`)
        return [name, plain]
      }),
    )
  return [...systemTypes, ...own]
}

/** A column out of what the history kept of a row. */
function keptColumn(column: string, type: string): Part {
  const key = sql.lit(column)
  if (type === 'jsonb') return sql`nullif(o.before -> ${key}, 'null'::jsonb)`
  if (type.endsWith('[]'))
    return sql`array(select jsonb_array_elements_text(case when jsonb_typeof(o.before -> ${key}) = 'array' then o.before -> ${key} else '[]'::jsonb end))::${nameRef(type)}`
  return sql`(o.before ->> ${key})::${nameRef(type)}`
}

const rowsPart = (model: Model): Part => {
  const columns = columnsOf(model)
  return sql`select ${tenant}::text as tenant_id, ${nameRef(columns.map(([name]) => `t.${name}`).join(', '))}
      from ${nameRef(model.seen)} t where t.tenant_id = ${tenant} and t.create_time < ${end} and ${unchanged(model, 't.id')}
    union all select ${tenant}::text, ${sql.join(columns.map(([name, type]) => (name === 'id' ? sql`o.row_id` : keptColumn(name, type))))}
      from ${before(model)}`
}

const linksPart = (model: Model, field: ModelField): Part =>
  sql`select ${tenant}::text as tenant_id, l.owner_id, l.target_id, l.ord
      from ${nameRef(field.linkSeen!)} l where l.tenant_id = ${tenant} and ${unchanged(model, 'l.owner_id')}
    union all select ${tenant}::text, o.row_id, x.id::bigint, x.ord::smallint
      from ${before(model)} cross join lateral jsonb_array_elements_text(case when jsonb_typeof(o.before -> ${sql.lit(field.column)}) = 'array' then o.before -> ${sql.lit(field.column)} else '[]'::jsonb end) with ordinality x(id, ord)`

/** A statement over rows as they were at the end of the day in the slot `asOf`, and the entities that it reads. */
export function overPast(
  statement: Part,
  values: Readonly<Record<string, unknown>>,
): { statement: Part; read: Model[] } {
  const tables = tablesIn(compileOnce(statement, { ...values }).text)
  const parts = tables.map((name) => {
    const { model, link } = sources.get(name)!
    return sql`${nameRef(name)} as not materialized (${link ? linksPart(model, link) : rowsPart(model)})`
  })
  const read = [...new Set(tables.map((name) => sources.get(name)!.model))]
  return { statement: parts.length > 0 ? sql`with ${sql.join(parts)} ${statement}` : statement, read }
}

const refuse = (zh: string, en: string): Problem =>
  new Problem('rule_broken', { reason: { zh, en } }, { field: 'asOf', fields: [] })

const entityWords = (models: readonly Model[], between: string, language: keyof Words): string =>
  models.map(({ entity }) => entity.label[language]).join(between)

/**
 * Refuses a day that the history does not reach back to. It begins with its first entry, ends at once for what has none, and
 * has a gap where entries of a row are gone: their versions do not follow each other, or the row was written after the last.
 */
export async function mustReachBack(tx: Tx, tenantId: string, read: readonly Model[], asOf: string): Promise<void> {
  const without = read.filter(({ entity }) => unrecorded.has(entity.name))
  if (without.length > 0)
    throw refuse(
      `“${entityWords(without, '、', 'zh')}”不保存变更记录，只能按今天的数据统计，不能选择截至日期`,
      `No changes are recorded of "${entityWords(without, ', ', 'en')}": they are counted as of today only, not as of an earlier day`,
    )
  const first = await firstDay(tx, tenantId, read, asOf)
  if (first > asOf)
    throw refuse(
      `变更记录只能回溯到${first}，无法得知${asOf}的数据：请选择${first}或之后的日期`,
      `The record of changes reaches back to ${first} only, so nobody knows what there was on ${asOf}: choose ${first} or a later day`,
    )
}

async function firstDay(tx: Tx, tenantId: string, read: readonly Model[], asOf: string): Promise<string> {
  const gaps = read.map(
    (model) => sql`
      select h.at from (select h.at, h.version, coalesce(lag(h.version) over (partition by h.row_id order by h.id), (
            select p.version from history p where p.tenant_id = ${tenant} and p.entity = ${sql.lit(model.entity.name)}
              and p.row_id = h.row_id and p.id < h.id and p.action <> 'grant' order by p.id desc limit 1)) as had
        from history h where ${since(model)}) h where h.version > h.had + 1
      union all select t.update_time from ${nameRef(model.table)} t
        where t.tenant_id = ${tenant} and t.version > 1 and t.update_time >= ${end} and ${unchanged(model, 't.id')}`,
  )
  const found = await tx.one<{ first: string | null }>(
    compileOnce(
      sql`select to_char(max(x.at) at time zone ${sql.lit(zone)}, 'YYYY-MM-DD') as first from (
            (select h.at from history h where h.tenant_id = ${tenant} order by h.id limit 1)
            union all select now() where not exists (select from history h where h.tenant_id = ${tenant})
            ${sql.join(
              gaps.map((gap) => sql`union all (${gap})`),
              sql` `,
            )}) x`,
      { tenant: tenantId, asOf },
    ),
  )
  return found!.first!
}

/** The day that it is. */
export const todayOf = async (tx: Tx): Promise<string> =>
  (await tx.one<{ day: string }>(sql`select (now() at time zone ${zone})::date::text as day`))!.day

/** The past day that a report is asked for; none where that is today. One that has not come is refused. */
export async function pastDay(tx: Tx, asked: string | null | undefined): Promise<string | undefined> {
  if (!asked) return undefined
  const today = await todayOf(tx)
  if (asked > today)
    throw refuse(
      `截至日期${asked}还没有到，请选择今天或更早的日期`,
      `The day ${asked} has not come yet: choose today or an earlier day`,
    )
  return asked === today ? undefined : asked
}
