import { student } from '@data-brain/contract'
import { reportsOf, shippedFormKeys, shippedForms } from '@data-brain/contract/shipped-forms'
import * as XLSX from '@e965/xlsx'
import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagesOf, sizesOf, take } from './pdf-parts.ts'
import { sample } from './sample.ts'
import { png, put } from './storage-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

const path = 'blade-report/fixedform'
let world: World
let admin: Person
let schoolId: string
const pupils: string[] = []

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  const made = new Map<string, string>()
  for (const name of ['王小明', '𠮷田㐂', '欧阳娜娜', '李四', '赵五']) {
    const { draft } = await sample(admin, student, made)
    const about = { idType: null, idNo: null, sex: '1', birthDate: '2015-03-02', remark: `${name}的备注` }
    const added = await admin.post<Row>('blade-user/student/submit', { ...draft, name, ...about })
    if (added.code !== 200) throw new Error(added.msg)
    pupils.push(String(added.data.id))
    schoolId = String(added.data.schoolId)
  }
}, 60_000)
afterAll(() => world.close())

let saves = 0
async function save(bytes: Buffer, subject = 'student') {
  const { data, ...answer } = await put(world, admin.token, 'form.xlsx', bytes, { attach: true })
  if (answer.code !== 200) throw new Error(answer.msg)
  saves += 1
  const { attachId } = data as { attachId: string }
  const saved = await admin.post<Row>(`${path}/submit`, { name: `表样${saves}`, subject, attachId })
  if (saved.code !== 200) throw new Error(saved.msg)
  return saved.data.id
}
async function fill(id: unknown, ids: readonly string[], into?: string, who = admin) {
  const answer = await world.http.inject({
    ...{ method: 'GET', url: `/api/${path}/filled/export` },
    query: { id: String(id), ids: ids.join(), ...(into ? { into } : {}) },
    headers: { 'blade-auth': `bearer ${who.token}`, 'accept-language': 'zh' },
  })
  return { status: answer.statusCode, bytes: answer.rawPayload, text: answer.payload, headers: answer.headers }
}
async function form(write: (sheet: excel.Worksheet, book: excel.Workbook) => unknown): Promise<Buffer> {
  const book = new excel.Workbook()
  await write(book.addWorksheet('卡'), book)
  return Buffer.from(await book.xlsx.writeBuffer())
}

/** What the cells of a sheet show, row by row. */
function shown(sheet: XLSX.WorkSheet): string[] {
  const rows = XLSX.utils.sheet_to_json<string[]>(sheet, { header: 1, raw: false, defval: '', blankrows: false })
  return rows.flat().filter((text) => text.trim() !== '')
}

/** What stands on a page between its foot, which is drawn first, and its end. */
const behindFoot = (drawn: readonly string[]): string[] => {
  const at = drawn.findIndex((text) => text.includes('填表人'))
  return drawn.slice(at + 1)
}

