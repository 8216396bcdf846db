import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { setQuery, usePlace } from '../../ui/place.ts'
import { useT } from '../../ui/words.ts'
import './page.css'

/** Rows that are asked for at a time. */
const SIZE = 30

/** Records that only grow, newest first: `next` is where the older ones begin. */
interface Slice<T> {
  readonly records: readonly T[]
  readonly next: string | null
}

/** What narrows such a list, as the address says it. */
type Asked<F extends string> = Readonly<Partial<Record<F, string>>>
/** With how much of it, and where it goes on. */
export type SliceRequest<F extends string> = Asked<F> & { readonly size: number; readonly before: string | undefined }
type Read<T, F extends string> = (asked: SliceRequest<F>, signal: AbortSignal) => Promise<Slice<T>>
type Slices<T> = UseInfiniteQueryResult<InfiniteData<Slice<T>>>
const NONE: readonly never[] = []

/** Records that only grow, newest first, narrowed by the address; older ones come when they are asked for. */
export function useOlder<T, F extends string>(key: string, filters: readonly F[], read: Read<T, F>, enabled: boolean) {
  const { path, query } = usePlace()
  const asked: Partial<Record<F, string>> = {}
  for (const name of filters) {
    const value = query.get(name)
    if (value) asked[name] = value
  }
  const found: Slices<T> = useInfiniteQuery({
    queryKey: ['records', key, asked],
    queryFn: ({ pageParam, signal }) => read({ ...asked, size: SIZE, before: pageParam ?? undefined }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
    enabled,
  })
  const rows = useMemo<readonly T[]>(() => found.data?.pages.flatMap((page) => page.records) ?? NONE, [found.data])
  /** Filters changed in the address: null takes one away. */
  const put = (patch: Record<string, string | null>) => setQuery(patch, { path, replace: true })
  return { query, asked, found, rows, put }
}

/** Reads such records for the paper, as many at a time as one call answers. */
export const readOnward =
  <T extends { readonly id: string }, F extends string>(read: Read<T, F>) =>
  (asked: Asked<F>) => {
    let before: string | null = null
    return async (_last: readonly T[], page: number) => {
      const { records, next }: Slice<T> = await read(
        { ...asked, size: 100, before: page === 1 ? undefined : (before ?? undefined) },
        new AbortController().signal,
      )
      before = next
      return { rows: records, more: next !== null }
    }
  }

/** The way to older records, under the list. */
export function OlderButton<T>({ found }: { found: Slices<T> }) {
  const t = useT()
  if (!found.data) return null
  const more = found.hasNextPage
  const busy = found.isFetchingNextPage
  return (
    <div className="older">
      {/* Nothing was found so far, though there is more to look at. */}
      {more && found.data.pages.every((page) => page.records.length === 0) && <span>{t('changes.goOn')}</span>}
      {more ? (
        <button type="button" className="button" disabled={busy} onClick={() => void found.fetchNextPage()}>
          {t(busy ? 'changes.looking' : 'changes.older')}
        </button>
      ) : (
        <span>{t('changes.end')}</span>
      )}
    </div>
  )
}
