import { unguard } from '../../kernel/formula.ts'
import { FileFault, limits, type Mark } from './limits.ts'
import { openPackage, type Package, type Part, textOf, wholeText } from './package.ts'
import type { SheetRow } from './read/table.ts'

/*
 * Reads the rows of the first sheet of an xlsx package as a stream. Of the format only what carries values is read:
 * nothing is computed, no reference is followed, no entity beyond the five of XML is known.
 */

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The text that stands between tags. */
export function plain(xml: string): string {
  const text = xml.includes('<![CDATA[')
    ? xml.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_all, raw: string) => raw.replace(/&/g, '&amp;'))
    : xml
  const decoded = text.includes('&')
    ? text.replace(
        /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(\w{2,4}));/g,
        (whole, hex: string, number: string, name: string) => {
          if (name) return entities[name] ?? whole
          const point = hex ? Number.parseInt(hex, 16) : Number(number)
          return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
            ? String.fromCodePoint(point)
            : ''
        },
      )
    : text
  return decoded.includes('_x')
    ? decoded.replace(/_x([0-9A-Fa-f]{4})_/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : decoded
}

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`(?:^|\\s)(?:\\w+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)
  return found ? plain(found[1] ?? found[2] ?? '') : undefined
}

/** All tags of a name with their attributes, in a small part. */
function* tags(xml: string, name: string): Generator<string> {
  for (const match of xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])([^>]*)>`, 'g'))) yield match[1] ?? ''
}

/** The pieces `<name …>…</name>` of a stream, one after the other; what stands between them is dropped. */
async function* pieces(part: Part, name: string): AsyncGenerator<{ tag: string; body: string }> {
  let text = ''
  let at = 0
  let begun = false
  let open = `<${name}`
  let close = `</${name}>`
  for await (const chunk of textOf(part)) {
    text = at > 0 ? text.slice(at) + chunk : text + chunk
    at = 0
    if (!begun && text.length > 200) {
      begun = true
      if (/<!(DOCTYPE|ENTITY)/i.test(text.slice(0, 2_000)))
        throw new FileFault('文件含有不允许的 XML 声明', 'The file holds an XML declaration that is not allowed')
      // Some writers give every tag a prefix.
      const prefix = /<(\w+):(?:worksheet|sst)[\s>]/.exec(text.slice(0, 2_000))?.[1]
      if (prefix) {
        open = `<${prefix}:${name}`
        close = `</${prefix}:${name}>`
      }
    }
    for (;;) {
      let start = text.indexOf(open, at)
      while (start >= 0 && !' />\t\r\n'.includes(text[start + open.length] ?? ' '))
        start = text.indexOf(open, start + open.length)
      if (start < 0) {
        at = Math.max(at, text.length - open.length - 1)
        break
      }
      const head = text.indexOf('>', start)
      if (head < 0) {
        at = start
        break
      }
      const tag = text.slice(start + open.length, head)
      if (tag.endsWith('/')) {
        yield { tag, body: '' }
        at = head + 1
        continue
      }
      const end = text.indexOf(close, head)
      if (end < 0) {
        at = start
        break
      }
      yield { tag, body: text.slice(head + 1, end) }
      at = end + close.length
    }
    if (text.length - at > 8 * 1_048_576) throw new FileFault('文件中有一行过长', 'A row of the file is too long')
  }
}

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
    text += plain(spoken.slice(head + 1, end))
    at = end + 2
  }
}

async function sharedStrings(part: Part | undefined): Promise<string[]> {
  const strings: string[] = []
  // A piece of a long text would keep all of it in memory; going through bytes cuts it loose.
  if (part)
    for await (const { body } of pieces(part, 'si'))
      strings.push(Buffer.from(stringItem(body).slice(0, limits.cell)).toString())
  return strings
}

/** Which cell formats show a day: by number for those that every Excel knows, by their signs for the others. */
async function dayFormats(part: Part | undefined): Promise<Set<number>> {
  const xml = await wholeText(part)
  const own = new Map<number, string>()
  for (const tag of tags(xml, 'numFmt')) own.set(Number(attribute(tag, 'numFmtId')), attribute(tag, 'formatCode') ?? '')
  const days = new Set<number>()
  const cells = /<(?:\w+:)?cellXfs[\s>][\s\S]*?<\/(?:\w+:)?cellXfs>/.exec(xml)?.[0] ?? ''
  let index = 0
  for (const tag of tags(cells, 'xf')) {
    const id = Number(attribute(tag, 'numFmtId') ?? 0)
    const code = own.get(id)
    const signs = code?.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '') ?? ''
    if (
      code !== undefined
        ? /[ymd]/i.test(signs) && !/general/i.test(signs)
        : (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
    )
      days.add(index)
    index += 1
  }
  return days
}

/** A day from Excel's count; the part behind the point is the time. */
export function dayOfSerial(serial: number, from1904 = false): string | undefined {
  const days = Math.floor(serial) + (from1904 ? 1_462 : 0)
  if (!(days >= 61 && days < 110_000)) return undefined
  return new Date(Date.UTC(1899, 11, 30) + days * 86_400_000).toISOString().slice(0, 10)
}

