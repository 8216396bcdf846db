import { zone } from '../../database/connect.ts'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

/*
 * What was changed since the last figures were kept may be dated back: a pupil who left two weeks ago is told of today. The
 * figures of the days between stay as they were seen; beside them it is noted by how much they would be others. Only the class
 * history says days, so only figures of pupils are corrected.
 */

/**
 * Notes what the changes since the figures before today’s correct. A pupil was there up to the end of the last class, where
 * the status says so; from the begin of a class, where the status says that by now; and in the other school from the begin of
 * a class there.
 */
export function noteCorrections(tx: Tx, tenantId: string): Promise<number> {
  return tx.count(sql`
    with last as (
      select day, coalesce(kept_at, (day + time '02:50') at time zone ${zone}) as at from figure_daily
      where tenant_id = ${tenantId} and day < (now() at time zone ${zone})::date order by day desc limit 1),
    since as (
      select distinct on (h.entity, h.row_id) h.entity, h.row_id, h.before from history h, last
      where h.tenant_id = ${tenantId} and h.entity in ('student', 'studentclass') and h.at > last.at
      order by h.entity, h.row_id, h.id),
    class as (
      select c.id, c.student_id, c.school_id, c.begin_date, c.end_date, true as stands,
        s.row_id is null or s.before is not null as stood, s.row_id is not null as touched,
        case when s.row_id is null then c.end_date else (s.before ->> 'end_date')::date end as had_end
      from studentclass c left join since s on s.entity = 'studentclass' and s.row_id = c.id
      where c.tenant_id = ${tenantId} and c.student_id in (
        select row_id from since where entity = 'student'
        union select t.student_id from since s join studentclass t on t.tenant_id = ${tenantId} and t.id = s.row_id where s.entity = 'studentclass'
        union select (before ->> 'student_id')::bigint from since where entity = 'studentclass' and before is not null)
      union all
      select s.row_id, (s.before ->> 'student_id')::bigint, null, null, null, false, true, true, (s.before ->> 'end_date')::date
      from since s where s.entity = 'studentclass' and s.before is not null
        and not exists (select from studentclass t where t.tenant_id = ${tenantId} and t.id = s.row_id)),
    span as (
      select student_id,
        case when bool_and(had_end is not null) filter (where stood) then max(had_end) filter (where stood) end as had_end,
        case when bool_and(end_date is not null) filter (where stands) then max(end_date) filter (where stands) end as has_end,
        min(case when stood then had_end + 1 else begin_date end) filter (where stands and touched) as come,
        min(begin_date) filter (where stands and not stood) as moved
      from class group by student_id),
    pupil as (
      select t.id, t.school_id, t.status = 1 as there,
        case when s.row_id is null then t.school_id else (s.before ->> 'school_id')::bigint end as had_school,
        case when s.row_id is null then t.status = 1 else coalesce((s.before ->> 'status')::int = 1, false) end as was_there, span.*
      from span join student t on t.tenant_id = ${tenantId} and t.id = span.student_id
        left join since s on s.entity = 'student' and s.row_id = t.id),
    change as (
      select had_school as school_id, has_end + 1 as first, coalesce(least(case when not was_there then had_end end, last.day), last.day) as last, -1 as by
        from pupil, last where not there and has_end is not null and (was_there or had_end > has_end)
      union all select school_id, had_end + 1, has_end, 1 from pupil where not there and not was_there and has_end > had_end
      union all select school_id, come, null, 1 from pupil where there and not was_there
      union all select school_id, moved, null, 1 from pupil where there and was_there and school_id <> had_school
      union all select had_school, moved, null, -1 from pupil where there and was_there and school_id <> had_school)
    insert into figure_correction (tenant_id, day, school_id, figure, noted_on, difference)
    select ${tenantId}, d.day, c.school_id, 'pupils', (now() at time zone ${zone})::date, sum(c.by)::int
    from change c join last on true
      join (select distinct day from figure_daily where tenant_id = ${tenantId}) d
        on d.day >= c.first and d.day <= least(coalesce(c.last, last.day), last.day)
    where c.school_id is not null
    group by d.day, c.school_id having sum(c.by) <> 0
    on conflict do nothing`)
}
