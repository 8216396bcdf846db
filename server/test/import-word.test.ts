import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EntityBatch, importer, listOf, type School, schoolWith } from './import-entity-parts.ts'
import { committed, idNoOf, xlsx } from './import-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** What a word of a file means, and which rows of it are meant at all. */

let world: World
let admin: Person
let students: ReturnType<typeof importer>
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  students = importer(world, admin, 'student')
})
afterAll(() => world.close())

/** Who is in which class. */
const placedIn = async ({ schoolId }: School): Promise<string[]> =>
  (await listOf(admin, 'student', { schoolId }))
    .map(({ name, className }) => `${String(name)} ${String(className ?? '')}`)
    .toSorted()
const stored = async (batch: EntityBatch): Promise<void> => {
  expect(batch).toMatchObject({ state: 'checked', counts: { bad: 0 } })
  expect(await committed(admin, batch.id)).toMatchObject({ state: 'done', failure: null })
}
type Shape = NonNullable<Parameters<typeof xlsx>[1]>
const rows = (...lines: string[]): string[][] => lines.map((line) => line.split(' '))

describe('R-IMP-2 a class beside a column of grades', () => {
  const file = rows(
    '姓名 性别 出生日期 年级 班级',
    '赵一 男 2017-05-01 三年级 1班',
    '钱二 女 2017-05-02 三年级 2班',
    '孙三 男 2016-05-03 四年级 1班',
  )

  it('is made within its grade: 1班 of two grades is two classes', async () => {
    const school = await schoolWith(admin, [])
    const batch = await students.check(await students.read(school, file))
    const groups = await students.groups(batch.id)
    expect(groups.map(({ text, make }) => [text, make?.name])).toEqual([
      ['三年级 1班', '三年级（1）班'],
      ['三年级 2班', '三年级（2）班'],
      ['四年级 1班', '四年级（1）班'],
    ])
    await stored(await students.answer(batch.id, ...groups.map(({ key, text }) => ({ key, text, make: true }))))
    expect(await placedIn(school)).toEqual(['孙三 四年级（1）班', '赵一 三年级（1）班', '钱二 三年级（2）班'])
  })

  it('is chosen within its grade, and remembered so', async () => {
    const school = await schoolWith(admin, [
      ['13', 7],
      ['14', 8],
    ])
    const named = file.map((line) => line.map((cell) => cell.replace(/^[12]班$/, '火箭班')))
    const batch = await students.check(await students.read(school, named))
    const groups = await students.groups(batch.id)
    expect(groups.map(({ text, count }) => [text, count])).toEqual([
      ['三年级 火箭班', 2],
      ['四年级 火箭班', 1],
    ])
    const chosen = groups.map(({ key, text, options }) => {
      const wanted = text!.startsWith('三') ? '三年级（7）班' : '四年级（8）班'
      return { key, text, as: options.find(({ label }) => label.startsWith(wanted))!.value }
    })
    await stored(await students.answer(batch.id, ...chosen))
    const places = ['孙三 四年级（8）班', '赵一 三年级（7）班', '钱二 三年级（7）班']
    expect(await placedIn(school)).toEqual(places)
    await students.undo(batch.id)
    await stored(await students.check(await students.read(school, named)))
    expect(await placedIn(school)).toEqual(places)
  })
})

describe('R-IMP-2 a class that has a word of its own', () => {
  it('is none of those that are only counted, however few there are: 文科1班 and 理科1班 are asked about', async () => {
    const school = await schoolWith(admin, [['31', 1]], ['4'])
    const file = rows(
      '姓名 性别 出生日期 年级 班级',
      '赵一 男 2010-05-01 高一 文科1班',
      '钱二 女 2010-05-02 高一 理科（1）班',
      '孙三 男 2010-05-03 高一 1班',
    )
    const batch = await students.check(await students.read(school, file))
    expect((await students.groups(batch.id)).map(({ text, make }) => [text, make?.name])).toEqual([
      ['高一 文科1班', '文科1班'],
      ['高一 理科（1）班', '理科（1）班'],
    ])
    expect(batch.counts).toMatchObject({ add: 1, bad: 2 })
  })
})

