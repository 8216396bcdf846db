import { entityOf } from '@data-brain/contract'
import type { ScalarKind, ScalarShape, Shape } from '@data-brain/contract/shape'
import { idsMax } from '../kernel/parameter.ts'
import { draftSchema, named, orNull, rowSchema } from './schema.ts'

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

/** The JSON schema of a shape, for the description of the API. */
export function shapeSchema(shape: Shape): Schema {
  const { name, ...said } = shape as Shape & Pick<ScalarShape, 'name' | 'label' | 'help' | 'nullable'>
  if (name !== undefined) return named(name, () => shapeSchema(said as Shape))
  const { label, help, nullable } = said
  const schema = bare(shape)
  return {
    ...(nullable ? orNull(schema) : schema),
    ...(label ? { title: `${label.zh} / ${label.en}` } : {}),
    ...(help ? { description: `${help.zh} / ${help.en}` } : {}),
  }
}

function bare(shape: Shape): Schema {
  if (isScalar(shape)) return scalars[shape.kind](shape)
  switch (shape.kind) {
    case 'oneOf':
      return { enum: shape.values }
    case 'list':
      return { type: 'array', items: shapeSchema(shape.of as Shape), minItems: shape.min, maxItems: shape.max }
    case 'map':
      return { type: 'object', additionalProperties: shapeSchema(shape.of as Shape) }
    case 'object':
      return answeredFields(shape.fields as Fields)
    case 'tree':
      // Children are of the same shape: a description that names no components says so in words.
      return answeredFields(shape.fields as Fields, {
        ...(shape.entity ? (rowSchema(entityOf(shape.entity)).properties as Schema) : {}),
        children: { type: 'array', items: { type: 'object' }, description: 'the same, one level below' },
      })
    case 'either':
      return { anyOf: (shape.of as readonly Shape[]).map(shapeSchema) }
    case 'row': {
      const row = rowSchema(entityOf(shape.entity))
      const also = answeredFields((shape.also ?? {}) as Fields)
      return { ...row, properties: { ...(row.properties as object), ...(also.properties as object) } }
    }
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
  return { type: 'object', properties: { ...schemas(fields), ...more }, required }
}

/** An object as it is sent: what is required must be there. */
export function givenSchema(fields: Fields): Schema {
  const required = Object.entries(fields).flatMap(([name, shape]) =>
    'required' in shape && shape.required ? [name] : [],
  )
  return { type: 'object', properties: schemas(fields), ...(required.length > 0 ? { required } : {}) }
}

const schemas = (fields: Fields): Schema =>
  Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, shapeSchema(shape)]))
