import { user } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { addRules } from '../../entity/rules.ts'
import { Problem } from '../../kernel/problem.ts'

/** How many accounts a tenant may have, and how many more it may get now; undefined without a quota. */
export async function accountRoom(tx: Tx, tenantId: string): Promise<{ quota: number; left: number } | undefined> {
  const row = await tx.one<{ quota: number; held: number }>(
    sql`select t.account_number as quota, (select count(*)::int from app_user u where u.tenant_id = t.tenant_id) as held
        from tenant t where t.tenant_id = ${tenantId}`,
  )
  return row && row.quota >= 0 ? { quota: row.quota, left: Math.max(0, row.quota - row.held) } : undefined
}

/**
 * Refuses more accounts than the tenant's quota. The tenant's additions wait for each other until they are committed, so
 * that two of them do not both take the last place; without a quota nobody waits.
 */
async function mustFit(tx: Tx, tenantId: string, adding: number): Promise<void> {
  const tenant = await tx.one<{ account_number: number }>(
    sql`select account_number from tenant where tenant_id = ${tenantId}`,
  )
  const quota = tenant?.account_number ?? -1
  if (quota < 0) return
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`quota|${tenantId}`}, 0))`)
  const held = await tx.one<{ n: number }>(sql`select count(*)::int as n from app_user where tenant_id = ${tenantId}`)
  if ((held?.n ?? 0) + adding > quota) throw new Problem('quota_reached', { quota })
}

/** Keeps users within the quota, wherever they are added: one by one, or many at once. */
export function addQuotaRules(): void {
  addRules(user, {
    beforeSave: async ({ before, context }) => {
      if (!before) await mustFit(context.tx, context.actor.tenantId, 1)
    },
    beforeMany: ({ tx, actor }, count) => mustFit(tx, actor.tenantId, count),
  })
}