describe('R-IMP-2 rows that are not meant', () => {
  it('are no faults: rows hidden in the file that somebody leaves out stop nothing', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const file = await xlsx(
      rows('姓名 性别 出生日期 班级', '赵一 男 2017-05-01 三1班', '钱二 女 2017-05-02 三1班'),
      (sheet) => {
        sheet.getRow(3).hidden = true
      },
    )
    const batch = await students.check(await students.read(school, file), { hidden: 'leave' })
    expect(batch.counts).toMatchObject({ add: 1, bad: 0, out: 1 })
    expect(await students.groups(batch.id)).toEqual([])
    await stored(batch)
    expect(await placedIn(school)).toEqual(['赵一 三年级（1）班'])
  })

  it('come in once: a row that says the same as one before it', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const file = rows(
      '序号 姓名 性别 出生日期 班级 学号',
      '1 赵一 男 2017-05-01 三1班 S901',
      '2 钱二 女 2017-05-02 三1班 S902',
      '3 赵一 男 2017-05-01 三1班 S901',
      '4 孙三 女 2017-05-02 三1班 S902',
    )
    const batch = await students.check(await students.read(school, file))
    expect(batch.counts).toMatchObject({ add: 1, bad: 2, out: 1 })
    // One number for two names is no repetition: somebody is asked.
    expect(await students.faults(batch.id)).toEqual([
      '3 student.studentNo 与第5行重复',
      '5 student.studentNo 与第3行重复',
    ])
  })
})

describe('R-IMP-2 a column of schools', () => {
  it('keeps the pupils of another school out of the chosen one', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const other = await schoolWith(admin, [])
    const nameOf = async ({ schoolId }: School): Promise<string> =>
      (await admin.get<{ schoolName: string }>('blade-user/school/detail', { id: schoolId })).data.schoolName
    const [here, there] = [await nameOf(school), await nameOf(other)]
    const file = rows(
      '学校 姓名 性别 出生日期 班级',
      `${here} 赵一 男 2017-05-01 三1班`,
      `${there} 钱二 女 2017-05-02 三1班`,
      '一小 孙三 女 2017-05-03 三1班',
    )
    const batch = await students.check(await students.read(school, file))
    const [group] = await students.groups(batch.id)
    expect(group).toMatchObject({ key: 'check.schoolName', count: 1, message: `是${there}的学生，不是所选学校的` })
    await stored(await students.answer(batch.id, { key: group!.key, text: null, message: group!.message, out: true }))
    expect(await placedIn(school)).toEqual(['孙三 三年级（1）班', '赵一 三年级（1）班'])
  })
})

describe('R-IMP-2 the emergency contact', () => {
  it('is the guardian whom the file names as such, not the first one', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const file = rows(
      '姓名 性别 出生日期 班级 父亲姓名 父亲电话 母亲姓名 母亲电话 紧急联系人 紧急联系电话',
      '赵一 男 2017-05-01 三1班 赵大 13800000001 李丽 13900000002 李丽 13900000002',
      '钱二 女 2017-05-02 三1班 钱大 13800000003 周敏 13900000004 / /',
    )
    await stored(await students.check(await students.read(school, file)))
    const told = (await listOf(admin, 'studentparents', { schoolId: school.schoolId })).map(
      ({ parentName, isEmergency }) => `${String(parentName)} ${String(isEmergency)}`,
    )
    expect(told.toSorted()).toEqual(['周敏 0', '李丽 1', '赵大 0', '钱大 1'])
  })
})

