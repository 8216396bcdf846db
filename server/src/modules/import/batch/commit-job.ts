import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { pluralize } from '../../../kernel/pluralize.ts'
import { Problem } from '../../../kernel/problem.ts'
import { sendMessage } from '../../desk/index.ts'
import { addBatchWork, jobLimits } from '../../jobs/index.ts'
import { batchOf, commitPlan, type RowState, rowCounts, type Settings, type StoredRow } from './batch.ts'
import type { Form } from './form.ts'
import { mustImportAll } from './import-access.ts'
import { lookAgain } from './retry-conflicts.ts'
import { rowWords } from './row-words.ts'

/** Days for which rows that were left out can be fetched, corrected and brought in again. */
const leftOutDays = 7

/** Stores the rows of a batch, in one transaction: all of them or none. */
export function addCommitting(form: Form): void {
  addBatchWork(
    form.kind,
    'committing',
    form.code,
    async (job, tx, progress) => {
      const { tenantId, batchId } = job
      // Judged again: rights may have been taken away since it was asked for.
      mustImportAll(form, job.actor)
      const batch = await batchOf(tx, tenantId, form, batchId)
      await waitForOthers(tx, tenantId)
      const { done, settings, after } = await form.store({ ...job, kind: form.kind }, batch, tx, progress)
      const counts = commitPlan(await rowCounts(tx, tenantId, batchId), batch.settings.duplicates)
      // The cells have become rows: what the file said is kept no longer, but for what was left out, for a while.
      await tx.run(
        sql`delete from import_row where tenant_id = ${tenantId} and batch_id = ${batchId} and (state not in ('bad', 'out') or row_no <= 0)`,
      )
      const kept =
        counts.bad + counts.out > 0 ? { keptUntil: new Date(Date.now() + leftOutDays * 86_400_000).toISOString() } : {}
      await after?.()
      await tx.run(
        sql`update import_batch set state = 'done', progress = ${done}, counts = ${JSON.stringify(counts)}, settings = ${JSON.stringify({ ...batch.settings, ...kept, ...settings })}, failure = null, update_time = now()
          where tenant_id = ${tenantId} and id = ${batchId}`,
      )
      if (batch.user_id !== null)
        await sendMessage(tx, tenantId, [batch.user_id], {
          kind: 'import-done',
          title: {
            zh: `导入完成：${batch.file_name.slice(0, 100)}（${done} 行）`,
            en: `Imported: ${batch.file_name.slice(0, 100)} (${pluralize(done, 'row')})`,
          },
        })
      return { ...counts }
    },
    (job, progress, error) => lookAgain(form, job, progress, error),
  )
}

/** One commit of a tenant at a time: the next one then sees what the last has stored, before it writes anything. */
async function waitForOthers(tx: Tx, tenantId: string): Promise<void> {
  await tx.allow({ ...jobLimits, lock: jobLimits.statement })
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`import-commit|${tenantId}`}, 0))`)
  await tx.allow(jobLimits)
}

/** Between check and commit others go on working: a row that would now be judged otherwise stops the whole. */
export function refuseChanged(
  judged: readonly { no: number; state: RowState }[],
  rows: readonly StoredRow[],
  runs: Settings['runs'],
): void {
  const changed = judged.find((each, at) => each.state !== rows[at]?.state)
  if (!changed) return
  const { zh, en } = rowWords(runs, [changed.no])
  throw new Problem('rule_broken', {
    reason: {
      zh: `检查之后数据有变化（${zh}），请重新检查`,
      en: `The data changed after the check (${en}): check again`,
    },
  })
}
