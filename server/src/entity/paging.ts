import { Problem } from '../kernel/problem.ts'

/** As many rows as one page has at most. */
export const pageSizeMax = 200

/** A number of a query that asks for a page; refused where it is none, or out of bounds. */
export function wholeNumber(text: string | undefined, fallback: number, min: number, max: number): number {
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!/^-?[0-9]{1,9}$/.test(text) || value < min || value > max)
    throw new Problem(
      'field_invalid',
      {
        label: { zh: '分页参数', en: 'Paging' },
        reason: { zh: `须为${min}到${max}的整数`, en: `must be a whole number from ${min} to ${max}` },
      },
      { field: 'size', fields: [] },
    )
  return value
}
