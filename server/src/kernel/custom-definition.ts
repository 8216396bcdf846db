import type { CustomField } from '@data-brain/contract/custom'
import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

/**
 * Those of a tenant's own fields that are in use, held until the transaction ends: nobody takes one, or one of its options,
 * away meanwhile.
 */
export const holdDefinitions = (
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<Pick<CustomField, 'id' | 'options'>[]> =>
  tx.run(
    sql`select id, coalesce(options, '[]') as options from customfield
        where tenant_id = ${tenantId} and id = any(${[...ids]}::bigint[]) and status = 1 order by id for share`,
  )
