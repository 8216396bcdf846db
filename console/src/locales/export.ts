import type { Bundle } from '../ui/words.ts'

/** The words of taking a list out as a file. */
export const exportWords = {
  'export.title': { zh: '导出', en: 'Export' },
  'export.running': { zh: '导出（{size}）', en: 'Export ({size})' },
  'export.rows': { zh: '哪些行', en: 'Which rows' },
  'export.all': { zh: '当前筛选的全部 {count} 条', en: 'All {count} that the filters leave' },
  'export.whole': { zh: '全部 {count} 条', en: 'All {count}' },
  'export.ticked': { zh: '勾选的 {count} 条', en: 'The {count} ticked' },
  'export.tooManyTicked': { zh: '勾选的不能超过 {most} 条', en: 'At most {most} ticked rows' },
  'export.format': { zh: '格式', en: 'Format' },
  'export.xlsx': { zh: 'Excel（xlsx）', en: 'Excel (xlsx)' },
  'export.csv': { zh: 'CSV', en: 'CSV' },
  'export.columns': { zh: '按列表中显示的列和顺序。', en: 'The columns shown in the list, in their order.' },
  'export.columnsAll': {
    zh: '包含上级在内的全部列,可据此还原层级。',
    en: 'All columns, the parent among them, so that the levels can be told.',
  },
  'export.personal': { zh: '包含完整号码（{fields}）', en: 'With full numbers ({fields})' },
  'export.personalNote': {
    zh: '谁在何时导出了完整号码会被记录，并写在文件里。',
    en: 'Who took full numbers out, and when, is recorded and written into the file.',
  },
  'export.received': { zh: '已接收 {size}', en: '{size} received' },
  'export.cancel': { zh: '取消', en: 'Cancel' },
  'export.done': { zh: '已导出', en: 'Exported' },
} as const satisfies Bundle
