import { type AlongPart, type Entity, entityOf, type Field, nameOf } from '@data-brain/contract'
import { isCustomOwner } from '@data-brain/contract/custom'
import { kinds } from '../database/kinds.ts'
import type { Parameter } from '../kernel/parameter.ts'

type Schema = Record<string, unknown>

const names = new WeakMap<object, string>()
const made = new Map<string, Schema>()

/** A schema that the description keeps under this name, made once. */
export function namedSchema(name: string, make: () => Schema): Schema {
  const known = made.get(name)
  if (known) return known
  const schema = make()
  names.set(schema, name)
  made.set(name, schema)
  return schema
}

/** The name of a schema that has one. */
export const nameOfSchema = (schema: object): string | undefined => names.get(schema)

/** The name of an entity as types are named: `schoolclass` → `Schoolclass`. */
const typeName = ({ name }: Entity): string => `${name[0]!.toUpperCase()}${name.slice(1)}`

const described = (field: Field): Schema => ({
  title: `${field.label.zh} / ${field.label.en}`,
  ...kinds[field.kind].wire(field),
})

const text: Schema = { type: 'string' }

/** The fields of a tenant's own, whose names the description cannot know. */
const customProperties = (entity: Entity): Schema =>
  isCustomOwner(entity.name)
    ? {
        patternProperties: {
          '^x[1-9][0-9]{0,18}$': {
            type: ['string', 'number', 'null'],
            description: 'a field of the tenant’s own: x and its id, as user-info lists them',
          },
        },
      }
    : {}

/** The same, or null; of what has a name, one or the other. */
export function orNull(schema: Schema): Schema {
  const { type, enum: values } = schema
  // Nothing said takes null as well.
  if (Object.keys(schema).length === 0) return schema
  if (nameOfSchema(schema) || (type === undefined && !values)) return { anyOf: [schema, { type: 'null' }] }
  return {
    ...schema,
    ...(typeof type === 'string' ? { type: [type, 'null'] } : {}),
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  }
}

const system: Record<string, Schema> = {
  id: text,
  tenantId: text,
  status: { type: 'integer' },
  version: { type: 'integer' },
  isDeleted: { type: 'integer' },
  createUser: orNull(text),
  createUserName: orNull(text),
  createTime: orNull(text),
  updateTime: orNull(text),
}

/** A row as it is answered: a list leaves out what is not among its columns. */
export const rowSchema = (entity: Entity): Schema =>
  namedSchema(typeName(entity), () => ({
    type: 'object',
    properties: {
      ...system,
      ...Object.fromEntries(
        Object.entries(entity.fields)
          .filter(([, field]) => !field.inner)
          .flatMap(([name, field]): [string, Schema][] => [[name, answeredField(field)], ...namesBeside(name, field)]),
      ),
    },
    ...customProperties(entity),
    // What the server alone writes is never changed.
    required: entity.readOnly ? ['id'] : ['id', 'version'],
  }))

/** A field as it is answered. Json is told as it was stored, by earlier versions too, which judged less of it. */
function answeredField(field: Field): Schema {
  const { title, ...schema } = described(field)
  if (field.kind === 'json') return { title }
  return field.required ? { title, ...schema } : orNull({ title, ...schema })
}

/** The shown names of the rows that a field names. */
function namesBeside(name: string, { kind, comma }: Field): [string, Schema][] {
  if (kind === 'reference' || kind === 'region') return [[nameOf(name), orNull(text)]]
  return kind === 'references' ? [[nameOf(name), comma ? text : { type: 'array', items: text }]] : []
}

export const pageSchema = (entity: Entity): Schema =>
  namedSchema(`${typeName(entity)}Page`, () => ({
    type: 'object',
    properties: {
      total: { type: 'integer' },
      size: { type: 'integer' },
      current: { type: 'integer' },
      pages: { type: 'integer' },
      records: { type: 'array', items: rowSchema(entity) },
    },
    required: ['total', 'size', 'current', 'pages', 'records'],
  }))

/** Values of an entity's fields, as they are sent. */
export const valuesSchema = (entity: Entity): Schema =>
  namedSchema(`${typeName(entity)}Values`, () => ({
    type: 'object',
    properties: {
      status: { type: 'integer' },
      ...Object.fromEntries(
        Object.entries(entity.fields)
          .filter(([, field]) => !field.computed)
          .map(([name, field]) => [name, field.required ? described(field) : orNull(described(field))]),
      ),
    },
    ...customProperties(entity),
  }))

/** A value of one field, as it is sent. */
export const fieldSchema = (entity: Entity, name: string): Schema => described(entity.fields[name]!)

/** What may be sent to submit: a new row with what it must have, or a change that says of which row. `more` goes along. */
export function draftSchema(entity: Entity, more?: Schema): Schema {
  const name = typeName(entity)
  const { along } = entity
  const values = valuesSchema(entity)
  const added = namedSchema(`${name}New`, () => ({
    allOf: [values],
    ...(along ? { type: 'object', properties: { [along.name]: alongSchema(along) } } : {}),
    required: Object.entries(entity.fields).flatMap(([field, { required, computed, default: usual }]) =>
      required && !computed && usual === undefined ? [field] : [],
    ),
  }))
  const changed = namedSchema(`${name}Change`, () => ({
    allOf: [values],
    type: 'object',
    properties: {
      id: { ...text, description: 'the row to change; what is left out stays as it is' },
      version: { type: 'integer', description: 'the version that was read; checked when sent' },
    },
    required: ['id'],
  }))
  const draft = { anyOf: [added, changed] }
  return more ? { allOf: [draft], type: 'object', properties: more } : draft
}

/** The fields of an object's schema, wherever its parts say them. */
export function propertiesOf(schema: object | undefined): Schema {
  const {
    properties = {},
    allOf = [],
    anyOf = [],
  } = (schema ?? {}) as {
    properties?: Schema
    allOf?: object[]
    anyOf?: object[]
  }
  return Object.assign({}, properties, ...[...allOf, ...anyOf].map(propertiesOf))
}

/** The rows that are made along with a new one. */
function alongSchema({ of, fields, called }: AlongPart): Schema {
  const part = entityOf(of)
  return {
    type: 'array',
    maxItems: called.length,
    description: 'made along with a new row, in the same transaction',
    items: {
      type: 'object',
      properties: Object.fromEntries(fields.map((name) => [name, described(part.fields[name]!)])),
    },
  }
}

/** The named parameters of a list; each filter also takes the suffixes that docs/developers describes. */
export function listParameters(entity: Entity): Record<string, Parameter> {
  return {
    current: { kind: 'integer', min: 1, max: 1_000_000 },
    size: { kind: 'integer', min: 1, max: 200 },
    ascs: { kind: 'text' },
    descs: { kind: 'text' },
    keyword: { kind: 'text', max: 64 },
    columns: { kind: 'text', max: 2_000 },
    ...Object.fromEntries(
      entity.search.filter((name) => name !== 'keyword').map((name) => [name, { kind: 'text', max: 2_000 } as const]),
    ),
    createTime_dategt: { kind: 'text' },
    createTime_datelt: { kind: 'text' },
  }
}
