import { user } from '@data-brain/contract'
import { resetSecondFactor, unlockUsers } from '@data-brain/contract/calls/user'
import { sql } from '../../database/statement.ts'
import { rowsOf } from '../../entity/routes.ts'
import type { StoredRow } from '../../entity/rules.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { accountHash, removeSecond, unlock } from '../auth/index.ts'
import { sendMessage } from '../desk/index.ts'
import { mustCoverUsers } from './held-rights.ts'

/** Users with whether wrong passwords have locked their account, as the filter of the list knows it, and whether they have a second factor. */
export async function withLocks<R extends { readonly id: string }>(
  call: Call,
  rows: readonly R[],
): Promise<(R & { locked: 0 | 1; secondFactor: 0 | 1 })[]> {
  const { tenantId } = call.actor
  const ids = rows.map((row) => row.id)
  const locked = await call.tx.run<{ user_id: string }>(
    sql`select user_id from login_failure where tenant_id = ${tenantId} and locked_until > now() and user_id = any(${ids}::bigint[])`,
  )
  const locks = new Set(locked.map((row) => row.user_id))
  const second = await call.tx.run<{ user_id: string }>(
    sql`select user_id from second_factor where tenant_id = ${tenantId} and confirmed_at is not null and user_id = any(${ids}::bigint[])`,
  )
  const factors = new Set(second.map((row) => row.user_id))
  return rows.map((row) => ({
    ...row,
    locked: locks.has(row.id) ? 1 : 0,
    secondFactor: factors.has(row.id) ? 1 : 0,
  }))
}

/** Users held for a change that is no draft: refuses those outside the code's rows, and those who may do more. */
export async function holdUsers(call: Call, userIds: readonly string[], by: string): Promise<StoredRow<typeof user>[]> {
  const rows = rowsOf(user, call)
  const held: StoredRow<typeof user>[] = []
  for (const id of [...userIds].sort()) held.push(await rows.before(id, { lock: true, codes: [by] }))
  await mustCoverUsers(call.tx, call.actor, userIds)
  return held
}

/** Lets users try again whose accounts wrong passwords have locked. */
async function lift(call: Call, userIds: readonly string[]): Promise<void> {
  const { tenantId } = call.actor
  for (const { account } of await holdUsers(call, userIds, 'user_reset'))
    await unlock(call.tx, { tenantId, hash: accountHash(call.services.cipher, account, tenantId) })
}

/** Takes users' second factors away, for those who have lost theirs and their recovery codes; each is told. */
async function resetSecond(call: Call, userIds: readonly string[]): Promise<void> {
  const { tenantId, userId: own } = call.actor
  // Who has come by an open console would need neither password nor code.
  if (own !== null && userIds.includes(own))
    throw new Problem('rule_broken', {
      reason: { zh: '请在个人中心停用本人的两步验证', en: 'Your own second factor is removed on your personal page' },
    })
  const lost: string[] = []
  for (const { id } of await holdUsers(call, userIds, 'user_reset'))
    if (await removeSecond(call, { tenantId, userId: id })) lost.push(id)
  await sendMessage(call.tx, tenantId, lost, {
    kind: 'second-factor-reset',
    title: { zh: '管理员停用了您的两步验证', en: 'An administrator removed your second factor' },
    body: {
      zh: '如果您没有要求停用，请立即联系管理员。',
      en: 'If you did not ask for it, get in touch with an administrator at once.',
    },
  })
}

export const userLockRoutes: readonly Route[] = [
  on(unlockUsers, ({ userIds }, call) => lift(call, userIds)),
  on(resetSecondFactor, ({ userIds }, call) => resetSecond(call, userIds)),
]
