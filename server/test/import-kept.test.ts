import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schoolWith } from './import-entity-parts.ts'
import { batchOf, checked, committed, faultyRows, idNoOf, type Place } from './import-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** Rosters as other programs save them and as people bend them. */

let world: World
let who: Person
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const classNos = Array.from({ length: 12 }, (_class, at) => at + 1)
const fresh = async (many = 2): Promise<Place> => {
  who = await world.tenant()
  const classes = classNos.slice(0, many).map((no) => ['13', no] as const)
  return { ...(await schoolWith(who, classes)), grade: '三年级', classIds: [] }
}

type Shape = (book: excel.Workbook, sheet: excel.Worksheet) => void
async function book(rows: readonly (readonly unknown[])[], shape?: Shape, name = 'Sheet1'): Promise<Buffer> {
  const made = new excel.Workbook()
  const sheet = made.addWorksheet(name)
  for (const row of rows) sheet.addRow([...row])
  shape?.(made, sheet)
  return Buffer.from(await made.xlsx.writeBuffer())
}

/** What is wrong with the rows of a file, by row and heading. */
const faultsOf = async (id: string): Promise<string[]> =>
  (await faultyRows(who, id)).flatMap(({ row, faults }) =>
    faults.map(({ label, message }) => `${row} ${label} ${message}`),
  )

/** Brings a file in, and answers the pupils with what their guardians' phones are. */
async function stored(school: Place, bytes: Buffer, name: string): Promise<string[]> {
  const batch = await checked(world, who, school, bytes, name)
  expect(await faultsOf(batch.id), JSON.stringify(batch.columns.map(({ heading, key }) => [heading, key]))).toEqual([])
  expect(await committed(who, batch.id)).toMatchObject({ state: 'done', failure: null })
  const pupils: Row[] = []
  for (let current = 1; current <= 3; current += 1)
    pupils.push(...(await who.get<{ records: Row[] }>('blade-user/student/list', { current, size: 50 })).data.records)
  const parents = (await who.get<{ records: Row[] }>('blade-user/studentparents/list', { size: 50 })).data.records
  const phones = new Map<string, string>()
  for (const { id, studentId } of parents)
    phones.set(
      String(studentId),
      (await who.get<{ mobile: string }>('blade-user/studentparents/personal', { id })).data.mobile,
    )
  return pupils
    .map((row) =>
      [row.name, row.sex, row.birthDate, String(row.className).replace('三年级', ''), phones.get(row.id) ?? '']
        .join(' ')
        .trim(),
    )
    .toSorted()
}

const head = ['姓名', '性别', '出生日期', '班级', '家长电话']
const two = [
  ['赵一一', '男', '2018-03-04', '三（1）班', '13800000001'],
  ['钱二二', '女', '2018-05-06', '三（2）班', '13800000002'],
]
const both = ['赵一一 1 2018-03-04 （1）班 13800000001', '钱二二 2 2018-05-06 （2）班 13800000002'].toSorted()
const lines = (rows: readonly (readonly string[])[], between: string, end = '\r\n'): string =>
  rows.map((row) => row.join(between)).join(end)

