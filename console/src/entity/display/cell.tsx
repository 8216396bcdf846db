import { type Entity, type Field, type Nature, nameOf, natureOf, type Tone, traitsOf } from '@data-brain/contract'
import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { Language, Translate } from '../../ui/words.ts'
import type { DictEntry, ShownRow } from '../data/calls.ts'
import { type Dictionaries, LOADING_DICTIONARY, type RegionPaths } from '../data/client.ts'

/** A label in the middle of a sentence: English ones begin small there, unless they begin with a name such as ID or OneRoster. */
export const inSentence = (label: string, language: Language): string =>
  language === 'en' && !/^[A-Z][A-Za-z]*[A-Z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label

/** Several of what a label names: English says so, but for what cannot be counted. */
export const severalOf = (label: string, language: Language): string =>
  language !== 'en' || /(history|details|storage)$/.test(label)
    ? label
    : `${label.replace(/[^aeiou]y$/, (end) => `${end[0]}ie`).replace(/(s|x|ch|sh)$/, '$1e')}s`

/** What a cell may look at beside its record. A new one draws every cell again, so it changes rarely. */
export interface CellWords {
  readonly t: Translate
  readonly language: Language
  readonly dictionaries: Dictionaries
  readonly regions: RegionPaths
}

/** A dictionary entry in the language shown; the Chinese one where nobody wrote an English one. */
export function entryText(entry: DictEntry, language: Language): string {
  return (language === 'en' && entry.dictValueEn) || entry.dictValue
}

/** Whether the words of a dictionary are still on their way. */
const isOnItsWay = (words: CellWords, dict: string | undefined): boolean =>
  dict !== undefined && words.dictionaries[dict] === LOADING_DICTIONARY

/** The text of a dictionary key; the key itself where there is no entry, and no word while it is on its way. */
export function dictText(words: CellWords, dict: string | undefined, key: unknown): string {
  if (isOnItsWay(words, dict)) return '…'
  const entry = words.dictionaries[dict ?? '']?.find((other) => other.dictKey === String(key))
  return entry ? entryText(entry, words.language) : String(key)
}

const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : typeof value === 'string' && value !== '' ? value.split(',') : []

const join = (texts: readonly string[], language: Language) => texts.join(language === 'zh' ? '、' : ', ')

const minute = (value: string) => value.slice(0, 16)

type Row = Readonly<Record<string, unknown>>
type Text = (value: unknown, field: Field, words: CellWords, shownName: unknown, row: Row | undefined) => string

/** How json values are told: put here by value/words.ts, which comes with the first record, form or column of one. */
export const lateValueText: { text?: Text } = {}

const plain: Text = (value) => String(value)

/** The value of a field in words, by its nature; called with values that are there. */
const texts: Record<Nature, Text> = {
  text: plain,
  number: (value, field, words) =>
    field.none?.value === Number(value)
      ? field.none.label[words.language]
      : field.kind === 'integer'
        ? String(value)
        : new Intl.NumberFormat(words.language, { maximumFractionDigits: field.scale ?? 2 }).format(Number(value)),
  flag: (value, _field, words) => words.t(Number(value) === 1 ? 'entity.yes' : 'entity.no'),
  key: (value, field, words) => dictText(words, field.dict, value),
  keys: (value, field, words) =>
    join(
      list(value).map((key) => dictText(words, field.dict, key)),
      words.language,
    ),
  day: plain,
  moment: (value) => minute(String(value)),
  // A row whose name the caller may not see still shows that something is there.
  row: (value, _field, _words, name) => (typeof name === 'string' && name !== '' ? name : String(value)),
  rows: (value, _field, words, names) =>
    join((list(names).length > 0 ? list(names) : list(value)).map(String), words.language),
  region: (value, _field, words, name) =>
    typeof name === 'string' && name !== '' ? name : (words.regions[String(value)] ?? String(value)),
  personal: plain,
  secret: plain,
  json: (value, field, words, names, row) => lateValueText.text?.(value, field, words, names, row) ?? '…',
}

const absent = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * A field's value in words; an empty text for nothing. `shownName` is what travels beside a reference, and `row` the rest
 * of the record, which may decide what a json value speaks of.
 */
export function textOf(field: Field, value: unknown, words: CellWords, shownName?: unknown, row?: Row): string {
  return absent(value) ? '' : texts[natureOf(field.kind)](value, field, words, shownName, row)
}

/** Nothing, shown as a dash and read as a word. */
export function EmptyValue({ t }: { t: Translate }) {
  return (
    <span className="none">
      <span aria-hidden="true">—</span>
      <span className="sr-only">{t('entity.none')}</span>
    </span>
  )
}

const LateText = lazyPart(() => import('../value/late-text.tsx'))

/** The place of a word that is on its way. */
const Soon = () => <i className="word-soon" aria-hidden="true" />

/** Which of the tints a status wears; the text beside it says the same. Those of a definition go before these. */
const tones: Readonly<Record<string, Tone>> = { '0': 'off', '1': 'good', '2': 'warn', '3': 'off', '4': 'off' }

interface StatusProps {
  readonly value: unknown
  readonly status: NonNullable<Entity['status']>
  readonly words: CellWords
}

/** A status: the ordinary one is a dot and its word, an exception stands on a tint. */
export function StatusTag({ value, status: { dict, tones: own }, words }: StatusProps) {
  if (isOnItsWay(words, dict)) return <Soon />
  const key = String(value)
  const tone = own?.[key] ?? tones[key] ?? 'off'
  return <span className={tone === 'good' ? 'state' : `tag tag-${tone}`}>{dictText(words, dict, value)}</span>
}

/** Natures that are set in signs of one width: numbers, days, and what is told in part. */
const mono: ReadonlySet<Nature> = new Set(['number', 'day', 'moment', 'personal', 'secret'])

/** A field's words as they are set in a cell. */
function set(field: Field, text: string): ReactNode {
  if (mono.has(natureOf(field.kind))) return <span className="mono">{text}</span>
  return field.rule === 'color' ? <Swatch color={text} /> : text
}

function Swatch({ color }: { color: string }) {
  return (
    <span className="swatch">
      <i style={{ background: color }} aria-hidden="true" />
      {color}
    </span>
  )
}

/** Where several names are too long for a cell: the first ones that have room, and how many there are; all on pointing. */
function Few({ field, text, words: { t, language } }: { field: Field; text: string; words: CellWords }) {
  const long = (part: string) => [...part].reduce((sum, sign) => sum + (sign > '⺀' ? 14 : 8), 0)
  const room = traitsOf(field.kind).width - 20
  const all = text.split(join(['', ''], language))
  if (all.length < 2 || long(text) <= room) return text
  const told = (count: number) => t('entity.several', { names: join(all.slice(0, count), language), count: all.length })
  let count = all.length - 1
  while (count > 1 && long(told(count)) > room) count -= 1
  return <span title={text}>{told(count)}</span>
}

/** One field of a record, ready to stand beside a term, or in a table's cell, where `few` of many have room. */
export function cellOf(entity: Entity, name: string, record: ShownRow, words: CellWords, few = false): ReactNode {
  const field = entity.fields[name]
  if (!field) return null
  const value = record[name]
  if (field.dict !== undefined && isOnItsWay(words, field.dict) && !absent(value)) return <Soon />
  const tell = () => textOf(field, value, words, record[nameOf(name)], record)
  if (field.kind === 'json' && !lateValueText.text && !absent(value))
    return (
      <Suspense fallback={<Soon />}>
        <LateText text={tell} />
      </Suspense>
    )
  const text = tell()
  if (few && (field.kind === 'references' || field.kind === 'choices') && text !== '')
    return <Few field={field} text={text} words={words} />
  return text === '' ? <EmptyValue t={words.t} /> : set(field, text)
}

/** Whether its values stand at the end of the cell. */
export const isNumeric = (field: Field): boolean => natureOf(field.kind) === 'number'

/** How wide a column begins: its kind's width, and never less than its heading. */
export function widthOf(field: Field, label: string, language: Language, sortable: boolean): number {
  const heading = [...label].reduce(
    (sum, sign) => sum + (sign > '⺀' ? 12.5 : 7.5),
    (sortable ? 42 : 26) + (isNumeric(field) ? 14 : 0),
  )
  const isShort = field.kind === 'text' && ((field.max ?? 0) <= 20 || field.rule === 'personName')
  // English words of a dictionary are longer than Chinese ones.
  if (field.kind === 'choice' && language === 'en') return Math.ceil(Math.max(132, heading))
  const short = isShort ? 112 : field.kind === 'text' && (field.max ?? 0) > 50 ? 180 : traitsOf(field.kind).width
  // No heading wraps, and none is cut.
  return Math.ceil(Math.max(short, heading))
}
