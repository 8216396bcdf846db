import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { tenant } from '@data-brain/contract'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inTenant, isTenantCode, type Tx } from '../../database/transaction.ts'
import { modelOf, platformTenant } from '../../entity/model.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { removeRow } from '../../entity/write.ts'
import { system } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { purgeRows } from '../../seed/index.ts'
import { addWork, type Recurring } from '../jobs/index.ts'
import { folderOf } from '../resource/index.ts'
import { forgetDomains } from './domain.ts'
import { clearLeft, holdCode, tryCode, unfinished } from './make.ts'

/** What was purged: all that is left of a tenant. */
export interface Certificate {
  readonly tenantId: string
  readonly tenantName: string
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>
}

/** A job writes rows of its own accord: it must have ended before they can all be counted and gone. */
async function refuseBusy(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(sql`set local app.tenant_id = ${sql.lit(tenantId)}`)
  const busy = await tx.one(
    sql`select 1 from import_batch where tenant_id = ${tenantId} and state in ('reading', 'checking', 'committing', 'undoing')
        and update_time > now() - interval '2 minutes'
        union all select 1 from job where tenant_id = ${tenantId} and state = 'running' and update_time > now() - interval '2 minutes' limit 1`,
  )
  await tx.run(sql`set local app.tenant_id = ${sql.lit(platformTenant)}`)
  if (busy)
    throw new Problem('rule_broken', {
      reason: {
        zh: '该租户的任务正在进行,请稍后再清除',
        en: 'A job of this tenant is under way: try again shortly',
      },
    })
}

/** Refuses to purge a tenant that was not removed before. */
export function refuseUnmarked(status: unknown, tenantId: string): void {
  if (status !== 9 || tenantId === platformTenant)
    throw new Problem('rule_broken', {
      reason: { zh: '请先删除该租户,再彻底清除', en: 'Remove the tenant first; then it can be purged' },
    })
}

/**
 * Takes a tenant away for good, in the caller's transaction of the platform's role: every row that it owns, and its own;
 * the certificate stays. Only one that was removed before and awaits it. Its files go by `dropFiles`, once this is durable.
 */
export async function purgeTenant(
  context: Context,
  id: string,
  tell?: (done: number, total: number, rows: Certificate['rows']) => Promise<void>,
): Promise<Certificate> {
  const { tx, actor } = context
  const rows = new Repository(tenant, context)
  const { tenantId } = (await rows.before(id)) as { tenantId?: unknown }
  if (!isTenantCode(tenantId)) throw new Problem('not_found')
  await holdCode(tx, tenantId)
  const before = await rows.before(id, { lock: true })
  refuseUnmarked(before.status, tenantId)
  await refuseBusy(tx, tenantId)
  const counts = { ...(await purgeRows(tx, tenantId, tell)), tenant: 1 }
  const tenantName = String(before.tenantName)
  await tx.run(
    sql`insert into tenant_purge (id, tenant_id, tenant_name, purged_by, row_counts)
        values (${newId()}, ${tenantId}, ${tenantName}, ${actor.name}, ${JSON.stringify(counts)})`,
  )
  await removeRow(modelOf(tenant), context, id, before)
  return { tenantId, tenantName, rows: counts }
}

/** Removes the files of a tenant. */
export const dropFiles = (services: Pick<Services, 'environment'>, tenantId: string): Promise<void> =>
  rm(folderOf(services, tenantId), { recursive: true, force: true })

const sweeper = system('租户清理', platformTenant)

/**
 * Purges the tenants whose grace has passed, and takes away what a broken-off making or a request that came too late has
 * left without a tenant. Many processes may sweep at once: a tenant is swept by one. Answers the codes that were purged.
 */
export async function sweepTenants(services: Services): Promise<string[]> {
  const { platform, log } = services
  const act = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => inTenant(platform, platformTenant, work)
  const purged: string[] = []
  const careful = async (tenantId: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      log.error('a tenant could not be swept', { tenantId, error: (error as Error).message })
    }
  }
  const due = await act((tx) =>
    tx.run<{ id: string; tenant_id: string }>(
      sql`select id, tenant_id from tenant where status = 9 and purge_after <= now() order by purge_after`,
    ),
  )
  for (const { id, tenant_id: tenantId } of due)
    await careful(tenantId, async () => {
      const done = await act(async (tx) => {
        // Another process is at it, or was; or somebody has just brought the tenant back.
        if (!(await tryCode(tx, tenantId))) return false
        if (!(await tx.one(sql`select 1 from tenant where id = ${id} and status = 9 and purge_after <= now()`)))
          return false
        const circumstance = { requestId: 'sweep', language: 'zh' } as const
        await purgeTenant({ tx, actor: sweeper, circumstance, cipher: services.cipher, unscoped: true }, id)
        return true
      })
      if (!done) return
      purged.push(tenantId)
      log.info('a tenant was purged after its grace', { tenantId })
      await dropFiles(services, tenantId)
    })
  const left = await act(async (tx) => [
    ...(await unfinished(tx)),
    ...(
      await tx.run<{ tenant_id: string }>(
        sql`select distinct tenant_id from tenant_purge where at > now() - interval '3 days' and at < now() - interval '1 minute'`,
      )
    ).map((row) => row.tenant_id),
  ])
  for (const tenantId of new Set(left)) await careful(tenantId, () => clearLeft(platform, tenantId))
  await careful('files', () => sweepFiles(services, act))
  return purged
}

const dayMs = 86_400_000

/** Removes the folders of tenants that are no more; a young one may belong to a tenant that is just being made. */
async function sweepFiles(services: Services, act: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>): Promise<void> {
  const folder = dirname(folderOf(services, platformTenant))
  const names = (await readdir(folder).catch(() => [])).filter(isTenantCode)
  if (names.length === 0) return
  const known = new Set(
    (await act((tx) => tx.run<{ tenant_id: string }>(sql`select tenant_id from tenant`))).map((row) => row.tenant_id),
  )
  for (const name of names)
    if (!known.has(name) && (await stat(join(folder, name))).mtimeMs < Date.now() - dayMs)
      await dropFiles(services, name)
}

/** Sweeps every night. */
export const tenantSweep: Recurring = {
  name: 'tenant-sweep',
  cron: '0 3 * * *',
  run: async (services) => {
    const purged = await sweepTenants(services)
    if (purged.length > 0) forgetDomains(services)
    return { purged: purged.length }
  },
}

/** Purges a tenant that somebody has asked for by its code; its files go when its rows are gone for certain. */
addWork({
  kind: 'tenant-purge',
  queue: 'purge',
  atOnce: 1,
  code: 'tenant_purge',
  platform: true,
  again: true,
  run: async ({ services, job, actor, circumstance, progress, end }) => {
    const certificate = await inTenant(services.platform, platformTenant, async (tx) => {
      const context = { tx, actor, circumstance, cipher: services.cipher }
      const made = await purgeTenant(context, job.subjectId!, (done, total, rows) =>
        progress(done, total, { result: { rows } }),
      )
      await end(tx, { ...made })
      return made
    })
    await dropFiles(services, certificate.tenantId)
    forgetDomains(services)
    return undefined
  },
})
