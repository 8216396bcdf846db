import type { Field, Kind, Words } from '@data-brain/contract'
import * as area from '@data-brain/contract/kinds/area'
import * as choice from '@data-brain/contract/kinds/choice'
import * as choices from '@data-brain/contract/kinds/choices'
import * as date from '@data-brain/contract/kinds/date'
import * as decimal from '@data-brain/contract/kinds/decimal'
import * as flag from '@data-brain/contract/kinds/flag'
import * as instant from '@data-brain/contract/kinds/instant'
import * as integer from '@data-brain/contract/kinds/integer'
import * as json from '@data-brain/contract/kinds/json'
import type { Reader, Wire } from '@data-brain/contract/kinds/parts'
import * as personal from '@data-brain/contract/kinds/personal'
import * as reference from '@data-brain/contract/kinds/reference'
import * as references from '@data-brain/contract/kinds/references'
import * as region from '@data-brain/contract/kinds/region'
import * as secret from '@data-brain/contract/kinds/secret'
import * as text from '@data-brain/contract/kinds/text'
import { isDay } from '@data-brain/contract/rules/day'
import { isId } from './id.ts'
import { snakeCase } from './name.ts'

export interface Column {
  readonly name: string
  /** SQL type with its checks; the name stands in for `@`. */
  readonly type: string
}

const quoteNumber = (value: number | undefined): string => String(value ?? 0)
const required = (field: Field): string => (field.required ? ' not null' : '')
const between = (field: Field): string => ` check (@ between ${quoteNumber(field.min)} and ${quoteNumber(field.max)})`
const longest = (field: Field): string => (field.max ? ` check (char_length(@) <= ${field.max})` : '')

/** What the server does with the values of a kind. */
interface ServerKind {
  /** How a value travels, and how it is read where it is sent. */
  readonly wire: Wire
  readonly read: Reader
  /** Its columns in the table; a list of references has none: it is a link table. */
  readonly columns: (name: string, field: Field) => Column[]
  /** What a text that is compared with it is cast to, and what is wrong with such a text. */
  readonly cast?: string
  readonly judge?: (text: string) => Words | undefined
  /** The value as a draft carries it, of one that the history keeps. */
  readonly plain?: (kept: unknown) => unknown
}

/** One column of this type. */
const column =
  (type: (field: Field) => string, more: (field: Field) => string = () => '') =>
  (name: string, field: Field): Column[] => [
    { name: snakeCase(name), type: `${type(field)}${required(field)}${more(field)}` },
  ]

const words = (zh: string, en: string): Words => ({ zh, en })
const unless = (right: boolean, zh: string, en: string): Words | undefined => (right ? undefined : words(zh, en))

/** Whether a text is a day that exists, with or without a time of it. */
const isInstant = (text: string): boolean =>
  isDay(text.slice(0, 10)) && /^.{10}([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?)?$/.test(text)
const judgeWhole = (text: string): Words | undefined =>
  unless(/^-?[0-9]{1,9}$/.test(text), '不是整数', 'is not a whole number')

export const kinds: Readonly<Record<Kind, ServerKind>> = {
  text: { ...text, columns: column(() => 'text', longest) },
  area: { ...area, columns: column(() => 'text', longest) },
  integer: { ...integer, columns: column(() => 'integer', between), cast: '::integer', judge: judgeWhole },
  decimal: {
    ...decimal,
    columns: column((field) => `numeric(15, ${decimal.scaleOf(field)})`, between),
    cast: '::numeric',
    judge: (given) => unless(/^-?[0-9]{1,12}(\.[0-9]{1,6})?$/.test(given), '不是数字', 'is not a number'),
    plain: Number,
  },
  flag: {
    ...flag,
    columns: column(
      () => 'smallint',
      () => ' check (@ in (0, 1))',
    ),
    cast: '::smallint',
    judge: judgeWhole,
  },
  choice: {
    ...choice,
    columns: column(
      () => 'text',
      () => ' check (char_length(@) <= 32)',
    ),
  },
  choices: {
    ...choices,
    columns: (name, field) => [
      {
        name: snakeCase(name),
        type: `text[] not null default '{}'${field.required ? ' check (cardinality(@) > 0)' : ''}`,
      },
    ],
  },
  date: {
    ...date,
    columns: column(() => 'date'),
    cast: '::date',
    judge: (given) => unless(isInstant(given), '不是有效的日期', 'is not a date'),
  },
  instant: {
    ...instant,
    columns: column(() => 'timestamptz'),
    cast: '::timestamptz',
    judge: (given) =>
      unless(isInstant(given), '时间格式应为 yyyy-MM-dd HH:mm:ss', 'should look like yyyy-MM-dd HH:mm:ss'),
    plain: (kept) => String(kept).replace('T', ' ').slice(0, 19),
  },
  reference: {
    ...reference,
    columns: column(() => 'bigint'),
    cast: '::bigint',
    judge: (given) => unless(isId(given), '不是有效的编号', 'is not an id'),
    plain: String,
  },
  references: { ...references, columns: () => [], plain: (kept) => (kept as unknown[]).map(String) },
  region: {
    ...region,
    columns: column(
      () => 'text',
      () => ' references region (code)',
    ),
  },
  personal: {
    ...personal,
    columns: (name, field) => [
      { name: snakeCase(name), type: `bytea${required(field)}` },
      { name: `${snakeCase(name)}_hash`, type: 'bytea' },
      { name: `${snakeCase(name)}_tail`, type: 'bytea' },
    ],
  },
  secret: { ...secret, columns: column(() => 'bytea') },
  json: { ...json, columns: column(() => 'jsonb') },
}

/** The column that judges a field in a unique key: the keyed hash where the value itself is encrypted. */
export const keyColumn = (name: string, field: Field | undefined): string =>
  field?.kind === 'personal' ? `${snakeCase(name)}_hash` : snakeCase(name)
