import * as sheetjs from '@e965/xlsx'
import excel from '@zurmokeeper/exceljs'

/* Writers that are not the product's: what the product reads in these files, others have written. */

export type Value =
  | string
  | number
  | boolean
  | Date
  | null
  | { formula: string; result?: string | number | Date }
  | { error: '#N/A' }
  | { richText: { text: string }[] }
export type Rows = readonly (readonly Value[])[]

export interface Page {
  readonly name?: string
  readonly rows: Rows
  readonly merges?: readonly string[]
  /** Of exceljs: whatever else is to be done to the sheet. */
  readonly shape?: (sheet: excel.Worksheet) => void
}

/** Pages as xlsx by exceljs. */
export async function xlsxOf(pages: readonly Page[], book = new excel.Workbook()): Promise<Buffer> {
  for (const [at, { name, rows, merges, shape }] of pages.entries()) {
    const sheet = book.addWorksheet(name ?? `Sheet${at + 1}`)
    for (const row of rows) sheet.addRow([...row])
    for (const range of merges ?? []) sheet.mergeCells(range)
    shape?.(sheet)
  }
  return Buffer.from(await book.xlsx.writeBuffer())
}

/** Pages in any format that SheetJS writes. */
export async function bookOf(type: sheetjs.BookType, pages: readonly Page[]): Promise<Buffer> {
  sheetjs.set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs' as string))
  const book = sheetjs.utils.book_new()
  for (const [at, { name, rows, merges }] of pages.entries()) {
    const sheet = sheetjs.utils.aoa_to_sheet(
      rows.map((row) =>
        row.map((cell) =>
          cell !== null && typeof cell === 'object' && 'formula' in cell
            ? { t: 'n', f: cell.formula, v: cell.result }
            : cell,
        ),
      ),
      { cellDates: false, dateNF: 'yyyy-mm-dd', UTC: true },
    )
    sheet['!merges'] = (merges ?? []).map((range) => sheetjs.utils.decode_range(range))
    sheetjs.utils.book_append_sheet(book, sheet, name ?? `Sheet${at + 1}`)
  }
  return Buffer.from(sheetjs.write(book, { type: 'buffer', bookType: type, codepage: 936 }) as Uint8Array)
}

/** A text in an encoding of its own: 936 is GBK, 950 Big5, 1200 UTF-16. */
export async function encoded(text: string, codepage: number): Promise<Buffer> {
  const { utils } = (await import('@e965/xlsx/dist/cpexcel.full.mjs' as string)) as {
    utils: { encode(page: number, text: string): Uint8Array }
  }
  return Buffer.from(utils.encode(codepage, text))
}

export const separated = (rows: Rows, sign = ','): string =>
  rows
    .map((row) =>
      row
        .map((cell) => String(cell ?? ''))
        .map((cell) => (/[",;\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(sign),
    )
    .join('\r\n')

/**
 * An .xls of Excel 95 as Chinese Windows wrote it. The writer knows no GBK there, so each sign is written as two plain
 * ones that nothing else has, and put in its place afterwards; the record of the code page likewise.
 */
export async function excel95(rows: Rows): Promise<Buffer> {
  const places = new Map<string, string>()
  const plain = (text: string): string =>
    text.replace(/[^\x20-\x7e]/g, (sign) => {
      if (!places.has(sign)) places.set(sign, `~${String.fromCharCode(33 + places.size)}`)
      return places.get(sign) ?? ''
    })
  const written = await bookOf('biff5', [
    { rows: rows.map((row) => row.map((cell) => (typeof cell === 'string' ? plain(cell) : cell))) },
  ])
  for (const [sign, place] of places) {
    const bytes = await encoded(sign, 936)
    if (bytes.length !== 2) throw new Error(`${sign} is not two bytes in GBK`)
    for (let at = written.indexOf(place); at >= 0; at = written.indexOf(place, at + 2)) bytes.copy(written, at)
  }
  for (let at = written.indexOf('42000200', 'hex'); at >= 0; at = written.indexOf('42000200', at + 4, 'hex'))
    written.writeUInt16LE(936, at + 4)
  return written
}
