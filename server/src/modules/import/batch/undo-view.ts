import { entityOf } from '@data-brain/contract'
import type { Taken, Undone } from '@data-brain/contract/calls/import'
import type { TouchedRows } from '@data-brain/contract/generic'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { type Model, modelOf } from '../../../entity/model.ts'
import { shownOf } from '../../../entity/read-log.ts'
import { nameRef, titleRef } from '../../../entity/select.ts'
import type { Language } from '../../../kernel/problem.ts'
import { markShown, type ShownRow } from '../../../kernel/shown-rows.ts'
import type { Form } from './form.ts'
import { aboutOf, type Mark, namedMost, touchedOf } from './undo-plan.ts'

/*
 * What an undo did, told afterwards: what went back by name, and what others had touched, with what became of that. The
 * batch keeps numbers and ids alone; names are read where they stand, or in the history of what is gone, so that they are
 * nowhere once that is purged.
 */

/** What a batch keeps of its undo. */
export interface Outcome {
  readonly taken: readonly (Pick<Taken, 'entity' | 'removed' | 'restored'> & { readonly held: readonly string[] })[]
  readonly touched: readonly Mark[]
  /** Whether what others had touched stayed; otherwise it went back with the rest. */
  readonly kept: boolean
}

interface Gone {
  readonly id: string
  readonly name: string | null
}

/** The first of the rows that an undo took back, as they were before it. */
const goneOf = (tx: Tx, tenantId: string, batchId: string, model: Model, there: boolean): Promise<Gone[]> =>
  tx.run(
    sql`select t.id, ${titleRef(model)} as name
        from history h cross join lateral jsonb_populate_record(null::${nameRef(model.table)}, h.before) t
        where h.tenant_id = ${tenantId} and h.batch_id = ${batchId} and h.entity = ${model.entity.name} and h.action = 'undo'
          and ${there} = exists (select 1 from history i where i.tenant_id = ${tenantId} and i.batch_id = ${batchId}
            and i.entity = h.entity and i.row_id = h.row_id and i.action = 'import' and i.before is not null)
        order by h.row_id limit ${namedMost}`,
  )

const namesOf = (rows: readonly Gone[]): string[] => rows.flatMap(({ name }) => name ?? [])

/** Rows by their ids, which are still there. */
const stillThere = (tx: Tx, tenantId: string, model: Model, ids: readonly string[]): Promise<Gone[]> =>
  tx.run(
    sql`select t.id, ${titleRef(model)} as name from ${nameRef(model.table)} t
        where t.tenant_id = ${tenantId} and t.id = any(${[...ids]}::bigint[]) order by t.id limit ${namedMost}`,
  )

/** Tells what the undo of a batch did: of what the form is about, and of what was made beside it, by name. */
export async function undoneView(
  form: Form,
  tx: Tx,
  tenantId: string,
  batchId: string,
  { taken, touched, kept }: Outcome,
  language: Language,
): Promise<Undone> {
  const named = new Set([aboutOf(form.undo), ...(form.undo.makes ?? [])].map(({ entity }) => entity.name))
  const shown: ShownRow[] = []
  const told: Undone['taken'][number][] = []
  for (const { entity, removed, restored, held } of taken) {
    const model = modelOf(entityOf(entity))
    const { label, measure } = model.entity
    const [gone, back] = named.has(entity)
      ? [
          removed > 0 ? await goneOf(tx, tenantId, batchId, model, false) : [],
          restored > 0 ? await goneOf(tx, tenantId, batchId, model, true) : [],
        ]
      : [[], []]
    const stays = held.length > 0 ? await stillThere(tx, tenantId, model, held) : []
    shown.push(...[...gone, ...back].flatMap(({ id }) => shownOf(model.entity, {}, 'list', id)))
    told.push({
      ...{ entity, label: label[language], unit: measure, removed, restored, held: held.length },
      ...{ sample: namesOf(gone), restoredSample: namesOf(back), heldSample: namesOf(stays) },
    })
  }
  const others: TouchedRows[] = []
  for (const mark of touched) others.push(await touchedOf(form, tx, tenantId, mark, language))
  return markShown(tx, { taken: told, touched: others, kept }, ...shown)
}
