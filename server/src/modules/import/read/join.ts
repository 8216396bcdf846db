import type { Looked } from './choose.ts'
import { folded } from './heading.ts'
import { letters } from './layout.ts'

/** A column of the table, with its place in the first sheet that has it. */
export interface Joined {
  readonly heading: string
  readonly parts: readonly string[]
  readonly at: number
}

/**
 * The columns of all sheets that are read together, those of the first sheet first, and for each sheet where its columns
 * go. Sheets of one shape may name their columns in another order.
 */
export function joinColumns(chosen: readonly Looked[]): { columns: Joined[]; places: number[][] } {
  const columns: Joined[] = []
  const places = chosen.map(({ layout }, sheet) => {
    const taken = new Set<number>()
    return (layout?.columns ?? []).map(({ heading, parts }, index) => {
      const at = layout?.blocks[0]?.[index] ?? index
      const same =
        sheet === 0
          ? -1
          : columns.findIndex(
              (other, place) =>
                !taken.has(place) &&
                (heading === '' ? other.heading === `${letters(at)}列` : folded(other.heading) === folded(heading)),
            )
      // A column that nobody named is named as the spreadsheet does.
      const named = heading === '' ? `${letters(at)}列` : heading
      const place = same >= 0 ? same : columns.push({ heading: named, parts: heading === '' ? [] : parts, at }) - 1
      taken.add(place)
      return place
    })
  })
  return { columns, places }
}
