import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CFB } from '@e965/xlsx'
import { afterAll, describe, expect, it } from 'vitest'
import { seeded } from '../../bench/import-file.ts'
import { FileFault } from '../src/modules/import/file/limits.ts'
import { readSheets } from '../src/modules/import/file/read-job.ts'
import { readTable } from '../src/modules/import/file/read-sheet.ts'
import type { SheetRow, Source } from '../src/modules/import/file/table.ts'
import { zip } from './rosters/zip.ts'
import { rosters } from './rosters.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'data-brain-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

const fixture = (name: string): string => path.join(import.meta.dirname, 'fixtures/rosters', name)
const bytesOf = (name: string): Promise<Buffer> => rosters.find(({ file }) => file === name)!.bytes()

let files = 0
function keep(bytes: Buffer): string {
  files += 1
  const file = path.join(folder, String(files))
  writeFileSync(file, bytes)
  return file
}

async function read(file: string): Promise<{ source: Source; rows: SheetRow[] }> {
  const rows: SheetRow[] = []
  const source = await readTable(file, 'student', {}, async (row) => {
    rows.push(row)
  })
  return { source, rows }
}

/** Why a file cannot be read, as the clerk is told; nothing where it can. A thread that dies would fail the test. */
async function refusal(bytes: Buffer): Promise<string> {
  try {
    await readSheets(keep(bytes), 'student', {}, async () => undefined)
    return ''
  } catch (error) {
    if (error instanceof FileFault) return error.words.zh
    throw error
  }
}

describe('files that LibreOffice wrote', () => {
  const pupils = rosters.find(({ file }) => file === '1904.xlsx')!.pupils
  const at = (source: Source, heading: string): number => source.columns.findIndex((each) => each.heading === heading)
  const column = ({ source, rows }: { source: Source; rows: SheetRow[] }, heading: string): string[] =>
    rows.map((row) => row.cells[at(source, heading)] ?? '')

  it.each(['days.xls', 'days.ods'])('%s: days from 1904, a hidden row and a hidden column', async (name) => {
    const found = await read(fixture(name))
    expect(column(found, '姓名')).toEqual(pupils.map((each) => each.name))
    expect(column(found, '出生日期')).toEqual(pupils.map((each) => each.birth))
    expect(found.rows.flatMap((row) => (row.hidden ? [[row.no, row.hidden]] : []))).toEqual([[5, 'byHand']])
    expect(found.source.columns.filter((each) => each.hidden).map((each) => each.heading)).toEqual(['家长电话'])
  })

  it.each([
    ['filtered.xlsx', 'byFilter'],
    ['filtered.ods', 'byFilter'],
    // The library does not tell a filter of this format from a hand.
    ['filtered.xls', 'byHand'],
  ] as const)('%s: the girls that a filter hides are marked', async (name, hidden) => {
    const found = await read(fixture(name))
    expect(found.source.hidden[hidden]).toBe(6)
    expect(column(found, '性别').filter((_sex, row) => found.rows[row]?.hidden)).toEqual(Array(6).fill('女'))
  })

  it.each(['formulas.xls', 'formulas.ods'])('%s: formulas give their results', async (name) => {
    const found = await read(fixture(name))
    expect(column(found, '出生日期')).toEqual(pupils.map((each) => each.birth))
    expect(column(found, '性别')).toEqual(pupils.map((each) => each.sex))
    expect(found.source.notes).toContainEqual(expect.objectContaining({ kind: 'formulas', count: 36 }))
  })

  it.each(['two-rows.xls', 'two-rows.ods'])('%s: 父亲 over 姓名 and 电话', async (name) => {
    const found = await read(fixture(name))
    expect(column(found, '父亲电话')).toEqual(pupils.map((each) => each.father.phone))
    expect(found.source.columns[at(found.source, '母亲姓名')]?.parts).toEqual(['母亲', '姓名'])
  })

  it('merged.xls: the class of a merged cell is every row’s', async () => {
    const found = await read(fixture('merged.xls'))
    expect(new Set(column(found, '班级'))).toEqual(new Set(['三（1）班', '三（2）班', '三（3）班']))
    expect(found.rows).toHaveLength(24)
    expect(column(found, '班级')[7]).toBe('三（1）班')
  })
})

/** A compound file with streams of these names. */
function compound(...streams: string[]): Buffer {
  const file = CFB.utils.cfb_new()
  for (const name of streams) CFB.utils.cfb_add(file, `/${name}`, Buffer.alloc(5_000, 65))
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array)
}

