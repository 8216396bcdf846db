import type { AnswerOf } from '@data-brain/contract/call'
import { endMySessions, mySessions } from '@data-brain/contract/calls/account'
import { sql } from '../../database/statement.ts'
import { on } from '../../entity/serve-call.ts'
import type { Actor } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { endSession, endSessions } from './credential.ts'

/** A session that can still be used, at once or by its refresh token. `t` is the user, `s` the session. */
export const online = sql`s.revoked_at is null and s.absolute_expires > now() and t.status = 1 and (s.access_expires > now() or exists (
  select 1 from refresh_token r where r.tenant_id = s.tenant_id and r.session_id = s.id and r.used_at is null and r.expires > now()))`

/** Most sessions that a person is shown of their own. */
const shownMost = 200

/** The user of the call; a machine has no sessions of its own. */
function self({ userId }: Actor): string {
  if (userId === null) throw new Problem('not_found')
  return userId
}

type Mine = AnswerOf<typeof mySessions>[number]

/** One's own sessions that can still be used, the one that asks first, then the newest use. */
async function list({ tx, actor }: Call): Promise<Mine[]> {
  const rows = await tx.run<Omit<Mine, 'own'>>(
    sql`select s.id, s.address, s.agent, s.client_id as "clientId", s.created_at as "createdAt", s.last_used as "lastUsed"
        from session s join app_user t on t.tenant_id = s.tenant_id and t.id = s.user_id
        where s.tenant_id = ${actor.tenantId} and s.user_id = ${self(actor)} and ${online}
        order by s.id is distinct from ${actor.sessionId}::bigint, s.last_used desc, s.id limit ${shownMost}`,
  )
  return rows.map((row) => ({ ...row, own: row.id === actor.sessionId ? 1 : 0 }))
}

/** Ends some of one's own sessions; one of somebody else answers as one that never was. */
async function end({ tx, actor }: Call, ids: readonly string[]): Promise<void> {
  const { tenantId } = actor
  if (actor.sessionId !== null && ids.includes(actor.sessionId))
    throw new Problem('rule_broken', {
      reason: { zh: '这是当前的会话，请退出登录', en: 'This is the session you are in: log out instead' },
    })
  const found = await tx.one<{ n: number }>(
    sql`select count(*)::int as n from session
        where tenant_id = ${tenantId} and user_id = ${self(actor)} and id = any(${[...ids]}::bigint[])`,
  )
  if (found?.n !== ids.length) throw new Problem('not_found')
  await endSession(tx, tenantId, ids, 'ended by the user')
}

/** The sessions of the caller: what is logged in as oneself, and how to end it. */
export const mySessionRoutes: readonly Route[] = [
  on(mySessions, (_, call) => list(call), { always: true }),
  on(
    endMySessions,
    async ({ ids }, call) => {
      if (ids && ids.length > 0) await end(call, ids)
      else await endSessions(call.tx, call.actor.tenantId, self(call.actor), 'ended by the user', call.actor.sessionId)
    },
    { always: true },
  ),
]
