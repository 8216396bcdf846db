import { codeOf, type Entity, fixedform, hasPersonal, personalCode } from '@data-brain/contract'
import { listTypes, pdfType } from '@data-brain/contract/calls/job'
import { emptyReport, fieldAt, type ReportField } from '@data-brain/contract/report'
import { compileOnce, sql } from '../../database/statement.ts'
import { orderOf } from '../../entity/filter.ts'
import { modelOf } from '../../entity/model.ts'
import { mustExplain } from '../../entity/read-log.ts'
import { Repository } from '../../entity/repository.ts'
import { reachOf } from '../../entity/scope.ts'
import { columnRef, nameRef, tableRef } from '../../entity/select.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import { readParameters } from '../../kernel/parameter.ts'
import { Problem } from '../../kernel/problem.ts'
import {
  type Figure,
  type FigureValues,
  type FilledFile,
  figuresOf,
  fillInThread,
  formatted,
  type KnownForm,
  knownFigure,
  knownForm,
  listOfEach,
  type MarkValue,
  mustSeeAll,
  type Named,
  ownList,
  type Page,
  type Values,
} from '../form/index.ts'
import { type Question, type Running, rowsOf } from '../report/index.ts'
import { bunch, type ExportActor, type ExportRequest, type ListFile, type Source, typeOf } from './source.ts'

const own = {
  /** The form. */
  id: { kind: 'id', required: true, label: fixedform.label },
  /** The rows that it is filled with, in their order. */
  ids: { kind: 'ids', required: true, max: 1_000, label: { zh: '所选记录', en: 'Chosen rows' } },
  /** Personal values in full. */
  personal: { kind: 'integer', min: 0, max: 1 },
  /** Several as one workbook, or as a zip of workbooks; one or several as a PDF. */
  into: { kind: 'oneOf', values: ['book', 'zip', 'pdf'], label: { zh: '保存为', en: 'Save as' } },
} as const

type Wish = ReturnType<typeof readParameters<typeof own>>

/** What a file may be called. */
const fileName = (name: string): string =>
  name
    .replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ')
    .trim()
    .slice(0, 80) || fixedform.label.zh

/** The row of the form, for whoever sees it. */
const rowOf = (running: Running, id: string) => new Repository(fixedform, running).detail(id)

/** Refuses whoever may not take the rows out, or not in full. */
function refuse(actor: Actor, form: KnownForm, full: boolean): void {
  const all = [form.entity, ...listsOf(form).map(({ of }) => of)]
  const needed = all.flatMap((entity) => [
    codeOf(entity, 'export'),
    ...(full && hasPersonal(entity) ? [personalCode(entity)] : []),
  ])
  for (const code of needed) if (!holdsCode(actor, code)) throw new Problem('forbidden', { code })
  mustSeeAll(actor, form)
}

/** The fields that the marks name, each once, and the title of the row behind them. */
function columnsOf({ entity, named }: KnownForm): { columns: ReportField[]; title: number } {
  const byPath = new Map<string, ReportField>()
  for (const { named: each } of named.values())
    if ('field' in each && !each.belonging) byPath.set(each.field.path, each.field)
  const title = entity.title ? fieldAt(entity, entity.title) : undefined
  if (title) byPath.set(title.path, title)
  const columns = [...byPath.values()]
  return { columns, title: title ? columns.findIndex(({ path }) => path === title.path) : -1 }
}

/** As many rows of a list that belongs to one row as a form takes. */
const belongingMost = 200

/** Rows that belong to the row, of which marks ask for the first few, or for each. */
interface BelongingList {
  readonly of: Entity
  readonly by: string
  readonly columns: readonly ReportField[]
  /** As many of each row as any mark asks for. */
  readonly most: number
  /** Whether some mark asks for each of them. */
  readonly isWhole: boolean
}

function listsOf({ named }: KnownForm): BelongingList[] {
  const asked = [...named.values()].flatMap(({ named: each }) =>
    each.belonging ? [{ field: 'field' in each ? each.field : undefined, ...each.belonging }] : [],
  )
  return [...Map.groupBy(asked, ({ of, by }) => `${of.name}.${by}`).values()].map((some) => ({
    of: some[0]!.of,
    by: some[0]!.by,
    columns: [...new Map(some.flatMap(({ field }) => (field ? [[field.path, field] as const] : []))).values()],
    most: Math.max(...some.map(({ no }) => no ?? belongingMost)),
    isWhole: some.some(({ no }) => no === undefined),
  }))
}

