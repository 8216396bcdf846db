import { type Draft, type Entity, entityOf, type Page, type Row } from '@data-brain/contract'
import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Query } from '../../http/client.ts'
import { dictionaryEntities } from '../../http/services.ts'
import { asStep } from '../../ui/undo.ts'
import {
  type Bulk,
  type BulkAnswer,
  type Choice,
  type DictEntry,
  type EntityCalls,
  type SavedRow,
  type ShownRow,
  useCalls,
} from './calls.ts'
import { isOpen, type OnceHeaders } from './idempotency.ts'

/** Data this old is asked for again when somebody looks; younger data is not, or every tab switch would ask. */
const STALE = 30_000
const RARELY = 300_000

/** The names of the entities whose rows an answer about this entity shows: itself, and what it refers to. */
function readsOf(entity: Entity): string[] {
  return [entity.name, ...Object.values(entity.fields).flatMap((field) => (field.to ? [field.to] : []))]
}

/** Everything read from this entity is asked for again: its lists, and every list that shows its names. */
export async function refresh(client: QueryClient, name: string): Promise<void> {
  await client.invalidateQueries({
    predicate: (query) => (query.meta?.reads as readonly string[] | undefined)?.includes(name) === true,
  })
}

/** What a call answers about an entity is what its definition says. */
const typed = <R>(answer: Promise<unknown>): Promise<R> => answer as Promise<R>

