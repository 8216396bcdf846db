import type { AnswerOf } from '@data-brain/contract/call'
import type { storageUsage } from '@data-brain/contract/calls/attach'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { Problem } from '../../kernel/problem.ts'
import { enabledPlace } from './storage/place.ts'

const mb = 1_048_576

/** Bytes that a tenant's files take up, those on their way in with them: what several rows share counts once. */
async function usedBytes(tx: Tx, tenantId: string): Promise<number> {
  const row = await tx.one<{ used: string }>(
    sql`select (coalesce((select sum(size) from (select max(attach_size) as size from attach where tenant_id = ${tenantId} group by name) kept), 0)
          + coalesce((select sum(reserved) from attach_loose where tenant_id = ${tenantId}), 0))::bigint as used`,
  )
  return Number(row?.used ?? 0)
}

async function quotaOf(tx: Tx, tenantId: string): Promise<number> {
  const row = await tx.one<{ mb: number }>(sql`select quota_storage_mb as mb from tenant where tenant_id = ${tenantId}`)
  return row?.mb ?? -1
}

const shown = (bytes: number): string =>
  bytes < mb ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / mb).toFixed(1).replace(/\.0$/, '')} MB`

/** Refuses more bytes than the tenant's quota. The caller holds the tenant's files, so that no two take the last room. */
export async function mustFit(tx: Tx, tenantId: string, size: number): Promise<void> {
  const quota = await quotaOf(tx, tenantId)
  if (quota < 0) return
  const used = await usedBytes(tx, tenantId)
  if (used + size > quota * mb)
    throw new Problem('storage_full', { used: shown(used), quota: `${quota} MB`, size: shown(size) })
}

/** Bytes that nothing uses yet which one person may leave lying; they are swept after a day. */
const unusedMost = 500 * mb

/** Refuses more files that nothing uses than one person needs for the forms that are open. */
export async function mustBeUsed(tx: Tx, tenantId: string, userId: string | null, size: number): Promise<void> {
  const row = await tx.one<{ unused: string }>(
    sql`select coalesce(sum(attach_size), 0)::bigint as unused from attach
        where tenant_id = ${tenantId} and create_user = ${userId}::bigint and used_at is null`,
  )
  if (Number(row?.unused ?? 0) + size <= unusedMost) return
  throw new Problem('rule_broken', {
    reason: {
      zh: `您上传后尚未使用的文件超过${shown(unusedMost)}：请先保存表单，或一天后再试`,
      en: `You have uploaded more than ${shown(unusedMost)} that nothing uses yet: save your forms first, or try again in a day`,
    },
  })
}

/** How much of its quota a tenant uses, and where new files go. */
export async function usageOf(tx: Tx, tenantId: string): Promise<AnswerOf<typeof storageUsage>> {
  const counted = await tx.one<{ files: number }>(
    sql`select count(*)::int as files from attach where tenant_id = ${tenantId}`,
  )
  const ossId = await enabledPlace(tx, tenantId)
  const place = await tx.one<{ oss_code: string }>(
    sql`select oss_code from oss where tenant_id = ${tenantId} and id = ${ossId}`,
  )
  return {
    usedBytes: await usedBytes(tx, tenantId),
    files: counted?.files ?? 0,
    quotaMb: await quotaOf(tx, tenantId),
    place: place?.oss_code ?? null,
  }
}
