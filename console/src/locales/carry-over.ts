import type { Bundle } from '../ui/words.ts'

export const carryOverWords = {
  'carryOver.assignments': { zh: '带入上学期任课', en: 'Carry assignments over' },
  'carryOver.rules': { zh: '带入其他学期的规则', en: 'Carry rules over' },
  'carryOver.from': { zh: '来源学期', en: 'From semester' },
  'carryOver.into': { zh: '带入学期', en: 'Into semester' },
  'carryOver.choose': { zh: '请选择学期', en: 'Choose a semester' },
  'carryOver.ok': { zh: '带入{count}条', en: 'Carry {count} over' },
  'carryOver.okNone': { zh: '带入', en: 'Carry over' },
  'carryOver.make': { zh: '将新增{count}条', en: '{count} would be added', enOne: '{count} would be added' },
  'carryOver.there': { zh: '已有{count}条，保持不变', en: '{count} are there already and stay as they are' },
  'carryOver.left': { zh: '不带入{count}条', en: '{count} stay behind', enOne: '{count} stays behind' },
  'carryOver.reason': { zh: '{text}（{reason}）', en: '{text} ({reason})' },
  'carryOver.more': { zh: '还有{count}条', en: '{count} more' },
  'carryOver.none': { zh: '没有可带入的内容', en: 'There is nothing to carry over' },
  'carryOver.done': { zh: '已带入{count}条', en: '{count} were carried over', enOne: '{count} was carried over' },
} as const satisfies Bundle
