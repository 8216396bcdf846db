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
