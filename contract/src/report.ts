import type { reportContent, reportResult } from './calls/report.ts'
import { entities, entityOf } from './entities/index.ts'
import type { Entity } from './entity.ts'
import { type Field, type Kind, natureOf, type Words } from './field.ts'
import { isSourceName } from './report-source.ts'
import { type Condition, isBare, isGroup, isWord, membersOf, modeOf } from './rules/condition.ts'
import { isDay as isDayText } from './rules/day.ts'
import type { ValueOf } from './shape.ts'

/*
 * Reports: a question over the rows of an entity and of what these refer to. A field is named by a path, `classId.yearId.isCurrent`:
 * references, and at its end a field.
 */

export type ReportContent = ValueOf<typeof reportContent>
export type ReportResult = ValueOf<typeof reportResult>
export type ReportHead = ReportResult['heads'][number]
export type ReportRow = ReportResult['rows'][number]
export type ReportGroup = ReportContent['groups'][number]
export type ReportMeasure = ReportContent['measures'][number]

/** What is counted of a group: rows, what a number of theirs comes to, and the share of all counted rows in per cent. */
export const measureWords = {
  count: { zh: '数量', en: 'Count' },
  share: { zh: '占比（%）', en: 'Share (%)' },
  sum: { zh: '合计', en: 'Sum' },
  average: { zh: '平均', en: 'Average' },
  min: { zh: '最小', en: 'Least' },
  max: { zh: '最大', en: 'Most' },
  change: { zh: '变化', en: 'Change' },
  growth: { zh: '变化率（%）', en: 'Change (%)' },
} as const satisfies Readonly<Record<string, Words>>
export type MeasureKind = keyof typeof measureWords
export const measureKinds = Object.keys(measureWords) as unknown as readonly [MeasureKind, ...MeasureKind[]]
/** Whether a measure tells what has changed since an earlier day: of a number that rows have, or of how many rows there are. */
export const isSince = (of: MeasureKind): boolean => of === 'change' || of === 'growth'
/** Whether a measure is of a number that rows have. */
export const isOfField = (of: MeasureKind): boolean => of !== 'count' && of !== 'share' && !isSince(of)

/** Days that a change is counted since, where no day is named. */
export const sinceWords = {
  month: { zh: '一个月前', en: 'one month ago' },
  halfYear: { zh: '一学期（六个月）前', en: 'one semester (six months) ago' },
  year: { zh: '一年前', en: 'one year ago' },
  semester: { zh: '学期开始日', en: 'the first day of the semester' },
  schoolYear: { zh: '学年开始日', en: 'the first day of the school year' },
} as const satisfies Readonly<Record<string, Words>>
export type Since = keyof typeof sinceWords
export const sinceKinds = Object.keys(sinceWords) as readonly Since[]
/** Whether a text says since when: a day, or one of the words. */
export const isSinceSaid = (said: string): boolean => Object.hasOwn(sinceWords, said) || isDayText(said)
/** What a change is counted since, in words. */
const sinceLabel = (said: string): Words =>
  Object.hasOwn(sinceWords, said) ? sinceWords[said as Since] : { zh: said, en: said }

/** Whether what a measure comes to in parts adds up to what it comes to in all. */
export const isAddedUp = (of: MeasureKind): boolean =>
  of === 'count' || of === 'share' || of === 'sum' || of === 'change'

/** The right to take out lists that others have shared as reports, of rows that one may look at, without that to take these rows out at will. */
export const takeCode = 'report_take'

/** What stands in a cell that a report hides. */
export const hiddenMark = '*'

/** How days fall into groups. */
export const grainWords = {
  day: { zh: '按日', en: 'by day' },
  month: { zh: '按月', en: 'by month' },
  year: { zh: '按年', en: 'by year' },
} as const satisfies Readonly<Record<string, Words>>
export type Grain = keyof typeof grainWords
export const grains = Object.keys(grainWords) as unknown as readonly [Grain, ...Grain[]]

export const charts = ['none', 'columns', 'bars', 'heat'] as const

