/*
 * What must not stand in a log is taken out before anything is queued: by the name under which it came, and by its look
 * wherever it stands. A log that hides too much is a nuisance; one that tells a password is a leak, so in doubt it hides.
 */

/** What stands where something was taken out. */
export const hidden = '***'

const secretWords =
  'pass_?word|pass_?wd|pass_?phrase|pass_?code|pwd|secret|token|authorization|blade-?auth|cookie|credential|md5|signature|captcha|pepper|private_?key|access_?key|api_?key|otp|密码|口令|令牌|密钥|验证码'
// `params` fills a text message: mostly with a code.
const secretName = new RegExp(`${secretWords}|^(sign|sig|pin|auth|pass|params)$`, 'i')
const personalName =
  /phone|mobile|telephone|^tel$|^fax$|手机|电话|id_?(no|card|num)|identity|certificate_?no|passport|bank_?(no|card|account)|身份证|证件号/i
/** Somebody who mistypes may type a password here. */
const typedName = /^(user_?name|login_?name)$/i
const idName = /^(ids?|.*Ids?)$/

const depthMost = 6
const itemsMost = 20
const nodesMost = 300
const textMost = 400

/** Hides the middle of a value; a short one goes whole. */
const middle = (text: string): string => (text.length < 8 ? hidden : `${text.slice(0, 3)}****${text.slice(-4)}`)

/** Eleven digits, in groups or not: what no number of a person is without. */
const hasNumber = (text: string): boolean => text.length >= 11 && /[0-9](?:[ -]?[0-9]){10}/.test(text)

/** What looks like a secret or a number, what stands instead, and what a text must have at all to be worth the look. */
const patterns: readonly (readonly [RegExp, string, (text: string) => boolean])[] = [
  // Credentials in an address: postgres://user:password@host
  [
    /([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:]{0,100}:[^\s/@]{1,200}@/gi,
    `$1${hidden}@`,
    (text) => text.includes('@') && text.includes('://'),
  ],
  [
    /\b(bearer|basic|crypto|digest)[ \t]+[A-Za-z0-9._~+/=-]{12,}/gi,
    `$1 ${hidden}`,
    (text) => text.length > 17 && /[ \t]/.test(text),
  ],
  // password=…, "password": "…", also inside a text that is JSON within JSON.
  [
    new RegExp(
      `((?:${secretWords})[\\w.-]{0,40}\\\\{0,3}["']?\\s{0,3}[:=\\uff1a是为]\\s{0,3})(?:\\\\{0,3}"[^"]{0,2000}"?|'[^']{0,2000}'?|[^\\s&,;}\\])"']{1,2000})`,
      'gi',
    ),
    `$1${hidden}`,
    (text) => /[:=\uff1a是为]/.test(text),
  ],
  [/\bbs[ar]_[0-9]{6}_[A-Za-z0-9_-]{8,}/g, hidden, (text) => text.includes('bs')],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g, hidden, (text) => text.includes('eyJ')],
  [
    /-----BEGIN [A-Z ]{1,40}-----[\s\S]{0,8000}?(?:-----END [A-Z ]{1,40}-----|$)/g,
    hidden,
    (text) => text.includes('-----'),
  ],
  // Digests: md5, SHA-1, SHA-256 …
  [/(?<![0-9A-Za-z])[0-9a-fA-F]{32,}(?![0-9A-Za-z])/g, hidden, (text) => text.length >= 32],
  // Long random words: keys of clouds, session tokens of others.
  [
    /(?<![\w+/-])(?=[\w+-]{0,200}[0-9])(?=[\w+-]{0,200}[A-Z])(?=[\w+-]{0,200}[a-z])[\w+-]{40,}={0,2}(?![\w+/-])/g,
    hidden,
    (text) => text.length >= 40,
  ],
  // Identity numbers of 18 and of 15 digits, also in groups.
  [
    /(?<![0-9])([1-9][0-9]{2})[0-9]{3}[ -]?(?:18|19|20)[0-9]{2}[ -]?(?:0[1-9]|1[0-2])[ -]?(?:0[1-9]|[12][0-9]|3[01])[ -]?[0-9]{3}[0-9Xx](?![0-9A-Za-z])/g,
    '$1***************',
    hasNumber,
  ],
  [
    /(?<![0-9])([1-9][0-9]{2})[0-9]{3}[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}(?![0-9A-Za-z])/g,
    '$1************',
    hasNumber,
  ],
  // Mobile numbers, with or without the country and however they are grouped.
  [/(?<![0-9])(?:(?:\+|00)?86[ -]?)?(1[3-9][0-9])[ -]?[0-9]{4}[ -]?([0-9]{4})(?![0-9])/g, '$1****$2', hasNumber],
]

