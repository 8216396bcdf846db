import { read as readInstant } from '@data-brain/contract/kinds/instant'
import type { Shape } from '@data-brain/contract/shape'
import { isId } from '../database/id.ts'
import { refuseBrokenTexts } from './broken-text.ts'
import { isBrokenText, type Parameter, type ParameterKind, readParameter } from './parameter.ts'
import { Problem } from './problem.ts'

type Fields = Readonly<Record<string, Shape>>
type Labelled = Shape & { readonly label?: Parameter['label'] }

const invalid = (path: string, { label }: Labelled, zh: string, en: string): Problem =>
  new Problem('field_invalid', { label: label ?? path, reason: { zh, en } }, { field: path, fields: [] })

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const under = (path: string, name: string | number): string => (path ? `${path}.${name}` : String(name))

/**
 * Reads a JSON body as its call declares it. Throws a problem that names the first field that is missing or wrong, in
 * both languages; what is not declared is left out. No body at all is one in which nothing is given.
 */
export function readBody(fields: Fields, body: unknown = {}): Record<string, unknown> {
  if (!isPlain(body)) throw new Problem('bad_request')
  return readFields(fields, body, '')
}

/** Whoever is to give a value in a form reads the name of the box; a caller of the API, that of the parameter. */
const missing = (field: string, shape: Labelled): Problem =>
  shape.label
    ? invalid(field, shape, '不能为空', 'is required')
    : new Problem('parameter_missing', { field }, { field, fields: [] })

function readFields(fields: Fields, given: Readonly<Record<string, unknown>>, path: string): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries(fields)) {
    const field = under(path, name)
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if ('subject' in shape && shape.subject && typeof value !== 'string') throw new Problem('not_found')
    if (value === null && isNullable(shape)) read[name] = null
    else if (value === undefined || value === null || (value === '' && !isEmptyable(shape))) {
      if ('required' in shape && shape.required) throw missing(field, shape as Labelled)
    } else read[name] = readValue(shape, value, field)
  }
  return read
}

const isNullable = (shape: Shape): boolean => 'nullable' in shape && shape.nullable === true

/** An empty text is a value of what JSON can say: whoever reads it says what it may be. */
const isEmptyable = (shape: Shape): boolean => shape.kind === 'json' || ('empty' in shape && shape.empty === true)

/** Kinds that a JSON body says as a text, or in another way that comes to the same text. */
const asText = (value: unknown, kind: ParameterKind): string | undefined => {
  if (typeof value === 'string') return value
  if (kind === 'integer' && typeof value === 'number') return String(value)
  if ((kind === 'ids' || kind === 'texts') && Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.join(',')
  return undefined
}

function readValue(shape: Shape, value: unknown, path: string): unknown {
  if (value === null && isNullable(shape)) return null
  const wrong = (zh: string, en: string): Problem => invalid(path, shape, zh, en)
  switch (shape.kind) {
    case 'text':
    case 'integer':
    case 'id':
    case 'ids':
    case 'texts':
    case 'tenant':
    case 'md5':
    case 'date': {
      const text = asText(value, shape.kind)
      if (text === undefined || (shape.kind === 'ids' && Array.isArray(value) && !value.every(isId)))
        throw wrong('不是有效的值', 'is not such a value')
      if (isBrokenText(text)) throw wrong('含有无法保存的字符', 'contains a character that cannot be stored')
      if (text === '' && shape.empty) return shape.kind === 'ids' ? [] : ''
      return readParameter(path, text, { ...shape, kind: shape.kind })
    }
    case 'instant': {
      const read = readInstant(value, { kind: 'instant', label: { zh: path, en: path } })
      if ('fault' in read) throw wrong(read.fault.zh, read.fault.en)
      return `${String(read.value).replace('T', ' ')}:00`.slice(0, 19)
    }
    case 'decimal':
      if (typeof value !== 'number' || value < (shape.min ?? -Infinity) || value > (shape.max ?? Infinity))
        throw wrong('须为数字', 'must be a number')
      return value
    case 'flag':
      if (value !== 0 && value !== 1) throw wrong('须为0或1', 'must be 0 or 1')
      return value
    case 'truth':
      if (typeof value !== 'boolean') throw wrong('须为 true 或 false', 'must be true or false')
      return value
    case 'oneOf':
      if (!(shape.values as readonly unknown[]).includes(value))
        throw wrong(`须为其中之一：${shape.values.join('、')}`, `must be one of ${shape.values.join(', ')}`)
      return value
    case 'list': {
      if (!Array.isArray(value)) throw wrong('须为列表', 'must be a list')
      const max = shape.max ?? 1_000
      if (value.length > max) throw wrong(`一次最多${max}个`, `at most ${max} at a time`)
      if (value.length < (shape.min ?? 0)) throw wrong(`至少${shape.min}个`, `at least ${shape.min}`)
      return value.map((each, index) => readValue(shape.of as Shape, each, under(path, index)))
    }
    case 'map':
      if (!isPlain(value)) throw wrong('须为对象', 'must be an object')
      if (Object.keys(value).some(isBrokenText))
        throw wrong('含有无法保存的字符', 'contains a character that cannot be stored')
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, readValue(shape.of as Shape, each, under(path, name))]),
      )
    case 'object':
      if (!isPlain(value)) throw wrong('须为对象', 'must be an object')
      return readFields(shape.fields as Fields, value, path)
    case 'draft':
      if (!isPlain(value)) throw wrong('须为对象', 'must be an object')
      refuseBrokenTexts(value, path)
      return value
    case 'field':
    case 'json':
      refuseBrokenTexts(value, path)
      return value
    default:
      throw new Error(`${path}: a ${shape.kind} is no input`)
  }
}
