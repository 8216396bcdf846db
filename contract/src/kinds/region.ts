import { fault, type Reader, type Wire } from './parts.ts'

export const wire: Wire = () => ({ type: 'string', description: 'code of a region' })
export const read: Reader = (value) =>
  typeof value === 'string' && /^[0-9]{2,12}$/.test(value)
    ? { value }
    : fault('不是行政区划代码', 'is not a region code')
