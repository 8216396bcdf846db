import { type Entity, student } from '@data-brain/contract'
import { newId } from '../database/id.ts'
import { shaped, slot, sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { Actor, Circumstance } from '../kernel/actor.ts'
import { modelOf } from './model.ts'
import { nameRef, tableRef } from './select.ts'

/*
 * Who has read a child's record: a row for each time that somebody opened a record of a student, or of what is a part of
 * one, saw its numbers in full, or took it out in a file. Lists, which show masked values of many, are not counted.
 */

export type ReadKind = 'detail' | 'personal' | 'export' | 'file'

export interface Reading {
  readonly tx: Tx
  readonly actor: Actor
  readonly circumstance: Pick<Circumstance, 'requestId' | 'address'>
}

/** The column that names the child whose record a row of the entity belongs to; undefined where it is nobody's. */
export function childColumn(entity: Entity): string | undefined {
  if (entity.name === student.name) return 'id'
  const field = entity.within ? modelOf(entity).byName.get(entity.within) : undefined
  return field?.to === student.name ? field.column : undefined
}

/** The reason that somebody may give for looking, as a parameter of a call on an entity whose reads are recorded. */
export const reasonParameter = (entity: Entity): { reason?: { kind: 'text'; max: 200 } } =>
  // Where the entity has such a field, a list is filtered by it.
  childColumn(entity) && !('reason' in entity.fields) ? { reason: { kind: 'text', max: 200 } } : {}

/**
 * Records that these rows were read, in the transaction that reads them; does nothing for what is no child's record.
 * The answer of a read never waits for its transaction, and so the log's part in it need not wait for the disk.
 */
export async function recordReads(
  { tx, actor, circumstance }: Reading,
  entity: Entity,
  kind: ReadKind,
  ids: readonly string[],
  reason?: string,
): Promise<void> {
  const child = childColumn(entity)
  if (!child || ids.length === 0) return
  const values = {
    tenant: actor.tenantId,
    ids,
    logs: ids.map(() => newId()),
    user: actor.userId,
    userName: actor.name,
    kind,
    reason: reason?.trim() || null,
    request: circumstance.requestId,
    address: circumstance.address.slice(0, 64),
  }
  await tx.run(
    shaped(
      `read|${entity.name}`,
      values,
      () =>
        sql`insert into read_log (tenant_id, id, user_id, user_name, entity, row_id, child_id, kind, reason, request_id, address)
            select ${slot('tenant')}, u.log, ${slot('user')}::bigint, ${slot('userName')}, ${sql.lit(entity.name)}, t.id, t.${nameRef(child)}, ${slot('kind')}, ${slot('reason')}, ${slot('request')}, ${slot('address')}
            from unnest(${slot('ids')}::bigint[], ${slot('logs')}::bigint[]) u(id, log) join ${tableRef(modelOf(entity))} on t.tenant_id = ${slot('tenant')} and t.id = u.id
              cross join (select set_config('synchronous_commit', 'off', true)) quick`,
    ),
  )
}

/** A file, and the child to whose record it belongs. */
export interface ChildFile {
  readonly fileId: string
  readonly childId: string
}

/** Records that somebody was given files of children's records, in the transaction that gives them. */
export async function recordFileReads(
  { tx, actor, circumstance }: Reading,
  entity: Entity,
  files: readonly ChildFile[],
  reason?: string,
): Promise<void> {
  if (files.length === 0) return
  const values = {
    tenant: actor.tenantId,
    logs: files.map(() => newId()),
    files: files.map((each) => each.fileId),
    children: files.map((each) => each.childId),
    user: actor.userId,
    userName: actor.name,
    reason: reason?.trim() || null,
    request: circumstance.requestId,
    address: circumstance.address.slice(0, 64),
  }
  await tx.run(
    shaped(
      `read|file|${entity.name}`,
      values,
      () =>
        sql`insert into read_log (tenant_id, id, user_id, user_name, entity, row_id, child_id, kind, reason, request_id, address)
            select ${slot('tenant')}, u.log, ${slot('user')}::bigint, ${slot('userName')}, ${sql.lit(entity.name)}, u.file, u.child, 'file', ${slot('reason')}, ${slot('request')}, ${slot('address')}
            from unnest(${slot('logs')}::bigint[], ${slot('files')}::bigint[], ${slot('children')}::bigint[]) u(log, file, child)
              cross join (select set_config('synchronous_commit', 'off', true)) quick`,
    ),
  )
}
