import { Problem } from './problem.ts'

/** A body, or a part of one, that has to be an object; what stands in it nobody has judged yet. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Problem('bad_request')
  return value as Readonly<Record<string, unknown>>
}

/** Whether a body speaks of a row that is there: one that is to be added has no id, or an empty one. */
export const namesRow = ({ id }: Readonly<Record<string, unknown>>): boolean =>
  id !== undefined && id !== null && id !== ''