const password = '文件设有打开密码'
const named: readonly (readonly [string, () => Buffer | Promise<Buffer>, string])[] = [
  ['an .xls with a password', () => readFileSync(fixture('encrypted.xls')), password],
  ['an .ods with a password', () => readFileSync(fixture('encrypted.ods')), password],
  ['an .xlsx with a password', () => compound('EncryptionInfo', 'EncryptedPackage'), password],
  ['a zip with a password', () => zip([{ name: 'xl/workbook.xml', data: Buffer.from('x'), flags: 1 }]), password],
  ['a PDF', () => Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj'), '这是PDF 文件'],
  ['a photograph', () => Buffer.from('ffd8ffe000104a464946', 'hex'), '这是JPEG 图片'],
  ['a screenshot', () => Buffer.from('89504e470d0a1a0a0000000d', 'hex'), '这是PNG 图片'],
  ['a Word document', () => zip([{ name: 'word/document.xml', data: Buffer.from('<x/>') }]), '这是Word 文档'],
  ['an old Word or WPS text', () => compound('WordDocument', '1Table'), '这是Word 或 WPS 文字文档'],
  ['a presentation', () => zip([{ name: 'ppt/presentation.xml', data: Buffer.from('<x/>') }]), '这是演示文稿'],
  ['Numbers', () => zip([{ name: 'Index/Document.iwa', data: Buffer.from('x') }]), '这是Apple Numbers'],
  [
    'an archive of workbooks',
    () =>
      zip([
        { name: '1班.xlsx', data: Buffer.from('x') },
        { name: '2班.xls', data: Buffer.from('x') },
      ]),
    '这是压缩包，内有2个表格文件',
  ],
  ['a RAR archive', () => Buffer.from('526172211a0700cf907300', 'hex'), '这是RAR 压缩包'],
  [
    'an OpenDocument text',
    () =>
      zip([
        { name: 'mimetype', data: Buffer.from('application/vnd.oasis.opendocument.text') },
        { name: 'content.xml', data: Buffer.from('<x/>') },
      ]),
    '这是文字或演示文档',
  ],
  ['a compound file without a workbook', () => compound('Contents'), '文件中没有工作簿'],
  ['an empty file', () => Buffer.alloc(0), '文件是空的'],
  ['a text without a table', () => Buffer.from('各位家长：\n请于周五前交表。\n谢谢'), '没有找到标题行'],
  ['a heading without rows', () => Buffer.from('姓名,性别,班级\r\n'), '标题行下面没有数据'],
  [
    'a web page without a table',
    () => Buffer.from('<!doctype html><html><body><p>404</p></body></html>'),
    '没有找到标题行',
  ],
]

describe('a file that is none', () => {
  it.each(named)('%s is called what it is', async (_what, bytes, words) => {
    expect(await refusal(await bytes())).toContain(words)
  })

  it('is read all the same when only its name is wrong', async () => {
    for (const name of ['其实是xlsx.csv', '系统导出.xls', '老系统.xls'])
      expect((await read(keep(await bytesOf(name)))).source.rows, name).toBe(12)
  })
})

const sheetOf = (inside: string): Buffer =>
  zip([
    {
      name: 'xl/workbook.xml',
      data: Buffer.from('<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>'),
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: Buffer.from('<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>'),
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      data: Buffer.from(`<worksheet><sheetData>${inside}</sheetData></worksheet>`.padEnd(300)),
    },
  ])
const cell = (text: string, at = ''): string => `<c${at} t="inlineStr"><is><t>${text}</t></is></c>`
const content = (inside: string): Buffer =>
  zip([
    { name: 'mimetype', data: Buffer.from('application/vnd.oasis.opendocument.spreadsheet') },
    {
      name: 'content.xml',
      data: Buffer.from(
        `<office:document-content><office:body><office:spreadsheet><table:table table:name="A">${inside}</table:table></office:spreadsheet></office:body></office:document-content>`,
      ),
    },
  ])
const noise = (count: number, seed: number): Buffer => {
  const random = seeded(seed)
  return Buffer.from(Array.from({ length: count }, () => random(256)))
}

const hostile: readonly (readonly [string, () => Buffer | Promise<Buffer>])[] = [
  ['a zip bomb', () => zip([{ name: 'xl/workbook.xml', data: Buffer.alloc(64 * 1_048_576, 65) }])],
  [
    'a bomb whose directory lies',
    () => zip([{ name: 'xl/workbook.xml', data: Buffer.alloc(64 * 1_048_576, 65), size: 1_000 }]),
  ],
  ['a bomb as an .xlsb', () => zip([{ name: 'xl/workbook.bin', data: Buffer.alloc(64 * 1_048_576, 65) }])],
  ['a bomb as an .ods', () => zip([{ name: 'content.xml', data: Buffer.alloc(64 * 1_048_576, 65) }])],
  [
    'a package of a thousand parts',
    () => zip(Array.from({ length: 1_000 }, (_part, at) => ({ name: `xl/p${at}`, data: Buffer.from('x') }))),
  ],
  ['a package cut in half', async () => (await bytesOf('家长信息.xlsx')).subarray(0, 3_000)],
  ['an .xls cut in half', async () => (await bytesOf('2008.xls')).subarray(0, 3_000)],
  ['an .xlsb whose workbook is noise', () => zip([{ name: 'xl/workbook.bin', data: noise(5_000, 1) }])],
  [
    'noise that begins as a compound file',
    () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), noise(20_000, 2)]),
  ],
  ['noise that begins as a package', () => Buffer.concat([Buffer.from('504b0304', 'hex'), noise(20_000, 3)])],
  ['noise', () => noise(20_000, 4)],
  ['zeros', () => Buffer.alloc(100_000)],
  ['an old stream of noise', () => Buffer.concat([Buffer.from('0908100000060500', 'hex'), noise(20_000, 5)])],
  ['a workbook of noise in a compound file', () => compound('Workbook')],
  [
    'a document type declaration',
    () => zip([{ name: 'content.xml', data: Buffer.from('<!DOCTYPE x [<!ENTITY a "b">]><office:document-content/>') }]),
  ],
  [
    'entities in the XML of Excel 2003',
    () =>
      Buffer.from(
        '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">&b;</Workbook>',
      ),
  ],
  ['XML a million deep', () => content('<a>'.repeat(1_000_000))],
  ['web tables in one another', () => Buffer.from(`<html>${'<table><tr><td>'.repeat(5_000)}</html>`)],
  [
    'a table of a million columns',
    () =>
      sheetOf(
        `<row r="1">${cell('姓名', ' r="A1"')}${cell('性别', ' r="B1"')}${cell('班级', ' r="ZZZ1"')}</row><row r="2">${cell('甲')}</row>`,
      ),
  ],
  [
    'an .ods cell repeated a million times',
    () =>
      content(
        `<table:table-row><table:table-cell table:number-columns-repeated="1000000"><text:p>姓名</text:p></table:table-cell></table:table-row>`,
      ),
  ],
  [
    'an .ods row repeated a million times',
    () =>
      content(
        `<table:table-row table:number-rows-repeated="1048576"><table:table-cell><text:p>姓名</text:p></table:table-cell></table:table-row>`,
      ),
  ],
  [
    'a web cell a thousand columns wide',
    () => Buffer.from(`<table><tr>${'<td colspan=1000>姓名</td>'.repeat(300)}</tr></table>`),
  ],
  ['a row of ten megabytes', () => sheetOf(`<row r="1">${cell('甲'.repeat(10))}${' '.repeat(9 * 1_048_576)}</row>`)],
  ['a tag that never ends', () => content(`<table:table-row ${noise(1, 9)[0]} ${'a'.repeat(9 * 1_048_576)}`)],
  ['three hundred thousand rows', () => Buffer.from(`姓名,性别,班级\n${'甲,男,1\n'.repeat(300_000)}`)],
  [
    'a text of ten thousand columns',
    () => Buffer.from(`姓名,性别,班级${',x'.repeat(10_000)}\n${'甲,'.repeat(10_000)}\n`),
  ],
  ['a quote that never closes', () => Buffer.from(`姓名,性别,班级\n甲,男,"${'x'.repeat(3_000_000)}`)],
  [
    'merged cells over everything',
    () =>
      sheetOf(
        `<row r="1">${cell('姓名')}${cell('性别')}${cell('班级')}</row></sheetData><mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(20_000)}</mergeCells><sheetData>`,
      ),
  ],
  [
    'a thousand sheets',
    () =>
      zip([
        {
          name: 'content.xml',
          data: Buffer.from(
            `<office:document-content>${'<table:table table:name="A"><table:table-row><table:table-cell><text:p>姓名</text:p></table:table-cell></table:table-row></table:table>'.repeat(1_000)}</office:document-content>`,
          ),
        },
      ]),
  ],
  [
    'bytes that are text in no encoding',
    () => Buffer.concat([Buffer.from('姓名,性别\n'), Buffer.from([0xff, 0xff, 0x80, 0xfe, 0xff])]),
  ],
]

