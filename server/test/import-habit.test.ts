import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EntityBatch, importer, listOf, type School, schoolWith } from './import-entity-parts.ts'
import { committed, xlsx } from './import-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** Habits of clerks that one file has and the next has not: how a year stands for a grade, how a relation is told. */

let world: World
let admin: Person
let students: ReturnType<typeof importer>
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  students = importer(world, admin, 'student')
})
afterAll(() => world.close())

const rows = (...lines: string[]): string[][] => lines.map((line) => line.split(' '))
const stored = async (batch: EntityBatch): Promise<void> => {
  expect(await students.faults(batch.id)).toEqual([])
  expect(await committed(admin, batch.id)).toMatchObject({ state: 'done', failure: null })
}
/** Checks a file that needs no matching, and brings it in. */
const brought = async (school: School, file: Buffer | string[][], name?: string): Promise<void> => {
  const read = await students.read(school, file, name)
  expect(read.missing).toEqual([])
  await stored(await students.check(read))
}
const placedIn = async ({ schoolId }: School): Promise<string[]> =>
  (await listOf(admin, 'student', { schoolId })).map((each) => `${each.name} ${each.className ?? ''}`).toSorted()

describe('R-IMP-2 the grade of a class that says its number alone', () => {
  const file = rows('姓名 性别 出生日期 班级', '赵一 男 2017-05-01 1班')
  it.each([
    ['the year of entry in the title', [['第一小学2025级学生信息表'], [], ...file], '学生', '新生.xlsx', '二年级'],
    ['a short one', [['小学23级学生名册'], [], ...file], '学生', '新生.xlsx', '四年级'],
    ['the year of leaving', [['实验学校2029届学生名册'], [], ...file], '学生', '新生.xlsx', '四年级'],
    ['the name of the sheet', file, '2024级', '新生.xlsx', '三年级'],
    ['the name of the file', file, 'Sheet1', '小2024级学生信息(2).xlsx', '三年级'],
    ['the grade in the name of the file', file, 'Sheet1', '二年级学生.xlsx', '二年级'],
    [
      'a column of years',
      rows('姓名 性别 出生日期 年级 班级', '赵一 男 2017-05-01 小2024级 1班'),
      'Sheet1',
      '学生.xlsx',
      '三年级',
    ],
  ])('is said by %s', async (_by, lines, sheet, name, grade) => {
    const school = await schoolWith(admin, [
      ['12', 1],
      ['13', 1],
      ['14', 1],
    ])
    const book = await xlsx(lines, (each) => {
      each.name = sheet
    })
    await brought(school, book, name)
    expect(await placedIn(school)).toEqual([`赵一 ${grade}（1）班`])
  })

  it('is asked where a year of leaving lies behind: some write 届 for the year of entry', async () => {
    const school = await schoolWith(admin, [['12', 1]])
    const batch = await students.check(
      await students.read(school, [['第一小学2025届学生信息表'], [], ...file] as string[][]),
    )
    expect(batch.counts).toMatchObject({ add: 0, bad: 1 })
  })
})

describe('R-IMP-2 a year of entry without a grade', () => {
  it.each(['入学年份', '入学年'])('tells the class with the number beside it, under %s', async (heading) => {
    const school = await schoolWith(admin, [
      ['12', 1],
      ['13', 3],
    ])
    await brought(
      school,
      rows(
        `姓名 性别 出生日期 ${heading} 班号`,
        '赵一 男 2017-05-01 2025 1',
        '钱二 女 2016-05-02 2024 3',
        '孙三 女 2016-05-03 2024级 3班',
      ),
    )
    expect(await placedIn(school)).toEqual(['孙三 三年级（3）班', '赵一 二年级（1）班', '钱二 三年级（3）班'])
  })

  it('is the day of entry where a column says the grade', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(school, rows('姓名 性别 出生日期 年级 班级 入学年份', '赵一 男 2017-05-01 三年级 1班 2024-09'))
    const [one] = await listOf(admin, 'student', { schoolId: school.schoolId })
    expect([one?.className, one?.enrollDate]).toEqual(['三年级（1）班', '2024-09-01'])
  })
})

describe('R-IMP-2 what a guardian is to the child', () => {
  it.each(['监护人及关系', '监护人与关系', '家长和称谓'])('stands with the name, under %s', async (heading) => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(
      school,
      rows(`姓名 性别 出生日期 班级 ${heading} 监护人电话`, '赵一 男 2017-05-01 三1班 高丽华（母亲） 13800000001'),
    )
    const told = (await listOf(admin, 'studentparents', { schoolId: school.schoolId })).map(
      ({ parentName, relation }) => `${parentName} ${relation ?? ''}`,
    )
    expect(told).toEqual(['高丽华 52'])
  })

  it.each(['与儿童关系', '与学生/幼儿关系', '和孩子的关系', '学生与监护人关系', '与被监护人的关系', '关系', '称谓'])(
    'stands under %s, by both ends: 父子 is the father',
    async (heading) => {
      const school = await schoolWith(admin, [['13', 1]])
      const file = rows(
        `儿童姓名 性别 出生日期 班级 法定监护人 ${heading} 联系电话`,
        '赵一 男 2017-05-01 三1班 赵大 父子 13800000001',
        '钱二 女 2017-05-02 三1班 钱大 父女 13800000002',
        '孙三 男 2017-05-03 三1班 周敏 母子 13800000003',
        '李四 女 2017-05-04 三1班 吴梅 母女关系 13800000004',
        '周五 女 2017-05-05 三1班 周强 学生父亲 13800000005',
        '吴六 女 2017-05-06 三1班 郑兰 祖孙 13800000006',
      )
      await brought(school, file)
      const told = (await listOf(admin, 'studentparents', { schoolId: school.schoolId })).map(
        ({ parentName, relation }) => `${parentName} ${relation ?? ''}`,
      )
      expect(told.toSorted()).toEqual(['吴梅 52', '周强 51', '周敏 52', '赵大 51', '钱大 51', '郑兰 '].toSorted())
    },
  )

  it('is not what the child is to the head of the household', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const file = rows(
      '姓名 性别 出生日期 班级 户主姓名 与户主关系 监护人 监护人电话',
      '赵一 男 2017-05-01 三1班 赵祖德 祖孙 周敏 13800000001',
      '钱二 男 2017-05-01 三1班 钱大 父子 吴梅 13800000002',
    )
    await brought(school, file)
    const told = (await listOf(admin, 'studentparents', { schoolId: school.schoolId })).map(
      ({ parentName, relation }) => `${parentName} ${relation ?? ''}`,
    )
    expect(told.toSorted()).toEqual(['吴梅 ', '周敏 '])
  })
})

