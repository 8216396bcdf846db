import { type Entity, entityOf, type Page } from '@data-brain/contract'
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { announce } from '../../ui/announce.tsx'
import { prefetch } from '../../ui/prefetch.ts'
import type { Marks } from '../../ui/table/marks.ts'
import { useT } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import { useEntity } from '../data/client.ts'
import type { ListState, Steps } from './list-state.ts'

/** The form and the record, each in a file of its own that comes when it is wanted, or when there is time. */
export const loadForm = () => import('../form/form.tsx')
export const loadDetail = () => import('../detail/detail.tsx')

/** When the list has long been painted, and what comes next is no part of its price. */
const QUIET = 3000

interface ListEffects {
  readonly entity: Entity
  readonly state: ListState
  readonly steps: Steps
  readonly found: UseQueryResult<Page<ShownRow>>
  readonly marks: Marks<ShownRow>
  /** Whether the page is the one shown. */
  readonly active: boolean
  /** Whether the form can be opened here. */
  readonly mayForm: boolean
}

/** What follows from what a list shows; answers whether it is filtered. */
export function useListEffects({ entity, state, steps, found, marks, active, mayForm }: ListEffects): boolean {
  const t = useT()
  const { filters, size } = state
  const { isSuccess, isPlaceholderData } = found
  const total = found.data?.total ?? 0
  const isEmpty = found.data?.records.length === 0
  // Ticks belong to what is listed: other filters, other rows.
  const before = useRef(filters)
  useEffect(() => {
    if (before.current === filters) return
    before.current = filters
    marks.clear()
  }, [filters, marks])
  const isFiltered = Object.keys(filters).length > 0
  useEffect(() => {
    if (active && isFiltered && isSuccess && !isPlaceholderData)
      announce(t('entity.filtered', { count: total, unit: entity.measure }))
  }, [entity, active, isFiltered, total, isSuccess, isPlaceholderData, t])
  // The page asked for may lie past the end: somebody deleted rows, or the link is old.
  useEffect(() => {
    if (isEmpty && !isPlaceholderData && total > 0) steps.page(Math.max(1, Math.ceil(total / size)))
  }, [isEmpty, isPlaceholderData, total, size, steps])
  useEffect(() => {
    if (!isSuccess) return
    const timer = setTimeout(() => {
      prefetch(loadDetail)
      if (mayForm) prefetch(loadForm)
    }, QUIET)
    return () => clearTimeout(timer)
  }, [isSuccess, mayForm])
  return isFiltered
}

/** Whether it is written down who opens a record: those of children, and of what is a part of one. */
const isWatched = (entity: Entity): boolean =>
  entity.logsReads === true ||
  (entity.within !== undefined && entityOf(entity.fields[entity.within]!.to!).logsReads === true)

/**
 * Fetches the record that somebody is about to open. A child's record only its code: that somebody pointed at a row is
 * not that they read it, and every read is written down.
 */
export function useNear(entity: Entity): (record: ShownRow) => void {
  const client = useEntity(entity)
  const queries = useQueryClient()
  return useCallback(
    (record) => {
      prefetch(loadDetail)
      if (!isWatched(entity)) void queries.prefetchQuery(client.detail(record.id))
    },
    [entity, client, queries],
  )
}
