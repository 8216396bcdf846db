import { student } from '@data-brain/contract'
import type { ReportContent } from '@data-brain/contract/report'
import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagesOf, sizesOf, take } from './pdf-parts.ts'
import { sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

const path = 'blade-report/report/rest'
let world: World
let admin: Person
/** Names with characters beyond the first plane, of Extension A, with a word that is not broken, and plain ones. */
const names = ['𠮷田㐂', '王小明', '龘𬱟', 'Anna-Maria Kowalska', '欧阳娜娜']

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  const made = new Map<string, string>()
  for (let at = 0; at < 130; at += 1) {
    const { draft } = await sample(admin, student, made)
    const name = at < names.length ? names[at]! : `学生${String.fromCodePoint(0x4e00 + at)}`
    const birthDate = `201${at % 10}-03-0${(at % 9) + 1}`
    const added = await admin.post<Row>('blade-user/student/submit', {
      ...{
        ...draft,
        name,
        seatNo: at + 1,
        remark: `第${at + 1}条备注，说明一些需要换行的事情`,
        sex: String((at % 2) + 1),
      },
      ...{ idType: null, idNo: null, birthDate },
    })
    if (added.code !== 200) throw new Error(added.msg)
  }
}, 120_000)
afterAll(() => world.close())

const blank: ReportContent = {
  ...{ entity: 'student', columns: [], filter: null, parameters: [], groups: [], cross: null },
  ...{ measures: [], sort: { by: 0, down: false }, chart: 'none', hideBelow: 0 },
}
let saves = 0
async function saved(content: ReportContent, who = admin): Promise<string> {
  saves += 1
  const made = await who.post<Row>(`${path}/submit`, { name: `报表${saves}`, content })
  if (made.code !== 200) throw new Error(made.msg)
  return made.data.id
}
async function file(id: string, format: string, { who = admin, language = 'zh' } = {}) {
  const answer = await world.http.inject({
    ...{ method: 'GET', url: '/api/blade-report/report/result/export', query: { id, format } },
    headers: { 'blade-auth': `bearer ${who.token}`, 'accept-language': language },
  })
  return { status: answer.statusCode, bytes: answer.rawPayload, text: answer.payload, headers: answer.headers }
}

/** What the first sheet of a workbook holds, its numbers as they are written in a PDF. */
async function sheetOf(bytes: Buffer): Promise<string[][]> {
  const book = new excel.Workbook()
  await book.xlsx.load(bytes as unknown as ArrayBuffer)
  const rows: string[][] = []
  const sheet = book.worksheets[0]!
  sheet.eachRow((row) => {
    rows.push(
      Array.from({ length: sheet.columnCount }, (_, at) => {
        const { value } = row.getCell(at + 1)
        return typeof value === 'number' ? value.toLocaleString('zh-CN') : String(value ?? '')
      }),
    )
  })
  return rows
}

/** What is drawn on a page below its heads, and what above them. */
function aroundHeads(drawn: readonly string[], heads: readonly string[]): { above: string; below: string[] } {
  for (const at of drawn.keys()) {
    const below = drawn.slice(at)
    try {
      take(below, heads)
      return { above: drawn.slice(0, at).join(''), below }
    } catch {}
  }
  throw new Error('a page without heads')
}