describe('R-DEV-6 a filled form as PDF', () => {
  it('says cell by cell what the workbook says, for every form that comes with the product', async () => {
    for (const key of shippedFormKeys) {
      for (const { label, content } of reportsOf(key)) {
        const saved = await admin.post('blade-report/report/rest/submit', { name: label.zh, content })
        expect(saved.code, saved.msg).toBe(200)
      }
      const blank = await world.http.inject({
        ...{ method: 'GET', url: `/api/${path}/shipped`, query: { key } },
        headers: { 'blade-auth': `bearer ${admin.token}`, 'accept-language': 'zh' },
      })
      const { subject } = shippedForms[key]
      const id = await save(blank.rawPayload, subject)
      const ids = subject === 'school' ? [schoolId] : pupils
      const [book, pdf] = [await fill(id, ids), await fill(id, ids, 'pdf')]
      expect([pdf.status, pdf.headers['content-type']], pdf.text.slice(0, 300)).toEqual([200, 'application/pdf'])
      const sheets = Object.values(XLSX.read(book.bytes, { type: 'buffer' }).Sheets)
      const pages = await pagesOf(pdf.bytes)
      // The places of a class list that nobody takes fill a second page, as they do when the workbook is printed.
      expect([key, pages.length]).toEqual([key, key === 'classList' ? 2 : sheets.length])
      for (const [at, sheet] of sheets.entries()) {
        const left = behindFoot(pages[at]!)
        take(left, shown(sheet))
        expect(left).toEqual([])
      }
    }
  }, 60_000)

  it('keeps merged cells, the paper, its print area, title rows on each page, and turned texts', async () => {
    const bytes = await form((sheet) => {
      sheet.pageSetup = { paperSize: 8 as never, orientation: 'landscape', printArea: 'A1:D90', printTitlesRow: '1:2' }
      sheet.mergeCells('A1:D1')
      sheet.getCell('A1').value = '{{姓名}}的登记表'
      sheet.getCell('A2').value = '表头'
      for (let row = 3; row <= 90; row += 1) sheet.getCell(`B${row}`).value = `第${row}行`
      sheet.getCell('F3').value = '不打印'
      sheet.mergeCells('A3:A9')
      sheet.getCell('A3').value = '家庭成员'
      sheet.getCell('A3').alignment = { textRotation: 'vertical' }
      sheet.getCell('C3').value = 0.256
      sheet.getCell('C3').numFmt = '0.0%'
      sheet.headerFooter = { oddFooter: '&C第&P页，共&N页' }
    })
    const pdf = await fill(await save(bytes), [pupils[1]!], 'pdf')
    expect(pdf.status, pdf.text.slice(0, 300)).toBe(200)
    expect((await sizesOf(pdf.bytes))[0]).toEqual({ width: 1191, height: 842 })
    const pages = await pagesOf(pdf.bytes)
    expect(pages.length).toBeGreaterThan(1)
    for (const [at, drawn] of pages.entries()) {
      const text = drawn.join('')
      expect(text).toContain(`第${at + 1}页，共${pages.length}页`)
      expect(text).toContain('𠮷田㐂的登记表表头')
    }
    const all = pages.flat().join('')
    expect(all).toContain('25.6%')
    expect(all).toContain('家庭成员')
    expect(all).toContain('第90行')
    expect(all).not.toContain('不打印')
  })

  it('draws a long value smaller, and names the cell that has no room for it at all', async () => {
    const bytes = await form((sheet) => {
      sheet.getCell('A1').value = '{{姓名}}'
      sheet.getCell('B2').value = '{{备注}}{{备注}}{{备注}}{{备注}}'
      sheet.getCell('B2').alignment = { wrapText: true }
      sheet.getRow(2).height = 24
      sheet.getColumn(2).width = 12
    })
    const small = await fill(await save(bytes), [pupils[0]!], 'pdf')
    expect(small.status, small.text.slice(0, 300)).toBe(200)
    expect((await pagesOf(small.bytes)).flat().join('')).toContain('王小明的备注'.repeat(4))
    const tiny = await form((sheet) => {
      sheet.getCell('B2').value = '{{备注}}{{备注}}{{备注}}{{备注}}{{备注}}{{备注}}{{备注}}{{备注}}'
      sheet.getCell('B2').alignment = { wrapText: true }
      sheet.getRow(2).height = 10
      sheet.getColumn(2).width = 4
    })
    const refused = await fill(await save(tiny), [pupils[0]!], 'pdf')
    expect(refused.status).toBe(400)
    expect(refused.text).toMatch(/工作表“卡”的单元格B2放不下“王小明的备注.*请放大单元格，或下载Excel/)
  })

  it('refuses what it cannot draw in words, and leaves the workbook to be taken', async () => {
    const picture = await form(async (sheet, book) => {
      sheet.getCell('A1').value = '{{姓名}}'
      sheet.addImage(book.addImage({ buffer: (await png()) as never, extension: 'png' }), 'C3:D5')
    })
    const formula = await form((sheet) => {
      sheet.getCell('A1').value = '{{姓名}}'
      sheet.getCell('B7').value = { formula: 'LEN(A1)', result: 3 }
    })
    const wanted: [Buffer, string][] = [
      [picture, '工作表“卡”含有图片、图形或图表，不能画进PDF，请下载Excel'],
      [formula, '工作表“卡”的单元格B7含有公式，不能画进PDF，请下载Excel'],
    ]
    for (const [bytes, words] of wanted) {
      const id = await save(bytes)
      const refused = await fill(id, [pupils[0]!], 'pdf')
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(words)])
      expect((await fill(id, [pupils[0]!])).status).toBe(200)
    }
  })
})
