import { tenant } from '@data-brain/contract'
import type pg from 'pg'
import { codeLock } from '../../database/locks.ts'
import { sql } from '../../database/statement.ts'
import { inTenant, type Tx } from '../../database/transaction.ts'
import { platformTenant } from '../../entity/model.ts'
import { valueTaken } from '../../kernel/problem.ts'
import { freshStamps, purgeRows } from '../../seed/index.ts'

/*
 * A tenant is a row that the platform's role writes and thousands that the tenant's own role writes, so it takes two
 * transactions, one inside the other: the row is written and not yet committed, the contents are committed, and then the
 * row is. Until the row is there nobody can log in to the tenant, see it or name it. A note that is durable before any of
 * this, and goes with the row's own commit, leads the sweep to contents whose row never came.
 */

/** The connections that it takes: the platform's role, and one that may write a tenant's rows. */
export interface TenantConnections {
  readonly platform: pg.Pool
  readonly pool: pg.Pool
}

const noteOf = (tenantId: string): string => `making:${tenantId}`

/** Holds a tenant's code for the transaction: it is made, removed and swept by one at a time. */
export const holdCode = (tx: Tx, tenantId: string): Promise<unknown> =>
  tx.run(sql`select pg_advisory_xact_lock(${codeLock(tenantId)})`)

/** Whether the code was free to be held for the transaction. */
export const tryCode = async (tx: Tx, tenantId: string): Promise<boolean> =>
  (await tx.one<{ held: boolean }>(sql`select pg_try_advisory_xact_lock(${codeLock(tenantId)}) as held`))?.held === true

const exists = async (tx: Tx, tenantId: string): Promise<boolean> =>
  (await tx.one(sql`select 1 from tenant where tenant_id = ${tenantId}`)) !== undefined

/** Notes that a tenant is being made; answers whether an earlier try was noted already. */
const note = async (tx: Tx, tenantId: string): Promise<boolean> =>
  (
    await tx.one<{ value: string }>(
      sql`insert into seed_mark (name, value) values (${noteOf(tenantId)}, 'begun')
          on conflict (name) do update set value = 'again', at = now() returning value`,
    )
  )?.value === 'again'

const dropNote = (tx: Tx, tenantId: string): Promise<unknown> =>
  tx.run(sql`delete from seed_mark where name = ${noteOf(tenantId)}`)

export interface TenantFounding<P, F> {
  readonly tenantId: string
  /** Opens a transaction of the platform's role that names the platform's tenant. */
  act<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Writes the tenant's row, which judges whether code and domain are free. */
  place(tx: Tx): Promise<P>
  /** Writes what the tenant holds, in one transaction of its own. */
  fill(tx: Tx): Promise<F>
}

/** Makes a tenant, all of it or nothing; what an earlier try has left under the code is taken away first. */
export async function makeTenant<P, F>(
  hands: TenantConnections,
  { tenantId, act, place, fill }: TenantFounding<P, F>,
): Promise<{ placed: P; filled: F }> {
  // Durable before anything else, so that what is written under the code later waits for nothing.
  if (await act((tx) => note(tx, tenantId)))
    await act(async (tx) => {
      await holdCode(tx, tenantId)
      if (!(await exists(tx, tenantId))) await purgeRows(tx, tenantId)
    })
  let done = false
  try {
    return await act(async (tx) => {
      await tx.run(sql`set local idle_in_transaction_session_timeout = 0`)
      await holdCode(tx, tenantId)
      if (await exists(tx, tenantId)) throw valueTaken(tenant.fields.tenantId.label, tenantId, 'tenantId')
      const placed = await place(tx)
      const filled = await inTenant(hands.pool, tenantId, async (own) => {
        const made = await fill(own)
        await freshStamps(own, tenantId)
        return made
      })
      done = true
      await dropNote(tx, tenantId)
      return { placed, filled }
    })
  } catch (error) {
    if (done) await clearLeft(hands.platform, tenantId)
    throw error
  }
}

/** Takes away what was written of a tenant whose row is not there; of one that is there, nothing. */
export async function clearLeft(platform: pg.Pool, tenantId: string): Promise<void> {
  await inTenant(platform, platformTenant, async (tx) => {
    if (!(await tryCode(tx, tenantId))) return
    if (!(await exists(tx, tenantId))) await purgeRows(tx, tenantId)
    await dropNote(tx, tenantId)
  })
}

/** The codes of tenants that somebody began to make a day ago or longer, and did not end. */
export const unfinishedTenants = async (tx: Tx): Promise<string[]> =>
  (
    await tx.run<{ name: string }>(
      sql`select name from seed_mark where name like 'making:%' and at < now() - interval '1 day' order by name`,
    )
  ).map(({ name }) => name.slice('making:'.length))
