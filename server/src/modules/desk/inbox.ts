import type { Words } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { markMessages, messages } from '@data-brain/contract/calls/desk'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { on } from '../../entity/serve-call.ts'
import { announce } from '../../kernel/announce.ts'
import type { Call, Route } from '../../kernel/route.ts'

/** What somebody is told by the product itself. */
export interface Message {
  /** What it is about, such as `password-reset`; console and tests know it by this. */
  readonly kind: string
  readonly title: Words
  readonly body?: Words
  /** A path of the console that leads to what it is about. */
  readonly link?: string
}

/**
 * Puts a message into the inboxes of these users, in the caller's transaction, and lets their consoles know once it is
 * committed. Who is no user of the tenant, or disabled, gets none. Answers how many got it.
 */
export async function sendMessage(
  tx: Tx,
  tenantId: string,
  userIds: readonly string[],
  message: Message,
): Promise<number> {
  const users = [...new Set(userIds)]
  if (users.length === 0) return 0
  const { kind, title, body, link } = message
  const told = await tx.run<{ user_id: string }>(
    sql`insert into inbox (tenant_id, id, user_id, kind, title, title_en, body, body_en, link)
        select ${tenantId}, m.id, u.id, ${kind}, ${title.zh}, ${title.en}, ${body?.zh ?? null}, ${body?.en ?? null}, ${link ?? null}
        from unnest(${users.map(() => newId())}::bigint[], ${users}::bigint[]) m(id, user_id)
        join app_user u on u.tenant_id = ${tenantId} and u.id = m.user_id and u.status = 1
        returning user_id`,
  )
  await announce(
    tx,
    tenantId,
    'message',
    told.map((row) => row.user_id),
  )
  return told.length
}

/** What somebody is told who has not answered a notice yet. */
export const reminderKind = 'notice-reminder'

/** Where a reader finds a notice. */
export const readerLink = (id: string): string => `/wel/notice?id=${id}`

/** What reminds of a notice counts as read: of this user, who has answered it, or of all, when it is taken back. */
export async function settleReminders(tx: Tx, tenantId: string, id: string, userId?: string): Promise<void> {
  const settled = await tx.run<{ user_id: string }>(
    sql`update inbox set read_at = now() where tenant_id = ${tenantId} and read_at is null and kind = ${reminderKind} and link = ${readerLink(id)}
        ${userId === undefined ? sql`` : sql`and user_id = ${userId}`} returning user_id`,
  )
  await announce(tx, tenantId, 'message', [...new Set(settled.map((row) => row.user_id))])
}

type Inbox = AnswerOf<typeof messages>

/** The caller's messages, newest first. */
async function list(call: Call, asked: InputOf<typeof messages>): Promise<Inbox> {
  const { current = 1, size = 10, unread } = asked
  const { tx, actor, circumstance } = call
  const english = circumstance.language === 'en'
  const mine = sql`i.tenant_id = ${actor.tenantId} and i.user_id = ${actor.userId} ${unread === 1 ? sql`and i.read_at is null` : sql``}`
  const records = await tx.run<Inbox['records'][number]>(
    sql`select i.id, i.kind, case when ${english} then coalesce(i.title_en, i.title) else i.title end as title,
          case when ${english} then coalesce(i.body_en, i.body) else i.body end as body, i.link,
          i.read_at as "readAt", i.create_time as "createTime"
        from inbox i where ${mine} order by i.id desc limit ${size} offset ${(current - 1) * size}`,
  )
  const total = (await tx.one<{ n: number }>(sql`select count(*)::int as n from inbox i where ${mine}`))?.n ?? 0
  return { total, size, current, pages: Math.ceil(total / size), records }
}

/** Marks messages of the caller as read: these, or all. */
async function read({ tx, actor }: Call, ids: readonly string[] | undefined): Promise<void> {
  if (actor.userId === null) return
  const changed = await tx.count(
    sql`update inbox set read_at = now() where tenant_id = ${actor.tenantId} and user_id = ${actor.userId} and read_at is null
        ${ids ? sql`and id = any(${[...ids]}::bigint[])` : sql``}`,
  )
  if (changed > 0) await announce(tx, actor.tenantId, 'message', [actor.userId])
}

/** How many messages the caller has not read. */
export async function unreadMessages({ tx, actor }: Pick<Call, 'tx' | 'actor'>): Promise<number> {
  const row = await tx.one<{ n: number }>(
    sql`select count(*)::int as n from inbox where tenant_id = ${actor.tenantId} and user_id = ${actor.userId} and read_at is null`,
  )
  return row?.n ?? 0
}

export const inboxRoutes: readonly Route[] = [
  on(messages, (asked, call) => list(call, asked)),
  on(markMessages, ({ ids }, call) => read(call, ids)),
]