/** The engine of one entity: queries to hand to `useQuery`, and changes that refresh what was read. */
function bind<E extends Entity>(entity: E, calls: EntityCalls, client: QueryClient) {
  const meta = { reads: readsOf(entity) }
  /** A change without an answer may be stored all the same: what is shown is read again, and not believed. */
  const heard = async <T>(change: Promise<T>): Promise<T> => {
    try {
      return await change
    } catch (problem) {
      if (isOpen(problem)) void refresh(client, entity.name)
      throw problem
    }
  }
  /** A change that can be taken back once it is told. */
  const step = <T>(change: Promise<T>): Promise<T> => asStep(heard(change))
  return {
    list: (query: Record<string, string | number>) =>
      queryOptions({
        queryKey: ['entity', entity.name, 'list', query],
        queryFn: ({ signal }) => typed<Page<ShownRow<E>>>(calls.list(entity, query, signal)),
        staleTime: STALE,
        placeholderData: keepPreviousData,
        retry: false,
        meta,
      }),
    detail: (id: string, partial?: ShownRow) =>
      queryOptions({
        queryKey: ['entity', entity.name, 'detail', id],
        queryFn: ({ signal }) => calls.detail(entity, id, signal),
        staleTime: STALE,
        placeholderData: partial,
        retry: false,
        meta,
      }),
    history: (id: string) =>
      queryOptions({
        queryKey: ['entity', entity.name, 'history', id],
        queryFn: ({ signal }) => calls.history(entity, id, signal),
        staleTime: STALE,
        retry: false,
        meta,
      }),
    /**
     * Adds without an id, updates with one; answers the stored row and the request it can be taken back by. `once`: the
     * server does a save that is sent again once.
     */
    async store(draft: Draft<E>, once?: OnceHeaders): Promise<SavedRow<Row<E>>> {
      const done = await step(typed<SavedRow<Row<E>>>(calls.change(entity, draft, once)))
      client.setQueryData(['entity', entity.name, 'detail', done.row.id], done.row)
      void refresh(client, entity.name)
      return done
    },
    /** As store, for whoever offers no way back, or one of their own. */
    async save(draft: Draft<E>): Promise<Row<E>> {
      return (await this.store(draft)).row
    },
    /** Shows a row in every list as it is, or will be once the server has said so; nothing is asked for. */
    show(row: ShownRow<E>): void {
      client.setQueriesData<Page<ShownRow<E>>>({ queryKey: ['entity', entity.name, 'list'] }, (page) =>
        page?.records.some((other) => other.id === row.id)
          ? { ...page, records: page.records.map((other) => (other.id === row.id ? row : other)) }
          : page,
      )
    },
    /** Changes a row that is there. */
    async change(draft: Draft<E>): Promise<SavedRow<Row<E>>> {
      const done = await step(typed<SavedRow<Row<E>>>(calls.change(entity, draft)))
      client.setQueryData(['entity', entity.name, 'detail', done.row.id], done.row)
      return done
    },
    /** A page of rows as they are now: for what is put on paper, and not kept. */
    page: (query: Query, signal?: AbortSignal) => typed<Page<ShownRow<E>>>(calls.list(entity, query, signal)),
    /** A whole row as it is now, for the same. */
    whole: (id: string, signal?: AbortSignal) => typed<Row<E>>(calls.detail(entity, id, signal)),
    /** Rows, and whole numbers, of another entity that belong to what is put on paper. */
    others: <O extends Entity>(other: O, query: Query) => typed<Page<ShownRow<O>>>(calls.list(other, query)),
    numbers: (other: Entity, id: string) => calls.personal(other, id),
    /** Gives many rows the same values, or with `preview` asks what that would come to; `renew` follows the last call. */
    bulk: (work: Bulk, preview: boolean, once?: OnceHeaders): Promise<BulkAnswer> =>
      preview ? calls.bulk(entity, work, preview, once) : step(calls.bulk(entity, work, preview, once)),
    /** Asks again for everything that shows rows of this entity. */
    renew: (): Promise<void> => refresh(client, entity.name),
    /** As after a change, but for the lists of this entity, which show it already: those are asked for when they turn. */
    async settle(): Promise<void> {
      const own = ['entity', entity.name, 'list']
      const isOwn = (key: readonly unknown[]) => own.every((part, at) => key[at] === part)
      await Promise.all([
        client.invalidateQueries({ queryKey: own, refetchType: 'none' }),
        client.invalidateQueries({
          predicate: ({ meta, queryKey }) =>
            (meta?.reads as readonly string[] | undefined)?.includes(entity.name) === true && !isOwn(queryKey),
        }),
      ])
    },
    /** What a row of another entity is called, where some list of choices has told. */
    nameOf(to: string, id: string): string | undefined {
      const known = client.getQueriesData<readonly Choice[]>({ queryKey: ['entity', to, 'select'] })
      return known.flatMap(([, choices]) => choices ?? []).find((choice) => choice.id === id)?.name
    },
    /** Answers the request that the removal can be taken back by, where it can. `more`: further calls belong to it. */
    remove(ids: readonly string[], more = false): Promise<string | undefined> {
      const removed = async () => {
        const done = await heard(calls.remove(entity, ids))
        if (!more) await refresh(client, entity.name)
        return done?.requestId
      }
      return asStep(removed())
    },
    async restore(id: string, historyId: string): Promise<Row<E>> {
      const row = await heard(typed<Row<E>>(calls.restore(entity, id, historyId)))
      client.setQueryData(['entity', entity.name, 'detail', row.id], row)
      await refresh(client, entity.name)
      return row
    },
    /**
     * Takes back all that one request changed, of whatever kind: everything that is shown is read again. `more`: further
     * calls belong to it. Answers how many rows of this entity came back: what went along is not counted.
     */
    async undo(requestId: string, changed: boolean, more = false): Promise<UndoSummary> {
      const { rows, counts, names } = await heard(calls.undo(requestId, changed))
      if (!more) await client.invalidateQueries()
      const own = counts?.[entity.name]
      return own === undefined ? { count: rows } : { count: own, unit: entity.measure, names: names?.[entity.name] }
    },
    personal: (id: string) => calls.personal(entity, id),
  }
}

/** How many rows were taken back, the word by which they are counted, and the names of the first. */
export interface UndoSummary {
  readonly count: number
  readonly unit?: string | undefined
  readonly names?: readonly string[] | undefined
}

export type EntityClient<E extends Entity = Entity> = ReturnType<typeof bind<E>>

/** Lists, rows, history and changes of one entity. */
export function useEntity<E extends Entity>(entity: E): EntityClient<E> {
  const calls = useCalls()
  const client = useQueryClient()
  return useMemo(() => bind(entity, calls, client), [entity, calls, client])
}

