import { student, studentparents } from '@data-brain/contract'
import * as XLSX from '@e965/xlsx'
import excel from '@zurmokeeper/exceljs'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unescapeXml } from '../src/kernel/xml-text.ts'
import { sample } from './sample.ts'
import { put } from './storage-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/* Forms as other programs write them, and lists in all the places where people put them. */

const path = 'blade-report/fixedform'
let world: World
let admin: Person
const pupils: string[] = []
const names = ['王一', '王二', '李三', '赵四', '钱五']

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  const made = new Map<string, string>()
  for (const [at, name] of names.entries()) {
    const { draft } = await sample(admin, student, made)
    const more = { name, seatNo: at + 1, idType: null, idNo: null, sex: '1', birthDate: '2015-03-01' }
    pupils.push(String((await admin.post<Row>('blade-user/student/submit', { ...draft, ...more })).data.id))
  }
  for (const [at, parentName] of ['王父', '王母', '王爷'].entries()) {
    const { draft } = await sample(admin, studentparents, made)
    const more = { parentName, contactPriority: at + 1, relation: ['51', '52', '61'][at], idType: null, idNo: null }
    const saved = await admin.post('blade-user/studentparents/submit', {
      ...{ ...draft, ...more, studentId: pupils[0], mobile: `1380000000${at}` },
    })
    if (saved.code !== 200) throw new Error(saved.msg)
  }
}, 60_000)
afterAll(() => world.close())

type Sheets = Record<string, Record<string, string | number | { formula: string }>>

/** A workbook; `bordered` are cells that are there and empty. */
async function book(sheets: Sheets, bordered: readonly string[] = [], prepare?: (sheet: excel.Worksheet) => void) {
  const made = new excel.Workbook()
  for (const [name, cells] of Object.entries(sheets)) {
    const sheet = made.addWorksheet(name)
    for (const [cell, value] of Object.entries(cells)) sheet.getCell(cell).value = value as excel.CellValue
    prepare?.(sheet)
  }
  for (const cell of bordered) made.worksheets[0]!.getCell(cell).border = { top: { style: 'thin' } }
  return Buffer.from(await made.xlsx.writeBuffer())
}

/** The same workbook with parts rewritten. */
function rewritten(bytes: Buffer, change: Readonly<Record<string, (xml: string) => string>>): Buffer {
  const parts = unzipSync(bytes, { filter: ({ name }) => !name.endsWith('/') })
  for (const [name, to] of Object.entries(change)) parts[name] = strToU8(to(strFromU8(parts[name]!)))
  return Buffer.from(zipSync(parts))
}

let saves = 0
async function save(bytes: Buffer, subject = 'student') {
  const { data } = await put(world, admin.token, 'form.xlsx', bytes, { attach: true })
  saves += 1
  const { attachId } = data as { attachId: string }
  return admin.post<Row>(`${path}/submit`, { name: `表样${saves}`, subject, attachId })
}
async function filled(bytes: Buffer, ids: readonly string[]) {
  const saved = await save(bytes)
  expect(saved.msg).toBe('操作成功')
  const answer = await world.http.inject({
    method: 'GET',
    url: `/api/${path}/filled/export`,
    query: { id: String(saved.data.id), ids: ids.join() },
    headers: { 'blade-auth': `bearer ${admin.token}`, 'accept-language': 'zh' },
  })
  expect(answer.statusCode, answer.payload.slice(0, 300)).toBe(200)
  return answer.rawPayload
}
const read = (bytes: Uint8Array): XLSX.WorkBook => XLSX.read(bytes, { type: 'buffer', cellFormula: true })
/** The texts of these cells, sheet by sheet. */
const told = (bytes: Uint8Array, ...cells: string[]): unknown[][] => {
  const { Sheets, SheetNames } = read(bytes)
  return SheetNames.map((name) => cells.map((cell) => (Sheets[name]![cell] as XLSX.CellObject | undefined)?.v ?? null))
}

