import { unescapeXml } from '../../../kernel/xml-text.ts'
import { limits, type Mark } from './limits.ts'
import { putCell, type RawBook, type RawRow, type RawSheet, refuseRows, type Span, sheetOf } from './raw-rows.ts'
import type { Format } from './table.ts'
import { attribute, refuseDeclarations, type Token, tokens } from './xml.ts'

/*
 * Tables that are written as markup: web pages saved as .xls, as many systems export them, the XML of Excel 2003, and
 * OpenDocument. All three name sheets, rows and cells; what differs is how they name them.
 */

/** What is gathered of one sheet. */
class Gathered {
  readonly rows: RawRow[] = []
  readonly spans: Span[] = []
  readonly hiddenColumns = new Set<number>()
  readonly filters: Span[] = []
  name: string
  hidden = false
  no = 0
  column = 0
  row: RawRow | undefined
  /** Cells that reach down from rows above, by column: the last row that they cover. */
  private covered = new Map<number, number>()

  constructor(name: string) {
    this.name = name
  }

  beginRow(hidden: boolean, skip = 0): void {
    this.no += 1 + skip
    this.column = 0
    this.row = { no: this.no, cells: [], ...(hidden ? { hidden: true } : {}) }
  }

  endRow(times = 1): void {
    const { row } = this
    this.row = undefined
    if (!row || row.cells.length === 0) {
      this.no += times - 1
      return
    }
    for (let more = 0; more < times; more += 1) {
      this.rows.push(more === 0 ? row : { ...row, no: row.no + more, cells: [...row.cells] })
      refuseRows(this.rows.length)
    }
    this.no += times - 1
  }

  /** Puts a cell at the next free place, with how far it reaches. */
  cell(text: string, across: number, down: number, times = 1, mark?: Mark, isFormula = false): void {
    const { row } = this
    if (!row) return
    while ((this.covered.get(this.column) ?? 0) >= row.no) this.column += 1
    const empty = text.trim() === '' && !mark
    for (let more = 0; more < (empty ? 0 : times); more += 1) putCell(row, this.column + more, text, mark)
    if (isFormula && !mark && !empty) row.formulas = (row.formulas ?? 0) + 1
    if (across > 1 || down > 1) {
      const right = this.column + Math.min(across, limits.columns) - 1
      this.spans.push({ top: row.no, left: this.column, bottom: row.no + down - 1, right })
      if (down > 1) for (let at = this.column; at <= right; at += 1) this.covered.set(at, row.no + down - 1)
    }
    this.column += Math.max(1, across) * times
  }

  sheet(): RawSheet {
    return sheetOf(this.name, this.hidden, this.rows, this)
  }
}

const numberIn = (tag: string, name: string, most = 1_048_576): number => {
  const value = Number(attribute(tag, name) ?? 1)
  return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : 1
}

const bookOf = (format: Format, sheets: readonly Gathered[]): RawBook => ({
  format,
  sheets: sheets.map((each) => each.sheet()),
})

const unshown = /display\s*:\s*none/i

/** The tables of a web page, each as a sheet; a table in the cell of another is one of its own. */
export async function openHtml(text: string): Promise<RawBook> {
  const sheets: Gathered[] = []
  const open: { table: Gathered; cell?: { text: string; across: number; down: number } }[] = []
  let passed: string | undefined
  const endCell = (): void => {
    const last = open.at(-1)
    if (!last?.cell) return
    last.table.cell(last.cell.text, last.cell.across, last.cell.down)
    delete last.cell
  }
  for await (const token of tokens([text]) as AsyncIterable<Token>) {
    if (passed) {
      if (token.kind === 'close' && token.name === passed) passed = undefined
      continue
    }
    const top = open.at(-1)
    if (token.kind === 'text') {
      // Line ends of the source are blanks on the page; the page's own are tags.
      if (top?.cell) top.cell.text += unescapeXml(token.text).replace(/[\r\n\t]+\s*/g, ' ')
      continue
    }
    if (token.kind === 'open')
      switch (token.name) {
        case 'script':
        case 'style':
        case 'head':
          if (!token.empty) passed = token.name
          break
        case 'table':
          sheets.push(new Gathered(`表格${sheets.length + 1}`))
          open.push({ table: sheets.at(-1)! })
          break
        case 'tr':
          endCell()
          top?.table.endRow()
          top?.table.beginRow(unshown.test(token.tag))
          break
        case 'td':
        case 'th':
          endCell()
          if (top && !top.table.row) top.table.beginRow(false)
          if (top)
            top.cell = { text: '', across: numberIn(token.tag, 'colspan', 1_000), down: numberIn(token.tag, 'rowspan') }
          break
        case 'br':
        case 'p':
        case 'div':
          if (top?.cell && top.cell.text.trim() !== '') top.cell.text += '\n'
          break
      }
    else if (token.name === 'td' || token.name === 'th') endCell()
    else if (token.name === 'tr') {
      endCell()
      top?.table.endRow()
    } else if (token.name === 'table') {
      endCell()
      top?.table.endRow()
      open.pop()
    }
  }
  for (const { table } of open) table.endRow()
  return bookOf('html', sheets)
}

