import { type Check, checkText, type Reader, readText, type Wire } from './parts.ts'

export const wire: Wire = ({ max }) => ({ type: 'string', maxLength: max ?? 255 })
export const read: Reader = (value, field) => readText(value, field)
export const check: Check = checkText
