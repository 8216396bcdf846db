import { type Entity, entityOf } from '@data-brain/contract'
import { newId } from '../database/id.ts'
import { slotValue, sql, statementByShape } from '../database/statement.ts'
import { Problem } from '../kernel/problem.ts'
import { isParameter, parameterOf } from '../kernel/setting.ts'
import { type Reading, type ReadKind, type ShownRow, setRecorder } from '../kernel/shown-rows.ts'
import { modelOf } from './model.ts'
import { nameRef, tableRef } from './select.ts'

/*
 * Who has read a child's record: a row for each time that an answer showed somebody more of a child, or of what is a part
 * of one, than the usual columns of a list do: a record, further columns, numbers in full, a file.
 */

export type { Reading } from '../kernel/shown-rows.ts'

/** The column that names the child whose record a row of the entity belongs to; undefined where it is nobody's. */
export function subjectColumn(entity: Entity): string | undefined {
  return entity.logsReads ? 'id' : subjectField(entity)?.column
}

/** The field of that column. */
function subjectField(entity: Entity) {
  const field = entity.within ? modelOf(entity).byName.get(entity.within) : undefined
  return field?.target?.logsReads ? field : undefined
}

/** What a row of an entity shows, as the answer is marked with it; nothing where it is no child's. */
export function shownOf(
  entity: Entity,
  row: object,
  kind: ReadKind,
  id = String((row as { id?: unknown }).id),
): ShownRow[] {
  if (!subjectColumn(entity)) return []
  const childId = entity.logsReads ? id : (row as Readonly<Record<string, unknown>>)[subjectField(entity)!.name]
  return [{ entity: entity.name, id, kind, childId: typeof childId === 'string' ? childId : undefined }]
}

const wish = 'log.readReason'

/** A row that was read, and the child to whose record it belongs, where that is known. */
export interface ReadRow {
  readonly id: string
  readonly childId?: string | undefined
}

/** Whether the tenant wants a reason with every reading. */
const wanted = isParameter(wish, '1')
/** As many of the children are named to whoever gave no reason. */
const namedMost = 50

/** Refuses whoever gives no reason where the tenant wants one: before a file about children is begun. */
export async function mustExplain(
  {
    tx,
    actor,
    circumstance,
  }: Pick<Reading, 'tx' | 'actor'> & { readonly circumstance: Pick<Reading['circumstance'], 'reason'> },
  entity: Entity,
): Promise<void> {
  if (circumstance.reason || !subjectColumn(entity)) return
  if ((await parameterOf(tx, actor.tenantId, wish)) === 1) throw new Problem('read_reason', {}, { children: [] })
}

/**
 * Records that these rows were read, in the transaction that reads them; does nothing for what is no child's record. The
 * log's part in it need not wait for the disk. Of a row that is gone, whoever calls says whose it was. Where the tenant
 * wants a reason and none is given it refuses, unless the row is the caller's own new one: who adds it has not read it.
 */
export async function recordReads(
  { tx, actor, circumstance }: Reading,
  entity: Entity,
  kind: ReadKind,
  rows: readonly ReadRow[],
): Promise<void> {
  const column = subjectColumn(entity)
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
    reason: circumstance.reason ?? null,
    request: circumstance.requestId,
    address: circumstance.address.slice(0, 64),
  }
  const table = tableRef(modelOf(entity))
  const own = sql`from ${table} where t.tenant_id = ${slotValue('tenant')} and t.id = u.id`
  const child = column ? sql`coalesce(u.child, (select t.${nameRef(column)} ${own}))` : sql`u.child`
  const unexplained = await tx.run<{ child: string }>(
    statementByShape(
      `read|${entity.name}`,
      values,
      () =>
        sql`with u as (select * from unnest(${slotValue('ids')}::bigint[], ${slotValue('logs')}::bigint[], ${slotValue('children')}::bigint[]) u(id, log, child)),
            r as (select u.id, u.log, ${child} as child from u),
            unexplained as (select u.child from r u
              where u.child is not null and ${slotValue('reason')}::text is null and ${wanted}
                and not exists (select 1 ${own} and t.create_time = now())),
            kept as (insert into read_log (tenant_id, id, user_id, user_name, entity, row_id, child_id, kind, reason, request_id, address)
              select ${slotValue('tenant')}, r.log, ${slotValue('user')}::bigint, ${slotValue('userName')}, ${sql.lit(entity.name)}, r.id, r.child, ${slotValue('kind')}, ${slotValue('reason')}, ${slotValue('request')}, ${slotValue('address')}
              from r cross join (select set_config('synchronous_commit', 'off', true)) quick
              where r.child is not null)
            select distinct child from unexplained limit ${sql.lit(namedMost + 1)}`,
    ),
  )
  if (unexplained.length > 0)
    throw new Problem(
      'read_reason',
      {},
      // Whoever looks at many is asked for all of them at once.
      { children: unexplained.length > namedMost ? [] : unexplained.map((each) => each.child) },
    )
}

/** Records what answers show, by the marks in them. Called once at start. */
export const recordAnswers = (): void =>
  setRecorder(async (reading, shown) => {
    for (const group of Map.groupBy(shown, ({ entity, kind }) => `${entity}|${kind}`).values()) {
      const { entity, kind } = group[0]!
      await recordReads(reading, entityOf(entity), kind, group)
    }
  })
