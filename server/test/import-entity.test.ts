import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { piecesOf } from '../src/modules/import/entity/items.ts'
import { importer, listOf, type School, schoolWith, teachers } from './import-entity-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world.close())

const assigned = async (school: School) =>
  (await listOf(admin, 'teacherclass', { schoolId: school.schoolId }))
    .map((row) => [row.className, row.subjectName, row.userName, row.weekHours, row.role].join(' '))
    .toSorted()

describe('R-IMP-1 classes come in as a clerk lists them', () => {
  it('grade, number, teacher and year of entry are made of the name; a second time they stand already; undone whole', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    await teachers(admin, ['周班主', '吴副班', '郑班主'])
    const classes = importer(world, admin, 'schoolclass')
    const rows = [
      ['实验小学2026-2027学年班主任一览表', '', '', '', ''],
      ['序号', '班级', '班主任', '副班主任', '人数'],
      [1, '三（1）班', '周班主', '', 45],
      [2, '三年级2班', '周班主', '吴副班', 44],
      [3, '四1', '郑 班 主老师', '', 43],
      [4, '5.2', '', '', ''],
      ['合计', '', '', '', 132],
    ]
    const read = await classes.read(school, rows)
    expect(read).toMatchObject({ failure: null, missing: [], total: 4 })
    const checked = await classes.check(read)
    expect(await classes.faults(read.id)).toEqual([])
    expect(checked.counts).toEqual({ add: 3, update: 0, skip: 1, bad: 0, out: 0 })
    expect(await classes.commit(read.id)).toMatchObject({ state: 'done', failure: null })
    const stored = async () =>
      (await listOf(admin, 'schoolclass', { schoolId: school.schoolId }))
        .map((row) => [row.className, row.headTeacherName, row.cohortYear].join(' '))
        .toSorted()
    expect(await stored()).toEqual(
      [
        '三年级（1）班  2024',
        '三年级（2）班 周班主 2024',
        '五年级（2）班  2022',
        '四年级（1）班 郑班主 2023',
      ].toSorted(),
    )
    const second = await classes.read(school, rows, '表.xlsx', 'update')
    expect((await classes.check(second)).counts).toEqual({ add: 0, update: 4, skip: 0, bad: 0, out: 0 })
    expect(await classes.commit(second.id)).toMatchObject({ state: 'done', failure: null })
    expect(await stored()).toContain('三年级（1）班 周班主 2024')
    expect(await classes.undo(second.id)).toMatchObject({ state: 'undone', failure: null })
    expect(await stored()).toContain('三年级（1）班  2024')
    expect(await classes.undo(read.id)).toMatchObject({ state: 'undone', failure: null })
    expect(await stored()).toEqual(['三年级（1）班  2024'])
  })
})

describe('R-IMP-1 rooms come in as a clerk lists them', () => {
  it('floors are made as they are needed, kinds are guessed of names, and both go with the batch', async () => {
    const school = await schoolWith(admin, [['13', 1]])
    const rooms = importer(world, admin, 'schoolclassroom')
    const read = await rooms.read(school, [
      ['楼栋', '楼层', '房间号', '名称', '容量', '使用班级'],
      ['教学楼', '3楼', '301', '三（1）班教室', '45人', '三1班'],
      ['', '', '302', '科学实验室', 50, ''],
      ['', '一层', '101', '计算机房', 48, ''],
      ['综合楼', '负一层', 'B01', '乒乓球室', 30, ''],
    ])
    expect(read).toMatchObject({ failure: null, missing: [], total: 4 })
    const checked = await rooms.check(read)
    expect(await rooms.faults(read.id)).toEqual([])
    expect(checked.counts).toMatchObject({ add: 4, bad: 0 })
    expect(checked.makes.toSorted()).toEqual(['教学楼3层', '教学楼1层', '综合楼-1层'].toSorted())
    expect(await listOf(admin, 'schoolfloor', { schoolId: school.schoolId })).toEqual([])
    expect(await rooms.commit(read.id)).toMatchObject({ state: 'done', failure: null })
    const stored = await listOf(admin, 'schoolclassroom', { schoolId: school.schoolId })
    expect(
      stored
        .map((row) =>
          [row.roomCode, row.roomName, row.roomType, row.capacity, row.floorName, row.homeClassName ?? ''].join(' '),
        )
        .toSorted(),
    ).toEqual(
      [
        '301 三（1）班教室 1 45 教学楼3层 三年级（1）班',
        '302 科学实验室 99 50 教学楼3层 ',
        '101 计算机房 5 48 教学楼1层 ',
        'B01 乒乓球室 9 30 综合楼-1层 ',
      ].toSorted(),
    )
    expect(await rooms.undo(read.id)).toMatchObject({ state: 'undone', failure: null })
    expect(await listOf(admin, 'schoolclassroom', { schoolId: school.schoolId })).toEqual([])
    expect(await listOf(admin, 'schoolfloor', { schoolId: school.schoolId })).toEqual([])
  })
})

