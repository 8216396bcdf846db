import { join } from 'node:path'
import type { Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Context } from '../../entity/repository.ts'
import { mustReachAll } from '../../entity/scopes-of-role.ts'
import { temporaryFolder } from '../../kernel/temporary.ts'
import { addBatchWork, type BatchJob, dropFile, fetchFile, type State } from '../jobs/index.ts'
import { reportOf, rosterOf } from './batch.ts'
import { carriedEntities } from './carried-entities.ts'
import { commit } from './commit.ts'
import { examineArchive, type Report } from './examine.ts'
import { checking, commitPasses, PassProgress } from './pass-progress.ts'

const contextOf = (job: BatchJob, tx: Tx): Context & { batchId: string } => ({
  tx,
  actor: job.actor,
  circumstance: job.circumstance,
  cipher: job.services.cipher,
  batchId: job.batchId,
})

/** Ends a job: the batch is where it belongs, with its report, in the transaction of the work itself. */
const end = (tx: Tx, job: BatchJob, state: State, report: Report, failure: Words | null = null): Promise<unknown> =>
  tx.run(
    sql`update import_batch set state = ${state}, progress = 0, counts = ${JSON.stringify(report)}, failure = ${failure && JSON.stringify(failure)}, update_time = now()
        where tenant_id = ${job.tenantId} and id = ${job.batchId}`,
  )

const code = 'oneroster_import'

/** What is told of a report beside the batch: how many rows, and none of their names. */
const figures = ({ counts, faultCount }: Report): Record<string, number> => ({
  add: counts.reduce((sum, count) => sum + count.add, 0),
  update: counts.reduce((sum, count) => sum + count.update, 0),
  bad: faultCount,
})

/** Works with the kept archive of a batch as a file, which is gone in the end. */
async function withArchive<T>(
  { tenantId, batchId, services }: BatchJob,
  tx: Tx,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await temporaryFolder()
  try {
    const path = join(folder.path, 'file')
    await fetchFile(tx, services.cipher, tenantId, batchId, path)
    return await work(path)
  } finally {
    await folder.remove()
  }
}

const moved: Words = {
  zh: '检查之后数据已有变化，没有导入：请核对新的结果',
  en: 'The data have changed since the check, and nothing was imported: look at the new result',
}

const faulty: Words = {
  zh: '导入前又检查了一次，发现问题，没有导入',
  en: 'Checked once more before the import and found faulty: nothing was imported',
}

/**
 * Says how archives are checked and imported. A check keeps the archive while it can be imported. A commit carries out
 * the plan that was shown, in one transaction; where the data have changed so that the archive would now do something
 * else, nothing is written, and the new plan is shown.
 */
export function addRosterWork(): void {
  addBatchWork('oneroster', 'checking', code, (job, tx, progress) =>
    withArchive(job, tx, async (path) => {
      const { report, ready } = await examineArchive(contextOf(job, tx), path, new PassProgress(checking, progress))
      if (!ready) await dropFile(tx, job.tenantId, job.batchId)
      await end(tx, job, 'checked', report)
      return figures(report)
    }),
  )
  addBatchWork('oneroster', 'committing', code, (job, tx, progress) =>
    withArchive(job, tx, async (path) => {
      const { tenantId, batchId, actor } = job
      // Judged again: rights may have been taken away since it was asked for.
      mustReachAll(actor, carriedEntities(), [code])
      const batch = await rosterOf(tx, tenantId, batchId)
      const context = contextOf(job, tx)
      const pace = new PassProgress(commitPasses, progress)
      const { report, ready } = await examineArchive(context, path, pace, batch.settings.enrolled)
      if (!ready || report.plan !== reportOf(batch)?.plan) {
        if (!ready) await dropFile(tx, tenantId, batchId)
        await end(tx, job, 'checked', report, ready ? moved : faulty)
        return { ...figures(report), moved: 1 }
      }
      await commit(ready, context, batch.settings.retire === true, pace)
      await dropFile(tx, tenantId, batchId)
      // The archive has become rows: who was missing in it is told by the history from here on.
      await end(tx, job, 'done', { ...report, counts: report.counts.map((count) => ({ ...count, missingNames: [] })) })
      return figures(report)
    }),
  )
}
