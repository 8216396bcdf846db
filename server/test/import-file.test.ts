import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  batchOf,
  checked,
  committed,
  csv,
  faultyRows,
  headingOf,
  idNoOf,
  line,
  makeSchool,
  mappingOf,
  type Place,
  type RowView,
  sendFile,
  table,
  uploaded,
  xlsx,
} from './import-parts.ts'
import { xlsxOf } from './rosters/write.ts'
import { zip } from './rosters/zip.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person
let place: Place
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  place = await makeSchool(admin)
})
afterAll(() => world.close())

const sent = (name: string, bytes: Buffer) => sendFile(world, admin, name, bytes, { schoolId: place.schoolId })

describe('a file that is none', () => {
  it('R-ERR-5 is refused before it is unpacked when it is a zip bomb', async () => {
    const answer = await sent('a.xlsx', zip([{ name: 'xl/workbook.xml', data: Buffer.alloc(64 * 1_048_576, 65) }]))
    expect(answer).toMatchObject({
      status: 400,
      msg: '文件解压后过大（上限200MB，压缩比100）',
      data: { field: 'file' },
    })
  })

  it('ends in words when its directory lies about the size', async () => {
    const huge = Buffer.alloc(64 * 1_048_576, 65)
    const answer = await sent('a.xlsx', zip([{ name: 'xl/workbook.xml', data: huge, size: 1_000 }]))
    expect(answer.status).toBe(200)
    expect(await batchOf(admin, answer.data.id)).toMatchObject({
      state: 'failed',
      failure: '文件已损坏，请重新保存后上传',
    })
  })

  it('is refused when it holds too many parts, is cut off, is empty, or is of another kind', async () => {
    const many = Array.from({ length: 101 }, (_part, at) => ({ name: `p${at}`, data: Buffer.from('x') }))
    expect(await sent('a.xlsx', zip(many))).toMatchObject({ status: 400, msg: '压缩包内有101个文件，上限为100' })
    const good = await xlsx(table([line(place, 0)]))
    expect(await sent('a.xlsx', good.subarray(0, good.length - 300))).toMatchObject({
      status: 400,
      msg: '文件已损坏，请重新保存后上传',
    })
    expect(await sent('a.xlsx', Buffer.from('%PDF-1.7 no spreadsheet'))).toMatchObject({
      status: 400,
      msg: '这是PDF 文件，不是表格文件。请把内容录入或识别到 Excel 表格后上传',
    })
    expect(await sent('a.xlsx', Buffer.alloc(0))).toMatchObject({ status: 400, msg: '文件是空的' })
    // What it is called does not matter.
    expect(await sent('a.exe', good)).toMatchObject({ status: 200 })
  })

  it('is refused by its size alone at 50 MB', async () => {
    const answer = await sent('a.csv', Buffer.alloc(50 * 1_048_576, 65))
    expect(answer).toMatchObject({ status: 413, msg: '内容太大，上限为 20 MB' })
  })

  it('is told what is missing when no row is a heading', async () => {
    const batch = await uploaded(
      world,
      admin,
      place,
      await xlsx([
        ['a', 'b', 'c'],
        ['1', '2', '3'],
      ]),
    )
    expect(batch.state).toBe('failed')
    expect(batch.failure).toContain('没有找到标题行')
  })

  it('holds no XML entities', async () => {
    const sheet =
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><worksheet><sheetData><row><c t="inlineStr"><is><t>&a;</t></is></c></row></sheetData></worksheet>'
    const batch = await uploaded(world, admin, place, zip(packageOf(sheet.padEnd(400))))
    expect(batch).toMatchObject({ state: 'failed', failure: '文件含有不允许的 XML 声明' })
  })
})

const packageOf = (sheet: string) => [
  {
    name: 'xl/workbook.xml',
    data: Buffer.from('<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>'),
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    data: Buffer.from('<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>'),
  },
  { name: 'xl/worksheets/sheet1.xml', data: Buffer.from(sheet) },
]

