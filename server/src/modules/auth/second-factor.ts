import { param } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactor,
} from '@data-brain/contract/calls/account'
import { sql } from '../../database/statement.ts'
import type { Values } from '../../entity/check.ts'
import type { Context } from '../../entity/repository.ts'
import { addRules } from '../../entity/rules.ts'
import { on, onDetached } from '../../entity/serve-call.ts'
import type { Actor } from '../../kernel/actor.ts'
import { raiseGrants } from '../../kernel/authenticate.ts'
import { mustHaveSecond } from '../../kernel/load-actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { unlock } from './attempts.ts'
import { endSessions } from './credential.ts'
import { provePassword } from './prove-password.ts'
import {
  confirmSecond,
  countedSecond,
  judgeSecond,
  newRecoveryCodes,
  newSecret,
  type Owner,
  secretPlace,
  totpOf,
} from './second-code.ts'

/** The person of a call; a machine has no second factor. */
function ownerOf({ tenantId, userId }: Actor): Owner {
  if (userId === null) throw new Problem('not_found')
  return { tenantId, userId }
}

const isOn = async (tx: Call['tx'], { tenantId, userId }: Owner): Promise<boolean> =>
  (await tx.one(
    sql`select 1 from second_factor where tenant_id = ${tenantId} and user_id = ${userId} and confirmed_at is not null for update`,
  )) !== undefined

const own = { always: true, beforeChange: true } as const

/** Whether one has a second factor, since when, how many recovery codes are left, and whether the tenant asks it of one. */
const state = on(
  secondFactor,
  async (_, { tx, actor }): Promise<AnswerOf<typeof secondFactor>> => {
    const { tenantId, userId } = ownerOf(actor)
    const row = await tx.one<{ since: string | null; left: number; must: boolean }>(
      sql`select f.confirmed_at as since, ${mustHaveSecond} as must, (select count(*)::int from recovery_code r
            where r.tenant_id = f.tenant_id and r.user_id = f.user_id and r.used_at is null) as left
          from app_user u left join second_factor f on f.tenant_id = u.tenant_id and f.user_id = u.id and f.confirmed_at is not null
          where u.tenant_id = ${tenantId} and u.id = ${userId}`,
    )
    const since = row?.since ?? null
    return { on: since ? 1 : 0, since, recoveryLeft: row?.left ?? 0, must: row?.must ? 1 : 0 }
  },
  own,
)

/**
 * Begins a second factor: its secret, for an authenticator to be given. Who has come by an open console must not put a
 * lock of their own before it, so the password is asked for. Detached: no connection is held while it is hashed.
 */
const begin = onDetached(
  beginSecondFactor,
  async ({ password }, { services, circumstance, as }) => {
    const { actor, tenantName } = await as(async ({ tx, actor }) => ({
      actor,
      tenantName: (
        await tx.one<{ tenant_name: string }>(sql`select tenant_name from tenant where tenant_id = ${actor.tenantId}`)
      )?.tenant_name,
    }))
    const owner = ownerOf(actor)
    await provePassword(services, actor, circumstance, password)
    const secret = newSecret()
    await as(async ({ tx }) => {
      const begun = await tx.count(
        sql`insert into second_factor as f (tenant_id, user_id, secret)
            values (${owner.tenantId}, ${owner.userId}, ${services.cipher.seal(secret, secretPlace(owner))})
            on conflict (tenant_id, user_id) do update set secret = excluded.secret, created_at = now()
            where f.confirmed_at is null`,
      )
      if (begun !== 1) throw new Problem('second_factor_on')
    })
    const uri = totpOf(secret, tenantName ?? 'Data Brain', actor.account).toString()
    const { default: QRCode } = await import('qrcode')
    return { secret, uri, qr: await QRCode.toDataURL(uri, { errorCorrectionLevel: 'M', margin: 2, scale: 6 }) }
  },
  own,
)

/** Puts the second factor in force, by the first code of the authenticator. Answers the recovery codes, this once. */
const confirm = onDetached(
  confirmSecondFactor,
  async ({ code }, { services: { cipher }, as }) => {
    const recoveryCodes = await as(async ({ tx, actor }) => {
      const owner = ownerOf(actor)
      if (await isOn(tx, owner)) throw new Problem('second_factor_on')
      if (!(await confirmSecond(tx, cipher, owner, code))) return undefined
      // Whoever is logged in elsewhere by the password alone does not go on past it.
      await endSessions(tx, owner.tenantId, owner.userId, 'second factor', actor.sessionId)
      // What is remembered of the session says that a second factor must be set up.
      await raiseGrants(tx, owner.tenantId)
      return newRecoveryCodes(tx, cipher, owner)
    })
    if (!recoveryCodes) throw new Problem('second_factor_wrong')
    return { recoveryCodes }
  },
  own,
)

/** New recovery codes in place of the old, shown this once. */
const recovery = onDetached(
  renewRecoveryCodes,
  async ({ password, code }, { services, circumstance, as }) => {
    const actor = await as(async ({ actor }) => actor)
    await provePassword(services, actor, circumstance, password)
    const recoveryCodes = await as(async ({ tx, actor }) => {
      const owner = ownerOf(actor)
      if (!(await isOn(tx, owner))) throw new Problem('second_factor_off')
      return (await judgeSecond(tx, services.cipher, owner, code))
        ? newRecoveryCodes(tx, services.cipher, owner)
        : undefined
    })
    if (!recoveryCodes) throw new Problem('second_factor_wrong')
    return { recoveryCodes }
  },
  own,
)

/** Takes one's second factor away, by the password and a code. */
const remove = onDetached(
  removeSecondFactor,
  async ({ password, code }, { services, circumstance, as }) => {
    const actor = await as(async ({ actor }) => actor)
    await provePassword(services, actor, circumstance, password)
    const right = await as(async ({ tx, actor }) => {
      const owner = ownerOf(actor)
      if (!(await isOn(tx, owner))) throw new Problem('second_factor_off')
      if (!(await judgeSecond(tx, services.cipher, owner, code))) return false
      await removeSecond({ tx, services }, owner)
      return true
    })
    if (!right) throw new Problem('second_factor_wrong')
  },
  own,
)

/** Takes a user's second factor away with its recovery codes and its count of wrong codes. Answers whether there was one. */
export async function removeSecond({ tx, services }: Pick<Call, 'tx' | 'services'>, owner: Owner): Promise<boolean> {
  const gone = await tx.count(
    sql`delete from second_factor where tenant_id = ${owner.tenantId} and user_id = ${owner.userId}`,
  )
  await unlock(tx, countedSecond(services.cipher, owner))
  // Whether a second factor must be set up is remembered with the session.
  await raiseGrants(tx, owner.tenantId)
  return gone > 0
}

/** Whether administrators must have one is remembered with their sessions, so a change of it is told to all of them. */
export function addSecondRules(): void {
  const tell = async ({ context, whole }: { context: Context; whole: Values }): Promise<void> => {
    if (whole.paramKey === 'login.secondFactor') await raiseGrants(context.tx, context.actor.tenantId)
  }
  addRules(param, {
    afterSave: async ({ context, whole, before }) => {
      await tell({ context, whole })
      if (before && before.paramKey !== whole.paramKey) await tell({ context, whole: before })
    },
    afterRemove: ({ context, before }) => tell({ context, whole: before }),
  })
}

export const secondFactorRoutes: Route[] = [state, begin, confirm, recovery, remove]
