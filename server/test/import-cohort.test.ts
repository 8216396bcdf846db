import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EntityBatch, importer, listOf, type School, schoolWith } from './import-entity-parts.ts'
import { committed } from './import-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** Classes whose grade stands elsewhere, nowhere, or in a name of their own. */

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
const placedIn = async ({ schoolId }: School): Promise<string[]> =>
  (await listOf(admin, 'student', { schoolId }))
    .map(({ name, className }) => `${String(name)} ${String(className ?? '')}`)
    .toSorted()
const stored = async (batch: EntityBatch): Promise<void> => {
  expect(batch).toMatchObject({ state: 'checked', counts: { bad: 0 } })
  expect(await committed(admin, batch.id)).toMatchObject({ state: 'done', failure: null })
}
const makeAll = async (id: string): Promise<EntityBatch> =>
  students.answer(
    id,
    ...(await students.groups(id)).filter(({ make }) => make).map(({ key, text }) => ({ key, text, make: true })),
  )

describe('R-IMP-2 ISSUE-12 a year of entry beside the number of a class', () => {
  it.each([
    ['级', '2024级', '2023级'],
    ['级', '2024', '2023'],
    ['级', '24级', '23级'],
    ['级', '24', '23'],
    ['入学级', '2024 级', '2023 级'],
    ['年级', '2024年级', '2023年级'],
    ['入学年级', '2024级学生', '2023级学生'],
    ['届', '2030届', '2029届'],
    ['届', '2030', '2029'],
    ['届次', '30届', '29届'],
    ['毕业届', '2030届', '2029届'],
  ])('%s %s is the grade: its classes are made, and no class of another grade is taken', async (heading, one, two) => {
    // Both of these numbers are those of the only class that has them.
    const school = await schoolWith(admin, [
      ['15', 2],
      ['16', 1],
    ])
    const file = [
      [heading, '班', '姓名', '性别', '出生日期'],
      [one, '2班', '赵一', '男', '2017-10-08'],
      [two, '1班', '钱二', '女', '2016-10-08'],
    ]
    const batch = await students.check(await students.read(school, file))
    expect((await students.groups(batch.id)).map(({ make }) => make?.name).toSorted()).toEqual([
      '三年级（2）班',
      '四年级（1）班',
    ])
    await stored(await makeAll(batch.id))
    expect(await placedIn(school)).toEqual(['赵一 三年级（2）班', '钱二 四年级（1）班'])
  })

  it('is asked about where it lies behind as a year of leaving: 2024届', async () => {
    const school = await schoolWith(admin, [['15', 2]])
    const batch = await students.check(
      await students.read(school, rows('届 班 姓名 性别 出生日期', '2024届 2班 赵一 男 2017-10-08')),
    )
    const groups = await students.groups(batch.id)
    expect(groups.map(({ key, text }) => `${key} ${text}`)).toEqual(['student.gradeId 2024届'])
    const answer = { key: 'student.gradeId', text: '2024届', as: '五年级' }
    await stored(await students.answer(batch.id, answer))
    expect(await placedIn(school)).toEqual(['赵一 五年级（2）班'])
  })
})

describe('R-IMP-2 ISSUE-12 a class of which nothing says the grade', () => {
  it.each(['2班', '(2)班', '二班', '2', '第2班', '2班学生'])(
    '%s is asked about, though there is only one of that number',
    async (name) => {
      const school = await schoolWith(admin, [
        ['15', 2],
        ['16', 1],
        ['16', 3],
      ])
      const batch = await students.check(
        await students.read(school, rows('班级 姓名 性别 出生日期', `${name} 赵一 男 2015-10-08`)),
      )
      expect(batch.counts).toMatchObject({ add: 0, bad: 1 })
      const [group] = await students.groups(batch.id)
      // The classes of that number are offered first.
      expect(group).toMatchObject({ key: 'student.classId', make: null })
      expect(group!.options[0]!.label).toBe('五年级（2）班')
    },
  )

  it('is asked about for each year of entry, where a column says when: 2班 of two years is two classes', async () => {
    const school = await schoolWith(admin, [
      ['15', 2],
      ['16', 2],
    ])
    const file = rows(
      '班级 姓名 性别 出生日期 入学日期',
      '2班 赵一 男 2015-10-08 2022-09-01',
      '2班 钱二 男 2014-10-08 2021-09-01',
    )
    const batch = await students.check(await students.read(school, file))
    const groups = await students.groups(batch.id)
    expect(groups.map(({ text }) => text).toSorted()).toEqual(['2021年入学 2班', '2022年入学 2班'])
    const chosen = groups.map(({ key, text, options }) => {
      const wanted = text!.startsWith('2022') ? '五年级（2）班' : '六年级（2）班'
      return { key, text, as: options.find(({ label }) => label === wanted)!.value }
    })
    await stored(await students.answer(batch.id, ...chosen))
    expect(await placedIn(school)).toEqual(['赵一 五年级（2）班', '钱二 六年级（2）班'])
  })

  it('is taken where the title, the sheet or the file says the grade', async () => {
    const school = await schoolWith(admin, [
      ['15', 2],
      ['16', 2],
    ])
    const file = [['六年级学生花名册'], ...rows('班级 姓名 性别 出生日期', '2班 赵一 男 2015-10-08')]
    await stored(await students.check(await students.read(school, file)))
    expect(await placedIn(school)).toEqual(['赵一 六年级（2）班'])
  })
})

