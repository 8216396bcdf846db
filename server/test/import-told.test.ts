import { type RowRun, rowPlace } from '@data-brain/contract/import/row-place'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowWords } from '../src/modules/import/batch/row-words.ts'
import { type EntityBatch, importer, listOf, type School, schoolWith } from './import-entity-parts.ts'
import { committed, idNoOf, xlsx } from './import-parts.ts'
import { xlsxOf } from './rosters/write.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** What happens to rows that are right is said before it does. */

let world: World
let admin: Person
let students: ReturnType<typeof importer>
let school: School
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  students = importer(world, admin, 'student')
  school = await schoolWith(admin, [['13', 1]])
})
afterAll(() => world.close())

interface Told {
  kind: string
  key: string
  count: number
  rows: number[]
  text: string | null
  answer: string | null
  word: string | null
}
const told = (batch: EntityBatch, kind?: string): Told[] =>
  (batch as unknown as { told: Told[] }).told.filter((each) => kind === undefined || each.kind === kind)
const rows = (...lines: string[]): string[][] => lines.map((line) => line.split(' '))
const stored = async (batch: EntityBatch): Promise<void> => {
  expect(batch).toMatchObject({ state: 'checked', counts: { bad: 0 } })
  expect(await committed(admin, batch.id)).toMatchObject({ state: 'done', failure: null })
}
const checked = async (file: string[][], at: School = school): Promise<EntityBatch> =>
  students.check(await students.read(at, file))
const pupil = async (name: string): Promise<Row & { remark?: string }> => {
  const [row] = await listOf(admin, 'student', { schoolId: school.schoolId, name, columns: 'remark' })
  return row!
}
const detail = async (name: string): Promise<Record<string, unknown>> => {
  const { id } = await pupil(name)
  const all = await listOf(admin, 'studentdetail', { schoolId: school.schoolId })
  const own = all.find(({ studentId }) => studentId === id)
  return own ? (await admin.get<Record<string, unknown>>('blade-user/studentdetail/detail', { id: own.id })).data : {}
}

