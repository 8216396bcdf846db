import {
  checkDocumentNo,
  checkMobile,
  type Entity,
  type Field,
  isMasked,
  type Kind,
  rules,
  tidy,
  type Words,
} from '@data-brain/contract'
import { dayBeyond } from '@data-brain/contract/rules/day'
import { documentFaults, documentFields } from '@data-brain/contract/rules/documents'
import { tidyQuestions } from '@data-brain/contract/rules/questions'
import { readValue } from '@data-brain/contract/rules/values'
import { readWeeks, weeksText } from '@data-brain/contract/rules/weeks'
import { formWords } from '../../locales/form.ts'
import { type DateKind, isDateKind, readTyped, tidyTyped, todayDay } from '../../ui/date/read.ts'
import type { Values } from '../../ui/form/store.ts'
import { isPairs, settingsOf, wrongKeys } from '../value/pairs.ts'

type Key = keyof typeof formWords

/** A phrase in both languages, with its values put in. */
export function say(
  key: Key,
  zh: Record<string, string | number> = {},
  en: Record<string, string | number> = zh,
): Words {
  const fill = (text: string, values: Record<string, string | number>) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
  return { zh: fill(formWords[key].zh, zh), en: fill(formWords[key].en, en) }
}

export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

type Check = (value: unknown, field: Field) => Words | null
const fine: Check = () => null

const checkText: Check = (value, field) => {
  const text = String(value)
  if (field.max !== undefined && [...text].length > field.max) return say('form.tooLong', { max: field.max })
  // Which document an identity number is of decides how it is judged; that is seen with the whole form.
  return field.rule && field.rule !== 'idNo' ? rules[field.rule].check(text) : null
}

const checkNumber: Check = (value, field) => {
  const number = Number(value)
  if (field.kind === 'integer' && !Number.isInteger(number)) return say('form.notWhole')
  const scale = field.scale ?? 2
  if (field.kind === 'decimal' && Math.abs(number * 10 ** scale - Math.round(number * 10 ** scale)) > 1e-6)
    return say('form.scale', { count: scale })
  if (field.min !== undefined && number < field.min) return say('form.tooSmall', { min: field.min })
  if (field.max !== undefined && number > field.max) return say('form.tooLarge', { max: field.max })
  return null
}

const checkMany: Check = (value, field) =>
  Array.isArray(value) && field.max !== undefined && value.length > field.max
    ? say('form.tooMany', { max: field.max })
    : null

const checkDate: Check = (value, field) => {
  const read = readTyped(field.kind as DateKind, String(value), field.past)
  if ('fault' in read) return read.fault
  return field.kind === 'date' ? dayBeyond(read.value, field, todayDay()) : null
}

const checks: Record<Kind, Check> = {
  text: checkText,
  area: checkText,
  secret: checkText,
  personal: (value, field) => (isMasked(String(value)) ? say('form.masked') : checkText(value, field)),
  integer: checkNumber,
  decimal: checkNumber,
  flag: fine,
  choice: fine,
  choices: checkMany,
  date: checkDate,
  instant: checkDate,
  reference: fine,
  references: checkMany,
  region: fine,
  json: (value, field) => {
    if (field.as === 'weeks') return readWeeks(String(value)) ? null : say('form.notWeeks')
    if (isPairs(value) && field.as === 'pairs' && wrongKeys(value).size > 0) return say('form.pairNames')
    const read = readValue(field, isPairs(value) && field.as === 'pairs' ? settingsOf(value) : value)
    return 'fault' in read ? read.fault : null
  },
}

const chosen: ReadonlySet<Kind> = new Set(['choice', 'choices', 'date', 'instant', 'reference', 'references', 'region'])

/**
 * A value as it will be stored: texts tidied by their rule, phones without what people type between the digits, dates as
 * they are understood. A date that is not understood stays as it was typed.
 */
export function tidyValue(field: Field, value: unknown): unknown {
  if (field.as === 'questions' && Array.isArray(value)) return tidyQuestions(value)
  if (typeof value !== 'string') return value
  if (field.as === 'weeks') {
    const weeks = readWeeks(value)
    return weeks ? weeksText(weeks) : value
  }
  if (field.kind === 'json') return value
  if (isDateKind(field.kind)) return tidyTyped(field.kind, value, field.past)
  return field.rule ? tidy(field.rule, value) : value.trim()
}

/** What a page says, instead of the usual words, where a required field is empty. */
export type Asks = Readonly<Record<string, Words>>

/** A field as it is judged beside the one that decides on it: required where that one asks for it. */
export const asked = (field: Field, deciding: unknown): Field =>
  field.only?.is.includes(String(deciding)) ? { ...field, required: true } : field

/** What is wrong with one field by itself. A value that was there before and is not touched is not judged again. */
export function checkField(field: Field, value: unknown, initial: unknown, ask?: Words): Words | null {
  if (isEmpty(value)) {
    if (!field.required) return null
    if (ask) return ask
    if (field.rule === 'mobile') return checkMobile('', true)
    return say(
      chosen.has(field.kind) ? 'form.requiredChoice' : 'form.required',
      { label: field.label.zh },
      { label: field.label.en },
    )
  }
  if (value === initial) return null
  return checks[field.kind](tidyValue(field, value), field)
}

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && !isMasked(value) ? value : null

/** What is wrong with the number of an identity document, judged by what kind of document it is. */
export function checkDocument(values: Values): Words | null {
  const idNo = text(values.idNo)
  return idNo ? checkDocumentNo(text(values.idType) ?? '1', tidy('idNo', idNo)) : null
}

/** A text of a document as it will be stored. */
function documentText({ fields }: Entity, values: Values, name: string): string | null {
  const value = text(values[name])
  const rule = fields[name]?.rule
  return value && rule ? tidy(rule, value) : value
}

/** What is wrong with the whole: each field, and the fields that must agree. */
export function checkForm(
  entity: Entity,
  names: readonly string[],
  values: Values,
  initial: Values,
  asks: Asks = {},
): Map<string, Words> {
  const wrong = new Map<string, Words>()
  const add = (name: string, words: Words | null) => {
    if (words && names.includes(name) && !wrong.has(name)) wrong.set(name, words)
  }
  for (const name of names) {
    const field = entity.fields[name]
    if (!field) continue
    const now = field.only ? asked(field, values[field.only.by]) : field
    add(name, checkField(now, values[name], initial[name], asks[name]))
  }
  for (const [begin, end] of entity.ranges ?? []) {
    const [from, to] = [begin, end].map(
      (name) => entity.fields[name] && text(tidyValue(entity.fields[name], values[name])),
    )
    const label = entity.fields[begin]?.label
    if (from && to && from > to && label && !wrong.has(begin))
      add(end, say('form.order', { label: label.zh }, { label: label.en }))
  }
  for (const group of entity.oneOf ?? []) {
    const given = group.filter((name) => !isEmpty(values[name])).length
    const join = (language: 'zh' | 'en') => group.map((name) => entity.fields[name]?.label[language]).join(' / ')
    if (given !== 1) add(group[0]!, say('form.oneOf', { labels: join('zh') }, { labels: join('en') }))
  }
  const row = Object.fromEntries(documentFields.map((name) => [name, documentText(entity, values, name)]))
  for (const { field, reason } of documentFaults(entity.fields, { ...row, idType: row.idType ?? '1' }))
    add(field, reason)
  return wrong
}
