import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importer, listOf, schoolWith, teachers } from './import-entity-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world.close())

let made = 0
const third: readonly (readonly [string, number])[] = [
  ['13', 1],
  ['13', 2],
]

describe('R-IMP-1 lists as clerks keep them come in whole', () => {
  it('classes with a line of how many there are below each grade and at the end', async () => {
    const school = await schoolWith(admin, [])
    await teachers(admin, ['钱一', '孙二'])
    const classes = importer(world, admin, 'schoolclass')
    const read = await classes.read(school, [
      ['实验小学班级一览表', '', '', '', '', ''],
      ['年级', '班级', '班主任', '男', '女', '合计'],
      ['一年级', '1班', '钱一', 20, 22, 42],
      ['', '2班', '', 20, 22, 42],
      ['小计', '2个班', '', 40, 44, 84],
      ['二年级', '1班', '孙二', 20, 22, 42],
      ['小计', '1个班', '', 20, 22, 42],
      ['总计', '共3个班', '', 60, 66, 126],
    ])
    expect(read).toMatchObject({ failure: null, missing: [], total: 3 })
    expect((await classes.check(read)).counts).toEqual({ add: 3, update: 0, skip: 0, bad: 0, out: 0 })
  })

  it.each([
    ['四1', ['三1', '三2']],
    ['4.1', ['3.1', '3.2']],
    ['401', ['301', '302']],
    ['（1）', ['三（1）', '三（2）']],
  ])('assignments by subjects and classes, whose headings are as short as %s', async (_like, heads) => {
    const school = await schoolWith(admin, third)
    const name = `任课${[...'甲乙丙丁'][made++]}`
    await teachers(admin, [name, `${name}二`])
    const assignments = importer(world, admin, 'teacherclass')
    const read = await assignments.read(school, [
      ['学科', ...heads],
      ['语文', name, `${name}二`],
      ['数学', `${name}二`, name],
    ])
    expect(read).toMatchObject({ failure: null, missing: [], total: 2 })
    await assignments.check(read)
    expect(await assignments.faults(read.id)).toEqual([])
    expect(await assignments.commit(read.id)).toMatchObject({ state: 'done', failure: null, stored: 4 })
    const stored = await listOf(admin, 'teacherclass', { schoolId: school.schoolId })
    expect(stored.map((row) => `${row.className} ${row.subjectName} ${row.userName}`).toSorted()).toEqual(
      [
        `三年级（1）班 语文 ${name}`,
        `三年级（2）班 语文 ${name}二`,
        `三年级（1）班 数学 ${name}二`,
        `三年级（2）班 数学 ${name}`,
      ].toSorted(),
    )
  })

  it('guardians whose fields stand under 父亲 and 母亲, beside 学生姓名: each keeps the own phone and employer', async () => {
    const school = await schoolWith(admin, third)
    const [one] = await listOf(admin, 'schoolclass', { schoolId: school.schoolId })
    const pupil = { schoolId: school.schoolId, classId: one!.id, sex: '1', birthDate: '2017-05-05' }
    const child = await admin.post('blade-user/student/submit', { ...pupil, studentNo: 'L1', name: '冯小宝' })
    expect(child.status).toBe(200)
    const guardians = importer(world, admin, 'studentparents')
    const read = await guardians.read(school, [
      ['学号', '学生姓名', '父亲', '', '', '母亲', '', ''],
      ['', '', '姓名', '联系电话', '工作单位', '姓名', '联系电话', '工作单位'],
      ['L1', '冯小宝', '冯大', '13800000021', '铁路局', '何梅', '13800000022', '邮局'],
    ])
    expect(read).toMatchObject({ failure: null, missing: [], total: 1 })
    expect((await guardians.check(read)).counts).toMatchObject({ add: 1, bad: 0 })
    expect(await guardians.commit(read.id)).toMatchObject({ state: 'done', failure: null })
    const rows = await listOf(admin, 'studentparents', { schoolId: school.schoolId })
    const told = await Promise.all(
      rows.map(async ({ id, parentName, relation }) => {
        const { workUnit } = (await admin.get<{ workUnit: string }>('blade-user/studentparents/detail', { id })).data
        const { mobile } = (await admin.get<{ mobile: string }>('blade-user/studentparents/personal', { id })).data
        return [parentName, relation, mobile, workUnit].join(' ')
      }),
    )
    expect(told.toSorted()).toEqual(['何梅 52 13800000022 邮局', '冯大 51 13800000021 铁路局'].toSorted())
  })
})
