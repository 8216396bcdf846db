import { endedTransactions } from '../../database/history-anchor.ts'
import { sql } from '../../database/statement.ts'
import { inPlatform, inTenant, type Tx } from '../../database/transaction.ts'
import type { Services } from '../../kernel/services.ts'
import type { RecurringWork } from '../jobs/index.ts'

/*
 * The chain over the history. Rows are bound into it in batches, after their transactions have ended: a request is never
 * slowed by it. The order is that of the transactions' numbers, which the database gives: all below the oldest that
 * still runs have ended, so nothing can appear any more before what is sealed. Who changes, removes or slips in a row
 * later is found by whoever computes the chain again (verify.ts).
 */

/** Rows of one seal: few enough that one of them is computed in a blink. */
const batch = 1_000

/** What a chain begins with. */
export const firstHash = Buffer.alloc(32)

/** What is hashed of a history row `h`: all of it, in one text that no setting of a connection changes. */
export const rowHash = sql`sha256(convert_to(jsonb_build_array(h.tenant_id, h.id::text, h.entity, h.row_id::text, h.version, h.action,
  to_char(h.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), h.user_id::text, h.user_name, h.request_id, h.batch_id::text, h.xid::text, h.before)::text, 'UTF8'))`

interface Head {
  readonly seq: string
  readonly to_xid: string
  readonly to_id: string
  readonly hash: Buffer
}

/** What was sealed of one tenant. */
export interface SealedTenant {
  readonly rows: number
  /** The newest seal, or undefined where nothing is sealed yet. */
  readonly head: { readonly seq: number; readonly hash: string } | undefined
}

const headOf = (tx: Tx, tenantId: string): Promise<Head | undefined> =>
  tx.one<Head>(
    sql`select seq, to_xid::text as to_xid, to_id, hash from history_seal where tenant_id = ${tenantId} order by seq desc limit 1`,
  )

/** Makes one more seal; answers how many rows it binds, or undefined when another process is at it. */
async function sealBatch(tx: Tx, tenantId: string): Promise<number | undefined> {
  const lock = await tx.one<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`history-seal|${tenantId}`}, 0)) as taken`,
  )
  if (!lock?.taken) return undefined
  const head = await headOf(tx, tenantId)
  const made = await tx.one<{ count: number }>(
    sql`with fresh as (
          select h.id, h.xid, ${rowHash} as row_hash from history h
          where h.tenant_id = ${tenantId} and (h.xid, h.id) > (${head?.to_xid ?? '0'}::xid8, ${head?.to_id ?? '0'}::bigint)
            and h.xid < ${endedTransactions}
          order by h.xid, h.id limit ${batch}
        ), bound as (
          select array_agg(id order by xid, id) as ids, array_agg(xid order by xid, id) as xids, string_agg(row_hash, ''::bytea order by xid, id) as row_hashes, count(*)::int as count from fresh
        )
        insert into history_seal (tenant_id, seq, from_xid, to_xid, to_id, count, ids, row_hashes, prev_hash, hash)
        select ${tenantId}, ${Number(head?.seq ?? 0) + 1}::bigint, xids[1], xids[count], ids[count], count, ids, row_hashes, ${head?.hash ?? firstHash}::bytea,
          sha256(${head?.hash ?? firstHash}::bytea || row_hashes)
        from bound where count > 0 returning count`,
  )
  return made?.count ?? 0
}

/** Seals all that has come to an end in a tenant, each batch in its own transaction. */
export async function sealTenant(
  services: Pick<Services, 'pool'>,
  tenantId: string,
  goOn: () => boolean = () => true,
): Promise<SealedTenant> {
  let rows = 0
  for (;;) {
    const made = await inTenant(services.pool, tenantId, (tx) => sealBatch(tx, tenantId))
    rows += made ?? 0
    if (made === undefined || made < batch || !goOn()) break
  }
  const head = await inTenant(services.pool, tenantId, (tx) => headOf(tx, tenantId))
  return { rows, head: head && { seq: Number(head.seq), hash: head.hash.toString('hex') } }
}

/**
 * Seals every tenant's history. The newest hash of each chain that grew goes to the log, out of the database's reach:
 * who rewrites a whole chain does not rewrite what was written down elsewhere.
 */
export async function sealAll(services: Services, goOn: () => boolean = () => true): Promise<number> {
  const tenants = await inPlatform(services.platform, (tx) =>
    tx.run<{ tenant_id: string }>(sql`select tenant_id from tenant order by tenant_id`),
  )
  let total = 0
  for (const { tenant_id: tenantId } of tenants) {
    if (!goOn()) break
    try {
      const { rows, head } = await sealTenant(services, tenantId, goOn)
      total += rows
      if (rows > 0) services.log.info('history sealed', { tenantId, rows, ...head })
    } catch (error) {
      services.log.error('history could not be sealed', { tenantId, error: (error as Error).message })
    }
  }
  return total
}

/** Seals once a minute. */
export const historySeal: RecurringWork = {
  name: 'history-seal',
  cron: '* * * * *',
  run: async (services, { signal }) => ({ rows: await sealAll(services, () => !signal.aborted) }),
}

/** Most time that a stop waits for a last round. */
const lastRound = 5_000

/** Seals what a process that stops has still written. */
export async function sealLast(services: Services): Promise<void> {
  const until = Date.now() + lastRound
  await sealAll(services, () => Date.now() < until).catch((error: Error) =>
    services.log.error('history could not be sealed', { error: error.message }),
  )
}
