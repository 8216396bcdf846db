import { isHan, pinyinInitials } from '../ui/pinyin.ts'

export interface SearchableText {
  /** In the language shown. */
  name: string
  /** In the other language. */
  other: string
  initials: string
}

export const searchableText = (name: string, other: string): SearchableText => ({
  name: name.toLowerCase(),
  other: other.toLowerCase(),
  initials: pinyinInitials(isHan(name) ? name : other),
})

/** How well a query matches: 2 the name begins with it, 1 in some other way, 0 not at all. */
export function matchRank(query: string, item: SearchableText): 0 | 1 | 2 {
  const text = query.trim().toLowerCase()
  if (text === '') return 0
  if (item.name.startsWith(text)) return 2
  return item.name.includes(text) || item.initials.includes(text) || item.other.includes(text) ? 1 : 0
}

/** Whether a query is long enough to ask the server: two characters, or one Chinese one. */
export const worthAsking = (query: string): boolean => [...query.trim()].length >= 2 || isHan(query)
