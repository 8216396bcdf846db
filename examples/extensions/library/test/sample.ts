import type { Special } from '@data-brain/server/test/sample'

let made = 0
/** An ISBN that no other call has answered. */
export function isbn(): string {
  made += 1
  const digits = `978${String(made).padStart(9, '0')}`
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** What the tests that run over every entity must know of these. */
export const special: Readonly<Record<string, Special>> = {
  library_book: (draft) => void Object.assign(draft, { isbn: isbn() }),
}
