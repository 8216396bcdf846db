import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Entity, student } from '@data-brain/contract'
import { rowPlace } from '@data-brain/contract/import/row-place'
import { afterAll, describe, expect, it } from 'vitest'
import { modelOf } from '../src/entity/model.ts'
import { readCell } from '../src/modules/import/batch/cell.ts'
import { orderOf } from '../src/modules/import/file/day-order.ts'
import { kindOf } from '../src/modules/import/file/line.ts'
import { readTable } from '../src/modules/import/file/read-sheet.ts'
import type { Choice, SheetRow, Source } from '../src/modules/import/file/table.ts'
import { pupils } from './rosters/pupils.ts'
import { type Page, xlsxOf } from './rosters/write.ts'
import { type Roster, rosters } from './rosters.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'data-brain-read-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
async function read(bytes: Buffer, choice: Choice = {}): Promise<{ source: Source; rows: SheetRow[] }> {
  files += 1
  const file = path.join(folder, String(files))
  writeFileSync(file, bytes)
  const rows: SheetRow[] = []
  const source = await readTable(file, 'student', choice, async (row) => {
    rows.push(row)
  })
  return { source, rows }
}

/** The cells of a column by its heading. */
const columnOf = ({ source, rows }: { source: Source; rows: SheetRow[] }, heading: string): string[] => {
  const at = source.columns.findIndex((column) => column.heading === heading)
  return rows.map((row) => row.cells[at] ?? '')
}

const bare = (text: string): string => text.normalize('NFKC').replace(/\s/g, '')

describe('an ordinary roster', () => {
  it.each(rosters.map((roster): [string, Roster] => [`${roster.file}: ${roster.about}`, roster]))(
    '%s',
    async (_title, roster) => {
      const found = await read(await roster.bytes())
      const { source, rows } = found
      expect(source.rows).toBe(roster.pupils.length)
      const names = source.columns.find(({ heading }) => /姓名$/.test(heading) || heading === 'B列')!.heading
      const nameColumn = columnOf(found, source.columns.some(({ heading }) => heading === '姓名') ? '姓名' : names)
      expect(nameColumn.map(bare)).toEqual(roster.pupils.map(({ name }) => name))
      for (const [heading, value] of Object.entries(roster.first))
        expect(columnOf(found, heading)[0], heading).toBe(value)
      expect(rows.filter((row) => row.hidden).length).toBe(roster.hidden ?? 0)
      // What says the class of a row is in one of its cells.
      for (const [at, pupil] of roster.pupils.entries())
        expect(rows[at]?.cells.map(bare), pupil.name).toContain(bare(roster.classOf(pupil)))
      expect(rows.flatMap((row) => Object.values(row.marks ?? {}))).toEqual([])
    },
  )
})

const few = pupils(12)
const base = few.map((each) => [each.name, each.sex, '三1班'])
const notesOf = (source: Source): string[] => [...new Set(source.notes.map(({ kind }) => kind))].sort()