describe('R-DEV-6 a form as other programs write it', () => {
  it('is copied where the prefix of relations is bound at each sheet alone', async () => {
    const relations = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    const bytes = rewritten(await book({ 卡: { A1: '{{姓名}}' } }), {
      'xl/workbook.xml': (xml) => xml.replace(` ${relations}`, '').replace('<sheet ', `<sheet ${relations} `),
    })
    const copies = await filled(bytes, pupils.slice(0, 3))
    const workbook = strFromU8(unzipSync(copies)['xl/workbook.xml']!)
    expect(workbook.match(/<sheet [^>]*xmlns:r=/g)).toHaveLength(3)
    expect(told(copies, 'A1')).toEqual([['王一'], ['王二'], ['李三']])
  })

  it('takes signs of full width, and names braces that are no mark, wherever they stand', async () => {
    const bytes = await book({
      卡: { A1: '｛｛姓名｝｝', A2: '{{ 出生日期｜yyyy年M月d日 }}', A3: '｛｛［］．姓名｝｝' },
    })
    expect(told(await filled(bytes, [pupils[0]!]), 'A1', 'A2', 'A3')).toEqual([['王一', '2015年3月1日', '王一']])
    const loose = await save(await book({ 卡: { A1: '{{姓名}', B2: '{{ }}', C3: '{{姓名}}', D4: '姓名}}' } }))
    expect((loose.data as unknown as { fields: { message: string }[] }).fields.map(({ message }) => message)).toEqual(
      ['A1', 'B2', 'D4'].map((cell) => expect.stringContaining(`单元格${cell}：双花括号没有成对`)),
    )
    const head = await save(
      await book({ 卡: { A1: '{{姓名}}' } }, [], (sheet) => {
        sheet.headerFooter.oddHeader = '&C{{班级}}'
      }),
    )
    expect(head.msg).toContain('页眉、页脚或文本框里有标记')
    const prefixed = rewritten(await book({ 卡: { A1: '{{姓名}}' } }), {
      'xl/workbook.xml': (xml) => xml.replaceAll(/<(\/?)workbook(?=[\s>])/g, '<$1x:workbook'),
    })
    expect((await save(prefixed)).msg).toContain('不是由表格软件保存的')
  })

  it('takes formulas that come to a mark, and lets those of a copy speak of the copy', async () => {
    const bytes = await book({
      "登记 卡's": { A1: '{{班内学号}}', A2: { formula: "'登记 卡''s'!A1+汇总!A1" } },
      汇总: { A1: 7, B1: { formula: "'登记 卡''s'!A1" } },
    })
    // As LibreOffice keeps it: the formula comes to the text of the mark.
    const kept = rewritten(bytes, {
      'xl/worksheets/sheet2.xml': (xml) =>
        xml.replace(/<c r="B1"[^>]*>(<f>[\s\S]*?<\/f>).*?<\/c>/, '<c r="B1" t="str">$1<v>{{班内学号}}</v></c>'),
    })
    const formulas = async (ids: readonly string[]): Promise<(string | undefined)[]> => {
      const parts = unzipSync(await filled(kept, ids))
      return Object.entries(parts)
        .filter(([name]) => /worksheets\/sheet\d\.xml$/.test(name))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, bytes]) => unescapeXml(/<f>([^<]*)<\/f>/.exec(strFromU8(bytes))?.[1] ?? ''))
    }
    const originals = ["'登记 卡''s'!A1+汇总!A1", "'登记 卡''s'!A1"]
    expect(await formulas(pupils.slice(0, 1))).toEqual(originals)
    expect(await formulas(pupils.slice(0, 2))).toEqual([...originals, "'登记 卡''s (2)'!A1+汇总!A1"])
  })

  it('takes no row of sums or of who signs for a place of its list', async () => {
    const bytes = await book({ 册: { A1: 1, B1: '{{[].姓名}}', A2: 2, A3: '合计', A4: '班主任' } }, ['B2', 'B3', 'B4'])
    expect(told(await filled(bytes, pupils), 'B1', 'B2', 'B3', 'B4')).toEqual([
      ['王一', '王二', null, null],
      ['李三', '赵四', null, null],
      ['钱五', null, null, null],
    ])
  })

  it('lets a list go down one sheet where nothing stands below it, with merged cells and looks of its row', async () => {
    const bytes = await book({ 册: { A1: '姓名', A2: '{{[].姓名}}', C2: '{{[].序号}}', D2: 'x' } }, ['E2'], (sheet) =>
      sheet.mergeCells('A2:B2'),
    )
    const grown = await filled(bytes, pupils)
    expect(told(grown, 'A2', 'A3', 'A6', 'C6', 'D3')).toEqual([['王一', '王二', '钱五', 5, null]])
    const sheet = (await new excel.Workbook().xlsx.load(grown as never)).worksheets[0]!
    expect(['A2', 'A4', 'A6'].map((cell) => sheet.getCell(cell).isMerged)).toEqual([true, true, true])
    expect(sheet.getCell('E6').border.top?.style).toBe('thin')
    // A form that says how far it goes is not made longer.
    const bounded = await book({ 册: { A1: '{{[].姓名}}' } }, [], ({ pageSetup }) => {
      pageSetup.printArea = 'A1:C9'
    })
    expect(told(await filled(bounded, pupils.slice(0, 2)), 'A1')).toEqual([['王一'], ['王二']])
  })

  it('lists each of the rows that belong to a row, in copies where it has no room, and beside another list', async () => {
    const cells = {
      A1: '{{姓名}}',
      A2: '{{家长.序号}}',
      B2: '{{家长.姓名}}（{{姓名}}）',
      D2: '{{学生简历.学校或单位}}',
    }
    const bytes = await book({ 家庭: { ...cells, A4: '合计' } }, ['A3', 'B3', 'D3', 'B4', 'D4'])
    expect(told(await filled(bytes, pupils.slice(0, 2)), 'A1', 'A2', 'B2', 'A3', 'B3', 'D2', 'B4')).toEqual([
      ['王一', 1, '王父（王一）', 2, '王母（王一）', null, null],
      ['王一', 3, '王爷（王一）', null, null, null, null],
      ['王二', null, null, null, null, null, null],
    ])
    const both = await save(await book({ 册: { A1: '{{[].姓名}}{{家长.姓名}}', A2: '{{家长.姓名}}' } }))
    expect((both.data as unknown as { fields: unknown[] }).fields).toHaveLength(2)
    expect(both.msg).toContain('单元格A1：一个单元格只能属于一个清单')
  })
})
