import { SSF } from '@e965/xlsx'
import { unescapeXml } from '../../kernel/xml-text.ts'
import type { CellLook } from './looks.ts'
import { attributeOf, cellPattern, type Parts, plain, textOf } from './package.ts'

/* What of a sheet is seen on paper: its cells with their texts, columns and rows in points, merged cells and the page. */

export interface Area {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

export interface SeenCell {
  readonly row: number
  readonly column: number
  readonly text: string
  readonly isNumber: boolean
  readonly look: CellLook
}

export interface PageSetup {
  readonly width: number
  readonly height: number
  readonly margins: Readonly<Record<'left' | 'right' | 'top' | 'bottom' | 'header' | 'footer', number>>
  readonly scale: number
  /** Pages across and down that it is fitted to; 0: as many as it takes. */
  readonly fit: { readonly across: number; readonly down: number } | undefined
  readonly isCentered: { readonly across: boolean; readonly down: boolean }
  readonly header: string
  readonly footer: string
  /** Rows behind which a page ends. */
  readonly breaks: readonly number[]
}

export interface SheetView {
  readonly name: string
  readonly cells: ReadonlyMap<string, SeenCell>
  readonly merges: readonly Area[]
  /** What is printed. */
  readonly area: Area
  /** Rows that each page repeats. */
  readonly titles: { readonly top: number; readonly bottom: number } | undefined
  readonly widthOf: (column: number) => number
  readonly heightOf: (row: number) => number
  /** Rows whose height a spreadsheet chooses by what they hold. */
  readonly isFree: (row: number) => boolean
  readonly page: PageSetup
}

/** A cell’s place in words, and words out of it; columns and rows are counted from 1. */
export const keyOf = (row: number, column: number): string => `${row},${column}`

function columnNumber(letters: string): number {
  let number = 0
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64
  return number
}

export function cellName(row: number, column: number): string {
  let letters = ''
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return `${letters}${row}`
}

function areaOf(reference: string): Area | undefined {
  const found = /\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?$/.exec(reference)
  if (!found) return undefined
  const [, left = '', top = '', right = left, bottom = top] = found
  return { top: Number(top), left: columnNumber(left), bottom: Number(bottom), right: columnNumber(right) }
}

/** Widths and heights of sheets of paper in millimetres, by the number that a workbook gives them. */
const papers: Readonly<Record<number, readonly [number, number]>> = {
  1: [215.9, 279.4],
  5: [215.9, 355.6],
  8: [297, 420],
  9: [210, 297],
  11: [148, 210],
  12: [250, 354],
  13: [176, 250],
}
const point = 72 / 25.4

function pageOf(xml: string): PageSetup {
  const of = (tag: string): string => new RegExp(`<${tag}(?=[\\s/>])([^>]*?)/?>`).exec(xml)?.[1] ?? ''
  const [setup, margins, options] = [of('pageSetup'), of('pageMargins'), of('printOptions')]
  const [short, long] = papers[Number(attributeOf(setup, 'paperSize') ?? 9)] ?? papers[9]!
  const isAcross = attributeOf(setup, 'orientation') === 'landscape'
  const margin = (name: string, usual: number): number => Number(attributeOf(margins, name) ?? usual) * 72
  const isFitted = /<pageSetUpPr[^>]*fitToPage="(1|true)"/.test(xml)
  const text = (tag: string): string => unescapeXml(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(xml)?.[1] ?? '')
  const breaks = /<rowBreaks[\s\S]*?<\/rowBreaks>/.exec(xml)?.[0] ?? ''
  return {
    width: (isAcross ? long : short) * point,
    height: (isAcross ? short : long) * point,
    margins: {
      ...{ left: margin('left', 0.7), right: margin('right', 0.7), top: margin('top', 0.75) },
      ...{ bottom: margin('bottom', 0.75), header: margin('header', 0.3), footer: margin('footer', 0.3) },
    },
    scale: Number(attributeOf(setup, 'scale') ?? 100) / 100,
    fit: isFitted
      ? { across: Number(attributeOf(setup, 'fitToWidth') ?? 1), down: Number(attributeOf(setup, 'fitToHeight') ?? 1) }
      : undefined,
    isCentered: {
      across: attributeOf(options, 'horizontalCentered') === '1',
      down: attributeOf(options, 'verticalCentered') === '1',
    },
    header: text('oddHeader'),
    footer: text('oddFooter'),
    breaks: [...breaks.matchAll(/<brk(?=\s)([^>]*?)\/?>/g)].map(([, attributes]) =>
      Number(attributeOf(attributes!, 'id') ?? 0),
    ),
  }
}

/** What a cell shows. */
function shown(
  type: string | undefined,
  inner: string,
  look: CellLook,
  shared: readonly string[],
): Pick<SeenCell, 'text' | 'isNumber'> {
  const raw = /<v>([\s\S]*?)<\/v>/.exec(inner)?.[1] ?? ''
  if (type === 's') return { text: shared[Number(raw)] ?? '', isNumber: false }
  if (type === 'inlineStr') return { text: plain(inner), isNumber: false }
  if (raw === '') return { text: '', isNumber: false }
  if (type === 'b') return { text: raw === '1' ? 'TRUE' : 'FALSE', isNumber: false }
  if (type === 'str' || type === 'e') return { text: unescapeXml(raw), isNumber: false }
  return { text: SSF.format(look.format, Number(raw)), isNumber: true }
}

/** A workbook’s name that belongs to one sheet, such as its print area. */
function nameOf(parts: Parts, sheet: number, name: string): string | undefined {
  const all = [...textOf(parts, 'xl/workbook.xml').matchAll(/<definedName\b([^>]*)>([\s\S]*?)<\/definedName>/g)]
  const found = all.find(
    ([, attributes]) =>
      attributeOf(attributes!, 'name') === name && attributeOf(attributes!, 'localSheetId') === String(sheet),
  )
  return found && unescapeXml(found[2]!)
}

/** What is seen of a sheet; `at` is its place among the sheets of the workbook. */
export function sheetView(
  parts: Parts,
  {
    name,
    xml,
    at,
    looks,
    shared,
  }: { name: string; xml: string; at: number; looks: readonly CellLook[]; shared: readonly string[] },
): SheetView {
  const cells = new Map<string, SeenCell>()
  let used: Area = { top: 1, left: 1, bottom: 1, right: 1 }
  const usual = looks[0]!
  for (const [, attributes, inner = ''] of xml.matchAll(cellPattern)) {
    const place = areaOf(attributeOf(attributes!, 'r') ?? '')
    if (!place) continue
    const { top: row, left: column } = place
    const look = looks[Number(attributeOf(attributes!, 's') ?? 0)] ?? usual
    const cell = { row, column, look, ...shown(attributeOf(attributes!, 't'), inner, look, shared) }
    cells.set(keyOf(row, column), cell)
    if (cell.text !== '' || look.fill || Object.keys(look.borders).length > 0)
      used = { top: 1, left: 1, bottom: Math.max(used.bottom, row), right: Math.max(used.right, column) }
  }
  const merges = [...xml.matchAll(/<mergeCell\s[^>]*?ref="([^"]+)"/g)].flatMap(
    ([, reference]) => areaOf(reference!) ?? [],
  )
  const formats = /<sheetFormatPr(?=[\s/>])([^>]*?)\/?>/.exec(xml)?.[1] ?? ''
  const digit = usual.size >= 12 ? 8 : 7
  const points = (characters: number): number => Math.trunc(characters * digit + 0.5) * 0.75
  const usualWidth = points(Number(attributeOf(formats, 'defaultColWidth') ?? 8.43 + 5 / digit))
  const columns = [...xml.matchAll(/<col(?=\s)([^>]*?)\/>/g)].map(([, attributes]) => ({
    from: Number(attributeOf(attributes!, 'min')),
    to: Number(attributeOf(attributes!, 'max')),
    width: attributeOf(attributes!, 'hidden') === '1' ? 0 : points(Number(attributeOf(attributes!, 'width') ?? 8.43)),
  }))
  const usualHeight = Number(attributeOf(formats, 'defaultRowHeight') ?? 15)
  const rows = new Map<number, { height: number | undefined; isHidden: boolean }>()
  for (const [, attributes] of xml.matchAll(/<row(?=[\s/>])([^>]*?)\/?>/g)) {
    const height = attributeOf(attributes!, 'ht')
    rows.set(Number(attributeOf(attributes!, 'r')), {
      height: height === undefined ? undefined : Number(height),
      isHidden: attributeOf(attributes!, 'hidden') === '1',
    })
  }
  const printed = nameOf(parts, at, '_xlnm.Print_Area')?.split(',')[0]
  const titles = /\$(\d+):\$(\d+)/.exec(nameOf(parts, at, '_xlnm.Print_Titles') ?? '')
  return {
    ...{ name, cells, merges },
    area: (printed && areaOf(printed)) || used,
    titles: titles ? { top: Number(titles[1]), bottom: Number(titles[2]) } : undefined,
    widthOf: (column) => columns.find(({ from, to }) => from <= column && column <= to)?.width ?? usualWidth,
    heightOf: (row) => (rows.get(row)?.isHidden ? 0 : (rows.get(row)?.height ?? usualHeight)),
    isFree: (row) => rows.get(row)?.height === undefined && rows.get(row)?.isHidden !== true,
    page: pageOf(xml),
  }
}
