import { entityOf } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { type Model, pointersAt } from '../../entity/model.ts'
import { mustReachAll } from '../../entity/scopes-of-role.ts'
import { nameRef, titleRef } from '../../entity/select.ts'
import { refuseTouched as refuse, type Touched } from '../../entity/touched.ts'
import { addBatchWork } from '../jobs/index.ts'
import { batchOf } from './batch.ts'
import { hasLostLinks, removeMany, restoreMany } from './change-many.ts'
import type { Form, Written } from './form.ts'

const shown = 5
/** Rows that are taken back between two signs of life. */
const portion = 1_000

/** What a batch wrote, by entity. Asked once and handed on: the planner knows nothing yet of a history that is new. */
async function rowsOf(tx: Tx, tenantId: string, batchId: string): Promise<ReadonlyMap<string, readonly Written[]>> {
  const rows = new Map<string, Written[]>()
  for (const { entity, ...row } of await tx.run<Written & { entity: string }>(
    sql`select entity, row_id as id, version, before is null as added from history where tenant_id = ${tenantId} and batch_id = ${batchId} and action = 'import' order by row_id`,
  )) {
    const held = rows.get(entity)
    if (held) held.push(row)
    else rows.set(entity, [row])
  }
  return rows
}

/**
 * What others have done since to the rows of a batch: changed or removed them or what they were linked to before,
 * or pointed something new at its students or users. Empty where the batch can be undone.
 */
export async function touchedSince(
  form: Form,
  tx: Tx,
  tenantId: string,
  batchId: string,
  language: 'zh' | 'en',
): Promise<Touched[]> {
  const batch = await rowsOf(tx, tenantId, batchId)
  const touched: Touched[] = []
  const tell = (entity: string, own: boolean, rows: readonly { name: string | null; count: number }[]): void => {
    const [first] = rows
    if (first)
      touched.push({
        entity,
        label: entityOf(entity).label[language],
        count: first.count,
        sample: rows.map((row) => row.name ?? ''),
        own,
      })
  }
  const { order, changed = [] } = form.undo
  for (const model of [...order, ...changed]) {
    const rows = (batch.get(model.entity.name) ?? []).filter((row) => !row.added || order.includes(model))
    if (rows.length === 0) continue
    tell(
      model.entity.name,
      true,
      await tx.run(
        sql`select ${titleRef(model)} as name, u.count from (
              select w.id, count(*) over ()::int as count
              from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.version)}::int[]) w(id, version)
              left join ${nameRef(model.table)} t on t.tenant_id = ${tenantId} and t.id = w.id
              where t.id is null or t.version <> w.version or exists (
                select 1 from history h where h.tenant_id = ${tenantId} and h.batch_id = ${batchId} and h.entity = ${model.entity.name} and h.row_id = w.id
                  and h.action = 'import' and ${hasLostLinks(model)}) limit ${shown}
            ) u left join ${nameRef(model.table)} t on t.tenant_id = ${tenantId} and t.id = u.id`,
      ),
    )
  }
  const about = form.undo.order.at(-1)?.entity.name ?? ''
  const added = (batch.get(about) ?? []).filter((row) => row.added).map((row) => row.id)
  tell(about, true, (await form.undo.usedSince?.(tx, tenantId, added)) ?? [])
  for (const { model, field } of pointersAt(about)) {
    const own = (batch.get(model.entity.name) ?? []).map((row) => row.id)
    const at = field.kind === 'reference' ? sql`t.${nameRef(field.column)}` : sql`l.target_id`
    const from =
      field.kind === 'reference'
        ? sql`${nameRef(model.table)} t`
        : sql`${nameRef(field.linkTable ?? '')} l join ${nameRef(model.table)} t on t.tenant_id = l.tenant_id and t.id = l.owner_id`
    tell(
      model.entity.name,
      false,
      await tx.run(
        sql`select ${titleRef(model)} as name, u.count from (
              select t.id, count(*) over ()::int as count from ${from}
              where t.tenant_id = ${tenantId} and ${at} = any(${added}::bigint[]) and t.id <> all(${own}::bigint[]) limit ${shown}
            ) u join ${nameRef(model.table)} t on t.tenant_id = ${tenantId} and t.id = u.id`,
      ),
    )
  }
  return touched
}

const since = { after: { zh: '导入之后', en: 'the import' }, labels: (name: string) => entityOf(name).label }

/** Refuses an undo of rows that somebody has touched since the import, as `entity/touched.ts` does. */
export const refuseTouched = (found: readonly Touched[], changed: boolean): void => refuse(found, changed, since)

/** Takes a whole batch back: added rows go, changed rows are as they were. */
export function addUndoing(form: Form): void {
  addBatchWork(form.kind, 'undoing', form.code, async (job, tx, progress) => {
    const { tenantId, batchId, services, actor, circumstance, input } = job
    mustReachAll(actor, form.entities, [form.code])
    const context = { tx, actor, circumstance, cipher: services.cipher, batchId }
    const { order, changed = [], begin } = form.undo
    const batch = await rowsOf(tx, tenantId, batchId)
    const idsOf = (model: Model, added?: boolean): string[] =>
      (batch.get(model.entity.name) ?? [])
        .filter((row) => added === undefined || row.added === added)
        .map((row) => row.id)
    // Nobody changes a row of the batch between the look and the deed.
    for (const model of [...order, ...changed])
      await tx.run(
        sql`select 1 from ${nameRef(model.table)} t where t.tenant_id = ${tenantId} and t.id = any(${idsOf(model)}::bigint[]) order by t.id for update of t`,
      )
    refuseTouched(await touchedSince(form, tx, tenantId, batchId, circumstance.language), input.changed === true)
    const end = await begin(context, await batchOf(tx, tenantId, form, batchId), batch)
    let done = 0
    for (const model of [...order, ...changed]) {
      for (const [ids, work] of [
        [changed.includes(model) ? [] : idsOf(model, true), removeMany],
        [idsOf(model, false), restoreMany],
      ] as const)
        for (let start = 0; start < ids.length; start += portion) {
          const chunk = ids.slice(start, start + portion)
          await work(model, context, chunk)
          done += chunk.length
          await progress(done)
        }
    }
    await end()
    // What an import of users keeps to be told once is of no use any more.
    await tx.run(sql`delete from import_row where tenant_id = ${tenantId} and batch_id = ${batchId}`)
    await tx.run(
      sql`update import_batch set state = 'undone', settings = settings - 'passwords', progress = 0, failure = null, update_time = now() where tenant_id = ${tenantId} and id = ${batchId}`,
    )
    return { rows: done }
  })
}
