import { type Entity, entityOf } from '@data-brain/contract'
import { reachesAll } from '../../../entity/scopes-of-role.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { Call } from '../../../kernel/route.ts'
import { type Batch, batchOf } from './batch.ts'
import type { Form } from './form.ts'

/*
 * A file judges any row of what it is about, and its cells are looked up among all rows that they may name: whoever works
 * with a part of these brings none in, and is shown none, nor what was learned of one. Of their own they know that they
 * brought it in, and may drop it.
 */

const known = new Map<Form['kind'], readonly Entity[]>()

/** What a file of a form is about, is looked up in, and makes along. */
function entitiesOf({ kind, entities, columns, models, undo: { changed = [], makes = [] } }: Form): readonly Entity[] {
  const found =
    known.get(kind) ??
    [
      ...new Set([
        ...entities.map(({ name }) => name),
        ...columns.flatMap(({ part, field }) => models[part]?.byName.get(field)?.to ?? []),
        ...[...changed, ...makes].map(({ entity }) => entity.name),
      ]),
    ].map(entityOf)
  known.set(kind, found)
  return found
}

/** Whether an actor works with all rows that a file of the form may be about. */
export const importsAll = (form: Form, actor: Actor): boolean => reachesAll(actor, entitiesOf(form), [form.code])

/** Refuses whoever works with a part of the rows only. */
export function mustImportAll(form: Form, actor: Actor): void {
  if (!importsAll(form, actor)) throw new Problem('out_of_scope')
}

/** The batch of a call, for whoever works with all that it may be about; with `lock` held until the call ends. */
export function batchFor(
  { tx, actor }: Pick<Call, 'tx' | 'actor'>,
  form: Form,
  id: string,
  lock = false,
): Promise<Batch> {
  mustImportAll(form, actor)
  return batchOf(tx, actor.tenantId, form, id, lock)
}

/** The batch of a call that ends it: one's own is one's own, whatever one works with by now. */
export async function droppableBatch(
  { tx, actor }: Pick<Call, 'tx' | 'actor'>,
  form: Form,
  id: string,
): Promise<Batch> {
  const all = importsAll(form, actor)
  const batch = await batchOf(tx, actor.tenantId, form, id, true)
  if (!all && (batch.user_id === null || batch.user_id !== actor.userId)) throw new Problem('not_found')
  return batch
}
