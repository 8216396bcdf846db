import type { Field, Words } from '../field.ts'
import { tidyFreeText, tidyText } from '../rules/text.ts'
import { rules } from '../rules.ts'

/** How a value travels, for the description of the API. */
export type Schema = Record<string, unknown>
export type Wire = (field: Field) => Schema

/** A value as it is stored, or why it is none; what is empty does not come here. */
export type Read = { readonly value: unknown } | { readonly fault: Words }
/** What the server makes of a value that was sent. */
export type Reader = (value: unknown, field: Field) => Read
/** What a form says of a value, once it is tidied; null where it is in order. */
export type Check = (value: unknown, field: Field) => Words | null

export const fault = (zh: string, en: string): Read => ({ fault: { zh, en } })
export const wrongType: Read = fault('类型不正确', 'has the wrong type')

/** China has one zone, and no summer time. */
export const todayInChina = (): string => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)

/** Whether a text holds what no text may: NUL, or half of a surrogate pair. */
export const isBrokenText = (text: string): boolean => text.includes('\u0000') || /\p{Surrogate}/u.test(text)

/** Whether a text holds signs that no one-line text has (a tab may come along from a spreadsheet). */
const hasControl = (text: string): boolean =>
  [...text].some((sign) => {
    const code = sign.charCodeAt(0)
    return (code < 32 && code !== 9) || code === 127
  })

/** Reads a text; `lines` of one that may have several. */
export function readText(value: unknown, field: Field, lines = false): Read {
  if (typeof value === 'number' && Number.isFinite(value)) return readText(String(value), field, lines)
  if (typeof value !== 'string') return wrongType
  if (isBrokenText(value)) return fault('含有无法保存的字符', 'contains a character that cannot be stored')
  // A rule folds look-alike letters; free text keeps its full-width punctuation.
  const text = field.rule ? tidyText(field.rule, value) : tidyFreeText(value)
  if (!lines && hasControl(text)) return fault('含有控制字符', 'contains control characters')
  const max = field.max ?? 255
  if ([...text].length > max) return fault(`不能超过${max}个字符`, `at most ${max} characters`)
  if (field.rule && field.rule !== 'idNo' && text !== '') {
    const wrong = rules[field.rule].check(text)
    if (wrong) return { fault: wrong }
  }
  return { value: text }
}

export function checkText(value: unknown, field: Field): Words | null {
  const text = String(value)
  const { max } = field
  if (max !== undefined && [...text].length > max) return { zh: `最多 ${max} 个字`, en: `At most ${max} characters` }
  // Which document an identity number is of decides how it is judged; that is seen with the whole form.
  return field.rule && field.rule !== 'idNo' ? rules[field.rule].check(text) : null
}

/** Reads a number of which `wrong` says what else is wrong with it. */
export function readNumber(value: unknown, field: Field, wrong: (number: number) => Read | undefined): Read {
  const number = typeof value === 'string' && /^-?[0-9]+(\.[0-9]+)?$/.test(value.trim()) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return fault('须为数字', 'must be a number')
  const told = wrong(number)
  if (told) return told
  const { min, max } = field
  return number < (min ?? Number.NEGATIVE_INFINITY) || number > (max ?? Number.POSITIVE_INFINITY)
    ? fault(`须在${min}到${max}之间`, `must be from ${min} to ${max}`)
    : { value: number }
}

export function checkBounds(number: number, { min, max }: Field): Words | null {
  if (min !== undefined && number < min) return { zh: `不能小于 ${min}`, en: `Not less than ${min}` }
  if (max !== undefined && number > max) return { zh: `不能大于 ${max}`, en: `Not more than ${max}` }
  return null
}

/** The texts of a list, or of one text with commas between; undefined where it is neither. */
export function readList(value: unknown): string[] | undefined {
  const list = typeof value === 'string' ? value.split(',').filter(Boolean) : value
  return Array.isArray(list) && list.every((each) => typeof each === 'string')
    ? [...new Set(list as string[])]
    : undefined
}

export const checkMany: Check = (value, { max }) =>
  Array.isArray(value) && max !== undefined && value.length > max
    ? { zh: `最多选 ${max} 项`, en: `At most ${max}` }
    : null

/** Several texts, or one with commas between. */
export const wireOfMany = ({ comma }: Field, description: string): Schema =>
  comma
    ? { type: 'string', description: `${description}, comma separated` }
    : { type: 'array', items: { type: 'string' }, description }