describe('R-IMP-2 ISSUE-12 regions as people call them', () => {
  const head = '班级 姓名 性别 出生日期 籍贯'
  let no = 0
  const nativePlace = async (text: string): Promise<{ code: unknown; batch: EntityBatch; name: string }> => {
    no += 1
    const name = `赵${'甲乙丙丁戊己庚辛壬癸'[Math.floor(no / 10)]}${'甲乙丙丁戊己庚辛壬癸'[no % 10]}`
    const batch = await checked([...rows(head), ['三1班', name, '男', '2017-10-08', text]])
    await stored(batch)
    return { code: (await detail(name)).nativePlaceCode, batch, name }
  }

  it.each([
    ['贵州省黔西南州晴隆县', '522324'],
    ['贵州黔西南州晴隆县', '522324'],
    ['黔西南州晴隆县', '522324'],
    ['贵州省黔西南晴隆县', '522324'],
    ['湖北省恩施州恩施市', '422801'],
    ['湖北省恩施州', '422800'],
    ['湖北省宜昌市长阳县', '420528'],
    ['吉林省延边州延吉市', '222401'],
    ['青海省海西州德令哈市', '632802'],
    ['青海省海南州共和县', '632521'],
    ['云南省西双版纳州景洪市', '532801'],
    ['云南大理州大理市', '532901'],
    ['新疆伊犁州霍城县', '654023'],
    ['新疆巴州库尔勒市', '652801'],
    ['新疆维吾尔自治区克州阿图什市', '653001'],
    ['湖南省湘西州吉首市', '433101'],
    ['四川省凉山州西昌市', '513401'],
    ['甘肃省临夏州积石山县', '622927'],
    ['黔东南州凯里市', '522601'],
    ['内蒙古自治区锡盟锡林浩特市', '152502'],
    ['内蒙古呼伦贝尔市鄂伦春旗', '150723'],
    ['重庆市彭水县', '500243'],
    ['广西桂林市恭城县', '450332'],
    ['湖南长沙市岳麓区', '430104'],
    ['贵州省黔西南自治州晴隆县', '522324'],
    ['湖北宜昌长阳自治县', '420528'],
    ['广西省南宁市青秀区', '450103'],
    ['上海市浦东', '310115'],
    ['湖南省长沙市望城县', '430112'],
  ])('%s is %s', async (text, code) => {
    const { code: found, batch } = await nativePlace(text)
    expect(found).toBe(code)
    expect(told(batch, 'wider')).toEqual([])
  })

  it('has every autonomous prefecture under its short name', async () => {
    const names =
      '延边州 恩施州 湘西州 阿坝州 甘孜州 凉山州 黔西南州 黔东南州 黔南州 楚雄州 红河州 文山州 西双版纳州 大理州 德宏州 怒江州 迪庆州 临夏州 甘南州 海北州 黄南州 海南州 果洛州 玉树州 海西州 昌吉州 博尔塔拉州 巴音郭楞州 克孜勒苏州 伊犁州'.split(
        ' ',
      )
    const lines = names.map((name, at) => [
      '三1班',
      `钱${'甲乙丙丁戊'[Math.floor(at / 10)]}${'甲乙丙丁戊己庚辛壬癸'[at % 10]}`,
      '男',
      '2017-10-08',
      name,
    ])
    const batch = await checked([...rows(head), ...lines])
    expect(batch.counts).toMatchObject({ add: 30, bad: 0 })
    await stored(batch)
    const found = await Promise.all(lines.map(async ([, name]) => (await detail(name!)).nativePlaceCode))
    expect(new Set(found).size).toBe(30)
    expect(found.every((code) => /^\d{4}00$/.test(String(code)))).toBe(true)
  })

  it.each(['贵州省某某县城关镇', '江苏省平江路1号', '湖南省长沙市某某县'])(
    'says that only part of %s was read, and keeps the text',
    async (text) => {
      const { batch, name } = await nativePlace(text)
      expect(told(batch, 'wider')).toMatchObject([{ key: 'detail.nativePlaceCode', count: 1, text, rows: [2] }])
      expect((await pupil(name)).remark).toBe(`籍贯：${text}`)
    },
  )

  it('keeps the address of the household where it has a column of its own', async () => {
    const head = '班级 姓名 性别 出生日期 户口所在地 户口地址'
    const line = '三1班 褚一 男 2017-10-08 江苏省苏州市姑苏区平江路1号 平江路2号'
    await stored(await checked(rows(head, line)))
    expect(await detail('褚一')).toMatchObject({ hukouRegionCode: '320508', hukouAddress: '平江路2号' })
  })

  it.each(['本市', '外省市', '本地', '外地', '外省', '本区', '非沪籍'])(
    'is none where it says %s: no fault, and kept',
    async (text) => {
      no += 1
      const name = `孙${'甲乙丙丁戊己庚辛壬癸'[no % 10]}${'甲乙丙丁戊己庚辛壬癸'[Math.floor(no / 10)]}`
      const batch = await checked([
        ...rows('班级 姓名 性别 出生日期 户籍 备注'),
        ['三1班', name, '男', '2017-10-08', text, '走读'],
      ])
      expect(told(batch, 'inRemark')).toMatchObject([{ key: 'detail.hukouRegionCode', count: 1, text }])
      await stored(batch)
      expect((await pupil(name)).remark).toBe(`走读；户口所在地：${text}`)
    },
  )
})

