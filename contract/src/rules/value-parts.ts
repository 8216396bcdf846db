import type { Words } from '../field.ts'

export type Language = keyof Words

/** What a value needs to be told in words, beside itself. */
export interface ValueWords {
  readonly language: Language
  /** The name of a row by its id; undefined where it is not known, or not for this reader. */
  name(id: string): string | undefined
  /** The word of a dictionary key. */
  word?(dict: string, key: string): string
}

/** What a reader made of a value: as it is stored, in one order of its parts, or what is wrong with it. */
export type ReadValue<V> = { readonly value: V } | { readonly fault: Words }

/** A row that is named by its id inside a value. */
export interface NamedRow {
  readonly to: string
  readonly id: string
}

/** How one sort of json value is judged and told; the server and the console use the same. */
export interface ValueRule<V> {
  read(value: unknown): ReadValue<V>
  text(value: V, said: ValueWords, of: string | undefined): string
  /** The rows that it names; `of` is the entity that the field says its ids are of. */
  named?(value: V, of: string | undefined): readonly NamedRow[]
}

export const fault = (zh: string, en: string): { readonly fault: Words } => ({ fault: { zh, en } })

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The name of the first part that none of these is. */
export const unknownPart = (value: Readonly<Record<string, unknown>>, known: readonly string[]): string | undefined =>
  Object.keys(value).find((name) => !known.includes(name))

/** The fault of a part that nobody knows. */
export const unknownPartFault = (name: string): { readonly fault: Words } =>
  fault(`不认识“${name.slice(0, 64)}”`, `does not know "${name.slice(0, 64)}"`)

const largest = '9223372036854775807'
/** The id of a row, as text. */
export const isRowId = (value: unknown): value is string =>
  typeof value === 'string' && /^[1-9]\d{0,18}$/.test(value) && (value.length < 19 || value <= largest)

export const isWhole = (value: unknown, from: number, to: number): value is number =>
  Number.isInteger(value) && (value as number) >= from && (value as number) <= to

/** Things one after the other, as each language lists them. */
export const joinList = (parts: readonly string[], language: Language): string =>
  parts.join(language === 'zh' ? '、' : ', ')

/** Sentences one after the other. */
export const joinSentences = (parts: readonly string[], language: Language): string =>
  parts.join(language === 'zh' ? '；' : '; ')

const dayWords: readonly Words[] = [
  { zh: '周一', en: 'Monday' },
  { zh: '周二', en: 'Tuesday' },
  { zh: '周三', en: 'Wednesday' },
  { zh: '周四', en: 'Thursday' },
  { zh: '周五', en: 'Friday' },
  { zh: '周六', en: 'Saturday' },
  { zh: '周日', en: 'Sunday' },
]

/** The name of a day of the week, 1 for Monday. */
export const dayOfWeek = (weekday: number, language: Language): string => dayWords[weekday - 1]?.[language] ?? ''

/** Numbers as people write them: those in a row as one range. */
export function joinRanges(numbers: readonly number[], language: Language): string {
  const runs: [number, number][] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run && number === run[1] + 1) run[1] = number
    else runs.push([number, number])
  }
  return joinList(
    runs.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)),
    language,
  )
}

/** A value whose shape nobody knows, still in words and without brackets: an older program may have written it. */
export function looseText(value: unknown, language: Language): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return language === 'zh' ? (value ? '是' : '否') : value ? 'yes' : 'no'
  if (Array.isArray(value))
    return joinList(
      value.map((each) => looseText(each, language)),
      language,
    )
  if (!isObject(value)) return String(value)
  const colon = language === 'zh' ? '：' : ': '
  return joinSentences(
    Object.entries(value).map(([name, part]) => `${name}${colon}${looseText(part, language)}`),
    language,
  )
}
