import type { Words } from '@data-brain/contract'
import type { FormKind } from '@data-brain/contract/import/all'
import { sql } from '../../database/statement.ts'
import { holds } from '../../kernel/actor.ts'
import { Bare, code, type DetachedCall, detachedRoute, type Route, route } from '../../kernel/route.ts'
import { recordShown } from '../../kernel/shown.ts'
import { batchColumns, needState, reviveBatches, startBatch, toldBatches } from '../jobs/index.ts'
import { type Batch, loadRows, planned, type RowState, refuseForeignCells, rowCounts } from './batch.ts'
import { faultsBook, writeBook, xlsxType } from './book.ts'
import type { Form } from './form.ts'
import { answerGroups, listGroups } from './groups.ts'
import { limits } from './limits.ts'
import { forget, learnedOf, listKnown } from './memory.ts'
import { batchFor, droppable, importsAll, mustImportAll } from './reach.ts'
import { setSheets } from './sheets.ts'
import { commit, commitParameters, correct, held, setMapping, template, undo, undoParameters, upload } from './steps.ts'
import { undoPlan } from './undo-plan.ts'
import { batchLine, batchView, knownRows, labelOf, rowView } from './view.ts'

const tag = 'import'

const rowStates: readonly RowState[] = ['good', 'bad', 'duplicate', 'out']
const faultyMost = 5_000

