import { sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { announce } from '../../kernel/announce.ts'
import { sweepOnce } from '../../kernel/idempotency.ts'
import type { Services } from '../../kernel/services.ts'
import { parameterOf } from '../../kernel/setting.ts'

export interface NewPassword {
  readonly tenantId: string
  readonly userId: string
  /** Of `hashPassword`. */
  readonly hash: string
  /** Given out by somebody else: to be changed at the first log-in, and void after `account.oneTimeHours`. */
  readonly oneTime: boolean
}

/** Stores a password, and only then ends the user's sessions; `except` is the one that goes on. */
export async function setPassword(
  tx: Tx,
  { tenantId, userId, hash, oneTime }: NewPassword,
  except: string | null = null,
): Promise<void> {
  const hours = oneTime ? await parameterOf(tx, tenantId, 'account.oneTimeHours') : null
  await tx.run(
    sql`insert into credential as k (tenant_id, user_id, hash, must_change, expires_at)
        values (${tenantId}, ${userId}, ${hash}, ${oneTime ? 1 : 0}, now() + ${hours}::int * interval '1 hour')
        on conflict (tenant_id, user_id) do update set
          hash = excluded.hash, must_change = excluded.must_change, expires_at = excluded.expires_at, changed_at = now()`,
  )
  // A statement of its own: it sees the sessions of log-ins that held the credential until now.
  await endSessions(tx, tenantId, userId, oneTime ? 'password reset' : 'password changed', except)
}

/** Ends the sessions of a user from the next request on; `except` is the one that goes on. */
export async function endSessions(
  tx: Tx,
  tenantId: string,
  userId: string,
  reason: string,
  except: string | null = null,
): Promise<void> {
  await tx.run(
    sql`update session set revoked_at = now(), revoked_reason = ${reason}
        where tenant_id = ${tenantId} and user_id = ${userId} and revoked_at is null and id is distinct from ${except}::bigint`,
  )
  await announce(tx, tenantId, 'session', [userId])
}

/** Ends these sessions from the next request on, and their refresh tokens with them. */
export async function endSession(tx: Tx, tenantId: string, ids: readonly string[], reason: string): Promise<void> {
  const ended = await tx.run<{ user_id: string }>(
    sql`update session set revoked_at = now(), revoked_reason = ${reason}
        where tenant_id = ${tenantId} and id = any(${[...ids]}::bigint[]) and revoked_at is null returning user_id`,
  )
  await announce(
    tx,
    tenantId,
    'session',
    ended.map((row) => row.user_id),
  )
}

/**
 * Removes what can serve nobody any more: sessions long past their end with their tokens, old counts of failures, and
 * answers kept for saves sent twice. The newest session of everybody stays: it tells that they have logged in.
 */
export async function sweepSessions(services: Pick<Services, 'pool'>, tenantId: string): Promise<void> {
  await inTenant(services.pool, tenantId, async (tx) => {
    await tx.run(
      sql`delete from session where tenant_id = ${tenantId} and id in (
            select s.id from session s where s.tenant_id = ${tenantId} and s.absolute_expires < now() - interval '30 days'
              and (exists (select 1 from session n where n.tenant_id = s.tenant_id and n.user_id = s.user_id and n.id > s.id)
                or not exists (select 1 from app_user u where u.tenant_id = s.tenant_id and u.id = s.user_id)) limit 500)`,
    )
    // Of the newest of somebody only that it was stays.
    await tx.run(
      sql`update session set address = null, agent = null
          where tenant_id = ${tenantId} and absolute_expires < now() - interval '30 days' and (address is not null or agent is not null)`,
    )
    await tx.run(
      sql`delete from refresh_token where tenant_id = ${tenantId} and hash in (
            select hash from refresh_token where tenant_id = ${tenantId} and expires < now() - interval '7 days' limit 500)`,
    )
    await tx.run(
      sql`delete from login_failure where tenant_id = ${tenantId} and (account_hash, address) in (
            select account_hash, address from login_failure
            where tenant_id = ${tenantId} and window_start < now() - interval '2 days' and coalesce(locked_until, now()) <= now() limit 500)`,
    )
    await sweepOnce(tx, tenantId)
  })
}
