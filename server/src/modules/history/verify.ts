import { createHash } from 'node:crypto'
import type { Verdict } from '@data-brain/contract/calls/history'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { firstHash, rowHash } from './seal.ts'

/** What is wrong: a row was changed, is gone or was slipped in, or a seal does not fit the one before it. */
type Broken = NonNullable<Verdict['first']>

interface Seal {
  readonly seq: string
  readonly to_xid: string
  readonly to_id: string
  readonly ids: string[]
  readonly row_hashes: Buffer
  readonly prev_hash: Buffer
  readonly hash: Buffer
}

interface Found {
  readonly id: string
  readonly xid: string
  readonly row_hash: Buffer
}

const sealsAtOnce = 10

/** Whether a row stands at or before the end of a seal. */
const within = (row: Found, seal: Seal): boolean => {
  const [xid, end] = [BigInt(row.xid), BigInt(seal.to_xid)]
  return xid < end || (xid === end && BigInt(row.id) <= BigInt(seal.to_id))
}

/**
 * Computes the chain of a tenant anew, from the seal after `from` on, until `goOn` says no; then `next` says where to go
 * on, with the same questions asked of the rest.
 */
export async function verifyTenant(
  tx: Tx,
  tenantId: string,
  { from = 0, goOn = () => true }: { from?: number; goOn?: () => boolean } = {},
): Promise<Verdict> {
  const check = new Check()
  let before = await sealAt(tx, tenantId, from)
  if (from > 0 && !before) check.tell({ fault: 'seal', seq: from })
  let ended = false
  do {
    const seals = await tx.run<Seal>(
      sql`select seq, to_xid::text as to_xid, to_id, ids::text[] as ids, row_hashes, prev_hash, hash from history_seal
          where tenant_id = ${tenantId} and seq > ${before ? Number(before.seq) : from} order by seq limit ${sealsAtOnce}`,
    )
    const last = seals.at(-1)
    ended = !last
    if (!last) break
    const rows = await tx.run<Found>(
      sql`select h.id, h.xid::text as xid, ${rowHash} as row_hash from history h where h.tenant_id = ${tenantId}
            and (h.xid, h.id) > (${before?.to_xid ?? '0'}::xid8, ${before?.to_id ?? '0'}::bigint)
            and (h.xid, h.id) <= (${last.to_xid}::xid8, ${last.to_id}::bigint) order by h.xid, h.id`,
    )
    let at = 0
    for (const seal of seals) {
      const begin = at
      while (at < rows.length && within(rows[at]!, seal)) at += 1
      check.seal(seal, before, rows.slice(begin, at))
      before = seal
    }
  } while (goOn())
  const after = await tx.one<{ n: number }>(
    sql`select count(*)::int as n from history h where h.tenant_id = ${tenantId} and (h.xid, h.id) > (${before?.to_xid ?? '0'}::xid8, ${before?.to_id ?? '0'}::bigint)`,
  )
  return {
    sealed: check.sealed,
    unsealed: ended ? (after?.n ?? 0) : 0,
    broken: check.broken,
    first: check.first && (await named(tx, tenantId, check.first)),
    seals: check.seals,
    head: before?.hash.toString('hex') ?? null,
    next: ended ? null : Number(before?.seq ?? 0),
  }
}

const sealAt = (tx: Tx, tenantId: string, seq: number): Promise<Seal | undefined> =>
  tx.one<Seal>(
    sql`select seq, to_xid::text as to_xid, to_id, ids::text[] as ids, row_hashes, prev_hash, hash from history_seal where tenant_id = ${tenantId} and seq = ${seq}`,
  )

type Named = Pick<Broken, 'fault' | 'seq'> & { readonly historyId?: string }

class Check {
  sealed = 0
  broken = 0
  seals = 0
  first: Named | null = null

  tell(named: Named): void {
    this.broken += 1
    this.first ??= named
  }

  seal(seal: Seal, before: Seal | undefined, rows: readonly Found[]): void {
    const seq = Number(seal.seq)
    this.seals += 1
    const there = new Map(rows.map((row) => [row.id, row.row_hash]))
    for (const [index, id] of seal.ids.entries()) {
      const hash = there.get(id)
      there.delete(id)
      const wanted = seal.row_hashes.subarray(index * 32, index * 32 + 32)
      if (hash === undefined) this.tell({ fault: 'missing', seq, historyId: id })
      else if (!hash.equals(wanted)) this.tell({ fault: 'changed', seq, historyId: id })
      else this.sealed += 1
    }
    for (const id of there.keys()) this.tell({ fault: 'added', seq, historyId: id })
    const hash = createHash('sha256').update(seal.prev_hash).update(seal.row_hashes).digest()
    const fits =
      seq === Number(before?.seq ?? 0) + 1 &&
      seal.prev_hash.equals(before?.hash ?? firstHash) &&
      hash.equals(seal.hash) &&
      seal.row_hashes.length === seal.ids.length * 32
    if (!fits) this.tell({ fault: 'seal', seq })
  }
}

/** What there is to say of the row that is wrong. */
async function named(tx: Tx, tenantId: string, { fault, seq, historyId }: Named): Promise<Broken> {
  const row = historyId
    ? await tx.one<{ entity: string; row_id: string; at: string; user_name: string | null }>(
        sql`select entity, row_id, at, user_name from history where tenant_id = ${tenantId} and id = ${historyId}`,
      )
    : undefined
  return {
    fault,
    seq,
    historyId: historyId ?? null,
    entity: row?.entity ?? null,
    rowId: row?.row_id ?? null,
    at: row?.at ?? null,
    userName: row?.user_name ?? null,
  }
}
