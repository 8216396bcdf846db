import { newId } from '../database/id.ts'
import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { Values } from './check.ts'
import { keysOfRow } from './find.ts'
import type { Model, ModelField } from './model.ts'
import type { Context } from './repository.ts'
import { rulesOf } from './rules.ts'
import { nameRef } from './select.ts'
import type { Action } from './write.ts'

/** A checked row of a bulk write. */
export interface BulkRow {
  readonly id: string
  readonly values: Values
  readonly status?: number
  readonly extId?: string | null
}

const chunkSize = 1_000

/** A stamp row that single saves never take: a long bulk write holds none of them up. */
const bulkSlot = 16

const hex = (bytes: Buffer | null): string | null => (bytes === null ? null : `\\x${bytes.toString('hex')}`)

/** Inserts many rows with one statement per thousand; the columns are those of the first row. */
export async function insertMany(tx: Tx, table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  const first = rows[0]
  if (!first) return
  const columns = nameRef(Object.keys(first).join(', '))
  // Sent one behind the other: while the database works on one, the next are made.
  const sent: Promise<unknown>[] = []
  for (let start = 0; start < rows.length; start += chunkSize) {
    const chunk = JSON.stringify(rows.slice(start, start + chunkSize))
    sent.push(
      tx.run(
        sql`insert into ${nameRef(table)} (${columns}) select ${columns} from jsonb_populate_recordset(null::${nameRef(table)}, ${chunk}::jsonb)`,
      ),
    )
  }
  await Promise.all(sent)
}

/** What a field stores, in the text forms that `jsonb_populate_recordset` reads. */
function storedText(
  model: Model,
  field: ModelField,
  value: unknown,
  context: Context,
  id: string,
): Record<string, unknown> {
  const { tenantId } = context.actor
  if (field.kind === 'references') return {}
  if (field.kind === 'secret' && typeof value === 'string')
    return {
      [field.column]: hex(context.cipher.seal(value, { table: model.table, column: field.column, tenantId, id })),
    }
  if (field.kind !== 'personal')
    return {
      [field.column]:
        value ?? (field.kind === 'choices' ? [] : field.kind === 'flag' && field.default !== undefined ? 0 : null),
    }
  const text = typeof value === 'string' && value !== '' ? value : null
  return {
    [field.column]:
      text === null ? null : hex(context.cipher.seal(text, { table: model.table, column: field.column, tenantId, id })),
    [`${field.column}_hash`]: text === null ? null : hex(context.cipher.hash(text, tenantId)),
    [`${field.column}_tail`]: text === null ? null : hex(context.cipher.tail(text, tenantId)),
  }
}

/** What all fields of a row store. */
function storedTexts(model: Model, row: BulkRow, context: Context): Record<string, unknown> {
  const texts: Record<string, unknown> = {}
  for (const field of model.fields)
    Object.assign(texts, storedText(model, field, row.values[field.name], context, row.id))
  return texts
}

/**
 * Writes many new rows at once: rows, links, history, search keys and stamp, as `writeNew` does for one. The values
 * must have been checked (check.ts) and rules that a bulk skips (all but `beforeMany`) must have been met by the caller.
 * `progress` is told how many rows are written.
 */
export async function writeMany(
  model: Model,
  context: Context,
  rows: readonly BulkRow[],
  action: Action = 'import',
  progress?: (written: number) => void,
): Promise<void> {
  const { tx, actor, circumstance, batchId } = context
  const { tenantId } = actor
  // Awaited only where there is one: writers that share a transaction send in the order in which they were asked.
  if (rows.length > 0)
    for (const { beforeMany } of rulesOf(model.entity)) if (beforeMany) await beforeMany(context, rows.length)
  for (let start = 0; start < rows.length; start += chunkSize) {
    const chunk = rows.slice(start, start + chunkSize)
    const sent = [
      insertMany(
        tx,
        model.table,
        chunk.map((row) => ({
          tenant_id: tenantId,
          id: row.id,
          ...storedTexts(model, row, context),
          status: row.status ?? model.entity.status?.default ?? 1,
          ext_id: row.extId ?? null,
          version: 1,
          create_user: actor.userId,
          create_dept: actor.deptId,
          update_user: actor.userId,
          create_time: 'now',
          update_time: 'now',
        })),
      ),
      insertMany(
        tx,
        'history',
        chunk.map((row) => ({
          tenant_id: tenantId,
          id: newId(),
          entity: model.entity.name,
          row_id: row.id,
          version: 1,
          action,
          at: 'now',
          user_id: actor.userId,
          user_name: actor.name,
          request_id: circumstance.requestId,
          batch_id: batchId ?? null,
        })),
      ),
      insertMany(
        tx,
        'search_key',
        chunk.flatMap((row) =>
          keysOfRow(model, row.values, context.cipher, tenantId).map((key) => ({
            tenant_id: tenantId,
            entity: model.findsEntity,
            key,
            row_id: model.entity.finds ? row.values[model.entity.finds] : row.id,
            source_id: row.id,
          })),
        ),
      ),
    ]
    for (const field of model.fields)
      if (field.kind === 'references')
        sent.push(
          insertMany(
            tx,
            field.linkTable!,
            chunk.flatMap((row) =>
              ((row.values[field.name] as string[] | undefined) ?? []).map((target, index) => ({
                tenant_id: tenantId,
                owner_id: row.id,
                target_id: target,
                ord: index + 1,
              })),
            ),
          ),
        )
    await Promise.all(sent)
    progress?.(start + chunk.length)
  }
  if (rows.length > 0) await raiseStamp(tx, tenantId, model.entity.name)
}

/** Makes kept totals of an entity count anew. */
export async function raiseStamp(tx: Tx, tenantId: string, entity: string): Promise<void> {
  await tx.run(
    sql`insert into entity_stamp (tenant_id, entity, slot) values (${tenantId}, ${entity}, ${bulkSlot})
        on conflict (tenant_id, entity, slot) do update set stamp = entity_stamp.stamp + 1`,
  )
}
