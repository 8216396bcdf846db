import { normalizeText, stripPhone } from '@data-brain/contract'
import type { RawBuilder } from 'kysely'
import { slotValue, sql } from '../database/statement.ts'
import type { Cipher } from '../kernel/cipher.ts'
import { lazyImport } from '../kernel/lazy-import.ts'
import type { Model } from './model.ts'

/**
 * What people are found by. `like` is not leakproof and trigrams do not know Chinese, so under row-level security
 * neither can serve a substring search by index. Every text is instead kept as its suffixes (of the name, of its pinyin
 * from each syllable on, of its initials), and a search for a part is a range over their beginnings.
 */

/** Case, width and spaces do not count in a search. */
export const foldText = (text: string): string =>
  normalizeText(text)
    .toLowerCase()
    .replace(/[\s·.'-]/g, '')

const romanizer = lazyImport<typeof import('pinyin-pro')>('pinyin-pro')

const han = /\p{Script=Han}/u

/** The pinyin of a text, syllable by syllable, without tones; what is not Chinese stays as it is. */
export const syllablesOf = (text: string): string[] =>
  romanizer()
    .pinyin(text, { toneType: 'none', type: 'array', surname: 'head', nonZh: 'consecutive', v: true })
    .map((part) => foldText(part))

/** The first signs of a text. A rare one (𠮷) takes two places, and half of it is no text that can be stored. */
const firstOf = (text: string, count: number): string =>
  text.length <= count ? text : [...text].slice(0, count).join('')

/** The keys under which a text is found. */
export function keysOfText(text: string): string[] {
  const folded = foldText(text)
  if (!folded) return []
  const keys = new Set<string>()
  const letters = [...folded]
  if (han.test(folded)) {
    for (let start = 0; start < letters.length; start += 1) keys.add(letters.slice(start).join(''))
    const syllables = syllablesOf(folded)
    for (let start = 0; start < syllables.length; start += 1) {
      keys.add(syllables.slice(start).join(''))
      if (syllables.length - start > 1 || syllables.length === 1)
        keys.add(
          syllables
            .slice(start)
            .map((part) => firstOf(part, 1))
            .join(''),
        )
    }
  } else if (/\d/.test(folded)) {
    // A number: the whole, and the ends that people remember.
    keys.add(folded)
    for (const length of [6, 5, 4, 3]) if (letters.length > length) keys.add(letters.slice(-length).join(''))
  } else {
    for (const [at] of text
      .normalize('NFKC')
      .toLowerCase()
      .matchAll(/\S+/g)
      .map((match) => [match.index] as const))
      keys.add(foldText(text.normalize('NFKC').slice(at)))
  }
  keys.delete('')
  return [...keys].map((key) => firstOf(key, 64))
}

/** The keys of an encrypted value: its keyed hash, and that of its last four. */
export function keysOfPersonal(value: string, cipher: Cipher, tenantId: string): string[] {
  const tail = cipher.tail(value, tenantId)
  return [`#${cipher.hash(value, tenantId).toString('hex')}`, ...(tail ? [`#${tail.toString('hex')}`] : [])]
}

/** The keys of a row's fields, `values` being plain texts by field name. */
export function keysOfRow(
  model: Model,
  values: Readonly<Record<string, unknown>>,
  cipher: Cipher,
  tenantId: string,
): string[] {
  return [
    ...new Set(
      model.find.flatMap((field) => {
        const value = values[field.name]
        if (typeof value !== 'string' || value === '') return []
        return field.kind === 'personal' ? keysOfPersonal(value, cipher, tenantId) : keysOfText(value)
      }),
    ),
  ]
}

export interface SearchTerms {
  /** Range of key beginnings. */
  readonly from: string
  readonly to: string
  /** Whole keys that count too: hashes of what was typed. */
  readonly whole: string[]
}

/** What a typed keyword looks for: each of its words must be found; at most three count. */
export function searchTermsOf(keyword: string, cipher: Cipher, tenantId: string): SearchTerms[] {
  // A number that is written in groups is one number, and no words of which each must be found.
  const number = stripPhone(keyword).toUpperCase()
  const isOne = /^(1[3-9]\d{9}|\d{17}[\dX])$/.test(number)
  return (isOne ? number : normalizeText(keyword))
    .split(/\s+/)
    .slice(0, 3)
    .map(foldText)
    .filter(Boolean)
    .map((word) => {
      const text = firstOf(word, 32)
      const number = word.toUpperCase()
      const whole = /^[0-9]{3}[0-9X]$/.test(number)
        ? [`#${cipher.tail(number, tenantId)!.toString('hex')}`]
        : /^[0-9A-Z]{7,20}$/.test(number)
          ? [`#${cipher.hash(number, tenantId).toString('hex')}`]
          : []
      return { from: text, to: `${text}\u{10ffff}`, whole }
    })
}

/** A reference beside the title, whose own row may be what was typed. */
export interface SearchedReference {
  readonly table: string
  readonly column: string
  readonly of: string
}

/** The references beside a title that rows of the entity may be found by. */
export const besidesOf = (model: Model): SearchedReference[] =>
  (model.entity.beside ?? []).flatMap((name) => {
    const { kind, column, target } = model.byName.get(name)!
    const finds = kind === 'reference' && target?.find !== undefined && target.finds === undefined
    return finds ? [{ table: model.table, column, of: target.name }] : []
  })

/**
 * The condition that a row is found by the words in slots k0…: ids from the range and, where a hash was made, from it.
 * Several words are looked up once each and counted together; joined as conditions they would be tried row by row.
 */
export function foundBy(
  entity: string,
  words: readonly SearchTerms[],
  id: RawBuilder<unknown>,
  beside: readonly SearchedReference[] = [],
): RawBuilder<unknown> {
  const from = (mark: number, of = entity): RawBuilder<unknown> =>
    sql`select k.row_id, ${sql.lit(mark)} as mark from search_key k where k.tenant_id = ${slotValue('tenant')} and k.entity = ${sql.lit(of)}`
  const looks = words.flatMap((word, index) => [
    sql`${from(2 ** index)} and k.key >= ${slotValue(`k${index}from`)} and k.key < ${slotValue(`k${index}to`)}
        and substr(k.key, 1, char_length(${slotValue(`k${index}from`)})) = ${slotValue(`k${index}from`)}`,
    // What stands beside a title finds the row too: the class finds its pupils.
    ...(word.from.length < 2 ? [] : beside).map(
      ({ table, column, of }) =>
        sql`select b.id, ${sql.lit(2 ** index)} from ${sql.raw(table)} b where b.tenant_id = ${slotValue('tenant')} and b.${sql.raw(column)} in
        (select s.row_id from (${from(1, of)} and k.key >= ${slotValue(`k${index}from`)} and k.key < ${slotValue(`k${index}to`)}
        and substr(k.key, 1, char_length(${slotValue(`k${index}from`)})) = ${slotValue(`k${index}from`)}) s)`,
    ),
    ...(word.whole.length > 0
      ? [sql`${from(2 ** index)} and k.key = any(${slotValue(`k${index}whole`)}::text[])`]
      : []),
  ])
  const all = sql.join(looks, sql` union all `)
  return words.length === 1
    ? sql`${id} in (select f.row_id from (${all}) f)`
    : sql`${id} in (select f.row_id from (${all}) f group by f.row_id having bit_or(f.mark) = ${sql.lit(2 ** words.length - 1)})`
}

/** The values of the slots of `foundBy`. */
export function soughtValues(words: readonly SearchTerms[]): Record<string, unknown> {
  return Object.fromEntries(
    words.flatMap((word, index) => [
      [`k${index}from`, word.from],
      [`k${index}to`, word.to],
      [`k${index}whole`, word.whole],
    ]),
  )
}
