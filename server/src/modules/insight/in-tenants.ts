import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant, type Tx } from '../../database/transaction.ts'
import type { Services } from '../../kernel/services.ts'

/** Does work in the tenant that is named, or in each that is in use, each in a transaction of its own. */
export async function inTenants(
  services: Services,
  { tenantId, signal }: { readonly tenantId?: string; readonly signal: AbortSignal },
  work: (tx: Tx, tenantId: string) => Promise<number>,
): Promise<number> {
  const tenants =
    tenantId === undefined
      ? (
          await inPlatform(services.platform, (tx) =>
            tx.run<{ id: string }>(
              sql`select tenant_id as id from tenant where status in (1, 2) and (expire_time is null or expire_time > now()) order by tenant_id`,
            ),
          )
        ).map(({ id }) => id)
      : [tenantId]
  let done = 0
  for (const each of tenants) {
    if (signal.aborted) break
    done += await inTenant(services.pool, each, async (tx) => {
      // A district of many schools is gone through as a whole.
      await tx.allow({ statement: 60 })
      return work(tx, each)
    })
  }
  return done
}