describe('an xlsx file', () => {
  it('is read below title rows, past the example row, with its rows numbered as in the sheet', async () => {
    const rows = table([line(place, 0)])
    const example = [`示例(本行不会导入)`, ...rows[1]!.slice(1)]
    const batch = await checked(
      world,
      admin,
      place,
      await xlsx([['2026年新生名单'], ['填表人:王老师'], rows[0]!, example, [], rows[1]!]),
    )
    expect(batch).toMatchObject({ state: 'checked', total: 1, counts: { add: 1 } })
    const good = await admin.get<{ records: { row: number }[] }>('blade-user/import/rows', {
      id: batch.id,
      state: 'good',
    })
    expect(good.data.records.map((row) => row.row)).toEqual([6])
  })

  it('R-ERR-5 does without a formula that nobody has computed where the identity number says the same, and only there', async () => {
    const [sex, birth] = [{ formula: 'MOD(MID(D2,17,1),2)' }, { formula: 'MID(D2,7,8)' }]
    const batch = await checked(
      world,
      admin,
      place,
      await xlsx([
        ['姓名', '性别', '出生日期', '身份证号', '班级'],
        ['王小明', sex, birth, '110103201309050016', '七年级(1)班'],
        ['李小红', sex, birth, '', '七年级(1)班'],
      ]),
    )
    expect(batch.counts).toMatchObject({ add: 1, bad: 1 })
    const [row] = await faultyRows(admin, batch.id)
    expect(row?.faults.map((fault) => fault.field).sort()).toEqual(['student.birthDate', 'student.sex'])
  })

  it('R-ERR-5 names a formula, an error value, and a number that Excel has rounded', async () => {
    const keys = [
      'student.name',
      'student.sex',
      'student.idNo',
      'student.classId',
      'student.enrollDate',
      'student.remark',
    ]
    const batch = await checked(
      world,
      admin,
      place,
      await xlsx([
        keys.map(headingOf),
        ['王小明', '男', Number('110103201309050016'), '七年级(1)班', '2026-09-01', { formula: '1+1' }],
      ]),
    )
    const [row] = await faultyRows(admin, batch.id)
    expect(row?.faults.find((fault) => fault.field === 'student.remark')?.message).toBe(
      '公式没有计算结果，请用 Excel 打开并保存后重新上传，或改成数值',
    )
    expect(row?.faults.find((fault) => fault.field === 'student.idNo')?.message).toBe(
      '数字过长，末尾几位已被Excel丢失，请把单元格设为文本后重新填写',
    )
    expect(row?.cells[5]).toBe('')
  })

  it('reads days in every form in which they are written', async () => {
    const forms = ['2013-09-05', '2013/9/5', '20130905', '2013年9月5日', 41522, new Date(Date.UTC(2013, 8, 5))]
    const keys = [
      'student.name',
      'student.sex',
      'student.birthDate',
      'student.idNo',
      'student.classId',
      'student.enrollDate',
    ]
    const rows = forms.map((form, at) => [
      '王小明',
      '男',
      form,
      idNoOf('2013-09-05', at * 2 + 101),
      '七1班'.replace('七', place.grade),
      '2026年9月',
    ])
    const batch = await checked(world, admin, place, await xlsx([keys.map(headingOf), ...rows]))
    expect(batch.counts).toMatchObject({ add: forms.length, bad: 0 })
  })

  it('written by other programs is read as well: prefixed tags, cells without places, texts in runs', async () => {
    const keys = ['姓名', '性别', '身份证号', '班级', '入学日期']
    const values = ['王小明', '男', idNoOf('2013-09-05', 201), `${place.grade}(1)班`, '2026-09-01']
    const cell = (text: string): string =>
      `<x:c t="inlineStr"><x:is><x:r><x:t>${text.slice(0, 1)}</x:t></x:r><x:r><x:t xml:space="preserve">${text.slice(1)}</x:t></x:r><x:rPh sb="0" eb="1"><x:t>读音</x:t></x:rPh></x:is></x:c>`
    const row = (cells: string[]): string => `<x:row>${cells.map(cell).join('')}</x:row>`
    const sheet = `<?xml version="1.0"?><x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>${row(keys)}${row(values)}</x:sheetData></x:worksheet>`
    const batch = await checked(world, admin, place, zip(packageOf(sheet)))
    expect(batch).toMatchObject({ counts: { add: 1, bad: 0 } })
  })
})

