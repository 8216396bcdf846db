import { role } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { type Share, take } from '../../entity/shared.ts'

/** What roles of the ids in `role_menu_shared` are granted: a tenant has such roles as rows of its own. */
const grants: Share = {
  name: role.name,
  unit: 'role_id',
  parts: [{ table: 'role_menu', columns: ['role_id', 'menu_id'] }],
}

/** Makes what these roles are granted the tenant's own, before it is changed. */
export const takeOnGrants = (tx: Tx, tenantId: string, roleIds: readonly string[]): Promise<void> =>
  take(
    tx,
    tenantId,
    grants,
    sql`select distinct s.role_id::text from role_menu_shared s where s.role_id = any(${[...roleIds]}::bigint[])`,
  )

/** Notes that a tenant holds what its roles are granted, whose rows come from elsewhere. */
export const holdGrants = async (tx: Tx, tenantId: string): Promise<void> => {
  await tx.run(
    sql`insert into taken_on (tenant_id, entity, unit)
        select distinct ${tenantId}, ${grants.name}, r.id::text from role r join role_menu_shared s on s.role_id = r.id
          where r.tenant_id = ${tenantId}
        on conflict do nothing`,
  )
}
