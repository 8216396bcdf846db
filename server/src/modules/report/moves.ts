import { isSince } from '@data-brain/contract/report'
import type { Question } from './content.ts'
import type { CountedCell } from './fold.ts'

/*
 * What has changed since an earlier day: the cells of now beside those of that day. A group that is new has none there, one
 * that is gone has none here. Where one of the two counts too few rows to be shown, nothing is told of the change.
 */

/** What was counted of a cell on two days. */
export interface Move {
  readonly now: number
  readonly was: number
  /** How many rows there are of the cell on both, or how many have the number that is summed up. */
  readonly rows: number
  readonly had: number
}

const keyIn = (cell: CountedCell, at: number): string => JSON.stringify(cell[`k${at}`] ?? null)
const still: Move = { now: 0, was: 0, rows: 0, had: 0 }

/** What a change comes to: of groups that are new or gone, both numbers. */
export function moveText({ now, was, rows, had }: Move, difference: number): number | string {
  if (had === 0 && rows > 0) return `0 → ${now}`
  if (rows === 0 && had > 0) return `${was} → 0`
  return difference
}

/** The changes of the cells of a report, by the places of their measures. */
export class Movement {
  readonly #question: Question
  readonly #bases: ReadonlyMap<number, string>
  readonly #before: ReadonlyMap<string, ReadonlyMap<string, CountedCell>>
  readonly #keys: number

  constructor(
    question: Question,
    bases: ReadonlyMap<number, string>,
    before: ReadonlyMap<string, readonly CountedCell[]>,
  ) {
    this.#question = question
    this.#bases = bases
    this.#keys = question.groups.length + (question.cross ? 1 : 0)
    this.#before = new Map(
      [...before].map(([day, cells]) => [day, new Map(cells.map((cell) => [this.#id(cell), cell]))]),
    )
  }

  #id(cell: CountedCell): string {
    return JSON.stringify(Array.from({ length: this.#keys }, (_, at) => cell[`k${at}`] ?? null))
  }

  /** The cells of now, and empty ones for those that are gone. */
  withGone(cells: readonly CountedCell[]): readonly CountedCell[] {
    const there = new Set(cells.map((cell) => this.#id(cell)))
    const places = this.#places(cells)
    const gone: CountedCell[] = []
    for (const cells of this.#before.values())
      for (const [id, cell] of cells) {
        if (there.has(id) || cell.n < this.#question.content.hideBelow) continue
        there.add(id)
        const named = Object.entries(cell).filter(([name]) => /^[knb]\d/.test(name))
        const placed = places.map((place, at) => [`o${at}`, place.get(keyIn(cell, at))])
        gone.push({ ...Object.fromEntries([...named, ...placed]), n: 0 })
      }
    return [...cells, ...gone]
  }

  /** The places of all keys, by the fields that rows are grouped by: one that is gone stands behind the one that it stood behind. */
  #places(cells: readonly CountedCell[]): Map<string, number>[] {
    return Array.from({ length: this.#keys }, (_, at) => {
      const placesIn = (some: Iterable<CountedCell>): Map<string, number> =>
        new Map([...some].map((cell) => [keyIn(cell, at), Number(cell[`o${at}`])]))
      const places = placesIn(cells)
      for (const before of this.#before.values()) {
        const had = [...placesIn(before.values())].sort(([, a], [, b]) => a - b)
        let last = 0
        for (const [nth, [key]] of had.entries()) {
          const place = places.get(key)
          if (place === undefined) places.set(key, Math.floor(last) + (nth + 1) / (had.length + 1))
          else last = place
        }
      }
      return places
    })
  }

  /** The day that a measure’s change is counted since. */
  day(measure: number): string | undefined {
    return this.#bases.get(measure)
  }

  /** What a measure’s change is made of in one cell; undefined where it is hidden. */
  of(cell: CountedCell, measure: number): Move | undefined {
    const { content, measured } = this.#question
    if (!isSince(content.measures[measure]!.of)) return still
    const then = this.#before.get(this.#bases.get(measure)!)?.get(this.#id(cell))
    const isSummed = measured[measure] !== undefined
    const have = (each: CountedCell | undefined): number => Number((isSummed ? each?.[`c${measure}`] : each?.n) ?? 0)
    const scarce = (count: number): boolean => count > 0 && count < content.hideBelow
    if ([cell.n, then?.n ?? 0, have(cell), have(then)].some(scarce)) return undefined
    const value = (each: CountedCell | undefined): number => Number((isSummed ? each?.[`s${measure}`] : each?.n) ?? 0)
    return { now: value(cell), was: value(then), rows: have(cell), had: have(then) }
  }
}

export const addMove = (one: Move, other: Move | undefined): Move =>
  other
    ? { now: one.now + other.now, was: one.was + other.was, rows: one.rows + other.rows, had: one.had + other.had }
    : one

export const noMoves = (measures: number): Move[] => Array.from({ length: measures }, () => still)