describe('R-IMP-2 what stands in a cell', () => {
  const guardians = async ({ schoolId }: School): Promise<string[]> => {
    const told = (await listOf(admin, 'studentparents', { schoolId })).map(async ({ id, parentName, relation }) => {
      const { mobile } = (await admin.get<{ mobile: string | null }>('blade-user/studentparents/personal', { id })).data
      return [parentName, relation, mobile].map((each) => each ?? '').join(' ')
    })
    return (await Promise.all(told)).toSorted()
  }

  it.each([
    ['the relation before the name, in four signs', '家长', '母亲李娜', ['李娜 52 ']],
    ['the relation behind the name', '家长', '张大 父亲', ['张大 51 ']],
    [
      'of each the name, the relation and the number',
      '家庭成员（姓名/关系/电话）',
      '张大/父亲/13800000046；李娜/母亲/13800000047',
      ['张大 51 13800000046', '李娜 52 13800000047'],
    ],
    ['a name, and then a relation with its name', '家长', '王大、母亲赵敏', ['王大  ', '赵敏 52 ']],
    ['nobody, where the parent has died', '父亲', '已故', []],
    ['a name, and that he has died', '父亲', '李强（已故）', ['李强 51 ']],
    ['an area code in brackets', '妈妈电话', '(0536)8888888', [' 52 0536-8888888']],
    ['a number that a program wrote as a fraction', '家长电话', '13800000014.0', ['  13800000014']],
    ['a number that a program wrote as a power, with all its digits', '家长电话', '1.3800000015E10', ['  13800000015']],
  ])('is %s', async (_what, heading, cell, told) => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(school, [
      ['姓名', '性别', '出生日期', '班级', heading],
      ['赵一', '♂', '2017-05-01', '三1班', cell],
    ])
    expect(await guardians(school)).toEqual(told.toSorted())
  })

  it('is asked about where a power has lost digits', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const file = rows('姓名 性别 出生日期 班级 家长电话', '赵一 ♀ 2017-05-01 三1班 1.38E+10')
    expect((await students.check(await students.read(school, file))).counts).toMatchObject({ add: 0, bad: 1 })
  })

  it('is a class by its number, though a program wrote it as a fraction, in the grade of the title', async () => {
    const school = await schoolWith(admin, [
      ['13', 1],
      ['14', 1],
    ])
    await brought(school, [
      ['2026—2027学年度三年级学生情况登记表'],
      ['班级：', '班主任：', '人数：'],
      ['班次', '姓名', '性别', '出生日期'],
      ['1.0', '赵一', '男', '2017-05-01'],
    ])
    expect(await placedIn(school)).toEqual(['赵一 三年级（1）班'])
  })

  it('is of the person to its left: a spare number of the spare contact, a relation of the emergency contact', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(
      school,
      rows(
        '姓名 性别 出生日期 班级 监护人姓名 监护人电话 备用联系人 与学生关系 备用电话 紧急联系人 关系 电话',
        '赵一 男 2017-05-01 三1班 赵大 13800000001 周敏 母女 13800000002 王奶 奶奶 13800000003',
      ),
    )
    expect(await guardians(school)).toEqual(['周敏 52 13800000002', '赵大  13800000001'])
  })

  it('is not lost where the row does not name that person: the other parent has it, or it is the one to call', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const head = ['姓名', '性别', '出生日期', '班级', '联系电话', '父亲姓名', '父亲电话', '母亲姓名', '母亲电话']
    await brought(school, [
      head,
      ['赵一', '男', '2017-05-01', '三1班', '13800000011', '', '', '李敏', '13800000012'],
      ['钱二', '女', '2017-05-02', '三1班', '13800000013', '', '', '孙芳', '13800000013'],
      ['孙三', '女', '2017-05-03', '三1班', '13800000014', '', '', '', ''],
    ])
    const list = await listOf(admin, 'studentparents', { schoolId: school.schoolId })
    const personal = async (entity: string, id: string) =>
      (await admin.get<Record<string, string>>(`blade-user/${entity}/personal`, { id })).data
    const told = await Promise.all(
      list.map(async ({ id, parentName }) => {
        const { mobile, otherPhone } = await personal('studentparents', id)
        return [parentName, mobile, otherPhone ?? ''].join(' ')
      }),
    )
    expect(told.toSorted()).toEqual(['孙芳 13800000013 ', '李敏 13800000012 13800000011'])
    const [third] = await listOf(admin, 'student', { schoolId: school.schoolId, name: '孙三' })
    const [detail] = await listOf(admin, 'studentdetail', { studentId: third!.id })
    expect((await personal('studentdetail', detail!.id)).emergencyPhone).toBe('13800000014')
  })
})
