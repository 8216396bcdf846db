import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Entity, studentdetail } from '@data-brain/contract'
import { gradeWithin } from '@data-brain/contract/import/class-name'
import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modelOf } from '../src/entity/model.ts'
import { readCell } from '../src/modules/import/batch/cell.ts'
import { tidyName } from '../src/modules/import/batch/cell-words.ts'
import { hoursEach, readTaught } from '../src/modules/import/entity/teaching.ts'
import { readTable } from '../src/modules/import/file/read-sheet.ts'
import { readPeople } from '../src/modules/import/student/people-read.ts'
import { type EntityBatch, importer, listOf, type School, schoolWith, teachers } from './import-entity-parts.ts'
import { committed, idNoOf, xlsx } from './import-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** Files as other programs write them: registries, questionnaires, messengers and school systems abroad. */

let world: World
let admin: Person
let students: ReturnType<typeof importer>
const folder = mkdtempSync(path.join(tmpdir(), 'data-brain-source-'))
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  students = importer(world, admin, 'student')
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await world.close()
})

const third = (): Promise<School> => schoolWith(admin, [['13', 1]])
const rows = (...lines: string[]): string[][] =>
  lines.map((line) => line.split(' ').map((cell) => (cell === '_' ? '' : cell.replaceAll('~', ' '))))
const stored = async (batch: EntityBatch): Promise<void> => {
  expect(await students.faults(batch.id)).toEqual([])
  expect(await committed(admin, batch.id)).toMatchObject({ state: 'done', failure: null })
}
/** Brings a file in that needs no matching and asks nothing. */
const brought = async (school: School, file: Buffer | string[][]): Promise<EntityBatch> => {
  const read = await students.read(school, file)
  expect(read.missing).toEqual([])
  await stored(await students.check(read))
  return read
}
const told = async (entity: string, { schoolId }: School, ...names: string[]): Promise<string[]> =>
  (await listOf(admin, entity, { schoolId })).map((row) => names.map((name) => row[name] ?? '').join(' ')).toSorted()
const guardians = async (school: School): Promise<string[]> => {
  const list = await listOf(admin, 'studentparents', { schoolId: school.schoolId })
  const whole = await Promise.all(
    list.map(async ({ id }) => ({
      ...(await admin.get<Record<string, unknown>>('blade-user/studentparents/detail', { id })).data,
      ...(await admin.get<Record<string, unknown>>('blade-user/studentparents/personal', { id })).data,
    })),
  )
  return whole
    .map((row) =>
      [row.parentName, row.relation, row.mobile, row.position]
        .map((each) => each ?? '')
        .join(' ')
        .trim(),
    )
    .toSorted()
}

describe('R-IMP-2 a class at the end of a path of departments', () => {
  it('is of the grade in the path, and of no other that happens to have a class of that number', async () => {
    const school = await schoolWith(admin, [
      ['12', 1],
      ['12', 2],
    ])
    const read = await students.read(
      school,
      rows(
        '姓名 性别 生日 所在班级',
        '赵一 男 2018-05-01 育才/小学部/二年级/1班',
        '钱二 女 2017-05-01 育才/小学部/三年级/1班',
      ),
    )
    const checked = await students.check(read)
    expect(checked.counts).toMatchObject({ add: 1, bad: 1 })
    const [group] = await students.groups(checked.id)
    expect(group?.make?.name).toBe('三年级（1）班')
    expect(
      (await students.answer(checked.id, { key: group!.key, text: group!.text, make: true })).counts,
    ).toMatchObject({
      add: 2,
    })
    await stored(await students.batch(checked.id))
    expect(await told('student', school, 'name', 'className')).toEqual(['赵一 二年级（1）班', '钱二 三年级（1）班'])
  })

  it('is known by its cells under a heading that names no class', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await brought(
      school,
      rows(
        '姓名 性别 出生日期 部门',
        '赵一 男 2017-05-01 育才>小学部>2024级>1班',
        '钱二 女 2017-05-02 育才>小学部>2024级>1班',
      ),
    )
    expect(await told('student', school, 'name', 'className')).toEqual(['赵一 三年级（1）班', '钱二 三年级（1）班'])
  })

  it('is of junior school below 初中部', () => {
    expect(gradeWithin('育才学校>初中部>2026级>1班')).toBe('初中2026级')
    expect(gradeWithin('育才学校/初中部/二年级/1班')).toBe('初中二年级')
    expect(gradeWithin('育才学校小学部三年级任课表')).toBe('小学三年级')
    expect(gradeWithin('三年级（初中部借用教室）')).toBe('三年级')
  })
})

