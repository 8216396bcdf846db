/**
 * Exact totals, kept as long as nothing has been written to the entity: nine tenths of a list's cost is its count.
 * A total is valid for one stamp, which was read before the rows were counted, so it can be too new but never too old.
 */
const kept = new Map<string, { stamp: string; total: number }>()
const most = 10_000

export async function keptCount(key: string, stamp: string, count: () => Promise<number>): Promise<number> {
  const known = kept.get(key)
  if (known && known.stamp === stamp) return known.total
  const total = await count()
  if (kept.size >= most) kept.delete(kept.keys().next().value as string)
  kept.set(key, { stamp, total })
  return total
}

/** Forgets all totals: memory only. */
export function clearCounts(): void {
  kept.clear()
}
