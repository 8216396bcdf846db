import type { RuleName } from '../field.ts'

/** Signs without width and marks of direction, which come along with what is copied out of a chat or a telephone's contacts. */
const unseen = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g
/** What joins two signs to one, in pictures of people and in some scripts; between others it is nothing. */
const joiner =
  /(?<![\p{Extended_Pictographic}\p{M}\p{Emoji_Modifier}\p{Script=Arabic}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{S}])/gu

/** A text without what nobody sees and nobody typed. */
export const withoutUnseen = (text: string): string =>
  /[^\x20-\x7e\u3000-\u9fff\uff00-\uffee]/.test(text) ? text.replace(unseen, '').replace(joiner, '') : text

/** A free text as it is stored: without what nobody sees, and without blanks around it; its punctuation stays as it is. */
export const tidyFreeText = (value: string): string => withoutUnseen(value.normalize('NFC')).trim()

/** A text as it is stored: one form for letters that look alike (NFKC), nothing unseen, and no blanks around it. */
export function normalizeText(value: string): string {
  return withoutUnseen(value.normalize('NFKC')).trim()
}

/** A person's name without the blanks by which clerks pad it (张　三), with one kind of dot between its parts. */
export function tidyPersonName(value: string): string {
  return normalizeText(value)
    .replace(/[•‧・∙⋅.·](?=\p{Script=Han})/gu, (dot, at: number, all: string) =>
      /\p{Script=Han}$/u.test(all.slice(0, at)) ? '·' : dot,
    )
    .replace(/(?<=\p{Script=Han})\s+(?=\p{Script=Han})/gu, '')
    .replace(/\s+/g, ' ')
}

/** Whether a text holds what PostgreSQL cannot store: U+0000 or half of a surrogate pair. */
export function hasForbidden(value: string): boolean {
  return value.includes('\0') || /\p{Surrogate}/u.test(value)
}

/** A telephone number without what people type between its digits: blanks, dashes, brackets, +86. */
export function stripPhone(value: string): string {
  return normalizeText(value)
    .replace(/[\s()‐-―-]/g, '')
    .replace(/^(\+|00)86(?=\d{7,})/, '')
    .replace(/^86(?=1[3-9]\d{9}$)/, '')
}

/** A time of day as it is kept, 08:00, of 8:00, 8.00, 800, 8点, 8点30分 or 8时30; what is none stays as it is. */
function clockOf(text: string): string {
  const plain = text.replace(/\s/g, '')
  const [, hour, minute = '0'] =
    /^(\d{1,2})[:.点时](\d{1,2})?分?$/.exec(plain) ?? /^(\d{1,2})(\d{2})$/.exec(plain) ?? []
  return hour === undefined ? text : `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
}

const upperCase: readonly RuleName[] = ['idNo', 'nationalCode', 'uscc']

/**
 * What a person typed, as the rule wants it: normalized, a phone stripped, the letters of numbers in capitals.
 * Both sides call it before `check`, so that a small x at the end of an identity number is no error.
 */
export function tidyText(rule: RuleName | undefined, value: string): string {
  if (rule === 'mobile') return stripPhone(value)
  if (rule === 'personName') return tidyPersonName(value)
  const text = normalizeText(value)
  if (!rule) return text
  if (rule === 'clock') return clockOf(text)
  if (upperCase.includes(rule)) return text.replace(/\s/g, '').toUpperCase()
  // An extension (010-12345678-123) needs its dash, so a landline keeps them.
  if (rule === 'phone') return /^[+\d\s()-]*1[3-9][\d\s-]{9,}$/.test(text) ? stripPhone(text) : text.replace(/\s/g, '')
  return text
}

/** A name with its Chinese numbers as digits, by which classes are in order. */
export const inDigits = (name: string): string =>
  name.replace(/[一二三四五六七八九]/g, (sign) => `${'一二三四五六七八九'.indexOf(sign) + 1}`)