describe('R-IMP-3 a name in Latin letters', () => {
  it('keeps its apostrophe of any kind, and is one person', () => {
    for (const name of ['Mark O’Neill', "Mark O'Neill", 'Mark Oʼneill'])
      expect(readPeople(name)).toEqual([{ name, phones: [] }])
  })

  it('is turned where the surname stands first, and two whole names are two people', async () => {
    expect(tidyName('Brown, Emma')).toBe('Emma Brown')
    expect(tidyName('O’Neill, Mary Jane')).toBe('Mary Jane O’Neill')
    expect(tidyName('Emma Brown, Jack Brown')).toBe('Emma Brown, Jack Brown')
    const school = await third()
    await brought(
      school,
      rows('lastfirst gender dob home_room father father_cell', 'Brown,~Emma F 3/14/2017 301 Brown,~David 13800000201'),
    )
    expect(await told('student', school, 'name', 'className')).toEqual(['Emma Brown 三年级（1）班'])
    expect(await guardians(school)).toEqual(['David Brown 51 13800000201'])
  })

  it('is put together from a first and a last one; beside a whole name it is the one in English', async () => {
    const school = await third()
    await brought(
      school,
      rows(
        'Adm~No Surname Forename Gender DOB Year Reg Priority~1~Contact Relationship Mobile Priority~2~Contact Relationship Mobile',
        '0012 Brown Emma F 14/03/2017 Year~3 301 Mr~David~Brown Father 13800000211 Anna~Brown Mother 13800000212',
      ),
    )
    expect(await told('student', school, 'name', 'studentNo', 'className')).toEqual(['Emma Brown 0012 三年级（1）班'])
    expect(await guardians(school)).toEqual(['Anna Brown 52 13800000212', 'Mr David Brown 51 13800000211'])
    const other = await third()
    await brought(other, rows('姓名 First~Name Last~Name 性别 出生日期 班级', '李明 Ming Li 男 2017-05-01 三1班'))
    const [one] = await listOf(admin, 'student', { schoolId: other.schoolId })
    expect((await admin.get<{ nameEn: string }>('blade-user/student/detail', { id: one!.id })).data).toMatchObject({
      name: '李明',
      nameEn: 'Ming Li',
    })
  })
})

