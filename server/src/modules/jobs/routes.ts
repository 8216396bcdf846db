import { job } from '@data-brain/contract'
import { cancelJob, myJobs, ownJob, retryJob } from '@data-brain/contract/calls/job'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Route } from '../../kernel/route.ts'
import { takeBack, tryAgain } from './ask.ts'
import { ownRow, ownRows } from './row.ts'

/** Jobs of one's own that are told of at once; the page of all has pages. */
const ownMost = 100

export const jobRoutes: readonly Route[] = [
  on(ownJob, async ({ id }, { tx, actor }) => {
    const row = await ownRow(tx, actor.tenantId, actor.userId, id)
    if (!row) throw new Problem('not_found')
    return row
  }),
  on(myJobs, (_, { tx, actor }) => ownRows(tx, actor.tenantId, actor.userId, ownMost)),
  on(cancelJob, async ({ id }, call) => {
    const { tx, actor } = call
    // One's own, or one of those that somebody works with.
    if (!(await ownRow(tx, actor.tenantId, actor.userId, id))) {
      if (!holdsCode(actor, 'job_retry')) throw new Problem('not_found')
      await rowsOf(job, call).before(id, { codes: ['job_retry'] })
    }
    await takeBack(call, id)
  }),
  on(retryJob, async ({ id }, call) => {
    // Nobody sets going what lies outside of the jobs that they work with.
    await rowsOf(job, call).before(id, { codes: ['job_retry'] })
    await tryAgain(call, id)
  }),
]
