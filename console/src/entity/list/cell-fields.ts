import { type Entity, entityOf, type Field, isMasked, maskOf, nameOf, traitsOf } from '@data-brain/contract'
import { entityWords } from '../../locales/entity.ts'
import type { ShownRow } from '../data/calls.ts'
import type { EntityClient } from '../data/client.ts'
import { type CellWords, textOf } from '../display/cell.tsx'
import type { FormParts } from '../form/form-fields.tsx'
import type { Cells } from './columns.tsx'

/** The field of a column; the status stands beside the fields and is chosen from a dictionary like them. */
export function fieldOf(entity: Entity, name: string): Field | undefined {
  const own = entity.fields[name]
  if (own || name !== 'status' || !entity.status) return own
  return { kind: 'choice', label: entityWords['entity.status'], dict: entity.status.dict, required: true }
}

interface Page {
  readonly cells: Cells | undefined
  readonly parts: FormParts | undefined
}

/**
 * The field that is changed in a column's cells, where that is possible: people enter it, it fits, and the page has no
 * way of its own to show it or to ask for it.
 */
export function fieldInCell(entity: Entity, name: string, { cells, parts }: Page): Field | undefined {
  const field = fieldOf(entity, name)
  if (!field || field.computed || field.fixed || !traitsOf(field.kind).inCell) return undefined
  if (field.kind === 'reference' && (entityOf(field.to!).isFile || field.to === entity.name)) return undefined
  const special = cells?.[name] || parts?.inputs?.[name] || parts?.shown?.[name] || parts?.of || parts?.seen
  return special ? undefined : field
}

/** A row as it will look once the server has taken a value; other references of the row stay as they are. */
export function withValue(entity: Entity, row: ShownRow, name: string, value: unknown, client: EntityClient): ShownRow {
  const field = fieldOf(entity, name)
  if (!field) return row
  if (field.kind === 'personal' && typeof value === 'string' && !isMasked(value))
    return { ...row, [name]: maskOf(value) }
  if (field.kind !== 'reference' || !field.to) return { ...row, [name]: value }
  const shown = value === null ? null : (client.nameOf(field.to, String(value)) ?? String(value))
  return { ...row, [name]: value, [nameOf(name)]: shown }
}

/** Only what a field shows of a row. */
export const partOf = (row: ShownRow, name: string): Readonly<Record<string, unknown>> => ({
  [name]: row[name],
  ...(nameOf(name) in row ? { [nameOf(name)]: row[nameOf(name)] } : {}),
})

/** What a row's field says in words; a number that is known in part stays masked. */
export function saidBy(entity: Entity, row: ShownRow, name: string, words: CellWords): string {
  const field = fieldOf(entity, name)
  return field ? textOf(field, row[name], words, row[nameOf(name)], row) : ''
}
