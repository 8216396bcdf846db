import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matchHeadings } from '../src/modules/import/file/match.ts'
import { clerk, listOf, rows, type School, schoolWith } from './import-entity-parts.ts'
import { idNoOf } from './import-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** Small marks of clerks in cells and headings: a star behind a name, the season of entry, a figure behind 电话. */

let world: World
let admin: Person
let hands: ReturnType<typeof clerk>
let school: School
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  hands = clerk(world, admin)
  school = await schoolWith(admin, [['13', 1]])
})
afterAll(() => world.close())

describe('R-IMP-2 marks in cells', () => {
  it('are no part of a name, and are kept in the remarks', async () => {
    const file = rows(
      '班级 姓名 性别 出生日期 备注',
      '三1班 赵一* 男 2017-05-01 _',
      '三1班 钱二（大） 女 2017-05-02 课代表',
      '三1班 ★孙三 男 2017-05-03 _',
      '三1班 李四2 男 2017-05-04 _',
      '三1班 周·五 男 2017-05-05 _',
    )
    await hands.brought(school, file)
    expect((await hands.pupil(school, '赵一')).remark).toBe('姓名：赵一*')
    expect((await hands.pupil(school, '钱二')).remark).toBe('课代表；姓名：钱二（大）')
    expect((await hands.pupil(school, '孙三')).remark).toBe('姓名：★孙三')
    expect((await hands.pupil(school, '李四')).remark).toBe('姓名：李四2')
    expect((await hands.pupil(school, '周·五')).remark ?? '').toBe('')
    const again = await hands.students.read(school, file)
    expect((await hands.students.check(again, { fixed: again.fixed })).counts).toMatchObject({ add: 0, bad: 0 })
  })

  it('of the season or year of entry are its September', async () => {
    const entries = ['2024年秋', '2024秋季', '2024', '2024级', '2024年秋季学期', '2024.9']
    await hands.brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 入学时间',
        ...entries.map((each, at) => `三1班 吴${'一二三四五六'[at]} 男 2017-06-0${at + 1} ${each}`),
      ),
    )
    for (const at of entries.keys())
      expect((await hands.pupil(school, `吴${'一二三四五六'[at]}`)).enrollDate, entries[at]).toBe('2024-09-01')
  })
})

describe('R-IMP-3 ISSUE-12 a cell that was broken into lines', () => {
  it('is one text where its field has one line, and keeps its lines where it may have several', async () => {
    const file = [
      ['班级', '姓名', '性别', '出生日期', '家庭住址', '过敏史', '家长姓名', '家长电话', '家长工作单位'],
      [
        ...['三1班', '马一', '男', '2017-06-11', '南京市玄武区\n珠江路1号 \r\n301室', '花生\n牛奶'],
        ...['马大', '13800000411', '县医院\n内科'],
      ],
    ]
    await hands.brought(school, file)
    const [detail] = await listOf(admin, 'studentdetail', { studentId: String((await hands.pupil(school, '马一')).id) })
    const whole = (await admin.get<Row>('blade-user/studentdetail/detail', { id: detail!.id })).data
    expect(whole).toMatchObject({ familyAddress: '南京市玄武区珠江路1号301室', allergy: '花生\n牛奶' })
    const [parent] = await listOf(admin, 'studentparents', { studentId: String(whole.studentId) })
    expect((await admin.get<Row>('blade-user/studentparents/detail', { id: parent!.id })).data).toMatchObject({
      workUnit: '县医院 内科',
    })
    const again = await hands.students.read(school, file)
    expect((await hands.students.check(again, { fixed: again.fixed })).counts).toMatchObject({ add: 0, bad: 0 })
  })
})

