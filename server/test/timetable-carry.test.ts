import type { Carried } from '@data-brain/contract/calls/timetable-carry'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTerm, type Term } from './timetable-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/* What a semester takes over from a former one: its assignments and its rules. */

let world: World
let admin: Person
let term: Term
/** The second semester of the year, and the first of the next. */
let second: Row
let next: Row

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  term = await makeTerm(admin)
  const { schoolId, yearId, semesterId } = term
  const year = (await admin.get<Row>('blade-user/schoolyear/detail', { id: yearId })).data
  const first = (await admin.get<Row>('blade-user/schoolsemester/detail', { id: semesterId })).data
  // The year has room for another one behind the first.
  const day = (of: unknown) => new Date(`${of}T00:00:00Z`)
  const monday = new Date(day(first.endDate).getTime() + 7 * 86_400_000)
  monday.setUTCDate(monday.getUTCDate() + ((8 - monday.getUTCDay()) % 7))
  const text = (date: Date) => date.toISOString().slice(0, 10)
  const until = new Date(monday.getTime() + 70 * 86_400_000)
  if (until > day(year.endDate))
    await world.owner.query('update schoolyear set end_date = $2 where id = $1', [yearId, text(until)])
  second = await term.add('schoolsemester', {
    ...{ schoolId, yearId, semesterName: '第二学期', semesterNo: first.semesterNo === 2 ? 1 : 2, weekCount: 10 },
    ...{ beginDate: text(monday), firstWeekMonday: text(monday), endDate: text(until), isCurrent: 0 },
    ...{ examBegin: null, examEnd: null },
  })
  const start = Number(year.startYear) + 1
  const following = await term.add('schoolyear', {
    ...{ schoolId, yearName: `${start}-${start + 1}学年`, startYear: start, isCurrent: 0 },
    ...{ beginDate: `${start}-09-01`, endDate: `${start + 1}-07-15` },
  })
  const begins = new Date(Date.UTC(start, 8, 1))
  begins.setUTCDate(begins.getUTCDate() + ((8 - begins.getUTCDay()) % 7))
  next = await term.add('schoolsemester', {
    ...{ schoolId, yearId: following.id, semesterName: '新学年', semesterNo: 1, weekCount: 10, isCurrent: 0 },
    ...{ beginDate: text(begins), firstWeekMonday: text(begins), examBegin: null, examEnd: null },
    endDate: text(new Date(begins.getTime() + 75 * 86_400_000)),
  })
}, 60_000)
afterAll(() => world.close())

const preview = async (entity: string, semesterId: string): Promise<Carried> =>
  (await admin.get<Carried>(`blade-user/${entity}/carryOver/preview`, { semesterId, from: term.semesterId })).data
const carry = (entity: string, semesterId: string, who = admin) =>
  who.post<Carried>(`blade-user/${entity}/carryOver?semesterId=${semesterId}&from=${term.semesterId}`)
const assignments = async (semesterId: string) =>
  (await admin.get<{ records: Row[] }>('blade-user/teacherclass/list', { semesterId_equal: semesterId, size: 50 })).data
    .records

