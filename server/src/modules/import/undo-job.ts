import { type Entity, entityOf, studentclass } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { type Model, modelOf, pointersAt } from '../../entity/model.ts'
import { nameRef, titleRef } from '../../entity/select.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Batch } from './batch.ts'
import { removeMany, restoreMany } from './change-many.ts'
import { countClasses } from './commit-job.ts'
import { type Job, startJob } from './jobs.ts'
import { models } from './row.ts'

/** The tables of a batch, each before those it points at. */
const order: readonly Model[] = [modelOf(studentclass as Entity), models.member1, models.detail, models.student]

/** What stands in the way of an undo: rows that somebody has touched since. */
export interface Touched {
  readonly entity: string
  readonly label: string
  readonly count: number
  readonly sample: string[]
  /** Rows of the batch itself, changed since: whoever undoes may take them back too, knowing which they are. */
  readonly own: boolean
}

const shown = 5
/** Rows that are taken back between two signs of life. */
const portion = 1_000

interface BatchRow {
  readonly id: string
  readonly version: number
  readonly added: boolean
}

/** What a batch wrote, by entity. Asked once and handed on: the planner knows nothing yet of a history that is new. */
async function rowsOf(tx: Tx, tenantId: string, batchId: string): Promise<ReadonlyMap<string, readonly BatchRow[]>> {
  const rows = new Map<string, BatchRow[]>()
  for (const { entity, ...row } of await tx.run<BatchRow & { entity: string }>(
    sql`select entity, row_id as id, version, before is null as added from history where tenant_id = ${tenantId} and batch_id = ${batchId} and action = 'import' order by row_id`,
  )) {
    const held = rows.get(entity)
    if (held) held.push(row)
    else rows.set(entity, [row])
  }
  return rows
}

/**
 * What others have done since to the rows of a batch: changed or removed them, or pointed something new at its
 * students. Empty where the batch can be undone.
 */
export async function touchedSince(
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
  for (const model of order) {
    const rows = batch.get(model.entity.name) ?? []
    if (rows.length === 0) continue
    tell(
      model.entity.name,
      true,
      await tx.run(
        sql`select ${titleRef(model)} as name, u.count from (
              select w.id, count(*) over ()::int as count
              from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.version)}::int[]) w(id, version)
              left join ${nameRef(model.table)} t on t.tenant_id = ${tenantId} and t.id = w.id where t.id is null or t.version <> w.version limit ${shown}
            ) u left join ${nameRef(model.table)} t on t.tenant_id = ${tenantId} and t.id = u.id`,
      ),
    )
  }
  const students = (batch.get('student') ?? []).filter((row) => row.added).map((row) => row.id)
  for (const { model, field } of pointersAt('student')) {
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
              where t.tenant_id = ${tenantId} and ${at} = any(${students}::bigint[]) and t.id <> all(${own}::bigint[]) limit ${shown}
            ) u join ${nameRef(model.table)} t on t.tenant_id = ${tenantId} and t.id = u.id`,
      ),
    )
  }
  return touched
}

/**
 * Refuses an undo of rows that somebody has touched, with their names. With `changed`, rows of the batch that were only
 * changed go along: their later values stay in the history.
 */
export function refuseTouched(found: readonly Touched[], changed: boolean): void {
  const touched = found.filter((each) => !(changed && each.own))
  if (touched.length === 0) return
  const list = (language: 'zh' | 'en'): string =>
    touched
      .map(
        (each) =>
          `${entityOf(each.entity).label[language]} ${each.count}${each.sample.some(Boolean) ? ` (${each.sample.filter(Boolean).join(language === 'zh' ? '、' : ', ')})` : ''}`,
      )
      .join(language === 'zh' ? ';' : '; ')
  throw new Problem(
    'rule_broken',
    {
      reason: {
        zh: `导入之后已有改动,不能撤销:${list('zh')}`,
        en: `Changed since the import, so it cannot be undone: ${list('en')}`,
      },
    },
    { blockers: touched, own: touched.every((each) => each.own) },
  )
}

/** Takes a whole batch back: added rows go, changed rows are as they were. */
export function startUndoing(job: Job, changed: boolean): void {
  startJob(job, 'undoing', async (tx, _batch: Batch, progress) => {
    const { tenantId, batchId, services, actor, circumstance } = job
    const context = { tx, actor, circumstance, cipher: services.cipher, batchId }
    const batch = await rowsOf(tx, tenantId, batchId)
    const idsOf = (model: Model, added?: boolean): string[] =>
      (batch.get(model.entity.name) ?? [])
        .filter((row) => added === undefined || row.added === added)
        .map((row) => row.id)
    // Nobody changes a row of the batch between the look and the deed.
    for (const model of order)
      await tx.run(
        sql`select 1 from ${nameRef(model.table)} t where t.tenant_id = ${tenantId} and t.id = any(${idsOf(model)}::bigint[]) order by t.id for update of t`,
      )
    refuseTouched(await touchedSince(tx, tenantId, batchId, circumstance.language), changed)
    const classes = await tx.run<{ class_id: string }>(
      sql`select distinct class_id from studentclass where tenant_id = ${tenantId} and id = any(${idsOf(order[0] as Model)}::bigint[])`,
    )
    let done = 0
    for (const model of order) {
      for (const [ids, work] of [
        [idsOf(model, true), removeMany],
        [idsOf(model, false), restoreMany],
      ] as const)
        for (let start = 0; start < ids.length; start += portion) {
          const chunk = ids.slice(start, start + portion)
          await work(model, context, chunk)
          done += chunk.length
          await progress(done)
        }
    }
    await countClasses(
      context,
      classes.map((row) => row.class_id),
    )
    await tx.run(
      sql`update import_batch set state = 'undone', progress = 0, failure = null, update_time = now() where tenant_id = ${tenantId} and id = ${batchId}`,
    )
  })
}
