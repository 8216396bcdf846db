import { prepareQuery, slotValue, sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Cipher } from '../../kernel/cipher.ts'
import { Problem } from '../../kernel/problem.ts'
import { parametersOf } from '../../kernel/setting.ts'

/*
 * Wrong passwords are counted per tenant and account as typed, whether or not such an account exists, in the database:
 * a restart forgets nothing and every process counts together. A password is judged only while the account is open, and
 * the judging is done by one statement under the row's lock, so twenty guesses at once learn no more than five in turn.
 */

/** Under which an account is counted: the database keeps no list of what people typed. */
export const accountHash = (cipher: Cipher, account: string, tenantId: string): Buffer =>
  cipher.hash(`login|${account.trim().toLowerCase()}`, tenantId)

/** Whether somebody of the tenant has been logged in from the address of the slot: from a school, from a home. */
export const knownAddress = sql`exists (select 1 from session s where s.tenant_id = ${slotValue('tenant')} and s.address = ${slotValue('address')})`
const known = prepareQuery(sql`select ${knownAddress} as known`)

/** How the wrong passwords for an account are counted that come from an address. */
export async function countedAt(
  tx: Tx,
  cipher: Cipher,
  { tenantId, account, address }: { readonly tenantId: string; readonly account: string; readonly address: string },
): Promise<CountedAccount> {
  const found = await tx.one<{ known: boolean }>(known.with({ tenant: tenantId, address }))
  const hash = accountHash(cipher, account, tenantId)
  return { tenantId, account, hash, ...(found?.known ? { address } : {}) }
}

/** An account of one tenant, as it was typed. */
export interface CountedAccount {
  readonly tenantId: string
  readonly hash: Buffer
  /** By which it is known whose account was locked, if it is anybody's. */
  readonly account?: string
  /**
   * The address, where the tenant knows it: an account has a count of its own there, so that strangers lock it for
   * themselves and not for whoever sits where they always do. It is the same for accounts that do not exist.
   */
  readonly address?: string
}

const again = sql`(f.locked_until is not null or f.window_start <= now() - interval '15 minutes')`
const count = sql`(case when ${again} then 1 else f.failures + 1 end)`

const lock = sql`(${slotValue('minutes')}::int * interval '1 minute')`

// An account that is locked is not touched and answers no row: a guess that comes too late is not judged.
const failure = prepareQuery(sql`
  insert into login_failure as f (tenant_id, account_hash, address, failures) values (${slotValue('tenant')}, ${slotValue('hash')}, ${slotValue('address')}, 1)
  on conflict (tenant_id, account_hash, address) do update set
    failures = ${count},
    window_start = case when ${again} then now() else f.window_start end,
    locked_until = case when ${count} >= ${slotValue('most')}::int
      then now() + least(${lock} * power(2, least(f.lockouts, 4)), greatest(interval '1 hour', ${lock})) end,
    lockouts = case when ${count} >= ${slotValue('most')}::int then least(f.lockouts + 1, 100)
      when f.window_start < now() - interval '1 day' then 0 else f.lockouts end
  where f.locked_until is null or f.locked_until <= now()
  returning f.locked_until is not null as locked`)

/**
 * Counts a wrong password; answers whether this one locked the account. Throws `login_locked` when it was locked
 * already. The transaction must be committed for the count to stand.
 */
export async function countFailure(
  tx: Tx,
  { tenantId, hash, account, address = '' }: CountedAccount,
): Promise<boolean> {
  const { 'account.maxFailures': most, 'account.lockMinutes': minutes } = await parametersOf(tx, tenantId, [
    'account.maxFailures',
    'account.lockMinutes',
  ])
  const row = await tx.one<{ locked: boolean }>(failure.with({ tenant: tenantId, hash, address, most, minutes }))
  if (!row) throw new Problem('login_locked', { minutes: await minutesLeft(tx, { tenantId, hash, address }) })
  if (row.locked && account)
    await tx.run(
      sql`update login_failure set user_id = (select u.id from app_user u where u.tenant_id = ${tenantId} and lower(u.account) = ${account.trim().toLowerCase()} order by u.id limit 1)
          where tenant_id = ${tenantId} and account_hash = ${hash}`,
    )
  return row.locked
}

/** Keeps whose account is locked in step with an account that is new or has another name. */
export async function ownLocks(tx: Tx, { tenantId, hash, userId }: CountedAccount & { userId: string }): Promise<void> {
  await tx.run(
    sql`update login_failure set user_id = case when account_hash = ${hash} then ${userId}::bigint end
        where tenant_id = ${tenantId} and (account_hash = ${hash} or user_id = ${userId}::bigint)`,
  )
}

/** Says whose accounts those locks hold that stood before the accounts came, or before a lock said so itself. */
export async function nameLocks(tx: Tx, cipher: Cipher, tenantId: string): Promise<void> {
  const unnamed = sql`tenant_id = ${tenantId} and locked_until > now() and user_id is null`
  if (!(await tx.one(sql`select 1 from login_failure where ${unnamed} limit 1`))) return
  const users = await tx.run<{ id: string; account: string }>(
    sql`select id, account from app_user where tenant_id = ${tenantId}`,
  )
  const hashes = users.map(({ account }) => accountHash(cipher, account, tenantId))
  await tx.run(
    sql`update login_failure f set user_id = u.id
        from unnest(${users.map(({ id }) => id)}::bigint[], ${hashes}::bytea[]) u(id, hash) where ${unnamed} and f.account_hash = u.hash`,
  )
}

async function minutesLeft(tx: Tx, { tenantId, hash, address = '' }: CountedAccount): Promise<number> {
  const row = await tx.one<{ minutes: number | null }>(
    sql`select ceil(extract(epoch from locked_until - now()) / 60)::int as minutes from login_failure where tenant_id = ${tenantId} and account_hash = ${hash} and address = ${address}`,
  )
  return Math.max(1, row?.minutes ?? 1)
}

const success = prepareQuery(sql`
  with held as (
    select greatest(ceil(extract(epoch from locked_until - now()) / 60)::int, 0) as minutes from login_failure
    where tenant_id = ${slotValue('tenant')} and account_hash = ${slotValue('hash')} and address = ${slotValue('address')} for update),
  gone as (
    delete from login_failure f using held
    where f.tenant_id = ${slotValue('tenant')} and f.account_hash = ${slotValue('hash')} and f.address = ${slotValue('address')} and coalesce(held.minutes, 0) = 0)
  select minutes from held`)

/**
 * Clears the count after a right password. Throws `login_locked` when wrong ones locked the account meanwhile: then the
 * right one is not told from them.
 */
export async function clearFailures(tx: Tx, { tenantId, hash, address = '' }: CountedAccount): Promise<void> {
  const row = await tx.one<{ minutes: number | null }>(success.with({ tenant: tenantId, hash, address }))
  if (row?.minutes) throw new Problem('login_locked', { minutes: row.minutes })
}

/** Opens an account that failures have locked, at once and wherever: for an administrator. Answers whether there was anything to open. */
export async function unlock(tx: Tx, { tenantId, hash }: CountedAccount): Promise<boolean> {
  return (await tx.count(sql`delete from login_failure where tenant_id = ${tenantId} and account_hash = ${hash}`)) > 0
}
