import { uploadLogs as uploadCall } from '@data-brain/contract/calls/log'
import { call } from '../http/call.ts'
import { createStore } from '../ui/store.ts'
import { readStored, writeStored } from '../ui/stored.ts'
import { keepUnloaded } from '../ui/unloaded.ts'

/** An error of this console, kept in this browser until a person sends or clears it. */
export interface LogEntry {
  type: 'error'
  message: string
  stack: string
  /** Where in the code it was caught. */
  info: string
  url: string
  time: string
}

const atMost = 200
const charactersAtMost = 256 * 1024

export const logStore = createStore<readonly LogEntry[]>(readStored<LogEntry[]>('logs') ?? [])

/** A number without all but its last two signs. */
const ends = (number: string): string => '*'.repeat(number.length - 2) + number.slice(-2)

/** Takes out what looks like a token, an identity number or a phone number. */
export function maskSecrets(text: string): string {
  return text
    .replace(/\b(bs[afr]_)[\w-]+/g, '$1***')
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***')
    .replace(/\b[0-9a-f]{32,}\b/gi, '***')
    .replace(/\b\d{6}(?:19|20)\d{9}[\dXx]\b/g, ends)
    .replace(/(?<!\d)1[3-9]\d{9}(?!\d)/g, ends)
}

/** Stores an error in the ring: at most 200 entries and 256 kB, the oldest go first. */
export function logError(error: unknown, info: string): void {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: '' }
  const entry: LogEntry = {
    type: 'error',
    message: maskSecrets(message).slice(0, 1000),
    stack: maskSecrets(stack ?? '').slice(0, 4000),
    info: maskSecrets(info).slice(0, 1000),
    url: maskSecrets(window.location.href),
    time: new Date().toISOString(),
  }
  // Other windows of this browser keep theirs in the same place.
  let kept = [...(readStored<LogEntry[]>('logs') ?? logStore.get()), entry].slice(-atMost)
  while (kept.length > 1 && JSON.stringify(kept).length > charactersAtMost)
    kept = kept.slice(Math.ceil(kept.length / 10))
  keep(kept)
}

function keep(entries: readonly LogEntry[]): void {
  writeStored('logs', entries)
  logStore.set(entries)
}

/** Throws away what is kept. */
export const clearLogs = (): void => keep([])

/** What one upload may weigh; the server takes 64 kB. */
const uploadAtMost = 60 * 1024
const weigher = new TextEncoder()

/** The entries in parts that each fit one upload. */
function partsOf(entries: readonly LogEntry[]): LogEntry[][] {
  const parts: LogEntry[][] = [[]]
  let weight = 2
  for (const entry of entries) {
    const own = weigher.encode(JSON.stringify(entry)).length + 1
    if (weight + own > uploadAtMost && parts.at(-1)!.length > 0) {
      parts.push([])
      weight = 2
    }
    parts.at(-1)!.push(entry)
    weight += own
  }
  return parts
}

/** Sends what is kept to the server; what has arrived there is not kept here. Throws `HttpProblem`, which has been shown. */
export async function uploadLogs(): Promise<void> {
  for (const part of partsOf(logStore.get())) {
    await call(uploadCall, part)
    // By what they say: those kept may have been read anew from the browser's storage meanwhile.
    const sent = new Set(part.map((entry) => JSON.stringify(entry)))
    keep(logStore.get().filter((entry) => !sent.has(JSON.stringify(entry))))
  }
}

/** Collects what nobody caught. */
export function startLog(): void {
  keepUnloaded((error) => logError(error, 'chunk'))
  window.addEventListener('error', (event) => logError(event.error ?? event.message, 'window'))
  window.addEventListener('unhandledrejection', (event) => {
    // A call that failed has been shown already, and one that was given up is no error.
    const name = event.reason instanceof Error ? event.reason.name : ''
    if (name !== 'HttpProblem' && name !== 'AbortError') logError(event.reason, 'promise')
  })
}
