import { codeOf, type Entity, fixedform, personalCode } from '@data-brain/contract'
import { emptyReport, fieldAt, type ReportField } from '@data-brain/contract/report'
import { compileOnce, sql } from '../../database/statement.ts'
import { orderOf } from '../../entity/filter.ts'
import { modelOf } from '../../entity/model.ts'
import { Repository } from '../../entity/repository.ts'
import { reachOf } from '../../entity/scope.ts'
import { columnRef, nameRef, tableRef } from '../../entity/select.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import {
  type FigureValues,
  type FilledFile,
  formatted,
  type KnownForm,
  listOfEach,
  type MarkValue,
  type Named,
  ownList,
  type Page,
  type Values,
} from '../form/index.ts'
import { type Question, type Running, rowsOf } from '../report/index.ts'

/** The right by which somebody fills forms with rows: that to take them out, else that to look at them. */
const verbOf = (actor: Actor, entity: Pick<Entity, 'name'>): 'export' | 'view' =>
  holdsCode(actor, codeOf(entity, 'export')) ? 'export' : 'view'

/** What a file may be called. */
export const fileName = (name: string): string =>
  name
    .replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ')
    .trim()
    .slice(0, 80) || fixedform.label.zh

/** The fields that the marks name, each once, and the title of the row behind them. */
export function columnsOf({ entity, named }: KnownForm): { columns: ReportField[]; title: number } {
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
export interface BelongingList {
  readonly of: Entity
  readonly by: string
  readonly columns: readonly ReportField[]
  /** As many of each row as any mark asks for. */
  readonly most: number
  /** Whether some mark asks for each of them. */
  readonly isWhole: boolean
}

export function listsOf({ named }: KnownForm): BelongingList[] {
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
export async function belongingCells(
  running: Running,
  { of, by, columns, most, isWhole }: BelongingList,
  ids: readonly string[],
  full: boolean,
): Promise<ReadonlyMap<string, readonly MarkValue[][]>> {
  const { tx, actor } = running
  const model = modelOf(of)
  const reach = await reachOf(running, model, [codeOf(of, verbOf(actor, of))])
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
export async function cellsOf(
  running: Running,
  form: Pick<KnownForm, 'entity'>,
  columns: readonly ReportField[],
  ids: readonly string[],
  full: boolean,
): Promise<MarkValue[][]> {
  const { entity } = form
  const question: Question = {
    ...{
      content: emptyReport(entity),
      entity,
      model: modelOf(entity),
      source: undefined,
      columns,
      groups: [],
      cross: undefined,
      measured: [],
      filter: undefined,
    },
  }
  const rows = await rowsOf(running, question, ids, verbOf(running.actor, entity), 'export')
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
export interface FormRow {
  readonly cells: readonly MarkValue[]
  readonly lists: readonly (readonly MarkValue[][])[]
}

/** What a row comes to: its marks, and of each list that belongs to it the marks of each row. */
export interface RowValues {
  readonly values: Values
  readonly lists: Readonly<Record<string, readonly Values[]>>
}

export function valuesOf(
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

/** As what several are kept. */
export type FormInto = 'book' | 'zip' | 'pdf' | undefined

/** The workbooks that the rows fill. */
export function filesOf(
  form: KnownForm,
  name: string,
  rows: readonly RowValues[],
  titles: readonly string[],
  into: FormInto,
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
