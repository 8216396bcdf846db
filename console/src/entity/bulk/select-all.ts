import { useCallback, useEffect, useRef, useState } from 'react'
import { HttpProblem } from '../../http/client.ts'
import type { Marks } from '../../ui/table/marks.ts'
import type { ShownRow } from '../data/calls.ts'
import type { EntityClient } from '../data/client.ts'

/** As many rows as one call answers or takes, and as one selection holds. */
export const CHUNK_ROWS = 200
export const MOST_SELECTED = 5000

/** What is to be done, a call's worth at a time. */
export function chunksOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / CHUNK_ROWS) }, (_, at) =>
    all.slice(at * CHUNK_ROWS, (at + 1) * CHUNK_ROWS),
  )
}

/** How far something is that takes many calls. */
export interface Progress {
  readonly doing: 'select' | 'remove'
  readonly done: number
  readonly count: number
}

export interface SelectAll {
  /** As many as the list has with its present filters. */
  readonly total: number
  readonly progress: Progress | null
  /** Says how far something else is that is done with the selection. */
  readonly tell: (progress: Progress | null) => void
  /** Ticks all of them. */
  readonly run: () => void
}

/**
 * Ticks all rows that a list has with its filters, read page by page. Whoever ticks or unticks anything meanwhile, which
 * Esc and another filter do as well, ends it and nothing more is ticked.
 */
export function useSelectAll(
  client: EntityClient,
  marks: Marks<ShownRow>,
  query: Readonly<Record<string, string | number>>,
  total: number,
): SelectAll {
  const [progress, tell] = useState<Progress | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const work = useCallback(async () => {
    const stop = new AbortController()
    running.current?.abort()
    running.current = stop
    const silence = marks.watch(() => stop.abort())
    const found = new Map<string, ShownRow>()
    try {
      for (let current = 1, more = true; more; current += 1) {
        tell({ doing: 'select', done: found.size, count: total })
        const page = await client.page({ ...query, current, size: CHUNK_ROWS }, stop.signal)
        for (const row of page.records) found.set(row.id, row)
        more = page.records.length === CHUNK_ROWS && found.size < Math.min(page.total, MOST_SELECTED)
      }
    } catch (problem) {
      // The call has said what went wrong; what was stopped has nothing to say.
      if (!stop.signal.aborted && !(problem instanceof HttpProblem)) throw problem
      stop.abort()
    } finally {
      silence()
      tell(null)
    }
    if (!stop.signal.aborted) marks.select([...found].slice(0, MOST_SELECTED), true)
  }, [client, marks, query, total])
  return { total, progress, tell, run: useCallback(() => void work(), [work]) }
}
