import type { WeekSlot } from '@data-brain/contract/rules/slots'
import { sql } from '../../database/statement.ts'
import type { Call } from '../../kernel/route.ts'
import { periodsOf, usualPeriods } from './calendar.ts'

const key = ({ weekday, periodNo }: WeekSlot): number => weekday * 100 + periodNo

/**
 * The periods of a school's week in which teachers are free: in which they give no lesson of a plan, or of what is published
 * of a semester (absent: the current ones), in whatever week, and are not unavailable.
 */
export async function freeSlotsOf(
  { tx, actor }: Pick<Call, 'tx' | 'actor'>,
  at: { readonly schoolId: string; readonly semesterId?: string | undefined; readonly planId?: string | undefined },
  teachers: readonly string[],
): Promise<(teacherId: string) => WeekSlot[]> {
  const { tenantId } = actor
  const school = await tx.one<{ teach_days: string[] }>(
    sql`select teach_days from school where tenant_id = ${tenantId} and id = ${at.schoolId}`,
  )
  const given = await periodsOf(tx, { tenantId, schoolId: at.schoolId })
  const numbers = (given.some(({ periodNo }) => periodNo !== null) ? given : usualPeriods).flatMap(
    ({ periodNo }) => periodNo ?? [],
  )
  const all = (school?.teach_days ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)
    .flatMap((weekday) => numbers.map((periodNo) => ({ weekday, periodNo })))
  const busy = await tx.run<WeekSlot & { id: string }>(
    sql`select l.teacher_id as id, l.weekday::int as weekday, n as "periodNo" from classschedule l
          join timetableplan p on p.tenant_id = l.tenant_id and p.id = l.plan_id
          join schoolsemester m on m.tenant_id = l.tenant_id and m.id = l.semester_id
          cross join lateral generate_series(l.period_no, l.period_no + l.span - 1) n
        where l.tenant_id = ${tenantId} and l.teacher_id = any(${teachers}::bigint[]) and case
          when ${at.planId ?? null}::bigint is not null then p.id = ${at.planId ?? null}
          else p.status = 2 and (m.id = ${at.semesterId ?? null} or (${at.semesterId ?? null}::bigint is null and m.is_current = 1)) end
        union all
        select u.id, (s->>'weekday')::int, (s->>'periodNo')::int from app_user u cross join lateral jsonb_array_elements(u.unavailable_slots) s
        where u.tenant_id = ${tenantId} and u.id = any(${teachers}::bigint[]) and u.unavailable_slots is not null`,
  )
  const taken = Map.groupBy(busy, ({ id }) => id)
  return (teacherId) => {
    const keys = new Set((taken.get(teacherId) ?? []).map(key))
    return all.filter((slot) => !keys.has(key(slot)))
  }
}
