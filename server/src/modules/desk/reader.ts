import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { confirmNotice, ownNotices, readAllNotices, readNotice, unreadCounts } from '@data-brain/contract/calls/notice'
import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'
import { on } from '../../entity/serve-call.ts'
import { announce } from '../../kernel/announce.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { freshLink, linkOf, withPictures } from '../resource/index.ts'
import { isFor, isForClient, isOut } from './audience.ts'
import { settleReminders, unreadMessages } from './inbox.ts'

/*
 * Notices as those they are for read them. Data scopes say who works with which notices; they do not matter here.
 */

/** Notices `n` that are out and meant for the caller, in the application that the caller has logged in with. */
const visible = ({ actor }: Pick<Call, 'actor'>): RawBuilder<unknown> =>
  sql`n.tenant_id = ${actor.tenantId} and ${isOut}
    and ${isForClient(sql`(select s.client_id from session s where s.tenant_id = n.tenant_id and s.id = ${actor.sessionId})`)}
    and ${isFor(sql`${actor.userId}::bigint`)}`

const myRead = ({ actor }: Pick<Call, 'actor'>): RawBuilder<unknown> =>
  sql`left join notice_read r on r.tenant_id = n.tenant_id and r.notice_id = n.id and r.user_id = ${actor.userId}`

const heads = ({ circumstance }: Pick<Call, 'circumstance'>): RawBuilder<unknown> =>
  sql`n.id, n.title, n.category, n.release_time as "releaseTime", n.expire_time as "expireTime", n.is_top as "isTop",
  n.need_read as "needRead", n.summary, (select u.real_name from app_user u where u.tenant_id = n.tenant_id and u.id = n.create_user) as "createUserName",
  (select case when ${circumstance.language === 'en'} then coalesce(d.dict_value_en, d.dict_value) else d.dict_value end
    from dict d where d.code = 'notice' and d.dict_key = n.category limit 1) as "categoryName", r.read_at as "readAt",
  n.confirm_by as "confirmBy", r.confirmed_at as "confirmedAt"`

/** Of the caller's notices those whose receipt is asked for and not given. */
const awaitsReceipt = sql`n.need_read = 1 and r.confirmed_at is null`

type Head = AnswerOf<typeof ownNotices>['records'][number]
type Notice = AnswerOf<typeof readNotice>

async function list(call: Call, asked: InputOf<typeof ownNotices>): Promise<AnswerOf<typeof ownNotices>> {
  const { current = 1, size = 10, unread, unconfirmed } = asked
  const { tx } = call
  const from = sql`notice n ${myRead(call)} where ${visible(call)} ${unread === 1 ? sql`and r.read_at is null` : sql``}
    ${unconfirmed === 1 ? sql`and ${awaitsReceipt}` : sql``}`
  const order = unconfirmed === 1 ? sql`n.confirm_by nulls last,` : sql``
  const records = await tx.run<Head>(
    sql`select ${heads(call)} from ${from} order by ${order} coalesce(n.is_top, 0) desc, n.release_time desc, n.id desc limit ${size} offset ${(current - 1) * size}`,
  )
  const total = (await tx.one<{ n: number }>(sql`select count(*)::int as n from ${from}`))?.n ?? 0
  return { total, size, current, pages: Math.ceil(total / size), records }
}

/** One notice with its text and files; that the caller has read it is recorded, and told to the caller's other consoles. */
async function read(call: Call, id: string): Promise<Notice> {
  const { tx, actor, services } = call
  const { tenantId } = actor
  const row = await tx.one<Head & { content: string }>(
    sql`select ${heads(call)}, n.content from notice n ${myRead(call)} where ${visible(call)} and n.id = ${id}`,
  )
  if (!row) throw new Problem('not_found')
  const files = await tx.run<Omit<Notice['attachments'][number], 'link'>>(
    sql`select a.id, a.original_name as name, a.attach_size as size from notice_attach l join attach a on a.tenant_id = l.tenant_id and a.id = l.target_id
        where l.tenant_id = ${tenantId} and l.owner_id = ${id} order by l.ord`,
  )
  const marked = await mark(call, sql`n.id = ${id}`)
  if (marked.length > 0) await tellAuthor(call, id)
  if (row.needRead !== 1 && actor.userId !== null) await settleReminders(tx, tenantId, id, actor.userId)
  const readAt = row.readAt ?? marked[0]?.readAt ?? null
  return {
    ...row,
    readAt,
    content: withPictures(services, actor, row.content),
    attachments: files.map((file) => ({ ...file, link: freshLink(services, actor, linkOf(file.id)) ?? '' })),
  }
}

