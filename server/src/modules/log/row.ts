import { hostname } from 'node:os'
import type { LogEvent, LogKind } from '@data-brain/contract/entities/log/logs'
import { newId, timeOfId } from '../../database/id.ts'
import { cutText, maskAny, maskText } from './mask.ts'

/** One row that waits to be written: everything in it has been masked and cut. */
export interface LogRow {
  readonly kind: LogKind
  readonly tenantId: string
  /** By column; what a table has no column for is not written. */
  readonly columns: Readonly<Record<string, string | number | null>>
  /** Roughly what it holds of memory. */
  readonly weight: number
}

/** What is told of a call in every log. */
export interface LoggedCall {
  readonly tenantId: string
  readonly userId?: string | null
  readonly createBy?: string | null
  /** Of a log-in: an account that is told only where there is such a one, for a password may have been typed there. */
  readonly account?: string | null
  /** Of a log-out: the digest of the token, by which the writer finds who it was. */
  readonly tokenHash?: string | null
  readonly title: string
  readonly method?: string
  readonly requestUri?: string
  readonly remoteIp?: string
  readonly userAgent?: string
  readonly status?: number
  readonly time?: number
  readonly traceId?: string
  readonly serviceId?: string
}

/** Longest text of each column; the tables check the same. */
const longest: Readonly<Record<string, number>> = {
  title: 200,
  service_id: 64,
  server_host: 128,
  env: 128,
  method: 8,
  request_uri: 255,
  remote_ip: 64,
  user_agent: 255,
  create_by: 64,
  trace_id: 64,
  log_data: 4_000,
  params: 4_000,
  result: 64,
  exception_name: 128,
  file_name: 255,
  message: 2_000,
  stack_trace: 8_000,
  log_id: 32,
  log_level: 8,
  account: 64,
  token_hash: 64,
}

/** Texts that come from outside and are kept as they were sent, but for what must not be in a log. */
const masked = new Set(['title', 'request_uri', 'user_agent', 'create_by', 'message', 'stack_trace', 'file_name'])

const host = cutText(hostname(), 128)
let installation = host
/** Tells by what name this installation is reached. */
export function nameInstallation(publicUrl: string | null): void {
  installation = publicUrl ? cutText(new URL(publicUrl).host, 128) : host
}

/** Short texts that came before, as they stand in the log: paths, programs and names come again and again. */
const known = new Map<string, string>()
const knownMost = 1_000

function maskedOf(value: string, most: number): string {
  if (value.length > 255) return cutText(maskText(cutText(value, most * 2)), most)
  const key = `${most} ${value}`
  const kept = known.get(key)
  if (kept !== undefined) return kept
  const made = cutText(maskText(cutText(value, most * 2)), most)
  if (known.size >= knownMost) known.clear()
  known.set(key, made)
  return made
}

function rowOf(
  kind: LogKind,
  told: LoggedCall,
  more: Readonly<Record<string, string | number | null | undefined>>,
): LogRow {
  const id = newId()
  const given: Record<string, string | number | null | undefined> = {
    title: told.title,
    service_id: told.serviceId ?? told.requestUri?.split('/')[2],
    server_host: host,
    env: installation,
    method: told.method,
    request_uri: told.requestUri,
    remote_ip: told.remoteIp,
    user_agent: told.userAgent,
    status: told.status,
    time: told.time,
    create_by: told.createBy,
    user_id: told.userId,
    trace_id: told.traceId,
    account: told.account,
    token_hash: told.tokenHash,
    ...more,
  }
  const columns: Record<string, string | number | null> = {
    id,
    create_time: timeOfId(id).toISOString(),
  }
  let weight = 300
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue
    if (typeof value === 'number') {
      columns[name] = value
      continue
    }
    const most = longest[name] ?? 64
    // Masked with room to spare, and cut again: what is masked may be longer than it was.
    columns[name] = masked.has(name) ? maskedOf(value, most) : cutText(value, most)
    weight += value.length
  }
  return { kind, tenantId: told.tenantId, columns, weight }
}

/** What was given, masked, as a text that fits its column. */
export function paramsOf(given: unknown): string | null {
  const text = JSON.stringify(maskAny(given))
  return text === undefined || text === '{}' || text === 'null' ? null : text
}

/** `params` are what `paramsOf` made: one call may stand in two logs, and is masked once. */
export const apiRow = (told: LoggedCall, more: { readonly result: string; readonly params: string | null }): LogRow =>
  rowOf('api', told, { result: more.result, params: more.params })

export const usualRow = (
  told: LoggedCall,
  more: { readonly event: LogEvent; readonly level?: 'info' | 'warn'; readonly data?: string | null },
): LogRow => rowOf('usual', told, { log_id: more.event, log_level: more.level ?? 'info', log_data: more.data })

/** Where in the code a stack begins: `at work (file:///…/x.ts:12:5)`, or a browser's `work@https://…/x.js:12:5`. */
const frame = /(?:at .*?\(?|@)((?:file:\/\/|https?:\/\/[^/\s]+)?\/[^\s():]+):(\d{1,9}):\d{1,9}/

export const errorRow = (
  told: Omit<LoggedCall, 'title'>,
  more: { readonly name: string; readonly message: string; readonly stack?: string; readonly params?: string | null },
): LogRow => {
  const [, file, line] = frame.exec((more.stack ?? '').slice(0, 8_000)) ?? []
  const first = more.message.split('\n', 1)[0]?.trim()
  return rowOf(
    'error',
    { ...told, title: first || more.name },
    {
      exception_name: more.name,
      message: more.message,
      stack_trace: more.stack,
      // The folder in which a server stands is its own affair.
      file_name: file?.replace(/^.*?\/(?=(?:server|console|contract|assets|node_modules)\/)/, ''),
      line_number: line === undefined ? null : Math.min(Number(line), 2_147_483_647),
      params: more.params,
    },
  )
}
