import type { Bundle } from '../ui/words.ts'

export const reasonWords = {
  'reason.title': { zh: '查看学生信息的事由', en: 'Reason for viewing this record' },
  'reason.all': { zh: '查看学生信息的事由', en: 'Reason for viewing student records' },
  'reason.label': { zh: '事由', en: 'Reason' },
  'reason.help': {
    zh: '按本单位要求填写，例如：家访、联系家长；写入访问记录。',
    en: 'As your organisation requires, for example a home visit or a call to a parent. It is kept in the access records.',
  },
  'reason.forAll': {
    zh: '关闭或刷新页面前，查看其他学生也使用此事由',
    en: 'Use it for other students too, until this page is closed or reloaded',
  },
} as const satisfies Bundle
