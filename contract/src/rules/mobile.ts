import type { Words } from '../field.ts'

/**
 * Judges a mobile number in the words that the log-in and the forms share. Empty is wrong only where it is required.
 */
export function checkMobile(value: string, required: boolean): Words | null {
  if (value === '') return required ? { zh: '手机号码不能为空', en: 'The mobile number must not be empty' } : null
  if (value.length !== 11) return { zh: '手机号码长度不为11位', en: 'The mobile number does not have 11 digits' }
  return /^1[3-9]\d{9}$/.test(value) ? null : { zh: '手机号码格式不正确', en: 'The mobile number is not well formed' }
}
