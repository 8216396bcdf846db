import { sql } from '../../database/statement.ts'
import { holds } from '../../kernel/actor.ts'
import { Bare, code, type Route, route } from '../../kernel/route.ts'
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
import { faultsBook, writeBook, xlsxType } from './book.ts'
import { startChecking } from './check-job.ts'
import { reviveBatches } from './jobs.ts'
import { limits } from './limits.ts'
import {
  commit,
  commitParameters,
  correct,
  held,
  jobOf,
  setMapping,
  setState,
  template,
  templateParameters,
  undo,
  undoParameters,
  upload,
  uploadParameters,
} from './steps.ts'
import { batchLine, batchView, labelOf, rowView } from './view.ts'

const access = code('student_import')
const tag = 'import'
const path = '/blade-user/import'
/** Seconds without a sign of life after which a batch counts as left behind. */
const idle = 15

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
    parameters: templateParameters,
    handler: template,
  }),
  route({
    method: 'POST',
    path: `${path}/upload`,
    summary: { zh: '学生导入:上传文件', en: 'Student import: upload a file' },
    access,
    tag,
    upload: true,
    uploadLimit: limits.file,
    parameters: uploadParameters,
    handler: upload,
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
    parameters: commitParameters,
    handler: commit,
  }),
  route({
    method: 'POST',
    path: `${path}/undo`,
    summary: { zh: '学生导入:撤销整批', en: 'Student import: undo the whole batch' },
    access,
    tag,
    parameters: undoParameters,
    handler: undo,
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
