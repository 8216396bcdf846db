import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clerk, type EntityBatch, rows, schoolWith } from './import-entity-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** Classes that are called by a name of their own, where no column names the class. */

let world: World
let admin: Person
let hands: ReturnType<typeof clerk>
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  hands = clerk(world, admin)
})
afterAll(() => world.close())

const book = async (...sheets: readonly (readonly [string, readonly string[][]])[]): Promise<Buffer> => {
  const all = new excel.Workbook()
  for (const [name, lines] of sheets) {
    const sheet = all.addWorksheet(name)
    for (const line of lines) sheet.addRow(line)
  }
  return Buffer.from(await all.xlsx.writeBuffer())
}
const heading = '姓名 性别 出生日期'

describe('R-IMP-2 a class with a name of its own', () => {
  it('is the one that the name of a sheet or a title says, where the school has it', async () => {
    const school = await schoolWith(admin, [['02', 3]], ['1'], '11')
    const grades = await admin.get<{ records: { id: string }[] }>('blade-user/sysgrade/list', { gradeCode_equal: '02' })
    for (const [classNo, className] of [
      [1, '太阳班'],
      [2, '月亮班'],
    ])
      await admin.post('blade-user/schoolclass/submit', {
        ...{ schoolId: school.schoolId, campusId: school.campusId, yearId: school.yearId, cohortYear: 2025 },
        ...{ gradeId: grades.data.records[0]!.id, classType: '10', classNo, className },
      })
    await hands.brought(
      school,
      await book(['太阳班', rows(heading, '赵一 男 2021-10-01')], ['月亮班', rows(heading, '钱二 女 2021-10-02')]),
    )
    expect((await hands.pupil(school, '赵一')).className).toBe('太阳班')
    expect((await hands.pupil(school, '钱二')).className).toBe('月亮班')
    await hands.brought(school, [['月亮班幼儿信息登记表'], ...rows(heading, '孙三 男 2021-10-03')])
    expect((await hands.pupil(school, '孙三')).className).toBe('月亮班')
  })

  it('is offered in a kindergarten that has it not, within the grade of the name of the file', async () => {
    const school = await schoolWith(admin, [['02', 1]], ['1'], '11')
    const file = await book(
      ['星星班', rows(heading, '李四 男 2021-10-04')],
      ['彩虹班', rows(heading, '周五 女 2021-10-05')],
    )
    const read = await hands.students.read(school, file, '中班段幼儿名单.xlsx')
    expect(read.missing).toEqual([])
    const batch = await hands.students.check(read, { fixed: read.fixed })
    const groups = await hands.students.groups(batch.id)
    expect(groups.map(({ make }) => make?.name).toSorted()).toEqual(['彩虹班', '星星班'])
    await hands.stored(
      await hands.students.answer(batch.id, ...groups.map(({ key, text }) => ({ key, text, make: true }))),
    )
    expect((await hands.pupil(school, '李四')).className).toBe('星星班')
  })

  it('may be counted by letters, or say something in brackets before its number', async () => {
    const garden = await schoolWith(admin, [['01', 1]], ['1'], '11')
    const file = await book(
      ['小A班', [['金色摇篮幼儿园小A班幼儿信息'], ...rows(heading, '郑一 男 2022-10-01')]],
      ['小B班', [['金色摇篮幼儿园小B班幼儿信息'], ...rows(heading, '郑二 女 2022-10-02')]],
    )
    const made = async (read: EntityBatch): Promise<string[]> => {
      expect(read.missing).toEqual([])
      const batch = await hands.students.check(read, { fixed: read.fixed })
      const groups = await hands.students.groups(batch.id)
      await hands.stored(
        await hands.students.answer(batch.id, ...groups.map(({ key, text }) => ({ key, text, make: true }))),
      )
      return groups.map(({ make }) => make!.name).toSorted()
    }
    expect(await made(await hands.students.read(garden, file))).toEqual(['小A班', '小B班'])
    expect((await hands.pupil(garden, '郑二')).className).toBe('小B班')
    const school = await schoolWith(admin, [['13', 1]])
    const lines = ['三年级（B）班 王三 男 2017-10-03', '三B班 王四 男 2017-10-04', '三1班 王五 女 2017-10-05']
    // Asked by spelling, and made once.
    expect(await made(await hands.students.read(school, rows(`班级 ${heading}`, ...lines)))).toHaveLength(2)
    const { className } = await hands.pupil(school, '王三')
    expect(className).toMatch(/^三(年级（B）|B)班$/)
    expect((await hands.pupil(school, '王四')).className).toBe(className)
    // It is known again in either spelling.
    await hands.brought(school, [['三B班学生名册'], ...rows(heading, '王六 男 2017-10-06')])
    expect((await hands.pupil(school, '王六')).className).toBe(className)
    const college = await schoolWith(admin, [['32', 1]], ['4'], '36')
    const repair = rows(`班级 ${heading}`, '25级汽修（高考）1班 冯七 男 2009-10-07')
    expect(await made(await hands.students.read(college, repair))).toEqual(['25级汽修（高考）1班'])
  })

  it('is no class of a school that has none of that name', async () => {
    const school = await schoolWith(admin, [['15', 1]])
    const read = await hands.students.read(school, [['五年级舞蹈班学生名册'], ...rows(heading, '吴六 男 2015-10-04')])
    expect(read.missing.map(({ key }) => key)).toEqual(['student.classId'])
  })
})

describe('R-IMP-2 a title of those who have been admitted', () => {
  it('places them in no class yet, and is seen before anything is checked', async () => {
    const school = await schoolWith(admin, [['31', 1]], ['4'], '34')
    const read = await hands.students.read(school, [
      ['2026年高中阶段学校录取名册'],
      ...rows(`${heading} 录取类别 联系电话`, '陈一 男 2010-10-01 统招 13800000301'),
    ])
    expect(read).toMatchObject({ missing: [], fixed: { 'student.classId': '暂不分班' } })
    await hands.stored(await hands.students.check(read, { fixed: read.fixed }))
    expect((await hands.pupil(school, '陈一')).className ?? '').toBe('')
  })
})
