import type { Bundle } from '../ui/words.ts'

/** What is asked when something that is saved as a whole was saved by somebody else in between. */
export const staleWords = {
  'stale.title': { zh: '{who}已修改“{name}”', en: '{who} has changed “{name}”' },
  'stale.somebody': { zh: '其他人', en: 'Somebody else' },
  'stale.text': {
    zh: '您打开之后，保存的内容已经变了。可以用您的内容覆盖，也可以放弃您的修改、打开已保存的内容。',
    en: 'What is stored has changed since you opened it. Save yours over it, or drop yours and open what is stored.',
  },
  'stale.keepMine': { zh: '用我的覆盖', en: 'Save mine over it' },
  'stale.takeTheirs': { zh: '打开已保存的', en: 'Open what is stored' },
  'stale.lookFirst': { zh: '暂不保存', en: 'Do not save yet' },
} as const satisfies Bundle
