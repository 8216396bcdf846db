import { isGuessable, type Kind, listParameters, tidyFreeText, tidyText, type Words } from '@data-brain/contract'
import type { RawBuilder } from 'kysely'
import { kinds } from '../database/kinds.ts'
import { slotValue, sql } from '../database/statement.ts'
import type { Cipher } from '../kernel/cipher.ts'
import { Problem } from '../kernel/problem.ts'
import { type Model, type ModelField, modelOf } from './model.ts'
import { columnRef, nameRef } from './select.ts'

/** One condition of a list: its shape (what the plan is kept by), and the value that fills its slot. */
export interface Condition {
  readonly key: string
  readonly sql: (slotName: string) => RawBuilder<unknown>
  readonly value: unknown
  /** The field of a tenant's own that it asks about, by the id that its values stand under; in the slot `customSlot`. */
  readonly custom?: string | undefined
  /** Set where a hit confirms a guess at a masked number: for whoever may see it. */
  readonly confirms?: boolean
}

/** The slot beside a condition's own in which the id of a field of a tenant's own stands: so all tenants share the statement. */
export const customSlot = (slotName: string): string => `${slotName} custom`

type Operator =
  | 'default'
  | 'equal'
  | 'notequal'
  | 'like'
  | 'likeleft'
  | 'likeright'
  | 'notlike'
  | 'ge'
  | 'le'
  | 'gt'
  | 'lt'
  | 'datege'
  | 'dategt'
  | 'dateequal'
  | 'datelt'
  | 'datele'
  | 'null'
  | 'notnull'
  | 'below'
  | 'in'
  | 'notin'
  | 'ignore'

const operators: readonly Operator[] = [
  'equal',
  'notequal',
  'likeleft',
  'likeright',
  'notlike',
  'like',
  'ge',
  'le',
  'gt',
  'lt',
  'datege',
  'dategt',
  'dateequal',
  'datelt',
  'datele',
  'notnull',
  'null',
  'below',
  'notin',
  'in',
  'ignore',
]

const compare: Partial<Record<Operator, string>> = {
  equal: '=',
  notequal: 'is distinct from',
  ge: '>=',
  le: '<=',
  gt: '>',
  lt: '<',
  datege: '>=',
  dategt: '>',
  dateequal: '=',
  datelt: '<',
  datele: '<=',
}

const systemKinds: Readonly<Record<string, { column: string; kind: Kind; label: Words }>> = {
  id: { column: 'id', kind: 'reference', label: { zh: '编号', en: 'ID' } },
  // The rows themselves, as wherever ids are sent.
  ids: { column: 'id', kind: 'reference', label: { zh: '编号', en: 'ID' } },
  status: { column: 'status', kind: 'integer', label: { zh: '状态', en: 'Status' } },
  createTime: { column: 'create_time', kind: 'instant', label: { zh: '创建时间', en: 'Created at' } },
  updateTime: { column: 'update_time', kind: 'instant', label: { zh: '更新时间', en: 'Updated at' } },
  createUser: { column: 'create_user', kind: 'reference', label: { zh: '创建人', en: 'Created by' } },
  updateUser: { column: 'update_user', kind: 'reference', label: { zh: '更新人', en: 'Updated by' } },
  extId: { column: 'ext_id', kind: 'text', label: { zh: '外部编号', en: 'External ID' } },
}

/** Most values that one condition is asked for with. */
const idsMost = 200

/** Kinds of which a bare name takes several values with commas between them. */
const manyByComma: ReadonlySet<Kind> = new Set(['choice', 'reference', 'integer'])

/** Names that are no filters. */
const reserved = new Set([...listParameters, 'blade-auth', 'blade_auth'])

/** A parameter as it was sent, and what the field is called that it asks about. */
interface Asked {
  readonly name: string
  readonly label: Words | string
}

const bad = ({ name, label }: Asked, reason: Words): Problem =>
  new Problem('field_invalid', { label, reason }, { field: name, fields: [] })

