import { type Argon2Parameters, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Problem } from './problem.ts'

/*
 * The wire carries the md5 hex of a password; it is input only. What is stored is argon2id over an HMAC of it, so that
 * a stolen table without the pepper of the installation cannot even be guessed at.
 */

const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** Hashes at once: one core stays for everybody else. The rest waits, and past that is told to come again. */
const atOnce = Math.min(4, Math.max(1, availableParallelism() - 1))
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

/*
 * Threads of our own, made when first needed. In the common pool each of its threads keeps the 19 MB that a hash takes,
 * over 100 MB in all; and there nothing says that a hash is less urgent than whatever else the machine has to do.
 * (Only Linux gives a thread a priority of its own.)
 */
const program = `
  const { parentPort } = require('node:worker_threads')
  const { argon2Sync } = require('node:crypto')
  if (process.platform === 'linux') try { require('node:os').setPriority(5) } catch {}
  parentPort.on('message', (given) => parentPort.postMessage(argon2Sync('argon2id', given)))`
const idle: Worker[] = []

async function derive(given: Argon2Parameters): Promise<Buffer> {
  const worker =
    idle.pop() ??
    new Worker(program, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 } })
  // A thread at work keeps the process alive, one that waits does not. One that failed is not used again.
  worker.ref()
  const made = once(worker, 'message')
  worker.postMessage(given)
  const [hash] = (await made) as [Uint8Array]
  worker.unref()
  idle.push(worker)
  return Buffer.from(hash)
}

const peppered = (md5: string, pepper: Buffer): Buffer => createHmac('sha256', pepper).update(md5).digest()

/** The md5 hex under which a password travels: the one place that makes it. */
export const wireMd5 = (password: string): string => createHash('md5').update(password).digest('hex')

/** Hashes a password (its md5 hex) for storing: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(md5: string, pepper: Buffer): Promise<string> {
  const salt = randomBytes(16)
  const hash = await queued(() => derive({ message: peppered(md5, pepper), nonce: salt, ...cost }))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${salt.toString('base64')}$${hash.toString('base64')}`
}

/** Whether a password fits a stored hash; takes the same time either way. Without a stored hash it burns that time. */
export async function checkPassword(md5: string, stored: string | null, pepper: Buffer): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored ?? '')
  const salt = parts ? Buffer.from(parts[4]!, 'base64') : Buffer.alloc(16)
  const wanted = parts ? Buffer.from(parts[5]!, 'base64') : Buffer.alloc(32)
  const settings = parts
    ? { memory: Number(parts[1]), passes: Number(parts[2]), parallelism: Number(parts[3]), tagLength: wanted.length }
    : cost
  const made = await queued(() => derive({ message: peppered(md5, pepper), nonce: salt, ...settings }))
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