describe('R-IMP-1 a roster as another program saves it', () => {
  it.each([
    [
      'UTF-16 text of Excel',
      '名单.txt',
      () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(lines([head, ...two], '\t'), 'utf16le')]),
    ],
    [
      'UTF-8 with a mark, days as numbers',
      '名单.csv',
      () =>
        Buffer.from(
          `\ufeff${lines([head, [two[0]![0]!, '男', '43163', '三1班', '13800000001'], [two[1]![0]!, '女', '43226', '三2班', '13800000002']], ',')}`,
        ),
    ],
    [
      'semicolons, quotes and a break in a heading',
      '名单.csv',
      () =>
        Buffer.from(
          `"姓名";"性别";"出生\n日期";"班级";"家长电话"\n${lines(
            two.map((row) => row.map((cell) => `"${cell}"`)),
            ';',
            '\n',
          )}\n`,
        ),
    ],
    [
      'apostrophes before the numbers',
      '名单.csv',
      () => Buffer.from(lines([head, ...two.map((row) => [...row.slice(0, 4), `'${row[4]}`])], ',')),
    ],
    [
      'apostrophes before every cell',
      '名单.csv',
      () => Buffer.from(lines([head, ...two.map((row) => row.map((cell) => `'${cell}`))], ',')),
    ],
    [
      '="…" around the numbers',
      '名单.csv',
      () => Buffer.from(lines([head, ...two.map((row) => [...row.slice(0, 4), `="${row[4]}"`])], ',')),
    ],
    [
      'blank lines and blank columns between',
      '名单.csv',
      () =>
        Buffer.from(
          lines(
            [
              [],
              ['', ...head.slice(0, 2), '', ...head.slice(2)],
              [],
              ...two.flatMap((row) => [
                ['', ...row.slice(0, 2), '', ...row.slice(2)],
                ['', '', '', '', '', ''],
              ]),
            ],
            ',',
          ),
        ),
    ],
    [
      'full-width digits and Chinese days',
      '名单.csv',
      () =>
        Buffer.from(
          lines(
            [
              head,
              ['赵一一', '男', '二〇一八年三月四日', '三（１）班', '１３８０００００００１'],
              ['钱　二二', '女', '２０１８．５．６', '三（２）班', '138-0000-0002'],
            ],
            ',',
          ),
        ),
    ],
  ])('%s', async (_what, name, bytes) => {
    expect(await stored(await fresh(), bytes(), name)).toEqual(both)
  })

  it('rich text, links, days as Excel keeps them, and a hidden column of classes', async () => {
    const rich = (text: string) => ({
      richText: [{ text: text.slice(0, 1) }, { font: { bold: true }, text: text.slice(1) }],
    })
    const rows = two.map(([name, sex, birth, own, phone]) => [
      rich(name!),
      sex,
      new Date(`${birth}T00:00:00Z`),
      own,
      { text: phone, hyperlink: `tel:${phone}` },
    ])
    const bytes = await book([head, ...rows], (_book, sheet) => {
      sheet.getColumn(4).hidden = true
    })
    expect(await stored(await fresh(), bytes, '名单.xlsx')).toEqual(both)
  })

  it('a class a sheet, named on its tab', async () => {
    const made = new excel.Workbook()
    for (const no of classNos) {
      const sheet = made.addWorksheet(`3.${no}`)
      sheet.addRow(['姓名', '性别', '出生日期'])
      for (const name of ['赵', '钱'])
        sheet.addRow([`${name}${'一二三四五六七八九十甲乙'[no - 1]}`, '男', '2018-03-04'])
    }
    const rows = await stored(await fresh(12), Buffer.from(await made.xlsx.writeBuffer()), '三年级.xlsx')
    expect(rows).toHaveLength(24)
    for (const no of classNos) expect(rows.filter((row) => row.endsWith(`（${no}）班`))).toHaveLength(2)
  })

  it('two classes beside one another, each under its name', async () => {
    const part = ['序号', '姓名', '性别', '出生日期']
    const bytes = await book([
      ['三（1）班', '', '', '', '', '三（2）班', '', '', ''],
      [...part, '', ...part],
      [1, '赵一一', '男', '2018-03-04', '', 1, '钱二二', '女', '2018-05-06'],
      [2, '孙三三', '男', '2018-03-05', '', 2, '李四四', '女', '2018-05-07'],
      [3, '周五五', '男', '2018-03-06', '', '', '', '', ''],
    ])
    expect(await stored(await fresh(), bytes, '名单.xlsx')).toEqual(
      [
        '赵一一 1 2018-03-04 （1）班',
        '孙三三 1 2018-03-05 （1）班',
        '周五五 1 2018-03-06 （1）班',
        '钱二二 2 2018-05-06 （2）班',
        '李四四 2 2018-05-07 （2）班',
      ].toSorted(),
    )
  })
})

describe('R-ERR-5 what a program has spoiled is said and never stored', () => {
  const idNo = idNoOf('2018-03-04', 1)
  it.each([
    [
      'in a .csv as 3.20102E+17',
      () =>
        Promise.resolve(
          Buffer.from(
            lines(
              [
                ['姓名', '性别', '出生日期', '班级', '身份证号'],
                ['赵一一', '男', '2018-03-04', '三1班', '6.10402E+17'],
              ],
              ',',
            ),
          ),
        ),
      '名单.csv',
    ],
    [
      'in an .xlsx as a number',
      () =>
        book([
          ['姓名', '性别', '出生日期', '班级', '身份证号'],
          ['赵一一', '男', '2018-03-04', '三1班', Number(idNo.slice(0, 17)) * 10],
        ]),
      '名单.xlsx',
    ],
    [
      'in an .xlsx as the text of one',
      () =>
        book([
          ['姓名', '性别', '出生日期', '班级', '身份证号'],
          ['赵一一', '男', '2018-03-04', '三1班', '6.10402E+17'],
        ]),
      '名单.xlsx',
    ],
  ])('an identity number %s has lost its digits', async (_how, bytes, name) => {
    const school = await fresh()
    const batch = await checked(world, who, school, await bytes(), name)
    expect((await faultsOf(batch.id)).join('\n')).toMatch(/^2 身份证件号 .*丢失/)
    expect(await batchOf(who, batch.id)).toMatchObject({ counts: { add: 0, bad: 1 } })
  })

  it('errors that formulas have left', async () => {
    const bytes = await book([
      head,
      ['赵一一', '男', '2018-03-04', '三1班', { error: '#N/A' }],
      [{ formula: 'VLOOKUP(1,A1:B2,2)', result: { error: '#REF!' } }, '男', '2018-03-04', '三1班', '13800000001'],
    ])
    const school = await fresh()
    const batch = await checked(world, who, school, bytes, '名单.xlsx')
    const faults = await faultsOf(batch.id)
    expect(faults.map((each) => each.split(' ')[0]).toSorted()).toEqual(['2', '3'])
    expect(faults.join()).toContain('公式')
  })
})