/** Pages, how many rows they are, headings as read, kinds of notes, and what the last row says under a heading. */
const layouts: readonly (readonly [string, readonly Page[], number, string[], string[], Record<string, string>])[] = [
  [
    'a title of its own over each of two tables side by side',
    [
      {
        rows: [
          ['三1班名单', '', '', '三2班名单'],
          ['序号', '姓名', '', '序号', '姓名'],
          ...few.slice(0, 6).map((each, at) => [at + 1, each.name, '', at + 1, few[at + 6]!.name]),
        ],
        merges: ['A1:B1', 'D1:E1'],
      },
    ],
    12,
    ['序号', '姓名', '表格标题'],
    ['stacked', 'title'],
    { 表格标题: '三2班名单', 姓名: few[11]!.name },
  ],
  [
    'lines of statements between blocks, a day alone and a footnote at the end',
    [
      {
        rows: [
          ['班级：三（1）班', '', '班主任：李老师'],
          ['序号', '姓名', '性别', '电话'],
          ...few.slice(0, 6).map((each, at) => [at + 1, each.name, each.sex, each.father.phone]),
          ['班级：三（2）班', '', '班主任：王老师'],
          ['序号', '姓名', '性别', '电话'],
          ...few.slice(6).map((each, at) => [at + 1, each.name, each.sex, each.father.phone]),
          ['', '', '', '2026年9月1日'],
          ['1、本表由班主任填写，一式两份'],
        ],
      },
    ],
    12,
    ['序号', '姓名', '性别', '电话', '分段标题'],
    ['heading', 'note', 'section', 'title'],
    { 分段标题: '三（2）班', 姓名: few[11]!.name },
  ],
  [
    'the headings in English below',
    [{ rows: [['姓名', '性别', '班级'], ['Name', 'Gender', 'Class'], ...base] }],
    12,
    ['姓名', '性别', '班级'],
    [],
    {},
  ],
  [
    'what is required, in a line below the headings',
    [{ rows: [['姓名*', '性别*', '班级'], ['必填', '必填', '选填'], ...base] }],
    12,
    ['姓名*', '性别*', '班级'],
    ['note'],
    {},
  ],
  [
    'what is required beside what may be chosen, in a line below the headings',
    [
      {
        rows: [
          ['*姓名', '*性别', '家长关系', '家长电话', '*班级'],
          ['必填', '填男或女', '父亲/母亲/其他', '11位手机号', '如：四年级1班'],
          ...few.map((each) => [each.name, each.sex, '父亲', each.father.phone, '三1班']),
        ],
      },
    ],
    12,
    ['*姓名', '*性别', '家长关系', '家长电话', '*班级'],
    ['note'],
    {},
  ],
  [
    'rows that refer to nobody, with zeros and #N/A',
    [
      {
        rows: [
          ['序号', '姓名', '性别', '班级'],
          ...base.map((row, at) => [at + 1, ...row]),
          ...[13, 14].map((no) => [
            no,
            { formula: 'X1', result: 0 },
            { formula: 'X1', result: 0 },
            { error: '#N/A' as const },
          ]),
        ],
      },
    ],
    12,
    ['序号', '姓名', '性别', '班级'],
    ['blank'],
    {},
  ],
  [
    'the class in the first row of its pupils only',
    [
      {
        rows: [
          ['班级', '姓名', '性别'],
          ...few.map((each, at) => [at === 0 ? '三1班' : at === 6 ? '三2班' : '', each.name, each.sex]),
        ],
      },
    ],
    12,
    ['班级', '姓名', '性别'],
    ['filledDown'],
    { 班级: '三2班' },
  ],
  [
    'a group merged over two headings, with a heading behind it that is not merged; a dormitory merged downwards',
    [
      {
        rows: [
          ['姓名', '性别', '班级', '宿舍', '家长', '', ''],
          ['', '', '', '', '姓名', '电话', '备注'],
          ...few.map((each, at) => [
            each.name,
            each.sex,
            '三1班',
            at % 6 ? '' : `${at + 101}室`,
            each.father.name,
            each.father.phone,
            '无',
          ]),
        ],
        merges: ['E1:F1', 'D3:D8', 'D9:D14'],
      },
    ],
    12,
    ['姓名', '性别', '班级', '宿舍', '家长姓名', '家长电话', '备注'],
    ['merged'],
    { 宿舍: '107室', 家长电话: few[11]!.father.phone },
  ],
  [
    '联系电话 over 父亲 and 母亲',
    [
      {
        rows: [
          ['姓名', '性别', '班级', '联系电话', ''],
          ['', '', '', '父亲', '母亲'],
          ...few.map((each) => [each.name, each.sex, '三1班', each.father.phone, each.mother.phone]),
        ],
        merges: ['A1:A2', 'B1:B2', 'C1:C2', 'D1:E1'],
      },
    ],
    12,
    ['姓名', '性别', '班级', '父亲联系电话', '母亲联系电话'],
    [],
    { 母亲联系电话: few[11]!.mother.phone },
  ],
  [
    'a group about the family over columns that say themselves who each is',
    [
      {
        rows: [
          ['姓名', '性别', '班级', '家庭成员信息', '', '', ''],
          ['', '', '', '父亲姓名', '联系方式', '母亲姓名', '联系方式'],
          ...few.map((each) => [
            ...[each.name, each.sex, '三1班'],
            ...[each.father.name, each.father.phone, each.mother.name, each.mother.phone],
          ]),
        ],
        merges: ['A1:A2', 'B1:B2', 'C1:C2', 'D1:G1'],
      },
    ],
    12,
    ['姓名', '性别', '班级', '父亲姓名', '联系方式', '母亲姓名', '联系方式'],
    [],
    { 母亲姓名: few[11]!.mother.name },
  ],
  [
    'a group about the family over both parents and one number, which may be that of either',
    [
      {
        rows: [
          ['姓名', '性别', '班级', '家长信息', '', ''],
          ['', '', '', '父亲', '母亲', '联系电话'],
          ...few.map((each) => [each.name, each.sex, '三1班', each.father.name, each.mother.name, each.father.phone]),
        ],
        merges: ['A1:A2', 'B1:B2', 'C1:C2', 'D1:F1'],
      },
    ],
    12,
    ['姓名', '性别', '班级', '父亲', '母亲', '家长联系电话'],
    [],
    { 母亲: few[11]!.mother.name },
  ],
  [
    'a sheet of those who have left, which is not proposed',
    [
      { name: '在校', rows: [['姓名', '性别', '班级'], ...base] },
      {
        name: '转出',
        rows: [
          ['姓名', '性别', '班级'],
          ['甲乙', '男', '三1班'],
        ],
      },
      { name: 'Sheet3', rows: [] },
    ],
    12,
    ['姓名', '性别', '班级'],
    [],
    {},
  ],
  [
    'lines to be signed, filled in beside their names',
    [
      {
        rows: [
          ['序号', '学生姓名', '性别', '班级', '家长姓名', '与学生关系', '联系电话', '备注'],
          ...few.map((each, at) => [at + 1, each.name, each.sex, '三1班', each.father.name, '父子', each.father.phone]),
          [],
          ['共12人，男6人，女6人'],
          ['班主任（签字）：', '', '', '校长（盖章）：'],
          ['填表人：', '李', '', '填表日期：', '2026.9.1'],
          ['说明：'],
          ['1.如实填写'],
        ],
      },
    ],
    12,
    ['序号', '学生姓名', '性别', '班级', '家长姓名', '与学生关系', '联系电话', '备注'],
    ['footer', 'note', 'total'],
    {},
  ],
  [
    'a total that stands in the column of names',
    [
      {
        rows: [
          ['序号', '班级', '姓名', '性别'],
          ...base.map(([name = '', sex = '', room = ''], at) => [at + 1, room, name, sex]),
          ['合计', '', 12, '男6女6'],
        ],
      },
    ],
    12,
    ['序号', '班级', '姓名', '性别'],
    ['total'],
    {},
  ],
  [
    'a total with a number beside it, and in the column of names how many are boys',
    [
      {
        rows: [
          ['班级', '序号', '姓名', '性别'],
          ...base.map(([name = '', sex = '', room = ''], at) => [room, at + 1, name, sex]),
          ['合计', '12人', '男6人，女6人'],
        ],
      },
    ],
    12,
    ['班级', '序号', '姓名', '性别'],
    ['total'],
    {},
  ],
  [
    'parts of a wide heading that nobody knows, below it',
    [
      {
        rows: [
          ['姓名', '性别', '班级', '疫苗接种剂次', '', ''],
          ['', '', '', '卡介苗', '乙肝', '脊灰'],
          ...base.map((row) => [...row, 1, 3, 4]),
        ],
        merges: ['A1:A2', 'B1:B2', 'C1:C2', 'D1:F1'],
      },
    ],
    12,
    ['姓名', '性别', '班级', '疫苗接种剂次卡介苗', '疫苗接种剂次乙肝', '疫苗接种剂次脊灰'],
    [],
    { 疫苗接种剂次脊灰: '4' },
  ],
  [
    'a smaller table of numbers beside it',
    [
      {
        rows: [
          ['姓名', '性别', '班级', '', '班级', '人数'],
          ...base.map((row, at) => [...row, '', ...(at < 2 ? ['三1班', 6] : [])]),
          ['', '', '', '', '合计', 12],
        ],
      },
    ],
    12,
    ['姓名', '性别', '班级'],
    ['blank', 'unheaded'],
    {},
  ],
]

