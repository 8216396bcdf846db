import type { Field, Words } from '../field.ts'

/*
 * The kinds of field: what they are for all that treat several of them alike, and how a definition declares one. How a value
 * of a kind travels, is read and is checked is in a file of its own (kinds/<kind>.ts), its column in
 * server/src/database/kinds.ts, its input in console/src/entity/fields/kinds/<kind>.tsx. The compiler names what is missing.
 */

/** What a value is, for all that treat several kinds alike. */
export type Nature =
  | 'text'
  | 'number'
  | 'flag'
  | 'key' // of a dictionary
  | 'keys'
  | 'day' // without a zone
  | 'moment'
  | 'row' // of another entity, by its id
  | 'rows'
  | 'region' // by its code
  | 'personal'
  | 'secret'
  | 'json'

interface Traits {
  readonly nature: Nature
  /** Pixels that a column needs. */
  readonly width: number
  /** Its input fits into a cell and holds one value. */
  readonly inCell?: true
  /** What a record gives it: the whole width, or that on a phone. */
  readonly room?: 'wide' | 'long'
}

export const kinds = {
  /** One line. */
  text: { nature: 'text', width: 140, inCell: true },
  /** Several lines. */
  area: { nature: 'text', width: 220, room: 'wide' },
  integer: { nature: 'number', width: 96, inCell: true },
  decimal: { nature: 'number', width: 110, inCell: true },
  /** 0 or 1. */
  flag: { nature: 'flag', width: 88, inCell: true },
  choice: { nature: 'key', width: 100, inCell: true },
  choices: { nature: 'keys', width: 150 },
  date: { nature: 'day', width: 108, inCell: true },
  instant: { nature: 'moment', width: 156 },
  reference: { nature: 'row', width: 124, inCell: true },
  /** Kept in a link table. */
  references: { nature: 'rows', width: 180, room: 'wide' },
  region: { nature: 'region', width: 200 },
  /** Encrypted at rest, masked without the permission, found by the whole or its last four. */
  personal: { nature: 'personal', width: 170, inCell: true, room: 'long' },
  /** Encrypted at rest and never read back: an answer only says that there is one. */
  secret: { nature: 'secret', width: 96 },
  json: { nature: 'json', width: 220, room: 'wide' },
} as const satisfies Readonly<Record<string, Traits>>

export type Kind = keyof typeof kinds
export const traitsOf = (kind: Kind): Traits => kinds[kind]
export const natureOf = (kind: Kind): Nature => kinds[kind].nature

interface Wires extends Record<Nature, unknown> {
  text: string
  number: number
  flag: 0 | 1
  key: string
  keys: string[]
  day: string
  moment: string
  row: string
  rows: string[]
  region: string
  personal: string
  secret: string
}
/** How a value of a kind travels. */
export type WireOf<K extends Kind> = Wires[(typeof kinds)[K]['nature']]

type Options<F extends keyof Field> = Pick<Field, F | 'required' | 'national' | 'computed' | 'fixed' | 'inner' | 'help'>

function field<const K extends Kind, const O>(kind: K, zh: string, en: string, options: O) {
  return { kind, label: { zh, en }, ...options } as { readonly kind: K; readonly label: Words } & O
}

export const text = <const O extends Options<'max' | 'rule' | 'default' | 'only'> & { max: number }>(
  zh: string,
  en: string,
  options: O,
) => field('text', zh, en, options)
export const area = <const O extends Options<'max' | 'default'> = { max: 500 }>(zh: string, en: string, options?: O) =>
  field('area', zh, en, (options ?? { max: 500 }) as O)
export const integer = <
  const O extends Options<'min' | 'max' | 'default' | 'none' | 'only'> & { min: number; max: number },
>(
  zh: string,
  en: string,
  options: O,
) => field('integer', zh, en, options)
export const decimal = <
  const O extends Options<'min' | 'max' | 'scale' | 'default' | 'only'> & { min: number; max: number; scale: number },
>(
  zh: string,
  en: string,
  options: O,
) => field('decimal', zh, en, options)
export const flag = <const O extends Options<'default'> = object>(zh: string, en: string, options?: O) =>
  field('flag', zh, en, (options ?? {}) as O)
export const choice = <const O extends Options<'default' | 'only'> = object>(
  zh: string,
  en: string,
  dict: string,
  options?: O,
) => field('choice', zh, en, { dict, ...options } as { dict: string } & O)
export const choices = <const O extends Options<'default' | 'comma'> = object>(
  zh: string,
  en: string,
  dict: string,
  options?: O,
) => field('choices', zh, en, { dict, ...options } as { dict: string } & O)
export const date = <const O extends Options<'default' | 'past' | 'since'> = object>(
  zh: string,
  en: string,
  options?: O,
) => field('date', zh, en, (options ?? {}) as O)
export const instant = <const O extends Options<never> = object>(zh: string, en: string, options?: O) =>
  field('instant', zh, en, (options ?? {}) as O)
export const reference = <const O extends Options<'decidedBy' | 'only'> = object>(
  zh: string,
  en: string,
  to: string,
  options?: O,
) => field('reference', zh, en, { to, ...options } as { to: string } & O)
export const references = <const O extends Options<'max' | 'comma' | 'only'> = object>(
  zh: string,
  en: string,
  to: string,
  options?: O,
) => field('references', zh, en, { to, ...options } as { to: string } & O)
export const region = <const O extends Options<never> = object>(zh: string, en: string, options?: O) =>
  field('region', zh, en, (options ?? {}) as O)
export const personal = <const O extends Options<'max' | 'rule'> & { max: number }>(
  zh: string,
  en: string,
  options: O,
) => field('personal', zh, en, options)
export const secret = <const O extends Options<'max'> & { max: number }>(zh: string, en: string, options: O) =>
  field('secret', zh, en, options)
export const json = <const O extends Options<'as' | 'of' | 'only'> = object>(zh: string, en: string, options?: O) =>
  field('json', zh, en, (options ?? {}) as O)
