import { type ProblemCode, problems, type Words } from '@data-brain/contract'
import { wordsOfCode } from '@data-brain/contract/menus'

export type Language = 'zh' | 'en'

/** An expected failure: told to the caller with its code, in the caller's language. */
export class Problem extends Error {
  readonly problem: ProblemCode
  readonly detail: Readonly<Record<string, string | number | Words>>
  /** What travels as `data` beside the message. */
  readonly data: unknown
  constructor(
    problem: ProblemCode,
    detail: Readonly<Record<string, string | number | Words>> = {},
    data: unknown = null,
  ) {
    super(problem)
    this.problem = problem
    this.detail = detail
    this.data = data
  }
  get status(): number {
    return problems[this.problem].status
  }
  /** The message in a language. */
  words(language: Language): string {
    const { code } = this.detail
    // A code is for whoever grants it; whoever lacks it is told what it is called.
    const means = this.problem === 'forbidden' ? wordsOfCode(String(code))?.[language] : undefined
    const said = means && (language === 'zh' ? `${means}（${code}）` : `${means} (${code})`)
    return fill(problems[this.problem][language], said ? { ...this.detail, code: said } : this.detail, language)
  }
}

/** Puts details into the `{names}` of a text. */
export function fill(
  text: string,
  detail: Readonly<Record<string, string | number | Words>>,
  language: Language,
): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = detail[name]
    return value === undefined ? whole : typeof value === 'object' ? value[language] : String(value)
  })
}

/** The answer to a value, or a key that ends with this field, that is there already. */
export const conflictProblem = (taken: Words, field: string | null): Problem =>
  new Problem('conflict', { taken }, { field, fields: [] })

/** The answer to a value that somebody has taken, with the value. */
export const valueTaken = (label: Words, value: string, field: string): Problem =>
  conflictProblem({ zh: `${label.zh}已存在：${value}`, en: `${label.en} already exists: ${value}` }, field)

/** One wrong field of a draft. */
export interface FieldFault {
  readonly field: string
  readonly label: Words
  readonly reason: Words
}

/** The answer to a draft with wrong fields: names each of them. */
export function fieldProblem(faults: readonly FieldFault[], language: Language): Problem {
  const first = faults[0]
  if (!first) throw new Error('no fault given')
  return new Problem(
    'field_invalid',
    { label: first.label, reason: first.reason },
    {
      field: first.field,
      fields: faults.map((fault) => ({ field: fault.field, message: fault.reason[language] })),
    },
  )
}