describe('ISSUE-15-5 assignments of a former semester', () => {
  it('are shown before, carried into the next one of the year, and taken back as one', async () => {
    const shown = await preview('teacherclass', second.id)
    expect([shown.make.length, shown.there, shown.left.length]).toEqual([4, 0, 0])
    expect(shown.make[0]!.text.zh).toMatch(/^一班.+：(王芳|李强)，每周5节$/)
    expect(await assignments(second.id)).toEqual([])
    const made = await carry('teacherclass', second.id)
    expect([made.msg, made.data.make.length]).toEqual(['操作成功', 4])
    const now = await assignments(second.id)
    expect(now.map(({ classId, userId, role }) => [classId, userId, role]).toSorted()).toEqual(
      (await assignments(term.semesterId)).map(({ classId, userId, role }) => [classId, userId, role]).toSorted(),
    )
    expect(now.every(({ beginDate }) => beginDate === second.beginDate)).toBe(true)
    // A second time there is nothing left to do; what is there stays.
    expect((await carry('teacherclass', second.id)).data).toMatchObject({ make: [], there: 4 })
    const undone = await admin.post(`blade-log/history/undo?requestId=${String(made.headers['x-request-id'])}`)
    expect(undone.msg).toBe('操作成功')
    expect(await assignments(second.id)).toEqual([])
  })

  it('go with the classes into the next year, and those of a class that nobody continues are named', async () => {
    const { campusId, gradeId, cohortYear, classNo } = (
      await admin.get<Row>('blade-user/schoolclass/detail', { id: term.classes[0] })
    ).data
    const { rows } = await world.owner.query(
      `select g.id from sysgrade_seen g where g.tenant_id = $1 and g.stage = (select stage from sysgrade_seen o where o.tenant_id = $1 and o.id = $2) and g.id <> $2 limit 1`,
      [admin.tenantId, gradeId],
    )
    const moved = await term.add('schoolclass', {
      ...{ schoolId: term.schoolId, campusId, yearId: next.yearId, gradeId: rows[0].id, cohortYear, classNo },
      ...{ className: '升级的一班', classroomId: null, headTeacherId: null, deputyTeacherIds: [] },
    })
    // Whoever has left is not assigned anew.
    await world.owner.query(`update app_user set staff_status = '3' where id = $1`, [term.teachers[1]])
    const shown = await preview('teacherclass', next.id)
    await world.owner.query(`update app_user set staff_status = '1' where id = $1`, [term.teachers[1]])
    expect(shown.make).toHaveLength(1)
    expect(shown.left.map(({ reason }) => reason!.zh).toSorted()).toEqual([
      '该教师已不在岗',
      '该班在所选学期没有接续的班级',
      '该班在所选学期没有接续的班级',
    ])
    expect((await carry('teacherclass', next.id)).data.make).toHaveLength(2)
    expect((await assignments(next.id)).every(({ classId }) => classId === moved.id)).toBe(true)
  })

  it('are carried by whoever may add some, from another semester of the same school', async () => {
    const reader = await world.colleague(admin, ['teacherclass_view', 'schoolsemester_view'])
    expect((await carry('teacherclass', second.id, reader)).status).toBe(403)
    const same = await admin.get('blade-user/teacherclass/carryOver/preview', {
      ...{ semesterId: second.id, from: second.id },
    })
    expect([same.status, same.msg]).toEqual([400, expect.stringContaining('请选择同一学校的另一个学期')])
  })
})

describe('ISSUE-15-4 rules of a former semester', () => {
  it('are carried over with the classes that they name, once', async () => {
    const at = { schoolId: term.schoolId, semesterId: term.semesterId }
    const submit = (draft: object) => admin.post<Row>('blade-user/timetablerule/submit', { ...at, ...draft })
    expect((await submit({ kind: '8', max: 1, subjectIds: [term.subjectId], strength: '1' })).msg).toBe('操作成功')
    expect((await submit({ kind: '4', whose: '2', max: 4, classIds: [term.classes[0]], strength: '2' })).msg).toBe(
      '操作成功',
    )
    const shown = await preview('timetablerule', second.id)
    expect(shown.make.length).toBeGreaterThanOrEqual(2)
    const made = await carry('timetablerule', second.id)
    expect(made.data.make).toEqual(shown.make)
    expect((await carry('timetablerule', second.id)).data).toMatchObject({ make: [], there: shown.make.length })
    const rules = (
      await admin.get<{ records: Row[] }>('blade-user/timetablerule/list', { semesterId_equal: second.id, size: 50 })
    ).data.records
    expect(rules).toHaveLength(shown.make.length)
    expect(rules.find(({ kind }) => kind === '4')).toMatchObject({ max: 4, whose: '2', classIds: [term.classes[0]] })
  })
})