describe('a hostile file', () => {
  it('of thirty kinds is among them', () => expect(hostile.length).toBe(30))

  it.each(hostile)('%s ends in words', async (_what, bytes) => {
    const words = await refusal(await bytes())
    expect(words).toMatch(/[\u4e00-\u9fff]{4}/)
  })
})

describe('a file with bytes changed at random', () => {
  const formats = [
    '家长信息.xlsx',
    '2008.xls',
    '1998.xls',
    '花名册.ods',
    '花名册.xlsb',
    '花名册.csv',
    '系统导出.xls',
    '平台导出.xls',
    'Unicode文本.txt',
  ]
  it.each(formats)('%s is read or refused in words, thirty-five times', async (name) => {
    const whole = await bytesOf(name)
    const random = seeded(name.length * 7_919 + whole.length)
    let readable = 0
    for (let round = 0; round < 35; round += 1) {
      const bytes = Buffer.from(whole)
      for (let change = 0; change <= random(12); change += 1) {
        const at = random(bytes.length)
        if (random(3) === 0) bytes.fill(random(256), at, Math.min(bytes.length, at + random(40)))
        else bytes[at] = random(256)
      }
      const end = random(4) === 0 ? random(bytes.length) : bytes.length
      try {
        const { source, rows } = await read(keep(bytes.subarray(0, end)))
        expect(rows.length).toBe(source.rows)
        readable += 1
      } catch (error) {
        // What is no fault in words is given some by the thread; here it must only end.
        expect(error).toBeInstanceOf(Error)
      }
    }
    expect(readable).toBeGreaterThan(0)
  })
})
