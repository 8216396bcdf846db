import { strFromU8, unzipSync } from 'fflate'
import { FileFault } from '../../kernel/file-fault.ts'
import { unescapeXml } from '../../kernel/xml-text.ts'
import { hasBraces, hasLooseBraces, type Mark, marksIn } from './marks.ts'

/*
 * The package of a workbook, read as far as marks stand in it. What a form may not hold is refused in words: programs, what
 * leads out of the file, and more than a form needs.
 */

export const formLimits = {
  bytes: 10 * 1_048_576,
  unpacked: 64 * 1_048_576,
  parts: 1_000,
  sheets: 50,
  cells: 200_000,
  marks: 2_000,
} as const

export type Parts = Record<string, Uint8Array>

export interface Relation {
  readonly id: string
  readonly type: string
  readonly target: string
  readonly outside: boolean
}

export interface FormSheet {
  readonly name: string
  /** Its place among the sheets of the workbook, and whether it is one that nobody sees. */
  readonly at: number
  readonly isHidden: boolean
  /** Its part of the package, and its relation in the workbook. */
  readonly part: string
  readonly relation: string
  /** Cells that hold marks, by row and column. */
  readonly cells: readonly MarkedCell[]
  /** Cells with braces that are no mark’s, or in a formula. */
  readonly loose: readonly string[]
  /** Whether its heads, feet or drawings hold marks, which nothing fills. */
  readonly outside: boolean
  /** Whether a print area says how far it goes. */
  readonly isBounded: boolean
  /** Whether copies of it can follow: none of its parts belongs to one sheet alone but drawings of pictures. */
  readonly copies: boolean
}

export interface MarkedCell {
  readonly cell: string
  readonly text: string
  readonly marks: readonly Mark[]
}

/** A cell of a sheet: its attributes and what it holds. */
export const cellPattern = /<c(?=[\s/>])([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g

export const attributeOf = (attributes: string, name: string): string | undefined => {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return found ? unescapeXml(found[1] ?? found[2] ?? '') : undefined
}

const programs: readonly (readonly [RegExp, string, string])[] = [
  [/vbaProject|xl\/macrosheets\//i, '含有宏，请另存为不含宏的 .xlsx', 'holds macros: save it as .xlsx without them'],
  [
    /^xl\/externalLinks\//i,
    '引用了其他工作簿，请断开链接后保存',
    'refers to other workbooks: break the links and save it',
  ],
  [
    /^xl\/(embeddings|activeX|ctrlProps)\//i,
    '含有嵌入对象或控件，请删除后保存',
    'holds embedded objects or controls: take them out and save it',
  ],
  [
    /^xl\/(connections\.xml|queryTables\/|customData\/|model\/)/i,
    '含有外部数据连接，请删除后保存',
    'holds connections to outside data: take them out and save it',
  ],
]

/** Takes the package apart, or refuses it in words. */
export function openForm(bytes: Uint8Array): Parts {
  if (bytes.length > formLimits.bytes)
    throw new FileFault('文件超过10MB，请缩小图片后保存', 'The file is larger than 10 MB: make its pictures smaller')
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b)
    throw new FileFault(
      '不是 .xlsx 文件，或设有打开密码：请另存为不加密的 .xlsx',
      'It is no .xlsx, or has a password: save it as .xlsx without one',
    )
  let parts = 0
  let unpacked = 0
  let opened: Parts
  try {
    opened = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        for (const [names, zh, en] of programs) if (names.test(name)) throw new FileFault(`表样${zh}`, `The form ${en}`)
        parts += 1
        unpacked += originalSize
        if (parts > formLimits.parts || unpacked > formLimits.unpacked)
          throw new FileFault('文件解压后过大，不能用作表样', 'Unpacked, the file is larger than a form may be')
        return !name.endsWith('/')
      },
    })
  } catch (error) {
    if (error instanceof FileFault) throw error
    throw new FileFault('文件已损坏，请重新保存后上传', 'The file is damaged: save it again and upload it')
  }
  if (!opened['xl/workbook.xml'] || !opened['[Content_Types].xml'])
    throw new FileFault('文件已损坏，请重新保存后上传', 'The file is damaged: save it again and upload it')
  if (/macroEnabled/i.test(textOf(opened, '[Content_Types].xml')))
    throw new FileFault('表样含有宏，请另存为不含宏的 .xlsx', 'The form holds macros: save it as .xlsx without them')
  if (/<\w+:workbook[\s>]/.test(textOf(opened, 'xl/workbook.xml').slice(0, 10_000)))
    throw new FileFault(
      '文件不是由表格软件保存的：请用Excel或WPS打开，另存为 .xlsx 后上传',
      'No spreadsheet program has saved the file: open it in one, save it as .xlsx and upload that',
    )
  for (const name of Object.keys(opened))
    if (/\.(xml|rels)$/i.test(name) && /<!(DOCTYPE|ENTITY)/i.test(textOf(opened, name).slice(0, 10_000)))
      throw new FileFault('文件已损坏，请重新保存后上传', 'The file is damaged: save it again and upload it')
  return opened
}

export const textOf = (parts: Parts, name: string): string => {
  const bytes = parts[name]
  return bytes ? strFromU8(bytes) : ''
}

