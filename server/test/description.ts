import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const committed = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'openapi.json'), 'utf8'))

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, object> }>>>>
  readonly components: { readonly responses: Readonly<Record<string, object>> }
}

/** A description in which each operation states its own answers: those of several calls are put where they are pointed at. */
export function withAnswers<T>(described: T): T {
  const copy = structuredClone(described) as T & Described
  for (const methods of Object.values(copy.paths))
    for (const operation of Object.values(methods))
      for (const [status, answer] of Object.entries(operation.responses)) {
        const name = (answer as { $ref?: string }).$ref?.split('/').at(-1)
        if (name) operation.responses[status] = copy.components.responses[name]!
      }
  return copy
}

const inlined = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(inlined)
  if (typeof part !== 'object' || part === null) return part
  const { $ref: ref } = part as { $ref?: string }
  if (ref === undefined) return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, inlined(each)]))
  return inlined(
    ref
      .split('/')
      .slice(1)
      .reduce((of, name) => of[name], committed),
  )
}

/** The operations of the committed description, with what stands once put where it is pointed at. */
export const describedPaths = <T>(): T => inlined(committed.paths) as T
