import { entities } from '../entities/index.ts'
import { charts, fieldAt, grains, measureKinds, measureLabel, type ReportContent } from '../report.ts'
import { fault, isObject, isWhole, joinList, type ValueRule } from './value-parts.ts'

const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.every(isText))
const isOneOf = (values: readonly string[], value: unknown): boolean =>
  value === undefined || value === null || values.includes(value as string)
const isGroup = (value: unknown): boolean => isObject(value) && isText(value.field) && isOneOf(grains, value.by)
const isMeasure = (value: unknown): boolean =>
  isObject(value) &&
  measureKinds.includes(value.of as never) &&
  (value.field === undefined || value.field === null || isText(value.field))
const isList = (value: unknown, is: (each: unknown) => boolean): boolean =>
  value === undefined || (Array.isArray(value) && value.every(is))
const isSort = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (isObject(value) && isWhole(value.by, 0, 100) && typeof value.down === 'boolean')

/** What a report asks: whether it makes sense is judged by the server when it is saved; here it is told in a sentence. */
export const report: ValueRule<ReportContent> = {
  read: (value) =>
    isObject(value) &&
    isText(value.entity) &&
    isTexts(value.columns) &&
    isTexts(value.parameters) &&
    isList(value.groups, isGroup) &&
    (value.cross === undefined || value.cross === null || isGroup(value.cross)) &&
    isList(value.measures, isMeasure) &&
    isSort(value.sort) &&
    isOneOf(charts, value.chart) &&
    (value.hideBelow === undefined || isWhole(value.hideBelow, 0, 100))
      ? { value: value as unknown as ReportContent }
      : fault('无法识别', 'cannot be read'),
  text: (value, { language }) => {
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
