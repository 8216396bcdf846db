import type { Words } from '@data-brain/contract'
import { sql } from '../../../database/statement.ts'
import { inTenant, type Tx } from '../../../database/transaction.ts'
import { Problem } from '../../../kernel/problem.ts'
import { type BatchJob, jobLimits, type Progress } from '../../jobs/index.ts'
import { standingInstead } from '../student/classes.ts'
import { batchOf, type RowState, type Settings } from './batch.ts'
import { checkRows } from './check-job.ts'
import type { Form } from './form.ts'
import { rowWords } from './row-words.ts'

/*
 * Between a check and its commit others go on working. A commit that meets what they have stored keeps nothing; its rows
 * are judged once more, and whoever asked is told which of them came in meanwhile, and by whom.
 */

/** Errors of the database that say: somebody else was quicker. */
const quicker: ReadonlySet<unknown> = new Set(['23505', '23P01'])

const mayBeOvertaken = (error: unknown): boolean =>
  error instanceof Problem
    ? error.problem === 'rule_broken' || error.problem === 'conflict'
    : quicker.has((error as { code?: unknown } | null)?.code)

interface Standing {
  readonly state: RowState
  readonly id: string | null
}

async function standings(tx: Tx, tenantId: string, batchId: string): Promise<Map<number, Standing>> {
  const rows = await tx.run<{ no: number; state: RowState; id: string | null }>(
    sql`select row_no as no, state, row_id as id from import_row where tenant_id = ${tenantId} and batch_id = ${batchId} and row_no > 0 order by row_no`,
  )
  return new Map(rows.map(({ no, ...standing }) => [no, standing]))
}

/** Judges the rows of a commit that failed once more; answers what has changed since the check, where that is why. */
export async function lookAgain(
  form: Form,
  job: BatchJob,
  progress: Progress,
  error: unknown,
): Promise<Problem | undefined> {
  if (!mayBeOvertaken(error)) return undefined
  const { tenantId, batchId, services } = job
  return inTenant(services.pool, tenantId, async (tx) => {
    await tx.allow(jobLimits)
    const batch = await batchOf(tx, tenantId, form, batchId)
    const before = await standings(tx, tenantId, batchId)
    const settings = await standingInstead(tx, tenantId, batch.settings)
    await checkRows(form, job, { ...batch, settings }, tx, progress)
    const changed = [...(await standings(tx, tenantId, batchId))].filter(
      ([no, { state }]) => state !== before.get(no)?.state,
    )
    const others = settings.classes?.length !== batch.settings.classes?.length
    if (changed.length === 0 && !others) return undefined
    return new Problem('rule_broken', { reason: await wordsOf(form, tx, tenantId, new Map(changed), settings.runs) })
  })
}

/** Which rows came in meanwhile and by whom, which are wrong now, and what is to be done. */
async function wordsOf(
  { models, main }: Form,
  tx: Tx,
  tenantId: string,
  changed: ReadonlyMap<number, Standing>,
  runs: Settings['runs'],
): Promise<Words> {
  const known = [...changed].filter(([, { state }]) => state === 'duplicate')
  const entity = models[main]?.entity.name ?? ''
  const who = new Map(
    (
      await tx.run<{ id: string; name: string | null; file: string | null }>(
        sql`select h.row_id as id, h.user_name as name, b.file_name as file
            from history h left join import_batch b on b.tenant_id = h.tenant_id and b.id = h.batch_id
            where h.tenant_id = ${tenantId} and h.entity = ${entity} and h.row_id = any(${known.map(([, { id }]) => id)}::bigint[]) and h.before is null`,
      )
    ).map((row) => [row.id, row]),
  )
  const groups = new Map<string, { nos: number[]; words: Words }>()
  const put = (no: number, words: Words): void => {
    const group = groups.get(words.zh) ?? { nos: [], words }
    group.nos.push(no)
    groups.set(words.zh, group)
  }
  for (const [no, { state, id }] of changed) {
    const by = who.get(id ?? '')
    const name = by?.name ?? ''
    if (state === 'bad') put(no, { zh: '现在有错误', en: 'now have errors' })
    else if (state !== 'duplicate') put(no, { zh: '与检查时不同', en: 'are not as they were at the check' })
    else if (by?.file) put(no, { zh: `已由${name}导入（“${by.file}”）`, en: `were imported by ${name} ("${by.file}")` })
    else put(no, { zh: `已由${name || '他人'}新增`, en: `were added by ${name || 'somebody else'}` })
  }
  const told = [...groups.values()].map(({ nos, words }): Words => {
    const rows = rowWords(runs, nos)
    return { zh: rows.zh + words.zh, en: `${rows.en} ${words.en}` }
  })
  if (told.length === 0) told.push({ zh: '要新建的班级已有人建好', en: 'the classes to be made are there by now' })
  const next: Words =
    known.length > 0
      ? { zh: '请选择跳过或更新这些行，再导入', en: 'choose to skip or to update these rows, then import' }
      : { zh: '请核对后再导入', en: 'look at them, then import' }
  return {
    zh: `检查之后有变化，没有写入任何内容：${told.map(({ zh }) => zh).join('；')}。${next.zh}`,
    en: `Something changed after the check, and nothing was stored: ${told.map(({ en }) => en).join('; ')}. Please ${next.en}`,
  }
}