describe('R-IMP-2 headings of other programs', () => {
  it('are questions in English, answered No where there is nothing', async () => {
    const school = await third()
    await brought(
      school,
      rows(
        'Child’s~full~name Child’s~date~of~birth Gender Which~class~is~your~child~in? Parent/guardian~1~name Parent/guardian~1~relationship~to~child Parent/guardian~1~phone~number Does~your~child~have~any~allergies?',
        'Emma~Brown 2017-05-01 Girl Grade~3~Class~1 Anna~Brown Mum 13800000221 No',
        'Jack~Brown 2017-05-02 Boy Grade~3~Class~1 David~Brown Dad 13800000222 Eggs',
      ),
    )
    expect(await guardians(school)).toEqual(['Anna Brown 52 13800000221', 'David Brown 51 13800000222'])
    const details = await listOf(admin, 'studentdetail', { schoolId: school.schoolId })
    const allergies = await Promise.all(
      details.map(
        async ({ id }) =>
          (await admin.get<{ allergy: string | null }>('blade-user/studentdetail/detail', { id })).data.allergy,
      ),
    )
    expect(allergies.filter(Boolean)).toEqual(['Eggs'])
  })

  it('are the initials of the registry’s items', async () => {
    const school = await third()
    await brought(
      school,
      rows('XH XM XBM CSRQ MZM BJMC JHRXM JHRDH', '20240001 赵一 1 20170501 15 0301 赵大 13800000231'),
    )
    expect(await told('student', school, 'name', 'studentNo', 'className')).toEqual(['赵一 20240001 三年级（1）班'])
    expect(await guardians(school)).toEqual(['赵大  13800000231'])
  })

  it('leave the pupil’s own number to the pupil, where every member of the family has one', async () => {
    const school = await third()
    const head = '姓名 性别 出生日期 班级 联系电话 成员1姓名 成员1关系 成员1联系电话 成员2姓名 成员2关系 成员2联系电话'
    await brought(
      school,
      rows(head, '赵一 男 2017-05-01 三1班 13800000241 赵大 父亲 13800000242 李敏 母亲 13800000243'),
    )
    const [one] = await listOf(admin, 'student', { schoolId: school.schoolId })
    expect((await admin.get<{ phone: string }>('blade-user/student/personal', { id: one!.id })).data.phone).toBe(
      '13800000241',
    )
    expect(await guardians(school)).toEqual(['李敏 52 13800000243', '赵大 51 13800000242'])
  })

  it('speak to the pupil, where nobody else is asked for a name', async () => {
    const school = await third()
    await brought(
      school,
      rows('您的姓名 您的性别 您的生日 您所在的班级 父亲姓名及联系电话', '赵一 A.男 2017-05-01 三1班 赵大~13800000245'),
    )
    expect(await told('student', school, 'name', 'className')).toEqual(['赵一 三年级（1）班'])
    expect(await guardians(school)).toEqual(['赵大 51 13800000245'])
  })

  it('name a relation beside the name, and a questionnaire’s (空) is nobody', async () => {
    const school = await third()
    await brought(
      school,
      rows(
        '姓名 性别 出生日期 班级 家长姓名及关系 家长电话 母亲姓名 母亲电话',
        '赵一 男 2017-05-01 三1班 赵大（父亲） 13800000251 (空) (跳过)',
      ),
    )
    expect(await guardians(school)).toEqual(['赵大 51 13800000251'])
  })

  it('give a town’s code of twelve figures for its county, where no towns of it are known', () => {
    const field = modelOf(studentdetail as Entity).byName.get('hukouRegionCode')!
    const known = { choices: new Map(), keys: new Map(), offers: new Map() }
    const read = (code: string, ...codes: string[]) =>
      readCell(code, undefined, field, { ...known, regionCodes: new Set(codes) })
    expect(read('420106003000', '420106')).toEqual({ value: '420106' })
    expect(read('420106003000', '420106', '420106003')).toEqual({ value: '420106003' })
    expect(read('420106009000', '420106', '420106003')).toHaveProperty('fault')
    expect(read('990106003000', '420106')).toHaveProperty('fault')
  })
})

describe('R-IMP-2 a pupil over several lines, and values that are ticked', () => {
  it('has the guardians of the lines below, each with a trade of their own', async () => {
    const school = await third()
    await brought(
      school,
      rows(
        '班级 学生姓名 性别 出生日期 称谓 家长姓名 职业 电话',
        '三1 赵一 男 2017-05-01 父亲 赵大 工人 13800000261',
        '_ _ _ _ 母亲 李敏 教师 13800000262',
        '三1 钱二 女 2017-05-02 父亲 钱大 司机 13800000263',
      ),
    )
    expect(await told('student', school, 'name')).toEqual(['赵一', '钱二'])
    expect(await guardians(school)).toEqual([
      '李敏 52 13800000262 教师',
      '赵大 51 13800000261 工人',
      '钱大 51 13800000263 司机',
    ])
  })

  it('says what is ticked below 男 and 女, 是 and 否; a second tick is asked about', async () => {
    const school = await third()
    const file = (ticks: string) =>
      xlsx(
        rows(
          '班级 姓名 性别 _ 独生子女 _ 出生日期',
          '_ _ 男 女 是 否 _',
          '三1 赵一 √ _ _ √ 2017-05-01',
          '三1 钱二 _ √ √ _ 2017-05-02',
          ticks,
        ),
        (sheet) => {
          for (const range of ['A1:A2', 'B1:B2', 'C1:D1', 'E1:F1', 'G1:G2']) sheet.mergeCells(range)
        },
      )
    await brought(school, await file('三1 孙三 √ _ √ _ 2017-05-03'))
    expect(await told('student', school, 'name', 'sex')).toEqual(['孙三 1', '赵一 1', '钱二 2'])
    expect(await told('studentdetail', school, 'isOnlyChild')).toHaveLength(3)
    const other = await third()
    const read = await students.read(other, await file('三1 孙三 √ √ √ _ 2017-05-03'))
    expect((await students.check(read)).counts.bad).toBeGreaterThan(0)
  })
})

