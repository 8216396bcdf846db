import { isObject, looseText } from '@data-brain/contract/rules/value-parts'

/** One named value as it is edited: its text, and what was stored. */
export interface Pair {
  readonly key: string
  readonly text: string
  readonly stored: unknown
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : value === null ? '' : String(value))

/** Whether a value has parts of its own: another program's, which is shown and kept, and not typed over. */
export const isWhole = (value: unknown): boolean => typeof value === 'object' && value !== null

/** What a pair shows of its value. */
export const shownOf = ({ text, stored }: Pair, language: 'zh' | 'en'): string =>
  isWhole(stored) ? looseText(stored, language) : text

/** The values of an object, one by one. */
export function pairsOf(value: unknown): Pair[] {
  // What another program has stored as a list or a single value is kept under a name rather than lost.
  const object = isObject(value) ? value : value === null || value === undefined ? {} : { value }
  return Object.entries(object).map(([key, stored]) => ({ key, text: isWhole(stored) ? '' : textOf(stored), stored }))
}

export const isPairs = (value: unknown): value is readonly Pair[] =>
  Array.isArray(value) && value.every((each) => isObject(each) && 'key' in each && 'text' in each)

/** Rows whose name is missing or there twice. */
export function wrongKeys(pairs: readonly Pair[]): ReadonlySet<number> {
  const names = pairs.map(({ key }) => key.trim())
  return new Set(names.flatMap((name, i) => (name === '' || names.indexOf(name) !== i ? [i] : [])))
}

/** A value keeps its kind: a number stays one while it reads as one, and a text is never made into anything else. */
function kept({ text, stored }: Pair): unknown {
  if (isWhole(stored) || (stored !== undefined && textOf(stored) === text)) return stored
  if (typeof stored !== 'number' && typeof stored !== 'boolean') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** The pairs as one object. */
export const settingsOf = (pairs: readonly Pair[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(pairs.map((pair) => [pair.key.trim(), kept(pair)]))
