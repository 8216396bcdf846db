import type { Entity, ListedRow, Page } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { undoChanges } from '@data-brain/contract/calls/history'
import { regionPaths, regionsBelow, searchRegions } from '@data-brain/contract/calls/region'
import type { BulkAnswer, Choice, HistoryEntry } from '@data-brain/contract/generic'
import { createContext, useContext } from 'react'
import { call } from '../../http/call.ts'
import { get, post, type Query } from '../../http/client.ts'
import { type DictEntry, type KeptFile, keepFile, readDictionaries } from '../../http/services.ts'
import type { OnceHeaders } from './idempotency.ts'

export type { BulkAnswer, BulkRow, Change, Choice, HistoryEntry } from '@data-brain/contract/generic'

/** A row of this entity as a page shows it: the columns of its list, and further fields where they were asked for. */
export type ShownRow<E extends Entity = Entity> = ListedRow<E>

export type { DictEntry } from '../../http/services.ts'

export type RegionNode = AnswerOf<typeof regionsBelow>[number]

export type FoundRegions = AnswerOf<typeof searchRegions>

/** A file that was just uploaded. */
export type Upload = KeptFile

/** How many rows were taken back, of each kind, and the first of these by name. */
export type UndoAnswer = Pick<AnswerOf<typeof undoChanges>, 'rows'> & Partial<AnswerOf<typeof undoChanges>>

/** A row that was saved, and the request under which that stands in the history. */
export interface SavedRow<R extends ShownRow = ShownRow> {
  readonly row: R
  readonly requestId: string | undefined
}

/** The same new values for many rows; the versions are those that were read. */
export interface Bulk {
  readonly ids: readonly string[]
  readonly values: Readonly<Record<string, unknown>>
  readonly versions: Readonly<Record<string, number>>
  /** Numbers of single rows, by id, that follow from the change. */
  readonly each?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Everything the engine asks of the server; tests answer it from memory. */
export interface EntityCalls {
  list(entity: Entity, query: Query, signal?: AbortSignal): Promise<Page<ShownRow>>
  detail(entity: Entity, id: string, signal?: AbortSignal): Promise<ShownRow>
  /** Adds a row, or changes one that has its id. Failures are thrown and not shown: the form shows them where they belong. */
  change(entity: Entity, draft: Record<string, unknown>, once?: OnceHeaders): Promise<SavedRow>
  /** With `preview` nothing is changed, and only told what would be. */
  bulk(entity: Entity, work: Bulk, preview: boolean, once?: OnceHeaders): Promise<BulkAnswer>
  /** Answers the request under which the removal stands in the history, where it can be taken back. */
  remove(entity: Entity, ids: readonly string[]): Promise<{ readonly requestId?: string } | null>
  /** Makes a row what it was after an entry of its history. */
  restore(entity: Entity, id: string, historyId: string): Promise<ShownRow>
  /** Takes back all that one request changed; `changed`: rows that were changed since as well. */
  undo(requestId: string, changed: boolean): Promise<UndoAnswer>
  select(path: string, query: Query, signal?: AbortSignal): Promise<readonly Choice[]>
  history(entity: Entity, id: string, signal?: AbortSignal): Promise<readonly HistoryEntry[]>
  personal(entity: Entity, id: string): Promise<Record<string, string | null>>
  dictionaries(codes: readonly string[], signal?: AbortSignal): Promise<Record<string, readonly DictEntry[]>>
  regions(parentCode: string, signal?: AbortSignal): Promise<readonly RegionNode[]>
  regionPaths(codes: readonly string[], signal?: AbortSignal): Promise<Record<string, string>>
  /** Regions by what somebody types: name, pinyin, initials or code. */
  regionSearch(keyword: string, signal?: AbortSignal): Promise<FoundRegions>
  upload(file: File): Promise<Upload>
}

/** The calls over HTTP. */
export const httpCalls: EntityCalls = {
  list: (entity, query, signal) => get(`${entity.path}/list`, query, { signal }),
  // Whoever asks for a row shows in its place why there is none.
  detail: (entity, id, signal) => get(`${entity.path}/detail`, { id }, { signal, silent: true }),
  change: async (entity, draft, once) => {
    let requestId: string | undefined
    const numbered = (number: string) => {
      requestId = number
    }
    const headers = once ? { headers: once } : {}
    const row = await post<ShownRow>(`${entity.path}/submit`, { body: draft, silent: true, numbered, ...headers })
    return { row, requestId }
  },
  bulk: (entity, { ids, values, versions, each }, preview, once) =>
    post(`${entity.path}/bulk`, {
      query: { ids, preview: preview ? 1 : undefined },
      body: { values, versions, each },
      silent: true,
      timeout: 60_000,
      ...(once ? { headers: once } : {}),
    }),
  remove: (entity, ids) => post(`${entity.path}/remove`, { query: { ids }, silent: true }),
  restore: (entity, id, historyId) => post(`${entity.path}/restore`, { query: { id, historyId } }),
  undo: (requestId, changed) =>
    call(undoChanges, { requestId, changed: changed ? 1 : undefined }, { silent: true, timeout: 60_000 }),
  select: (path, query, signal) => get(`${path}/select`, query, { signal }),
  history: (entity, id, signal) => get(`${entity.path}/history`, { id }, { signal }),
  personal: (entity, id) => get(`${entity.path}/personal`, { id }),
  dictionaries: readDictionaries,
  regions: (parentCode, signal) => call(regionsBelow, { parentCode }, { signal }),
  regionPaths: (codes, signal) => call(regionPaths, { codes }, { signal }),
  regionSearch: (keyword, signal) => call(searchRegions, { keyword }, { signal, silent: true }),
  upload: keepFile,
}

/** Where the engine's calls go; a test puts its own here. */
export const CallsContext = createContext<EntityCalls>(httpCalls)
export const useCalls = (): EntityCalls => useContext(CallsContext)
