import { parameters, readParameter } from '@data-brain/contract/parameters'
import type pg from 'pg'
import { eachTenant } from '../../database/each-tenant.ts'
import { dropPartitions, ensurePartitions } from '../../database/partitions.ts'
import { sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { platformTenant } from '../../entity/model.ts'
import type { Services } from '../../kernel/services.ts'
import type { RecurringWork } from '../jobs/index.ts'

/** The law wants half a year: nothing that anybody sets makes it less. */
export const retentionLeast = 180

/**
 * Days that logs are kept: the longest that any tenant wants. A partition holds the rows of all tenants and goes whole;
 * rows of a tenant that wanted less go with it, and not before.
 */
export async function retentionDays(services: Pick<Services, 'platform'>): Promise<number> {
  const definition = parameters['log.retentionDays']
  let days = Math.max(retentionLeast, definition.default)
  await inTenant(services.platform, platformTenant, (tx) =>
    eachTenant(tx, platformTenant, async (tenantId) => {
      const row = await tx.one<{ param_value: string }>(
        sql`select param_value from param where tenant_id = ${tenantId} and param_key = 'log.retentionDays'`,
      )
      const read = row && readParameter(definition, row.param_value)
      if (read && 'value' in read) days = Math.max(days, Number(read.value))
    }),
  )
  return days
}

/** Makes the partitions of the months ahead and drops those whose time is over, by a short connection of the owner. */
export async function carePartitions(
  services: Services,
  connect: () => Promise<pg.Client>,
  now = new Date(),
): Promise<{ made: number; dropped: string[] }> {
  const days = await retentionDays(services)
  const owner = await connect()
  try {
    const made = await ensurePartitions(owner, now)
    const dropped = await dropPartitions(owner, days, now)
    if (dropped.length > 0) services.log.info('logs were dropped after their time', { partitions: dropped, days })
    return { made, dropped }
  } finally {
    await owner.end()
  }
}

/** Looks after the partitions every night, and makes up for a night on which no server ran. */
export const logCare = (connect: () => Promise<pg.Client>): RecurringWork => ({
  name: 'log-care',
  cron: '20 3 * * *',
  run: async (services) => {
    const { made, dropped } = await carePartitions(services, connect)
    return { made, dropped: dropped.length }
  },
})
