import {
  dayOfWeek,
  fault,
  isObject,
  isWhole,
  joinRanges,
  joinSentences,
  unknownPart,
  unknownPartFault,
  type ValueRule,
} from './value-parts.ts'

/** A period of the week. */
export interface WeekSlot {
  readonly weekday: number
  readonly periodNo: number
}

/** No school day has more periods. */
export const periodsMost = 14

/** Periods in their order, each once. */
export const tidySlots = (slots: readonly WeekSlot[]): WeekSlot[] =>
  [...new Map(slots.map(({ weekday, periodNo }) => [weekday * 100 + periodNo, { weekday, periodNo }]))]
    .toSorted(([a], [b]) => a - b)
    .map(([, slot]) => slot)

export const slots: ValueRule<readonly WeekSlot[]> = {
  read(value) {
    if (!Array.isArray(value)) return fault('应为节次列表', 'must be a list of periods')
    const found: WeekSlot[] = []
    for (const each of value as unknown[]) {
      if (!isObject(each)) return fault('应为节次列表', 'must be a list of periods')
      const unknown = unknownPart(each, ['weekday', 'periodNo'])
      if (unknown !== undefined) return unknownPartFault(unknown)
      const { weekday, periodNo } = each
      if (!isWhole(weekday, 1, 7)) return fault('星期应为1到7', 'has a weekday that is not from 1 to 7')
      if (!isWhole(periodNo, 1, periodsMost))
        return fault(`节次应为1到${periodsMost}`, `has a period that is not from 1 to ${periodsMost}`)
      found.push({ weekday, periodNo })
    }
    return { value: tidySlots(found) }
  },
  text(value, { language }) {
    const days = [...new Set(value.map(({ weekday }) => weekday))]
    return joinSentences(
      days.map((weekday) => {
        const periods = value.filter((slot) => slot.weekday === weekday)
        const numbers = joinRanges(
          periods.map(({ periodNo }) => periodNo),
          language,
        )
        const day = dayOfWeek(weekday, language)
        return language === 'zh' ? `${day}第${numbers}节` : `${day} period${periods.length > 1 ? 's' : ''} ${numbers}`
      }),
      language,
    )
  },
}