describe('R-IMP-3 ISSUE-12 an answer of an earlier file', () => {
  const file = (name: string): string[][] => rows('班级 姓名 性别 出生日期 是否留守', `三1班 ${name} 男 2017-10-08 是`)
  const both = { key: 'detail.leftBehind', text: '是', as: '双亲留守儿童' }

  it('is told where it is used, and asked anew at a press', async () => {
    const batch = await checked(file('李一一'))
    await stored(await students.answer(batch.id, both))
    const next = await checked(file('李二二'))
    const [note] = told(next, 'learned')
    expect(note).toMatchObject({ key: 'detail.leftBehind', count: 1, text: '是', answer: '双亲留守儿童' })
    const again = await students.answer(next.id, { key: note!.key, text: null, again: note!.word })
    expect(told(again, 'learned')).toEqual([])
    expect((await students.groups(again.id)).map(({ text }) => text)).toEqual(['是'])
    await stored(await students.answer(next.id, { ...both, as: '单亲留守儿童' }))
    expect((await detail('李二二')).leftBehind).toBe('1')
  })

  it('is for its school where it depends on it, as 是 does; other words hold for all', async () => {
    await stored(
      await students.answer((await checked(file('李三三'))).id, both).catch(async () => checked(file('李三三'))),
    )
    const other = await schoolWith(admin, [['13', 1]])
    const asked = await checked(file('周一一'), other)
    expect((await students.groups(asked.id)).map(({ text }) => text)).toEqual(['是'])
    const odd = (name: string) => rows('班级 姓名 性别 出生日期 民族', `三1班 ${name} 男 2017-10-08 汉满之后`)
    const first = await checked(odd('李四四'))
    await stored(await students.answer(first.id, { key: 'student.nation', text: '汉满之后', as: '满族' }))
    const learned = await checked(odd('周二二'), other)
    expect(learned.counts).toMatchObject({ bad: 0 })
    expect(told(learned, 'learned')).toMatchObject([{ key: 'student.nation', text: '汉满之后', answer: '满族' }])
  })

  it('may be that nobody knows which: left open, and kept in the remarks', async () => {
    const other = await schoolWith(admin, [['13', 1]])
    const asked = await checked(file('周三三'), other)
    const [group] = await students.groups(asked.id)
    expect(group).toMatchObject({ kept: true, mayBeEmpty: true })
    const done = await students.answer(asked.id, { key: 'detail.leftBehind', text: '是', as: '' })
    expect(told(done, 'inRemark')).toMatchObject([{ key: 'detail.leftBehind', count: 1 }])
    await stored(done)
    const [row] = await listOf(admin, 'student', { schoolId: other.schoolId, columns: 'remark' })
    expect(row).toMatchObject({ remark: '留守儿童：是' })
  })
})

describe('R-IMP-3 ISSUE-12 what is told before an import', () => {
  it('counts pupils without a class', async () => {
    const batch = await checked([
      ...rows('班级 姓名 性别 出生日期', '三1班 吴一一 男 2017-10-08'),
      ['', '吴二二', '男', '2017-10-08'],
      ['暂不分班', '吴三三', '男', '2017-10-08'],
      ['/', '吴四四', '女', '2017-10-08'],
    ])
    expect(batch.counts).toMatchObject({ add: 4, bad: 0 })
    expect(told(batch, 'noClass')).toMatchObject([{ count: 3, rows: [3, 4, 5] }])
  })

  it('says that the first guardian becomes the emergency contact', async () => {
    const batch = await checked(
      rows(
        '班级 姓名 性别 出生日期 家庭住址 父亲姓名 父亲电话',
        '三1班 吴五五 男 2017-10-08 幸福路1号 吴大 13800000001',
      ),
    )
    expect(told(batch, 'copied')).toMatchObject([{ count: 1 }])
  })

  it.each([
    ['第二实验小学三年级学生花名册', '第二实验小学'],
    ['2026年城关镇中心小学三年级（1）班名单', '城关镇中心小学'],
  ])('warns of a title that names another school: %s', async (title, name) => {
    const batch = await checked([[title], ...rows('班级 姓名 性别 出生日期', '三1班 吴六六 男 2017-10-08')])
    expect(told(batch, 'otherSchool')).toMatchObject([{ text: name }])
  })

  it('warns of a school of the tenant, and not of the chosen one', async () => {
    const other = await schoolWith(admin, [])
    const nameOf = async ({ schoolId }: School): Promise<string> =>
      (await admin.get<{ schoolName: string }>('blade-user/school/detail', { id: schoolId })).data.schoolName
    const file = (title: string) => [[title], ...rows('班级 姓名 性别 出生日期', '三1班 吴七七 男 2017-10-08')]
    expect(told(await checked(file(`${await nameOf(other)}学生名单`)), 'otherSchool')).toHaveLength(1)
    expect(told(await checked(file(`城东区${await nameOf(school)}学生名单`)), 'otherSchool')).toEqual([])
  })

  it('tells nothing of a row that somebody leaves out', async () => {
    const file = await xlsx(rows('班级 姓名 性别 出生日期', '- 吴八八 男 2017-10-08'), (sheet) => {
      sheet.getRow(2).hidden = true
    })
    const batch = await students.check(await students.read(school, file), { hidden: 'leave' })
    expect(told(batch)).toEqual([])
  })
})

