import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import type { Marks } from '../../ui/table/marks.ts'
import type { ShownRow } from './calls.ts'
import type { EntityClient } from './client.ts'

interface SubjectOptions {
  readonly client: EntityClient
  readonly marks: Marks<ShownRow>
  readonly root: RefObject<HTMLElement | null>
  readonly rows: readonly ShownRow[]
  /** The record that is open. */
  readonly openId: string | null
}

export interface Subject {
  /** The row that keys act on: the one that is open, wherever it was opened from, or else the one with the cursor. */
  row(): ShownRow | undefined
  /** Its place among the rows listed; -1 where it is not one of them. */
  at(): number
  /** Whether a record is open that is not listed: then there is nowhere to walk from. */
  isElsewhere(): boolean
}

/** A record that was fetched to be looked at, as it was last read. */
export const knownRecord = (queries: QueryClient, client: EntityClient, id: string): ShownRow | undefined =>
  queries.getQueryData<ShownRow>(client.detail(id).queryKey)

/** Keeps the keys of a list with what is looked at. */
export function useSubject({ client, marks, root, rows, openId }: SubjectOptions): Subject {
  const queries = useQueryClient()
  useEffect(() => {
    marks.open(openId)
    if (openId === null) return
    // The search that opened it gives the focus back to the row that one came from: there the keys of cells would act.
    const frame = requestAnimationFrame(() => {
      const from = root.current?.querySelector('[data-key] :focus')?.closest<HTMLElement>('[data-key]')
      if (!from || from.dataset.key === openId) return
      const own = root.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(openId)}"] [data-act=view]`)
      if (own) own.focus({ preventScroll: true })
      else (document.activeElement as HTMLElement).blur()
    })
    return () => cancelAnimationFrame(frame)
  }, [marks, root, openId])
  const at = () => rows.findIndex((row) => row.id === (openId ?? marks.cursor()))
  return {
    at,
    row: () => rows[at()] ?? (openId === null ? undefined : knownRecord(queries, client, openId)),
    isElsewhere: () => openId !== null && at() < 0,
  }
}
