import { idNoCheckDigit } from '@data-brain/contract'
import type { SeededRandom } from './dice.ts'
import type { SexCode } from './names.ts'

/**
 * Code 110103 was abolished on 2010-07-01. A number that carries it with a later day of birth is right in form and was
 * given to nobody: who was born after that day was registered under another code.
 */
const abolished = '110103'
export const firstIdNoDay = '2010-07-02'

/** Makes identity numbers that belong to nobody, each once. */
export function idNumbers(dice: SeededRandom): (birthDate: string, sex: SexCode) => string | null {
  const used = new Set<string>()
  return (birthDate, sex) => {
    if (birthDate < firstIdNoDay) return null
    for (;;) {
      const order = dice.int(0, 499) * 2 + (sex === '1' ? 1 : 0)
      const first = `${abolished}${birthDate.replaceAll('-', '')}${String(order).padStart(3, '0')}`
      if (used.has(first)) continue
      used.add(first)
      return first + idNoCheckDigit(first)
    }
  }
}

/**
 * Makes mobile numbers that reach nobody, each once: 179 opened the access codes of IP telephony and, as far as is
 * known, was never given to mobile subscribers. The multiplier is coprime to 10^8, so that no number comes twice and
 * the last four digits look like people's.
 */
export function phoneNumbers(): () => string {
  let count = 0
  return () => {
    count += 1
    return `179${String((count * 73_939_133) % 100_000_000).padStart(8, '0')}`
  }
}

/** A landline that reaches nobody: no subscriber's number begins with 0. */
export const landline = (order: number): string => `010-0${String(1_000_000 + order * 1_111).slice(0, 7)}`