describe('a layout', () => {
  it.each(layouts)('%s', async (_title, pages, count, headings, notes, last) => {
    const found = await read(await xlsxOf(pages))
    expect(found.source.columns.map(({ heading }) => heading)).toEqual(headings)
    expect(found.rows).toHaveLength(count)
    expect(notesOf(found.source)).toEqual(notes)
    for (const [heading, value] of Object.entries(last)) expect(columnOf(found, heading).at(-1), heading).toBe(value)
  })
})

describe('R-IMP-2 a line that counts heads is no pupil', () => {
  const line = { nameAt: 1, serialAt: 0, width: 5, headings: [['序号', '姓名', '性别', '班级', '家长电话']] }
  const kind = (cells: string[]): string => kindOf({ ...line, cells, own: cells })
  it.each([
    [['', '共60人', '', '', '']],
    [['共60人', '', '', '', '']],
    [['', '共 60 名学生', '', '', '']],
    [['', '', '', '男32人 女28人', '']],
    [['', '男32人', '女28人', '共60人', '']],
    [['合计：60人', '男：32', '女：28', '', '']],
    [['', '总人数 60', '', '', '']],
    [['', '全班学生总数：60', '男生32', '女生28', '住校12人']],
    [['共60人', '班主任：李老师', '2026年9月1日', '', '']],
    [['', '共', '60', '人', '']],
    [['男', '', '32', '女', '28']],
    [['三（1）班', '共六十人', '', '', '']],
    [['', 'Total students: 60', '', '', '']],
    [['', 'Boys: 32', 'Girls: 28', '', '']],
  ])('%j', (cells) => {
    expect(kind(cells)).toBe('total')
  })

  it('and a name that begins like one is a name', () => {
    for (const name of ['共青', '共一人', '总小明', '男生', '学生1', '全有'])
      expect(kind(['1', name, '男', '三1班', '13800000001']), name).toBe('row')
    expect(kind(['', '共青', '', '', ''])).toBe('row')
    expect(kind(['', '共青', '男', '三1班', ''])).toBe('row')
  })
})

