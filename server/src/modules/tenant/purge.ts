import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { tenant, type Words } from '@data-brain/contract'
import { newId } from '../../database/id.ts'
import { backupLock } from '../../database/locks.ts'
import { sql } from '../../database/statement.ts'
import { inTenant, isTenantCode, type Tx } from '../../database/transaction.ts'
import { modelOf, platformTenant } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { removeRow } from '../../entity/write.ts'
import { type Actor, type Circumstance, system } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import { problemOf } from '../../kernel/problem-of.ts'
import type { Services } from '../../kernel/services.ts'
import { purgeRows } from '../../seed/index.ts'
import { addWork, type RecurringWork } from '../jobs/index.ts'
import { type ClearedFiles, clearBytes, dropFolder, folderOf, onItsWay } from '../resource/index.ts'
import { forgetDomains } from './domain.ts'
import { clearLeft, holdCode, tryCode, unfinishedTenants } from './make.ts'

/** What was purged: all that is left of a tenant. */
export interface Certificate {
  readonly tenantId: string
  readonly tenantName: string
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Files in object stores. */
  readonly files: ClearedFiles
}

const refuse = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

/**
 * A job writes rows of its own accord, an upload bytes, and a backup copies files that rows lead to: each must have ended
 * before all can be counted and gone. No backup begins before this transaction ends.
 */
async function refuseBusy(tx: Tx, tenantId: string): Promise<void> {
  if (!(await tx.one(sql`select 1 where pg_try_advisory_xact_lock_shared(${backupLock})`)))
    throw refuse('正在备份，请在备份完成后再清除', 'A backup is being made: try again once it is there')
  await tx.run(sql`set local app.tenant_id = ${sql.lit(tenantId)}`)
  const busy = await tx.one(
    sql`select 1 from import_batch where tenant_id = ${tenantId} and state in ('reading', 'checking', 'committing', 'undoing')
        and update_time > now() - interval '2 minutes'
        union all select 1 from job where tenant_id = ${tenantId} and state = 'running' and update_time > now() - interval '2 minutes' limit 1`,
  )
  const uploading = await onItsWay(tx, tenantId)
  await tx.run(sql`set local app.tenant_id = ${sql.lit(platformTenant)}`)
  if (busy) throw refuse('该租户的任务正在进行，请稍后再清除', 'A job of this tenant is under way: try again shortly')
  if (uploading)
    throw refuse(
      '该租户有文件正在上传到对象存储，请稍后再清除（中断的上传在两小时后不再计入）',
      'A file of this tenant is on its way into an object store: try again later (one that was cut off counts for two hours)',
    )
}

/** Refuses to purge a tenant that was not removed before. */
export function refuseUnmarked(status: unknown, tenantId: string): void {
  if (status !== 9 || tenantId === platformTenant)
    throw refuse('请先删除该租户，再彻底清除', 'Remove the tenant first; then it can be purged')
}

const noteOf = (tenantId: string): string => `purging:${tenantId}`

/** Refuses to bring a tenant back whose files have begun to go. */
export async function refuseBegun(tx: Tx, tenantId: string): Promise<void> {
  if (await tx.one(sql`select 1 from seed_mark where name = ${noteOf(tenantId)}`))
    throw refuse(
      `租户${tenantId}的清除已经开始，文件可能已被删除，不能恢复`,
      `The purge of tenant ${tenantId} has begun and files may be gone: it cannot be restored`,
    )
}

interface Purging {
  readonly id: string
  readonly actor: Actor
  readonly circumstance: Pick<Circumstance, 'requestId' | 'language'>
  /** What lies in object stores stays there. */
  readonly leave?: boolean
  /** Whether it is still to be done, asked once nobody else can be at it. */
  still?(tx: Tx, tenantId: string): Promise<boolean>
  tell?(done: number, total: number | undefined, known: Partial<Certificate>): Promise<void>
  /** In the transaction in which the tenant goes. */
  end?(tx: Tx, certificate: Certificate): Promise<void>
}

/**
 * Takes a tenant away for good: its bytes, every row that it owns, and its own; the certificate stays. Only one that was
 * removed before and awaits it. Bytes go first, since rows are the list of them: what breaks off leaves the list whole,
 * and a note by which nobody brings the tenant back; the next try ends it. Undefined when it was not to be done any more.
 */
