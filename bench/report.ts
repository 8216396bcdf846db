/** A goal of the benchmark beside what was measured. */
export interface Verdict {
  readonly what: string
  readonly measured: string
  readonly goal: string
  readonly met: boolean
}

/** At most (or, with `atLeast`, at least) so much of a unit. */
export function judge(
  what: string,
  value: number,
  goal: number,
  unit: string,
  how: 'at most' | 'at least' = 'at most',
  digits = 0,
): Verdict {
  const met = how === 'at most' ? value <= goal : value >= goal
  return {
    what,
    measured: `${value.toFixed(digits)}${unit}`,
    goal: `${how === 'at most' ? '≤' : '≥'} ${goal}${unit}`,
    met,
  }
}

// Chinese signs are two columns wide.
const width = (text: string): number => [...text].reduce((sum, sign) => sum + (/[\u1100-\uffdc]/.test(sign) ? 2 : 1), 0)

/** Lines of a table: the first row is its head; numbers stand right, words left. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]!.map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const space = ' '.repeat(columns[column]! - width(cell))
        return column === 0 || !/^[-\d]/.test(cell) ? cell + space : space + cell
      })
      .join('  ')
      .trimEnd()
  return [line(rows[0]!), columns.map((each) => '-'.repeat(each)).join('  '), ...rows.slice(1).map(line)].join('\n')
}

/** The goals, met or missed, as lines. */
export const verdicts = (all: readonly Verdict[]): string =>
  table([
    ['goal', 'measured', 'wanted', ''],
    ...all.map(({ what, measured, goal, met }) => [what, measured, goal, met ? 'met' : 'MISSED']),
  ])
