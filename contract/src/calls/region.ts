import { defineCall } from '../call.ts'
import {
  dateValue,
  emptyAnswer,
  idOf,
  integerValue,
  listOf,
  mapOf,
  objectOf,
  pageOf,
  textValue,
  textValues,
} from '../shape.ts'
import { paging } from './paging.ts'
import { choiceLevel } from './trees.ts'

const of = 'region'

/** A region, abolished ones included. Its code is its key; 00 stands above the provinces. */
const region = {
  code: textValue(),
  parentCode: textValue(),
  // The codes above it, comma separated.
  ancestors: textValue(),
  name: textValue(),
  level: integerValue(),
  sort: integerValue(),
  remark: textValue({ nullable: true }),
  validTo: dateValue({ nullable: true }),
} as const

const part = textValue({ optional: true })

/** With the names of those above it, by level. */
const detail = objectOf(
  {
    ...region,
    parentName: textValue({ nullable: true }),
    ...{
      provinceCode: part,
      provinceName: part,
      cityCode: part,
      cityName: part,
      districtCode: part,
      districtName: part,
    },
    ...{ townCode: part, townName: part, villageCode: part, villageName: part },
  },
  { name: 'RegionDetail' },
)

export const regionsBelow = defineCall({
  method: 'GET',
  path: 'blade-system/region/lazy-tree',
  of,
  access: 'session',
  summary: { zh: '行政区划：逐级（不含已撤销的）', en: 'Regions under one of them, without abolished ones' },
  input: { parentCode: textValue({ max: 12 }) },
  answer: choiceLevel,
})

/** What narrows the regions. */
export const regionFilters = {
  code: textValue({ max: 12 }),
  name: textValue({ max: 60 }),
  parentCode: textValue({ max: 12 }),
  // 0 leaves out those that are no longer.
  abolished: integerValue({ min: 0, max: 1 }),
} as const

export const regions = defineCall({
  method: 'GET',
  path: 'blade-system/region/list',
  of,
  access: 'session',
  summary: { zh: '行政区划：列表（含已撤销的）', en: 'Regions, abolished ones included' },
  input: { ...paging, ...regionFilters },
  answer: pageOf(objectOf(region)),
})

export const regionDetail = defineCall({
  method: 'GET',
  path: 'blade-system/region/detail',
  of,
  access: 'session',
  summary: { zh: '行政区划：详情', en: 'One region, with those above it' },
  input: { code: textValue({ max: 12, required: true }) },
  answer: detail,
})

export const regionPaths = defineCall({
  method: 'GET',
  path: 'blade-system/region/path',
  of,
  access: 'session',
  summary: { zh: '行政区划：各级名称', en: 'Names of regions from the province down' },
  input: { codes: textValues({ required: true }) },
  answer: mapOf(textValue()),
})

export const searchRegions = defineCall({
  method: 'GET',
  path: 'blade-system/region/search',
  of,
  access: 'session',
  summary: {
    zh: '行政区划：按名称、拼音、首字母或代码查找（不含已撤销的）',
    en: 'Regions by name, pinyin, initials or code, without abolished ones',
  },
  input: { keyword: textValue({ max: 60, required: true }) },
  // Each with those above it, from the province down.
  answer: listOf(objectOf({ path: listOf(objectOf({ code: textValue(), name: textValue() })) })),
})

export const saveRegion = defineCall({
  method: 'POST',
  path: 'blade-system/region/submit',
  of,
  access: { codes: ['region_add', 'region_edit'] },
  summary: { zh: '行政区划：新增或修改（编号已存在则修改）', en: 'Add a region, or change the one of that code' },
  as: 'json',
  input: {
    code: textValue({ label: { zh: '区划编号', en: 'Region code' }, max: 12, required: true }),
    parentCode: textValue({ label: { zh: '父区划编号', en: 'Parent code' }, max: 12, empty: true }),
    name: textValue({ label: { zh: '区划名称', en: 'Name' }, max: 60, empty: true }),
    level: integerValue({
      label: { zh: '区划等级', en: 'Level' },
      max: 5,
      help: { zh: '1省、2市、3县、4街道、5村', en: '1 province, 2 city, 3 county, 4 street, 5 village' },
    }),
    sort: integerValue({ label: { zh: '区划排序', en: 'Sort order' }, max: 999_999 }),
    remark: textValue({ label: { zh: '备注', en: 'Remarks' }, max: 255, empty: true }),
  },
  answer: detail,
})

export const removeRegion = defineCall({
  method: 'POST',
  path: 'blade-system/region/remove',
  of,
  access: { codes: ['region_delete'] },
  summary: { zh: '行政区划：删除', en: 'Remove a region' },
  input: { id: textValue({ max: 12, required: true }) },
  answer: emptyAnswer,
})

export const loadStreets = defineCall({
  method: 'POST',
  path: 'blade-system/region/load-streets',
  of,
  access: { codes: ['region_import'] },
  summary: { zh: '行政区划：导入街道和乡镇（任务）', en: 'Load the streets and townships, as a job' },
  answer: objectOf({ jobId: idOf('job') }),
})