describe('R-IMP-2 ISSUE-12 a grade that the school has not', () => {
  it.each([
    ['年级 班级 姓名 性别 出生日期', '七年级 1班 赵一 男 2013-10-08', 'student.gradeId'],
    ['年级 班级 姓名 性别 出生日期', '高一 1班 赵一 男 2010-10-08', 'student.gradeId'],
    ['班级 姓名 性别 出生日期', '初二（1）班 赵一 男 2012-10-08', 'student.classId'],
  ])('is said so: %s %s', async (head, line, key) => {
    const school = await schoolWith(admin, [['15', 1]])
    const batch = await students.check(await students.read(school, rows(head, line)))
    expect(await students.faults(batch.id)).toEqual([`2 ${key} 本校没有该年级`])
  })
})

describe('R-IMP-2 ISSUE-12 classes with a name of their own', () => {
  it('are made under it, in the grade of their year: vocational classes', async () => {
    const school = await schoolWith(admin, [['31', 1]], ['4'])
    const file = rows(
      '年级 班级 姓名 性别 出生日期',
      '2026级 26学前教育1班 赵一 女 2010-10-08',
      '2026级 26数控1班 钱二 男 2010-10-08',
      '2025级 25计算机2班 孙三 男 2009-10-08',
      '2026级 1班 李四 男 2010-10-09',
    )
    const batch = await students.check(await students.read(school, file))
    expect((await students.groups(batch.id)).map(({ make }) => make?.name).toSorted()).toEqual([
      '25计算机2班',
      '26学前教育1班',
      '26数控1班',
    ])
    await stored(await makeAll(batch.id))
    const placed = ['孙三 25计算机2班', '李四 高一（1）班', '赵一 26学前教育1班', '钱二 26数控1班']
    expect(await placedIn(school)).toEqual(placed)
    const classes = await listOf(admin, 'schoolclass', { schoolId: school.schoolId })
    expect(classes.map(({ className, cohortYear }) => `${className} ${cohortYear}`).toSorted()).toEqual([
      '25计算机2班 2025',
      '26学前教育1班 2026',
      '26数控1班 2026',
      '高一（1）班 2026',
    ])
    // They are known again, and are none of those that are only counted.
    await stored(
      await students.check(
        await students.read(school, rows('班级 姓名 性别 出生日期', '26学前教育１班 周五 女 2010-10-10')),
      ),
    )
    expect(await placedIn(school)).toEqual([...placed, '周五 26学前教育1班'].toSorted())
  })

  it.each([
    ['24级幼师3班', '高三'],
    ['26会计1班', '高一'],
    ['2025级机电班', '高二'],
    ['高二（3）班火箭班', '高二'],
    ['高一文科1班', '高一'],
    ['职高26护理2班', '高一'],
    ['高一国际班', '高一'],
    ['幼教2601班', '高一'],
    ['护理2502', '高二'],
    ['计算机应用24-2班', '高三'],
    ['学前教育2026级1班', '高一'],
    ['2026级学前教育（1）班', '高一'],
  ])('%s says its grade itself', async (name, grade) => {
    const school = await schoolWith(admin, [['31', 1]], ['4'])
    const batch = await students.check(
      await students.read(school, rows('班级 姓名 性别 出生日期', `${name} 赵一 男 2009-10-08`)),
    )
    const [group] = await students.groups(batch.id)
    expect(group!.make).toMatchObject({ name, grade })
    await stored(await makeAll(batch.id))
    expect(await placedIn(school)).toEqual([`赵一 ${name}`])
  })

  it('are told apart where they have their numbers in common, and by a title as well', async () => {
    const school = await schoolWith(admin, [['31', 1]], ['4'])
    const lines = ['幼教2601班', '数控2601班', '护理2601', '26级会计1班'].map(
      (name, at) => `2026级 ${name} 赵${'一二三四'[at]} 男 2010-10-08`,
    )
    const batch = await students.check(await students.read(school, rows('年级 班级 姓名 性别 出生日期', ...lines)))
    await stored(await makeAll(batch.id))
    const placed = ['赵一 幼教2601班', '赵三 护理2601', '赵二 数控2601班', '赵四 26级会计1班']
    expect((await placedIn(school)).toSorted()).toEqual(placed.toSorted())
    const titled = [['江宁中等专业学校24级幼师3班学生名册'], ...rows('姓名 性别 出生日期', '钱一 女 2008-10-08')]
    const other = await students.check(await students.read(school, titled))
    expect((await students.groups(other.id)).map(({ make }) => make?.name)).toEqual(['24级幼师3班'])
    await stored(await makeAll(other.id))
    expect(await placedIn(school)).toContain('钱一 24级幼师3班')
  })

  it('is chosen, and not made, where neither a column nor the name says the grade', async () => {
    const school = await schoolWith(admin, [['31', 1]], ['4'])
    const batch = await students.check(
      await students.read(school, rows('班级 姓名 性别 出生日期', '火箭班 赵一 男 2009-10-08')),
    )
    expect((await students.groups(batch.id)).map(({ text, make }) => [text, make])).toEqual([['火箭班', null]])
  })
})

describe('R-IMP-3 ISSUE-12 classes that do not exist yet', () => {
  it('are a question and no error: rows that wait for nothing else are counted with the classes', async () => {
    const school = await schoolWith(admin, [])
    const file = rows(
      '班级 姓名 性别 出生日期',
      '三（1）班 赵一 男 2017-10-08',
      '三(1)班 钱二 女 2017-10-08',
      '四2班 孙三 女 2016-10-08',
      '四2班 李四 女 昨天',
    )
    const batch = await students.check(await students.read(school, file))
    expect(batch).toMatchObject({ counts: { add: 0, bad: 4 }, waiting: { rows: 3, classes: 2 } })
    const made = await makeAll(batch.id)
    expect(made).toMatchObject({ counts: { add: 3, bad: 1 }, waiting: { rows: 0, classes: 0 } })
  })
})
