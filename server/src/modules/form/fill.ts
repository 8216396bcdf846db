import { strToU8, zipSync } from 'fflate'
import { unescapeXml } from '../../kernel/xml-text.ts'
import { filledText, type Mark, type MarkValue } from './marks.ts'
import {
  attributeOf,
  cellPattern,
  type FormSheet,
  openForm,
  type Parts,
  relationPattern,
  relationsOf,
  relationsPart,
  sheetsOf,
  textOf,
} from './package.ts'

/*
 * A form filled: only cells that hold marks are written anew, as texts or numbers of their own; everything else of the package
 * goes over byte for byte. Formulas lose what they last came to, and are counted when the file is opened.
 */

/** The values of marks, by what is written in them. */
export type Values = Readonly<Record<string, MarkValue>>

/** What one copy of the marked sheet says: its single marks, and the rows of its list. */
export interface Page {
  readonly values: Values
  readonly rows: readonly Values[]
}

const position = (cell: string): { column: string; row: number } => {
  const [, column = '', row = '0'] = /^([A-Z]+)(\d+)$/.exec(cell) ?? []
  return { column, row: Number(row) }
}

/** The places of a list in a sheet: of each the cells to fill, by address, with the marked text that they take. */
export function placesOf(xml: string, sheet: FormSheet): Map<string, string>[] {
  const heads = new Map<number, { column: string; text: string }[]>()
  for (const { cell, text, marks } of sheet.cells) {
    if (!marks.some(({ list }) => list)) continue
    const { column, row } = position(cell)
    heads.set(row, [...(heads.get(row) ?? []), { column, text }])
  }
  const blank = new Set<string>()
  for (const [, attributes, inner = ''] of xml.matchAll(cellPattern))
    if (!/<(v|f|is)(?=[\s/>])/.test(inner)) blank.add(attributeOf(attributes!, 'r') ?? '')
  const places: Map<string, string>[] = []
  for (const [row, cells] of [...heads].sort(([one], [other]) => one - other)) {
    const at = (below: number): Map<string, string> =>
      new Map(cells.map(({ column, text }) => [`${column}${row + below}`, text]))
    places.push(at(0))
    for (let below = 1; !heads.has(row + below) && [...at(below).keys()].every((cell) => blank.has(cell)); below += 1)
      places.push(at(below))
  }
  return places
}

