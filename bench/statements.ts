import type { Captured } from './capture.ts'

/** What fills a place of a statement: always the same value, something of the request, or something made anew. */
export type Part =
  | { readonly constant: unknown }
  | { readonly input: string }
  | { readonly fresh: 'slot' }
  /** An id made for the request; the same `nth` is the same id wherever the request names it again. */
  | { readonly fresh: 'id'; readonly nth: number }
  | { readonly bytes: number }
  | { readonly list: readonly Part[] }

/** One statement of a call, to be sent again with other values. */
export interface Step {
  readonly text: string
  readonly name?: string
  readonly values: readonly Part[]
  /** A count that the product keeps while nothing is written: sent only when the stamp has moved. */
  readonly kept: boolean
}

/** Requests of one call differed in what they sent, so that bare cannot send the same. */
export class NoPattern extends Error {}

/** What one request was given, by name, and what it sent. */
export interface Run {
  readonly inputs: Readonly<Record<string, unknown>>
  readonly captured: readonly Captured[]
}

/**
 * The statements of a call as a pattern, from requests that differ in every input. What differs between them must be
 * an input, an id, one of the stamp's slots, or fresh bytes: anything else stops the benchmark, because the bare
 * server would no longer send what the product sends. `warm` is what a later request sent: what it leaves out is kept.
 */
export function patternOf(call: string, runs: readonly Run[], warm?: readonly Captured[]): Step[] {
  const [first, ...others] = runs as [Run, ...Run[]]
  if (first.captured.length === 0 || others.length === 0) throw new NoPattern(`${call}: the product sent no statement`)
  for (const { captured } of others)
    if (captured.length !== first.captured.length)
      throw new NoPattern(`${call}: two requests sent ${first.captured.length} and ${captured.length} statements`)
  const ids: string[] = []
  const left = (warm ?? first.captured).map(({ text }) => shape(text))
  const steps = first.captured.map((one, index): Step => {
    const place = `${call}, statement ${index + 1}`
    const text = shape(one.text)
    for (const { captured } of others)
      if (text !== shape(captured[index]!.text)) throw new NoPattern(`${place} changes its text`)
    const at = left.indexOf(text)
    if (at >= 0) left.splice(at, 1)
    const values = one.values.map((value, nth) =>
      partOf(
        `${place}, $${nth + 1}`,
        value,
        others.map(({ captured }) => captured[index]!.values[nth]),
        runs.map(({ inputs }) => inputs),
        ids,
      ),
    )
    return { text, ...(one.name ? { name: one.name } : {}), values, kept: at < 0 }
  })
  if (left.length > 0) throw new NoPattern(`${call}: the steady state sends what the first request did not: ${left[0]}`)
  return steps
}

// The opening carries the token's hash in its text, as the simple protocol takes no values.
const shape = (text: string): string => text.replace(/\\x[0-9a-f]{64}/g, '\\x{{hash}}')

function partOf(
  place: string,
  one: unknown,
  others: readonly unknown[],
  inputs: readonly Run['inputs'][],
  ids: string[],
): Part {
  for (const name of Object.keys(inputs[0] ?? {}))
    if ([one, ...others].every((value, run) => same(value, inputs[run]![name])) && !same(one, others[0]))
      return { input: name }
  if (others.every((other) => same(one, other))) return { constant: one }
  const all = [one, ...others]
  if (one instanceof Uint8Array && others.every((other) => other instanceof Uint8Array && other.length === one.length))
    return { bytes: one.length }
  if (Array.isArray(one) && others.every((other) => Array.isArray(other) && other.length === one.length))
    return {
      list: one.map((each, at) =>
        partOf(
          place,
          each,
          (others as unknown[][]).map((other) => other[at]),
          inputs,
          ids,
        ),
      ),
    }
  const texts = all.map(String)
  if (texts.every((text) => /^[1-9][0-9]{14,18}$/.test(text))) {
    if (!ids.includes(texts[0]!)) ids.push(texts[0]!)
    return { fresh: 'id', nth: ids.indexOf(texts[0]!) }
  }
  if (all.every((value) => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 16))
    return { fresh: 'slot' }
  throw new NoPattern(
    `${place}: cannot tell where ${all.map((value) => JSON.stringify(value)).join(' and ')} come from`,
  )
}

const same = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && one !== null && JSON.stringify(one) === JSON.stringify(other))
