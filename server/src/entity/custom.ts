import { holdDefinitions } from '../kernel/custom-definition.ts'
import { type FieldFault, fieldProblem, Problem } from '../kernel/problem.ts'
import type { Values } from './check.ts'
import { customColumn, type Model, type ModelField } from './model.ts'
import type { Context } from './repository.ts'

/*
 * The fields of a tenant's own (contract custom.ts). Their values stand together in one column, by the ids of the fields.
 * A row in the repository has each under the name of its field; the write path knows the column alone, so that history,
 * undo, imports and removals keep all of it, also of fields that are not in use.
 */

type CustomValues = Readonly<Record<string, unknown>>

const valuesIn = (row: Readonly<Record<string, unknown>> | undefined): CustomValues =>
  (row?.[customColumn] as CustomValues | null | undefined) ?? {}

/** What a row of the table, or of the history, holds in a field of a tenant's own. */
export const customValue = (field: ModelField, row: Readonly<Record<string, unknown>>): unknown =>
  valuesIn(row)[field.custom!] ?? null

/** Gives rows as they were read their values under the names of these fields. The column itself stays with `whole` rows. */
export function spreadCustom<R extends Record<string, unknown>>(
  { custom }: Pick<Model, 'custom'>,
  rows: readonly R[],
  wanted: (name: string) => boolean,
  whole = false,
): readonly R[] {
  const fields = custom.filter(({ name }) => wanted(name))
  for (const row of rows) {
    if (fields.length > 0) for (const field of fields) Object.assign(row, { [field.name]: customValue(field, row) })
    if (!whole) delete row[customColumn]
  }
  return rows
}

/**
 * A new row as somebody fills it in, with nothing said of the tenant's own fields that must be filled in and were not: they
 * are then told with whatever else is wrong. What a program or a file brings in goes on without them.
 */
export function withAsked({ custom }: Model, draft: unknown): unknown {
  const missing = custom.filter(({ name, required }) => required && (draft as Values)[name] === undefined)
  return missing.length === 0
    ? draft
    : { ...(draft as Values), ...Object.fromEntries(missing.map(({ name }) => [name, null])) }
}

/** Moves the values of a tenant's own fields into the column that they are parts of; a value of null goes away. */
export function gatherCustom(model: Model, values: Values, before: Values | undefined): void {
  if (model.custom.length === 0) return
  const given = model.custom.filter(({ name }) => name in values)
  if (given.length === 0) return
  const held: Record<string, unknown> = { ...valuesIn(before) }
  for (const { name, custom } of given) {
    const value = values[name]
    if (value === null || value === undefined) delete held[custom!]
    else held[custom!] = value
    delete values[name]
  }
  values[customColumn] = held
}

/**
 * Refuses values of fields that have been taken out of use meanwhile, and options that a field does not offer; a retired
 * one is kept where it stands already and not offered for new choices.
 */
export async function judgeCustom(model: Model, context: Context, changed: Values): Promise<void> {
  const given = model.custom.filter(({ name }) => changed[name] !== undefined && changed[name] !== null)
  if (given.length === 0) return
  const known = new Map(
    (
      await holdDefinitions(
        context.tx,
        context.actor.tenantId,
        given.map(({ custom }) => custom!),
      )
    ).map((each) => [each.id, each]),
  )
  const faults: FieldFault[] = []
  for (const field of given) {
    const definition = known.get(field.custom!)
    if (!definition) throw new Problem('field_unknown', { field: field.name }, { field: field.name, fields: [] })
    if (field.kind !== 'choice') continue
    const offered = definition.options.some(({ key, retired }) => key === changed[field.name] && !retired)
    if (!offered) faults.push(notOffered(field, String(changed[field.name])))
  }
  if (faults.length > 0) throw fieldProblem(faults, context.circumstance.language)
}

const notOffered = ({ name, label }: ModelField, key: string): FieldFault => ({
  field: name,
  label,
  reason: { zh: `“${key}”不是可选的值`, en: `"${key}" is not one of the choices` },
})
