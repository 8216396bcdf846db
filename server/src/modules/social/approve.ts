import { guest, user } from '@data-brain/contract'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { modelOf } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { contextOf, rowsOf } from '../../entity/routes.ts'
import { writeOver } from '../../entity/write.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'
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

interface Approval {
  readonly id: string
  readonly account: string | undefined
  readonly name: string | undefined
  readonly roleIds: readonly string[]
  readonly deptIds: readonly string[]
}

/**
 * Makes the user that a registration asks for, with the password that was chosen then and the identity linked. Roles are
 * of those that the approver holds, the user is one that the approver's scopes reach, the account is within the tenant's
 * quota, and may be another than was asked for.
 */
async function approve(call: Call, wish: Approval): Promise<{ userId: string }> {
  const { tx, actor } = call
  const { tenantId } = actor
  const row = await waiting(call, wish.id, 'guest_approve')
  const secret = await takeSecret(call, wish.id)
  if (!secret)
    throw refuse('该申请已失效，请对方重新申请', 'What was registered with is gone: they have to register again')
  const account = wish.account?.trim() || String(row.account)
  const realName = wish.name?.trim() || String(row.name)
  const users = new Repository(user, { ...contextOf(call), unscoped: true })
  const made = await users.add({ account, realName, roleId: [...wish.roleIds], deptId: [...wish.deptIds] })
  const people = rowsOf(user, call)
  const reach = await people.reach(['guest_approve'])
  if (reach && !(await people.lies(made.id, reach))) throw new Problem('out_of_scope')
  await setPassword(tx, { tenantId, userId: made.id, hash: secret.password_hash, oneTime: false })
  const linked = await tx.count(
    sql`insert into social_identity (tenant_id, id, provider_id, subject, user_id, social_name)
        values (${tenantId}, ${newId()}, ${secret.provider_id}, ${secret.subject}, ${made.id}, ${(row.socialName as string | null) ?? null})
        on conflict (tenant_id, provider_id, subject) do nothing`,
  )
  if (linked === 0)
    throw refuse(
      '该第三方账号已关联其他用户，请拒绝该申请',
      'That account was linked to another user meanwhile: refuse this registration',
    )
  const decided = { handler: actor.name, ...(account === row.account ? {} : { account }) }
  await writeOver(modelOf(guest), contextOf(call), wish.id, row, decided, { status: 1 })
  return { userId: made.id }
}

/** Refuses registrations; whoever asked may do so again. */
async function refuseAll(call: Call, ids: readonly string[], reason: string): Promise<null> {
  for (const id of [...ids].sort()) {
    const row = await waiting(call, id, 'guest_refuse')
    await takeSecret(call, id)
    await writeOver(modelOf(guest), contextOf(call), id, row, { handler: call.actor.name, reason }, { status: 2 })
  }
  return null
}

export const guestRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/blade-user/guest/approve',
    tag: guest.name,
    access: code('guest_approve'),
    summary: { zh: '注册申请：通过，并建立用户', en: 'Registration: approve it, which makes the user' },
    parameters: {
      id: { kind: 'id', required: true },
      account: { kind: 'text', max: 45 },
      name: { kind: 'text', max: 50 },
      roleIds: { kind: 'ids', max: 20 },
      deptIds: { kind: 'ids', max: 20 },
    },
    handler: (call) => {
      const { id, account, name, roleIds = [], deptIds = [] } = call.parameters
      return approve(call, { id, account, name, roleIds, deptIds })
    },
  }),
  route({
    method: 'POST',
    path: '/blade-user/guest/refuse',
    tag: guest.name,
    access: code('guest_refuse'),
    summary: { zh: '注册申请：拒绝', en: 'Registrations: refuse them' },
    parameters: {
      ids: { kind: 'ids', required: true },
      reason: { kind: 'text', required: true, max: 200, label: guest.fields.reason.label },
    },
    handler: (call) => refuseAll(call, call.parameters.ids, call.parameters.reason),
  }),
]