/** What marks find of the rows that belong to each of these: the cells of the first few, by the row that they belong to. */
async function belongingCells(
  running: Running,
  { of, by, columns, most, isWhole }: BelongingList,
  ids: readonly string[],
  full: boolean,
): Promise<ReadonlyMap<string, readonly MarkValue[][]>> {
  const { tx, actor } = running
  const model = modelOf(of)
  const reach = await reachOf(running, model, [codeOf(of, 'export')])
  const owner = columnRef(model.byName.get(by)!.column)
  const order = compileOnce(
    sql`select id, owner from (
          select t.id, ${owner} as owner, row_number() over (partition by ${owner} order by ${nameRef(orderOf(model, {}).sql)}) as no
          from ${tableRef(model)} where t.tenant_id = ${actor.tenantId} and ${owner} = any(${[...ids]}::bigint[]) ${reach ? sql`and ${reach.sql}` : sql``}) x
        where no <= ${isWhole ? most + 1 : most} order by owner, no`,
    { ...reach?.values, tenant: actor.tenantId },
  )
  const found = await tx.run<{ id: string; owner: string }>(order)
  const cells = await cellsOf(
    running,
    { entity: of },
    columns,
    found.map(({ id }) => id),
    full,
  )
  const byOwner = new Map<string, MarkValue[][]>()
  const known = new Set<string>()
  for (const { owner: whose } of found)
    if (isWhole && found.length > most && !known.has(whose)) {
      known.add(whose)
      if (found.filter(({ owner: other }) => other === whose).length <= most) continue
      throw new Problem('rule_broken', {
        reason: {
          zh: `有记录的“${of.label.zh}”超过${most}条，一张表样列不下，请改用列表导出`,
          en: `There are more than ${most} rows of "${of.label.en}" for one row: export their list instead`,
        },
      })
    }
  for (const [at, { owner: whose }] of found.entries()) byOwner.set(whose, [...(byOwner.get(whose) ?? []), cells[at]!])
  return byOwner
}

/** The cells of these rows; one that is beyond reach refuses all, so that nobody takes a part for the whole. */
async function cellsOf(
  running: Running,
  form: Pick<KnownForm, 'entity'>,
  columns: readonly ReportField[],
  ids: readonly string[],
  full: boolean,
): Promise<MarkValue[][]> {
  const { entity } = form
  const question: Question = {
    ...{ content: emptyReport(entity), entity, columns, groups: [], cross: undefined, measured: [], filter: undefined },
  }
  const rows = await rowsOf(running, question, ids, 'export', 'export')
  if (rows.length < ids.length)
    throw new Problem('rule_broken', {
      reason: {
        zh: '所选记录中有已删除的，或不在您的数据范围内，请刷新后重选',
        en: 'Some of the chosen rows are gone, or beyond your scope: choose them again',
      },
    })
  const personal = columns.flatMap(({ path, field }, at) =>
    field.kind === 'personal' && !path.includes('.') ? [{ path, at }] : [],
  )
  if (!full || personal.length === 0) return rows
  const open = await new Repository(entity, running).rows(
    ids,
    personal.map(({ path }) => path),
    { full: true, codes: [personalCode(entity)] },
  )
  const byId = new Map(open.map((row) => [row.id, row as unknown as Record<string, MarkValue>]))
  return rows.map((row, index) => {
    const found = byId.get(ids[index]!)
    if (!found) return row
    const whole = [...row]
    for (const { path, at } of personal) whole[at] = found[path] ?? null
    return whole
  })
}

const today = (): string => new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' })

/** What was read for a row: its cells, and those of the rows that belong to it, list by list. */
interface FormRow {
  readonly cells: readonly MarkValue[]
  readonly lists: readonly (readonly MarkValue[][])[]
}

/** What a row comes to: its marks, and of each list that belongs to it the marks of each row. */
interface RowValues {
  readonly values: Values
  readonly lists: Readonly<Record<string, readonly Values[]>>
}

function valuesOf(
  form: KnownForm,
  columns: readonly ReportField[],
  { cells, lists }: FormRow,
  { number, filler, figures }: { number: number; filler: string; figures: FigureValues },
): RowValues {
  const at = new Map(columns.map(({ path }, index) => [path, index]))
  const belonging = listsOf(form)
  const marks = [...form.named].map(([text, { mark, named }]) => ({ text, format: mark.format, named }))
  /** A cell of the n-th row of a list, counted from 0. */
  const inList = (named: Named, no: number): MarkValue => {
    const list = belonging.findIndex(({ of, by }) => of === named.belonging!.of && by === named.belonging!.by)
    const row = lists[list]![no]
    if (!row) return null
    if (!('field' in named)) return no + 1
    return row[belonging[list]!.columns.findIndex(({ path }) => path === named.field.path)] ?? null
  }
  const worth = (text: string, named: Named): MarkValue => {
    if ('figure' in named) return figures[text] ?? null
    if (named.belonging) return named.belonging.no === undefined ? null : inList(named, named.belonging.no - 1)
    if ('beside' in named) return { today: today(), number, filler }[named.beside]
    return cells[at.get(named.field.path)!] ?? null
  }
  const each = Map.groupBy(marks, ({ named }) => listOfEach(named))
  return {
    values: Object.fromEntries(marks.map(({ text, format, named }) => [text, formatted(worth(text, named), format)])),
    lists: Object.fromEntries(
      belonging.flatMap(({ of, by }, list) => {
        const some = each.get(`${of.name}.${by}`)
        if (!some) return []
        const rows = lists[list]!.map((_, no) =>
          Object.fromEntries(some.map(({ text, format, named }) => [text, formatted(inList(named, no), format)])),
        )
        return [[`${of.name}.${by}`, rows] as const]
      }),
    ),
  }
}

