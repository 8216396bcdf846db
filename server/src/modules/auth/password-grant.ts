import { newId } from '../../database/id.ts'
import { prepare, slot, sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { tokenHash } from '../../kernel/authenticate.ts'
import { checkPassword, hashPassword, isOutdated } from '../../kernel/password.ts'
import { Problem } from '../../kernel/problem.ts'
import type { PublicCall } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { parameterOf } from '../../kernel/setting.ts'
import { accountHash, type Counted, clearFailures, countFailure } from './attempts.ts'
import { type ClientCredentials, type ClientRow, checkClient, clientColumns, clientNamed } from './client.ts'
import { sweepSessions } from './credential.ts'
import { type Narrow, narrowSession } from './narrow.ts'
import { type Granted, personColumns, tokenAnswer } from './person.ts'
import { makePair } from './tokens.ts'

interface Candidate extends ClientRow {
  readonly tenant_state: number | null
  readonly tenant_over: boolean
  /** Whether the client is one that the tenant and the user may log in with. */
  readonly client_named: boolean
  /** Minutes for which the account stays locked; null where it is open. */
  readonly minutes: number | null
  readonly user_id: string | null
  readonly user_status: number | null
  readonly hash: string | null
  readonly expired: boolean
}

const candidate = prepare(sql`
  select ${clientColumns},
    t.status as tenant_state, coalesce(t.expire_time <= now(), false) as tenant_over, ${clientNamed(slot('tenant'), sql`u.id`)} as client_named,
    ceil(extract(epoch from f.locked_until - now()) / 60)::int as minutes,
    u.id as user_id, u.status as user_status, k.hash, coalesce(k.expires_at <= now(), false) as expired
  from (select 1) as one
    left join client c on c.client_id = ${slot('client')}
    left join tenant t on t.tenant_id = ${slot('tenant')}
    left join login_failure f on f.tenant_id = ${slot('tenant')} and f.account_hash = ${slot('counted')} and f.locked_until > now()
    left join app_user u on u.tenant_id = ${slot('tenant')} and u.account = ${slot('account')}
    left join credential k on k.tenant_id = u.tenant_id and k.user_id = u.id`)

// The credential is held while the session is made: a reset that is under way is waited for, and one that comes after
// finds the session and ends it. A password changed since it was checked opens nothing; nor does a user who was disabled
// meanwhile, whose row is held for the same reason.
const begin = prepare(sql`
  with fresh as (
    select k.user_id from app_user p join credential k on k.tenant_id = p.tenant_id and k.user_id = p.id
    where p.tenant_id = ${slot('tenant')} and p.id = ${slot('user')}::bigint and p.status = 1 and k.hash = ${slot('hash')} for share),
  made as (
    insert into session (tenant_id, id, user_id, client_id, access_hash, access_expires, absolute_expires, address, agent)
    select ${slot('tenant')}, ${slot('session')}::bigint, fresh.user_id, ${slot('client')}, ${slot('access')}::bytea,
      now() + ${slot('accessSeconds')}::int * interval '1 second', now() + ${slot('days')}::int * interval '1 day', ${slot('address')}, ${slot('agent')}
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
  readonly narrow: Narrow
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
    refuseTenant(found)
    if (!found.client_named) throw new Problem('client_failed')
    if (found.user_status !== 1) throw new Problem('account_disabled')
    if (found.expired) throw new Problem('password_expired')
    const made = await tx.one<Granted>(
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
        days: await parameterOf(tx, tenantId, 'session.absoluteDays'),
      }),
    )
    return made && narrowSession(tx, tenantId, made, wish.narrow)
  })
  if (!granted) throw new Problem('login_failed')
  if (Math.random() < 0.01)
    sweepSessions(services, tenantId).catch((error: Error) => log.warn('sweep', { error: error.message }))
  return tokenAnswer(services, granted, pair, tenantId, client.id)
}

/** Says why nobody can log in to a tenant: that it was disabled, that its time is over, or that it is to be removed. */
function refuseTenant({ tenant_state: state, tenant_over: over }: Candidate): void {
  if (state === null) throw new Problem('tenant_unusable')
  if (state === 9) throw new Problem('tenant_ending')
  if (over || state === 3) throw new Problem('tenant_expired')
  if (state !== 1 && state !== 2) throw new Problem('tenant_disabled')
}

async function failed(services: Services, counted: Counted, address: string): Promise<Problem> {
  const locked = await inTenant(services.pool, counted.tenantId, (tx) => countFailure(tx, counted))
  if (locked)
    services.log.warn('an account was locked after repeated wrong passwords', { tenantId: counted.tenantId, address })
  // Told to nobody but the log.
  return new Problem('login_failed', locked ? { locks: 1 } : {})
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
