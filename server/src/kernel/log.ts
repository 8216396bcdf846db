import { maskText } from './mask-text.ts'

/**
 * One JSON object per line on standard error. Callers pass facts, not bodies; out of the words of errors, in which a
 * database repeats what it was given, is taken what looks like a secret or like somebody's number.
 */
export interface Log {
  info(message: string, facts?: Record<string, unknown>): void
  warn(message: string, facts?: Record<string, unknown>): void
  error(message: string, facts?: Record<string, unknown>): void
}

const levels = ['error', 'warn', 'info'] as const

/** What `LOG_LEVEL` may be, gravest first; `silent` writes nothing. */
export const logLevels: readonly string[] = ['silent', ...levels]

/** Longest text of one fact: a stack is rarely longer. */
const textMost = 8_000

/** Words that are not ours. */
const foreign = new Set(['error', 'reason'])

const plain = (name: string, value: unknown): unknown => {
  if (typeof value === 'string') return foreign.has(name) ? maskText(value.slice(0, textMost)) : value
  if (value instanceof Error) return maskText((value.stack ?? value.message).slice(0, textMost))
  return typeof value === 'bigint' ? String(value) : value
}

/** A line of the log. Never throws: facts that cannot be written are told as such. */
function lineOf(level: string, message: string, facts: Record<string, unknown> | undefined): string {
  const head = { time: new Date().toISOString(), level, pid: process.pid, message }
  try {
    return JSON.stringify({ ...head, ...facts, ...head }, plain)
  } catch (error) {
    return JSON.stringify({ ...head, unwritable: String(error) })
  }
}

/** A log that writes what is at least as grave as `level` (`silent` writes nothing). */
export function makeLog(level: string): Log {
  const limit = levels.indexOf(level as (typeof levels)[number])
  const write = (kind: (typeof levels)[number]) => (message: string, facts?: Record<string, unknown>) => {
    if (levels.indexOf(kind) <= limit) process.stderr.write(`${lineOf(kind, message, facts)}\n`)
  }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}
