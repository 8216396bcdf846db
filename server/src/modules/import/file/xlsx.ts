import { unescapeXml } from '../../../kernel/xml-text.ts'
import { FileFault, type Mark } from './limits.ts'
import { openPackage, type Package, type Part, wholeText } from './package.ts'
import {
  firstRows,
  lookOf,
  type NumberFormat,
  numberText,
  type Outline,
  putCell,
  type RawBook,
  type RawRow,
  type RawSheet,
  refuseRows,
  type Span,
} from './raw-rows.ts'
import { attribute, pieces, tags } from './xml.ts'

/*
 * Reads the sheets of an xlsx package as streams. Of the format only what carries values is read: nothing is computed (a
 * formula stands for the result that is kept with it), no reference is followed.
 */

const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

/** The text of a string item: its runs, without the phonetic guides. */
function stringItem(body: string): string {
  const spoken = body.includes('rPh') ? body.replace(/<(\w+:)?rPh[\s>][\s\S]*?<\/(\w+:)?rPh>/g, '') : body
  let text = ''
  let at = 0
  for (;;) {
    const start = spoken.indexOf('t', at)
    if (start < 0) return text
    const before = spoken[start - 1]
    const after = spoken[start + 1]
    if ((before !== '<' && before !== ':') || (after !== '>' && after !== ' ')) {
      at = start + 1
      continue
    }
    const head = spoken.indexOf('>', start)
    if (head < 0) return text
    if (spoken[head - 1] === '/') {
      at = head + 1
      continue
    }
    const end = spoken.indexOf('</', head)
    if (end < 0) return text
    text += unescaped(unescapeXml(spoken.slice(head + 1, end)))
    at = end + 2
  }
}

async function sharedStrings(part: Part | undefined): Promise<string[]> {
  const strings: string[] = []
  // A piece of a long text would keep all of it in memory; going through bytes cuts it loose.
  if (part)
    for await (const { body } of pieces(part, 'si'))
      strings.push(Buffer.from(stringItem(body).slice(0, 8_000)).toString())
  return strings
}

/** The formats that every Excel knows by number and that change what a number says. */
function knownLook(id: number): NumberFormat | undefined {
  if ((id >= 14 && id <= 22 && !(id >= 18 && id <= 21)) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58))
    return 'day'
  return id === 9 || id === 10 ? 'percent' : undefined
}

/** How the cell formats show numbers. */
async function cellLooks(part: Part | undefined): Promise<Map<number, NumberFormat>> {
  const xml = await wholeText(part)
  const own = new Map<number, string>()
  for (const tag of tags(xml, 'numFmt')) own.set(Number(attribute(tag, 'numFmtId')), attribute(tag, 'formatCode') ?? '')
  const looks = new Map<number, NumberFormat>()
  const cells = /<(?:\w+:)?cellXfs[\s>][\s\S]*?<\/(?:\w+:)?cellXfs>/.exec(xml)?.[0] ?? ''
  let index = 0
  for (const tag of tags(cells, 'xf')) {
    const id = Number(attribute(tag, 'numFmtId') ?? 0)
    const code = own.get(id)
    const look = code === undefined ? knownLook(id) : lookOf(code)
    if (look) looks.set(index, look)
    index += 1
  }
  return looks
}

/** The place of a column from its letters: A is 0. */
function columnOf(reference: string): number {
  let column = 0
  for (let at = 0; at < reference.length; at += 1) {
    const sign = reference.charCodeAt(at)
    if (sign < 65 || sign > 90) break
    column = column * 26 + sign - 64
  }
  return column - 1
}

/** A range such as B2:D9. */
function spanOf(reference: string | undefined): Span | undefined {
  const found = /^\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?$/.exec(reference ?? '')
  if (!found) return undefined
  const [, left = '', top = '', right = left, bottom = top] = found
  return { top: Number(top), left: columnOf(left), bottom: Number(bottom), right: columnOf(right) }
}

/** What the cells of a workbook refer to. */
interface Basis {
  readonly strings: readonly string[]
  readonly looks: ReadonlyMap<number, NumberFormat>
  readonly from1904: boolean
}

