import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import type {
  BatchLine,
  commit as commitCall,
  correct as correctCall,
  match,
  undo as undoCall,
} from '@data-brain/contract/calls/import'
import { foldHeading } from '@data-brain/contract/import/form'
import { newId } from '../../../database/id.ts'
import { sql } from '../../../database/statement.ts'
import { inTenant } from '../../../database/transaction.ts'
import { contextOf } from '../../../entity/routes.ts'
import { contentDisposition } from '../../../kernel/disposition.ts'
import { pluralize } from '../../../kernel/pluralize.ts'
import { Problem } from '../../../kernel/problem.ts'
import { type Call, type DetachedCall, RawResponse } from '../../../kernel/route.ts'
import type { ReceivedFile } from '../../../kernel/upload.ts'
import { keepFile, needState, startBatch } from '../../jobs/index.ts'
import { formFor } from '../custom.ts'
import { sourceOf } from '../file/kept-cells.ts'
import { FileFault, limits } from '../file/limits.ts'
import { type Template, templateBook, templateCsv, writeBook, xlsxType } from '../file/output-workbook.ts'
import { signsOf } from '../file/read-job.ts'
import { sniffContainer } from '../file/sniff.ts'
import { rememberAnswers, rememberHeads } from './answer-memory.ts'
import { type Batch, batchOf, commitPlan, refuseForeignCells, rowCounts } from './batch.ts'
import { correctRow } from './correct.ts'
import type { Form } from './form.ts'
import { batchFor, mustImportAll } from './import-access.ts'
import { refuseTouched } from './undo-job.ts'
import { touchedSince, writtenBy } from './undo-plan.ts'
import { batchLine, labelOf, missingColumns, refusalOf, rowView } from './view.ts'

/** Days after which an unfinished batch and the cells it keeps are dropped. */
const kept = 7

/** What the steps need of a call. */
type Basis = Pick<Call, 'services' | 'tx' | 'actor' | 'circumstance'>

export const brokenFile = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

/** The batch of a call, held until the call ends. */
export const heldBatch = (call: Basis, form: Form, id: string): Promise<Batch> => batchFor(call, form, id, true)

/** Takes a file in: looked at at once, read as a job. */
export async function upload(form: Form, call: Call): Promise<BatchLine> {
  const { actor, services, parameters, circumstance } = call
  const { tenantId } = actor
  mustImportAll(form, actor)
  const file = call.body as ReceivedFile
  const duplicates = parameters.duplicates === 'update' ? 'update' : 'skip'
  const settings = { ...(await form.settings(call)), duplicates }
  try {
    // What it is, is seen by what it holds: names are often wrong.
    await sniffContainer(file.path)
  } catch (error) {
    if (error instanceof FileFault)
      throw new Problem('rule_broken', { reason: error.words }, { field: 'file', fields: [] })
    throw error
  }
  const batchId = newId()
  // In one transaction: a batch whose file is kept is read, and whichever process reads it finds the file.
  const batch = await inTenant(services.pool, tenantId, async (tx) => {
    await tx.run(
      sql`delete from import_batch where tenant_id = ${tenantId} and entity = ${form.kind} and state in ('mapping', 'checked', 'failed') and update_time < now() - make_interval(days => ${kept})`,
    )
    await tx.run(
      sql`insert into import_batch (tenant_id, id, entity, template, file_name, settings, user_id, user_name)
          values (${tenantId}, ${batchId}, ${form.kind}, ${form.template}, ${file.name}, ${JSON.stringify(settings)}, ${actor.userId}, ${actor.name})`,
    )
    await keepFile(tx, services.cipher, tenantId, batchId, file.path)
    const made = await batchOf(tx, tenantId, form, batchId)
    await startBatch({ ...call, tx }, made, form.kind, 'reading')
    return made
  })
  return batchLine(form, batch, circumstance.language)
}

type Matching = InputOf<typeof match>

