import { type LogKind, type LogPage, logs } from '@data-brain/contract/entities/log/logs'
import { get, type Query } from '../../http/client.ts'

/** A row of a log, as it travels: fields by their names. */
export interface LogRow {
  readonly id: string
  readonly createTime: string
  readonly title: string
  readonly [field: string]: unknown
}

export const readLog = (kind: LogKind, query: Query, signal?: AbortSignal): Promise<LogPage<LogRow>> =>
  get(`${logs[kind].path}/list`, query, { ...(signal ? { signal } : {}), silent: true })

export const readLogRow = (kind: LogKind, id: string, signal?: AbortSignal): Promise<LogRow> =>
  get(`${logs[kind].path}/detail`, { id }, { ...(signal ? { signal } : {}), silent: true })
