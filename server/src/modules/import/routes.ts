import type { BatchLine } from '@data-brain/contract/calls/import'
import * as calls from '@data-brain/contract/calls/import'
import type { FormKind } from '@data-brain/contract/import/all'
import { type FormCall, ofForm } from '@data-brain/contract/import/place'
import type { Shape } from '@data-brain/contract/shape'
import { sql } from '../../database/statement.ts'
import { on, onDetached } from '../../entity/on.ts'
import { holds } from '../../kernel/actor.ts'
import { Bare, type Route } from '../../kernel/route.ts'
import { recordShown } from '../../kernel/shown.ts'
import { batchColumns, needState, reviveBatches, startBatch, toldBatches } from '../jobs/index.ts'
import { type Batch, loadRows, planned, type RowState, refuseForeignCells, rowCounts } from './batch.ts'
import { faultsBook, writeBook, xlsxType } from './book.ts'
import { formFor } from './custom.ts'
import type { Form } from './form.ts'
import { answerGroups, listGroups } from './groups.ts'
import { limits } from './limits.ts'
import { forget, listKnown } from './memory.ts'
import { batchFor, droppable, importsAll, mustImportAll } from './reach.ts'
import { setSheets } from './sheets.ts'
import { commit, correct, held, setMapping, template, undo, upload } from './steps.ts'
import { undoPlan } from './undo-plan.ts'
import { batchLine, batchView, knownRows, labelOf, rowView } from './view.ts'

const rowStates: readonly RowState[] = ['good', 'bad', 'duplicate', 'out']
const faultyMost = 5_000

/** A call as one of the forms has it, in its words; `input`: what this form alone takes, of what any of them does. */
export const placed = <const C extends FormCall>(
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
    onDetached(placed(calls.template, form, calls.templateInputs[form.kind]), ({ format }, call) =>
      template(form, format, call),
    ),
    on(placed(calls.upload, form, calls.uploadInputs[form.kind]), (_, call) => upload(form, call), {
      uploadLimit: limits.file,
    }),
    on(placed(calls.batch, form), async ({ id }, call) => {
      await reviveBatches(call.tx, call.actor.tenantId)
      return batchView(formFor(form, call.actor), call, await batchFor(call, form, id))
    }),
    on(placed(calls.batches, form), async ({ current = 1, size = 10, all }, { tx, actor, circumstance }) => {
      await reviveBatches(tx, actor.tenantId)
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
        records: rows.map((row): BatchLine => {
          const of = listed.find((each) => each.kind === row.entity)!
          const line = batchLine(of, row, circumstance.language)
          // Where one's own file went may be out of one's reach by now.
          return importsAll(of, actor) ? line : { ...line, schoolId: undefined, yearId: undefined }
        }),
      }
    }),
    on(placed(calls.rows, form), async ({ id, current = 1, size = 20, state }, call) => {
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
    on(placed(calls.match, form), (given, call) => setMapping(formFor(form, call.actor), given, call)),
    on(placed(calls.sheets, form), (given, call) => setSheets(form, given, call)),
    on(placed(calls.check, form), async ({ id, duplicates }, call) => {
      const batch = await held(call, form, id)
      needState(batch, 'checked')
      const chosen = duplicates === 'update' || duplicates === 'skip' ? duplicates : batch.settings.duplicates
      await call.tx.run(
        sql`update import_batch set settings = ${JSON.stringify({ ...batch.settings, duplicates: chosen })} where tenant_id = ${call.actor.tenantId} and id = ${id}`,
      )
      await startBatch(call, batch, form.kind, 'checking')
      return { id, state: 'checking' as const }
    }),
    on(placed(calls.correct, form), (given, call) => correct(formFor(form, call.actor), given, call)),
    on(placed(calls.groups, form), ({ id }, call) => listGroups(formFor(form, call.actor), id, call)),
    on(placed(calls.answer, form), (given, call) => answerGroups(formFor(form, call.actor), given, call)),
    on(placed(calls.forget, form), ({ items }, { tx, actor }) => {
      mustImportAll(form, actor)
      return forget(tx, actor.tenantId, form.kind, items)
    }),
    on(placed(calls.learned, form), async (_, { tx, actor, circumstance: { language } }) => {
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
    on(placed(calls.dryRun, form), async ({ id }, call) => {
      const batch = await batchFor(call, form, id)
      needState(batch, 'checked')
      return planned(await rowCounts(call.tx, call.actor.tenantId, batch.id), batch.settings.duplicates)
    }),
    on(placed(calls.commit, form), (given, call) => commit(form, given, call)),
    on(placed(calls.undoPlan, form), async ({ id }, call) => {
      const batch = await batchFor(call, form, id)
      needState(batch, 'done')
      return undoPlan(form, call.tx, call.actor.tenantId, batch.id, call.circumstance.language)
    }),
    on(placed(calls.undo, form), (given, call) => undo(form, given, call)),
    onDetached(placed(calls.faultyRows, form), async ({ id }, { services, circumstance, as }) => {
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
      return new Bare(bytes, 200, {
        'Content-Type': xlsxType,
        'Content-Disposition': `attachment; filename="faults.xlsx"; filename*=UTF-8''${encodeURIComponent('错误行.xlsx')}`,
      })
    }),
    on(placed(calls.remove, form), async ({ ids }, call) => {
      for (const id of ids) {
        needState(await droppable(call, form, id), 'mapping', 'checked', 'failed')
        await call.tx.run(sql`delete from import_batch where tenant_id = ${call.actor.tenantId} and id = ${id}`)
      }
    }),
  ]
}