describe('R-IMP-2 headings', () => {
  it('of a name and a number in one cell, and with the numbers of questions', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const file = [
      ['1、学生姓名', '2、性别', '3. 出生日期', '4）班次', '父亲姓名及电话', '母亲姓名/手机'],
      ['赵一', '男', '2017-05-01', '三1班', '赵大13800000001', '李丽：13900000002'],
    ]
    const read = await students.read(school, file)
    expect(read.missing).toEqual([])
    await stored(await students.check(read))
    const [pupil] = await listOf(admin, 'student', { schoolId: school.schoolId })
    const parents = await listOf(admin, 'studentparents', { studentId: pupil!.id })
    const told = await Promise.all(
      parents.map(async ({ id, parentName, relation }) => {
        const { mobile } = (await admin.get<{ mobile: string }>('blade-user/studentparents/personal', { id })).data
        return `${String(parentName)} ${String(relation)} ${mobile}`
      }),
    )
    expect(told.toSorted()).toEqual(['李丽 52 13900000002', '赵大 51 13800000001'])
  })
})

describe('R-IMP-2 a heading that asks whether somebody is the guardian', () => {
  it('names nobody: 是否监护人1 stands beside 家庭成员或监护人姓名1', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const file = rows(
      '姓名 性别 出生日期 班级 家庭成员或监护人姓名1 关系1 联系电话1 是否监护人1 家庭成员或监护人姓名2 关系2 联系电话2 是否监护人2',
      '赵一 男 2017-05-01 三1班 赵大 父亲 13800000001 是 孙梅 祖母 13800000002 否',
      '钱二 女 2017-05-02 三1班 周敏 母亲 13800000003 是 钱老 祖父 13800000004 是',
    )
    const read = await students.read(school, file)
    expect(read.missing).toEqual([])
    await stored(await students.check(read))
    const told = (await listOf(admin, 'studentparents', { schoolId: school.schoolId })).map(
      ({ parentName, relation, isGuardian }) => [parentName, relation, isGuardian].join(' '),
    )
    expect(told.toSorted()).toEqual(['周敏 52 1', '孙梅 62 0', '赵大 51 1', '钱老 61 1'])
  })
})

