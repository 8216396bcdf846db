import { notice } from '@data-brain/contract'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant, type Tx } from '../../database/transaction.ts'
import { modelOf } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { writeOver } from '../../entity/write.ts'
import { system } from '../../kernel/actor.ts'
import { announce } from '../../kernel/announce.ts'
import type { Services } from '../../kernel/services.ts'
import { type RecurringWork, tickAt } from '../jobs/index.ts'
import { sendMessage } from './inbox.ts'
import { noticeStates } from './notice-rules.ts'

/*
 * Scheduled notices are visible when their time has come, whatever runs; what happens here is only that their state says
 * so and that consoles are told. The moment is asked for in the transaction that schedules the notice, and one process
 * keeps it within two seconds; now and then all tenants are looked through for moments that nobody asked for, such as
 * those of a tenant that was brought in from elsewhere.
 */

const lookSeconds = 2
const keptDays = 180

/** Asks for a notice of the tenant to be put out at a moment (milliseconds), if the caller's transaction is kept. */
export const remind = (services: Pick<Services, 'pool'>, tx: Tx, tenantId: string, at: number): Promise<unknown> =>
  tickAt(services, tx, notices.name, tenantId, at)

/** Puts the tenant's notices out whose time has come, and tells consoles; whoever comes second finds none. */
export async function release(services: Services, tenantId: string): Promise<number> {
  return inTenant(services.pool, tenantId, async (tx) => {
    const rows = await tx.run<{ id: string }>(
      sql`select id from notice where tenant_id = ${tenantId} and status = ${noticeStates.scheduled} and release_time <= now() for update skip locked`,
    )
    const context = {
      tx,
      actor: system('schedule', tenantId),
      circumstance: { requestId: newId(), language: 'zh' as const },
      cipher: services.cipher,
    }
    const repository = new Repository(notice, context)
    for (const { id } of rows) {
      const before = await repository.before(id)
      await writeOver(modelOf(notice), context, id, before, {}, { status: noticeStates.published, extId: undefined })
    }
    if (rows.length > 0) await announce(tx, tenantId, 'notice')
    return rows.length
  })
}

const tenantsOf = (services: Services): Promise<{ tenant_id: string; days: number | null; day: string | null }[]> =>
  inPlatform(services.platform, (tx) =>
    tx.run(
      sql`select tenant_id, extract(day from expire_time - now())::int as days, to_char(expire_time, 'YYYY-MM-DD') as day
          from tenant where status in (1, 2) and (expire_time is null or expire_time > now()) order by tenant_id`,
    ),
  )

/** Days before its end at which a tenant's administrators are told. */
const warnings = [30, 7, 1]

/** Tells a tenant's administrators once per step that its time ends soon. */
export async function warnOfEnd(services: Services, tenantId: string, days: number, day: string): Promise<number> {
  const step = warnings.findLast((each) => days <= each)
  if (step === undefined) return 0
  const kind = `tenant-expiry-${step}`
  return inTenant(services.pool, tenantId, async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${tenantId} tenant-expiry`}, 0))`)
    const admins = await tx.run<{ id: string }>(
      sql`select distinct u.id from app_user u join app_user_role l on l.tenant_id = u.tenant_id and l.owner_id = u.id
          join role r on r.tenant_id = l.tenant_id and r.id = l.target_id and r.is_admin = 1
          where u.tenant_id = ${tenantId} and u.status = 1 and not exists (
            select 1 from inbox i where i.tenant_id = u.tenant_id and i.user_id = u.id and i.kind = ${kind} and i.title like ${`%${day}%`})`,
    )
    return sendMessage(
      tx,
      tenantId,
      admins.map((row) => row.id),
      {
        kind,
        title: { zh: `租户将于 ${day} 到期`, en: `The tenant expires on ${day}` },
        body: {
          zh: '到期后所有人都无法登录；如需续期，请联系平台管理员。',
          en: 'After that nobody can log in: ask the platform’s administrator to renew it.',
        },
      },
    )
  })
}

/** Puts out what is due: in the tenant whose moment has come, or in all. */
export const notices: RecurringWork = {
  name: 'notices',
  cron: '*/10 * * * *',
  lookSeconds,
  run: async (services, { tenantId, signal }) => {
    if (tenantId !== undefined) {
      await release(services, tenantId)
      return undefined
    }
    let published = 0
    for (const tenant of await tenantsOf(services)) {
      if (signal.aborted) break
      published += await release(services, tenant.tenant_id)
    }
    return { published }
  },
}

/** Once a day: tells administrators whose tenant ends soon, and drops messages too old to keep. */
export const reminders: RecurringWork = {
  name: 'reminders',
  cron: '10 6 * * *',
  run: async (services, { signal }) => {
    let told = 0
    let dropped = 0
    for (const { tenant_id: tenantId, days, day } of await tenantsOf(services)) {
      if (signal.aborted) break
      if (days !== null && day !== null) told += await warnOfEnd(services, tenantId, days, day)
      dropped += await inTenant(services.pool, tenantId, (tx) =>
        tx.count(
          sql`delete from inbox where tenant_id = ${tenantId} and id in (
                select id from inbox where tenant_id = ${tenantId} and create_time < now() - make_interval(days => ${keptDays}) limit 1000)`,
        ),
      )
    }
    return { told, dropped }
  },
}
