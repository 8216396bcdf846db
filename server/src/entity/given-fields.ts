import type { Words } from '@data-brain/contract'
import { newId } from '../database/id.ts'
import { sql } from '../database/statement.ts'
import type { Model } from './model.ts'
import type { Context } from './repository.ts'
import { nameRef } from './select.ts'
import { keptRow } from './write.ts'

/*
 * What was granted to a row, or taken from it, beside its own fields: menus and scopes of a role, applications of a user
 * or tenant. An entry of the row's history tells it by name, as the names were then; a grant is not undone by it, for
 * whoever grants must hold what is granted.
 */

interface Named {
  readonly id: string
  readonly zh: string
  readonly en: string
}

export interface GivenFields {
  readonly field: string
  readonly label: Words
  readonly removed: readonly Named[]
  readonly added: readonly Named[]
  /** How many stayed. */
  readonly same: number
}

/** The name of the list in a kept row: none that a column can have. */
const listed = '$given'

/** What an entry of the history tells of grants. */
export const givenIn = (before: Readonly<Record<string, unknown>> | null): readonly GivenFields[] =>
  (before?.[listed] as readonly GivenFields[] | undefined) ?? []

/** What came and went between two lists of ids; undefined where nothing did. */
export function givenBetween(
  field: string,
  label: Words,
  before: readonly string[],
  after: readonly string[],
  names: ReadonlyMap<string, Words>,
): GivenFields | undefined {
  const named = (id: string): Named => ({ id, ...(names.get(id) ?? { zh: id, en: id }) })
  const removed = before.filter((id) => !after.includes(id)).map(named)
  const added = after.filter((id) => !before.includes(id)).map(named)
  return removed.length + added.length === 0
    ? undefined
    : { field, label, removed, added, same: before.length - removed.length }
}

/** Records a grant in the history of a row. The row itself stays as it is, and so does its version. */
export async function recordGiven(
  model: Model,
  context: Pick<Context, 'tx' | 'actor' | 'circumstance'>,
  id: string,
  all: readonly (GivenFields | undefined)[],
): Promise<void> {
  const given = all.filter((each) => each !== undefined)
  if (given.length === 0) return
  const { tx, actor, circumstance } = context
  await tx.run(
    sql`insert into history (tenant_id, id, entity, row_id, version, action, user_id, user_name, request_id, before)
        select ${actor.tenantId}, ${newId()}, ${model.entity.name}, o.id, o.version, 'grant', ${actor.userId}, ${actor.name}, ${circumstance.requestId},
          ${keptRow(model, 'o')} || jsonb_build_object(${listed}::text, ${JSON.stringify(given)}::jsonb)
        from ${nameRef(model.table)} o where ${model.platform ? sql`true` : sql`o.tenant_id = ${actor.tenantId}`} and o.id = ${id}`,
  )
}
