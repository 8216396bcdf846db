// Loaded before the server (`node --import`) by a run that is never measured: writes down every statement that one
// request sends, so that the bare server can send the very same.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'

/** One statement as the driver was given it. */
export interface Captured {
  readonly text: string
  readonly name?: string
  readonly values: readonly unknown[]
}

// The server's own driver: the one that its folder resolves.
const resolve = createRequire(new URL('../server/package.json', import.meta.url)).resolve
const { default: driver } = (await import(pathToFileURL(resolve('pg')).href)) as { default: typeof pg }

let log: Captured[] = []
const original = driver.Client.prototype.query as (...given: unknown[]) => unknown

driver.Client.prototype.query = function (this: unknown, ...given: unknown[]) {
  const [first, second] = given
  if (typeof first === 'string') log.push({ text: first, values: Array.isArray(second) ? second : [] })
  else if (first && typeof first === 'object' && 'text' in first) {
    const { text, name, values } = first as Captured
    log.push({ text, ...(name ? { name } : {}), values: values ? [...values] : [] })
  }
  return Reflect.apply(original, this, given)
} as typeof driver.Client.prototype.query

// 'advanced' serialization: bytes arrive as bytes.
process.on('message', (message) => {
  if (message === 'clear') log = []
  process.send?.({ captured: log })
})