const formulaLost: { text: string; mark?: Mark } = { text: '', mark: 'formula' }

function valueIn(body: string, tag: string, basis: Basis, isFormula: boolean): { text: string; mark?: Mark } {
  const type = /\st="(\w+)"/.exec(tag)?.[1] ?? 'n'
  if (type === 'inlineStr') return { text: stringItem(body) }
  const start = body.indexOf('v>')
  const end = start < 0 ? -1 : body.indexOf('</', start)
  const raw = end >= 0 ? body.slice(start + 2, end) : (/<(?:\w+:)?v\s[^>]*>([^<]*)/.exec(body)?.[1] ?? '')
  // A formula that was never computed says nothing; one whose result is an empty text says just that.
  if (raw === '') return isFormula && type !== 'str' ? formulaLost : { text: '' }
  switch (type) {
    case 's':
      return { text: basis.strings[Number(raw)] ?? '' }
    case 'b':
      return { text: raw === '1' ? 'TRUE' : 'FALSE' }
    case 'e':
      return { text: unescapeXml(raw), mark: 'error' }
    case 'n': {
      const style = /\ss="([0-9]+)"/.exec(tag)?.[1]
      const look = style === undefined ? undefined : basis.looks.get(Number(style))
      if (!look && /^-?[0-9]{1,15}$/.test(raw)) return { text: raw }
      const value = Number(raw)
      return Number.isFinite(value) ? numberText(value, look, basis.from1904) : { text: unescapeXml(raw) }
    }
    default:
      return { text: unescaped(unescapeXml(raw)) }
  }
}

function readRow(tag: string, body: string, no: number, basis: Basis): RawRow | undefined {
  const row: RawRow = { no, cells: [] }
  let at = 0
  let next = 0
  for (;;) {
    const sign = body.indexOf('c', at)
    if (sign < 0) break
    const before = body[sign - 1]
    const after = body[sign + 1]
    if ((before !== '<' && before !== ':') || (after !== ' ' && after !== '>' && after !== '/')) {
      at = sign + 1
      continue
    }
    const head = body.indexOf('>', sign)
    if (head < 0) break
    const cell = body.slice(sign + 1, head)
    const reference = /\sr="([A-Z]{1,3})/.exec(cell)?.[1]
    const column = reference ? columnOf(reference) : next
    next = column + 1
    at = head + 1
    if (cell.endsWith('/')) continue
    const prefix = before === ':' ? body.slice(body.lastIndexOf('<', sign) + 1, sign) : ''
    const end = body.indexOf(`</${prefix}c>`, head)
    if (end < 0) throw new FileFault(`第${no}行无法读取`, `Row ${no} cannot be read`)
    const inside = body.slice(head + 1, end)
    at = end + 4 + prefix.length
    const isFormula = inside.includes('<f') || (prefix !== '' && inside.includes(`<${prefix}f`))
    const { text, mark } = valueIn(inside, cell, basis, isFormula)
    if (text === '' && !mark) continue
    putCell(row, column, text, mark)
    if (isFormula && !mark) row.formulas = (row.formulas ?? 0) + 1
  }
  if (row.cells.length === 0) return undefined
  if (/\s(?:hidden="(?:1|true)"|ht="0")/.test(tag)) row.hidden = true
  return row
}

async function* rowsIn(part: Part, basis: Basis, rest?: (text: string) => void): AsyncGenerator<RawRow> {
  let no = 0
  for await (const { tag, body } of pieces(part, 'row', rest)) {
    const given = /\sr="([0-9]{1,7})"/.exec(tag)?.[1]
    no = given ? Number(given) : no + 1
    const row = body === '' ? undefined : readRow(tag, body, no, basis)
    if (row) yield row
  }
}

