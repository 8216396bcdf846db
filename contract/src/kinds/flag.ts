import { fault, type Reader, type Wire } from './parts.ts'

export const wire: Wire = () => ({ type: 'integer', enum: [0, 1] })
export const read: Reader = (value) => {
  const flag = value === true ? 1 : value === false ? 0 : typeof value === 'string' ? Number(value) : value
  return flag === 0 || flag === 1 ? { value: flag } : fault('须为0或1', 'must be 0 or 1')
}
