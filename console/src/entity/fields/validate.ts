import {
  checkMobile,
  type Entity,
  type Field,
  isMasked,
  type Nature,
  natureOf,
  tidyText,
  type Words,
} from '@data-brain/contract'
import { documentFaults, documentFields } from '@data-brain/contract/rules/documents'
import { formWords } from '../../locales/form.ts'
import type { Values } from '../../ui/form/store.ts'
import { fieldKinds } from './kinds/index.ts'
import { isEmpty, tidyValue } from './tidy.ts'

type Key = keyof typeof formWords

/** A phrase in both languages, with its values put in. */
export function sayBilingual(
  key: Key,
  zh: Record<string, string | number> = {},
  en: Record<string, string | number> = zh,
): Words {
  const fill = (text: string, values: Record<string, string | number>) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
  return { zh: fill(formWords[key].zh, zh), en: fill(formWords[key].en, en) }
}

/** What is chosen, and not written. */
const chosen: ReadonlySet<Nature> = new Set(['key', 'keys', 'day', 'moment', 'row', 'rows', 'region'])

/** What a page says, instead of the usual words, where a required field is empty. */
export type RequiredMessages = Readonly<Record<string, Words>>

/** Whether the field that decides on another asks for it. */
export const isAsked = ({ only }: Field, deciding: unknown): boolean =>
  only === undefined || only.is.includes(String(deciding))

/** A field as it is judged beside the one that decides on it: required where that one asks for it. */
export const fieldAsRequired = (field: Field, deciding: unknown): Field =>
  field.only && !field.only.optional && isAsked(field, deciding) ? { ...field, required: true } : field

/** What is wrong with one field by itself. A value that was there before and is not touched is not judged again. */
export function checkField(field: Field, value: unknown, initial: unknown, ask?: Words): Words | null {
  if (isEmpty(value)) {
    if (!field.required) return null
    if (ask) return ask
    if (field.rule === 'mobile') return checkMobile('', true)
    return sayBilingual(
      chosen.has(natureOf(field.kind)) ? 'form.requiredChoice' : 'form.required',
      { label: field.label.zh },
      { label: field.label.en },
    )
  }
  if (value === initial) return null
  return fieldKinds[field.kind].check?.(tidyValue(field, value), field) ?? null
}

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && !isMasked(value) ? value : null

/** A text of a document as it will be stored. */
function documentText({ fields }: Entity, values: Values, name: string): string | null {
  const value = text(values[name])
  const rule = fields[name]?.rule
  return value && rule ? tidyText(rule, value) : value
}

/** What is wrong with the documents of the person that a form is about, by field. */
export function documentsWrong(entity: Entity, values: Values): Map<string, Words> {
  const row = Object.fromEntries(documentFields.map((name) => [name, documentText(entity, values, name)]))
  return new Map(documentFaults(entity.fields, row).map(({ field, reason }) => [field, reason]))
}

/** What is wrong with the whole: each field, and the fields that must agree. */
export function checkForm(
  entity: Entity,
  names: readonly string[],
  values: Values,
  initial: Values,
  asks: RequiredMessages = {},
): Map<string, Words> {
  const wrong = new Map<string, Words>()
  const add = (name: string, words: Words | null) => {
    if (words && names.includes(name) && !wrong.has(name)) wrong.set(name, words)
  }
  for (const name of names) {
    const field = entity.fields[name]
    if (!field) continue
    const now = field.only ? fieldAsRequired(field, values[field.only.by]) : field
    add(name, checkField(now, values[name], initial[name], asks[name]))
  }
  for (const [begin, end] of entity.ranges ?? []) {
    const [from, to] = [begin, end].map(
      (name) => entity.fields[name] && text(tidyValue(entity.fields[name], values[name])),
    )
    const label = entity.fields[begin]?.label
    if (from && to && from > to && label && !wrong.has(begin))
      add(end, sayBilingual('form.order', { label: label.zh }, { label: label.en }))
  }
  for (const group of entity.oneOf ?? []) {
    const given = group.filter((name) => !isEmpty(values[name])).length
    const join = (language: 'zh' | 'en') => group.map((name) => entity.fields[name]?.label[language]).join(' / ')
    if (given !== 1) add(group[0]!, sayBilingual('form.oneOf', { labels: join('zh') }, { labels: join('en') }))
  }
  for (const [name, reason] of documentsWrong(entity, values)) add(name, reason)
  return wrong
}