/**
 * The conditions that a query asks for: `<field>` or `<field>_<suffix>`, of the entity's own fields. Names that are
 * not in the list change nothing; a value that cannot be one of the field is refused by name.
 */
export function conditionsOf(
  model: Model,
  query: Readonly<Record<string, string>>,
  cipher: Cipher,
  tenantId: string,
): Condition[] {
  const conditions: Condition[] = []
  for (const [name, text] of Object.entries(query)) {
    if (reserved.has(name) || text === '') continue
    const condition = conditionOf(model, name, text, cipher, tenantId)
    if (condition) conditions.push(condition)
  }
  return conditions.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** What a condition is about: a column, or a part of that of a tenant's own fields, as what it holds. */
function columnOf(known: { column: string; kind: Kind; custom?: string }): (slotName: string) => RawBuilder<unknown> {
  if (known.custom === undefined) return () => columnRef(known.column)
  const cast = nameRef(kinds[known.kind].cast ?? '')
  return (slotName) => sql`(${columnRef(known.column)}->>${slotValue(customSlot(slotName))}::text)${cast}`
}

/**
 * The condition that one parameter of a list asks for; undefined where it is none of the entity's. Several values are a
 * text with commas, or a list where one of them may hold a comma.
 */
export function conditionOf(
  model: Model,
  name: string,
  text: string | readonly string[],
  cipher: Cipher,
  tenantId: string,
): Condition | undefined {
  const condition = plainCondition(model, name, text, cipher, tenantId)
  const custom = condition && model.byName.get(fieldIn(name).plain)?.custom
  return condition && custom !== undefined ? { ...condition, custom } : condition
}

/** The field that a parameter is about, and how it compares. */
function fieldIn(name: string): { plain: string; operator: Operator } {
  const suffix = operators.find((operator) => name.endsWith(`_${operator}`))
  return { plain: suffix ? name.slice(0, -suffix.length - 1) : name, operator: suffix ?? 'default' }
}

function plainCondition(
  model: Model,
  name: string,
  given: string | readonly string[],
  cipher: Cipher,
  tenantId: string,
): Condition | undefined {
  const text = typeof given === 'string' ? given : given.join(',')
  const { plain, operator } = fieldIn(name)
  if (operator === 'ignore') return undefined
  const own = model.byName.get(plain)
  const known = own ?? (Object.hasOwn(systemKinds, plain) ? { ...systemKinds[plain]!, name: plain } : undefined)
  if (!known || known.kind === 'json' || known.kind === 'secret') return undefined
  if (own?.kind === 'personal') return personalCondition(own, operator, text, cipher, tenantId)
  if (own?.kind === 'references') return linkCondition(model, own, operator, text)
  const column = columnOf(known)
  const asked: Asked = { name, label: own ? (model.entity.fields[plain]?.label ?? name) : systemKinds[plain]!.label }
  // Whichever of a tenant's own it is, the statement is the same.
  const key = `${own?.custom === undefined ? plain : `custom ${own.kind}`}:${operator}`
  if (known.kind === 'choices') return choicesCondition(model, own!, operator, text)
  if (operator === 'null' || operator === 'notnull')
    return {
      key,
      value: null,
      sql: (slotName) => sql`${column(slotName)} ${nameRef(operator === 'null' ? 'is null' : 'is not null')}`,
    }
  if (known.kind === 'region' && operator === 'below')
    return {
      key,
      value: text,
      sql: (slotName) =>
        sql`exists (select 1 from region r where r.code = ${column(slotName)} and ${slotValue(slotName)}::text = any(string_to_array(r.ancestors || ',' || r.code, ',')))`,
    }
  const { cast = '' } = kinds[known.kind]
  const isList =
    operator === 'in' ||
    operator === 'notin' ||
    (operator === 'default' && text.includes(',') && manyByComma.has(known.kind))
  if (isList) {
    const values = listed(model, plain, given)
    for (const value of values) checkValue(asked, known.kind, value)
    const types = nameRef(`${cast || '::text'}[]`)
    return {
      key: `${key}[]`,
      value: values,
      sql: (slotName) =>
        operator === 'notin'
          ? sql`(${column(slotName)} = any(${slotValue(slotName)}${types})) is not true`
          : sql`${column(slotName)} = any(${slotValue(slotName)}${types})`,
    }
  }
  if (known.kind === 'text' || known.kind === 'area') return textCondition(column, key, operator, tidyFreeText(text))
  const sign = operator === 'default' ? '=' : compare[operator]
  if (!sign) return undefined
  checkValue(asked, known.kind, text)
  return {
    key,
    value: text,
    sql: (slotName) => sql`${column(slotName)} ${nameRef(sign)} ${slotValue(slotName)}${nameRef(cast)}`,
  }
}

/** The values of a condition. More than it takes are refused: without some of them other rows would be meant. */
function listed(model: Model, name: string, given: string | readonly string[]): readonly string[] {
  const values = (typeof given === 'string' ? given.split(',') : given).filter(Boolean)
  const { label } = model.entity.fields[name] ?? {}
  if (values.length > idsMost)
    throw new Problem(
      'field_invalid',
      { label: label ?? name, reason: { zh: `最多${idsMost}个`, en: `must be at most ${idsMost}` } },
      { field: name, fields: [] },
    )
  return values
}

function checkValue(asked: Asked, kind: Kind, value: string): void {
  const wrong = kinds[kind].judge?.(value)
  if (wrong) throw bad(asked, wrong)
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

function textCondition(
  column: (slotName: string) => RawBuilder<unknown>,
  key: string,
  operator: Operator,
  text: string,
): Condition | undefined {
  const like = (value: string, not = ''): Condition => ({
    key,
    value,
    sql: (slotName) => sql`${column(slotName)} ${nameRef(`${not}ilike`)} ${slotValue(slotName)}`,
  })
  switch (operator) {
    case 'default':
    case 'like':
      return like(`%${escapeLike(text)}%`)
    case 'likeleft':
      return like(`%${escapeLike(text)}`)
    case 'likeright':
      return like(`${escapeLike(text)}%`)
    case 'notlike':
      return like(`%${escapeLike(text)}%`, 'not ')
    default: {
      const sign = compare[operator]
      return sign
        ? { key, value: text, sql: (slotName) => sql`${column(slotName)} ${nameRef(sign)} ${slotValue(slotName)}` }
        : undefined
    }
  }
}

/** Rows that have one of these, have none of them, or have nothing at all. */
function choicesCondition(
  model: Model,
  { name, column }: ModelField,
  operator: Operator,
  text: string,
): Condition | undefined {
  const key = `${name}:${operator}`
  if (operator === 'null' || operator === 'notnull')
    return {
      key,
      value: null,
      sql: () => sql`cardinality(${columnRef(column)}) ${nameRef(operator === 'null' ? '= 0' : '> 0')}`,
    }
  if (!['default', 'equal', 'in', 'notequal', 'notin'].includes(operator)) return undefined
  const not = nameRef(operator.startsWith('not') ? 'not ' : '')
  return {
    key,
    value: listed(model, name, text),
    sql: (slotName) => sql`${not}(${columnRef(column)} && ${slotValue(slotName)}::text[])`,
  }
}

/** An encrypted field is found by its whole value or its last four characters, never by a part. */
function personalCondition(
  field: ModelField,
  operator: Operator,
  text: string,
  cipher: Cipher,
  tenantId: string,
): Condition | undefined {
  if (operator === 'null' || operator === 'notnull')
    return {
      key: `${field.name}:${operator}`,
      value: null,
      sql: () => sql`${columnRef(field.column)} ${nameRef(operator === 'null' ? 'is null' : 'is not null')}`,
    }
  if (operator !== 'default' && operator !== 'equal' && operator !== 'like' && operator !== 'notequal') return undefined
  const sign = operator === 'notequal' ? 'is distinct from' : '='
  // As it is stored: a number with blanks in it, or copied out of a chat, is the same number.
  const value = tidyText(field.rule, text).toUpperCase()
  const part = value.length === 4 ? 'tail' : 'hash'
  return {
    key: `${field.name}:${part}${operator === 'notequal' ? ':not' : ''}`,
    value: cipher[part](value, tenantId),
    confirms: isGuessable(field),
    sql: (slotName) => sql`${columnRef(`${field.column}_${part}`)} ${nameRef(sign)} ${slotValue(slotName)}`,
  }
}

/**
 * Rows linked to one of these; `below`: or to what stands below it, where such rows know what they stand under. `null`
 * and `notnull`: rows linked to nothing, or to anything.
 */
function linkCondition(model: Model, field: ModelField, operator: Operator, text: string): Condition | undefined {
  if (operator === 'null' || operator === 'notnull')
    return {
      key: `${field.name}:${operator}`,
      value: null,
      sql: () =>
        sql`${nameRef(operator === 'null' ? 'not exists' : 'exists')} (select 1 from ${nameRef(field.linkSeen!)} l where l.tenant_id = t.tenant_id and l.owner_id = t.id)`,
    }
  const target = field.target && modelOf(field.target)
  const below = operator === 'below' && target?.byName.has('ancestors') ? target : undefined
  if (!['default', 'equal', 'in', 'notequal', 'notin'].includes(operator) && !below) return undefined
  const ids = listed(model, field.name, text)
  for (const id of ids)
    checkValue({ name: field.name, label: model.entity.fields[field.name]?.label ?? field.name }, 'reference', id)
  if (below)
    return {
      key: `${field.name}:below`,
      value: ids,
      sql: (slotName) =>
        sql`exists (select 1 from ${nameRef(field.linkSeen!)} l join ${nameRef(below.seen)} b on b.tenant_id = l.tenant_id and b.id = l.target_id
            where l.tenant_id = t.tenant_id and l.owner_id = t.id
              and (b.id = any(${slotValue(slotName)}::bigint[]) or string_to_array(b.ancestors, ',') && ${slotValue(slotName)}::text[]))`,
    }
  const not = operator.startsWith('not') ? 'not ' : ''
  return {
    key: `${field.name}:has${not}`,
    value: ids,
    sql: (slotName) =>
      sql`${nameRef(not)}exists (select 1 from ${nameRef(field.linkSeen!)} l where l.tenant_id = t.tenant_id and l.owner_id = t.id and l.target_id = any(${slotValue(slotName)}::bigint[]))`,
  }
}

/** The order a list is asked for: names outside the entity's own sorts change nothing; every order ends with the id. */
export function orderOf(
  model: Model,
  query: Readonly<Record<string, string>>,
): { key: string; sql: string; own?: boolean } {
  let own = false
  const wanted: string[] = []
  const add = (list: string | undefined, direction: string): void => {
    for (const name of (list ?? '').split(',')) {
      const camel = name.trim().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      const column = camel === 'id' ? undefined : model.sorts.get(camel)
      if (!column || wanted.length >= 3) continue
      own ||= model.byName.get(camel)?.custom !== undefined
      wanted.push(`t.${column}${direction}`)
    }
  }
  add(query.ascs, '')
  add(query.descs, ' desc')
  if (wanted.length === 0) {
    const name = model.entity.sort.replace(/^-/, '')
    const column = model.sorts.get(name)
    const down = model.entity.sort.startsWith('-') ? ' desc' : ''
    return { key: '', sql: `t.${column}${down}, t.id${down}` }
  }
  const down = wanted[0]!.endsWith(' desc') ? ' desc' : ''
  const text = `${wanted.join(', ')}, t.id${down}`
  return { key: text, sql: text, own }
}
