import { schoolcalendarday, schoolgrade, schoolperiod, timetableplan } from '@data-brain/contract'
import { cohortOf } from '@data-brain/contract/rules/school-year'
import type { PublicDay } from '../../modules/timetable/index.ts'
import type { DemoRows } from './book.ts'
import type { School } from './schools.ts'
import type { CampusFaculty } from './staff.ts'

/** What stands in a day beside its lessons. */
const pauses = [
  { kind: '3', name: '大课间', beginTime: '09:30', endTime: '10:00' },
  { kind: '4', name: '午休', beginTime: '11:50', endTime: '14:00' },
] as const

const minutes = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
const clockOf = (at: number): string =>
  `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`

/** When the periods of a day begin: two before the long break, two before noon, the rest from 14:00 on. */
const begins = (periods: number): string[] => [
  '08:00',
  '08:45',
  '10:05',
  '10:55',
  ...Array.from({ length: periods - 4 }, (_, at) => clockOf(minutes('14:00') + 50 * at)),
]

/** Bell times, public holidays and the published plan of the current semester, of each school; answers the plans by school. */
export function planTerms(
  book: DemoRows,
  schools: readonly School[],
  holidays: readonly PublicDay[],
): ReadonlyMap<string, string> {
  const plans = new Map<string, string>()
  for (const { id: schoolId, semesterId, plan } of schools) {
    for (const [at, beginTime] of begins(plan.periodsPerDay).entries())
      book.add(schoolperiod, {
        schoolId,
        season: '0',
        kind: '1',
        periodNo: at + 1,
        periodName: `第${at + 1}节`,
        beginTime,
        endTime: clockOf(minutes(beginTime) + 40),
      })
    for (const { name, ...pause } of pauses)
      book.add(schoolperiod, { schoolId, season: '0', periodName: name, ...pause })
    for (const { day, dayType, name, useWeekday } of holidays)
      book.add(schoolcalendarday, { schoolId, day, dayType, dayName: name, useWeekday })
    const semester = book.year.semesters.find((each) => each.current)!
    plans.set(
      schoolId,
      book.add(timetableplan, { schoolId, semesterId, planName: '课表', beginWeek: 1, endWeek: semester.weeks }, 2),
    )
  }
  return plans
}

/** The grades of the current year, each with its cohort and a class teacher of it as its head. */
export function planGrades(book: DemoRows, faculties: readonly CampusFaculty[]): void {
  const there = new Set<string>()
  for (const { school, campus, heads } of faculties)
    for (const [at, each] of campus.classes.entries()) {
      const key = `${school.id}|${each.gradeId}`
      if (there.has(key)) continue
      there.add(key)
      book.add(schoolgrade, {
        schoolId: school.id,
        yearId: school.yearId,
        gradeId: each.gradeId,
        cohortYear: cohortOf(book.year.startYear, book.known.grades.get(each.gradeCode)!.no),
        headTeacherId: heads[at]!.id,
      })
    }
}
