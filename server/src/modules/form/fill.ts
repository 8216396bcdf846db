import { zipSync } from 'fflate'
import { addCopy, escaped, recount, write } from './copies.ts'
import { filledText, type Mark, type MarkValue } from './marks.ts'
import { attributeOf, cellPattern, type FormSheet, openForm, type Parts, sheetsOf, textOf } from './package.ts'
import { growingRow, type ListOf, type Place, placesOf, repeatRow } from './places.ts'

/*
 * A form filled: only cells that hold marks are written anew, as texts or numbers of their own; everything else of the package
 * goes over byte for byte. Formulas lose what they last came to, and are counted when the file is opened.
 */

/** The values of marks, by what is written in them. */
export type Values = Readonly<Record<string, MarkValue>>

/** What one copy of the marked sheet says: its single marks, and the rows of its lists. */
export interface Page {
  readonly values: Values
  readonly lists: Readonly<Record<string, readonly Values[]>>
}

/** A cell with another value, in the looks that it had. A text is one, whatever it begins with. */
function cellOf(attributes: string, value: MarkValue): string {
  const kept = attributes.replace(/\st\s*=\s*("[^"]*"|'[^']*')/, '').trimEnd()
  if (value === null || value === '') return `<c${kept}/>`
  if (typeof value === 'number' && Number.isFinite(value)) return `<c${kept}><v>${value}</v></c>`
  return `<c${kept} t="inlineStr"><is><t xml:space="preserve">${escaped(String(value).slice(0, 32_000))}</t></is></c>`
}

/** The sheet with its marks taken for the values of a page. */
function filledSheet(blank: string, sheet: FormSheet, page: Page, { foot, listOf }: Filling): string {
  const growing = growingRow(blank, sheet, listOf)
  const most = Math.max(1, ...Object.values(page.lists).map(({ length }) => length))
  const xml = growing === undefined ? blank : repeatRow(blank, growing, most)
  const single = new Map(sheet.cells.map(({ cell, text }) => [cell, text]))
  const inList = new Map(
    [...placesOf(xml, sheet, listOf)].flatMap(([list, places]) =>
      places.flatMap((cells, at) => [...cells].map(([cell, text]) => [cell, { text, row: page.lists[list]?.[at] }])),
    ) as [string, { text: string; row: Values | undefined }][],
  )
  const value = (mark: Mark, row: Values | undefined): MarkValue =>
    (listOf(mark) === undefined ? page.values[mark.text] : row?.[mark.text]) ?? null
  const filled = xml.replace(cellPattern, (whole, attributes: string, inner = '') => {
    const cell = attributeOf(attributes, 'r') ?? ''
    const listed = inList.get(cell)
    if (listed) {
      const { text, row } = listed
      return cellOf(attributes, row ? filledText(text, (mark) => value(mark, row)) : null)
    }
    const text = single.get(cell)
    if (text !== undefined)
      return cellOf(
        attributes,
        filledText(text, (mark) => value(mark, undefined)),
      )
    return /<f(?=[\s/>])/.test(inner) ? whole.replace(/<v>[\s\S]*?<\/v>|<v\/>/, '') : whole
  })
  return foot === undefined ? filled : withFoot(filled, foot)
}

const afterFoot =
  /<(rowBreaks|colBreaks|customProperties|cellWatches|ignoredErrors|smartTags|drawing|legacyDrawing|legacyDrawingHF|picture|oleObjects|controls|webPublishItems|tableParts|extLst)(?=[\s/>])/

/** Who filled the form and when, in the foot of each printed page: where the form has a foot of its own, that stays. */
function withFoot(xml: string, foot: string): string {
  if (/<(oddFooter|evenFooter|firstFooter)(?=[\s/>])/.test(xml)) return xml
  const line = `<oddFooter>${escaped(`&L&8${foot.replaceAll('&', '&&').slice(0, 240)}`)}</oddFooter>`
  const header = /<headerFooter(?=[\s/>])([^>]*?)(\/>|>)/.exec(xml)
  if (header) {
    const { index } = header
    if (header[2] === '/>')
      return `${xml.slice(0, index)}<headerFooter${header[1]}>${line}</headerFooter>${xml.slice(index + header[0].length)}`
    const head = xml.indexOf('</oddHeader>', index)
    const at = head < 0 ? index + header[0].length : head + '</oddHeader>'.length
    return xml.slice(0, at) + line + xml.slice(at)
  }
  const last = Math.max(
    ...['<pageSetup', '<pageMargins', '<printOptions', '</sheetData>'].map((tag) => xml.lastIndexOf(tag)),
  )
  const found = afterFoot.exec(xml.slice(last))
  const at = found ? last + found.index : xml.lastIndexOf('</worksheet>')
  return `${xml.slice(0, at)}<headerFooter>${line}</headerFooter>${xml.slice(at)}`
}

/** How a form is filled: what stands in its foot, and which marks are of a list. */
export interface Filling {
  readonly foot: string | undefined
  readonly listOf: ListOf
}

/** A page of which some list has more rows than places, as several that say the same beside. */
function fitting(page: Page, places: ReadonlyMap<string, readonly Place[]>): Page[] {
  const lists = Object.entries(page.lists)
  const room = (list: string): number => Math.max(1, places.get(list)?.length ?? 1)
  const times = Math.max(1, ...lists.map(([list, rows]) => Math.ceil(rows.length / room(list))))
  return Array.from({ length: times }, (_, at) => ({
    values: page.values,
    lists: Object.fromEntries(
      lists.map(([list, rows]) => [list, rows.slice(at * room(list), (at + 1) * room(list))] as const),
    ),
  }))
}

/** A form opened to be filled: its sheets, the one of which there are copies, and the pages as they have room in it. */
interface Opened {
  readonly parts: Parts
  readonly sheets: readonly FormSheet[]
  readonly main: FormSheet | undefined
  readonly fitted: readonly Page[]
}

function opened(bytes: Uint8Array, pages: readonly Page[], { listOf }: Filling): Opened {
  const parts = openForm(bytes)
  const sheets = sheetsOf(parts)
  const marked = sheets.filter(({ cells }) => cells.length > 0)
  const isList = ({ cells }: FormSheet): boolean => cells.some(({ marks }) => marks.some((mark) => listOf(mark)))
  const main = marked.find(isList) ?? marked[0]
  const blank = main ? textOf(parts, main.part) : ''
  const isGrowing = main && growingRow(blank, main, listOf) !== undefined
  const places = main ? placesOf(blank, main, listOf) : new Map<string, Place[]>()
  return { parts, sheets, main, fitted: isGrowing ? pages : pages.flatMap((page) => fitting(page, places)) }
}

/**
 * A form filled with pages: one copy of its marked sheet each, or more of them where a list has no room for its rows. Other
 * sheets are filled with the first.
 */
export function fillForm(bytes: Uint8Array, pages: readonly Page[], filling: Filling): Uint8Array {
  const { parts, sheets, main, fitted } = opened(bytes, pages, filling)
  const blank = main ? textOf(parts, main.part) : ''
  for (const sheet of sheets)
    if (sheet.cells.length > 0 || textOf(parts, sheet.part).includes('<f'))
      write(parts, sheet.part, filledSheet(textOf(parts, sheet.part), sheet, fitted[0]!, filling))
  if (main)
    for (const [index, page] of fitted.entries())
      if (index > 0) addCopy(parts, main, filledSheet(blank, main, page, filling), index + 1)
  recount(parts)
  return zipSync(parts, { level: 6 })
}

/** A sheet of a form that is filled with a page, to be drawn. */
export interface FilledSheet {
  readonly sheet: FormSheet
  readonly xml: string
}

/**
 * The sheets of a form that is filled with pages, as they follow each other on paper: its marked sheets for each page, then those
 * without marks, once.
 */
export function filledSheets(
  bytes: Uint8Array,
  pages: readonly Page[],
  filling: Filling,
): { readonly parts: Parts; readonly sheets: Iterable<FilledSheet> } {
  const { parts, sheets, main, fitted } = opened(bytes, pages, filling)
  const marked = sheets.filter(({ cells }) => cells.length > 0)
  const copied = marked.length === 1 || fitted.length > pages.length ? [main!] : marked
  const inOrder = function* (): Generator<FilledSheet> {
    for (const [index, page] of fitted.entries())
      for (const sheet of sheets)
        if (copied.includes(sheet) || (index === 0 && sheet.cells.length > 0))
          yield { sheet, xml: filledSheet(textOf(parts, sheet.part), sheet, page, filling) }
    for (const sheet of sheets) if (sheet.cells.length === 0) yield { sheet, xml: textOf(parts, sheet.part) }
  }
  return { parts, sheets: inOrder() }
}