/** Records that the caller has read those of the visible notices that fit and were unread. */
async function mark(call: Call, which: RawBuilder<unknown>): Promise<{ readAt: string }[]> {
  const { tx, actor } = call
  const { tenantId, userId } = actor
  if (userId === null) return []
  const marked = await tx.run<{ readAt: string }>(
    sql`insert into notice_read (tenant_id, notice_id, user_id)
        select n.tenant_id, n.id, ${userId} from notice n where ${visible(call)} and ${which}
        on conflict do nothing returning read_at as "readAt"`,
  )
  if (marked.length > 0) await announce(tx, tenantId, 'notice', [userId])
  return marked
}

/** Lets the author's consoles count anew. */
async function tellAuthor({ tx, actor: { tenantId } }: Call, id: string): Promise<void> {
  const row = await tx.one<{ author: string | null }>(
    sql`select create_user as author from notice where tenant_id = ${tenantId} and id = ${id}`,
  )
  if (row?.author) await announce(tx, tenantId, 'notice', [row.author])
}

/**
 * Gives the caller's receipt of a notice that asks for one. Given twice, also at the same time, it is the first one that
 * counts. A notice that was taken back is there no more, and nothing is recorded.
 */
async function confirm(call: Call, id: string): Promise<AnswerOf<typeof confirmNotice>> {
  const { tx, actor } = call
  const { tenantId, userId } = actor
  const row = await tx.one<{ needRead: number | null }>(
    sql`select n.need_read as "needRead" from notice n where ${visible(call)} and n.id = ${id} for share of n`,
  )
  if (!row || userId === null) throw new Problem('not_found')
  if (row.needRead !== 1)
    throw new Problem('rule_broken', {
      reason: { zh: '该通知不需要回执', en: 'This notice asks for no receipt' },
    })
  const given = await tx.one<{ confirmedAt: string; isNew: boolean }>(
    sql`insert into notice_read as r (tenant_id, notice_id, user_id, confirmed_at) values (${tenantId}, ${id}, ${userId}, now())
        on conflict (tenant_id, notice_id, user_id) do update set confirmed_at = coalesce(r.confirmed_at, now())
        returning confirmed_at as "confirmedAt", confirmed_at = now() as "isNew"`,
  )
  if (given!.isNew) {
    await settleReminders(tx, tenantId, id, userId)
    await announce(tx, tenantId, 'notice', [userId])
    await tellAuthor(call, id)
  }
  return { confirmedAt: given!.confirmedAt }
}

/** How many receipts are asked of the caller. */
export async function awaitedReceipts(call: Call): Promise<number> {
  const row = await call.tx.one<{ n: number }>(
    sql`select count(*)::int as n from notice n ${myRead(call)} where ${visible(call)} and ${awaitsReceipt}`,
  )
  return row?.n ?? 0
}

/** How much the caller has not read. */
async function unread(call: Call): Promise<AnswerOf<typeof unreadCounts>> {
  const row = await call.tx.one<{ n: number }>(
    sql`select count(*)::int as n from notice n ${myRead(call)} where ${visible(call)} and r.read_at is null`,
  )
  return { notices: row?.n ?? 0, messages: await unreadMessages(call) }
}

export const readerRoutes: readonly Route[] = [
  on(ownNotices, (asked, call) => list(call, asked)),
  on(readNotice, ({ id }, call) => read(call, id), { records: true }),
  on(confirmNotice, ({ id }, call) => confirm(call, id)),
  on(readAllNotices, async (_, call) => {
    await mark(call, sql`true`)
  }),
  on(unreadCounts, (_, call) => unread(call)),
]