/** A day of a text such as 2015-03-05T00:00:00.000; the time stays where it is not midnight. */
const dayText = (text: string): string => text.replace(/T00:00:00(\.0+)?Z?$/, '').replace('T', ' ')

/** The XML of Excel 2003. */
export async function openXmlBook(text: string): Promise<RawBook> {
  refuseDeclarations(text)
  const sheets: Gathered[] = []
  let cell: { across: number; down: number; type: string; text: string; isFormula: boolean } | undefined
  let inData = false
  let column = 0
  for await (const token of tokens([text]) as AsyncIterable<Token>) {
    const sheet = sheets.at(-1)
    if (token.kind === 'text') {
      if (cell && inData) cell.text += unescapeXml(token.text)
    } else if (token.kind === 'open') {
      const { tag } = token
      if (token.name === 'worksheet') {
        sheets.push(new Gathered(attribute(tag, 'Name') ?? ''))
        column = 0
      } else if (!sheet) continue
      else if (token.name === 'column') {
        column = attribute(tag, 'Index') ? numberIn(tag, 'Index') - 1 : column
        const span = Math.min(Number(attribute(tag, 'Span') ?? 0) || 0, 500)
        if (attribute(tag, 'Hidden') === '1')
          for (let at = column; at <= column + span; at += 1) sheet.hiddenColumns.add(at)
        column += span + 1
      } else if (token.name === 'row') {
        const index = attribute(tag, 'Index') ? numberIn(tag, 'Index') : sheet.no + 1
        sheet.beginRow(attribute(tag, 'Hidden') === '1', Math.max(0, index - sheet.no - 1))
        if (token.empty) sheet.endRow()
      } else if (token.name === 'cell') {
        if (attribute(tag, 'Index')) sheet.column = numberIn(tag, 'Index') - 1
        const reach = (name: string): number => 1 + (Math.min(Number(attribute(tag, name) ?? 0), 100_000) || 0)
        cell = {
          across: reach('MergeAcross'),
          down: reach('MergeDown'),
          type: '',
          text: '',
          isFormula: /[\s:]Formula\s*=/.test(tag),
        }
        if (token.empty) endCell(sheet)
      } else if (token.name === 'data' && cell) {
        cell.type = attribute(tag, 'Type') ?? ''
        inData = !token.empty
      } else if (token.name === 'visible') sheet.hidden = false
    } else if (token.name === 'data') inData = false
    else if (token.name === 'cell' && sheet) endCell(sheet)
    else if (token.name === 'row') sheet?.endRow()
  }
  function endCell(sheet: Gathered): void {
    if (!cell) return
    const { type, across, down, isFormula } = cell
    const lost = isFormula && cell.text === '' && type !== 'String'
    const shown = type === 'DateTime' ? dayText(cell.text) : type === 'Number' ? exact(cell.text) : { text: cell.text }
    const value = typeof shown === 'string' ? { text: shown } : shown
    const mark = lost ? 'formula' : type === 'Error' ? 'error' : value.mark
    sheet.cell(value.text, across, down, 1, mark, isFormula)
    cell = undefined
  }
  return bookOf('xml', sheets)
}

/** A number of a text that names it to its last digit; Excel has lost what is behind the fifteenth. */
function exact(text: string): { text: string; mark?: Mark } {
  const value = Number(text)
  if (!Number.isFinite(value) || text === '') return { text }
  if (Math.abs(value) >= 1e15) return { text: BigInt(Math.round(value)).toString(), mark: 'rounded' }
  return { text: /e/i.test(text) ? String(value) : text }
}

