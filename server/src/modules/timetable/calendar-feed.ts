import { randomBytes } from 'node:crypto'
import {
  type CalendarFeed,
  calendarFeeds,
  feedsMost,
  makeCalendarFeed,
  readCalendarFeed,
  withdrawCalendarFeed,
} from '@data-brain/contract/calls/calendar-feed'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inTenant, isTenantCode, type Tx } from '../../database/transaction.ts'
import { on, onPublic } from '../../entity/serve-call.ts'
import type { Actor } from '../../kernel/actor.ts'
import { loadActor } from '../../kernel/load-actor.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Call, type PublicCall, RawResponse, type Route } from '../../kernel/route.ts'
import { loginPacing } from '../auth/index.ts'
import { type FeedTarget, feedEvents, targetName } from './feed-events.ts'
import { calendarText } from './ical.ts'

/*
 * Calendar feeds. An address is the whole proof: a calendar program has no session. So it cannot be guessed, only a keyed
 * hash of it is kept, whoever made it can withdraw it, and at each reading it opens no more than its maker may see then.
 */

/** The token names its tenant in clear, as every token does, so that the first statement can. */
const fileForm = /^(bsf_([0-9]{6})_[A-Za-z0-9_-]{43})\.ics$/

const slowDown = loginPacing()

/** Feeds belong to people: a machine has none. */
function personOf({ tenantId, userId }: Actor): { tenantId: string; userId: string } {
  if (userId === null) throw new Problem('not_found')
  return { tenantId, userId }
}

/** Feeds of the caller, newest first; with an id, that one. */
function feedsOf({ tx, actor }: Pick<Call, 'tx' | 'actor'>, id?: string): Promise<CalendarFeed[]> {
  const { tenantId, userId } = personOf(actor)
  return tx.run<CalendarFeed>(
    sql`select f.id, f.kind, coalesce(f.class_id, f.room_id) as "targetId", coalesce(c.class_name, r.room_name) as "targetName",
          f.made_at as "madeAt", f.read_at as "readAt", f.withdrawn_at as "withdrawnAt"
        from calendar_feed f
          left join schoolclass c on c.tenant_id = f.tenant_id and c.id = f.class_id
          left join schoolclassroom r on r.tenant_id = f.tenant_id and r.id = f.room_id
        where f.tenant_id = ${tenantId} and f.user_id = ${userId} ${id === undefined ? sql`` : sql`and f.id = ${id}`}
        order by f.made_at desc, f.id desc limit 100`,
  )
}

const listRoute: Route = on(calendarFeeds, (_, call) => feedsOf(call))

const makeRoute: Route = on(makeCalendarFeed, async ({ kind, classId, classroomId }, call) => {
  const { tx, actor, services } = call
  const { tenantId, userId } = personOf(actor)
  const targetId = (kind === 'class' ? classId : kind === 'room' ? classroomId : undefined) ?? null
  if (kind !== 'own' && targetId === null)
    throw new Problem('parameter_missing', { field: kind === 'class' ? 'classId' : 'classroomId' })
  const target: FeedTarget = { kind, targetId }
  await targetName(call, target)
  // What the address would open is opened once: whoever may not see these lessons gets no address.
  await feedEvents(call, target)
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`calendar_feed|${tenantId}|${userId}`}, 0))`)
  const held = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from calendar_feed where tenant_id = ${tenantId} and user_id = ${userId} and withdrawn_at is null`,
  )
  if ((held?.count ?? 0) >= feedsMost)
    throw new Problem('rule_broken', {
      reason: {
        zh: `每人最多${feedsMost}个日历订阅，请先撤回不再使用的`,
        en: `At most ${feedsMost} calendar feeds are kept per person: withdraw one that is no longer used`,
      },
    })
  const token = `bsf_${tenantId}_${randomBytes(32).toString('base64url')}`
  const id = newId()
  await tx.run(
    sql`insert into calendar_feed (tenant_id, id, hash, user_id, kind, class_id, room_id) values (${tenantId}, ${id},
          ${services.cipher.token(token)}, ${userId}, ${kind}, ${kind === 'class' ? targetId : null}, ${kind === 'room' ? targetId : null})`,
  )
  const [made] = await feedsOf(call, id)
  const path = `/api/${readCalendarFeed.path.replace(':file', `${token}.ics`)}`
  const { publicUrl } = services.environment
  return { ...made!, path, address: publicUrl ? `${publicUrl.replace(/\/+$/, '')}${path}` : null }
})

