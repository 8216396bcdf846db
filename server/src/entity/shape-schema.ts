import { entityOf } from '@data-brain/contract'
import type { ScalarKind, ScalarShape, Shape } from '@data-brain/contract/shape'
import { idsMax } from '../kernel/parameter.ts'
import { draftSchema, fieldSchema, namedSchema, orNull, rowSchema } from './schema.ts'

type Schema = Record<string, unknown>
type Fields = Readonly<Record<string, Shape>>

const text: Schema = { type: 'string' }

const scalars: Record<ScalarKind, (shape: ScalarShape) => Schema> = {
  text: ({ max }) => (max === undefined ? text : { type: 'string', maxLength: max }),
  integer: ({ min, max }) => ({ type: 'integer', minimum: min, maximum: max }),
  decimal: ({ min, max }) => ({ type: 'number', minimum: min, maximum: max }),
  flag: () => ({ type: 'integer', enum: [0, 1] }),
  truth: () => ({ type: 'boolean' }),
  date: () => ({ type: 'string', format: 'date' }),
  instant: () => ({ type: 'string', description: 'yyyy-MM-dd HH:mm:ss' }),
  id: ({ to }) => ({ type: 'string', description: `id of a row of ${to}` }),
  ids: ({ to, max }) => ({
    type: 'array',
    items: text,
    maxItems: max ?? idsMax,
    description: `ids of rows of ${to}; in a request also as one comma-separated text`,
  }),
  texts: ({ max }) => ({ type: 'array', items: text, maxItems: max ?? idsMax }),
  tenant: () => ({ type: 'string', pattern: '^[0-9]{6}$' }),
  md5: () => ({ type: 'string', pattern: '^[0-9a-f]{32}$' }),
  words: () => ({ type: 'object', properties: { zh: text, en: text }, required: ['zh', 'en'] }),
  json: () => ({}),
}

const isScalar = (shape: Shape): shape is ScalarShape => shape.kind in scalars

/** Whether fields of objects are there unless they are optional, or need not be unless they are required. */
type Way = 'answered' | 'given'

/** The JSON schema of a shape, for the description of the API. */
export function shapeSchema(shape: Shape, way: Way = 'answered'): Schema {
  const { name, ...said } = shape as Shape & Pick<ScalarShape, 'name' | 'label' | 'help' | 'nullable'>
  if (name !== undefined)
    return namedSchema(way === 'given' ? `${name}Given` : name, () => shapeSchema(said as Shape, way))
  const { label, help, nullable } = said
  const schema = bare(shape, way)
  // As it is where nothing is added: one that has a name keeps it.
  if (!label && !help) return nullable ? orNull(schema) : schema
  return {
    ...(nullable ? orNull(schema) : schema),
    ...(label ? { title: `${label.zh} / ${label.en}` } : {}),
    ...(help ? { description: `${help.zh} / ${help.en}` } : {}),
  }
}

function bare(shape: Shape, way: Way): Schema {
  if (isScalar(shape)) return scalars[shape.kind](shape)
  switch (shape.kind) {
    case 'oneOf':
      return { type: typeof shape.values[0] === 'number' ? 'integer' : 'string', enum: shape.values }
    case 'list':
      return { type: 'array', items: shapeSchema(shape.of as Shape, way), minItems: shape.min, maxItems: shape.max }
    case 'map':
      return { type: 'object', additionalProperties: shapeSchema(shape.of as Shape, way) }
    case 'object':
      return way === 'given' ? givenSchema(shape.fields as Fields) : answeredFields(shape.fields as Fields)
    case 'tree':
      // Children are of the same shape: a description that names no components says so in words.
      return answeredFields(shape.fields as Fields, {
        ...(shape.entity ? (rowSchema(entityOf(shape.entity)).properties as Schema) : {}),
        children: {
          type: 'array',
          items: { type: 'object', additionalProperties: true },
          description: 'the same, one level below',
        },
      })
    case 'either':
      return { anyOf: (shape.of as readonly Shape[]).map((each) => shapeSchema(each, way)) }
    case 'row': {
      const row = rowSchema(entityOf(shape.entity))
      if (!shape.also) return row
      const also = answeredFields((shape.also ?? {}) as Fields)
      return { ...row, properties: { ...(row.properties as object), ...(also.properties as object) } }
    }
    case 'field':
      return fieldSchema(entityOf(shape.entity), shape.field)
    case 'draft':
      return draftSchema(entityOf(shape.entity))
    case 'page':
      return answeredFields({
        total: { kind: 'integer' },
        size: { kind: 'integer' },
        current: { kind: 'integer' },
        pages: { kind: 'integer' },
        records: { kind: 'list', of: shape.of },
      })
    case 'nothing':
      return { type: 'null' }
    case 'file':
      return { type: 'string', format: 'binary' }
  }
}

/** An object as it is answered: all is there that is not optional. */
function answeredFields(fields: Fields, more: Schema = {}): Schema {
  const required = Object.entries(fields).flatMap(([name, shape]) =>
    'optional' in shape && shape.optional ? [] : [name],
  )
  return { type: 'object', properties: { ...schemas(fields, 'answered'), ...more }, required }
}

/** An object as it is sent: what is required must be there. */
export function givenSchema(fields: Fields): Schema {
  const required = Object.entries(fields).flatMap(([name, shape]) =>
    'required' in shape && shape.required ? [name] : [],
  )
  return { type: 'object', properties: schemas(fields, 'given'), ...(required.length > 0 ? { required } : {}) }
}

const schemas = (fields: Fields, way: Way): Schema =>
  Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, shapeSchema(shape, way)]))
