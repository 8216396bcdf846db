import type { DefinedView, Entity, Page, ViewContent, ViewFilters } from '@data-brain/contract'
import { entityOf } from '@data-brain/contract'
import type { QueryClient } from '@tanstack/react-query'
import { get } from '../../http/client.ts'
import { sessionStore } from '../../session/session.ts'
import { momentOf } from '../../ui/instant.ts'
import type { ShownRow } from '../data/calls.ts'

const dayMs = 86_400_000

/** The first moment of the day so many days ago. */
const daysAgo = (days: number): string => `${momentOf(Date.now() - days * dayMs).slice(0, 10)} 00:00:00`

const me = (): string => sessionStore.get()?.userId ?? ''

/** What the filters of a view say now. */
export const filtersNow = (filters: ViewFilters): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : 'me' in value ? me() : daysAgo(value.daysAgo),
    ]),
  )

const none: readonly DefinedView[] = []

/** The views that the list of an entity brings with it. */
export const systemViews = ({ views = none }: Entity): readonly DefinedView[] => views

/** The key of the words that name a view. */
export const labelOf = (entity: Entity, { key }: DefinedView): string => `view.${entity.name}.${key}`

/** As many rows as a view looks through. */
const most = 200
/** The last of all ids, which no row has. */
const noRow = '9223372036854775807'

/** What a view of the page's own says now. Where it looks for rows and finds none, it lists none. */
export async function contentOf(
  view: DefinedView,
  client: QueryClient,
): Promise<Pick<ViewContent, 'filters' | 'sort'> | null> {
  const { through } = view
  if (!through) return { filters: filtersNow(view.filters ?? {}), sort: null }
  const target = entityOf(through.of)
  const query = { ...filtersNow(through.by), current: 1, size: most }
  try {
    const { records } = await client.fetchQuery({
      queryKey: ['entity', target.name, 'list', query],
      queryFn: () => get<Page<ShownRow>>(`${target.path}/list`, query),
      staleTime: 60_000,
      meta: { reads: [target.name] },
    })
    return { filters: { [through.as]: records.map((row) => row.id).join(',') || noRow }, sort: null }
  } catch {
    // What went wrong has been said by the call.
    return null
  }
}

/** The code that somebody must hold to use a view. */
export const codeFor = (view: DefinedView): string | null =>
  view.code ?? (view.through ? `${view.through.of}_view` : null)
