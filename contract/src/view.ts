import type { AnswerOf } from './call.ts'
import type { savedView, viewsOfPage } from './calls/savedview.ts'
import type { Entity } from './entity.ts'
import type { Kind } from './field.ts'
import type { ValueOf } from './shape.ts'

/** Where a column stays when the table scrolls sideways; `none` takes back what the page itself pins. */
export type ColumnPin = 'start' | 'end' | 'none'
export const columnPins: readonly ColumnPin[] = ['start', 'end', 'none']

/** How high rows are. */
export type RowDensity = 'loose' | 'standard' | 'compact'
export const rowDensities: readonly RowDensity[] = ['loose', 'standard', 'compact']

/** Narrowest and widest column, in pixels. */
export const columnWidths = { min: 48, max: 800 } as const

/** How a person wants to see the columns of a list; what is not said is as the page has it. */
export type ColumnTaste = NonNullable<ViewContent['taste']>
/** What a view of a list says: the list's own parameters, the order, and the columns where it says so. */
export type ViewContent = SavedView['content']
/** A view as its owner, and those it is shared with, see it. */
export type SavedView = ValueOf<typeof savedView>
/** All that a list page asks about views when it opens. */
export type PageViews = AnswerOf<typeof viewsOfPage>

/** As many views as a person keeps of one page. */
export const viewsMost = 50

/** Columns of every row that a list may be filtered by, and may show, beside the fields. */
export const systemFilters: readonly string[] = [
  'status',
  'createTime',
  'updateTime',
  'createUser',
  'updateUser',
  'extId',
]

/** The kind of the field that a list parameter is about (`name`, `name_suffix`); undefined where it is about none. */
export function filterKind(entity: Entity, parameter: string): Kind | 'keyword' | 'system' | 'belonging' | undefined {
  if (parameter === 'keyword') return 'keyword'
  const name = parameter.split('_', 1)[0]!
  if (Object.hasOwn(entity.fields, name)) return entity.fields[name]!.kind
  if (systemFilters.includes(name)) return 'system'
  return Object.hasOwn(entity.belongings ?? {}, name) && /_(not)?null$/.test(parameter) ? 'belonging' : undefined
}

/** Whether what is searched for is, or has among its words, a number of a person (a student code is mostly G and that number): in digits of any width, in groups or not. */
function holdsNumber(keyword: string): boolean {
  const plain = keyword.normalize('NFKC').trim()
  const words = [plain.replaceAll(/[\s-]/g, ''), ...plain.split(/\s+/)]
  return words.some((word) => /^((\+?86)?\d{11}|[GJLgjl]?\d{17}[\dXx])$/.test(word))
}

/**
 * Whether a filter holds a number that belongs to one person alone: it is found by and never kept in a view, where it
 * would stand in clear. That such a field is empty, or not, may be kept.
 */
export function isPersonalFilter(entity: Entity, parameter: string, value: string): boolean {
  const kind = filterKind(entity, parameter)
  if (kind === 'keyword') return holdsNumber(value)
  return (kind === 'personal' || kind === 'secret') && !/_(not)?null$/.test(parameter)
}

/** Names of the columns that a list of the entity may show. */
export const isColumn = (entity: Entity, name: string): boolean =>
  Object.hasOwn(entity.fields, name) || systemFilters.includes(name)

/** The fields that a list of the entity may be ordered by. */
export const isSort = (entity: Entity, name: string): boolean =>
  entity.sort.replace(/^-/, '') === name || entity.sorts?.includes(name) === true

/** Keeps of a taste what the entity's list has; the other names go into `dropped`. */
export function knownTaste(entity: Entity, taste: ColumnTaste, dropped: Set<string> = new Set()): ColumnTaste {
  const known = (name: string): boolean => {
    if (isColumn(entity, name)) return true
    dropped.add(name)
    return false
  }
  const records = <T>(of: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(of).filter(([name]) => known(name)))
  return {
    ...taste,
    order: taste.order.filter(known),
    hidden: taste.hidden.filter(known),
    ...(taste.more ? { more: taste.more.filter(known) } : {}),
    widths: records(taste.widths),
    pins: records(taste.pins),
  }
}

/** A view's content as the entity is today, and the names that it no longer has: they change nothing, and are told. */
export function knownContent(entity: Entity, content: ViewContent): { content: ViewContent; dropped: string[] } {
  const dropped = new Set<string>()
  const filters = Object.entries(content.filters).filter(([parameter]) => {
    const kind = filterKind(entity, parameter)
    if (kind !== undefined && kind !== 'json' && kind !== 'secret') return true
    dropped.add(parameter)
    return false
  })
  const { sort } = content
  if (sort && !isSort(entity, sort.key)) dropped.add(sort.key)
  return {
    content: {
      filters: Object.fromEntries(filters),
      sort: sort && isSort(entity, sort.key) ? sort : null,
      taste: content.taste && knownTaste(entity, content.taste, dropped),
    },
    dropped: [...dropped],
  }
}
