import { prepareQuery, slotValue, sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import type { Bound, Cipher } from '../../kernel/cipher.ts'
import { Problem } from '../../kernel/problem.ts'
import type { PublicCall } from '../../kernel/route.ts'
import { type ClientCredentials, type ClientRow, checkClient, clientColumns, clientNamed } from './client.ts'
import { type GrantedPerson, personColumns, type TokenAnswer, tokenAnswer } from './person.ts'
import { narrowSession, type SwitchTarget } from './switch-work.ts'
import { makePair, openPair, sealPair, type TokenPair, tenantOfRefresh } from './tokens.ts'

/*
 * A refresh token is exchanged once. Tabs that present it together race on one atomic update: the winner stores the
 * successor pair sealed with the token, the others open it and get the very same pair. After 30 seconds there is no
 * honest reason to present it again: the session ends, for somebody else may hold its newest tokens.
 */

const usable = sql`s.revoked_at is null and s.absolute_expires > now() and s.client_id = ${slotValue('client')}
  and u.status = 1 and t.status in (1, 2) and (t.expire_time is null or t.expire_time > now())`
const owners = sql`join app_user u on u.tenant_id = s.tenant_id and u.id = s.user_id join tenant t on t.tenant_id = s.tenant_id`

const asking = prepareQuery(sql`
  select ${clientColumns}, ${clientNamed(slotValue('tenant'), sql`s.user_id`)} as client_named,
    s.id as session_id, s.user_id, r.seal
  from client c
    left join refresh_token r on r.tenant_id = ${slotValue('tenant')} and r.hash = ${slotValue('hash')}::bytea
    left join session s on s.tenant_id = r.tenant_id and s.id = r.session_id
  where c.client_id = ${slotValue('client')}`)

const rotate = prepareQuery(sql`
  with used as (
    update refresh_token r set used_at = now(), successor = ${slotValue('sealed')}::bytea
    from session s ${owners}
    where r.tenant_id = ${slotValue('tenant')} and r.hash = ${slotValue('hash')}::bytea and r.used_at is null and r.expires > now()
      and s.tenant_id = r.tenant_id and s.id = r.session_id and ${usable}
    returning r.tenant_id, r.session_id),
  moved as (
    update session s set prev_access_hash = s.access_hash, prev_access_seal = s.access_seal, prev_access_until = least(s.access_expires, now() + interval '30 seconds'),
      access_hash = ${slotValue('access')}::bytea, access_seal = ${slotValue('accessSeal')}::bytea, last_used = now(),
      access_expires = least(now() + ${slotValue('accessSeconds')}::int * interval '1 second', s.absolute_expires)
    from used where s.tenant_id = used.tenant_id and s.id = used.session_id and s.revoked_at is null
    returning s.tenant_id, s.id, s.user_id, s.access_expires, s.absolute_expires),
  added as (
    insert into refresh_token (tenant_id, hash, seal, session_id, expires)
    select tenant_id, ${slotValue('refresh')}::bytea, ${slotValue('refreshSeal')}::bytea, id, least(now() + ${slotValue('refreshSeconds')}::int * interval '1 second', absolute_expires) from moved),
  aged as (
    update refresh_token o set successor = null from used
    where o.tenant_id = used.tenant_id and o.session_id = used.session_id and o.successor is not null and o.used_at < now() - interval '30 seconds')
  select ${personColumns}, moved.id as session_id, extract(epoch from moved.access_expires - now())::int as expires_in
  from moved join app_user u on u.tenant_id = moved.tenant_id and u.id = moved.user_id`)

interface Asked extends ClientRow {
  readonly client_named: boolean
  readonly session_id: string | null
  readonly user_id: string | null
  readonly seal: Buffer | null
}

interface Used extends GrantedPerson {
  readonly successor: Buffer | null
  readonly used: boolean
  readonly grace: boolean
}

const standing = prepareQuery(sql`
  select ${personColumns}, s.id as session_id, extract(epoch from s.access_expires - now())::int as expires_in,
    r.successor, r.used_at is not null as used, coalesce(r.used_at > now() - interval '30 seconds', false) as grace
  from refresh_token r join session s on s.tenant_id = r.tenant_id and s.id = r.session_id ${owners}
  where r.tenant_id = ${slotValue('tenant')} and r.hash = ${slotValue('hash')}::bytea and ${usable}`)

type Outcome = { granted: GrantedPerson; pair: TokenPair } | { reused: string } | undefined

/** Exchanges a refresh token for new tokens. Throws `refresh_failed` for every reason that is not the client's. */
export async function refreshGrant(
  { services }: Pick<PublicCall, 'services'>,
  wish: { client: ClientCredentials; tenantId: string | undefined; token: string; narrow: SwitchTarget },
): Promise<TokenAnswer> {
  const tenantId = tenantOfRefresh(wish.token)
  if (!tenantId || (wish.tenantId !== undefined && wish.tenantId !== tenantId)) throw new Problem('refresh_failed')
  const { cipher } = services
  const outcome = await inTenant(services.pool, tenantId, async (tx) => {
    const hash = cipher.token(wish.token)
    const client = await tx.one<Asked>(asking.with({ tenant: tenantId, client: wish.client.id, hash }))
    checkClient(client, wish.client, 'refresh_token')
    // Whose token it is was told by the token itself: what was named since the log-in holds now.
    if (!client?.client_named) throw new Problem('client_failed')
    const { session_id: sessionId, user_id: userId } = client
    // A hash that was copied from the row of another session opens nothing.
    if (!sessionId || !userId || !cipher.isBound(client.seal, 'refresh', { tenantId, sessionId, userId, hash }))
      return undefined
    const done = await exchange(tx, cipher, { tenantId, sessionId, userId }, wish.client.id, wish.token, client)
    if (!done || 'reused' in done) return done
    return { ...done, granted: await narrowSession(tx, tenantId, done.granted, wish.narrow) }
  })
  if (!outcome) throw new Problem('refresh_failed')
  if ('reused' in outcome) {
    services.log.warn('a used refresh token was presented again: its session was ended', {
      tenantId,
      sessionId: outcome.reused,
    })
    throw new Problem('refresh_failed')
  }
  return tokenAnswer(services, outcome.granted, outcome.pair, tenantId, wish.client.id)
}

async function exchange(
  tx: Tx,
  cipher: Cipher,
  of: Omit<Bound, 'hash'>,
  clientId: string,
  token: string,
  client: ClientRow,
): Promise<Outcome> {
  const { tenantId } = of
  const pair = makePair(tenantId)
  const access = cipher.token(pair.access)
  const refresh = cipher.token(pair.refresh)
  const granted = await tx.one<GrantedPerson>(
    rotate.with({
      tenant: tenantId,
      client: clientId,
      hash: cipher.token(token),
      sealed: sealPair(pair, token),
      access,
      accessSeal: cipher.bind('access', { ...of, hash: access }),
      refresh,
      refreshSeal: cipher.bind('refresh', { ...of, hash: refresh }),
      accessSeconds: client.access_token_validity,
      refreshSeconds: client.refresh_token_validity,
    }),
  )
  if (granted) return { granted, pair }
  // Too late, or never good. A tab that is very late is led to the newest pair, past those exchanged meanwhile.
  let presented = token
  let newest: TokenPair | undefined
  for (let steps = 0; steps < 10; steps += 1) {
    const row = await tx.one<Used>(standing.with({ tenant: tenantId, client: clientId, hash: cipher.token(presented) }))
    if (!row) return undefined
    if (!row.used) return newest && { granted: row, pair: newest }
    if (!row.grace || !row.successor) {
      await tx.run(
        sql`update session set revoked_at = now(), revoked_reason = 'reuse' where tenant_id = ${tenantId} and id = ${row.session_id} and revoked_at is null`,
      )
      return { reused: row.session_id }
    }
    newest = openPair(row.successor, presented)
    presented = newest.refresh
  }
  return undefined
}