const withdrawRoute: Route = on(withdrawCalendarFeed, async ({ id }, call) => {
  const { tenantId, userId } = personOf(call.actor)
  // A second withdrawal leaves the first one's time.
  const touched = await call.tx.count(
    sql`update calendar_feed set withdrawn_at = coalesce(withdrawn_at, now()) where tenant_id = ${tenantId} and user_id = ${userId} and id = ${id}`,
  )
  if (touched === 0) throw new Problem('not_found')
  const [withdrawn] = await feedsOf(call, id)
  return withdrawn!
})

interface Kept extends FeedTarget {
  readonly id: string
  readonly userId: string
}

/** The feed of a token that is not withdrawn. */
async function feedOf(tx: Tx, { services }: PublicCall, tenantId: string, token: string): Promise<Kept> {
  const kept = await tx.one<Kept & { withdrawn: boolean; usable: boolean }>(
    sql`select f.id, f.user_id as "userId", f.kind, coalesce(f.class_id, f.room_id) as "targetId", f.withdrawn_at is not null as withdrawn,
          exists (select from tenant t where t.tenant_id = f.tenant_id and t.status in (1, 2) and (t.expire_time is null or t.expire_time > now())) as usable
        from calendar_feed f where f.tenant_id = ${tenantId} and f.hash = ${services.cipher.token(token)}`,
  )
  if (!kept) throw new Problem('not_found')
  if (kept.withdrawn || !kept.usable) throw new Problem('feed_gone')
  return kept
}

/** A call as whoever made the feed would make it now, with all of the maker's roles. */
async function asMaker(
  { services, circumstance }: PublicCall,
  tx: Tx,
  tenantId: string,
  userId: string,
): Promise<Call> {
  const actor = await loadActor(tx, tenantId, userId, { sessionId: null })
  if (!actor) throw new Problem('feed_gone')
  return { services, circumstance, tx, actor, parameters: {}, query: {}, body: undefined, stamp: '' }
}

const readRoute: Route = onPublic(readCalendarFeed, async ({ file }, asked) => {
  await slowDown(asked)
  const [, token, tenantId] = fileForm.exec(file) ?? []
  if (!token || !isTenantCode(tenantId)) throw new Problem('not_found')
  const text = await inTenant(asked.services.pool, tenantId, async (tx) => {
    const feed = await feedOf(tx, asked, tenantId, token)
    const call = await asMaker(asked, tx, tenantId, feed.userId)
    try {
      const name = await targetName(call, feed)
      const events = await feedEvents(call, feed)
      await tx.run(
        sql`update calendar_feed set read_at = now() where tenant_id = ${tenantId} and id = ${feed.id} and (read_at is null or read_at < now() - interval '1 hour')`,
      )
      return calendarText(titleOf(name, asked.circumstance.language), events, new Date())
    } catch (error) {
      // The maker may not see it any more: to whoever has the address that is nothing but the end of it.
      if (error instanceof Problem && (error.status === 403 || error.status === 404)) throw new Problem('feed_gone')
      throw error
    }
  })
  return new RawResponse(Buffer.from(text), 200, {
    'Content-Type': 'text/calendar; charset=utf-8',
    'Content-Disposition': 'inline; filename="timetable.ics"',
    'Referrer-Policy': 'no-referrer',
  })
})

/** What programs call the calendar. One's own names nobody: it may be a pupil's. */
const titleOf = (name: string | null, language: 'zh' | 'en'): string =>
  language === 'zh' ? (name ? `${name}课程表` : '我的课程表') : name ? `Timetable of ${name}` : 'My timetable'

export const calendarFeedRoutes: Route[] = [listRoute, makeRoute, withdrawRoute, readRoute]
