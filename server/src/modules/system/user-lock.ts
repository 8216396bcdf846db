import { user } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { WireRow } from '../../entity/repository.ts'
import { rowsOf } from '../../entity/routes.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'
import { accountHash, unlock } from '../auth/index.ts'
import { mustCoverUsers } from './holding.ts'

/** Users with whether wrong passwords have locked their account: that is kept by a hash of what was typed. */
export async function withLocks<R extends WireRow>(call: Call, rows: readonly R[]): Promise<(R & { locked: 0 | 1 })[]> {
  const { tenantId } = call.actor
  const hashes = rows.map((row) => accountHash(call.services.cipher, String(row.account), tenantId))
  const locked = await call.tx.run<{ account_hash: Buffer }>(
    sql`select account_hash from login_failure where tenant_id = ${tenantId} and locked_until > now() and account_hash = any(${hashes}::bytea[])`,
  )
  const marks = new Set(locked.map((row) => row.account_hash.toString('hex')))
  return rows.map((row, index) => ({ ...row, locked: marks.has(hashes[index]!.toString('hex')) ? 1 : 0 }))
}

/** Users held for a change that is no draft: refuses those outside the code's rows, and those who may do more. */
export async function holdUsers(call: Call, userIds: readonly string[], by: string): Promise<WireRow[]> {
  const rows = rowsOf(user, call)
  const held: WireRow[] = []
  for (const id of [...userIds].sort()) held.push({ ...(await rows.before(id, { lock: true, codes: [by] })), id })
  await mustCoverUsers(call.tx, call.actor, userIds)
  return held
}

/** Lets users try again whose accounts wrong passwords have locked. */
async function unlockUsers(call: Call, userIds: readonly string[]): Promise<void> {
  const { tenantId } = call.actor
  for (const { account } of await holdUsers(call, userIds, 'user_reset'))
    await unlock(call.tx, { tenantId, hash: accountHash(call.services.cipher, String(account), tenantId) })
}

export const userLockRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/blade-user/unlock',
    tag: user.name,
    access: code('user_reset'),
    summary: { zh: '用户:解除登录锁定', en: 'Unlock accounts' },
    parameters: { userIds: { kind: 'ids', required: true } },
    handler: (call) => unlockUsers(call, call.parameters.userIds),
  }),
]
