import type { Change, HistoryEntry } from '../../entity/calls.ts'
import { get, type Query } from '../../http/client.ts'

/** Records that only grow, newest first: `next` is where the older ones begin. */
export interface Slice<T> {
  readonly records: readonly T[]
  readonly next: string | null
}

/** One change of the tenant's data. */
export interface Changed {
  readonly id: string
  readonly entity: string
  readonly entityName: string
  readonly rowId: string
  readonly rowName: string | null
  readonly action: HistoryEntry['action']
  readonly userId: string | null
  readonly userName: string | null
  readonly time: string
  readonly requestId: string | null
  readonly imported: 0 | 1
}

export type ChangedDetail = Changed & { readonly changes: readonly Change[] }

export interface Verdict {
  readonly sealed: number
  readonly unsealed: number
  readonly broken: number
  readonly first: {
    readonly fault: 'changed' | 'missing' | 'added' | 'seal'
    readonly seq: number
    readonly historyId: string | null
    readonly entity: string | null
    readonly rowId: string | null
    readonly at: string | null
    readonly userName: string | null
  } | null
  readonly head: string | null
  readonly next: number | null
}

export const readChanges = (query: Query, signal: AbortSignal): Promise<Slice<Changed>> =>
  get('blade-log/history/list', query, { signal, silent: true })

export const readChange = (id: string, signal: AbortSignal): Promise<ChangedDetail> =>
  get('blade-log/history/detail', { id }, { signal, silent: true })

/** Computes the chain of hashes anew, piece by piece; `told` hears how many rows were found to be as they were. */
export async function verifyHistory(told: (sealed: number) => void): Promise<Verdict> {
  let whole: Verdict | undefined
  let from: number | null = 0
  while (from !== null) {
    const part: Verdict = await get('blade-log/history/verify', { from }, { timeout: 60_000 })
    whole = whole
      ? {
          ...part,
          sealed: whole.sealed + part.sealed,
          broken: whole.broken + part.broken,
          first: whole.first ?? part.first,
        }
      : part
    told(whole.sealed)
    from = part.next
  }
  return whole!
}