describe('other sheets of a file', () => {
  const head = ['姓名', '性别', '班级']
  const file = () =>
    xlsxOf([
      { name: '新生', rows: [head, ['王小明', '男', '1班'], ['李小红', '女', '1班']] },
      { name: '说明', rows: [['请按户口本填写']] },
      { name: '转出', rows: [head, ['赵小刚', '男', '2班']] },
    ])
  const choose = (who: Person, id: string, sheets: unknown) => who.post('blade-user/import/sheets', { id, sheets })

  it('are read when somebody asks for them, in place of what was proposed', async () => {
    const batch = await uploaded(world, admin, place, await file())
    expect(batch).toMatchObject({ state: 'mapping', total: 2 })
    expect(await choose(admin, batch.id, [2])).toMatchObject({ status: 200, data: { state: 'reading' } })
    const other = await batchOf(admin, batch.id)
    expect(other).toMatchObject({ state: 'mapping', total: 1, failure: null })
    expect(other.columns[0]?.samples).toEqual(['赵小刚'])
    await choose(admin, batch.id, [0, 2])
    const both = await batchOf(admin, batch.id)
    expect(both.total).toBe(3)
    expect(both.columns.map(({ heading }) => heading)).toEqual([...head, '工作表'])
  })

  it('are refused in words when there are none, and belong to whoever holds the batch', async () => {
    const batch = await uploaded(world, admin, place, await file())
    expect(await choose(admin, batch.id, [1])).toMatchObject({ status: 400, msg: '工作表“说明”里没有找到标题行' })
    expect(await choose(admin, batch.id, [9])).toMatchObject({ status: 400, msg: '文件没有第10张工作表' })
    for (const wrong of [undefined, [], 'x', [-1], [1.5]])
      expect((await choose(admin, batch.id, wrong)).status, String(wrong)).toBe(400)
    const stranger = await world.tenant()
    expect((await choose(stranger, batch.id, [2])).status).toBe(404)
    expect(await batchOf(admin, batch.id)).toMatchObject({ state: 'mapping', total: 2 })
  })

  /** Two rows that are as much a heading, the second over a table of another kind. */
  const two = () =>
    xlsxOf([
      {
        rows: [
          ['姓名', '性别', '班级', '电话'],
          ['班级', '班主任', '联系电话', '备注'],
          ['1班', '周老师', '13800000001', ''],
          ['学生姓名', '男女', '身份证号', '所在班级'],
          ['王小明', '男', idNoOf('2013-09-05', 1), '1班'],
          ['李小红', '女', idNoOf('2013-09-05', 2), '1班'],
        ],
      },
    ])
  interface Open {
    source: {
      unsure: { sheets: boolean; heading: boolean }
      chosen: number[]
      views: { sheet: number; top: number; bottom: number; rows: { row: number; cells: string[] }[] }[]
    }
  }
  const opened = async (who: Person, id: string) => (await batchOf(who, id)) as unknown as Open

  it('are shown with their first rows where two rows may be the heading; the one pointed at is taken, and known the next time', async () => {
    const clerk = await world.tenant()
    const own = await makeSchool(clerk)
    const batch = await uploaded(world, clerk, own, await two())
    const { source } = await opened(clerk, batch.id)
    expect(source.unsure).toEqual({ sheets: false, heading: true })
    expect(source.views[0]?.rows.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5, 6])
    expect(source.views[0]?.rows[3]?.cells[0]).toBe('学生姓名')
    const point = (row: number) =>
      clerk.post('blade-user/import/sheets', { id: batch.id, sheets: [0], heading: { sheet: 0, row } })
    expect((await point(4)).status).toBe(200)
    const pointed = await batchOf(clerk, batch.id)
    expect(pointed).toMatchObject({ state: 'mapping', total: 2, failure: null })
    expect(pointed.columns.map(({ heading }) => heading).slice(0, 4)).toEqual([
      '学生姓名',
      '男女',
      '身份证号',
      '所在班级',
    ])
    expect((await opened(clerk, batch.id)).source).toMatchObject({
      ...{ unsure: { sheets: false, heading: false }, views: [{ top: 4, bottom: 4 }] },
    })
    const again = await uploaded(world, clerk, own, await two())
    expect(again.total).toBe(2)
    expect((await opened(clerk, again.id)).source.unsure.heading).toBe(false)
    const learned =
      await clerk.get<{ field: string; word: string; label: string; answer: string }[]>('blade-user/import/learned')
    expect(learned.data).toMatchObject([{ label: '标题行', answer: '学生姓名 男女 身份证号 所在班级' }])
    // Another tenant is asked, and so are these once it is forgotten.
    const elsewhere = await uploaded(world, admin, place, await two())
    expect((await opened(admin, elsewhere.id)).source.unsure.heading).toBe(true)
    await clerk.post('blade-user/import/forget', {})
    const anew = await uploaded(world, clerk, own, await two())
    expect((await opened(clerk, anew.id)).source.unsure.heading).toBe(true)
  })

  it('are as they were where the row that was pointed at leads nowhere, and a row of people is not remembered', async () => {
    const clerk = await world.tenant()
    const own = await makeSchool(clerk)
    const batch = await uploaded(world, clerk, own, await two())
    const { total } = batch
    const point = (row: number) =>
      clerk.post('blade-user/import/sheets', { id: batch.id, sheets: [0], heading: { sheet: 0, row } })
    expect(await point(6)).toMatchObject({ status: 400, msg: '标题行下面没有数据' })
    expect(await point(99)).toMatchObject({ status: 400, msg: '第99行不在可选的行中' })
    expect((await point(5)).status).toBe(200)
    expect((await batchOf(clerk, batch.id)).state).toBe('mapping')
    expect((await clerk.get('blade-user/import/learned')).data).toEqual([])
    expect((await point(2)).status).toBe(200)
    const back = await batchOf(clerk, batch.id)
    expect(back.state).toBe('mapping')
    expect(back.total).toBeGreaterThan(0)
    expect(total).toBeGreaterThan(0)
  })

  it('of two kinds that both may hold the people are asked about once; whoever goes on has answered', async () => {
    const clerk = await world.tenant()
    const own = await makeSchool(clerk)
    const people = (at: number) =>
      ['王小明', '李小红', '赵小刚'].map((name, index) => [
        `${name}`,
        index % 2 ? '女' : '男',
        `201${3 + at}-09-05`,
        '1班',
      ])
    const pages = () =>
      xlsxOf([
        { name: '在校', rows: [['姓名', '性别', '出生日期', '班级'], ...people(0)] },
        {
          name: '新来',
          rows: [['学生', '男女', '生日', '现班级', '原学校'], ...people(1).map((row) => [...row, '外校'])],
        },
      ])
    const batch = await uploaded(world, clerk, own, await pages())
    const { source } = await opened(clerk, batch.id)
    expect(source.unsure).toEqual({ sheets: true, heading: false })
    expect(source.views.map(({ sheet }) => sheet).toSorted()).toEqual([0, 1])
    await clerk.post('blade-user/import/mapping', { id: batch.id, mapping: mappingOf(batch) })
    await batchOf(clerk, batch.id)
    const again = await uploaded(world, clerk, own, await pages())
    const next = (await opened(clerk, again.id)).source
    expect([next.unsure.sheets, next.chosen]).toEqual([false, source.chosen])
  })

  it('leave no text of the file unsealed, titles and notes among them', async () => {
    const batch = await uploaded(
      world,
      admin,
      place,
      await xlsxOf([{ rows: [['班主任赵大海的名单'], head, ['王小明', '男', '1班'], ['填表人：钱大江']] }]),
    )
    const [rows, batches] = await Promise.all(
      [
        `select * from import_row where batch_id = ${batch.id}`,
        `select * from import_batch where id = ${batch.id}`,
      ].map((statement) => world.owner.query(statement)),
    )
    const kept = JSON.stringify([rows?.rows, batches?.rows])
    for (const secret of ['赵大海', '钱大江', '王小明']) {
      expect(kept).not.toContain(secret)
      expect(kept).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })
})

