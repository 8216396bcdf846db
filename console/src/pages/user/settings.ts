/** One setting as it is edited: its value as a text, and what was stored. */
export interface Pair {
  readonly key: string
  readonly text: string
  readonly stored: unknown
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The settings of a JSON text, one by one; an empty text has none. */
export function pairsOf(json: string): Pair[] {
  const value: unknown = json === '' ? {} : JSON.parse(json)
  // What another program has stored as a list or a single value is kept under a name rather than lost.
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value }
  return Object.entries(object).map(([key, stored]) => ({ key, text: textOf(stored), stored }))
}

/** Rows whose name is missing or there twice. */
export function wrongKeys(pairs: readonly Pair[]): ReadonlySet<number> {
  const names = pairs.map(({ key }) => key.trim())
  return new Set(names.flatMap((name, i) => (name === '' || names.indexOf(name) !== i ? [i] : [])))
}

/** A value keeps its kind: a number stays one while it reads as one, and a text is never made into anything else. */
function kept({ text, stored }: Pair): unknown {
  if (stored !== undefined && textOf(stored) === text) return stored
  if (stored === undefined || typeof stored === 'string') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** The JSON text of the settings. */
export const settingsOf = (pairs: readonly Pair[]): string =>
  JSON.stringify(Object.fromEntries(pairs.map((pair) => [pair.key.trim(), kept(pair)])))
