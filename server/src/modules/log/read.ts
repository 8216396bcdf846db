import { school, student, user } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import type { errorGroups } from '@data-brain/contract/calls/log'
import { countedMost, type LogKind, type LogPage, logs, longColumns } from '@data-brain/contract/entities/log/logs'
import type { RawBuilder } from 'kysely'
import { timeOfId } from '../../database/id.ts'
import { snakeCase } from '../../database/name.ts'
import { slotValue, sql, statementByShape } from '../../database/statement.ts'
import { type Condition, conditionsOf } from '../../entity/filter.ts'
import { modelOf } from '../../entity/model.ts'
import { reachesAll } from '../../entity/scopes-of-role.ts'
import { nameRef } from '../../entity/select.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call } from '../../kernel/route.ts'
import { knownSummary } from '../../kernel/route-path.ts'

/**
 * How the logs are read: newest first, and never at a cost that grows with them. An index serves the time, the user and
 * the request; any other filter is tried on the newest 100,000 rows of what these leave, and the answer says how far back
 * that went. Rows are counted up to 10,000. Whoever works with a part reads of oneself.
 */

const searchedMost = 100_000

export type Reading = Pick<Call, 'tx' | 'actor' | 'query' | 'services' | 'circumstance'>
export type Row = Record<string, unknown>

/** What an index finds, beside the time. */
const direct = ['userId', 'traceId'] as const
const system = new Set(['id', 'createTime'])

const baseOf = (name: string): string => name.replace(/_[a-z]+$/, '')

interface Asked {
  /** Of the indexes, and of the rows that these leave. */
  readonly inner: readonly Condition[]
  readonly outer: readonly Condition[]
  readonly values: Record<string, unknown>
  readonly key: string
}

/**
 * Whose rows of a log somebody reads: what others sent stands in them, whatever row it was about, so whoever works with a
 * part of the pupils, schools or people reads of oneself alone. Undefined for all.
 */
export const peopleOf = (kind: LogKind, { actor }: Pick<Reading, 'actor'>): readonly string[] | undefined =>
  reachesAll(actor, [student, school, user], [`${logs[kind].name}_view`, `${logs[kind].name}_export`])
    ? undefined
    : [actor.userId ?? '0']

/** A condition on a row of a log by whom it is of. */
export const ofPeople = (people: readonly string[] | undefined): RawBuilder<unknown> =>
  people ? sql`and user_id = any(${[...people]}::bigint[])` : sql``

function askedOf(kind: LogKind, call: Reading): Asked {
  const { query, services, actor } = call
  const model = modelOf(logs[kind])
  const usable = Object.fromEntries(
    Object.entries(query).filter(([name]) => {
      const base = baseOf(name)
      return system.has(base) || (model.byName.has(base) && !(direct as readonly string[]).includes(base))
    }),
  )
  const conditions = conditionsOf(model, usable, services.cipher, actor.tenantId)
  const inner = conditions.filter(({ key }) => system.has(key.split(':', 1)[0] ?? ''))
  const outer = conditions.filter((condition) => !inner.includes(condition))
  for (const name of direct) {
    const value = query[name] ?? query[`${name}_equal`]
    if (!value) continue
    if (name === 'userId' && !/^[0-9]{1,18}$/.test(value))
      throw new Problem(
        'field_invalid',
        { label: name, reason: { zh: '不是有效的编号', en: 'is not an id' } },
        { field: name, fields: [] },
      )
    inner.push({
      key: `${name}:is`,
      value,
      sql: (slotName) =>
        sql`${nameRef(`t.${snakeCase(name)}`)} = ${slotValue(slotName)}${nameRef(name === 'userId' ? '::bigint' : '::text')}`,
    })
  }
  const people = peopleOf(kind, call)
  if (people)
    outer.push({
      key: 'people:of',
      value: people,
      sql: (slotName) => sql`t.user_id = any(${slotValue(slotName)}::bigint[])`,
    })
  const all = [...inner, ...outer]
  return {
    inner,
    outer,
    key: `${kind}|${inner.map(({ key }) => key).join('&')}|${outer.map(({ key }) => key).join('&')}`,
    values: {
      tenant: actor.tenantId,
      ...Object.fromEntries(all.map((condition, at) => [`f${at}`, condition.value])),
    },
  }
}