/** An OpenDocument spreadsheet: its `content.xml`. */
export async function openDocument(chunks: AsyncIterable<string> | Iterable<string>): Promise<RawBook> {
  const sheets: Gathered[] = []
  let cell:
    | {
        across: number
        down: number
        times: number
        text: string
        value?: string
        number?: string
        mark?: Mark
        isFormula: boolean
      }
    | undefined
  let depth = 0
  let times = 1
  let passed: string | undefined
  let column = 0
  let hiddenStyles = new Set<string>()
  let style = ''
  const filters: { sheet: string; span: Span }[] = []
  const endCell = (sheet: Gathered): void => {
    if (!cell) return
    const text = cell.number !== undefined && !/^0\d+$|%$/.test(cell.text) ? cell.number : (cell.value ?? cell.text)
    const lost = cell.isFormula && text === ''
    sheet.cell(text, cell.across, cell.down, cell.times, lost ? 'formula' : cell.mark, cell.isFormula)
    cell = undefined
  }
  let begun = false
  const checked = async function* (): AsyncGenerator<string> {
    for await (const chunk of chunks) {
      if (!begun) refuseDeclarations(chunk)
      begun = true
      yield chunk
    }
  }
  for await (const token of tokens(checked()) as AsyncIterable<Token>) {
    if (passed) {
      if (token.kind === 'close' && token.name === passed) passed = undefined
      continue
    }
    const sheet = depth > 0 ? sheets.at(-1) : undefined
    if (token.kind === 'text') {
      if (cell) cell.text += unescapeXml(token.text)
      continue
    }
    if (token.kind === 'open') {
      const { tag, name } = token
      if (
        (name === 'annotation' || name === 'tracked-changes' || name === 'forms' || name === 'shapes') &&
        !token.empty
      )
        passed = name
      else if (name === 'style' && !token.empty) style = attribute(tag, 'name') ?? ''
      else if (name === 'table-properties' && attribute(tag, 'display') === 'false')
        hiddenStyles = new Set([...hiddenStyles, style])
      else if (name === 'database-range' && attribute(tag, 'display-filter-buttons') === 'true') {
        const found = /^(.*)\.\$?([A-Z]{1,3})\$?(\d+):.*?\$?([A-Z]{1,3})\$?(\d+)$/.exec(
          attribute(tag, 'target-range-address') ?? '',
        )
        if (found)
          filters.push({
            sheet: found[1]!.replace(/^'(.*)'$/, '$1'),
            span: { top: Number(found[3]), left: 0, bottom: Number(found[5]), right: limits.columns },
          })
      } else if (name === 'table' && !token.empty) {
        depth += 1
        if (depth > 1) continue
        const made = new Gathered(attribute(tag, 'name') ?? '')
        made.hidden = hiddenStyles.has(attribute(tag, 'style-name') ?? '')
        sheets.push(made)
        column = 0
      } else if (!sheet) continue
      else if (name === 'table-column') {
        const count = numberIn(tag, 'number-columns-repeated')
        if (/collapse|filter/.test(attribute(tag, 'visibility') ?? ''))
          for (let at = column; at < column + Math.min(count, 500); at += 1) sheet.hiddenColumns.add(at)
        column += count
      } else if (name === 'table-row') {
        times = numberIn(tag, 'number-rows-repeated')
        const visibility = attribute(tag, 'visibility') ?? ''
        sheet.beginRow(visibility === 'collapse' || visibility === 'filter')
        if (visibility === 'filter')
          sheet.filters.push({ top: sheet.no, left: 0, bottom: sheet.no + times - 1, right: limits.columns })
        if (token.empty) sheet.endRow(times)
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        const type = attribute(tag, 'value-type')
        const value = attribute(tag, 'value')
        const formula = attribute(tag, 'formula')
        const number = value !== undefined && type === 'float' ? exact(value) : undefined
        cell = {
          across: 1,
          down: 1,
          times: numberIn(tag, 'number-columns-repeated'),
          text: '',
          isFormula: formula !== undefined,
          ...(type === 'date' ? { value: dayText(attribute(tag, 'date-value') ?? '') } : {}),
          ...(number ? { number: number.text } : {}),
          ...(number?.mark ? { mark: number.mark } : {}),
        }
        if (name === 'table-cell') {
          const [across, down] = [numberIn(tag, 'number-columns-spanned', 500), numberIn(tag, 'number-rows-spanned')]
          if (across > 1 || down > 1)
            sheet.spans.push({
              top: sheet.no,
              left: sheet.column,
              bottom: sheet.no + down - 1,
              right: sheet.column + across - 1,
            })
        } else {
          delete cell.value
          delete cell.number
        }
        if (token.empty) endCell(sheet)
      } else if (cell && (name === 'p' || name === 'line-break')) {
        if (cell.text !== '') cell.text += '\n'
      } else if (cell && name === 's') cell.text += ' '.repeat(numberIn(tag, 'c', 100))
      else if (cell && name === 'tab') cell.text += ' '
    } else if (!sheet) continue
    else if (token.name === 'table-cell' || token.name === 'covered-table-cell') {
      if (cell?.isFormula && /^(#N\/A|#REF!|#VALUE!|#NAME\?|#DIV\/0!|#NUM!|#NULL!|Err:\d+)$/.test(cell.text))
        cell.mark = 'error'
      endCell(sheet)
    } else if (token.name === 'table-row') {
      if (sheet.row) sheet.endRow(times)
    } else if (token.name === 'table') depth -= 1
  }
  for (const { sheet, span } of filters) sheets.find((each) => each.name === sheet)?.filters.push(span)
  return bookOf('ods', sheets)
}