describe('a CSV file', () => {
  it('is read in UTF-8, with and without its mark', async () => {
    const plain = csv(table([line(place, 0)]))
    for (const bytes of [plain, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain])])
      expect(await checked(world, admin, place, bytes, 'a.csv')).toMatchObject({ counts: { add: 1 } })
  })

  it('is read in GB18030, as Excel for Chinese Windows writes it', async () => {
    // 姓名,性别,班级,身份证号,入学年月 and 王小明,男 in GBK.
    const gbk = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')
    const head = Buffer.concat([
      gbk('d0d5c3fb'),
      gbk('2c'),
      gbk('d0d4b1f0'),
      gbk('2c'),
      gbk('b0e0bcb6'),
      gbk('2c'),
      gbk('c9edb7ddd6a4bac5'),
      gbk('2c'),
      gbk('c8ebd1a7c4ead4c2'),
    ])
    const row = Buffer.concat([
      gbk('cdf5d0a1c3f7'),
      gbk('2c'),
      gbk('c4d0'),
      gbk('2cc6df'),
      Buffer.from(`1,${idNoOf('2013-09-05', 301)},2026-09-01`),
    ])
    const batch = await checked(world, admin, place, Buffer.concat([head, Buffer.from('\r\n'), row]), 'a.csv')
    expect(batch).toMatchObject({ counts: { add: 1, bad: 0 } })
    expect(batch.columns[0]).toMatchObject({ heading: '姓名', samples: ['王小明'] })
  })

  it('R-ERR-5 takes a cell of plain text as it was typed, whatever sign it begins with', async () => {
    const typed = ['=好+1', '+86', '-无', '@王老师', "'=好", '="0012"']
    const rows = table(typed.map((remark, at) => line(place, 10 + 2 * at, { 'student.remark': remark })))
    const [head = [], ...lines] = rows
    const quoted = lines.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`))
    const batch = await checked(world, admin, place, csv([head, ...quoted]), 'a.csv')
    expect(batch.counts).toMatchObject({ add: typed.length, bad: 0 })
    const at = batch.columns.findIndex(({ key }) => key === 'student.remark')
    const read = await admin.get<{ records: RowView[] }>('blade-user/import/rows', { id: batch.id, state: 'good' })
    expect(read.data.records.map(({ cells }) => cells[at])).toEqual([...typed.slice(0, 4), '=好', '0012'])
  })
})

describe('what is written for the clerk', () => {
  it('is a template that is read back as it stands, its example row passed over', async () => {
    const answer = await world.http.inject({
      method: 'GET',
      url: '/api/blade-user/import/template',
      query: { schoolId: place.schoolId },
      headers: { 'blade-auth': `bearer ${admin.token}` },
    })
    expect(answer.headers['content-type']).toContain('spreadsheetml')
    const { default: excel } = await import('@zurmokeeper/exceljs')
    const book = new excel.Workbook()
    await book.xlsx.load(answer.rawPayload as unknown as ArrayBuffer)
    expect(book.worksheets.map((sheet) => sheet.state)).toEqual(['visible', 'visible', 'veryHidden'])
    const sheet = book.worksheets[0]!
    const headings = (sheet.getRow(1).values as string[]).slice(1)
    expect(headings.slice(0, 4)).toEqual(['学校标识码', '姓名★', '性别★', '出生日期★'])
    const filled = line(place, 0)
    for (const [key, value] of Object.entries(filled))
      sheet.getCell(3, headings.findIndex((each) => each.replace('★', '') === headingOf(key)) + 1).value = value
    const batch = await checked(world, admin, place, Buffer.from(await book.xlsx.writeBuffer()))
    expect(batch).toMatchObject({ total: 1, missing: [], counts: { add: 1, bad: 0 } })
    expect(batch.columns.every((column) => column.key !== null)).toBe(true)
    expect((await admin.get('blade-user/import/template')).status).toBe(200)
    const plain = await admin.get('blade-user/import/template', { format: 'csv' })
    expect(String(plain.data)).toMatch(/^\ufeff学校标识码,姓名★,/)
  })

  it('is a short template of twelve columns, matched by itself, its example row passed over', async () => {
    const answer = await world.http.inject({
      method: 'GET',
      url: '/api/blade-user/import/template',
      query: { schoolId: place.schoolId, short: '1' },
      headers: { 'blade-auth': `bearer ${admin.token}` },
    })
    const { default: excel } = await import('@zurmokeeper/exceljs')
    const book = new excel.Workbook()
    await book.xlsx.load(answer.rawPayload as unknown as ArrayBuffer)
    const sheet = book.worksheets[0]!
    expect((sheet.getRow(1).values as string[]).slice(1)).toHaveLength(12)
    const row = [
      '王小红',
      '女',
      '2013-09-05',
      '',
      place.grade,
      '1班',
      '',
      '汉族',
      '幸福路1号',
      '王大力',
      '父亲',
      '13900001111',
    ]
    for (const [at, value] of row.entries()) sheet.getCell(3, at + 1).value = value
    const batch = await checked(world, admin, place, Buffer.from(await book.xlsx.writeBuffer()))
    expect(batch).toMatchObject({ total: 1, missing: [], counts: { add: 1, bad: 0 } })
    expect(batch.columns.every((column) => column.key !== null)).toBe(true)
  })

  it('is a file of the faulty rows, in which nothing is computed and which can be imported again', async () => {
    const bad = line(place, 0, { 'student.remark': '@SUM(1+1)', 'student.sex': '男男' })
    const batch = await checked(world, admin, place, await xlsx(table([bad, line(place, 2)])))
    const answer = await world.http.inject({
      method: 'GET',
      url: '/api/blade-user/import/faults',
      query: { id: batch.id },
      headers: { 'blade-auth': `bearer ${admin.token}`, 'accept-language': 'zh' },
    })
    const { default: excel } = await import('@zurmokeeper/exceljs')
    const book = new excel.Workbook()
    await book.xlsx.load(answer.rawPayload as unknown as ArrayBuffer)
    const sheet = book.worksheets[0]!
    expect(sheet.getCell(1, sheet.columnCount).value).toBe('未导入原因')
    expect(sheet.getCell(2, sheet.columnCount).value).toContain('性别：不是可选的值')
    const cells = (sheet.getRow(2).values as string[]).slice(1)
    expect(cells).toContain("'@SUM(1+1)")
    sheet.getCell(2, cells.indexOf('男男') + 1).value = '男'
    const again = await checked(world, admin, place, Buffer.from(await book.xlsx.writeBuffer()))
    expect(again).toMatchObject({ total: 1, counts: { add: 1 } })
    const done = await committed(admin, again.id)
    expect(done.state).toBe('done')
    const list = await admin.get<{ records: { id: string }[] }>('blade-user/student/list', { keyword: 'wxm' })
    const detail = await admin.get<{ remark: string }>('blade-user/student/detail', { id: list.data.records[0]!.id })
    expect(detail.data.remark).toBe('@SUM(1+1)')
  })
})