async function purgeTenant(services: Services, purging: Purging): Promise<Certificate | undefined> {
  const { id, actor, circumstance, leave = false, still, tell, end } = purging
  const act = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => inTenant(services.platform, platformTenant, work)
  const rowsIn = (tx: Tx) => {
    const context = { tx, actor, circumstance, cipher: services.cipher, ...(still ? { unscoped: true } : {}) }
    return { context, rows: new Repository(tenant, context) }
  }
  const begin = await act(async (tx) => {
    const { rows } = rowsIn(tx)
    const found = (await rows.before(id)).tenantId
    if (!isTenantCode(found)) throw new Problem('not_found')
    if (still && !(await still(tx, found))) return undefined
    refuseUnmarked((await rows.before(id, { lock: true })).status, found)
    await refuseBusy(tx, found)
    const noted = await tx.count(
      sql`insert into seed_mark (name, value) values (${noteOf(found)}, 'begun') on conflict (name) do nothing`,
    )
    return { tenantId: found, first: noted > 0 }
  })
  if (!begin) return undefined
  const { tenantId, first } = begin
  let begun = false
  const work = async (tx: Tx): Promise<Certificate | undefined> => {
    // Stores are slow, and answers of them are no statements.
    await tx.run(sql`set local idle_in_transaction_session_timeout = 0`)
    if (!still) await holdCode(tx, tenantId)
    else if (!(await still(tx, tenantId))) return undefined
    const { context, rows } = rowsIn(tx)
    const before = await rows.before(id, { lock: true })
    refuseUnmarked(before.status, tenantId)
    await refuseBusy(tx, tenantId)
    begun = true
    const files = await clearBytes(services, tenantId, {
      leave,
      tell: async (removed) => tell?.(removed, undefined, { files: { removed, left: 0 } }),
    })
    const counts = {
      ...(await purgeRows(tx, tenantId, async (done, total, known) => tell?.(done, total, { files, rows: known }))),
      tenant: 1,
    }
    await tx.run(
      sql`insert into tenant_purge (id, tenant_id, tenant_name, purged_by, row_counts)
          values (${newId()}, ${tenantId}, ${before.tenantName}, ${actor.name}, ${JSON.stringify(counts)})`,
    )
    await removeRow(modelOf(tenant), context, id, before)
    await tx.run(sql`delete from seed_mark where name = ${noteOf(tenantId)}`)
    const certificate = { tenantId, tenantName: before.tenantName, rows: counts, files }
    await end?.(tx, certificate)
    return certificate
  }
  try {
    return await act(work)
  } finally {
    // Somebody came in between, and nothing is gone yet.
    if (first && !begun) await act((tx) => tx.run(sql`delete from seed_mark where name = ${noteOf(tenantId)}`))
  }
}

/** What could not be purged, and why. */
export interface UnpurgedPart {
  readonly tenantId: string
  readonly words: Words
}

const sweeper = system('租户清理', platformTenant)

/**
 * Purges the tenants whose grace has passed, and takes away what a broken-off making or a request that came too late has
 * left without a tenant. Many processes may sweep at once: a tenant is swept by one. Answers the codes that were purged,
 * and tells of those that could not be.
 */
export async function sweepTenants(services: Services, failed?: (unpurged: UnpurgedPart) => void): Promise<string[]> {
  const { platform, log } = services
  const act = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => inTenant(platform, platformTenant, work)
  const circumstance = { requestId: 'sweep', language: 'zh', address: '', agent: '' } as const
  const purged: string[] = []
  const careful = async (tenantId: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      log.error('a tenant could not be swept', { tenantId, error: (error as Error).message })
      const problem = problemOf(error, circumstance)
      failed?.({ tenantId, words: { zh: problem.words('zh'), en: problem.words('en') } })
    }
  }
  const due = await act((tx) =>
    tx.run<{ id: string; tenant_id: string }>(
      sql`select id, tenant_id from tenant where status = 9 and purge_after <= now() order by purge_after`,
    ),
  )
  for (const { id, tenant_id: code } of due)
    await careful(code, async () => {
      const done = await purgeTenant(services, {
        id,
        actor: sweeper,
        circumstance,
        // Another process is at it, or was; or somebody has just brought the tenant back.
        still: async (tx, tenantId) =>
          (await tryCode(tx, tenantId)) &&
          (await tx.one(sql`select 1 from tenant where id = ${id} and status = 9 and purge_after <= now()`)) !==
            undefined,
      })
      if (!done) return
      purged.push(code)
      log.info('a tenant was purged after its grace', { tenantId: code, ...done.files })
    })
  const left = await act(async (tx) => [
    ...(await unfinishedTenants(tx)),
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
      await dropFolder(services, name)
}

/** Sweeps every night. What could not be purged fails the run, so that somebody sees it; the next tries it again. */
export const tenantSweep: RecurringWork = {
  name: 'tenant-sweep',
  cron: '0 3 * * *',
  run: async (services) => {
    const failures: UnpurgedPart[] = []
    const purged = await sweepTenants(services, (unpurged) => failures.push(unpurged))
    if (purged.length > 0) forgetDomains(services)
    if (failures.length === 0) return { purged: purged.length }
    const told = (language: 'zh' | 'en'): string =>
      failures
        .slice(0, 3)
        .map(({ tenantId, words }) => `${tenantId}: ${words[language]}`)
        .join('; ')
    throw refuse(
      `${failures.length}个租户未能清除（${told('zh')}）`,
      `${failures.length} tenants could not be purged (${told('en')})`,
    )
  },
}

/** Purges a tenant that somebody has asked for by its code. */
addWork({
  kind: 'tenant-purge',
  queue: 'purge',
  atOnce: 1,
  code: 'tenant_purge',
  platform: true,
  again: true,
  run: async ({ services, job, actor, circumstance, progress, end }) => {
    await purgeTenant(services, {
      id: job.subjectId!,
      actor,
      circumstance,
      leave: job.input.keepBuckets === 1,
      tell: (done, total, known) => progress(done, total, { result: { ...known } }),
      end: (tx, certificate) => end(tx, { ...certificate }),
    })
    forgetDomains(services)
    return undefined
  },
})
