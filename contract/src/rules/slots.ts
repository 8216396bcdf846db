import {
  dayOfWeek,
  fault,
  isObject,
  isWhole,
  joinList,
  joinRanges,
  joinSentences,
  type Language,
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

/** Days of the week as people write them: three and more in a row as one range. */
function daysTold(weekdays: readonly number[], language: Language): string {
  const runs: number[][] = []
  for (const weekday of weekdays) {
    const run = runs.at(-1)
    if (run && weekday === run.at(-1)! + 1) run.push(weekday)
    else runs.push([weekday])
  }
  return joinList(
    runs.flatMap((run) =>
      run.length > 2
        ? `${dayOfWeek(run[0]!, language)}${language === 'zh' ? '至' : ' to '}${dayOfWeek(run.at(-1)!, language)}`
        : run.map((weekday) => dayOfWeek(weekday, language)),
    ),
    language,
  )
}

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
    const periodsOf = (weekday: number): number[] =>
      value.filter((slot) => slot.weekday === weekday).map(({ periodNo }) => periodNo)
    // Days with the same periods are told together.
    const alike = new Map<string, number[]>()
    for (const weekday of days) {
      const key = periodsOf(weekday).join()
      alike.set(key, [...(alike.get(key) ?? []), weekday])
    }
    return joinSentences(
      [...alike.values()].map((weekdays) => {
        const periods = periodsOf(weekdays[0]!)
        const numbers = joinRanges(periods, language)
        const names = daysTold(weekdays, language)
        return language === 'zh'
          ? `${names}第${numbers}节`
          : `${names} period${periods.length > 1 ? 's' : ''} ${numbers}`
      }),
      language,
    )
  },
}
