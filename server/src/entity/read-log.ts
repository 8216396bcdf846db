import { type Entity, entityOf, student } from '@data-brain/contract'
import { newId } from '../database/id.ts'
import { shaped, slot, sql } from '../database/statement.ts'
import { type Reading, type ReadKind, type Shown, setRecorder } from '../kernel/shown.ts'
import { modelOf } from './model.ts'
import { nameRef, tableRef } from './select.ts'

/*
 * Who has read a child's record: a row for each time that an answer showed somebody more of a child, or of what is a part
 * of one, than the usual columns of a list do: a record, further columns, numbers in full, a file.
 */

export type { Reading, ReadKind } from '../kernel/shown.ts'

/** The column that names the child whose record a row of the entity belongs to; undefined where it is nobody's. */
export function childColumn(entity: Entity): string | undefined {
  return entity.name === student.name ? 'id' : childField(entity)?.column
}

/** The field of that column. */
function childField(entity: Entity) {
  const field = entity.within ? modelOf(entity).byName.get(entity.within) : undefined
  return field?.to === student.name ? field : undefined
}

/** What a row of an entity shows, as the answer is marked with it; nothing where it is no child's. */
export function shownOf(
  entity: Entity,
  row: object,
  kind: ReadKind,
  id = String((row as { id?: unknown }).id),
): Shown[] {
  if (!childColumn(entity)) return []
  const childId =
    entity.name === student.name ? id : (row as Readonly<Record<string, unknown>>)[childField(entity)!.name]
  return [{ entity: entity.name, id, kind, childId: typeof childId === 'string' ? childId : undefined }]
}

/** The reason that somebody may give for looking, as a parameter of a call on an entity whose reads are recorded. */
export const reasonParameter = (entity: Entity): { reason?: { kind: 'text'; max: 200 } } =>
  // Where the entity has such a field, a list is filtered by it.
  childColumn(entity) && !('reason' in entity.fields) ? { reason: { kind: 'text', max: 200 } } : {}

/** A row that was read, and the child to whose record it belongs, where that is known. */
export interface ReadRow {
  readonly id: string
  readonly childId?: string | undefined
}

/**
 * Records that these rows were read, in the transaction that reads them; does nothing for what is no child's record. The
 * log's part in it need not wait for the disk. Of a row that is gone, whoever calls says whose it was.
 */
export async function recordReads(
  { tx, actor, circumstance }: Reading,
  entity: Entity,
  kind: ReadKind,
  rows: readonly ReadRow[],
  reason?: string,
): Promise<void> {
  const column = childColumn(entity)
  const known = column ? rows : rows.filter((row) => row.childId)
  if (known.length === 0) return
  const values = {
    tenant: actor.tenantId,
    ids: known.map((row) => row.id),
    children: known.map((row) => row.childId ?? null),
    logs: known.map(() => newId()),
    user: actor.userId,
    userName: actor.name,
    kind,
    reason: reason?.trim() || null,
    request: circumstance.requestId,
    address: circumstance.address.slice(0, 64),
  }
  const child = column
    ? sql`coalesce(u.child, (select t.${nameRef(column)} from ${tableRef(modelOf(entity))} where t.tenant_id = ${slot('tenant')} and t.id = u.id))`
    : sql`u.child`
  await tx.run(
    shaped(
      `read|${entity.name}`,
      values,
      () =>
        sql`insert into read_log (tenant_id, id, user_id, user_name, entity, row_id, child_id, kind, reason, request_id, address)
            select ${slot('tenant')}, r.log, ${slot('user')}::bigint, ${slot('userName')}, ${sql.lit(entity.name)}, r.id, r.child, ${slot('kind')}, ${slot('reason')}, ${slot('request')}, ${slot('address')}
            from (select u.id, u.log, ${child} as child from unnest(${slot('ids')}::bigint[], ${slot('logs')}::bigint[], ${slot('children')}::bigint[]) u(id, log, child)) r
              cross join (select set_config('synchronous_commit', 'off', true)) quick
            where r.child is not null`,
    ),
  )
}

/** Records what answers show, by the marks in them. Called once at start. */
export const recordAnswers = (): void =>
  setRecorder(async (reading, shown, reason) => {
    for (const group of Map.groupBy(shown, ({ entity, kind }) => `${entity}|${kind}`).values()) {
      const { entity, kind } = group[0]!
      await recordReads(reading, entityOf(entity), kind, group, reason)
    }
  })