/** Where the relations of a part stand. */
export const relationsPart = (part: string): string => part.replace(/([^/]+)$/, '_rels/$1.rels')

export const relationPattern = /<Relationship\b([^>]*?)\/?>/g

/** The relations of a part. */
export const relationsOf = (parts: Parts, part: string): Relation[] =>
  [...textOf(parts, relationsPart(part)).matchAll(relationPattern)].map(([, attributes]) => ({
    id: attributeOf(attributes!, 'Id') ?? '',
    type: (attributeOf(attributes!, 'Type') ?? '').split('/').at(-1)!,
    target: resolved(part, attributeOf(attributes!, 'Target') ?? ''),
    outside: attributeOf(attributes!, 'TargetMode') === 'External',
  }))

/** The part that a relation leads to. */
function resolved(part: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const path = part.split('/').slice(0, -1)
  for (const step of target.split('/')) {
    if (step === '..') path.pop()
    else if (step !== '.') path.push(step)
  }
  return path.join('/')
}

const textPattern = /<t(?=[\s>])[^>]*>([\s\S]*?)<\/t>/g
/** A string of several runs as one, without what tells how it is read aloud. */
export const plain = (xml: string): string =>
  [...xml.replace(/<rPh\b[\s\S]*?<\/rPh>/g, '').matchAll(textPattern)].map(([, text]) => unescapeXml(text!)).join('')

/** The texts that cells of a workbook share. */
export const sharedOf = (parts: Parts): string[] =>
  [...textOf(parts, 'xl/sharedStrings.xml').matchAll(/<si(?=[\s/>])[^>]*?(?:\/>|>([\s\S]*?)<\/si>)/g)].map(
    ([, inner]) => plain(inner ?? ''),
  )

/** Which sheets a workbook has, and where marks stand in them. */
export function sheetsOf(parts: Parts): FormSheet[] {
  const shared = sharedOf(parts)
  const relations = new Map(relationsOf(parts, 'xl/workbook.xml').map((each) => [each.id, each]))
  const sheets = [...textOf(parts, 'xl/workbook.xml').matchAll(/<sheet\b([^>]*?)\/?>/g)]
  if (sheets.length > formLimits.sheets)
    throw new FileFault(`工作表超过${formLimits.sheets}张`, `There are more than ${formLimits.sheets} sheets`)
  let seen = 0
  let marked = 0
  const areas = [...textOf(parts, 'xl/workbook.xml').matchAll(/<definedName\b([^>]*)>/g)]
    .filter(([, attributes]) => attributeOf(attributes!, 'name') === '_xlnm.Print_Area')
    .map(([, attributes]) => Number(attributeOf(attributes!, 'localSheetId')))
  return sheets.flatMap(([, attributes], at) => {
    const name = attributeOf(attributes!, 'name') ?? ''
    const relation = attributeOf(attributes!, 'r:id') ?? ''
    const part = relations.get(relation)?.target
    if (!part || !parts[part] || relations.get(relation)?.type !== 'worksheet') return []
    const cells: MarkedCell[] = []
    const loose: string[] = []
    const xml = textOf(parts, part)
    for (const [, attributes, inner = ''] of xml.matchAll(cellPattern)) {
      seen += 1
      if (seen > formLimits.cells)
        throw new FileFault(
          `单元格超过${formLimits.cells}个，请删除多余的行列`,
          `There are more than ${formLimits.cells} cells: delete rows and columns that are not needed`,
        )
      const type = attributeOf(attributes!, 't')
      const text =
        type === 's' ? shared[Number(/<v>(\d+)<\/v>/.exec(inner)?.[1] ?? -1)] : type === 'inlineStr' ? plain(inner) : ''
      const cell = attributeOf(attributes!, 'r') ?? ''
      if (hasLooseBraces(text ?? '') || hasBraces(/<f(?=[\s>])[^>]*>([^<]*)/.exec(inner)?.[1] ?? '')) loose.push(cell)
      const marks = hasBraces(text ?? '') ? marksIn(text!) : []
      if (marks.length === 0) continue
      marked += marks.length
      if (marked > formLimits.marks)
        throw new FileFault(`标记超过${formLimits.marks}个`, `There are more than ${formLimits.marks} marks`)
      cells.push({ cell, text: text!, marks })
    }
    const outside = [
      ...xml.matchAll(/<(?:odd|even|first)(?:Header|Footer)>[\s\S]*?</g),
      ...relationsOf(parts, part).flatMap(({ type, target }) =>
        type === 'drawing' ? [...textOf(parts, target).matchAll(/<a:t(?=[\s>])[\s\S]*?<\/a:t>/g)] : [],
      ),
    ].some(([text]) => hasBraces(text))
    return [
      {
        ...{ name, at, part, relation, cells, loose, outside, isBounded: areas.includes(at) },
        isHidden: /^(hidden|veryHidden)$/.test(attributeOf(attributes!, 'state') ?? ''),
        copies: canCopy(parts, part),
      },
    ]
  })
}

const ofSheets = ['printerSettings', 'hyperlink', 'drawing']

function canCopy(parts: Parts, part: string): boolean {
  const relations = relationsOf(parts, part)
  return relations.every(
    ({ type, target }) =>
      ofSheets.includes(type) &&
      (type !== 'drawing' || relationsOf(parts, target).every((each) => each.type === 'image')),
  )
}
