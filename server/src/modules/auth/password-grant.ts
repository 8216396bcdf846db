import { prepareQuery, slotValue, sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { checkPassword, hashPassword, isOutdated } from '../../kernel/password.ts'
import { Problem } from '../../kernel/problem.ts'
import type { PublicCall } from '../../kernel/route.ts'
import type { Services } from '../../kernel/services.ts'
import { parameterOf } from '../../kernel/setting.ts'
import { accountHash, type CountedAccount, clearFailures, countFailure, knownAddress } from './attempts.ts'
import { useCaptcha } from './captcha.ts'
import { type ClientCredentials, type ClientRow, checkClient, clientColumns } from './client.ts'
import { openSession } from './open-session.ts'
import type { TokenAnswer } from './person.ts'
import type { SwitchTarget } from './switch-work.ts'

interface Candidate extends ClientRow {
  /** Minutes for which the account stays locked; null where it is open. */
  readonly minutes: number | null
  readonly user_id: string | null
  /** Somebody of the tenant has been logged in from this address. */
  readonly known: boolean
  readonly hash: string | null
}

const candidate = prepareQuery(sql`
  select ${clientColumns}, ceil(extract(epoch from f.locked_until - now()) / 60)::int as minutes, u.id as user_id, k.hash, a.known
  from (select 1) as one
    left join client c on c.client_id = ${slotValue('client')}
    left join app_user u on u.tenant_id = ${slotValue('tenant')} and u.account = ${slotValue('account')}
    cross join lateral (select ${knownAddress} as known) a
    left join login_failure f on f.tenant_id = ${slotValue('tenant')} and f.locked_until > now()
      and f.account_hash = ${slotValue('counted')} and f.address = case when a.known then ${slotValue('address')}::text else '' end
    left join credential k on k.tenant_id = u.tenant_id and k.user_id = u.id`)

export interface PasswordWish {
  readonly client: ClientCredentials
  readonly tenantId: string
  readonly account: string
  /** The md5 hex of the password. */
  readonly md5: string
  readonly narrow: SwitchTarget
  /** A picture that was read, where the grant is that of captcha mode. */
  readonly captcha?: { readonly key: string; readonly code: string }
}

/**
 * Log-in with account and password, and in captcha mode with a picture that was read as well. No connection is held
 * while the password is hashed. Whether the account, its user or its tenant exists, is disabled or has expired is told
 * only to who knows the password.
 */
export async function passwordGrant(
  call: Pick<PublicCall, 'services' | 'circumstance'>,
  wish: PasswordWish,
): Promise<TokenAnswer> {
  const { services, circumstance } = call
  const { pool, cipher, secrets } = services
  const { tenantId, client, captcha } = wish
  const grant = captcha ? 'captcha' : 'password'
  const account = wish.account.trim()
  const { address } = circumstance
  const counted = accountHash(cipher, account, tenantId)
  const { found, passed } = await inTenant(pool, tenantId, async (tx) => {
    const found = await tx.one<Candidate>(
      candidate.with({ client: client.id, tenant: tenantId, account, address, counted }),
    )
    checkClient(found, client, grant)
    if (!captcha && (await parameterOf(tx, tenantId, 'login.captcha')) === 1) throw new Problem('captcha_needed')
    return { found: found!, passed: !captcha || (await useCaptcha(tx, services, { tenantId, ...captcha })) }
  })
  if (!passed) throw new Problem('captcha_wrong')
  const mine = { tenantId, account, hash: counted, ...(found.known ? { address } : {}) }
  if (found.minutes) throw new Problem('login_locked', { minutes: found.minutes })
  const right = await checkPassword(wish.md5, found.hash, secrets.pepper)
  if (!found.user_id || !found.hash || !right) throw await failed(services, mine, address)

  let { hash } = found
  if (isOutdated(hash)) hash = await rehash(services, tenantId, found.user_id, hash, wish.md5)
  return openSession(call, {
    client,
    tenantId,
    userId: found.user_id,
    narrow: wish.narrow,
    proof: { grant, hash, settle: (tx) => clearFailures(tx, mine) },
  })
}

async function failed(services: Services, counted: CountedAccount, address: string): Promise<Problem> {
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
