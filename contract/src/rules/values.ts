import { entities } from '../entities/index.ts'
import type { Field, Words } from '../field.ts'
import { codeFields } from './code-fields.ts'
import { condition } from './condition.ts'
import { fieldOptions } from './field-options.ts'
import { gradeHours } from './grade-hours.ts'
import { halfDay } from './half-day.ts'
import { pairs } from './pairs.ts'
import { questions } from './questions.ts'
import { report } from './report.ts'
import { slots } from './slots.ts'
import { targets } from './targets.ts'
import { looseText, type NamedRow, type ValueRule, type ValueWords } from './value-parts.ts'
import { weeks } from './weeks.ts'

export type { NamedRow } from './value-parts.ts'

type Sort = NonNullable<Field['as']>

const rules: { readonly [S in Sort]: ValueRule<unknown> } = {
  weeks,
  halfDay,
  slots,
  gradeHours,
  pairs,
  questions,
  targets,
  condition,
  fieldOptions,
  report,
  codeFields,
}
const ruleOf = (field: Pick<Field, 'as'>): ValueRule<unknown> | undefined => field.as && rules[field.as]

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** The entity that the ids in a json field are of, or that its conditions speak of, as the row says. */
export function ofWhat(field: Pick<Field, 'of'>, row: Readonly<Record<string, unknown>>): string | undefined {
  if (field.of === undefined || typeof field.of === 'string') return field.of
  const { by, is } = field.of
  const said = row[by]
  return typeof said !== 'string' ? undefined : is ? is[said] : said
}

/** A json value as it is stored, or what is wrong with its shape. One of no particular sort is taken as it is. */
export function readValue(field: Pick<Field, 'as'>, value: unknown): { value: unknown } | { fault: Words } {
  if (isNothing(value)) return { value: null }
  const read = ruleOf(field)?.read(value) ?? { value }
  return 'value' in read && isNothing(read.value) ? { value: null } : read
}

/** Whether a value has the shape that its field asks for; what an older program wrote may not. */
export const isKnown = (field: Pick<Field, 'as'>, value: unknown): boolean => 'value' in readValue(field, value)

/** A json value in words; one whose shape is not known as well as it can be told. */
export function valueText(
  field: Pick<Field, 'as' | 'of'>,
  value: unknown,
  said: ValueWords,
  row: Readonly<Record<string, unknown>> = {},
): string {
  const rule = ruleOf(field)
  if (isNothing(value)) return ''
  const read = rule?.read(value)
  return rule && read && 'value' in read
    ? rule.text(read.value, said, ofWhat(field, row))
    : looseText(value, said.language)
}

/** The rows that a json value names by their ids. */
export function namedIn(
  field: Pick<Field, 'as' | 'of'>,
  value: unknown,
  row: Readonly<Record<string, unknown>>,
): readonly NamedRow[] {
  const rule = ruleOf(field)
  if (!rule?.named || isNothing(value)) return []
  const read = rule.read(value)
  return 'value' in read ? rule.named(read.value, ofWhat(field, row)) : []
}

/** The dictionaries whose words conditions on the fields of an entity may need; none where a row says which entity. */
export const dictsOf = (field: Pick<Field, 'as' | 'of'>): readonly string[] =>
  field.as === 'condition' && typeof field.of === 'string'
    ? Object.values(entities.find(({ name }) => name === field.of)?.fields ?? {}).flatMap(({ dict }) => dict ?? [])
    : []
