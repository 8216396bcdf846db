import { pinyinBoundaries } from '../locales/pinyin.ts'

const letters = [...'abcdefghjklmnopqrstwxyz']
const collator = new Intl.Collator('zh-u-co-pinyin')
const han = /\p{Script=Han}/u

export const isHan = (text: string): boolean => han.test(text)

function initial(character: string): string {
  if (!han.test(character)) return character.toLowerCase()
  const at = pinyinBoundaries.findLastIndex((boundary) => collator.compare(boundary, character) <= 0)
  return letters[at] ?? ''
}

/** Initials of the pinyin of a name: 课程表 → kcb. The browser's own collation knows them; no table is shipped. */
export const pinyinInitials = (name: string): string => [...name].map(initial).join('')
