import type { Entity, Page, SystemColumns } from '@data-brain/contract'
import type { BulkAnswer, Choice, HistoryEntry } from '@data-brain/contract/generic'
import { createContext, useContext } from 'react'
import { get, post, type Query } from '../http/client.ts'
import type { OnceHeaders } from './once.ts'

export type { BulkAnswer, BulkRow, Change, Choice, HistoryEntry } from '@data-brain/contract/generic'

/** A row of any entity, as it travels: the system columns, and the fields by their names. */
export type Shown = SystemColumns & { readonly [field: string]: unknown }

/** An entry of a dictionary; a sealed one is shown on old rows and offered nowhere. */
export interface DictEntry {
  readonly dictKey: string
  readonly dictValue: string
  readonly dictValueEn?: string | null
  readonly sort: number
  readonly isSealed?: number
}

export interface RegionNode {
  readonly id: string
  readonly parentId: string
  readonly title: string
  readonly hasChildren?: boolean
}

/** A region that was found, after those above it. */
export type RegionWay = readonly { readonly code: string; readonly name: string }[]

export interface Upload {
  readonly link: string
  readonly name: string
  readonly attachId: string
}

/** A row that was saved, and the request under which that stands in the history. */
export interface Changed {
  readonly row: Shown
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
  list(entity: Entity, query: Query, signal?: AbortSignal): Promise<Page<Shown>>
  detail(entity: Entity, id: string, signal?: AbortSignal): Promise<Shown>
  /** Adds a row, or changes one that has its id. Failures are thrown and not shown: the form shows them where they belong. */
  change(entity: Entity, draft: Record<string, unknown>, once?: OnceHeaders): Promise<Changed>
  /** With `preview` nothing is changed, and only told what would be. */
  bulk(entity: Entity, work: Bulk, preview: boolean, once?: OnceHeaders): Promise<BulkAnswer>
  /** Answers the request under which the removal stands in the history, where it can be taken back. */
  remove(entity: Entity, ids: readonly string[]): Promise<{ readonly requestId?: string } | null>
  /** Makes a row what it was after an entry of its history. */
  restore(entity: Entity, id: string, historyId: string): Promise<Shown>
  /** Takes back all that one request changed; `changed`: rows that were changed since as well. */
  undo(
    requestId: string,
    changed: boolean,
  ): Promise<{ readonly rows: number; readonly counts?: Readonly<Record<string, number>> }>
  select(path: string, query: Query, signal?: AbortSignal): Promise<readonly Choice[]>
  history(entity: Entity, id: string, signal?: AbortSignal): Promise<readonly HistoryEntry[]>
  personal(entity: Entity, id: string): Promise<Record<string, string | null>>
  dictionaries(codes: readonly string[], signal?: AbortSignal): Promise<Record<string, readonly DictEntry[]>>
  regions(parentCode: string, signal?: AbortSignal): Promise<readonly RegionNode[]>
  regionPaths(codes: readonly string[], signal?: AbortSignal): Promise<Record<string, string>>
  /** Regions by what somebody types: name, pinyin, initials or code. */
  regionSearch(keyword: string, signal?: AbortSignal): Promise<readonly { readonly path: RegionWay }[]>
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
    const row = await post<Shown>(`${entity.path}/submit`, { body: draft, silent: true, numbered, ...headers })
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
    post('blade-log/history/undo', {
      query: { requestId, changed: changed ? 1 : undefined },
      silent: true,
      timeout: 60_000,
    }),
  select: (path, query, signal) => get(`${path}/select`, query, { signal }),
  history: (entity, id, signal) => get(`${entity.path}/history`, { id }, { signal }),
  personal: (entity, id) => get(`${entity.path}/personal`, { id }),
  dictionaries: (codes, signal) => get('blade-system/dict-biz/dictionaries', { codes }, { signal }),
  regions: (parentCode, signal) => get('blade-system/region/lazy-tree', { parentCode }, { signal }),
  regionPaths: (codes, signal) => get('blade-system/region/path', { codes }, { signal }),
  regionSearch: (keyword, signal) => get('blade-system/region/search', { keyword }, { signal, silent: true }),
  upload: (file) => {
    const form = new FormData()
    form.append('file', file)
    return post('blade-resource/oss/endpoint/put-file', { form, timeout: 60_000 })
  },
}

/** Where the engine's calls go; a test puts its own here. */
export const CallsContext = createContext<EntityCalls>(httpCalls)
export const useCalls = (): EntityCalls => useContext(CallsContext)