/** A whole row of an entity as it is now. */
export function useRow<E extends Entity>(entity: E, id: string) {
  const { detail } = useEntity(entity)
  return useQuery({ ...detail(id), select: (row) => row as ShownRow<E> })
}

/** Lists, rows, history and changes of several entities, which are always the same ones. */
export function useEntities(several: readonly Entity[]): readonly EntityClient[] {
  const calls = useCalls()
  const client = useQueryClient()
  return useMemo(() => several.map((entity) => bind(entity, calls, client)), [several, calls, client])
}

/** The rows of another entity that a reference may take. */
export function useChoices(to: string, path: string, query: Query, enabled: boolean) {
  const calls = useCalls()
  return useQuery({
    queryKey: ['entity', to, 'select', query, path],
    queryFn: ({ signal }): Promise<readonly Choice[]> => calls.select(path, query, signal),
    staleTime: STALE,
    placeholderData: keepPreviousData,
    enabled,
    retry: false,
    meta: { reads: [to] },
  })
}

export type Dictionaries = Readonly<Record<string, readonly DictEntry[]>>
const NONE: Dictionaries = {}
/** Stands for a dictionary that is on its way: its keys are no words, and are not shown. */
export const LOADING_DICTIONARY: readonly DictEntry[] = []

/** Every dictionary an entity's fields use. */
export function dictsOf(entity: Entity): string[] {
  const codes = Object.values(entity.fields).flatMap((field) =>
    // Conditions speak of another entity, in the words of its dictionaries.
    // Of a tenant's own the field says what it offers.
    field.options
      ? []
      : field.dict
        ? [field.dict]
        : field.as === 'condition' && typeof field.of === 'string'
          ? dictsOf(entityOf(field.of))
          : [],
  )
  return [...new Set(entity.status ? [...codes, entity.status.dict] : codes)].sort()
}

/** What a tenant's own choices offer, as a dictionary each. */
const optionsOf = (entity: Entity): Dictionaries =>
  Object.fromEntries(
    Object.values(entity.fields).flatMap(({ dict, options }) =>
      dict && options
        ? [
            [
              dict,
              options.map(({ key, label, retired }, sort) => ({
                ...{ dictKey: key, dictValue: label.zh, dictValueEn: label.en, sort },
                ...(retired ? { isSealed: 1 as const } : {}),
              })),
            ],
          ]
        : [],
    ),
  )

/** All dictionaries of an entity in one call; each is `ON_ITS_WAY` until they are there. */
export function useDictionaries(entity: Entity): Dictionaries {
  const calls = useCalls()
  const codes = useMemo(() => dictsOf(entity), [entity])
  const waiting = useMemo(() => Object.fromEntries(codes.map((code) => [code, LOADING_DICTIONARY])), [codes])
  const { data, isError } = useQuery({
    queryKey: ['dictionaries', codes],
    queryFn: ({ signal }) => calls.dictionaries(codes, signal),
    staleTime: RARELY,
    enabled: codes.length > 0,
    meta: { reads: dictionaryEntities },
  })
  const found = data ?? (isError ? NONE : waiting)
  return useMemo(() => {
    const own = optionsOf(entity)
    return Object.keys(own).length === 0 ? found : { ...found, ...own }
  }, [entity, found])
}

export type RegionPaths = Readonly<Record<string, string>>
const NOWHERE: RegionPaths = {}

/** The full names of these regions in one call; empty until they are there. */
export function useRegionPaths(codes: readonly string[]): RegionPaths {
  const calls = useCalls()
  const wanted = [...new Set(codes)].sort()
  const { data } = useQuery({
    queryKey: ['region-paths', wanted],
    queryFn: ({ signal }) => calls.regionPaths(wanted, signal),
    staleTime: RARELY,
    enabled: wanted.length > 0,
    placeholderData: keepPreviousData,
    meta: { reads: ['region'] },
  })
  return wanted.length > 0 ? (data ?? NOWHERE) : NOWHERE
}
