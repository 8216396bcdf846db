import { entityOf, type Words } from '@data-brain/contract'
import type { ParameterGroup } from '@data-brain/contract/parameters'
import { get } from '../../http/client.ts'

const { path } = entityOf('param')

/** A setting that the server reads: what it means, what holds now, and the row that sets it in this tenant. */
export interface Known {
  readonly key: string
  readonly group: ParameterGroup
  readonly label: Words
  readonly help: Words
  readonly unit?: Words
  /** The entity whose titles the text is chosen from. */
  readonly from?: string
  readonly type: 'integer' | 'flag' | 'text'
  readonly min?: number
  readonly max?: number
  readonly default: string | number
  readonly value: string | number
  readonly own: 0 | 1
  readonly row: { readonly id: string; readonly version: number } | null
}

export const readKnown = (signal: AbortSignal): Promise<readonly Known[]> => get(`${path}/known`, undefined, { signal })
