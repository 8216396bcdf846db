import { defineCall } from '../call.ts'
import {
  decimalValue,
  emptyAnswer,
  idOf,
  idsOf,
  integerValue,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  textValue,
  truthValue,
} from '../shape.ts'
import { columnPins, columnWidths, rowDensities } from '../view.ts'

const of = 'savedview'
const page = textValue({ required: true, max: 64 })
const pageOfBody = textValue({ required: true, subject: true, empty: true, max: 1_000_000 })
const names = listOf(textValue({ max: 64 }), { max: 200 })
// Whole numbers, said as numbers alone: a text is none here.
const widths = mapOf(decimalValue({ min: columnWidths.min, max: columnWidths.max }))
const pins = mapOf(oneOf(columnPins))
const density = oneOf(rowDensities, { optional: true })

/** How a person wants to see the columns of a list; what is not said is as the page has it. */
const taste = objectOf(
  {
    order: names,
    hidden: names,
    // Columns that the page itself does not show.
    more: listOf(textValue({ max: 64 }), { max: 200, optional: true }),
    widths,
    pins,
    density,
  },
  { nullable: true },
)

const sort = objectOf(
  { key: textValue({ required: true, max: 64 }), descending: truthValue({ required: true }) },
  { nullable: true },
)

const filters = mapOf(textValue({ max: 4_000 }))
/** Left out, there are none; null is no way to say so, and the reader of a view refuses it. */
const sentFilters = mapOf(textValue({ max: 4_000 }), { nullable: true })

/** What a view of a list says: the list's own parameters, the order, and the columns where it says so. */
const content = objectOf({ filters, sort, taste })

/** A view as its owner, and those it is shared with, see it. */
export const savedView = objectOf(
  {
    id: idOf(of),
    name: textValue(),
    version: integerValue(),
    // Whether it is the caller's own; a shared one is changed by its owner alone.
    mine: truthValue(),
    ownerName: textValue(),
    // The role it is shared with.
    roleId: idOf('role', { nullable: true }),
    roleName: textValue({ nullable: true }),
    content,
    // Names that it was saved with and that the list no longer has.
    dropped: listOf(textValue()),
  },
  { name: 'SavedView' },
)

export const viewsOfPage = defineCall({
  method: 'GET',
  path: 'blade-desk/savedview/list',
  of,
  access: 'session',
  summary: { zh: '列表视图：我的与共享给我的', en: 'Views of a list: mine, and those shared with me' },
  input: { page },
  answer: objectOf({
    // The caller's own columns, where no view says otherwise.
    taste,
    // The view the page opens with: a saved one's id, or the key of one of the page's own.
    first: textValue({ nullable: true }),
    views: listOf(savedView),
    // Roles that the caller may share a view with.
    roles: listOf(objectOf({ id: idOf('role'), name: textValue() })),
  }),
})

export const saveView = defineCall({
  method: 'POST',
  path: 'blade-desk/savedview/submit',
  of,
  access: 'session',
  summary: { zh: '列表视图：新增或修改自己的', en: 'Views of a list: add, or change one of mine' },
  as: 'json',
  input: {
    // Without one it is a new view.
    id: textValue({ nullable: true }),
    version: integerValue({ nullable: true }),
    page: pageOfBody,
    name: textValue({ required: true, label: { zh: '视图名称', en: 'Name of the view' } }),
    roleId: idOf('role', { nullable: true }),
    content: objectOf({ filters: sentFilters, sort, taste }, { required: true }),
  },
  answer: savedView,
})

export const removeViews = defineCall({
  method: 'POST',
  path: 'blade-desk/savedview/remove',
  of,
  access: 'session',
  summary: { zh: '列表视图：删除自己的', en: 'Views of a list: remove mine' },
  input: { ids: idsOf(of, { required: true }) },
  answer: emptyAnswer,
})

export const keepTaste = defineCall({
  method: 'POST',
  path: 'blade-desk/savedview/taste',
  of,
  access: 'session',
  summary: {
    zh: '列表视图：我在一个页面的列与默认视图',
    en: 'Views of a list: my columns of a page, and its first view',
  },
  as: 'json',
  // What is not sent stays.
  input: { page: pageOfBody, taste, first: textValue({ nullable: true, empty: true, max: 64 }) },
  answer: emptyAnswer,
})
