/** The two languages of every word the product shows. */
export interface Words {
  readonly zh: string
  readonly en: string
}

/**
 * What kinds of field exist. What a kind means stands in tables typed `Record<Kind, …>`, which the compiler names when a
 * kind is added: among them its column (server/src/database/column.ts), what the wire takes and is checked for
 * (server/src/entity/check.ts, schema.ts) and its control (console/src/entity/fields/control.tsx).
 */
export type Kind =
  | 'text' // one line
  | 'area' // several lines
  | 'integer'
  | 'decimal'
  | 'flag' // 0 or 1
  | 'choice' // a key of a dictionary
  | 'choices' // several keys of a dictionary
  | 'date' // a day, without a zone
  | 'instant'
  | 'reference' // the id of a row of another entity
  | 'references' // ids of rows of another entity, kept in a link table
  | 'region' // the code of a region
  | 'personal' // encrypted at rest, masked without the permission, found by the whole or its last four
  | 'secret' // encrypted at rest and never read back: an answer only says that there is one
  | 'json'

/** Named checks on a text; their code and messages are in rules.ts. */
export type RuleName =
  | 'code'
  | 'personName'
  | 'idNo'
  | 'mobile'
  | 'phone'
  | 'email'
  | 'url'
  | 'color'
  | 'postcode'
  | 'schoolCode'
  | 'nationalCode'
  | 'uscc'
  | 'account'

/** Sorts of json that the engine has an input for, and those whose page brings one. */
export type EngineSort = 'weeks' | 'halfDay' | 'slots' | 'pairs' | 'questions' | 'targets' | 'condition'
export type PageSort = 'gradeHours'

export interface Field {
  readonly kind: Kind
  readonly label: Words
  /** Must be given; a save without it is refused and the column is `not null`. */
  readonly required?: boolean
  /** Longest text in characters, or the largest number. */
  readonly max?: number
  /** Smallest number. */
  readonly min?: number
  /** The number that means that there is none, and how people say so: no limit. */
  readonly none?: { readonly value: number; readonly label: Words }
  /** Digits after the point, for a decimal. */
  readonly scale?: number
  readonly rule?: RuleName
  /** The dictionary whose keys a choice takes. */
  readonly dict?: string
  /** The entity a reference points at. */
  readonly to?: string
  /** What a save without the field stores. */
  readonly default?: string | number | readonly string[]
  /** What a json field holds; each sort is judged and told by a rule of its own (rules/values.ts). */
  readonly as?: EngineSort | PageSort
  /** The entity that the ids in a json field are of, or that its conditions speak of; `by` a field that says it. */
  readonly of?: string | { readonly by: string; readonly is?: Readonly<Record<string, string>> }
  /** Set by the server alone; refused in a save. */
  readonly computed?: boolean
  /**
   * The reference whose row says it: the server fills it in, and it narrows that choice only for as long as something is
   * found within it.
   */
  readonly decidedBy?: string
  /** Can be given when the row is made and never changed afterwards. */
  readonly fixed?: boolean
  /** A references or choices field that travels as one comma-separated text, as the API family does for a user's roles. */
  readonly comma?: boolean
  /** The national student form asks for it: a row without it is in order, and listed as incomplete. */
  readonly national?: boolean
  /** Asked for only where another field has one of these values, and required there. */
  readonly only?: { readonly by: string; readonly is: readonly string[] }
  /** A day that lies behind us, as a birth does: none of the future is taken, and no year is guessed. */
  readonly past?: boolean
  /** The first day that it can be, where that is later than the first that any day can be. */
  readonly since?: string
  /** For the server alone, such as a chain of ids: what it says is told elsewhere, and nobody is shown it. */
  readonly inner?: boolean
  /** A sentence of help shown under the input. */
  readonly help?: Words
}

/** What an answer shows of a secret that is set; sent back, it means unchanged. */
export const hiddenSecret = '******'

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
export const integer = <const O extends Options<'min' | 'max' | 'default' | 'none'> & { min: number; max: number }>(
  zh: string,
  en: string,
  options: O,
) => field('integer', zh, en, options)
export const decimal = <
  const O extends Options<'min' | 'max' | 'scale' | 'default'> & { min: number; max: number; scale: number },
>(
  zh: string,
  en: string,
  options: O,
) => field('decimal', zh, en, options)
export const flag = <const O extends Options<'default'> = object>(zh: string, en: string, options?: O) =>
  field('flag', zh, en, (options ?? {}) as O)
export const choice = <const O extends Options<'default'> = object>(
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
export const reference = <const O extends Options<'decidedBy'> = object>(
  zh: string,
  en: string,
  to: string,
  options?: O,
) => field('reference', zh, en, { to, ...options } as { to: string } & O)
export const references = <const O extends Options<'max' | 'comma'> = object>(
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
