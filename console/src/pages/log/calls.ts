import type { LogKind, LogPage } from '@data-brain/contract/entities/log/logs'
import { get, type Query } from '../../http/client.ts'

/** A row of a log, as it travels: fields by their names. */
export interface LogRow {
  readonly id: string
  readonly createTime: string
  readonly title: string
  readonly [field: string]: unknown
}

/** Errors that are alike. */
export interface ErrorGroup {
  /** The newest of them. */
  readonly id: string
  readonly title: string
  readonly exceptionName: string | null
  readonly count: number
  readonly people: number
  readonly firstTime: string
  readonly createTime: string
}

export const readLog = (kind: LogKind, query: Query, signal?: AbortSignal): Promise<LogPage<LogRow>> =>
  get(`blade-log/${kind}/list`, query, { ...(signal ? { signal } : {}), silent: true })

export const readLogRow = (kind: LogKind, id: string, signal?: AbortSignal): Promise<LogRow> =>
  get(`blade-log/${kind}/detail`, { id }, { ...(signal ? { signal } : {}), silent: true })

export const readGroups = (
  query: Query,
  signal?: AbortSignal,
): Promise<{ readonly groups: readonly ErrorGroup[]; readonly searchedTo: string | null }> =>
  get('blade-log/error/groups', query, { ...(signal ? { signal } : {}), silent: true })

/** What of the caller's tenant was lost on the way into the logs. */
export const readState = (signal?: AbortSignal): Promise<{ readonly queued: number; readonly lost: number }> =>
  get('blade-log/state', undefined, { ...(signal ? { signal } : {}), silent: true })
