import { isRowId } from '../rules/value-parts.ts'
import { fault, type Reader, type Wire } from './parts.ts'

export const wire: Wire = ({ to }) => ({ type: 'string', description: `id of a row of ${to}` })
export const read: Reader = (value) => (isRowId(value) ? { value } : fault('不是有效的编号', 'is not an id'))
