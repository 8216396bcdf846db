/*
 * Boys to the left and girls to the right: 男生 and 女生 over the same headings, or before the first of them, 男生姓名 … 女生姓名,
 * say the sex of everybody below.
 */

interface Named {
  readonly heading: string
  readonly parts: readonly string[]
}

/** Headings without the sex that they say, and by column which one that is. */
export interface Sides {
  readonly columns: readonly Named[]
  readonly sexAt: readonly (string | undefined)[]
}

const group = /^([男女])(?:生|同学|孩|童)?(?:名单|名册)?(?:[(（].*[)）])?[:：]?$/
const prefix = /^([男女])(?:生|同学|孩|童)(?=(?:学号|座号|编号|序号|姓名|名字|名单)$)/

/** Undefined where the headings do not name both. */
export function sidesOf(columns: readonly Named[]): Sides | undefined {
  const sexAt: (string | undefined)[] = []
  const bare = columns.map((column, at): Named => {
    const [over = '', ...below] = column.parts.map((part) => part.normalize('NFKC').trim())
    const above = below.length > 0 ? group.exec(over)?.[1] : undefined
    sexAt[at] = above ?? prefix.exec(column.heading.trim())?.[1]
    if (above) return { heading: below.join(''), parts: below }
    const heading = column.heading.trim().replace(prefix, '')
    return sexAt[at] ? { heading, parts: [heading] } : column
  })
  return sexAt.includes('男') && sexAt.includes('女') ? { columns: bare, sexAt } : undefined
}

/** The sex of each of the tables beside one another, as a line over each names it: 男生（20人）. */
export function sexesOver(lines: readonly (readonly { readonly text: string }[])[]): readonly string[] | undefined {
  const sexes = lines.map(
    (titles) => titles.flatMap(({ text }) => group.exec(text.normalize('NFKC').trim())?.[1] ?? [])[0],
  )
  const isBoth = sexes.includes('男') && sexes.includes('女')
  return isBoth && sexes.every((sex) => sex !== undefined) ? sexes : undefined
}

/** The sex of each of the tables beside one another; undefined where one of them is of both, or of none. */
export function sexesOf({ sexAt }: Sides, blocks: readonly (readonly number[])[]): readonly string[] | undefined {
  const sexes = blocks.map((block) => [...new Set(block.flatMap((at) => sexAt[at] ?? []))])
  return blocks.length > 1 && sexes.every((each) => each.length === 1) ? sexes.map(([sex]) => sex!) : undefined
}
