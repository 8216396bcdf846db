// Loaded before the server (`node --import`) by a run that is never measured: writes down every statement that one
// request sends, so that the bare server can send the very same.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Server, type ServerResponse } from 'node:http'
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

// Only what is sent for a request until its answer has gone: the server's own clock sends statements whenever it likes,
// the oftener in between the busier the machine.
const serving = new AsyncLocalStorage<{ answered: boolean }>()
const emit = Server.prototype.emit as (this: Server, event: string, ...given: unknown[]) => boolean
Server.prototype.emit = function (this: Server, event: string, ...given: unknown[]) {
  if (event !== 'request') return Reflect.apply(emit, this, [event, ...given])
  const request = { answered: false }
  const answer = given[1] as ServerResponse
  answer.once('close', () => {
    request.answered = true
  })
  return serving.run(request, () => Reflect.apply(emit, this, [event, ...given]))
} as typeof Server.prototype.emit

const original = driver.Client.prototype.query as (...given: unknown[]) => unknown

driver.Client.prototype.query = function (this: unknown, ...given: unknown[]) {
  const [first, second] = given
  if (serving.getStore()?.answered !== false) return Reflect.apply(original, this, given)
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