describe('R-IMP-2 ticks below words of any kind', () => {
  it('are read where the other headings reach down over the row of words; flags of their own stay apart', async () => {
    const school = await third()
    const file = await xlsx(
      rows(
        '班级 姓名 性别 出生日期 就读方式 _ 特殊情况 _',
        '_ _ _ _ 走读 住校 孤儿 随迁子女',
        '三1 赵一 男 2017-05-01 ☑ _ √ √',
        '三1 钱二 女 2017-05-02 _ ☑ _ √',
      ),
      (sheet) => {
        for (const range of ['A1:A2', 'B1:B2', 'C1:C2', 'D1:D2', 'E1:F1', 'G1:H1']) sheet.mergeCells(range)
      },
    )
    await brought(school, file)
    expect(await told('student', school, 'name', 'studyWay')).toEqual(['赵一 1', '钱二 2'])
    const details = await listOf(admin, 'studentdetail', { schoolId: school.schoolId })
    const flags = await Promise.all(
      details.map(async ({ id }) => {
        const { isOrphan, isMigrantChild } = (
          await admin.get<Record<string, number | null>>('blade-user/studentdetail/detail', { id })
        ).data
        return `${isOrphan ?? '-'} ${isMigrantChild ?? '-'}`
      }),
    )
    expect(flags.toSorted()).toEqual(['- 1', '1 1'])
  })
})

describe('R-IMP-2 sheets of two shapes that are read together', () => {
  it('are one where their headings mean the same in other words', async () => {
    const book = new excel.Workbook()
    for (const [name, lines] of [
      ['五年级', rows('班级 姓名 性别 公民身份号码 家长姓名', '五1 赵一 男 1 赵大', '五2 钱二 女 2 钱大')],
      ['六年级', rows('所在班级 学生姓名 性别 身份证号 监护人', '六1 孙三 男 3 孙大', '六2 李四 女 4 李大')],
    ] as const)
      book.addWorksheet(name).addRows(lines)
    const file = path.join(folder, 'words.xlsx')
    writeFileSync(file, Buffer.from(await book.xlsx.writeBuffer()))
    const found: string[] = []
    const source = await readTable(file, 'student', {}, async ({ cells }) => {
      found.push(cells.slice(0, 5).join(' '))
    })
    expect(source).toMatchObject({ chosen: [0, 1], unsure: { sheets: false } })
    expect(found).toEqual(['五1 赵一 男 1 赵大', '五2 钱二 女 2 钱大', '六1 孙三 男 3 孙大', '六2 李四 女 4 李大'])
  })

  it('share what means the same: 班级 and 班', async () => {
    const book = new excel.Workbook()
    const put = (name: string, lines: string[][]): void => {
      const sheet = book.addWorksheet(name)
      for (const line of lines) sheet.addRow(line)
    }
    put('小学部', rows('班级 姓名 性别 出生日期', '一（1） 赵一 男 2019-05-01', '一（2） 钱二 女 2019-05-02'))
    put('初中部', rows('年级 班 姓名 性别 出生日期', '初一 1 孙三 男 2013-05-01', '初一 2 李四 女 2013-05-02'))
    const file = path.join(folder, 'two.xlsx')
    writeFileSync(file, Buffer.from(await book.xlsx.writeBuffer()))
    const found: string[][] = []
    const source = await readTable(file, 'student', { sheets: [0, 1] }, async ({ cells }) => {
      found.push(cells as string[])
    })
    const at = source.columns.findIndex(({ heading }) => heading === '班级')
    expect(found.map((cells) => cells[at])).toEqual(['一（1）', '一（2）', '1', '2'])
    expect(source.columns.some(({ heading }) => heading === '班')).toBe(false)
  })
})

