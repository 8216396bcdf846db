import type { Entity, Page } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { businessEntries, systemDetail, systemEntries, systemParents } from '@data-brain/contract/calls/dict'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type EntityClient, refresh } from '../../entity/data/index.ts'
import { call } from '../../http/call.ts'
import { get, HttpProblem } from '../../http/client.ts'
import { toast } from '../../ui/toast.ts'
import { type Language, useT } from '../../ui/words.ts'

/** A dictionary, or an entry of one: what rows of both kinds have. */
export type DictRow = AnswerOf<typeof systemEntries>[number]

/** The name of a row in the language shown; the Chinese one where nobody wrote an English one. */
export const shownName = (row: DictRow, language: Language): string =>
  (language === 'en' && row.dictValueEn) || row.dictValue

export interface ParentQuery {
  readonly current: number
  readonly size: number
  readonly code: string
  readonly dictValue: string
}

const key = (entity: Entity) => ['entity', entity.name] as const

const isSystem = (entity: Entity): boolean => entity.name === 'dict'

/** A page of dictionaries. */
export function useParents(entity: Entity, query: ParentQuery, enabled: boolean) {
  return useQuery({
    queryKey: [...key(entity), 'parents', query],
    queryFn: ({ signal }): Promise<Page<DictRow>> =>
      isSystem(entity)
        ? call(systemParents, query, { signal, silent: true })
        : get(`${entity.path}/parent-list`, { ...query }, { signal, silent: true }),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    enabled,
    retry: false,
    meta: { reads: [entity.name] },
  })
}

/** The entries of a dictionary as a forest. */
export function useEntries(entity: Entity, parentId: string | null) {
  return useQuery({
    queryKey: [...key(entity), 'children', parentId],
    queryFn: ({ signal }): Promise<readonly DictRow[]> =>
      call(isSystem(entity) ? systemEntries : businessEntries, { parentId: parentId ?? '' }, { signal, silent: true }),
    staleTime: 30_000,
    enabled: parentId !== null,
    retry: false,
    meta: { reads: [entity.name] },
  })
}

/** One dictionary, for a page that was opened at it. */
export function useDictionary(entity: Entity, id: string | null) {
  return useQuery({
    queryKey: [...key(entity), 'detail', id],
    queryFn: ({ signal }): Promise<DictRow> =>
      isSystem(entity)
        ? call(systemDetail, { id: id ?? '' }, { signal, silent: true })
        : get(`${entity.path}/detail`, { id }, { signal, silent: true }),
    staleTime: 30_000,
    enabled: id !== null,
    retry: false,
    meta: { reads: [entity.name] },
  })
}

const sealIn = (rows: readonly DictRow[], id: string, isSealed: 0 | 1): readonly DictRow[] =>
  rows.map((row) => {
    if (row.id === id) return { ...row, isSealed }
    return row.children ? { ...row, children: sealIn(row.children, id, isSealed) } : row
  })

/** Seals or unseals at once, with a way back; what the server refuses is taken back in its words. */
export function useSeal(entity: Entity, client: EntityClient): (row: DictRow, isSealed: 0 | 1) => Promise<void> {
  const t = useT()
  const queries = useQueryClient()
  return useCallback(
    async (row, isSealed) => {
      const show = (value: 0 | 1) => {
        queries.setQueriesData<Page<DictRow>>(
          { queryKey: [...key(entity), 'parents'] },
          (page) => page && { ...page, records: [...sealIn(page.records, row.id, value)] },
        )
        queries.setQueriesData<readonly DictRow[]>(
          { queryKey: [...key(entity), 'children'] },
          (rows) => rows && sealIn(rows, row.id, value),
        )
      }
      const put = async (value: 0 | 1, undo: boolean) => {
        show(value)
        try {
          // Without a version: of two who seal the same entry both mean the same.
          await client.save({ id: row.id, isSealed: value })
          if (undo)
            toast.success(t(value === 1 ? 'dict.isSealed' : 'dict.isUnsealed'), row.dictValue, {
              label: t('tree.undo'),
              run: () => void put(value === 1 ? 0 : 1, false),
            })
        } catch (problem) {
          if (!(problem instanceof HttpProblem)) throw problem
          show(value === 1 ? 0 : 1)
          toast.error(problem.message || t('spec.unknownError'))
          void refresh(queries, entity.name)
        }
      }
      await put(isSealed, true)
    },
    [entity, client, queries, t],
  )
}

/** What is done with rows of the dictionaries. */
export interface DictWork {
  readonly may: { readonly view: boolean; readonly add: boolean; readonly edit: boolean; readonly remove: boolean }
  readonly onEdit: (row: DictRow) => void
  readonly onRemove: (rows: readonly DictRow[], done: () => void) => void
  readonly onSeal: (row: DictRow, isSealed: 0 | 1) => void
}
