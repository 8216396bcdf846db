import type { RosterBatch as WireBatch } from '@data-brain/contract/calls/oneroster'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Language } from '../../kernel/problem.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Batch, batchColumns, batchOf } from '../jobs/index.ts'
import type { Report } from './examine.ts'
import type { Answer } from './plan.ts'

interface Settings {
  /** Said with the commit: what the archive no longer knows is retired. */
  readonly retire?: boolean
  /** When pupils enrolled of whom nothing tells it. */
  readonly enrolled?: Answer
}

/** An archive that was brought in; it has a report once it is checked. */
export type RosterBatch = Batch<Settings, Report | Record<string, never>> & Pick<WireBatch, 'state'>

/** The archive's batch; one that brings students out of a spreadsheet is not found. */
export const rosterOf = (tx: Tx, tenantId: string, id: string, lock = false): Promise<RosterBatch> =>
  batchOf<RosterBatch>(tx, tenantId, 'oneroster', id, lock)

export const reportOf = ({ counts }: RosterBatch): Report | undefined =>
  'plan' in counts ? (counts as Report) : undefined

/** The archive that is worked on for the tenant now, else the one that this user has had checked and not imported. */
export const openRoster = (tx: Tx, tenantId: string, userId: string | null): Promise<RosterBatch | undefined> =>
  tx.one<RosterBatch>(
    sql`select ${batchColumns} from import_batch where tenant_id = ${tenantId} and entity = 'oneroster'
          and (state in ('checking', 'committing') or (state = 'checked' and user_id = ${userId}))
        order by state = 'checked', create_time desc, id desc limit 1`,
  )

/**
 * Lets one archive at a time be worked on for a tenant: takes the right to begin one until the transaction ends, and
 * refuses, with its name, while another is under way.
 */
export async function refuseSecond(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`oneroster|${tenantId}`}, 0))`)
  const other = await tx.one<{ id: string; file_name: string; state: string }>(
    sql`select id, file_name, state from import_batch where tenant_id = ${tenantId} and entity = 'oneroster' and state in ('checking', 'committing') limit 1`,
  )
  if (!other) return
  const { id, file_name: name } = other
  const committing = other.state === 'committing'
  throw new Problem(
    'rule_broken',
    {
      reason: {
        zh: `“${name}”正在${committing ? '导入' : '检查'}，请等它结束再开始`,
        en: `"${name}" is being ${committing ? 'imported' : 'checked'}: wait until it has ended`,
      },
    },
    { id },
  )
}

/** A batch as it travels, in one language. */
export function batchView(batch: RosterBatch, language: Language): WireBatch {
  const working = batch.state === 'checking' || batch.state === 'committing'
  const report = working ? undefined : reportOf(batch)
  return {
    id: batch.id,
    fileName: batch.file_name,
    state: batch.state,
    progress: batch.progress,
    total: batch.total,
    retire: batch.settings.retire === true,
    failure: batch.failure?.[language] ?? null,
    userName: batch.user_name,
    createTime: batch.create_time,
    report: report
      ? {
          faultCount: report.faultCount,
          faults: report.faults.map(({ reason, ...fault }) => ({ ...fault, message: reason[language] })),
          counts: report.counts.map((count) => ({ ...count, label: count.label[language] })),
          otherFiles: report.otherFiles,
          asks: report.asks ?? null,
          passed: report.passed.map(({ reason, ...passed }) => ({ ...passed, message: reason[language] })),
        }
      : null,
  }
}
