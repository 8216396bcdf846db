import type { Bundle } from '../ui/words.ts'

/** What is said where a field is changed in its cell; it comes with the editor. */
export const cellWords = {
  'cell.conflict': { zh: '{who} {time} 改过这一项', en: '{who} changed this at {time}' },
  'cell.mine': { zh: '我的：{value}', en: 'Mine: {value}' },
  'cell.theirs': { zh: '现在：{value}', en: 'Now: {value}' },
  'cell.keepMine': { zh: '保留我的', en: 'Keep mine' },
  'cell.takeTheirs': { zh: '用现在的', en: 'Take theirs' },
} as const satisfies Bundle
