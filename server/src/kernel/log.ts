/** One JSON object per line on standard error; secrets never enter it (callers pass facts, not bodies). */
export interface Log {
  info(message: string, facts?: Record<string, unknown>): void
  warn(message: string, facts?: Record<string, unknown>): void
  error(message: string, facts?: Record<string, unknown>): void
}

const levels = ['error', 'warn', 'info'] as const

/** A log that writes what is at least as grave as `level` (`silent` writes nothing). */
export function makeLog(level: string): Log {
  const limit = levels.indexOf(level as (typeof levels)[number])
  const write = (kind: (typeof levels)[number]) => (message: string, facts?: Record<string, unknown>) => {
    if (levels.indexOf(kind) <= limit)
      process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level: kind, message, ...facts })}\n`)
  }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}
