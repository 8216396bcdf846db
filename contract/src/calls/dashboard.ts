import { type AnswerOf, defineCall } from '../call.ts'
import { dashboardParts, tileKeys } from '../dashboard.ts'
import { school } from '../entities/school/school.ts'
import { schoolsemester } from '../entities/school/schoolsemester.ts'
import {
  dateValue,
  emptyAnswer,
  flagValue,
  idOf,
  instantValue,
  integerValue,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  textValue,
  textValues,
  wordsValue,
} from '../shape.ts'

const of = 'dashboard'

/** What is counted: the total of the list of `code` under the filters of `query`. */
const figure = objectOf(
  {
    key: textValue(),
    value: integerValue(),
    at: instantValue(),
    // How it is counted.
    counted: wordsValue(),
    code: textValue(),
    query: mapOf(textValue()),
    // What it was on the last day of each month before this one, as it was counted then, and the day of the last of them:
    // only for whoever reaches all rows.
    past: objectOf(
      {
        day: dateValue(),
        values: listOf(integerValue()),
        // Those that changes which are dated back made others: which of the values, and by how much.
        corrected: listOf(objectOf({ at: integerValue(), day: dateValue(), difference: integerValue() })),
      },
      { optional: true },
    ),
  },
  { name: 'DashboardFigure' },
)

/**
 * A table of counts. The cell of a row and a column is the total of the list of the column’s `code`, or else the tile’s:
 * under the tile’s query where the list is the tile’s own, the column’s query, and the row, which `by` says how to ask for.
 */
const tile = objectOf(
  {
    key: oneOf(tileKeys),
    counted: wordsValue(),
    code: textValue(),
    query: mapOf(textValue()),
    // The filters that take the row’s id. Of a day two: it begins by the end of that day and ends after its beginning.
    by: textValues(),
    columns: listOf(objectOf({ key: textValue(), code: textValue({ optional: true }), query: mapOf(textValue()) })),
    rows: listOf(
      objectOf({
        id: textValue(),
        name: textValue(),
        values: listOf(integerValue()),
        // The most that it may be.
        limit: integerValue({ optional: true }),
        // What the row is a part of, such as the grade of a class.
        group: textValue({ optional: true }),
        // The space that files take, in bytes.
        bytes: integerValue({ optional: true }),
        // How long the middle one of them took.
        minutes: integerValue({ optional: true }),
      }),
    ),
    // Rows that are not among these.
    more: integerValue(),
    // Days of the term, of a table of days: days without a row count nothing.
    begin: dateValue({ nullable: true }),
    end: dateValue({ nullable: true }),
  },
  { name: 'DashboardTile' },
)

const named = objectOf({ id: textValue(), name: textValue() }, { nullable: true })

export const dashboardSummary = defineCall({
  method: 'GET',
  path: 'blade-desk/dashboard/summary',
  of,
  access: 'session',
  summary: {
    zh: '数据大屏：本人数据范围内的统计，每个数都是一个列表的总数',
    en: 'Dashboard: counts within the caller’s data scope, each the total of a list',
  },
  input: {
    schoolId: idOf(school.name, { label: school.label }),
    semesterId: idOf(schoolsemester.name, { label: schoolsemester.label }),
  },
  answer: objectOf({
    at: instantValue(),
    // The school that was asked for, or the only one; none of several.
    school: named,
    semester: named,
    figures: listOf(figure),
    tiles: listOf(tile),
    // What is missing or waits to be put right.
    gaps: listOf(figure),
  }),
})
export type Dashboard = AnswerOf<typeof dashboardSummary>
export type DashboardFigure = Dashboard['figures'][number]
export type DashboardTile = Dashboard['tiles'][number]

const layout = {
  order: listOf(oneOf(dashboardParts), { max: 20 }),
  hidden: listOf(oneOf(dashboardParts), { max: 20 }),
} as const

export const dashboardLayout = defineCall({
  method: 'GET',
  path: 'blade-desk/dashboard/layout',
  of,
  access: 'session',
  summary: {
    zh: '数据大屏：本人的排列，未调整时按其工作',
    en: 'Dashboard: how the caller has arranged it, or else what suits their work',
  },
  // `own` is 1 where the caller has arranged it.
  answer: objectOf({ ...layout, own: flagValue() }),
})
export type DashboardLayout = AnswerOf<typeof dashboardLayout>

export const keepDashboardLayout = defineCall({
  method: 'POST',
  path: 'blade-desk/dashboard/layout',
  of,
  access: 'session',
  summary: {
    zh: '数据大屏：保存本人的排列，两者都为空时恢复默认',
    en: 'Dashboard: keep how the caller arranges it; two empty lists restore the usual',
  },
  as: 'json',
  input: {
    order: listOf(oneOf(dashboardParts), { required: true, max: 20, label: { zh: '顺序', en: 'Order' } }),
    hidden: listOf(oneOf(dashboardParts), { required: true, max: 20, label: { zh: '隐藏', en: 'Hidden' } }),
  },
  answer: emptyAnswer,
})
