/**
 * Exact totals, kept as long as nothing has been written to the entity: nine tenths of a list's cost is its count.
 * A total is valid for one stamp, which was read before the rows were counted, so it can be too new but never too old.
 */
const kept = new Map<string, { stamp: string; total: number }>()
const most = 10_000

/** The total that is kept for a stamp, if there is one. */
export function knownCount(key: string, stamp: string): number | undefined {
  const known = kept.get(key)
  return known?.stamp === stamp ? known.total : undefined
}

/** The total for a stamp: kept, or counted now. */
export async function keptCount(key: string, stamp: string, count: () => Promise<number>): Promise<number> {
  const known = knownCount(key, stamp)
  if (known !== undefined) return known
  const total = await count()
  if (kept.size >= most) kept.delete(kept.keys().next().value as string)
  kept.set(key, { stamp, total })
  return total
}

/** Forgets all totals: memory only. */
export function clearCounts(): void {
  kept.clear()
}