/** As much as one report holds and answers. */
export const reportLimits = {
  columns: 20,
  groups: 3,
  measures: 6,
  /** Different days that changes are counted since. */
  since: 3,
  parameters: 8,
  /** Groups, and columns of a cross table. */
  groupsMost: 5_000,
  crossMost: 200,
  /** Counted cells of all groups. */
  cellsMost: 50_000,
  /** Rows of a list that are shown; a file holds more. */
  rowsShown: 1_000,
  /** So long one report may count, in seconds. */
  seconds: 10,
} as const

/** References that a path goes along at most. */
const stepsMost = 2

/** A field that a report can name, with what leads to it. */
export interface ReportField {
  readonly path: string
  readonly field: Field
  /** The entity whose field it is. */
  readonly of: Entity
  /** The entities along the path, the report’s own first. */
  readonly along: readonly Entity[]
  readonly label: Words
}

const createTime: Field = { kind: 'instant', label: { zh: '创建时间', en: 'Created at' } }
const statusLabel: Words = { zh: '状态', en: 'Status' }

/** The fields of an entity as a report sees them: with the status, where that means something, and when a row was made. */
function ownFields(entity: Entity): Readonly<Record<string, Field>> {
  const { status } = entity
  if (isSourceName(entity.name)) return entity.fields
  return {
    ...entity.fields,
    ...(status ? { status: { kind: 'choice', label: statusLabel, dict: status.dict } satisfies Field } : {}),
    createTime,
  }
}

const unseen: readonly Kind[] = ['json', 'secret', 'references', 'choices']
const isSeen = ({ kind, inner, custom, computed }: Field): boolean =>
  !unseen.includes(kind) && !inner && custom === undefined && !(computed && kind === 'integer')

/** Whether a report may be about the rows of an entity, or go through them. */
export const isReported = ({ ownership, name }: Entity): boolean =>
  ownership !== 'platform' && !['report', 'fixedform', 'reportsubscription'].includes(name)

/** The entities that a report may be about. */
export const reportedEntities = (): readonly Entity[] => entities.filter(isReported)

const joined = (labels: readonly Words[]): Words => ({
  zh: labels.map(({ zh }) => zh).join(' · '),
  en: labels.map(({ en }) => en).join(' · '),
})

/** The field of a path; undefined where there is none, or none that a report shows. */
export function fieldAt(entity: Entity, path: string): ReportField | undefined {
  const names = path.split('.')
  if (names.length > stepsMost + 1) return undefined
  const along = [entity]
  const labels: Words[] = []
  for (const [at, name] of names.entries()) {
    const of = along.at(-1)!
    const fields = ownFields(of)
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field || !isSeen(field)) return undefined
    labels.push(field.label)
    if (at === names.length - 1) return { path, field, of, along, label: joined(labels) }
    if (field.kind !== 'reference' || !field.to) return undefined
    const target = entityOf(field.to)
    if (!isReported(target)) return undefined
    along.push(target)
  }
  return undefined
}

/** Every field that a report over an entity can name: its own, and those of what it refers to, so many references away. */
export function fieldsWithin(entity: Entity, steps = 1): readonly ReportField[] {
  const found: ReportField[] = []
  const walk = (of: Entity, prefix: string, left: number): void => {
    for (const [name, field] of Object.entries(ownFields(of))) {
      const known = fieldAt(entity, `${prefix}${name}`)
      if (!known) continue
      found.push(known)
      if (left > 0 && field.kind === 'reference' && field.to && isReported(entityOf(field.to)))
        walk(entityOf(field.to), `${prefix}${name}.`, left - 1)
    }
  }
  walk(entity, '', Math.min(steps, stepsMost))
  return found
}

/** Whether rows of an entity are children’s records, or parts of them. */
const isOfChild = ({ logsReads, within, fields }: Entity): boolean =>
  logsReads === true || (within !== undefined && entityOf(fields[within]!.to!).logsReads === true)

const grouping: readonly Kind[] = ['text', 'integer', 'flag', 'choice', 'date', 'instant', 'reference', 'region']

