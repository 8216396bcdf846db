import { codeOf, type Entity, entityOf, report, type Words } from '@data-brain/contract'
import {
  hiddenMark,
  isAddedUp,
  isDay,
  measureLabel,
  type ReportField,
  type ReportGroup,
  type ReportResult,
} from '@data-brain/contract/report'
import { Repository } from '../../entity/repository.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import {
  countsGroups,
  isWordOf,
  noneWords,
  type Question,
  type Running,
  readQuestion,
  run,
  savedContent,
  subtotalWords,
} from '../report/index.ts'
import type { MarkValue } from './marks.ts'

/*
 * Figures of reports in forms: {{报表:在校生.数量}} is the total of a measure, {{报表:在校生.数量[一年级,女]}} what it comes to in a
 * group and in a column of the cross table, as the report calls them in the language of the mark. A report that asks for the
 * row which the form is filled with, such as the school, is asked about each.
 */

/** A figure as it is written in a mark. */
export interface Figure {
  readonly language: keyof Words
  readonly report: string
  /** The measure’s name; the first where none is named. */
  readonly measure: string | undefined
  readonly keys: readonly string[]
}

const pattern = /^(报表|report)\s*[:：]\s*(.+?)\s*(?:[[［]([^[\]［］]*)[\]］])?$/i

/** The figure that a name speaks of; undefined where it speaks of none. */
export function figureOf(name: string): Figure | undefined {
  const [, word, path, inside] = pattern.exec(name) ?? []
  if (!word || !path) return undefined
  const dot = path.lastIndexOf('.')
  return {
    language: word === '报表' ? 'zh' : 'en',
    report: (dot < 0 ? path : path.slice(0, dot)).trim(),
    measure: dot < 0 ? undefined : path.slice(dot + 1).trim(),
    keys: inside === undefined ? [] : inside.split(/[,，]/).map((key) => key.trim()),
  }
}

/** A figure whose report is known to whoever fills the form. */
export interface KnownFigure {
  readonly figure: Figure
  readonly id: string
  readonly content: unknown
  readonly measure: number
  /** What the report asks for and the row of the form answers. */
  readonly asks: string | undefined
}

const fault = (zh: string, en: string): { fault: Words } => ({ fault: { zh, en } })

const dayPatterns = { year: /^\d{4}$/, month: /^\d{4}-\d{2}$/, day: /^\d{4}-\d{2}-\d{2}$/ } as const

