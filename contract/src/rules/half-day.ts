import { dayOfWeek, fault, isObject, isWhole, unknownPart, unknownPartFault, type ValueRule } from './value-parts.ts'

/** A half-day of the week on which all teachers of a subject meet. */
export interface HalfDay {
  readonly weekday: number
  readonly half: 'am' | 'pm'
}

const halves = { am: { zh: '上午', en: 'morning' }, pm: { zh: '下午', en: 'afternoon' } } as const

export const halfDay: ValueRule<HalfDay> = {
  read(value) {
    if (!isObject(value)) return fault('应为星期和上午或下午', 'must be a weekday with morning or afternoon')
    const unknown = unknownPart(value, ['weekday', 'half'])
    if (unknown !== undefined) return unknownPartFault(unknown)
    const { weekday, half } = value
    if (!isWhole(weekday, 1, 7)) return fault('请选择星期', 'needs a weekday')
    if (half !== 'am' && half !== 'pm') return fault('请选择上午或下午', 'needs morning or afternoon')
    return { value: { weekday, half } }
  },
  text: ({ weekday, half }, { language }) =>
    `${dayOfWeek(weekday, language)}${language === 'zh' ? '' : ' '}${halves[half][language]}`,
}
