import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { Query } from '../../http/client.ts'
import { useT } from '../../ui/words.ts'
import type { Slice } from './calls.ts'

/** Rows that are asked for at a time. */
const SIZE = 30

type Read<T> = (query: Query, signal: AbortSignal) => Promise<Slice<T>>

/** Records that only grow, newest first; older ones come when they are asked for. */
export function useOlder<T>(key: string, query: Readonly<Record<string, string>>, read: Read<T>, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: ['records', key, query],
    queryFn: ({ pageParam, signal }) => read({ ...query, size: SIZE, before: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
    enabled,
  })
}

interface OlderProps {
  readonly more: boolean
  readonly busy: boolean
  /** Nothing was found so far, though there is more to look at. */
  readonly none: boolean
  readonly onMore: () => void
}

/** The way to older records, under the list. */
export function Older({ more, busy, none, onMore }: OlderProps) {
  const t = useT()
  return (
    <div className="older">
      {more && none && <span>{t('changes.goOn')}</span>}
      {more ? (
        <button type="button" className="button" disabled={busy} onClick={onMore}>
          {t(busy ? 'changes.looking' : 'changes.older')}
        </button>
      ) : (
        <span>{t('changes.end')}</span>
      )}
    </div>
  )
}

const Range = lazy(() => import('../../entity/range.tsx'))

interface TimesProps {
  readonly from: string | null
  readonly to: string | null
  readonly onChange: (patch: Record<string, string | null>) => void
}

/** A range of days; the address keeps it as `time_ge` and `time_le`, which both belong to it. */
export function Times({ from, to, onChange }: TimesProps) {
  const t = useT()
  const filters = { ...(from ? { time_dategt: from } : {}), ...(to ? { time_datelt: to } : {}) }
  return (
    <Suspense fallback={<span className="filter-range" />}>
      <Range
        name="time"
        kind="instant"
        label={t('changes.range')}
        filters={filters}
        opened={false}
        patch={({ time_dategt, time_datelt }) =>
          onChange({ time_ge: time_dategt ?? null, time_le: time_datelt ?? null })
        }
      />
    </Suspense>
  )
}
