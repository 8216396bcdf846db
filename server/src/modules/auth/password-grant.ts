import { newId } from '../../database/id.ts'
import { prepare, slot, sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { tokenHash } from '../../kernel/authenticate.ts'
import { checkPassword, hashPassword, isOutdated } from '../../kernel/password.ts'
import { Problem } from '../../kernel/problem.ts'
import type { PublicCall } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { accountHash, type Counted, clearFailures, countFailure } from './attempts.ts'
import { type ClientCredentials, type ClientRow, checkClient, clientColumns } from './client.ts'
import { sweepSessions } from './credential.ts'
import { type Granted, personColumns, tokenAnswer } from './person.ts'
import { makePair } from './tokens.ts'

interface Candidate extends ClientRow {
  readonly tenant_usable: boolean
  /** Minutes for which the account stays locked; null where it is open. */
  readonly minutes: number | null
  readonly user_id: string | null
  readonly user_status: number | null
  readonly hash: string | null
  readonly expired: boolean
}

const candidate = prepare(sql`
  select ${clientColumns},
    coalesce(t.status = 1 and (t.expire_time is null or t.expire_time > now()), false) as tenant_usable,
    ceil(extract(epoch from f.locked_until - now()) / 60)::int as minutes,
    u.id as user_id, u.status as user_status, k.hash, coalesce(k.expires_at <= now(), false) as expired
  from (select 1) as one
    left join client c on c.client_id = ${slot('client')}
    left join tenant t on t.tenant_id = ${slot('tenant')}
    left join login_failure f on f.tenant_id = ${slot('tenant')} and f.account_hash = ${slot('counted')} and f.locked_until > now()
    left join app_user u on u.tenant_id = ${slot('tenant')} and u.account = ${slot('account')}
    left join credential k on k.tenant_id = u.tenant_id and k.user_id = u.id`)

// The credential is held while the session is made: a reset that is under way is waited for, and one that comes after
// finds the session and ends it. A password changed since it was checked opens nothing.
const begin = prepare(sql`
  with fresh as (
    select k.user_id from credential k
    where k.tenant_id = ${slot('tenant')} and k.user_id = ${slot('user')}::bigint and k.hash = ${slot('hash')} for share),
  made as (
    insert into session (tenant_id, id, user_id, client_id, access_hash, access_expires, absolute_expires, address, agent)
    select ${slot('tenant')}, ${slot('session')}::bigint, fresh.user_id, ${slot('client')}, ${slot('access')}::bytea,
      now() + ${slot('accessSeconds')}::int * interval '1 second', now() + interval '30 days', ${slot('address')}, ${slot('agent')}
    from fresh returning tenant_id, id, user_id, access_expires, absolute_expires),
  refresh as (
    insert into refresh_token (tenant_id, hash, session_id, expires)
    select tenant_id, ${slot('refresh')}::bytea, id, least(now() + ${slot('refreshSeconds')}::int * interval '1 second', absolute_expires) from made)
  select ${personColumns}, made.id as session_id, extract(epoch from made.access_expires - now())::int as expires_in
  from made join app_user u on u.tenant_id = made.tenant_id and u.id = made.user_id`)

export interface PasswordWish {
  readonly client: ClientCredentials
  readonly tenantId: string
  readonly account: string
  /** The md5 hex of the password. */
  readonly md5: string
}

/**
 * Log-in with account and password. No connection is held while the password is hashed. Whether the account, its user
 * or its tenant exists, is disabled or has expired is told only to who knows the password.
 */
export async function passwordGrant(
  { services, circumstance }: Pick<PublicCall, 'services' | 'circumstance'>,
  wish: PasswordWish,
): Promise<object> {
  const { pool, cipher, secrets, log } = services
  const { tenantId, client } = wish
  const account = wish.account.trim()
  const counted = { tenantId, hash: accountHash(cipher, account, tenantId) }
  const found = await inTenant(pool, tenantId, (tx) =>
    tx.one<Candidate>(candidate.with({ client: client.id, tenant: tenantId, counted: counted.hash, account })),
  )
  checkClient(found, client, 'password')
  if (found?.minutes) throw new Problem('login_locked', { minutes: found.minutes })
  const right = await checkPassword(wish.md5, found?.hash ?? null, secrets.pepper)
  if (!found?.user_id || !found.hash || !right) throw await failed(services, counted, circumstance.address)

  let { hash } = found
  if (isOutdated(hash)) hash = await rehash(services, tenantId, found.user_id, hash, wish.md5)
  const pair = makePair(tenantId)
  const granted = await inTenant(pool, tenantId, async (tx) => {
    await clearFailures(tx, counted)
    if (!found.tenant_usable) throw new Problem('tenant_unusable')
    if (found.user_status !== 1) throw new Problem('account_disabled')
    if (found.expired) throw new Problem('password_expired')
    return tx.one<Granted>(
      begin.with({
        tenant: tenantId,
        user: found.user_id,
        hash,
        session: newId(),
        client: client.id,
        access: tokenHash(pair.access),
        accessSeconds: found.access_token_validity,
        refresh: tokenHash(pair.refresh),
        refreshSeconds: found.refresh_token_validity,
        address: circumstance.address.slice(0, 64),
        agent: circumstance.agent,
      }),
    )
  })
  if (!granted) throw new Problem('login_failed')
  if (Math.random() < 0.01)
    sweepSessions(services, tenantId).catch((error: Error) => log.warn('sweep', { error: error.message }))
  return tokenAnswer(services, granted, pair, tenantId, client.id)
}

async function failed(services: Services, counted: Counted, address: string): Promise<Problem> {
  const locked = await inTenant(services.pool, counted.tenantId, (tx) => countFailure(tx, counted))
  if (locked)
    services.log.warn('an account was locked after repeated wrong passwords', { tenantId: counted.tenantId, address })
  return new Problem('login_failed')
}

/** Hashes a password at today's cost; answers what is stored now. */
async function rehash(
  services: Services,
  tenantId: string,
  userId: string,
  stored: string,
  md5: string,
): Promise<string> {
  const hash = await hashPassword(md5, services.secrets.pepper)
  const done = await inTenant(services.pool, tenantId, (tx) =>
    tx.count(
      sql`update credential set hash = ${hash} where tenant_id = ${tenantId} and user_id = ${userId} and hash = ${stored}`,
    ),
  )
  return done === 1 ? hash : stored
}
