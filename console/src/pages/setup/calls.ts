import { useQuery } from '@tanstack/react-query'
import { get, post } from '../../http/client.ts'

/** How far a school is set up: each step is done when what the later ones need is there. */
export interface SchoolSetUp {
  readonly id: string
  readonly name: string
  /** Its current school year. */
  readonly yearId: string | null
  /** Years there are, the current one or not, and semesters of the current one. */
  readonly hasYears: boolean
  readonly hasSemesters: boolean
  /** Classes and rooms need one. */
  readonly campus: boolean
  readonly year: boolean
  readonly grades: boolean
  readonly classes: boolean
  readonly students: boolean
}

/** The schools that the person may see, with how far each is set up. */
export function useSetUp(enabled: boolean) {
  return useQuery({
    queryKey: ['setUp'],
    queryFn: ({ signal }) =>
      get<{ schools: SchoolSetUp[] }>('blade-user/school/setUp', undefined, { signal, silent: true }),
    meta: { reads: ['school', 'schoolcampus', 'schoolyear', 'schoolsemester', 'sysgrade', 'schoolclass', 'student'] },
    enabled,
  })
}

export interface GradeOfSchool {
  readonly id: string
  readonly gradeName: string
  readonly gradeCode: string
  /** Classes that it has in the year. */
  readonly classCount: number
  /** The numbers that these bear. */
  readonly classNos: readonly number[]
}

export const readGrades = (schoolId: string, yearId: string, signal: AbortSignal) =>
  get<GradeOfSchool[]>('blade-user/sysgrade/listBySchool', { schoolId, yearId }, { signal, silent: true })

export const openYear = (year: object, semesters: readonly object[]) =>
  post('blade-user/schoolyear/open', { body: { year, semesters }, silent: true })

export interface Opened {
  readonly made: number
  readonly existing: number
}

export const openClasses = (
  schoolId: string,
  yearId: string,
  grades: readonly { readonly gradeId: string; readonly count: number }[],
) => post<Opened>('blade-user/schoolclass/open', { body: { schoolId, yearId, grades }, silent: true })
