import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import type { Cipher } from '../../../kernel/cipher.ts'
import { placeOf } from '../batch/batch.ts'
import type { Source } from './table.ts'

/* What reading said about a file stands sealed beside its rows, as row 0: pieces of the file are below, rows above it. */

const sourceNo = 0

/** Keeps what was found in the file of a batch. */
export async function keepSource(
  tx: Tx,
  cipher: Cipher,
  tenantId: string,
  batchId: string,
  source: Source,
): Promise<void> {
  const sealed = cipher.seal(JSON.stringify(source), placeOf(tenantId, batchId, sourceNo))
  await tx.run(
    sql`insert into import_row (tenant_id, batch_id, row_no, cells) values (${tenantId}, ${batchId}, ${sourceNo}, ${sealed})
        on conflict (tenant_id, batch_id, row_no) do update set cells = excluded.cells`,
  )
}

/** What was found in the file of a batch; nothing once its rows are stored. Whoever may see its cells may see this. */
export async function sourceOf(tx: Tx, cipher: Cipher, tenantId: string, batchId: string): Promise<Source | undefined> {
  const kept = await tx.one<{ cells: Buffer }>(
    sql`select cells from import_row where tenant_id = ${tenantId} and batch_id = ${batchId} and row_no = ${sourceNo}`,
  )
  return kept && (JSON.parse(cipher.open(kept.cells, placeOf(tenantId, batchId, sourceNo))) as Source)
}
