import { formColumn } from '@data-brain/contract/import/student-form'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { inTenant } from '../../database/transaction.ts'
import { contextOf } from '../../entity/routes.ts'
import { holds } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import { Bare, type Call, code, type Route, route } from '../../kernel/route.ts'
import { refuseBrokenTexts } from '../../kernel/serve.ts'
import type { Received } from '../../kernel/upload.ts'
import {
  type Batch,
  batchColumns,
  batchOf,
  loadRows,
  needState,
  planned,
  type RowState,
  refuseForeignCells,
  rowCounts,
} from './batch.ts'
import { faultsBook, templateBook, templateCsv, writeBook, xlsxType } from './book.ts'
import { startChecking } from './check-job.ts'
import { startCommitting } from './commit-job.ts'
import { correctRow } from './correct.ts'
import { type Job, reviveBatches } from './jobs.ts'
import { FileFault, limits } from './limits.ts'
import { readLookups } from './lookups.ts'
import { isPackage, openPackage } from './package.ts'
import { startReading } from './read-job.ts'
import { refuseTouched, startUndoing, touchedSince } from './undo-job.ts'
import { batchLine, batchView, labelOf, missingColumns, rowView } from './view.ts'

const access = code('student_import')
const tag = 'import'
const path = '/blade-user/import'
/** Seconds without a sign of life after which a batch counts as left behind. */
const idle = 15
/** Days after which an unfinished batch and the cells it keeps are dropped. */
const kept = 7

const jobOf = (call: Call, batchId: string): Job => ({
  services: call.services,
  tenantId: call.actor.tenantId,
  batchId,
  actor: call.actor,
  circumstance: call.circumstance,
})

const broken = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

/** The batch of a call, held until the call ends. */
const held = (call: Call, id: string): Promise<Batch> => batchOf(call.tx, call.actor.tenantId, id, true)

const setState = (call: Call, id: string, state: Batch['state']): Promise<unknown> =>
  call.tx.run(
    sql`update import_batch set state = ${state}, progress = 0, failure = null, update_time = now() where tenant_id = ${call.actor.tenantId} and id = ${id}`,
  )

/** The year whose classes are meant: the one that was named, else the school's current one. */
async function yearOf(call: Call, schoolId: string, yearId: string | undefined): Promise<string> {
  const { tenantId } = call.actor
  const school = await call.tx.one(sql`select 1 from school where tenant_id = ${tenantId} and id = ${schoolId}`)
  if (!school)
    throw new Problem('reference_unknown', { label: { zh: '学校', en: 'School' } }, { field: 'schoolId', fields: [] })
  const year = await call.tx.one<{ id: string }>(
    sql`select id from schoolyear where tenant_id = ${tenantId} and school_id = ${schoolId} and (id = ${yearId ?? null}::bigint or (${yearId ?? null}::bigint is null and is_current = 1)) limit 1`,
  )
  if (year) return year.id
  if (yearId)
    throw new Problem(
      'reference_unknown',
      { label: { zh: '学年', en: 'School year' } },
      { field: 'yearId', fields: [] },
    )
  throw broken('该校没有当前学年,请先设置学年', 'The school has no current year: set one first')
}