describe('R-IMP-2 a class that no column names', () => {
  const file = rows('姓名 性别 出生日期', '赵一 男 2017-05-01')
  const called =
    (name: string): Shape =>
    (sheet) => {
      sheet.name = name
    }
  it.each([
    ['the sheet, in figures alone', file, '3.2', '新生.xlsx', '三年级（2）班'],
    [
      'the title, though the sheet may be one of figures',
      [['实验小学三（1）班花名册'], [], ...file],
      '4.2',
      '新生.xlsx',
      '三年级（1）班',
    ],
    ['the file', file, 'Sheet1', '2026年9月三（2）班学生(1).xlsx', '三年级（2）班'],
    ['the file, behind a number of its own', file, 'Sheet1', '13 4年级2班学生信息.xlsx', '四年级（2）班'],
    ['the sheet, a grade in words and a figure', [['学生情况一览'], [], ...file], '四2', '一览.xlsx', '四年级（2）班'],
    [
      'a column of numbers beside the grade',
      rows('姓名 性别 出生日期 年级 班号', '赵一 男 2017-05-01 三年级 2'),
      'Sheet1',
      '导出.xlsx',
      '三年级（2）班',
    ],
    [
      'the file, though a column says the grade',
      rows('姓名 性别 出生日期 年级', '赵一 男 2017-05-01 三年级'),
      'Sheet1',
      '三（2）班.xlsx',
      '三年级（2）班',
    ],
    [
      'the only class of the grade that a column says',
      rows('姓名 性别 出生日期 年级', '赵一 男 2017-05-01 四年级'),
      'Sheet1',
      '统计表.xlsx',
      '四年级（2）班',
    ],
  ])('is said by %s', async (_by, lines, sheet, name, className) => {
    const school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
      ['14', 2],
    ])
    const read = await students.read(school, await xlsx(lines, called(sheet)), name)
    expect(read.missing).toEqual([])
    await stored(await students.check(read))
    expect(await placedIn(school)).toEqual([`赵一 ${className}`])
  })

  it('is said by each of several sheets, whose grade the title says', async () => {
    const school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
    ])
    const head = ['三年级学生名册']
    const book = await xlsx([head, ...file], (sheet) => {
      sheet.name = '1'
      const other = sheet.workbook.addWorksheet('2')
      for (const line of [head, ...rows('姓名 性别 出生日期', '钱二 女 2017-05-02')]) other.addRow(line)
    })
    await stored(await students.check(await students.read(school, book)))
    expect(await placedIn(school)).toEqual(['赵一 三年级（1）班', '钱二 三年级（2）班'])
  })

  it('is said by sheets of one grade each, in a school with one class in a grade', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const book = await xlsx(file, (sheet) => {
      sheet.name = '三年级'
      const other = sheet.workbook.addWorksheet('四年级')
      for (const line of rows('姓名 性别 出生日期', '钱二 女 2016-05-02')) other.addRow(line)
    })
    const batch = await students.check(await students.read(school, book))
    const [group] = await students.groups(batch.id)
    expect([group?.text, group?.make?.name]).toEqual(['四年级', '四年级（1）班'])
    await stored(await students.answer(batch.id, { key: group!.key, text: group!.text, make: true }))
    expect(await placedIn(school)).toEqual(['赵一 三年级（1）班', '钱二 四年级（1）班'])
  })

  it('is asked about once where the grade has several, and the grade is kept of those without one yet', async () => {
    const school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
    ])
    const graded = rows('姓名 性别 出生日期 年级', '赵一 男 2017-05-01 三年级', '钱二 女 2017-05-02 三年级')
    const batch = await students.check(await students.read(school, graded))
    const [group, ...others] = await students.groups(batch.id)
    expect([group?.message, group?.count, others]).toEqual(['只写了年级，请选择班级', 2, []])
    await stored(await students.answer(batch.id, { key: group!.key, text: group!.text, as: '' }))
    const kept = await listOf(admin, 'student', { schoolId: school.schoolId })
    expect(kept.map(({ classId, gradeName }) => [classId ?? null, gradeName])).toEqual([
      [null, '三年级'],
      [null, '三年级'],
    ])
  })

  it('is not guessed: a date as the name of a file or sheet names none', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const read = await students.read(school, await xlsx(file, called('2026')), '学生(1).xlsx')
    expect(read.missing.map(({ key }) => key)).toEqual(['student.classId'])
  })

  it('is the only one of its grade where a grade stands in its place, and asked about where there are others', async () => {
    const small = await schoolWith(admin, [])
    const named = rows('姓名 性别 出生日期 班级', '赵一 男 2017-05-01 三年级')
    const batch = await students.check(await students.read(small, named))
    const [group] = await students.groups(batch.id)
    expect(group?.make?.name).toBe('三年级（1）班')
    await stored(await students.answer(batch.id, { key: group!.key, text: group!.text, make: true }))
    expect(await placedIn(small)).toEqual(['赵一 三年级（1）班'])
    const large = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
    ])
    const other = await students.check(await students.read(large, named))
    expect((await students.groups(other.id)).map(({ message, make }) => [message, make])).toEqual([
      ['只写了年级，请选择班级', null],
    ])
  })
})