const wide = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/
const wideAll = new RegExp(wide, 'g')

/** A text without what looks like a secret or like somebody's number. Its cost grows with its length alone. */
export function maskText(text: string): string {
  // Digits and letters of double width are read as what they mean.
  let masked = text
  if (wide.test(text)) masked = text.replace(wideAll, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
  for (const [pattern, instead, worth] of patterns) if (worth(masked)) masked = masked.replace(pattern, instead)
  return masked
}

/** Our own ids are long numbers too: those that no identity number can be are left as they are. */
function isPlainId(text: string): boolean {
  return text.split(',').every((part) => /^[0-9]{16,19}$/.test(part) && !(part.length === 18 && isIdentity(part)))
}

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const isIdentity = (digits: string): boolean =>
  '10X98765432'[weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0) % 11] === digits[17]

type Kind = 'secret' | 'personal' | 'typed' | 'id' | 'plain'
/** What names say, remembered: the same few hundred come again and again. */
const kinds = new Map<string, Kind>()
const kindsKept = 2_000

function kindOf(name: string): Kind {
  const kept = kinds.get(name)
  if (kept) return kept
  const kind = secretName.test(name)
    ? 'secret'
    : personalName.test(name)
      ? 'personal'
      : typedName.test(name)
        ? 'typed'
        : idName.test(name)
          ? 'id'
          : 'plain'
  if (kinds.size < kindsKept && name.length <= 64) kinds.set(name, kind)
  return kind
}

function maskValue(name: string, value: unknown, depth: number, budget: { left: number }): unknown {
  budget.left -= 1
  if (budget.left < 0) return '…'
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return value ?? null
  const kind = kindOf(name)
  if (kind === 'secret') return hidden
  if (typeof value === 'object') {
    if (depth >= depthMost) return '…'
    if (Array.isArray(value)) {
      const items = value.slice(0, itemsMost).map((each) => maskValue(name, each, depth + 1, budget))
      return value.length > itemsMost ? [...items, `… ${value.length}`] : items
    }
    const masked: Record<string, unknown> = {}
    for (const key in value) {
      if (budget.left <= 0) {
        masked['…'] = '…'
        break
      }
      masked[maskText(key.slice(0, 64))] = maskValue(key, (value as Record<string, unknown>)[key], depth + 1, budget)
    }
    return masked
  }
  const text = String(value)
  if (kind === 'personal') return middle(text)
  if (kind === 'typed') return `${text.slice(0, 2)}${hidden}`
  if (kind === 'id' && isPlainId(text)) return text.slice(0, textMost)
  // Cut with room to spare, so that what is cut through is still seen for what it is.
  const masked = maskText(text.slice(0, textMost * 2))
  const short = masked.length > textMost ? `${masked.slice(0, textMost)}…` : masked
  return typeof value === 'number' && short === text ? value : short
}

/** The same of anything, by the names in it as well: bounded in depth, in number and in length. */
export const mask = (value: unknown): unknown => maskValue('', value, 0, { left: nodesMost })

/** What PostgreSQL cannot keep is replaced, and a text is cut to so many characters. */
export function cut(text: string, most: number): string {
  const clean = text
    .slice(0, most * 2)
    .replaceAll('\u0000', '�')
    .toWellFormed()
  // Signs are counted as PostgreSQL counts them; most texts are short however they are counted.
  if (clean.length <= most) return clean
  const signs = [...clean]
  return signs.length <= most ? clean : signs.slice(0, most).join('')
}
