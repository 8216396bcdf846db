import { codeOf, type Entity, entities, type Words } from '@data-brain/contract'
import { reportContent } from '@data-brain/contract/calls/report'
import {
  fieldAt,
  groupFault,
  isAsked,
  isDay,
  isNumber,
  isOfField,
  isReported,
  isSince,
  isSinceSaid,
  type ReportContent,
  type ReportField,
  type ReportGroup,
} from '@data-brain/contract/report'
import { isSourceName, sourceEntity } from '@data-brain/contract/report-source'
import { type Group, isGroup } from '@data-brain/contract/rules/condition'
import { readValue } from '@data-brain/contract/rules/values'
import { conditionsFault } from '../../entity/conditions.ts'
import { type Model, modelOf, modelOfOther } from '../../entity/model.ts'
import type { Context } from '../../entity/repository.ts'
import { readBody } from '../../kernel/input.ts'
import { Problem } from '../../kernel/problem.ts'
import { mayRead } from '../desk/index.ts'
import { type FoundTable, foundTable } from './source-tables.ts'

/*
 * What a report may ask. Its names are looked up in the definitions: a name that is not there is refused, whatever it
 * holds, and no name that was sent comes near a statement.
 */

type Part = keyof typeof reportContent.fields

/** Refuses a part of a report, in words that go on after what it is called. */
const refuse = (part: Part, zh: string, en: string): Problem => {
  const label = (reportContent.fields[part] as { label?: Words }).label ?? { zh: part, en: part }
  return new Problem('field_invalid', { label, reason: { zh, en } }, { field: `content.${part}`, fields: [] })
}

/** A name as somebody sent it, short enough to be told. */
const told = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name)

/** What was sent as the content of a report, in its shape; what is not said is nothing. */
export function readContent(sent: unknown): ReportContent {
  const read = readBody(reportContent.fields, sent) as Partial<ReportContent>
  return {
    entity: read.entity!,
    columns: read.columns ?? [],
    filter: read.filter ?? null,
    parameters: read.parameters ?? [],
    groups: (read.groups ?? []).map(grouped),
    cross: read.cross ? grouped(read.cross) : null,
    measures: (read.measures ?? []).map(({ of, field, since }) => ({
      of,
      field: field ?? null,
      ...(isSince(of) ? { since: since ?? null } : {}),
    })),
    sort: read.sort ?? null,
    chart: read.chart ?? 'none',
    ...(isSourceName(read.entity!) && read.labels ? { labels: read.labels } : {}),
    hideBelow: read.hideBelow ?? 0,
  }
}
const grouped = ({ field, by }: ReportGroup): ReportGroup => ({ field, by: by ?? null })

/** Whether a report counts groups; otherwise it lists rows. */
export const countsGroups = ({ groups, cross }: Pick<ReportContent, 'groups' | 'cross'>): boolean =>
  groups.length > 0 || cross !== null

function entityFor({ entity: name }: ReportContent): Entity {
  const entity = entities.find((each) => each.name === name)
  if (!entity || !isReported(entity))
    throw refuse('entity', `没有名为“${told(name)}”的数据对象`, `there are no rows of "${told(name)}"`)
  return entity
}

/** Refuses whoever may not look at the rows of an entity. */
export function mustRead({ actor }: Pick<Context, 'actor'>, entity: Entity): void {
  const code = codeOf(entity, 'view')
  if (!mayRead(actor, code, `/${entity.path}/list`)) throw new Problem('forbidden', { code })
}

/** What a report asks, with its names looked up. */
export interface Question {
  readonly content: ReportContent
  readonly entity: Entity
  readonly model: Model
  /** The table of a data source that is read, where it is about one. */
  readonly source: FoundTable | undefined
  readonly columns: readonly ReportField[]
  readonly groups: readonly ReportField[]
  readonly cross: ReportField | undefined
  /** The field of each measure that is of one. */
  readonly measured: readonly (ReportField | undefined)[]
  readonly filter: Group | undefined
}

/**
 * Reads what a report asks, for whoever asks it. Throws a problem that names the part which makes no sense, or the right that
 * is missing.
 */