it('each of several classes below one another has the line above it with its class teacher, and not the title', async () => {
  const block = (no: number, teacher: string, some: typeof base) => [
    [`三年级（${no}）班    班主任：${teacher}`],
    ['序号', '姓名', '性别'],
    ...some.map(([name = '', sex = ''], at) => [at + 1, name, sex]),
    [`本班共${some.length}人，其中男生3人，女生3人`],
    [],
  ]
  const found = await read(
    await xlsxOf([
      {
        rows: [['2026年三年级新生编班名单'], ...block(1, '李芳', base.slice(0, 6)), ...block(2, '陈玉', base.slice(6))],
        merges: ['A1:C1', 'A2:C2'],
      },
    ]),
  )
  expect(columnOf(found, '姓名')).toEqual(few.map(({ name }) => name))
  expect(columnOf(found, '分段标题').map((text) => text.slice(0, 7))).toEqual(
    few.map((_each, at) => (at < 6 ? '三年级（1）班' : '三年级（2）班')),
  )
})

describe('the sheets of a file', () => {
  const pages: Page[] = [
    {
      name: '三1班',
      rows: [['姓名', '性别', '电话'], ...few.slice(0, 3).map((each) => [each.name, each.sex, each.father.phone])],
    },
    {
      name: '三2班',
      rows: [
        ['性别', '姓名', '电话', '备注'],
        ...few.slice(3, 6).map((each) => [each.sex, each.name, each.father.phone, '走读']),
      ],
    },
    { name: '说明', rows: [['请按户口本填写']] },
  ]

  it('of one shape are read together, each row with the name of its sheet and its place', async () => {
    const found = await read(await xlsxOf(pages))
    expect(found.source.chosen).toEqual([0, 1])
    expect(found.source.sheets.map(({ shape }) => shape)).toEqual([0, 0, undefined])
    expect(columnOf(found, '姓名')).toEqual(few.slice(0, 6).map(({ name }) => name))
    expect(columnOf(found, '备注')).toEqual(['', '', '', '走读', '走读', '走读'])
    expect(columnOf(found, '工作表').at(3)).toBe('三2班')
    expect(found.source.columns.at(-1)?.from).toBe('sheet')
    expect(found.rows.map(({ no }) => [no, rowPlace(found.source.runs, no)]).slice(2, 5)).toEqual([
      [3, { sheet: 0, row: 4 }],
      [4, { sheet: 1, row: 2 }],
      [5, { sheet: 1, row: 3 }],
    ])
    expect(found.source.runs).toHaveLength(2)
  })

  it('are read as somebody chooses, or it is said why not', async () => {
    const bytes = await xlsxOf(pages)
    const found = await read(bytes, { sheets: [1] })
    expect(found.source.chosen).toEqual([1])
    expect(found.rows.map(({ no }) => no)).toEqual([2, 3, 4])
    await expect(read(bytes, { sheets: [2] })).rejects.toMatchObject({ words: { zh: '工作表“说明”里没有找到标题行' } })
    await expect(read(bytes, { sheets: [7] })).rejects.toMatchObject({ words: { zh: '文件没有第8张工作表' } })
  })
})

