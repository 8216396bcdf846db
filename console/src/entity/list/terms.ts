import { codeOf, entityOf } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useCan } from '../../session/session.ts'
import type { Shown } from '../data/calls.ts'
import { useEntity } from '../data/client.ts'

/** A span of days that the school itself has named. */
export interface Term {
  readonly label: string
  readonly begin: string
  readonly end: string
}

const semester = entityOf('schoolsemester')
const year = entityOf('schoolyear')
/** Every school has one current semester and one current year. */
const current = { isCurrent: '1', current: 1, size: 200 }

/** From the first day of any of them to the last day of any: schools of one tenant may differ by days. */
function spanOf(label: string, rows: readonly Shown[] | undefined, schoolId: string | undefined): Term[] {
  const mine = rows?.filter((row) => schoolId === undefined || row.schoolId === schoolId) ?? []
  const begins = mine.map((row) => String(row.beginDate)).sort()
  const ends = mine.map((row) => String(row.endDate)).sort()
  return mine.length > 0 ? [{ label, begin: begins[0]!, end: ends.at(-1)! }] : []
}

/** This semester and this school year, as the school has entered them; nothing for who may not see them. */
export function useTerms(schoolId: string | undefined): readonly Term[] {
  const can = useCan()
  const semesters = useQuery({ ...useEntity(semester).list(current), enabled: can(codeOf(semester, 'view')) })
  const years = useQuery({ ...useEntity(year).list(current), enabled: can(codeOf(year, 'view')) })
  const [half, whole] = [semesters.data?.records, years.data?.records]
  return useMemo(
    () => [...spanOf('entity.thisSemester', half, schoolId), ...spanOf('entity.thisSchoolYear', whole, schoolId)],
    [half, whole, schoolId],
  )
}