describe('R-IMP-2 ISSUE-12 a row of codes below the headings', () => {
  it.each([
    ['BJ XM XB SFZH CSRQ'],
    ['bj xm xb sfzh csrq'],
    ['class_name name sex id_card birthday'],
    ['字段代码 XM XB SFZH CSRQ'],
  ])('is no pupil: %s', async (codes) => {
    const file = await xlsx(
      rows('班级 姓名 性别 身份证号 出生日期', codes, `三1班 郑一一 男 ${idNoOf('2017-10-08', 1)} 2017-10-08`),
      (sheet) => {
        sheet.getRow(2).hidden = true
      },
    )
    const read = await students.read(school, file)
    expect(read).toMatchObject({ total: 1, source: { hidden: 0 } })
    expect((await students.check(read)).counts).toMatchObject({ add: 1, bad: 0 })
  })

  it('is one where it is one: Tom M', async () => {
    const read = await students.read(school, rows('班级 姓名 性别', '三1班 Tom M', '三1班 Ann F'))
    expect(read.total).toBe(2)
  })
})

describe('R-ERR-5 ISSUE-12 a row of several sheets', () => {
  const head = '班级 姓名 性别 出生日期 学号'
  const page = (name: string, ...lines: string[]) => ({ name, rows: [[`${name}学生名单`], ...rows(head, ...lines)] })
  const pages = [
    page('甲组', '三1班 冯一一 男 2017-10-08 S901', '三1班 冯二二 哪 2017-10-08 S902'),
    page('乙组', '三1班 冯三三 女 2017-10-08 S901', '三1班 冯四四 哪 2017-10-08 S904'),
  ]

  it('is told by its sheet and its row there, not by a count over all of them', async () => {
    const batch = await students.check(await students.read(school, await xlsxOf(pages)))
    expect(batch).toMatchObject({ counts: { bad: 4 } })
    const { runs } = batch as unknown as { runs: RowRun[] }
    const faulty = (await students.faults(batch.id)).map((each) => {
      const [no = '', ...words] = each.split(' ')
      return [rowPlace(runs, Number(no)), words.join(' ')]
    })
    expect(faulty).toEqual([
      [{ sheet: 0, row: 3 }, 'student.studentNo 与第2张工作表第3行重复'],
      [{ sheet: 0, row: 4 }, expect.stringContaining('student.sex')],
      [{ sheet: 1, row: 3 }, 'student.studentNo 与第1张工作表第3行重复'],
      [{ sheet: 1, row: 4 }, expect.stringContaining('student.sex')],
    ])
  })

  it('is told by its row alone in a file of one sheet', async () => {
    const batch = await students.check(await students.read(school, await xlsxOf(pages.slice(0, 1))))
    expect((batch as unknown as { runs: RowRun[] }).runs).toEqual([])
    expect((await students.faults(batch.id)).map((each) => each.split(' ')[0])).toEqual(['4'])
  })

  it.each([
    ['zh', '第3、4行'],
    ['en', 'rows 3, 4'],
  ] as const)('is counted on from where its table begins: %s', (language, words) => {
    const runs = [
      { no: 1, sheet: 0, row: 3 },
      { no: 5, sheet: 0, row: 12 },
    ]
    expect(rowWords(runs, [1, 2])[language]).toBe(words)
    expect(rowPlace(runs, 6)).toEqual({ sheet: null, row: 13 })
    expect(rowWords([...runs, { no: 8, sheet: 2, row: 2 }], [6, 9], 1)).toEqual({
      zh: '第1张工作表第13行等2行',
      en: 'row 13 of sheet 1 and 1 more',
    })
  })
})
