import { a4 } from '../../kernel/pdf/paper.ts'

/*
 * How the columns of a list stand on paper: upright or across, in the largest letters in which they have room beside each other;
 * where none has, on several pages beside each other, of which each begins with the first column.
 */

export const margin = 34
/** Room beside a text within its cell. */
export const padding = 3
const sizes = [9, 8, 7] as const

/** Wanted widths of a column in units of the font size: of its longest text, and of its longest word. */
export interface ColumnWidths {
  readonly whole: number
  readonly word: number
}

/** The columns of one page with their widths. */
export type PageColumns = readonly { readonly column: number; readonly width: number }[]

export interface Columns {
  readonly size: number
  readonly page: { readonly width: number; readonly height: number }
  readonly bands: readonly PageColumns[]
}

/** So wide a column is at least, where its texts would take more. */
const enough = 9
const most = 26

/** Widths that fill the room: each column has what it needs, and those that would take more share what is left. */
function shared(needed: readonly number[], wished: readonly number[], room: number): number[] {
  const left = room - needed.reduce((sum, width) => sum + width, 0)
  const more = wished.map((width, at) => Math.max(0, width - needed[at]!))
  const all = more.reduce((sum, width) => sum + width, 0)
  const share = all > 0 ? Math.min(1, left / all) : 0
  return needed.map((width, at) => width + more[at]! * share)
}

const sum = (widths: readonly number[]): number => widths.reduce((all, width) => all + width, 0)

/** Puts columns on paper. */
export function columnsFor(wanted: readonly ColumnWidths[]): Columns {
  const upright = { width: a4.width, height: a4.height }
  const across = { width: a4.height, height: a4.width }
  const wished = (size: number): number[] => wanted.map(({ whole }) => Math.min(whole, most) * size + 2 * padding)
  const needed = (size: number): number[] =>
    wanted.map(({ whole, word }) => Math.min(whole, Math.max(word, enough), most) * size + 2 * padding)
  const one = (widths: readonly number[]): PageColumns[] => [widths.map((width, column) => ({ column, width }))]
  for (const page of [upright, across]) {
    const room = page.width - 2 * margin
    const large = sizes[0]
    // What has room upright without a break stands upright; a few columns do so with breaks too.
    if (sum(wished(large)) <= room || (wanted.length <= 6 && sum(needed(large)) <= room))
      return { size: large, page, bands: one(shared(needed(large), wished(large), room)) }
  }
  const room = across.width - 2 * margin
  for (const size of sizes)
    if (sum(needed(size)) <= room) return { size, page: across, bands: one(shared(needed(size), wished(size), room)) }
  const size = sizes.at(-1)!
  const widths = needed(size)
  const bands: { column: number; width: number }[][] = []
  const first = { column: 0, width: Math.min(widths[0]!, room / 3) }
  let left = 0
  for (const [column, width] of widths.entries()) {
    if (column === 0) continue
    if (bands.length === 0 || width > left) {
      bands.push([first])
      left = room - first.width
    }
    bands.at(-1)!.push({ column, width: Math.min(width, left) })
    left -= width
  }
  return { size, page: across, bands }
}
