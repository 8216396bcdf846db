import type { Field } from '../field.ts'

/** As many signs as stand at the end of a mask, and how long a value must be for that. */
const shown = 2
const shownFrom = 6

/**
 * A personal value as it is shown without the permission: at most its last two signs. More of an identity number could
 * be completed from what stands beside it, since it is made of a region, a date of birth, a sex and a check digit.
 */
export function maskOf(value: string): string {
  const signs = [...value]
  const last = signs.length < shownFrom ? 0 : shown
  return '*'.repeat(signs.length - last) + (last ? signs.slice(-last).join('') : '')
}

/** Whether a value came from maskOf: such a one must never be stored over the real one. */
export function isMasked(value: string): boolean {
  return value.includes('*')
}

/**
 * Whether few numbers are possible behind the mask of a field, so that a filter by it would confirm the right one: such a
 * filter is for whoever may see the number. Phones are many.
 */
export const isGuessable = ({ kind, rule }: Pick<Field, 'kind' | 'rule'>): boolean =>
  kind === 'personal' && rule !== 'phone' && rule !== 'mobile'
