import { randomBytes } from 'node:crypto'
import type { TOTP } from 'otpauth'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Cipher } from '../../kernel/cipher.ts'
import { lazyImport } from '../../kernel/lazy-import.ts'
import { type CountedAccount, clearFailures, countFailure } from './attempts.ts'

/*
 * The second factor: a code of six digits that an authenticator makes every 30 seconds (RFC 6238), or one of ten recovery
 * codes. The secret is sealed; of a recovery code a keyed hash is kept. A code that was accepted, and every older one, is
 * not accepted again.
 */

/** Whose second factor it is. */
export interface Owner {
  readonly tenantId: string
  readonly userId: string
}

export const secretPlace = ({ tenantId, userId }: Owner) => ({
  table: 'second_factor',
  column: 'secret',
  tenantId,
  id: userId,
})

const otp = lazyImport<typeof import('otpauth')>('otpauth')

/** Clocks of phones go wrong: the step before and the one after count too. */
const stepsAside = 1

/** The authenticator's side of a secret (base 32). */
export const totpOf = (secret: string, issuer: string, label: string): TOTP =>
  new (otp().TOTP)({ issuer, label, algorithm: 'SHA1', digits: 6, period: 30, secret: otp().Secret.fromBase32(secret) })

/** A secret of 160 bits, as RFC 4226 asks for, in base 32. */
export const newSecret = (): string => new (otp().Secret)({ size: 20 }).base32

/** Wrong codes are counted beside wrong passwords: a code says little, so it must not be guessed ticket after ticket. */
export const countedSecond = (cipher: Cipher, { tenantId, userId }: Owner): CountedAccount => ({
  tenantId,
  hash: cipher.hash(`second|${userId}`, tenantId),
})

const recoveryHash = (cipher: Cipher, { tenantId, userId }: Owner, code: string): Buffer =>
  cipher.hash(`recovery|${userId}|${code}`, tenantId)

const recoveryForm = /^([0-9A-HJKMNP-TV-Z]{5})-?([0-9A-HJKMNP-TV-Z]{5})$/

interface Factor {
  readonly secret: Buffer
  readonly confirmed: boolean
}

/** A code as it was meant: an input method may have written it in wide digits, and people group them. */
const plainCode = (given: string): string => given.normalize('NFKC').replace(/\s/g, '')

/** Takes a code of the authenticator: one statement under the row's lock, so of two at once one is too late. */
async function takeCode(tx: Tx, cipher: Cipher, owner: Owner, code: string, confirmed: boolean): Promise<boolean> {
  if (!/^[0-9]{6}$/.test(code)) return false
  const factor = await tx.one<Factor>(
    sql`select secret, confirmed_at is not null as confirmed from second_factor where tenant_id = ${owner.tenantId} and user_id = ${owner.userId}`,
  )
  if (factor?.confirmed !== confirmed) return false
  const totp = totpOf(cipher.open(factor.secret, secretPlace(owner)), '', '')
  const delta = totp.validate({ token: code, window: stepsAside })
  if (delta === null) return false
  const step = totp.counter() + delta
  const taken = await tx.count(
    sql`update second_factor set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
        where tenant_id = ${owner.tenantId} and user_id = ${owner.userId} and secret = ${factor.secret} and last_step < ${step}`,
  )
  return taken === 1
}

/** Takes a recovery code, once. */
async function takeRecovery(tx: Tx, cipher: Cipher, owner: Owner, code: string): Promise<boolean> {
  const parts = recoveryForm.exec(code.toUpperCase())
  if (!parts) return false
  const taken = await tx.count(
    sql`update recovery_code r set used_at = now() from second_factor f
        where r.tenant_id = ${owner.tenantId} and r.user_id = ${owner.userId} and r.hash = ${recoveryHash(cipher, owner, `${parts[1]}${parts[2]}`)}
          and r.used_at is null and f.tenant_id = r.tenant_id and f.user_id = r.user_id and f.confirmed_at is not null`,
  )
  return taken === 1
}

/**
 * Judges a code of the second factor, and counts it: answers whether it is right. Throws `login_locked` after too many
 * wrong ones. A wrong code only counts when the transaction is committed.
 */
export async function judgeSecond(tx: Tx, cipher: Cipher, owner: Owner, given: string): Promise<boolean> {
  const code = plainCode(given)
  const counted = countedSecond(cipher, owner)
  const right = /^[0-9]{6}$/.test(code)
    ? await takeCode(tx, cipher, owner, code, true)
    : await takeRecovery(tx, cipher, owner, code)
  if (right) await clearFailures(tx, counted)
  else await countFailure(tx, counted)
  return right
}

/** Puts a second factor in force that was begun, by its first code; answers whether that was right. */
export const confirmSecond = (tx: Tx, cipher: Cipher, owner: Owner, code: string): Promise<boolean> =>
  takeCode(tx, cipher, owner, plainCode(code), false)

const recoverySigns = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Ten new recovery codes, of 50 bits each, in place of those before: told once. */
export async function newRecoveryCodes(tx: Tx, cipher: Cipher, owner: Owner): Promise<string[]> {
  const codes = Array.from({ length: 10 }, () =>
    Array.from(randomBytes(10), (byte) => recoverySigns[byte % 32]).join(''),
  )
  await tx.run(sql`delete from recovery_code where tenant_id = ${owner.tenantId} and user_id = ${owner.userId}`)
  await tx.run(
    sql`insert into recovery_code (tenant_id, user_id, hash)
        select ${owner.tenantId}, ${owner.userId}, unnest(${codes.map((code) => recoveryHash(cipher, owner, code))}::bytea[])`,
  )
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
}
