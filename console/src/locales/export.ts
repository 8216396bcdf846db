import type { Bundle } from '../ui/words.ts'

/** The words of taking a list out as a file. */
export const exportWords = {
  'export.title': { zh: '导出', en: 'Export' },
  'export.running': { zh: '导出（{size}）', en: 'Export ({size})' },
  'export.rows': { zh: '导出范围', en: 'Rows to export' },
  'export.all': { zh: '当前筛选的全部 {count} {unit}', en: 'All {count} that match the filters' },
  'export.filtered': { zh: '当前筛选的全部记录', en: 'All that match the filters' },
  'export.whole': { zh: '全部 {count} {unit}', en: 'All {count}' },
  'export.ticked': { zh: '勾选的 {count} {unit}', en: 'The {count} selected' },
  'export.tooManyTicked': { zh: '勾选的不能超过 {most} {unit}', en: 'At most {most} selected rows' },
  'export.format': { zh: '格式', en: 'Format' },
  'export.xlsx': { zh: 'Excel（xlsx）', en: 'Excel (xlsx)' },
  'export.csv': { zh: 'CSV', en: 'CSV' },
  'export.pdf': { zh: 'PDF（打印、存档）', en: 'PDF (to print or keep)' },
  'export.columns': { zh: '按列表中显示的列和顺序。', en: 'The columns shown in the list, in their order.' },
  'export.columnsAll': {
    zh: '包含上级在内的全部列，可据此还原层级。',
    en: 'All columns, including the parent, so that the hierarchy can be restored.',
  },
  'export.personal': { zh: '包含完整号码（{fields}）', en: 'With full numbers ({fields})' },
  'export.personalNote': {
    zh: '谁在何时导出了完整号码会被记录，并写在文件里。',
    en: 'Who exported full numbers, and when, is recorded and written into the file.',
  },
  'export.received': { zh: '已接收 {size}', en: '{size} received' },
  'export.cancel': { zh: '取消', en: 'Cancel' },
  'export.background': { zh: '在后台导出', en: 'Export in the background' },
  'export.backgroundNote': {
    zh: '超过 {count} {unit}：在后台导出不必停留在此页，完成后会收到消息。',
    en: 'More than {count} rows. In the background you need not stay on this page; you get a message when it is done.',
  },
  'export.now': { zh: '直接下载', en: 'Download now' },
  'export.working': { zh: '导出（{share}）', en: 'Export ({share})' },
  'export.closing': {
    zh: '可以离开此页：完成后会收到消息，文件在“我的任务”页。',
    en: 'You can leave this page. You get a message when it is done, and the file is under My jobs.',
  },
  'export.ready': { zh: '文件已生成', en: 'The file is ready' },
  'export.fetch': { zh: '下载', en: 'Download' },
  'export.expires': { zh: '保留至 {time}', en: 'Kept until {time}' },
  'export.done': { zh: '已导出', en: 'Exported' },
} as const satisfies Bundle
