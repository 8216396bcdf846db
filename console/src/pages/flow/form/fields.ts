import type { Entity, Field, FieldOption, Kind } from '@data-brain/contract'
import type { ProcessDetail, StartForm } from '@data-brain/contract/calls/flow'
import type { FormField } from '@data-brain/contract/flow/plan'
import type { Dictionaries } from '../../../entity/data/index.ts'
import { initialValues, toWire } from '../../../entity/form/index.ts'
import type { FormStore, Values } from '../../../ui/form/store.ts'

/** A field of a form as it travels, for a start or for a step. */
export type AskedField = (StartForm['fields'][number] | ProcessDetail['fields'][number]) & {
  /** Asked for where another field says so; a page of its own alone has such. */
  readonly only?: Field['only']
}

/** Beside the kinds of a form's own fields: people whom the applicant chooses for a step. */
type AskedKind = FormField['kind'] | 'people'

const kinds: Readonly<Record<AskedKind, Kind>> = {
  text: 'text',
  longText: 'area',
  integer: 'integer',
  decimal: 'decimal',
  date: 'date',
  instant: 'instant',
  choice: 'choice',
  user: 'reference',
  student: 'reference',
  people: 'references',
  files: 'references',
  flag: 'flag',
}
const pointsTo: Readonly<Record<string, string>> = { user: 'user', student: 'student', people: 'user', files: 'attach' }
const most: Readonly<Record<string, number>> = { text: 255, longText: 2000, files: 20, people: 50 }

const isKind = (kind: string): kind is AskedKind => Object.hasOwn(kinds, kind)
/** What a form of a later version holds that is not known here is a text. */
export const kindOf = ({ kind }: AskedField): AskedKind => (isKind(kind) ? kind : 'text')

const optionsOf = ({ options }: AskedField): FieldOption[] =>
  options.map(({ key, label }) => ({ key, label: { zh: label, en: label } }))

/** The name of the dictionary that holds what a choice of a form offers. */
const dictOf = (name: string): string => `flow:${name}`

function definedAs(asked: AskedField): Field {
  const kind = kindOf(asked)
  const { name, label, required, min, max, help } = asked
  return {
    kind: kinds[kind],
    label: { zh: label, en: label },
    required,
    ...(min === null ? {} : { min }),
    ...(max === null ? (most[kind] ? { max: most[kind] } : {}) : { max }),
    ...(kind === 'decimal' ? { scale: 4 } : {}),
    ...(asked.only ? { only: asked.only } : {}),
    ...(help ? { help: { zh: help, en: help } } : {}),
    ...(pointsTo[kind] ? { to: pointsTo[kind] } : {}),
    ...(kind === 'choice' ? { dict: dictOf(name), options: optionsOf(asked) } : {}),
  }
}

/** The fields of a form as the engine's own form takes them. */
export function entityOfFields(name: string, fields: readonly AskedField[]): Entity {
  const defined = Object.fromEntries(fields.map((field) => [field.name, definedAs(field)]))
  const title = fields[0]?.name ?? ''
  return {
    name: `flow:${name}`,
    path: '',
    label: { zh: '', en: '' },
    ownership: 'tenant',
    title,
    fields: defined,
    list: [],
    search: [],
    sort: 'sort',
  }
}

/** What the choices of a form offer. */
export const dictionariesOf = (fields: readonly AskedField[]): Dictionaries =>
  Object.fromEntries(
    fields
      .filter((field) => kindOf(field) === 'choice')
      .map(({ name, options }) => [
        dictOf(name),
        options.map(({ key, label }, sort) => ({ dictKey: key, dictValue: label, dictValueEn: label, sort })),
      ]),
  )

const flagIn = (value: unknown): number | null => (value === true ? 1 : value === false ? 0 : null)

/** What the inputs hold at first. */
export function begunWith(entity: Entity, fields: readonly AskedField[]): Values {
  const given = Object.fromEntries(
    fields
      .filter(({ value }) => value !== null && value !== undefined)
      .map((field) => [field.name, kindOf(field) === 'flag' ? flagIn(field.value) : field.value]),
  )
  return { ...initialValues(entity, {}), ...given }
}

/** The values of a form as they travel: an empty one only where there was a value before. */
export function sentOf(entity: Entity, fields: readonly AskedField[], form: FormStore): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field): [string, unknown][] => {
      const { name, value: before } = field
      const typed = toWire(entity.fields[name], form.value(name))
      if (typed === null || (Array.isArray(typed) && typed.length === 0))
        return before === null || before === undefined ? [] : [[name, null]]
      return [[name, kindOf(field) === 'flag' ? Number(typed) === 1 : typed]]
    }),
  )
}
