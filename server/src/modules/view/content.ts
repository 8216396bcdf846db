import {
  type ColumnPin,
  type ColumnTaste,
  columnPins,
  columnWidths,
  type Entity,
  isPersonalFilter,
  knownContent,
  knownTaste,
  type RowDensity,
  rowDensities,
  type ViewContent,
  type Words,
} from '@data-brain/contract'
import { Problem } from '../../kernel/problem.ts'

/*
 * What comes in as a view is checked here part by part, and rebuilt from what was checked: nothing else is stored.
 */

/** As many names as a list could have, and as long as a value of a filter may be. */
const namesMost = 200
const nameLongest = 64
const valueLongest = 4_000
/** Most bytes of a view, or of columns, as they are kept; the database keeps a little more. */
const bytesMost = 30_000

const invalid = (label: Words, reason: Words, field: string): Problem =>
  new Problem('field_invalid', { label, reason }, { field, fields: [] })
const content = { zh: '视图内容', en: 'The view' }
const broken = (field: string): Problem =>
  invalid(content, { zh: `${field}的格式不正确`, en: `${field} is not well formed` }, field)

type Plain = Readonly<Record<string, unknown>>
const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= nameLongest && !value.startsWith('__')

function names(value: unknown, field: string): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > namesMost || !value.every(isName)) throw broken(field)
  return [...new Set(value as string[])]
}

function record<T>(value: unknown, field: string, fits: (each: unknown) => each is T): Record<string, T> {
  if (value === undefined) return {}
  if (!isPlain(value)) throw broken(field)
  const entries = Object.entries(value)
  if (entries.length > namesMost || !entries.every(([name, each]) => isName(name) && fits(each))) throw broken(field)
  return Object.fromEntries(entries) as Record<string, T>
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= valueLongest
const isPin = (value: unknown): value is ColumnPin => columnPins.includes(value as ColumnPin)
const isWidth = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= columnWidths.min && Number(value) <= columnWidths.max

function fitting<T>(read: T, field: string): T {
  if (Buffer.byteLength(JSON.stringify(read)) > bytesMost)
    throw invalid(content, { zh: '内容过多，请减少筛选条件', en: 'is too large: use fewer filters' }, field)
  return read
}

/** Columns as they were sent, checked; null where none were. */
export function readTaste(entity: Entity, value: unknown): ColumnTaste | null {
  if (value === undefined || value === null) return null
  if (!isPlain(value)) throw broken('taste')
  const { density } = value
  if (density !== undefined && !rowDensities.includes(density as RowDensity)) throw broken('density')
  const taste = knownTaste(entity, {
    order: names(value.order, 'order'),
    hidden: names(value.hidden, 'hidden'),
    ...(value.more === undefined ? {} : { more: names(value.more, 'more') }),
    widths: record(value.widths, 'widths', isWidth),
    pins: record(value.pins, 'pins', isPin),
    ...(density === undefined ? {} : { density: density as RowDensity }),
  })
  return fitting(taste, 'taste')
}

/**
 * A view as it was sent, checked. A filter by somebody's number is refused: numbers of people are kept sealed, and a view
 * would show them to whoever it is shared with.
 */
export function readContent(entity: Entity, value: unknown): ViewContent {
  if (!isPlain(value)) throw broken('content')
  const { sort } = value
  if (
    sort !== undefined &&
    sort !== null &&
    !(isPlain(sort) && isName(sort.key) && typeof sort.descending === 'boolean')
  )
    throw broken('sort')
  const filters = record(value.filters, 'filters', isText)
  const personal = Object.entries(filters).find(([name, text]) => isPersonalFilter(entity, name, text))
  if (personal)
    throw invalid(
      content,
      { zh: '按证件号或电话的筛选不能存入视图', en: 'a filter by an identity or phone number is not kept in a view' },
      personal[0],
    )
  const read: ViewContent = {
    filters,
    sort: sort ? { key: (sort as Plain).key as string, descending: (sort as Plain).descending as boolean } : null,
    taste: readTaste(entity, value.taste),
  }
  return fitting(knownContent(entity, read).content, 'content')
}
