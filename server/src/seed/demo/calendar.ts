/** Days as `yyyy-MM-dd`; reckoned in UTC, where every day has 24 hours. */
const instantOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
export const addDays = (day: string, count: number): string =>
  new Date(instantOf(day) + count * 86_400_000).toISOString().slice(0, 10)
export const daysBetween = (from: string, to: string): number =>
  Math.round((instantOf(to) - instantOf(from)) / 86_400_000)

/** 1 is Monday, 7 Sunday. */
export const weekdayOf = (day: string): number => new Date(instantOf(day)).getUTCDay() || 7

/** Today where the schools are. */
export const today = (): string => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)

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

/** The school year that a day belongs to; from August on it is the coming one, which schools then prepare. */
export function schoolYearOf(day: string): SchoolYear {
  const year = Number(day.slice(0, 4))
  const startYear = Number(day.slice(5, 7)) >= 8 ? year : year - 1
  const springBegin = `${startYear + 1}-02-17`
  const inSpring = day >= springBegin
  const semester = (no: 1 | 2, name: string, begin: string, end: string): Semester => {
    const firstMonday = addDays(begin, 1 - weekdayOf(begin))
    const current = (no === 2) === inSpring
    return {
      no,
      name,
      begin,
      end,
      firstMonday,
      weeks: Math.ceil(daysBetween(firstMonday, end) / 7),
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
