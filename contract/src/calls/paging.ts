import { integerValue } from '../shape.ts'

/** Which page of a list is asked for. */
export const paging = {
  current: integerValue({ min: 1, max: 1_000_000 }),
  size: integerValue({ min: 1, max: 200 }),
} as const