/** A number as a person would have typed it, without the tail that binary fractions leave. */
function numberText(raw: string): { text: string; mark?: Mark } {
  const value = Number(raw)
  if (raw === '' || !Number.isFinite(value)) return { text: plain(raw) }
  // Excel keeps 15 digits: what is longer has lost its end.
  if (Math.abs(value) >= 1e15) return { text: BigInt(Math.round(value)).toString(), mark: 'rounded' }
  if (/^-?[0-9]{1,15}$/.test(raw)) return { text: raw }
  const short = Number(value.toPrecision(15))
  return { text: /e/i.test(String(short)) ? short.toFixed(10).replace(/0+$/, '') : String(short) }
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

interface Sheet {
  readonly strings: readonly string[]
  readonly days: ReadonlySet<number>
  readonly from1904: boolean
}

function valueIn(body: string, tag: string, sheet: Sheet): { text: string; mark?: Mark } {
  if (body.includes('<f') || /<\w+:f[\s/>]/.test(body)) return { text: '', mark: 'formula' }
  const type = /\st="(\w+)"/.exec(tag)?.[1] ?? 'n'
  if (type === 'inlineStr') return { text: stringItem(body) }
  const start = body.indexOf('v>')
  const end = start < 0 ? -1 : body.indexOf('</', start)
  const raw = end >= 0 ? body.slice(start + 2, end) : (/<(?:\w+:)?v\s[^>]*>([^<]*)/.exec(body)?.[1] ?? '')
  if (raw === '') return { text: '' }
  switch (type) {
    case 's':
      return { text: sheet.strings[Number(raw)] ?? '' }
    case 'b':
      return { text: raw === '1' ? 'TRUE' : 'FALSE' }
    case 'e':
      return { text: plain(raw), mark: 'error' }
    case 'n': {
      const style = /\ss="([0-9]+)"/.exec(tag)?.[1]
      const day =
        style !== undefined && sheet.days.has(Number(style)) ? dayOfSerial(Number(raw), sheet.from1904) : undefined
      return day ? { text: day } : numberText(raw)
    }
    default:
      return { text: plain(raw) }
  }
}

function readRow(body: string, no: number, sheet: Sheet): SheetRow | undefined {
  const cells: string[] = []
  const marks: Record<number, Mark> = {}
  let marked = false
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
    const tag = body.slice(sign + 1, head)
    const reference = /\sr="([A-Z]{1,3})/.exec(tag)?.[1]
    const column = reference ? columnOf(reference) : next
    next = column + 1
    at = head + 1
    if (tag.endsWith('/')) continue
    const prefix = before === ':' ? body.slice(body.lastIndexOf('<', sign) + 1, sign) : ''
    const end = body.indexOf(`</${prefix}c>`, head)
    if (end < 0) throw new FileFault(`第${no}行无法读取`, `Row ${no} cannot be read`)
    const { text, mark } = valueIn(body.slice(head + 1, end), tag, sheet)
    at = end + 4 + prefix.length
    if (text === '' && !mark) continue
    if (column >= limits.columns)
      throw new FileFault(`第${no}行超过${limits.columns}列`, `Row ${no} has more than ${limits.columns} columns`)
    while (cells.length < column) cells.push('')
    cells[column] = unguard(text.length > limits.cell ? text.slice(0, limits.cell) : text)
    if (mark) {
      marks[column] = mark
      marked = true
    }
  }
  return cells.length > 0 ? { no, cells, ...(marked ? { marks } : {}) } : undefined
}

/** The first sheet that is shown. */
async function firstSheet(file: Package): Promise<{ part: Part; from1904: boolean }> {
  const book = await wholeText(file.parts.get('xl/workbook.xml'))
  const links = await wholeText(file.parts.get('xl/_rels/workbook.xml.rels'))
  const targets = new Map<string, string>()
  for (const tag of tags(links, 'Relationship')) targets.set(attribute(tag, 'Id') ?? '', attribute(tag, 'Target') ?? '')
  for (const tag of tags(book, 'sheet')) {
    if ((attribute(tag, 'state') ?? 'visible') !== 'visible') continue
    // `id` and `sheetId` are two attributes; the one with a prefix names the part.
    const id = /\s\w+:id\s*=\s*["']([^"']*)["']/.exec(` ${tag}`)?.[1] ?? ''
    const target = targets.get(id) ?? ''
    const part = file.parts.get(target.startsWith('/') ? target.slice(1) : `xl/${target}`)
    if (part) return { part, from1904: /date1904\s*=\s*["'](1|true)["']/.test(book) }
  }
  throw new FileFault(
    '文件中没有可见的工作表,请另存为 xlsx 后重试',
    'The file holds no visible sheet: save it as xlsx and try again',
  )
}

/** The rows of the first visible sheet that hold anything, in the order of the file. */
export async function* xlsxRows(path: string): AsyncGenerator<SheetRow> {
  const file = await openPackage(path)
  try {
    const { part, from1904 } = await firstSheet(file)
    const sheet: Sheet = {
      strings: await sharedStrings(file.parts.get('xl/sharedStrings.xml')),
      days: await dayFormats(file.parts.get('xl/styles.xml')),
      from1904,
    }
    let no = 0
    for await (const { tag, body } of pieces(part, 'row')) {
      const given = /\sr="([0-9]{1,7})"/.exec(tag)?.[1]
      no = given ? Number(given) : no + 1
      const row = body === '' ? undefined : readRow(body, no, sheet)
      if (row) yield row
    }
  } finally {
    file.close()
  }
}
