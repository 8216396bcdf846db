import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importer, listOf, type School, schoolWith, teachers } from './import-entity-parts.ts'
import { sendFile, xlsx } from './import-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world.close())

const assigned = async (school: School): Promise<string[]> =>
  (await listOf(admin, 'teacherclass', { schoolId: school.schoolId }))
    .map((row) => [row.className || row.teachClassName, row.subjectName, row.userName, row.weekHours].join(' '))
    .toSorted()
const heads = async (school: School): Promise<string[]> =>
  (await listOf(admin, 'schoolclass', { schoolId: school.schoolId }))
    .map((row) => [row.className, row.headTeacherName ?? ''].join(' '))
    .toSorted()

const matrix = [
  ['2026年秋季三年级任课安排', '', '', '', ''],
  ['班级', '班主任', '语文', '数学', '英语'],
  ['三（1）班', '周语', '周语', '吴数', '郑英'],
  ['三（2）班', '吴数', '王文', '吴数', '郑英'],
]

describe('R-IMP-1 a table of classes by subjects with a column of class teachers', () => {
  it('sets the class teachers along with the assignments; the undo brings back who it was, and refuses where that changed since', async () => {
    const school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
    ])
    const [former] = await teachers(admin, ['从前人', '周语', '吴数', '郑英', '王文'])
    const [one] = await listOf(admin, 'schoolclass', { schoolId: school.schoolId, className: '（2）' })
    const edit = (draft: object) => admin.post('blade-user/schoolclass/submit', { id: one!.id, ...draft })
    expect((await edit({ headTeacherId: former })).status).toBe(200)
    const before = ['三年级（1）班 ', '三年级（2）班 从前人']
    expect(await heads(school)).toEqual(before)
    const assignments = importer(world, admin, 'teacherclass')
    // Who is at the head of a class stays there unless changing was chosen.
    const left = await assignments.read(school, matrix)
    expect(left).toMatchObject({ failure: null, missing: [] })
    expect((await assignments.check(left)).counts).toMatchObject({ add: 1, bad: 1 })
    expect(await assignments.faults(left.id)).toEqual([
      '4 ref.head 该班已有班主任从前人；要换成文件中的教师，请选择“用文件中的内容更新”',
    ])
    const read = await assignments.read(school, matrix, '任课.xlsx', 'update')
    expect((await assignments.check(read)).counts).toMatchObject({ add: 2, bad: 0 })
    expect(await assignments.commit(read.id)).toMatchObject({ state: 'done', failure: null, stored: 6 })
    expect(await heads(school)).toEqual(['三年级（1）班 周语', '三年级（2）班 吴数'])
    expect(await assigned(school)).toHaveLength(6)
    // The same file again has nothing left to do.
    const again = await assignments.read(school, matrix)
    expect((await assignments.check(again)).counts).toMatchObject({ add: 0, skip: 2, bad: 0 })
    expect((await edit({ headTeacherId: null })).status).toBe(200)
    await expect(assignments.undo(read.id)).rejects.toThrow('导入之后已有改动，不能撤销：行政班 1（三年级（2）班）')
    expect(await assigned(school)).toHaveLength(6)
    expect(await assignments.undo(read.id, { changed: '1' })).toMatchObject({ state: 'undone', failure: null })
    expect(await heads(school)).toEqual(before)
    expect(await assigned(school)).toEqual([])
  })

  it('is told that the class teachers are not theirs to set, by who may not change classes', async () => {
    const school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
    ])
    const clerk = await world.colleague(admin, ['teacherclass_import', 'teacherclass_view', 'teacherclass_add'])
    const assignments = importer(world, clerk, 'teacherclass')
    const read = await assignments.read(school, matrix)
    expect((await assignments.check(read)).counts).toMatchObject({ add: 0, bad: 2 })
    expect(await assignments.faults(read.id)).toEqual(
      [3, 4].map((row) => `${row} ref.head 您没有修改行政班的权限，不能设置班主任；请把这一列改为不导入`),
    )
    expect(await heads(school)).toEqual(['三年级（1）班 ', '三年级（2）班 '])
  })
})

describe('R-IMP-1 a list of teachers with a column of class teachers', () => {
  it('takes a mark, a class or a name there, and says where it cannot tell', async () => {
    const school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
      ['13', 3],
    ])
    await teachers(admin, ['卫一', '蒋二', '沈三', '韩四'])
    const assignments = importer(world, admin, 'teacherclass')
    const read = await assignments.read(school, [
      ['教师', '学科', '班级', '班主任'],
      ['卫一', '语文', '三（1）班', '√'],
      ['卫一', '语文', '三（2）班', '否'],
      ['蒋二', '数学', '三（1）班、三（2）班', '三2班'],
      ['沈三', '英语', '三（3）班', '蒋二'],
      ['韩四', '英语', '三（1）班、三（2）班', '是'],
    ])
    expect(read).toMatchObject({ failure: null, missing: [] })
    expect((await assignments.check(read)).counts).toMatchObject({ add: 4, bad: 1 })
    expect(await assignments.faults(read.id)).toEqual(['6 ref.head 一个班只能有一名班主任'])
    await assignments.commit(read.id, { skipBad: '1' })
    expect(await heads(school)).toEqual(['三年级（1）班 卫一', '三年级（2）班 蒋二', '三年级（3）班 蒋二'])
  })
})

