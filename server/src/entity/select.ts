import { type Entity, entityOf, hiddenSecret, nameOf, stamps } from '@data-brain/contract'
import type { RawBuilder } from 'kysely'
import { slotValue, sql } from '../database/statement.ts'
import { customColumn, type Model, type ModelField, modelOf, platformTenant, systemColumns } from './model.ts'

/*
 * The texts of this file are made of table and column names that come from the definitions and from nowhere else;
 * every value is bound by the callers.
 */
const raw = sql.raw

/**
 * The expression that names a row of `entity` to a person; a title that is a reference is followed. Where rows
 * have a title in English, it is that of the request’s language (`app.language`, see kernel/authenticate.ts). */
export function titleOf(entity: Entity, alias: string, depth = 0): string {
  const model = modelOf(entity)
  const title = model.byName.get(entity.title)
  if (!title) return `${alias}.id::text`
  if (title.kind === 'reference' && title.target && depth < 3) return nameBy(title, alias, depth + 1)
  const english = entity.titleEn && model.byName.get(entity.titleEn)
  if (english)
    return `(case when current_setting('app.language', true) = 'en' then coalesce(nullif(${alias}.${english.column}, ''), ${alias}.${title.column}) else ${alias}.${title.column} end)`
  return title.kind === 'text' ? `${alias}.${title.column}` : `${alias}.${title.column}::text`
}

function nameBy(field: ModelField, alias: string, depth = 0): string {
  const inner = `x${depth}`
  const target = modelOf(field.target!)
  const ofTenant = target.platform ? '' : `${inner}.tenant_id = ${tenantOf(field.ofPlatform, alias)} and `
  return `(select ${titleOf(target.entity, inner, depth)} from ${target.seen} ${inner} where ${ofTenant}${inner}.id = ${alias}.${field.column})`
}

/** A part of what stands beside a title; what there is only one of tells no rows apart, and is there only `whole`. */
function besidePart(field: ModelField, alias: string, depth: number, whole: boolean): string[] {
  if (field.kind === 'text') return [`array[nullif(${alias}.${field.column}, '')]`]
  if (field.kind === 'integer') return [`array[${alias}.${field.column}::text]`]
  if (!field.target) return []
  const target = modelOf(field.target)
  const other = `o${depth}`
  const ofTenant = target.platform ? '' : `${other}.tenant_id = ${tenantOf(field.ofPlatform, alias)} and `
  const several = (id: string) =>
    whole ? 'true' : `exists (select 1 from ${target.seen} ${other} where ${ofTenant}${other}.id <> ${id})`
  if (field.kind === 'reference')
    return [`case when ${several(`${alias}.${field.column}`)} then array[${nameBy(field, alias, depth)}] end`]
  const link = `y${depth}`
  return [
    `array(select ${titleOf(target.entity, link, depth)} from ${field.linkSeen} l join ${target.seen} ${link} on ${link}.tenant_id = l.tenant_id and ${link}.id = l.target_id where l.tenant_id = ${alias}.tenant_id and l.owner_id = ${alias}.id and ${several('l.target_id')} order by l.ord limit 3)`,
  ]
}

interface BesideOptions {
  /** Fields that stand there too, where there is room for more than tells rows apart. */
  readonly also?: readonly string[]
  /** With what there is only one of. */
  readonly whole?: boolean
}

/** The expression for what stands beside the title of a row, as a list of texts; an empty one where nothing does. */
function besideOf(entity: Entity, alias: string, depth = 0, { also = [], whole = false }: BesideOptions = {}): string {
  const model = modelOf(entity)
  const title = model.byName.get(entity.title)
  const names = new Set([...(entity.beside ?? []), ...also])
  const parts = [...names].flatMap((name) => besidePart(model.byName.get(name)!, alias, depth + 3, whole))
  if (parts.length > 0) return `coalesce(array_remove(${parts.join(' || ')}, null), '{}')::text[]`
  if (entity.beside === undefined && title?.kind === 'reference' && title.target && depth < 3) {
    const inner = `z${depth}`
    const target = modelOf(title.target)
    const ofTenant = target.platform ? '' : `${inner}.tenant_id = ${tenantOf(title.ofPlatform, alias)} and `
    return `coalesce((select ${besideOf(target.entity, inner, depth + 1)} from ${target.seen} ${inner} where ${ofTenant}${inner}.id = ${alias}.${title.column}), '{}'::text[])`
  }
  return `'{}'::text[]`
}

