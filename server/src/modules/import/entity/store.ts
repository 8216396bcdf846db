import { entityOf, schoolclass, type Words } from '@data-brain/contract'
import type { EntityForm } from '@data-brain/contract/import/entity-form'
import { newId } from '../../../database/id.ts'
import type { Tx } from '../../../database/transaction.ts'
import { type BulkRow, writeMany } from '../../../entity/bulk.ts'
import { gatherCustom } from '../../../entity/custom.ts'
import { type Context, Repository } from '../../../entity/repository.ts'
import { judgeSaving, rulesOf } from '../../../entity/rules.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { Progress } from '../../jobs/index.ts'
import { type Batch, loadRows } from '../batch/batch.ts'
import { refuseChanged } from '../batch/commit-job.ts'
import type { FormJob, StoredBatch } from '../batch/form.ts'
import { rowWords } from '../batch/row-words.ts'
import { makeClasses } from '../student/classes.ts'
import { benchOf, judgeEntityRows, modelOfForm } from './judge.ts'

const portion = 200

/**
 * Stores the rows of a batch as saves by hand would: every rule of the entity holds. New rows are asked one by one of
 * what looks before a save, and written many at once unless something follows each save. What they need and does
 * not exist is made first; classes that somebody chose to make, and floors and subjects as they come.
 */
export async function storeRows(
  form: EntityForm,
  job: FormJob,
  batch: Batch,
  tx: Tx,
  progress: Progress,
): Promise<StoredBatch> {
  const { tenantId, batchId, services, actor, circumstance } = job
  const context: Context = { tx, actor, circumstance, cipher: services.cipher, batchId, unscoped: true }
  await makeClasses(context, batch)
  const bench = await benchOf(form, context, batch)
  const model = modelOfForm(form)
  const atOnce = rulesOf(model.entity).every(({ afterSave }) => !afterSave)
  const rowsOf = new Repository(model.entity, context)
  const classes = new Repository(schoolclass, context)
  const states = bench.update ? (['good', 'duplicate'] as const) : (['good'] as const)
  const made = new Set<string>()
  let done = 0
  let stored = 0
  for (let after = 0; ; ) {
    const rows = await loadRows(tx, services.cipher, tenantId, batchId, { after, states, limit: portion })
    if (rows.length === 0) break
    const judged = await judgeEntityRows(bench, rows)
    refuseChanged(judged, rows, batch.settings.runs)
    for (const make of bench.makes.needed) {
      if (made.has(make.id)) continue
      made.add(make.id)
      await new Repository(entityOf(make.entity), context).add(make.draft, make.id)
    }
    const added: BulkRow[] = []
    for (const { no, items, heads } of judged)
      try {
        for (const { id, values } of items) {
          if (!id && atOnce) {
            const saving = { context, id: newId(), before: undefined, values: { ...values }, whole: values }
            gatherCustom(rowsOf.model, saving.values, undefined)
            await judgeSaving(model.entity, saving)
            added.push(saving)
          } else if (!id) {
            await rowsOf.add(values, newId())
            stored += 1
          } else if (bench.update) await rowsOf.edit(id, values)
        }
        for (const { classId, userId } of heads) await classes.edit(classId, { headTeacherId: userId })
      } catch (problem) {
        if (problem instanceof Problem) throw inRow(rowWords(batch.settings.runs, [no]), problem)
        throw problem
      }
    await writeMany(model, context, added)
    stored += added.length
    after = rows.at(-1)?.no ?? after
    done += rows.length
    await progress(done)
  }
  return { done, settings: { stored, makes: bench.makes.needed.map(({ name }) => name) } }
}

/** What a rule refused, with the row of the file. */
const inRow = ({ zh, en }: Words, problem: Problem): Problem =>
  new Problem('rule_broken', {
    reason: { zh: `${zh}：${problem.words('zh')}`, en: `In ${en}: ${problem.words('en')}` },
  })
