import type { BatchLine } from '@data-brain/contract/calls/import'
import * as calls from '@data-brain/contract/calls/import'
import type { FormKind } from '@data-brain/contract/import/place'
import { type FormCall, ofForm } from '@data-brain/contract/import/place'
import type { Shape } from '@data-brain/contract/shape'
import { sql } from '../../database/statement.ts'
import { on, onDetached } from '../../entity/serve-call.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { RawResponse, type Route } from '../../kernel/route.ts'
import { recordShown } from '../../kernel/shown-rows.ts'
import { batchColumns, needState, reviveBatches, startBatch, toldBatches } from '../jobs/index.ts'
import { forgetAnswers, listKnown } from './batch/answer-memory.ts'
import { type Batch, commitPlan, loadRows, type RowState, refuseForeignCells, rowCounts } from './batch/batch.ts'
import type { Form } from './batch/form.ts'
import { answerGroups, listGroups } from './batch/groups.ts'
import { batchFor, droppableBatch, importsAll, mustImportAll } from './batch/import-access.ts'
import { commit, correctCells, heldBatch, setMapping, template, undo, upload } from './batch/steps.ts'
import { undoPlan } from './batch/undo-plan.ts'
import { batchLine, batchView, knownRows, labelOf, rowView } from './batch/view.ts'
import { formFor } from './custom.ts'
import { limits } from './file/limits.ts'
import { faultsBook, writeBook, xlsxType } from './file/output-workbook.ts'
import { setSheets } from './file/sheets.ts'

const rowStates: readonly RowState[] = ['good', 'bad', 'duplicate', 'out']
const faultyMost = 5_000

/** A call as one of the forms has it, in its words; `input`: what this form alone takes, of what any of them does. */
export const formCall = <const C extends FormCall>(
  call: C,
  { kind, title }: Pick<Form, 'kind' | 'title'>,
  input?: Readonly<Record<string, Shape>>,
) => ({
  ...ofForm({ ...call, ...(input ? { input } : {}) } as C, kind),
  summary: { zh: `${title.zh}：${call.summary.zh}`, en: `${title.en}: ${call.summary.en}` },
})

