import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const committed = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'openapi.json'), 'utf8'))

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