describe('R-DEV-5 a report as PDF', () => {
  it('says cell by cell what the .xlsx says, with its heads on each page and which page of how many it is', async () => {
    const id = await saved({ ...blank, columns: ['name', 'sex', 'birthDate', 'seatNo', 'classId.className'] })
    const [sheet, pdf] = [await file(id, 'xlsx'), await file(id, 'pdf')]
    expect(pdf.headers['content-type']).toBe('application/pdf')
    expect(decodeURIComponent(String(pdf.headers['content-disposition']))).toMatch(/报表1-\d{12}\.pdf/)
    const [heads, ...rows] = await sheetOf(sheet.bytes)
    expect(rows).toHaveLength(130)
    const pages = await pagesOf(pdf.bytes)
    expect(pages.length).toBeGreaterThan(2)
    const left = [...rows]
    for (const [number, drawn] of pages.entries()) {
      const { above, below: cells } = aroundHeads(drawn, heads!)
      expect(above).toContain('报表1')
      expect(above.replace(/\s/g, '')).toContain(`第${number + 1}页共${pages.length}页`)
      while (cells.length > 0) take(cells, left.shift()!)
    }
    expect(left).toEqual([])
    const [first] = pages
    const said = first!.join(' ')
    expect(said).toContain('导出人: 管理员 (admin)')
    expect(said).toMatch(/导出时间: \d{4}-\d\d-\d\d/)
    expect(said).toContain('条数: 130')
    for (const name of names.slice(0, 3)) expect(pages.flat().join('')).toContain(name)
  })

  it('stands upright with few columns, across with more, and on pages beside each other where they have no room', async () => {
    const narrow = await file(await saved({ ...blank, columns: ['name', 'sex'] }), 'pdf')
    expect((await sizesOf(narrow.bytes))[0]).toEqual({ width: 595, height: 842 })
    const wide = await saved({
      ...blank,
      columns: [
        ...['name', 'sex', 'remark', 'createTime', 'schoolId.createTime', 'classId.createTime', 'schoolId.schoolName'],
        ...['idType', 'idNo', 'studentNo', 'gradeId.gradeName', 'classId.className', 'birthDate', 'seatNo', 'status'],
        ...['studyWay', 'nation', 'classId.remark', 'schoolId.remark', 'schoolId.address'],
      ],
    })
    const [sheet, pdf] = [await file(wide, 'xlsx'), await file(wide, 'pdf')]
    const [heads, ...rows] = await sheetOf(sheet.bytes)
    const [size] = await sizesOf(pdf.bytes)
    expect(size).toEqual({ width: 842, height: 595 })
    const text = (await pagesOf(pdf.bytes)).flat().join('')
    for (const head of heads!) expect(text.includes(head), head).toBe(true)
    for (const row of rows) expect(text.replace(/\s/g, '').includes(row[2]!), row[2]!).toBe(true)
    expect(text.slice(0, 2_000)).toMatch(/列 2–\d+ \/ 20/)
  })

  it('counts as the .xlsx does, sums included, in either language', async () => {
    const id = await saved({
      ...{
        ...blank,
        groups: [
          { field: 'sex', by: null },
          { field: 'birthDate', by: 'year' },
        ],
        sort: null,
      },
      measures: [
        { of: 'count', field: null },
        { of: 'sum', field: 'seatNo' },
      ],
    })
    for (const language of ['zh', 'en']) {
      const [sheet, pdf] = [await file(id, 'xlsx', { language }), await file(id, 'pdf', { language })]
      const [heads, ...rows] = await sheetOf(sheet.bytes)
      const drawn = (await pagesOf(pdf.bytes)).flat()
      const cells = aroundHeads(drawn, heads!).below
      for (const row of rows) take(cells, row)
      expect(cells).toEqual([])
    }
  })

  it('says whose copy it is across every page where it holds personal values, and not where it counts', async () => {
    const personal = await file(await saved({ ...blank, columns: ['name', 'idNo'] }), 'pdf')
    expect(personal.bytes.includes('/Mark ')).toBe(true)
    const plain = await file(await saved({ ...blank, columns: ['name', 'sex'] }), 'pdf')
    expect(plain.bytes.includes('/Mark ')).toBe(false)
  })

  it('tells which characters no font has, and shows where they stand', async () => {
    const made = new Map<string, string>()
    const { draft } = await sample(admin, student, made)
    const name = '艾山ئە'
    const added = await admin.post<Row>('blade-user/student/submit', { ...draft, name, idType: null, idNo: null })
    expect(added.msg).not.toContain('不')
    const pages = await pagesOf((await file(await saved({ ...blank, columns: ['name'] }), 'pdf')).bytes)
    const text = pages.flat().join('')
    expect(text).toContain('艾山〓〓')
    expect(pages.at(-1)!.join('')).toMatch(/有2个字符没有字形，以“〓”代替.*U\+0626、U\+06D5/)
  })

  it('is for those who may take the report out, is recorded as a list that is taken out, and a list is no PDF', async () => {
    const id = await saved({ ...blank, columns: ['name', 'idNo'] })
    const nobody = await world.colleague(admin, ['report_view', 'student_view'])
    expect((await file(id, 'pdf', { who: nobody })).status).toBe(403)
    const counted = async () => {
      const { rows } = await world.owner.query<{ n: number }>(
        `select count(*)::int as n from read_log where tenant_id = $1 and kind = 'export'`,
        [admin.tenantId],
      )
      return rows[0]!.n
    }
    const before = await counted()
    await file(id, 'xlsx')
    const between = await counted()
    await file(id, 'pdf')
    expect(between).toBeGreaterThan(before)
    expect((await counted()) - between).toBe(between - before)
    const odd = await file(id, 'docx')
    expect([odd.status, odd.text]).toEqual([400, expect.stringContaining('应为xlsx、csv或pdf')])
    const list = await world.http.inject({
      ...{ method: 'GET', url: '/api/blade-user/student/export', query: { format: 'pdf' } },
      headers: { 'blade-auth': `bearer ${admin.token}`, 'accept-language': 'zh' },
    })
    expect([list.statusCode, list.payload]).toEqual([400, expect.stringContaining('应为xlsx或csv')])
  })
})