describe('R-IMP-1 lists of guardians, classes and assignments as schools keep them', () => {
  it('give a grown-up’s identity number, schooling and work to the guardian on the left', async () => {
    const school = await third()
    await brought(school, rows('学号 姓名 性别 出生日期 班级', 'S1 赵一 男 2017-05-01 三1班'))
    const list = importer(world, admin, 'studentparents')
    const number = idNoOf('1985-03-04', 11)
    const read = await list.read(
      school,
      rows(
        '学生学号 学生姓名 家长姓名 称谓 身份证号 文化程度 工作单位及职务 手机',
        `S1 赵一 赵大 父亲 ${number} 大专 一中 13800000271`,
      ),
    )
    expect(read.missing).toEqual([])
    expect((await list.check(read)).counts).toMatchObject({ add: 1, bad: 0 })
    expect(await list.commit(read.id)).toMatchObject({ state: 'done' })
    const [one] = await listOf(admin, 'studentparents', { schoolId: school.schoolId })
    const detail = (await admin.get('blade-user/studentparents/detail', { id: one!.id })).data
    const personal = (await admin.get('blade-user/studentparents/personal', { id: one!.id })).data
    expect({ ...(detail as object), ...(personal as object) }).toMatchObject({
      idNo: number,
      education: '31',
      workUnit: '一中',
    })
  })

  it('put the class teachers of a grade side by side, below the numbers of their classes', async () => {
    const school = await third()
    await teachers(admin, ['班一', '班二', '班三'])
    const list = importer(world, admin, 'schoolclass')
    const read = await list.read(school, rows('年级 1班 2班', '四年级 班一 班二', '五年级 班三 _'))
    expect(read.missing).toEqual([])
    expect((await list.check(read)).counts).toMatchObject({ bad: 0 })
    expect(await list.commit(read.id)).toMatchObject({ state: 'done', stored: 3 })
    expect(await told('schoolclass', school, 'className', 'headTeacherName')).toEqual(
      ['三年级（1）班 ', '五年级（1）班 班三', '四年级（1）班 班一', '四年级（2）班 班二'].toSorted(),
    )
  })

  it('say classes and subjects in one cell, and hours beside the teachers of a subject', async () => {
    const school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
    ])
    await teachers(admin, ['任一', '任二', '任三'])
    const list = importer(world, admin, 'teacherclass')
    const one = await list.read(school, rows('姓名 任课情况 周课时', '任一 三（1）班语文、三（2）班语文 14'))
    expect(one.missing).toEqual([])
    expect((await list.check(one)).counts).toMatchObject({ bad: 0 })
    expect(await list.commit(one.id)).toMatchObject({ state: 'done', stored: 2 })
    const two = await list.read(school, rows('班级 数学教师 数学课时 英语教师 英语课时', '三1 任二 5 任三 3'))
    expect((await list.check(two)).counts).toMatchObject({ bad: 0 })
    expect(await list.commit(two.id)).toMatchObject({ state: 'done', stored: 2 })
    expect(await told('teacherclass', school, 'className', 'subjectName', 'userName', 'weekHours')).toEqual(
      [
        '三年级（1）班 语文 任一 7',
        '三年级（2）班 语文 任一 7',
        '三年级（1）班 数学 任二 5',
        '三年级（1）班 英语 任三 3',
      ].toSorted(),
    )
  })

  it.each([
    ['三（1）班语文、三（2）班语文', ['语文 三(1)班', '语文 三(2)班']],
    ['三（1）数学、三（2）数学', ['数学 三(1)', '数学 三(2)']],
    ['三1、三2语文，四1道德与法治', ['语文 三1+三2', '道德与法治 四1']],
    ['语文：三1、三2', ['语文 三1+三2']],
    ['年级组长', undefined],
    ['三（1）班', undefined],
  ])('read %s', (text, meant) => {
    expect(readTaught(text)?.map(({ subject, classes }) => `${subject} ${classes.join('+')}`)).toEqual(meant)
  })

  it('share the hours of a line among its classes, where no class has so many or fewer are usual', () => {
    expect(hoursEach(14, 2, undefined)).toBe(7)
    expect(hoursEach(4, 2, 2)).toBe(2)
    expect(hoursEach(5, 2, undefined)).toBe(5)
    expect(hoursEach(4, 2, 4)).toBe(4)
    expect(hoursEach(7, 1, undefined)).toBe(7)
  })
})

describe('R-SYS-1 words of a file of users that name nothing', () => {
  it('are asked about once, and the answer holds for all rows', async () => {
    const school = await third()
    const users = importer(world, admin, 'user')
    const read = await users.read(
      school,
      rows(
        '姓名 工号 手机号 职位',
        '用一 Y901 13800000281 特级厨师',
        '用二 Y902 13800000282 特级厨师',
        '用三 Y903 13800000283.0 无',
      ),
    )
    const checked = await users.check(read)
    expect(checked.counts).toMatchObject({ add: 1, bad: 2 })
    const groups = await users.groups(checked.id)
    expect(groups).toMatchObject([{ key: 'user.postId', text: '特级厨师', count: 2 }])
    expect((await users.answer(checked.id, { key: 'user.postId', text: '特级厨师', as: '' })).counts).toMatchObject({
      add: 3,
      bad: 0,
    })
  })
})
