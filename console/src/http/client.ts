import { boot, clientHeader } from './boot.ts'

/** An answer that was not 200, or no answer at all (`status` 0). */
export class HttpProblem extends Error {
  readonly code: number
  readonly status: number
  readonly data: unknown
  /** Where the server can be asked about it: the number of the request in its log. */
  readonly requestId: string | undefined

  constructor(message: string, status: number, code: number, data: unknown, requestId?: string) {
    super(message)
    this.name = 'HttpProblem'
    this.status = status
    this.code = code
    this.data = data
    this.requestId = requestId
  }
}

/** Whether what was asked for is not there, or no longer: asking again would not bring it. */
export const isMissing = (problem: unknown): boolean =>
  problem instanceof HttpProblem && (problem.status === 404 || problem.status === 400)

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[]
export type Query = Record<string, QueryValue> | URLSearchParams

export interface CallOptions {
  signal?: AbortSignal
  /** The caller shows the failure itself: no toast. A 401 still ends the session. */
  silent?: boolean
  /** Milliseconds; for the few calls that are known to take longer than the ordinary ones. */
  timeout?: number
}

export interface PostOptions extends CallOptions {
  query?: Query
  body?: unknown
  /** Sent as it is: a file upload, or parameters that must not stand in an address. */
  form?: FormData | URLSearchParams
  /** Headers of this call alone, beside those of every call. */
  headers?: Readonly<Record<string, string>>
  /** Sent also while the page goes: the browser sees to it that it arrives. */
  keepalive?: boolean
  /** Hears the number of a request that was answered well: under it a change stands in the history. */
  numbered?: (requestId: string) => void
}

/** What the door to the server needs from the parts above it. */
interface Hooks {
  token: () => string | undefined
  language: () => string
  /** The words for an answer without any. */
  unknown: () => string
  offline: () => string
  timedOut: () => string
  failed: (problem: HttpProblem) => void
  unauthorized: (problem: HttpProblem) => void
  /** The session is locked, wherever that was done. */
  locked: () => void
  /** Why somebody reads the records of these children; undefined where they do not say. */
  explain: (children: readonly string[]) => Promise<string | undefined>
  /** The reason that goes for whatever is read. */
  reason: () => string | undefined
  /** The server runs another build than the one this page came from. */
  newBuild: (build: string) => void
}

const hooks: Hooks = {
  token: () => undefined,
  language: () => 'zh',
  unknown: () => '',
  offline: () => '',
  timedOut: () => '',
  failed: () => {},
  unauthorized: () => {},
  locked: () => {},
  explain: async () => undefined,
  reason: () => undefined,
  newBuild: () => {},
}

/** Connects the client with session, words and toasts; called once at start. */
export function connectHttp(parts: Partial<Hooks>): void {
  Object.assign(hooks, parts)
}

const ordinaryTimeout = 10_000

/** Codes that are rejected without a toast, because the place that called shows them: changed by others. */
const whitelist: ReadonlySet<number> = new Set([409])

const questioned = (query: URLSearchParams): string => (query.toString() ? `?${query}` : '')

/** The query text of the values that are there; lists travel comma separated, as the API family does. */
export function queryText(query: Query | undefined): string {
  if (!query) return ''
  if (query instanceof URLSearchParams) return questioned(query)
  const out = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue
    out.set(key, Array.isArray(value) ? value.join(',') : String(value))
  }
  return questioned(out)
}

/** A reason as a header carries it. */
const explaining = (reason: string | undefined): Record<string, string> =>
  reason ? { 'Read-Reason': encodeURIComponent(reason) } : {}

/** The headers of every call. */
export function callHeaders(): Record<string, string> {
  const token = hooks.token()
  return {
    Authorization: clientHeader(),
    'Accept-Language': hooks.language(),
    ...(token ? { 'Blade-Auth': `bearer ${token}` } : {}),
    ...explaining(hooks.reason()),
  }
}

/** What a failure comes to: the end of the session, or a word to the person unless the caller says it itself. */
export function settleFailure(problem: HttpProblem, silent: boolean | undefined): HttpProblem {
  if (problem.code === 401 || problem.status === 401) hooks.unauthorized(problem)
  else if (problem.code === 423) hooks.locked()
  else if (!silent && !whitelist.has(problem.code)) hooks.failed(problem)
  return problem
}

type Sending = RequestInit & { readonly headers: Record<string, string> }

/** What the server answers to whoever reads a child's record without saying why, where the tenant asks for that. */
const unexplained = 428

/** Sends; where the server asks why a child's record is read, it is sent once more with what the person says. */
async function send(path: string, init: Sending, query: Query | undefined, options: CallOptions): Promise<Response> {
  const answer = await sendOnce(path, init, query, options)
  if (answer.status !== unexplained) return answer
  const { children } = ((await parse(answer.clone()))?.data ?? {}) as { children?: readonly string[] }
  const reason = await hooks.explain(children ?? [])
  if (!reason) return answer
  return sendOnce(path, { ...init, headers: { ...init.headers, ...explaining(reason) } }, query, options)
}

