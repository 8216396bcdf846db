import type { Field } from '../field.ts'
import { type Check, checkBounds, fault, type Reader, readNumber, type Wire } from './parts.ts'

/** Digits after the point. */
export const scaleOf = ({ scale }: Pick<Field, 'scale'>): number => scale ?? 2

const isFiner = (number: number, scale: number): boolean =>
  Math.abs(number * 10 ** scale - Math.round(number * 10 ** scale)) > 1e-6

export const wire: Wire = ({ min, max }) => ({ type: 'number', minimum: min, maximum: max })
export const read: Reader = (value, field) => {
  const scale = scaleOf(field)
  return readNumber(value, field, (number) =>
    isFiner(number, scale)
      ? scale === 0
        ? fault('须为整数', 'must be a whole number')
        : fault(`最多${scale}位小数`, `at most ${scale} digits after the point`)
      : undefined,
  )
}
export const check: Check = (value, field) => {
  const scale = scaleOf(field)
  if (!Number.isFinite(Number(value))) return { zh: '请填写数字', en: 'Enter a number' }
  return isFiner(Number(value), scale)
    ? scale === 0
      ? { zh: '请填写整数', en: 'Enter a whole number' }
      : { zh: `最多 ${scale} 位小数`, en: `At most ${scale} decimals` }
    : checkBounds(Number(value), field)
}