/** Rows of a list, put on pages: those whose single marks say the same stand together, as many as the form has room for. */
function listPages(form: KnownForm, rows: readonly Values[]): Page[] {
  const singles = [...form.named.values()].filter(({ mark }) => !mark.list).map(({ mark }) => mark.text)
  const numbers = [...form.named.values()].flatMap(({ mark, named }) =>
    mark.list && !named.belonging && 'beside' in named && named.beside === 'number' ? [mark.text] : [],
  )
  const groups = Map.groupBy(rows, (row) => JSON.stringify(singles.map((text) => row[text])))
  return [...groups.values()].flatMap((group) => {
    const counted = group.map((row, at) => ({ ...row, ...Object.fromEntries(numbers.map((text) => [text, at + 1])) }))
    return Array.from({ length: Math.ceil(counted.length / form.places) }, (_, page) => ({
      values: counted[0]!,
      lists: { [ownList]: counted.slice(page * form.places, (page + 1) * form.places) },
    }))
  })
}

/** The workbooks that the rows fill. */
function filesOf(
  form: KnownForm,
  name: string,
  rows: readonly RowValues[],
  titles: readonly string[],
  into: Wish['into'],
) {
  if (form.places > 0)
    return [
      {
        name: `${name}.xlsx`,
        pages: listPages(
          form,
          rows.map(({ values }) => values),
        ),
      },
    ]
  const pages = rows
  if (pages.length === 1 || (form.copies && into !== 'zip')) return [{ name: `${name}.xlsx`, pages }]
  const taken = new Set<string>()
  return pages.map((page, at): FilledFile => {
    const plain = fileName(`${name}-${titles[at]}`)
    const unique = taken.has(plain) ? `${plain}-${at + 1}` : plain
    taken.add(unique)
    return { name: `${unique}.xlsx`, pages: [page] }
  })
}

async function filled(
  wish: Wish,
  taker: ExportActor,
  heard?: (rows: number, of: number) => Promise<unknown>,
): Promise<ListFile> {
  const { services, circumstance, as } = taker
  const { language } = circumstance
  const { id, ids: asked, personal = 0, into } = wish
  const ids = [...new Set(asked)]
  const full = personal === 1
  const within = <T>(work: (running: Running) => Promise<T>): Promise<T> =>
    as(({ tx, actor }) => work({ tx, actor, circumstance, cipher: services.cipher }))
  const { row, actor } = await within(async (running) => ({ row: await rowOf(running, id), actor: running.actor }))
  const reader = {
    ...{ tenantId: actor.tenantId, language },
    figure: (entity: Entity, figure: Figure) => within((running) => knownFigure(running, entity, figure)),
  }
  const form = await knownForm(services, reader, row)
  const { columns, title } = columnsOf(form)
  const found: FormRow[] = []
  await heard?.(0, ids.length)
  for (let start = 0; start < ids.length; start += bunch) {
    const some = ids.slice(start, start + bunch)
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
    form: id,
    entity: form.entity.name,
    rows: ids.length,
    fullNumbers:
      full &&
      [columns, ...listsOf(form).map((list) => list.columns)].flat().some(({ field }) => field.kind === 'personal'),
  })
  const files = filesOf(form, fileName(row.name), rows, titles, into)
  const belonging = Object.fromEntries(
    [...form.named].flatMap(([text, { named }]) => {
      const list = listOfEach(named)
      return list === undefined ? [] : [[text, list] as const]
    }),
  )
  const isPdf = into === 'pdf'
  const paper = isPdf ? { title: row.name, author: actor.name, language } : undefined
  const bytes = Buffer.from(await fillInThread(form.bytes, files, { foot, belonging, paper }))
  const ending = isPdf ? 'pdf' : files.length > 1 ? 'zip' : 'xlsx'
  const name = `${fileName(row.name)}-${at.replace(/[^0-9]/g, '').slice(0, 12)}.${ending}`
  return {
    ...{ name, type: typeOf(name), rows: ids.length },
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
        const row = await rowOf({ tx, actor, circumstance, cipher: services.cipher }, wish.id)
        const code = codeOf({ name: row.subject }, 'export')
        if (!holdsCode(actor, code)) throw new Problem('forbidden', { code })
      },
      file: (taker, heard) => filled(wish, taker, heard),
    }
  },
}
