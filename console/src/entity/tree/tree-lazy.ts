import type { Entity, Page } from '@data-brain/contract'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { get } from '../../http/client.ts'
import { everyNode, type TreeSearch } from '../../ui/tree/flat.ts'
import { parentOf, type TreeRow, type TreeSource, useWholeTree } from './tree-source.ts'

const top = '0'
const STALE = 30_000
const NO_ROWS: readonly TreeRow[] = []

/** Up to this many rows a tree is fetched whole, and searched in the browser. */
const FEW = 500
/** The most matches that a search shows. */
const MOST = 200

interface Result extends TreeSearch {
  readonly roots: readonly TreeRow[]
}

const level = (entity: Entity, query: Record<string, string>, signal: AbortSignal) =>
  get<readonly TreeRow[]>(`${entity.path}/lazy-list`, query, { signal, silent: true })

/** Rows that match a text, with those that they stand under: asked of the server. */
async function searchIn(entity: Entity, text: string, signal: AbortSignal): Promise<Result> {
  const matches = (await level(entity, { [entity.title]: text }, signal)).slice(0, MOST)
  const rows = new Map<string, TreeRow | undefined>(matches.map((row) => [row.id, row]))
  // The ways up are fetched a level at a time, all rows of it at once: as many calls as the tree is deep.
  for (;;) {
    const missing = [...new Set([...rows.values()].flatMap((row) => (row && parentOf(row)) ?? []))].filter(
      (id) => !rows.has(id),
    )
    if (missing.length === 0) break
    const above = await get<Page<TreeRow>>(
      `${entity.path}/list`,
      { id: missing.slice(0, MOST), current: 1, size: MOST },
      { signal, silent: true },
    )
    for (const row of above.records) rows.set(row.id, row)
    // Of what lies outside of one's own part there is no more to be had: there the way begins.
    for (const id of missing) if (!rows.has(id)) rows.set(id, undefined)
  }
  const there = [...rows.values()].filter((row) => row !== undefined)
  const under = new Map<string, TreeRow[]>()
  for (const row of there) {
    const parent = parentOf(row)
    const above = parent !== null && rows.get(parent) !== undefined ? parent : top
    under.set(above, [...(under.get(above) ?? []), row])
  }
  const inOrder = (rows: readonly TreeRow[]) =>
    [...rows].sort(
      (a, b) => Number(a.sort ?? 0) - Number(b.sort ?? 0) || a.id.length - b.id.length || (a.id < b.id ? -1 : 1),
    )
  const nested = (row: TreeRow): TreeRow => {
    const inside = under.has(row.id) && inOrder(under.get(row.id)!).map(nested)
    return inside ? ({ ...row, children: inside } as TreeRow) : row
  }
  const roots = inOrder(under.get(top) ?? []).map(nested)
  return {
    roots,
    shown: new Set(there.map(({ id }) => id)),
    opened: new Set(everyNode(roots).flatMap((row) => (row.children ? [row.id] : []))),
    matches: matches.length,
  }
}

/** A tree fetched level by level as it is opened; a search asks the server, and shows the ways to what it found. */
function useLevels(entity: Entity, search: string, total: number | undefined, enabled: boolean): TreeSource {
  const [wanted, setWanted] = useState<readonly string[]>([top])
  const text = useDeferredValue(search.trim())
  const meta = useMemo(
    () => ({ reads: [entity.name, ...Object.values(entity.fields).flatMap((field) => (field.to ? [field.to] : []))] }),
    [entity],
  )
  const levels = useQueries({
    queries: wanted.map((parentId) => ({
      queryKey: ['entity', entity.name, 'level', parentId],
      queryFn: ({ signal }: { signal: AbortSignal }) => level(entity, { parentId }, signal),
      staleTime: STALE,
      enabled,
      retry: false,
      meta,
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
  const searched = text !== ''
  const found = useQuery({
    queryKey: ['entity', entity.name, 'level-search', text],
    queryFn: ({ signal }) => searchIn(entity, text, signal),
    enabled: enabled && searched,
    staleTime: STALE,
    placeholderData: keepPreviousData,
    retry: false,
    meta,
  })
  const byParent = useMemo(
    () => new Map(wanted.flatMap((id, at) => (levels.data[at] ? [[id, levels.data[at]] as const] : []))),
    [wanted, levels.data],
  )
  const below = useCallback(
    (row: TreeRow) =>
      searched ? (row.children ?? NO_ROWS) : (byParent.get(row.id) ?? (row.hasChildren ? undefined : NO_ROWS)),
    [searched, byParent],
  )
  const need = useCallback((row: TreeRow) => setWanted((now) => (now.includes(row.id) ? now : [...now, row.id])), [])
  const result = searched ? found.data : undefined
  const roots = searched ? result?.roots : byParent.get(top)
  const fetching = searched ? found.isFetching : levels.isFetching
  return {
    roots,
    below,
    need,
    found: useMemo(() => result ?? null, [result]),
    total,
    phase: roots === undefined ? 'first' : fetching ? 'refresh' : 'ready',
    problem: roots === undefined ? (searched ? found.error : levels.first) : null,
    retry: searched ? () => void found.refetch() : levels.retry,
  }
}

/**
 * The rows under a parent, at the top for null, in a tree that is fetched level by level: undefined until they are there,
 * and none where they cannot be had.
 */
export function useLevel(entity: Entity | undefined, parentId: string | null): readonly TreeRow[] | undefined {
  const { data, isError } = useQuery({
    queryKey: ['entity', entity?.name, 'level', parentId ?? top],
    queryFn: ({ signal }) => level(entity!, { parentId: parentId ?? top }, signal),
    staleTime: STALE,
    enabled: entity !== undefined,
    retry: false,
    ...(entity ? { meta: { reads: [entity.name] } } : {}),
  })
  return data ?? (isError ? NO_ROWS : undefined)
}

/** A tree as a whole where it has few rows, and level by level where it has many. */
export function useTree(entity: Entity, search: string, fields: readonly string[]): TreeSource {
  const counted = useQuery({
    queryKey: ['entity', entity.name, 'tree-count'],
    queryFn: ({ signal }) =>
      get<Page<TreeRow>>(`${entity.path}/list`, { current: 1, size: 1 }, { signal, silent: true }),
    staleTime: STALE,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { reads: [entity.name] },
  })
  const total = counted.data?.total
  const many = total !== undefined && total > FEW
  const whole = useWholeTree(entity, search, fields, total !== undefined && !many)
  const levels = useLevels(entity, search, total, many)
  if (counted.isError && total === undefined)
    return { ...whole, problem: counted.error, retry: () => void counted.refetch() }
  return many ? levels : whole
}
