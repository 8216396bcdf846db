import type { Words } from '@data-brain/contract'
import {
  isSourceName,
  type ReportSource,
  type ReportSourceColumn,
  sourceCode,
  sourceName,
} from '@data-brain/contract/report-source'
import { isGroup, membersOf } from '@data-brain/contract/rules/condition'
import { slotValue, sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { platformTenant } from '../../entity/model.ts'
import { nameRef } from '../../entity/select.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { readSource, rowsMost, SourceError } from '../develop/index.ts'
import type { Loaded } from './compile.ts'
import type { Question } from './content.ts'

/*
 * Tables of a data source that reports read. The rows are read whole, as far as a report names their columns, and are given to
 * the product's own database as one value: there they are filtered, grouped and put in order as rows of entities are.
 */

/** A table that the platform has chosen for a tenant. */
export interface BoundTable extends ReportSource {
  readonly schema: string
  readonly name: string
  readonly columns: readonly (ReportSourceColumn & { readonly name: string })[]
}

/** A table, and the data source that it is of. */
export interface FoundTable {
  readonly table: BoundTable
  readonly datasourceId: string
}

/** The tables that reports of this tenant may read. */
export async function boundTables(tx: Tx, tenantId: string): Promise<readonly FoundTable[]> {
  const row = await tx.one<{ id: string | null; tables: readonly BoundTable[] | null }>(
    sql`select datasource_id as id, source_tables as tables from tenant where tenant_id = ${tenantId}`,
  )
  const { id, tables } = row ?? {}
  return id ? (tables ?? []).map((table) => ({ table, datasourceId: id })) : []
}

const refused = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

/** The table that a report names; one that is not chosen is as unknown as one that never was. */
export async function foundTable(tx: Tx, actor: Actor, entity: string): Promise<FoundTable | undefined> {
  if (!isSourceName(entity)) return undefined
  if (!holdsCode(actor, sourceCode)) throw new Problem('forbidden', { code: sourceCode })
  const found = (await boundTables(tx, actor.tenantId)).find(({ table }) => sourceName(table.id) === entity)
  if (!found)
    throw refused(
      '报表读取的数据源表不存在，或不再提供给本单位',
      'The table of the data source that the report reads is not there, or is no longer open to you',
    )
  return found
}

/** The fields that conditions speak of. */
const namesIn = (filter: unknown): string[] =>
  isGroup(filter) ? membersOf(filter).flatMap((member) => (isGroup(member) ? namesIn(member) : [member.field])) : []

/** Most characters of one reading: they travel to the database as one value. */
const charactersMost = 64_000_000

const types = {
  text: 'text',
  integer: 'bigint',
  decimal: 'numeric',
  flag: 'smallint',
  date: 'date',
  instant: 'timestamptz',
} as const satisfies Readonly<Record<ReportSourceColumn['kind'], string>>

const dayPattern = /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const timePattern = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)?$/
const isDate = (text: string): boolean => {
  if (!dayPattern.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** A cell as its kind has it; one that is none of its kind, as SQLite keeps them, counts as empty. */
export function cellOf(kind: ReportSourceColumn['kind'], cell: string | null): string | number | null {
  if (cell === null) return null
  const text = cell.trim()
  switch (kind) {
    case 'text':
      return cell.replaceAll('\0', '').toWellFormed()
    case 'integer':
      return /^-?\d{1,18}$/.test(text) ? text : null
    case 'decimal':
      return /^-?(\d{1,100}(\.\d{0,100})?|\.\d{1,100})(e[+-]?\d{1,2})?$/i.test(text) ? text : null
    case 'flag':
      return /^(1|t|true|01)$/i.test(text) ? 1 : /^(0|f|false|00)$/i.test(text) ? 0 : null
    case 'date':
      return isDate(text.slice(0, 10)) ? text.slice(0, 10) : null
    case 'instant': {
      const [day = '', time = '00:00'] = text.split(/[ T]/)
      return isDate(day) && timePattern.test(time) ? `${day} ${time}` : null
    }
  }
}

interface Reading {
  readonly tx: Tx
  readonly actor: Actor
  readonly services: Services
  readonly left?: AbortSignal | undefined
}

/** Reads the rows of a question's table, once; undefined where it is about an entity. */
export async function loadTable(reading: Reading, question: Question): Promise<Loaded | undefined> {
  const { source, content } = question
  if (!source) return undefined
  const { services, tx, actor, left } = reading
  const { table, datasourceId } = source
  const needed = new Set([
    ...[...question.columns, ...question.groups, question.cross, ...question.measured].map((field) => field?.path),
    ...content.parameters,
    ...namesIn(content.filter),
  ])
  const columns = table.columns.filter(({ field }) => needed.has(field))
  const called: Words = { zh: `“${table.label}”`, en: `“${table.label}”` }
  let rows: readonly (readonly (string | null)[])[]
  try {
    rows = await readSource(
      services,
      { tenantId: platformTenant, id: datasourceId },
      async (reader) => {
        const there = new Map((await reader.columns(table)).map((column) => [column.name, column]))
        if (there.size === 0)
          throw refused(
            `数据源中的表${called.zh}已不存在或不可读取`,
            `The table ${called.en} is gone from its data source, or cannot be read`,
          )
        const missing = columns.find(({ name }) => !there.has(name))
        if (missing)
          throw refused(
            `表${called.zh}中的列“${missing.label}”已不存在`,
            `The column “${missing.label}” is gone from the table ${called.en}`,
          )
        return reader.rows(
          table,
          columns.map(({ name }) => there.get(name)!),
          rowsMost + 1,
        )
      },
      left,
    )
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    // Where it lies, and what it is called there, is told to those who look after it alone.
    const why: Words = error.isOpen
      ? error.words
      : { zh: '请联系平台管理员', en: 'Ask the administrators of the platform' }
    throw refused(`无法读取表${called.zh}：${why.zh}`, `The table ${called.en} cannot be read. ${why.en}`)
  }
  if (rows.length > rowsMost)
    throw refused(
      `表${called.zh}超过${rowsMost}行，报表无法读取：请平台管理员提供较小的视图`,
      `The table ${called.en} has more than ${rowsMost} rows, too many for a report: ask the platform for a smaller view of it`,
    )
  // It may have been taken away in the meantime.
  await foundTable(tx, actor, content.entity)
  const cells = JSON.stringify(rows.map((row) => columns.map(({ kind }, at) => cellOf(kind, row[at] ?? null))))
  if (cells.length > charactersMost)
    throw refused(`表${called.zh}的内容过多，请减少列`, `The table ${called.en} holds too much: take fewer columns`)
  const named = columns.map(
    ({ field, kind }, at) => sql`, (x.cells->>${sql.lit(at)})::${nameRef(types[kind])} as ${columnName(field)}`,
  )
  return {
    with: sql`with source_rows as (select ${slotValue('tenant')}::text as tenant_id, x.no as id, 1::smallint as status, null::timestamptz as create_time${sql.join(named, sql``)}
      from jsonb_array_elements(${slotValue('source')}::jsonb) with ordinality x(cells, no)) `,
    values: { source: cells },
  }
}

const columnName = (field: string) => {
  if (!/^c[a-p]{16}$/.test(field)) throw new Error('a column of a source is named by letters')
  return nameRef(field)
}
