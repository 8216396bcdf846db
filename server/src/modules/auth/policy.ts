import { createHash } from 'node:crypto'
import { commonPasswords } from '../../kernel/common-passwords.ts'
import { yieldTurn } from '../../kernel/cooperative.ts'
import { wireMd5 } from '../../kernel/password.ts'
import { Problem } from '../../kernel/problem.ts'

/** Fewest characters; only a client that sends the password itself can be held to it here. */
export const lengthLeast = 10

/** The md5 of a password that came as itself or, as clients of this wire do, as its md5 hex already. */
export const md5Of = (given: string): string => (/^[0-9a-f]{32}$/i.test(given) ? given.toLowerCase() : wireMd5(given))

const isPlain = (given: string): boolean => !/^[0-9a-f]{32}$/i.test(given)

/** Six bytes of each md5, in order: a tenth of what the texts would take, and wrong once in 10^9 passwords. */
let common: Promise<Float64Array> | undefined
const mark = (md5: string): number => Number.parseInt(md5.slice(0, 12), 16)

async function commonMarks(): Promise<Float64Array> {
  const passwords = commonPasswords()
  const marks = new Float64Array(passwords.length)
  for (const [index, password] of passwords.entries()) {
    marks[index] = createHash('md5').update(password).digest().readUIntBE(0, 6)
    await yieldTurn()
  }
  return marks.sort()
}

function holdsMark(marks: Float64Array, wanted: number): boolean {
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (marks[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return marks[low] === wanted
}

const tails = `0 1 2 6 8 9 00 01 11 12 66 88 99 111 123 321 520 666 888 999 1234 4321 1111 6666 8888 12345 54321 123456
  654321 111111 666666 888888 123456789 a abc aa qq ! !! @ . # @1 @123 @1234 @123456 @2024 @2025 @2026 _123 #123 2020
  2021 2022 2023 2024 2025 2026 2027 2024! 2025! 2026! pass pwd`.split(/\s+/)

/** What people make of their own account and tenant: it, twice, backwards, with the usual digits before or behind. */
function* ownPasswords(words: readonly string[]): Generator<string> {
  for (const word of words) {
    for (const form of new Set([
      word,
      word.toLowerCase(),
      word.toUpperCase(),
      word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
    ])) {
      yield form
      yield form + form
      yield [...form].reverse().join('')
      for (const tail of tails) {
        yield form + tail
        yield tail + form
      }
    }
    for (const other of words)
      if (other !== word) for (const between of ['', '@', '_', '-', '.']) yield word + between + other
  }
}

/**
 * Whether 32 hex digits are no digest of anything, but a password that was typed so, or sent so to get past the rules:
 * all of them figures, few of them different, or the same again and again. One md5 in millions looks like that.
 */
const isNoDigest = (md5: string): boolean => /^[0-9]+$/.test(md5) || new Set(md5).size < 7 || /^(.{1,16})\1+$/.test(md5)

/**
 * Refuses a new password (as it came) that is among the common ones, is made of the account or the tenant's code, or,
 * where it came as itself, is too short. Throws `password_weak`.
 */
export async function refuseWeak(given: string, own: { account: string; tenantId: string }): Promise<void> {
  const weak = new Problem('password_weak')
  if (isPlain(given) && [...given].length < lengthLeast) throw weak
  const md5 = md5Of(given)
  if (isNoDigest(md5)) throw weak
  const words = [own.account, own.tenantId, ...own.account.split(/[@._-]/)].filter((word) => word.length > 1)
  for (const password of ownPasswords([...new Set(words)])) if (wireMd5(password) === md5) throw weak
  common ??= commonMarks()
  if (holdsMark(await common, mark(md5))) throw weak
}