async function upload(
  call: Call<{ schoolId: { kind: 'id'; required: true }; yearId: { kind: 'id' }; duplicates: { kind: 'text' } }>,
): Promise<unknown> {
  const { actor, services, parameters, circumstance } = call
  const { tenantId } = actor
  const file = call.body as Received
  const duplicates = parameters.duplicates === 'update' ? 'update' : 'skip'
  const yearId = await yearOf(call as unknown as Call, parameters.schoolId, parameters.yearId)
  if (!/\.(xlsx|csv|txt)$/i.test(file.name)) throw broken('请上传 xlsx 或 csv 文件', 'Upload an xlsx or csv file')
  if (file.size === 0) throw broken('文件是空的', 'The file is empty')
  try {
    if (await isPackage(file.path)) (await openPackage(file.path)).close()
    else if (/\.xlsx$/i.test(file.name))
      throw new FileFault('文件已损坏,不是可读的 xlsx', 'The file is damaged: it is no readable xlsx')
  } catch (error) {
    if (error instanceof FileFault)
      throw new Problem('rule_broken', { reason: error.words }, { field: 'file', fields: [] })
    throw error
  }
  const batchId = newId()
  // Durable before the reading begins, which looks for it.
  const batch = await inTenant(services.pool, tenantId, async (tx) => {
    await tx.run(
      sql`delete from import_batch where tenant_id = ${tenantId} and state in ('mapping', 'checked', 'failed') and update_time < now() - make_interval(days => ${kept})`,
    )
    await tx.run(
      sql`insert into import_batch (tenant_id, id, entity, template, file_name, settings, user_id, user_name)
          values (${tenantId}, ${batchId}, 'student', 'national', ${file.name}, ${JSON.stringify({ schoolId: parameters.schoolId, yearId, duplicates })}, ${actor.userId}, ${actor.name})`,
    )
    return batchOf(tx, tenantId, batchId)
  })
  file.keep()
  startReading(jobOf(call as unknown as Call, batchId), file.path)
  return batchLine(batch, circumstance.language)
}

/** A mapping as it came: places of columns to keys of the form, each key once. */
function readMapping(body: unknown, columns: number): Record<string, string> {
  const given = (body as { mapping?: unknown } | null | undefined)?.mapping
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Problem('parameter_missing', { field: 'mapping' })
  const mapping: Record<string, string> = {}
  for (const [at, key] of Object.entries(given as Record<string, unknown>)) {
    if (key === null || key === '') continue
    if (!/^[0-9]{1,3}$/.test(at) || Number(at) >= columns)
      throw broken(`文件没有第${at.slice(0, 9)}列`, `The file has no column ${at.slice(0, 9)}`)
    if (typeof key !== 'string' || !formColumn(key))
      throw new Problem('field_unknown', { field: String(key).slice(0, 64) })
    if (Object.values(mapping).includes(key))
      throw broken(`“${labelOf(key, 'zh')}”匹配了两列`, `"${labelOf(key, 'en')}" is matched to two columns`)
    mapping[at] = key
  }
  return mapping
}

async function setMapping(call: Call): Promise<unknown> {
  refuseBrokenTexts(call.body)
  const { tx, actor, circumstance } = call
  const id = idOf(call.body)
  const batch = await held(call, id)
  needState(batch, 'mapping', 'checked')
  const mapping = readMapping(call.body, batch.columns.length)
  const missing = missingColumns(mapping, circumstance.language)
  if (missing.length > 0) {
    const list = (language: 'zh' | 'en'): string =>
      missingColumns(mapping, language)
        .map((each) => each.label)
        .join(language === 'zh' ? '、' : ', ')
    throw new Problem(
      'rule_broken',
      { reason: { zh: `这些必填项还没有匹配列:${list('zh')}`, en: `No column is matched to: ${list('en')}` } },
      { missing },
    )
  }
  await tx.run(
    sql`update import_batch set mapping = ${JSON.stringify(mapping)} where tenant_id = ${actor.tenantId} and id = ${id}`,
  )
  await setState(call, id, 'checking')
  startChecking(jobOf(call, id))
  return { id, state: 'checking' }
}

function idOf(body: unknown): string {
  const id = (body as { id?: unknown } | null | undefined)?.id
  if (typeof id !== 'string' || !/^[1-9][0-9]{0,17}$/.test(id)) throw new Problem('parameter_missing', { field: 'id' })
  return id
}

