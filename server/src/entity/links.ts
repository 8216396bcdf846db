import { codeOf, nameOf } from '@data-brain/contract'
import { Problem } from '../kernel/problem.ts'
import type { Values } from './check.ts'
import { bindingCodes } from './choosers.ts'
import { type Model, type ModelField, modelOf } from './model.ts'
import { childColumn } from './read-log.ts'
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
  return new Set((await rows.rows(ids, [], { codes })).map((row) => row.id))
}

/** The lists of pupils in the rows of an entity. */
const childLists = (model: Model): readonly ModelField[] =>
  model.fields.filter((field) => field.kind === 'references' && field.target && childColumn(field.target) === 'id')

const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]).map(String)

/** Whether rows of an entity list pupils, so that they are looked at again before they are answered. */
export const listsChildren = (model: Model): boolean => childLists(model).length > 0

/** Takes those pupils out of the lists in rows whom the actor does not reach. */
export async function withReached<R extends WireRow>(
  model: Model,
  context: Context,
  rows: readonly R[],
): Promise<readonly R[]> {
  let shown = rows
  for (const field of context.unscoped ? [] : childLists(model)) {
    const listed = (row: R): string[] => idsOf(row[field.name])
    const target = modelOf(field.target!)
    const reached = await reachedOf(target, context, shown.flatMap(listed), [codeOf(target.entity, 'view')])
    if (!reached) continue
    const names = nameOf(field.name)
    shown = shown.map((row) => {
      const kept = listed(row).map((id) => reached.has(id))
      const part = (value: unknown): unknown => (Array.isArray(value) ? value.filter((_, at) => kept[at]) : value)
      return { ...row, [field.name]: part(row[field.name]), [names]: part(row[names]) }
    })
  }
  return shown
}

/** Takes pupils whom the actor does not reach out of what was changed in such a list. */
export async function keepReached(
  model: Model,
  context: Context,
  changes: readonly { field: string; before: unknown; after: unknown }[],
): Promise<void> {
  for (const field of context.unscoped ? [] : childLists(model)) {
    const found = changes.filter((change) => change.field === field.name)
    const ids = found.flatMap(({ before, after }) => [...idsOf(before), ...idsOf(after)])
    const target = modelOf(field.target!)
    const reached = ids.length > 0 && (await reachedOf(target, context, ids, [codeOf(target.entity, 'view')]))
    if (!reached) continue
    const part = (value: unknown): unknown => (Array.isArray(value) ? value.filter((id) => reached.has(id)) : value)
    for (const change of found) Object.assign(change, { before: part(change.before), after: part(change.after) })
  }
}

/**
 * Refuses references to rows that the actor could not have chosen, and puts those of a list back that the actor does not
 * see and so could not send.
 */
export async function judgeLinks(
  model: Model,
  context: Context,
  values: Values,
  before: Values | undefined,
): Promise<void> {
  if (context.unscoped || context.actor.roles.every((role) => role.scopes.length === 0)) return
  const children = childLists(model)
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
    if (!children.includes(field) || held.length === 0) continue
    const seen = await reachedOf(target, context, held, [codeOf(target.entity, 'view')])
    if (seen) values[field.name] = [...sent, ...held.filter((id) => !seen.has(id) && !sent.includes(id))]
  }
}
