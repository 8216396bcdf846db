import { buffer } from 'node:stream/consumers'
import { sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { storeOf } from './storage/place.ts'
import { StoreError } from './storage/store.ts'

/** The bytes of a small file, for whoever may read the row that it hangs on; undefined where it is larger than `most`. */
export async function wholeFile(
  services: Services,
  tenantId: string,
  id: string,
  most: number,
): Promise<Buffer | undefined> {
  const file = await inTenant(services.pool, tenantId, (tx) =>
    tx.one<{ ossId: string | null; name: string; size: number }>(
      sql`select oss_id as "ossId", name, attach_size as size from attach where tenant_id = ${tenantId} and id = ${id}`,
    ),
  )
  if (!file) throw new Problem('not_found')
  if (file.size > most) return undefined
  try {
    const bytes = await (await storeOf(services, tenantId, file.ossId)).get(file.name)
    if (!bytes) throw new Problem('not_found')
    return await buffer(bytes)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    services.log.error('a file could not be read', { tenantId, ossId: file.ossId, error: error.message })
    throw new Problem('storage_away')
  }
}
