import {
  school,
  schoolcampus,
  schoolclassroom,
  schoolfloor,
  schoolsemester,
  schoolsubject,
  schoolteachclass,
  schoolyear,
  sysgrade,
  teacherclass,
} from '@data-brain/contract'
import { addDays, daysBetween, weekdayOf } from '@data-brain/contract/rules/school-year'
import { addAgreement, addConstraints, notAfterToday, overlaps } from '../../entity/agreement.ts'

const day = (value: unknown): string => String(value)
const number = (value: unknown): number => Number(value)
/** The kind of institution, which a school's code and its type begin with. */
const kindOf = (value: unknown): string | undefined => /^[0-9]{2}/.exec(String(value))?.[0]

/** The first year that a name holds, where it holds one: 2026 of 2026-2027学年. */
const yearIn = (name: string): number | undefined => {
  const found = /(?:19|20|21)[0-9]{2}/.exec(name)
  return found ? Number(found[0]) : undefined
}

/** Teaches the engine what the constraints on rows of a school mean, by the names that the migrations give them. */
export function addSchoolConstraints(): void {
  addConstraints(school, {
    school_type_of_code: {
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
    school_founded_on_past: { field: 'foundedOn', reason: notAfterToday },
    school_region_is_county: {
      field: 'regionCode',
      reason: { zh: '请选到县（区）一级', en: 'is no county or district: choose one within it' },
    },
  })
  addConstraints(schoolfloor, {
    schoolfloor_floor_no_not_zero: {
      field: 'floorNo',
      of: ['floorNo'],
      reason: { zh: '不能为0', en: 'must not be 0' },
      holds: ({ floorNo }) => number(floorNo) !== 0,
    },
  })
  addConstraints(schoolclassroom, {
    schoolclassroom_exam_capacity_fits: {
      field: 'examCapacity',
      of: ['capacity', 'examCapacity'],
      reason: { zh: '不能大于座位数', en: 'must not be more than the seats' },
      holds: ({ capacity, examCapacity }) => number(examCapacity) <= number(capacity),
    },
  })
  addConstraints(schoolsubject, {
    schoolsubject_pass_score_fits: {
      field: 'passScore',
      of: ['fullScore', 'passScore'],
      reason: { zh: '不能大于满分', en: 'must not be more than the full score' },
      holds: ({ fullScore, passScore }) => number(passScore) <= number(fullScore),
    },
  })
  addConstraints(schoolyear, {
    schoolyear_named_by_start: {
      field: 'yearName',
      of: ['yearName', 'startYear'],
      reason: {
        zh: '名称中的年份应以起始年份开头，如起始年份为2026：2026-2027学年',
        en: 'names another year than the start year: 2026-2027 begins in 2026',
      },
      holds: ({ yearName, startYear }) => (yearIn(String(yearName)) ?? startYear) === startYear,
    },
    schoolyear_length: {
      field: 'endDate',
      of: ['beginDate', 'endDate'],
      reason: { zh: '学年须为240到400天', en: 'must make a year of 240 to 400 days' },
      holds: ({ beginDate, endDate }) => {
        const days = daysBetween(day(beginDate), day(endDate)) + 1
        return days >= 240 && days <= 400
      },
    },
    schoolyear_overlap: { field: 'beginDate', reason: overlaps },
  })
  addConstraints(schoolsemester, {
    schoolsemester_first_week_is_monday: {
      field: 'firstWeekMonday',
      of: ['firstWeekMonday'],
      reason: { zh: '须为星期一，请选择该周的周一', en: 'must be a Monday: choose the one of that week' },
      holds: ({ firstWeekMonday }) => weekdayOf(day(firstWeekMonday)) === 1,
    },
    schoolsemester_first_week_at_begin: {
      field: 'firstWeekMonday',
      of: ['beginDate', 'firstWeekMonday'],
      reason: {
        zh: '与开始日期相差不能超过7天，请改这个日期或开始日期',
        en: 'must be within 7 days of the begin date: change this day or that one',
      },
      holds: ({ beginDate, firstWeekMonday }) => Math.abs(daysBetween(day(beginDate), day(firstWeekMonday))) <= 7,
    },
    schoolsemester_weeks_fit: {
      field: 'weekCount',
      of: ['firstWeekMonday', 'weekCount', 'endDate'],
      reason: {
        zh: '超出学期：最后一个教学周须在结束日期前开始，请减少周数或推后结束日期',
        en: 'goes beyond the term: the last week must begin before the end date. Take fewer weeks or a later end',
      },
      holds: ({ firstWeekMonday, weekCount, endDate }) =>
        addDays(day(firstWeekMonday), 7 * (number(weekCount) - 1)) <= day(endDate),
    },
    schoolsemester_overlap: { field: 'beginDate', reason: overlaps },
  })
  addConstraints(schoolteachclass, {
    schoolteachclass_sizes_order: {
      field: 'maxSize',
      of: ['minSize', 'maxSize'],
      reason: { zh: '不能小于人数下限', en: 'must not be less than the smallest size' },
      holds: ({ minSize, maxSize }) => number(minSize) <= number(maxSize),
    },
  })
  addAgreement(schoolteachclass, {
    field: 'studentIds',
    of: ['studentIds', 'maxSize'],
    reason: {
      zh: '超过人数上限，请减少学生或提高上限',
      en: 'has more members than its limit: remove some or raise the limit',
    },
    holds: ({ studentIds, maxSize }) => (studentIds as unknown[]).length <= number(maxSize),
  })
  addConstraints(sysgrade, {
    sysgrade_ages_order: {
      field: 'maxAge',
      of: ['minAge', 'maxAge'],
      reason: { zh: '不能小于最小年龄', en: 'must not be less than the smallest age' },
      holds: ({ minAge, maxAge }) => number(minAge) <= number(maxAge),
    },
  })
  addConstraints(teacherclass, {
    teacherclass_class_main: { field: 'role', reason: overlaps },
    teacherclass_teach_class_main: { field: 'role', reason: overlaps },
  })
  addConstraints(schoolcampus, {
    schoolcampus_has_main: {
      field: 'isMain',
      reason: { zh: '学校须有一个主校区', en: 'a school must have one main campus' },
    },
  })
}
