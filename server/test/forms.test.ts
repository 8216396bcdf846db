import { student, studentparents } from '@data-brain/contract'
import { reportsOf, shippedFormKeys, shippedForms } from '@data-brain/contract/shipped-forms'
import * as XLSX from '@e965/xlsx'
import excel from '@zurmokeeper/exceljs'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { png, put } from './storage-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

const path = 'blade-report/fixedform'
const formula = '=HYPERLINK("http://x","y")'
let world: World
let admin: Person
let made: Map<string, string>
const pupils: string[] = []

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  made = new Map()
  for (const [at, name] of ['王一', '王二', '李三', '赵四', '钱五'].entries()) {
    const { draft } = await sample(admin, student, made)
    const added = await admin.post<Row>('blade-user/student/submit', {
      ...{ ...draft, name, seatNo: at + 1, remark: formula },
      // The first has an identity number, which says the day of birth and the sex.
      ...(at === 0 ? {} : { idType: null, idNo: null, sex: at < 2 ? '1' : '2', birthDate: `2015-03-0${at + 1}` }),
    })
    if (added.code !== 200) throw new Error(added.msg)
    pupils.push(String(added.data.id))
  }
}, 60_000)
afterAll(() => world.close())

/** A form with all that a prescribed one has: merged head, logo, print area and titles, formula, conditional format, page. */
async function card(cells: Record<string, string>, { rows = 0 } = {}): Promise<Buffer> {
  const book = new excel.Workbook()
  const sheet = book.addWorksheet('登记卡', {
    pageSetup: { paperSize: 9, orientation: 'landscape', printArea: 'A1:F20', printTitlesRow: '1:2' },
    headerFooter: { oddHeader: '&C县教育局' },
  })
  sheet.mergeCells('A1:F1')
  sheet.getCell('A1').value = '学生登记卡'
  sheet.getCell('A1').font = { bold: true, size: 20, name: '黑体' }
  sheet.getColumn(2).width = 33
  const image = book.addImage({ buffer: (await png()) as never, extension: 'png' })
  sheet.addImage(image, 'E3:F5')
  sheet.getCell('F19').value = { formula: 'COUNTA(B6:B15)', result: 99 }
  sheet.getCell('B3').dataValidation = { type: 'list', allowBlank: true, formulae: ['"男,女"'] }
  sheet.addConditionalFormatting({
    ref: 'B6:B15',
    rules: [{ type: 'expression', priority: 1, formulae: ['B6=""'], style: { font: { color: { argb: 'FFFF0000' } } } }],
  })
  for (const [cell, text] of Object.entries(cells)) sheet.getCell(cell).value = text
  const row = Number(/\d+/.exec(Object.keys(cells).find((cell) => cells[cell]!.includes('[]')) ?? 'A6')![0])
  for (let at = 0; at < rows; at += 1)
    for (const column of ['A', 'B', 'C', 'D'])
      sheet.getCell(`${column}${row + at}`).border = { top: { style: 'thin' }, bottom: { style: 'thin' } }
  return Buffer.from(await book.xlsx.writeBuffer())
}

let saves = 0
async function save(who: Person, bytes: Buffer, more: Record<string, unknown> = {}, name = 'form.xlsx') {
  const { data, ...answer } = await put(world, who.token, name, bytes, { attach: true })
  if (answer.code !== 200) return answer as never
  saves += 1
  const draft = { name: `表样${saves}`, subject: 'student', attachId: (data as { attachId: string }).attachId, ...more }
  return who.post<Row>(`${path}/submit`, draft)
}
async function fill(who: Person, id: unknown, ids: readonly string[], query: Record<string, string> = {}) {
  const answer = await world.http.inject({
    method: 'GET',
    url: `/api/${path}/filled/export`,
    query: { id: String(id), ids: ids.join(), ...query },
    headers: { 'blade-auth': `bearer ${who.token}`, 'accept-language': 'zh' },
  })
  return {
    status: answer.statusCode,
    bytes: answer.rawPayload,
    text: answer.payload,
    type: answer.headers['content-type'],
  }
}
const read = (bytes: Uint8Array): XLSX.WorkBook => XLSX.read(bytes, { type: 'buffer', cellFormula: true })
const at = (sheet: XLSX.WorkSheet, cell: string): unknown => (sheet[cell] as XLSX.CellObject | undefined)?.v

