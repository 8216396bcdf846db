import { type Entity, schoolclass, student, user } from '@data-brain/contract'
import type { DashboardFigure } from '@data-brain/contract/calls/dashboard'
import { zone } from '../../database/connect.ts'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Call } from '../../kernel/route.ts'
import type { RecurringWork } from '../jobs/index.ts'
import { noteCorrections } from './corrections.ts'
import { inTenants } from './in-tenants.ts'

/** Figures that are recorded daily: rows hold only their present state, so a past day cannot be counted later. */
export const figuresKept: Readonly<Record<string, Entity>> = { pupils: student, classes: schoolclass, staff: user }

/** Past months that a figure is shown beside. */
const monthsShown = 12

/** Records the counts of today for each school; a day that is recorded already is not changed. */
async function keepDay(tx: Tx, tenantId: string): Promise<number> {
  const kept = await tx.count(
    sql`insert into figure_daily (tenant_id, day, school_id, figure, count)
        select ${tenantId}, (now() at time zone ${zone})::date, x.school, x.figure, x.n from (
          select school_id as school, 'pupils' as figure, count(*)::int as n from student where tenant_id = ${tenantId} and status = 1 group by 1
          union all select school_id, 'classes', count(*)::int from schoolclass where tenant_id = ${tenantId} and status = 1 group by 1
          union all select 0, 'staff', count(*)::int from app_user where tenant_id = ${tenantId} and status = 1) x
        where not exists (select 1 from figure_daily d where d.tenant_id = ${tenantId} and d.day = (now() at time zone ${zone})::date)
        on conflict do nothing`,
  )
  if (kept > 0) await noteCorrections(tx, tenantId)
  return kept
}

export const figuresDaily: RecurringWork = {
  name: 'figures-daily',
  cron: '50 2 * * *',
  run: async (services, tick) => ({ kept: await inTenants(services, tick, keepDay) }),
}

/** The counts at the end of each past month, of one school or of all. */
export async function pastOf(
  { tx, actor }: Call,
  figures: readonly string[],
  { schoolId, today }: { readonly schoolId: string | null; readonly today: string },
): Promise<ReadonlyMap<string, NonNullable<DashboardFigure['past']>>> {
  const { tenantId } = actor
  const ofSchool = schoolId === null ? sql`` : sql`and school_id = ${schoolId}`
  const rows = await tx.run<{ figure: string; day: string; count: number; difference: number }>(
    sql`with last as (
          select max(day) as day from figure_daily
          where tenant_id = ${tenantId} and day < date_trunc('month', ${today}::date)
          group by date_trunc('month', day) order by 1 desc limit ${monthsShown})
        select d.figure, d.day::text as day, d.count, coalesce(c.difference, 0) as difference from (
          select figure, day, sum(count)::int as count from figure_daily join last using (day)
          where tenant_id = ${tenantId} and figure = any(${[...figures]}::text[]) ${ofSchool} group by 1, 2) d
        left join (
          select figure, day, sum(difference)::int as difference from figure_correction
          where tenant_id = ${tenantId} ${ofSchool} group by 1, 2) c using (figure, day)
        order by 1, 2`,
  )
  return new Map(
    [...Map.groupBy(rows, ({ figure }) => figure)].map(([figure, days]) => [
      figure,
      {
        day: days.at(-1)!.day,
        values: days.map(({ count }) => count),
        corrected: days.flatMap(({ day, difference }, at) => (difference === 0 ? [] : [{ at, day, difference }])),
      },
    ]),
  )
}
