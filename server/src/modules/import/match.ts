import { type FormKind, forms } from '@data-brain/contract/import/all'
import { foldHeading } from '@data-brain/contract/import/form'

/** Which field of the form a heading of the file means, and how sure that is. */
export interface Match {
  readonly key: string
  readonly confidence: number
}

/** What the headings of one form are known by. */
interface Names {
  readonly exact: ReadonlyMap<string, Match>
  readonly all: readonly { readonly key: string; readonly folded: string }[]
}

function namesOf(kind: FormKind): Names {
  const exact = new Map<string, Match>()
  for (const column of forms[kind])
    for (const other of column.aka) exact.set(foldHeading(other), { key: column.key, confidence: 0.9 })
  for (const { key, label } of forms[kind])
    for (const name of [label.zh, label.en, label.zh + label.en]) exact.set(foldHeading(name), { key, confidence: 1 })
  return {
    exact,
    all: forms[kind].flatMap((column) =>
      [column.label.zh, column.label.en, ...column.aka].map((name) => ({ key: column.key, folded: foldHeading(name) })),
    ),
  }
}

const names: Readonly<Record<FormKind, Names>> = { student: namesOf('student'), user: namesOf('user') }

/** How many headings of a row are known names: what makes a row the heading. */
export const knownHeadings = (kind: FormKind, cells: readonly string[]): number =>
  new Set(cells.map((cell) => names[kind].exact.get(foldHeading(cell))?.key).filter(Boolean)).size

const pairsOf = (text: string): string[] => [...text].slice(1).map((sign, at) => [...text][at] + sign)

/** How alike two names are: the share of their neighbouring pairs that they have in common. */
function likeness(a: string, b: string): number {
  const left = pairsOf(a)
  const right = pairsOf(b)
  if (left.length === 0 || right.length === 0) return 0
  const common = left.filter((pair) => right.includes(pair)).length
  return (2 * common) / (left.length + right.length)
}

const alikeEnough = 0.7

/**
 * Matches the headings of a file to the fields of the form, each field at most once: known names first, then the most
 * alike. A heading that is nothing of it stays unmatched.
 */
export function matchHeadings(kind: FormKind, headings: readonly string[]): Map<number, Match> {
  const { exact, all } = names[kind]
  const matches = new Map<number, Match>()
  const taken = new Set<string>()
  const folded = headings.map(foldHeading)
  for (const sure of [1, 0.9])
    for (const [column, heading] of folded.entries()) {
      const match = exact.get(heading)
      if (!match || match.confidence !== sure || matches.has(column) || taken.has(match.key)) continue
      matches.set(column, match)
      taken.add(match.key)
    }
  for (const [column, heading] of folded.entries()) {
    if (matches.has(column) || exact.has(heading) || heading.length < 3) continue
    const best = all
      .filter(({ key }) => !taken.has(key))
      .map(({ key, folded: name }) => ({ key, confidence: Math.min(0.8, likeness(heading, name)) }))
      .reduce<Match | undefined>(
        (top, each) => (each.confidence >= alikeEnough && each.confidence > (top?.confidence ?? 0) ? each : top),
        undefined,
      )
    if (!best) continue
    matches.set(column, best)
    taken.add(best.key)
  }
  return matches
}