describe('R-DEV-6 a form that an authority prescribes', () => {
  it('is filled with one row: marks become values, all else of the workbook stays byte for byte', async () => {
    const bytes = await card({
      A3: '姓名：{{姓名}}',
      B3: '{{性别}}',
      A4: '{{出生日期|yyyy年M月d日}}',
      B4: '{{班级.年级}}',
      C4: '{{seatNo}}',
      D4: '{{Name}} / {{今天|yyyy}}',
    })
    const saved = await save(admin, bytes)
    expect(saved.msg).toBe('操作成功')
    const filled = await fill(admin, saved.data.id, [pupils[1]!])
    expect(filled.status, filled.text.slice(0, 300)).toBe(200)
    const sheet = read(filled.bytes).Sheets.登记卡!
    expect(at(sheet, 'A3')).toBe('姓名：王二')
    expect(at(sheet, 'B3')).toBe('男')
    expect(at(sheet, 'A4')).toBe('2015年3月2日')
    expect(sheet.C4).toMatchObject({ t: 'n', v: 2 })
    expect(at(sheet, 'D4')).toMatch(/^王二 \/ 20\d\d$/)
    const before = unzipSync(bytes, { filter: ({ name }) => !name.endsWith('/') })
    const after = unzipSync(filled.bytes)
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort())
    const changed = Object.keys(before).filter((name) => !Buffer.from(before[name]!).equals(Buffer.from(after[name]!)))
    expect(changed.sort()).toEqual(['xl/workbook.xml', 'xl/worksheets/sheet1.xml'])
    // Of the sheet only marked cells, what the formula last came to, and the foot.
    const bare = (parts: Record<string, Uint8Array>): string =>
      strFromU8(parts['xl/worksheets/sheet1.xml']!)
        .replace(/<c r="(?:A3|B3|A4|B4|C4|D4|F19)"[\s\S]*?(?:<\/c>|\/>)/g, '')
        .replace(/<oddFooter>[\s\S]*?<\/oddFooter>/, '')
    expect(bare(after)).toBe(bare(before))
    expect(strFromU8(after['xl/worksheets/sheet1.xml']!)).toMatch(/<c r="F19"[^>]*><f>COUNTA\(B6:B15\)<\/f><\/c>/)
    expect(strFromU8(after['xl/workbook.xml']!)).toContain('fullCalcOnLoad="1"')
    expect(strFromU8(after['xl/worksheets/sheet1.xml']!)).toMatch(/<oddFooter>&amp;L&amp;8填表人: /)
  })

  it('lists rows down the places that it has, and goes on in copies of the sheet with its own print area', async () => {
    const bytes = await card(
      { A6: '{{[].序号}}', B6: '{{[].姓名}}', C6: '{{[].seatNo}}', D6: '{{[].备注}}' },
      { rows: 2 },
    )
    const saved = await save(admin, bytes)
    expect(saved.msg).toBe('操作成功')
    const filled = await fill(admin, saved.data.id, pupils)
    expect(filled.status, filled.text.slice(0, 300)).toBe(200)
    const book = read(filled.bytes)
    expect(book.SheetNames).toEqual(['登记卡', '登记卡 (2)', '登记卡 (3)'])
    const rows = book.SheetNames.map((name) =>
      ['A6', 'B6', 'C6', 'A7', 'B7', 'C7'].map((cell) => at(book.Sheets[name]!, cell)),
    )
    expect(rows).toEqual([
      [1, '王一', 1, 2, '王二', 2],
      [3, '李三', 3, 4, '赵四', 4],
      [5, '钱五', 5, undefined, undefined, undefined],
    ])
    // What would be a formula stays a text.
    expect(book.Sheets['登记卡 (3)']!.D6).toMatchObject({ t: 's', v: formula })
    expect(book.Sheets['登记卡 (3)']!.D6.f).toBeUndefined()
    for (const name of book.SheetNames) expect(book.Sheets[name]!['!merges']).toEqual(book.Sheets.登记卡!['!merges'])
    const areas = book.Workbook!.Names!.filter(({ Name }) => Name === '_xlnm.Print_Area').map(({ Ref }) => Ref)
    expect(areas).toHaveLength(3)
    expect(areas[2]).toContain("'登记卡 (3)'!")
    const again = new excel.Workbook()
    await again.xlsx.load(filled.bytes as never)
    expect(again.worksheets.map((each) => each.getImages().length)).toEqual([1, 1, 1])
  })

  it('is filled with many as copies in one workbook, or as a zip of workbooks', async () => {
    const saved = await save(admin, await card({ A3: '{{姓名}}' }))
    const book = await fill(admin, saved.data.id, pupils.slice(0, 3))
    expect(read(book.bytes).SheetNames).toEqual(['登记卡', '登记卡 (2)', '登记卡 (3)'])
    const zip = await fill(admin, saved.data.id, pupils.slice(0, 3), { into: 'zip' })
    expect(zip.type).toBe('application/zip')
    const files = unzipSync(zip.bytes)
    expect(Object.keys(files).map((name) => name.replace(/^表样\d+-/, ''))).toEqual([
      '王一.xlsx',
      '王二.xlsx',
      '李三.xlsx',
    ])
    expect(Object.values(files).map((bytes) => at(read(bytes).Sheets.登记卡!, 'A3'))).toEqual(['王一', '王二', '李三'])
  })

  it('is refused while a mark is unknown, by sheet, cell and the nearest name', async () => {
    const saved = await save(admin, await card({ A3: '{{姓明}}', B4: '{{qwertyuiopasdf}}' }))
    expect(saved.status).toBe(400)
    expect(JSON.stringify(saved)).toContain('工作表“登记卡”的单元格A3：没有名为“姓明”的字段，是否为“姓名”')
    expect(JSON.stringify(saved)).toContain('单元格B4：没有名为“qwertyuiopasdf”的字段')
    expect(JSON.stringify(await save(admin, await card({})))).toContain('没有找到标记')
  })

  it('is refused with macros, links, embedded objects, too much inside, or when it is no workbook', async () => {
    const good = unzipSync(await card({ A3: '{{姓名}}' }))
    const packed = (more: Record<string, Uint8Array>): Buffer => Buffer.from(zipSync({ ...good, ...more }))
    const types = strFromU8(good['[Content_Types].xml']!)
    const cases: [Buffer, RegExp][] = [
      [packed({ 'xl/macrosheets/sheet1.xml': strToU8('<x/>') }), /含有宏/],
      [
        packed({ '[Content_Types].xml': strToU8(types.replace('sheet.main+xml', 'sheet.macroEnabled.main+xml')) }),
        /含有宏/,
      ],
      [packed({ 'xl/externalLinks/externalLink1.xml': strToU8('<x/>') }), /引用了其他工作簿/],
      [packed({ 'xl/embeddings/oleObject1.bin': strToU8('x') }), /嵌入对象/],
      [packed({ 'xl/connections.xml': strToU8('<x/>') }), /外部数据连接/],
      [packed({ 'xl/media/bomb.png': new Uint8Array(80 * 1_048_576) }), /解压后过大/],
      [
        packed({ 'xl/workbook.xml': strToU8(`<!DOCTYPE a [<!ENTITY b "c">]>${strFromU8(good['xl/workbook.xml']!)}`) }),
        /已损坏/,
      ],
    ]
    for (const [bytes, words] of cases) {
      const saved = await save(admin, bytes)
      expect(saved.code, String(words)).not.toBe(200)
      expect(saved.msg).toMatch(words)
    }
    const { data } = await admin.get<{ total: number }>(`${path}/list`, {})
    expect(data.total).toBe(3)
  })

  it('holds the personal numbers masked, and in full for whoever may read them; that it was filled is recorded', async () => {
    const [{ id_no }] = (
      await world.owner.query<{ id_no: unknown }>('select id_no from student where tenant_id = $1 and id = $2', [
        admin.tenantId,
        pupils[0],
      ])
    ).rows as [{ id_no: unknown }]
    expect(id_no).not.toBeNull()
    const saved = await save(admin, await card({ A3: '{{身份证件号}}' }))
    expect(saved.msg).toBe('操作成功')
    const count = async () =>
      (
        await world.owner.query<{ n: number }>(
          `select count(*)::int as n from read_log where tenant_id = $1 and kind = 'export'`,
          [admin.tenantId],
        )
      ).rows[0]!.n
    const before = await count()
    const masked = at(read((await fill(admin, saved.data.id, [pupils[0]!])).bytes).Sheets.登记卡!, 'A3')
    expect(masked).toMatch(/\*/)
    expect(await count()).toBeGreaterThan(before)
    const full = at(
      read((await fill(admin, saved.data.id, [pupils[0]!], { personal: '1' })).bytes).Sheets.登记卡!,
      'A3',
    )
    expect(full).toMatch(/^\d{17}[\dX]$/)
  })

  it('names the first of the rows that belong to one, in their order, each list by its own right, mask and record', async () => {
    const parents: [number, string, string, number][] = [
      [0, '王父', '13800000001', 1],
      [0, '王母', '13900000001', 2],
      [1, '王爷', '13700000001', 1],
    ]
    for (const [of, parentName, mobile, contactPriority] of parents) {
      const { draft } = await sample(admin, studentparents, made)
      const saved = await admin.post('blade-user/studentparents/submit', {
        ...{ ...draft, studentId: pupils[of], parentName, mobile, contactPriority, idType: null, idNo: null },
        ...{ relation: { 王父: '51', 王母: '52', 王爷: '61' }[parentName] },
      })
      expect(saved.msg).toBe('操作成功')
    }
    const cells = {
      A3: '{{姓名}}',
      B4: '{{家长1.姓名}}',
      C4: '{{家长1.手机}}',
      D4: '{{Parent2.parentName}}（{{家长2.手机}}）',
    }
    const saved = await save(admin, await card(cells))
    expect(saved.msg).toBe('操作成功')
    const told = async (who: Person, query: Record<string, string> = {}) => {
      const filled = await fill(who, saved.data.id, pupils.slice(0, 3), query)
      if (filled.status !== 200) return filled.text
      const book = read(filled.bytes)
      return book.SheetNames.map((name) => ['A3', 'B4', 'C4', 'D4'].map((cell) => at(book.Sheets[name]!, cell) ?? null))
    }
    const records = async () =>
      (
        await world.owner.query<{ n: number }>(
          `select count(*)::int as n from read_log where tenant_id = $1 and kind = 'export' and entity = 'studentparents'`,
          [admin.tenantId],
        )
      ).rows[0]!.n
    expect(await told(admin)).toEqual([
      ['王一', '王父', '*********01', '王母（*********01）'],
      ['王二', '王爷', '*********01', '（）'],
      ['李三', null, null, '（）'],
    ])
    expect(await told(admin, { personal: '1' })).toEqual([
      ['王一', '王父', '13800000001', '王母（13900000001）'],
      ['王二', '王爷', '13700000001', '（）'],
      ['李三', null, null, '（）'],
    ])
    expect(await records()).toBeGreaterThan(0)
    const codes = ['fixedform_view', 'student_view', 'student_export', 'student_personal', 'studentparents_view']
    const clerk = await world.colleague(admin, codes)
    const full = await world.colleague(admin, [...codes, 'studentparents_export'])
    const roleIds = [clerk, full].map(async (who) =>
      String((await admin.get<Row>('blade-user/detail', { id: who.userId })).data.roleId),
    )
    await admin.post(`${path}/submit`, { id: saved.data.id, roleIds: await Promise.all(roleIds) })
    expect(await told(clerk)).toContain('studentparents_export')
    expect(await told(full, { personal: '1' })).toContain('studentparents_personal')
    expect((await told(full))[0]).toEqual(['王一', '王父', '*********01', '王母（*********01）'])
    const wrong = await save(admin, await card({ B4: '{{家长1.手机号}}', C4: '{{家长0.姓名}}' }))
    expect(wrong.msg).toContain('单元格B4：没有名为“家长1.手机号”的字段，是否为“家长1.手机”')
    expect(JSON.stringify(wrong.data)).toContain('C4')
  })

  it.each(['zh', 'en'] as const)('comes with the product, to be saved as it is and filled (%s)', async (language) => {
    for (const key of shippedFormKeys) {
      const answer = await world.http.inject({
        method: 'GET',
        url: `/api/${path}/shipped?key=${key}`,
        headers: { 'blade-auth': `bearer ${admin.token}`, 'accept-language': language },
      })
      expect([key, answer.statusCode]).toEqual([key, 200])
      for (const { label, content } of reportsOf(key))
        await admin.post('blade-report/report/rest/submit', { name: label[language], content })
      const { subject } = shippedForms[key]
      const saved = await save(admin, answer.rawPayload, { subject }, `${key}.xlsx`)
      expect([key, saved.msg]).toEqual([key, '操作成功'])
      const ids = subject === 'school' ? [made.get('school')!] : pupils.slice(0, key === 'classList' ? 3 : 1)
      const filled = await fill(admin, saved.data.id, ids)
      expect([key, filled.status]).toEqual([key, 200])
      const texts = Object.values(read(filled.bytes).Sheets)
        .flatMap((sheet) => Object.entries(sheet))
        .flatMap(([cell, { v }]) => (cell.startsWith('!') ? [] : String(v)))
      if (subject === 'student') expect([key, texts.some((text) => text.includes('王一'))]).toEqual([key, true])
      // No mark is left, and the pupil's own school heads it.
      expect([key, texts.filter((text) => text.includes('{{'))]).toEqual([key, []])
      const { data } = await admin.get<Row>('blade-user/school/detail', { id: made.get('school')! })
      expect([key, texts.some((text) => text.includes(String(data.schoolName)))]).toEqual([key, true])
      if (key === 'startOfYear') {
        const sheet = Object.values(read(filled.bytes).Sheets)[0]!
        const wanted = await Promise.all(
          [{}, { sex: '1' }, { sex: '2' }].map(async (more) => {
            const query = { schoolId: made.get('school')!, status: '1', ...more }
            return (await admin.get<{ total: number }>('blade-user/student/list', query)).data.total
          }),
        )
        expect(['D19', 'E19', 'F19'].map((cell) => sheet[cell]?.v)).toEqual(wanted)
      }
      if (key === 'recordCard') expect(texts).toEqual(expect.arrayContaining(['王父', '王母']))
    }
    expect((await admin.get(`${path}/shipped`, { key: 'nothing' })).status).toBe(400)
    const reader = await world.colleague(admin, ['fixedform_view'])
    expect((await reader.get(`${path}/shipped`, { key: 'classList' })).status).toBe(403)
  })

  it('is filled in the background too, kept for whoever asked', async () => {
    const saved = await save(admin, await card({ A3: '{{姓名}}' }))
    const asked = await admin.post<{ jobId: string }>(`${path}/filled/export-job`, undefined, {
      query: { id: String(saved.data.id), ids: pupils.join() },
    })
    expect(asked.msg).toBe('操作成功')
  })

  it('takes the form being shared, the right to export the rows, and for full numbers that to see them', async () => {
    const codes = ['fixedform_view', 'student_view', 'schoolclass_view']
    const viewer = await world.colleague(admin, codes)
    const clerk = await world.colleague(admin, [...codes, 'student_export'])
    const roleOf = async (who: Person) =>
      String((await admin.get<Row>('blade-user/detail', { id: who.userId })).data.roleId)
    const unshared = await save(admin, await card({ A3: '{{姓名}}' }))
    expect((await fill(clerk, unshared.data.id, [pupils[0]!])).status).toBe(404)
    const roleIds = [await roleOf(viewer), await roleOf(clerk)]
    const shared = await save(admin, await card({ A3: '{{姓名}}{{身份证件号}}' }), { roleIds })
    expect((await fill(viewer, shared.data.id, [pupils[0]!])).status).toBe(403)
    expect((await fill(clerk, shared.data.id, [pupils[0]!], { personal: '1' })).status).toBe(403)
  })

  it('is of its tenant alone, and holds no row of another', async () => {
    const saved = await save(admin, await card({ A3: '{{姓名}}' }))
    const other = await world.tenant()
    expect((await fill(other, saved.data.id, [pupils[0]!])).status).toBe(404)
    const own = await save(other, await card({ A3: '{{姓名}}' }))
    const filled = await fill(other, own.data.id, [pupils[0]!])
    expect(filled.status).toBe(400)
    expect(filled.text).toContain('不在您的数据范围内')
  })
})
