import { codeOf, notice } from '@data-brain/contract'
import { isId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { contextOf, rowsOf, submit } from '../../entity/routes.ts'
import { draftSchema, rowSchema } from '../../entity/schema.ts'
import { writeOver } from '../../entity/write.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'
import { announce } from './announce.ts'
import { isFor } from './audience.ts'
import { states } from './notice-rules.ts'
import { remind } from './schedule.ts'

const tag = notice.name
const publishing = 'notice_publish'

/** A save changes no state: a draft is published and withdrawn by the calls for it. */
async function save(call: Call): Promise<unknown> {
  const { id, status } = (call.body ?? {}) as { id?: unknown; status?: unknown }
  if (status !== undefined && status !== null) {
    const before = isId(id) ? (await rowsOf(notice, call).before(id)).status : states.draft
    if (Number(status) !== before)
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
  return submit(notice, call)
}

const refusal = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

/**
 * Publishes drafts and withdrawn notices: at once, or at their time where it is still to come. One that is published
 * again is new to everybody. All of them or, when one cannot be, none. Answers the state of each.
 */
async function publish(call: Call, ids: readonly string[]): Promise<{ id: string; status: number }[]> {
  const { tx, actor, services } = call
  const { tenantId } = actor
  const rows = rowsOf(notice, call)
  const done: { id: string; status: number }[] = []
  for (const id of [...ids].sort()) {
    const before = await rows.before(id, { lock: true, codes: [publishing] })
    if (before.status === states.published || before.status === states.scheduled)
      throw refusal(`“${before.title}”已发布或待发布`, `“${before.title}” is published or scheduled already`)
    const when = (await tx.one<{ due: boolean; over: boolean; now: string; ms: number }>(
      sql`select ${String(before.releaseTime)}::timestamptz <= now() as due, coalesce(${before.expireTime ?? null}::timestamptz <= now(), false) as over,
            now() as now, extract(epoch from ${String(before.releaseTime)}::timestamptz) * 1000 as ms`,
    ))!
    if (when.over) throw refusal(`“${before.title}”已过期`, `“${before.title}” has expired`)
    const status = when.due ? states.published : states.scheduled
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

/** Takes notices back: nobody sees them any more. */
async function withdraw(call: Call, ids: readonly string[]): Promise<void> {
  const { tx, actor } = call
  const rows = rowsOf(notice, call)
  for (const id of [...ids].sort()) {
    const before = await rows.before(id, { lock: true, codes: [publishing] })
    if (before.status !== states.published && before.status !== states.scheduled)
      throw refusal(`“${before.title}”没有发布`, `“${before.title}” is not published`)
    await writeOver(modelOf(notice), contextOf(call), id, before, {}, { status: states.withdrawn, extId: undefined })
  }
  await announce(tx, actor.tenantId, 'notice')
}

interface Receipt {
  userId: string
  realName: string
  deptName: string | null
  readAt: string | null
}

interface ReceiptQuery {
  readonly id: string
  readonly read?: number | undefined
  readonly current?: number | undefined
  readonly size?: number | undefined
}

/** Who has read a notice and who, of those it is for, has not. */
async function receipts(call: Call, { id, read, current = 1, size = 20 }: ReceiptQuery): Promise<unknown> {
  const { tx, actor } = call
  const { tenantId } = actor
  await rowsOf(notice, call).before(id, { codes: [codeOf(notice, 'view')] })
  const people = sql`app_user u join notice n on n.tenant_id = u.tenant_id and n.id = ${id}
    left join notice_read r on r.tenant_id = n.tenant_id and r.notice_id = n.id and r.user_id = u.id
    where u.tenant_id = ${tenantId} and (r.read_at is not null or (u.status = 1 and ${isFor(sql`u.id`)}))`
  const counts = (await tx.one<{ read: number; unread: number }>(
    sql`select count(r.read_at)::int as read, (count(*) - count(r.read_at))::int as unread from ${people}`,
  ))!
  const wanted = read === undefined ? sql`` : read === 1 ? sql`and r.read_at is not null` : sql`and r.read_at is null`
  const records = await tx.run<Receipt>(
    sql`select u.id as "userId", u.real_name as "realName", r.read_at as "readAt",
          (select d.dept_name from app_user_dept l join dept d on d.tenant_id = l.tenant_id and d.id = l.target_id
           where l.tenant_id = u.tenant_id and l.owner_id = u.id order by l.ord limit 1) as "deptName"
        from ${people} ${wanted} order by r.read_at desc nulls last, u.id limit ${size} offset ${(current - 1) * size}`,
  )
  const total = read === undefined ? counts.read + counts.unread : read === 1 ? counts.read : counts.unread
  return { ...counts, total, size, current, pages: Math.ceil(total / size), records }
}

export const noticeRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/blade-desk/notice/submit',
    tag,
    access: code(codeOf(notice, 'add'), codeOf(notice, 'edit')),
    summary: { zh: `${notice.label.zh}:新增或修改`, en: `${notice.label.en}: add or change` },
    bodySchema: draftSchema(notice),
    dataSchema: rowSchema(notice),
    handler: save,
  }),
  route({
    method: 'POST',
    path: '/blade-desk/notice/publish',
    tag,
    access: code(publishing),
    summary: { zh: '通知公告:发布(发布时间未到则为待发布)', en: 'Publish notices, at once or at their time' },
    parameters: { ids: { kind: 'ids', required: true } },
    handler: (call) => publish(call, call.parameters.ids),
  }),
  route({
    method: 'POST',
    path: '/blade-desk/notice/withdraw',
    tag,
    access: code(publishing),
    summary: { zh: '通知公告:下线', en: 'Withdraw notices' },
    parameters: { ids: { kind: 'ids', required: true } },
    handler: (call) => withdraw(call, call.parameters.ids),
  }),
  route({
    method: 'GET',
    path: '/blade-desk/notice/receipts',
    tag,
    access: code(codeOf(notice, 'view')),
    summary: { zh: '通知公告:回执(已读与未读)', en: 'Who has read a notice, and who has not' },
    parameters: {
      id: { kind: 'id', required: true },
      read: { kind: 'integer', min: 0, max: 1 },
      current: { kind: 'integer', min: 1, max: 1_000_000 },
      size: { kind: 'integer', min: 1, max: 200 },
    },
    handler: (call) => receipts(call, call.parameters),
  }),
]