describe('R-IMP-2 what a cell means', () => {
  it('is read with its heading, and as other registers write it', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const file = rows(
      '姓名 性别代码 出生日期 班级 民族代码 是否团员 出生地 户口所在地 左眼视力 右眼视力',
      '赵一 1 2017-05-01 三1班 01 是 320102000000 城镇 0.6 4.9',
      '钱二 2 2017-05-02 三1班 15 √ 320102 农村 1.0 1.5',
      '孙三 1 2017-05-03 三1班 11 否 320102000 农村户口 5.0 0.12',
    )
    const batch = await students.check(await students.read(school, file))
    // What somebody is who is no member, the file does not say, and nobody is asked for it.
    await stored(batch)
    const told = await Promise.all(
      (await listOf(admin, 'student', { schoolId: school.schoolId })).map(async ({ id }) => {
        const { name, sex, nation, politics } = (await admin.get<Row>('blade-user/student/detail', { id })).data
        const [detail] = await listOf(admin, 'studentdetail', { studentId: id })
        const more = (await admin.get<Row>('blade-user/studentdetail/detail', { id: detail!.id })).data
        const { birthPlaceCode, hukouType, visionLeft, visionRight } = more
        return [name, sex, nation, politics, birthPlaceCode, hukouType, Number(visionLeft), Number(visionRight)].join(
          ' ',
        )
      }),
    )
    expect(told.toSorted()).toEqual([
      '孙三 1 11  320102 1 5 4.1',
      '赵一 1 01 03 320102 2 4.8 4.9',
      '钱二 2 15 03 320102 1 5 5.2',
    ])
  })
})

describe('R-IMP-2 yes and no under a heading that is a value', () => {
  const file = (heading: string, grade: string) =>
    rows(`姓名 性别 出生日期 班级 ${heading}`, `赵一 男 2012-05-01 ${grade} 是`, `钱二 女 2012-05-02 ${grade} 否`)
  const told = async (school: School) =>
    Promise.all(
      (await listOf(admin, 'student', { schoolId: school.schoolId })).map(async ({ id, name }) => {
        const { politics } = (await admin.get<Row>('blade-user/student/detail', { id })).data
        return `${String(name)} ${String(politics)}`
      }),
    )

  // A pupil may be the other of the two wherever both are found.
  it.each([
    ['是否少先队员', '2', '13', '三1班', '90', '13'],
    ['是否团员', '2', '13', '三1班', '03', 'null'],
    ['是否共青团员', '3', '21', '七1班', '03', 'null'],
    ['少先队员', '3', '21', '七1班', '90', 'null'],
    ['是否团员', '4', '31', '高一1班', '03', '13'],
    ['团员', '4', '31', '高一（1）班', '03', '13'],
  ])('%s in stage %s: no is what it makes certain, or nothing', async (heading, stage, grade, className, yes, no) => {
    const school = await schoolWith(admin, [[grade, 1]], [stage])
    await stored(await students.check(await students.read(school, file(heading, className))))
    expect((await told(school)).toSorted()).toEqual([`赵一 ${yes}`, `钱二 ${no}`])
  })

  it('是 of several kinds is asked for the kind alone: 留守 says not which of the two', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const batch = await students.check(await students.read(school, file('是否留守儿童', '三1班')))
    const [group, ...others] = await students.groups(batch.id)
    expect(others).toEqual([])
    expect([group?.text, group?.message]).toEqual(['是', '“是”没有说明是哪一种，可填：单亲留守儿童、双亲留守儿童'])
    expect(group?.options.map(({ label }) => label)).toEqual(['单亲留守儿童', '双亲留守儿童'])
    await stored(await students.answer(batch.id, { key: group!.key, text: group!.text, as: group!.options[1]!.value }))
  })
})