/** The calls of one of the forms: a file goes up, is read, matched, checked, corrected, stored, and taken back. */
export function routesOf(form: Form, forms: readonly Form[]): Route[] {
  return [
    onDetached(formCall(calls.template, form, calls.templateInputs(form.kind)), ({ format }, call) =>
      template(form, format, call),
    ),
    on(formCall(calls.upload, form, calls.uploadInputs(form.kind)), (_, call) => upload(form, call), {
      uploadLimit: limits.file,
    }),
    on(formCall(calls.batch, form), async ({ id }, call) => {
      await reviveBatches(call.tx, call.actor.tenantId)
      return batchView(formFor(form, call.actor), call, await batchFor(call, form, id))
    }),
    on(formCall(calls.batches, form), async ({ current = 1, size = 10, all }, { tx, actor, circumstance }) => {
      await reviveBatches(tx, actor.tenantId)
      const listed = all === 1 ? forms.filter((each) => holdsCode(actor, each.code)) : [form]
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
        records: rows.map((row): BatchLine => {
          const of = listed.find((each) => each.kind === row.entity)!
          const line = batchLine(of, row, circumstance.language)
          // Where one's own file went may be out of one's reach by now.
          return importsAll(of, actor) ? line : { ...line, schoolId: undefined, yearId: undefined }
        }),
      }
    }),
    on(formCall(calls.rows, form), async ({ id, current = 1, size = 20, state }, call) => {
      const { tx, actor, services, circumstance } = call
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
        records: rows.map((row) => rowView(formFor(form, actor), tx, row, batch, circumstance.language)),
      }
    }),
    on(formCall(calls.match, form), (given, call) => setMapping(formFor(form, call.actor), given, call)),
    on(formCall(calls.sheets, form), (given, call) => setSheets(form, given, call)),
    on(formCall(calls.check, form), async ({ id, duplicates }, call) => {
      const batch = await heldBatch(call, form, id)
      needState(batch, 'checked')
      const chosen = duplicates === 'update' || duplicates === 'skip' ? duplicates : batch.settings.duplicates
      await call.tx.run(
        sql`update import_batch set settings = ${JSON.stringify({ ...batch.settings, duplicates: chosen })} where tenant_id = ${call.actor.tenantId} and id = ${id}`,
      )
      await startBatch(call, batch, form.kind, 'checking')
      return { id, state: 'checking' as const }
    }),
    on(formCall(calls.correct, form), (given, call) => correctCells(formFor(form, call.actor), given, call)),
    on(formCall(calls.groups, form), ({ id }, call) => listGroups(formFor(form, call.actor), id, call)),
    on(formCall(calls.answer, form), (given, call) => answerGroups(formFor(form, call.actor), given, call)),
    on(formCall(calls.forget, form), ({ items }, { tx, actor }) => {
      mustImportAll(form, actor)
      return forgetAnswers(tx, actor.tenantId, form.kind, items)
    }),
    on(formCall(calls.learned, form), async (_, { tx, actor, circumstance: { language } }) => {
      mustImportAll(form, actor)
      return (await listKnown(tx, actor.tenantId, form.kind)).map(({ field, word, answer, title, time }) => ({
        field,
        word,
        // A word of a cell is kept as a keyed hash: what it was, nobody can say.
        heading: field === '' ? word : null,
        label:
          field === ''
            ? answer === ''
              ? null
              : labelOf(formFor(form, actor), answer, language)
            : labelOf(formFor(form, actor), field, language),
        answer: field === '' ? null : answer.startsWith('=') ? (title ?? '') : answer,
        time,
      }))
    }),
    on(formCall(calls.dryRun, form), async ({ id }, call) => {
      const batch = await batchFor(call, form, id)
      needState(batch, 'checked')
      return commitPlan(await rowCounts(call.tx, call.actor.tenantId, batch.id), batch.settings.duplicates)
    }),
    on(formCall(calls.commit, form), (given, call) => commit(form, given, call)),
    on(formCall(calls.undoPlan, form), async ({ id }, call) => {
      const batch = await batchFor(call, form, id)
      needState(batch, 'done')
      return undoPlan(form, call.tx, call.actor.tenantId, batch.id, call.circumstance.language)
    }),
    on(formCall(calls.undo, form), (given, call) => undo(form, given, call)),
    onDetached(formCall(calls.faultyRows, form), async ({ id }, { services, circumstance, as }) => {
      const { actor, batch, rows } = await as(async ({ tx, actor }) => {
        const batch = await batchFor({ tx, actor }, form, id)
        refuseForeignCells(form, batch, actor)
        const rows = await loadRows(tx, services.cipher, actor.tenantId, batch.id, {
          states: ['bad', 'out'],
          limit: faultyMost,
        })
        await recordShown({ tx, actor, circumstance }, knownRows(form, rows))
        return { actor, batch, rows }
      })
      const { language } = circumstance
      const bytes = await writeBook(actor, () =>
        faultsBook(
          batch.columns.map((column) => column.heading),
          rows,
          (key) => labelOf(formFor(form, actor), key, language, batch),
          language,
        ),
      )
      return new RawResponse(bytes, 200, {
        'Content-Type': xlsxType,
        'Content-Disposition': `attachment; filename="faults.xlsx"; filename*=UTF-8''${encodeURIComponent('错误行.xlsx')}`,
      })
    }),
    on(formCall(calls.remove, form), async ({ ids }, call) => {
      for (const id of ids) {
        needState(await droppableBatch(call, form, id), 'mapping', 'checked', 'failed')
        await call.tx.run(sql`delete from import_batch where tenant_id = ${call.actor.tenantId} and id = ${id}`)
      }
    }),
  ]
}
