import { codeOf, student, type Words } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import type { RecordedRead, recordedReads } from '@data-brain/contract/calls/history'
import { compileOnce, slotValue, sql } from '../../database/statement.ts'
import { allModels, modelOf } from '../../entity/model.ts'
import { reachOf } from '../../entity/scope.ts'
import { ownedBy, tableRef } from '../../entity/select.ts'
import { holdsCode } from '../../kernel/actor.ts'
import type { RecordReading } from '../../kernel/record-list.ts'
import { type HistorySlice, windowOf } from './window.ts'

type Query = InputOf<typeof recordedReads> & {
  /** These reads alone, of those that the caller may see. */
  readonly ids?: readonly string[]
}

const labels = new Map<string, Words>(allModels().map(({ entity }) => [entity.name, entity.label]))

/**
 * Who has read children's records, newest first: of one child, by one person, or all. Whoever works with a part of the
 * students sees the reads of that part; their names are for those who may view students.
 */
export async function readsList(call: RecordReading, query: Query): Promise<HistorySlice<RecordedRead>> {
  const { tx, actor, services, circumstance } = call
  const { tenantId } = actor
  const model = modelOf(student)
  const view = codeOf(student, 'view')
  const mayView = holdsCode(actor, view)
  const reach = mayView ? await reachOf({ tx, actor, cipher: services.cipher }, model, [view]) : undefined
  const narrowing = sql`${query.childId ? sql`and r.child_id = ${query.childId}::bigint` : sql``} ${query.userId ? sql`and r.user_id = ${query.userId}::bigint` : sql``} ${query.ids ? sql`and r.id = any(${[...query.ids]}::bigint[])` : sql``}`
  const { rows, end, size, times } = windowOf(sql`read_log`, tenantId, query, narrowing)
  const conditions = [
    ...(query.kind?.length ? [sql`h.kind = any(${[...query.kind]}::text[])`] : []),
    ...(reach
      ? [sql`h.child_id in (select t.id from ${tableRef(model)} where ${ownedBy(model)} and ${reach.sql})`]
      : []),
    ...times,
  ]
  const name = mayView
    ? sql`(select t.name from ${tableRef(model)} where t.tenant_id = ${slotValue('tenant')} and t.id = h.child_id)`
    : sql`null`
  const found = await tx.run<Omit<RecordedRead, 'entityName'>>(
    compileOnce(
      sql`select h.id, h.at as time, h.user_id as "userId", h.user_name as "userName", h.entity, h.row_id as "rowId", h.child_id as "childId",
            ${name} as "childName", h.kind, h.reason, h.request_id as "requestId", h.address
          from ${rows} h ${conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``} order by h.id desc limit ${size + 1}`,
      { tenant: tenantId, ...reach?.values },
    ),
  )
  const page = found.slice(0, size)
  const next = found.length > size ? page.at(-1)!.id : ((await tx.one<{ id: string }>(end))?.id ?? null)
  const records = page.map((read) => ({
    ...read,
    entityName: labels.get(read.entity)?.[circumstance.language] ?? read.entity,
  }))
  return { records, next }
}
