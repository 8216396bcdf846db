import { isMasked } from '../rules/mask.ts'
import { type Check, checkText, type Reader, readText, type Wire } from './parts.ts'

export const wire: Wire = ({ max }) => ({ type: 'string', maxLength: max, description: 'masked in answers' })
export const read: Reader = (value, field) => readText(value, field)
export const check: Check = (value, field) =>
  isMasked(String(value))
    ? { zh: '请填写完整，不要保留 *', en: 'Enter the full value, without *' }
    : checkText(value, field)
