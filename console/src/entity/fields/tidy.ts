import { type Field, tidyFreeText, tidyText } from '@data-brain/contract'
import { tidyFieldOptions } from '@data-brain/contract/rules/field-options'
import { tidyQuestions } from '@data-brain/contract/rules/questions'
import { readWeeks, weeksText } from '@data-brain/contract/rules/weeks'
import { isDateKind, tidyTyped } from '../../ui/date/read.ts'

export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && tidyFreeText(value) === '') ||
  (Array.isArray(value) && value.length === 0)

/**
 * A value as it will be stored: texts tidied by their rule, phones without what people type between the digits, dates as
 * they are understood. A date that is not understood stays as it was typed.
 */
export function tidyValue(field: Field, value: unknown): unknown {
  if (field.as === 'questions' && Array.isArray(value)) return tidyQuestions(value)
  if (field.as === 'fieldOptions' && Array.isArray(value)) return tidyFieldOptions(value)
  if (typeof value !== 'string') return value
  if (field.as === 'weeks') {
    const weeks = readWeeks(value)
    return weeks ? weeksText(weeks) : value
  }
  if (field.kind === 'json') return value
  if (isDateKind(field.kind)) return tidyTyped(field.kind, value, field)
  return field.rule ? tidyText(field.rule, value) : tidyFreeText(value)
}
