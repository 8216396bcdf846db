import excel from '@zurmokeeper/exceljs'
import { daysOf, type Pupil, pupils, wide } from './rosters/pupils.ts'
import { bookOf, encoded, excel95, type Rows, separated, type Value, xlsxOf } from './rosters/write.ts'

/*
 * Rosters as clerks keep them, none of them in the form of the product's template. What each of them says is told
 * beside it, by those who made it: the pupils, and under which heading a value of the first of them stands.
 */

export interface Roster {
  readonly file: string
  /** What is peculiar about it. */
  readonly about: string
  bytes(): Promise<Buffer>
  readonly pupils: readonly Pupil[]
  /** What the first row says, by heading as it is read. */
  readonly first: Readonly<Record<string, string>>
  /** Rows that are hidden in the file. */
  readonly hidden?: number
  /** By pupil: the class as it stands in the file, be it in a cell, a title, a line or the name of the sheet. */
  readonly classOf: (pupil: Pupil) => string
}

const day = (text: string): Date => new Date(`${text}T00:00:00Z`)
const classWide = ({ classNo }: Pupil): string => `三（${classNo}）班`

const plainHead = ['序号', '姓名', '性别', '出生日期', '身份证号', '班级', '家长电话']
const plainRow = (pupil: Pupil): Value[] => [
  pupil.no,
  pupil.name,
  pupil.sex,
  pupil.birth,
  pupil.idNo,
  classWide(pupil),
  pupil.father.phone,
]
const plainRows = (list: readonly Pupil[]): Rows => [plainHead, ...list.map(plainRow)]
const plainFirst = (pupil: Pupil): Record<string, string> => ({
  姓名: pupil.name,
  性别: pupil.sex,
  出生日期: pupil.birth,
  身份证号: pupil.idNo,
  班级: classWide(pupil),
  家长电话: pupil.father.phone,
})

const twelve = pupils(12)
const one = twelve[0]!
const spread = pupils(24, { classes: 3 })
const byClass = (list: readonly Pupil[]): Pupil[][] => [...Map.groupBy(list, ({ classNo }) => classNo).values()]

const plain = (file: string, about: string, bytes: () => Promise<Buffer>, list = twelve): Roster => ({
  file,
  about,
  bytes,
  pupils: list,
  first: plainFirst(list[0]!),
  classOf: classWide,
})

