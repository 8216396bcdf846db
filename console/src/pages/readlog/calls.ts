import { get, type Query } from '../../http/client.ts'
import type { Slice } from '../history/calls.ts'

export const kinds = ['list', 'detail', 'personal', 'export', 'file'] as const

/** One time that somebody read a child's record. */
export interface Read {
  readonly id: string
  readonly time: string
  readonly userId: string | null
  readonly userName: string | null
  readonly entityName: string
  readonly childId: string
  readonly childName: string | null
  readonly kind: (typeof kinds)[number]
  readonly reason: string | null
  readonly address: string | null
}

export const readReads = (query: Query, signal: AbortSignal): Promise<Slice<Read>> =>
  get('blade-log/read/list', query, { signal, silent: true })