describe('R-IMP-1 teaching assignments come in as a clerk lists them', () => {
  it('a table of classes by subjects, and a list of teachers with several classes; who shares a name is asked about once', async () => {
    const school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
    ])
    const [first] = await teachers(admin, ['张伟', '张伟', '李娜娜', '王小芳'])
    const assignments = importer(world, admin, 'teacherclass')
    const read = await assignments.read(school, [
      ['三年级任课教师安排表', '', '', ''],
      ['班级', '语文', '数学', '体育与健康'],
      ['1班', '李娜娜', '张伟', '王小芳4节'],
      ['2班', '李娜娜', '张伟', '王小芳/李娜娜'],
    ])
    expect(read).toMatchObject({ failure: null, missing: [] })
    expect((await assignments.check(read)).counts).toMatchObject({ add: 0, bad: 2 })
    const groups = await assignments.groups(read.id)
    expect(groups.map(({ text, count, options }) => [text, count, options.length])).toEqual([['张伟', 2, 2]])
    const chosen = groups[0]!.options.find(({ value }) => value === `=${first}`)!
    expect(chosen.label).toMatch(/^张伟（T\d+）$/)
    const ready = await assignments.answer(read.id, { key: groups[0]!.key, text: '张伟', as: chosen.value })
    expect(await assignments.faults(read.id)).toEqual([])
    expect(ready.counts).toMatchObject({ add: 2, bad: 0 })
    expect(await assignments.commit(read.id)).toMatchObject({ state: 'done', failure: null, stored: 7 })
    expect(await assigned(school)).toEqual(
      [
        '三年级（1）班 语文 李娜娜 0 1',
        '三年级（2）班 语文 李娜娜 0 1',
        '三年级（1）班 数学 张伟 0 1',
        '三年级（2）班 数学 张伟 0 1',
        '三年级（1）班 体育与健康 王小芳 4 1',
        '三年级（2）班 体育与健康 王小芳 0 1',
        '三年级（2）班 体育与健康 李娜娜 0 2',
      ].toSorted(),
    )
    // The same assignments as a list: those that stand are known, another main teacher is not let in silently.
    const list = await assignments.read(school, [
      ['姓名', '任教学科', '任教班级', '周课时'],
      ['李娜娜', '语文', '三（1）、（2）班', 6],
      ['王小芳', '科学', '3.1,3.2', 2],
      ['李娜娜', '体育', '3.1', 2],
    ])
    expect((await assignments.check(list)).counts).toMatchObject({ add: 1, skip: 1, bad: 1 })
    expect(await assignments.faults(list.id)).toEqual([
      '4 teacherclass.userId 该班该学科已有主讲教师王小芳；要换成文件中的教师，请选择“用文件中的内容更新”',
    ])
    expect(await assignments.commit(list.id, { skipBad: '1' })).toMatchObject({
      state: 'done',
      failure: null,
      stored: 2,
    })
    expect(await assignments.undo(list.id)).toMatchObject({ state: 'undone', failure: null })
    expect(await assignments.undo(read.id)).toMatchObject({ state: 'undone', failure: null })
    expect(await assigned(school)).toEqual([])
    expect(await listOf(admin, 'schoolsubject', { schoolId: school.schoolId })).toEqual([])
  })
})

