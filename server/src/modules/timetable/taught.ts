import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'

/**
 * Whether lesson `l`, of plan `p`, is taught in a week of its semester: the plan is the published one of that week, and the
 * lesson is of its odd, even or chosen weeks. Names are those of the statement; the week is an SQL integer.
 */
export const taughtInWeek = (l: string, p: string, week: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${sql.raw(p)}.status = 2 and ${week} between ${sql.raw(p)}.begin_week and ${sql.raw(p)}.end_week and case ${sql.raw(l)}.week_type
    when '0' then true when '1' then ${week} % 2 = 1 when '2' then ${week} % 2 = 0 else ${sql.raw(l)}.weeks @> to_jsonb(${week}) end)`
