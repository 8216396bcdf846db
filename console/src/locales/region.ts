import type { Bundle, Phrase } from '../ui/words.ts'

/** Words of the page of regions. */
export const regionWords = {
  'region.loadStreets': { zh: '导入到街道', en: 'Import streets' },
  'region.loadAsk': { zh: '导入全国的街道、乡镇？', en: 'Import the streets and townships of the whole country?' },
  'region.loadText': {
    zh: '约 4.2 万条，需要几秒到几十秒。已有的区划不会改动。',
    en: 'About 42,000 rows; this takes up to a minute. Existing rows are not changed.',
  },
  'region.loaded': { zh: '已导入 {count} 条', en: '{count} rows were added', enOne: '{count} row was added' },
  'region.exists': { zh: '该编号已存在', en: 'This code exists already' },
  'region.more': {
    zh: '结果较多，只显示前 {count} 条，请输入更完整的名称',
    en: 'Too many results: only the first {count} are shown. Type more of the name.',
  },
  'region.abolished': { zh: '已撤销', en: 'Abolished' },
  'region.showAbolished': { zh: '含已撤销', en: 'Include abolished' },
} as const satisfies Bundle

/** Labels of a region's fields: it is no entity of the contract, because nobody but the platform writes it. */
export const regionLabels = {
  region: { zh: '行政区划', en: 'Region' },
  code: { zh: '区划编号', en: 'Code' },
  parentCode: { zh: '上级编号', en: 'Code of the parent' },
  name: { zh: '区划名称', en: 'Name' },
  level: { zh: '区划级别', en: 'Level' },
  sort: { zh: '排序', en: 'Sort order' },
  remark: { zh: '备注', en: 'Remarks' },
  codeHelp: { zh: '2 到 12 位数字', en: '2 to 12 digits' },
} as const satisfies Readonly<Record<string, Phrase>>
