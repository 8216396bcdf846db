import type { Bundle } from '../ui/words.ts'

export const bulkEditWords = {
  'bulkEdit.title': {
    zh: '批量修改 {count} {unit}{label}',
    en: 'Change {count} rows: {label}',
    enOne: 'Change {count} row: {label}',
  },
  'bulkEdit.tooMany': {
    zh: '一次最多修改 {most} {unit}，所选有 {count} {unit}',
    en: 'At most {most} at a time; {count} are selected',
  },
  'bulkEdit.progress': { zh: '第 {done} {unit}，共 {all} {unit}…', en: '{done} of {all}…' },
  'bulkEdit.field': { zh: '修改的字段', en: 'Field to change' },
  'bulkEdit.addField': { zh: '再选一个字段', en: 'Another field' },
  'bulkEdit.removeField': { zh: '不修改{label}', en: 'Leave {label} as it is' },
  'bulkEdit.preview': { zh: '预览', en: 'Preview' },
  'bulkEdit.back': { zh: '返回', en: 'Back' },
  'bulkEdit.run': { zh: '修改 {count} {unit}', en: 'Change {count} rows', enOne: 'Change {count} row' },
  'bulkEdit.will': { zh: '{count} {unit}将会修改', en: '{count} rows will change', enOne: '{count} row will change' },
  'bulkEdit.same': { zh: '其中 {count} {unit}已是（跳过）', en: '{count} have it already (skipped)' },
  'bulkEdit.wrong': { zh: '{count} {unit}不能修改', en: '{count} cannot be changed' },
  'bulkEdit.change': { zh: '{label}：{before} → {after}', en: '{label}: {before} → {after}' },
  'bulkEdit.several': { zh: '{count} 个不同的值', en: '{count} different values' },
  'bulkEdit.none': { zh: '没有可以修改的', en: 'Nothing would be changed' },
  'bulkEdit.range': {
    zh: '{label}：{within} {from}–{to}，依次编号',
    en: '{label}: {within} {from}–{to}, one after the other',
  },
  'bulkEdit.rangeRest': { zh: '；号已用完，其余留空', en: '; there are no more, the rest have none' },
  'bulkEdit.numbers': { zh: '新的编号', en: 'New numbers' },
  'bulkEdit.numberOf': { zh: '{name}的{label}', en: '{label} of {name}' },
  'bulkEdit.name': { zh: '名称', en: 'Name' },
  'bulkEdit.why': { zh: '原因', en: 'Why' },
  'bulkEdit.failures': { zh: '不能修改的', en: 'What cannot be changed' },
  'bulkEdit.done': { zh: '已修改 {changed} {unit}', en: '{changed} changed' },
  'bulkEdit.doneSome': { zh: '已修改 {changed} {unit}，{failed} {unit}失败', en: '{changed} changed, {failed} failed' },
  'bulkEdit.retry': { zh: '重新预览失败项', en: 'Preview the failed ones again' },
} as const satisfies Bundle