/** A mapping as it came: places of columns to keys of the form, each key once. */
function readMapping(form: Form, { mapping: given }: Matching, columns: number): Record<string, string> {
  const mapping: Record<string, string> = {}
  for (const [at, key] of Object.entries(given)) {
    if (key === null || key === '') continue
    if (!/^[0-9]{1,3}$/.test(at) || Number(at) >= columns)
      throw brokenFile(`文件没有第${at.slice(0, 9)}列`, `The file has no column ${at.slice(0, 9)}`)
    if (!form.columns.some((column) => column.key === key))
      throw new Problem('field_unknown', { field: key.slice(0, 64) })
    if (Object.values(mapping).includes(key))
      throw brokenFile(
        `“${labelOf(form, key, 'zh')}”匹配了两列`,
        `"${labelOf(form, key, 'en')}" is matched to two columns`,
      )
    mapping[at] = key
  }
  return mapping
}

/** Takes the match of columns to fields, and starts the check. */
export async function setMapping(form: Form, given: Matching, call: Call): Promise<AnswerOf<typeof match>> {
  const { tx, actor, circumstance } = call
  const { id } = given
  const batch = await heldBatch(call, form, id)
  needState(batch, 'mapping', 'checked')
  const mapping = readMapping(form, given, batch.columns.length)
  const fixed = readFixed(form, given) ?? batch.settings.fixed ?? {}
  const missing = missingColumns(form, mapping, fixed, circumstance.language)
  if (missing.length > 0) {
    const list = (language: 'zh' | 'en'): string =>
      missingColumns(form, mapping, fixed, language)
        .map((each) => each.label)
        .join(language === 'zh' ? '、' : ', ')
    throw new Problem(
      'rule_broken',
      { reason: { zh: `这些必填项还没有匹配列：${list('zh')}`, en: `No column is matched to: ${list('en')}` } },
      { missing },
    )
  }
  await tx.run(
    sql`update import_batch set mapping = ${JSON.stringify(mapping)}, settings = ${JSON.stringify({ ...batch.settings, fixed, ...readMore(given, batch.columns.length) })} where tenant_id = ${actor.tenantId} and id = ${id}`,
  )
  await rememberHeadings(form, call, batch, mapping)
  const source = await sourceOf(tx, call.services.cipher, actor.tenantId, id)
  // Whoever goes on has looked at what was not sure, and let it stand.
  if (source?.unsure?.heading || source?.unsure?.sheets)
    await rememberHeads(tx, actor.tenantId, form.kind, signsOf(source))
  await startBatch(call, batch, form.kind, 'checking')
  return { id, state: 'checking' }
}

/** Whether hidden rows are meant, and how columns of days are read. */
function readMore({ hidden, orders }: Matching, columns: number): Pick<Batch['settings'], 'hidden' | 'orders'> {
  for (const at of Object.keys(orders ?? {}))
    if (!/^[0-9]{1,3}$/.test(at) || Number(at) >= columns) throw new Problem('parameter_missing', { field: 'orders' })
  return {
    ...(hidden === 'take' || hidden === 'leave' ? { hidden } : {}),
    ...(orders === undefined ? {} : { orders: orders ?? {} }),
  }
}

/** Keeps what somebody matched otherwise than it was proposed, also that a column is not wanted. */
async function rememberHeadings(
  form: Form,
  { tx, actor }: Call,
  batch: Batch,
  mapping: Batch['mapping'],
): Promise<void> {
  const changed = batch.columns.flatMap(({ heading }, at) => {
    const word = foldHeading(heading).slice(0, 200)
    const answer = mapping[at] ?? ''
    return word === '' || answer === (batch.mapping[at] ?? '') ? [] : [{ field: '', word, answer }]
  })
  await rememberAnswers(tx, actor.tenantId, form.kind, [...new Map(changed.map((each) => [each.word, each])).values()])
}

/** One value for all rows, by column of the form; undefined where the call does not speak of them. */
function readFixed(form: Form, { fixed: given }: Matching): Record<string, string> | undefined {
  if (!given) return undefined
  const fixed: Record<string, string> = {}
  for (const [key, text] of Object.entries(given)) {
    if (!form.columns.some((column) => column.key === key))
      throw new Problem('field_unknown', { field: key.slice(0, 64) })
    if (text.trim() !== '') fixed[key] = text.slice(0, limits.cell)
  }
  return fixed
}

