import type { RuleName } from '../field.ts'

const hide = (value: string, first: number, last: number): string =>
  value.slice(0, first) + '*'.repeat(value.length - first - last) + value.slice(value.length - last)

/**
 * A personal value as it is shown without the permission: enough to tell two rows apart, too little to use.
 * A value of an unexpected shape is hidden by the general measure, so nothing is ever shown whole.
 */
export function maskOf(rule: RuleName | 'personal' | undefined, value: string): string {
  if (value === '') return ''
  if ((rule === 'mobile' || rule === 'phone') && /^1\d{10}$/.test(value)) return hide(value, 3, 4)
  if (rule === 'idNo' && value.length === 18) return hide(value, 6, 4)
  if (rule === 'nationalCode' && value.length === 19) return hide(value, 7, 4)
  if (rule === 'email' && value.includes('@')) {
    const at = value.lastIndexOf('@')
    return `${value.slice(0, 1)}***${value.slice(at)}`
  }
  const signs = [...value]
  if (signs.length < 3) return `${signs.length === 2 ? signs[0] : ''}*`
  const last = Math.min(4, Math.floor((signs.length - 1) / 3))
  const shown = rule === 'personName' ? 0 : last
  return `${signs[0]}${'*'.repeat(signs.length - 1 - shown)}${shown ? signs.slice(-shown).join('') : ''}`
}

/** Whether a value came from maskOf: such a one must never be stored over the real one. */
export function isMasked(value: string): boolean {
  return value.includes('*')
}
