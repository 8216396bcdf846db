import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { Actor } from './actor.ts'
import type { Cipher } from './cipher.ts'
import { Problem } from './problem.ts'
import type { ShownRow } from './shown-rows.ts'

/*
 * A save that timed out may have been done. Sent again with the same `Idempotency-Key` by the same user to the same call
 * with the same content, it is done once and answered alike, for a day.
 */

const keyForm = /^[A-Za-z0-9_-]{16,64}$/

/** How long a key is remembered. */
const kept = sql`interval '24 hours'`

/** The key of a request; undefined where none was sent. */
export function onceKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && keyForm.test(header)) return header
  throw new Problem('field_invalid', {
    label: 'Idempotency-Key',
    reason: { zh: '须为16–64位字母、数字、- 或 _', en: 'must be 16–64 letters, digits, - or _' },
  })
}

/** What a key is bound to. */
export interface Sent {
  readonly key: string
  /** The route as it is declared. */
  readonly route: string
  /** All that was sent, as text. */
  readonly content: string
}

/** An answer, and whose records it shows: whoever is answered again with it reads them again. */
export interface RecordedAnswer {
  readonly data: unknown
  readonly shown: readonly ShownRow[]
}
/** Under which an answer is kept that shows records. */
const marked = '#answered'

interface Basis {
  readonly tx: Tx
  readonly actor: Actor
  readonly cipher: Cipher
}

const placeOf = ({ tenantId, userId }: Actor, key: string) => ({
  table: 'request_key',
  column: 'answer',
  tenantId,
  id: `${userId}.${key}`,
})

/**
 * Takes the key for this request, or answers what the request that had it has answered. Of two at the same time the
 * second waits for the first one's transaction; where that failed it goes on itself.
 */
export async function takeOnce({ tx, actor, cipher }: Basis, sent: Sent): Promise<RecordedAnswer | undefined> {
  const { tenantId, userId } = actor
  const { key, route, content } = sent
  const hash = cipher.hash(content, tenantId)
  const taken = await tx.one(
    sql`with swept as (
          delete from request_key where tenant_id = ${tenantId} and (user_id, key) in (
            select user_id, key from request_key where tenant_id = ${tenantId} and at < now() - ${kept}
              and (user_id, key) <> (${userId}::bigint, ${key}) order by at limit 50 for update skip locked))
        insert into request_key (tenant_id, user_id, key, route, body_hash) values (${tenantId}, ${userId}, ${key}, ${route}, ${hash})
        on conflict (tenant_id, user_id, key) do update set route = excluded.route, body_hash = excluded.body_hash, answer = null, at = now()
          where request_key.at < now() - ${kept} returning 1 as taken`,
  )
  if (taken) return undefined
  const before = await tx.one<{ route: string; body_hash: Buffer; answer: Buffer | null }>(
    sql`select route, body_hash, answer from request_key where tenant_id = ${tenantId} and user_id = ${userId} and key = ${key}`,
  )
  if (before?.route !== route || !before.body_hash.equals(hash)) throw new Problem('save_differs')
  if (!before.answer) throw new Problem('save_unknown')
  const answer = JSON.parse(cipher.open(before.answer, placeOf(actor, key))) as unknown
  const isMarked = typeof answer === 'object' && answer !== null && marked in answer
  return isMarked ? (answer as { [marked]: RecordedAnswer })[marked] : { data: answer, shown: [] }
}

/** Keeps what is answered, in the transaction of the work itself where it has one. */
export async function keepOnce(
  { tx, actor, cipher }: Basis,
  { key }: Sent,
  { data, shown }: RecordedAnswer,
): Promise<void> {
  const answer = JSON.stringify(shown.length > 0 ? { [marked]: { data, shown } } : (data ?? null))
  await tx.run(
    sql`update request_key set answer = ${cipher.seal(answer, placeOf(actor, key))}
        where tenant_id = ${actor.tenantId} and user_id = ${actor.userId} and key = ${key}`,
  )
}

/** Lets a key go whose work was not done. */
export async function dropOnce({ tx, actor }: Pick<Basis, 'tx' | 'actor'>, { key }: Sent): Promise<void> {
  await tx.run(
    sql`delete from request_key where tenant_id = ${actor.tenantId} and user_id = ${actor.userId} and key = ${key} and answer is null`,
  )
}

/** Forgets the keys of a tenant whose day is over; every new key forgets some as well. */
export async function sweepOnce(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(
    sql`delete from request_key where tenant_id = ${tenantId} and (user_id, key) in (
          select user_id, key from request_key where tenant_id = ${tenantId} and at < now() - ${kept} limit 5000 for update skip locked)`,
  )
}
