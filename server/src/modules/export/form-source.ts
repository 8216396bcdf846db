import { codeOf, type Entity, fixedform, hasPersonal, personalCode } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { fillUploadedForm, previewForm, previewUploadedForm } from '@data-brain/contract/calls/fixedform'
import { listTypes, pdfType } from '@data-brain/contract/calls/job'
import { fillCode, filledMost } from '@data-brain/contract/fixed-form'
import { sql } from '../../database/statement.ts'
import { mustExplain } from '../../entity/read-log.ts'
import { Repository } from '../../entity/repository.ts'
import { onDetached } from '../../entity/serve-call.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import { contentDisposition } from '../../kernel/disposition.ts'
import { readParameters } from '../../kernel/parameter.ts'
import { Problem } from '../../kernel/problem.ts'
import { RawResponse, type Route } from '../../kernel/route.ts'
import {
  type Figure,
  type FilledFile,
  figuresOf,
  fillInThread,
  type KnownForm,
  knownFigure,
  knownForm,
  listOfEach,
  type MarkValue,
  mustSeeAll,
  showInThread,
} from '../form/index.ts'
import type { Running } from '../report/index.ts'
import {
  belongingCells,
  cellsOf,
  columnsOf,
  type FormInto,
  type FormRow,
  fileName,
  filesOf,
  listsOf,
  valuesOf,
} from './form-values.ts'
import { batchSize, type ExportActor, type ExportRequest, type ListFile, type Source, typeOf } from './source.ts'

const own = {
  /** The form. */
  id: { kind: 'id', required: true, label: fixedform.label },
  /** The rows that it is filled with, in their order. */
  ids: { kind: 'ids', required: true, max: filledMost, label: { zh: '所选记录', en: 'Chosen rows' } },
  /** Personal values in full. */
  personal: { kind: 'integer', min: 0, max: 1 },
  /** Several as one workbook, or as a zip of workbooks; one or several as a PDF. */
  into: { kind: 'oneOf', values: ['book', 'zip', 'pdf'], label: { zh: '保存为', en: 'Save as' } },
} as const

type Wish = Omit<ReturnType<typeof readParameters<typeof own>>, 'id'>

/** What is filled: a form that is saved, or is to be. */
interface SavedForm {
  readonly name: string
  readonly subject: string
  readonly attachId: string
}
/** Looks up what is filled, as whoever fills it. */
type FormOf = (running: Running) => Promise<SavedForm>

/** The row of the form, for whoever sees it. */
const rowOf = (running: Running, id: string) => new Repository(fixedform, running).detail(id)

/**
 * Refuses whoever may not fill forms with rows of an entity: it takes the right to take these out, or that to fill forms and to
 * look at them.
 */
function mustFill(actor: Actor, entity: Pick<Entity, 'name'>): void {
  const code = codeOf(entity, 'export')
  const isFiller = holdsCode(actor, fillCode) && holdsCode(actor, codeOf(entity, 'view'))
  if (!holdsCode(actor, code) && !isFiller) throw new Problem('forbidden', { code })
}

/** Refuses whoever may not fill the form with its rows, or not in full. */
function refuse(actor: Actor, form: KnownForm, full: boolean): void {
  const all = [form.entity, ...listsOf(form).map(({ of }) => of)]
  for (const entity of all) {
    mustFill(actor, entity)
    const code = personalCode(entity)
    if (full && hasPersonal(entity) && !holdsCode(actor, code)) throw new Problem('forbidden', { code })
  }
  mustSeeAll(actor, form)
}

/** A form and what it is filled with. */
interface Reading {
  readonly name: string
  readonly form: KnownForm
  readonly author: string
  readonly files: readonly FilledFile[]
  readonly foot: string
  readonly belonging: Readonly<Record<string, string>>
  /** When it was read, for the name of the file. */
  readonly at: string
  readonly rows: number
}

/** Reads what a form is filled with, as whoever fills it. */
async function readFor(
  formOf: FormOf,
  wish: Wish,
  taker: ExportActor,
  heard?: (rows: number, of: number) => Promise<unknown>,
): Promise<Reading> {
  const { services, circumstance, as } = taker
  const { language } = circumstance
  const { ids: asked, personal = 0, into } = wish
  const ids = [...new Set(asked)]
  const full = personal === 1
  const within = <T>(work: (running: Running) => Promise<T>): Promise<T> =>
    as(({ tx, actor }) => work({ tx, actor, circumstance, cipher: services.cipher, services }))
  const { row, actor } = await within(async (running) => ({ row: await formOf(running), actor: running.actor }))
  const reader = {
    ...{ tenantId: actor.tenantId, language },
    figure: (entity: Entity, figure: Figure) => within((running) => knownFigure(running, entity, figure)),
  }
  const form = await knownForm(services, reader, row)
  const { columns, title } = columnsOf(form)
  const found: FormRow[] = []
  await heard?.(0, ids.length)
  for (let start = 0; start < ids.length; start += batchSize) {
    const some = ids.slice(start, start + batchSize)
    const read = await within(async (running) => {
      // The right to take it out may be gone since the last bunch.
      refuse(running.actor, form, full)
      await mustExplain(running, form.entity)
      const cells = await cellsOf(running, form, columns, some, full)
      const lists: ReadonlyMap<string, readonly MarkValue[][]>[] = []
      for (const list of listsOf(form)) lists.push(await belongingCells(running, list, some, full))
      return cells.map((each, index) => ({ cells: each, lists: lists.map((list) => list.get(some[index]!) ?? []) }))
    })
    found.push(...read)
    await heard?.(found.length, ids.length)
  }
  const figures = new Map(
    [...form.named].flatMap(([text, { named }]) => ('figure' in named ? [[text, named.figure] as const] : [])),
  )
  const counted = await figuresOf(within, figures, ids)
  const rows = found.map((each, at) =>
    valuesOf(form, columns, each, { number: at + 1, filler: actor.name, figures: counted[at]! }),
  )
  const titles = found.map(({ cells }) => String(cells[title] ?? ''))
  const at = new Date().toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' })
  const words = { zh: ['填表人', '填表时间'], en: ['Filled by', 'Filled at'] }[language]
  const foot = `${words[0]}: ${actor.name} (${actor.account})  ${words[1]}: ${at}`
  services.log.info('form filled', {
    tenantId: actor.tenantId,
    userId: actor.userId,
    requestId: circumstance.requestId,
    form: row.name,
    entity: form.entity.name,
    rows: ids.length,
    fullNumbers:
      full &&
      [columns, ...listsOf(form).map((list) => list.columns)].flat().some(({ field }) => field.kind === 'personal'),
  })
  const files = filesOf(form, fileName(row.name), rows, titles, into as FormInto)
  const belonging = Object.fromEntries(
    [...form.named].flatMap(([text, { named }]) => {
      const list = listOfEach(named)
      return list === undefined ? [] : [[text, list] as const]
    }),
  )
  return { name: row.name, form, author: actor.name, files, foot, belonging, at, rows: ids.length }
}

