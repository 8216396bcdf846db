import type pg from 'pg'
import { inTenant } from '../../database/transaction.ts'
import { parameterOf } from '../../kernel/setting.ts'

/** Whether a tenant wants its reading logged: asked at most every half minute, and never by a request that waits. */
export interface ReadsWish {
  of(tenantId: string): boolean
}

const freshMs = 30_000
const tenantsKept = 5_000

/** Remembers what tenants have set for `log.reads`; until it is known they have not. */
export function readsWish(pool: pg.Pool): ReadsWish {
  const known = new Map<string, { on: boolean; at: number }>()
  return {
    of: (tenantId) => {
      const now = performance.now()
      const kept = known.get(tenantId)
      if (kept && now - kept.at < freshMs) return kept.on
      if (known.size >= tenantsKept && !kept) known.delete(known.keys().next().value as string)
      known.set(tenantId, { on: kept?.on ?? false, at: now })
      inTenant(pool, tenantId, (tx) => parameterOf(tx, tenantId, 'log.reads'))
        .then((on) => known.set(tenantId, { on: on === 1, at: performance.now() }))
        .catch(() => {})
      return kept?.on ?? false
    },
  }
}
