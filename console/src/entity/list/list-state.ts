import { type Entity, filterKind, systemFilters, type ViewContent } from '@data-brain/contract'
import { useMemo } from 'react'
import { place, setQuery, usePlace } from '../../ui/place.ts'
import { PAGE_SIZES, sizeIn, useChosenSize } from '../../ui/table/page-size.ts'
import type { Sort } from '../../ui/table/table.tsx'
import { holdTyping } from '../../ui/typed-ahead.ts'
import { quickOf } from './filter-fields.ts'

/** Parameters of the address that are places or order, not filters. */
const OWN: ReadonlySet<string> = new Set(['current', 'size', 'ascs', 'descs', 'id', 'edit', 'tab', 'target', 'view'])

/** The filters of an address: what the entity's own fields say, with or without a suffix, and the quick text. */
export function filtersOf(entity: Entity, query: URLSearchParams): Record<string, string> {
  const known = (key: string) => {
    const field = key.split('_', 1)[0]!
    return (
      (key === 'keyword' && quickOf(entity)?.key === 'keyword') ||
      field in entity.fields ||
      (entity.belongings !== undefined && filterKind(entity, key) === 'belonging') ||
      systemFilters.includes(field)
    )
  }
  return Object.fromEntries([...query].filter(([key, value]) => value !== '' && !OWN.has(key) && known(key)))
}

/** Fields a list may be ordered by. */
export function sortsOf(entity: Entity): ReadonlySet<string> {
  return new Set([entity.sort.replace(/^-/, ''), ...(entity.sorts ?? [])])
}

/** What the address says of a list: which page, in which order, with which filters, and what is open over it. */
export interface ListState {
  readonly current: number
  readonly size: number
  readonly sort: Sort | null
  readonly filters: Readonly<Record<string, string>>
  /** The view it was opened by; what is listed is what the rest of the address says. */
  readonly view: string | null
  /** The record shown, if any. */
  readonly id: string | null
  /** The record being changed, or `new`. */
  readonly edit: string | null
  /** The list's query as the server takes it. */
  readonly query: Readonly<Record<string, string | number>>
}

const whole = (text: string | null, otherwise: number) => {
  const number = Number(text)
  return Number.isInteger(number) && number >= 1 ? number : otherwise
}

/** Reads the state of a list from an address. */
export function readState(entity: Entity, query: URLSearchParams): ListState {
  const current = whole(query.get('current'), 1)
  const size = sizeIn(query)
  const sorts = sortsOf(entity)
  const [up, down] = [query.get('ascs'), query.get('descs')]
  const sort =
    up !== null && sorts.has(up)
      ? { key: up, descending: false }
      : down !== null && sorts.has(down)
        ? { key: down, descending: true }
        : null
  const filters = filtersOf(entity, query)
  const order = sort ? { [sort.descending ? 'descs' : 'ascs']: sort.key } : {}
  return {
    current,
    size,
    sort,
    filters,
    view: query.get('view'),
    // An address that names no row opens none.
    id: query.get('id') || null,
    edit: query.get('edit') || null,
    query: { current, size, ...order, ...filters },
  }
}

/** The size as an address names it: the first one is meant where none is named. */
const sizeNamed = (size: number) => (size === PAGE_SIZES[0] ? {} : { size })

/** The ways to change a list. Filters replace, records push: Back leaves a place, never a filter. */
function stepsOf(entity: Entity, path: string) {
  // Filters and pages change in bursts: a key that is held down, a word that is typed.
  const quietly = { replace: true, soon: true, path }
  const now = () => readState(entity, place().query)
  return {
    filter: (patch: Record<string, string | null>) => setQuery({ ...patch, current: null }, quietly),
    reset: () =>
      setQuery(Object.fromEntries([...Object.keys(now().filters), 'current'].map((key) => [key, null])), quietly),
    /** A later page is named with its size: whoever is sent the address may have chosen another. */
    page: (current: number) =>
      setQuery(current === 1 ? { current: null } : { current, ...sizeNamed(now().size) }, quietly),
    resize: (size: number) => setQuery({ size: size === PAGE_SIZES[0] ? null : size, current: null }, quietly),
    /** Lists what a view says, and nothing else; null names no view. */
    show: (view: string | null, { filters, sort }: Pick<ViewContent, 'filters' | 'sort'>) =>
      setQuery(
        {
          ...Object.fromEntries(Object.keys(now().filters).map((key) => [key, null])),
          current: null,
          ascs: sort && !sort.descending ? sort.key : null,
          descs: sort?.descending ? sort.key : null,
          ...filters,
          view,
        },
        quietly,
      ),
    /** Up, down, and back to the list's own order. */
    order: (key: string) => {
      const sorted = now().sort
      const next = sorted?.key !== key ? 'ascs' : sorted.descending ? null : 'descs'
      setQuery({ ascs: next === 'ascs' ? key : null, descs: next === 'descs' ? key : null, current: null }, quietly)
    },
    /** As said; null gives the list its own order back. */
    orderBy: (sort: Sort | null) =>
      setQuery(
        {
          ascs: sort && !sort.descending ? sort.key : null,
          descs: sort?.descending ? sort.key : null,
          current: null,
        },
        quietly,
      ),
    open: (id: string | null) => setQuery({ id, tab: null }, { path, replace: id === null || now().id !== null }),
    change: (edit: string | null) => {
      const leave = (): void => setQuery({ edit: null }, { path, replace: true })
      if (edit === null) return leave()
      holdTyping(leave)
      setQuery({ edit }, { path })
    },
  }
}

export type Steps = ReturnType<typeof stepsOf>

/**
 * The list's state and its steps. The filters keep their identity while they say the same: turning a page draws no filter
 * again. `always` is asked of every row, and is no filter that anybody sees; keep its identity between renders.
 */
export function useListState(
  entity: Entity,
  always?: Readonly<Record<string, string>>,
): { state: ListState; steps: Steps } {
  const { path, query } = usePlace()
  const text = query.toString()
  const chosen = useChosenSize()
  const filters = JSON.stringify(filtersOf(entity, query))
  const kept = useMemo(() => JSON.parse(filters) as Record<string, string>, [filters])
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address without a size takes the chosen one
  const state = useMemo(() => {
    const read = readState(entity, new URLSearchParams(text))
    return { ...read, filters: kept, query: { ...read.query, ...always } }
  }, [entity, text, chosen, kept, always])
  const steps = useMemo(() => stepsOf(entity, path), [entity, path])
  return { state, steps }
}
