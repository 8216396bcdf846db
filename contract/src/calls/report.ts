import { defineCall } from '../call.ts'
import { report } from '../entities/report/report.ts'
import { codeOf } from '../entity.ts'
import { charts, grains, measureKinds, reportLimits } from '../report.ts'
import { sourceCode, sourceKinds } from '../report-source.ts'
import {
  dateValue,
  idOf,
  instantValue,
  integerValue,
  jsonValue,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  textValue,
  truthValue,
} from '../shape.ts'

const path = textValue({ required: true, max: 200 })
const group = objectOf({ field: path, by: oneOf(grains, { nullable: true }) })

/** What a report asks. It lists rows in `columns`, or counts them in `groups`, beside each other in the columns of `cross`. */
export const reportContent = objectOf(
  {
    entity: textValue({ required: true, max: 64, label: { zh: '数据对象', en: 'Rows of' } }),
    columns: listOf(textValue({ max: 200 }), { max: reportLimits.columns, label: { zh: '列', en: 'Columns' } }),
    // A group of conditions, as of a data scope.
    filter: jsonValue({ nullable: true, label: { zh: '筛选条件', en: 'Filters' } }),
    // Fields that are asked for when it is run.
    parameters: listOf(textValue({ max: 64 }), {
      max: reportLimits.parameters,
      label: { zh: '运行时询问', en: 'Asked when run' },
    }),
    groups: listOf(group, { max: reportLimits.groups, label: { zh: '分组', en: 'Groups' } }),
    cross: objectOf(group.fields, { nullable: true, label: { zh: '交叉列', en: 'Cross' } }),
    measures: listOf(
      objectOf({
        of: oneOf(measureKinds, { required: true }),
        field: textValue({ max: 200, nullable: true }),
        // Of a change: the day, or a word for it.
        since: textValue({ max: 16, nullable: true, optional: true }),
      }),
      {
        max: reportLimits.measures,
        label: { zh: '统计值', en: 'Measures' },
      },
    ),
    // By which column, or which measure.
    sort: objectOf(
      { by: integerValue({ required: true, min: 0, max: reportLimits.columns }), down: truthValue({ required: true }) },
      { nullable: true, label: { zh: '排序', en: 'Order' } },
    ),
    chart: oneOf(charts, { label: { zh: '图表', en: 'Chart' } }),
    // What the columns of a data source are called here, by their fields.
    labels: mapOf(textValue({ max: 64 }), { optional: true, label: { zh: '列名', en: 'Names of columns' } }),
    // Groups of fewer rows are not shown.
    hideBelow: integerValue({ min: 0, max: 100, label: { zh: '隐藏人数少于', en: 'Hide groups below' } }),
  },
  { name: 'ReportContent' },
)

const query = mapOf(textValue())

/** A table. A cell of a count is the total of the entity’s list under the filters of all, of its row and of its head. */
export const reportResult = objectOf(
  {
    at: instantValue(),
    // The past day that it is of: rows as they were at its end.
    asOf: dateValue({ nullable: true }),
    content: reportContent,
    // The filters of all; none where the list cannot say them.
    query: mapOf(textValue(), { nullable: true }),
    heads: listOf(
      objectOf({
        text: textValue(),
        // The column of the cross table that it stands under.
        over: textValue({ nullable: true }),
        numeric: truthValue(),
        // Of a measure: which, and the filters of the column.
        measure: integerValue({ nullable: true }),
        query: mapOf(textValue(), { nullable: true }),
      }),
    ),
    // Of `level` groups; fewer than the report has: a sum of those below. A cell with the mark of what is hidden counts too few to be shown.
    rows: listOf(
      objectOf({ level: integerValue(), cells: listOf(jsonValue()), query: mapOf(textValue(), { nullable: true }) }),
    ),
    // Rows that were counted, or found.
    total: integerValue(),
    // Whether there are more rows than are shown.
    cut: truthValue(),
    // Groups, or cells of groups, of too few rows to be shown.
    hidden: integerValue(),
  },
  { name: 'ReportResult' },
)

export const runReport = defineCall({
  method: 'POST',
  path: `${report.path}/run`,
  of: report.name,
  access: { codes: [codeOf(report, 'view')] },
  summary: {
    zh: '报表：运行已保存的报表，或预览未保存的内容；结果限于本人的数据范围',
    en: 'Report: run a saved one, or try one that is not saved; over the rows within the caller’s scope',
  },
  as: 'json',
  input: {
    id: idOf(report.name, { label: report.label }),
    content: reportContent,
    // Values of what is asked for, as filters of the list.
    parameters: query,
    // A past day: what the report would have said at its end.
    asOf: dateValue({ label: { zh: '截至日期', en: 'As of' } }),
  },
  answer: reportResult,
})

export const reportSources = defineCall({
  method: 'GET',
  path: `${report.path}/sources`,
  of: report.name,
  access: { codes: [sourceCode] },
  summary: {
    zh: '报表：数据源中可读取的表',
    en: 'Report: the tables of the data source that reports may read',
  },
  answer: listOf(
    objectOf({
      id: textValue(),
      label: textValue(),
      columns: listOf(
        objectOf({
          field: textValue(),
          label: textValue(),
          kind: oneOf(sourceKinds),
          scale: integerValue({ nullable: true }),
        }),
      ),
    }),
  ),
})
