/** One line of a difference: kept, taken away or added. */
interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** Lines around a change that say where it belongs. */
const around = 3

/** The difference of two lists of lines, by the longest that they have in common. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail += 1
  const a = before.slice(head, before.length - tail)
  const b = after.slice(head, after.length - tail)
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
  const lines: Line[] = before.slice(0, head).map((text) => ({ sign: ' ', text }))
  let i = 0
  let j = 0
  while (i < a.length || j < b.length)
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i]! })
      i += 1
      j += 1
    } else if (i < a.length && (j === b.length || common[i + 1]![j]! >= common[i]![j + 1]!)) {
      lines.push({ sign: '-', text: a[i]! })
      i += 1
    } else {
      lines.push({ sign: '+', text: b[j]! })
      j += 1
    }
  return [...lines, ...before.slice(before.length - tail).map((text): Line => ({ sign: ' ', text }))]
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** From where to where in `lines` each hunk goes: changes that are near one another stand in one. */
function spans(lines: readonly Line[]): [from: number, to: number][] {
  const found: [number, number][] = []
  for (const [at, { sign }] of lines.entries()) {
    if (sign === ' ') continue
    const from = Math.max(0, at - around)
    const to = Math.min(lines.length, at + around + 1)
    const last = found.at(-1)
    if (last && from <= last[1]) last[1] = to
    else found.push([from, to])
  }
  return found
}

/**
 * The change of a file as `git apply` takes it; empty where there is none. Without `before` the file is new, and git
 * refuses it where there is one already. All texts end with a line feed.
 */
export function patchOf(path: string, before: string | undefined, after: string): string {
  if (before === after) return ''
  const lines = compare(linesOf(before ?? ''), linesOf(after))
  const hunks = spans(lines).map(([from, to]) => {
    const count = (part: readonly Line[], sign: '-' | '+'): number =>
      part.filter((line) => line.sign === ' ' || line.sign === sign).length
    const above = lines.slice(0, from)
    const part = lines.slice(from, to)
    const span = (sign: '-' | '+'): string => {
      const length = count(part, sign)
      return `${count(above, sign) + (length === 0 ? 0 : 1)},${length}`
    }
    return [`@@ -${span('-')} +${span('+')} @@`, ...part.map(({ sign, text }) => `${sign}${text}`)].join('\n')
  })
  return [
    `diff --git a/${path} b/${path}`,
    ...(before === undefined ? ['new file mode 100644', '--- /dev/null'] : [`--- a/${path}`]),
    `+++ b/${path}`,
    ...hunks,
    '',
  ].join('\n')
}
