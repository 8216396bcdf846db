import { problems } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { changePassword } from '@data-brain/contract/calls/account'
import { sql } from '../../database/statement.ts'
import { onDetached } from '../../entity/serve-call.ts'
import { raiseGrants } from '../../kernel/authenticate.ts'
import { hashPassword } from '../../kernel/password.ts'
import { Problem } from '../../kernel/problem.ts'
import type { DetachedCall, Route } from '../../kernel/route.ts'
import { setPassword } from './credential.ts'
import { md5Of, refuseWeak } from './policy.ts'
import { provePassword } from './prove-password.ts'

type Refusal = 'password_wrong' | 'password_differs' | 'password_same' | 'password_weak'

/** Names the parameter that is wrong, so that a form can show the words beside it. */
function refused(problem: Refusal, field: string, language: 'zh' | 'en'): Problem {
  return new Problem(problem, {}, { field, fields: [{ field, message: problems[problem][language] }] })
}

/**
 * Changes one's own password. Open to somebody who must change the first one. Detached, because no connection is held
 * while the passwords are hashed.
 */
async function change(
  { oldPassword, newPassword, newPassword1 }: InputOf<typeof changePassword>,
  { services, circumstance, as }: DetachedCall,
): Promise<void> {
  const { language } = circumstance
  const actor = await as(async ({ actor }) => actor)
  const { tenantId, account } = actor
  const userId = actor.userId!
  const [oldMd5, newMd5] = [md5Of(oldPassword), md5Of(newPassword)]
  if (newMd5 !== md5Of(newPassword1)) throw refused('password_differs', 'newPassword1', language)
  if (newMd5 === oldMd5) throw refused('password_same', 'newPassword', language)
  await refuseWeak(newPassword, { account, tenantId }).catch((error) => {
    throw error instanceof Problem ? refused('password_weak', 'newPassword', language) : error
  })

  // Nothing is hashed for the new one before: the time that takes would tell of the old one while the account is locked.
  const fitted = await provePassword(services, actor, circumstance, oldMd5).catch((error) => {
    throw error instanceof Problem && error.problem === 'login_failed'
      ? refused('password_wrong', 'oldPassword', language)
      : error
  })
  const hash = await hashPassword(newMd5, services.secrets.pepper)
  await as(async ({ tx }) => {
    const same = await tx.one(
      sql`select 1 from credential where tenant_id = ${tenantId} and user_id = ${userId} and hash = ${fitted} for update`,
    )
    if (!same) throw refused('password_wrong', 'oldPassword', language)
    await setPassword(tx, { tenantId, userId, hash, oneTime: false }, actor.sessionId)
    // What is remembered of the session says that the password must be changed.
    if (actor.mustChange) await raiseGrants(tx, tenantId)
  })
}

export const changePasswordRoute: Route = onDetached(changePassword, change, { always: true, beforeChange: true })
