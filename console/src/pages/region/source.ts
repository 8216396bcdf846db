import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { TreeRow, TreeSource } from '../../entity/tree/index.ts'
import { type RegionSearch, regionsUnder, searchRegions } from './calls.ts'
import { top } from './entity.ts'

const STALE = 300_000
const key = (parentCode: string) => ['entity', 'region', 'level', parentCode] as const
const NO_ROWS: readonly TreeRow[] = []

/** Regions level by level as they are opened; a search asks the server and shows the ways to what it found. */
export function useRegions(
  search: string,
  abolished: boolean,
  enabled: boolean,
): TreeSource & { readonly result: RegionSearch | undefined } {
  const [wanted, setWanted] = useState<readonly string[]>([top])
  const text = search.trim()
  const levels = useQueries({
    queries: wanted.map((code) => ({
      queryKey: key(code),
      queryFn: ({ signal }: { signal: AbortSignal }) => regionsUnder(code, signal),
      staleTime: STALE,
      enabled,
      retry: false,
      meta: { reads: ['region'] },
    })),
    combine: (results) => ({
      data: results.map((result) => result.data),
      first: results[0]?.error ?? null,
      isFetching: results.some((result) => result.isFetching),
      retry: () => {
        for (const result of results) void result.refetch()
      },
    }),
  })
  const found = useQuery({
    queryKey: ['entity', 'region', 'search', text],
    queryFn: ({ signal }) => searchRegions(text, signal),
    enabled: enabled && text !== '',
    staleTime: STALE,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { reads: ['region'] },
  })
  const byParent = useMemo(() => {
    const keep = (rows: readonly TreeRow[]) => (abolished ? rows : rows.filter((row) => row.validTo === null))
    return new Map(wanted.flatMap((code, i) => (levels.data[i] ? [[code, keep(levels.data[i])] as const] : [])))
  }, [wanted, levels.data, abolished])

  const searched = text !== ''
  const result = searched ? found.data : undefined
  const below = useCallback(
    (row: TreeRow) =>
      searched ? (row.children ?? NO_ROWS) : (byParent.get(row.id) ?? (row.hasChildren ? undefined : NO_ROWS)),
    [searched, byParent],
  )
  const need = useCallback((row: TreeRow) => setWanted((now) => (now.includes(row.id) ? now : [...now, row.id])), [])
  const roots = searched ? result?.roots : byParent.get(top)
  const fetching = searched ? found.isFetching : levels.isFetching
  return {
    roots,
    below,
    need,
    found: useMemo(() => result ?? null, [result]),
    total: undefined,
    phase: roots === undefined ? 'first' : fetching ? 'refresh' : 'ready',
    problem: roots === undefined ? (searched ? found.error : levels.first) : null,
    retry: searched ? () => void found.refetch() : levels.retry,
    result,
  }
}
