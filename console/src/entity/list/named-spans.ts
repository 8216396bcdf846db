import { codeOf, entities, owner } from '@data-brain/contract'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useCan } from '../../session/session.ts'
import { useWords } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import { useEntities } from '../data/client.ts'

/** A span of days that the tenant itself has named. */
export interface NamedSpan {
  readonly label: string
  readonly begin: string
  readonly end: string
}

/** What has a current row whose days are filtered by; the shorter span, which is a part of the longer, comes first. */
const spanned = entities.filter(({ currentSpan }) => currentSpan).reverse()

/** From the first day of any of them to the last day of any: those of one tenant may differ by days. */
function spanOf(
  rows: readonly ShownRow[],
  [begin, end]: readonly [string, string],
): Omit<NamedSpan, 'label'> | undefined {
  const begins = rows.map((row) => String(row[begin])).sort()
  const ends = rows.map((row) => String(row[end])).sort()
  return rows.length > 0 ? { begin: begins[0]!, end: ends.at(-1)! } : undefined
}

/** The current spans, as they have been entered, of all or of one of what rows belong to; nothing for who may not see them. */
export function useNamedSpans(of: string | undefined): readonly NamedSpan[] {
  const can = useCan()
  const pick = useWords()
  const clients = useEntities(spanned)
  const found = useQueries({
    queries: spanned.map((entity, at) => ({
      ...clients[at]!.list({ [entity.currentSpan!.flag]: '1', current: 1, size: 200 }),
      enabled: can(codeOf(entity, 'view')),
    })),
    combine: (results) => results.map(({ data }) => data?.records),
  })
  return useMemo(
    () =>
      spanned.flatMap((entity, at) => {
        const mine = found[at]?.filter((row) => of === undefined || row[owner.field] === of) ?? []
        const span = spanOf(mine, entity.ranges![0]!)
        return span ? [{ label: pick(entity.currentSpan!.label), ...span }] : []
      }),
    [found, of, pick],
  )
}
