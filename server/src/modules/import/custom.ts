import { customOwners } from '@data-brain/contract/custom'
import { type FormColumn, foldHeading } from '@data-brain/contract/import/form'
import { kinds } from '../../database/kinds.ts'
import type { Values } from '../../entity/check.ts'
import { type Model, type ModelField, modelFor } from '../../entity/model.ts'
import type { Context } from '../../entity/repository.ts'
import type { Actor } from '../../kernel/actor.ts'
import { answersOf, ordersOf } from './batch/answers.ts'
import type { Batch } from './batch/batch.ts'
import { readCell } from './batch/cell.ts'
import { saysNothing, wholeNumber } from './batch/cell-words.ts'
import type { CellQuestion, Form } from './batch/form.ts'
import { type Choices, foldWord } from './batch/lookups.ts'
import { type Fault, type KeptRow, leftOut, type RowNote } from './batch/row.ts'
import type { Template } from './file/output-workbook.ts'

/*
 * Columns of a tenant's own fields. Each stands under the name of its field and says what that field holds: there is
 * nothing to derive, and nothing beside it to agree with, so one reader serves every form.
 */

/** The model of what a form is about, with the fields of the actor's tenant; undefined where it has none there. */
function customModel(form: Pick<Form, 'kind' | 'main' | 'models'>, actor: Actor): Model | undefined {
  if (!actor.custom || !(customOwners as readonly string[]).includes(form.kind)) return undefined
  const model = modelFor(form.models[form.main]!.entity, actor)
  return model.custom.length > 0 ? model : undefined
}

/** The columns of these fields. One that is called as a column of the form says that it is the tenant's own. */
function columnsOf({ custom }: Model, part: string, taken: readonly FormColumn[]): FormColumn[] {
  const known = new Set(taken.flatMap(({ label }) => [label.zh, label.en]))
  return custom.map(({ name, label: { zh, en } }) => ({
    key: `${part}.${name}`,
    part,
    field: name,
    label: { zh: known.has(zh) ? `${zh}（自定义）` : zh, en: known.has(en) ? `${en} (custom)` : en },
    starred: false,
    aka: [...new Set([zh, en])],
  }))
}

const isCustomKey = (key: string): boolean => /\.x\d+$/.test(key)

/** A form as the actor's tenant has it: with a column for each of its own fields. */
export function formFor(form: Form, actor: Actor): Form {
  const model = customModel(form, actor)
  if (!model) return form
  const { asks } = form
  return {
    ...form,
    columns: [...form.columns, ...columnsOf(model, form.main, form.columns)],
    models: { ...form.models, [form.main]: model },
    need: (column) => (isCustomKey(column.key) ? 'no' : form.need(column)),
    blank: async (call) => blankWith(model, form.main, await form.blank(call)),
    ...(asks
      ? { asks: async (context, batch) => askingOf(model, form.main, await asks(context, batch), context) }
      : {}),
  }
}

/** A template with the tenant's own fields behind its columns, those of options with a drop-down. */
function blankWith(model: Model, part: string, blank: Template): Template {
  const columns = columnsOf(model, part, blank.columns)
  const own = new Map(columns.map((column, at) => [column.key, { column, field: model.custom[at]! }]))
  return {
    ...blank,
    columns: [...blank.columns, ...columns],
    heading: (column) => own.get(column.key)?.column.label.zh ?? blank.heading(column),
    isNeeded: (column) => !own.has(column.key) && blank.isNeeded(column),
    example: (column) => (own.has(column.key) ? '' : blank.example(column)),
    offers: (column) => {
      const field = own.get(column.key)?.field
      return field ? offeredBy(field).map(({ label }) => label.zh) : blank.offers(column)
    },
  }
}

/** The options that a field still offers. */
const offeredBy = ({ options = [] }: ModelField) => options.filter(({ retired }) => !retired)

/** What can be said of cells that name no option. */
function askingOf(
  model: Model,
  part: string,
  asking: CellQuestion,
  { circumstance: { language } }: Context,
): CellQuestion {
  const fieldOf = (key: string): ModelField | undefined =>
    key.startsWith(`${part}.`) ? model.custom.find(({ name }) => key === `${part}.${name}`) : undefined
  return {
    ...asking,
    isWord: (key) => fieldOf(key)?.kind === 'choice' || asking.isWord?.(key) === true,
    options: (key, text) =>
      fieldOf(key)
        ? offeredBy(fieldOf(key)!).map(({ label }) => ({ value: label.zh, label: label[language] }))
        : asking.options(key, text),
  }
}

