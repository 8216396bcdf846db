import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Context } from '../../entity/repository.ts'
import { type Job, type State, startJob } from '../jobs/index.ts'
import { reportOf, rosterOf } from './batch.ts'
import { commit } from './commit.ts'
import { examine, type Report } from './examine.ts'
import { dropArchive, fetchArchive, keepArchive } from './keep.ts'
import { checking, committing, Pace } from './pace.ts'

const contextOf = (job: Job, tx: Tx): Context & { batchId: string } => ({
  tx,
  actor: job.actor,
  circumstance: job.circumstance,
  cipher: job.services.cipher,
  batchId: job.batchId,
})

/** Ends a job: the batch is where it belongs, with its report, in the transaction of the work itself. */
const end = (tx: Tx, job: Job, state: State, report: Report, failure: Words | null = null): Promise<unknown> =>
  tx.run(
    sql`update import_batch set state = ${state}, progress = 0, counts = ${JSON.stringify(report)}, failure = ${failure && JSON.stringify(failure)}, update_time = now()
        where tenant_id = ${job.tenantId} and id = ${job.batchId}`,
  )

/** Checks the archive at `path`, and keeps it while it can be imported. The file and its folder are gone in the end. */
export function startChecking(job: Job, path: string): void {
  const { tenantId, batchId, services } = job
  const done = startJob(job, 'checking', async (tx, progress) => {
    const { report, ready } = await examine(contextOf(job, tx), path, new Pace(checking, progress))
    if (ready) await keepArchive(tx, services.cipher, tenantId, batchId, path)
    await end(tx, job, 'checked', report)
  })
  void done.finally(() => rm(dirname(path), { recursive: true, force: true }))
}

const moved: Words = {
  zh: '检查之后数据已有变化,没有导入:请核对新的结果',
  en: 'The data have changed since the check, and nothing was imported: look at the new result',
}

/**
 * Carries out the plan that was shown, in one transaction. Where the data have changed so that the archive would now do
 * something else, nothing is written, and the new plan is shown.
 */
export function startCommitting(job: Job): void {
  const { tenantId, batchId, services } = job
  void startJob(job, 'committing', async (tx, progress) => {
    const batch = await rosterOf(tx, tenantId, batchId)
    const folder = await mkdtemp(join(tmpdir(), 'data-brain-oneroster-'))
    try {
      const path = join(folder, 'file')
      await fetchArchive(tx, services.cipher, tenantId, batchId, path)
      const context = contextOf(job, tx)
      const pace = new Pace(committing, progress)
      const { report, ready } = await examine(context, path, pace)
      if (!ready || report.plan !== reportOf(batch)?.plan) {
        if (!ready) await dropArchive(tx, tenantId, batchId)
        await end(tx, job, 'checked', report, moved)
        return
      }
      await commit(ready.plan, ready.judged, context, batch.settings.retire === true, pace)
      await dropArchive(tx, tenantId, batchId)
      // The archive has become rows: who was missing in it is told by the history from here on.
      await end(tx, job, 'done', { ...report, counts: report.counts.map((count) => ({ ...count, missingNames: [] })) })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}