async function correct(call: Call): Promise<unknown> {
  refuseBrokenTexts(call.body)
  const { row, cells } = (call.body ?? {}) as { row?: unknown; cells?: unknown }
  const id = idOf(call.body)
  if (typeof row !== 'number' || !Number.isInteger(row) || row < 1 || row > 2_000_000)
    throw new Problem('parameter_missing', { field: 'row' })
  if (typeof cells !== 'object' || cells === null || Array.isArray(cells))
    throw new Problem('parameter_missing', { field: 'cells' })
  const batch = await held(call, id)
  needState(batch, 'checked')
  refuseForeignCells(batch, call.actor)
  for (const [at, text] of Object.entries(cells as Record<string, unknown>))
    if (!/^[0-9]{1,3}$/.test(at) || Number(at) >= batch.columns.length || typeof text !== 'string')
      throw broken(`文件没有第${at.slice(0, 9)}列`, `The file has no column ${at.slice(0, 9)}`)
  const rows = await correctRow(contextOf(call), batch, row, cells as Record<string, string>)
  const counted = await rowCounts(call.tx, call.actor.tenantId, id)
  return {
    rows: rows.map((each) => rowView(each, batch, call.circumstance.language)),
    states: counted,
    counts: planned(counted, batch.settings.duplicates),
  }
}

async function commit(
  call: Call<{ id: { kind: 'id'; required: true }; skipBad: { kind: 'integer'; max: number } }>,
): Promise<unknown> {
  const { id, skipBad } = call.parameters
  const plain = call as unknown as Call
  const batch = await held(plain, id)
  // Asked again, it answers what is already going on.
  if (batch.state === 'committing' || batch.state === 'done') return batchLine(batch, call.circumstance.language)
  needState(batch, 'checked')
  const counts = planned(await rowCounts(call.tx, call.actor.tenantId, id), batch.settings.duplicates)
  if (counts.bad > 0 && skipBad !== 1)
    throw new Problem(
      'rule_broken',
      {
        reason: {
          zh: `还有${counts.bad}行有错误,请先修改,或选择跳过错误行`,
          en: `${counts.bad} rows have faults: correct them, or leave them out`,
        },
      },
      { counts },
    )
  if (counts.add + counts.update === 0) throw broken('没有可导入的行', 'There are no rows to import')
  await setState(plain, id, 'committing')
  startCommitting(jobOf(plain, id))
  return {
    ...batchLine(batch, call.circumstance.language),
    state: 'committing',
    progress: 0,
    total: counts.add + counts.update,
  }
}

async function undo(call: Call<{ id: { kind: 'id'; required: true } }>): Promise<unknown> {
  const { id } = call.parameters
  const plain = call as unknown as Call
  const batch = await held(plain, id)
  if (batch.state === 'undoing' || batch.state === 'undone') return batchLine(batch, call.circumstance.language)
  needState(batch, 'done')
  refuseTouched(await touchedSince(call.tx, call.actor.tenantId, id, call.circumstance.language))
  await setState(plain, id, 'undoing')
  startUndoing(jobOf(plain, id))
  return { ...batchLine(batch, call.circumstance.language), state: 'undoing', progress: 0 }
}

async function template(
  call: Call<{ schoolId: { kind: 'id' }; yearId: { kind: 'id' }; format: { kind: 'text' } }>,
): Promise<Bare> {
  const named = (ending: string): string =>
    `attachment; filename="students.${ending}"; filename*=UTF-8''${encodeURIComponent(`学生导入模板.${ending}`)}`
  if (call.parameters.format === 'csv')
    return new Bare(Buffer.from(templateCsv()), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': named('csv'),
    })
  const { tx, actor, parameters } = call
  const yearId = parameters.schoolId
    ? await yearOf(call as unknown as Call, parameters.schoolId, parameters.yearId)
    : null
  const lookups = await readLookups(tx, actor.tenantId, parameters.schoolId ?? '0', yearId)
  const grades = await tx.run<{ grade_name: string }>(
    sql`select grade_name from sysgrade g where tenant_id = ${actor.tenantId}
          and (${parameters.schoolId ?? null}::bigint is null or g.stage = any((select s.stages from school s where s.tenant_id = ${actor.tenantId} and s.id = ${parameters.schoolId ?? null}::bigint)::text[])) order by sort, grade_code`,
  )
  const bytes = await writeBook(
    templateBook(
      lookups,
      grades.map((grade) => grade.grade_name),
    ),
  )
  return new Bare(bytes, 200, { 'Content-Type': xlsxType, 'Content-Disposition': named('xlsx') })
}

