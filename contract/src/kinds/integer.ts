import { type Check, checkBounds, fault, type Reader, readNumber, type Wire } from './parts.ts'

export const wire: Wire = ({ min, max }) => ({ type: 'integer', minimum: min, maximum: max })
export const read: Reader = (value, field) =>
  readNumber(value, field, (number) =>
    Number.isInteger(number) ? undefined : fault('须为整数', 'must be a whole number'),
  )
export const check: Check = (value, field) =>
  Number.isInteger(Number(value)) ? checkBounds(Number(value), field) : { zh: '请填写整数', en: 'Enter a whole number' }
