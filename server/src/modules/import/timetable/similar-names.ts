/** Most names that are told as near to one that is unknown. */
const nearMost = 3

/** Whether two names differ by one sign: another one, or one more or fewer. */
function isNear(a: string, b: string): boolean {
  const [short, long] = [...a].length <= [...b].length ? [[...a], [...b]] : [[...b], [...a]]
  if (long.length - short.length > 1 || short.length < 2) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  const rest = short.length === long.length ? at + 1 : at
  return short.slice(rest).join('') === long.slice(at + 1).join('')
}

/** The names, of those that there are, that differ from a word by one sign. */
export const similarNames = (word: string, names: Iterable<string>): string[] =>
  [...new Set(names)].filter((name) => name !== word && isNear(word, name)).slice(0, nearMost)

/** A cell with one of its words as names that are near to it: 数学 王方 as 数学 王芳. */
export function correctedCells(text: string, names: readonly string[]): string[] {
  const words = text.normalize('NFKC').split(/[\s,、;:()[\]+&/|]+/)
  const known = new Set(names)
  return words
    .filter((word) => word !== '' && !known.has(word))
    .flatMap((word) => similarNames(word, names).map((name) => text.normalize('NFKC').replace(word, name)))
}