/** Whether a row is the one that is proposed among several: the main or the current one, where there is such a flag. */
export function usualOf(entity: Entity, alias: string): string {
  const flag = entity.single?.[0]?.flag
  return flag ? `${alias}.${modelOf(entity).byName.get(flag)!.column} = 1` : 'false'
}

/** The order of the rows where one of them is chosen. */
export function choiceOrderOf(model: Model, usual: string, alias = 't'): string {
  const { choiceOrder } = model.entity
  if (!choiceOrder) return usual
  const parts = choiceOrder.map((path) => {
    const [name, inner] = path.replace(/^-/, '').split('.') as [string, string?]
    const field = model.byName.get(name)!
    const down = path.startsWith('-') ? ' desc nulls last' : ''
    if (inner === undefined) return `${alias}.${field.column}${down}`
    const target = modelOf(field.target!)
    return `(select c.${target.byName.get(inner)!.column} from ${target.seen} c where c.tenant_id = ${alias}.tenant_id and c.id = ${alias}.${field.column})${down}`
  })
  return [...parts, `${alias}.id`].join(', ')
}

/** The tenant that what a row points at belongs to: its own, or the platform's for a row that all tenants share. */
const tenantOf = (ofPlatform: boolean, alias: string): string =>
  ofPlatform ? `'${platformTenant}'` : `${alias}.tenant_id`

/** The name of whoever a stamp of the row points at. */
function userName(model: Model, alias: string, column: string): string {
  const { table, entity, byName } = modelOf(entityOf(stamps.createUser))
  return `(select u.${byName.get(entity.title)!.column} from ${table} u where u.tenant_id = ${tenantOf(model.platform, alias)} and u.id = ${alias}.${column})`
}

/** Whose rows a statement means: those of the tenant in the slot `tenant`, or all where tenants share them. */
export const ownedBy = (model: Model, alias = 't'): RawBuilder<unknown> =>
  model.platform ? raw('true') : sql`${raw(alias)}.tenant_id = ${slotValue('tenant')}`

/** The system columns that the rows of an entity have. */
const systemOf = (model: Model): [string, string][] =>
  Object.entries(systemColumns).filter(([name]) => name !== 'tenantId' || !model.platform)

const counted = new Map<string, (alias: string) => string>()

/** Answers a computed field of an entity by an expression over its row instead of a column: true whenever it is read. */
export function countField(entity: Entity, name: string, expression: (alias: string) => string): void {
  counted.set(`${entity.name}.${name}`, expression)
}

/** The fields that an expression answers, in place of their columns. */
const countedOf = (model: Model, field: ModelField, alias: string): string[] | undefined => {
  const expression = counted.get(`${model.entity.name}.${field.name}`)
  return expression && [`${expression(alias)} as "${field.name}"`]
}

/** One field as it is selected: itself, and the shown name beside a reference. */
function selected(field: ModelField, alias: string): string[] {
  // All of a tenant's own come together, and are taken apart afterwards (custom.ts).
  if (field.custom !== undefined) return [`${alias}.${customColumn} as "${customColumn}"`]
  const shown = `"${nameOf(field.name)}"`
  switch (field.kind) {
    case 'reference':
      return [`${alias}.${field.column} as "${field.name}"`, `${nameBy(field, alias)} as ${shown}`]
    case 'references': {
      const target = modelOf(field.target!)
      const ids = `select l.target_id from ${field.linkSeen} l where l.tenant_id = ${alias}.tenant_id and l.owner_id = ${alias}.id order by l.ord`
      const names = `select ${titleOf(target.entity, 'y', 1)} from ${field.linkSeen} l join ${target.seen} y on y.tenant_id = l.tenant_id and y.id = l.target_id where l.tenant_id = ${alias}.tenant_id and l.owner_id = ${alias}.id order by l.ord`
      return field.comma
        ? [
            `array_to_string(array(${ids}), ',') as "${field.name}"`,
            `array_to_string(array(${names}), ',') as ${shown}`,
          ]
        : [`array(${ids})::text[] as "${field.name}"`, `array(${names}) as ${shown}`]
    }
    case 'region':
      return [
        `${alias}.${field.column} as "${field.name}"`,
        `(select string_agg(a.name, '/' order by a.level) from region r join region a on a.code = any(string_to_array(r.ancestors || ',' || r.code, ',')) where r.code = ${alias}.${field.column} and a.level > 0) as ${shown}`,
      ]
    case 'choices':
      return field.comma
        ? [`array_to_string(${alias}.${field.column}, ',') as "${field.name}"`]
        : [`${alias}.${field.column} as "${field.name}"`]
    case 'secret':
      return [`case when ${alias}.${field.column} is not null then '${hiddenSecret}' end as "${field.name}"`]
    default:
      return [`${alias}.${field.column} as "${field.name}"`]
  }
}

