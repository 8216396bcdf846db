import { substitution } from '@data-brain/contract'
import { todayInChina } from '@data-brain/contract/rules/school-year'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant } from '../../database/transaction.ts'
import { modelOf } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { writeOver } from '../../entity/write.ts'
import { system } from '../../kernel/actor.ts'
import type { Services } from '../../kernel/services.ts'
import type { RecurringWork } from '../jobs/index.ts'
import { states } from './states.ts'

/** So many are finished in one transaction. */
const most = 500

/** Confirmed substitutions of a tenant whose day is past are done; answers how many became so. */
export const finishPast = (services: Services, tenantId: string, today = todayInChina()): Promise<number> =>
  inTenant(services.pool, tenantId, async (tx) => {
    const rows = await tx.run<{ id: string }>(
      sql`select id from substitution where tenant_id = ${tenantId} and status = ${states.confirmed}
            and greatest(day, coalesce(new_day, day)) < ${today}::date order by id limit ${most} for update skip locked`,
    )
    const context = {
      tx,
      actor: system('substitutions', tenantId),
      circumstance: { requestId: newId(), language: 'zh' as const },
      cipher: services.cipher,
    }
    const repository = new Repository(substitution, context)
    for (const { id } of rows) {
      const before = await repository.before(id)
      await writeOver(modelOf(substitution), context, id, before, {}, { status: states.done, extId: undefined })
    }
    return rows.length
  })

/** Once a night: what was confirmed and has been given is done. */
export const substitutionsDone: RecurringWork = {
  name: 'substitutions',
  cron: '20 1 * * *',
  run: async (services, { signal }) => {
    let finished = 0
    const tenants = await inPlatform(services.platform, (tx) =>
      tx.run<{ tenant_id: string }>(sql`select tenant_id from tenant where status in (1, 2) order by tenant_id`),
    )
    for (const { tenant_id: tenantId } of tenants) {
      for (let done = most; done === most && !signal.aborted; ) {
        done = await finishPast(services, tenantId)
        finished += done
      }
    }
    return { finished }
  },
}