const order = nameRef('order by t.create_time desc, t.id desc')

/** The rows that the indexes find, newest first. */
const found = (kind: LogKind, { inner }: Asked, columns: string, most: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select ${nameRef(columns)} from ${nameRef(logs[kind].table ?? '')} t
      where ${sql.join([sql`t.tenant_id = ${slotValue('tenant')}`, ...inner.map((each, at) => each.sql(`f${at}`))], sql` and `)}
      ${order} limit ${most}`

const outerOf = ({ inner, outer }: Asked): RawBuilder<unknown> =>
  sql.join(
    outer.map((each, at) => each.sql(`f${inner.length + at}`)),
    sql` and `,
  )

const columnsOf = (kind: LogKind, long: boolean): string =>
  [
    't.id as "id"',
    't.create_time as "createTime"',
    't.tenant_id as "tenantId"',
    ...Object.keys(logs[kind].fields)
      .filter((name) => long || !longColumns.includes(name))
      .map((name) => `t.${snakeCase(name)} as "${name}"`),
  ].join(', ')

/** A call is named in the reader's language; what is no call of this version keeps the name it had. */
function shown(kind: LogKind, row: Row, { circumstance }: Reading): Row {
  const known = kind === 'error' ? undefined : knownSummary(String(row.method), String(row.requestUri))
  return { ...row, ...(known ? { title: known[circumstance.language] } : {}), ...(kind === 'api' ? { type: '1' } : {}) }
}

/** The rows that the filters leave of those that are searched. */
const withinOf = (kind: LogKind, asked: Asked, columns: string): RawBuilder<unknown> =>
  sql`(${found(kind, asked, columns, nameRef(String(searchedMost)))}) t where ${outerOf(asked)}`

/** How far back a search went where it did not look at all there is. */
async function searchedToOf(kind: LogKind, asked: Asked, tx: Reading['tx']): Promise<string | null> {
  if (asked.outer.length === 0) return null
  const end = await tx.one<{ at: string }>(
    statementByShape(`log end|${asked.key}`, asked.values, () =>
      found(kind, asked, 't.create_time as at', sql`1 offset ${nameRef(String(searchedMost - 1))}`),
    ),
  )
  return end?.at ?? null
}

/** The newest rows that the filters leave, for an export, and how far back they were searched for. */
export async function logIds(
  kind: LogKind,
  call: Reading,
  most: number,
): Promise<{ ids: string[]; searchedTo: string | null }> {
  const asked = askedOf(kind, call)
  const rows = await call.tx.run<{ id: string }>(
    statementByShape(`log ids|${asked.key}`, { ...asked.values, size: most }, () =>
      asked.outer.length > 0
        ? sql`select t.id from ${withinOf(kind, asked, 't.*')} ${order} limit ${slotValue('size')}`
        : found(kind, asked, 't.id', sql`${slotValue('size')}`),
    ),
  )
  return { ids: rows.map(({ id }) => id), searchedTo: await searchedToOf(kind, asked, call.tx) }
}

/** Rows of these ids, as a list shows them. Ids tell the times, and so the partitions in which they lie. */
export async function logRows(kind: LogKind, call: Reading, ids: readonly string[]): Promise<Row[]> {
  if (ids.length === 0) return []
  const times = ids.map((id) => timeOfId(id).getTime())
  const [first, last] = [Math.min(...times), Math.max(...times)].map((time) => new Date(time).toISOString())
  const rows = await call.tx.run<Row>(
    sql`select ${nameRef(columnsOf(kind, false))} from ${nameRef(logs[kind].table ?? '')} t
        where t.tenant_id = ${call.actor.tenantId} and t.create_time between ${first}::timestamptz and ${last}::timestamptz
          and t.id = any(${[...ids]}::bigint[]) ${ofPeople(peopleOf(kind, call))}`,
  )
  return rows.map((row) => shown(kind, row, call))
}

/** A page of a log: of the caller's own tenant, newest first. */
export async function logPage(
  kind: LogKind,
  call: Reading,
  { size = 10, current = 1 }: { size?: number | undefined; current?: number | undefined },
): Promise<LogPage<Row>> {
  const asked = askedOf(kind, call)
  const { tx } = call
  // Only what was counted can be paged to: further back leads a narrower time, not a longer walk.
  const offset = Math.min((current - 1) * size, countedMost)
  const values = { ...asked.values, size: Math.min(size, countedMost - offset), offset }
  const filtered = asked.outer.length > 0
  const within = (columns: string) => withinOf(kind, asked, columns)
  const rows = await tx.run<Row>(
    statementByShape(`log|${asked.key}`, values, () =>
      filtered
        ? sql`select ${nameRef(columnsOf(kind, false))} from ${within('t.*')} ${order} limit ${slotValue('size')} offset ${slotValue('offset')}`
        : found(kind, asked, columnsOf(kind, false), sql`${slotValue('size')} offset ${slotValue('offset')}`),
    ),
  )
  const counted = await tx.one<{ n: number }>(
    statementByShape(`log count|${asked.key}`, asked.values, () => {
      const most = nameRef(String(countedMost + 1))
      return filtered
        ? sql`select count(*)::int as n from (select 1 from ${within('t.*')} limit ${most}) counted`
        : sql`select count(*)::int as n from (${found(kind, asked, '1', most)}) counted`
    }),
  )
  const total = Math.min(counted?.n ?? 0, countedMost)
  const more = (counted?.n ?? 0) > countedMost
  const searchedTo = more ? null : await searchedToOf(kind, asked, tx)
  return {
    total,
    size,
    current,
    pages: Math.ceil(total / size),
    records: rows.map((row) => shown(kind, row, call)),
    more: more || searchedTo ? 1 : 0,
    searchedTo,
  }
}

/** One row with all that it holds. Its id tells the time, and so the partition in which it lies. */
export async function logDetail(kind: LogKind, call: Reading, id: string): Promise<Row> {
  const row = await call.tx.one<Row>(
    sql`select ${nameRef(columnsOf(kind, true))} from ${nameRef(logs[kind].table ?? '')} t
        where t.tenant_id = ${call.actor.tenantId} and t.create_time = ${timeOfId(id).toISOString()}::timestamptz and t.id = ${id}
          ${ofPeople(peopleOf(kind, call))}`,
  )
  if (!row) throw new Problem('not_found')
  return shown(kind, row, call)
}

/** Errors that are alike, most frequent first: of the newest 100,000 that the filters leave, at most 200 kinds. */
export async function logGroups(call: Reading): Promise<AnswerOf<typeof errorGroups>> {
  const asked = askedOf('error', call)
  const groups = await call.tx.run<AnswerOf<typeof errorGroups>['groups'][number]>(
    statementByShape(
      `log groups|${asked.key}`,
      asked.values,
      () =>
        sql`select t.title as "title", t.exception_name as "exceptionName", count(*)::int as "count",
              count(distinct t.user_id)::int as "people", min(t.create_time) as "firstTime", max(t.create_time) as "createTime", max(t.id) as "id"
            from (${found('error', asked, 't.*', nameRef(String(searchedMost)))}) t
            ${asked.outer.length > 0 ? sql`where ${outerOf(asked)}` : sql``}
            group by t.title, t.exception_name order by count(*) desc, max(t.id) desc limit 200`,
    ),
  )
  const end = await call.tx.one<{ at: string }>(
    statementByShape(`log groups end|${asked.key}`, asked.values, () =>
      found('error', asked, 't.create_time as at', sql`1 offset ${nameRef(String(searchedMost - 1))}`),
    ),
  )
  return { groups, searchedTo: end?.at ?? null }
}