const rowStates: readonly RowState[] = ['good', 'bad', 'duplicate']
const faultyMost = 5_000

export const importRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${path}/template`,
    summary: { zh: '学生导入:模板(format=csv 为 CSV)', en: 'Student import: template (format=csv for CSV)' },
    access,
    tag,
    bare: true,
    parameters: { schoolId: { kind: 'id' }, yearId: { kind: 'id' }, format: { kind: 'text', max: 8 } },
    handler: (call) => template(call as never),
  }),
  route({
    method: 'POST',
    path: `${path}/upload`,
    summary: { zh: '学生导入:上传文件', en: 'Student import: upload a file' },
    access,
    tag,
    upload: true,
    uploadLimit: limits.file,
    parameters: {
      schoolId: { kind: 'id', required: true },
      yearId: { kind: 'id' },
      duplicates: { kind: 'text', max: 8 },
    },
    handler: (call) => upload(call as never),
  }),
  route({
    method: 'GET',
    path: `${path}/batch`,
    summary: { zh: '学生导入:批次', en: 'Student import: a batch' },
    access,
    tag,
    parameters: { id: { kind: 'id', required: true } },
    handler: async (call) => {
      await reviveBatches(call.tx, call.actor.tenantId, idle)
      const batch = await batchOf(call.tx, call.actor.tenantId, call.parameters.id)
      const cellsToo = batch.user_id === call.actor.userId || holds(call.actor, 'student_personal')
      return batchView(call.tx, call.services.cipher, call.actor.tenantId, batch, call.circumstance.language, cellsToo)
    },
  }),
  route({
    method: 'GET',
    path: `${path}/list`,
    summary: { zh: '学生导入:批次列表', en: 'Student import: batches' },
    access,
    tag,
    parameters: { current: { kind: 'integer', min: 1, max: 100_000 }, size: { kind: 'integer', min: 1, max: 100 } },
    handler: async ({ tx, actor, circumstance, parameters }) => {
      await reviveBatches(tx, actor.tenantId, idle)
      const { current = 1, size = 10 } = parameters
      const total =
        (
          await tx.one<{ n: number }>(
            sql`select count(*)::int as n from import_batch where tenant_id = ${actor.tenantId}`,
          )
        )?.n ?? 0
      const rows = await tx.run<Batch>(
        sql`select ${batchColumns} from import_batch where tenant_id = ${actor.tenantId} order by create_time desc, id desc limit ${size} offset ${(current - 1) * size}`,
      )
      return {
        total,
        size,
        current,
        pages: Math.ceil(total / size),
        records: rows.map((row) => batchLine(row, circumstance.language)),
      }
    },
  }),
  route({
    method: 'GET',
    path: `${path}/rows`,
    summary: { zh: '学生导入:行与错误', en: 'Student import: rows and their faults' },
    access,
    tag,
    parameters: {
      id: { kind: 'id', required: true },
      state: { kind: 'text', max: 10 },
      current: { kind: 'integer', min: 1, max: 100_000 },
      size: { kind: 'integer', min: 1, max: 200 },
    },
    handler: async ({ tx, actor, services, circumstance, parameters }) => {
      const { id, current = 1, size = 20, state } = parameters
      const batch = await batchOf(tx, actor.tenantId, id)
      refuseForeignCells(batch, actor)
      const states = rowStates.filter((each) => state === undefined || each === state)
      const counts = await rowCounts(tx, actor.tenantId, id)
      const total = states.reduce((sum, each) => sum + counts[each], 0)
      const rows = await loadRows(tx, services.cipher, actor.tenantId, id, {
        states,
        limit: size,
        offset: (current - 1) * size,
      })
      return {
        total,
        size,
        current,
        pages: Math.ceil(total / size),
        records: rows.map((row) => rowView(row, batch, circumstance.language)),
      }
    },
  }),
  route({
    method: 'POST',
    path: `${path}/mapping`,
    summary: { zh: '学生导入:匹配列并检查', en: 'Student import: match columns and check' },
    access,
    tag,
    parameters: {},
    handler: setMapping,
  }),
  route({
    method: 'POST',
    path: `${path}/check`,
    summary: {
      zh: '学生导入:重新检查,可改变重复行的处理',
      en: 'Student import: check again, and choose what to do with duplicates',
    },
    access,
    tag,
    parameters: { id: { kind: 'id', required: true }, duplicates: { kind: 'text', max: 8 } },
    handler: async (call) => {
      const { id, duplicates } = call.parameters
      const batch = await held(call, id)
      needState(batch, 'checked')
      const chosen = duplicates === 'update' || duplicates === 'skip' ? duplicates : batch.settings.duplicates
      await call.tx.run(
        sql`update import_batch set settings = ${JSON.stringify({ ...batch.settings, duplicates: chosen })} where tenant_id = ${call.actor.tenantId} and id = ${id}`,
      )
      await setState(call, id, 'checking')
      startChecking(jobOf(call, id))
      return { id, state: 'checking' }
    },
  }),
  route({
    method: 'POST',
    path: `${path}/correct`,
    summary: { zh: '学生导入:修改一行', en: 'Student import: correct a row' },
    access,
    tag,
    parameters: {},
    handler: correct,
  }),
  route({
    method: 'POST',
    path: `${path}/dry-run`,
    summary: { zh: '学生导入:试算', en: 'Student import: what a commit would do' },
    access,
    tag,
    parameters: { id: { kind: 'id', required: true } },
    handler: async ({ tx, actor, parameters }) => {
      const batch = await batchOf(tx, actor.tenantId, parameters.id)
      needState(batch, 'checked')
      return planned(await rowCounts(tx, actor.tenantId, batch.id), batch.settings.duplicates)
    },
  }),
  route({
    method: 'POST',
    path: `${path}/commit`,
    summary: { zh: '学生导入:导入', en: 'Student import: commit' },
    access,
    tag,
    parameters: { id: { kind: 'id', required: true }, skipBad: { kind: 'integer', max: 1 } },
    handler: (call) => commit(call as never),
  }),
  route({
    method: 'POST',
    path: `${path}/undo`,
    summary: { zh: '学生导入:撤销整批', en: 'Student import: undo the whole batch' },
    access,
    tag,
    parameters: { id: { kind: 'id', required: true } },
    handler: (call) => undo(call as never),
  }),
  route({
    method: 'GET',
    path: `${path}/faults`,
    summary: { zh: '学生导入:下载错误行', en: 'Student import: the faulty rows as a file' },
    access,
    tag,
    bare: true,
    parameters: { id: { kind: 'id', required: true } },
    handler: async ({ tx, actor, services, circumstance, parameters }) => {
      const batch = await batchOf(tx, actor.tenantId, parameters.id)
      refuseForeignCells(batch, actor)
      const rows = await loadRows(tx, services.cipher, actor.tenantId, batch.id, { states: ['bad'], limit: faultyMost })
      const { language } = circumstance
      const bytes = await writeBook(
        faultsBook(
          batch.columns.map((column) => column.heading),
          rows,
          (key) => labelOf(key, language),
          language,
        ),
      )
      return new Bare(bytes, 200, {
        'Content-Type': xlsxType,
        'Content-Disposition': `attachment; filename="faults.xlsx"; filename*=UTF-8''${encodeURIComponent('错误行.xlsx')}`,
      })
    },
  }),
  route({
    method: 'POST',
    path: `${path}/remove`,
    summary: { zh: '学生导入:放弃未导入的批次', en: 'Student import: drop batches that were not imported' },
    access,
    tag,
    parameters: { ids: { kind: 'ids', required: true } },
    handler: async (call) => {
      for (const id of call.parameters.ids) {
        needState(await held(call, id), 'mapping', 'checked', 'failed')
        await call.tx.run(sql`delete from import_batch where tenant_id = ${call.actor.tenantId} and id = ${id}`)
      }
    },
  }),
]
