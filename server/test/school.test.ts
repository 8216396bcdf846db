import { schoolclass, schoolsemester, schoolyear, student, teacherclass } from '@data-brain/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { makeWorld, type Person, type World } from './world.ts'

interface Row extends Record<string, unknown> {
  id: string
  version: number
}

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  admin = await world.tenant()
})

const add = async (entity: { name: string; path: string }, draft: Record<string, unknown>): Promise<Row> => {
  const answer = await admin.post<Row>(`${entity.path}/submit`, draft)
  if (answer.code !== 200) throw new Error(`${entity.name}: ${answer.msg}`)
  return answer.data
}

describe('R-ERR-5 what the database alone knows', () => {
  it('is told at the field that is wrong, in words', async () => {
    const told = async (path: string, draft: object, language: 'zh' | 'en' = 'zh') => {
      const answer = await admin.post<{ field: string }>(`blade-user/${path}/submit`, draft, { language })
      return [answer.status, answer.data.field, answer.msg]
    }
    const { draft: year } = await sample(admin, schoolyear)
    const days = { beginDate: '2026-09-01', endDate: '2027-02-01' }
    expect(await told('schoolyear', { ...year, ...days })).toEqual([400, 'endDate', '结束日期：学年须为240到400天'])
    const { schoolclassroom, schoolsubject } = await import('@data-brain/contract')
    const { draft: room } = await sample(admin, schoolclassroom)
    expect(await told('schoolclassroom', { ...room, capacity: 40, examCapacity: 41 })).toEqual([
      400,
      'examCapacity',
      '考试座位数：不能大于座位数',
    ])
    const { draft: subject } = await sample(admin, schoolsubject)
    expect(await told('schoolsubject', { ...subject, fullScore: 100, passScore: 101 }, 'en')).toEqual([
      400,
      'passScore',
      'Pass score: must not be more than the full score',
    ])
  })
})

describe('schools', () => {
  it('R-SCHOOL-1 makes a department with the school, renames it with the school, and lets it go with the school', async () => {
    const made = new Map<string, string>()
    const { draft } = await sample(admin, (await import('@data-brain/contract')).school, made)
    const school = await add({ name: 'school', path: 'blade-user/school' }, { ...draft, schoolName: '第一小学' })
    expect(school.deptName).toBe('第一小学')
    const renamed = await admin.post<Row>('blade-user/school/submit', { id: school.id, schoolName: '实验小学' })
    expect(renamed.data.deptName).toBe('实验小学')
    expect((await admin.post('blade-user/school/remove', undefined, { query: { ids: school.id } })).status).toBe(200)
    expect((await admin.get('blade-system/dept/detail', { id: String(school.deptId) })).status).toBe(404)
  })

  it('R-SCHOOL-10 has one main campus, whichever was made it last', async () => {
    const { draft } = await sample(admin, (await import('@data-brain/contract')).schoolcampus)
    await add({ name: 'schoolcampus', path: 'blade-user/schoolcampus' }, { ...draft, isMain: 1 })
    const second = await admin.post('blade-user/schoolcampus/submit', {
      ...draft,
      campusCode: 'B',
      campusName: '南校区',
      isMain: 1,
    })
    expect(second.status, second.msg).toBe(200)
    const main = await admin.get<{ records: Row[] }>('blade-user/schoolcampus/list', {
      ...{ schoolId_equal: String(draft.schoolId), isMain_equal: '1' },
    })
    expect(main.data.records.map((each) => each.campusCode)).toEqual(['B'])
  })

  it('R-SCHOOL-20 says how many of what still stand in the way of a removal', async () => {
    const { draft, made } = await sample(admin, schoolclass)
    await add(schoolclass, draft)
    const answer = await admin.post<{ blockers: { entity: string; label: string; count: number; sample: string[] }[] }>(
      'blade-user/school/remove',
      undefined,
      { query: { ids: made.get('school') } },
    )
    expect(answer.status).toBe(400)
    expect(answer.msg).toContain('无法删除')
    expect(answer.data.blockers.length).toBeGreaterThan(0)
    for (const blocker of answer.data.blockers)
      expect(blocker).toMatchObject({ count: expect.any(Number), sample: expect.any(Array), label: expect.any(String) })
    expect((await admin.get('blade-user/school/detail', { id: made.get('school')! })).status).toBe(200)
  })
})