/** The calls of one of the forms: a file goes up, is read, matched, checked, corrected, stored, and taken back. */
export function routesOf(form: Form, forms: readonly Form[]): Route[] {
  const { path } = form
  const access = code(form.code)
  const says = (zh: string, en: string): Words => ({ zh: `${form.title.zh}：${zh}`, en: `${form.title.en}: ${en}` })
  return [
    detachedRoute({
      method: 'GET',
      path: `${path}/template`,
      summary: says('模板（format=csv 为 CSV）', 'template (format=csv for CSV)'),
      access,
      tag,
      bare: true,
      file: [xlsxType, 'text/csv'],
      parameters: form.templateParameters,
      handler: (call) => template(form, call as unknown as DetachedCall),
    }),
    route({
      method: 'POST',
      path: `${path}/upload`,
      summary: says('上传文件', 'upload a file'),
      access,
      tag,
      upload: true,
      uploadLimit: limits.file,
      parameters: form.uploadParameters,
      handler: (call) => upload(form, call),
    }),
    route({
      method: 'GET',
      path: `${path}/batch`,
      summary: says('批次', 'a batch'),
      access,
      tag,
      parameters: { id: { kind: 'id', required: true } },
      handler: async (call) => {
        await reviveBatches(call.tx, call.actor.tenantId)
        return batchView(form, call, await batchFor(call, form, call.parameters.id))
      },
    }),
    route({
      method: 'GET',
      path: `${path}/list`,
      summary: says('批次列表（all=1 为可导入的各类）', 'batches (all=1: of every kind that may be imported)'),
      access,
      tag,
      parameters: {
        current: { kind: 'integer', min: 1, max: 100_000 },
        size: { kind: 'integer', min: 1, max: 100 },
        all: { kind: 'integer', min: 0, max: 1 },
      },
      handler: async ({ tx, actor, circumstance, parameters }) => {
        await reviveBatches(tx, actor.tenantId)
        const { current = 1, size = 10, all } = parameters
        const listed = all === 1 ? forms.filter((each) => holds(actor, each.code)) : [form]
        const mine = toldBatches(
          listed.map((each) => each.kind),
          actor,
        )
        const total =
          (await tx.one<{ n: number }>(sql`select count(*)::int as n from import_batch where ${mine}`))?.n ?? 0
        const rows = await tx.run<Batch & { readonly entity: FormKind }>(
          sql`select ${batchColumns}, entity from import_batch where ${mine} order by create_time desc, id desc limit ${size} offset ${(current - 1) * size}`,
        )
        return {
          total,
          size,
          current,
          pages: Math.ceil(total / size),
          records: rows.map((row) => {
            const of = listed.find((each) => each.kind === row.entity)!
            const line = batchLine(of, row, circumstance.language)
            // Where one's own file went may be out of one's reach by now.
            return importsAll(of, actor) ? line : { ...line, schoolId: undefined, yearId: undefined }
          }),
        }
      },
    }),
    route({
      method: 'GET',
      path: `${path}/rows`,
      summary: says('行与错误', 'rows and their faults'),
      access,
      tag,
      parameters: {
        id: { kind: 'id', required: true },
        state: { kind: 'text', max: 10 },
        current: { kind: 'integer', min: 1, max: 100_000 },
        size: { kind: 'integer', min: 1, max: 200 },
      },
      handler: async (call) => {
        const { tx, actor, services, circumstance, parameters } = call
        const { id, current = 1, size = 20, state } = parameters
        const batch = await batchFor(call, form, id)
        refuseForeignCells(form, batch, actor)
        // What a batch keeps after it has ended is no row of the file.
        const states = batch.state === 'done' ? [] : rowStates.filter((each) => state === undefined || each === state)
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
          records: rows.map((row) => rowView(form, tx, row, batch, circumstance.language)),
        }
      },
    }),
    route({
      method: 'POST',
      path: `${path}/mapping`,
      summary: says('匹配列并检查', 'match columns and check'),
      access,
      tag,
      parameters: {},
      handler: (call) => setMapping(form, call),
    }),
    route({
      method: 'POST',
      path: `${path}/sheets`,
      summary: says('读取其他工作表', 'read other sheets of the file'),
      access,
      tag,
      parameters: {},
      handler: (call) => setSheets(form, call),
    }),
    route({
      method: 'POST',
      path: `${path}/check`,
      summary: says('重新检查，可改变重复行的处理', 'check again, and choose what to do with duplicates'),
      access,
      tag,
      parameters: { id: { kind: 'id', required: true }, duplicates: { kind: 'text', max: 8 } },
      handler: async (call) => {
        const { id, duplicates } = call.parameters
        const batch = await held(call, form, id)
        needState(batch, 'checked')
        const chosen = duplicates === 'update' || duplicates === 'skip' ? duplicates : batch.settings.duplicates
        await call.tx.run(
          sql`update import_batch set settings = ${JSON.stringify({ ...batch.settings, duplicates: chosen })} where tenant_id = ${call.actor.tenantId} and id = ${id}`,
        )
        await startBatch(call, batch, form.kind, 'checking')
        return { id, state: 'checking' }
      },
    }),
    route({
      method: 'POST',
      path: `${path}/correct`,
      summary: says('修改一行', 'correct a row'),
      access,
      tag,
      parameters: {},
      handler: (call) => correct(form, call),
    }),
    route({
      method: 'GET',
      path: `${path}/groups`,
      summary: says('相同的问题，归并', 'equal faults, together'),
      access,
      tag,
      parameters: { id: { kind: 'id', required: true } },
      handler: (call) => listGroups(form, call),
    }),
    route({
      method: 'POST',
      path: `${path}/answer`,
      summary: says('一次回答相同的问题', 'answer equal faults at once'),
      access,
      tag,
      parameters: {},
      handler: (call) => answerGroups(form, call),
    }),
    route({
      method: 'POST',
      path: `${path}/forget`,
      summary: says(
        '忘记记住的列名与取值（items 只忘记其中几条）',
        'forget the headings and words that were learned, or those in items only',
      ),
      access,
      tag,
      parameters: {},
      handler: ({ tx, actor, body }) => {
        mustImportAll(form, actor)
        return forget(tx, actor.tenantId, form.kind, learnedOf(body))
      },
    }),
    route({
      method: 'GET',
      path: `${path}/learned`,
      summary: says('记住的列名与取值', 'the headings and words that were learned'),
      access,
      tag,
      parameters: {},
      handler: async ({ tx, actor, circumstance: { language } }) => {
        mustImportAll(form, actor)
        return (await listKnown(tx, actor.tenantId, form.kind)).map(({ field, word, answer, title, time }) => ({
          field,
          word,
          // A word of a cell is kept as a keyed hash: what it was, nobody can say.
          heading: field === '' ? word : null,
          label:
            field === '' ? (answer === '' ? null : labelOf(form, answer, language)) : labelOf(form, field, language),
          answer: field === '' ? null : answer.startsWith('=') ? (title ?? '') : answer,
          time,
        }))
      },
    }),
    route({
      method: 'POST',
      path: `${path}/dry-run`,
      summary: says('试算', 'what a commit would do'),
      access,
      tag,
      parameters: { id: { kind: 'id', required: true } },
      handler: async (call) => {
        const batch = await batchFor(call, form, call.parameters.id)
        needState(batch, 'checked')
        return planned(await rowCounts(call.tx, call.actor.tenantId, batch.id), batch.settings.duplicates)
      },
    }),
    route({
      method: 'POST',
      path: `${path}/commit`,
      summary: says('导入', 'commit'),
      access,
      tag,
      parameters: commitParameters,
      handler: (call) => commit(form, call),
    }),
    route({
      method: 'GET',
      path: `${path}/undo-plan`,
      summary: says('撤销会删除和恢复什么', 'what an undo would remove and restore'),
      access,
      tag,
      parameters: { id: { kind: 'id', required: true } },
      handler: async (call) => {
        const batch = await batchFor(call, form, call.parameters.id)
        needState(batch, 'done')
        return undoPlan(form, call.tx, call.actor.tenantId, batch.id, call.circumstance.language)
      },
    }),
    route({
      method: 'POST',
      path: `${path}/undo`,
      summary: says('撤销整批', 'undo the whole batch'),
      access,
      tag,
      parameters: undoParameters,
      handler: (call) => undo(form, call),
    }),
    detachedRoute({
      method: 'GET',
      path: `${path}/faults`,
      summary: says('下载错误行', 'the faulty rows as a file'),
      access,
      tag,
      bare: true,
      file: xlsxType,
      parameters: { id: { kind: 'id', required: true } },
      handler: async ({ services, circumstance, parameters, as }) => {
        const { actor, batch, rows } = await as(async ({ tx, actor }) => {
          const batch = await batchFor({ tx, actor }, form, parameters.id)
          refuseForeignCells(form, batch, actor)
          const rows = await loadRows(tx, services.cipher, actor.tenantId, batch.id, {
            states: ['bad', 'out'],
            limit: faultyMost,
          })
          await recordShown({ tx, actor, circumstance }, knownRows(form, rows))
          return { actor, batch, rows }
        })
        const { language } = circumstance
        const bytes = await writeBook(
          actor,
          faultsBook(
            batch.columns.map((column) => column.heading),
            rows,
            (key) => labelOf(form, key, language, batch),
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
      summary: says('放弃未导入的批次', 'drop batches that were not imported'),
      access,
      tag,
      parameters: { ids: { kind: 'ids', required: true } },
      handler: async (call) => {
        for (const id of call.parameters.ids) {
          needState(await droppable(call, form, id), 'mapping', 'checked', 'failed')
          await call.tx.run(sql`delete from import_batch where tenant_id = ${call.actor.tenantId} and id = ${id}`)
        }
      },
    }),
  ]
}
