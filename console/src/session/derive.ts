/*
 * A key from a password, by PBKDF2 with HMAC-SHA-256. Browsers offer WebCrypto only where the page came securely; a
 * school that reaches the product by http in its own network gets the same function in JavaScript, with fewer rounds.
 */

const constants = new Int32Array(64)
const beginning = new Int32Array(8)
{
  // The first 32 bits of the fractions of the cube and square roots of the first primes (FIPS 180-4).
  const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0
  let found = 0
  for (let number = 2; found < 64; number++) {
    let prime = true
    for (let by = 2; by * by <= number; by++) if (number % by === 0) prime = false
    if (!prime) continue
    if (found < 8) beginning[found] = fraction(Math.sqrt(number))
    constants[found++] = fraction(Math.cbrt(number))
  }
}

const schedule = new Int32Array(64)
const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** Takes a block of 16 words into a state. */
function compress(state: Int32Array, block: Int32Array): void {
  for (let at = 0; at < 16; at++) schedule[at] = block[at]!
  for (let at = 16; at < 64; at++) {
    const early = schedule[at - 15]!
    const late = schedule[at - 2]!
    schedule[at] =
      (schedule[at - 16]! +
        (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)) +
        schedule[at - 7]! +
        (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10))) |
      0
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let at = 0; at < 64; at++) {
    const one =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + constants[at]! + schedule[at]!) | 0
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  const added = [a, b, c, d, e, f, g, h]
  for (let at = 0; at < 8; at++) state[at] = (state[at]! + added[at]!) | 0
}

/** Bytes as padded blocks of words; `before` bytes have gone into the state already. */
function wordsOf(bytes: Uint8Array, before: number): Int32Array {
  const view = new DataView(new ArrayBuffer(((bytes.length + 72) >> 6) << 6))
  for (const [at, byte] of bytes.entries()) view.setUint8(at, byte)
  view.setUint8(bytes.length, 0x80)
  view.setUint32(view.byteLength - 4, (before + bytes.length) * 8)
  return Int32Array.from({ length: view.byteLength / 4 }, (_, at) => view.getInt32(at * 4))
}

function finish(state: Int32Array, words: Int32Array): Int32Array {
  const made = state.slice()
  for (let at = 0; at < words.length; at += 16) compress(made, words.subarray(at, at + 16))
  return made
}

function bytesOf(words: Int32Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(words.length * 4))
  for (const [at, word] of words.entries()) view.setInt32(at * 4, word)
  return new Uint8Array(view.buffer)
}

/** SHA-256 without WebCrypto. */
export const plainSha256 = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytesOf(finish(beginning, wordsOf(bytes, 0)))

/** PBKDF2 with HMAC-SHA-256 without WebCrypto: 32 bytes. */
export function plainDerive(password: Uint8Array, salt: Uint8Array, rounds: number): Uint8Array<ArrayBuffer> {
  const key = new Uint8Array(64)
  key.set(password.length > 64 ? plainSha256(password) : password)
  const keyed = (mask: number): Int32Array => {
    const state = beginning.slice()
    compress(
      state,
      wordsOf(
        key.map((byte) => byte ^ mask),
        0,
      ).subarray(0, 16),
    )
    return state
  }
  const inner = keyed(0x36)
  const outer = keyed(0x5c)
  // After the first turn every message is 32 bytes behind one block: its padding stays where it is.
  const block = new Int32Array(16)
  block[8] = 0x80000000 | 0
  block[15] = 96 * 8
  const hmac = (first: Int32Array): Int32Array => {
    block.set(first)
    const made = outer.slice()
    compress(made, block)
    return made
  }
  let turn = hmac(finish(inner, wordsOf(Uint8Array.of(...salt, 0, 0, 0, 1), 64)))
  const made = turn.slice()
  for (let round = 1; round < rounds; round++) {
    block.set(turn)
    const state = inner.slice()
    compress(state, block)
    turn = hmac(state)
    for (let at = 0; at < 8; at++) made[at] = made[at]! ^ turn[at]!
  }
  return bytesOf(made)
}

const subtle = (): SubtleCrypto | undefined => globalThis.crypto.subtle

/** How many rounds a new verifier takes: what this browser can do in a fraction of a second. */
export const roundsHere = (): number => (subtle() ? 600_000 : 60_000)

const bytesIn = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** A fresh salt, as hex. */
export const freshSalt = (): string => hexOf(globalThis.crypto.getRandomValues(new Uint8Array(16)))

/** The key of a password and the verifier that knows it again, both as hex. */
export async function deriveKey(
  password: string,
  salt: string,
  rounds: number,
): Promise<{ key: string; verifier: string }> {
  const crypto = subtle()
  if (!crypto) {
    const key = plainDerive(bytesIn(password), fromHex(salt), rounds)
    return { key: hexOf(key), verifier: hexOf(plainSha256(key)) }
  }
  const material = await crypto.importKey('raw', bytesIn(password), 'PBKDF2', false, ['deriveBits'])
  const wish = { name: 'PBKDF2', hash: 'SHA-256', salt: fromHex(salt), iterations: rounds }
  const key = await crypto.deriveBits(wish, material, 256)
  return { key: hexOf(new Uint8Array(key)), verifier: hexOf(new Uint8Array(await crypto.digest('SHA-256', key))) }
}
