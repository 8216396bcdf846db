import { fault, isBrokenText, type Reader, type Wire, wrongType } from './parts.ts'

export const wire: Wire = ({ dict }) => ({
  type: 'string',
  maxLength: 32,
  description: `key of the dictionary ${dict}`,
})
export const read: Reader = (value) => {
  const key = typeof value === 'number' ? String(value) : value
  if (typeof key !== 'string') return wrongType
  return key.length > 32 || isBrokenText(key)
    ? fault('不是可选的值', 'is not one of the choices')
    : { value: key.trim() }
}
