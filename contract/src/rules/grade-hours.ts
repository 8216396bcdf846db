import {
  fault,
  isObject,
  isRowId,
  isWhole,
  joinList,
  unknownPart,
  unknownPartFault,
  type ValueRule,
} from './value-parts.ts'

/** How many lessons of a subject a grade has a week, and how many of them are double. */
export interface GradeHours {
  readonly gradeId: string
  readonly hours: number
  readonly doubleCount: number
}

/** No subject has more lessons a week. */
export const hoursMost = 40

export const gradeHours: ValueRule<readonly GradeHours[]> = {
  read(value) {
    if (!Array.isArray(value) || !value.every(isObject))
      return fault('应为各年级的课时', 'must be a list of hours by grade')
    const found: GradeHours[] = []
    for (const each of value) {
      const unknown = unknownPart(each, ['gradeId', 'hours', 'doubleCount'])
      if (unknown !== undefined) return unknownPartFault(unknown)
      const { gradeId, hours, doubleCount = 0 } = each
      if (!isRowId(gradeId)) return fault('每行都要选择年级', 'needs a grade in every line')
      if (found.some((other) => other.gradeId === gradeId))
        return fault('同一年级只能填一行', 'names a grade more than once')
      if (!isWhole(hours, 0, hoursMost))
        return fault(`课时应为0到${hoursMost}的整数`, `needs hours from 0 to ${hoursMost}`)
      if (!isWhole(doubleCount, 0, hoursMost) || doubleCount * 2 > hours)
        return fault('连堂数的两倍不能超过课时', 'has more double lessons than its hours hold')
      found.push({ gradeId, hours, doubleCount })
    }
    return { value: found }
  },
  text: (value, { language, name }) =>
    joinList(
      value.map(({ gradeId, hours, doubleCount }) => {
        const grade = name(gradeId) ?? '…'
        if (language === 'zh') return `${grade} ${hours} 节${doubleCount > 0 ? `（连堂 ${doubleCount}）` : ''}`
        return `${grade}: ${hours}${doubleCount > 0 ? ` (${doubleCount} double)` : ''}`
      }),
      language,
    ),
  named: (value, of = 'sysgrade') => value.map(({ gradeId }) => ({ to: of, id: gradeId })),
}
