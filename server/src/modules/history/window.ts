import type { RawBuilder } from 'kysely'
import { idAt } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { Problem } from '../../kernel/problem.ts'

/*
 * Records that only grow are read newest first, from a row on: `before` is the id that the last answer ended with. A page
 * looks at so many rows at most, whatever the filters are, and says where to go on; so ten million rows cost no more than
 * ten thousand.
 */

interface Asked {
  readonly before?: string | undefined
  readonly size?: number | undefined
  readonly time_ge?: string | undefined
  readonly time_le?: string | undefined
}

const usual = 20
/** Rows that one page looks at. */
const looked = 20_000
/** An id is made after its transaction has begun, and not by the clock that the transaction's time is told by. */
const slack = 3_600_000

/** A moment as it travels, in milliseconds; a day is its first second, or its last as an end. */
function momentOf(name: string, text: string | undefined, isEnd: boolean): number | undefined {
  if (!text) return undefined
  const whole = text.length === 10 ? `${text} ${isEnd ? '23:59:59' : '00:00:00'}` : text
  const moment = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(whole)
    ? Date.parse(`${whole.replace(' ', 'T')}+08:00`)
    : Number.NaN
  if (!Number.isNaN(moment)) return moment
  throw new Problem(
    'field_invalid',
    {
      label: { zh: '时间', en: 'Time' },
      reason: { zh: '时间格式应为 yyyy-MM-dd HH:mm:ss', en: 'should look like yyyy-MM-dd HH:mm:ss' },
    },
    { field: name, fields: [] },
  )
}

/** A page of such a list. */
export interface HistorySlice<T> {
  readonly records: readonly T[]
  /** Give this as `before` for what comes next; null at the end. */
  readonly next: string | null
}

/**
 * What a page is read by: `rows` are the rows of a table that it looks at (as `h`, newest first), `size` how many it
 * wants, and `sliceOf` makes the page of what was found of them, of which one more than `size` was asked for.
 */
export function windowOf(
  table: RawBuilder<unknown>,
  tenantId: string,
  asked: Asked,
  narrowing: RawBuilder<unknown> = sql``,
) {
  const from = momentOf('time_ge', asked.time_ge, false)
  const to = momentOf('time_le', asked.time_le, true)
  const size = asked.size ?? usual
  const bounds = [
    ...(asked.before ? [sql`r.id < ${asked.before}::bigint`] : []),
    ...(from === undefined ? [] : [sql`r.id >= ${idAt(from - slack)}::bigint`]),
    ...(to === undefined ? [] : [sql`r.id < ${idAt(to + slack)}::bigint`]),
  ]
  const where = sql`r.tenant_id = ${tenantId} ${bounds.length > 0 ? sql`and ${sql.join(bounds, sql` and `)}` : sql``} ${narrowing}`
  const times = [
    ...(asked.time_ge ? [sql`h.at >= ${new Date(from ?? 0).toISOString()}::timestamptz`] : []),
    ...(asked.time_le ? [sql`h.at < ${new Date((to ?? 0) + 1_000).toISOString()}::timestamptz`] : []),
  ]
  return {
    size,
    times,
    rows: sql`(select * from ${table} r where ${where} order by r.id desc limit ${looked})`,
    /** The oldest row that the page has looked at, where there may be more. */
    end: sql`select r.id from ${table} r where ${where} order by r.id desc offset ${looked - 1} limit 1`,
  }
}
