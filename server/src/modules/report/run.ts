import { maskOf, natureOf, report } from '@data-brain/contract'
import {
  joinFilters,
  listFilter,
  type ReportContent,
  type ReportResult,
  reportLimits,
} from '@data-brain/contract/report'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { recordReads } from '../../entity/read-log.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import type { Actor, Circumstance } from '../../kernel/actor.ts'
import type { Cipher } from '../../kernel/cipher.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { pastDay } from './as-of.ts'
import { Compiling, type Verb } from './compile.ts'
import { countsGroups, type Question, readQuestion } from './content.ts'
import { type CountedCell, fold } from './fold.ts'
import { basesOf } from './since.ts'
import { loadTable } from './source-tables.ts'
import { wordsFor } from './words.ts'

/** Everything that a run needs: who runs it, in one transaction. */
export interface Running {
  readonly tx: Tx
  readonly actor: Actor
  readonly circumstance: Circumstance
  readonly cipher: Cipher
  /** What a data source is reached by. */
  readonly services: Services
  /** Ends the reading of a data source as soon as whoever asked is gone. */
  readonly left?: AbortSignal | undefined
  /** The past day at whose end rows are looked at; where none is named, they are looked at as they are. */
  readonly asOf?: string | undefined
}

/** The content of a saved report, for whoever sees it. */
export async function savedContent(
  running: Context,
  id: string,
): Promise<{ name: string; content: unknown; author: string | null }> {
  const { name, content, createUser } = await new Repository(report, running).detail(id)
  return { name, content, author: createUser }
}

/** What was asked for, of what the report asks for; anything else is refused by its name. */
export function askedOf(
  { content }: Pick<Question, 'content'>,
  parameters: Readonly<Record<string, string>>,
): Record<string, string> {
  const asked: Record<string, string> = {}
  for (const [name, value] of Object.entries(parameters)) {
    const field = name.replace(/_(datege|datele)$/, '')
    if (!content.parameters.includes(field))
      throw new Problem('field_unknown', { field: name.slice(0, 64) }, { field: 'parameters', fields: [] })
    if (value !== '') asked[name] = value
  }
  return asked
}

const slow = (): Problem =>
  new Problem('rule_broken', {
    reason: {
      zh: `统计超过${reportLimits.seconds}秒，已停止：请加筛选条件或减少分组`,
      en: `Stopped after ${reportLimits.seconds} seconds: add a filter, or take fewer groups`,
    },
  })

/** Runs what reads for a report within its time; one that takes longer is told so. */
export async function inTime<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.allow({ statement: reportLimits.seconds })
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === '57014') throw slow()
    throw error
  }
}

// No list shows the rows of a data source.
const queryOf = ({ content, source }: Question, asked: Readonly<Record<string, string>>): ReportResult['query'] =>
  source ? null : (joinFilters(listFilter(content.filter), asked) ?? null)

/** Runs a question over the rows within the caller’s scope. */
export async function run(
  running: Running,
  content: unknown,
  parameters: Readonly<Record<string, string>>,
): Promise<ReportResult> {
  const question = await readQuestion(content, running)
  const asked = askedOf(question, parameters)
  const asOf = await pastOf(running, question)
  const moment = await running.tx.one<{ at: string }>(sql`select now() as at`)
  const query = queryOf(question, asked)
  const about = { at: moment!.at, asOf: asOf ?? null, content: question.content satisfies ReportContent, query }
  const past = { ...running, asOf }
  const result = countsGroups(question.content)
    ? { ...about, cut: false, ...(await counted(past, question, asked)) }
    : { ...about, hidden: 0, ...(await listed(past, question, asked)) }
  return asOf === undefined ? result : withoutLists(result)
}

/** No list shows rows as they were. */
const withoutLists = (result: ReportResult): ReportResult => ({
  ...result,
  query: null,
  heads: result.heads.map((head) => ({ ...head, query: null })),
  rows: result.rows.map((row) => ({ ...row, query: null })),
})

/** The past day that a question is asked of. */
export async function pastOf(
  { tx, asOf }: Pick<Running, 'tx' | 'asOf'>,
  { source }: Question,
): Promise<string | undefined> {
  const day = await pastDay(tx, asOf)
  if (day === undefined || !source) return day
  throw new Problem(
    'rule_broken',
    {
      reason: {
        zh: '数据源的表不保存变更记录，只能按今天的数据统计，不能选择截至日期',
        en: 'No changes are recorded of a table of a data source: it is counted as of today only, not as of an earlier day',
      },
    },
    { field: 'asOf', fields: [] },
  )
}

async function counted(running: Running, question: Question, asked: Readonly<Record<string, string>>) {
  const { tx, actor, circumstance } = running
  const { language } = circumstance
  const { groups, cross } = question
  const loaded = await loadTable(running, question)
  const cellsOf = (asOf: string | undefined): Promise<CountedCell[]> =>
    inTime(tx, async () =>
      tx.run<CountedCell>(
        await new Compiling(question, running, 'view', { loaded, asOf }).cells(asked, reportLimits.cellsMost),
      ),
    )
  const bases = await basesOf(running, question)
  const cells = await cellsOf(running.asOf)
  const before = new Map<string, readonly CountedCell[]>()
  for (const day of new Set(bases.values())) before.set(day, await cellsOf(day))
  const words = await wordsFor(tx, actor.tenantId, [...groups, ...(cross ? [cross] : [])], language)
  return fold({ question, cells, bases, before, words: words.key, language })
}

