import type pg from 'pg'
import { sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { platformTenant } from '../../entity/model.ts'
import { purgeRows } from '../tenant.ts'

const demoTenant = '000001'

/**
 * Removes the demo tenant and everything in it, in one transaction, and remembers that it is not to come back. Needs
 * the platform role. Answers the number of rows removed, or null when tenant 000001 was not made by the demo; then
 * nothing is touched.
 */
export async function removeDemo(platform: pg.Pool): Promise<number | null> {
  return inTenant(platform, platformTenant, async (tx) => {
    const mark = await tx.one<{ value: string }>(sql`select value from seed_mark where name = 'demo' for update`)
    if (mark?.value !== 'laid') return null
    await tx.run(sql`update tenant set status = 9 where tenant_id = ${demoTenant}`)
    const counts = await purgeRows(tx, demoTenant)
    const own = await tx.count(sql`delete from tenant where tenant_id = ${demoTenant}`)
    await tx.run(sql`update seed_mark set value = 'removed', at = now() where name = 'demo'`)
    return Object.values(counts).reduce((sum, count) => sum + count, own)
  })
}
