import { codeOf, type Draft, notice } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { publishNotices, withdrawNotices } from '@data-brain/contract/calls/notice'
import { isId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { contextOf, rowsOf, submit } from '../../entity/routes.ts'
import { draftSchema, rowSchema } from '../../entity/schema.ts'
import { on } from '../../entity/serve-call.ts'
import { writeOver } from '../../entity/write.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { announce } from '../../kernel/announce.ts'
import { objectOf } from '../../kernel/body.ts'
import { plainText } from '../../kernel/parameter.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'
import { settleReminders } from './inbox.ts'
import { noticeStates } from './notice-rules.ts'
import { remind } from './schedule.ts'

const publishing = 'notice_publish'

/**
 * A save changes no state: a draft is published and withdrawn by the calls for it. With `publish: 1` it is saved and put
 * out in one step, or neither.
 */
async function save(given: Call): Promise<unknown> {
  const { publish: wanted, ...body } = objectOf(given.body ?? {})
  const call = { ...given, body }
  const { id, status } = body
  const out = Number(plainText(wanted ?? 0)) === 1
  if (out && !(holdsCode(call.actor, publishing) && !call.actor.refused.has(`POST /${publishNotices.path}`)))
    throw new Problem('forbidden', { code: publishing })
  if (status !== undefined && status !== null) {
    const before = isId(id) ? (await rowsOf(notice, call).before(id)).status : noticeStates.draft
    if (Number(plainText(status)) !== before)
      throw fieldProblem(
        [
          {
            field: 'status',
            label: { zh: '状态', en: 'Status' },
            reason: { zh: '只能通过发布与下线改变', en: 'is changed by publishing and withdrawing alone' },
          },
        ],
        call.circumstance.language,
      )
  }
  const saved = await submit(notice, call)
  if (!out) return saved
  await publish(call, [saved.id])
  return rowsOf(notice, call).stored(saved.id)
}

const refusal = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

type Published = AnswerOf<typeof publishNotices>

/**
 * Publishes drafts and withdrawn notices: at once, or at their time where it is still to come. One that is published
 * again is new to everybody. All of them or, when one cannot be, none. Answers the state of each.
 */
async function publish(call: Call, ids: readonly string[]): Promise<Published> {
  const { tx, actor, services } = call
  const { tenantId } = actor
  const rows = rowsOf(notice, call)
  const done: Published[number][] = []
  for (const id of [...ids].sort()) {
    const before = await rows.before(id, { lock: true, codes: [publishing] })
    if (before.status === noticeStates.published || before.status === noticeStates.scheduled)
      throw refusal(`“${before.title}”已发布或待发布`, `“${before.title}” is published or scheduled already`)
    const when = (await tx.one<{ due: boolean; over: boolean; late: boolean; now: string; ms: number }>(
      sql`select ${before.releaseTime}::timestamptz <= now() as due, coalesce(${before.expireTime ?? null}::timestamptz <= now(), false) as over,
            coalesce(${before.confirmBy ?? null}::timestamptz <= greatest(now(), ${before.releaseTime}::timestamptz), false) as late,
            now() as now, extract(epoch from ${before.releaseTime}::timestamptz) * 1000 as ms`,
    ))!
    if (when.over) throw refusal(`“${before.title}”已过期`, `“${before.title}” has expired`)
    if (when.late)
      throw fieldProblem(
        [
          {
            field: 'confirmBy',
            label: notice.fields.confirmBy.label,
            reason: { zh: '须晚于发布时间', en: 'must be later than it comes out' },
          },
        ],
        call.circumstance.language,
      )
    const status = when.due ? noticeStates.published : noticeStates.scheduled
    await writeOver(modelOf(notice), contextOf(call), id, before, when.due ? { releaseTime: when.now } : {}, {
      status,
      extId: undefined,
    })
    await tx.run(sql`delete from notice_read where tenant_id = ${tenantId} and notice_id = ${id}`)
    if (!when.due) await remind(services, tx, tenantId, Number(when.ms))
    done.push({ id, status })
  }
  await announce(tx, tenantId, 'notice')
  return done
}

/** Writes a notice and puts it out at once, for work that nobody saves by hand; answers its id. */
export async function issueNotice(
  context: Context,
  draft: Omit<Draft<typeof notice>, 'releaseTime' | 'status'>,
): Promise<string> {
  const { tx, actor } = context
  const [now] = await tx.run<{ at: string }>(sql`select to_char(now(), 'YYYY-MM-DD HH24:MI:SS') as at`)
  const rows = new Repository(notice, context)
  const { id } = await rows.add({ ...draft, releaseTime: now!.at })
  const states = { status: noticeStates.published, extId: undefined }
  await writeOver(modelOf(notice), context, id, await rows.before(id), {}, states)
  await announce(tx, actor.tenantId, 'notice')
  return id
}

/** Takes notices back: nobody sees them any more. */
async function withdraw(call: Call, ids: readonly string[]): Promise<void> {
  const { tx, actor } = call
  const rows = rowsOf(notice, call)
  for (const id of [...ids].sort()) {
    const before = await rows.before(id, { lock: true, codes: [publishing] })
    if (before.status !== noticeStates.published && before.status !== noticeStates.scheduled)
      throw refusal(`“${before.title}”没有发布`, `“${before.title}” is not published`)
    await writeOver(
      modelOf(notice),
      contextOf(call),
      id,
      before,
      {},
      { status: noticeStates.withdrawn, extId: undefined },
    )
    await settleReminders(tx, actor.tenantId, id)
  }
  await announce(tx, actor.tenantId, 'notice')
}

const publishNow = { type: 'integer', enum: [0, 1], description: '1: saved and published in one step, or neither' }

export const noticeRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/blade-desk/notice/submit',
    tag: notice.name,
    access: code(codeOf(notice, 'add'), codeOf(notice, 'edit')),
    summary: { zh: `${notice.label.zh}：新增或修改`, en: `${notice.label.en}: add or change` },
    bodySchema: draftSchema(notice, { publish: publishNow }),
    dataSchema: rowSchema(notice),
    handler: save,
  }),
  on(publishNotices, ({ ids }, call) => publish(call, ids)),
  on(withdrawNotices, ({ ids }, call) => withdraw(call, ids)),
]
