import { isDeepStrictEqual } from 'node:util'
import { type Call, type CallName, calls, type Row } from './calls.ts'
import type { Captured } from './capture.ts'
import { capturedBy, type Server } from './servers.ts'
import { patternOf, type Run, type Step } from './statements.ts'

export interface Asked {
  readonly path: string
  readonly body?: Row
  readonly form?: string
}

/** What every request of the benchmark carries, as the console's do. */
export interface Headers {
  readonly authorization: string
  readonly 'blade-auth': string
}

/** Asks a server and answers the envelope's data; anything but 200 is an error. */
export async function ask(server: Server, headers: Headers, { path, body, form }: Asked): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: body || form ? 'POST' : 'GET',
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : form ? { body: new URLSearchParams(form) } : {}),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 500)}`)
  return (JSON.parse(text) as { data: unknown }).data
}

const inputsOf = (call: Call, { path, body }: Asked) =>
  call.inputs(new URL(path, 'http://bench').searchParams, body ?? {})

/**
 * Writes down what the product sends for a call. `requests` differ in every input and are asked once each; the first is
 * asked again where the call only reads, which shows what the steady state leaves out.
 */
export async function record(
  server: Server,
  headers: Headers,
  name: CallName,
  requests: readonly Asked[],
): Promise<Step[]> {
  const sent = async (asked: Asked): Promise<Captured[]> => {
    await capturedBy(server, 'clear')
    await ask(server, headers, asked)
    return capturedBy(server, 'read')
  }
  const runs: Run[] = []
  for (const asked of requests) runs.push({ inputs: inputsOf(calls[name], asked), captured: await sent(asked) })
  return patternOf(name, runs, calls[name].method === 'GET' ? await sent(requests[0]!) : undefined)
}

/** Ends the benchmark where the bare server does not answer what the product answers. */
export function compare(name: string, product: unknown, bare: unknown, except: readonly string[] = []): void {
  const strip = (value: unknown): unknown =>
    except.length === 0
      ? value
      : Object.fromEntries(Object.entries(value as Row).filter(([key]) => !except.includes(key)))
  // Through JSON, as both have been on the wire.
  if (!isDeepStrictEqual(strip(product), strip(bare)))
    throw new Error(
      `${name}: the bare server answers something else:\n${JSON.stringify(product).slice(0, 900)}\n${JSON.stringify(bare).slice(0, 900)}`,
    )
}
