import { tenant, type Words } from '@data-brain/contract'
import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import { clientsOfTenant, grantClientsToTenant } from '@data-brain/contract/calls/client'
import { sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { givenBetween, recordGiven } from '../../entity/given-fields.ts'
import { modelOf, platformTenant } from '../../entity/model.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'

/*
 * The clients that a tenant was named are the only ones its people may log in with; where none is named, any is good.
 * The names are rows of the tenant, so they are written by its own role.
 */

const mustExist = async (tx: Tx, tenantId: string): Promise<void> => {
  if (!(await tx.one(sql`select 1 from tenant where tenant_id = ${tenantId}`))) throw new Problem('not_found')
}

/** Replaces the clients that a tenant was named. */
async function name(
  { tableTenantId: tenantId, clientIds: ids }: InputOf<typeof grantClientsToTenant>,
  call: Call,
): Promise<void> {
  const { services, tx: platform } = call
  // Held first, so that of two at once each tells truly what it found; the history is the platform’s, the names are the tenant’s.
  const row = await platform.one<{ id: string }>(sql`select id from tenant where tenant_id = ${tenantId} for update`)
  if (!row) throw new Problem('not_found')
  await inTenant(services.pool, tenantId, async (tx) => {
    const found = await tx.run<{ id: string; client_id: string }>(
      sql`select id, client_id from client where id = any(${ids}::bigint[])`,
    )
    if (found.length !== ids.length)
      throw new Problem(
        'reference_unknown',
        { label: { zh: '客户端', en: 'Client' } },
        { field: 'clientIds', fields: [] },
      )
    // The platform's administrators would lock themselves out, and with them everybody.
    if (
      tenantId === platformTenant &&
      ids.length > 0 &&
      !found.some((row) => row.client_id === services.secrets.clientId)
    )
      throw new Problem('rule_broken', {
        reason: {
          zh: '平台租户必须保留控制台自己的客户端',
          en: 'The platform’s own tenant must keep the console’s own client',
        },
      })
    const was = await tx.run<{ id: string }>(
      sql`select client_id as id from tenant_client where tenant_id = ${tenantId}`,
    )
    const names = await tx.run<Words & { id: string }>(sql`select id, client_id as zh, client_id as en from client`)
    await recordGiven(modelOf(tenant), call, row.id, [
      givenBetween(
        'clientIds',
        { zh: '可用的客户端', en: 'Clients' },
        was.map(({ id }) => id),
        ids,
        new Map(names.map(({ id, zh, en }) => [id, { zh, en }])),
      ),
    ])
    await tx.run(
      sql`delete from tenant_client where tenant_id = ${tenantId} and not (client_id = any(${ids}::bigint[]))`,
    )
    await tx.run(
      sql`insert into tenant_client (tenant_id, client_id) select ${tenantId}, u.id from unnest(${ids}::bigint[]) as u(id) on conflict do nothing`,
    )
  })
}

type Named = AnswerOf<typeof clientsOfTenant>

/** All clients, and which of them the tenant was named. */
async function list({ services, tx, actor }: Call, tenantId: string): Promise<Named> {
  const read = async (of: Tx): Promise<Named> => {
    await mustExist(of, tenantId)
    return of.run<Named[number]>(
      sql`select c.id, c.client_id as "clientId", c.client_group as "clientGroup", c.remark,
            case when n.client_id is null then 0 else 1 end as granted
          from client c left join tenant_client n on n.tenant_id = ${tenantId} and n.client_id = c.id order by c.client_id, c.id`,
    )
  }
  if (tenantId === actor.tenantId) return read(tx)
  if (!actor.platform) throw new Problem('not_found')
  return inTenant(services.pool, tenantId, read)
}

export const namedClientRoutes: readonly Route[] = [
  on(clientsOfTenant, ({ tenantId }, call) => list(call, tenantId)),
  on(grantClientsToTenant, name, { platform: true }),
]
