import type { Words } from '../field.ts'
import { valueWire } from '../rules/value-wire.ts'
import { readValue } from '../rules/values.ts'
import { type Check, fault, type Reader, type Wire } from './parts.ts'

export const wire: Wire = ({ as }) => (as ? valueWire[as] : {})
export const read: Reader = (value, field) =>
  JSON.stringify(value).length > 65_536 ? fault('内容过长', 'is too long') : readValue(field, value)
export const check: Check = (value, field) => {
  const read = readValue(field, value)
  return 'fault' in read ? read.fault : null
}

/** What a form says of weeks that cannot be read, and of pairs whose names are missing or twice there. */
export const notWeeks: Words = {
  zh: '请填写周次，如：1-16、1,3,5-8、1-16单',
  en: 'Enter weeks such as 1-16, 1,3,5-8 or 1-16 odd',
}
export const pairNames: Words = { zh: '名称不能为空，也不能重复', en: 'Names must not be empty or repeated' }
