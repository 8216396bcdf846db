import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { foldWord } from '../batch/lookups.ts'

/** What a school has beside its people and subjects that the cells of a timetable mean. */
export interface LessonsKnown {
  /** Who teaches, by class or teaching class and subject: the main teacher of the semester. */
  readonly assigned: ReadonlyMap<string, string>
  /** The numbers of periods, by their folded names. */
  readonly periods: ReadonlyMap<string, number>
  /** How many weeks the semester has; absent where it does not say. */
  readonly weekCount?: number
  /** Names that plans of the semester have. */
  readonly planNames: ReadonlySet<string>
}

export const assignedKey = (placeId: string, subjectId: string): string => `${placeId}|${subjectId}`

/** Reads it, once per job. */
export async function readLessonsKnown(
  tx: Tx,
  tenantId: string,
  { schoolId = '0', semesterId }: { readonly schoolId?: string; readonly semesterId?: string },
): Promise<LessonsKnown> {
  const assignments = await tx.run<{ place: string; subject: string; teacher: string }>(
    sql`select coalesce(class_id, teach_class_id) as place, subject_id as subject, user_id as teacher from teacherclass
          where tenant_id = ${tenantId} and school_id = ${schoolId} and semester_id = ${semesterId ?? null} and role = '1'
        union all
        select id, subject_id, teacher_id from schoolteachclass
          where tenant_id = ${tenantId} and school_id = ${schoolId} and semester_id = ${semesterId ?? null} and teacher_id is not null`,
  )
  const periods = await tx.run<{ name: string; no: number }>(
    sql`select period_name as name, period_no as no from schoolperiod where tenant_id = ${tenantId} and school_id = ${schoolId} and period_no is not null`,
  )
  const plans = await tx.run<{ name: string }>(
    sql`select plan_name as name from timetableplan where tenant_id = ${tenantId} and semester_id = ${semesterId ?? null}`,
  )
  const term = await tx.one<{ weeks: number | null }>(
    sql`select week_count as weeks from schoolsemester where tenant_id = ${tenantId} and id = ${semesterId ?? null}`,
  )
  return {
    ...(term?.weeks ? { weekCount: term.weeks } : {}),
    assigned: new Map(assignments.map(({ place, subject, teacher }) => [assignedKey(place, subject), teacher])),
    periods: new Map(periods.map(({ name, no }) => [foldWord(name), no])),
    planNames: new Set(plans.map(({ name }) => name)),
  }
}
