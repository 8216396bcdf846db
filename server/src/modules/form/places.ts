import type { Mark } from './marks.ts'
import { attributeOf, cellPattern, type FormSheet } from './package.ts'

/*
 * Where the rows of lists go: down the cells below the marked ones, as long as these are there and empty. In a sheet that
 * ends with its list nothing is in the way, and its marked row is made as often as there are rows.
 */

/** The list that a mark is a cell of; none for a mark that stands alone. */
export type ListOf = (mark: Mark) => string | undefined

/** The list of the rows that a form is filled with, in which a mark says so by itself. */
export const ownList = '[]'
export const bySign: ListOf = ({ list }) => (list ? ownList : undefined)

/** The capacity of a list with nothing below it. */
export const unboundedRows = 100_000

/** A place of a list: the cells to fill, by address, with the marked text that they take. */
export type Place = ReadonlyMap<string, string>

export const position = (cell: string): { column: string; row: number } => {
  const [, column = '', row = '0'] = /^([A-Z]+)(\d+)$/.exec(cell) ?? []
  return { column, row: Number(row) }
}

type Content = 'formula' | 'number' | 'text'

/** What the cells of a sheet hold, as far as they hold anything; those that hold nothing are there too. */
function contentsOf(xml: string): Map<string, Content | undefined> {
  const contents = new Map<string, Content | undefined>()
  for (const [, attributes, inner = ''] of xml.matchAll(cellPattern)) {
    const isText = /^(s|str|inlineStr)$/.test(attributeOf(attributes!, 't') ?? '')
    const content = /<f(?=[\s/>])/.test(inner) ? 'formula' : isText ? 'text' : 'number'
    contents.set(attributeOf(attributes!, 'r') ?? '', /<(v|f|is)(?=[\s/>])/.test(inner) ? content : undefined)
  }
  return contents
}

interface Head {
  readonly list: string
  readonly row: number
  readonly cells: { readonly column: string; readonly text: string }[]
}

/** The marked rows of lists, from the top. */
function headsOf(sheet: Pick<FormSheet, 'cells'>, listOf: ListOf): Head[] {
  const heads = new Map<string, Head>()
  for (const { cell, text, marks } of sheet.cells) {
    const list = marks.map(listOf).find((each) => each !== undefined)
    if (list === undefined) continue
    const { column, row } = position(cell)
    const head = heads.get(`${row} ${list}`) ?? { list, row, cells: [] }
    heads.set(`${row} ${list}`, head)
    head.cells.push({ column, text })
  }
  return [...heads.values()].sort((one, other) => one.row - other.row)
}

/** The places of each list in a sheet. */
export function placesOf(xml: string, sheet: Pick<FormSheet, 'cells'>, listOf: ListOf): Map<string, Place[]> {
  const heads = headsOf(sheet, listOf)
  const contents = contentsOf(xml)
  const byRow = Map.groupBy(contents.keys(), (cell) => position(cell).row)
  const places = new Map<string, Place[]>()
  for (const { list, row, cells } of heads) {
    const at = (below: number): Place => new Map(cells.map(({ column, text }) => [`${column}${row + below}`, text]))
    const inLists = new Set(heads.flatMap((head) => (head.row === row ? head.cells.map(({ column }) => column) : [])))
    // Beside the list stands what stands beside its first row: its numbers, say. A sum or who signs is no place.
    const isLike = (below: number): boolean =>
      (byRow.get(row + below) ?? []).every((cell) => {
        const { column } = position(cell)
        const content = contents.get(cell)
        return inLists.has(column) || content === undefined || content === contents.get(`${column}${row}`)
      })
    const isFree = (below: number): boolean =>
      !heads.some((head) => head.list === list && head.row === row + below) &&
      [...at(below).keys()].every((cell) => contents.has(cell) && contents.get(cell) === undefined) &&
      isLike(below)
    const found = places.get(list) ?? []
    places.set(list, found)
    found.push(at(0))
    for (let below = 1; isFree(below); below += 1) found.push(at(below))
  }
  return places
}

const rowPattern = /<row(?=[\s/>])([^>]*?)(?:\/>|>[\s\S]*?<\/row>)/g

/** The marked row below which nothing stands, where the form has one list and no place for a second row of it. */
export function growingRow(xml: string, sheet: FormSheet, listOf: ListOf): number | undefined {
  const [head, second] = headsOf(sheet, listOf)
  if (!head || second || sheet.isBounded) return undefined
  if (placesOf(xml, sheet, listOf).get(head.list)!.length > 1) return undefined
  const below = [...contentsOf(xml)].some(([cell, content]) => content && position(cell).row > head.row)
  const merged = [...xml.matchAll(/<mergeCell\s[^>]*?ref="[A-Z]+\d+:[A-Z]+(\d+)"/g)]
  return below || merged.some(([, last]) => Number(last) > head.row) ? undefined : head.row
}

/** The XML of a sheet with its marked row repeated this many times; the copies keep their format and hold no text. */
export function repeatRow(xml: string, row: number, times: number): string {
  const moved = (text: string, to: number): string => text.replace(/(\sr=")([A-Z]*)\d+"/, `$1$2${to}"`)
  const made = (whole: string, to: number): string =>
    moved(whole, to).replace(cellPattern, (cell, attributes: string) => {
      void cell
      return moved(`<c${attributes.replace(/\st\s*=\s*("[^"]*"|'[^']*')/, '').trimEnd()}/>`, to)
    })
  const rows = xml.replace(rowPattern, (whole, attributes: string) => {
    const at = Number(attributeOf(attributes, 'r') ?? 0)
    if (at < row) return whole
    if (at > row) return ''
    return whole + Array.from({ length: times - 1 }, (_, more) => made(whole, row + more + 1)).join('')
  })
  const merges = [...rows.matchAll(new RegExp(`<mergeCell\\s[^>]*?ref="([A-Z]+)${row}:([A-Z]+)${row}"[^>]*>`, 'g'))]
  const more = Array.from({ length: times - 1 }, (_, at) =>
    merges.map(([, from, to]) => `<mergeCell ref="${from}${row + at + 1}:${to}${row + at + 1}"/>`).join(''),
  ).join('')
  return rows
    .replace(/<dimension\s[^>]*\/>/, '')
    .replace(/<mergeCells[^>]*>/, (head) => head.replace(/\scount="\d+"/, ''))
    .replace('</mergeCells>', `${more}</mergeCells>`)
}
