import type { Bundle } from '../ui/words.ts'

/** Which sheet is wanted: asked before what makes it is here. */
export const sheetWords = {
  'print.columns': { zh: '当前列', en: 'Columns shown' },
  'print.classList': { zh: '学生名单', en: 'Class list' },
  'print.classListFull': { zh: '学生名单（完整电话）', en: 'Class list with full phone numbers' },
} as const satisfies Bundle

export const printWords = {
  'print.tooMany': {
    zh: '共 {total} {unit}，最多打印 {count} {unit}',
    en: '{total} rows; at most {count} can be printed',
  },
  'print.unknownMany': {
    zh: '超过 {count} {unit}，最多打印 {count} {unit}',
    en: 'More than {count} rows; at most {count} can be printed',
  },
  'print.tooManyText': {
    zh: '全部数据请导出为文件，或先用筛选缩小范围。',
    en: 'To get all of them, export to a file, or narrow the list with filters first.',
  },
  'print.firstOnes': { zh: '打印前 {count} {unit}', en: 'Print the first {count}' },
  'print.export': { zh: '改为导出', en: 'Export instead' },
  'print.firstOnly': { zh: '只打印前 {count} {unit}', en: 'First {count} only' },
  'print.screen': { zh: '本页 {count} 行', en: 'On this page: {count}' },
  'print.notLoaded': { zh: '尚未载入，未打印', en: 'Not loaded, so not printed' },
  'print.separator': { zh: '；', en: '; ' },
  'print.page': { zh: '第 {page} 页 / 共 {pages} 页', en: 'Page {page} of {pages}' },
  'print.foot': { zh: '{who} · {time} 打印', en: 'Printed by {who} · {time}' },
  'print.count': { zh: '共 {count} {unit}', en: '{count} rows', enOne: '{count} row' },
  'print.first': { zh: '共 {total} {unit}，只打印前 {count} {unit}', en: 'The first {count} of {total}' },
  'print.ticked': { zh: '所选 {count} {unit}', en: '{count} selected' },
  'print.no': { zh: '序', en: 'No.' },
  'print.parent': { zh: '家长', en: 'Parent' },
  'print.phone': { zh: '电话', en: 'Phone' },
  'print.sign': { zh: '签到', en: 'Signature' },
  'print.empty': { zh: '没有可以打印的数据', en: 'There is nothing to print' },
} as const satisfies Bundle
