import { user } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { clientsOfUser, removeClientsOfUser, saveClientsOfUser } from '@data-brain/contract/calls/user'
import { sql } from '../../database/statement.ts'
import { givenBetween, recordGiven } from '../../entity/given-fields.ts'
import { modelOf } from '../../entity/model.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { clientNames } from './grant-names.ts'
import { holdUsers } from './user-lock.ts'

/*
 * The applications that a user may log in with: those named here, or any where none is named.
 */

const label = { zh: '客户端', en: 'Client' }

async function clientsOf(call: Call, userId: string): Promise<AnswerOf<typeof clientsOfUser>> {
  await rowsOf(user, call).before(userId, { codes: ['user_view'] })
  return call.tx.run<AnswerOf<typeof clientsOfUser>[number]>(
    sql`select c.id, c.client_id as "clientId", c.client_group as "clientGroup", c.remark from user_client u
        join client c on c.id = u.client_id
        where u.tenant_id = ${call.actor.tenantId} and u.user_id = ${userId} order by c.client_id`,
  )
}

const namedFor = async ({ tx, actor }: Call, userId: string): Promise<string[]> =>
  (
    await tx.run<{ id: string }>(
      sql`select client_id as id from user_client where tenant_id = ${actor.tenantId} and user_id = ${userId}`,
    )
  ).map(({ id }) => id)

/** The user's history tells which applications came and went. */
async function record(call: Call, userId: string, was: readonly string[]): Promise<void> {
  const is = await namedFor(call, userId)
  await recordGiven(modelOf(user), call, userId, [
    givenBetween('clientIds', { zh: '可用的客户端', en: 'Clients' }, was, is, await clientNames(call.tx)),
  ])
}

/** Ends the user's sessions with applications that the user may no longer log in with. */
async function endOthers({ tx, actor }: Call, userId: string): Promise<void> {
  await tx.run(
    sql`update session s set revoked_at = now(), revoked_reason = 'client withdrawn'
        where s.tenant_id = ${actor.tenantId} and s.user_id = ${userId} and s.revoked_at is null
          and exists (select 1 from user_client u where u.tenant_id = s.tenant_id and u.user_id = s.user_id)
          and not exists (select 1 from user_client u join client c on c.id = u.client_id
            where u.tenant_id = s.tenant_id and u.user_id = s.user_id and c.client_id = s.client_id)`,
  )
}

async function save({ userId, clientIds: sent = [] }: InputOf<typeof saveClientsOfUser>, call: Call): Promise<void> {
  const { tx, actor } = call
  const clientIds = [...new Set(sent)]
  await holdUsers(call, [userId], 'user_edit')
  // Where the tenant itself is bound to some applications, no other could be used anyway.
  const known = await tx.run<{ id: string; offered: boolean }>(
    sql`select c.id, not exists (select 1 from tenant_client n where n.tenant_id = ${actor.tenantId})
          or exists (select 1 from tenant_client n where n.tenant_id = ${actor.tenantId} and n.client_id = c.id) as offered
        from client c where c.id = any(${clientIds}::bigint[])`,
  )
  if (known.length !== clientIds.length)
    throw new Problem('reference_unknown', { label }, { field: 'clientIds', fields: [] })
  if (known.some((client) => !client.offered))
    throw new Problem(
      'rule_broken',
      { reason: { zh: '本租户不能使用该客户端', en: 'This tenant may not use that client' } },
      { field: 'clientIds', fields: [] },
    )
  const was = await namedFor(call, userId)
  await tx.run(
    sql`delete from user_client where tenant_id = ${actor.tenantId} and user_id = ${userId} and not (client_id = any(${clientIds}::bigint[]))`,
  )
  await tx.run(
    sql`insert into user_client (tenant_id, user_id, client_id)
        select ${actor.tenantId}, ${userId}::bigint, c from unnest(${clientIds}::bigint[]) c on conflict do nothing`,
  )
  await record(call, userId, was)
  await endOthers(call, userId)
}

async function removeSome(call: Call, userId: string, clientIds: readonly string[]): Promise<void> {
  await holdUsers(call, [userId], 'user_edit')
  const was = await namedFor(call, userId)
  await call.tx.run(
    sql`delete from user_client where tenant_id = ${call.actor.tenantId} and user_id = ${userId} and client_id = any(${[...clientIds]}::bigint[])`,
  )
  await record(call, userId, was)
  await endOthers(call, userId)
}

export const userClientRoutes: readonly Route[] = [
  on(clientsOfUser, ({ userId }, call) => clientsOf(call, userId)),
  on(saveClientsOfUser, save),
  on(removeClientsOfUser, ({ userId, clientIds }, call) => removeSome(call, userId, clientIds)),
]
