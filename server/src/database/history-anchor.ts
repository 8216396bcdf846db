import type pg from 'pg'
import { sql } from './statement.ts'

/** By how much this database raises its transactions' numbers, so that they follow those of the cluster it came from. */
const shift = 'coalesce((select a.shift from public.history_anchor a order by a.at desc limit 1), 0)'

/** Below this number every transaction has ended that writes to a history. */
export const endedTransactions = sql`(select (pg_snapshot_xmin(pg_current_snapshot())::text::numeric + ${sql.raw(shift)})::text::xid8)`

/**
 * Lets the chains of the histories go on in a cluster whose transactions are numbered lower than those that wrote them: a
 * dump was brought back. Answers whether it had to. Changes are not written meanwhile.
 */
export async function anchorHistory(owner: pg.ClientBase): Promise<boolean> {
  const { rows } = await owner.query<{ newest: string; raise: string }>(
    `select n.newest::text as newest, (n.newest::text::numeric - pg_snapshot_xmax(pg_current_snapshot())::text::numeric + 1)::text as raise
     from public.history_newest() n(newest)
     where n.newest::text::numeric >= pg_snapshot_xmax(pg_current_snapshot())::text::numeric + ${shift}`,
  )
  const found = rows[0]
  if (!found) return false
  if (!/^[0-9]+$/.test(found.raise)) throw new Error(`no number of a transaction: ${found.raise}`)
  await owner.query('begin')
  try {
    await owner.query('insert into history_anchor (newest, shift) values ($1::xid8, $2)', [found.newest, found.raise])
    await owner.query(
      `alter table history alter column xid set default ((pg_current_xact_id()::text::numeric + ${found.raise})::text::xid8)`,
    )
    await owner.query('commit')
  } catch (error) {
    await owner.query('rollback').catch(() => {})
    throw error
  }
  return true
}
