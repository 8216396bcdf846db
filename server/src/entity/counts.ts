import { StampedCache } from '../kernel/stamped-cache.ts'

/** Exact totals, kept as long as nothing has been written to the entity: nine tenths of a list's cost is its count. */
const kept = new StampedCache<number>(10_000)

/** The total that is kept for a stamp, if there is one. */
export const knownCount = (key: string, stamp: string): number | undefined => kept.known(key, stamp)

/** The total for a stamp: kept, or counted now. */
export async function keptCount(key: string, stamp: string, count: () => Promise<number>): Promise<number> {
  const known = kept.known(key, stamp)
  if (known !== undefined) return known
  const total = await count()
  kept.keep(key, stamp, total)
  return total
}

/** Forgets all totals: memory only. */
export const clearCounts = (): void => kept.clear()