// What a file of XML may not hold is left out.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones.
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const escaped = (text: string): string =>
  text
    .replace(unwritable, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** A cell with another value, in the looks that it had. A text is one, whatever it begins with. */
function cellOf(attributes: string, value: MarkValue): string {
  const kept = attributes.replace(/\st\s*=\s*("[^"]*"|'[^']*')/, '').trimEnd()
  if (value === null || value === '') return `<c${kept}/>`
  if (typeof value === 'number' && Number.isFinite(value)) return `<c${kept}><v>${value}</v></c>`
  return `<c${kept} t="inlineStr"><is><t xml:space="preserve">${escaped(String(value).slice(0, 32_000))}</t></is></c>`
}

/** The sheet with its marks taken for the values of a page. */
function filledSheet(xml: string, sheet: FormSheet, page: Page, foot: string | undefined): string {
  const places = placesOf(xml, sheet)
  const single = new Map(sheet.cells.map(({ cell, text }) => [cell, text]))
  const inList = new Map(places.flatMap((cells, at) => [...cells].map(([cell, text]) => [cell, { text, at }] as const)))
  const value = ({ text, list }: Mark, row: Values | undefined): MarkValue =>
    (list ? row?.[text] : page.values[text]) ?? null
  const filled = xml.replace(cellPattern, (whole, attributes: string, inner = '') => {
    const cell = attributeOf(attributes, 'r') ?? ''
    const listed = inList.get(cell)
    if (listed) {
      const row = page.rows[listed.at]
      return cellOf(attributes, row ? filledText(listed.text, (mark) => value(mark, row)) : null)
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

const write = (parts: Parts, name: string, text: string): void => {
  parts[name] = strToU8(text)
}

/** A name of a part that is free: the number at its end counted up. */
function freeName(parts: Parts, like: string): string {
  for (let number = 1; ; number += 1) {
    const name = like.replace(/\d*(\.\w+)$/, `${number}$1`)
    if (!parts[name]) return name
  }
}

/** Declares the type of a part as that of another. */
function declare(parts: Parts, part: string, like: string): void {
  const types = textOf(parts, '[Content_Types].xml')
  const type = [...types.matchAll(/<Override\b([^>]*?)\/>/g)]
    .map(([, attributes]) => attributes!)
    .find((attributes) => attributeOf(attributes, 'PartName') === `/${like}`)
  if (type === undefined) return
  const line = `<Override PartName="/${part}" ContentType="${attributeOf(type, 'ContentType')}"/>`
  write(parts, '[Content_Types].xml', types.replace('</Types>', `${line}</Types>`))
}

/** A copy of a part’s relations, with the drawings among them copied too: each sheet has its own. */
function copyRelations(parts: Parts, part: string, copy: string): void {
  const text = textOf(parts, relationsPart(part))
  if (!text) return
  const known = relationsOf(parts, part)
  const rewritten = text.replace(relationPattern, (whole, attributes: string) => {
    const relation = known.find(({ id }) => id === attributeOf(attributes, 'Id'))
    if (relation?.type !== 'drawing') return whole
    const drawing = freeName(parts, relation.target)
    parts[drawing] = parts[relation.target]!
    const beside = parts[relationsPart(relation.target)]
    if (beside) parts[relationsPart(drawing)] = beside
    declare(parts, drawing, relation.target)
    return whole.replace(/Target\s*=\s*("[^"]*"|'[^']*')/, `Target="/${drawing}"`)
  })
  write(parts, relationsPart(copy), rewritten)
}

/** What a sheet is called in a formula. */
const quoted = (name: string): string => `'${name.replaceAll("'", "''")}'`

/** A further copy of a sheet behind all others, with its print area and titles. */
function addCopy(parts: Parts, sheet: FormSheet, xml: string, number: number): void {
  const part = freeName(parts, sheet.part)
  write(parts, part, xml.replace(/\stabSelected\s*=\s*"[^"]*"/g, ''))
  copyRelations(parts, sheet.part, part)
  declare(parts, part, sheet.part)
  const relations = relationsPart('xl/workbook.xml')
  const id = `rIdForm${number}`
  const type = relationsOf(parts, 'xl/workbook.xml').find((each) => each.id === sheet.relation)
  const whole = /Type\s*=\s*"([^"]*\/worksheet)"/.exec(textOf(parts, relations))?.[1]
  if (!type || !whole) return
  write(
    parts,
    relations,
    textOf(parts, relations).replace(
      '</Relationships>',
      `<Relationship Id="${id}" Type="${whole}" Target="/${part}"/></Relationships>`,
    ),
  )
  const book = textOf(parts, 'xl/workbook.xml')
  const sheets = [...book.matchAll(/<sheet\b([^>]*?)\/?>/g)].map(([, attributes]) => attributes!)
  const taken = sheets.map((attributes) => (attributeOf(attributes, 'name') ?? '').toLowerCase())
  let name = ''
  for (let at = number; name === '' || taken.includes(name.toLowerCase()); at += 1) {
    const end = ` (${at})`
    name = `${[...sheet.name].slice(0, 31 - end.length).join('')}${end}`
  }
  const sheetId = Math.max(...sheets.map((attributes) => Number(attributeOf(attributes, 'sheetId') ?? 0))) + 1
  const own = sheets.findIndex((attributes) => attributeOf(attributes, 'r:id') === sheet.relation)
  const names = [...book.matchAll(/<definedName\b([^>]*)>([\s\S]*?)<\/definedName>/g)]
    .filter(([, attributes]) => attributeOf(attributes!, 'localSheetId') === String(own))
    .map(([, attributes, text]) => {
      const there = attributes!.replace(/localSheetId\s*=\s*"\d+"/, `localSheetId="${sheets.length}"`)
      const to = `${quoted(name)}!`
      const moved = unescapeXml(text!)
        .replaceAll(`${quoted(sheet.name)}!`, to)
        .replaceAll(`${sheet.name}!`, to)
      return `<definedName${there}>${escaped(moved)}</definedName>`
    })
  write(
    parts,
    'xl/workbook.xml',
    book
      .replace('</sheets>', `<sheet name="${escaped(name)}" sheetId="${sheetId}" r:id="${id}"/></sheets>`)
      .replace('</definedNames>', `${names.join('')}</definedNames>`),
  )
}

/** Lets everything be counted anew when the file is opened. */
function recount(parts: Parts): void {
  const book = textOf(parts, 'xl/workbook.xml')
  const calc = /<calcPr\b([^>]*?)\/>/.exec(book)
  if (calc) {
    const kept = calc[1]!.replace(/\sfullCalcOnLoad\s*=\s*"[^"]*"/, '')
    write(parts, 'xl/workbook.xml', book.replace(calc[0], `<calcPr${kept} fullCalcOnLoad="1"/>`))
  } else if (book.includes('</definedNames>'))
    write(parts, 'xl/workbook.xml', book.replace('</definedNames>', '</definedNames><calcPr fullCalcOnLoad="1"/>'))
  else write(parts, 'xl/workbook.xml', book.replace('</sheets>', '</sheets><calcPr fullCalcOnLoad="1"/>'))
}

/** A form filled with pages: one copy of its marked sheet each. Other sheets are filled with the first. */
export function fillForm(bytes: Uint8Array, pages: readonly Page[], foot: string | undefined): Uint8Array {
  const parts = openForm(bytes)
  const before = sheetsOf(parts)
  const marked = before.filter(({ cells }) => cells.length > 0)
  const main = marked.find(({ cells }) => cells.some(({ marks }) => marks.some(({ list }) => list))) ?? marked[0]
  const blank = main ? textOf(parts, main.part) : ''
  for (const sheet of before)
    if (sheet.cells.length > 0 || textOf(parts, sheet.part).includes('<f'))
      write(parts, sheet.part, filledSheet(textOf(parts, sheet.part), sheet, pages[0]!, foot))
  if (main)
    for (const [index, page] of pages.entries())
      if (index > 0) addCopy(parts, main, filledSheet(blank, main, page, foot), index + 1)
  recount(parts)
  return zipSync(parts, { level: 6 })
}
