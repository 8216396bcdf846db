/** What stands above the provinces. */
export const top = '00'

/**
 * The level that a code is of: 1 province, 2 city, 3 county (six digits of GB/T 2260), 4 street or township (nine),
 * 5 village (twelve); undefined of what is no such code.
 */
export function levelOf(code: string): number | undefined {
  if (/^[0-9]{12}$/.test(code)) return 5
  if (/^[0-9]{9}$/.test(code)) return 4
  if (!/^[0-9]{6}$/.test(code) || code.startsWith('00')) return undefined
  if (code.endsWith('0000')) return 1
  return code.endsWith('00') ? 2 : 3
}

/** What the codes of all that stands below a region begin with. */
export function prefixOf(code: string): string {
  switch (levelOf(code)) {
    case 1:
      return code.slice(0, 2)
    case 2:
      return code.slice(0, 4)
    default:
      return code
  }
}
