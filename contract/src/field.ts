import type { Kind } from './kinds/index.ts'

export * from './kinds/index.ts'

/** The two languages of every word the product shows. */
export interface Words {
  readonly zh: string
  readonly en: string
}

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
  | 'clock'

/** Sorts of json that the engine has an input for, and those whose page brings one. */
export type EngineSort =
  | 'weeks'
  | 'halfDay'
  | 'slots'
  | 'pairs'
  | 'questions'
  | 'targets'
  | 'condition'
  | 'fieldOptions'
export type PageSort = 'gradeHours' | 'report' | 'codeFields'

/** What a choice of a tenant's own offers. A retired one is not offered any more; rows that hold it keep it. */
export interface FieldOption {
  readonly key: string
  readonly label: Words
  readonly retired?: true
}

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
  /** Of a file: that it is a workbook, and no picture. */
  readonly workbook?: true
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
  /** Asked for only where another field has one of these values, and required there unless it is `optional`. */
  readonly only?: { readonly by: string; readonly is: readonly string[]; readonly optional?: true }
  /** A field of a tenant's own: the id of its definition (custom.ts). */
  readonly custom?: string
  /** What a choice of a tenant's own offers, in place of a dictionary. */
  readonly options?: readonly FieldOption[]
  /** A day that lies behind us, as a birth does: none of the future is taken, and no year is guessed. */
  readonly past?: boolean
  /** A day that stands for its month, as 入学年月 does: a month is taken as well, and is kept as its first day. */
  readonly month?: boolean
  /** The first day that it can be, where that is later than the first that any day can be. */
  readonly since?: string
  /** For the server alone, such as a chain of ids: what it says is told elsewhere, and nobody is shown it. */
  readonly inner?: boolean
  /** A sentence of help shown under the input. */
  readonly help?: Words
}

/** What an answer shows of a secret that is set; sent back, it means unchanged. */
export const hiddenSecret = '******'

/** What a list is asked for with beside filters: no field has such a name. */
export const listParameters: ReadonlySet<string> = new Set(['current', 'size', 'ascs', 'descs', 'keyword', 'columns'])
