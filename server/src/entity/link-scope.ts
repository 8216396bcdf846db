import { codeOf, nameOf } from '@data-brain/contract'
import { Problem } from '../kernel/problem.ts'
import type { Values } from './check.ts'
import { bindingCodes } from './choice-access.ts'
import { type Model, type ModelField, modelOf } from './model.ts'
import { subjectColumn } from './read-log.ts'
import { type Context, Repository, type WireRow } from './repository.ts'

/*
 * What a row points at, for an actor who works with a part of it: a pupil whom somebody may not see is not named by a
 * list that the pupil is in, and what cannot be chosen cannot be sent by its id.
 */

/** Of these ids, those of rows that the actor reaches by one of the codes; undefined where the actor reaches all rows. */
async function reachedOf(
  model: Model,
  context: Context,
  ids: readonly string[],
  codes: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const rows = new Repository(model.entity, context)
  if ((await rows.reach(codes)) === undefined) return undefined
  // What points at rows of its own kind is asked about them in turn, until there are none.
  if (ids.length === 0) return new Set()
  return new Set((await rows.rows(ids, [], { codes })).map((row) => row.id))
}

/** The lists of pupils in the rows of an entity. */
const childLists = (model: Model): readonly ModelField[] =>
  model.fields.filter((field) => field.kind === 'references' && field.target && subjectColumn(field.target) === 'id')

/** What the rows of an entity point at that is named to those alone who reach it: pupils in lists, and what it guards. */
const guarded = (model: Model): readonly ModelField[] => [
  ...childLists(model),
  ...(model.entity.guards ?? []).map((name) => model.byName.get(name)!),
]

/** By which codes somebody reaches what such a field names; undefined for who may know of all. */
const namingCodes = (model: Model, { target, name }: ModelField, { actor }: Context): readonly string[] | undefined =>
  model.entity.guards?.includes(name) ? bindingCodes(target!, actor) : [codeOf(target!, 'view')]

/** Nobody without a scope is kept from anything by one. */
const isWhole = ({ unscoped, actor }: Context): boolean =>
  unscoped === true || actor.roles.every(({ scopes }) => scopes.length === 0)

const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]).map(String)

/** Whether rows of an entity are looked at again before they are answered, for what they point at. */
export const namesGuarded = (model: Model, context: Context): boolean =>
  childLists(model).length > 0 ||
  (guarded(model).length > 0 && !isWhole(context)) ||
  (!context.unscoped && guarded(model).some(({ target }) => modelOf(target!).entity.drafted))

/** Takes out of rows whom and what they point at that the actor does not reach. */
export async function withReached<R extends WireRow>(
  model: Model,
  context: Context,
  rows: readonly R[],
): Promise<readonly R[]> {
  let shown = rows
  for (const field of context.unscoped ? [] : guarded(model)) {
    const listed = (row: R): string[] => idsOf(row[field.name])
    const target = modelOf(field.target!)
    const codes = namingCodes(model, field, context)
    const reached = codes && (await reachedOf(target, context, shown.flatMap(listed), codes))
    if (!reached) continue
    const names = nameOf(field.name)
    shown = shown.map((row) => {
      const kept = listed(row).map((id) => reached.has(id))
      const part = (value: unknown): unknown =>
        Array.isArray(value) ? value.filter((_, at) => kept[at]) : kept[0] === false ? null : value
      return {
        ...row,
        ...(field.name in row ? { [field.name]: part(row[field.name]) } : {}),
        ...(names in row ? { [names]: part(row[names]) } : {}),
      }
    })
  }
  return shown
}

/** Takes whom and what the actor does not reach out of what was changed in such a field. */
export async function keepReached(
  model: Model,
  context: Context,
  changes: readonly { field: string; before: unknown; after: unknown }[],
): Promise<void> {
  for (const field of context.unscoped ? [] : guarded(model)) {
    const found = changes.filter((change) => change.field === field.name)
    const ids = found.flatMap(({ before, after }) => [...idsOf(before), ...idsOf(after)])
    const target = modelOf(field.target!)
    const codes = namingCodes(model, field, context)
    const reached = ids.length > 0 && codes && (await reachedOf(target, context, ids, codes))
    if (!reached) continue
    const part = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.filter((id) => reached.has(id))
        : idsOf(value).every((id) => reached.has(id))
          ? value
          : null
    for (const change of found) Object.assign(change, { before: part(change.before), after: part(change.after) })
  }
}

/**
 * Refuses references to rows that the actor could not have chosen, and puts those back that the actor does not see and so
 * could not send.
 */
export async function judgeLinks(
  model: Model,
  context: Context,
  values: Values,
  before: Values | undefined,
): Promise<void> {
  if (isWhole(context)) return
  const hidden = guarded(model)
  for (const field of model.fields) {
    if (!field.target || field.ofPlatform || !(field.name in values)) continue
    const held = idsOf(before?.[field.name])
    const sent = idsOf(values[field.name])
    const added = sent.filter((id) => !held.includes(id))
    const target = modelOf(field.target)
    if (added.length > 0) {
      const codes = bindingCodes(target.entity, context.actor)
      const reached = codes && (await reachedOf(target, context, added, codes))
      if (reached && added.some((id) => !reached.has(id)))
        throw new Problem('reference_unknown', { label: field.label }, { field: field.name, fields: [] })
    }
    if (!hidden.includes(field) || held.length === 0) continue
    const codes = namingCodes(model, field, context)
    const seen = codes && (await reachedOf(target, context, held, codes))
    if (!seen) continue
    if (field.kind === 'references')
      values[field.name] = [...sent, ...held.filter((id) => !seen.has(id) && !sent.includes(id))]
    else if (sent.length === 0 && !seen.has(held[0]!)) values[field.name] = held[0]
  }
}
