import { kinds } from '../database/kinds.ts'
import { sql } from '../database/statement.ts'
import type { Values } from './check.ts'
import { customValue } from './custom.ts'
import type { Model, ModelField } from './model.ts'
import type { Context } from './repository.ts'
import { nameRef } from './select.ts'
import { type CreationFacts, keptRow } from './write.ts'

/** A row as the history keeps it: by column as it is stored, and lists of references as ids. */
export type KeptRow = Readonly<Record<string, unknown>>

/** The rows of a tenant, or those that all share, in a statement on `t`. */
const mine = (model: Model, context: Pick<Context, 'actor'>) =>
  model.platform ? sql`true` : sql`t.tenant_id = ${context.actor.tenantId}`

/** A row as it now stands, in the form in which the history keeps it; `lock` holds it for the transaction. */
export async function rowNow(
  model: Model,
  context: Pick<Context, 'tx' | 'actor'>,
  id: string,
  lock = false,
): Promise<KeptRow | undefined> {
  const found = await context.tx.one<{ row: KeptRow }>(
    sql`select ${keptRow(model, 't')} as row from ${nameRef(model.table)} t where ${mine(model, context)} and t.id = ${id} ${nameRef(lock ? 'for update of t' : '')}`,
  )
  return found?.row
}

/** Two seals of one text differ, so encrypted numbers are compared by their keyed hashes. */
const judgedBy = (field: ModelField): string => (field.kind === 'personal' ? `${field.column}_hash` : field.column)

/** Whether a field has another value in the later of two states; what one of them does not know is no difference. */
export function isChanged(field: ModelField, before: KeptRow, after: KeptRow): boolean {
  if (field.custom !== undefined)
    return (
      field.column in before &&
      field.column in after &&
      JSON.stringify(customValue(field, before)) !== JSON.stringify(customValue(field, after))
    )
  const judged = judgedBy(field)
  if (!(judged in before) || !(judged in after)) return false
  return JSON.stringify(before[judged] ?? null) !== JSON.stringify(after[judged] ?? null)
}

/** The plain value of a field in a kept row, as a draft carries it; undefined where the row does not know it. */
export function plainOf(model: Model, field: ModelField, row: KeptRow, context: Context, id: string): unknown {
  if (field.custom !== undefined) return field.column in row ? customValue(field, row) : undefined
  const value = row[field.column]
  if (value === undefined || value === null) return value
  // jsonb shows bytes as \x…; the place is the one that they were sealed for.
  if (field.kind === 'personal' || field.kind === 'secret')
    return context.cipher.open(Buffer.from(String(value).slice(2), 'hex'), {
      table: model.table,
      column: field.column,
      tenantId: context.actor.tenantId,
      id,
    })
  return kinds[field.kind].plain?.(value) ?? value
}

/** The plain values of these fields in a kept row. */
export function plainValues(
  model: Model,
  fields: readonly ModelField[],
  row: KeptRow,
  context: Context,
  id: string,
): Values {
  const values: Values = {}
  for (const field of fields) {
    const value = plainOf(model, field, row, context, id)
    if (value !== undefined) values[field.name] = value
  }
  return values
}

/** The states that stand beside the fields of a kept row. */
export const statesOf = (row: KeptRow): { status: number; extId: string | null } => ({
  status: Number(row.status),
  extId: (row.ext_id as string | null) ?? null,
})

/** What a row that comes back has had from its beginning; its versions go on where they ended. */
export const bornOf = (row: KeptRow, lastVersion: number): CreationFacts => ({
  version: lastVersion + 1,
  create_user: row.create_user ?? null,
  create_dept: row.create_dept ?? null,
  create_time: row.create_time,
})