describe('R-IMP-1 teaching classes in the column of classes', () => {
  it('are known by name and number, beside administrative classes; a second time they stand already', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const [, , guide] = await teachers(admin, ['冯教', '陈导', '褚带'])
    const grade = (
      await admin.get<{ records: { id: string }[] }>('blade-user/sysgrade/list', { gradeCode_equal: '13' })
    ).data.records[0]!
    const subject = await admin.post<{ id: string }>('blade-user/schoolsubject/submit', {
      ...{ schoolId: school.schoolId, subjectName: '围棋', shortName: '围棋', category: '3' },
    })
    expect(subject.msg).toBe('操作成功')
    const made = await admin.post('blade-user/schoolteachclass/submit', {
      ...{ schoolId: school.schoolId, semesterId: school.semesterId, gradeIds: [grade.id], teachClassCode: 'WQ1' },
      ...{ teachClassName: '围棋提高班', subjectId: subject.data.id, kind: '3', teacherId: guide, weekHours: 2 },
    })
    expect(made.msg).toBe('操作成功')
    const assignments = importer(world, admin, 'teacherclass')
    const rows = [
      ['姓名', '任教学科', '任教班级', '周课时'],
      ['冯教', '语文', '三（1）班', 6],
      ['陈导', '围棋', '围棋提高班', ''],
      ['褚带', '', 'WQ1', 3],
    ]
    const read = await assignments.read(school, rows)
    const checked = await assignments.check(read)
    // Two main teachers of one class and subject are one too many, whoever names it.
    expect([checked.counts.add, checked.counts.bad]).toEqual([1, 2])
    const right = rows.slice(0, 3)
    const second = await assignments.read(school, right)
    expect((await assignments.check(second)).counts).toMatchObject({ add: 2, bad: 0 })
    expect(await assignments.commit(second.id)).toMatchObject({ state: 'done', failure: null, stored: 2 })
    expect(await assigned(school)).toEqual(['三年级（1）班 语文 冯教 6', '围棋提高班 围棋 陈导 2'].toSorted())
    const third = await assignments.read(school, right)
    expect((await assignments.check(third)).counts).toMatchObject({ add: 0, skip: 2, bad: 0 })
    expect(await assignments.undo(second.id)).toMatchObject({ state: 'undone', failure: null })
    expect(await assigned(school)).toEqual([])
  })
})

describe('R-IMP-1 rows that are written many at once', () => {
  it('meet the rules that a save by hand meets: one row outside the semester stops the whole, and is named', async () => {
    const school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
    ])
    await teachers(admin, ['卫时', '蒋期'])
    const assignments = importer(world, admin, 'teacherclass')
    const read = await assignments.read(school, [
      ['姓名', '任教学科', '任教班级', '开始日期'],
      ['卫时', '语文', '三（1）班', '2026-09-01'],
      ['蒋期', '语文', '三（2）班', '2025-09-01'],
    ])
    expect((await assignments.check(read)).counts).toMatchObject({ add: 2, bad: 0 })
    const ended = await assignments.commit(read.id)
    expect(ended.state).toBe('checked')
    expect(ended.failure).toMatch(/第3行：.*超出学期范围/)
    expect(await assigned(school)).toEqual([])
  })
})

describe('R-PERM-2 the list of imports of every kind', () => {
  it('names those that the caller may import, and no other', async () => {
    const own = await world.tenant()
    const school = await schoolWith(own, [])
    const rooms = importer(world, own, 'schoolclassroom')
    await rooms.read(
      school,
      [
        ['教室', '座位数'],
        ['301', 45],
      ],
      '教室.xlsx',
    )
    const people = await sendFile(
      ...([
        world,
        own,
        '用户.xlsx',
        await xlsx([
          ['账号', '姓名'],
          ['a1', '赵一'],
        ]),
        {},
        'blade-user/import-user',
      ] as const),
    )
    expect(people.status).toBe(200)
    const list = async (who: Person, query: Record<string, string | number> = { all: 1 }) =>
      (await who.get<{ total: number; records: { kind: string; fileName: string }[] }>('blade-user/import/list', query))
        .data
    expect((await list(own)).records.map(({ kind, fileName }) => [kind, fileName])).toEqual([
      ['user', '用户.xlsx'],
      ['schoolclassroom', '教室.xlsx'],
    ])
    expect(await list(own, {})).toMatchObject({ total: 0, records: [] })
    const clerk = await world.colleague(own, ['student_import', 'schoolclassroom_import'])
    expect((await list(clerk)).records.map(({ kind }) => kind)).toEqual(['schoolclassroom'])
    expect((await list(await world.colleague(own, ['student_import']))).total).toBe(0)
  })
})
