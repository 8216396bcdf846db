import { attach } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { platformTenant } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { system } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { dropLeftFolders } from '../../kernel/temporary.ts'
import type { RecurringWork } from '../jobs/index.ts'
import { holdFiles, removeLoose } from './storage/loose.ts'

/** Removes one file that nobody has put to use, unless somebody has by now; answers whether it is gone. */
async function removeUnused(services: Services, tenantId: string, id: string): Promise<boolean> {
  try {
    return await inTenant(services.pool, tenantId, async (tx) => {
      await holdFiles(tx, tenantId)
      const still = await tx.one(
        sql`select 1 from attach where tenant_id = ${tenantId} and id = ${id} and used_at is null for update skip locked`,
      )
      if (!still) return false
      const circumstance = { requestId: 'sweep', language: 'zh' } as const
      const actor = system('附件清理', tenantId)
      await new Repository(attach, { tx, actor, circumstance, cipher: services.cipher, unscoped: true }).remove([id])
      return true
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // In use without having been noted, as after a bulk import: noted now, so that the next sweep passes it over.
    await inTenant(services.pool, tenantId, (tx) =>
      tx.run(sql`update attach set used_at = now() where tenant_id = ${tenantId} and id = ${id} and used_at is null`),
    )
    return false
  }
}

async function sweepTenant(services: Services, tenantId: string): Promise<number> {
  let removed = 0
  for (let after = '0'; ; ) {
    const due = await inTenant(services.pool, tenantId, (tx) =>
      tx.run<{ id: string }>(
        sql`select id from attach where tenant_id = ${tenantId} and used_at is null and create_time < now() - interval '24 hours'
            and id > ${after} order by id limit 200`,
      ),
    )
    for (const { id } of due) if (await removeUnused(services, tenantId, id)) removed += 1
    if (due.length < 200) break
    after = due.at(-1)!.id
  }
  await removeLoose(services, tenantId)
  return removed
}

/**
 * Removes the uploads that nobody has put to use within a day, the bytes that no row leads to, and what uploads of
 * killed processes have left. Any number of processes may sweep at once. Answers how many files are gone.
 */
export async function sweepFiles(services: Services): Promise<number> {
  const tenants = await inTenant(services.platform, platformTenant, (tx) =>
    tx.run<{ tenant_id: string }>(sql`select tenant_id from tenant order by tenant_id`),
  )
  let removed = 0
  for (const { tenant_id: tenantId } of tenants)
    try {
      removed += await sweepTenant(services, tenantId)
    } catch (error) {
      services.log.error('files could not be swept', { tenantId, error: (error as Error).message })
    }
  await dropLeftFolders()
  return removed
}

/** Sweeps once an hour. */
export const fileSweep: RecurringWork = {
  name: 'file-sweep',
  cron: '7 * * * *',
  run: async (services) => ({ removed: await sweepFiles(services) }),
}