describe('years, semesters, classes', () => {
  it('R-SCHOOL-2 refuses years that overlap, also when fifty are sent at once', async () => {
    const { draft } = await sample(admin, schoolyear)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        admin.post(
          'blade-user/schoolyear/submit',
          { ...draft, yearName: `年${index}`, startYear: 2000 + index },
          // One that waits too long for the others is told to come back.
          { fails: true },
        ),
      ),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(
      answers.filter((answer) => answer.status === 400 || answer.status === 409 || answer.status === 503),
    ).toHaveLength(49)
    expect((await admin.get<{ total: number }>('blade-user/schoolyear/list')).data.total).toBe(1)
  })

  it('R-SCHOOL-2 keeps semesters inside their year, and the year around its semesters', async () => {
    const { draft } = await sample(admin, schoolsemester)
    const outside = await admin.post<{ field: string }>('blade-user/schoolsemester/submit', {
      ...draft,
      endDate: '2199-01-01',
    })
    expect([outside.status, outside.data.field]).toEqual([400, 'beginDate'])
    await add(schoolsemester, draft)
    const year = (await admin.get<Row>('blade-user/schoolyear/detail', { id: String(draft.yearId) })).data
    const shrunk = await admin.post<{ field: string }>('blade-user/schoolyear/submit', {
      id: year.id,
      beginDate: `${year.startYear}-10-01`,
    })
    expect([shrunk.status, shrunk.data.field]).toEqual([400, 'endDate'])
  })

  it('R-SCHOOL-1 has at most one current year per school', async () => {
    const { draft } = await sample(admin, schoolyear)
    await add(schoolyear, { ...draft, isCurrent: 1 })
    const start = Number(draft.startYear) + 1
    const second = await admin.post('blade-user/schoolyear/submit', {
      ...draft,
      yearName: `${start}-${start + 1}`,
      startYear: start,
      beginDate: `${start}-09-01`,
      endDate: `${start + 1}-07-15`,
      isCurrent: 1,
    })
    expect(second.status).toBe(409)
  })

  it('R-SCHOOL-3 takes a class once per school, year, grade and number, and only of a stage that the school has', async () => {
    const { draft } = await sample(admin, schoolclass)
    await add(schoolclass, draft)
    expect((await admin.post('blade-user/schoolclass/submit', { ...draft, className: '另一个' })).status).toBe(409)
    const grades = await admin.get<{ records: Row[] }>('blade-user/sysgrade/list', { gradeCode_equal: '31' })
    await admin.post('blade-user/school/submit', { id: draft.schoolId, stages: ['2'] })
    const high = await admin.post<{ field: string }>('blade-user/schoolclass/submit', {
      ...draft,
      gradeId: grades.data.records[0]!.id,
      classNo: 2,
      className: '高一2班',
    })
    expect([high.status, high.data.field]).toEqual([400, 'gradeId'])
  })

  it('adds or changes a class by its natural key', async () => {
    const { draft } = await sample(admin, schoolclass)
    const first = await admin.post<Row>('blade-user/schoolclass/addOrUpdate', draft)
    const again = await admin.post<Row>('blade-user/schoolclass/addOrUpdate', { ...draft, className: '改了名' })
    expect([first.status, again.status, again.data.id, again.data.className, again.data.version]).toEqual([
      200,
      200,
      first.data.id,
      '改了名',
      2,
    ])
    const viewer = await world.colleague(admin, ['schoolclass_add'])
    expect((await viewer.post('blade-user/schoolclass/addOrUpdate', { ...draft, className: '再改' })).status).toBe(403)
  })

  it('R-SCHOOL-13 has one main teacher per class and subject at a time', async () => {
    const { draft } = await sample(admin, teacherclass)
    await add(teacherclass, { ...draft, role: '1' })
    const second = await admin.post('blade-user/teacherclass/submit', { ...draft, role: '1' })
    expect([second.status, second.msg]).toEqual([400, expect.stringContaining('重叠')])
    expect((await admin.post('blade-user/teacherclass/submit', { ...draft, role: '2' })).status).toBe(200)
  })
})

