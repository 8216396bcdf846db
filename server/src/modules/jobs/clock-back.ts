import { sql } from '../../database/statement.ts'
import { inPlatform } from '../../database/transaction.ts'
import type { Services } from '../../kernel/services.ts'

/**
 * Brings what the queue wrote down for later than now back to now. After a clock that was wrong is put back, pg-boss
 * waits until the former time has come round again before it looks at its schedules, and hands out nothing that was
 * asked for meanwhile.
 */
export const followClockBack = (services: Pick<Services, 'pool'>): Promise<void> =>
  inPlatform(services.pool, async (tx) => {
    const ahead = await tx.one(
      sql`select 1 from pgboss.version where cron_on > now() + interval '1 minute'
          union all
          select 1 from pgboss.queue where greatest(monitor_on, monitor_claim_on) > now() + interval '1 minute'
          limit 1`,
    )
    if (!ahead) return
    await tx.run(sql`update pgboss.version set cron_on = least(cron_on, now()), bam_on = least(bam_on, now())`)
    await tx.run(
      sql`update pgboss.queue set monitor_on = least(monitor_on, now()), maintain_on = least(maintain_on, now()),
            monitor_claim_on = least(monitor_claim_on, now())`,
    )
    // A minute comes a second time: the ticket that it had the first time must not be in its way.
    await tx.run(sql`update pgboss.job set singleton_on = null where singleton_on > now() at time zone 'UTC'`)
    await tx.run(
      sql`update pgboss.job
          set start_after = start_after - (created_on - now()), created_on = now(),
            started_on = least(started_on, now()), heartbeat_on = least(heartbeat_on, now())
          where created_on > now() and state < 'completed'`,
    )
  })