describe('the order of days in a column', () => {
  const question = async (days: readonly string[]) => {
    const found = await read(
      await xlsxOf([
        { rows: [['姓名', '性别', '出生日期'], ...days.map((day, at) => [few[at]!.name, few[at]!.sex, day])] },
      ]),
    )
    return found.source.columns[2]?.facts.order
  }

  it('is open where 19-3-5 can be two days, and says both', async () => {
    expect(await question(['19-3-5', '18-12-6', '19-1-7'])).toEqual({
      open: 3,
      example: '19-3-5',
      readings: [
        { order: 'ymd', day: '2019-03-05', from: '2018-12-06', to: '2019-03-05' },
        { order: 'dmy', day: '2005-03-19', from: '2005-03-19', to: '2007-01-19' },
      ],
    })
  })

  it('is decided by one row for all', async () => {
    expect((await question(['3/5/2015', '3/25/2015']))?.readings.map(({ order }) => order)).toEqual(['mdy'])
    expect((await question(['3/5/2015', '25/3/2015']))?.readings.map(({ order }) => order)).toEqual(['dmy'])
    expect((await question(['15-3-5', '15-3-31', '15-10-13']))?.readings.map(({ order }) => order)).toEqual([
      'ymd',
      'dmy',
    ])
  })

  it('is none of a column of months without a sign between; one cell that is no month makes them days', async () => {
    expect(await question(['201005', '201012', '200902'])).toBeUndefined()
    expect((await question(['201005', '201012', '201031']))?.readings.map(({ order }) => order)).toEqual(['ymd', 'dmy'])
  })

  it('contradicts itself where no order fits all rows, and is no question where every row says it', async () => {
    expect((await question(['25/3/2015', '3/25/2015']))?.readings).toEqual([])
    expect(await question(['2015-03-05', '2015年3月5日', '20150305'])).toBeUndefined()
  })

  it('is that of the only reading that makes sense for the field', async () => {
    const open = await question(['15-3-28', '15-10-29'])
    expect(orderOf(open, ['1986-11-22', '2026-11-22'])).toBe('ymd')
    const both = await question(['19-3-5'])
    expect(orderOf(both, ['1986-11-22', '2026-11-22'])).toBeUndefined()
    expect(orderOf(both, ['1986-11-22', '2026-11-22'], 'dmy')).toBe('dmy')
  })
})

describe('a day in a cell', () => {
  const field = modelOf(student as Entity).byName.get('birthDate')!
  const enrolled = modelOf(student as Entity).byName.get('enrollDate')!
  const none = { choices: new Map(), offers: new Map(), keys: new Map() }
  const kinds = [
    ...['2015-3-5', '2015/3/5', '2015.3.5', '20150305', '2015年3月5日', '2015 年 3 月 5 日', '2015-03-05 00:00:00'],
    ...['2015-03-05T00:00:00', '2015/3/5 0:00', '42068', '5-Mar-15', '5-Mar-2015', 'Mar 5, 2015', 'March 5, 2015'],
    ...[
      '２０１５年３月５日',
      '２０１５－３－５',
      '二〇一五年三月五日',
      '2015、3、5',
      '2015 3 5',
      "'2015-03-05",
      '2015。3。5',
    ],
    ...['15年3月5日', '2015-03-05（周四）', '2015 年 3 月 5 日', '2015—3—5'],
  ]
  it.each(kinds)('%s is the 5th of March 2015', (text) => {
    expect(readCell(text, undefined, field, none, 'ymd')).toEqual({ value: '2015-03-05' })
  })

  it('whose order was answered is read in that order', () => {
    for (const [text, order, day] of [
      ['15.3.5', 'ymd', '2015-03-05'],
      ['3/5/2015', 'mdy', '2015-03-05'],
      ['5/3/2015', 'dmy', '2015-03-05'],
    ] as const)
      expect(readCell(text, undefined, field, none, order)).toEqual({ value: day })
    expect(readCell('3/5/2015', undefined, field, none)).toMatchObject({
      fault: { zh: expect.stringContaining('分不清') },
    })
  })

  it('that is only a month is enough for the day of entry, and not for a birth', () => {
    for (const text of ['2015年3月', '2015.03', '201503', '2015-3']) {
      expect(readCell(text, undefined, enrolled, none), text).toEqual({ value: '2015-03-01' })
      expect(readCell(text, undefined, field, none), text).toMatchObject({
        fault: { zh: expect.stringContaining('还缺日') },
      })
    }
  })
})