/**
 * Which columns of a file stand under the names of the tenant's own fields: these go before what else a heading may mean.
 * Where a file has a column that says it is the tenant's own, as a template does, one of the bare name is the form's.
 */
export function matchCustom(
  { columns }: Pick<Form, 'columns'>,
  headings: readonly { readonly heading: string; readonly from?: string }[],
): ReadonlyMap<number, string> {
  const own = columns.filter(({ key }) => isCustomKey(key))
  const labelled = new Map(own.flatMap(({ key, label: { zh, en } }) => [zh, en].map((label) => [label, key] as const)))
  const named = new Map(own.flatMap(({ key, aka }) => aka.map((name) => [foldHeading(name), key] as const)))
  const ofFile = headings.map(({ heading, from = 'file' }) => (from === 'file' ? heading.trim() : ''))
  const said = new Set(ofFile.flatMap((heading) => labelled.get(heading) ?? []))
  return new Map(
    ofFile.flatMap((heading, at): [number, string][] => {
      const key = labelled.get(heading) ?? named.get(foldHeading(heading))
      return key === undefined || (!labelled.has(heading) && said.has(key)) ? [] : [[at, key]]
    }),
  )
}

/** Whether a key is one of the form as it is today: a field of the tenant's own that is gone is none. */
export const isOfForm = ({ columns }: Pick<Form, 'columns'>, key: string): boolean =>
  !isCustomKey(key) || columns.some((column) => column.key === key)

/** The words of the options that fields offer, as cells are looked up in them. */
function choicesOf(fields: readonly ModelField[]): Choices {
  const offered = fields.map((field) => ({ dict: field.dict ?? '', options: offeredBy(field) }))
  return {
    choices: new Map(
      offered.map(({ dict, options }) => [
        dict,
        new Map(
          options.flatMap(({ key, label: { zh, en } }): [string, string][] => [
            [foldWord(en), key],
            [foldWord(zh), key],
          ]),
        ),
      ]),
    ),
    keys: new Map(offered.map(({ dict, options }) => [dict, new Set(options.map(({ key }) => key))])),
    offers: new Map(offered.map(({ dict, options }) => [dict, options.map(({ label }) => label)])),
  }
}

/** Reads the tenant's own fields of a row: their values by name, and what is wrong with its cells. */
export type ReadCustom = (kept: KeptRow) => {
  readonly values: Values
  readonly faults: readonly Fault[]
  readonly notes: readonly RowNote[]
}

const nothingRead = { values: {}, faults: [], notes: [] }

/** The reader of a batch; one that reads nothing where no column is matched to such a field. */
export async function customReader(context: Context, batch: Batch, part: string, model: Model): Promise<ReadCustom> {
  const answers = answersOf(batch.settings, context)
  const fields = model.custom.flatMap((field) => {
    const key = `${part}.${field.name}`
    const at = Object.keys(batch.mapping).find((each) => batch.mapping[each] === key)
    return at === undefined && !answers.fixed[key] ? [] : [{ field, key, at }]
  })
  if (fields.length === 0) return () => nothingRead
  const orders = await ordersOf(context, batch, { [part]: model })
  const lookups = choicesOf(fields.map(({ field }) => field))
  return (kept) => {
    const values: Values = {}
    const faults: Fault[] = []
    const notes: RowNote[] = []
    for (const { field, key, at } of fields) {
      const cell = at === undefined ? (answers.fixed[key] ?? '') : (kept.cells[Number(at)] ?? '')
      const mark = at === undefined ? undefined : kept.marks?.[Number(at)]
      const said = wholeNumber(cell.trim())
      if (said !== '' && answers.leavesOut(key, said)) faults.push({ key, ...leftOut })
      const text = said === '' ? '' : (answers.instead(key, said) ?? said)
      const learned = said === '' ? undefined : answers.learned(key, said)
      if (learned !== undefined) notes.push({ kind: 'learned', key, word: learned })
      const isOption = lookups.choices.get(field.dict ?? '')?.has(foldWord(text)) === true
      if (!mark && (text === '' || (saysNothing(text) && !isOption))) continue
      const read = readCell(text, mark, field, lookups, at === undefined ? undefined : orders[at])
      const judged = 'fault' in read ? read : kinds[field.kind].read(read.value, field)
      if ('fault' in judged) faults.push({ key, ...judged.fault })
      else values[field.name] = judged.value
    }
    return { values, faults, notes }
  }
}