describe('R-IMP-1 guardians come in as a clerk lists them', () => {
  it('one a row or both in one; pupils by name and class, asked about where two share it; known ones are left or updated', async () => {
    const school = await schoolWith(admin, [
      ['13', 1],
      ['13', 2],
    ])
    const classes = await listOf(admin, 'schoolclass', { schoolId: school.schoolId })
    const pupils: string[] = []
    for (const [name, classNo, no] of [
      ['赵一', 1, 'S1'],
      ['钱二', 1, 'S2'],
      ['张三', 1, 'S3'],
      ['张三', 2, 'S4'],
      ['张三', 2, 'S5'],
    ] as const) {
      const made = await admin.post<{ id: string }>('blade-user/student/submit', {
        ...{ schoolId: school.schoolId, studentNo: no, name, sex: '1', birthDate: '2017-05-05' },
        classId: classes.find((each) => String(each.className).includes(`（${classNo}）`))!.id,
      })
      pupils.push(made.data.id)
    }
    const guardians = importer(world, admin, 'studentparents')
    const stored = async () => {
      const rows = await listOf(admin, 'studentparents', { schoolId: school.schoolId })
      return Promise.all(
        rows.map(async ({ id, studentId, parentName, relation, isEmergency }) => {
          const { mobile } = (await admin.get<{ mobile: string }>('blade-user/studentparents/personal', { id })).data
          return `S${pupils.indexOf(String(studentId)) + 1} ${parentName} ${relation} ${mobile} ${isEmergency}`
        }),
      ).then((lines) => lines.toSorted())
    }
    const read = await guardians.read(school, [
      ['学生家长联系表', '', '', '', ''],
      ['班级', '学生姓名', '姓名', '关系', '电话'],
      ['三1班', '赵一', '赵父', '父亲', '13800000001'],
      ['', '', '赵母', '母亲', '13800000002'],
      ['三1班', '钱二', '钱父', '爸爸', '13800000003'],
      ['三1班', '张三', '张父', '父亲', '13800000004'],
      ['三2班', '张三', '张父', '父亲', '13800000005'],
    ])
    expect(read).toMatchObject({ failure: null, missing: [] })
    expect((await guardians.check(read)).counts).toMatchObject({ add: 4, bad: 1 })
    const [group] = await guardians.groups(read.id)
    expect(group).toMatchObject({ key: 'student.name', text: '三2班 张三', count: 1 })
    expect((await guardians.faults(read.id)).join()).toContain('有2名学生叫这个名字，请选择是哪一名')
    expect(await guardians.commit(read.id, { skipBad: '1' })).toMatchObject({ state: 'done', failure: null })
    const before = [
      'S1 赵父 51 13800000001 1',
      'S1 赵母 52 13800000002 0',
      'S2 钱父 51 13800000003 1',
      'S3 张父 51 13800000004 1',
    ].toSorted()
    expect(await stored()).toEqual(before)
    // Both parents in one row, one of them known with a new number.
    const both = [
      ['学号', '姓名', '父亲姓名', '父亲电话', '母亲姓名', '母亲电话'],
      ['S2', '钱二', '钱父', '13900000003', '钱母', '13900000004'],
      ['S9', '无人', '某某', '13900000009', '', ''],
    ]
    const next = await guardians.read(school, both, '表.xlsx', 'update')
    expect((await guardians.check(next)).counts).toMatchObject({ add: 1, bad: 1 })
    expect(await guardians.faults(next.id)).toEqual(['3 student.name 没有这名学生，请先导入学生'])
    expect(await guardians.commit(next.id, { skipBad: '1' })).toMatchObject({ state: 'done', failure: null })
    expect(await stored()).toContain('S2 钱父 51 13900000003 1')
    expect(await stored()).toContain('S2 钱母 52 13900000004 0')
    expect(await guardians.undo(next.id)).toMatchObject({ state: 'undone', failure: null })
    expect(await stored()).toEqual(before)
    // Its rows were touched by the batch that was taken back.
    expect(await guardians.undo(read.id, { changed: '1' })).toMatchObject({ state: 'undone', failure: null })
    expect(await stored()).toEqual([])
    expect(await listOf(admin, 'student', { schoolId: school.schoolId })).toHaveLength(5)
  })
})

describe('R-PERM-2 an import needs its own permission', () => {
  it.each(['studentparents', 'schoolclass', 'schoolclassroom', 'teacherclass'] as const)('%s', async (kind) => {
    const school = await schoolWith(admin, [['13', 1]])
    const viewer = await world.colleague(admin, [`${kind}_view`, `${kind}_add`])
    await expect(
      importer(world, viewer, kind).read(school, [
        ['班级', '班主任'],
        ['三2班', ''],
      ]),
    ).rejects.toThrow()
    const stranger = await world.tenant()
    await expect(
      importer(world, stranger, kind).read(school, [
        ['班级', '班主任'],
        ['三2班', ''],
      ]),
    ).rejects.toThrow()
    const template = await admin.get(`blade-user/import-${kind}/template`, { schoolId: school.schoolId, format: 'csv' })
    expect(template.status).toBe(200)
  })
})

describe('R-IMP-1 several classes in one cell', () => {
  it.each([
    ['三1班、三2班', false, ['三1班', '三2班']],
    ['三（1）（2）班', false, ['三(1)', '(2)班']],
    ['3.1 3.2', false, ['3.1', '3.2']],
    ['301/302', false, ['301', '302']],
    ['三年级1-3班', false, ['三年级1班', '三年级2班', '三年级3班']],
    ['三（1）-三（3）班', false, ['三1班', '三2班', '三3班']],
    ['1-3班', true, ['1班', '2班', '3班']],
    ['1-3班', false, ['1-3班']],
    ['三年级 1班', false, ['三年级 1班']],
    ['三年级（1）班', false, ['三年级（1）班']],
    ['Grade 3 Class 1', false, ['Grade 3 Class 1']],
  ])('%s', (text, graded, pieces) => {
    expect(piecesOf(text, graded)).toEqual(pieces)
  })
})
