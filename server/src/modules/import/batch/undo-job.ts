import { entityOf } from '@data-brain/contract'
import { sql } from '../../../database/statement.ts'
import type { Model } from '../../../entity/model.ts'
import { refuseTouched as refuse } from '../../../entity/refuse-touched.ts'
import { nameRef } from '../../../entity/select.ts'
import { Problem } from '../../../kernel/problem.ts'
import { addBatchWork } from '../../jobs/index.ts'
import { batchOf } from './batch.ts'
import { removeMany, restoreMany } from './change-many.ts'
import type { Form } from './form.ts'
import { mustImportAll } from './import-access.ts'
import {
  countStaying,
  modelsOf,
  takenRows,
  touchedSince,
  type UndoFindings,
  unusedMade,
  withoutStaying,
  writtenBy,
} from './undo-plan.ts'
import type { Outcome } from './undo-view.ts'

/** Rows that are taken back between two signs of life. */
const portion = 1_000

const since = { after: { zh: '导入之后', en: 'the import' }, labels: (name: string) => entityOf(name).label }

/**
 * Refuses an undo of rows that somebody has touched since the import, as `entity/touched.ts` does. Whoever takes back
 * what was changed as well (`changed`) does so for what was `seen`, where that is said.
 */
export const refuseTouched = (found: Pick<UndoFindings, 'touched' | 'seen'>, changed: boolean, seen?: unknown): void =>
  refuse(found.touched, changed && (typeof seen !== 'string' || seen === found.seen), since)

/**
 * Takes a batch back: added rows go, changed rows are as they were, and what was made for them goes unless somebody
 * uses it. Told to keep what others have touched since, it leaves those rows with all that belongs to them.
 */
export function addUndoing(form: Form): void {
  addBatchWork(form.kind, 'undoing', form.code, async (job, tx, progress) => {
    const { tenantId, batchId, services, actor, circumstance, input } = job
    mustImportAll(form, actor)
    const context = { tx, actor, circumstance, cipher: services.cipher, batchId }
    const { order, changed = [], makes = [], begin } = form.undo
    const written = await writtenBy(tx, tenantId, batchId)
    // Nobody changes a row of the batch between the look and the deed.
    for (const model of modelsOf(form.undo))
      await tx.run(
        sql`select 1 from ${nameRef(model.table)} t where t.tenant_id = ${tenantId} and t.id = any(${(written.get(model.entity.name) ?? []).map(({ id }) => id)}::bigint[]) order by t.id for update of t`,
      )
    const found = await touchedSince(form, tx, tenantId, batchId, written, circumstance.language)
    if (input.keep !== true) refuseTouched(found, input.changed === true, input.seen)
    const rows = input.keep === true ? await withoutStaying(form, tx, tenantId, written, found.staying) : written
    const idsOf = (model: Model, added: boolean): string[] =>
      (rows.get(model.entity.name) ?? []).filter((row) => row.added === added).map((row) => row.id)
    if (input.keep === true && modelsOf(form.undo).every((model) => !rows.get(model.entity.name)?.length))
      throw new Problem('rule_broken', {
        reason: {
          zh: '这批数据导入之后都有改动，没有可以撤销的',
          en: 'Everything of this import was changed since: nothing is left to undo',
        },
      })
    const taken = await takenRows(form, tx, tenantId, rows)
    const outcome: Outcome = {
      taken: taken.map(({ made: _made, ...each }) => each),
      ...{ touched: found.marks, kept: input.keep === true },
    }
    const end = await begin?.(context, await batchOf(tx, tenantId, form, batchId), rows)
    let done = 0
    for (const model of [...order, ...changed]) {
      for (const [ids, work] of [
        [order.includes(model) ? idsOf(model, true) : [], removeMany],
        [idsOf(model, false), restoreMany],
      ] as const)
        for (let start = 0; start < ids.length; start += portion) {
          const chunk = ids.slice(start, start + portion)
          await work(model, context, chunk)
          done += chunk.length
          await progress(done)
        }
    }
    for (const model of makes) await removeMany(model, context, await unusedMade(tx, tenantId, model, rows, new Map()))
    await end?.()
    // What an import of users keeps to be told once is of no use any more.
    await tx.run(sql`delete from import_row where tenant_id = ${tenantId} and batch_id = ${batchId}`)
    const stayed = JSON.stringify({ stayed: countStaying(form, written, rows), outcome })
    await tx.run(
      sql`update import_batch set state = 'undone', settings = settings - 'passwords' || ${stayed}::jsonb, progress = 0, failure = null, update_time = now() where tenant_id = ${tenantId} and id = ${batchId}`,
    )
    return { rows: done }
  })
}
