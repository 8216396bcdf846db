import { strToU8 } from 'fflate'
import { unescapeXml } from '../../kernel/xml-text.ts'
import {
  attributeOf,
  type FormSheet,
  type Parts,
  relationPattern,
  relationsOf,
  relationsPart,
  textOf,
} from './package.ts'

/* Copies of a sheet in the package of its workbook: each with parts, names and formulas of its own. */

// What a file of XML may not hold is left out.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones.
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
export const escaped = (text: string): string =>
  text
    .replace(unwritable, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

export const write = (parts: Parts, name: string, text: string): void => {
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

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** A formula, as it stands in a part, that speaks of one sheet, made to speak of its copy. */
function movedTo(formula: string, from: string, to: string): string {
  const plain = `(?<![\\p{L}\\p{N}_.'\\]])${literal(from)}`
  const names = new RegExp(`(?:${literal(quoted(from))}|${plain})!`, 'gu')
  return escaped(unescapeXml(formula).replace(names, () => `${quoted(to)}!`))
}

/** The formulas of a sheet and of its formats and checks that name the sheet itself, made to name its copy. */
const ofCopy = (xml: string, from: string, to: string): string =>
  xml.replace(
    /(<(f|formula|formula1|formula2)(?:\s[^>]*)?>)([^<]*!)([^<]*<\/\2>)/g,
    (_, head: string, _tag, before: string, after: string) => {
      const end = after.indexOf('<')
      return head + movedTo(before + after.slice(0, end), from, to) + after.slice(end)
    },
  )

/** A further copy of a sheet behind all others, with its print area and titles. */
export function addCopy(parts: Parts, sheet: FormSheet, xml: string, number: number): void {
  const part = freeName(parts, sheet.part)
  write(parts, part, '')
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
  write(parts, part, ofCopy(xml.replace(/\stabSelected\s*=\s*"[^"]*"/g, ''), sheet.name, name))
  const sheetId = Math.max(...sheets.map((attributes) => Number(attributeOf(attributes, 'sheetId') ?? 0))) + 1
  const own = sheets.findIndex((attributes) => attributeOf(attributes, 'r:id') === sheet.relation)
  const names = [...book.matchAll(/<definedName\b([^>]*)>([\s\S]*?)<\/definedName>/g)]
    .filter(([, attributes]) => attributeOf(attributes!, 'localSheetId') === String(own))
    .map(([, attributes, text]) => {
      const there = attributes!.replace(/localSheetId\s*=\s*"\d+"/, `localSheetId="${sheets.length}"`)
      return `<definedName${there}>${movedTo(text!, sheet.name, name)}</definedName>`
    })
  // Not every program binds the prefix of relations above its sheets.
  const prefix = `xmlns:r="${whole.replace(/\/worksheet$/, '')}"`
  const line = `<sheet ${prefix} name="${escaped(name)}" sheetId="${sheetId}" r:id="${id}"/>`
  write(
    parts,
    'xl/workbook.xml',
    book
      .replace('</sheets>', () => `${line}</sheets>`)
      .replace('</definedNames>', () => `${names.join('')}</definedNames>`),
  )
}

/** Lets everything be counted anew when the file is opened. */
export function recount(parts: Parts): void {
  const book = textOf(parts, 'xl/workbook.xml')
  const calc = /<calcPr\b([^>]*?)\/>/.exec(book)
  if (calc) {
    const kept = calc[1]!.replace(/\sfullCalcOnLoad\s*=\s*"[^"]*"/, '')
    write(parts, 'xl/workbook.xml', book.replace(calc[0], `<calcPr${kept} fullCalcOnLoad="1"/>`))
  } else if (book.includes('</definedNames>'))
    write(parts, 'xl/workbook.xml', book.replace('</definedNames>', '</definedNames><calcPr fullCalcOnLoad="1"/>'))
  else write(parts, 'xl/workbook.xml', book.replace('</sheets>', '</sheets><calcPr fullCalcOnLoad="1"/>'))
}
