import { entities, maskOf } from '@data-brain/contract'
import { isCustomName } from '@data-brain/contract/custom'
import { maskedText, maskText, secretWords } from '../../kernel/mask-text.ts'

/*
 * What must not stand in a log is taken out before anything is queued: by the name under which it came, and by its look
 * wherever it stands. A log that hides too much is a nuisance; one that tells a password is a leak, so in doubt it hides.
 */

export { maskText } from '../../kernel/mask-text.ts'

// `params` fills a text message: mostly with a code.
const secretName = new RegExp(`${secretWords}|^(sign|sig|pin|auth|pass|params)$`, 'i')
const personalName =
  /phone|mobile|telephone|^tel$|^fax$|手机|电话|id_?(no|card|num)|identity|certificate_?no|passport|bank_?(no|card|account)|身份证|证件号/i
/** The personal fields of entities, by which lists are filtered as well: `idNo_equal`. */
const personalFields = new Set(
  entities.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, { kind }]) => (kind === 'personal' ? [name] : [])),
  ),
)
const isPersonal = (name: string): boolean =>
  personalName.test(name) || personalFields.has(name.replace(/_[a-z]+$/, ''))
/** Somebody who mistypes may type a password here. */
const typedName = /^(user_?name|login_?name)$/i
const idName = /^(ids?|.*Ids?)$/

const depthMost = 6
const itemsMost = 20
const nodesMost = 300
const textMost = 400

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
  // What a tenant keeps in fields of its own, nobody here can know.
  if (isCustomName(name)) return 'secret'
  const kept = kinds.get(name)
  if (kept) return kept
  const kind = secretName.test(name)
    ? 'secret'
    : isPersonal(name)
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
  if (kind === 'secret') return maskedText
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
  if (kind === 'personal') return maskOf(text)
  if (kind === 'typed') return `${text.slice(0, 2)}${maskedText}`
  if (kind === 'id' && isPlainId(text)) return text.slice(0, textMost)
  // Cut with room to spare, so that what is cut through is still seen for what it is.
  const masked = maskText(text.slice(0, textMost * 2))
  const short = masked.length > textMost ? `${masked.slice(0, textMost)}…` : masked
  return typeof value === 'number' && short === text ? value : short
}

/** The same of anything, by the names in it as well: bounded in depth, in number and in length. */
export const maskAny = (value: unknown): unknown => maskValue('', value, 0, { left: nodesMost })

/** What PostgreSQL cannot keep is replaced, and a text is cut to so many characters. */
export function cutText(text: string, most: number): string {
  const clean = text
    .slice(0, most * 2)
    .replaceAll('\u0000', '�')
    .toWellFormed()
  // Signs are counted as PostgreSQL counts them; most texts are short however they are counted.
  if (clean.length <= most) return clean
  const signs = [...clean]
  return signs.length <= most ? clean : signs.slice(0, most).join('')
}
