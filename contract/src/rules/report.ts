import { entities } from '../entities/index.ts'
import type { Words } from '../field.ts'
import { charts, fieldAt, grains, measureKinds, measureLabel, type ReportContent } from '../report.ts'
import { isSourceName } from '../report-source.ts'
import { fault, isObject, isWhole, joinList, type ValueRule } from './value-parts.ts'

const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.every(isText))
const isOneOf = (values: readonly string[], value: unknown): boolean =>
  value === undefined || value === null || values.includes(value as string)
const isGroup = (value: unknown): boolean => isObject(value) && isText(value.field) && isOneOf(grains, value.by)
const isMeasure = (value: unknown): boolean =>
  isObject(value) &&
  measureKinds.includes(value.of as never) &&
  (value.field === undefined || value.field === null || isText(value.field)) &&
  (value.since === undefined || value.since === null || isText(value.since))
const isList = (value: unknown, is: (each: unknown) => boolean): boolean =>
  value === undefined || (Array.isArray(value) && value.every(is))
const isSort = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (isObject(value) && isWhole(value.by, 0, 100) && typeof value.down === 'boolean')

/** The parts of a report, what they are called, and whether one has its shape. */
const parts: readonly (readonly [name: string, label: Words, is: (value: unknown) => boolean])[] = [
  ['entity', { zh: '数据对象', en: 'rows' }, isText],
  ['columns', { zh: '列', en: 'columns' }, isTexts],
  ['parameters', { zh: '运行时询问', en: 'what is asked when it is run' }, isTexts],
  ['groups', { zh: '分组', en: 'groups' }, (value) => isList(value, isGroup)],
  ['cross', { zh: '交叉列', en: 'cross' }, (value) => value === undefined || value === null || isGroup(value)],
  ['measures', { zh: '统计值', en: 'measures' }, (value) => isList(value, isMeasure)],
  ['sort', { zh: '排序', en: 'order' }, isSort],
  ['chart', { zh: '图表', en: 'chart' }, (value) => isOneOf(charts, value)],
  [
    'hideBelow',
    { zh: '隐藏界限', en: 'limit of hidden groups' },
    (value) => value === undefined || isWhole(value, 0, 100),
  ],
]

/** What a report asks: whether it makes sense is judged by the server when it is saved; here it is told in a sentence. */
export const report: ValueRule<ReportContent> = {
  read(value) {
    if (!isObject(value)) return fault('无法识别', 'cannot be read')
    const wrong = parts.find(([name, , is]) => !is(value[name]))
    return wrong
      ? fault(`“${wrong[1].zh}”无法识别`, `has ${wrong[1].en} that cannot be read`)
      : { value: value as unknown as ReportContent }
  },
  text: (value, { language }) => {
    if (isSourceName(String(value.entity))) return language === 'zh' ? '数据源的表' : 'A table of the data source'
    const entity = entities.find(({ name }) => name === value.entity)
    if (!entity) return '—'
    const labels = (paths: readonly string[]): string =>
      joinList(
        paths.map((path) => fieldAt(entity, path)?.label[language] ?? '—'),
        language,
      )
    const { columns = [], groups = [], cross, measures = [] }: Partial<ReportContent> = value
    const of = entity.label[language]
    const by = [...groups, ...(cross ? [cross] : [])].map(({ field }) => field)
    if (by.length === 0) return language === 'zh' ? `${of}：${labels(columns)}` : `${of}: ${labels(columns)}`
    const counted = joinList(
      measures.map((measure) => measureLabel(entity, measure)[language]),
      language,
    )
    return language === 'zh' ? `${of}：按${labels(by)}，${counted}` : `${of} by ${labels(by)}: ${counted}`
  },
}
