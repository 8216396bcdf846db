import type { Words } from '@data-brain/contract'
import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { Problem } from './problem.ts'

/** Why a session ended, as it stands in its row, in words for its person. */
const reasons: Readonly<Record<string, Words>> = {
  'ended by an administrator': { zh: '管理员结束了这次登录', en: 'an administrator has ended it' },
  'ended by the user': { zh: '您在其他设备上结束了这次登录', en: 'you have ended it on another device' },
  'password reset': {
    zh: '管理员重置了密码，请用新密码登录',
    en: 'an administrator has reset the password: use the new one',
  },
  'password changed': { zh: '密码已修改，请用新密码登录', en: 'the password was changed: use the new one' },
  'second factor': { zh: '两步验证已变更', en: 'the second factor has changed' },
  disabled: { zh: '账号已停用，请联系管理员', en: 'the account is disabled: ask your administrator' },
  'client withdrawn': { zh: '该应用已停用', en: 'the application was withdrawn' },
  lock: { zh: '解锁密码多次输入错误', en: 'the screen was unlocked wrongly too often' },
  reuse: { zh: '登录凭据被重复使用', en: 'its credentials were used twice' },
}
const expired: Words = { zh: '登录已过期', en: 'it has expired' }
const tenantGone: Words = { zh: '租户已停用或到期', en: 'the tenant is disabled or has expired' }

/**
 * What to say to a token that no session takes: why its session ended, to whoever holds a token that was one, and nothing
 * to anybody else.
 */
export async function endedProblem(tx: Tx, tenantId: string, hash: Buffer): Promise<Problem> {
  const row = await tx.one<{ revoked: boolean; reason: string | null; stands: boolean }>(
    sql`select s.revoked_at is not null as revoked, s.revoked_reason as reason,
          t.status in (1, 2) and (t.expire_time is null or t.expire_time > now()) as stands
        from session s join tenant t on t.tenant_id = s.tenant_id
        where s.tenant_id = ${tenantId} and (s.access_hash = ${hash} or s.prev_access_hash = ${hash})`,
  )
  if (!row) return new Problem('unauthorized')
  const reason = !row.stands ? tenantGone : row.revoked ? reasons[row.reason ?? ''] : expired
  return reason ? new Problem('session_ended', { reason }) : new Problem('unauthorized')
}
