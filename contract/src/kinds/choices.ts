import { type Check, checkMany, type Reader, readList, type Wire, wireOfMany, wrongType } from './parts.ts'

export const wire: Wire = (field) => wireOfMany(field, `keys of the dictionary ${field.dict}`)
export const read: Reader = (value) => {
  const keys = readList(value)
  return keys && keys.length <= 100 && keys.every((key) => key.length <= 32) ? { value: keys } : wrongType
}
export const check: Check = checkMany
