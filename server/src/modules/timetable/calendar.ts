import { codeOf, school, schoolcalendarday, schoolperiod, schoolyear } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { calendarDay, calendarYear, prefillCalendar } from '@data-brain/contract/calls/timetable'
import { weekdayOf } from '@data-brain/contract/rules/school-year'
import { seasonOf } from '@data-brain/contract/rules/timetable'
import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { idsOf } from '../../entity/personal-scope.ts'
import { queryReached } from '../../entity/reached.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { publicDays } from './holidays.ts'

/** Keys of the dictionary calendar_day_type. */
const dayTypes = { taught: '1', holiday: '2', madeUp: '3', exams: '4', event: '5' } as const

type Period = AnswerOf<typeof calendarDay>['periods'][number]

/** Whose bell times, and when. */
export interface BellPlace {
  readonly tenantId: string
  readonly schoolId: string
  readonly campusId?: string | null | undefined
  readonly gradeId?: string | null | undefined
  /** Absent: those that hold all year, or failing them the summer's. */
  readonly date?: string | undefined
}

/**
 * The periods of a school day in their order. Of a period that is given several times, the one that says most about the
 * campus, the grade and the season holds.
 */
export const periodsOf = async (tx: Tx, place: BellPlace): Promise<Period[]> =>
  bestOf(await tx.run<RankedPeriod>(periodsQuery(place)(sql``)))

interface RankedPeriod extends Period {
  /** How much the row says about where and when it holds. */
  readonly rank: number
}