describe('students', () => {
  const prepared = async (): Promise<{ draft: Record<string, unknown>; first: string; second: string }> => {
    const { draft, made } = await sample(admin, student)
    const one = (await sample(admin, schoolclass, made)).draft
    const first = await add(schoolclass, { ...one, classNo: 11, className: '一（11）班' })
    const second = await add(schoolclass, { ...one, classNo: 12, className: '一（12）班' })
    return { draft, first: first.id, second: second.id }
  }

  it('R-SCHOOL-4 keeps the class history of a pupil, and counts the pupils of the classes', async () => {
    const { draft, first, second } = await prepared()
    const pupil = await add(student, { ...draft, classId: first })
    expect(pupil.gradeName).toBe('一年级')
    const count = async (id: string): Promise<unknown> =>
      (await admin.get<Row>('blade-user/schoolclass/detail', { id })).data.studentCount
    expect([await count(first), await count(second)]).toEqual([1, 0])
    await world.owner.query(`update studentclass set begin_date = '2026-01-01' where student_id = $1`, [pupil.id])
    const moved = await admin.post<Row>('blade-user/student/submit', { id: pupil.id, classId: second })
    expect(moved.data.className).toBe('一（12）班')
    expect([await count(first), await count(second)]).toEqual([0, 1])
    const history = await admin.get<{ records: Row[] }>('blade-user/studentclass/list', {
      studentId: pupil.id,
      ascs: 'beginDate',
    })
    expect(history.data.records.map((row) => [row.className, row.endDate === null])).toEqual([
      ['一（11）班', false],
      ['一（12）班', true],
    ])
    const open = await world.owner.query(
      `select count(*)::int as n from studentclass where student_id = $1 and end_date is null`,
      [pupil.id],
    )
    expect(open.rows[0].n).toBe(1)
  })

  it('R-STUDENT-1 refuses a class of another school, and a grade that is not the class’s', async () => {
    const { draft, first } = await prepared()
    const { draft: foreign } = await sample(admin, schoolclass)
    const elsewhere = await add(schoolclass, { ...foreign, className: '别校' })
    const wrong = await admin.post<{ field: string }>('blade-user/student/submit', { ...draft, classId: elsewhere.id })
    expect([wrong.status, wrong.data.field]).toEqual([400, 'classId'])
    const grades = await admin.get<{ records: Row[] }>('blade-user/sysgrade/list', { gradeCode_equal: '12' })
    const grade = await admin.post<{ field: string }>('blade-user/student/submit', {
      ...draft,
      classId: first,
      gradeId: grades.data.records[0]!.id,
    })
    expect([grade.status, grade.data.field]).toEqual([400, 'gradeId'])
  })

  it('R-STUDENT-2 checks an identity number against itself, the date of birth and the sex', async () => {
    const { draft } = await sample(admin, student)
    const number = String(draft.idNo)
    const wrongDigit = number.slice(0, 17) + (number[17] === '1' ? '2' : '1')
    for (const [change, field] of [
      [{ idNo: wrongDigit }, 'idNo'],
      [{ birthDate: '2014-01-01' }, 'idNo'],
      [{ sex: draft.sex === '1' ? '2' : '1' }, 'idNo'],
    ] as const) {
      const answer = await admin.post<{ field: string }>('blade-user/student/submit', { ...draft, ...change })
      expect([answer.status, answer.data.field], JSON.stringify(change)).toEqual([400, field])
    }
    expect((await admin.post('blade-user/student/submit', { ...draft, idType: 'A', idNo: 'G12345678' })).status).toBe(
      200,
    )
  })

  it('R-SCHOOL-12 enrols a child once in a tenant, however its number is written', async () => {
    const { draft } = await sample(admin, student)
    await add(student, draft)
    const twin = await admin.post('blade-user/student/submit', {
      ...draft,
      studentNo: 'OTHER',
      idNo: ` ${String(draft.idNo).toLowerCase()} `,
    })
    expect([twin.status, twin.msg]).toEqual([409, expect.stringContaining('身份证件号')])
  })

  it('R-STUDENT-3 shows personal numbers masked, leaves them alone when the mask comes back, and gives them to those who may', async () => {
    const { draft } = await sample(admin, student)
    const pupil = await add(student, draft)
    expect(pupil.idNo).toMatch(/^\*{16}.{2}$/)
    const saved = await admin.post<Row>('blade-user/student/submit', { ...pupil, name: '王改名' })
    expect(saved.status).toBe(200)
    const full = await admin.get<Record<string, string>>('blade-user/student/personal', { id: pupil.id })
    expect(full.data).toMatchObject({ idNo: draft.idNo, phone: draft.phone })
  })

  it('R-STUDENT-4 takes the extended record and class history along when a pupil is removed, and stops at guardians', async () => {
    const { draft, first } = await prepared()
    const pupil = await add(student, { ...draft, classId: first })
    const contract = await import('@data-brain/contract')
    const parent = (await sample(admin, contract.studentparents, new Map([['student', pupil.id]]))).draft
    const guardian = await add({ name: 'studentparents', path: 'blade-user/studentparents' }, parent)
    const blocked = await admin.post<{ blockers: { entity: string }[] }>('blade-user/student/remove', undefined, {
      query: { ids: pupil.id },
    })
    expect([blocked.status, blocked.data.blockers.map((each) => each.entity)]).toEqual([400, ['studentparents']])
    // Nothing is half-done: the class history is still there.
    expect(
      (await admin.get<{ total: number }>('blade-user/studentclass/list', { studentId: pupil.id })).data.total,
    ).toBe(1)
    await admin.post('blade-user/studentparents/remove', undefined, { query: { ids: guardian.id } })
    expect((await admin.post('blade-user/student/remove', undefined, { query: { ids: pupil.id } })).status).toBe(200)
  })

  it('R-LIST-1 finds pupils by part of the name, pinyin, initials, number, and a guardian’s phone or its last four', async () => {
    const { draft } = await sample(admin, student)
    const pupil = await add(student, {
      ...draft,
      name: '欧阳小明',
      namePinyin: null,
      formerName: null,
      nameEn: null,
      studentNo: '2026010101',
    })
    await add(
      { name: 'studentparents', path: 'blade-user/studentparents' },
      {
        ...(
          await sample(admin, (await import('@data-brain/contract')).studentparents, new Map([['student', pupil.id]]))
        ).draft,
        mobile: '13911112222',
      },
    )
    const found = async (keyword: string): Promise<string[]> =>
      (await admin.get<{ records: Row[] }>('blade-user/student/list', { keyword })).data.records.map((row) => row.id)
    for (const keyword of [
      '欧阳',
      '小明',
      '明',
      'ouyang',
      'xiaoming',
      'OYXM',
      'xm',
      '2026010101',
      '202601',
      '010101',
      '13911112222',
      '2222',
      '欧阳 xm',
    ])
      expect(await found(keyword), keyword).toEqual([pupil.id])
    for (const keyword of ['欧明', 'yangouxiao', '2223', '13911112223', '欧阳 zz', '%', "'"])
      expect(await found(keyword), keyword).toEqual([])
    await admin.post('blade-user/student/submit', { id: pupil.id, name: '诸葛亮' })
    expect(await found('欧阳')).toEqual([])
    expect(await found('zgl')).toEqual([pupil.id])
  })
})