export async function readQuestion(
  sent: unknown,
  context: Pick<Context, 'actor' | 'cipher' | 'tx'>,
): Promise<Question> {
  const content = readContent(sent)
  const source = await foundTable(context.tx, context.actor, content.entity)
  const entity = source ? sourceEntity(source.table, content.labels) : entityFor(content)
  const model = source ? modelOfOther(entity) : modelOf(entity)
  if (!source) mustRead(context, entity)
  const found = (part: Part, path: string): ReportField => {
    const field = fieldAt(entity, path)
    if (!field) throw refuse(part, `没有名为“${told(path)}”的字段`, `there is no field "${told(path)}"`)
    if (!source) for (const each of field.along) mustRead(context, each)
    return field
  }
  const group = (part: Part, { field: path, by }: ReportGroup): ReportField => {
    const field = found(part, path)
    const fault = groupFault(field)
    if (fault) throw refuse(part, `“${field.label.zh}”${fault.zh}`, `"${field.label.en}" ${fault.en}`)
    if (by && !isDay(field))
      throw refuse(part, `“${field.label.zh}”不是日期`, `"${field.label.en}" is no day that could be put together`)
    return field
  }
  const { columns, groups, cross, measures, parameters, sort, chart } = content
  const question: Question = {
    content,
    entity,
    model,
    source,
    columns: columns.map((path) => found('columns', path)),
    groups: groups.map((each) => group('groups', each)),
    cross: cross ? group('cross', cross) : undefined,
    measured: measures.map(({ of, field: path, since }) => {
      if (isSince(of)) {
        if (!since) throw refuse('measures', '请选择与哪一天比较', 'say since when the change is counted')
        if (!isSinceSaid(since))
          throw refuse(
            'measures',
            `“${told(since)}”不是日期`,
            `"${told(since)}" is no day that changes are counted since`,
          )
        if (!path) return undefined
      } else if (!isOfField(of)) return undefined
      if (!path) throw refuse('measures', '请选择要统计的字段', 'name the number that is counted')
      const field = found('measures', path)
      if (!isNumber(field)) throw refuse('measures', `“${field.label.zh}”不是数字`, `"${field.label.en}" is no number`)
      return field
    }),
    filter: filterOf(content, model, context),
  }
  if (countsGroups(content)) {
    const names = [...groups, ...(cross ? [cross] : [])].map(({ field }) => field)
    if (new Set(names).size < names.length) throw refuse('groups', '同一字段只能用一次', 'each field groups them once')
    if (measures.length === 0) throw refuse('measures', '至少选择一个统计值', 'choose one at least')
    if (sort && sort.by >= measures.length) throw refuse('sort', '没有这个统计值', 'there is no such measure')
  } else {
    if (columns.length === 0) throw refuse('columns', '请选择列，或选择分组', 'choose columns, or groups')
    if (new Set(columns).size < columns.length) throw refuse('columns', '同一列只能出现一次', 'each stands there once')
    if (sort && sort.by >= columns.length) throw refuse('sort', '没有这一列', 'there is no such column')
    if (sort && ['personal', 'area'].includes(question.columns[sort.by]!.field.kind))
      throw refuse('sort', '不能按此列排序', 'rows have no order by this column')
    if (measures.length > 0) throw refuse('measures', '需要分组', 'needs groups')
    if (chart !== 'none') throw refuse('chart', '需要分组', 'needs groups')
  }
  for (const path of parameters) {
    const field = found('parameters', path)
    if (!isAsked(field)) throw refuse('parameters', `不能询问“${field.label.zh}”`, `cannot ask for "${field.label.en}"`)
  }
  return question
}

/** The conditions on the rows; undefined where there are none. */
function filterOf(
  { filter }: ReportContent,
  model: Model,
  context: Pick<Context, 'actor' | 'cipher'>,
): Group | undefined {
  if (filter === null || filter === undefined) return undefined
  const read = readValue({ as: 'condition' }, filter)
  if ('fault' in read) throw refuse('filter', read.fault.zh, read.fault.en)
  if (!isGroup(read.value)) return undefined
  const fault = conditionsFault({ model, context, own: true }, read.value)
  if (fault) throw refuse('filter', fault.zh, fault.en)
  return read.value
}
