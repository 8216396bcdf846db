import { type AlongPart, type Entity, entityOf, type Field, type Kind, nameOf } from '@data-brain/contract'
import { hoursMost } from '@data-brain/contract/rules/grade-hours'
import { periodsMost } from '@data-brain/contract/rules/slots'
import type { Parameter } from '../kernel/parameter.ts'

type Schema = Record<string, unknown>

const id: Schema = { type: 'string', description: 'id of a row' }
const whole = (minimum: number, maximum: number): Schema => ({ type: 'integer', minimum, maximum })
const listOf = (properties: Record<string, Schema>, required: readonly string[]): Schema => ({
  type: 'array',
  items: { type: 'object', properties, required, additionalProperties: false },
})

/** What json values of each sort are. */
const shapes: Record<NonNullable<Field['as']>, Schema> = {
  weeks: { type: 'array', items: whole(1, 53), description: 'numbers of weeks' },
  halfDay: {
    type: 'object',
    properties: { weekday: whole(1, 7), half: { type: 'string', enum: ['am', 'pm'] } },
    required: ['weekday', 'half'],
    additionalProperties: false,
  },
  slots: listOf({ weekday: whole(1, 7), periodNo: whole(1, periodsMost) }, ['weekday', 'periodNo']),
  gradeHours: listOf({ gradeId: id, hours: whole(0, hoursMost), doubleCount: whole(0, hoursMost) }, [
    'gradeId',
    'hours',
  ]),
  pairs: { type: 'object', description: 'values by names of your own' },
  questions: listOf(
    {
      label: { type: 'string', maxLength: 100 },
      kind: { type: 'string', enum: ['text', 'choice', 'choices'] },
      required: { type: 'boolean' },
      choices: { type: 'array', items: { type: 'string', maxLength: 100 } },
    },
    ['label', 'kind'],
  ),
  targets: { type: 'array', items: id },
  condition: {
    type: 'object',
    description: 'conditions `{field, op, value}`, and groups of them, under `all` or `any`',
  },
}

/** What a value of each kind is on the wire, for the description of the API. */
const wire: Record<Kind, (field: Field) => Schema> = {
  text: (field) => ({ type: 'string', maxLength: field.max ?? 255 }),
  area: (field) => ({ type: 'string', maxLength: field.max ?? 500 }),
  integer: (field) => ({ type: 'integer', minimum: field.min, maximum: field.max }),
  decimal: (field) => ({ type: 'number', minimum: field.min, maximum: field.max }),
  flag: () => ({ type: 'integer', enum: [0, 1] }),
  choice: (field) => ({ type: 'string', maxLength: 32, description: `key of the dictionary ${field.dict}` }),
  choices: (field) => ({
    type: 'array',
    items: { type: 'string' },
    description: `keys of the dictionary ${field.dict}`,
  }),
  date: () => ({ type: 'string', format: 'date' }),
  time: () => ({ type: 'string', pattern: '^[0-2][0-9]:[0-5][0-9]$' }),
  instant: () => ({ type: 'string', description: 'yyyy-MM-dd HH:mm:ss' }),
  reference: (field) => ({ type: 'string', description: `id of a row of ${field.to}` }),
  references: (field) =>
    field.comma
      ? { type: 'string', description: `ids of rows of ${field.to}, comma separated` }
      : { type: 'array', items: { type: 'string' }, description: `ids of rows of ${field.to}` },
  region: () => ({ type: 'string', description: 'code of a region' }),
  personal: (field) => ({ type: 'string', maxLength: field.max, description: 'masked in answers' }),
  secret: (field) => ({ type: 'string', maxLength: field.max, description: 'written, never read: answers hide it' }),
  json: (field) => (field.as ? shapes[field.as] : {}),
}

const described = (field: Field): Schema => ({
  title: `${field.label.zh} / ${field.label.en}`,
  ...wire[field.kind](field),
})

const text: Schema = { type: 'string' }
const system: Record<string, Schema> = {
  id: text,
  tenantId: text,
  status: { type: 'integer' },
  version: { type: 'integer' },
  isDeleted: { type: 'integer' },
  createUser: text,
  createUserName: text,
  createTime: text,
  updateTime: text,
}

/** A row as it is answered. */
export function rowSchema(entity: Entity): Schema {
  const fields = Object.entries(entity.fields).flatMap(([name, field]): [string, Schema][] => [
    [name, described(field)],
    ...(field.kind === 'reference' || field.kind === 'region' ? ([[nameOf(name), text]] as [string, Schema][]) : []),
    ...(field.kind === 'references' ? ([[nameOf(name), { type: 'array', items: text }]] as [string, Schema][]) : []),
  ])
  return { type: 'object', properties: { ...system, ...Object.fromEntries(fields) } }
}

export function pageSchema(entity: Entity): Schema {
  return {
    type: 'object',
    properties: {
      total: { type: 'integer' },
      size: { type: 'integer' },
      current: { type: 'integer' },
      pages: { type: 'integer' },
      records: { type: 'array', items: rowSchema(entity) },
    },
  }
}

/** What may be sent to submit. */
export function draftSchema(entity: Entity): Schema {
  const fields = Object.entries(entity.fields).filter(([, field]) => !field.computed)
  return {
    type: 'object',
    properties: {
      id: { ...text, description: 'given: the row to change; absent: a new row' },
      version: { type: 'integer', description: 'the version that was read; checked when sent' },
      status: { type: 'integer' },
      ...Object.fromEntries(fields.map(([name, field]) => [name, described(field)])),
      ...(entity.along ? { [entity.along.name]: alongSchema(entity.along) } : {}),
    },
    required: fields.filter(([, field]) => field.required && field.default === undefined).map(([name]) => name),
  }
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