/** Why rows cannot be grouped by a field; undefined where they can. A group of each child would be a list of children. */
export function groupFault({ field, along }: ReportField): Words | undefined {
  if (!grouping.includes(field.kind)) return { zh: '不能作为分组', en: 'cannot be grouped by' }
  const names =
    (field.kind === 'text' && along.some(isOfChild)) ||
    (field.kind === 'reference' && field.to !== undefined && entityOf(field.to).logsReads === true)
  return names
    ? {
        zh: '会逐人列出，不能作为分组：请改为不分组的列',
        en: 'would list children one by one: make it a column instead',
      }
    : undefined
}

export const isNumber = ({ field }: ReportField): boolean => natureOf(field.kind) === 'number'
export const isDay = ({ field }: ReportField): boolean => ['date', 'instant'].includes(field.kind)

/** Fields that may be asked for when a report is run. */
export const isAsked = ({ path, field }: ReportField): boolean =>
  !path.includes('.') && ['choice', 'reference', 'date'].includes(field.kind)

/** What a measure is called: 数量, or 合计 of a field; of a change, since when. */
export function measureLabel(entity: Entity, { of, field, since }: ReportMeasure): Words {
  const known = field ? fieldAt(entity, field) : undefined
  const words = measureWords[of]
  if (isSince(of) && since) {
    const about = known?.label ?? measureWords.count
    const day = sinceLabel(since)
    return { zh: `${about.zh}${words.zh}（较${day.zh}）`, en: `${words.en} of ${about.en} since ${day.en}` }
  }
  return known ? { zh: `${known.label.zh}${words.zh}`, en: `${words.en} of ${known.label.en}` } : words
}

/** A report about nothing yet. */
export const emptyReport = (entity: Entity): ReportContent => ({
  entity: entity.name,
  columns: [],
  filter: null,
  parameters: [],
  groups: [],
  cross: null,
  measures: [],
  sort: null,
  chart: 'none',
  hideBelow: 0,
})

type ListQuery = Readonly<Record<string, string>>

/** A condition as filters of the list say it; undefined where they cannot. */
function filterOf({ field, op, value }: Condition): ListQuery | undefined {
  if (isBare(op)) return { [`${field}_${op}`]: '1' }
  if (isWord(value)) return undefined
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
  return { [`${field}_${op}`]: text }
}

/** Conditions as filters of the entity’s list; undefined where the list has no way to say them. */
export function listFilter(filter: unknown): ListQuery | undefined {
  if (!isGroup(filter)) return {}
  const members = membersOf(filter)
  if (modeOf(filter) === 'any' && members.length > 1) return undefined
  const query: Record<string, string> = {}
  for (const member of members) {
    const said = isGroup(member) ? listFilter(member) : filterOf(member)
    if (!said || Object.keys(said).some((name) => name in query)) return undefined
    Object.assign(query, said)
  }
  return query
}

const lastDay = (month: string): string => {
  const [year, no] = month.split('-').map(Number) as [number, number]
  return `${month}-${new Date(Date.UTC(year, no, 0)).getUTCDate()}`
}

/** The rows of a group as filters of the entity’s list; undefined where the list has no way to say them. */
export function groupFilter(
  { path, field }: ReportField,
  by: Grain | null | undefined,
  key: string | null,
): ListQuery | undefined {
  if (path.includes('.')) return undefined
  if (key === null) return { [`${path}_null`]: '1' }
  if (field.kind === 'text') return key === '' ? undefined : { [`${path}_equal`]: key }
  if (field.kind !== 'date' && field.kind !== 'instant') return { [path]: key }
  const [first, last] =
    by === 'year' ? [`${key}-01-01`, `${key}-12-31`] : by === 'month' ? [`${key}-01`, lastDay(key)] : [key, key]
  return field.kind === 'date'
    ? { [`${path}_datege`]: first, [`${path}_datele`]: last }
    : { [`${path}_datege`]: `${first} 00:00:00`, [`${path}_datele`]: `${last} 23:59:59` }
}

/** Several filters of a list at once; undefined where one is none, or two speak of the same. */
export function joinFilters(...parts: readonly (ListQuery | null | undefined)[]): ListQuery | undefined {
  const query: Record<string, string> = {}
  for (const part of parts) {
    if (!part) return undefined
    for (const [name, value] of Object.entries(part)) {
      if (name in query && query[name] !== value) return undefined
      query[name] = value
    }
  }
  return query
}
