/** Fewest characters of a password. Judged here, before hashing: the server sees only the md5. */
export const lengthLeast = 10
/** Fewest different characters. */
const differentLeast = 4

/** Whose password it is: what must not be in it. */
export interface Owner {
  readonly account: string
  readonly tenantId: string
}

export type RuleName = 'length' | 'different' | 'own' | 'common' | 'old'
export type PasswordStrength = 'weak' | 'fair' | 'strong' | 'best'

// The server holds the whole list of common passwords and judges by it; these are the words most of them are made of.
const words = new Set(
  `password passwd pass admin administrator root user guest test demo login welcome hello master manager system default
  change changeme secret letmein computer qwerty qwertyuiop asdfghjkl zxcvbnm qazwsx iloveyou woaini woaiwojia student
  teacher school xuexiao laoshi xuesheng zhongguo china beijing shanghai abc abcd abcde abcdef aaa nihao mima
  princess dragon monkey football sunshine superman batman shadow p@ssw0rd p@ssword passw0rd`.split(/\s+/),
)

const rows = ['0123456789', '9876543210', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** How many of the characters only go on with a row of the keyboard, the alphabet or the digits, or repeat the last one. */
function expected(text: string): number {
  let found = 0
  for (let at = 1; at < text.length; at++) {
    const pair = text.slice(at - 1, at + 1)
    if (pair[0] === pair[1] || rows.some((row) => row.includes(pair))) found += 1
  }
  return found
}

/** Whether the text is one piece over and over. */
const repeats = (text: string): boolean => /^(.{1,6}?)\1+$/.test(text)

/** Whether it is what many choose: digits alone, a row of the keyboard, a piece repeated, or one known word with digits and signs around. */
function isCommon(password: string): boolean {
  const text = password.toLowerCase()
  if (text === '') return false
  if (/^\d+$/.test(text) || repeats(text) || expected(text) >= (text.length - 1) * 0.7) return true
  const word = text.replace(/^[^a-z]+|[^a-z]+$/g, '')
  return words.has(word) || (repeats(word) && word.length > 2)
}

function isOwn(password: string, { account, tenantId }: Owner): boolean {
  const text = password.toLowerCase()
  const name = account.toLowerCase()
  if (text === name) return true
  return [name, [...name].reverse().join(''), tenantId].some((word) => word.length > 2 && text.includes(word))
}

/** Which rules a new password keeps; the server judges again. */
export function keptRules(password: string, owner: Owner, old: string): Readonly<Record<RuleName, boolean>> {
  const typed = password !== ''
  return {
    length: [...password].length >= lengthLeast,
    different: new Set(password).size >= differentLeast,
    own: typed && !isOwn(password, owner),
    common: typed && !isCommon(password),
    old: typed && password !== old,
  }
}

/** How long it would withstand guessing, by its length, its kinds of characters and how much of it could be expected. */
export function strengthOf(password: string, owner: Owner): PasswordStrength {
  const { length, different, own, common } = keptRules(password, owner, '')
  if (!length || !different || !own || !common) return 'weak'
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[ -/:-@[-`{-~]/, 33],
    [/[^ -~]/, 1_000],
  ]
  const pool = kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0)
  const signs = [...password]
  const counted = Math.min(signs.length - expected(password.toLowerCase()) * 0.8, new Set(signs).size * 1.5)
  const bits = counted * Math.log2(pool)
  return bits < 45 ? 'weak' : bits < 65 ? 'fair' : bits < 85 ? 'strong' : 'best'
}
