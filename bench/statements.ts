import type { Captured } from './capture.ts'

/** What fills a place of a statement: always the same value, something of the request, or something made anew. */
export type Part =
  | { readonly constant: unknown }
  | { readonly input: string }
  | { readonly fresh: 'id' | 'slot' }
  | { readonly bytes: number }

/** One statement of a call, to be sent again with other values. */
export interface Step {
  readonly text: string
  readonly name?: string
  readonly values: readonly Part[]
  /** A count that the product keeps while nothing is written: sent only when the stamp has moved. */
  readonly kept: boolean
}

/** What one request was given, by name, and what it sent. */
export interface Run {
  readonly inputs: Readonly<Record<string, unknown>>
  readonly captured: readonly Captured[]
}

/**
 * The statements of a call as a pattern, from two requests that differ in every input. What differs between them must
 * be an input, an id, one of the stamp's slots, or fresh bytes: anything else stops the benchmark, because the bare
 * server would no longer send what the product sends. `warm` is a third request whose statements the steady state sends;
 * what it leaves out is kept.
 */
export function patternOf(call: string, a: Run, b: Run, warm: readonly Captured[] = a.captured): Step[] {
  if (a.captured.length === 0) throw new Error(`${call}: the product sent no statement`)
  if (a.captured.length !== b.captured.length)
    throw new Error(`${call}: two requests sent ${a.captured.length} and ${b.captured.length} statements`)
  const left = warm.map(({ text }) => shape(text, {}))
  const steps = a.captured.map((one, index): Step => {
    const other = b.captured[index]!
    const text = shape(one.text, a.inputs)
    if (text !== shape(other.text, b.inputs)) throw new Error(`${call}: statement ${index + 1} changes its text`)
    const at = left.indexOf(shape(one.text, {}))
    if (at >= 0) left.splice(at, 1)
    const values = one.values.map((value, place) =>
      partOf(`${call}, statement ${index + 1}, $${place + 1}`, value, other.values[place], a.inputs, b.inputs),
    )
    return { text, ...(one.name ? { name: one.name } : {}), values, kept: at < 0 && !/^(begin|commit)/.test(text) }
  })
  if (left.length > 0) throw new Error(`${call}: the steady state sends what the first request did not: ${left[0]}`)
  return steps
}

// The opening carries the token's hash in its text, as the simple protocol takes no values.
const shape = (text: string, inputs: Readonly<Record<string, unknown>>): string =>
  text.replace(/\\x[0-9a-f]{64}/g, '\\x{{hash}}').replaceAll(String(inputs.tenant ?? '{{tenant}}'), '{{tenant}}')

function partOf(place: string, one: unknown, other: unknown, a: Run['inputs'], b: Run['inputs']): Part {
  for (const name of Object.keys(a)) if (same(one, a[name]) && same(other, b[name]) && !same(a[name], b[name])) return { input: name }
  if (same(one, other)) return { constant: one }
  if (one instanceof Uint8Array && other instanceof Uint8Array && one.length === other.length) return { bytes: one.length }
  const texts = [String(one), String(other)]
  if (texts.every((text) => /^[1-9][0-9]{14,18}$/.test(text))) return { fresh: 'id' }
  if (typeof one === 'number' && texts.every((text) => /^([0-9]|1[0-5])$/.test(text))) return { fresh: 'slot' }
  throw new Error(`${place}: cannot tell where ${texts[0]} and ${texts[1]} come from`)
}

const same = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && one !== null && JSON.stringify(one) === JSON.stringify(other))
