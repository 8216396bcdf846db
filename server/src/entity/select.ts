import { type Entity, nameOf } from '@data-brain/contract'
import type { RawBuilder } from 'kysely'
import { sql } from '../database/statement.ts'
import { type Model, type ModelField, modelOf, systemColumns } from './model.ts'

/*
 * The texts of this file are made of table and column names that come from the definitions and from nowhere else;
 * every value is bound by the callers.
 */
const raw = sql.raw

/** The expression that names a row of `entity` to a person; a title that is a reference is followed. */
export function titleOf(entity: Entity, alias: string, depth = 0): string {
  const model = modelOf(entity)
  const title = model.byName.get(entity.title)
  if (!title) return `${alias}.id::text`
  if (title.kind === 'reference' && title.target && depth < 3) return nameBy(title, alias, depth + 1)
  return title.kind === 'text' ? `${alias}.${title.column}` : `${alias}.${title.column}::text`
}

function nameBy(field: ModelField, alias: string, depth = 0): string {
  const inner = `x${depth}`
  const target = field.target!
  return `(select ${titleOf(target, inner, depth)} from ${modelOf(target).table} ${inner} where ${inner}.tenant_id = ${alias}.tenant_id and ${inner}.id = ${alias}.${field.column})`
}

const userName = (alias: string, column: string): string =>
  `(select u.real_name from app_user u where u.tenant_id = ${alias}.tenant_id and u.id = ${alias}.${column})`

/** One field as it is selected: itself, and the shown name beside a reference. */
function selected(field: ModelField, alias: string): string[] {
  const shown = `"${nameOf(field.name)}"`
  switch (field.kind) {
    case 'reference':
      return [`${alias}.${field.column} as "${field.name}"`, `${nameBy(field, alias)} as ${shown}`]
    case 'references': {
      const target = modelOf(field.target!)
      const ids = `select l.target_id from ${field.linkTable} l where l.tenant_id = ${alias}.tenant_id and l.owner_id = ${alias}.id order by l.ord`
      const names = `select ${titleOf(target.entity, 'y', 1)} from ${field.linkTable} l join ${target.table} y on y.tenant_id = l.tenant_id and y.id = l.target_id where l.tenant_id = ${alias}.tenant_id and l.owner_id = ${alias}.id order by l.ord`
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
    default:
      return [`${alias}.${field.column} as "${field.name}"`]
  }
}

/** The columns of a whole row. */
export function wholeColumns(model: Model, alias = 't'): RawBuilder<unknown> {
  return raw(
    [
      ...Object.entries(systemColumns).map(([name, column]) => `${alias}.${column} as "${name}"`),
      `0 as "isDeleted"`,
      `${userName(alias, 'create_user')} as "createUserName"`,
      `${userName(alias, 'update_user')} as "updateUserName"`,
      ...model.fields.flatMap((field) => selected(field, alias)),
    ].join(', '),
  )
}

/** The columns of a list: the system ones and those the definition lists. */
export function listColumns(model: Model, alias = 't'): RawBuilder<unknown> {
  const listed = new Set([...model.entity.list, model.entity.title])
  return raw(
    [
      ...Object.entries(systemColumns)
        .filter(([name]) => !['createDept', 'updateUser', 'extId'].includes(name))
        .map(([name, column]) => `${alias}.${column} as "${name}"`),
      `0 as "isDeleted"`,
      ...model.fields.filter((field) => listed.has(field.name)).flatMap((field) => selected(field, alias)),
    ].join(', '),
  )
}

export const tableRef = (model: Model, alias = 't'): RawBuilder<unknown> => raw(`${model.table} ${alias}`)
export const columnRef = (column: string, alias = 't'): RawBuilder<unknown> => raw(`${alias}.${column}`)
export const titleRef = (model: Model, alias = 't'): RawBuilder<unknown> => raw(titleOf(model.entity, alias))
export const nameRef = (name: string): RawBuilder<unknown> => raw(name)
