import {
  type ColumnTaste,
  type Entity,
  isPersonalFilter,
  knownContent,
  knownTaste,
  type ViewContent,
  type Words,
} from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import type { saveView } from '@data-brain/contract/calls/savedview'
import { Problem } from '../../kernel/problem.ts'

/*
 * What comes in as a view is rebuilt from what its call declares: nothing else is stored. Checked here is what names it
 * holds.
 */

/** As many names as a list could have. */
const namesMost = 200
const nameLongest = 64
/** Most bytes of a view, or of columns, as they are kept; the database keeps a little more. */
const bytesMost = 30_000

const invalid = (label: Words, reason: Words, field: string): Problem =>
  new Problem('field_invalid', { label, reason }, { field, fields: [] })
const content = { zh: '视图内容', en: 'The view' }
const broken = (field: string): Problem =>
  invalid(content, { zh: `${field}的格式不正确`, en: `${field} is not well formed` }, field)

type SentContent = InputOf<typeof saveView>['content']
type SentTaste = SentContent['taste']

const isName = (value: string): boolean => value !== '' && value.length <= nameLongest && !value.startsWith('__')

function names(value: readonly string[] = [], field: string): string[] {
  if (!value.every(isName)) throw broken(field)
  return [...new Set(value)]
}

function record<T>(value: Readonly<Record<string, T>> = {}, field: string): Readonly<Record<string, T>> {
  const keys = Object.keys(value)
  if (keys.length > namesMost || !keys.every(isName)) throw broken(field)
  return value
}

function fitting<T>(read: T, field: string): T {
  if (Buffer.byteLength(JSON.stringify(read)) > bytesMost)
    throw invalid(content, { zh: '内容过多，请减少筛选条件', en: 'is too large: use fewer filters' }, field)
  return read
}

/** Columns as they were sent, checked; null where none were. */
export function readTaste(entity: Entity, value: SentTaste): ColumnTaste | null {
  if (!value) return null
  const { order, hidden, more, widths = {}, pins, density } = value
  if (!Object.values(widths).every(Number.isInteger)) throw broken('widths')
  const taste = knownTaste(entity, {
    order: names(order, 'order'),
    hidden: names(hidden, 'hidden'),
    ...(more === undefined ? {} : { more: names(more, 'more') }),
    widths: record(widths, 'widths'),
    pins: record(pins, 'pins'),
    ...(density === undefined ? {} : { density }),
  })
  return fitting(taste, 'taste')
}

/**
 * A view as it was sent, checked. A filter by somebody's number is refused: numbers of people are kept sealed, and a view
 * would show them to whoever it is shared with.
 */
export function readContent(entity: Entity, { filters: sent, sort = null, taste }: SentContent): ViewContent {
  if (sort && !isName(sort.key)) throw broken('sort')
  if (sent === null) throw broken('filters')
  const filters = record(sent, 'filters')
  const personal = Object.entries(filters).find(([name, text]) => isPersonalFilter(entity, name, text))
  if (personal)
    throw invalid(
      content,
      { zh: '按证件号或电话的筛选不能存入视图', en: 'a filter by an identity or phone number is not kept in a view' },
      personal[0],
    )
  const read: ViewContent = { filters, sort, taste: readTaste(entity, taste) }
  return fitting(knownContent(entity, read).content, 'content')
}