describe('R-IMP-2 what a person is called and identified by', () => {
  it('is one name with a hyphen, and a passport where there is one', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const read = await students.read(school, [
      ['Student Name', 'Sex', 'Birthday', 'Passport No.', 'Homeroom', 'Parent', 'Parent Phone'],
      ['Kim Min-jun', 'M', '2017-05-01', 'M12345678', 'Grade 3 Class 1', 'Kim Ji-hoon', '+86 138 0000 0001'],
      ["Liam O'Connor", 'M', '2017-05-02', 'PA1234567', 'Grade 3 Class 1', 'Mother-Mary Anne', '13900000002'],
    ])
    await stored(await students.check(read))
    const told = await Promise.all(
      (await listOf(admin, 'student', { schoolId: school.schoolId })).map(async ({ id, name }) => {
        const { idType } = (await admin.get<{ idType: string }>('blade-user/student/detail', { id })).data
        const { idNo } = (await admin.get<{ idNo: string }>('blade-user/student/personal', { id })).data
        const parents = await listOf(admin, 'studentparents', { studentId: id })
        return [name, idType, idNo, ...parents.map((each) => `${String(each.parentName)} ${String(each.relation)}`)]
      }),
    )
    expect(told.toSorted()).toEqual([
      ['Kim Min-jun', 'A', 'M12345678', 'Kim Ji-hoon null'],
      ["Liam O'Connor", 'A', 'PA1234567', 'Mary Anne 52'],
    ])
  })

  it('may be a rare sign, or stand between dots, and is found by it', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const names = ['欧阳晓𠮷', '𠮷野', '司马㛃', '诸葛䶮', '买买提·阿不都拉', '阿依努尔•吐尔逊', '木合塔尔．艾山']
    const file = rows('姓名 性别 出生日期 班级', ...names.map((name) => `${name} 女 2017-05-01 三1班`))
    await stored(await students.check(await students.read(school, file)))
    expect((await placedIn(school)).map((each) => each.split(' ')[0])).toEqual(
      names.map((name) => name.replace(/[•．]/, '·')).toSorted(),
    )
    const foundBy = async (keyword: string) =>
      (await listOf(admin, 'student', { schoolId: school.schoolId, keyword })).map(({ name }) => name)
    expect((await foundBy('𠮷')).toSorted()).toEqual(['欧阳晓𠮷', '𠮷野'])
    expect(await foundBy('ouyangxiao')).toEqual(['欧阳晓𠮷'])
    expect(await foundBy('阿不都拉')).toEqual(['买买提·阿不都拉'])
  })

  it('has all the numbers that are said, be they two in a cell and one more beside it', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const file = rows(
      '姓名 性别 出生日期 班级 家长姓名 家长电话 备用电话',
      '赵一 男 2017-05-01 三1班 赵大 13800000001/13900000002 13700000003',
    )
    await stored(await students.check(await students.read(school, file)))
    const parents = await listOf(admin, 'studentparents', { schoolId: school.schoolId })
    const told = await Promise.all(
      parents.map(async ({ id, parentName }) => {
        const { mobile, otherPhone } = (
          await admin.get<Record<string, string | null>>('blade-user/studentparents/personal', { id })
        ).data
        return [parentName, mobile, otherPhone]
      }),
    )
    expect(told.flat().filter(Boolean).toSorted()).toEqual(['13700000003', '13800000001', '13900000002', '赵大'])
  })

  it('is not born in a month that the identity number contradicts', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const file = rows('姓名 出生年月 身份证号 班级', `赵一 2017.06 ${idNoOf('20170501', 11)} 三1班`)
    const batch = await students.check(await students.read(school, file))
    expect(await students.faults(batch.id)).toEqual(['2 student.birthDate 只有年月，还缺日，应形如2026-09-01'])
  })

  it('is born on the day of the identity number beside a month, however that is written', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const months = ['2017.05', '201705', '17.5', '17年5月']
    const file = rows(
      '姓名 出生年月 身份证号 班级',
      ...months.map((month, at) => `赵${'一二三四'[at]} ${month} ${idNoOf(`2017050${at + 1}`, 13)} 三1班`),
    )
    await stored(await students.check(await students.read(school, file)))
    const kept = await listOf(admin, 'student', { schoolId: school.schoolId })
    expect(kept.map(({ birthDate }) => birthDate).toSorted()).toEqual([1, 2, 3, 4].map((day) => `2017-05-0${day}`))
  })
})
