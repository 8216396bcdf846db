import type { Words } from '@data-brain/contract'
import { isBrokenText } from '@data-brain/contract/kinds/parts'
import { isDay } from '@data-brain/contract/rules/day'
import { isId } from '../database/id.ts'
import { isTenantCode } from '../database/transaction.ts'
import { Problem } from './problem.ts'

export type ParameterKind = 'text' | 'integer' | 'id' | 'ids' | 'tenant' | 'md5' | 'texts' | 'date' | 'oneOf'

/** One named parameter of a call. */
export interface Parameter {
  readonly kind: ParameterKind
  readonly required?: boolean
  /** Longest text (255) or largest number. */
  readonly max?: number
  readonly min?: number
  readonly label?: Words
  /** An empty text, or no id at all, that was sent is told from one that was not: it takes something away. */
  readonly empty?: boolean
  /** Of one of several: which. */
  readonly values?: readonly (string | number)[]
}
export type Parameters = Readonly<Record<string, Parameter>>

type ValueOf<K extends ParameterKind> = K extends 'integer' ? number : K extends 'ids' | 'texts' ? string[] : string

export type ParametersOf<P extends Parameters> = {
  readonly [N in keyof P]: P[N] extends { readonly required: true }
    ? ValueOf<P[N]['kind']>
    : ValueOf<P[N]['kind']> | undefined
}

/** Most ids that one call may name. */
export const idsMax = 200

/** What a parameter without a label of its own is called: what somebody may have typed into an address has words. */
export const labelOf = (name: string): Words | string => (name === 'id' || name === 'ids' ? idLabel : name)
const idLabel: Words = { zh: '编号', en: 'ID' }

const invalid = (field: string, parameter: Parameter, zh: string, en: string): Problem =>
  new Problem('field_invalid', { label: parameter.label ?? labelOf(field), reason: { zh, en } }, { field, fields: [] })

const readers: Record<ParameterKind, (field: string, text: string, parameter: Parameter) => unknown> = {
  text: (field, text, parameter) => {
    const max = parameter.max ?? 255
    if ([...text].length > max) throw invalid(field, parameter, `不能超过${max}个字符`, `at most ${max} characters`)
    return text
  },
  integer: (field, text, parameter) => {
    const value = Number(text)
    const min = parameter.min ?? 0
    const max = parameter.max ?? 2_147_483_647
    if (!/^-?[0-9]{1,10}$/.test(text) || value < min || value > max)
      throw invalid(field, parameter, `须为${min}到${max}的整数`, `must be a whole number from ${min} to ${max}`)
    return value
  },
  id: (field, text, parameter) => {
    if (!isId(text)) throw invalid(field, parameter, '不是有效的编号', 'is not an id')
    return text
  },
  oneOf: (field, text, parameter) => {
    const values = parameter.values ?? []
    const found = values.find((value) => String(value) === text)
    if (found === undefined)
      throw invalid(field, parameter, `须为其中之一：${values.join('、')}`, `must be one of ${values.join(', ')}`)
    return found
  },
  date: (field, text, parameter) => {
    if (!isDay(text))
      throw invalid(field, parameter, '不是有效的日期，应形如2026-09-01', 'is not a date such as 2026-09-01')
    return text
  },
  ids: (field, text, parameter) => {
    const ids = [
      ...new Set(
        text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      ),
    ]
    if (ids.some((id) => !isId(id)))
      throw invalid(field, parameter, '含有无效的编号', 'contains something that is not an id')
    if (ids.length > (parameter.max ?? idsMax))
      throw invalid(
        field,
        parameter,
        `一次最多${parameter.max ?? idsMax}条`,
        `at most ${parameter.max ?? idsMax} at a time`,
      )
    if (parameter.required && !parameter.empty && ids.length === 0) throw new Problem('parameter_missing', { field })
    return ids
  },
  texts: (field, text, parameter) => {
    const parts = [
      ...new Set(
        text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      ),
    ]
    if (parts.length > (parameter.max ?? idsMax))
      throw invalid(
        field,
        parameter,
        `一次最多${parameter.max ?? idsMax}个`,
        `at most ${parameter.max ?? idsMax} at a time`,
      )
    return parts
  },
  tenant: (field, text, parameter) => {
    if (!isTenantCode(text)) throw invalid(field, parameter, '租户编号为6位数字', 'the tenant code has six digits')
    return text
  },
  md5: (field, text, parameter) => {
    if (!/^[0-9a-f]{32}$/.test(text))
      throw invalid(field, parameter, '须为32位小写十六进制摘要', 'must be 32 lower-case hex digits')
    return text
  },
}

/** Reads one parameter that is there; throws a problem that names it. */
export const readParameter = (field: string, text: string, parameter: Parameter): unknown =>
  readers[parameter.kind](field, text, parameter)

/** Reads the declared parameters out of what came; others are left alone. Throws a problem that names the parameter. */
export function readParameters<P extends Parameters>(
  declared: P | undefined,
  given: Readonly<Record<string, string>>,
): ParametersOf<P> {
  const values: Record<string, unknown> = {}
  for (const [name, parameter] of Object.entries(declared ?? {})) {
    const text = given[name]
    if (text === '' && parameter.empty) {
      values[name] = parameter.kind === 'ids' ? [] : ''
      continue
    }
    if (text === undefined || text === '') {
      if (parameter.required) throw new Problem('parameter_missing', { field: name })
      continue
    }
    values[name] = readParameter(name, text, parameter)
  }
  return values as ParametersOf<P>
}

export { isBrokenText }

/** One text per name; a repeated name, or a broken text, is refused. */
export function plainTexts(given: unknown): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries((given ?? {}) as Record<string, unknown>)) {
    if (typeof value !== 'string')
      throw new Problem(
        'field_invalid',
        { label: name, reason: { zh: '只能出现一次', en: 'may be given only once' } },
        { field: name, fields: [] },
      )
    if (isBrokenText(value) || isBrokenText(name))
      throw new Problem(
        'field_invalid',
        {
          label: name.replaceAll('\u0000', ''),
          reason: { zh: '含有无法保存的字符', en: 'contains a character that cannot be stored' },
        },
        { field: name, fields: [] },
      )
    texts[name] = value
  }
  return texts
}

/** A value of a body that should be plain, as a text; an object, which may have no text at all, is none. */
export const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
