import { sql } from './statement.ts'
import { isTenantCode, type Tx } from './transaction.ts'

/**
 * Works in one tenant after the other inside a transaction of the platform role, which sees the rows of one tenant at a
 * time; the last is the transaction's own, so that it stands where it stood. What tenants may do there is what the role
 * was granted: reading, and raising stamps.
 */
export async function eachTenant(
  tx: Tx,
  ownTenant: string,
  work: (tenantId: string, name: string) => Promise<void>,
): Promise<void> {
  const rows = await tx.run<{ tenant_id: string; tenant_name: string }>(
    sql`select tenant_id, tenant_name from tenant order by tenant_id = ${ownTenant}, tenant_id`,
  )
  for (const { tenant_id: tenantId, tenant_name: name } of rows) {
    if (!isTenantCode(tenantId)) continue
    await tx.run(sql`set local app.tenant_id = ${sql.lit(tenantId)}`)
    await work(tenantId, name)
  }
}
