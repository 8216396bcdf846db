import { guest, user } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { approveGuest, refuseGuests } from '@data-brain/contract/calls/social'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { writeOver } from '../../entity/write.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { setPassword } from '../auth/index.ts'

const refuse = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

/** A registration that still waits, held until it is decided. */
async function waiting(call: Call, id: string, by: string) {
  const row = await rowsOf(guest, call).before(id, { lock: true, codes: [by] })
  if (row.status !== 0) throw refuse('该申请已处理', 'This registration has been decided already')
  return row
}

interface Secret {
  readonly provider_id: string
  readonly subject: string
  readonly password_hash: string
}

/** What a registration waited with; it is not kept after the decision. */
const takeSecret = ({ tx, actor }: Call, id: string): Promise<Secret | undefined> =>
  tx.one<Secret>(
    sql`delete from guest_secret where tenant_id = ${actor.tenantId} and guest_id = ${id} returning provider_id, subject, password_hash`,
  )

/**
 * Makes the user that a registration asks for, with the password that was chosen then and the identity linked. Roles are
 * of those that the approver holds, the user is one that the approver's scopes reach, the account is within the tenant's
 * quota, and may be another than was asked for.
 */
async function approve(
  { id, account: wished, name, roleIds = [], deptIds = [] }: InputOf<typeof approveGuest>,
  call: Call,
): Promise<AnswerOf<typeof approveGuest>> {
  const { tx, actor } = call
  const { tenantId } = actor
  const row = await waiting(call, id, 'guest_approve')
  const secret = await takeSecret(call, id)
  if (!secret)
    throw refuse('该申请已失效，请对方重新申请', 'What was registered with is gone: they have to register again')
  const account = wished?.trim() || row.account
  const realName = name?.trim() || row.name
  const users = new Repository(user, { ...contextOf(call), unscoped: true })
  const made = await users.add({ account, realName, roleId: [...roleIds], deptId: [...deptIds] })
  const people = rowsOf(user, call)
  const reach = await people.reach(['guest_approve'])
  if (reach && !(await people.lies(made.id, reach))) throw new Problem('out_of_scope')
  await setPassword(tx, { tenantId, userId: made.id, hash: secret.password_hash, oneTime: false })
  const linked = await tx.count(
    sql`insert into social_identity (tenant_id, id, provider_id, subject, user_id, social_name)
        values (${tenantId}, ${newId()}, ${secret.provider_id}, ${secret.subject}, ${made.id}, ${row.socialName})
        on conflict (tenant_id, provider_id, subject) do nothing`,
  )
  if (linked === 0)
    throw refuse(
      '该第三方账号已关联其他用户，请拒绝该申请',
      'That account was linked to another user meanwhile: refuse this registration',
    )
  const decided = { handler: actor.name, ...(account === row.account ? {} : { account }) }
  await writeOver(modelOf(guest), contextOf(call), id, row, decided, { status: 1 })
  return { userId: made.id }
}

/** Refuses registrations; whoever asked may do so again. */
async function refuseAll({ ids, reason }: InputOf<typeof refuseGuests>, call: Call): Promise<void> {
  for (const id of [...ids].sort()) {
    const row = await waiting(call, id, 'guest_refuse')
    await takeSecret(call, id)
    await writeOver(modelOf(guest), contextOf(call), id, row, { handler: call.actor.name, reason }, { status: 2 })
  }
}

export const guestRoutes: readonly Route[] = [on(approveGuest, approve), on(refuseGuests, refuseAll)]
