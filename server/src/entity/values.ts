import { entityOf, nameOf, titledWith } from '@data-brain/contract'
import { type NamedRow, namedIn } from '@data-brain/contract/rules/values'
import { Problem } from '../kernel/problem.ts'
import { bindingCodes } from './choice-access.ts'
import { choicesOf } from './choices.ts'
import { type Model, type ModelField, modelOf } from './model.ts'
import { pageSizeMax } from './paging.ts'
import { type Context, Repository, type WireRow } from './repository.ts'

/*
 * Json values that name rows: their names travel beside them, so that everybody who shows a value can say it in words.
 */

/** Names of rows by their ids, as they travel beside a json value. */
export type RowNames = Readonly<Record<string, string>>

/** The json fields of an entity that name rows of others. */
const naming = (model: Model): readonly ModelField[] => model.fields.filter((field) => field.of !== undefined)

/** Whether one of these columns, or of those that a list always answers, mentions rows whose names are then asked for. */
export const mentionsRows = (model: Model, columns: readonly string[]): boolean =>
  naming(model).some(({ name }) => columns.includes(name) || model.entity.list.includes(name))

/** The fields that say of what entity the ids in these fields are. */
export const decidingFields = (model: Model, names: readonly string[]): string[] =>
  naming(model).flatMap((field) =>
    names.includes(field.name) && typeof field.of === 'object' && !names.includes(field.of.by) ? [field.of.by] : [],
  )

/** The names of rows, as far as the actor may choose them: what is beyond that stays unnamed. */
export async function namesOf(context: Context, named: readonly NamedRow[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, Set<string>>()
  for (const { to, id } of named) ids.set(to, (ids.get(to) ?? new Set()).add(id))
  const names = new Map<string, string>()
  for (const [to, wanted] of ids) {
    const entity = entityOf(to)
    const codes = bindingCodes(entity, context.actor)
    const reach = codes && (await new Repository(entity, context).reach(codes))
    const all = [...wanted]
    for (let at = 0; at < all.length; at += pageSizeMax) {
      const some = all.slice(at, at + pageSizeMax).join(',')
      for (const { id, name, beside } of await choicesOf(modelOf(entity), context, { ids: some }, reach))
        names.set(`${to}|${id}`, titledWith(name, beside, context.circumstance.language))
    }
  }
  return names
}

/** Those of `names` that a value mentions; undefined where it mentions none. */
export function pick(named: readonly NamedRow[], names: ReadonlyMap<string, string>): RowNames | undefined {
  const own = named.flatMap(({ to, id }) => {
    const name = names.get(`${to}|${id}`)
    return name === undefined ? [] : [[id, name] as const]
  })
  return named.length === 0 ? undefined : Object.fromEntries(own)
}

/** Puts beside json values the names of the rows that they mention. */
export async function withNames<R extends WireRow>(
  model: Model,
  context: Context,
  rows: readonly R[],
): Promise<readonly R[]> {
  const fields = naming(model)
  const found = rows.flatMap((row) =>
    fields.flatMap((field) => {
      const named = namedIn(field, row[field.name], row)
      return named.length === 0 ? [] : [{ row, field, named }]
    }),
  )
  if (found.length === 0) return rows
  const names = await namesOf(
    context,
    found.flatMap(({ named }) => named),
  )
  for (const { row, field, named } of found) Object.assign(row, { [nameOf(field.name)]: pick(named, names) })
  return rows
}

/**
 * Refuses json values that mention rows which are not there, or which the actor could not have chosen. What a value
 * targets is judged by the rules of its entity.
 */
export async function judgeNamed(
  model: Model,
  context: Context,
  values: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> | undefined,
): Promise<void> {
  for (const field of naming(model)) {
    if (!(field.name in values) || field.as === 'targets') continue
    const old = new Set(namedIn(field, before?.[field.name], before ?? {}).map(({ id }) => id))
    const added = namedIn(field, values[field.name], { ...before, ...values }).filter(({ id }) => !old.has(id))
    if (added.length === 0) continue
    const names = await namesOf(context, added)
    if (added.some(({ to, id }) => !names.has(`${to}|${id}`)))
      throw new Problem('reference_unknown', { label: field.label }, { field: field.name, fields: [] })
  }
}
