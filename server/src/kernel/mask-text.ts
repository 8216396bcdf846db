import { maskOf } from '@data-brain/contract/rules/mask'

/*
 * What looks like a secret or like somebody's number, and what stands instead: for whatever is written into a log. In
 * doubt it hides.
 */

/** What stands where something was taken out. */
export const maskedText = '***'

/** Parts of names under which secrets go. */
export const secretWords =
  'pass_?word|pass_?wd|pass_?phrase|pass_?code|pwd|secret|token|authorization|blade-?auth|cookie|credential|md5|signature|captcha|ticket|pepper|private_?key|access_?key|api_?key|otp|密码|口令|令牌|密钥|验证码'

/** Eleven digits, in groups or not: what no number of a person is without. */
const hasNumber = (text: string): boolean => text.length >= 11 && /[0-9](?:[ -]?[0-9]){10}/.test(text)

/** What looks like a secret, what stands instead, and what a text must have at all to be worth the look. */
const patterns: readonly (readonly [RegExp, string, (text: string) => boolean])[] = [
  // Credentials in an address: postgres://user:password@host
  [
    /([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:]{0,100}:[^\s/@]{1,200}@/gi,
    `$1${maskedText}@`,
    (text) => text.includes('@') && text.includes('://'),
  ],
  [
    /\b(bearer|basic|crypto|digest)[ \t]+[A-Za-z0-9._~+/=-]{12,}/gi,
    `$1 ${maskedText}`,
    (text) => text.length > 17 && /[ \t]/.test(text),
  ],
  // password=…, "password": "…", also inside a text that is JSON within JSON.
  [
    new RegExp(
      `((?:${secretWords})[\\w.-]{0,40}\\\\{0,3}["']?\\s{0,3}[:=\\uff1a是为]\\s{0,3})(?:\\\\{0,3}"[^"]{0,2000}"?|'[^']{0,2000}'?|[^\\s&,;}\\])"']{1,2000})`,
      'gi',
    ),
    `$1${maskedText}`,
    (text) => /[:=\uff1a是为]/.test(text),
  ],
  [/\bbs[afrt]_[0-9]{6}_[A-Za-z0-9_-]{8,}/g, maskedText, (text) => text.includes('bs')],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g, maskedText, (text) => text.includes('eyJ')],
  [
    /-----BEGIN [A-Z ]{1,40}-----[\s\S]{0,8000}?(?:-----END [A-Z ]{1,40}-----|$)/g,
    maskedText,
    (text) => text.includes('-----'),
  ],
  // Digests: md5, SHA-1, SHA-256 …
  [/(?<![0-9A-Za-z])[0-9a-fA-F]{32,}(?![0-9A-Za-z])/g, maskedText, (text) => text.length >= 32],
  // Long random words: keys of clouds, session tokens of others.
  [
    /(?<![\w+/-])(?=[\w+-]{0,200}[0-9])(?=[\w+-]{0,200}[A-Z])(?=[\w+-]{0,200}[a-z])[\w+-]{40,}={0,2}(?![\w+/-])/g,
    maskedText,
    (text) => text.length >= 40,
  ],
]

/** Numbers of persons. */
const numbers: readonly RegExp[] = [
  // Identity numbers of 18 and of 15 digits, also in groups.
  /(?<![0-9])[1-9][0-9]{5}[ -]?(?:18|19|20)[0-9]{2}[ -]?(?:0[1-9]|1[0-2])[ -]?(?:0[1-9]|[12][0-9]|3[01])[ -]?[0-9]{3}[0-9Xx](?![0-9A-Za-z])/g,
  /(?<![0-9])[1-9][0-9]{7}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}(?![0-9A-Za-z])/g,
  // Mobile numbers, with or without the country and however they are grouped.
  /(?<![0-9])(?:(?:\+|00)?86[ -]?)?1[3-9][0-9][ -]?[0-9]{4}[ -]?[0-9]{4}(?![0-9])/g,
]

/** A number, grouped or not, as lists show it too: its last two signs at most. */
const numberMask = (found: string): string => maskOf(found.replace(/[ -]/g, ''))

const wide = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/
const wideAll = new RegExp(wide, 'g')

/** A text without what looks like a secret or like somebody's number. Its cost grows with its length alone. */
export function maskText(text: string): string {
  // Digits and letters of double width are read as what they mean.
  let masked = text
  if (wide.test(text)) masked = text.replace(wideAll, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
  for (const [pattern, instead, worth] of patterns) if (worth(masked)) masked = masked.replace(pattern, instead)
  if (hasNumber(masked)) for (const pattern of numbers) masked = masked.replace(pattern, numberMask)
  return masked
}
