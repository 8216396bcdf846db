import type { Words } from '@data-brain/contract'
import { addDays, daysBetween, weekdayOf } from '@data-brain/contract/rules/school-year'
import type { Values } from './check.ts'

/** What fields of one row must agree on: judged before a save in words, and by the database under this name. */
export interface Agreement {
  readonly entity: string
  /** The field at which a fault is told. */
  readonly field: string
  /** The fields that it speaks of; it is judged when one of them changes. */
  readonly of: readonly string[]
  readonly reason: Words
  /** Whether the row is in order. Asked only where none of the fields is empty. */
  readonly holds: (row: Values) => boolean
}

const day = (value: unknown): string => String(value)
const number = (value: unknown): number => Number(value)
/** The kind of institution, which a school's code and its type begin with. */
const kindOf = (value: unknown): string | undefined => /^[0-9]{2}/.exec(String(value))?.[0]

/** The first year that a name holds, where it holds one: 2026 of 2026-2027学年. */
const yearIn = (name: string): number | undefined => {
  const found = /(?:19|20|21)[0-9]{2}/.exec(name)
  return found ? Number(found[0]) : undefined
}

/** By the name of the database's constraint. */
export const agreements: Readonly<Record<string, Agreement>> = {
  school_type_of_code: {
    entity: 'school',
    field: 'schoolType',
    of: ['schoolCode', 'schoolType'],
    reason: {
      zh: '与学校标识码的前两位不一致，请核对两者',
      en: 'does not agree with the first two digits of the school code: check both',
    },
    holds: ({ schoolCode, schoolType }) => {
      const [code, type] = [kindOf(schoolCode), kindOf(schoolType)]
      return code === undefined || type === undefined || code === type
    },
  },
  schoolfloor_floor_no_not_zero: {
    entity: 'schoolfloor',
    field: 'floorNo',
    of: ['floorNo'],
    reason: { zh: '不能为0', en: 'must not be 0' },
    holds: ({ floorNo }) => number(floorNo) !== 0,
  },
  schoolclassroom_exam_capacity_fits: {
    entity: 'schoolclassroom',
    field: 'examCapacity',
    of: ['capacity', 'examCapacity'],
    reason: { zh: '不能大于座位数', en: 'must not be more than the seats' },
    holds: ({ capacity, examCapacity }) => number(examCapacity) <= number(capacity),
  },
  schoolsubject_pass_score_fits: {
    entity: 'schoolsubject',
    field: 'passScore',
    of: ['fullScore', 'passScore'],
    reason: { zh: '不能大于满分', en: 'must not be more than the full score' },
    holds: ({ fullScore, passScore }) => number(passScore) <= number(fullScore),
  },
  schoolyear_named_by_start: {
    entity: 'schoolyear',
    field: 'yearName',
    of: ['yearName', 'startYear'],
    reason: {
      zh: '名称中的年份应以起始年份开头，如起始年份为2026：2026-2027学年',
      en: 'names another year than the start year: 2026-2027 begins in 2026',
    },
    holds: ({ yearName, startYear }) => (yearIn(String(yearName)) ?? startYear) === startYear,
  },
  schoolyear_length: {
    entity: 'schoolyear',
    field: 'endDate',
    of: ['beginDate', 'endDate'],
    reason: { zh: '学年须为240到400天', en: 'must make a year of 240 to 400 days' },
    holds: ({ beginDate, endDate }) => {
      const days = daysBetween(day(beginDate), day(endDate)) + 1
      return days >= 240 && days <= 400
    },
  },
  schoolsemester_first_week_is_monday: {
    entity: 'schoolsemester',
    field: 'firstWeekMonday',
    of: ['firstWeekMonday'],
    reason: { zh: '须为星期一，请选择该周的周一', en: 'must be a Monday: choose the one of that week' },
    holds: ({ firstWeekMonday }) => weekdayOf(day(firstWeekMonday)) === 1,
  },
  schoolsemester_first_week_at_begin: {
    entity: 'schoolsemester',
    field: 'firstWeekMonday',
    of: ['beginDate', 'firstWeekMonday'],
    reason: {
      zh: '与开始日期相差不能超过7天，请改这个日期或开始日期',
      en: 'must be within 7 days of the begin date: change this day or that one',
    },
    holds: ({ beginDate, firstWeekMonday }) => Math.abs(daysBetween(day(beginDate), day(firstWeekMonday))) <= 7,
  },
  schoolsemester_weeks_fit: {
    entity: 'schoolsemester',
    field: 'weekCount',
    of: ['firstWeekMonday', 'weekCount', 'endDate'],
    reason: {
      zh: '超出学期：最后一个教学周须在结束日期前开始，请减少周数或推后结束日期',
      en: 'goes beyond the term: the last week must begin before the end date. Take fewer weeks or a later end',
    },
    holds: ({ firstWeekMonday, weekCount, endDate }) =>
      addDays(day(firstWeekMonday), 7 * (number(weekCount) - 1)) <= day(endDate),
  },
  schoolteachclass_sizes_order: {
    entity: 'schoolteachclass',
    field: 'maxSize',
    of: ['minSize', 'maxSize'],
    reason: { zh: '不能小于人数下限', en: 'must not be less than the smallest size' },
    holds: ({ minSize, maxSize }) => number(minSize) <= number(maxSize),
  },
  sysgrade_ages_order: {
    entity: 'sysgrade',
    field: 'maxAge',
    of: ['minAge', 'maxAge'],
    reason: { zh: '不能小于最小年龄', en: 'must not be less than the smallest age' },
    holds: ({ minAge, maxAge }) => number(minAge) <= number(maxAge),
  },
}

/** What the database, which keeps lists beside the row, cannot judge. */
const listed: readonly Agreement[] = [
  {
    entity: 'schoolteachclass',
    field: 'studentIds',
    of: ['studentIds', 'maxSize'],
    reason: {
      zh: '超过人数上限，请减少学生或提高上限',
      en: 'has more members than its limit: remove some or raise the limit',
    },
    holds: ({ studentIds, maxSize }) => (studentIds as unknown[]).length <= number(maxSize),
  },
]

const empty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** What is wrong with a row of an entity, of that which the changed fields take part in. */
export function disagreements(entity: string, row: Values, changed: Values): Pick<Agreement, 'field' | 'reason'>[] {
  return [...Object.values(agreements), ...listed].filter(
    (each) =>
      each.entity === entity &&
      each.of.some((name) => name in changed) &&
      !each.of.some((name) => empty(row[name])) &&
      !each.holds(row),
  )
}
