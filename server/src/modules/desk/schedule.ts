import { notice } from '@data-brain/contract'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant } from '../../database/transaction.ts'
import { modelOf } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { writeOver } from '../../entity/write.ts'
import { system } from '../../kernel/actor.ts'
import type { Services } from '../../kernel/services.ts'
import { announce } from './announce.ts'
import { tell } from './inbox.ts'
import { states } from './notice-rules.ts'

/*
 * Scheduled notices are visible when their time has come, whatever runs; what happens here is only that their state
 * says so and that consoles are told. Each process remembers the moments that it knows of, and looks through all tenants
 * now and then for those that another process, perhaps one that has died, was told of.
 */

const tickMs = 2_000
const lookMs = 10 * 60_000
const dayMs = 24 * 3_600_000
const keptDays = 180

/** The next moment, by tenant. */
const due = new WeakMap<object, Map<string, number>>()

function momentsOf(services: Pick<Services, 'pool'>): Map<string, number> {
  const moments = due.get(services.pool) ?? new Map<string, number>()
  due.set(services.pool, moments)
  return moments
}

/** Remembers that a notice of the tenant is due at a moment (milliseconds). */
export function remind(services: Pick<Services, 'pool'>, tenantId: string, at: number): void {
  const moments = momentsOf(services)
  moments.set(tenantId, Math.min(at, moments.get(tenantId) ?? Number.POSITIVE_INFINITY))
}

/** Puts the tenant's notices out whose time has come, and tells consoles; whoever comes second finds none. */
export async function release(services: Services, tenantId: string): Promise<number> {
  return inTenant(services.pool, tenantId, async (tx) => {
    const rows = await tx.run<{ id: string }>(
      sql`select id from notice where tenant_id = ${tenantId} and status = ${states.scheduled} and release_time <= now() for update skip locked`,
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
      await writeOver(modelOf(notice), context, id, before, {}, { status: states.published, extId: undefined })
    }
    if (rows.length > 0) await announce(tx, tenantId, 'notice')
    const next = await tx.one<{ ms: number | null }>(
      sql`select extract(epoch from min(release_time)) * 1000 as ms from notice where tenant_id = ${tenantId} and status = ${states.scheduled} and release_time > now()`,
    )
    if (next?.ms) remind(services, tenantId, Number(next.ms))
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
    return tell(
      tx,
      tenantId,
      admins.map((row) => row.id),
      {
        kind,
        title: { zh: `租户将于 ${day} 到期`, en: `The tenant expires on ${day}` },
        body: {
          zh: '到期后所有人都无法登录;如需续期,请联系平台管理员。',
          en: 'After that nobody can log in: ask the platform’s administrator to renew it.',
        },
      },
    )
  })
}

/** Looks through all tenants: notices that are due, tenants that end soon, and messages too old to keep. */
async function look(services: Services, daily: boolean): Promise<void> {
  for (const { tenant_id: tenantId, days, day } of await tenantsOf(services)) {
    await release(services, tenantId)
    if (!daily) continue
    if (days !== null && day !== null) await warnOfEnd(services, tenantId, days, day)
    await inTenant(services.pool, tenantId, (tx) =>
      tx.run(
        sql`delete from inbox where tenant_id = ${tenantId} and id in (
              select id from inbox where tenant_id = ${tenantId} and create_time < now() - make_interval(days => ${keptDays}) limit 1000)`,
      ),
    )
  }
}

/** Starts to release scheduled notices at their time; what it answers stops it. */
export function startSchedule(services: Services): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let busy = false
  let stopped = false
  const one = (work: () => Promise<unknown>): void => {
    if (busy || stopped) return
    busy = true
    running = work()
      .catch((error: Error) => services.log.error('scheduled notices could not be released', { error: error.message }))
      .finally(() => {
        busy = false
      })
  }
  const moments = momentsOf(services)
  const tick = setInterval(() => {
    const now = Date.now()
    const tenants = [...moments].filter(([, at]) => at <= now).map(([tenantId]) => tenantId)
    if (tenants.length === 0) return
    one(async () => {
      for (const tenantId of tenants) {
        moments.delete(tenantId)
        await release(services, tenantId)
      }
    })
  }, tickMs).unref()
  let daily = 0
  const round = (): void => {
    const isDaily = Date.now() - daily >= dayMs
    if (isDaily) daily = Date.now()
    one(() => look(services, isDaily))
  }
  const first = setTimeout(round, 5_000).unref()
  const often = setInterval(round, lookMs).unref()
  return async () => {
    stopped = true
    clearTimeout(first)
    clearInterval(tick)
    clearInterval(often)
    await running
  }
}
