import { codeOf, type Entity, notice, schoolclass, user } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { noticeAudience, noticeReceipts, remindOfNotice } from '@data-brain/contract/calls/notice'
import type { RawBuilder } from 'kysely'
import { newId } from '../../database/id.ts'
import { prepareQuery, type Statement, slotValue, sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import { reachOf } from '../../entity/scope.ts'
import { tableRef } from '../../entity/select.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { isFor, isOut } from './audience.ts'
import { readerLink, reminderKind, sendMessage } from './inbox.ts'
import { choosableTargets } from './notice-rules.ts'

/*
 * What the author of a notice asks: whom it reaches, who has read it and confirmed that, and to remind those who have not.
 */

/** Nobody is reminded of the same notice twice within this time. */
const remindMinutes = 5

/** Whom of the people, and of their classes, an author is told of: of those alone that the author works with. */
export interface VisibleReaders {
  /** A condition on a user `u`. */
  readonly people: RawBuilder<unknown>
  /** A condition on a class `c`. */
  readonly classes: RawBuilder<unknown>
  run<T>(query: RawBuilder<unknown>): Promise<T[]>
}

/** What the caller works with by a code of notices, asked once for as many notices as there are. */
export async function seenBy(call: Call, code = codeOf(notice, 'view')): Promise<VisibleReaders> {
  const { tx, actor } = call
  const of = (entity: Entity) => reachOf(contextOf(call), modelOf(entity), [code], entity.name)
  const [people, classes] = [await of(user), await of(schoolclass)]
  const values = { tenant: actor.tenantId, ...people?.values, ...classes?.values }
  const within = (entity: Entity, reach: typeof people, id: RawBuilder<unknown>): RawBuilder<unknown> =>
    reach
      ? sql`${id} in (select t.id from ${tableRef(modelOf(entity))} where t.tenant_id = ${slotValue('tenant')} and ${reach.sql})`
      : sql`true`
  return {
    people: within(user, people, sql`u.id`),
    classes: within(schoolclass, classes, sql`c.id`),
    run: (query) => {
      const { text, values: bound } = prepareQuery(query).with(values)
      return tx.run({ text, values: bound } as Statement)
    },
  }
}

/** Users `u` whom a notice `n` is for, or who answered it while it was for them, with their answer `r`. */
const people = (tenantId: string, id: string, seen: VisibleReaders): RawBuilder<unknown> =>
  sql`app_user u join notice n on n.tenant_id = u.tenant_id and n.id = ${id}
    left join notice_read r on r.tenant_id = n.tenant_id and r.notice_id = n.id and r.user_id = u.id
    where u.tenant_id = ${tenantId} and (r.read_at is not null or (u.status = 1 and ${isFor(sql`u.id`)})) and ${seen.people}`

type Receipts = AnswerOf<typeof noticeReceipts>
type Counts = Pick<Receipts, 'read' | 'unread' | 'confirmed' | 'unconfirmed'>

async function lastReminder({ tx, actor }: Call, id: string): Promise<Receipts['reminded']> {
  const row = await tx.one<NonNullable<Receipts['reminded']>>(
    sql`select people, user_name as "userName", create_time as time,
          greatest(0, ceil(extract(epoch from create_time + make_interval(mins => ${remindMinutes}) - now())))::int as wait
        from notice_reminder where tenant_id = ${actor.tenantId} and notice_id = ${id} order by create_time desc limit 1`,
  )
  return row ?? null
}

/** How many of those a notice is for, and whom the caller works with, have read it and have not, confirmed it and have not. */
export const readCounts = async ({ actor }: Call, id: string, seen: VisibleReaders): Promise<Counts> =>
  (
    await seen.run<Counts>(
      sql`select count(r.read_at)::int as read, (count(*) - count(r.read_at))::int as unread,
          count(r.confirmed_at)::int as confirmed, (count(*) - count(r.confirmed_at))::int as unconfirmed from ${people(actor.tenantId, id, seen)}`,
    )
  )[0]!

/** Who has read a notice, who has confirmed that, and who of those it is for has not. */
async function receipts(call: Call, query: InputOf<typeof noticeReceipts>): Promise<Receipts> {
  const { id, read, confirmed, current = 1, size = 20 } = query
  const { actor } = call
  await rowsOf(notice, call).before(id, { codes: [codeOf(notice, 'view')] })
  const seen = await seenBy(call)
  const from = people(actor.tenantId, id, seen)
  const flag = (column: RawBuilder<unknown>, wanted: number | undefined): RawBuilder<unknown> =>
    wanted === undefined ? sql`` : wanted === 1 ? sql`and ${column} is not null` : sql`and ${column} is null`
  const which = sql`${flag(sql`r.read_at`, read)} ${flag(sql`r.confirmed_at`, confirmed)}`
  const counts = await readCounts(call, id, seen)
  const total = (await seen.run<{ n: number }>(sql`select count(*)::int as n from ${from} ${which}`))[0]!.n
  const records = await seen.run<Receipts['records'][number]>(
    sql`select u.id as "userId", u.real_name as "realName", r.read_at as "readAt", r.confirmed_at as "confirmedAt",
          (select d.dept_name from app_user_dept l join dept d on d.tenant_id = l.tenant_id and d.id = l.target_id
           where l.tenant_id = u.tenant_id and l.owner_id = u.id order by l.ord limit 1) as "deptName",
          (select string_agg(c.class_name, '、' order by c.class_name) from schoolclass c
           where c.tenant_id = u.tenant_id and c.status <= 1 and c.head_teacher_id = u.id and ${seen.classes}) as "className"
        from ${from} ${which} order by r.confirmed_at desc nulls last, r.read_at desc nulls last, u.real_name, u.id
        limit ${size} offset ${(current - 1) * size}`,
  )
  const reminded = await lastReminder(call, id)
  return { ...counts, reminded, total, size, current, pages: Math.ceil(total / size), records }
}

const refusal = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

/**
 * Reminds those of the people whom the caller works with who have not given the receipt or, where none is asked for, not
 * read it. Answers how many they are.
 */
async function remind(call: Call, id: string): Promise<AnswerOf<typeof remindOfNotice>> {
  const { tx, actor } = call
  const { tenantId } = actor
  // Of two who remind at the same time the second one finds what the first one has written.
  const before = await rowsOf(notice, call).before(id, { lock: true, codes: ['notice_publish'] })
  const out = await tx.one(sql`select 1 from notice n where n.tenant_id = ${tenantId} and n.id = ${id} and ${isOut}`)
  if (!out) throw refusal('公告未发布、已下线或已过期，不能提醒', 'The notice is not out: nobody is reminded of it')
  const last = await lastReminder(call, id)
  if (last && last.wait > 0) {
    const minutes = Math.ceil(last.wait / 60)
    throw refusal(`刚刚提醒过，请在 ${minutes} 分钟后再试`, `They have just been reminded: try again in ${minutes} min`)
  }
  const asks = before.needRead === 1
  const seen = await seenBy(call, 'notice_publish')
  const open = await seen.run<{ id: string }>(
    sql`select u.id from ${people(tenantId, id, seen)} and u.status = 1 and ${isFor(sql`u.id`)}
        and ${asks ? sql`r.confirmed_at` : sql`r.read_at`} is null`,
  )
  if (open.length === 0)
    throw refusal(
      asks ? '所有人都已确认，无须提醒' : '所有人都已读，无须提醒',
      asks ? 'Everybody has confirmed it' : 'Everybody has read it',
    )
  const until = before.confirmBy?.slice(0, 16) ?? null
  const told = await sendMessage(
    tx,
    tenantId,
    open.map((row) => row.id),
    {
      kind: reminderKind,
      title: asks
        ? { zh: `请确认通知：${before.title}`, en: `Please confirm: ${before.title}` }
        : { zh: `请阅读通知：${before.title}`, en: `Please read: ${before.title}` },
      ...(asks && until
        ? { body: { zh: `请在 ${until} 前确认已阅。`, en: `A receipt is asked for by ${until}.` } }
        : {}),
      link: readerLink(id),
    },
  )
  await tx.run(
    sql`insert into notice_reminder (tenant_id, id, notice_id, user_id, user_name, people)
        values (${tenantId}, ${newId()}, ${id}, ${actor.userId}, ${actor.name}, ${told})`,
  )
  return { people: told }
}

/** How many people these notices reach, whoever is reached by several counted once. */
async function reached(call: Call, ids: readonly string[]): Promise<AnswerOf<typeof noticeAudience>> {
  const { tx, actor } = call
  const rows = rowsOf(notice, call)
  for (const id of ids) await rows.before(id, { codes: [codeOf(notice, 'view'), 'notice_publish'] })
  const row = await tx.one<{ people: number }>(
    sql`select count(*)::int as people from app_user u where u.tenant_id = ${actor.tenantId} and u.status = 1 and exists (
          select 1 from notice n where n.tenant_id = u.tenant_id and n.id = any(${[...ids]}::bigint[]) and ${isFor(sql`u.id`)})`,
  )
  return { people: row!.people }
}

/** How many people notices with such targets would reach, and how many each of the targets alone. */
async function audience(
  call: Call,
  targetType: string,
  asked: readonly string[] = [],
): Promise<AnswerOf<typeof noticeAudience>> {
  const { tx, actor } = call
  const { tenantId } = actor
  // Of what could not be chosen, nobody is counted.
  const targetIds = await choosableTargets(contextOf(call), targetType, asked)
  const reached = (ids: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`(select count(*)::int from app_user u, (select ${tenantId}::text as tenant_id, ${targetType}::text as target_type, ${ids} as target_ids) n
        where u.tenant_id = ${tenantId} and u.status = 1 and ${isFor(sql`u.id`)})`
  const row = await tx.one<{ people: number; each: Record<string, number> | null }>(
    sql`select ${reached(sql`${JSON.stringify(targetIds)}::jsonb`)} as people,
          (select jsonb_object_agg(t.id, ${reached(sql`jsonb_build_array(t.id)`)}) from unnest(${[...targetIds]}::text[]) t(id)) as each`,
  )
  return { people: row!.people, each: row!.each ?? {} }
}

export const receiptRoutes: readonly Route[] = [
  on(noticeReceipts, (asked, call) => receipts(call, asked)),
  on(remindOfNotice, ({ id }, call) => remind(call, id)),
  on(noticeAudience, ({ ids, targetType, targetIds }, call) =>
    ids ? reached(call, ids) : audience(call, targetType ?? '1', targetIds),
  ),
]
