import { boardChinese } from '../../../../locales/board.ts'
import { language } from '../../../../ui/words.ts'

/** Says in the language shown what the library says in English. */
export function sayOnBoard(text: string, values: Readonly<Record<string, string>> = {}): string {
  const said = language() === 'zh' ? (boardChinese[text] ?? text) : text
  return said.replace(/\{(\w+)\}/g, (hole, name) => values[name] ?? hole)
}

export const wordsModule = { translate: ['value', sayOnBoard] }
