/*
 * The school year of a day, as schools in China keep it: proposed to those who set a school up, and lived in by the demo.
 */

/** Days as `yyyy-MM-dd`; reckoned in UTC, where every day has 24 hours. */
const instantOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
export const addDays = (day: string, count: number): string =>
  new Date(instantOf(day) + count * 86_400_000).toISOString().slice(0, 10)
export const daysBetween = (from: string, to: string): number =>
  Math.round((instantOf(to) - instantOf(from)) / 86_400_000)

/** 1 is Monday, 7 Sunday. */
export const weekdayOf = (day: string): number => new Date(instantOf(day)).getUTCDay() || 7

/** Today where the schools are. */
export const todayInChina = (): string => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)

export interface Semester {
  readonly no: 1 | 2
  readonly name: string
  readonly begin: string
  readonly end: string
  readonly firstMonday: string
  readonly weeks: number
  readonly current: boolean
  readonly examBegin: string
  readonly examEnd: string
  readonly status: number
}

export interface SchoolYear {
  readonly startYear: number
  readonly name: string
  readonly begin: string
  readonly end: string
  readonly semesters: readonly [Semester, Semester]
}

/** The Monday of the week in which a semester begins; one that begins on a weekend begins to teach on the Monday after. */
export const firstMondayOf = (begin: string): string => {
  const weekday = weekdayOf(begin)
  return addDays(begin, weekday > 5 ? 8 - weekday : 1 - weekday)
}

/** Weeks from a Monday up to the week of the last day. */
export const weeksBetween = (firstMonday: string, end: string): number =>
  Math.max(1, Math.ceil((daysBetween(firstMonday, end) + 1) / 7))

/** The cohort of a grade: the year in which its pupils entered the first grade of its stage. */
export const cohortOf = (startYear: number, gradeNo: number): number => startYear - gradeNo + 1

/** The usual name of a class: 三年级（1）班; in kindergarten, whose grades are called 班 themselves, 小（1）班. */
export const usualClassName = (gradeName: string, classNo: number): string =>
  `${gradeName.length > 1 && gradeName.endsWith('班') ? gradeName.slice(0, -1) : gradeName}（${classNo}）班`

/** The usual type of a class by the stage of its grade (dictionary class_type); a kindergarten's has none of its own. */
export const usualClassType = (stage: string): string => ({ '2': '10', '3': '20', '4': '40' })[stage] ?? '10'

/** The school year that a day belongs to; from August on it is the coming one, which schools then prepare. */
export function schoolYearOf(day: string): SchoolYear {
  const year = Number(day.slice(0, 4))
  const startYear = Number(day.slice(5, 7)) >= 8 ? year : year - 1
  const springBegin = `${startYear + 1}-02-17`
  const inSpring = day >= springBegin
  const semester = (no: 1 | 2, name: string, begin: string, end: string): Semester => {
    const firstMonday = firstMondayOf(begin)
    const current = (no === 2) === inSpring
    return {
      no,
      name,
      begin,
      end,
      firstMonday,
      weeks: weeksBetween(firstMonday, end),
      current,
      examBegin: addDays(end, -10),
      examEnd: addDays(end, -6),
      status: current ? 1 : no === 1 ? 2 : 0,
    }
  }
  return {
    startYear,
    name: `${startYear}-${startYear + 1}学年`,
    begin: `${startYear}-09-01`,
    end: `${startYear + 1}-08-31`,
    semesters: [
      semester(1, '第一学期', `${startYear}-09-01`, `${startYear + 1}-01-24`),
      semester(2, '第二学期', springBegin, `${startYear + 1}-07-10`),
    ],
  }
}