/** Looks over a sheet: its first rows, how many follow, and what stands around the rows. */
async function outlineOf(part: Part, basis: Basis, tables: readonly Part[]): Promise<Outline> {
  let around = ''
  let rows = 0
  let no = 0
  const first: RawRow[] = []
  for await (const { tag, body } of pieces(part, 'row', (text) => {
    if (text.length > 3) around += text
  })) {
    const given = /\sr="([0-9]{1,7})"/.exec(tag)?.[1]
    no = given ? Number(given) : no + 1
    if (body === '') continue
    if (first.length < firstRows) {
      const row = readRow(tag, body, no, basis)
      if (row) first.push(row)
      rows += row ? 1 : 0
    } else if (body.includes('v>') || body.includes('is>')) rows += 1
  }
  refuseRows(rows)
  const spans = [...tags(around, 'mergeCell')].flatMap((tag) => spanOf(attribute(tag, 'ref')) ?? [])
  const hiddenColumns = new Set<number>()
  for (const tag of tags(around, 'col')) {
    if (!/\s(?:hidden="(?:1|true)"|width="0(?:\.0*)?")/.test(` ${tag}`)) continue
    const [min, max] = [Number(attribute(tag, 'min')), Number(attribute(tag, 'max'))]
    for (let column = min; column <= Math.min(max, min + 500); column += 1) hiddenColumns.add(column - 1)
  }
  const filtered = [around, ...(await Promise.all(tables.map((table) => wholeText(table))))]
  const filters = filtered.flatMap((xml) =>
    [...tags(xml, 'autoFilter')].flatMap((tag) => spanOf(attribute(tag, 'ref')) ?? []),
  )
  return { rows, first, spans, hiddenColumns, filters }
}

/** What a part is linked to: targets by id, and by the last word of their type. */
async function linksOf(file: Package, of: string): Promise<{ byId: Map<string, Part>; ofType(type: string): Part[] }> {
  const folder = of.slice(0, of.lastIndexOf('/') + 1)
  const xml = await wholeText(file.parts.get(`${folder}_rels/${of.slice(folder.length)}.rels`))
  const byId = new Map<string, Part>()
  const types: [string, Part][] = []
  for (const tag of tags(xml, 'Relationship')) {
    const target = attribute(tag, 'Target') ?? ''
    const named = target.startsWith('/') ? target.slice(1) : new URL(target, `file:///${folder}`).pathname.slice(1)
    const part = file.parts.get(decodeURIComponent(named)) ?? file.parts.get(named)
    if (!part) continue
    byId.set(attribute(tag, 'Id') ?? '', part)
    types.push([(attribute(tag, 'Type') ?? '').split('/').at(-1) ?? '', part])
  }
  return { byId, ofType: (type) => types.flatMap(([each, part]) => (each === type ? part : [])) }
}

/** Opens an xlsx package: its sheets, whose rows are read when they are asked for. */
export async function openXlsx(path: string): Promise<RawBook> {
  const file = await openPackage(path)
  try {
    const main = [...file.parts.keys()].find((name) => /^xl\/workbook\d*\.xml$/i.test(name)) ?? 'xl/workbook.xml'
    const book = await wholeText(file.parts.get(main))
    const links = await linksOf(file, main)
    const basis: Basis = {
      strings: await sharedStrings(links.ofType('sharedStrings')[0] ?? file.parts.get('xl/sharedStrings.xml')),
      looks: await cellLooks(links.ofType('styles')[0] ?? file.parts.get('xl/styles.xml')),
      from1904: /date1904\s*=\s*["'](1|true)["']/.test(book),
    }
    const sheets: RawSheet[] = []
    for (const tag of tags(book, 'sheet')) {
      // `id` and `sheetId` are two attributes; the one with a prefix names the part.
      const part = links.byId.get(/\s\w+:id\s*=\s*["']([^"']*)["']/.exec(` ${tag}`)?.[1] ?? '')
      if (!part || !/worksheets?\/|sheet/i.test(part.name)) continue
      sheets.push({
        name: attribute(tag, 'name') ?? '',
        hidden: (attribute(tag, 'state') ?? 'visible') !== 'visible',
        outline: async () => outlineOf(part, basis, (await linksOf(file, part.name)).ofType('table')),
        rows: () => rowsIn(part, basis),
      })
    }
    return { format: 'xlsx', sheets, close: () => file.close() }
  } catch (error) {
    file.close()
    throw error
  }
}
