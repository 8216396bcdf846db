import { job } from '@data-brain/contract'
import { rowsOf } from '../../entity/routes.ts'
import { holds } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import { code, type Route, route } from '../../kernel/route.ts'
import { cancelJob, retryJob } from './ask.ts'
import { ownRow, ownRows } from './row.ts'

const tag = 'job'

/** Jobs of one's own that are told of at once; the page of all has pages. */
const ownMost = 100

export const jobRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/blade-system/job/own',
    tag,
    access: 'session',
    summary: { zh: '任务：自己发起的任务的进度与结果', en: 'Job: how far a job is that the caller asked for' },
    parameters: { id: { kind: 'id', required: true } },
    handler: async ({ tx, actor, parameters: { id } }) => {
      const row = await ownRow(tx, actor.tenantId, actor.userId, id)
      if (!row) throw new Problem('not_found')
      return row
    },
  }),
  route({
    method: 'GET',
    path: '/blade-system/job/mine',
    tag,
    access: 'session',
    summary: { zh: '任务：自己发起的任务', en: 'Job: those that the caller asked for, newest first' },
    parameters: {},
    handler: ({ tx, actor }) => ownRows(tx, actor.tenantId, actor.userId, ownMost),
  }),
  route({
    method: 'POST',
    path: '/blade-system/job/cancel',
    tag,
    access: 'session',
    summary: {
      zh: '任务：取消排队中的任务（导出在进行中也可取消）',
      en: 'Job: take back one that has not begun, or an export under way',
    },
    parameters: { id: { kind: 'id', required: true } },
    handler: async (call) => {
      const { tx, actor, parameters } = call
      // One's own, or one of those that somebody works with.
      if (!(await ownRow(tx, actor.tenantId, actor.userId, parameters.id))) {
        if (!holds(actor, 'job_retry')) throw new Problem('not_found')
        await rowsOf(job, call).before(parameters.id, { codes: ['job_retry'] })
      }
      await cancelJob(call, parameters.id)
    },
  }),
  route({
    method: 'POST',
    path: '/blade-system/job/retry',
    tag,
    access: code('job_retry'),
    summary: { zh: '任务：重试失败的任务', en: 'Job: try one again that has failed' },
    parameters: { id: { kind: 'id', required: true } },
    handler: async (call) => {
      // Nobody sets going what lies outside of the jobs that they work with.
      await rowsOf(job, call).before(call.parameters.id, { codes: ['job_retry'] })
      await retryJob(call, call.parameters.id)
    },
  }),
]
