import { newId } from '../../database/id.ts'
import { type PreparedQuery, prepareQuery, slotValue, sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { Problem } from '../../kernel/problem.ts'
import type { PublicCall } from '../../kernel/route.ts'
import { parameterOf } from '../../kernel/setting.ts'
import { type ClientCredentials, type ClientRow, checkClient, clientColumns, clientNamed } from './client.ts'
import { sweepSessions } from './credential.ts'
import { type GrantedPerson, personColumns, type TokenAnswer, tokenAnswer } from './person.ts'
import { narrowSession, type SwitchTarget } from './switch-work.ts'
import { makeTicket, sweepTickets } from './ticket.ts'
import { makePair } from './tokens.ts'

/** How somebody showed who they are. */
export interface LoginProof {
  /** The grant that the application must be allowed, however many steps the log-in takes. */
  readonly grant: string
  /** The stored hash that the password fitted: one that was changed since opens nothing. */
  readonly hash?: string
  /** What must be kept or judged in the transaction that makes the session; when it throws, there is none. */
  readonly settle?: (tx: Tx) => Promise<void>
}

/** Somebody whose identity has been found out, and what they want. */
export interface KnownPerson {
  readonly client: ClientCredentials
  readonly tenantId: string
  readonly userId: string
  readonly narrow: SwitchTarget
  readonly proof: LoginProof
  readonly secondFactorDone?: boolean
}

/** What waits in a ticket for the second factor. */
export interface HalfDone {
  readonly grant: string
  readonly hash: string | null
  readonly narrow: SwitchTarget
}

/** How long the second factor is waited for. */
const secondSeconds = 300

interface Standing extends ClientRow {
  readonly tenant_state: number | null
  readonly tenant_over: boolean
  /** Whether the client is one that the tenant and the user may log in with. */
  readonly client_named: boolean
  readonly user_status: number | null
  /** Whether the one-time password is over. */
  readonly expired: boolean
  readonly second: boolean
}

const standing = prepareQuery(sql`
  select ${clientColumns},
    t.status as tenant_state, coalesce(t.expire_time <= now(), false) as tenant_over, ${clientNamed(slotValue('tenant'), sql`u.id`)} as client_named,
    u.status as user_status, coalesce(k.expires_at <= now(), false) as expired,
    exists (select 1 from second_factor f where f.tenant_id = u.tenant_id and f.user_id = u.id and f.confirmed_at is not null) as second
  from (select 1) as one
    left join client c on c.client_id = ${slotValue('client')}
    left join tenant t on t.tenant_id = ${slotValue('tenant')}
    left join app_user u on u.tenant_id = ${slotValue('tenant')} and u.id = ${slotValue('user')}::bigint
    left join credential k on k.tenant_id = u.tenant_id and k.user_id = u.id`)

const beginning = (fresh: ReturnType<typeof slotValue>): PreparedQuery =>
  prepareQuery(sql`
  with fresh as (${fresh}),
  made as (
    insert into session (tenant_id, id, user_id, client_id, access_hash, access_seal, access_expires, absolute_expires, address, agent)
    select ${slotValue('tenant')}, ${slotValue('session')}::bigint, fresh.user_id, ${slotValue('client')}, ${slotValue('access')}::bytea, ${slotValue('accessSeal')}::bytea,
      now() + ${slotValue('accessSeconds')}::int * interval '1 second', now() + ${slotValue('days')}::int * interval '1 day', ${slotValue('address')}, ${slotValue('agent')}
    from fresh returning tenant_id, id, user_id, access_expires, absolute_expires),
  refresh as (
    insert into refresh_token (tenant_id, hash, seal, session_id, expires)
    select tenant_id, ${slotValue('refresh')}::bytea, ${slotValue('refreshSeal')}::bytea, id, least(now() + ${slotValue('refreshSeconds')}::int * interval '1 second', absolute_expires) from made)
  select ${personColumns}, made.id as session_id, extract(epoch from made.access_expires - now())::int as expires_in
  from made join app_user u on u.tenant_id = made.tenant_id and u.id = made.user_id`)

// The credential is held while the session is made: a reset that is under way is waited for, and one that comes after
// finds the session and ends it. A password changed since it was checked opens nothing; nor does a user who was disabled
// meanwhile, whose row is held for the same reason.
const beginByPassword = beginning(sql`
  select k.user_id from app_user p join credential k on k.tenant_id = p.tenant_id and k.user_id = p.id
  where p.tenant_id = ${slotValue('tenant')} and p.id = ${slotValue('user')}::bigint and p.status = 1 and k.hash = ${slotValue('hash')} for share`)
const beginOtherwise = beginning(sql`
  select p.id as user_id from app_user p
  where p.tenant_id = ${slotValue('tenant')} and p.id = ${slotValue('user')}::bigint and p.status = 1 for share`)

/**
 * The end that every way to log in shares: refuses, in words, where tenant, client or user may not; demands the second
 * factor where the user has one (`second_factor_needed` with a ticket to come back with); else makes the session and its
 * tokens, narrowed to what is wanted, and answers them.
 */
export async function openSession(
  { services, circumstance }: Pick<PublicCall, 'services' | 'circumstance'>,
  { client, tenantId, userId, narrow, proof, secondFactorDone = false }: KnownPerson,
): Promise<TokenAnswer> {
  const pair = makePair(tenantId)
  const outcome = await inTenant(services.pool, tenantId, async (tx) => {
    await proof.settle?.(tx)
    const found = await tx.one<Standing>(standing.with({ client: client.id, tenant: tenantId, user: userId }))
    checkClient(found, client, proof.grant)
    refuseTenant(found!)
    if (!found!.client_named) throw new Problem('client_failed')
    if (found!.user_status === null) throw new Problem('login_failed')
    if (found!.user_status !== 1) throw new Problem('account_disabled')
    if (proof.hash !== undefined && found!.expired) throw new Problem('password_expired')
    if (found!.second && !secondFactorDone) {
      const payload: HalfDone = { grant: proof.grant, hash: proof.hash ?? null, narrow }
      const ticket = { tenantId, kind: 'second', seconds: secondSeconds, userId, clientId: client.id, payload } as const
      return { ticket: await makeTicket(tx, services, ticket) }
    }
    const begin = proof.hash === undefined ? beginOtherwise : beginByPassword
    const sessionId = newId()
    const access = services.cipher.token(pair.access)
    const refresh = services.cipher.token(pair.refresh)
    const bound = { tenantId, sessionId, userId }
    const made = await tx.one<GrantedPerson>(
      begin.with({
        tenant: tenantId,
        user: userId,
        hash: proof.hash,
        session: sessionId,
        client: client.id,
        access,
        accessSeal: services.cipher.bind('access', { ...bound, hash: access }),
        accessSeconds: found!.access_token_validity,
        refresh,
        refreshSeal: services.cipher.bind('refresh', { ...bound, hash: refresh }),
        refreshSeconds: found!.refresh_token_validity,
        address: circumstance.address.slice(0, 64),
        agent: circumstance.agent,
        days: await parameterOf(tx, tenantId, 'session.absoluteDays'),
      }),
    )
    return made && { granted: await narrowSession(tx, tenantId, made, narrow) }
  })
  if (!outcome) throw new Problem('login_failed')
  if ('ticket' in outcome)
    throw new Problem('second_factor_needed', {}, { ticket: outcome.ticket, expiresIn: secondSeconds })
  if (Math.random() < 0.01)
    Promise.all([sweepSessions(services, tenantId), sweepTickets(services, tenantId)]).catch((error: Error) =>
      services.log.warn('sweep', { error: error.message }),
    )
  return tokenAnswer(services, outcome.granted, pair, tenantId, client.id)
}

/** Says why nobody can log in to a tenant: that it was disabled, that its time is over, or that it is to be removed. */
function refuseTenant({ tenant_state: state, tenant_over: over }: Standing): void {
  if (state === null) throw new Problem('tenant_unusable')
  if (state === 9) throw new Problem('tenant_ending')
  if (over || state === 3) throw new Problem('tenant_expired')
  if (state !== 1 && state !== 2) throw new Problem('tenant_disabled')
}