/** A form filled with rows as a file. */
async function filled(
  formOf: FormOf,
  wish: Wish,
  taker: ExportActor,
  heard?: (rows: number, of: number) => Promise<unknown>,
): Promise<ListFile> {
  const { name: title, form, author, files, foot, belonging, at, rows } = await readFor(formOf, wish, taker, heard)
  const isPdf = wish.into === 'pdf'
  const paper = isPdf ? { title, author, language: taker.circumstance.language } : undefined
  const bytes = Buffer.from(await fillInThread(form.bytes, files, { foot, belonging, paper }))
  const ending = isPdf ? 'pdf' : files.length > 1 ? 'zip' : 'xlsx'
  const name = `${fileName(title)}-${at.replace(/[^0-9]/g, '').slice(0, 12)}.${ending}`
  return {
    ...{ name, type: typeOf(name), rows },
    bytes: (async function* () {
      yield bytes
    })(),
  }
}

/** A form filled with rows, within the scope of whoever fills it: a workbook, or a zip of several. */
export const formSource: Source = {
  name: 'filledform',
  path: 'blade-report/fixedform/filled',
  label: { zh: '填好的表样', en: 'Filled form' },
  tag: fixedform.name,
  code: codeOf(fixedform, 'view'),
  platform: false,
  parameters: own,
  types: [listTypes[0], listTypes[2], pdfType],
  ask: (query): ExportRequest => {
    const wish = readParameters(own, query)
    return {
      refuse: () => {},
      probe: async ({ tx, actor, services, circumstance }) => {
        const row = await rowOf({ tx, actor, circumstance, cipher: services.cipher, services }, wish.id)
        mustFill(actor, { name: row.subject })
      },
      file: (taker, heard) => filled((running) => rowOf(running, wish.id), wish, taker, heard),
    }
  },
}

type Uploaded = InputOf<typeof previewUploadedForm>

/** An uploaded workbook that is not yet a form: an own upload, or the workbook of a form that they see. */
const uploadedForm =
  ({ attachId, subject }: Uploaded): FormOf =>
  async (running) => {
    const { tx, actor } = running
    const file = await tx.one<{ name: string; own: boolean }>(
      sql`select original_name as name, create_user is not distinct from ${actor.userId}::bigint as own from attach
          where tenant_id = ${actor.tenantId} and id = ${attachId}`,
    )
    const view = codeOf(fixedform, 'view')
    const isTheirs = file?.own || (await new Repository(fixedform, running).ids({ attachId }, 1, [view]))[0]
    if (!file || !isTheirs) throw new Problem('not_found')
    return { name: file.name.replace(/\.xlsx$/i, ''), subject, attachId }
  }

async function shownWith(formOf: FormOf, rowId: string, taker: ExportActor) {
  const { form, files, foot, belonging } = await readFor(formOf, { ids: [rowId] } as unknown as Wish, taker)
  return { sheets: await showInThread(form.bytes, files, { foot, belonging }) }
}

/** How a form looks filled with one row, before it is used. */
export const previewRoute: Route = onDetached(previewForm, ({ id, rowId }, call) =>
  shownWith((running) => rowOf(running, id), rowId, call),
)

/** How an uploaded workbook would, before it is saved as a form. */
export const previewUploadedRoute: Route = onDetached(previewUploadedForm, (input, call) =>
  shownWith(uploadedForm(input), input.rowId, call),
)

/** The same as a file. */
export const fillUploadedRoute: Route = onDetached(fillUploadedForm, async ({ into = 'book', ...input }, call) => {
  const file = await filled(uploadedForm(input), { ids: [input.rowId], into } as unknown as Wish, call)
  const parts: Uint8Array[] = []
  for await (const part of file.bytes) parts.push(part)
  return new RawResponse(Buffer.concat(parts), 200, {
    'Content-Type': file.type,
    'Content-Disposition': contentDisposition('attachment', file.name),
    'X-Content-Type-Options': 'nosniff',
  })
})
