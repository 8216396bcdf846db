import { createHash } from 'node:crypto'
import { lockSession, unlockSession } from '@data-brain/contract/calls/auth'
import { prepareQuery, slotValue, sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { on, onDetached } from '../../entity/serve-call.ts'
import type { Actor } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Route } from '../../kernel/route.ts'
import { provePassword } from './prove-password.ts'

/*
 * A locked session is refused every call but these, log-out and user-info, so that the lock of a console is more than a
 * curtain. The lock password never comes here: the browser derives a key from it, and gives its SHA-256 when it locks
 * and the key itself when it unlocks. Guesses are counted in the session's row, by one statement under its lock.
 */

/** Wrong keys after which the session ends. */
const mostFailures = 5

/** Open to whoever is logged in, in whatever state the session is. */
const open = { always: true, beforeChange: true, whileLocked: true } as const

const hex256 = /^[0-9a-f]{64}$/

function bytesOf(field: string, text: string): Buffer {
  if (!hex256.test(text))
    throw new Problem(
      'field_invalid',
      { label: field, reason: { zh: '须为64位小写十六进制', en: 'must be 64 lower-case hex digits' } },
      { field, fields: [] },
    )
  return Buffer.from(text, 'hex')
}

/** Locks the session. One that is locked stays as it is: whoever finds it must not be able to set another password. */
const lock = on(
  lockSession,
  async ({ verifier }, { tx, actor }) => {
    const kept = verifier === undefined ? null : bytesOf('verifier', verifier)
    await tx.run(
      sql`update session set locked_at = now(), lock_verifier = ${kept}::bytea, lock_failures = 0
          where tenant_id = ${actor.tenantId} and id = ${actor.sessionId} and locked_at is null`,
    )
  },
  open,
)

const fits = sql`(revoked_at is null and coalesce(lock_verifier = ${slotValue('digest')}::bytea, false))`
const last = sql`(not ${fits} and lock_failures + 1 >= ${slotValue('most')}::int)`

const tryKey = prepareQuery(sql`
  update session set
    locked_at = case when ${fits} then null else locked_at end,
    lock_verifier = case when ${fits} then null else lock_verifier end,
    lock_failures = case when ${fits} then 0 else lock_failures + 1 end,
    revoked_at = case when ${last} then coalesce(revoked_at, now()) else revoked_at end,
    revoked_reason = case when ${last} then coalesce(revoked_reason, 'lock') else revoked_reason end
  where tenant_id = ${slotValue('tenant')} and id = ${slotValue('session')}::bigint and locked_at is not null
  returning locked_at is null as opened, revoked_at is not null as ended, ${slotValue('most')}::int - lock_failures as left`)

interface Tried {
  readonly opened: boolean
  readonly ended: boolean
  readonly left: number
}

const judge = (tx: Tx, actor: Actor, key: Buffer): Promise<Tried | undefined> =>
  tx.one<Tried>(
    tryKey.with({
      tenant: actor.tenantId,
      session: actor.sessionId,
      digest: createHash('sha256').update(key).digest(),
      most: mostFailures,
    }),
  )

/**
 * Unlocks the session by the key that belongs to its verifier, or by the account's own password, whose wrong ones count
 * as those of log-in. Five wrong keys end the session. Detached: what is counted stands although the call is refused,
 * and no connection is held while a password is hashed.
 */
const unlock = onDetached(
  unlockSession,
  async ({ key, password }, { services, circumstance, as }) => {
    if (key !== undefined) {
      const given = bytesOf('key', key)
      const tried = await as(({ tx, actor }) => judge(tx, actor, given))
      if (tried?.ended) throw new Problem('unauthorized')
      if (tried && !tried.opened) throw new Problem('unlock_failed', {}, { left: tried.left })
      return
    }
    if (password === undefined) throw new Problem('parameter_missing', { field: 'key' })
    const actor = await as(async ({ actor }) => actor)
    await provePassword(services, actor, circumstance, password)
    await as(async ({ tx }) => {
      await tx.run(
        sql`update session set locked_at = null, lock_verifier = null, lock_failures = 0
            where tenant_id = ${actor.tenantId} and id = ${actor.sessionId}`,
      )
    })
  },
  open,
)

export const lockRoutes: Route[] = [lock, unlock]