describe('the selects and extra calls of §7.3', () => {
  it('offers the grades of a school’s stages, its campuses, and the subjects of a grade', async () => {
    const { made } = await sample(admin, schoolclass)
    await admin.post('blade-user/school/submit', { id: made.get('school'), stages: ['3'] })
    const grades = await admin.get<{ name: string }[]>('blade-user/sysgrade/select', { schoolId: made.get('school')! })
    expect(grades.data.map((row) => row.name)).toEqual(['七年级', '八年级', '九年级'])
    const listed = await admin.get<{ gradeName: string; classCount: number }[]>('blade-user/sysgrade/listBySchool', {
      schoolId: made.get('school')!,
    })
    expect(listed.data.map((row) => row.gradeName)).toEqual(['七年级', '八年级', '九年级'])
    const campuses = await admin.get<{ id: string }[]>('blade-user/schoolcampus/select', {
      schoolId: made.get('school')!,
    })
    // Its own main campus, and the one that was added.
    expect(campuses.data).toHaveLength(2)
    expect(campuses.data.map((row) => row.id)).toContain(made.get('schoolcampus'))
    expect((await admin.get<unknown[]>('blade-user/schoolcampus/select', { schoolId: '7' })).data).toEqual([])
    const schools = await admin.get<{ id: string }[]>('blade-user/school/select')
    expect(schools.data.map((row) => row.id)).toEqual([made.get('school')])
    const grade = (await admin.get<{ records: Row[] }>('blade-user/sysgrade/list', { gradeCode_equal: '21' })).data
      .records[0]!
    const subjects = await admin.get<{ subjectName: string }[]>('blade-user/syssubject/selectSubject', {
      gradeId: grade.id,
    })
    expect(subjects.data.map((row) => row.subjectName)).toEqual(expect.arrayContaining(['语文', '物理', '道德与法治']))
    expect(subjects.data.map((row) => row.subjectName)).not.toContain('科学')
  })

  it('answers the caller’s classes, timetable and the teachers of a subject', async () => {
    const { draft, made } = await sample(admin, teacherclass)
    await add(teacherclass, draft)
    await admin.post('blade-user/schoolyear/submit', { id: made.get('schoolyear'), isCurrent: 1 })
    await admin.post('blade-user/schoolsemester/submit', {
      id: made.get('schoolsemester'),
      isCurrent: 1,
      weekCount: 10,
    })
    const teachers = await admin.get<{ id: string; weekHours: number }[]>(
      'blade-user/teacherclass/getUserBySchoolAndSubject',
      { schoolId: made.get('school')!, subjectId: made.get('schoolsubject')! },
    )
    expect(teachers.data).toMatchObject([{ id: admin.userId, weekHours: draft.weekHours }])
    const classes = await admin.get<{ id: string; subjectNames: string[] }[]>('blade-user/teacherclass/getUserClass')
    expect(classes.data.map((row) => row.id)).toEqual([made.get('schoolclass')])
    const contract = await import('@data-brain/contract')
    const lesson = (await sample(admin, contract.classschedule, made)).draft
    const { planId } = await add(
      { name: 'classschedule', path: 'blade-user/classschedule' },
      { ...lesson, weekday: '1', periodNo: 1, weekType: '1' },
    )
    // A draft is nobody's timetable yet.
    const drafted = await admin.get<unknown[]>('blade-user/classschedule/getUserClassSchedule')
    expect(drafted.data).toEqual([])
    expect((await admin.post(`blade-user/timetableplan/publish?id=${planId}`)).code).toBe(200)
    const odd = await admin.get<{ weekday: string }[]>('blade-user/classschedule/getUserClassSchedule', { week: 3 })
    const even = await admin.get<unknown[]>('blade-user/classschedule/getUserClassSchedule', { week: 4 })
    expect([odd.data.length, even.data.length]).toEqual([1, 0])
    const stranger = await world.colleague(admin, [])
    expect((await stranger.get<unknown[]>('blade-user/classschedule/getUserClassSchedule')).data).toEqual([])
    expect(
      (await stranger.get('blade-user/teacherclass/getUserBySchoolAndSubject', { schoolId: '7', subjectId: '7' }))
        .status,
    ).toBe(403)
  })
})