export const rosters: readonly Roster[] = [
  plain('三年级1班花名册.xlsx', 'a title over the table, merged; 制表人 below it', () =>
    xlsxOf([
      {
        name: 'Sheet1',
        rows: [
          ['实验小学三年级（1）班学生花名册'],
          ['2026—2027学年第一学期'],
          ...plainRows(twelve),
          ['合计', '12人'],
          ['制表人：王老师', '', '', '', '校长签字：'],
        ],
        merges: ['A1:G1', 'A2:G2'],
      },
    ]),
  ),
  {
    file: '家长信息.xlsx',
    about: 'a heading of two rows, merged: 父亲 over 姓名 and 电话',
    bytes: () =>
      xlsxOf([
        {
          rows: [
            ['学号', '姓名', '性别', '班级', '父亲', '', '母亲', '', '家庭住址'],
            ['', '', '', '', '姓名', '电话', '姓名', '电话', ''],
            ...twelve.map((each) => [
              each.studentNo,
              each.name,
              each.sex,
              `三年级${each.classNo}班`,
              each.father.name,
              each.father.phone,
              each.mother.name,
              each.mother.phone,
              each.address,
            ]),
          ],
          merges: ['A1:A2', 'B1:B2', 'C1:C2', 'D1:D2', 'E1:F1', 'G1:H1', 'I1:I2'],
        },
      ]),
    pupils: twelve,
    first: {
      学号: one.studentNo,
      姓名: one.name,
      父亲姓名: one.father.name,
      父亲电话: one.father.phone,
      母亲姓名: one.mother.name,
      母亲电话: one.mother.phone,
      家庭住址: one.address,
    },
    classOf: ({ classNo }) => `三年级${classNo}班`,
  },
  {
    file: '学籍信息表.xlsx',
    about: 'a heading of three rows under a title, the table not at the left edge',
    bytes: () =>
      xlsxOf([
        {
          rows: [
            ['', '', '学生学籍信息登记表'],
            ['', '', '单位：实验小学', '', '', '', '填表日期：2026年9月1日'],
            ['', '', '学生基本信息', '', '', '家庭信息', '', '', ''],
            ['', '', '姓名', '性别', '所在班级', '父亲信息', '', '母亲信息', ''],
            ['', '', '', '', '', '姓名', '联系电话', '姓名', '联系电话'],
            ...twelve.map((each) => [
              '',
              '',
              each.name,
              each.sex,
              `3.${each.classNo}`,
              each.father.name,
              each.father.phone,
              each.mother.name,
              each.mother.phone,
            ]),
          ],
          merges: ['C1:I1', 'C3:E3', 'F3:I3', 'C4:C5', 'D4:D5', 'E4:E5', 'F4:G4', 'H4:I4'],
        },
      ]),
    pupils: twelve,
    first: {
      姓名: one.name,
      性别: one.sex,
      所在班级: '3.1',
      父亲姓名: one.father.name,
      父亲联系电话: one.father.phone,
      母亲联系电话: one.mother.phone,
    },
    classOf: ({ classNo }) => `3.${classNo}`,
  },
  {
    file: '三年级各班名单.xlsx',
    about: 'a sheet for each class, and a sheet of instructions before them',
    bytes: () =>
      xlsxOf([
        { name: '填写说明', rows: [['填写说明'], ['1. 姓名按户口本填写'], ['2. 性别填男或女']] },
        ...byClass(spread).map((list) => ({
          name: `三${list[0]!.classNo}班`,
          rows: [
            ['序号', '姓名', '性别', '身份证号', '联系电话'],
            ...list.map((each, at) => [at + 1, each.name, each.sex, each.idNo, each.father.phone]),
          ],
        })),
      ]),
    pupils: spread,
    first: { 姓名: spread[0]!.name, 身份证号: spread[0]!.idNo, 工作表: '三1班' },
    classOf: ({ classNo }) => `三${classNo}班`,
  },
  {
    file: '通讯录.xlsx',
    about: 'two tables side by side on one page',
    bytes: () =>
      xlsxOf([
        {
          rows: [
            ['三（1）班通讯录'],
            ['序号', '姓名', '性别', '家长电话', '', '序号', '姓名', '性别', '家长电话'],
            ...Array.from({ length: 6 }, (_row, at) => [twelve[at]!, twelve[at + 6]!]).map(([left, right]) => [
              left!.no,
              left!.name,
              left!.sex,
              left!.father.phone,
              '',
              right!.no,
              right!.name,
              right!.sex,
              right!.father.phone,
            ]),
          ],
          merges: ['A1:I1'],
        },
      ]),
    pupils: twelve,
    first: { 姓名: one.name, 性别: one.sex, 家长电话: one.father.phone },
    classOf: () => '三（1）班通讯录',
  },
  plain('2008.xls', 'an .xls of Excel 97 to 2003', () => bookOf('biff8', [{ rows: plainRows(twelve) }])),
  plain('1998.xls', 'an .xls of Excel 95, in GBK', () => excel95(plainRows(twelve))),
  plain('花名册.et', 'a table of WPS', () =>
    bookOf('biff8', [{ name: 'Sheet1', rows: [['实验小学学生花名册'], ...plainRows(twelve)], merges: ['A1:G1'] }]),
  ),
  plain('花名册.ods', 'an OpenDocument spreadsheet', () => bookOf('ods', [{ rows: plainRows(twelve) }])),
  plain('花名册.xlsb', 'a binary workbook', () => bookOf('xlsb', [{ rows: plainRows(twelve) }])),
  plain('花名册.csv', 'CSV in GBK, as Excel for Chinese Windows writes it', () =>
    encoded(separated(plainRows(twelve)), 936),
  ),
  plain('导出.csv', 'CSV in UTF-8 with its mark, semicolons, a title, and a line break within quotes', async () =>
    Buffer.from(
      `\ufeff三年级学生名单\r\n${separated([['序号', '姓名', '性别', '出生日期', '身份证号', '班级', '家长\n电话'], ...twelve.map(plainRow)], ';')}`,
    ),
  ),
  plain('Unicode文本.txt', 'UTF-16 with tabs, the Unicode text of Excel', async () =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(separated(plainRows(twelve), '\t'), 'utf16le')]),
  ),
  plain('系统导出.xls', 'a web page called .xls, as many systems export', async () =>
    Buffer.from(
      `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><style>td{mso-number-format:"\\@"}</style></head><body><table border=1><tr><th colspan=7>学生信息</th></tr><tr>${plainHead.map((each) => `<th>${each}</th>`).join('')}</tr>\n${twelve
        .map(
          (each) =>
            `<tr>${plainRow(each)
              .map((cell) => `<td style='vnd.ms-excel.numberformat:@'>&nbsp;${String(cell)}</td>`)
              .join('\n  ')}</tr>`,
        )
        .join('\n')}</table></body></html>`,
    ),
  ),
  plain('平台导出.xls', 'the XML of Excel 2003, called .xls', () => bookOf('xlml', [{ rows: plainRows(twelve) }])),
  plain('老系统.xls', 'tabs in GBK, called .xls', () => encoded(separated(plainRows(twelve), '\t'), 936)),
  {
    ...plain('含转学.xlsx', 'rows that somebody has hidden, and a hidden column', () =>
      xlsxOf([
        {
          rows: plainRows(twelve),
          shape: (sheet) => {
            sheet.getRow(4).hidden = true
            sheet.getRow(9).hidden = true
            sheet.getColumn(5).hidden = true
          },
        },
      ]),
    ),
    hidden: 2,
  },
  {
    ...plain('筛选.xlsx', 'a filter that is set to boys', () =>
      xlsxOf([
        {
          rows: plainRows(twelve),
          shape: (sheet) => {
            sheet.autoFilter = 'A1:G13'
            for (let row = 3; row <= 13; row += 2) sheet.getRow(row).hidden = true
          },
        },
      ]),
    ),
    hidden: 6,
  },
  plain('公式.xlsx', 'numbers, birth dates and sexes that formulas give', () =>
    xlsxOf([
      {
        rows: [
          plainHead,
          ...twelve.map((each, at) => [
            { formula: `ROW()-1`, result: at + 1 },
            each.name,
            { formula: `IF(MOD(MID(E${at + 2},17,1),2),"男","女")`, result: each.sex },
            { formula: `TEXT(MID(E${at + 2},7,8),"0000-00-00")`, result: each.birth },
            each.idNo,
            classWide(each),
            each.father.phone,
          ]),
        ],
      },
    ]),
  ),
  {
    file: '合并班级.xlsx',
    about: 'the class merged downwards over its pupils',
    bytes: () =>
      xlsxOf([
        {
          rows: [
            ['班级', '姓名', '性别', '身份证号'],
            ...spread.map((each, at) => [at % 8 === 0 ? classWide(each) : '', each.name, each.sex, each.idNo]),
          ],
          merges: ['A2:A9', 'A10:A17', 'A18:A25'],
        },
      ]),
    pupils: spread,
    first: { 班级: '三（1）班', 姓名: spread[0]!.name, 身份证号: spread[0]!.idNo },
    classOf: classWide,
  },
  {
    file: '分班名单.xlsx',
    about: 'each class under a line of its own, with the headings once more',
    bytes: () =>
      xlsxOf([
        {
          rows: byClass(spread).flatMap((list) => [
            [`三年级${list[0]!.classNo}班`],
            ['序号', '姓名', '性别', '身份证号'],
            ...list.map((each, at) => [at + 1, each.name, each.sex, each.idNo]),
            [],
          ]),
          merges: ['A1:D1', 'A12:D12', 'A23:D23'],
        },
      ]),
    pupils: spread,
    first: { 姓名: spread[0]!.name, 身份证号: spread[0]!.idNo, 分段标题: '三年级1班' },
    classOf: ({ classNo }) => `三年级${classNo}班`,
  },
  plain('打印版.xlsx', 'the headings on every page, with 小计 and 合计', () =>
    xlsxOf([
      {
        rows: [
          ['实验小学学生花名册'],
          ...plainRows(twelve.slice(0, 6)),
          ['小计', '6人'],
          ['实验小学学生花名册'],
          plainHead,
          ...twelve.slice(6).map(plainRow),
          ['小计', '6人'],
          ['合计', '12人'],
          ['注：本表一式两份，学校存档一份。'],
        ],
        merges: ['A1:G1'],
      },
    ]),
  ),
  {
    ...plain(
      '手工录入.xlsx',
      'blanks within names, breaks in headings, blanks that are not seen, digits of full width',
      () =>
        xlsxOf([
          {
            rows: [
              ['序号', '姓  名', '性\n别', '出生日期 ', '身份证号\n（18位）', '班　级', '家长电话'],
              ...twelve.map((each) => [
                each.no,
                each.name.length === 2 ? `${each.name[0]}  ${each.name[1]}` : `${each.name}\u00a0`,
                `　${each.sex}`,
                wide(each.birth),
                `'${each.idNo}`,
                ` ${classWide(each)}\u200b`,
                wide(each.father.phone),
              ]),
            ],
          },
        ]),
    ),
    first: {
      姓名: one.name,
      性别: one.sex,
      出生日期: wide(one.birth),
      '身份证号（18位）': one.idNo,
      班级: classWide(one),
      家长电话: wide(one.father.phone),
    },
  },
  {
    file: '各种日期.xlsx',
    about: 'birth dates as a dozen clerks type them, and true days among them',
    bytes: () =>
      xlsxOf([
        {
          rows: [
            ['姓名', '性别', '出生日期', '班级'],
            ...pupils(Object.keys(daysOf).length + 1).map((each, at) => [
              each.name,
              each.sex,
              Object.values(daysOf)[at]?.(each.birth) ?? day(each.birth),
              classWide(each),
            ]),
          ],
        },
      ]),
    pupils: pupils(Object.keys(daysOf).length + 1),
    first: { 姓名: one.name, 出生日期: one.birth },
    classOf: classWide,
  },
  {
    file: '短年份.xlsx',
    about: 'years of two digits, whose order the column decides',
    bytes: () =>
      xlsxOf([
        {
          rows: [
            ['姓名', '性别', '出生年月日', '班级'],
            ...twelve.map((each) => [each.name, each.sex, daysOf.dashes!(each.birth).slice(2), classWide(each)]),
          ],
        },
      ]),
    pupils: twelve,
    first: { 姓名: one.name, 出生年月日: daysOf.dashes!(one.birth).slice(2) },
    classOf: classWide,
  },
  plain('1904.xlsx', 'days counted from 1904, as on old Macs', () => {
    const book = new excel.Workbook()
    book.properties.date1904 = true
    return xlsxOf(
      [
        {
          rows: [
            plainHead,
            ...twelve.map((each) => plainRow(each).map((cell, at) => (at === 3 ? day(each.birth) : cell))),
          ],
        },
      ],
      book,
    )
  }),
  {
    ...plain(
      '数字格式.xlsx',
      'numbers where texts are meant: student numbers with zeros in front, telephones, percents',
      () =>
        xlsxOf([
          {
            rows: [
              ['学号', '姓名', '性别', '班级', '家长电话', '出勤率'],
              ...twelve.map((each) => [
                each.no,
                each.name,
                each.sex,
                classWide(each),
                Number(each.father.phone),
                0.985,
              ]),
            ],
            shape: (sheet) => {
              sheet.getColumn(1).numFmt = '000000'
              sheet.getColumn(6).numFmt = '0.0%'
            },
          },
        ]),
    ),
    first: { 学号: '000001', 姓名: one.name, 家长电话: one.father.phone, 出勤率: '98.5%' },
  },
  plain('含旧表.xlsx', 'a hidden sheet of last year, a sheet of choices, and the roster third', () =>
    xlsxOf([
      {
        name: '去年',
        rows: plainRows(pupils(20, { grade: 2 })),
        shape: (sheet) => {
          sheet.state = 'hidden'
        },
      },
      {
        name: '选项',
        rows: [
          ['性别', '民族'],
          ['男', '汉族'],
          ['女', '回族'],
        ],
      },
      { name: '名册', rows: plainRows(twelve) },
    ]),
  ),
  plain('去年也在.xlsx', 'the sheet of last year, in sight and longer than the roster', () =>
    xlsxOf([
      { name: '去年', rows: plainRows(pupils(20, { grade: 2 })) },
      { name: '花名册', rows: plainRows(twelve) },
    ]),
  ),
  {
    ...plain('班级在表头.xlsx', 'the class in a line above the table, beside its teacher', () =>
      xlsxOf([
        {
          rows: [
            ['学生基本情况登记表'],
            ['学校：实验小学', '', '班级：三（1）班', '', '班主任：李老师', '', '人数：12'],
            ['编号', '学生姓名', '性别', '民族', '出生年月', '家庭住址', '联系方式'],
            ...twelve.map((each) => [each.no, each.name, each.sex, '汉', each.birth, each.address, each.mother.phone]),
            [13],
            [14],
            [15],
            ['填表说明：出生年月按户口本填写；联系方式填写一位家长的手机。'],
          ],
          merges: ['A1:G1'],
        },
      ]),
    ),
    first: { 学生姓名: one.name, 民族: '汉', 联系方式: one.mother.phone, 表格标题: '三（1）班' },
    classOf: () => '三（1）班',
  },
  {
    ...plain('繁體.csv', 'CSV in Big5', () =>
      encoded(
        separated([
          ['座號', '姓名', '性別', '班級', '電話'],
          ...twelve.slice(0, 1).map((each) => [each.no, '王小明', '男', '三年一班', each.father.phone]),
        ]),
        950,
      ),
    ),
    pupils: twelve.slice(0, 1),
    first: { 姓名: '王小明', 班級: '三年一班', 電話: one.father.phone },
    classOf: () => '三年一班',
  },
  plain('其实是xlsx.csv', 'a workbook called .csv', () => xlsxOf([{ rows: plainRows(twelve) }])),
  {
    ...plain(
      '全校与各班.xlsx',
      'a sheet of all pupils beside one for each class',
      () =>
        xlsxOf([
          { name: '全年级', rows: plainRows(spread) },
          ...byClass(spread).map((list) => ({ name: `${list[0]!.classNo}班`, rows: plainRows(list) })),
        ]),
      spread,
    ),
  },
  {
    file: '没有表头.xlsx',
    about: 'no headings at all',
    bytes: () => xlsxOf([{ rows: twelve.map((each) => [each.no, each.name, each.sex, each.idNo, classWide(each)]) }]),
    pupils: twelve,
    first: { B列: one.name, C列: one.sex, D列: one.idNo, E列: '三（1）班' },
    classOf: classWide,
  },
  {
    file: '两行表头.csv',
    about: 'a heading of two rows where nothing can be merged',
    bytes: async () =>
      Buffer.from(
        separated([
          ['姓名', '性别', '班级', '父亲', '', '母亲', ''],
          ['', '', '', '姓名', '电话', '姓名', '电话'],
          ...twelve.map((each) => [
            each.name,
            each.sex,
            classWide(each),
            each.father.name,
            each.father.phone,
            each.mother.name,
            each.mother.phone,
          ]),
        ]),
      ),
    pupils: twelve,
    first: {
      姓名: one.name,
      父亲姓名: one.father.name,
      父亲电话: one.father.phone,
      母亲姓名: one.mother.name,
      母亲电话: one.mother.phone,
    },
    classOf: classWide,
  },
]
