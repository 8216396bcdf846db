import { maillog, smslog } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant } from '../../database/transaction.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import type { Services } from '../../kernel/services.ts'
import { parameterOf } from '../../kernel/setting.ts'
import type { RecurringWork } from '../jobs/index.ts'
import { retentionLeast } from './retention.ts'

/** As many rows as one statement drops; what is left is dropped the next night. */
const most = 50_000
/** What has ended: sent, failed, or unknown. */
const ended = ['1', '3', '4']

/** Drops what is told of text messages and mail that ended before the time for which the tenant keeps its logs. */
export const dropSent = (services: Pick<Services, 'pool'>, tenantId: string): Promise<number> =>
  inTenant(services.pool, tenantId, async (tx) => {
    await tx.allow({ statement: 60 })
    const days = Math.max(retentionLeast, Number(await parameterOf(tx, tenantId, 'log.retentionDays')))
    let dropped = 0
    for (const [entity, table] of [
      [maillog, sql`mail_log`],
      [smslog, sql`sms_log`],
    ] as const) {
      const gone = await tx.count(
        sql`delete from ${table} where tenant_id = ${tenantId} and id in (
              select id from ${table} where tenant_id = ${tenantId} and create_time < now() - make_interval(days => ${days})
                and state = any(${ended}::text[]) order by create_time, id limit ${most})`,
      )
      if (gone > 0) await raiseStamp(tx, tenantId, entity.name)
      dropped += gone
    }
    return dropped
  })

/** Once a night, in every tenant. */
export const sentSweep: RecurringWork = {
  name: 'sent-sweep',
  cron: '50 3 * * *',
  run: async (services, { signal }) => {
    const tenants = await inPlatform(services.platform, (tx) =>
      tx.run<{ code: string }>(sql`select tenant_id as code from tenant order by tenant_id`),
    )
    let dropped = 0
    for (const { code } of tenants) {
      if (signal.aborted) break
      dropped += await dropSent(services, code)
    }
    return { dropped }
  },
}
