import { type Check, checkText, type Reader, readText, type Wire } from './parts.ts'

export const wire: Wire = ({ max }) => ({
  type: 'string',
  maxLength: max,
  description: 'written, never read: answers hide it',
})
export const read: Reader = (value, field) => readText(value, field)
export const check: Check = checkText