async function sendOnce(
  path: string,
  init: RequestInit,
  query: Query | undefined,
  options: CallOptions,
): Promise<Response> {
  // Own wiring instead of AbortSignal.any, which the oldest supported browsers lack.
  const stop = new AbortController()
  const giveUp = () => stop.abort()
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    stop.abort()
  }, options.timeout ?? ordinaryTimeout)
  if (options.signal?.aborted) stop.abort()
  options.signal?.addEventListener('abort', giveUp)
  try {
    const answer = await fetch(`/api/${path}${queryText(query)}`, {
      credentials: 'same-origin',
      ...init,
      signal: stop.signal,
    })
    const build = answer.headers.get('X-Build')
    if (build && boot.build && build !== boot.build) hooks.newBuild(build)
    return answer
  } catch (error) {
    if (options.signal?.aborted) throw error
    const words = timedOut ? hooks.timedOut() : hooks.offline()
    throw settleFailure(new HttpProblem(words, 0, 0, undefined), options.silent)
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', giveUp)
  }
}

/** Words for an answer without any, and for none at all. */
export const plainWords = (): { unknown: string; offline: string } => ({
  unknown: hooks.unknown(),
  offline: hooks.offline(),
})

interface Answer {
  code?: number
  msg?: string
  error_description?: string
  data?: unknown
}

async function parse(response: Response): Promise<Answer | undefined> {
  const text = await response.text()
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Answer) : undefined
  } catch {
    // A gateway's error page, or nothing: the status says all there is to say.
    return undefined
  }
}

async function call(path: string, init: Sending, query: Query | undefined, options: PostOptions): Promise<Answer> {
  const response = await send(path, init, query, options)
  const answer = await parse(response)
  const code = answer?.code ?? response.status
  const requestId = response.headers.get('X-Request-Id') ?? undefined
  if (response.status === 200 && code === 200 && answer) {
    if (requestId) options.numbered?.(requestId)
    return answer
  }
  const message = answer?.msg || answer?.error_description || hooks.unknown()
  throw settleFailure(new HttpProblem(message, response.status, code, answer?.data, requestId), options.silent)
}

function posting({ body, form, headers: own, keepalive = false }: PostOptions): Sending {
  const all = { ...callHeaders(), ...own }
  const kept = keepalive ? { keepalive } : {}
  if (form) return { method: 'POST', headers: all, body: form, ...kept }
  if (body === undefined) return { method: 'POST', headers: all, ...kept }
  return {
    method: 'POST',
    ...kept,
    headers: { ...all, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/** `data` of the answer; anything but 200 is thrown as `HttpProblem`, and shown unless silent. */
export async function get<T>(path: string, query?: Query, options: CallOptions = {}): Promise<T> {
  return (await call(path, { headers: callHeaders() }, query, options)).data as T
}

/** `data` of the answer to a change; anything but 200 is thrown as `HttpProblem`, and shown unless silent. */
export async function post<T>(path: string, options: PostOptions = {}): Promise<T> {
  return (await call(path, posting(options), options.query, options)).data as T
}

/** The answer as it stands: the token call wraps nothing in `data`. */
export async function postBare<T>(path: string, options: PostOptions = {}): Promise<T> {
  return (await call(path, posting(options), options.query, options)) as T
}

/** An answer whose body is read as it arrives; one that refuses is answered too, for its status to be looked at. */
export const openStream = (path: string, query?: Query, options: CallOptions = {}): Promise<Response> =>
  send(path, { headers: callHeaders() }, query, { silent: true, ...options })

export interface DownloadOptions extends CallOptions {
  /** Sent by POST: for what the server hands over once. */
  body?: unknown
  /** Hears how many bytes have arrived: of a file that is still being made nobody knows the size. */
  received?: (bytes: number) => void
}

/** The bytes of an answer as they arrive. One that breaks off is no file. */
async function blobOf(response: Response, { signal, received, silent }: DownloadOptions): Promise<Blob> {
  const type = response.headers.get('Content-Type') ?? ''
  if (!response.body) return response.blob()
  const reader = response.body.getReader()
  const stop = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', stop)
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { done, value } = await reader.read()
      signal?.throwIfAborted()
      if (done) return new Blob(pieces, { type })
      pieces.push(value)
      bytes += value.byteLength
      received?.(bytes)
    }
  } catch (error) {
    if (signal?.aborted) throw error
    throw settleFailure(new HttpProblem(hooks.offline(), 0, 0, undefined), silent)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/**
 * A file of the server, with the name it gave it. `signal` ends it at any time; then, as everywhere, what is thrown is
 * no `HttpProblem`.
 */
export async function download(
  path: string,
  query?: Query,
  options: DownloadOptions = {},
): Promise<{ blob: Blob; name: string }> {
  const init = options.body === undefined ? { headers: callHeaders() } : posting({ body: options.body })
  const response = await send(path, init, query, { timeout: 120_000, ...options })
  if (response.status !== 200) {
    const answer = await parse(response)
    const message = answer?.msg || answer?.error_description || hooks.unknown()
    throw settleFailure(
      new HttpProblem(message, response.status, answer?.code ?? response.status, answer?.data),
      options.silent,
    )
  }
  const given = response.headers.get('Content-Disposition') ?? ''
  const starred = /filename\*=UTF-8''([^;]+)/i.exec(given)?.[1]
  const name = starred ? decodeURIComponent(starred) : (/filename="?([^";]+)/i.exec(given)?.[1] ?? 'download')
  return { blob: await blobOf(response, options), name }
}
