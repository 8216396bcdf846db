import { fault, isObject, looseText, type ValueRule } from './value-parts.ts'

/** Values under names of somebody's own. */
export type Pairs = Readonly<Record<string, unknown>>

const most = 100
const longest = 64

export const pairs: ValueRule<Pairs> = {
  read(value) {
    if (!isObject(value)) return fault('应为名称和值', 'must be names with values')
    const names = Object.keys(value)
    if (names.length > most) return fault(`最多${most}项`, `has more than ${most} entries`)
    if (names.some((name) => name.trim() === '' || name !== name.trim() || [...name].length > longest))
      return fault(`名称不能为空，最长${longest}个字`, `needs names of 1 to ${longest} characters`)
    return { value }
  },
  text: (value, { language }) => looseText(value, language),
}
