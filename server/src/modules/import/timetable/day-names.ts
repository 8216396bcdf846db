import { weekdayIn } from './grid-words.ts'

/* The names of weekdays in the languages in which timetabling programs are used. */

const languages = [
  ...['ar', 'bg', 'cs', 'da', 'de', 'el', 'es', 'et', 'fa', 'fi', 'fr', 'he', 'hr', 'hu', 'id', 'it', 'ja', 'ko', 'lt'],
  ...['lv', 'mk', 'ms', 'nb', 'nl', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sq', 'sr', 'sv', 'th', 'tr', 'uk', 'vi'],
]
/** A Monday. */
const monday = Date.UTC(2024, 0, 1)

const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\s.]/gu, '')
    .replace(/أ|إ|آ/g, 'ا')
    .toLowerCase()

let known: ReadonlyMap<string, number> | undefined
/** Every name with its weekday; a name that means another day in another language is left out. */
function namesKnown(): ReadonlyMap<string, number> {
  if (known) return known
  const found = new Map<string, Set<number>>()
  for (const language of languages)
    for (const weekday of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' })
      for (let day = 0; day < 7; day += 1) {
        const name = folded(format.format(monday + day * 86_400_000))
        // A single letter, as Arabic and Hebrew have for short, tells nothing.
        if (name.length >= 2) found.set(name, (found.get(name) ?? new Set()).add(day + 1))
      }
    }
  known = new Map([...found].flatMap(([name, days]) => (days.size === 1 ? [[name, [...days][0]!] as const] : [])))
  return known
}

/** The weekday that a name means in any of these languages, from 1 for Monday; undefined where it means none. */
export const weekdayNamed = (name: string): number | undefined => weekdayIn(name) ?? namesKnown().get(folded(name))
