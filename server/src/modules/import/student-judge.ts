import type { Part } from '@data-brain/contract/import/student-form'
import type { DayOrder } from '@data-brain/contract/rules/day'
import type { ModelField } from '../../entity/model.ts'
import type { Context } from '../../entity/repository.ts'
import type { Cipher } from '../../kernel/cipher.ts'
import type { Batch, RowState, StoredRow } from './batch.ts'
import { spanOfDays } from './cell.ts'
import type { Verdict } from './form.ts'
import { foldWord, type Lookups, readLookups } from './lookups.ts'
import { sourceOf } from './read/kept.ts'
import { orderOf } from './read/order.ts'
import { type Answers, readRow } from './read-row.ts'
import { type Before, type JudgedRow, judgeRow, type MappedColumn, mappedColumns, models, type ReadRow } from './row.ts'
import { type Found, findStored, type KeyName, keptKeys, keysOf, loadBefore } from './stored.ts'

/** A word of a cell as an answer is kept for it: the file's own words stay sealed. */
export const wordHash = (text: string, cipher: Cipher, tenantId: string): string =>
  cipher.hash(foldWord(text), tenantId).toString('base64url').slice(0, 22)

export interface Judged extends JudgedRow {
  readonly row: ReadRow
  readonly found: Found
  readonly before: Before
  readonly keys: string[]
  readonly state: RowState
}

/** What a judge needs besides the rows: read once per job. */
export interface Bench {
  readonly context: Context
  readonly batch: Batch
  readonly lookups: Lookups
  readonly columns: readonly MappedColumn[]
  readonly answers: Answers
}

export async function benchOf(context: Context, batch: Batch): Promise<Bench> {
  const { schoolId = '', yearId = '', classes } = batch.settings
  const columns = mappedColumns(batch.mapping, await ordersOf(context, batch))
  return {
    context,
    batch,
    lookups: await readLookups(context.tx, context.actor.tenantId, schoolId, yearId, classes),
    columns,
    answers: answersOf(batch.settings, context),
  }
}

const taken: Record<KeyName, { here: string; elsewhere: string; en: string }> = {
  studentNo: { here: '已属于另一名学生', elsewhere: '已属于另一名学生', en: 'belongs to another student' },
  idNo: { here: '已属于另一名学生', elsewhere: '已属于另一所学校的学生', en: 'belongs to another student' },
  nationalCode: { here: '已属于另一名学生', elsewhere: '已属于另一所学校的学生', en: 'belongs to another student' },
  seatNo: { here: '在该班已有人使用', elsewhere: '在该班已有人使用', en: 'is taken in that class' },
}

/** The field of the entity that a column of the form fills. */
const fieldOf = (key: string): ModelField | undefined => {
  const [part = '', name = ''] = key.split('.')
  return models[part as Part]?.byName.get(name)
}

/** How the days of columns are read: as their own rows decide, else as somebody said. */
async function ordersOf({ tx, actor, cipher }: Context, batch: Batch): Promise<Record<string, DayOrder>> {
  const source = await sourceOf(tx, cipher, actor.tenantId, batch.id)
  const orders: Record<string, DayOrder> = {}
  for (const [at, key] of Object.entries(batch.mapping)) {
    const field = fieldOf(key)
    if (field?.kind !== 'date') continue
    const order = orderOf(source?.columns[Number(at)]?.facts.order, spanOfDays(field), batch.settings.orders?.[at])
    if (order) orders[at] = order
  }
  return orders
}

/** What was said once, out of the settings of a batch. */
function answersOf({ fixed = {}, answers = {}, hidden }: Batch['settings'], { cipher, actor }: Context): Answers {
  const said = (key: string, text: string) => {
    const own = answers[key]
    return own?.[wordHash(text, cipher, actor.tenantId)]
  }
  return {
    fixed,
    hidden,
    instead: (key, text) => said(key, text)?.as,
    leavesOut: (key, text) => said(key, text)?.out === true,
  }
}

/** Judges rows: reads their cells, finds whom they are about, and checks what would be stored. */
export async function judge(bench: Bench, rows: readonly StoredRow[]): Promise<Judged[]> {
  const { context, batch, lookups, columns, answers } = bench
  const read = rows.map((row) => readRow(row.no, row.kept, columns, lookups, answers))
  const hashed = read.map((row) => keysOf(row.drafts, context))
  const found = await findStored(hashed, context, lookups.schoolId)
  const update = batch.settings.duplicates === 'update'
  const before = await loadBefore(
    read.map((row, at) => ({ row, id: update ? found[at]?.id : undefined })),
    context,
  )
  return read.map((row, at): Judged => {
    const is = found[at] as Found
    const keys = keptKeys(hashed[at] ?? {})
    // A row that is left alone need not be right.
    if (is.id && !update) return { row, found: is, before: {}, keys, values: {}, faults: [], state: 'duplicate' }
    const judged = judgeRow(row, lookups, before[at])
    const faults = [...judged.faults]
    for (const { name, elsewhere } of is.taken)
      faults.push({ key: `student.${name}`, zh: taken[name][elsewhere ? 'elsewhere' : 'here'], en: taken[name].en })
    return {
      row,
      found: is,
      before: before[at] ?? {},
      keys,
      values: judged.values,
      faults,
      state: faults.length > 0 ? 'bad' : is.id ? 'duplicate' : 'good',
    }
  })
}

/** What is kept of a judgement beside the row. */
export const verdictOf = (judged: Judged): Verdict => ({
  no: judged.row.no,
  state: judged.state,
  faults: judged.faults,
  keys: judged.keys,
  row_id: judged.found.id ?? null,
})