/** Whether a group may be called so: a name that nothing has would be a 0 that nobody sees to be wrong. */
async function isKnownKey(
  running: Running,
  known: ReportField,
  by: ReportGroup['by'],
  { key, language }: { key: string; language: keyof Words },
): Promise<boolean> {
  const { kind, to } = known.field
  if (key === noneWords[language]) return true
  if (isDay(known)) return dayPatterns[by ?? 'day'].test(key)
  if (kind === 'integer') return /^-?\d+$/.test(key)
  const target = kind === 'reference' && to ? entityOf(to) : undefined
  if (!target?.title) return isWordOf(running.tx, running.actor.tenantId, known, key, language)
  const rows = new Repository(target, running)
  // Rows of one name are told apart by what stands behind it.
  for (const name of new Set([key, key.replace(/\s*[（(][^（(]*[）)]$/, '')])) {
    const found = await rows.ids({ [`${target.title}_equal`]: name }, 1, [codeOf(target, 'view')])
    if (found.length > 0) return true
  }
  return false
}

/** Looks up the report of a figure and its parts, or says which of them is not there. */
export async function knownFigure(
  running: Running,
  entity: Entity,
  figure: Figure,
): Promise<KnownFigure | { readonly fault: Words }> {
  const { language } = figure
  const mayExport = codeOf(report, 'export')
  if (!holdsCode(running.actor, mayExport)) throw new Problem('forbidden', { code: mayExport })
  const [id] = await new Repository(report, running).ids({ name_equal: figure.report }, 1, [codeOf(report, 'view')])
  if (id === undefined)
    return fault(
      `没有名为“${figure.report}”的报表，或未共享给您`,
      `there is no report "${figure.report}" that you may see`,
    )
  const { content } = await savedContent(running, id)
  const question = await readQuestion(content, running)
  if (!countsGroups(question.content))
    return fault(`报表“${figure.report}”没有分组，不能取数`, `the report "${figure.report}" counts no groups`)
  const { measures, parameters } = question.content
  const labels = measures.map((each) => measureLabel(question.entity, each)[language])
  const measure = figure.measure === undefined ? 0 : labels.indexOf(figure.measure)
  if (measure < 0)
    return fault(
      `报表“${figure.report}”没有统计值“${figure.measure}”，有：${labels.join('、')}`,
      `the report "${figure.report}" has no measure "${figure.measure}"; it has: ${labels.join(', ')}`,
    )
  const wrong = await wrongKey(running, question, figure)
  if (wrong) return wrong
  const asks = parameters.find((path) => question.entity.fields[path]?.to === entity.name)
  return { ...{ figure, id, content, measure, asks } }
}

/** What is wrong with the groups that a figure names. */
async function wrongKey(running: Running, question: Question, { keys, language, report: name }: Figure) {
  const { groups, cross, content } = question
  const fields = [...groups, ...(cross ? [cross] : [])]
  const asked = [...content.groups, ...(content.cross ? [content.cross] : [])]
  const down = keys.slice(0, groups.length)
  const isBroken = down.some((key, at) => key !== '' && down.indexOf('') >= 0 && down.indexOf('') < at)
  const listed = (language: keyof Words, between: string): string =>
    fields.map(({ label }) => label[language]).join(between)
  if (keys.length > fields.length || isBroken)
    return fault(
      `报表“${name}”的分组依次为${listed('zh', '、')}，请按此次序填写，前面的不能空缺`,
      `the groups of the report "${name}" are ${listed('en', ', ')}: name them in this order, none left out before another`,
    )
  for (const [at, key] of keys.entries()) {
    const { label } = fields[at]!
    if (key !== '' && !(await isKnownKey(running, fields[at]!, asked[at]!.by, { key, language })))
      return fault(`报表“${name}”的“${label.zh}”没有“${key}”`, `"${label.en}" of the report "${name}" has no "${key}"`)
  }
  return undefined
}

/** What a figure comes to in a result. A group without rows is 0 where parts add up; what is hidden stays hidden. */
export function figureIn({ heads, rows, content, hidden }: ReportResult, known: KnownFigure): MarkValue {
  const { language, keys } = known.figure
  const { groups, measures } = content
  const down = keys.slice(0, groups.length).filter((key) => key !== '')
  const across = keys[groups.length] || undefined
  const level = down.length
  const row = rows.find(
    (each) =>
      each.level === level &&
      down.every((key, at) => {
        const isSubtotal = at === level - 1 && level < groups.length
        return each.cells[at] === (isSubtotal ? subtotalWords(key)[language] : key)
      }),
  )
  const column =
    across === undefined
      ? heads.length - measures.length + known.measure
      : heads.findIndex(({ over, measure }) => over === across && measure === known.measure)
  const cell = row?.cells[column]
  if (cell !== undefined && cell !== null) return cell as MarkValue
  if (hidden > 0 && cell === undefined) return hiddenMark
  return isAddedUp(measures[known.measure]!.of) ? 0 : null
}

/** What a form’s figures come to for a row that it is filled with, by the text of their marks. */
export type FigureValues = Readonly<Record<string, MarkValue>>

/**
 * Runs the reports of some figures, each as the reader of this transaction: once, or once for each row where a report asks for
 * the row. `known` holds the figures by the text of their marks.
 */
export async function figuresOf(
  within: <T>(work: (running: Running) => Promise<T>) => Promise<T>,
  known: ReadonlyMap<string, KnownFigure>,
  ids: readonly string[],
): Promise<FigureValues[]> {
  const values: Record<string, MarkValue>[] = ids.map(() => ({}))
  const byRun = Map.groupBy(known, ([, { id, asks, figure }]) => JSON.stringify([id, asks, figure.language]))
  for (const some of byRun.values()) {
    const { content, asks, figure } = some[0]![1]
    const results = asks === undefined ? [undefined] : [...ids.keys()]
    for (const at of results) {
      const parameters = at === undefined ? {} : { [asks!]: ids[at]! }
      const result = await within((running) => {
        const circumstance = { ...running.circumstance, language: figure.language }
        return run({ ...running, circumstance }, content, parameters)
      })
      for (const [text, each] of some)
        for (const row of at === undefined ? values : [values[at]!]) row[text] = figureIn(result, each)
    }
  }
  return values
}
