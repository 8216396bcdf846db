import { open } from 'node:fs/promises'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Cipher, Place } from '../../kernel/cipher.ts'

/*
 * The file of a batch is kept in the database, where every process finds it, until it has been read or imported: in
 * pieces, sealed as the rows of a spreadsheet are, because it holds the same people. Pieces are numbered downwards from
 * -1 and so stand beside the rows.
 */

const pieceSize = 512 * 1_024

const placeOf = (tenantId: string, batchId: string, no: number): Place => ({
  table: 'import_row',
  column: 'cells',
  tenantId,
  id: `${batchId}.${no}`,
})

/** Keeps the file at `path` with its batch. */
export async function keepFile(tx: Tx, cipher: Cipher, tenantId: string, batchId: string, path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    const piece = Buffer.alloc(pieceSize)
    for (let no = -1; ; no -= 1) {
      const { bytesRead } = await file.read(piece, 0, pieceSize, null)
      if (bytesRead === 0) return
      const text = piece.toString('base64', 0, bytesRead)
      await tx.run(
        sql`insert into import_row (tenant_id, batch_id, row_no, cells) values (${tenantId}, ${batchId}, ${no}, ${cipher.seal(text, placeOf(tenantId, batchId, no))})`,
      )
    }
  } finally {
    await file.close()
  }
}

/** Writes the kept file of a batch to `path`. */
export async function fetchFile(
  tx: Tx,
  cipher: Cipher,
  tenantId: string,
  batchId: string,
  path: string,
): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    for (let no = -1; ; no -= 1) {
      const piece = await tx.one<{ cells: Buffer }>(
        sql`select cells from import_row where tenant_id = ${tenantId} and batch_id = ${batchId} and row_no = ${no}`,
      )
      if (!piece) return
      await file.write(Buffer.from(cipher.open(piece.cells, placeOf(tenantId, batchId, no)), 'base64'))
    }
  } finally {
    await file.close()
  }
}

/** Forgets the kept file of a batch. */
export const dropFile = (tx: Tx, tenantId: string, batchId: string): Promise<unknown> =>
  tx.run(sql`delete from import_row where tenant_id = ${tenantId} and batch_id = ${batchId} and row_no < 0`)

/** Whether the file of a batch is still kept. */
export const hasFile = async (tx: Tx, tenantId: string, batchId: string): Promise<boolean> =>
  (await tx.one(
    sql`select 1 from import_row where tenant_id = ${tenantId} and batch_id = ${batchId} and row_no = -1`,
  )) !== undefined
