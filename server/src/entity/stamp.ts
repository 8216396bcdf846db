import { randomInt } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

/**
 * The stamp of an entity is a sum over rows, so that writers do not queue behind one. A transaction takes one of these rows
 * for itself, whatever it writes: two that write the same entities in another order would else wait for each other.
 */
const slots = 64

/** Any slot, for a tenant with more writers at once than there are slots: these queue. */
export const anySlot = (): number => randomInt(slots)

/** Raises the stamp of an entity, as a statement or a part of one. The lock that keeps the slot ends with the transaction. */
export const stampRaise = (tenant: unknown, entity: unknown, otherwise: unknown): RawBuilder<unknown> =>
  sql`insert into entity_stamp (tenant_id, entity, slot) values (${tenant}, ${entity}, coalesce(
        (select s from generate_series(0, ${sql.lit(slots - 1)}) s where pg_try_advisory_xact_lock(hashtext('stamp ' || ${tenant}::text), s) limit 1), ${otherwise}::int))
      on conflict (tenant_id, entity, slot) do update set stamp = entity_stamp.stamp + 1`

/** Makes kept totals of an entity count anew. */
export const raiseStamp = async (tx: Tx, tenantId: string, entity: string): Promise<void> => {
  await tx.run(stampRaise(tenantId, entity, anySlot()))
}
