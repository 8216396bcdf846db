import { type Check, checkText, type Reader, readText, type Wire } from './parts.ts'

export const wire: Wire = ({ max }) => ({ type: 'string', maxLength: max ?? 500 })
export const read: Reader = (value, field) => readText(value, field, true)
export const check: Check = checkText