async function listed(running: Running, question: Question, asked: Readonly<Record<string, string>>) {
  const { tx, circumstance } = running
  const most = reportLimits.rowsShown
  if (question.source) {
    const { rows, total } = await sourceRowsOf(running, question, asked, most)
    return {
      heads: headsOf(question, circumstance.language),
      rows: rows.map((cells) => ({ level: 0, cells, query: null })),
      ...{ total, cut: total > rows.length },
    }
  }
  const ids = await idsOf(running, question, asked, 'view', most + 1)
  const shown = ids.slice(0, most)
  const rows = await rowsOf(running, question, shown, 'view', 'list')
  const cut = ids.length > most
  const counting = new Compiling(question, running, 'view', { asOf: running.asOf })
  const total = cut ? (await inTime(tx, async () => tx.one<{ n: number }>(await counting.count(asked))))!.n : ids.length
  return {
    heads: headsOf(question, circumstance.language),
    rows: rows.map((cells, at) => ({ level: 0, cells, query: { ids: shown[at]! } })),
    total,
    cut,
  }
}

/** The rows that a list of a data source's table holds, in its order: so many at most, and how many there are in all. */
export async function sourceRowsOf(
  running: Running,
  question: Question,
  asked: Readonly<Record<string, string>>,
  most: number,
): Promise<{ rows: (string | number | null)[][]; total: number }> {
  const { tx, actor, circumstance } = running
  const loaded = await loadTable(running, question)
  const statement = await new Compiling(question, running, 'view', { loaded }).list(asked, most + 1)
  const found = await inTime(tx, () => tx.run<Record<string, unknown>>(statement))
  const words = await wordsFor(tx, actor.tenantId, question.columns, circumstance.language)
  const rows = found
    .slice(0, most)
    .map((row) => question.columns.map((field, at) => words.cell(field, row[`v${at}`], undefined)))
  if (found.length <= most) return { rows, total: found.length }
  const counting = await new Compiling(question, running, 'view', { loaded }).count(asked)
  return { rows, total: (await inTime(tx, () => tx.one<{ n: number }>(counting)))!.n }
}

export const headsOf = ({ columns }: Question, language: Circumstance['language']): ReportResult['heads'] =>
  columns.map(({ label, field }) => ({
    text: label[language],
    over: null,
    numeric: natureOf(field.kind) === 'number',
    measure: null,
    query: null,
  }))

/** The rows that a list holds, in its order: of those that the actor reaches, so many. */
export async function idsOf(
  running: Running,
  question: Question,
  asked: Readonly<Record<string, string>>,
  verb: Verb,
  most: number,
): Promise<string[]> {
  const rows = await inTime(running.tx, async () =>
    running.tx.run<{ id: string }>(
      await new Compiling(question, running, verb, { asOf: running.asOf }).ids(asked, most),
    ),
  )
  return rows.map(({ id }) => id)
}

/**
 * The cells of rows by id. Personal values are masked, whoever asks; where more of a child is shown than its lists show, it is
 * recorded who has seen it.
 */
export async function rowsOf(
  running: Running,
  question: Question,
  ids: readonly string[],
  verb: Verb,
  kind: 'list' | 'export',
): Promise<(string | number | null)[][]> {
  if (ids.length === 0) return []
  const { tx, actor, circumstance, cipher } = running
  const { tenantId } = actor
  const { rows, looked, at } = await inTime(tx, async () => {
    const { statement, ...places } = await new Compiling(question, running, verb, { asOf: running.asOf }).rows(ids)
    return { ...places, rows: await tx.run<Record<string, unknown>>(statement) }
  })
  const entities = kind === 'export' ? at : looked
  for (const { alias, model } of new Map(entities.map((each) => [each.alias, each])).values()) {
    // The row may be gone by now: whose it was is told.
    const seen = new Map(
      rows.flatMap((row) => {
        const childId = row[`${alias}_child`]
        return row[alias] ? [[String(row[alias]), childId ? String(childId) : undefined] as const] : []
      }),
    )
    await recordReads(
      { tx, actor, circumstance },
      model.entity,
      kind,
      [...seen].map(([id, childId]) => ({ id, childId })),
    )
  }
  const words = await wordsFor(tx, tenantId, question.columns, circumstance.language)
  return rows.map((row) =>
    question.columns.map((field, index) => {
      const value = row[`v${index}`]
      if (!Buffer.isBuffer(value)) return words.cell(field, value, row[`n${index}`])
      const { alias, model } = at[index]!
      const { column } = model.byName.get(field.path.split('.').at(-1)!)!
      return maskOf(cipher.open(value, { table: model.table, column, tenantId, id: String(row[alias]) }))
    }),
  )
}