/** The periods that hold in a place, each as often as it is given, within a scope. */
const periodsQuery =
  (place: BellPlace) =>
  (scope: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`select t.period_no as "periodNo", t.period_name as name, t.kind, t.begin_time as "beginTime", t.end_time as "endTime",
          (case when t.campus_id is null then 0 else 4 end + case when g.grades is null then 0 else 2 end + case when t.season = '0' then 0 else 1 end) as rank
        from schoolperiod t left join lateral (
          select array_agg(l.target_id) as grades from schoolperiod_grade l where l.tenant_id = t.tenant_id and l.owner_id = t.id) g on true
        where t.tenant_id = ${place.tenantId} and t.school_id = ${place.schoolId} and t.season in ('0', ${place.date ? seasonOf(place.date) : '1'})
          and (t.campus_id is null or t.campus_id = ${place.campusId ?? null})
          and (g.grades is null or ${place.gradeId ?? null}::bigint = any(g.grades)) ${scope}
        order by t.begin_time, t.id limit 200`

function bestOf(rows: readonly RankedPeriod[]): Period[] {
  const best = new Map<string, RankedPeriod>()
  for (const row of rows) {
    const key = row.periodNo === null ? row.name : String(row.periodNo)
    const there = best.get(key)
    if (!there || there.rank < row.rank) best.set(key, row)
  }
  return [...best.values()]
    .map(({ rank: _, ...period }) => period)
    .toSorted((a, b) => (a.beginTime ?? '').localeCompare(b.beginTime ?? ''))
}

/** What a school that has not given bell times is taken to have: eight periods. */
export const usualPeriods: readonly Period[] = Array.from({ length: 8 }, (_, at) => ({
  periodNo: at + 1,
  name: String(at + 1),
  kind: '1',
  beginTime: null,
  endTime: null,
}))

/** The day of a school: its week, its kind, and whose timetable it has. */
export interface DayFacts {
  readonly semesterId: string | null
  readonly week: number | null
  readonly dayType: string
  readonly name: string | null
  readonly weekday: number | null
}

/** What the days from one to another are in a school, by day. */
export async function dayFacts(
  tx: Tx,
  { tenantId, schoolId }: { readonly tenantId: string; readonly schoolId: string },
  from: string,
  to: string,
): Promise<ReadonlyMap<string, DayFacts>> {
  const rows = await tx.run<{
    day: string
    semester_id: string | null
    week: number | null
    week_count: number | null
    day_type: string | null
    use_weekday: string | null
    day_name: string | null
    teach_days: string[]
  }>(
    sql`select d.day::date::text as day, m.id as semester_id, ((d.day::date - m.first_week_monday) / 7 + 1)::int as week, m.week_count,
          c.day_type, c.use_weekday, c.day_name, s.teach_days
        from generate_series(${from}::date, ${to}::date, interval '1 day') as d(day)
          join school s on s.tenant_id = ${tenantId} and s.id = ${schoolId}
          left join schoolsemester m on m.tenant_id = s.tenant_id and m.school_id = s.id and d.day::date between m.begin_date and m.end_date
          left join schoolcalendarday c on c.tenant_id = s.tenant_id and c.school_id = s.id and c.day = d.day::date
        order by 1`,
  )
  return new Map(
    rows.map((row) => {
      const own = weekdayOf(row.day)
      const week = row.week !== null && row.week >= 1 && row.week <= (row.week_count ?? 0) ? row.week : null
      const usual = row.teach_days.map(Number).includes(own)
      const dayType = row.day_type ?? (week !== null && usual ? dayTypes.taught : dayTypes.holiday)
      const lessons = week !== null && (dayType === dayTypes.taught || dayType === dayTypes.madeUp)
      const weekday = !lessons ? null : dayType === dayTypes.madeUp && row.use_weekday ? Number(row.use_weekday) : own
      return [row.day, { semesterId: row.semester_id, week, dayType, name: row.day_name, weekday }]
    }),
  )
}

/** Whether somebody works in a school: by department, or by a class there that is headed or taught. */
async function belongsTo(schoolId: string, { tx, actor }: Call): Promise<boolean> {
  if ((await idsOf('schools', { tx, actor })).includes(schoolId)) return true
  const classes = await idsOf('classes', { tx, actor })
  const own = await tx.one(
    sql`select 1 from schoolclass where tenant_id = ${actor.tenantId} and school_id = ${schoolId} and id = any(${[...classes]}::bigint[]) limit 1`,
  )
  return own !== undefined
}

const dayRoute: Route = on(calendarDay, async ({ schoolId, date, campusId, gradeId }, call) => {
  const { tx, actor } = call
  if (!(await belongsTo(schoolId, call))) await rowsOf(school, call).mustSee(schoolId)
  const place = { tenantId: actor.tenantId, schoolId }
  const facts = (await dayFacts(tx, place, date, date)).get(date)
  if (!facts) throw new Problem('not_found')
  // Whoever works with some bell times only is told of these.
  const periods = await queryReached<RankedPeriod>(
    call,
    schoolperiod,
    periodsQuery({ ...place, campusId, gradeId, date }),
  )
  return { date, ...facts, periods: bestOf(periods) }
})

/** A school year that the caller reaches by a right to the calendar. */
const yearSeen = (yearId: string, call: Call, verb: 'view' | 'add') =>
  rowsOf(schoolyear, call).before(yearId, { codes: [codeOf(schoolcalendarday, verb)] })

const yearRoute: Route = on(calendarYear, async ({ yearId }, call) => {
  const { tx, actor } = call
  const year = await yearSeen(yearId, call, 'view')
  const schools = await tx.one<{ teach_days: string[] }>(
    sql`select teach_days from school where tenant_id = ${actor.tenantId} and id = ${year.schoolId}`,
  )
  const semesters = await tx.run<AnswerOf<typeof calendarYear>['semesters'][number]>(
    sql`select id, semester_name as name, begin_date as "beginDate", end_date as "endDate", first_week_monday as "firstWeekMonday", week_count as "weekCount"
        from schoolsemester where tenant_id = ${actor.tenantId} and year_id = ${yearId} order by begin_date`,
  )
  const days = await tx.run<AnswerOf<typeof calendarYear>['days'][number]>(
    sql`select id, version, day, day_type as "dayType", use_weekday::int as "useWeekday", day_name as name from schoolcalendarday
        where tenant_id = ${actor.tenantId} and school_id = ${year.schoolId} and day between ${year.beginDate} and ${year.endDate} order by day`,
  )
  return {
    yearId,
    schoolId: year.schoolId,
    beginDate: year.beginDate,
    endDate: year.endDate,
    teachDays: (schools?.teach_days ?? []).map(Number),
    semesters,
    days,
  }
})

const prefillRoute: Route = on(prefillCalendar, async ({ yearId }, call) => {
  const { tx, actor } = call
  const year = await yearSeen(yearId, call, 'add')
  const { days, knownUntil } = await publicDays(year.beginDate, year.endDate)
  const held = await tx.run<{ day: string }>(
    sql`select day from schoolcalendarday where tenant_id = ${actor.tenantId} and school_id = ${year.schoolId} and day between ${year.beginDate} and ${year.endDate}`,
  )
  const there = new Set(held.map(({ day }) => day))
  const lacking = days.filter(({ day }) => !there.has(day))
  for (const { day, dayType, name, useWeekday } of lacking)
    await rowsOf(schoolcalendarday, call).add({
      schoolId: year.schoolId,
      day,
      // A make-up day of which nobody says what it makes up for is taught as itself until the school says.
      dayType: dayType === '3' && useWeekday === null ? dayTypes.taught : dayType,
      useWeekday,
      dayName: name,
    })
  return { made: lacking.length, kept: days.length - lacking.length, knownUntil }
})

export const calendarRoutes: Route[] = [dayRoute, yearRoute, prefillRoute]
