import { entityOf, type Page, type Words } from '@data-brain/contract'
import type { Shown } from '../../entity/calls.ts'
import { get } from '../../http/client.ts'

const { path } = entityOf('param')

/** A parameter that the server reads: what it means, what holds now, and whether this tenant has set it. */
export interface Known {
  readonly key: string
  readonly label: Words
  readonly help: Words
  readonly type: 'integer' | 'flag' | 'text'
  readonly min?: number
  readonly max?: number
  readonly default: string | number
  readonly value: string | number
  readonly own: 0 | 1
}

export const readKnown = (signal: AbortSignal): Promise<readonly Known[]> => get(`${path}/known`, undefined, { signal })

/** The tenant's own row of a key, if it has one. */
export async function rowOf(key: string): Promise<Shown | undefined> {
  const { records } = await get<Page<Shown>>(`${path}/list`, { paramKey_equal: key, current: 1, size: 1 })
  return records[0]
}
