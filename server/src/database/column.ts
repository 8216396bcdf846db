import type { Field, Kind } from '@data-brain/contract'
import { snake } from './name.ts'

export interface Column {
  readonly name: string
  /** SQL type with its checks; the name stands in for `@`. */
  readonly type: string
}

const quoteNumber = (value: number | undefined): string => String(value ?? 0)
const required = (field: Field): string => (field.required ? ' not null' : '')
const between = (field: Field): string => ` check (@ between ${quoteNumber(field.min)} and ${quoteNumber(field.max)})`
const longest = (field: Field): string => (field.max ? ` check (char_length(@) <= ${field.max})` : '')

/** What a field of each kind is in the table. A `references` field has no column: it is a link table. */
export const columns: Record<Kind, (name: string, field: Field) => Column[]> = {
  text: (name, field) => [{ name: snake(name), type: `text${required(field)}${longest(field)}` }],
  area: (name, field) => [{ name: snake(name), type: `text${required(field)}${longest(field)}` }],
  integer: (name, field) => [{ name: snake(name), type: `integer${required(field)}${between(field)}` }],
  decimal: (name, field) => [
    { name: snake(name), type: `numeric(15, ${field.scale ?? 2})${required(field)}${between(field)}` },
  ],
  flag: (name, field) => [{ name: snake(name), type: `smallint${required(field)} check (@ in (0, 1))` }],
  choice: (name, field) => [{ name: snake(name), type: `text${required(field)} check (char_length(@) <= 32)` }],
  choices: (name, field) => [
    { name: snake(name), type: `text[] not null default '{}'${field.required ? ' check (cardinality(@) > 0)' : ''}` },
  ],
  date: (name, field) => [{ name: snake(name), type: `date${required(field)}` }],
  instant: (name, field) => [{ name: snake(name), type: `timestamptz${required(field)}` }],
  reference: (name, field) => [{ name: snake(name), type: `bigint${required(field)}` }],
  references: () => [],
  region: (name, field) => [{ name: snake(name), type: `text${required(field)} references region (code)` }],
  personal: (name, field) => [
    { name: snake(name), type: `bytea${required(field)}` },
    { name: `${snake(name)}_hash`, type: 'bytea' },
    { name: `${snake(name)}_tail`, type: 'bytea' },
  ],
  secret: (name, field) => [{ name: snake(name), type: `bytea${required(field)}` }],
  json: (name, field) => [{ name: snake(name), type: `jsonb${required(field)}` }],
}

/** The column that judges a field in a unique key: the keyed hash where the value itself is encrypted. */
export const keyColumn = (name: string, field: Field | undefined): string =>
  field?.kind === 'personal' ? `${snake(name)}_hash` : snake(name)