describe('R-IMP-2 what stands in place of a number', () => {
  it('is kept in the remarks, and is no number and nobody', async () => {
    await hands.brought(
      school,
      rows(
        '班级 姓名 性别 出生日期 身份证号 家长姓名 家长电话',
        '三1班 郑一 男 2017-07-01 未办理 郑大 13800000201',
        '三1班 郑二 女 2017-07-02 正在办理 郑大 停机',
        '三1班 郑三 男 2017-07-03 / 郑四 没有手机',
      ),
    )
    expect(await hands.pupil(school, '郑一')).toMatchObject({ remark: '身份证号：未办理' })
    expect((await hands.pupil(school, '郑一')).idNo ?? '').toBe('')
    expect((await hands.pupil(school, '郑二')).remark).toBe('身份证号：正在办理；家长电话：停机')
    expect(await hands.guardians(school, '郑二')).toEqual(['郑大  '])
    expect((await hands.pupil(school, '郑三')).remark).toBe('家长电话：没有手机')
    expect(await hands.guardians(school, '郑三')).toEqual(['郑四  '])
  })

  it('may be the national code, which says birth and sex', async () => {
    const number = idNoOf('2017-07-04', 22)
    const file = rows('班级 学籍号 姓名 家长 电话', `三1班 G${number} 王一 王大 13800000203`)
    await hands.brought(school, file)
    expect(await hands.pupil(school, '王一')).toMatchObject({
      birthDate: '2017-07-04',
      sex: '2',
      nationalCode: `G${number}`,
    })
    expect((await hands.pupil(school, '王一')).idNo ?? '').toBe('')
    // Another code says neither, and the row is asked about.
    const other = await hands.students.read(school, rows('班级 学籍号 姓名', '三1班 L123456789012345678 王二'))
    const { counts } = await hands.students.check(other, { fixed: other.fixed })
    expect(counts).toMatchObject({ add: 0, bad: 1 })
  })
})

describe('R-IMP-2 headings', () => {
  it('in English above those in Chinese, or below them, are the same row of headings', async () => {
    const english = ['No.', 'Pupil', 'Sex', 'Form', 'Birthday', 'Dad', 'Cell', 'Mum', 'Cell']
    const chinese = ['序号', '姓名', '性别', '班级', '出生日期', '父亲', '手机', '母亲', '手机']
    for (const [at, heads] of [
      [english, chinese],
      [chinese, english],
    ].entries()) {
      const row = [
        '1',
        `冯${'一二'[at]}`,
        '男',
        '三1班',
        `2017-08-0${at + 1}`,
        '冯大',
        `1380000021${at}`,
        '陈梅',
        `1380000022${at}`,
      ]
      expect((await hands.brought(school, [...heads, row])).total).toBe(1)
      expect(await hands.guardians(school, row[1]!)).toEqual([`冯大 51 ${row[6]}`, `陈梅 52 ${row[8]}`])
    }
  })

  it('监护人类型 tells the relation where its cells are words for one', async () => {
    const heads = '班级 姓名 性别 出生日期 监护人类型 监护人姓名 监护人电话'
    await hands.brought(school, rows(heads, '三1班 褚一 男 2017-08-03 父亲 褚大 13800000231'))
    expect(await hands.guardians(school, '褚一')).toEqual(['褚大 51 13800000231'])
    const read = await hands.brought(school, rows(heads, '三1班 褚二 男 2017-08-04 法定监护人 褚三 13800000232'))
    expect(read.columns.find(({ heading }) => heading === '监护人类型')?.key).toBeNull()
    expect(await hands.guardians(school, '褚二')).toEqual(['褚三  13800000232'])
  })
})

describe('R-IMP-2 a figure behind 电话', () => {
  const keys = (...headings: string[]): (string | undefined)[] => {
    const known = matchHeadings('student', headings)
    return headings.map((_heading, at) => known.get(at)?.key)
  }
  it('counts the numbers of the only guardian with a name', () => {
    expect(keys('姓名', '家长姓名', '家长电话', '家长电话2').slice(1)).toEqual([
      ...['member1.parentName', 'member1.mobile', 'member1.otherPhone'],
    ])
    expect(keys('姓名', '监护人', '监护人电话1', '监护人电话2').slice(1)).toEqual([
      ...['member1.parentName', 'member1.mobile', 'member1.otherPhone'],
    ])
  })

  it('is somebody else where it stands behind 家长, or where nobody has a name', () => {
    expect(keys('姓名', '家长姓名', '家长电话', '家长2电话').slice(1)).toEqual([
      ...['member1.parentName', 'member1.mobile', 'member2.mobile'],
    ])
    expect(keys('姓名', '家长电话1', '家长电话2').slice(1)).toEqual(['member1.mobile', 'member2.mobile'])
  })
})
