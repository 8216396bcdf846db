import type { Entity } from '@data-brain/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { get } from '../../http/client.ts'
import type { TreeMove } from '../../ui/tree/drag.ts'
import { everyNode, findIn, type TreeSearch, textIn } from '../../ui/tree/flat.ts'
import type { ShownRow } from '../data/calls.ts'

/** A row that may stand under another one of its entity; on the wire a root has the parent 0. */
export type TreeRow<E extends Entity = Entity> = ShownRow<E> & {
  readonly parentId?: string | null
  readonly children?: readonly TreeRow<E>[]
  readonly hasChildren?: boolean
}

/** What a tree page shows: where its rows come from, level by level or all at once, and what a search leaves of them. */
export interface TreeSource<E extends Entity = Entity> {
  readonly roots: readonly TreeRow<E>[] | undefined
  below(row: TreeRow<E>): readonly TreeRow<E>[] | undefined
  /** Fetches what is below a row. */
  need?(row: TreeRow<E>): void
  readonly found: TreeSearch | null
  /** How many there are, where that is known. */
  readonly total: number | undefined
  readonly phase: 'first' | 'refresh' | 'ready'
  readonly problem: Error | null
  readonly retry: () => void
}

export const treeKey = (entity: Pick<Entity, 'name'>) => ['entity', entity.name, 'tree'] as const
export const childrenOf = <R extends { readonly children?: readonly R[] }>(row: R): readonly R[] | undefined =>
  row.children
/** The parent of a row, null at the top. */
export const parentOf = (row: TreeRow): string | null => (row.parentId && row.parentId !== '0' ? row.parentId : null)

/** All rows of an entity as its list answers them: a forest. */
export function useForest<E extends Entity>(entity: E, enabled = true) {
  return useQuery({
    enabled,
    queryKey: treeKey(entity),
    queryFn: ({ signal }) => get<readonly TreeRow<E>[]>(`${entity.path}/list`, {}, { signal, silent: true }),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    retry: false,
    meta: {
      reads: [entity.name, ...Object.values(entity.fields).flatMap((field) => (field.to ? [field.to] : []))],
    },
  })
}

/** The whole tree in one answer; the search looks at these fields of every row. */
export function useWholeTree<E extends Entity>(
  entity: E,
  search: string,
  fields: readonly (keyof E['fields'] & string)[],
  enabled = true,
): TreeSource<E> {
  const forest = useForest(entity, enabled)
  const roots = forest.data
  const text = search.trim()
  const found = useMemo(
    () =>
      text === '' || !roots
        ? null
        : findIn<TreeRow>(roots, (row) => textIn(text, ...fields.map((name) => String(row[name] ?? '')))),
    [roots, text, fields],
  )
  const total = useMemo(() => (roots ? everyNode(roots).length : undefined), [roots])
  return {
    roots,
    below: childrenOf,
    found,
    total,
    phase: roots === undefined ? 'first' : forest.isFetching ? 'refresh' : 'ready',
    problem: roots === undefined ? forest.error : null,
    retry: () => void forest.refetch(),
  }
}

/** What is known of a tree, as a forest: levels that were not fetched are not in it. */
export const knownOf = (roots: readonly TreeRow[], below: TreeSource['below']): readonly TreeRow[] =>
  below === childrenOf ? roots : roots.map((row) => withChildren(row, knownOf(below(row) ?? [], below)))

/** The forest after a move, as the server will answer it. */
export function movedForest(roots: readonly TreeRow[], { id, parentId, beforeId }: TreeMove): readonly TreeRow[] {
  const row = everyNode(roots).find((other) => other.id === id)
  if (!row) return roots
  const without = (rows: readonly TreeRow[]): TreeRow[] =>
    rows
      .filter((other) => other.id !== id)
      .map((other) => (other.children ? withChildren(other, without(other.children)) : other))
  const into = (rows: readonly TreeRow[]): TreeRow[] => {
    const at = rows.findIndex((other) => other.id === beforeId)
    const placed = { ...row, parentId: parentId ?? '0' }
    return at < 0 ? [...rows, placed] : [...rows.slice(0, at), placed, ...rows.slice(at)]
  }
  const step = (rows: readonly TreeRow[]): TreeRow[] =>
    rows.map((other) =>
      other.id === parentId
        ? withChildren(other, into(other.children ?? []))
        : other.children
          ? withChildren(other, step(other.children))
          : other,
    )
  return parentId === null ? into(without(roots)) : step(without(roots))
}

function withChildren(row: TreeRow, children: readonly TreeRow[]): TreeRow {
  const { children: _, ...rest } = row
  return (children.length > 0 ? { ...rest, children } : rest) as TreeRow
}

/** The move that brings a row back to where it stands now. */
export function backOf(roots: readonly TreeRow[], id: string): TreeMove {
  const rows = everyNode(roots)
  const row = rows.find((other) => other.id === id)
  const parentId = row ? parentOf(row) : null
  const beside = parentId === null ? roots : (rows.find((other) => other.id === parentId)?.children ?? [])
  const at = beside.findIndex((other) => other.id === id)
  return { id, parentId, beforeId: beside[at + 1]?.id ?? null }
}
