import type { FormKind } from '@data-brain/contract/import/place'
import type { ExaminedSheet } from './choose.ts'
import { foldText } from './heading.ts'
import { letters } from './layout.ts'
import { meaningOf } from './match.ts'

/** A column of the table, with its place in the first sheet that has it. */
export interface JoinedColumn {
  readonly heading: string
  readonly parts: readonly string[]
  readonly at: number
}

/** What says a value by its own name as well: 是 below 团员 is none below 政治面貌. */
const byName: ReadonlySet<string> = new Set(['student.politics'])

/**
 * The columns of all sheets that are read together, those of the first sheet first, and for each sheet where its columns
 * go. Sheets of one shape may name their columns in another order, those of two shapes in other words: 班级 and 班.
 */
export function joinColumns(
  kind: FormKind,
  chosen: readonly ExaminedSheet[],
): { columns: JoinedColumn[]; places: number[][] } {
  const columns: JoinedColumn[] = []
  /** A column that means the same as a heading of a later sheet, and that this sheet has not under its own name. */
  const alike = (heading: string, own: ReadonlySet<string>, taken: ReadonlySet<number>): number => {
    const meaning = meaningOf(kind, heading)
    if (meaning === undefined || byName.has(meaning)) return -1
    return columns.findIndex(
      (other, place) =>
        !taken.has(place) && !own.has(foldText(other.heading)) && meaningOf(kind, other.heading) === meaning,
    )
  }
  const places = chosen.map(({ layout }, sheet) => {
    const taken = new Set<number>()
    const own = new Set((layout?.columns ?? []).map(({ heading }) => foldText(heading)))
    return (layout?.columns ?? []).map(({ heading, parts }, index) => {
      const at = layout?.blocks[0]?.[index] ?? index
      const same =
        sheet === 0
          ? -1
          : columns.findIndex(
              (other, place) =>
                !taken.has(place) &&
                (heading === '' ? other.heading === `${letters(at)}列` : foldText(other.heading) === foldText(heading)),
            )
      // A column that nobody named is named as the spreadsheet does.
      const named = heading === '' ? `${letters(at)}列` : heading
      const meant = same < 0 && sheet > 0 && heading !== '' ? alike(heading, own, taken) : same
      const place = meant >= 0 ? meant : columns.push({ heading: named, parts: heading === '' ? [] : parts, at }) - 1
      taken.add(place)
      return place
    })
  })
  return { columns, places }
}
