import type { Bundle } from '../ui/words.ts'

export const reasonWords = {
  'reason.title': { zh: '查看学生信息的事由', en: 'Why you look at this record' },
  'reason.all': { zh: '查看学生信息的事由', en: 'Why you look at students’ records' },
  'reason.label': { zh: '事由', en: 'Reason' },
  'reason.help': {
    zh: '按本单位要求填写，例如：家访、联系家长；写入访问记录。',
    en: 'Asked for here, such as a home visit or a call to the parents. It stands in the access records.',
  },
  'reason.forAll': {
    zh: '关闭或刷新页面前，查看其他学生也使用此事由',
    en: 'Use it for other students too, until the page is closed or reloaded',
  },
} as const satisfies Bundle
