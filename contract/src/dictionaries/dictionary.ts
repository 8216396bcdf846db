import type { Words } from '../field.ts'

/** One value of a dictionary. */
export interface DictionaryItem {
  readonly key: string
  readonly label: Words
  /** What the API family keeps in a dictionary's remark, such as the value of a flow route. */
  readonly remark?: string
  /** It is laid down sealed: rows that have it show it, and nobody is offered it. */
  readonly sealed?: true
}

/**
 * A list of values to choose from. `business` ones are rows of each tenant, who may change them; the others belong to
 * the platform, and the program knows their keys. Items stand in the order in which they are offered.
 */
export interface Dictionary {
  readonly code: string
  readonly label: Words
  readonly business: boolean
  /** Where the keys come from; it becomes the remark of the dictionary's root. */
  readonly source?: string
  readonly items: readonly DictionaryItem[]
}

/** A dictionary some of whose keys are no longer offered. */
export const sealing = (dictionary: Dictionary, keys: readonly string[]): Dictionary => ({
  ...dictionary,
  items: dictionary.items.map((item) => (keys.includes(item.key) ? { ...item, sealed: true } : item)),
})

/** Reads lines of `key|中文|English` or `key|中文|English|remark`. */
export function itemsOf(lines: string): readonly DictionaryItem[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [key = '', zh = '', en = '', remark] = line.trim().split('|')
      return { key, label: { zh, en }, ...(remark === undefined ? {} : { remark }) }
    })
}

/** A dictionary of the platform. */
export const platformDictionary = (
  code: string,
  zh: string,
  en: string,
  lines: string,
  source?: string,
): Dictionary => ({
  code,
  label: { zh, en },
  business: false,
  ...(source ? { source } : {}),
  items: itemsOf(lines),
})

/** A dictionary that every tenant gets as rows of its own. */
export const tenantDictionary = (code: string, zh: string, en: string, lines: string, source?: string): Dictionary => ({
  ...platformDictionary(code, zh, en, lines, source),
  business: true,
})

/** The remark of every list that was copied out of a standard by hand. */
export const transcribedFrom = (standard: string) =>
  `${standard}（转录，请与当地系统核对 / transcribed: compare with your authority’s system）`
