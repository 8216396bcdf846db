import { isRowId } from '../rules/value-parts.ts'
import { type Check, checkMany, fault, type Reader, readList, type Wire, wireOfMany } from './parts.ts'

const idsPerField = 1_000

export const wire: Wire = (field) => wireOfMany(field, `ids of rows of ${field.to}`)
export const read: Reader = (value, field) => {
  const ids = readList(value)
  if (!ids?.every(isRowId)) return fault('含有无效的编号', 'contains something that is not an id')
  const max = field.max ?? idsPerField
  return ids.length > max ? fault(`最多选择${max}个`, `at most ${max}`) : { value: ids }
}
export const check: Check = checkMany