/** Changes cells of one row; answers it and the rows that it touches, with the counts. */
export async function correctCells(
  form: Form,
  { id, row, cells }: InputOf<typeof correctCall>,
  call: Call,
): Promise<AnswerOf<typeof correctCall>> {
  const batch = await heldBatch(call, form, id)
  needState(batch, 'checked')
  refuseForeignCells(form, batch, call.actor)
  for (const at of Object.keys(cells))
    if (!/^[0-9]{1,3}$/.test(at) || Number(at) >= batch.columns.length)
      throw brokenFile(`文件没有第${at.slice(0, 9)}列`, `The file has no column ${at.slice(0, 9)}`)
  const rows = await correctRow(form, contextOf(call), batch, row, cells)
  const counted = await rowCounts(call.tx, call.actor.tenantId, id)
  const counts = commitPlan(counted, batch.settings.duplicates)
  const { language } = call.circumstance
  return {
    rows: rows.map((each) => rowView(form, call.tx, each, batch, language)),
    states: counted,
    counts,
    refusal: await refusalOf(form, { tx: call.tx, actor: call.actor, language }, counts.add),
  }
}

/** Starts the storing of a checked batch. */
export async function commit(form: Form, { id, skipBad }: InputOf<typeof commitCall>, call: Call): Promise<BatchLine> {
  const batch = await heldBatch(call, form, id)
  // Asked again, it answers what is already going on.
  if (batch.state === 'committing' || batch.state === 'done') return batchLine(form, batch, call.circumstance.language)
  needState(batch, 'checked')
  const counts = commitPlan(await rowCounts(call.tx, call.actor.tenantId, id), batch.settings.duplicates)
  if (counts.bad > 0 && skipBad !== 1)
    throw new Problem(
      'rule_broken',
      {
        reason: {
          zh: `还有${counts.bad}行有错误，请先修改，或选择跳过错误行`,
          en: `Faults in ${pluralize(counts.bad, 'row')}: correct them, or leave them out`,
        },
      },
      { counts },
    )
  const refused = await form.refuses?.(call.tx, call.actor.tenantId, counts.add)
  if (refused) throw new Problem('rule_broken', { reason: refused }, { counts })
  if (counts.add + counts.update === 0) throw brokenFile('没有可导入的行', 'There are no rows to import')
  await startBatch(call, batch, form.kind, 'committing')
  return {
    ...batchLine(form, batch, call.circumstance.language),
    state: 'committing',
    progress: 0,
    total: counts.add + counts.update,
  }
}

/** Starts to take a batch back. */
export async function undo(form: Form, given: InputOf<typeof undoCall>, call: Call): Promise<BatchLine> {
  const { id, seen } = given
  const batch = await heldBatch(call, form, id)
  if (batch.state === 'undoing' || batch.state === 'undone') return batchLine(form, batch, call.circumstance.language)
  needState(batch, 'done')
  const { tx, actor, circumstance } = call
  const changed = given.changed === 1
  const keep = given.keep === 1
  if (!keep) {
    const written = await writtenBy(tx, actor.tenantId, id)
    const found = await touchedSince(form, tx, actor.tenantId, id, written, circumstance.language)
    refuseTouched(found, changed, seen)
  }
  await startBatch(call, batch, form.kind, 'undoing', { changed, keep, seen })
  return { ...batchLine(form, batch, call.circumstance.language), state: 'undoing', progress: 0 }
}

/** The form to fill in, with the lists and the fields of the caller's tenant. */
export async function template(form: Form, format: string | undefined, call: DetachedCall): Promise<RawResponse> {
  const csv = format === 'csv'
  const { language } = call.circumstance
  const blank = (): Promise<Template> =>
    call.as(async (opened) => {
      mustImportAll(form, opened.actor)
      return formFor(form, opened.actor).blank({ ...call, ...opened, stamp: '' })
    })
  const write = async (): Promise<Buffer> => {
    const asker = await call.as(async ({ actor }) => {
      mustImportAll(form, actor)
      return actor
    })
    return writeBook(asker, async () => templateBook(await blank()))
  }
  return new RawResponse(csv ? Buffer.from(templateCsv(await blank())) : await write(), 200, {
    'Content-Type': csv ? 'text/csv; charset=utf-8' : xlsxType,
    'Content-Disposition': contentDisposition('attachment', `${form.templateName[language]}.${csv ? 'csv' : 'xlsx'}`),
  })
}
