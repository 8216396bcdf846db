import { sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import type { Actor, Circumstance } from '../../kernel/actor.ts'
import { checkPassword } from '../../kernel/password.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { clearFailures, countedAt, countFailure } from './attempts.ts'
import { md5Of } from './policy.ts'

/**
 * Has somebody who is logged in show that it is they, by the account's password (as it came). Wrong ones count as those
 * of log-in: who has come by an open console must not find out the password by trying. Answers the stored hash that it
 * fits. Throws `login_failed`, or `login_locked`. No connection is held while the password is hashed.
 */
export async function provePassword(
  { pool, secrets, cipher }: Pick<Services, 'pool' | 'secrets' | 'cipher'>,
  { tenantId, userId, account }: Pick<Actor, 'tenantId' | 'userId' | 'account'>,
  { address }: Pick<Circumstance, 'address'>,
  password: string,
): Promise<string> {
  const { stored, counted } = await inTenant(pool, tenantId, async (tx) => ({
    stored: await tx.one<{ hash: string }>(
      sql`select hash from credential where tenant_id = ${tenantId} and user_id = ${userId}`,
    ),
    counted: await countedAt(tx, cipher, { tenantId, account, address }),
  }))
  const right = await checkPassword(md5Of(password), stored?.hash ?? null, secrets.pepper)
  await inTenant(pool, tenantId, async (tx) => {
    if (right) await clearFailures(tx, counted)
    else await countFailure(tx, counted)
  })
  if (!right || !stored) throw new Problem('login_failed')
  return stored.hash
}