/** Columns as they stand in a statement, each once. */
const once = (columns: readonly string[]): RawBuilder<unknown> => raw([...new Set(columns)].join(', '))

/** The columns of a whole row. */
export function wholeColumns(model: Model, alias = 't'): RawBuilder<unknown> {
  return once([
    ...systemOf(model).map(([name, column]) => `${alias}.${column} as "${name}"`),
    `0 as "isDeleted"`,
    `${userName(model, alias, 'create_user')} as "createUserName"`,
    `${userName(model, alias, 'update_user')} as "updateUserName"`,
    ...model.fields.flatMap((field) => countedOf(model, field, alias) ?? selected(field, alias)),
  ])
}

/** Columns of every row that a list answers where it is asked for them. */
const askedSystem: ReadonlySet<string> = new Set(['createUser', 'updateUser', 'extId'])

/**
 * The columns that a list is asked for beside those it always answers, in one order: names that it has not, and what is
 * never read as a cell (secrets, json of no particular sort), are left out.
 */
export function askedColumns(model: Model, text: string | undefined): string[] {
  if (!text) return []
  const listed = new Set([...model.entity.list, model.entity.title])
  const known = (name: string): boolean => {
    const field = model.byName.get(name)
    if (!field) return askedSystem.has(name)
    return field.kind !== 'secret' && (field.kind !== 'json' || field.as !== undefined) && !listed.has(name)
  }
  return [...new Set(text.split(','))].filter(known).sort()
}

/**
 * What a statement that selects these fields is kept by: whichever of a tenant's own they are, the statement is the same,
 * so that tenants share it.
 */
export const columnsKey = (model: Model, names: readonly string[]): string =>
  [...new Set(names.map((name) => (model.byName.get(name)?.custom === undefined ? name : customColumn)))].join()

/** The columns of a list: the system ones, those the definition lists, and those of `askedColumns`. */
export function listColumns(model: Model, asked: readonly string[] = [], alias = 't'): RawBuilder<unknown> {
  const listed = new Set([...model.entity.list, model.entity.title, ...asked])
  return once([
    ...systemOf(model)
      .filter(([name]) => listed.has(name) || !['createDept', 'updateUser', 'extId'].includes(name))
      .map(([name, column]) => `${alias}.${column} as "${name}"`),
    `0 as "isDeleted"`,
    ...(listed.has('createUser') ? [`${userName(model, alias, 'create_user')} as "createUserName"`] : []),
    ...(listed.has('updateUser') ? [`${userName(model, alias, 'update_user')} as "updateUserName"`] : []),
    ...model.fields
      .filter((field) => listed.has(field.name))
      .flatMap((field) => countedOf(model, field, alias) ?? selected(field, alias)),
  ])
}

/** The id, the status and these fields, with what names them. */
export const theseColumns = (model: Model, fields: readonly string[], alias = 't'): RawBuilder<unknown> =>
  once([
    ...['id', 'status', 'createTime', 'updateTime'].map((name) => `${alias}.${systemColumns[name]} as "${name}"`),
    ...model.fields
      .filter((field) => fields.includes(field.name))
      .flatMap((field) => countedOf(model, field, alias) ?? selected(field, alias)),
  ])

export const tableRef = (model: Model, alias = 't'): RawBuilder<unknown> => raw(`${model.seen} ${alias}`)
export const columnRef = (column: string, alias = 't'): RawBuilder<unknown> => raw(`${alias}.${column}`)
export const besideRef = (model: Model, alias = 't', options: BesideOptions = {}): RawBuilder<unknown> =>
  raw(besideOf(model.entity, alias, 0, options))
export const titleRef = (model: Model, alias = 't'): RawBuilder<unknown> => raw(titleOf(model.entity, alias))
export const nameRef = (name: string): RawBuilder<unknown> => raw(name)
