import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant } from '../../database/transaction.ts'
import { sweepRows } from './row.ts'
import { interruptedWords, type RecurringWork } from './work.ts'

/** Once a night: drops what is told of old jobs, in every tenant. */
export const jobSweep: RecurringWork = {
  name: 'job-sweep',
  cron: '40 3 * * *',
  run: async ({ platform, pool }) => {
    const tenants = await inPlatform(platform, (tx) =>
      tx.run<{ tenant_id: string }>(sql`select tenant_id from tenant order by tenant_id`),
    )
    let dropped = 0
    let lost = 0
    for (const { tenant_id: tenantId } of tenants) {
      const swept = await inTenant(pool, tenantId, (tx) => sweepRows(tx, tenantId, interruptedWords))
      dropped += swept.dropped
      lost += swept.lost
    }
    return { dropped, lost }
  },
}
