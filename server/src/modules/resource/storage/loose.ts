import { newId } from '../../../database/id.ts'
import { backupLock } from '../../../database/locks.ts'
import { sql } from '../../../database/statement.ts'
import { inTenant, type Tx } from '../../../database/transaction.ts'
import type { Services } from '../../../kernel/services.ts'
import { storeOf } from './place.ts'

/*
 * A database and a store have no transaction in common. So bytes are written down as loose before they are put into a
 * store, and in the very transaction that removes the last row leading to them; a row that leads to them takes the note
 * away. Whatever is killed in between, the note says what is to be removed.
 */

/** Where bytes lie. */
export interface Bytes {
  readonly ossId: string | null
  readonly name: string
}

/** Changes of a tenant's files wait for each other here until they are committed: who shares bytes, and how many there are. */
export const holdFiles = (tx: Tx, tenantId: string): Promise<unknown> =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`files|${tenantId}`}, 0))`)

/**
 * Notes bytes as loose: removed after so many seconds unless a row leads to them by then. What is on its way in takes
 * its room of the quota from here on. Answers the id of the note.
 */
export async function noteLoose(
  tx: Tx,
  tenantId: string,
  { ossId, name }: Bytes,
  { seconds = 0, reserved = 0 }: { seconds?: number; reserved?: number } = {},
): Promise<string> {
  const id = newId()
  await tx.run(
    sql`insert into attach_loose (tenant_id, id, oss_id, name, reserved, until)
        values (${tenantId}, ${id}, ${ossId}, ${name}, ${reserved}, now() + make_interval(secs => ${seconds}))`,
  )
  return id
}

/** Lets loose bytes stay so many seconds from now; answers until when, or undefined where their time was over. */
export const lengthenLoose = async (
  tx: Tx,
  tenantId: string,
  id: string,
  seconds: number,
): Promise<string | undefined> =>
  (
    await tx.one<{ until: string }>(
      sql`update attach_loose set until = now() + make_interval(secs => ${seconds}) where tenant_id = ${tenantId} and id = ${id} and until > now() returning until`,
    )
  )?.until

/** Where loose bytes lie whose time is not over. */
export const looseOf = (tx: Tx, tenantId: string, id: string): Promise<Bytes | undefined> =>
  tx.one(
    sql`select oss_id as "ossId", name from attach_loose where tenant_id = ${tenantId} and id = ${id} and until > now()`,
  )

/** Takes the note away: a row leads to the bytes from now on. Whether it was still there: without it they may be gone. */
export const takeLoose = async (tx: Tx, tenantId: string, name: string): Promise<boolean> =>
  (await tx.count(sql`delete from attach_loose where tenant_id = ${tenantId} and name = ${name} and until > now()`)) > 0

interface Loose {
  readonly id: string
  readonly oss_id: string | null
  readonly name: string
}

/**
 * Removes loose bytes from their stores: those named, or all whose time is over. Any number of processes may do it at
 * once; what a store does not give up now is tried again later. Answers how many are gone.
 */
export async function removeLoose(services: Services, tenantId: string, names?: readonly string[]): Promise<number> {
  const due = names ? sql`name = any(${[...names]}::text[])` : sql`until <= now()`
  let gone = 0
  for (;;) {
    const some = await inTenant(services.pool, tenantId, async (tx) => {
      // A backup copies what the rows lead to: until it is made nothing is taken from under it.
      if (!(await tx.one(sql`select 1 where pg_try_advisory_xact_lock_shared(${backupLock})`))) return []
      return tx.run<Loose>(
        sql`update attach_loose set until = now(), reserved = 0 where tenant_id = ${tenantId} and id in (
              select id from attach_loose where tenant_id = ${tenantId} and ${due} order by until, id limit 100 for update skip locked
            ) returning id, oss_id, name`,
      )
    })
    const done: string[] = []
    for (const { id, oss_id: ossId, name } of some)
      try {
        await (await storeOf(services, tenantId, ossId)).remove(name)
        done.push(id)
      } catch (error) {
        services.log.warn('bytes stay in their store for now', { tenantId, name, error: (error as Error).message })
      }
    if (done.length > 0)
      await inTenant(services.pool, tenantId, (tx) =>
        tx.run(sql`delete from attach_loose where tenant_id = ${tenantId} and id = any(${done}::bigint[])`),
      )
    gone += done.length
    // What failed comes up again at once: it is left for the next sweep.
    if (some.length < 100 || done.length < some.length) return gone
  }
}
