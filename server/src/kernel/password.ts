import { argon2, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { Problem } from './problem.ts'

/*
 * The wire carries the md5 hex of a password; it is input only. What is stored is argon2id over an HMAC of it, so that
 * a stolen table without the pepper of the installation cannot even be guessed at.
 */

const derive = promisify(argon2)
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** Hashes at once: one core stays for everybody else. The rest waits, and past that is told to come again. */
const atOnce = Math.max(1, availableParallelism() - 1)
const waitingMost = 64
let running = 0
const waiting: (() => void)[] = []

async function queued<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= waitingMost) throw new Problem('login_busy')
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

const peppered = (md5: string, pepper: Buffer): Buffer => createHmac('sha256', pepper).update(md5).digest()

/** The md5 hex under which a password travels: the one place that makes it. */
export const wireMd5 = (password: string): string => createHash('md5').update(password).digest('hex')

/** Hashes a password (its md5 hex) for storing: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(md5: string, pepper: Buffer): Promise<string> {
  const salt = randomBytes(16)
  const hash = await queued(() => derive('argon2id', { message: peppered(md5, pepper), nonce: salt, ...cost }))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${salt.toString('base64')}$${(hash as Buffer).toString('base64')}`
}

/** Whether a password fits a stored hash; takes the same time either way. Without a stored hash it burns that time. */
export async function checkPassword(md5: string, stored: string | null, pepper: Buffer): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored ?? '')
  const salt = parts ? Buffer.from(parts[4]!, 'base64') : Buffer.alloc(16)
  const wanted = parts ? Buffer.from(parts[5]!, 'base64') : Buffer.alloc(32)
  const settings = parts
    ? { memory: Number(parts[1]), passes: Number(parts[2]), parallelism: Number(parts[3]), tagLength: wanted.length }
    : cost
  const made = (await queued(() =>
    derive('argon2id', { message: peppered(md5, pepper), nonce: salt, ...settings }),
  )) as Buffer
  return timingSafeEqual(made, wanted) && parts !== null
}

/** Whether a stored hash was made at another cost than today's: to be made anew when the password is next seen. */
export const isOutdated = (stored: string): boolean =>
  !stored.startsWith(`$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`)

const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password nobody has chosen: 16 signs that cannot be mistaken for each other. */
export function randomPassword(): string {
  return Array.from(randomBytes(16), (byte) => alphabet[byte % alphabet.length]).join('')
}
