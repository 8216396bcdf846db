import { fault, type ValueRule } from './value-parts.ts'

/** No term has more. */
const LAST = 53

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[第周週\s]/g, '')
    .replace(/weeks?/gi, '')
    .replace(/[、，;；]/g, ',')
    .replace(/[–—~～至到]/g, '-')
    .replace(/\(?(单|odd)\)?/gi, '单')
    .replace(/\(?(双|even)\)?/gi, '双')

/** The weeks that somebody means by `1-16`, `1,3,5-8`, `1-16单` or `2-16双`, in order; nothing where it is not understood. */
export function readWeeks(text: string): readonly number[] | undefined {
  const found = new Set<number>()
  for (const part of plain(text).split(',')) {
    const [, from, to, only] = /^(\d{1,2})(?:-(\d{1,2}))?(单|双)?$/.exec(part) ?? []
    const [first, last] = [Number(from), Number(to ?? from)]
    if (from === undefined || first < 1 || last < first || last > LAST) return undefined
    for (let week = first; week <= last; week += 1) if (!only || (week % 2 === 1) === (only === '单')) found.add(week)
  }
  return [...found].toSorted((a, b) => a - b)
}

/** Weeks as people write them: those in a row as one range. */
export function weeksText(weeks: readonly number[]): string {
  const runs: [number, number][] = []
  for (const week of weeks.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run && week === run[1] + 1) run[1] = week
    else runs.push([week, week])
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',')
}

/** Numbers of weeks. */
export const weeks: ValueRule<readonly number[]> = {
  read(value) {
    const isWeek = (week: unknown): boolean => Number.isInteger(week) && Number(week) >= 1 && Number(week) <= LAST
    if (!Array.isArray(value) || !value.every(isWeek))
      return fault(`周次应为1到${LAST}的整数`, `must be numbers of weeks from 1 to ${LAST}`)
    return { value: [...new Set(value as number[])].toSorted((a, b) => a - b) }
  },
  text: weeksText,
}
